/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "optical-channel.h"

#include "ns3/log.h"
#include "ns3/optical-net-device.h"

#include <cstddef>
#include <utility>

/**
 * @file
 * @ingroup lightpath
 * The failures of an OpticalChannel.
 */

namespace ns3
{
namespace lightpath
{

/// The log of failures
NS_LOG_COMPONENT_DEFINE("OpticalChannelFaults");

bool
OpticalChannel::CanFail() const
{
    return true;
}

void
OpticalChannel::ApplyFault(bool failed)
{
    NS_LOG_FUNCTION(this << failed);
    if (failed)
    {
        RemoveBroken();
    }
    UpdateLinks(true);
}

void
OpticalChannel::RemoveBroken()
{
    const auto remove = [](CircuitPlan& plan, const std::vector<LightpathLane>& broken) {
        for (const auto& entry : broken)
        {
            plan.RemoveLane(entry.first.first, entry.first.second, entry.second);
        }
    };
    const auto broken = GetBroken(m_plan);
    const auto dark = IsChanging() ? GetBroken(m_live) : broken;
    NS_LOG_LOGIC("the failure breaks " << broken.size() << " lanes of the plan");
    remove(m_plan, broken);
    remove(m_live, dark);
    for (const auto& entry : dark)
    {
        m_changed.push_back(entry.first);
    }
    UpdateRates();
    const auto waiting = m_waiting; // frames without light will not end: do not wait
    for (const auto& pair : waiting)
    {
        if (m_live.GetLanes(pair.first, pair.second).empty())
        {
            NotifyHeld(pair.first, pair.second);
        }
    }
}

std::vector<OpticalChannel::LightpathLane>
OpticalChannel::GetBroken(const CircuitPlan& plan) const
{
    std::vector<LightpathLane> broken;
    for (const auto& lightpath : plan.GetLightpaths())
    {
        for (const auto& lane : lightpath.second)
        {
            if (!IsIntact(lightpath.first, lane))
            {
                broken.emplace_back(lightpath.first, lane);
            }
        }
    }
    return broken;
}

CircuitPlan
OpticalChannel::GetIntact(const CircuitPlan& plan) const
{
    CircuitPlan intact = plan;
    for (const auto& [pair, lane] : GetBroken(plan))
    {
        intact.RemoveLane(pair.first, pair.second, lane);
    }
    return intact;
}

} // namespace lightpath
} // namespace ns3
