/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "optical-channel.h"

#include "lane-cursor.h"
#include "lightpath-compatibility.h"
#include "optical-net-device.h"
#include "plan-difference.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/log.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace ns3
{
namespace lightpath
{

NS_LOG_COMPONENT_DEFINE("OpticalChannel");

NS_OBJECT_ENSURE_REGISTERED(OpticalChannel);

TypeId
OpticalChannel::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lightpath::OpticalChannel")
            .SetParent<FabricChannel>()
            .SetGroupName("Lightpath")
            .AddAttribute("LaneRate",
                          "The rate of one lane.",
                          DataRateValue(DataRate("25Gbps")),
                          MakeDataRateAccessor(&OpticalChannel::m_laneRate),
                          MakeDataRateChecker())
            .AddAttribute("SwitchingDelay",
                          "The time for which lightpaths are dark while circuits are switched.",
                          TimeValue(MicroSeconds(25)),
                          MakeTimeAccessor(&OpticalChannel::m_switchingDelay),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("PauseMode",
                          "What is dark while circuits are switched: all lightpaths, or the lanes "
                          "that change.",
                          EnumValue(OpticalChannel::GLOBAL_PAUSE),
                          MakeEnumAccessorFor<PauseMode>(0, &OpticalChannel::m_pauseMode),
                          MakeEnumChecker(OpticalChannel::GLOBAL_PAUSE,
                                          "Global",
                                          OpticalChannel::PARTIAL_PAUSE,
                                          "Partial"))
            .AddAttribute("FrameCut",
                          "What becomes of a frame that is being sent as its lightpath is about to "
                          "go dark: it is cut and resumed later, or finished before the darkness.",
                          EnumValue(OpticalChannel::RESUME_FRAME),
                          MakeEnumAccessorFor<FrameCut>(0, &OpticalChannel::m_frameCut),
                          MakeEnumChecker(OpticalChannel::RESUME_FRAME,
                                          "Resume",
                                          OpticalChannel::FINISH_FRAME,
                                          "Finish"))
            .AddAttribute("InitialSwitching",
                          "Whether the first plan takes the switching delay too.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&OpticalChannel::m_initialSwitching),
                          MakeBooleanChecker())
            .AddTraceSource("Dark",
                            "Lightpaths have gone dark to switch to a plan.",
                            MakeTraceSourceAccessor(&OpticalChannel::m_darkTrace),
                            "ns3::lightpath::OpticalChannel::PlanTracedCallback")
            .AddTraceSource("Light",
                            "The lightpaths of a plan carry light.",
                            MakeTraceSourceAccessor(&OpticalChannel::m_lightTrace),
                            "ns3::lightpath::OpticalChannel::PlanTracedCallback")
            .AddTraceSource("Fault",
                            "A component of the fabric is taken out of use or brought back.",
                            MakeTraceSourceAccessor(&OpticalChannel::m_faultTrace),
                            "ns3::lightpath::OpticalChannel::FaultTracedCallback");
    return tid;
}

OpticalChannel::OpticalChannel()
{
    NS_LOG_FUNCTION(this);
}

OpticalChannel::~OpticalChannel()
{
    NS_LOG_FUNCTION(this);
}

void
OpticalChannel::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_end.Cancel();
    FabricChannel::DoDispose();
}

std::string
OpticalChannel::Check(const CircuitPlan& plan) const
{
    for (const auto& lightpath : plan.GetLightpaths())
    {
        const auto [source, destination] = lightpath.first;
        const auto& lanes = lightpath.second;
        const auto twice = std::adjacent_find(lanes.begin(), lanes.end());
        const bool exists = source < GetNDevices() && destination < GetNDevices();
        if (exists && source != destination && twice == lanes.end())
        {
            continue;
        }
        std::ostringstream sentence;
        if (!exists)
        {
            sentence << "The plan has a lightpath from port " << source << " to port "
                     << destination << ", but the fabric has " << GetNDevices()
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
    return DoCheck(plan);
}

void
OpticalChannel::Configure(const CircuitPlan& plan)
{
    NS_LOG_FUNCTION(this << plan.GetNLanes());
    const std::string conflict = Check(plan);
    NS_ABORT_MSG_UNLESS(conflict.empty(), conflict);
    if (plan == m_plan)
    {
        return;
    }
    const bool first = m_nReconfigurations == 0;
    m_plan = plan;
    m_nReconfigurations += plan == m_live && !m_switching ? 0 : 1;
    m_end.Cancel();
    if (first && !m_initialSwitching)
    {
        EndDarkness();
        return;
    }
    if (!m_switching)
    {
        // Frames that were held for a plan that is given up
        ReleaseFrames(m_plan == m_live ? m_live : GetKept(m_plan));
        if (m_plan == m_live)
        {
            return;
        }
    }
    if (m_frameCut == FINISH_FRAME && m_switchingDelay.IsStrictlyPositive())
    {
        HoldFrames(GetKept(m_plan));
    }
    if (m_waiting.empty())
    {
        BeginDarkness();
    }
}

void
OpticalChannel::HoldFrames(const CircuitPlan& kept)
{
    for (const auto& lightpath : m_live.GetLightpaths())
    {
        const PortPair pair = lightpath.first;
        if (kept.GetLanes(pair.first, pair.second) != lightpath.second)
        {
            m_held.insert(pair);
            if (GetPort(pair.first)->SetHeld(pair.second, true))
            {
                m_waiting.insert(pair);
            }
        }
    }
}

void
OpticalChannel::ReleaseFrames(const CircuitPlan& kept)
{
    std::vector<PortPair> released;
    for (const auto& pair : m_held)
    {
        if (kept.GetLanes(pair.first, pair.second) == m_live.GetLanes(pair.first, pair.second))
        {
            released.push_back(pair);
        }
    }
    for (const auto& pair : released)
    {
        m_held.erase(pair);
        m_waiting.erase(pair);
        GetPort(pair.first)->SetHeld(pair.second, false);
    }
}

void
OpticalChannel::NotifyHeld(uint32_t source, uint32_t destination)
{
    NS_LOG_FUNCTION(this << source << destination);
    if (m_waiting.erase({source, destination}) > 0 && m_waiting.empty())
    {
        BeginDarkness();
    }
}

CircuitPlan
OpticalChannel::GetKept(const CircuitPlan& next) const
{
    CircuitPlan kept;
    if (m_pauseMode == GLOBAL_PAUSE)
    {
        return kept;
    }
    for (const auto& lightpath : m_live.GetLightpaths())
    {
        const PortPair pair = lightpath.first;
        const auto& lanes = next.GetLanes(pair.first, pair.second);
        for (const auto& lane : lightpath.second)
        {
            if (std::binary_search(lanes.begin(), lanes.end(), lane))
            {
                kept.AddLane(pair.first, pair.second, lane);
            }
        }
    }
    return kept;
}

void
OpticalChannel::BeginDarkness()
{
    NS_LOG_FUNCTION(this);
    if (!m_switchingDelay.IsStrictlyPositive())
    {
        EndDarkness();
        return;
    }
    if (!m_switching)
    {
        m_switching = true;
        m_darkSince = Simulator::Now();
    }
    m_end = Simulator::Schedule(m_switchingDelay, &OpticalChannel::EndDarkness, this);
    SetLive(GetKept(m_plan));
    ReleaseHeld();
    m_darkTrace(m_plan);
}

void
OpticalChannel::EndDarkness()
{
    NS_LOG_FUNCTION(this);
    if (m_switching)
    {
        m_switching = false;
        m_darkTime += Simulator::Now() - m_darkSince;
    }
    SetLive(m_plan);
    ReleaseHeld();
    m_lightTrace(m_plan);
}

void
OpticalChannel::ReleaseHeld()
{
    for (const auto& pair : std::exchange(m_held, {}))
    {
        GetPort(pair.first)->SetHeld(pair.second, false);
    }
}

void
OpticalChannel::SetLive(const CircuitPlan& plan)
{
    const std::vector<PortPair> changed = GetDifference(m_live, plan);
    m_changed.insert(m_changed.end(), changed.begin(), changed.end());
    m_live = plan;
    UpdateRates();
}

void
OpticalChannel::UpdateRates()
{
    // A sink of the traces of a device may change the plan or let a component fail
    if (m_isUpdating)
    {
        return;
    }
    m_isUpdating = true;
    while (!m_changed.empty())
    {
        std::vector<PortPair> lit;
        std::vector<PortPair> changed = std::exchange(m_changed, {});
        std::sort(changed.begin(), changed.end());
        changed.erase(std::unique(changed.begin(), changed.end()), changed.end());
        LaneCursor ofAll(m_live);
        for (const auto& pair : changed)
        {
            const std::vector<Lane>& lanes = ofAll.GetLanes(pair);
            lanes.empty() ? SetLightpathRate(pair, lanes) : lit.push_back(pair);
        }
        LaneCursor ofLit(m_live);
        for (const auto& pair : lit)
        {
            SetLightpathRate(pair, ofLit.GetLanes(pair));
        }
    }
    m_isUpdating = false;
}

void
OpticalChannel::SetLightpathRate(PortPair pair, const std::vector<Lane>& lanes)
{
    const bool isLit = !lanes.empty();
    m_lit.resize(std::max(m_lit.size(), GetNDevices()));
    std::vector<bool>& lit = m_lit[pair.first];
    lit.resize(std::max(lit.size(), GetNDevices()), false);
    const bool wasLit = lit[pair.second];
    Time delay;
    for (const auto& lane : lanes)
    {
        delay = std::max(delay, GetPathDelay(pair.first, pair.second, lane));
    }
    lit[pair.second] = isLit;
    const auto device = GetPort(pair.first);
    device->SetRate(pair.second, m_laneRate.GetBitRate() * lanes.size(), delay);
    if (isLit != wasLit)
    {
        device->TraceLightpath(pair.second, isLit);
    }
}

void
OpticalChannel::SetFailed(const std::string& component, bool failed)
{
    NS_LOG_FUNCTION(this << component << failed);
    try
    {
        DoSetFailed(component, failed);
    }
    catch (const std::invalid_argument& error)
    {
        NS_ABORT_MSG(error.what());
    }
    if (failed)
    {
        RemoveBroken();
    }
    m_faultTrace(component, failed);
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
    remove(m_plan, broken);
    remove(m_live, dark);
    for (const auto& entry : dark)
    {
        m_changed.push_back(entry.first);
    }
    UpdateRates();
    const auto waiting = m_waiting;
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

OpticalChannel::PauseMode
OpticalChannel::GetPauseMode() const
{
    return m_pauseMode;
}

const CircuitPlan&
OpticalChannel::GetPlan() const
{
    return m_plan;
}

const CircuitPlan&
OpticalChannel::GetLive() const
{
    return m_live;
}

bool
OpticalChannel::IsChanging() const
{
    return m_switching || !m_waiting.empty();
}

Time
OpticalChannel::GetSwitchingDelay() const
{
    return m_nReconfigurations == 0 && !m_initialSwitching ? Time(0) : m_switchingDelay;
}

Time
OpticalChannel::GetDarkTime() const
{
    return m_switching ? m_darkTime + Simulator::Now() - m_darkSince : m_darkTime;
}

uint32_t
OpticalChannel::GetNReconfigurations() const
{
    return m_nReconfigurations;
}

DataRate
OpticalChannel::GetLaneRate() const
{
    return m_laneRate;
}

std::vector<uint32_t>
OpticalChannel::GetReachable(uint32_t source) const
{
    std::vector<uint32_t> destinations;
    const auto& lightpaths = m_plan.GetLightpaths();
    for (auto entry = lightpaths.lower_bound({source, 0});
         entry != lightpaths.end() && entry->first.first == source;
         ++entry)
    {
        destinations.push_back(entry->first.second);
    }
    return destinations;
}

} // namespace lightpath
} // namespace ns3
