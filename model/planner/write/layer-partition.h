/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LAYER_PARTITION_H
#define LAYER_PARTITION_H

#include "ns3/operator-graph.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Cuts the layers of a model into parts of successive layers.
 *
 * If the layers between the first and the last one divide evenly over the parts, each part gets the
 * same number of them; the first layer joins the first part, and the last layer the last part.
 * Otherwise the cuts make the slowest part as fast as possible; of several such cuts, the ones with
 * the shortest first parts are taken. Given cuts override both rules.
 *
 * The parts form a chain: an operator reads operators of its own part and of the part before in
 * the forward pass, of the part behind in the backward pass. The gradient of a parameter that the
 * first and the last part share is the exception.
 */
class LayerPartition
{
  public:
    /**
     * Refuses, by std::invalid_argument, more parts than layers, cuts that make another number of
     * parts, and parts that form no chain.
     *
     * @param graph the model; it must outlive this object
     * @param parts the number of parts
     * @param seconds the time of the forward and backward pass of each layer, in seconds
     * @param cuts the first layer of every part after the first; none to choose them
     */
    LayerPartition(const OperatorGraph& graph,
                   uint64_t parts,
                   const std::vector<double>& seconds,
                   const std::vector<uint32_t>& cuts = {});

    /**
     * @return the number of parts
     */
    uint32_t GetNParts() const;

    /**
     * @param op the index of an operator
     * @return the part that it belongs to
     */
    uint32_t GetPart(uint32_t op) const;

    /**
     * @param part a part
     * @param pass forward, backward or update
     * @return the indices of its operators of that pass, in ascending order
     */
    const std::vector<uint32_t>& GetOperators(uint32_t part, Pass pass) const;

    /**
     * @param part a part
     * @param pass forward or backward
     * @return the indices of the operators of another part that it reads in that pass, in ascending
     *         order, without those of GetSharers()
     */
    const std::vector<uint32_t>& GetInputs(uint32_t part, Pass pass) const;

    /**
     * @return the indices of the operators of the last part that make gradients of parameters of
     *         the first part, in ascending order
     */
    const std::vector<uint32_t>& GetSharers() const;

    /**
     * @return the indices of the updates of the parameters that the first and the last part share,
     *         in ascending order
     */
    const std::vector<uint32_t>& GetSharedUpdates() const;

    /**
     * @param from the index of an operator
     * @param to the index of an operator that reads it
     * @return true if the result is a gradient of a parameter that they share, and they belong to
     *         different parts
     */
    bool IsShared(uint32_t from, uint32_t to) const;

  private:
    /// The operators of a part.
    struct Part
    {
        std::vector<uint32_t> operators[3]; //!< By pass
        std::vector<uint32_t> inputs[2];    //!< Operators of other parts that it reads, by pass
    };

    /**
     * @param graph the model
     * @return the first layer that shares parameters with later ones, apart from layer 0; the last
     *         layer if there is none
     */
    static uint32_t GetTiedLayer(const OperatorGraph& graph);

    /**
     * Cut the layers so that the slowest part is as fast as possible.
     *
     * @param parts the number of parts
     * @param seconds the time of each layer, in seconds
     * @return the first layer of each part after the first
     */
    static std::vector<uint32_t> Balance(uint32_t parts, const std::vector<double>& seconds);

    /**
     * Refuse, by std::invalid_argument, cuts that do not make the parts.
     *
     * @param parts the number of parts
     * @param cuts the first layer of each part after the first
     */
    void CheckCuts(uint32_t parts, const std::vector<uint32_t>& cuts) const;

    /**
     * Set the part of each layer.
     *
     * @param cuts the first layer of each part after the first
     */
    void Assign(const std::vector<uint32_t>& cuts);

    /**
     * Record an edge between parts. Refuses, by std::invalid_argument, an edge that breaks the
     * chain.
     *
     * @param from the index of the operator that writes
     * @param to the index of the operator that reads
     */
    void AddCrossing(uint32_t from, uint32_t to);

    const OperatorGraph& m_graph;          //!< The model
    std::vector<uint32_t> m_layers;        //!< The part of each layer
    std::vector<Part> m_parts;             //!< The parts
    std::vector<uint32_t> m_sharers;       //!< Gradients of shared parameters in the last part
    std::vector<uint32_t> m_sharedUpdates; //!< Updates of shared parameters
};

} // namespace lightpath
} // namespace ns3

#endif /* LAYER_PARTITION_H */
