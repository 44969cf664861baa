/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_GRAPH_H
#define LIGHTPATH_GRAPH_H

#include "circuit-plan.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief The graph whose vertices are the ports of a fabric, and whose edges are the lightpaths of
 * a plan.
 */
class LightpathGraph
{
  public:
    /// No number of lightpaths leads there.
    static constexpr uint32_t UNREACHABLE = UINT32_MAX;

    /**
     * @param plan the lightpaths
     * @param nPorts the number of ports of the fabric
     */
    LightpathGraph(const CircuitPlan& plan, uint32_t nPorts);

    /**
     * @param destination a port
     * @return the least number of lightpaths to it, one after the other, by port; UNREACHABLE where
     *         none lead there
     */
    std::vector<uint32_t> CountHops(uint32_t destination) const;

  private:
    std::vector<std::vector<uint32_t>> m_sources; //!< Ports with a lightpath to a port, by port
};

} // namespace lightpath
} // namespace ns3

#endif /* LIGHTPATH_GRAPH_H */
