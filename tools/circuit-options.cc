/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "circuit-options.h"

#include "graph-options.h"
#include "mixnet-options.h"
#include "option-values.h"
#include "server-options.h"

#include "ns3/boolean.h"
#include "ns3/hybrid-helper.h"
#include "ns3/link-graph-helper.h"
#include "ns3/oddl-helper.h"
#include "ns3/rdma-helper.h"
#include "ns3/server-helper.h"
#include "ns3/simulator.h"
#include "ns3/sip-ocs-helper.h"
#include "ns3/sip-ring-helper.h"
#include "ns3/string.h"

#include <algorithm>
#include <stdexcept>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/// The options that say when circuits turn, and for how long they are dark.
const std::vector<AttributeOption> TURN_OPTIONS = {
    {"reconfigurationDelay",
     "OpticalChannel::SwitchingDelay",
     "",
     "Darkness while circuits are switched, like 25us; default by fabric"},
    {"trigger",
     "CircuitController::Trigger",
     "",
     "When to reconfigure after the initial decision: once (never again), periodic, phase, "
     "operation (circuits follow messages and collectives); default: periodic with a "
     "decisionInterval, else once, or operation on photonic-rails"},
};

/// The options that set one other attribute of a channel or of a controller, but for those of the
/// ring.
const std::vector<AttributeOption> CIRCUIT_OPTIONS = {
    {"initialSwitching",
     "OpticalChannel::InitialSwitching",
     "true",
     "Whether the first circuits take the darkness, too",
     {"mixnet", "oddl", "photonic-rails", "sip-ocs", "sip-ring"}},
    {"pauseMode",
     "OpticalChannel::PauseMode",
     "global",
     "Lightpaths that are dark while circuits are switched: global (all), partial (those that "
     "change), lane (those that change, each on its own)"},
    {"frameCut",
     "OpticalChannel::FrameCut",
     "resume",
     "Frames that darkness interrupts: resume (after it), finish (before it)"},
    {"fibreByFibre",
     "CircuitController::FibreByFibre",
     "false",
     "Switch the circuits of one fibre after those of another"},
    {"decisionInterval",
     "CircuitController::DecisionInterval",
     "0s",
     "Time that circuits serve between periodic decisions, like 100us"},
    {"demandSource",
     "CircuitController::DemandSource",
     "",
     "Demand that later decisions serve; default: underway"},
};

/**
 * @return the names of the fabrics of circuits
 */
std::vector<std::string>
GetCircuitFabrics()
{
    std::vector<std::string> names;
    for (const auto& name : FabricHelper::GetNames())
    {
        if (dynamic_cast<CircuitFabricHelper*>(FabricHelper::Create(name).get()) != nullptr)
        {
            names.push_back(name);
        }
    }
    names.emplace_back(MixNetOptions::NAME);
    return names;
}

/**
 * @param interconnect an interconnect
 * @return its circuits, or those of its optical side; null if there are none
 */
CircuitFabricHelper*
FindCircuits(InterconnectHelper& interconnect)
{
    auto* const hybrid = dynamic_cast<HybridHelper*>(&interconnect);
    return dynamic_cast<CircuitFabricHelper*>(hybrid ? &hybrid->GetOptical() : &interconnect);
}

/**
 * @param interconnect an interconnect
 * @return its fabric, or that of its optical side, whose components can fail; null if none can
 */
const FabricHelper*
FindFailing(const InterconnectHelper& interconnect)
{
    const auto* const hybrid = dynamic_cast<const HybridHelper*>(&interconnect);
    const auto* const fabric =
        dynamic_cast<const FabricHelper*>(hybrid ? &hybrid->GetOptical() : &interconnect);
    const bool canFail = dynamic_cast<const CircuitFabricHelper*>(fabric) != nullptr ||
                         dynamic_cast<const OddlHelper*>(fabric) != nullptr ||
                         dynamic_cast<const LinkGraphHelper*>(fabric) != nullptr;
    return canFail ? fabric : nullptr;
}

} // namespace

std::string
ListAlgorithms(const std::string& fabric)
{
    const auto helper = InterconnectHelper::Create(fabric);
    std::vector<std::string> names;
    if (const auto* circuits = FindCircuits(*helper))
    {
        for (const auto& algorithm : circuits->GetAlgorithms())
        {
            names.push_back(algorithm.name);
        }
    }
    return JoinList(names);
}

