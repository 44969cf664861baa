/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRADIENT_MAP_H
#define GRADIENT_MAP_H

#include "ns3/operator-graph.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief The operators that make the gradients of each update operator of a graph, and the updates
 * whose gradients each operator completes.
 *
 * The sources of an update operator are the operators that it reads, directly or through other
 * update operators. It may run once all of them have run: the last one completes its gradients.
 */
class GradientMap
{
  public:
    /**
     * Refuses, by std::invalid_argument, a graph with an update operator that has no sources, or
     * whose result another pass reads.
     *
     * @param graph the graph
     */
    explicit GradientMap(const OperatorGraph& graph);

    /**
     * @param update the index of an update operator
     * @return the indices of its sources, in ascending order
     */
    const std::vector<uint32_t>& GetSources(uint32_t update) const;

    /**
     * @param op the index of an operator
     * @return the indices of the update operators whose gradients it completes, in ascending order
     */
    const std::vector<uint32_t>& GetUpdates(uint32_t op) const;

    /**
     * The size of a sparse gradient, which has each row that a sample looks up, and its index.
     *
     * @param graph the graph
     * @param update the index of an update operator
     * @return the bytes of it that the sparse operators among its sources write, per sample; 0 for
     *         a dense gradient
     */
    uint64_t GetSparseBytes(const OperatorGraph& graph, uint32_t update) const;

  private:
    std::vector<std::vector<uint32_t>> m_sources; //!< Sources by update operator
    std::vector<std::vector<uint32_t>> m_updates; //!< Update operators by last source
};

} // namespace lightpath
} // namespace ns3

#endif /* GRADIENT_MAP_H */
