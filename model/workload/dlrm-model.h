/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DLRM_MODEL_H
#define DLRM_MODEL_H

#include "training-graph-builder.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief The size of a deep learning recommendation model (Naumov et al., 2019).
 */
struct DlrmShape
{
    std::string name;             //!< Name of the model
    uint64_t features{13};        //!< Dense features of a sample
    std::vector<uint64_t> bottom; //!< Outputs of the layers of the bottom perceptron
    std::vector<uint64_t> tables; //!< Rows of each embedding table
    uint64_t width{128};          //!< Elements of a row
    uint64_t lookups{1};          //!< Rows of each table that a sample looks up
    std::vector<uint64_t> hots;   //!< The same by table, if the tables differ
    bool sharesColumns{false};    //!< Whether one operator looks up all tables, whose columns are
                                  //!< experts, which replicas can share out
    bool dotInteraction{true};    //!< Whether vectors meet in dot products: the bottom perceptron
                                  //!< must then end in a vector as wide as a row; otherwise they
                                  //!< are concatenated
    uint64_t crossLayers{0};   //!< Layers of a cross network behind the interaction (Wang et al.,
                               //!< 2021)
    uint64_t crossRank{0};     //!< Elements between the two products of such a layer
    std::vector<uint64_t> top; //!< Outputs of the layers of the top perceptron, the last one 1
    TrainingOptions training;  //!< Numbers that it is trained in, and its optimiser
};

/**
 * @ingroup lightpath
 * @brief Builds the graphs of deep learning recommendation models.
 *
 * The layers are the embedding, the bottom perceptron and the top one with the interaction and the
 * loss; all layers of the perceptrons but the last of all have rectifiers.
 *
 * Each table has a lookup of its own, with a sparse gradient. A tensor-parallel group splits each
 * table by rows: a GPU sums the rows that it has of those that a sample looks up, and the group
 * adds these sums. All other operators work on each sample by itself: with sequence parallelism a
 * GPU gets the sums of its share of the samples only, and the perceptrons are data-parallel.
 *
 * With shared columns one operator looks up all tables, as a fused kernel does, and each column is
 * an expert that has a part of each vector. Expert parallelism over all replicas then gives each of
 * them some columns of all tables: all-to-alls exchange vectors and their gradients.
 */
class DlrmModel
{
  public:
    /**
     * @param shape the size of the model; std::invalid_argument if its parts do not fit together
     * @return its graph
     */
    static OperatorGraph Build(const DlrmShape& shape);

  private:
    /**
     * Add the lookups to the layer that has begun.
     *
     * @param builder the model to add to
     * @param shape the size of the model
     * @return what has the vectors of all tables
     */
    static std::vector<TrainingGraphBuilder::Source> AddLookups(TrainingGraphBuilder& builder,
                                                                const DlrmShape& shape);

    /**
     * Add a cross network to the layer that has begun. A layer multiplies its input with two
     * matrices in turn, and the result with the input of the network; it adds its own input.
     *
     * @param builder the model to add to
     * @param input the index of the operator whose output it reads
     * @param shape the size of the model
     * @return the index of its last operator
     */
    static uint32_t AddCrossNetwork(TrainingGraphBuilder& builder,
                                    uint32_t input,
                                    const DlrmShape& shape);

    /**
     * Add a perceptron to the layer that has begun.
     *
     * @param builder the model to add to
     * @param sources the operators that it reads
     * @param inputs the elements of their outputs
     * @param widths outputs of its layers
     * @param rectified the number of its layers that have a rectifier
     * @return the index of its last operator
     */
    static uint32_t AddPerceptron(TrainingGraphBuilder& builder,
                                  const std::vector<TrainingGraphBuilder::Source>& sources,
                                  uint64_t inputs,
                                  const std::vector<uint64_t>& widths,
                                  std::size_t rectified);
};

} // namespace lightpath
} // namespace ns3

#endif /* DLRM_MODEL_H */
