/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ring-geometry.h"

#include <stdexcept>
#include <string>

namespace ns3
{
namespace lightpath
{

RingGeometry::RingGeometry(uint32_t nodes, uint32_t fibres, uint32_t wavelengths)
    : m_nodes(nodes),
      m_fibres(fibres),
      m_wavelengths(wavelengths)
{
    if (nodes < 2 || fibres < 1 || wavelengths < 1)
    {
        throw std::invalid_argument("A ring needs at least 2 nodes, 1 fibre in each direction and "
                                    "1 wavelength on a fibre, not " +
                                    std::to_string(nodes) + ", " + std::to_string(fibres) +
                                    " and " + std::to_string(wavelengths));
    }
}

uint32_t
RingGeometry::GetNNodes() const
{
    return m_nodes;
}

uint32_t
RingGeometry::GetNFibres() const
{
    return m_fibres;
}

uint32_t
RingGeometry::GetNWavelengths() const
{
    return m_wavelengths;
}

uint32_t
RingGeometry::GetCapacity() const
{
    return m_fibres * m_wavelengths;
}

RingDirection
RingGeometry::GetDirection(uint32_t fibre) const
{
    return fibre < m_fibres ? RingDirection::CLOCKWISE : RingDirection::COUNTERCLOCKWISE;
}

uint32_t
RingGeometry::GetFirstFibre(RingDirection direction) const
{
    return direction == RingDirection::CLOCKWISE ? 0 : m_fibres;
}

uint32_t
RingGeometry::GetHops(uint32_t source, uint32_t destination, RingDirection direction) const
{
    const uint32_t clockwise =
        destination >= source ? destination - source : m_nodes - source + destination;
    return direction == RingDirection::CLOCKWISE ? clockwise : m_nodes - clockwise;
}

uint32_t
RingGeometry::GetFirstSegment(uint32_t source, uint32_t destination, RingDirection direction) const
{
    return direction == RingDirection::CLOCKWISE ? source : destination;
}

void
RingGeometry::SetFailed(uint32_t segment, RingDirection direction, bool failed)
{
    if (segment >= m_nodes)
    {
        throw std::invalid_argument("Segment " + std::to_string(segment) +
                                    " does not exist on a ring of " + std::to_string(m_nodes) +
                                    " nodes: the last one is " + std::to_string(m_nodes - 1));
    }
    if (failed)
    {
        m_failed.insert({segment, direction});
    }
    else
    {
        m_failed.erase({segment, direction});
    }
}

bool
RingGeometry::IsFailed(uint32_t segment, RingDirection direction) const
{
    return m_failed.count({segment, direction}) > 0;
}

bool
RingGeometry::IsUsable(uint32_t source, uint32_t destination, RingDirection direction) const
{
    if (m_failed.empty())
    {
        return true;
    }
    const uint32_t first = GetFirstSegment(source, destination, direction);
    const uint32_t hops = GetHops(source, destination, direction);
    for (uint32_t hop = 0; hop < hops; ++hop)
    {
        if (IsFailed((first + hop) % m_nodes, direction))
        {
            return false;
        }
    }
    return true;
}

} // namespace lightpath
} // namespace ns3
