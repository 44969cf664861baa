/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "plan-change.h"

#include "ns3/log.h"
#include "ns3/optical-channel.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <set>

namespace ns3
{
namespace lightpath
{

NS_LOG_COMPONENT_DEFINE("PlanChange");

PlanChange::~PlanChange()
{
    NS_LOG_FUNCTION(this);
    SetChannel(nullptr);
}

void
PlanChange::SetChannel(Ptr<OpticalChannel> channel)
{
    NS_LOG_FUNCTION(this << channel);
    Stop();
    if (m_channel)
    {
        m_channel->TraceDisconnectWithoutContext("Light",
                                                 MakeCallback(&PlanChange::NotifyLight, this));
    }
    m_channel = channel;
    if (m_channel)
    {
        m_channel->TraceConnectWithoutContext("Light",
                                              MakeCallback(&PlanChange::NotifyLight, this));
    }
}

void
PlanChange::SetCallback(Callback<void> callback)
{
    m_callback = callback;
}

void
PlanChange::Begin(const CircuitPlan& plan, bool fibreByFibre)
{
    NS_LOG_FUNCTION(this << plan.GetNLanes() << fibreByFibre);
    Stop();
    m_target = plan;
    m_nSteps = 0;
    const CircuitPlan& present = m_channel->GetPlan();
    m_fibres.clear();
    if (fibreByFibre && !present.GetLightpaths().empty())
    {
        std::set<uint32_t> fibres;
        for (const CircuitPlan* each : {&present, &plan})
        {
            for (const auto& lightpath : each->GetLightpaths())
            {
                for (const Lane& lane : lightpath.second)
                {
                    fibres.insert(lane.fibre);
                }
            }
        }
        m_fibres.assign(fibres.rbegin(), fibres.rend());
    }
    Proceed();
}

void
PlanChange::Stop()
{
    NS_LOG_FUNCTION(this);
    m_waiting = false;
    m_light.Cancel();
}

void
PlanChange::Proceed()
{
    NS_LOG_FUNCTION(this);
    m_target = m_channel->GetIntact(m_target);
    do
    {
        if (!m_fibres.empty())
        {
            m_fibres.pop_back();
        }
        const CircuitPlan step = Mix();
        if (!m_fibres.empty() && !m_channel->Check(step).empty())
        {
            continue;
        }
        const uint32_t before = m_channel->GetNReconfigurations();
        m_channel->Configure(step);
        m_nReconfigurations = m_channel->GetNReconfigurations();
        m_nSteps += m_nReconfigurations - before;
        if (m_channel->IsChanging())
        {
            m_waiting = true;
            return;
        }
    } while (!m_fibres.empty());
    m_callback();
}

CircuitPlan
PlanChange::Mix() const
{
    if (m_fibres.empty())
    {
        return m_target;
    }
    CircuitPlan mixed;
    const CircuitPlan& present = m_channel->GetPlan();
    for (const CircuitPlan* plan : {&present, &m_target})
    {
        for (const auto& [pair, lanes] : plan->GetLightpaths())
        {
            for (const Lane& lane : lanes)
            {
                const bool isWaiting =
                    std::find(m_fibres.begin(), m_fibres.end(), lane.fibre) != m_fibres.end();
                if (isWaiting == (plan == &present))
                {
                    mixed.AddLane(pair.first, pair.second, lane);
                }
            }
        }
    }
    return mixed;
}

void
PlanChange::NotifyLight(const CircuitPlan&)
{
    NS_LOG_FUNCTION(this);
    if (m_waiting)
    {
        // Not before others have heard of the light
        m_waiting = false;
        m_light = Simulator::ScheduleNow(&PlanChange::Proceed, this);
    }
}

uint32_t
PlanChange::GetNSteps() const
{
    return m_nSteps;
}

bool
PlanChange::Stands() const
{
    return m_channel->GetNReconfigurations() == m_nReconfigurations;
}

} // namespace lightpath
} // namespace ns3
