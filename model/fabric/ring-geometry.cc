/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ring-geometry.h"

#include "model/device/component-name.h"

#include "ns3/abort.h"

#include <algorithm>

namespace ns3
{
namespace lightpath
{

RingGeometry::RingGeometry(uint32_t nodes, uint32_t fibres, uint32_t wavelengths)
    : m_nodes(nodes),
      m_fibres(fibres),
      m_wavelengths(wavelengths)
{
    NS_ABORT_MSG_IF(nodes < 2 || fibres < 1 || wavelengths < 1,
                    "A ring needs at least 2 nodes, 1 fibre in each direction and 1 wavelength on "
                    "a fibre, not "
                        << nodes << ", " << fibres << " and " << wavelengths);
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

uint32_t
RingGeometry::GetCapacity(RingDirection direction) const
{
    // Each failed fibre of this direction takes its wavelengths away
    const auto failed = std::count_if(
        m_failedFibres.begin(),
        m_failedFibres.end(),
        [this, direction](uint32_t fibre) { return GetDirection(fibre) == direction; });
    return (m_fibres - failed) * m_wavelengths;
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
    // Both arcs together go around the ring once
    return direction == RingDirection::CLOCKWISE ? clockwise : m_nodes - clockwise;
}

uint32_t
RingGeometry::GetFirstSegment(uint32_t source, uint32_t destination, RingDirection direction) const
{
    // A counterclockwise arc from i to j covers the segments j to i - 1
    return direction == RingDirection::CLOCKWISE ? source : destination;
}

void
RingGeometry::SetWavelengthMode(WavelengthMode mode)
{
    m_mode = mode;
}

void
RingGeometry::SetReach(uint32_t hops)
{
    m_reach = hops;
}

uint32_t
RingGeometry::GetReach() const
{
    return m_reach;
}

RingGeometry::WavelengthMode
RingGeometry::GetWavelengthMode() const
{
    return m_mode;
}

void
RingGeometry::SetFailed(const std::string& component, bool failed)
{
    const std::string refusal = TrySetFailed(component, failed);
    NS_ABORT_MSG_UNLESS(refusal.empty(), refusal);
}

std::string
RingGeometry::TrySetFailed(const std::string& component, bool failed)
{
    ComponentName name(component);
    if (name.Is("segment", {m_nodes}, "cw"))
    {
        SetMember(m_failed, std::make_pair(name.Get(0), RingDirection::CLOCKWISE), failed);
    }
    else if (name.Is("segment", {m_nodes}, "ccw"))
    {
        SetMember(m_failed, std::make_pair(name.Get(0), RingDirection::COUNTERCLOCKWISE), failed);
    }
    else if (name.Is("segment", {m_nodes}))
    {
        SetMember(m_failed, std::make_pair(name.Get(0), RingDirection::CLOCKWISE), failed);
        SetMember(m_failed, std::make_pair(name.Get(0), RingDirection::COUNTERCLOCKWISE), failed);
    }
    else if (name.Is("fibre", {2 * m_fibres}))
    {
        SetMember(m_failedFibres, name.Get(0), failed);
    }
    else if (name.Is("micro-ring", {m_nodes, 2 * m_fibres, m_wavelengths}))
    {
        SetMember(m_failedMicroRings,
                  std::make_pair(name.Get(0), Lane{name.Get(1), name.Get(2)}),
                  failed);
    }
    else if (name.Is("laser", {m_nodes, m_wavelengths}))
    {
        SetMember(m_failedLasers, std::make_pair(name.Get(0), name.Get(1)), failed);
    }
    else
    {
        return name.GetRefusal("A ring has no component '" + component +
                               "': name one like segment:3:cw, segment:3:ccw, segment:3, "
                               "fibre:2, micro-ring:5:2:7 (node, fibre, wavelength) or "
                               "laser:5:7 (node, wavelength)");
    }
    return "";
}

bool
RingGeometry::HasFailures() const
{
    return !(m_failed.empty() && m_failedFibres.empty() && m_failedMicroRings.empty() &&
             m_failedLasers.empty());
}

bool
RingGeometry::IsFailed(uint32_t segment, RingDirection direction) const
{
    return m_failed.count({segment, direction}) > 0;
}

bool
RingGeometry::IsUsable(uint32_t source, uint32_t destination, RingDirection direction) const
{
    const uint32_t first = GetFirstSegment(source, destination, direction);
    const uint32_t hops = GetHops(source, destination, direction);
    if (m_reach > 0 && hops > m_reach)
    {
        return false;
    }
    // A segment is on the arc if it is fewer hops from the first segment than the arc is long
    return std::none_of(m_failed.begin(), m_failed.end(), [&](const auto& failed) {
        const uint32_t hop = GetHops(first, failed.first, RingDirection::CLOCKWISE);
        return failed.second == direction && hop < hops;
    });
}

bool
RingGeometry::IsFibreFailed(uint32_t fibre) const
{
    return m_failedFibres.count(fibre) > 0;
}

bool
RingGeometry::HasEnds(uint32_t source, uint32_t destination, Lane lane) const
{
    return !HasFailures() ||
           (!IsFibreFailed(lane.fibre) && m_failedLasers.count({source, lane.wavelength}) == 0 &&
            m_failedMicroRings.count({source, lane}) == 0 &&
            m_failedMicroRings.count({destination, lane}) == 0);
}

bool
RingGeometry::HasPath(uint32_t source, uint32_t destination) const
{
    if (source == destination || source >= m_nodes || destination >= m_nodes)
    {
        return false;
    }
    // Any intact lane of either direction makes a path
    for (uint32_t fibre = 0; fibre < 2 * m_fibres; ++fibre)
    {
        if (!IsUsable(source, destination, GetDirection(fibre)))
        {
            continue;
        }
        for (uint32_t wavelength = 0; wavelength < m_wavelengths; ++wavelength)
        {
            if (HasEnds(source, destination, {fibre, wavelength}))
            {
                return true;
            }
        }
    }
    return false;
}

bool
RingGeometry::operator==(const RingGeometry& other) const
{
    return m_nodes == other.m_nodes && m_fibres == other.m_fibres &&
           m_wavelengths == other.m_wavelengths && m_mode == other.m_mode &&
           m_reach == other.m_reach && m_failed == other.m_failed &&
           m_failedFibres == other.m_failedFibres &&
           m_failedMicroRings == other.m_failedMicroRings && m_failedLasers == other.m_failedLasers;
}

} // namespace lightpath
} // namespace ns3
