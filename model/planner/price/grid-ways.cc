/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "grid-ways.h"

#include "model/base/wire-format.h"

#include "ns3/nstime.h"

#include <algorithm>
#include <cmath>

namespace ns3
{
namespace lightpath
{

GridWays::GridWays(const GridLimits& grid)
    : m_grid(grid),
      m_idle(m_agenda, grid, nullptr),
      m_router(m_idle,
               grid.unit.relayPolicy == OddlSettings::FORBID ? OddlSettings::X_FIRST
                                                             : grid.unit.relayPolicy)
{
    // A request and its grant have the same size, and pass two links each
    OddlHeader request;
    request.kind = OddlHeader::REQUEST;
    const uint32_t bytes = request.GetSerializedSize() + CONTROL_HEADER_BYTES;
    const Time link =
        DataRate(grid.controlBitRate).CalculateBytesTxTime(bytes) + TimeStep(grid.controlDelay);
    m_pause =
        (4 * link + TimeStep(2 * grid.unit.processingTime + grid.tuning + grid.lock)).GetSeconds();
    m_delay = TimeStep(grid.delay + grid.cardDelay).GetSeconds();
    m_forward = TimeStep(grid.delay).GetSeconds();
}

GridWays::Way
GridWays::GetWay(uint32_t source, uint32_t destination) const
{
    const auto hop = m_router.Find(source, destination);
    if (!hop)
    {
        return {};
    }
    return {hop->port == destination ? UINT32_MAX : hop->port, hop->direction};
}

double
GridWays::GetRate(uint32_t side) const
{
    return (side == 0 ? m_grid.rowBitRate : m_grid.columnBitRate) / 8;
}

double
GridWays::GetSwitchRate(uint32_t side) const
{
    return m_grid.transceivers * GetRate(side);
}

double
GridWays::GetLag(double bytes, const Way& way) const
{
    if (way.corner == UINT32_MAX)
    {
        return 0;
    }
    const double rate = GetRate(1 - way.first);
    const double least = std::min<double>(bytes, FORWARDED_PART_BYTES) / rate;
    const double last = std::sqrt(2 * m_pause * bytes / rate);
    return m_forward + m_pause + std::min(std::max(last, least), bytes / rate);
}

} // namespace lightpath
} // namespace ns3
