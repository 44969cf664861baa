/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "circuit-options.h"

#include "option-values.h"

#include "ns3/boolean.h"
#include "ns3/simulator.h"
#include "ns3/sip-ocs-helper.h"
#include "ns3/sip-ring-helper.h"
#include "ns3/string.h"

#include <algorithm>
#include <set>
#include <stdexcept>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/// The options that set one attribute of a channel or of a controller.
const std::vector<AttributeOption> TABLE = {
    {"reconfigurationDelay",
     "OpticalChannel::SwitchingDelay",
     "",
     "Darkness while circuits are switched, like 25us; default by fabric"},
    {"initialSwitching",
     "OpticalChannel::InitialSwitching",
     "true",
     "Whether the first circuits take the darkness, too"},
    {"pauseMode",
     "OpticalChannel::PauseMode",
     "global",
     "Lightpaths that are dark while circuits are switched: global (all), partial (those that "
     "change)"},
    {"frameCut",
     "OpticalChannel::FrameCut",
     "resume",
     "Frames that darkness interrupts: resume (after it), finish (before it)"},
    {"fibreByFibre",
     "CircuitController::FibreByFibre",
     "false",
     "Switch the circuits of one fibre after those of another"},
    {"trigger",
     "CircuitController::Trigger",
     "",
     "When to reconfigure after the initial decision: once (never again), periodic, phase; "
     "default: periodic with a decisionInterval, else once"},
    {"decisionInterval",
     "CircuitController::DecisionInterval",
     "0s",
     "Time that circuits serve between periodic decisions, like 100us"},
    {"demandSource", "CircuitController::DemandSource", "", "Demand that later decisions serve"},
};

} // namespace

std::string
ListAlgorithms(const std::string& fabric)
{
    const auto helper = InterconnectHelper::Create(fabric);
    std::vector<std::string> names;
    if (const auto* circuits = dynamic_cast<CircuitFabricHelper*>(helper.get()))
    {
        for (const auto& algorithm : circuits->GetAlgorithms())
        {
            names.push_back(algorithm.name);
        }
    }
    return JoinList(names);
}

RingGeometry::WavelengthMode
ParseWavelengthMode(const std::string& name)
{
    const auto mode = ParseWord("wavelengthMode", name, {{"continuity", "C"}, {"load-only", "L"}});
    return mode == "C" ? RingGeometry::CONTINUITY : RingGeometry::LOAD_ONLY;
}

CircuitOptions::CircuitOptions()
    : m_attributes(TABLE)
{
}

void
CircuitOptions::AddTo(ProgramOptions& options)
{
    options.BeginGroup("Fabric: ring");
    options.AddValue("wavelengthRate",
                     "Rate of a wavelength of the ring, or of a circuit switch, like 50Gbps; "
                     "default: 25Gbps",
                     m_wavelengthRate);
    options.AddValue("wavelengthMode",
                     "What a lightpath keeps: continuity (its wavelength), load-only",
                     m_wavelengthMode);
    options.BeginGroup("Fabric: circuit switches", {"sip-ocs"});
    options.AddValue("switches",
                     "Parallel circuit switches, as many as a GPU has circuits; 0: 20",
                     m_switches);
    options.BeginGroup("Circuit control");
    options.AddList("allocator",
                    "Allocator or scheduler of circuits; sip-ring: " + ListAlgorithms("sip-ring") +
                        "; sip-ocs: " + ListAlgorithms("sip-ocs") +
                        "; of several, each fabric takes the first that it has",
                    m_allocators);
    options.AddList("attribute",
                    "Attribute of the allocator, like FillLeftover=false; may be given again",
                    m_settings);
    m_attributes.AddTo(options);
    options.AddValue("decisionTime",
                     "Time that a decision takes, like 10us, or measured",
                     m_decisionTime);
    options.AddList("fail",
                    "COMPONENT@TIME for a failure, +COMPONENT@TIME for its repair, separated by "
                    "commas, like segment:3:cw@2ms",
                    m_faults);
}

void
CircuitOptions::Check(const std::vector<std::string>& fabrics, int64_t nNodes) const
{
    std::set<std::string> known;
    std::vector<std::string> lists;
    std::vector<TypeId> types;
    for (const auto& fabric : fabrics)
    {
        Require(InterconnectHelper::CheckName(fabric));
        const auto helper = InterconnectHelper::Create(fabric);
        if (auto* circuits = dynamic_cast<CircuitFabricHelper*>(helper.get()))
        {
            types.push_back(ChooseAlgorithm(*circuits));
            for (const auto& algorithm : circuits->GetAlgorithms())
            {
                known.insert(algorithm.name);
            }
            lists.push_back(fabric + " has " + ListAlgorithms(fabric));
        }
    }
    for (const auto& name : m_allocators)
    {
        if (known.count(name) == 0)
        {
            throw std::invalid_argument(
                "There is no allocator '" + name +
                "': " + (lists.empty() ? "the fabric has no circuits" : JoinList(lists, "; ")));
        }
    }
    for (const auto& setting : m_settings)
    {
        if (types.empty())
        {
            throw std::invalid_argument("--attribute needs a fabric of circuits");
        }
        const std::string name = setting.substr(0, setting.find('='));
        TypeId::AttributeInformation attribute;
        const auto owner = std::find_if(types.begin(), types.end(), [&](TypeId type) {
            return type.LookupAttributeByName(name, &attribute);
        });
        ParseAttribute(owner == types.end() ? types.front() : *owner, setting);
    }
    CheckRange("switches", m_switches, 0, 1000000);
    GetTrigger();
    if (m_attributes.IsChanged("fibreByFibre") && m_attributes.GetText("pauseMode") != "partial")
    {
        throw std::invalid_argument("--fibreByFibre needs --pauseMode=partial, as otherwise all "
                                    "fibres go dark whenever one is switched");
    }
    const bool hasGrid = std::find(fabrics.begin(), fabrics.end(), "oddl") != fabrics.end();
    if (!GetFaults().empty() && ((known.empty() && !hasGrid) || nNodes < 2))
    {
        throw std::invalid_argument("--fail needs a fabric of circuits, sip-ring or sip-ocs, or "
                                    "oddl, with 2 nodes at least");
    }
}

