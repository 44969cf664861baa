/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "observed-scenarios.h"
#include "output-files.h"
#include "program-options.h"
#include "trace-counter.h"

#include "ns3/boolean.h"
#include "ns3/config.h"
#include "ns3/flow-monitor-helper.h"
#include "ns3/global-value.h"
#include "ns3/point-to-point-helper.h"
#include "ns3/point-to-point-net-device.h"
#include "ns3/simulator.h"

#include <nlohmann/json.hpp>
#include <string>

/**
 * @file
 * @ingroup lightpath
 * Observes a fabric as any other network of ns-3: by captures, ascii traces and FlowMonitor. Counts
 * the same events by trace sources, and writes the counts as JSON.
 */

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/**
 * @param nodes nodes
 * @return their devices on point-to-point links, such as a control network
 */
NetDeviceContainer
GetLinks(const NodeContainer& nodes)
{
    NetDeviceContainer links;
    for (auto node = nodes.Begin(); node != nodes.End(); ++node)
    {
        for (uint32_t i = 0; i < (*node)->GetNDevices(); ++i)
        {
            if (DynamicCast<PointToPointNetDevice>((*node)->GetDevice(i)))
            {
                links.Add((*node)->GetDevice(i));
            }
        }
    }
    return links;
}

/**
 * Simulate a scenario, and write captures, traces and flows.
 *
 * @param scenario the scenario
 * @param prefix the beginning of the names of the files
 * @return the counts of trace sources
 */
nlohmann::ordered_json
Observe(const Scenario& scenario, const std::string& prefix)
{
    // Captures and ascii traces: a fabric has the functions that helpers of ns-3 have
    const NetDeviceContainer links = GetLinks(scenario.nodes);
    scenario.fabric->EnablePcap(prefix, scenario.devices, true);
    scenario.fabric->EnableAscii(prefix, scenario.devices);
    PointToPointHelper().EnablePcap(prefix, links, true);
    PointToPointHelper().EnableAscii(prefix, links);

    // Flows: after the addresses, with which nodes get their queue discs
    FlowMonitorHelper flows;
    const auto monitor = flows.Install(scenario.nodes);

    // Trace sources
    TraceCounter counter;
    counter.Watch(prefix, scenario.devices);
    counter.Watch(prefix, links);

    Simulator::Stop(scenario.end);
    Simulator::Run();
    monitor->CheckForLostPackets(Time(0));
    monitor->SerializeToXmlFile(prefix + "-flows.xml", false, false);
    auto counts = counter.Report(*monitor);
    Simulator::Destroy();
    return counts;
}

} // namespace

/**
 * @param argc the number of arguments
 * @param argv the arguments
 * @return 1 after a sentence that says which argument is wrong, else 0
 */
int
main(int argc, char* argv[])
{
    std::string name = "ring";
    std::string prefix = "observe";
    std::string json = "-";
    ProgramOptions cmd("lightpath-observe",
                       "Write captures, ascii traces and flows, and count by trace sources what is "
                       "in them.");
    cmd.AddValue("scenario", "Network to observe: circuit, ring, training", name);
    cmd.AddValue("prefix", "Beginning of the names of captures and traces", prefix);
    cmd.AddValue("json", "File for the counts as JSON; - for standard output", json);

    // Packets take less than the microseconds of the usual captures
    Time::SetResolution(Time::PS);
    Config::SetDefault("ns3::PcapFileWrapper::NanosecMode", BooleanValue(true));
    GlobalValue::Bind("ChecksumEnabled", BooleanValue(true));
    return cmd.Run(argc, argv, [&] {
        CheckWritable(prefix + "-flows.xml");
        CheckWritable(json);
        WriteJson(Observe(MakeScenario(name), prefix), json);
    });
}
