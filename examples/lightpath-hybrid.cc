/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "tools/example-support.h"

#include "ns3/accelerator.h"
#include "ns3/circuit-controller.h"
#include "ns3/command-line.h"
#include "ns3/electrical-switch-helper.h"
#include "ns3/fixed-planner.h"
#include "ns3/hybrid-helper.h"
#include "ns3/model-zoo.h"
#include "ns3/node-container.h"
#include "ns3/simulator.h"
#include "ns3/sip-ocs-helper.h"
#include "ns3/string.h"
#include "ns3/training-helper.h"
#include "ns3/training-report.h"
#include "ns3/uinteger.h"

#include <iomanip>
#include <iostream>
#include <memory>
#include <utility>

/**
 * @file
 * @ingroup lightpath
 * Nodes with an optical device, which has a circuit to one other node at a time, and a slow network
 * card beside it. Most messages are small, and each would wait for circuits to be switched; most
 * bytes are in the few large ones, which would hold the card up.
 */

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

constexpr uint32_t N = 8; //!< Nodes

/**
 * @return a plan: ResNet-50 with a replica on each node, where each of 107 gradients is summed by
 *         itself, in messages to three other nodes of a half, a quarter and an eighth of its size
 */
TrainingPlan
MakePlan()
{
    PlanningProblem problem;
    problem.graph = ModelZoo::Create("resnet50");
    problem.accelerator = Accelerator::Create("A100");
    problem.gpus = N;
    problem.globalBatch = 8 * N;
    problem.fabric.bitRate = 400e9;
    const auto planner = CreateObject<FixedPlanner>();
    planner->SetAttribute("DataAlgorithm", StringValue("HalvingDoubling"));
    planner->SetAttribute("BucketBytes", UintegerValue(0));
    return planner->Plan(problem);
}

/**
 * Run the job, and print what it took and how much went electrically.
 *
 * @param name what to call the small messages
 * @param small bytes of a message that goes electrically, at most
 * @param wait how long other ones wait for a circuit
 * @param card the rate of the network card of a node
 */
void
Train(const std::string& name, uint64_t small, Time wait, DataRate card)
{
    auto optical = std::make_unique<SipOcsHelper>();
    optical->SetNSwitches(1);
    optical->SetBandwidth(DataRate("400Gbps"));
    optical->SetChannelAttribute("SwitchingDelay", TimeValue(MicroSeconds(10)));
    auto electrical = std::make_unique<ElectricalSwitchHelper>();
    electrical->SetBandwidth(card);
    const HybridHelper fabric(std::move(optical), std::move(electrical));
    NodeContainer nodes;
    nodes.Create(N);
    const NetDeviceContainer devices = fabric.Install(nodes);

    // Every 100 us circuits are switched for what waits
    const auto controller = fabric.CreateController(devices);
    controller->SetAttribute("Trigger", StringValue("Periodic"));
    controller->SetAttribute("DemandSource", StringValue("Backlog"));
    controller->SetAttribute("DecisionInterval", TimeValue(MicroSeconds(100)));

    TrainingHelper training;
    training.SetHybridAttribute("SmallMessage", UintegerValue(small));
    training.SetHybridAttribute("WaitLimit", TimeValue(wait));
    const auto job = training.InstallHybrid(MakePlan(),
                                            HybridHelper::GetOpticalDevices(devices),
                                            HybridHelper::GetElectricalDevices(devices),
                                            controller);
    Simulator::Run();
    const TrainingReport report(TrainingHelper::GetJob(job), nullptr);
    Simulator::Destroy();
    const TransportStatistics& ways = report.transport;
    const double messages = ways.electricalMessages + ways.opticalMessages;
    const double bytes = ways.electricalBytes + ways.opticalBytes;
    std::cout << std::left << std::setw(14) << name << std::right << std::fixed
              << std::setprecision(2) << std::setw(12) << report.GetSteadySeconds() * 1e3 << " ms"
              << std::setw(14) << 100 * ways.electricalMessages / messages << " %" << std::setw(13)
              << 100 * ways.electricalBytes / bytes << " %\n";
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
    std::string small = "100kB";
    std::string wait = "10ms";
    std::string card = "10Gbps";
    Time::SetResolution(Time::PS);
    CommandLine cmd(__FILE__);
    cmd.Usage("Train over circuits with a slow network card beside them.");
    cmd.AddValue("smallMessage", "Bytes of a message that goes electrically, at most", small);
    cmd.AddValue("waitLimit", "How long other ones wait for a circuit", wait);
    cmd.AddValue("nicBandwidth", "Rate of the network card of a node", card);
    cmd.Parse(argc, argv);
    try
    {
        CheckArguments(argc, argv);
        const Time limit = ParseTime(wait);
        const DataRate rate = ParseRate(card);
        const uint64_t threshold = ParseBytes(small);
        std::cout << "Small messages      Iteration  Messages on card  Bytes on card\n";
        Train("none", 0, limit, rate);
        Train(small, threshold, limit, rate);
        Train("all", UINT64_MAX, limit, rate);
    }
    catch (const std::exception& error)
    {
        std::cerr << "lightpath-hybrid: " << error.what() << "\n";
        return 1;
    }
    return 0;
}
