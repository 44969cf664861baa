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

#include <set>
#include <stdexcept>

using namespace ns3;
using namespace ns3::lightpath;

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
    for (const auto& fabric : fabrics)
    {
        const auto helper = FabricHelper::Create(fabric);
        if (const auto* circuits = dynamic_cast<CircuitFabricHelper*>(helper.get()))
        {
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
    if (m_fibreByFibre && m_pauseMode != "partial")
    {
        throw std::invalid_argument("--fibreByFibre needs --pauseMode=partial, as otherwise all "
                                    "fibres go dark whenever one is switched");
    }
    if (!GetFaults().empty() && (known.empty() || nNodes < 2))
    {
        throw std::invalid_argument("--fail needs a fabric of circuits, sip-ring or sip-ocs, with "
                                    "2 nodes at least");
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
    ConfigureController(fabric);
    const auto mode = ParseWavelengthMode(m_wavelengthMode);
    if (auto* ring = dynamic_cast<SipRingHelper*>(&fabric))
    {
        ring->SetWavelengthMode(mode);
    }
    ChooseAlgorithm(fabric);
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

void
CircuitOptions::ChooseAlgorithm(CircuitFabricHelper& fabric) const
{
    for (const auto& name : SplitList(m_allocator))
    {
        for (const auto& algorithm : fabric.GetAlgorithms())
        {
            if (algorithm.name == name)
            {
                fabric.SetAlgorithm(name);
                if (auto* switches = dynamic_cast<SipOcsHelper*>(&fabric))
                {
                    switches->SetDuplex(name == "duplex");
                }
                return;
            }
        }
    }
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
