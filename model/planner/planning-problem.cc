/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "planning-problem.h"

#include <algorithm>
#include <stdexcept>

namespace ns3
{
namespace lightpath
{

namespace
{

/**
 * @tparam T the type of a limit
 * @param one a limit; 0 stands for none
 * @param other the same limit of another fabric
 * @return the stricter one
 */
template <typename T>
T
GetLeast(T one, T other)
{
    return one > 0 && other > 0 ? std::min(one, other) : std::max(one, other);
}

/**
 * @param fabric the limits of a fabric
 * @param layout the servers of a plan
 * @return true if the same GPUs share each port there, or if ports do not matter on the fabric
 */
bool
KeepsPorts(const FabricLimits& fabric, const ServerLayout& layout)
{
    const ServerLayout& own = fabric.servers.layout;
    const bool isByPort = !fabric.allocators.empty() || fabric.pathRefusal || fabric.obstacle;
    return !isByPort || (own.gpus == layout.gpus && own.portGpus == layout.portGpus &&
                         own.hasRails == layout.hasRails);
}

/**
 * Combine the limits of the servers of a fabric with those of another one.
 *
 * @param [in,out] servers the limits
 * @param other the others
 */
void
MergeServers(ServerLimits& servers, const ServerLimits& other)
{
    if (!servers.layout.HasServers() || !other.layout.HasServers())
    {
        servers = ServerLimits();
    }
    else if (other.layout.gpus < servers.layout.gpus)
    {
        servers.layout = other.layout;
    }
    servers.bitRate = GetLeast(servers.bitRate, other.bitRate);
    servers.pairBitRate = GetLeast(servers.pairBitRate, other.pairBitRate);
    servers.isRing = servers.isRing || other.isRing;
    servers.reduces = servers.reduces && other.reduces;
    servers.latency = std::max(servers.latency, other.latency);
}

} // namespace

void
FabricLimits::Merge(const FabricLimits& other)
{
    ServerLimits common = servers;
    MergeServers(common, other.servers);
    const bool isApart =
        !others.empty() || !KeepsPorts(*this, common.layout) || !KeepsPorts(other, common.layout);
    if (isApart)
    {
        if (others.empty())
        {
            others = {FabricLimits(*this)};
        }
        others.push_back(other);
    }
    // Of the fabrics with circuits, the one with the slowest indirect paths decides on them, and
    // they follow operations if those of all do
    if (other.laneRate > 0)
    {
        indirectBitRate =
            laneRate > 0 ? std::min(indirectBitRate, other.indirectBitRate) : other.indirectBitRate;
        turnCircuits = other.turnCircuits && (turnCircuits || !(laneRate > 0));
    }
    // A plan can only count on the rates and servers that both fabrics have
    bitRate = GetLeast(bitRate, other.bitRate);
    peerBitRate = GetLeast(peerBitRate, other.peerBitRate);
    degree = GetLeast(degree, other.degree);
    servers = common;
    isShared = isShared && other.isShared;
    leaf = leaf.gpus > 0 ? leaf : other.leaf;
    links = !isShared ? LinkLimits() : links.getWay ? links : other.links;
    linksFor = nullptr;
    // Where all share rates, what suits a grid suits a switch
    grids = !isShared ? std::vector<GridLimits>() : grid.rows > 0 ? grids : other.grids;
    grid = !isShared ? GridLimits() : grid.rows > 0 ? grid : other.grid;
    canSwitch = canSwitch && other.canSwitch;
    canTurn = canTurn && other.canTurn;
    // It pays the longest delays, and follows what either fabric demands
    circuits = std::max(circuits, other.circuits);
    latency = std::max(latency, other.latency);
    collectiveLatency = std::max(collectiveLatency, other.collectiveLatency);
    switchingSeconds = std::max(switchingSeconds, other.switchingSeconds);
    laneRate = std::max(laneRate, other.laneRate);
    averagedBits = std::max(averagedBits, other.averagedBits);
    phaseCircuits = phaseCircuits || other.phaseCircuits;
    isIndirectShared = isIndirectShared || other.isIndirectShared;
    followsExchanges = followsExchanges && other.followsExchanges;
    exchangeSeconds = std::max(exchangeSeconds, other.exchangeSeconds);
    isRing = isRing || other.isRing;
    reach = GetLeast(reach, other.reach);
    pathLatency = nullptr;
    if (isApart)
    {
        pathRefusal = nullptr;
        obstacle = nullptr;
        allocators.clear();
        return;
    }
    pathRefusal = pathRefusal ? pathRefusal : other.pathRefusal;
    allocators.insert(allocators.end(), other.allocators.begin(), other.allocators.end());
}

bool
FabricLimits::HasServers() const
{
    return servers.layout.HasServers();
}

void
FabricLimits::ServeInTurn()
{
    allocators.clear();
    degree = 0;
}

void
FabricLimits::TurnCircuits()
{
    ServeInTurn();
    phaseCircuits = false;
    canSwitch = false;
    turnCircuits = true;
}

void
FabricLimits::CheckPaths(const TrafficMatrix& traffic) const
{
    if (!pathRefusal)
    {
        return;
    }
    for (const auto& ofPorts : GetPortTraffic(traffic))
    {
        for (uint32_t source = 0; source < ofPorts.GetSize(); ++source)
        {
            for (const auto& [destination, bytes] : ofPorts.GetRow(source))
            {
                const std::string refusal = pathRefusal(source, destination);
                if (!refusal.empty())
                {
                    throw std::invalid_argument(refusal);
                }
            }
        }
    }
}

std::vector<TrafficMatrix>
FabricLimits::GetPortTraffic(const TrafficMatrix& ofGpus) const
{
    if (!HasServers())
    {
        return {ofGpus};
    }
    const ServerLayout& layout = servers.layout;
    const uint32_t ports = layout.GetNPorts(ofGpus.GetSize());
    std::vector<TrafficMatrix> ofRails(layout.GetNRails(), TrafficMatrix(ports));
    for (uint32_t source = 0; source < ofGpus.GetSize(); ++source)
    {
        for (const auto& [destination, bytes] : ofGpus.GetRow(source))
        {
            if (!layout.AreInside(source, destination))
            {
                const ServerLayout::Way way = layout.GetWay(source, destination);
                ofRails[way.rail].Add(way.from, way.to, bytes);
            }
        }
    }
    return ofRails;
}

FabricLimits
FabricLimits::GetFor(const TrainingPlan& plan) const
{
    FabricLimits limits = *this;
    if (linksFor)
    {
        limits.links = linksFor(plan);
        limits.linksFor = nullptr;
    }
    return limits;
}

const GridLimits&
FabricLimits::GetGrid(uint32_t rows, uint32_t columns) const
{
    const auto asked = std::find_if(grids.begin(), grids.end(), [&](const GridLimits& some) {
        return some.rows == rows && some.columns == columns;
    });
    return asked != grids.end() ? *asked : grid;
}

} // namespace lightpath
} // namespace ns3
