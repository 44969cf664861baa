/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RELAY_PATHS_H
#define RELAY_PATHS_H

#include "circuit-plan.h"

#include <cstdint>
#include <map>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief The shortest paths from port to port over the lightpaths of a plan.
 *
 * All ports agree on the distances to a destination, so that each hop of GetNext() comes closer to
 * it. Among equally close ports, the one with the widest lightpath is next; among several of these,
 * the choice varies with source and destination. Paths are computed on demand, by one breadth-first
 * search for each destination.
 */
class RelayPaths
{
  public:
    /// No port.
    static constexpr uint32_t NONE = UINT32_MAX;

    /**
     * @param plan the lightpaths
     */
    explicit RelayPaths(const CircuitPlan& plan = {});

    /**
     * @return the lightpaths
     */
    const CircuitPlan& GetPlan() const
    {
        return m_plan;
    }

    /**
     * @param source a port
     * @param destination another port
     * @return the next port on the path, which is the destination itself if there is a lightpath;
     *         NONE if there is no path
     */
    uint32_t GetNext(uint32_t source, uint32_t destination);

  private:
    /**
     * @param destination a port
     * @return the next port on the path to it from each port
     */
    std::vector<uint32_t> FindWays(uint32_t destination) const;

    /**
     * @param destination a port
     * @return the least number of lightpaths to it from each port; NONE without a path
     */
    std::vector<uint32_t> CountHops(uint32_t destination) const;

    CircuitPlan m_plan;                               //!< The lightpaths
    std::vector<std::vector<uint32_t>> m_sources;     //!< Ports with a lightpath to a port, by port
    std::map<uint32_t, std::vector<uint32_t>> m_next; //!< Next port by destination and port
};

} // namespace lightpath
} // namespace ns3

#endif /* RELAY_PATHS_H */