CircuitAlgorithm
SetAlgorithm(CircuitFabricHelper& fabric,
             const std::string& name,
             const std::vector<std::string>& settings)
{
    Require(fabric.CheckAlgorithm(name));
    fabric.SetAlgorithm(name);
    if (auto* const switches = dynamic_cast<SipOcsHelper*>(&fabric))
    {
        switches->SetDuplex(name == "duplex");
    }
    const auto algorithms = fabric.GetAlgorithms();
    const auto algorithm = *std::find_if(algorithms.begin(),
                                         algorithms.end(),
                                         [&name](const auto& each) { return each.name == name; });
    const TypeId type = TypeId::LookupByName(algorithm.type);
    for (const auto& setting : settings)
    {
        if (HasAttribute(type, setting))
        {
            const auto [attribute, value] = ParseAttribute(type, setting);
            fabric.HasScheduler() ? fabric.SetSchedulerAttribute(attribute, StringValue(value))
                                  : fabric.SetAllocatorAttribute(attribute, StringValue(value));
        }
    }
    return algorithm;
}

const AttributeOption&
GetWavelengthMode()
{
    static const AttributeOption option = {"wavelengthMode",
                                           "MrrRingChannel::WavelengthMode",
                                           "continuity",
                                           "Whose wavelengths a lightpath may not use: continuity "
                                           "(those on its way), load-only (none: "
                                           "nodes convert them), exclusive (any)"};
    return option;
}

CircuitOptions::CircuitOptions()
    : m_ring({GetWavelengthMode(),
              {"amplifiers",
               "MrrRingChannel::Amplifiers",
               "true",
               "Whether each node makes up for its loss of the light that passes it"}}),
      m_banks({{"switchKind",
                "CircuitSwitchChannel::SwitchKind",
                "mems",
                "Kind of switch: mems, piezo, rotor, wss"}}),
      m_turns(TURN_OPTIONS),
      m_attributes(CIRCUIT_OPTIONS)
{
}

void
CircuitOptions::AddSwitches(ProgramOptions& options)
{
    options.BeginGroup("Fabric: circuit switches", {"photonic-rails", "sip-ocs"});
    options.AddValue("switches",
                     "Parallel circuit switches, as many as a GPU has circuits; 0: 20, or 1 on "
                     "photonic-rails",
                     m_switches,
                     0,
                     1000000);
    m_banks.AddTo(options);
}

void
CircuitOptions::AddTurns(ProgramOptions& options)
{
    AddSwitches(options);
    options.BeginGroup("Circuit control", {"photonic-rails", "sip-ocs"});
    m_turns.AddTo(options);
}

void
CircuitOptions::AddTo(ProgramOptions& options)
{
    const auto owners = GetCircuitFabrics();
    options.BeginGroup("Fabric: ring", owners);
    options.AddValue("wavelengthRate",
                     "Rate of a wavelength of the ring, or of a circuit switch, like 50Gbps; "
                     "default: 25Gbps",
                     "",
                     [this](const std::string& text) { m_wavelengthRate = ParseRate(text); });
    options.BeginGroup("Fabric: ring", {"sip-ring"});
    m_ring.AddTo(options);
    AddSwitches(options);
    options.BeginGroup("Circuit control", owners);
    options.AddList("allocator",
                    "Allocator or scheduler of circuits; sip-ring: " + ListAlgorithms("sip-ring") +
                        "; sip-ocs: " + ListAlgorithms("sip-ocs") +
                        "; of several, each fabric takes the first that it has",
                    m_allocators);
    options.AddList("attribute",
                    "Attribute of the allocator, like FillLeftover=false; may be given again",
                    m_settings);
    m_turns.AddTo(options);
    m_attributes.AddTo(options);
    options.AddValue("decisionTime",
                     "Time that a decision takes, like 10us, or measured",
                     "0s",
                     [this](const std::string& text) {
                         m_isMeasured = text == "measured";
                         m_decisionTime = m_isMeasured ? Time(0) : ParseTime(text);
                     });
    auto failing = owners;
    failing.push_back("oddl");
    options.BeginGroup("Circuit control", failing);
    options.AddValue("bringUp",
                     "What brings circuits up after they are switched: published (nothing more), "
                     "research (8.8 us), product (5.67 s)",
                     "published",
                     [this](const std::string& name) {
                         BringUp::Create(name);
                         m_bringUp = name;
                     });
    failing.push_back(ServerOptions::OWNER);
    failing.insert(failing.end(), FLOW_NETWORKS.begin(), FLOW_NETWORKS.end());
    const auto cards = RdmaHelper::GetCongestions();
    failing.insert(failing.end(), cards.begin(), cards.end());
    options.BeginGroup("Circuit control", failing);
    options.AddValue("fail",
                     "COMPONENT@TIME for a failure, +COMPONENT@TIME for its repair, separated by "
                     "commas, like segment:3:cw@2ms or switch:spine-0@1ms; of servers: "
                     "card:SERVER:CARD, rail:RAIL, scale-up:SERVER, rail:RAIL:COMPONENT",
                     "",
                     [this](const std::string& list) { AddFaults(list); });
}

