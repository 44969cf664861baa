/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ODDL_ROUTER_H
#define ODDL_ROUTER_H

#include "oddl-settings.h"

#include "ns3/wss-grid.h"

#include <cstdint>
#include <optional>
#include <string>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Finds paths through a grid of switches: through a row or a column, or over corners.
 *
 * The way is the shortest that works; each port that forwards asks anew, and so a way never leads
 * in circles unless components fail and recover again and again. Between ports in different rows
 * and columns a way passes one of two corners. Where failures leave neither, or take the only
 * switch of a pair, a way through two corners is sought.
 */
class OddlRouter
{
  public:
    /// The first hop of a path.
    struct Hop
    {
        uint32_t port{0};                           //!< Where it ends
        WssGrid::Direction direction{WssGrid::ROW}; //!< The switch that it uses
    };

    /**
     * @param grid the grid, which outlives the router
     * @param policy which corner forwards
     */
    OddlRouter(const WssGrid& grid, OddlSettings::RelayPolicy policy);

    /**
     * @param source a port
     * @param destination another port
     * @return the first hop of the path between them; empty if there is none
     */
    std::optional<Hop> Find(uint32_t source, uint32_t destination) const;

    /**
     * @param source a port
     * @param destination another port
     * @param first the direction in which to go first
     * @return the corner between them, if the path through it works
     */
    std::optional<Hop> FindCorner(uint32_t source,
                                  uint32_t destination,
                                  WssGrid::Direction first) const;

    /**
     * @param source a port
     * @param destination another port without a path
     * @return the sentence that says why
     */
    std::string Explain(uint32_t source, uint32_t destination) const;

  private:
    /// The direction of the first hop.
    using Direction = WssGrid::Direction;

    /**
     * @param source a port
     * @param destination another port
     * @param first the direction in which to go first, and last
     * @return the first of two corners between them, if the path through them works
     */
    std::optional<Hop> FindDetour(uint32_t source, uint32_t destination, Direction first) const;

    /**
     * @param direction a direction
     * @return the other one
     */
    static Direction Turn(Direction direction);

    const WssGrid& m_grid;              //!< The grid
    OddlSettings::RelayPolicy m_policy; //!< Which corner forwards
};

} // namespace lightpath
} // namespace ns3

#endif /* ODDL_ROUTER_H */
