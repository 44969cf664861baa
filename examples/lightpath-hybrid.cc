/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @ingroup lightpath
 * Shows how to put an electrical network beside circuits: a HybridHelper, and a job that chooses a
 * side for each message.
 *
 * Each node has a circuit to one other node at a time, and a slow network card. Most messages are
 * small and would wait for circuits to be switched; most bytes are in a few large messages, which
 * would hold up the card. The best is to send the small ones over the card.
 *
 * Run it in a tree of ns-3 by
 *     ./ns3 run "lightpath-hybrid --smallMessage=100000"
 * or else by build/lightpath-hybrid --smallMessage=100000.
 */

#include "ns3/core-module.h"
#include "ns3/lightpath-module.h"
#include "ns3/network-module.h"

#include <iomanip>
#include <iostream>
#include <memory>
#include <utility>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

constexpr uint32_t N = 8; //!< Nodes

/**
 * @return a plan: ResNet-50 with a replica on each node; each of 107 gradients is summed by itself,
 *         in messages of a half, a quarter and an eighth of its size to three other nodes
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
 * Run the job, and print the time of an iteration and the share of the card.
 *
 * @param name a name for the small messages
 * @param small the largest message that goes electrically, bytes
 * @param wait how long larger ones wait for a circuit before they go electrically, too
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
    const NetDeviceContainer devices = fabric.Install(NodeContainer(N));

    // Every 100 us circuits are switched for the messages that wait
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
 * @return 0
 */
int
main(int argc, char* argv[])
{
    uint64_t small = 100000;
    Time wait = MilliSeconds(10);
    DataRate card("10Gbps");
    Time::SetResolution(Time::PS);
    CommandLine cmd(__FILE__);
    cmd.Usage("Train over circuits with a slow network card beside them.");
    cmd.AddValue("smallMessage", "Largest message that goes electrically, bytes", small);
    cmd.AddValue("waitLimit", "Time that larger ones wait for a circuit", wait);
    cmd.AddValue("nicBandwidth", "Rate of the network card of a node", card);
    cmd.Parse(argc, argv);

    std::cout << "Small messages      Iteration  Messages on card  Bytes on card  (times are not "
                 "validated)\n";
    Train("none", 0, wait, card);
    Train(std::to_string(small), small, wait, card);
    Train("all", UINT64_MAX, wait, card);
    return 0;
}
