/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ring-allocator-oracle.h"

#include "model/control/ring/ring-max-min-allocator.h"

#include "ns3/boolean.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <bitset>
#include <sstream>

using namespace ns3;
using namespace ns3::lightpath;

CircuitAllocation
AllocateRing(const RingGeometry& geometry,
             const TrafficMatrix& demand,
             bool fill,
             uint32_t maxDistance)
{
    Ptr<RingMaxMinAllocator> allocator = CreateObject<RingMaxMinAllocator>();
    allocator->SetAttribute("FillLeftover", BooleanValue(fill));
    allocator->SetAttribute("TightenBound", BooleanValue(true));
    allocator->SetAttribute("MaxDistance", UintegerValue(maxDistance));
    allocator->SetGeometry(geometry);
    return allocator->Allocate(demand);
}

RingGeometry
MakeClockwise(uint32_t nodes, uint32_t lanes)
{
    RingGeometry geometry(nodes, 1, lanes);
    for (uint32_t segment = 0; segment < nodes; ++segment)
    {
        geometry.SetFailed("segment:" + std::to_string(segment) + ":ccw", true);
    }
    return geometry;
}

RingWalk::RingWalk(const RingGeometry& geometry, uint32_t maxDistance)
    : m_geometry(geometry),
      m_maxDistance(maxDistance)
{
}

std::vector<uint32_t>
RingWalk::GetSegments(uint32_t source, uint32_t destination, uint32_t fibre) const
{
    const uint32_t nodes = m_geometry.GetNNodes();
    const bool clockwise = fibre < m_geometry.GetNFibres();
    std::vector<uint32_t> segments;
    for (uint32_t node = source; node != destination;)
    {
        const uint32_t next = clockwise ? (node + 1) % nodes : (node + nodes - 1) % nodes;
        segments.push_back(clockwise ? node : next);
        if (m_geometry.IsFailed(segments.back(),
                                clockwise ? RingDirection::CLOCKWISE
                                          : RingDirection::COUNTERCLOCKWISE))
        {
            return {};
        }
        node = next;
    }
    return m_maxDistance > 0 && segments.size() > m_maxDistance ? std::vector<uint32_t>{}
                                                                : segments;
}

std::string
RingWalk::Load(const CircuitPlan& plan)
{
    std::ostringstream error;
    for (const auto& [pair, lanes] : plan.GetLightpaths())
    {
        for (const Lane& lane : lanes)
        {
            const std::vector<uint32_t> segments = GetSegments(pair.first, pair.second, lane.fibre);
            bool fits = lane.fibre < 2 * m_geometry.GetNFibres() &&
                        lane.wavelength < m_geometry.GetNWavelengths() && !segments.empty();
            for (const uint32_t segment : segments)
            {
                fits = m_used.insert({segment, {lane.fibre, lane.wavelength}}).second && fits;
            }
            if (!fits)
            {
                error << pair.first << " to " << pair.second << " on wavelength " << lane.wavelength
                      << " of fibre " << lane.fibre << "; ";
            }
        }
    }
    return error.str();
}

bool
RingWalk::HasRoom(uint32_t source, uint32_t destination) const
{
    for (uint32_t fibre = 0; fibre < 2 * m_geometry.GetNFibres(); ++fibre)
    {
        const std::vector<uint32_t> segments = GetSegments(source, destination, fibre);
        for (uint32_t wave = 0; wave < m_geometry.GetNWavelengths() && !segments.empty(); ++wave)
        {
            if (std::none_of(segments.begin(), segments.end(), [&](uint32_t segment) {
                    return m_used.count({segment, {fibre, wave}}) > 0;
                }))
            {
                return true;
            }
        }
    }
    return false;
}

RingSearch::RingSearch(const TrafficMatrix& demand, uint32_t lanes)
    : m_nodes(demand.GetSize()),
      m_lanes(lanes)
{
    for (uint32_t source = 0; source < m_nodes; ++source)
    {
        for (const auto& [destination, bytes] : demand.GetRow(source))
        {
            m_pairs.push_back({source, destination, bytes, 0});
        }
    }
}

double
RingSearch::Run()
{
    uint64_t most = 0;
    for (const Pair& pair : m_pairs)
    {
        most = std::max(most, pair.bytes);
    }
    double best = 0;
    for (const Pair& pair : std::vector<Pair>(m_pairs))
    {
        for (uint64_t lanes = 1; lanes <= 2 * m_lanes; ++lanes)
        {
            const double share = static_cast<double>(lanes * most) / pair.bytes;
            if (share > best && CanShare(lanes, pair.bytes))
            {
                best = share;
            }
        }
    }
    return best;
}

bool
RingSearch::CanShare(uint64_t lanes, uint64_t bytes)
{
    for (Pair& pair : m_pairs)
    {
        pair.need = static_cast<uint32_t>((lanes * pair.bytes + bytes - 1) / bytes);
        if (pair.need > 2 * m_lanes)
        {
            return false;
        }
    }
    m_failed.clear();
    return CanPlace(0, State(2 * m_lanes, 0));
}

bool
RingSearch::CanPlace(std::size_t first, State state)
{
    if (first == m_pairs.size())
    {
        return true;
    }
    // The lanes of one direction can be exchanged for each other
    std::sort(state.begin(), state.begin() + m_lanes);
    std::sort(state.begin() + m_lanes, state.end());
    if (m_failed.count({first, state}) > 0)
    {
        return false;
    }
    const Pair& pair = m_pairs[first];
    for (uint32_t chosen = 0; chosen < (1U << (2 * m_lanes)); ++chosen)
    {
        bool fits = std::bitset<32>(chosen).count() == pair.need;
        State next = state;
        for (uint32_t lane = 0; lane < 2 * m_lanes && fits; ++lane)
        {
            const uint32_t arc = GetArc(pair, lane < m_lanes);
            if ((chosen >> lane) & 1U)
            {
                fits = (next[lane] & arc) == 0;
                next[lane] |= arc;
            }
        }
        if (fits && CanPlace(first + 1, next))
        {
            return true;
        }
    }
    m_failed.insert({first, state});
    return false;
}

uint32_t
RingSearch::GetArc(const Pair& pair, bool clockwise) const
{
    uint32_t arc = 0;
    const uint32_t begin = clockwise ? pair.source : pair.destination;
    const uint32_t end = clockwise ? pair.destination : pair.source;
    for (uint32_t segment = begin; segment != end; segment = (segment + 1) % m_nodes)
    {
        arc |= 1U << segment;
    }
    return arc;
}
