/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "circuit-options.h"

#include "example-support.h"

#include "ns3/boolean.h"
#include "ns3/optical-channel.h"
#include "ns3/simulator.h"
#include "ns3/sip-ocs-helper.h"
#include "ns3/sip-ring-helper.h"
#include "ns3/string.h"
#include "ns3/wss-grid-channel.h"

#include <algorithm>
#include <set>
#include <stdexcept>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/**
 * @param type a type
 * @return the names of its attributes, separated by commas
 */
std::string
ListAttributes(TypeId type)
{
    std::string names;
    for (; type != Object::GetTypeId(); type = type.GetParent())
    {
        for (std::size_t i = 0; i < type.GetAttributeN(); ++i)
        {
            names += (names.empty() ? "" : ", ") + type.GetAttribute(i).name;
        }
    }
    return names.empty() ? "none" : names;
}

} // namespace

std::string
JoinAttributes(int argc, char* argv[])
{
    const std::string option = "--attribute=";
    std::string joined;
    for (int i = 1; i < argc; ++i)
    {
        const std::string argument = argv[i];
        if (argument.compare(0, option.size(), option) == 0)
        {
            joined += (joined.empty() ? "" : ",") + argument.substr(option.size());
        }
    }
    return joined;
}

std::pair<std::string, std::string>
ParseAttribute(TypeId type, const std::string& setting)
{
    const std::size_t equals = std::min(setting.find('='), setting.size());
    const std::string name = setting.substr(0, equals);
    TypeId::AttributeInformation attribute;
    if (equals == setting.size())
    {
        throw std::invalid_argument("'" + setting +
                                    "' does not set an attribute: write it like Name=Value");
    }
    if (!type.LookupAttributeByName(name, &attribute))
    {
        throw std::invalid_argument("A " + type.GetName() + " has no attribute '" + name +
                                    "': the known ones are " + ListAttributes(type));
    }
    const std::string value = setting.substr(equals + 1);
    if (attribute.checker->GetValueTypeName() == "ns3::TimeValue")
    {
        ParseTime(value); // ns-3 would end the program
    }
    if (!attribute.checker->CreateValidValue(StringValue(value)))
    {
        throw std::invalid_argument("'" + value + "' is no value of the attribute " + name +
                                    " of a " + type.GetName());
    }
    return {name, value};
}

void
CircuitOptions::AddTo(CommandLine& cmd)
{
    cmd.AddValue("reconfigurationDelay",
                 "Darkness while circuits are switched, like 25us; default by fabric",
                 m_reconfigurationDelay);
    cmd.AddValue("allocator",
                 "What decides on circuits; sip-ring: " + ListAlgorithms("sip-ring") +
                     "; sip-ocs: " + ListAlgorithms("sip-ocs") +
                     "; of several, each fabric takes the first that it knows",
                 m_allocator);
    cmd.AddValue("attribute",
                 "Attributes of the allocator, like FillLeftover=false; may be given again",
                 m_attributes);
    cmd.AddValue("trigger",
                 "What decisions after the first wait for: once (there are none), periodic, phase; "
                 "default: periodic if there is a decisionInterval, else once",
                 m_trigger);
    cmd.AddValue("decisionInterval",
                 "Time that circuits serve between decisions, like 100us",
                 m_decisionInterval);
    cmd.AddValue("demandSource",
                 "What decisions after the first are made for: planned, backlog, phase",
                 m_demandSource);
    cmd.AddValue("decisionTime",
                 "Time that a decision takes, like 10us, or measured",
                 m_decisionTime);
    cmd.AddValue("pauseMode",
                 "What is dark while circuits are switched: global (all), partial (what changes)",
                 m_pauseMode);
    cmd.AddValue("frameCut",
                 "What becomes of frames that darkness meets: resume (later), finish (before)",
                 m_frameCut);
    cmd.AddValue("wavelengthMode",
                 "What a lightpath of the ring keeps: continuity (its wavelength), load-only",
                 m_wavelengthMode);
    cmd.AddValue("fibreByFibre",
                 "Switch the circuits of one fibre after those of another",
                 m_fibreByFibre);
    cmd.AddValue("wavelengthRate",
                 "Rate of a wavelength, like 50Gbps; default: 25Gbps",
                 m_wavelengthRate);
    cmd.AddValue("switches",
                 "Parallel circuit switches, which is the circuits of a GPU; 0: 20",
                 m_switches);
    cmd.AddValue("initialSwitching",
                 "Whether the first circuits take the darkness too",
                 m_initialSwitching);
    cmd.AddValue("fail",
                 "COMPONENT@TIME for a failure, +COMPONENT@TIME for its repair, separated by "
                 "commas, like segment:3:cw@2ms",
                 m_fail);
}

