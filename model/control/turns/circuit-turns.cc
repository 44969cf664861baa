/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "circuit-turns.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace ns3
{
namespace lightpath
{

CircuitTurns::CircuitTurns(uint32_t ports, uint32_t planes)
    : m_planes(planes)
{
    for (Plane& plane : m_planes)
    {
        plane.sources.resize(ports);
        plane.destinations.resize(ports);
    }
}

void
CircuitTurns::SetCanJoin(CanJoin canJoin)
{
    m_canJoin = std::move(canJoin);
    for (uint32_t plane = 0; plane < m_planes.size(); ++plane)
    {
        for (Side& side : m_planes[plane].destinations)
        {
            side.requests.clear();
        }
        for (uint32_t source = 0; source < m_planes[plane].sources.size(); ++source)
        {
            Side& side = m_planes[plane].sources[source];
            side.requests.clear();
            const auto& circuit = side.circuit;
            if (circuit && m_canJoin && !m_canJoin(source, circuit->destination, plane))
            {
                m_planes[plane].destinations[circuit->destination].circuit.reset();
                side.circuit.reset();
                m_changes.push_back({plane, source});
            }
        }
    }
    for (uint64_t i = 0; i < m_asked.size(); ++i)
    {
        if (!m_asked[i].hasEnded)
        {
            Enqueue(m_first + i);
        }
    }
}

uint64_t
CircuitTurns::Request(const Circuit& circuit, const PlaneGroup& planes)
{
    const uint64_t request = m_first + m_asked.size();
    m_asked.push_back({circuit, planes});
    Enqueue(request);
    return request;
}

void
CircuitTurns::ForEachPlane(const PlaneGroup& group,
                           const Circuit& circuit,
                           const std::function<void(uint32_t)>& act) const
{
    for (uint32_t plane = group.first; plane < m_planes.size(); plane += group.groups)
    {
        if (IsCarried(circuit, plane))
        {
            act(plane);
        }
    }
}

void
CircuitTurns::Enqueue(uint64_t request)
{
    const Circuit& asked = Get(request).circuit;
    ForEachPlane(Get(request).planes, asked, [&](uint32_t plane) {
        m_planes[plane].sources[asked.source].requests.push_back(request);
        m_planes[plane].destinations[asked.destination].requests.push_back(request);
        Serve(plane, asked.source);
    });
}

void
CircuitTurns::End(uint64_t request)
{
    if (Find(request) == nullptr)
    {
        return;
    }
    const Asked asked = Get(request);
    m_asked[request - m_first].hasEnded = true;
    while (!m_asked.empty() && m_asked.front().hasEnded)
    {
        m_asked.pop_front();
        ++m_first;
    }
    const auto remove = [request](Side& side) {
        const auto place = std::find(side.requests.begin(), side.requests.end(), request);
        if (place != side.requests.end())
        {
            side.requests.erase(place);
        }
    };
    for (uint32_t plane = asked.planes.first; plane < m_planes.size(); plane += asked.planes.groups)
    {
        Side& destination = m_planes[plane].destinations[asked.circuit.destination];
        remove(m_planes[plane].sources[asked.circuit.source]);
        remove(destination);
        Serve(plane, asked.circuit.source);
        if (!destination.requests.empty())
        {
            Serve(plane, Get(destination.requests.front()).circuit.source);
        }
    }
}

void
CircuitTurns::Serve(uint32_t plane, uint32_t source)
{
    const auto& requests = m_planes[plane].sources[source].requests;
    if (requests.empty())
    {
        return;
    }
    const Circuit& circuit = Get(requests.front()).circuit;
    const auto& others = m_planes[plane].destinations[circuit.destination].requests;
    if (Get(others.front()).circuit == circuit)
    {
        Set(plane, circuit);
    }
}

void
CircuitTurns::Expect(const Circuit& circuit, const PlaneGroup& planes)
{
    ForEachPlane(planes, circuit, [&](uint32_t plane) {
        if (m_planes[plane].sources[circuit.source].requests.empty() &&
            m_planes[plane].destinations[circuit.destination].requests.empty())
        {
            Set(plane, circuit);
        }
    });
}

void
CircuitTurns::Set(uint32_t plane, const Circuit& circuit)
{
    auto& [sources, destinations] = m_planes[plane];
    auto& present = sources[circuit.source].circuit;
    auto& other = destinations[circuit.destination].circuit;
    if (present && *present == circuit)
    {
        return;
    }
    if (other && other->source != circuit.source)
    {
        sources[other->source].circuit.reset();
        m_changes.push_back({plane, other->source});
    }
    if (present)
    {
        destinations[present->destination].circuit.reset();
    }
    present = circuit;
    other = circuit;
    m_changes.push_back({plane, circuit.source});
}

bool
CircuitTurns::IsServed(uint64_t request, uint32_t plane) const
{
    const Circuit& circuit = Get(request).circuit;
    const Side& side = m_planes[plane].sources[circuit.source];
    return side.circuit && *side.circuit == circuit && !side.requests.empty() &&
           Get(side.requests.front()).circuit == circuit;
}

CircuitTurns::PlaneGroup
CircuitTurns::GetPlanes(uint64_t request) const
{
    return Get(request).planes;
}

const std::optional<CircuitTurns::Circuit>&
CircuitTurns::GetCircuit(uint32_t plane, uint32_t source) const
{
    return m_planes[plane].sources[source].circuit;
}

std::vector<CircuitTurns::Change>
CircuitTurns::TakeChanges()
{
    return std::exchange(m_changes, {});
}

uint32_t
CircuitTurns::ChooseGroups(uint32_t planes, uint32_t steps, double seconds, double dark)
{
    uint32_t best = 1;
    double shortest = std::numeric_limits<double>::infinity();
    for (uint32_t groups = 1; groups <= planes && groups <= steps; ++groups)
    {
        const double step = std::max(groups * seconds, seconds + dark / groups);
        const double all = (steps - 1) * step + groups * seconds;
        if (planes % groups == 0 && all < shortest)
        {
            best = groups;
            shortest = all;
        }
    }
    return best;
}

} // namespace lightpath
} // namespace ns3
