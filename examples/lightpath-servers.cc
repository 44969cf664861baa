/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @ingroup lightpath
 * Shows how to put servers below circuits: a ServerHelper, and a job on rails of circuit switches.
 *
 * 8 GPUs share a server. Tensor parallelism stays inside, over NVLink; gradients go to the GPUs of
 * the same index of other servers, over the bank of circuit switches that these GPUs share: a rail.
 * One bank for all GPUs is as fast but needs switches of 64 ports instead of 8. One card of a
 * GPU's rate for all GPUs of a server is the cheapest, and the slowest.
 *
 * Run it by ./ns3 run "lightpath-servers --server=dgx-h100" in a tree of ns-3, or else by
 * build/lightpath-servers --server=dgx-h100.
 */

#include "ns3/accelerator.h"
#include "ns3/core-module.h"
#include "ns3/fabric-description.h"
#include "ns3/fixed-planner.h"
#include "ns3/model-zoo.h"
#include "ns3/network-module.h"
#include "ns3/planning-problem.h"
#include "ns3/server-helper.h"
#include "ns3/server-preset.h"
#include "ns3/sip-ocs-helper.h"
#include "ns3/training-helper.h"
#include "ns3/training-report.h"

#include <iomanip>
#include <iostream>
#include <memory>
#include <utility>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

constexpr uint32_t N = 64; //!< GPUs

/**
 * @param fabric the servers, and what joins them
 * @return a plan: each layer of GPT-2 XL is split over a server, and each server is a replica
 */
TrainingPlan
MakePlan(const ServerHelper& fabric)
{
    PlanningProblem problem;
    problem.graph = ModelZoo::Create("gpt2-xl:layers=12");
    problem.accelerator = Accelerator::Create("H100");
    problem.gpus = N;
    problem.globalBatch = N;
    problem.fabric = FabricDescription::Create(fabric)->GetLimits(N);
    const auto planner = CreateObject<FixedPlanner>();
    planner->SetAttribute("TensorParallel", UintegerValue(8));
    return planner->Plan(problem);
}

/**
 * Run the job, and print what an iteration takes.
 *
 * @param server the name of a preset of servers
 * @param attach how GPUs are attached to circuit switches
 * @param rate the rate of a GPU to other servers; 0 for that of the preset
 */
void
Train(const std::string& server, const std::string& attach, DataRate rate)
{
    auto switches = std::make_unique<SipOcsHelper>();
    switches->SetNSwitches(4);
    ServerHelper fabric(std::move(switches));
    ServerPreset::Get(server).Configure(fabric);
    if (rate > DataRate(0))
    {
        fabric.SetBandwidth(rate);
    }
    fabric.SetAttach(AttachName::Find(attach));
    fabric.SetCardRate(fabric.GetBandwidth());
    NodeContainer nodes;
    nodes.Create(N);
    const NetDeviceContainer devices = fabric.Install(nodes);
    const ServerDevices parts = fabric.Split(devices);

    // The same as training.Install(plan, fabric, devices), with a look at what there is
    TrainingHelper training;
    training.SetJobAttribute("Iterations", UintegerValue(2));
    const auto job =
        training.InstallServers(MakePlan(fabric), parts, fabric.CreateControllers(parts));
    Simulator::Run();
    const TrainingReport report(TrainingHelper::GetJob(job));
    Simulator::Destroy();
    std::cout << std::left << std::setw(8) << attach << std::right << std::setw(8)
              << parts.rails.size() << std::setw(8) << parts.rails.front().GetN() << std::fixed
              << std::setprecision(2) << std::setw(11) << report.GetSteadySeconds() * 1e3 << " ms"
              << std::setw(12) << 100.0 * report.insideBytes / static_cast<double>(report.bytesSent)
              << " %\n";
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
    std::string server = "dgx-h100";
    DataRate rate(0);
    Time::SetResolution(Time::PS);
    CommandLine cmd(__FILE__);
    cmd.Usage("Train on servers that circuit switches join.");
    cmd.AddValue("server", "Preset of servers", server);
    cmd.AddValue("bandwidth", "Rate of a GPU to other servers; default: that of the preset", rate);
    cmd.Parse(argc, argv);

    std::cout << "Attach   Fabrics   Ports   Iteration  Bytes inside  (times are not validated)\n";
    for (const std::string attach : {"rail", "gpu", "server"})
    {
        Train(server, attach, rate);
    }
    return 0;
}
