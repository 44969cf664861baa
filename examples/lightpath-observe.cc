/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "example-support.h"
#include "observer.h"

#include "ns3/accelerator.h"
#include "ns3/boolean.h"
#include "ns3/bulk-send-helper.h"
#include "ns3/circuit-controller.h"
#include "ns3/command-line.h"
#include "ns3/config.h"
#include "ns3/error-model.h"
#include "ns3/fixed-planner.h"
#include "ns3/global-value.h"
#include "ns3/inet-socket-address.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/model-zoo.h"
#include "ns3/oddl-helper.h"
#include "ns3/on-off-helper.h"
#include "ns3/packet-sink-helper.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"
#include "ns3/sip-ring-helper.h"
#include "ns3/string.h"
#include "ns3/training-helper.h"
#include "ns3/uinteger.h"

#include <iostream>
#include <map>
#include <stdexcept>
#include <string>

/**
 * @file
 * @ingroup lightpath
 * Writes all that ns-3 observes of three scenarios to files (captures, ascii traces, flows), and
 * prints what the trace sources have counted, as JSON.
 */

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

constexpr uint16_t PORT = 9; //!< Where applications receive

/**
 * UDP over a circuit between two nodes, faster than the circuit and over a link that corrupts
 * frames: packets are lost for both reasons.
 *
 * @param observer watches it
 */
void
RunCircuit(Observer& observer)
{
    SipRingHelper ring;
    ring.SetBandwidth(DataRate("500Gbps"));
    ring.SetQueueAttribute("MaxSize", StringValue("200p"));
    ring.DisableFlowControl();
    NodeContainer nodes;
    nodes.Create(2);
    const auto devices = ring.Install(nodes);
    const auto interfaces = ring.AssignAddresses(devices);
    const auto errors = CreateObject<RateErrorModel>();
    errors->SetUnit(RateErrorModel::ERROR_UNIT_PACKET);
    errors->SetRate(0.02);
    devices.Get(1)->SetAttribute("ReceiveErrorModel", PointerValue(errors));
    observer.Watch(ring, devices);
    observer.WatchFlows(nodes);

    const InetSocketAddress sink(interfaces.GetAddress(1), PORT);
    PacketSinkHelper("ns3::UdpSocketFactory", sink).Install(nodes.Get(1));
    OnOffHelper source("ns3::UdpSocketFactory", sink);
    source.SetConstantRate(DataRate("600Gbps"), 1400);
    source.SetAttribute("MaxBytes", UintegerValue(7000000));
    source.Install(nodes.Get(0));
    TrafficMatrix demand(2);
    demand.Add(0, 1, 1);
    const auto controller = ring.CreateController(devices);
    Simulator::ScheduleNow(&CircuitController::Start, controller, demand);
    Simulator::Stop(MilliSeconds(10));
    Simulator::Run();
}

/**
 * TCP over a ring whose circuits change every 200 us between those of neighbours and those of nodes
 * that face each other, and in the end serve both. Queue discs are so short that they drop packets.
 *
 * @param observer watches it
 */
