/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRID_WAYS_H
#define GRID_WAYS_H

#include "grid-carrier.h"
#include "model/control/oddl/oddl-router.h"

#include "ns3/agenda.h"

#include <cstdint>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief The ways through a grid (ODDL), for estimates.
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
     * @param source a GPU
     * @param destination another GPU
     * @return the way of the data between them, as long as no idle transmitter takes them
     */
    Way GetWay(uint32_t source, uint32_t destination) const;

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
    double GetPause() const
    {
        return m_pause;
    }

    /**
     * @return the time from the last bit at the source to the message at its destination, without
     *         corners, seconds
     */
    double GetDelay() const
    {
        return m_delay;
    }

    /**
     * A corner ends with the flow of what has come in during the one before. Flows grow by the
     * bytes of a pause, so that the last of those that make up a message has the square root of
     * twice the product of both.
     *
     * @param bytes the size of a message
     * @param way its way
     * @return the time that a corner adds, from its last bit before it to its last bit behind it,
     *         seconds; 0 without a corner
     */
    double GetLag(double bytes, const Way& way) const;

  private:
    const GridLimits& m_grid; //!< The grid
    PrivateAgenda m_agenda;   //!< Nothing happens
    GridCarrier m_idle;       //!< The grid without messages
    OddlRouter m_router;      //!< Finds ways
    double m_pause;           //!< Time before a flow, seconds
    double m_delay;           //!< Delay of a message, seconds
    double m_forward;         //!< Delay to a corner, seconds
};

} // namespace lightpath
} // namespace ns3

#endif /* GRID_WAYS_H */
