/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "plan-conflict.h"

#include <algorithm>
#include <sstream>

namespace ns3
{
namespace lightpath
{

std::string
GetPlanConflict(const CircuitPlan& plan, std::size_t nPorts)
{
    for (const auto& lightpath : plan.GetLightpaths())
    {
        const auto [source, destination] = lightpath.first;
        const auto& lanes = lightpath.second;
        const auto twice = std::adjacent_find(lanes.begin(), lanes.end());
        const bool exists = source < nPorts && destination < nPorts;
        if (exists && source != destination && twice == lanes.end())
        {
            continue;
        }
        std::ostringstream sentence;
        if (!exists)
        {
            sentence << "The plan has a lightpath from port " << source << " to port "
                     << destination << ", but the fabric has " << nPorts
                     << " ports, which are numbered from 0";
        }
        else if (source == destination)
        {
            sentence << "The plan has a lightpath from port " << source
                     << " to itself; a lightpath joins two ports";
        }
        else
        {
            sentence << "The lightpath from port " << source << " to port " << destination
                     << " has wavelength " << twice->wavelength << " of fibre " << twice->fibre
                     << " twice; each lane may stand in it once";
        }
        return sentence.str();
    }
    return "";
}

} // namespace lightpath
} // namespace ns3
