/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SLICE_ROUTES_H
#define SLICE_ROUTES_H

#include <cstdint>
#include <utility>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Shortest routes over the circuits between two turns of a fabric with a periodic schedule.
 *
 * Among ports that are equally close to a destination, the choice varies with source and
 * destination. Routes are found when they are asked for, by one search for each destination.
 */
class SliceRoutes
{
  public:
    /// No port.
    static constexpr uint32_t NONE = UINT32_MAX;

    /**
     * Forget all routes.
     *
     * @param nPorts the number of ports
     * @param circuits the circuits from now on, as source and destination
     */
    void Begin(uint32_t nPorts, const std::vector<std::pair<uint32_t, uint32_t>>& circuits);

    /**
     * @param source a port
     * @param destination another port
     * @return the next port on the way; NONE if there is none
     */
    uint32_t GetNext(uint32_t source, uint32_t destination);

  private:
    /**
     * @param destination a port
     * @return the next port on the way to it from each port
     */
    std::vector<uint32_t> Find(uint32_t destination) const;

    std::vector<std::vector<uint32_t>> m_sources; //!< Ports with a circuit to a port
    std::vector<std::vector<uint32_t>> m_peers;   //!< Ports that a port has a circuit to
    std::vector<std::vector<uint32_t>> m_next;    //!< Next ports by destination, once known
};

} // namespace lightpath
} // namespace ns3

#endif /* SLICE_ROUTES_H */
