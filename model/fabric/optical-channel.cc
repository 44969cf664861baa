/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "optical-channel.h"

#include "link-states.h"
#include "model/base/lightpath-compatibility.h"
#include "model/device/lane-cursor.h"
#include "model/device/lane-darkness.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/log.h"
#include "ns3/optical-net-device.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
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
            .SetParent<PhotonicChannel>()
            .SetGroupName("Lightpath")
            .AddAttribute("LaneRate",
                          "The rate of one lane.",
                          DataRateValue(DataRate("25Gbps")),
                          MakeDataRateAccessor(&OpticalChannel::m_laneRate),
                          MakeDataRateChecker())
            .AddAttribute(
                "Delay",
                "The propagation delay beyond that of paths on the fabric, as of transceivers.",
                TimeValue(Time(0)),
                MakeTimeAccessor(&OpticalChannel::m_delay),
                MakeTimeChecker(Time(0)))
            .AddAttribute("SwitchingDelay",
                          "The time for which lightpaths are dark while circuits are switched.",
                          TimeValue(MicroSeconds(25)),
                          MakeTimeAccessor(&OpticalChannel::m_switchingDelay),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("LaserTuningTime",
                          "The time to tune lasers, after the SwitchingDelay.",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&OpticalChannel::m_laserTuningTime),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("ReceiverLockTime",
                          "The time in which receivers lock to the clock of new light.",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&OpticalChannel::m_receiverLockTime),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("CodeAlignmentTime",
                          "The time in which decoders find the boundaries of codewords.",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&OpticalChannel::m_codeAlignmentTime),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("LinkTrainingTime",
                          "The time in which both ends of a circuit declare their link up.",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&OpticalChannel::m_linkTrainingTime),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("PauseMode",
                          "The lanes that are dark while circuits are switched: all (Global), "
                          "those that change (Partial), or those, each on its own (Lane).",
                          EnumValue(OpticalChannel::GLOBAL_PAUSE),
                          MakeEnumAccessorFor<PauseMode>(0, &OpticalChannel::m_pauseMode),
                          MakeEnumChecker(OpticalChannel::GLOBAL_PAUSE,
                                          "Global",
                                          OpticalChannel::PARTIAL_PAUSE,
                                          "Partial",
                                          OpticalChannel::LANE_PAUSE,
                                          "Lane"))
            .AddAttribute("FrameCut",
                          "The treatment of a frame that is being sent when its lightpath is about "
                          "to go dark: it is cut and resumed later (Resume), or the darkness waits "
                          "for its end (Finish).",
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
            .AddAttribute("LinkFollowsPlan",
                          "Whether the link of a device is up only while it has a lightpath.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&OpticalChannel::m_linkFollowsPlan),
                          MakeBooleanChecker())
            .AddTraceSource("Dark",
                            "Lightpaths have gone dark to switch to a plan.",
                            MakeTraceSourceAccessor(&OpticalChannel::m_darkTrace),
                            "ns3::lightpath::OpticalChannel::PlanTracedCallback")
            .AddTraceSource("Light",
                            "The lightpaths of a plan carry light.",
                            MakeTraceSourceAccessor(&OpticalChannel::m_lightTrace),
                            "ns3::lightpath::OpticalChannel::PlanTracedCallback");
    return tid;
}

void
OpticalChannel::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_end.Cancel();
    PhotonicChannel::DoDispose();
}

std::string
OpticalChannel::Check(const CircuitPlan& plan) const
{
    std::string conflict = plan.FindConflict(GetNDevices());
    conflict = conflict.empty() ? DoCheck(plan) : conflict;
    return conflict.empty() ? CheckBudget(plan) : conflict;
}