void
CircuitOptions::Check(const std::vector<std::string>& fabrics, int64_t nNodes, bool hasParts) const
{
    std::vector<std::string> lists;
    std::vector<TypeId> types;
    auto unknown = m_allocators;
    for (const auto& fabric : fabrics)
    {
        Require(InterconnectHelper::CheckName(fabric));
        const auto helper = InterconnectHelper::Create(fabric);
        if (auto* const circuits = FindCircuits(*helper))
        {
            types.push_back(TypeId::LookupByName(ChooseAlgorithm(*circuits).type));
            lists.push_back(fabric + " has " + ListAlgorithms(fabric));
            const auto isKnown = [circuits](const auto& name) {
                return circuits->CheckAlgorithm(name).empty();
            };
            unknown.erase(std::remove_if(unknown.begin(), unknown.end(), isKnown), unknown.end());
        }
    }
    if (!unknown.empty())
    {
        throw std::invalid_argument(
            "There is no allocator '" + unknown.front() +
            "': " + (lists.empty() ? "the fabric has no circuits" : JoinList(lists, "; ")));
    }
    for (const auto& setting : m_settings)
    {
        if (types.empty())
        {
            throw std::invalid_argument("--attribute needs a fabric of circuits");
        }
        const auto owner = std::find_if(types.begin(), types.end(), [&setting](TypeId type) {
            return HasAttribute(type, setting);
        });
        ParseAttribute(owner == types.end() ? types.front() : *owner, setting);
    }
    GetTrigger();
    if (m_attributes.IsChanged("fibreByFibre") && m_attributes.GetText("pauseMode") != "partial")
    {
        throw std::invalid_argument("--fibreByFibre needs --pauseMode=partial, as otherwise all "
                                    "fibres go dark whenever one is switched");
    }
    const bool canFail =
        hasParts || std::any_of(fabrics.begin(), fabrics.end(), [](const auto& fabric) {
            return FindFailing(*InterconnectHelper::Create(fabric)) != nullptr;
        });
    if (!m_faults.empty() && (!canFail || nNodes < 2))
    {
        throw std::invalid_argument("--fail needs 2 GPUs at least and servers, or a fabric with "
                                    "components: sip-ring, sip-ocs, oddl, " +
                                    JoinList(FLOW_NETWORKS) +
                                    ", or RDMA like leaf-spine:dcqcn; an ideal switch and networks "
                                    "of TCP have none");
    }
}

void
CircuitOptions::Configure(CircuitFabricHelper& fabric, int64_t nNodes) const
{
    if (m_wavelengthRate)
    {
        fabric.SetWavelengthRate(*m_wavelengthRate);
    }
    const auto setChannel = [&fabric](const auto& name, const auto& value) {
        fabric.SetChannelAttribute(name, value);
    };
    const auto setController = [&fabric](const auto& name, const auto& value) {
        fabric.SetControllerAttribute(name, value);
    };
    m_turns.Apply("OpticalChannel", setChannel);
    m_attributes.Apply("OpticalChannel", setChannel);
    ConfigureBringUp(fabric);
    m_turns.Apply("CircuitController", setController);
    m_attributes.Apply("CircuitController", setController);
    if (GetTrigger() == "periodic")
    {
        setController("Trigger", StringValue("Periodic"));
    }
    if (m_isMeasured)
    {
        setController("MeasureDecisionTime", BooleanValue(true));
    }
    else
    {
        setController("DecisionTime", TimeValue(m_decisionTime));
    }
    if (dynamic_cast<SipRingHelper*>(&fabric))
    {
        m_ring.Apply("MrrRingChannel", setChannel);
    }
    if (auto* switches = dynamic_cast<SipOcsHelper*>(&fabric))
    {
        m_banks.Apply("CircuitSwitchChannel", setChannel);
        if (m_switches > 0)
        {
            switches->SetNSwitches(m_switches);
        }
    }
    const std::string refusal = fabric.CheckBandwidth();
    Require(refusal.empty() ? "" : refusal + " (--wavelengthRate)");
    ChooseAlgorithm(fabric);
    Require(fabric.CheckController(static_cast<uint32_t>(nNodes)));
}

