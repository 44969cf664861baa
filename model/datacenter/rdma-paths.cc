/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "rdma-paths.h"

#include "ns3/abort.h"

namespace ns3
{
namespace lightpath
{

RdmaPaths::RdmaPaths(const LinkGraph& graph, uint32_t seed)
    : m_graph(graph),
      m_seed(seed),
      m_whole(m_graph),
      m_routes(m_graph),
      m_out(graph.GetNNodes()),
      m_in(graph.GetNNodes()),
      m_next(graph.GetNNodes()),
      m_turns(graph.GetNNodes())
{
    for (uint32_t i = 0; i < graph.GetLinks().size(); ++i)
    {
        m_out[graph.GetLinks()[i].from].push_back(i);
        m_in[graph.GetLinks()[i].to].push_back(i);
    }
}

std::vector<RdmaLink>
RdmaPaths::MakeLinks() const
{
    std::vector<RdmaLink> links(m_graph.GetLinks().size());
    for (uint32_t i = 0; i < links.size(); ++i)
    {
        const auto& each = m_graph.GetLinks()[i];
        RdmaLink& link = links[i];
        link.bitRate = static_cast<double>(each.rate.GetBitRate());
        link.psPerByte = 8e12 / link.bitRate;
        link.delay = each.delay.GetPicoSeconds();
        link.fromNode = each.from;
        link.toNode = each.to;
        for (uint32_t other = 0; m_in[each.to][other] != i; ++other)
        {
            ++link.port;
        }
        for (const uint32_t other : m_out[each.to])
        {
            // Two nodes may have several links, which pair off
            if (other < i && links[other].toNode == each.from &&
                links[other].reverse == RdmaLink::NONE)
            {
                link.reverse = other;
                links[other].reverse = i;
                break;
            }
        }
    }
    return links;
}

void
RdmaPaths::SetFailed(const std::string& component, bool failed)
{
    m_routes.SetFailed(component, failed);
    m_next.assign(m_next.size(), {});
}

const std::vector<uint32_t>&
RdmaPaths::GetNext(uint32_t node, uint32_t destination)
{
    auto& known = m_next[node];
    if (known.empty())
    {
        known.resize(m_graph.GetNPorts());
    }
    auto& links = known[destination];
    if (links.empty())
    {
        links = m_routes.GetLinks(node, destination);
    }
    return links;
}

uint32_t
RdmaPaths::TakeTurn(uint32_t node, uint32_t destination, uint32_t n)
{
    auto& turns = m_turns[node];
    if (turns.empty())
    {
        turns.resize(m_graph.GetNPorts());
    }
    // Senders in step, as many as links, keep to one link each, which has to be another for each
    return (Hash(destination, node, n) + turns[destination]++) % n;
}

RdmaCongestion::Path
RdmaPaths::GetPath(const std::vector<RdmaLink>& links,
                   uint32_t source,
                   uint32_t destination,
                   uint32_t packet)
{
    RdmaCongestion::Path path;
    path.packet = packet;
    path.bitRate = links[m_out[source].front()].bitRate;
    for (uint32_t node = source; node != destination;)
    {
        const auto next = m_whole.GetLinks(node, destination);
        NS_ABORT_MSG_IF(next.empty(),
                        "No links of the network lead from " << m_graph.GetName(node) << " to "
                                                             << m_graph.GetName(destination));
        const RdmaLink& link = links[next.front()];
        const RdmaLink& back = links[link.reverse];
        path.roundTrip += link.delay + link.GetTime(packet + ROCE_HEADER_BYTES) + back.delay +
                          back.GetTime(ROCE_ACK_BYTES);
        path.waiting +=
            link.GetTime(packet + ROCE_HEADER_BYTES) + back.GetTime(packet + ROCE_HEADER_BYTES);
        node = link.toNode;
    }
    return path;
}

std::vector<uint32_t>
RdmaPaths::GetLinks(uint32_t source, uint32_t destination, uint32_t entropy)
{
    std::vector<uint32_t> links;
    for (uint32_t node = source; node != destination; node = m_graph.GetLinks()[links.back()].to)
    {
        const auto& next = GetNext(node, destination);
        if (next.empty())
        {
            break;
        }
        links.push_back(next[Hash(entropy, node, static_cast<uint32_t>(next.size()))]);
    }
    return links;
}

uint32_t
RdmaPaths::Hash(uint32_t entropy, uint32_t node, uint32_t n) const
{
    const uint64_t state = (uint64_t{m_seed} << 32 | node) ^ LinkRoutes::Scramble(entropy);
    return static_cast<uint32_t>((LinkRoutes::Scramble(state) >> 32) * n >> 32);
}

} // namespace lightpath
} // namespace ns3
