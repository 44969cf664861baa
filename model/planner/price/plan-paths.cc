/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "plan-paths.h"

#include "model/base/wire-format.h"
#include "model/planner/planning-deadline.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

namespace ns3
{
namespace lightpath
{

namespace
{

/**
 * @param rates rates in bytes/s, 0 where there is no light
 * @param most another rate
 * @return the least rate of light
 */
double
GetLeast(const std::vector<double>& rates, double most)
{
    double least = most;
    for (const auto rate : rates)
    {
        least = rate > 0 ? std::min(least, rate) : least;
    }
    return least;
}

} // namespace

PlanPaths::PlanPaths(const TrainingPlan& plan,
                     const RankClasses& classes,
                     const FabricLimits& fabric,
                     FlowNetwork& network)
    : m_plan(plan),
      m_classes(classes),
      m_fabric(fabric),
      m_network(network),
      m_circuits(plan, fabric),
      m_grid(fabric.grid)
{
    if (fabric.HasServers() || fabric.leaf.gpus > 0 || fabric.links.getWay ||
        fabric.links.getDelay || HasGrid() || m_circuits.HasRelays() || fabric.beside.network)
    {
        m_servers.emplace(plan.GetTraffic(), fabric, m_circuits, m_grid, network);
    }
    else if (m_circuits.GetNSettings() == 0 && !fabric.isShared)
    {
        const TrafficMatrix traffic = plan.GetTraffic();
        for (uint32_t number = 0; number < classes.GetN(); ++number)
        {
            m_peers.emplace_back();
            for (const auto& entry : traffic.GetRow(classes.GetRepresentative(number)))
            {
                m_peers.back().push_back(entry.first);
            }
        }
    }
}

const PlanCircuits&
PlanPaths::GetCircuits() const
{
    return m_circuits;
}

double
PlanPaths::GetFrameBytes(double bytes) const
{
    const bool hasHeaders = m_fabric.isShared || m_fabric.laneRate > 0;
    constexpr double most = MAX_FRAME_PAYLOAD_BYTES;
    return bytes + (hasHeaders ? std::max(std::ceil(bytes / most), 1.0) * FRAME_HEADER_BYTES : 0);
}

bool
PlanPaths::HasSides() const
{
    return m_fabric.isShared && m_circuits.GetNSettings() == 0;
}

bool
PlanPaths::HasGrid() const
{
    return m_fabric.grid.rows > 0 && HasSides();
}

double
PlanPaths::GetBusyBytes(const Path& path, double bytes) const
{
    return GetFrameBytes(bytes) + path.pauseBytes;
}

double
PlanPaths::GetLatency(const Path& path, double bytes) const
{
    return path.latency + (HasGrid() ? m_grid.GetLag(bytes, path.way) : 0) +
           GetRelayLag(path.relaySeconds, bytes);
}

double
PlanPaths::GetRelayLag(double seconds, double bytes) const
{
    return seconds * std::min(bytes, static_cast<double>(m_fabric.relayFrameBytes));
}

double
PlanPaths::GetServerLatency(const ServerLinks::Way& way, double bytes) const
{
    if (!HasGrid() || way.isInside)
    {
        return way.latency + GetRelayLag(way.relaySeconds, bytes);
    }
    return way.latency + m_grid.GetPause() + m_grid.GetLag(bytes, way.grid);
}

ServerLinks*
PlanPaths::GetServers()
{
    return m_servers ? &*m_servers : nullptr;
}

void
PlanPaths::CheckTime() const
{
    PlanningDeadline::Check(m_fabric.deadline);
}

void
PlanPaths::Light(uint32_t setting, bool isLit)
{
    m_setting = setting;
    m_isLit = isLit;
    if (m_servers)
    {
        m_servers->Light(setting, isLit);
    }
    for (std::size_t path = 0; path < m_rates.size(); ++path)
    {
        m_network.SetRate(m_links[path], isLit ? m_rates[path][setting] : 0);
    }
}

uint32_t
PlanPaths::GetSideSetting() const
{
    return ChangesSides() ? m_setting : 0;
}

bool
PlanPaths::ChangesSides() const
{
    return m_circuits.IsPhased() && m_fabric.beside.network;
}

const PlanPaths::Path&
PlanPaths::GetPath(uint32_t number, uint32_t kind, uint32_t peer)
{
    const auto key = std::make_tuple(number, kind, peer, GetSideSetting());
    const auto found = m_known.find(key);
    if (found != m_known.end())
    {
        return found->second;
    }
    std::vector<PortPair> pairs;
    for (const auto rank : m_classes.GetRanks(number))
    {
        pairs.emplace_back(rank, m_plan.groups[kind].GetMembers(rank)[peer]);
    }
    const uint32_t destination =
        m_plan.groups[kind].GetMembers(m_classes.GetRepresentative(number))[peer];
    return m_known.emplace(key, Reach(number, destination, pairs)).first->second;
}

PlanPaths::Path
PlanPaths::GetPathOf(uint32_t rank, uint32_t destination)
{
    return Reach(m_classes.GetClass(rank), destination, {{rank, destination}});
}

PlanPaths::Path
PlanPaths::GetPathBeside(uint32_t rank, uint32_t destination)
{
    ServerLinks::Way way;
    m_servers->GetWayBeside(rank, destination, way);
    Path path;
    path.latency = way.latency;
    path.rate = m_fabric.beside.network->bitRate / 8;
    path.index = m_network.AddPath(std::move(way.links));
    return path;
}

double
PlanPaths::GetPairRate(uint32_t rank, uint32_t destination) const
{
    if (m_circuits.GetNSettings() == 0)
    {
        return m_fabric.bitRate / 8;
    }
    ServerLayout::Way way;
    way.from = rank;
    way.to = destination;
    if (m_fabric.HasServers())
    {
        const ServerLimits& servers = m_fabric.servers;
        if (servers.layout.AreInside(rank, destination))
        {
            return (servers.pairBitRate > 0 ? servers.pairBitRate : servers.bitRate) / 8;
        }
        way = servers.layout.GetWay(rank, destination);
    }
    std::vector<double> rates;
    for (uint32_t setting = 0; setting < m_circuits.GetNSettings(); ++setting)
    {
        rates.push_back(m_circuits.GetRate(setting, way.rail, way.from, way.to));
    }
    return GetLeast(rates, *std::max_element(rates.begin(), rates.end()));
}

PlanPaths::Pattern
PlanPaths::GetPattern(uint32_t number,
                      uint32_t kind,
                      const CollectiveSchedule& schedule,
                      uint32_t step)
{
    const RankGroups& groups = m_plan.groups[kind];
    const uint32_t representative = m_classes.GetRepresentative(number);
    Pattern pattern;
    std::vector<Transfer> transfers;
    schedule.GetSends(groups.GetPosition(representative), step, transfers);
    for (const auto& transfer : transfers)
    {
        pattern.sends.push_back(transfer.peer);
    }
    std::vector<std::vector<PortPair>> pairs(transfers.size());
    for (const auto rank : m_classes.GetRanks(number))
    {
        const auto& members = groups.GetMembers(rank);
        schedule.GetSends(groups.GetPosition(rank), step, transfers);
        for (std::size_t i = 0; i < std::min(transfers.size(), pairs.size()); ++i)
        {
            pairs[i].emplace_back(rank, members[transfers[i].peer]);
        }
    }
    const auto& members = groups.GetMembers(representative);
    for (std::size_t i = 0; i < pairs.size(); ++i)
    {
        pattern.paths.push_back(Reach(number, members[pattern.sends[i]], pairs[i]));
    }
    return pattern;
}

PlanPaths::Path
PlanPaths::Reach(uint32_t number, uint32_t destination, const std::vector<PortPair>& pairs)
{
    if (m_servers)
    {
        return ReachOverServers(number, destination, pairs);
    }
    // The path is as slow as the slowest of its pairs
    double latency = m_fabric.latency;
    for (const auto& pair : pairs)
    {
        latency = std::max(latency, m_circuits.GetLatency(0, pair.first, pair.second));
    }
    const std::vector<double> rates = GetCircuitRates(pairs);
    const uint32_t bundle = rates.empty() ? 0 : m_bundles[{number, destination}].Find(pairs);
    const auto [found, isNew] = m_paths.try_emplace({number, destination, {{bundle, 1}}});
    Path& path = found->second;
    if (isNew)
    {
        path.latency = latency;
        AddToNetwork(number, destination, rates, path);
    }
    else
    {
        // Pairs of another group or operation share this path
        Narrow(rates, latency, path);
    }
    return path;
}

PlanPaths::Path
PlanPaths::ReachOverServers(uint32_t number,
                            uint32_t destination,
                            const std::vector<PortPair>& pairs)
{
    // The load of each link if all pairs send one byte
    std::unordered_map<uint32_t, double> loads; // looked up only
    ServerLinks::Way way;
    const auto find = [&](const PortPair& pair) {
        pair.first == pair.second
            ? m_servers->GetAverageWay(pair.first, m_fabric.averagedBits == 0, way)
            : m_servers->GetWay(pair.first, pair.second, way);
    };
    for (const auto& pair : pairs)
    {
        find(pair);
        for (const auto& use : way.links)
        {
            loads[use.index] += use.bytes;
        }
    }
    ServerLinks::Way worst;
    double longest = -1;
    double latency = 0;
    for (const auto& pair : pairs)
    {
        find(pair);
        latency = std::max(latency, way.latency);
        double seconds = 0;
        for (const auto& use : way.links)
        {
            seconds = std::max(seconds, loads[use.index] / m_servers->GetRate(use.index));
        }
        if (seconds > longest)
        {
            longest = seconds;
            worst = way;
        }
    }
    std::vector<std::pair<uint32_t, double>> links;
    for (const auto& use : worst.links)
    {
        links.emplace_back(use.index, loads[use.index]);
    }
    const auto [found, isNew] = m_paths.try_emplace({number, destination, links});
    Path& path = found->second;
    path.latency = std::max(path.latency, latency);
    if (isNew)
    {
        std::vector<FlowNetwork::Use> uses;
        for (const auto& [link, load] : links)
        {
            uses.push_back({link, load});
        }
        path.index = m_network.AddPath(std::move(uses));
        path.rate = 1 / longest;
        path.way = worst.grid;
        path.relaySeconds = worst.relaySeconds;
        path.pauseBytes = HasGrid() && !worst.isInside ? m_grid.GetPause() * path.rate : 0;
    }
    return path;
}

std::vector<double>
PlanPaths::GetCircuitRates(const std::vector<PortPair>& pairs) const
{
    std::vector<double> rates;
    for (uint32_t setting = 0; setting < m_circuits.GetNSettings(); ++setting)
    {
        double rate = std::numeric_limits<double>::infinity();
        for (const auto& pair : pairs)
        {
            rate = std::min(rate, m_circuits.GetRate(setting, 0, pair.first, pair.second));
        }
        rates.push_back(rate);
    }
    return rates;
}

void
PlanPaths::Narrow(std::vector<double> rates, double latency, Path& path)
{
    for (std::size_t setting = 0; setting < rates.size(); ++setting)
    {
        rates[setting] = std::min(rates[setting], m_rates[path.index][setting]);
        m_rates[path.index][setting] = rates[setting];
    }
    if (!rates.empty() && m_isLit)
    {
        m_network.SetRate(m_links[path.index], rates[m_setting]);
    }
    path.rate = GetLeast(rates, path.rate);
    path.latency = std::max(path.latency, latency);
}

void
PlanPaths::AddToNetwork(uint32_t number,
                        uint32_t destination,
                        const std::vector<double>& rates,
                        Path& path)
{
    std::vector<uint32_t> links;
    if (!rates.empty())
    {
        // A circuit is a link of its own, dark until its setting carries light
        links = {m_network.AddLink(m_isLit ? rates[m_setting] : 0)};
        m_rates.push_back(rates);
        path.rate = GetLeast(rates, *std::max_element(rates.begin(), rates.end()));
    }
    else if (HasSides())
    {
        // A packet switch: the link of the source into it and that of the destination out of it
        links = {GetSide(number, false), GetSide(m_classes.GetClass(destination), true)};
        path.rate = m_network.GetRate(links.front());
    }
    else
    {
        links = {GetChannel(number, destination)};
        path.rate = m_network.GetRate(links.front());
    }
    m_links.push_back(links.front());
    std::vector<FlowNetwork::Use> uses;
    for (const auto link : links)
    {
        uses.push_back({link, 1});
    }
    path.index = m_network.AddPath(std::move(uses));
}

uint32_t
PlanPaths::GetSide(uint32_t number, bool receives)
{
    const auto [found, isNew] = m_sides.try_emplace({number, receives});
    if (isNew)
    {
        found->second = m_network.AddLink(m_fabric.bitRate / 8);
    }
    return found->second;
}

uint32_t
PlanPaths::GetChannel(uint32_t number, uint32_t destination)
{
    const auto& peers = m_peers[number];
    const auto count =
        std::max(std::min(static_cast<uint32_t>(peers.size()), m_fabric.circuits), 1U);
    const auto place = std::lower_bound(peers.begin(), peers.end(), destination);
    const auto channel = static_cast<uint32_t>(place - peers.begin()) % count;
    const auto [found, isNew] = m_channels.try_emplace({number, channel});
    if (isNew)
    {
        found->second = m_network.AddLink(m_fabric.bitRate / 8 / count);
    }
    return found->second;
}

uint32_t
PlanPaths::GetLink(const Path& path) const
{
    return m_links[path.index];
}

double
PlanPaths::FindRate(uint32_t number, uint32_t destination) const
{
    const auto begin = m_paths.lower_bound({number, destination, {}});
    double rate = 0;
    for (auto path = begin; path != m_paths.end(); ++path)
    {
        if (std::get<0>(path->first) != number || std::get<1>(path->first) != destination)
        {
            break;
        }
        rate = path == begin ? path->second.rate : std::min(rate, path->second.rate);
    }
    // Where messages are followed there are no paths
    const bool isLit = rate == 0 && m_circuits.GetNSettings() > 0;
    return isLit ? GetPairRate(m_classes.GetRepresentative(number), destination) : rate;
}

} // namespace lightpath
} // namespace ns3