CircuitAlgorithm
CircuitOptions::ChooseAlgorithm(CircuitFabricHelper& fabric) const
{
    const std::string first = fabric.GetAlgorithms().front().name;
    const auto own =
        std::find_if(m_allocators.begin(), m_allocators.end(), [&fabric](const auto& name) {
            return fabric.CheckAlgorithm(name).empty();
        });
    return SetAlgorithm(fabric, own == m_allocators.end() ? first : *own, m_settings);
}

void
CircuitOptions::CheckFaults(const InterconnectHelper& interconnect, int64_t nNodes) const
{
    const auto n = static_cast<uint32_t>(nNodes);
    const auto* const servers = dynamic_cast<const ServerHelper*>(&interconnect);
    const auto* const fabric = FindFailing(interconnect);
    const auto* const cards = dynamic_cast<const RdmaHelper*>(&interconnect);
    for (const Fault& fault : m_faults)
    {
        Require(servers  ? servers->CheckComponent(fault.component, n)
                : fabric ? fabric->CheckComponent(fault.component, n)
                : cards  ? cards->CheckComponent(fault.component, n)
                         : "");
    }
}

void
CircuitOptions::DisableInitialSwitching()
{
    m_attributes.Set("initialSwitching", "false");
}

bool
CircuitOptions::HasInitialSwitching() const
{
    return !m_attributes.IsChanged("initialSwitching");
}

void
CircuitOptions::ScheduleFaults(const FaultCallback& apply) const
{
    for (const Fault& fault : m_faults)
    {
        Simulator::Schedule(fault.time, [apply, fault] { apply(fault.component, fault.failed); });
    }
}

std::string
CircuitOptions::DescribeUnreached(Time end) const
{
    std::ostringstream text;
    for (const Fault& fault : m_faults)
    {
        if (fault.time > end)
        {
            text << (fault.failed ? "the failure" : "the repair") << " of " << fault.component
                 << " at " << fault.time.GetSeconds() << " s was not reached: the run ended at "
                 << end.GetSeconds() << " s\n";
        }
    }
    return text.str();
}

void
CircuitOptions::AwaitRepairs(Object& job) const
{
    Time last;
    for (const Fault& fault : m_faults)
    {
        last = std::max(last, fault.failed ? Time() : fault.time);
    }
    TimeValue patience;
    job.GetAttribute("StallTimeout", patience);
    job.SetAttribute("StallTimeout", TimeValue(patience.Get() + last));
}

bool
CircuitOptions::DecidesOnce() const
{
    return GetTrigger() == "once";
}

bool
CircuitOptions::KeepsCircuits() const
{
    const std::string trigger = GetTrigger();
    const std::string source = m_attributes.GetText("demandSource");
    return trigger == "periodic" && (source.empty() || source == "underway");
}

bool
CircuitOptions::ServesInTurn() const
{
    return GetTrigger() == "periodic" && m_attributes.GetText("demandSource") != "planned";
}

void
CircuitOptions::AddFaults(const std::string& list)
{
    for (const auto& text : SplitList(list))
    {
        const std::size_t at = text.find('@');
        if (at == std::string::npos)
        {
            throw std::invalid_argument("'" + text +
                                        "' is not a failure: write it like segment:3:cw@2ms, or "
                                        "+segment:3:cw@5ms for its repair");
        }
        const std::size_t begin = text[0] == '+' ? 1 : 0;
        m_faults.push_back(
            {text.substr(begin, at - begin), begin == 0, ParseTime(text.substr(at + 1))});
    }
}

std::string
CircuitOptions::GetTrigger() const
{
    const bool isPeriodic = !ParseTime(m_attributes.GetText("decisionInterval")).IsZero();
    const std::string trigger = m_turns.GetText("trigger");
    if (trigger == "periodic" && !isPeriodic)
    {
        throw std::invalid_argument("--trigger=periodic needs a --decisionInterval above 0s");
    }
    return !trigger.empty() ? trigger : isPeriodic ? "periodic" : "once";
}