void
CircuitOptions::Check(const std::vector<std::string>& fabrics, int64_t nNodes) const
{
    std::set<std::string> known;
    std::string list;
    std::vector<TypeId> types;
    for (const auto& fabric : fabrics)
    {
        const auto helper = InterconnectHelper::Create(fabric);
        if (auto* circuits = dynamic_cast<CircuitFabricHelper*>(helper.get()))
        {
            types.push_back(ChooseAlgorithm(*circuits));
            for (const auto& algorithm : circuits->GetAlgorithms())
            {
                known.insert(algorithm.name);
            }
            list += (list.empty() ? "" : "; ") + fabric + " has " + ListAlgorithms(fabric);
        }
    }
    for (const auto& name : SplitList(m_allocator))
    {
        if (known.count(name) == 0)
        {
            throw std::invalid_argument("There is no allocator '" + name + "': " +
                                        (list.empty() ? "the fabric has no circuits" : list));
        }
    }
    for (const auto& setting : SplitList(m_attributes))
    {
        const std::string name = setting.substr(0, setting.find('='));
        const bool isKnown = std::any_of(types.begin(), types.end(), [&name](TypeId type) {
            TypeId::AttributeInformation attribute;
            return type.LookupAttributeByName(name, &attribute);
        });
        if (types.empty())
        {
            throw std::invalid_argument("--attribute needs a fabric of circuits");
        }
        if (!isKnown || name.size() == setting.size())
        {
            ParseAttribute(types.front(), setting);
        }
    }
    CheckRange("switches", m_switches, 0, 1000000);
    if (m_switches > 0 && std::find(fabrics.begin(), fabrics.end(), "sip-ocs") == fabrics.end())
    {
        throw std::invalid_argument(
            "--switches belongs to the fabric sip-ocs, which is not asked for");
    }
    if (m_fibreByFibre && m_pauseMode != "partial")
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
    if (!m_reconfigurationDelay.empty())
    {
        fabric.SetChannelAttribute("SwitchingDelay", TimeValue(ParseTime(m_reconfigurationDelay)));
    }
    const auto pause =
        ParseWord("pauseMode", m_pauseMode, {{"global", "Global"}, {"partial", "Partial"}});
    fabric.SetChannelAttribute("PauseMode", StringValue(pause));
    const auto cut =
        ParseWord("frameCut", m_frameCut, {{"resume", "Resume"}, {"finish", "Finish"}});
    fabric.SetChannelAttribute("FrameCut", StringValue(cut));
    fabric.SetChannelAttribute("InitialSwitching", BooleanValue(m_initialSwitching));
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
    for (const auto& setting : SplitList(m_attributes))
    {
        TypeId::AttributeInformation attribute;
        if (type.LookupAttributeByName(setting.substr(0, setting.find('=')), &attribute))
        {
            const auto [name, value] = ParseAttribute(type, setting);
            fabric.HasScheduler() ? fabric.SetSchedulerAttribute(name, StringValue(value))
                                  : fabric.SetAllocatorAttribute(name, StringValue(value));
        }
    }
    for (const Fault& fault : GetFaults())
    {
        fabric.CheckComponent(fault.component, nNodes);
    }
}

void
CircuitOptions::ConfigureController(CircuitFabricHelper& fabric) const
{
    fabric.SetControllerAttribute("Trigger", StringValue(GetTrigger()));
    const Time interval = ParseTime(m_decisionInterval);
    if (!interval.IsZero())
    {
        fabric.SetControllerAttribute("DecisionInterval", TimeValue(interval));
    }
    if (!m_demandSource.empty())
    {
        const auto source =
            ParseWord("demandSource",
                      m_demandSource,
                      {{"planned", "Planned"}, {"backlog", "Backlog"}, {"phase", "Phase"}});
        fabric.SetControllerAttribute("DemandSource", StringValue(source));
    }
    const bool isMeasured = m_decisionTime == "measured";
    fabric.SetControllerAttribute("MeasureDecisionTime", BooleanValue(isMeasured));
    fabric.SetControllerAttribute("DecisionTime",
                                  TimeValue(isMeasured ? Time(0) : ParseTime(m_decisionTime)));
    fabric.SetControllerAttribute("FibreByFibre", BooleanValue(m_fibreByFibre));
}

TypeId
CircuitOptions::ChooseAlgorithm(CircuitFabricHelper& fabric) const
{
    const auto algorithms = fabric.GetAlgorithms();
    CircuitAlgorithm chosen = algorithms.front();
    for (const auto& name : SplitList(m_allocator))
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
CircuitOptions::SetAttributes(int argc, char* argv[])
{
    m_attributes = JoinAttributes(argc, argv);
}

void
CircuitOptions::CheckGrid(const OddlHelper& oddl, int64_t nNodes) const
{
    for (const Fault& fault : GetFaults())
    {
        oddl.CheckComponent(fault.component, static_cast<uint32_t>(nNodes));
    }
}

bool
CircuitOptions::HasInitialSwitching() const
{
    return m_initialSwitching;
}

void
CircuitOptions::ScheduleFaults(Ptr<FabricChannel> channel) const
{
    if (const auto circuits = DynamicCast<OpticalChannel>(channel))
    {
        for (const Fault& fault : GetFaults())
        {
            Simulator::Schedule(fault.time,
                                &OpticalChannel::SetFailed,
                                circuits,
                                fault.component,
                                fault.failed);
        }
    }
    if (const auto grid = DynamicCast<WssGridChannel>(channel))
    {
        for (const Fault& fault : GetFaults())
        {
            Simulator::Schedule(fault.time,
                                &WssGridChannel::SetFailed,
                                grid,
                                fault.component,
                                fault.failed);
        }
    }
}

bool
CircuitOptions::DecidesOnce() const
{
    return GetTrigger() == "Once";
}

std::vector<CircuitOptions::Fault>
CircuitOptions::GetFaults() const
{
    std::vector<Fault> faults;
    for (const auto& text : SplitList(m_fail))
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
    const bool isPeriodic = !ParseTime(m_decisionInterval).IsZero();
    if (m_trigger.empty())
    {
        return isPeriodic ? "Periodic" : "Once";
    }
    const std::string trigger =
        ParseWord("trigger",
                  m_trigger,
                  {{"once", "Once"}, {"periodic", "Periodic"}, {"phase", "Phase"}});
    if (trigger == "Periodic" && !isPeriodic)
    {
        throw std::invalid_argument("--trigger=periodic needs a --decisionInterval above 0s");
    }
    return trigger;
}
