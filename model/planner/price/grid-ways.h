/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRID_WAYS_H
#define GRID_WAYS_H

#include "ns3/planning-problem.h"

#include <cstdint>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief The ways through a grid (ODDL), and what a flow on them takes.
 */
class GridWays
{
  public:
    /// A way through the grid.
    struct Way
    {
        uint32_t corner{UINT32_MAX}; //!< The GPU that forwards; none if there is none
        uint32_t first{0};           //!< The switch of the first hop: 0 the row's, 1 the column's
    };

    /**
     * @param grid the grid, which must outlive this object
     */
    explicit GridWays(const GridLimits& grid);

    /**
     * @return the grid
     */
    const GridLimits& GetGrid() const;

    /**
     * @param source a GPU
     * @param destination another GPU
     * @return the way of the data between them, as long as no idle transmitter takes them
     */
    Way GetWay(uint32_t source, uint32_t destination) const;

    /**
     * @param source a GPU
     * @param destination another GPU, in another row and column
     * @param first the switch of the first hop
     * @return the way by this corner, which may be a free place of the last row
     */
    Way GetCorner(uint32_t source, uint32_t destination, uint32_t first) const;

    /**
     * @param side 0 for the switches of rows, 1 for those of columns
     * @return the rate of a transceiver there, bytes/s
     */
    double GetRate(uint32_t side) const;

    /**
     * @param side 0 for the switches of rows, 1 for those of columns
     * @return the rate of all transceivers of a GPU there, bytes/s
     */
    double GetSwitchRate(uint32_t side) const;

    /**
     * @return the time in which a transmitter sends nothing before a flow, seconds
     */
    double GetPause() const;

    /**
     * A corner ends with the flow of what has come in during the one before. Flows grow by the
     * bytes of a pause, so that the last of those that make up a message has the square root of
     * twice the product of both.
     *
     * @param bytes the size of a message that a corner forwards
     * @param way its way
     * @return the time from its last bit at the corner to its last bit behind it, seconds
     */
    double GetLag(double bytes, const Way& way) const;

    /**
     * @param bytes the size of a message that passes a corner
     * @return the bytes of it in a frame
     */
    static uint64_t GetFramePart(uint64_t bytes);

  private:
    const GridLimits& m_grid; //!< The grid
};

} // namespace lightpath
} // namespace ns3

#endif /* GRID_WAYS_H */
