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
        limits.links = linksFor(plan).front().links;
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

bool
FabricLimits::FollowsMessages() const
{
    return grid.rows > 0 || turnCircuits || links.carry;
}

bool
FabricLimits::HasLikePorts() const
{
    return !isRing && grid.rows == 0 && leaf.gpus == 0 && !links.getWay && !linksFor;
}

bool
FabricLimits::IsFoldable() const
{
    // Fewer ports meet each other sooner
    return HasLikePorts() && !links.carry && allocators.empty() && laneRate == 0 &&
           averagedBits == 0 && indirectBitRate == 0 && !pathLatency && !obstacle &&
           servers.HasSwitch() && servers.layout.portGpus == 1;
}

} // namespace lightpath
} // namespace ns3
