/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "plan-turns.h"

#include <algorithm>

/**
 * @file
 * @ingroup lightpath
 * The light of the circuits of PlanTurns while a plan goes on.
 */

namespace ns3
{
namespace lightpath
{

namespace
{

/// Times that differ by less are one instant, seconds
constexpr double TURN_INSTANT = 1e-12;

} // namespace

void
PlanTurns::AddLights(uint32_t index)
{
    const auto* const parts = m_parts[index];
    const auto [place, isNew] = m_lit.try_emplace(parts);
    const uint32_t item = m_ofOperations[index];
    if (isNew)
    {
        place->second = *parts;
        for (uint32_t part = 0; part < parts->size() && item != NONE; ++part)
        {
            double seconds = 0;
            for (const auto& use : (*parts)[part].links)
            {
                seconds = std::max(seconds, use.bytes / m_network.GetRate(use.index));
            }
            if (m_items[item]->parts[part].step != NONE)
            {
                place->second[part].light = m_network.AddLink(1);
                place->second[part].links.push_back({place->second[part].light, seconds});
            }
        }
    }
    m_parts[index] = &place->second;
}

PlanTurns::Planes
PlanTurns::GetPlanes(uint32_t item, uint64_t first, uint32_t part, double now) const
{
    const Item& what = *m_items[item];
    const auto& requests = what.parts[part].requests;
    Planes least;
    for (std::size_t i = 0; i < requests.size();)
    {
        const auto& circuit = what.circuits[requests[i]];
        Planes planes;
        for (; i < requests.size() && what.circuits[requests[i]] == circuit; ++i)
        {
            const auto group = m_turns->GetPlanes(first + requests[i]);
            for (uint32_t plane = group.first; plane < m_turns->GetNPlanes(); plane += group.groups)
            {
                ++planes.asked;
                planes.lit += m_turns->IsServed(first + requests[i], plane) &&
                              m_lights[plane][circuit.source] <= now + TURN_INSTANT;
            }
        }
        if (planes.lit == 0)
        {
            return planes;
        }
        least = least.asked == 0 || planes.lit < least.lit ? planes : least;
    }
    return least;
}

void
PlanTurns::Light(const CollectiveShapes::Part& part, const Planes& planes)
{
    if (part.light != FlowNetwork::NONE)
    {
        m_network.SetRate(part.light, static_cast<double>(planes.lit) / m_turns->GetNPlanes());
    }
}

void
PlanTurns::End(uint32_t item, uint64_t first, uint32_t part, bool isLast)
{
    const Item& what = *m_items[item];
    const auto nParts = static_cast<uint32_t>(what.parts.size());
    const bool isGiven = !what.operation.planes.empty();
    if (isGiven)
    {
        part = what.parts[part].next - 1;
    }
    uint32_t next = part + 1;
    while (next < nParts && what.parts[next].step == NONE)
    {
        ++next;
    }
    // Steps over the same circuits may be one part
    const auto end = next == nParts ? what.begins.size() - 1 : what.parts[next].step;
    const uint32_t step = what.isWhole ? 0 : what.parts[part].step;
    if (what.isWhole ? what.parts[part].next < nParts || !isLast
                     : step == NONE || (isGiven && !isLast))
    {
        return;
    }
    for (uint32_t i = what.begins[step]; i < what.begins[end]; ++i)
    {
        m_agenda->End(first + i);
    }
}

void
PlanTurns::LightSends(uint32_t source, double now)
{
    for (const uint32_t path : m_ofSources.empty() ? std::vector<uint32_t>() : m_ofSources[source])
    {
        const Beam& beam = m_beams.at(path);
        uint32_t lit = 0;
        for (uint32_t plane = 0; plane < m_turns->GetNPlanes(); ++plane)
        {
            const auto& circuit = m_turns->GetCircuit(plane, source);
            lit += circuit && *circuit == beam.circuit &&
                   m_lights[plane][source] <= now + TURN_INSTANT;
        }
        m_network.SetRate(beam.link, static_cast<double>(lit) / m_turns->GetNPlanes());
    }
}

bool
PlanTurns::Settle(double now)
{
    m_agenda->Settle();
    const auto changes = m_turns->TakeChanges();
    for (const auto& change : changes)
    {
        m_lights[change.plane][change.source] = now + m_fabric.switchingSeconds;
        m_turning.emplace_back(now + m_fabric.switchingSeconds, change.source);
        LightSends(change.source, now);
    }
    while (!m_turning.empty() && m_turning.front().first <= now + TURN_INSTANT)
    {
        LightSends(m_turning.front().second, now);
        m_turning.pop_front();
    }
    return !changes.empty() && m_fabric.switchingSeconds > 0;
}

} // namespace lightpath
} // namespace ns3