void
OpticalChannel::Configure(const CircuitPlan& plan)
{
    NS_LOG_FUNCTION(this << plan.GetNLanes());
    if (plan == m_plan)
    {
        return;
    }
    const std::string conflict = Check(plan);
    NS_ABORT_MSG_UNLESS(conflict.empty(), conflict);
    NS_LOG_LOGIC("a plan of " << plan.GetLightpaths().size() << " lightpaths with "
                              << plan.GetNLanes() << " lanes is set");
    NoteLight(plan);
    const bool first = m_nReconfigurations == 0;
    m_plan = plan;
    // A return to the live plan before the darkness switches nothing
    m_nReconfigurations += plan == m_live && !m_switching ? 0 : 1;
    m_end.Cancel();
    if (first && !m_initialSwitching)
    {
        EndDarkness();
        return;
    }
    if (!m_switching)
    {
        // Release frames held for a plan that is given up
        ReleaseFrames(m_plan == m_live ? m_live : GetKept(m_plan));
        if (m_plan == m_live)
        {
            return;
        }
    }
    if (m_frameCut == FINISH_FRAME && GetReconfigurationTime().IsStrictlyPositive())
    {
        HoldFrames(GetKept(m_plan));
    }
    if (m_waiting.empty())
    {
        BeginDarkness();
        return;
    }
    NS_LOG_LOGIC("darkness waits for the ends of " << m_waiting.size() << " frames");
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
    Time dark = GetReconfigurationTime();
    const CircuitPlan kept = GetKept(m_plan);
    if (m_pauseMode == LANE_PAUSE && dark.IsStrictlyPositive())
    {
        m_dark = m_dark ? m_dark : std::make_shared<LaneDarkness>();
        m_dark->Begin(m_plan, kept, Simulator::Now() + dark);
        dark = m_dark->IsOver() ? Time(0) : m_dark->GetNext() - Simulator::Now();
    }
    if (!dark.IsStrictlyPositive())
    {
        EndDarkness();
        return;
    }
    if (!m_switching) // otherwise the new plan prolongs the darkness
    {
        m_switching = true;
        m_darkSince = Simulator::Now();
    }
    NS_LOG_LOGIC("reconfiguration " << m_nReconfigurations << " begins, to end in "
                                    << dark.As(Time::US));
    m_end = Simulator::Schedule(dark, &OpticalChannel::EndDarkness, this);
    SetLive(kept);
    ReleaseHeld();
    UpdateLinks(false);
    m_darkTrace(m_plan);
}

void
OpticalChannel::EndDarkness()
{
    NS_LOG_FUNCTION(this);
    if (m_dark && !m_dark->IsOver())
    {
        SetLive(m_dark->End(m_plan, m_live, Simulator::Now()));
        if (!m_dark->IsOver())
        {
            const Time rest = m_dark->GetNext() - Simulator::Now();
            m_end = Simulator::Schedule(rest, &OpticalChannel::EndDarkness, this);
            UpdateLinks(false);
            return;
        }
    }
    if (m_switching)
    {
        m_switching = false;
        m_darkTime += Simulator::Now() - m_darkSince;
    }
    NS_LOG_LOGIC("reconfiguration " << m_nReconfigurations << " ends: "
                                    << m_plan.GetLightpaths().size() << " lightpaths carry light");
    SetLive(m_plan);
    ReleaseHeld();
    UpdateLinks(false);
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
    // Merge the two sorted lists to find the lightpaths that differ
    const auto& before = m_live.GetLightpaths();
    const auto& after = plan.GetLightpaths();
    auto old = before.begin();
    auto next = after.begin();
    while (old != before.end() || next != after.end())
    {
        const bool ends = next == after.end() || (old != before.end() && old->first < next->first);
        const bool begins =
            old == before.end() || (next != after.end() && next->first < old->first);
        if (ends || begins || old->second != next->second)
        {
            m_changed.push_back(begins ? next->first : old->first);
        }
        old = begins ? old : std::next(old);
        next = ends ? next : std::next(next);
    }
    m_live = plan;
    UpdateRates();
}

