/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "server-links.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace lightpath
{

ServerLinks::ServerLinks(const TrafficMatrix& traffic,
                         const FabricLimits& fabric,
                         const PlanCircuits& circuits,
                         const GridWays& grid,
                         FlowNetwork& network)
    : m_fabric(fabric),
      m_circuits(circuits),
      m_grid(grid),
      m_network(network)
{
    if (circuits.GetNSettings() == 0 && !fabric.isShared)
    {
        m_peers = fabric.GetPortTraffic(traffic);
    }
}

void
ServerLinks::GetWay(uint32_t source, uint32_t destination, Way& way)
{
    way = Way();
    const ServerLayout& layout = m_fabric.servers.layout;
    way.isInside = layout.AreInside(source, destination);
    if (way.isInside)
    {
        AddInside(source, destination, way);
        return;
    }
    const ServerLayout::Way ports = layout.GetWay(source, destination);
    if (ports.relay != source)
    {
        AddInside(source, ports.relay, way);
    }
    AddBetween(ports.rail, ports.from, ports.to, way);
}

void
ServerLinks::GetWayBeside(uint32_t source, uint32_t destination, Way& way)
{
    way = Way();
    const ServerLayout::Way ports = m_fabric.servers.layout.GetWay(source, destination);
    AddShared(BESIDE, ports.rail, ports.from, ports.to, way);
}

void
ServerLinks::GetAverageWay(uint32_t place, bool isInside, Way& way)
{
    way = Way();
    way.isInside = isInside;
    if (isInside)
    {
        way.Add(Get(FROM_GPU, 0, place));
        way.Add(Get(TO_GPU, 0, place));
        way.latency = m_fabric.servers.latency;
        return;
    }
    const ServerLayout& layout = m_fabric.servers.layout;
    way.Add(Get(FROM_PORT, layout.GetRail(place), layout.GetPort(place)));
    way.latency = m_fabric.latency;
}

void
ServerLinks::AddInside(uint32_t source, uint32_t destination, Way& way)
{
    const ServerLimits& servers = m_fabric.servers;
    way.latency += servers.latency;
    if (!(servers.pairBitRate > 0))
    {
        way.Add(Get(FROM_GPU, 0, source));
        way.Add(Get(TO_GPU, 0, destination));
        return;
    }
    if (!servers.isRing)
    {
        way.Add(Get(PAIR, 0, source, destination));
        return;
    }
    // The shorter way around the ring of the server; clockwise if both are as long
    const uint32_t n = servers.layout.gpus;
    const uint32_t first = servers.layout.GetServer(source) * n;
    const uint32_t hops = (destination + n - source) % n;
    const uint32_t step = 2 * hops <= n ? 1 : n - 1;
    for (uint32_t at = source; at != destination;)
    {
        const uint32_t next = first + (at - first + step) % n;
        way.Add(Get(PAIR, 0, at, next));
        way.latency += at == source ? 0 : servers.latency;
        at = next;
    }
}

void
ServerLinks::AddCircuit(uint32_t rail, uint32_t from, uint32_t to, Way& way)
{
    if (m_circuits.IsIndirect(m_setting, rail, from, to))
    {
        AddShared(BESIDE, rail, from, to, way);
        return;
    }
    const bool hasRelays = m_circuits.HasRelays();
    for (const uint32_t hop :
         hasRelays ? m_circuits.GetHops(rail, from, to) : std::vector<uint32_t>{to})
    {
        way.Add(Get(LIGHTPATH, rail, from, hop));
        const Link& link = m_links[way.links.back().index];
        way.latency += link.latency;
        way.relaySeconds += hop == to ? 0 : 1 / link.rate;
        from = hop;
    }
}

void
ServerLinks::AddBetween(uint32_t rail, uint32_t from, uint32_t to, Way& way)
{
    if (m_circuits.GetNSettings() > 0)
    {
        AddCircuit(rail, from, to, way);
        return;
    }
    if (!m_fabric.isShared)
    {
        // Peers of a port, in ascending order, are dealt out to its channels in turn
        const auto& peers = m_peers[rail].GetRow(from);
        const auto place =
            std::lower_bound(peers.begin(), peers.end(), to, [](const auto& peer, uint32_t port) {
                return peer.first < port;
            });
        const auto count =
            std::clamp<uint32_t>(static_cast<uint32_t>(peers.size()), 1, m_fabric.circuits);
        const auto channel = static_cast<uint32_t>(place - peers.begin()) % count;
        way.Add(Get(CHANNEL, rail, from, channel));
        way.latency += m_fabric.latency;
        return;
    }
    AddShared(FABRIC, rail, from, to, way);
}

void
ServerLinks::AddShared(uint32_t network, uint32_t rail, uint32_t from, uint32_t to, Way& way)
{
    rail |= network;
    const FabricLimits& fabric = GetLimits(rail);
    if (fabric.links.getWay)
    {
        const LinkLimits::Way& links = fabric.links.getWay(from, to);
        way.latency += links.delay;
        for (const auto& [link, part] : links.parts)
        {
            way.links.push_back({Get(NUMBERED, rail, link), part});
        }
        return;
    }
    if (fabric.grid.rows == 0)
    {
        way.Add(Get(FROM_PORT, rail, from));
        way.Add(Get(TO_PORT, rail, to));
        const LinkLimits& links = fabric.links;
        way.latency += links.getDelay ? links.getDelay(from, to) : fabric.latency;
        const LeafLimits& leaf = fabric.leaf;
        if (leaf.gpus > 0 && leaf.GetLeaf(from) != leaf.GetLeaf(to))
        {
            way.Add(Get(FROM_LEAF, rail, leaf.GetLeaf(from)));
            way.Add(Get(TO_LEAF, rail, leaf.GetLeaf(to)));
        }
        return;
    }
    way.grid = m_grid.GetWay(from, to);
    way.latency += m_grid.GetDelay();
    const auto pass = [&](uint32_t source, uint32_t destination, uint32_t side) {
        way.Add(Get(side == 0 ? FROM_PORT : FROM_COLUMN, rail, source));
        way.Add(Get(side == 0 ? TO_PORT : TO_COLUMN, rail, destination));
        way.Add(Get(side == 0 ? ROW_FLOW : COLUMN_FLOW, rail, source, destination));
    };
    const uint32_t corner = way.grid.corner;
    pass(from, corner == UINT32_MAX ? to : corner, way.grid.first);
    if (corner != UINT32_MAX)
    {
        pass(corner, to, 1 - way.grid.first);
    }
}

uint32_t
ServerLinks::Get(Kind kind, uint32_t rail, uint32_t from, uint32_t to)
{
    const uint64_t id = (((uint64_t{kind} << 12 | rail) << 24 | from) << 24) | to;
    const auto [found, isNew] = m_ids.try_emplace(id);
    if (isNew)
    {
        const Link link = Make(kind, rail, from, to);
        const bool isDark = kind == LIGHTPATH && !m_isLit;
        found->second = m_network.AddLink(isDark              ? 0
                                          : kind == LIGHTPATH ? link.rates[m_setting]
                                                              : link.rate);
        m_links[found->second] = link;
        if (kind == LIGHTPATH)
        {
            m_lightpaths.push_back(found->second);
        }
    }
    return found->second;
}

ServerLinks::Link
ServerLinks::Make(Kind kind, uint32_t rail, uint32_t from, uint32_t to) const
{
    Link link;
    link.rail = rail;
    switch (kind)
    {
    case FROM_GPU:
    case TO_GPU:
        link.rate = m_fabric.servers.bitRate / 8;
        break;
    case PAIR:
        link.rate = m_fabric.servers.pairBitRate / 8;
        break;
    case FROM_PORT:
    case TO_PORT:
        link.rate =
            GetLimits(rail).grid.rows > 0 ? m_grid.GetSwitchRate(0) : GetLimits(rail).bitRate / 8;
        break;
    case FROM_LEAF:
    case TO_LEAF:
        link.rate = GetLimits(rail).leaf.bitRate / 8;
        break;
    case FROM_COLUMN:
    case TO_COLUMN:
        link.rate = m_grid.GetSwitchRate(1);
        break;
    case ROW_FLOW:
    case COLUMN_FLOW:
        link.rate = m_grid.GetRate(kind == ROW_FLOW ? 0 : 1);
        break;
    case CHANNEL:
        link.rate = m_fabric.bitRate / 8 /
                    std::clamp<uint32_t>(static_cast<uint32_t>(m_peers[rail].GetRow(from).size()),
                                         1,
                                         m_fabric.circuits);
        break;
    case NUMBERED:
        link.rate = GetLimits(rail).links.bitRates[from] / 8;
        break;
    case LIGHTPATH:
        for (uint32_t setting = 0; setting < m_circuits.GetNSettings(); ++setting)
        {
            const double rate = m_circuits.GetRate(setting, rail, from, to);
            link.rates.push_back(rate);
            const bool isLeast = link.rate <= 0 || rate < link.rate;
            link.rate = rate > 0 && isLeast ? rate : link.rate;
        }
        link.latency = m_circuits.GetLatency(rail, from, to);
        break;
    }
    return link;
}

double
ServerLinks::GetRate(uint32_t link) const
{
    return m_links.at(link).rate;
}

void
ServerLinks::Light(uint32_t setting, bool isLit)
{
    const uint32_t before = std::exchange(m_setting, setting);
    m_isLit = isLit;
    for (const auto index : m_lightpaths)
    {
        const Link& link = m_links.at(index);
        const bool isOn = isLit || m_circuits.AreSame(before, setting, link.rail);
        m_network.SetRate(index, isOn ? link.rates[setting] : 0);
    }
}

} // namespace lightpath
} // namespace ns3
