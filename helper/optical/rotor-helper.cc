/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "rotor-helper.h"

#include "model/base/wire-format.h"
#include "model/control/rotor/rotor-dispatcher.h"
#include "model/fabric/expander-schedule.h"
#include "model/fabric/grating-schedule.h"
#include "model/fabric/swap-schedule.h"
#include "refusal.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/object-factory.h"
#include "ns3/pointer.h"
#include "ns3/rotor-channel.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>
#include <utility>

namespace ns3
{
namespace lightpath
{

namespace
{

/// The disciplines by name.
const std::vector<std::pair<std::string, std::string>> DISCIPLINES = {
    {"balanced", "ns3::lightpath::BalancedDiscipline"},
    {"direct", "ns3::lightpath::DirectDiscipline"},
    {"expander", "ns3::lightpath::ExpanderDiscipline"},
    {"valiant", "ns3::lightpath::ValiantDiscipline"},
};

} // namespace

RotorHelper::RotorHelper(Kind kind)
    : FabricHelper("ns3::lightpath::RotorChannel", DataRate("2000Gbps")),
      m_kind(kind),
      m_slotTime(MicroSeconds(100)),
      m_darkTime(MicroSeconds(10)),
      m_discipline("balanced")
{
    switch (kind)
    {
    case ROTORNET:
        m_nUplinks = 4;
        break;
    case OPERA:
        m_discipline = "expander";
        break;
    case SIRIUS:
        m_discipline = "valiant";
        m_slotTime = MicroSeconds(10);
        m_darkTime = MicroSeconds(1);
        break;
    case CUSTOM:
        break;
    }
}

void
RotorHelper::SetSchedule(ScheduleMaker maker)
{
    m_kind = CUSTOM;
    m_maker = std::move(maker);
}

void
RotorHelper::SetNUplinks(uint32_t uplinks)
{
    m_nUplinks = uplinks;
}

uint32_t
RotorHelper::GetNUplinks() const
{
    return static_cast<uint32_t>(std::lround(m_nUplinks * m_speedUp));
}

void
RotorHelper::SetSpeedUp(double factor)
{
    m_speedUp = factor;
}

void
RotorHelper::SetSeed(uint32_t seed)
{
    m_seed = seed;
}

void
RotorHelper::SetShortMessage(uint64_t bytes)
{
    m_shortMessage = bytes;
}

void
RotorHelper::SetSlotTime(Time time)
{
    m_slotTime = time;
}

void
RotorHelper::SetDarkTime(Time time)
{
    m_darkTime = time;
}

std::string
RotorHelper::CheckDiscipline(const std::string& name)
{
    std::vector<std::string> names;
    for (const auto& discipline : DISCIPLINES)
    {
        names.push_back(discipline.first);
    }
    return CheckKnown("discipline", name, names);
}

void
RotorHelper::SetDiscipline(const std::string& name)
{
    const std::string refusal = CheckDiscipline(name);
    NS_ABORT_MSG_UNLESS(refusal.empty(), refusal);
    m_discipline = name;
}

std::shared_ptr<const PeriodicSchedule>
RotorHelper::GetSchedule(uint32_t nNodes) const
{
    return m_maker ? m_maker(nNodes) : MakeSchedule(nNodes, GetNUplinks());
}

uint32_t
RotorHelper::FindNUplinks(uint32_t nNodes) const
{
    const auto suits = [this, nNodes](uint32_t uplinks) {
        const double all = uplinks * m_speedUp;
        const auto whole = static_cast<uint32_t>(std::lround(all));
        // Few uplinks of an expander may leave nodes apart while one of them turns
        return whole > 0 && std::abs(all - whole) < 1e-9 && nNodes % whole == 0 &&
               (m_kind != OPERA || uplinks == m_nUplinks ||
                GetRefusal([&] { MakeSchedule(nNodes, whole); }).empty());
    };
    for (uint32_t uplinks = m_nUplinks; uplinks > 0; --uplinks)
    {
        if (suits(uplinks))
        {
            return uplinks;
        }
    }
    for (uint32_t uplinks = m_nUplinks + 1; uplinks <= nNodes; ++uplinks)
    {
        if (suits(uplinks))
        {
            return uplinks;
        }
    }
    return 0;
}

std::shared_ptr<const PeriodicSchedule>
RotorHelper::MakeSchedule(uint32_t nNodes, uint32_t uplinks) const
{
    switch (m_kind)
    {
    case OPERA:
        return std::make_shared<ExpanderSchedule>(nNodes, uplinks, m_seed);
    case SIRIUS:
        return std::make_shared<GratingSchedule>(nNodes, uplinks);
    default:
        return std::make_shared<SwapSchedule>(nNodes, uplinks);
    }
}

std::string
RotorHelper::Check(uint32_t nNodes) const
{
    if (m_kind == CUSTOM && !m_maker)
    {
        return "A fabric of circuits that follow a schedule needs one: call SetSchedule()";
    }
    if (m_darkTime.IsStrictlyNegative() || m_darkTime >= m_slotTime)
    {
        return "A slot of " + std::to_string(m_slotTime.GetSeconds()) +
               " s, of which it is dark for " + std::to_string(m_darkTime.GetSeconds()) +
               " s, carries nothing: the darkness must be shorter than the slot, and 0 or more";
    }
    if (!(m_speedUp >= 1) || std::abs(GetNUplinks() - m_nUplinks * m_speedUp) > 1e-9)
    {
        return "A speed-up of " + std::to_string(m_speedUp) +
               " makes no whole number of uplinks of " + std::to_string(m_nUplinks) +
               ": it must be 1 or more, and give whole ones";
    }
    if (m_discipline == "expander" && !GetSetting<BooleanValue>("Stagger") && m_kind != OPERA)
    {
        return "The discipline expander needs uplinks that turn one after the other, as in opera: "
               "otherwise no circuits are left while all turn";
    }
    std::string refusal = GetRefusal([&] { GetSchedule(nNodes)->FindMeeting(0, 1); });
    if (!refusal.empty())
    {
        return refusal;
    }
    const RotorClock clock = GetClock(nNodes);
    if (const uint64_t bytes = clock.GetBytes(clock.GetLight()); bytes <= RELAY_FRAME_HEADER_BYTES)
    {
        return "An uplink of " + std::to_string(clock.bitRate) + " bit/s carries " +
               std::to_string(bytes) + " bytes in a slot, but a frame has headers of " +
               std::to_string(RELAY_FRAME_HEADER_BYTES) +
               ": the slot must be longer, or the uplink faster";
    }
    return CheckLight(nNodes);
}

std::vector<FabricHelper::DerivedAttribute>
RotorHelper::GetDerived() const
{
    static const char* const names[] = {"rotornet", "opera", "sirius", "rotor"};
    std::vector<DerivedAttribute> derived{
        {"SlotTime", "SetSlotTime()", ns3::Create<TimeValue>(GetHoldTime())},
        {"DarkTime", "SetDarkTime()", ns3::Create<TimeValue>(m_darkTime)},
        {"FabricName", "the kind of fabric", ns3::Create<StringValue>(names[m_kind])},
    };
    if (m_kind != CUSTOM)
    {
        derived.push_back(
            {"Stagger", "the kind of fabric", ns3::Create<BooleanValue>(m_kind == OPERA)});
        derived.push_back({"SwitchKind",
                           "the kind of fabric",
                           ns3::Create<StringValue>(m_kind == SIRIUS ? "awgr" : "rotor")});
    }
    return derived;
}

void
RotorHelper::ConfigureSize(ObjectFactory& factory, uint32_t nNodes) const
{
    if (m_kind == SIRIUS)
    {
        // An uplink of a group of nodes leads to a grating of as many ports as the epoch has slots
        factory.Set("SwitchPorts", UintegerValue(nNodes / GetNUplinks()));
    }
}

void
RotorHelper::ConfigureAttached(Ptr<FabricChannel> channel) const
{
    const auto rotors = DynamicCast<RotorChannel>(channel);
    const auto schedule = GetSchedule(static_cast<uint32_t>(channel->GetNDevices()));
    rotors->SetAttribute("UplinkRate", DataRateValue(GetUplinkRate(*schedule)));
    rotors->SetSchedule(schedule);
    const auto discipline = MakeDiscipline();
    const auto dispatcher = CreateObject<RotorDispatcher>();
    dispatcher->SetAttribute("Discipline", PointerValue(discipline));
    channel->AggregateObject(dispatcher);
}

Ptr<RotorDiscipline>
RotorHelper::MakeDiscipline() const
{
    const auto chosen =
        std::find_if(DISCIPLINES.begin(), DISCIPLINES.end(), [this](const auto& discipline) {
            return discipline.first == m_discipline;
        });
    ObjectFactory factory(chosen->second);
    const auto discipline = factory.Create<RotorDiscipline>();
    discipline->SetAttributeFailSafe("ShortMessage", UintegerValue(m_shortMessage));
    return discipline;
}

Time
RotorHelper::GetHoldTime() const
{
    return m_kind == OPERA ? m_slotTime * static_cast<int64_t>(GetNUplinks()) : m_slotTime;
}

DataRate
RotorHelper::GetUplinkRate(const PeriodicSchedule& schedule) const
{
    const double rate = static_cast<double>(GetBandwidth().GetBitRate());
    return DataRate(static_cast<uint64_t>(rate * m_speedUp / schedule.GetNUplinks()));
}

RotorClock
RotorHelper::GetClock(uint32_t nNodes) const
{
    const auto schedule = GetSchedule(nNodes);
    return {schedule,
            GetUplinkRate(*schedule).GetBitRate(),
            GetHoldTime().GetTimeStep(),
            m_darkTime.GetTimeStep(),
            m_kind == OPERA || GetSetting<BooleanValue>("Stagger")};
}

void
RotorHelper::SetMessageDelay(Time delay)
{
    SetChannelAttribute("MessageDelay", TimeValue(delay));
}

} // namespace lightpath
} // namespace ns3