void
RunRing(Observer& observer)
{
    constexpr uint32_t n = 4;
    Config::SetDefault("ns3::FqCoDelQueueDisc::MaxSize", StringValue("10p"));
    SipRingHelper ring;
    ring.SetBandwidth(DataRate("500Gbps"));
    ring.SetChannelAttribute("SwitchingDelay", StringValue("20us"));
    ring.SetQueueAttribute("MaxSize", StringValue("10p"));
    NodeContainer nodes;
    nodes.Create(n);
    const auto devices = ring.Install(nodes);
    const auto interfaces = ring.AssignAddresses(devices);
    observer.Watch(ring, devices);
    observer.WatchFlows(nodes);

    TrafficMatrix demands[2] = {TrafficMatrix(n), TrafficMatrix(n)};
    TrafficMatrix both(n);
    for (uint32_t node = 0; node < n; ++node)
    {
        for (uint32_t hops = 1; hops <= 2; ++hops)
        {
            const uint32_t peer = (node + hops) % n;
            for (TrafficMatrix* demand : {&demands[hops - 1], &both})
            {
                demand->Add(node, peer, 100);
                demand->Add(peer, node, 1);
            }
            BulkSendHelper source("ns3::TcpSocketFactory",
                                  InetSocketAddress(interfaces.GetAddress(peer), PORT));
            source.SetAttribute("MaxBytes", UintegerValue(5000000));
            source.Install(nodes.Get(node));
        }
        PacketSinkHelper("ns3::TcpSocketFactory", InetSocketAddress(Ipv4Address::GetAny(), PORT))
            .Install(nodes.Get(node));
    }
    const auto controller = ring.CreateController(devices);
    for (uint32_t i = 0; i < 100; ++i)
    {
        Simulator::Schedule(i * MicroSeconds(200),
                            &CircuitController::Start,
                            controller,
                            demands[i % 2]);
    }
    Simulator::Schedule(MilliSeconds(20), &CircuitController::Start, controller, both);
    Simulator::Stop(Seconds(5));
    Simulator::Run();
}

/**
 * A training job over TCP on ODDL, whose control units speak UDP over a network of their own.
 *
 * @param observer watches it
 */
void
RunTraining(Observer& observer)
{
    OddlHelper grid;
    grid.SetBandwidth(DataRate("400Gbps"));
    PlanningProblem problem;
    problem.graph = ModelZoo::Create("transformer:layers=1,hidden=64,heads=4,vocabulary=1000");
    problem.accelerator = Accelerator::Create("A100");
    problem.gpus = 4;
    problem.globalBatch = 4;
    problem.fabric = grid.GetLimits(problem.gpus);
    const auto planner = CreateObject<FixedPlanner>();
    planner->SetAttribute("DataParallel", UintegerValue(problem.gpus));

    NodeContainer nodes;
    nodes.Create(problem.gpus);
    const auto devices = grid.Install(nodes);
    grid.AssignAddresses(devices);
    TrainingHelper training;
    training.SetTransport("ns3::lightpath::SocketTransport");
    training.Install(planner->Plan(problem), devices, nullptr);
    observer.Watch(grid, devices);
    observer.WatchPointToPoint(nodes);
    observer.WatchFlows(nodes);
    Simulator::Stop(Seconds(1));
    Simulator::Run();
}

/**
 * @param argc the number of arguments
 * @param argv the arguments
 */
void
Run(int argc, char* argv[])
{
    std::string scenario = "ring";
    std::string prefix = "observe";
    CommandLine cmd(__FILE__);
    cmd.Usage(
        "Write captures, ascii traces and flows, and count by trace sources what is in them.");
    cmd.AddValue("scenario", "circuit, ring or training", scenario);
    cmd.AddValue("prefix", "What the names of the files begin with", prefix);
    cmd.Parse(argc, argv);
    CheckArguments(argc, argv);
    const std::map<std::string, void (*)(Observer&)> scenarios = {
        {"circuit", &RunCircuit},
        {"ring", &RunRing},
        {"training", &RunTraining},
    };
    const auto run = scenarios.find(scenario);
    if (run == scenarios.end())
    {
        throw std::invalid_argument("There is no scenario '" + scenario +
                                    "': the known ones are circuit, ring, training");
    }

    // Packets take less than the microseconds of the usual captures
    Time::SetResolution(Time::PS);
    Config::SetDefault("ns3::PcapFileWrapper::NanosecMode", BooleanValue(true));
    Config::SetDefault("ns3::TcpSocket::SegmentSize", UintegerValue(8948));
    GlobalValue::Bind("ChecksumEnabled", BooleanValue(true));
    Observer observer(prefix);
    run->second(observer);
    std::cout << observer.Report().dump(2) << "\n";
    Simulator::Destroy();
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
    try
    {
        Run(argc, argv);
    }
    catch (const std::exception& error)
    {
        std::cerr << "lightpath-observe: " << error.what() << "\n";
        return 1;
    }
    return 0;
}
