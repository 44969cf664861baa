/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "grid-ways.h"

#include "model/base/wire-format.h"

#include <algorithm>
#include <cmath>

namespace ns3
{
namespace lightpath
{

namespace
{

/// The most frames that one is cut into.
constexpr uint64_t MOST_PARTS = 256;

} // namespace

GridWays::GridWays(const GridLimits& grid)
    : m_grid(grid)
{
}

const GridLimits&
GridWays::GetGrid() const
{
    return m_grid;
}

GridWays::Way
GridWays::GetWay(uint32_t source, uint32_t destination) const
{
    const uint32_t columns = m_grid.columns;
    const bool isInRow = source / columns == destination / columns;
    if (isInRow || source % columns == destination % columns)
    {
        return {UINT32_MAX, isInRow ? 0U : 1U};
    }
    // The last row may have no GPU at a corner
    const uint32_t first = m_grid.isColumnFirst ? 1 : 0;
    const Way way = GetCorner(source, destination, first);
    return way.corner < m_grid.gpus ? way : GetCorner(source, destination, 1 - first);
}

GridWays::Way
GridWays::GetCorner(uint32_t source, uint32_t destination, uint32_t first) const
{
    const uint32_t columns = m_grid.columns;
    return first == 0 ? Way{source / columns * columns + destination % columns, 0}
                      : Way{destination / columns * columns + source % columns, 1};
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
GridWays::GetPause() const
{
    return m_grid.controlSeconds + m_grid.tuningSeconds;
}

double
GridWays::GetLag(double bytes, const Way& way) const
{
    const double rate = GetRate(1 - way.first);
    const auto part = static_cast<double>(GetFramePart(static_cast<uint64_t>(bytes)));
    const double least = std::min(bytes, part) / rate;
    const double last = std::sqrt(2 * GetPause() * bytes / rate);
    return GetPause() + std::min(std::max(last, least), bytes / rate);
}

uint64_t
GridWays::GetFramePart(uint64_t bytes)
{
    return std::max(FORWARDED_PART_BYTES, bytes / MOST_PARTS + 1);
}

} // namespace lightpath
} // namespace ns3
