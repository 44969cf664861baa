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

} // namespace

void
FabricLimits::Merge(const FabricLimits& other)
{
    // Of the fabrics with circuits, the one with the slowest indirect paths decides on them
    if (other.laneRate > 0)
    {
        indirectBitRate =
            laneRate > 0 ? std::min(indirectBitRate, other.indirectBitRate) : other.indirectBitRate;
    }
    // A plan can only count on the rates and servers that both fabrics have
    bitRate = GetLeast(bitRate, other.bitRate);
    peerBitRate = GetLeast(peerBitRate, other.peerBitRate);
    degree = GetLeast(degree, other.degree);
    serverGpus = std::min(serverGpus, other.serverGpus);
    serverBitRate = GetLeast(serverBitRate, other.serverBitRate);
    isShared = isShared && other.isShared;
    leaf = leaf.gpus > 0 ? leaf : other.leaf;
    // Where all share rates, what suits a grid suits a switch
    grids = !isShared ? std::vector<GridLimits>() : grid.rows > 0 ? grids : other.grids;
    grid = !isShared ? GridLimits() : grid.rows > 0 ? grid : other.grid;
    canSwitch = canSwitch && other.canSwitch;
    // It pays the longest delays, and follows what either fabric demands
    circuits = std::max(circuits, other.circuits);
    latency = std::max(latency, other.latency);
    serverLatency = std::max(serverLatency, other.serverLatency);
    collectiveLatency = std::max(collectiveLatency, other.collectiveLatency);
    switchingSeconds = std::max(switchingSeconds, other.switchingSeconds);
    laneRate = std::max(laneRate, other.laneRate);
    averagedBits = std::max(averagedBits, other.averagedBits);
    phaseCircuits = phaseCircuits || other.phaseCircuits;
    isRing = isRing || other.isRing;
    pathLatency = nullptr;
    pathRefusal = pathRefusal ? pathRefusal : other.pathRefusal;
    allocators.insert(allocators.end(), other.allocators.begin(), other.allocators.end());
}

void
FabricLimits::ServeInTurn()
{
    allocators.clear();
    degree = 0;
}

void
FabricLimits::CheckPaths(const TrafficMatrix& traffic) const
{
    for (uint32_t source = 0; pathRefusal && source < traffic.GetSize(); ++source)
    {
        for (const auto& [destination, bytes] : traffic.GetRow(source))
        {
            const std::string refusal = pathRefusal(source, destination);
            if (!refusal.empty())
            {
                throw std::invalid_argument(refusal);
            }
        }
    }
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
