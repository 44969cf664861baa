/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef NETWORK_WEIGHTS_H
#define NETWORK_WEIGHTS_H

#include "model/photonics/dense-matrix.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief The numbers of a layer: its outputs are weights times inputs, plus the bias.
 */
struct NetworkLayer
{
    RealMatrix weights;       //!< A row for each output, a column for each input
    std::vector<double> bias; //!< An entry for each output
};

/**
 * @ingroup lightpath
 * @brief The numbers of a network that averages words, and the file that they stand in.
 *
 * All layers but the last are followed by a rectifier. The inputs are the means of the digits of
 * the words, the outputs the digits of the average, both least significant first, in levels.
 *
 * In the form BLOCKS each of the max(m, n) / min(m, n) square blocks of an m x n matrix of weights
 * is a diagonal matrix times an orthogonal one.
 *
 * The file begins with lines of text (a keyword and its values: `lightpath-network 1`, `form` with
 * `svd` or `blocks`, `servers`, `bits`, `layers` with the sizes from the inputs to the outputs),
 * the last of which is `data`. Then come, for each layer, its weights, row by row, and its bias, as
 * IEEE 754 numbers of 32 bits, the least significant byte first.
 */
struct NetworkWeights
{
    /// Arrangements of interferometers that realise the matrices of a network.
    enum Form
    {
        SVD,   //!< U Sigma V*: two meshes, and a column of attenuators between them
        BLOCKS //!< Square blocks, each a mesh and a column of attenuators behind it
    };

    Form form{SVD};                   //!< Interferometers that it is meant for
    uint32_t servers{0};              //!< The servers whose words it averages
    uint32_t bits{0};                 //!< The bits of a word
    std::vector<NetworkLayer> layers; //!< The layers, from the inputs to the outputs

    /**
     * @brief Read a file. Refuses what is none by std::invalid_argument.
     *
     * @param path the path of the file
     * @return the weights in it
     */
    static NetworkWeights Read(const std::string& path);
};

} // namespace lightpath
} // namespace ns3

#endif /* NETWORK_WEIGHTS_H */
