/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "torus-helper.h"

#include "model/fabric/torus-geometry.h"

#include <map>
#include <utility>
#include <vector>

namespace ns3
{
namespace lightpath
{

namespace
{

/// Links of a node: two for each axis.
constexpr uint32_t TORUS_LINKS = 2 * TorusGeometry::AXES;

} // namespace

TorusHelper::TorusHelper()
    : LinkGraphHelper(TORUS)
{
    SetBandwidth(DataRate(TORUS_LINKS * 360000000000ULL));
    SetDelay(MicroSeconds(1));
}

void
TorusHelper::SetShape(const std::string& shape)
{
    m_shape = shape.empty() ? TorusGeometry::Triple{} : TorusGeometry::ParseShape(shape);
}

void
TorusHelper::SetTwisted(bool isTwisted)
{
    m_isTwisted = isTwisted;
}

DataRate
TorusHelper::GetLinkRate() const
{
    return DataRate(GetBandwidth().GetBitRate() / TORUS_LINKS);
}

TorusGeometry::Triple
TorusHelper::GetShape(uint32_t nNodes) const
{
    return m_shape[0] > 0 ? m_shape : TorusGeometry::GetDefaultShape(nNodes);
}

std::string
TorusHelper::Check(uint32_t nNodes) const
{
    if (GetLinkRate().GetBitRate() == 0)
    {
        return "A node of " + std::to_string(GetBandwidth().GetBitRate()) +
               " bit/s cannot have 6 links: each needs at least 1 bit/s";
    }
    const auto shape = GetShape(nNodes);
    if (shape[0] == 0)
    {
        return "There is no torus of " + std::to_string(nNodes) +
               " nodes: it takes whole cubes of 64, or a part of one, of up to 4 along each axis";
    }
    const std::string refusal = TorusGeometry::Check(shape, m_isTwisted);
    if (!refusal.empty())
    {
        return refusal;
    }
    const uint64_t places = uint64_t{shape[0]} * shape[1] * shape[2];
    if (places != nNodes)
    {
        return "A torus of " + TorusGeometry::GetText(shape) + " has " + std::to_string(places) +
               " nodes, and not " + std::to_string(nNodes) +
               ": its sizes must multiply to the number of nodes";
    }
    return LinkGraphHelper::Check(nNodes);
}

LinkGraph
TorusHelper::GetGraph(uint32_t nNodes) const
{
    const TorusGeometry geometry(GetShape(nNodes), m_isTwisted);
    LinkGraph graph(nNodes);
    graph.SetPortsForward(true);
    std::map<uint32_t, std::vector<std::pair<uint32_t, uint32_t>>> circuits;
    for (uint32_t port = 0; port < nNodes; ++port)
    {
        for (uint32_t axis = 0; axis < TorusGeometry::AXES; ++axis)
        {
            const uint32_t next = geometry.GetNext(port, axis);
            if (next == TorusGeometry::NONE)
            {
                continue;
            }
            graph.Connect(port, next, GetLinkRate(), GetDelay());
            if (const uint32_t number = geometry.GetSwitch(port, axis);
                number != TorusGeometry::NONE)
            {
                circuits[number].emplace_back(port, next);
            }
        }
    }
    for (const auto& [number, ends] : circuits)
    {
        graph.AddCircuitSwitch("ocs-" + std::to_string(number / TorusGeometry::FACE) + "-" +
                                   std::to_string(number % TorusGeometry::FACE),
                               ends);
    }
    return graph;
}

} // namespace lightpath
} // namespace ns3