void
OpticalChannel::UpdateRates()
{
    // Called by a trace sink of a device: the loop that is running takes the change up
    if (m_isUpdating)
    {
        return;
    }
    constexpr std::size_t AHEAD = 6; // Lightpaths ahead, so that their memory arrives in time
    m_isUpdating = true;
    while (!m_changed.empty())
    {
        std::vector<PortPair> lit;
        std::vector<PortPair> changed = std::exchange(m_changed, {});
        std::sort(changed.begin(), changed.end());
        changed.erase(std::unique(changed.begin(), changed.end()), changed.end());
        LaneCursor ofAll(m_live); // lightpaths go dark before others light up
        for (std::size_t i = 0; i < changed.size(); ++i)
        {
            Prefetch(changed, i + AHEAD);
            const std::vector<Lane>& lanes = ofAll.GetLanes(changed[i]);
            lanes.empty() ? SetLightpathRate(changed[i], lanes) : lit.push_back(changed[i]);
        }
        LaneCursor ofLit(m_live);
        for (std::size_t i = 0; i < lit.size(); ++i)
        {
            Prefetch(lit, i + AHEAD);
            SetLightpathRate(lit[i], ofLit.GetLanes(lit[i]));
        }
    }
    m_isUpdating = false;
}

void
OpticalChannel::Prefetch(const std::vector<PortPair>& pairs, std::size_t index) const
{
    if (index < pairs.size() && pairs[index].first < GetNDevices())
    {
        GetPort(pairs[index].first)->Prefetch(pairs[index].second);
    }
}

void
OpticalChannel::SetLightpathRate(PortPair pair, const std::vector<Lane>& lanes)
{
    const bool isLit = !lanes.empty();
    const auto device = GetPort(pair.first);
    const uint64_t bitRate = m_laneRate.GetBitRate() * lanes.size();
    SetErrors(pair, lanes);
    const Time delay = m_delay + GetLightpathDelay(pair, lanes);
    const bool wasLit = device->SetRate(pair.second, bitRate, delay) > 0;
    NS_LOG_LOGIC("the lightpath from port " << pair.first << " to port " << pair.second << " has "
                                            << lanes.size() << " lanes");
    if (isLit != wasLit)
    {
        device->TraceLightpath(pair.second, isLit);
    }
}

Time
OpticalChannel::GetLightpathDelay(PortPair ports, const std::vector<Lane>& lanes) const
{
    Time delay;
    for (const Lane& lane : lanes)
    {
        delay = std::max(delay, GetPathDelay(ports.first, ports.second, lane));
    }
    return delay;
}

void
OpticalChannel::UpdateLinks(bool byFault)
{
    if (m_linkFollowsPlan || byFault)
    {
        NotifyLinks(UpdateLinkStates(*this, m_linkFollowsPlan, m_isUp));
    }
}

bool
OpticalChannel::IsLinkUp(uint32_t port) const
{
    return port < m_isUp.size() ? m_isUp[port] : !m_linkFollowsPlan;
}

Time
OpticalChannel::GetDarkTime() const
{
    return m_switching ? m_darkTime + Simulator::Now() - m_darkSince : m_darkTime;
}

FabricStatistics
OpticalChannel::GetStatistics() const
{
    return {GetDarkTime(), m_nReconfigurations, m_plan.GetLightpaths().size(), {}};
}

std::vector<uint32_t>
OpticalChannel::GetReachable(uint32_t source) const
{
    std::vector<uint32_t> destinations;
    const auto& lightpaths = m_plan.GetLightpaths();
    const auto first =
        std::partition_point(lightpaths.begin(), lightpaths.end(), [source](const auto& entry) {
            return entry.first.first < source;
        });
    for (auto entry = first; entry != lightpaths.end() && entry->first.first == source; ++entry)
    {
        destinations.push_back(entry->first.second);
    }
    return destinations;
}

} // namespace lightpath
} // namespace ns3
