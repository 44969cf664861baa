/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ring-program.h"

#include <limits>

using namespace ns3::lightpath;

namespace
{

/**
 * @ingroup lightpath-tests
 * @param geometry a ring
 * @param source the node that sends
 * @param destination the node that receives
 * @param clockwise the direction
 * @return the segments between them, found by walking from node to node; none if one has failed
 */
std::vector<uint32_t>
Walk(const RingGeometry& geometry, uint32_t source, uint32_t destination, bool clockwise)
{
    const uint32_t nodes = geometry.GetNNodes();
    std::vector<uint32_t> segments;
    for (uint32_t node = source; node != destination;)
    {
        const uint32_t next = clockwise ? (node + 1) % nodes : (node + nodes - 1) % nodes;
        segments.push_back(clockwise ? node : next);
        if (geometry.IsFailed(segments.back(),
                              clockwise ? RingDirection::CLOCKWISE
                                        : RingDirection::COUNTERCLOCKWISE))
        {
            return {};
        }
        node = next;
    }
    return segments;
}

/**
 * @ingroup lightpath-tests
 * @param geometry a ring
 * @param source the node that sends
 * @param direction a direction
 * @return the kinds of its lanes: the nodes that can drop them, and their number
 */
std::vector<std::pair<std::vector<bool>, uint32_t>>
Sort(const RingGeometry& geometry, uint32_t source, uint32_t direction)
{
    std::map<std::vector<bool>, uint32_t> kinds;
    for (uint32_t lane = 0; lane < geometry.GetCapacity(); ++lane)
    {
        const uint32_t waves = geometry.GetNWavelengths();
        const Lane which{direction * geometry.GetNFibres() + lane / waves, lane % waves};
        std::vector<bool> drops;
        for (uint32_t node = 0; node < geometry.GetNNodes(); ++node)
        {
            drops.push_back(geometry.HasEnds(source, node, which));
        }
        ++kinds[drops];
    }
    return {kinds.begin(), kinds.end()};
}

} // namespace

RingProgram::RingProgram(LinearProgram& program, Form form)
    : m_program(program),
      m_form(form)
{
}

uint32_t
RingProgram::Add(const RingGeometry& geometry,
                 const TrafficMatrix& demand,
                 uint32_t maxDistance,
                 bool shorterOnly)
{
    const uint32_t nodes = geometry.GetNNodes();
    const uint32_t share = m_program.AddVariable(1, std::numeric_limits<double>::infinity(), false);
    Loads loads;
    for (uint32_t source = 0; source < nodes; ++source)
    {
        for (const auto& [destination, bytes] : demand.GetRow(source))
        {
            LinearProgram::Terms lanes;
            for (uint32_t direction = 0; direction < 2; ++direction)
            {
                const auto segments = Walk(geometry, source, destination, direction == 0);
                const bool isLong = (maxDistance > 0 && segments.size() > maxDistance) ||
                                    (shorterOnly && 2 * segments.size() > nodes);
                if (!segments.empty() && !isLong)
                {
                    AddArc(geometry, source, destination, direction, segments, lanes, loads);
                }
            }
            for (auto& [variable, factor] : lanes)
            {
                factor = -1;
            }
            lanes.emplace_back(share, static_cast<double>(bytes) / demand.GetMax());
            m_program.AddAtMost(lanes, 0);
        }
    }
    for (const auto& [where, lanes] : loads)
    {
        double room = 1;
        if (where[1] >= nodes)
        {
            room = Sort(geometry, where[1] - nodes, where[0])[where[2]].second;
        }
        else if (m_form != KEPT)
        {
            uint32_t fibres = 0;
            for (uint32_t fibre = 0; fibre < geometry.GetNFibres(); ++fibre)
            {
                fibres += !geometry.IsFibreFailed(where[0] * geometry.GetNFibres() + fibre);
            }
            room = fibres * geometry.GetNWavelengths();
        }
        m_program.AddAtMost(lanes, room);
    }
    return share;
}

void
RingProgram::AddArc(const RingGeometry& geometry,
                    uint32_t source,
                    uint32_t destination,
                    uint32_t direction,
                    const std::vector<uint32_t>& segments,
                    LinearProgram::Terms& lanes,
                    Loads& loads)
{
    const uint32_t fibres = geometry.GetNFibres();
    const uint32_t waves = geometry.GetNWavelengths();
    const auto add = [&](uint32_t most, uint32_t lane) {
        const uint32_t variable = m_program.AddVariable(0, most, m_form != RELAXED);
        lanes.emplace_back(variable, 1);
        for (const uint32_t segment : segments)
        {
            loads[{direction, segment, m_form == KEPT ? lane : 0}].emplace_back(variable, 1);
        }
        return variable;
    };
    if (m_form == COUNTED)
    {
        const auto kinds = Sort(geometry, source, direction);
        for (uint32_t kind = 0; kind < kinds.size(); ++kind)
        {
            if (kinds[kind].first[destination])
            {
                // The source adds a lane once
                const uint32_t variable = add(kinds[kind].second, 0);
                loads[{direction, geometry.GetNNodes() + source, kind}].emplace_back(variable, 1);
            }
        }
        return;
    }
    uint32_t found = 0;
    for (uint32_t lane = 0; lane < fibres * waves; ++lane)
    {
        const Lane which{direction * fibres + lane / waves, lane % waves};
        if (geometry.HasEnds(source, destination, which))
        {
            ++found;
            if (m_form == KEPT)
            {
                add(1, lane);
            }
        }
    }
    if (m_form == RELAXED && found > 0)
    {
        add(found, 0);
    }
}
