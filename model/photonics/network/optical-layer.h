/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef OPTICAL_LAYER_H
#define OPTICAL_LAYER_H

#include "model/photonics/mzi-mesh.h"
#include "network-weights.h"

#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief The interferometers that make the weights of a layer.
 *
 * In the form SVD light goes through a mesh, a column of attenuators and another mesh. In the form
 * BLOCKS each square block is a mesh and a column of attenuators; if there are more outputs than
 * inputs the light is split among the blocks, and if there are fewer the light of the blocks is
 * merged. Attenuators only weaken light: an amplifier, or a detector and a modulator, makes up for
 * the largest factor, and for the loss of the columns.
 *
 * A detector reads the part of the amplitude that is in phase with its reference. Biases are added
 * behind it.
 */
class OpticalLayer
{
  public:
    /**
     * @brief Find the phases. Refuses weights that do not have the form by std::invalid_argument.
     *
     * @param weights the weights, a row for each output
     * @param form the interferometers that realise them
     * @param arrangement where the interferometers of a mesh stand
     */
    OpticalLayer(const RealMatrix& weights,
                 NetworkWeights::Form form,
                 MziMesh::Arrangement arrangement);

    /**
     * @param imperfections how real interferometers differ
     * @return a layer of such interferometers with the same phases
     */
    OpticalLayer Realise(const MeshImperfections& imperfections) const;

    /**
     * @return the weights that the interferometers make, in the phase of the reference
     */
    RealMatrix Compose() const;

    /**
     * @return the number of interferometers, attenuators included
     */
    uint32_t GetNElements() const;

    /**
     * @return the columns that light goes through
     */
    uint32_t GetNColumns() const;

    /**
     * @return the factor of amplitudes that an amplifier makes up for, apart from losses
     */
    double GetGain() const;

  private:
    /// Interferometers side by side: a mesh, attenuators and perhaps another mesh.
    struct Block
    {
        MziMesh mesh;                        //!< Mesh that light passes first
        std::vector<MziElement> attenuators; //!< Attenuators behind the mesh
        std::vector<MziMesh> last;           //!< The mesh behind them, if there is one
    };

    /**
     * @brief Send light through a block.
     *
     * @param block the block
     * @param fields the amplitudes of the inputs, a row for each mode
     * @return the amplitudes of the outputs
     */
    static ComplexMatrix Propagate(const Block& block, ComplexMatrix fields);

    /**
     * @brief Take a block of a matrix.
     *
     * @param matrix the matrix
     * @param row its first row
     * @param column its first column
     * @param size its rows, and columns
     * @return the block
     */
    static RealMatrix Cut(const RealMatrix& matrix,
                          std::size_t row,
                          std::size_t column,
                          std::size_t size);

    /**
     * @param factors the factors of some modes
     * @return attenuators that make these factors behind the gain
     */
    std::vector<MziElement> MakeAttenuators(const std::vector<double>& factors) const;

    /**
     * @brief Find the phases of meshes before and behind attenuators.
     *
     * @param weights the weights
     * @param arrangement where the interferometers of a mesh stand
     */
    void MakeSvd(const RealMatrix& weights, MziMesh::Arrangement arrangement);

    /**
     * @brief Find the phases of square blocks.
     *
     * @param weights the weights
     * @param arrangement where the interferometers of a mesh stand
     */
    void MakeBlocks(const RealMatrix& weights, MziMesh::Arrangement arrangement);

    std::size_t m_inputs;        //!< The number of inputs
    std::size_t m_outputs;       //!< The number of outputs
    double m_gain{0};            //!< The factor of amplitudes behind the attenuators
    std::vector<Block> m_blocks; //!< One, or the square blocks
};

} // namespace lightpath
} // namespace ns3

#endif /* OPTICAL_LAYER_H */