void
CircuitOptions::ConfigureRate(CircuitFabricHelper& fabric) const
{
    if (!m_wavelengthRate.empty())
    {
        fabric.SetWavelengthRate(ParseRate(m_wavelengthRate));
    }
}

void
CircuitOptions::Configure(CircuitFabricHelper& fabric, int64_t nNodes) const
{
    m_attributes.Apply("OpticalChannel", [&fabric](const auto& name, const auto& value) {
        fabric.SetChannelAttribute(name, value);
    });
    ConfigureController(fabric);
    const auto mode = ParseWavelengthMode(m_wavelengthMode);
    if (auto* ring = dynamic_cast<SipRingHelper*>(&fabric))
    {
        ring->SetWavelengthMode(mode);
    }
    if (auto* switches = dynamic_cast<SipOcsHelper*>(&fabric); switches && m_switches > 0)
    {
        switches->SetNSwitches(static_cast<uint32_t>(m_switches));
    }
    const TypeId type = ChooseAlgorithm(fabric);
    for (const auto& setting : m_settings)
    {
        TypeId::AttributeInformation attribute;
        if (type.LookupAttributeByName(setting.substr(0, setting.find('=')), &attribute))
        {
            const auto [name, value] = ParseAttribute(type, setting);
            fabric.HasScheduler() ? fabric.SetSchedulerAttribute(name, StringValue(value))
                                  : fabric.SetAllocatorAttribute(name, StringValue(value));
        }
    }
    CheckFaults(fabric, nNodes);
    Require(fabric.CheckController(static_cast<uint32_t>(nNodes)));
}

void
CircuitOptions::ConfigureController(CircuitFabricHelper& fabric) const
{
    m_attributes.Apply("CircuitController", [&fabric](const auto& name, const auto& value) {
        fabric.SetControllerAttribute(name, value);
    });
    if (GetTrigger() == "periodic")
    {
        fabric.SetControllerAttribute("Trigger", StringValue("Periodic"));
    }
    if (m_decisionTime == "measured")
    {
        fabric.SetControllerAttribute("MeasureDecisionTime", BooleanValue(true));
    }
    else
    {
        fabric.SetControllerAttribute("DecisionTime", TimeValue(ParseTime(m_decisionTime)));
    }
}

TypeId
CircuitOptions::ChooseAlgorithm(CircuitFabricHelper& fabric) const
{
    const auto algorithms = fabric.GetAlgorithms();
    CircuitAlgorithm chosen = algorithms.front();
    for (const auto& name : m_allocators)
    {
        const auto found =
            std::find_if(algorithms.begin(), algorithms.end(), [&name](const auto& algorithm) {
                return algorithm.name == name;
            });
        if (found != algorithms.end())
        {
            chosen = *found;
            break;
        }
    }
    fabric.SetAlgorithm(chosen.name);
    if (auto* switches = dynamic_cast<SipOcsHelper*>(&fabric))
    {
        switches->SetDuplex(chosen.name == "duplex");
    }
    return TypeId::LookupByName(chosen.type);
}

void
CircuitOptions::CheckFaults(const FabricHelper& fabric, int64_t nNodes) const
{
    const auto faults = GetFaults();
    if (!faults.empty())
    {
        Require(fabric.Check(static_cast<uint32_t>(nNodes)));
    }
    for (const Fault& fault : faults)
    {
        Require(fabric.CheckComponent(fault.component, static_cast<uint32_t>(nNodes)));
    }
}

bool
CircuitOptions::HasInitialSwitching() const
{
    return !m_attributes.IsChanged("initialSwitching");
}

void
CircuitOptions::ScheduleFaults(Ptr<FabricChannel> channel) const
{
    const auto faults = channel && channel->CanFail() ? GetFaults() : std::vector<Fault>();
    for (const Fault& fault : faults)
    {
        Simulator::Schedule(fault.time,
                            &FabricChannel::SetFailed,
                            channel,
                            fault.component,
                            fault.failed);
    }
}

bool
CircuitOptions::DecidesOnce() const
{
    return GetTrigger() == "once";
}

std::vector<CircuitOptions::Fault>
CircuitOptions::GetFaults() const
{
    std::vector<Fault> faults;
    for (const auto& text : m_faults)
    {
        const std::size_t at = text.find('@');
        if (at == std::string::npos)
        {
            throw std::invalid_argument("'" + text +
                                        "' is not a failure: write it like segment:3:cw@2ms, or "
                                        "+segment:3:cw@5ms for its repair");
        }
        Fault fault;
        fault.failed = text[0] != '+';
        const std::size_t begin = fault.failed ? 0 : 1;
        fault.component = text.substr(begin, at - begin);
        fault.time = ParseTime(text.substr(at + 1));
        faults.push_back(fault);
    }
    return faults;
}

std::string
CircuitOptions::GetTrigger() const
{
    const bool isPeriodic = !ParseTime(m_attributes.GetText("decisionInterval")).IsZero();
    const std::string trigger = m_attributes.GetText("trigger");
    if (trigger == "periodic" && !isPeriodic)
    {
        throw std::invalid_argument("--trigger=periodic needs a --decisionInterval above 0s");
    }
    return !trigger.empty() ? trigger : isPeriodic ? "periodic" : "once";
}
