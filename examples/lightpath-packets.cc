/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/accelerator.h"
#include "ns3/circuit-controller.h"
#include "ns3/core-module.h"
#include "ns3/fabric-description.h"
#include "ns3/fixed-planner.h"
#include "ns3/interconnect-helper.h"
#include "ns3/model-zoo.h"
#include "ns3/planning-problem.h"
#include "ns3/training-helper.h"
#include "ns3/training-report.h"

#include <iostream>

/**
 * @file
 * @ingroup lightpath
 * Trains a model, which may be one of a file, by packets of DCTCP over leaf and spine switches, by
 * flows over the same switches, and over circuits, and prints a line of CSV for each, with the time
 * of the clock and the error of such times. Packets take some seconds for each GB that all GPUs
 * send, so that a larger model takes minutes; EnableProgress() tells how far the job is.
 */

using namespace ns3;
using namespace ns3::lightpath;

/**
 * @param argc the number of arguments
 * @param argv the arguments
 * @return 0
 */
int
main(int argc, char* argv[])
{
    std::string model = "resnet50";
    uint32_t gpus = 8;
    DataRate rate("100Gbps");
    Time::SetResolution(Time::PS);
    CommandLine cmd(__FILE__);
    cmd.Usage("Compare packets, flows and circuits on one job.");
    cmd.AddValue("model", "Model of the zoo, or FILE.json", model);
    cmd.AddValue("gpus", "Number of GPUs", gpus);
    cmd.AddValue("bandwidth", "Rate of a GPU into the network", rate);
    cmd.Parse(argc, argv);

    std::cout << "network,iteration ms,exposed data ms,sent GB,packets,clock s,error\n";
    for (const std::string name : {"leaf-spine", "leaf-spine-flows", "sip-ocs"})
    {
        const auto fabric = InterconnectHelper::Create(name);
        fabric->SetBandwidth(rate);
        const NodeContainer nodes(gpus);
        const NetDeviceContainer devices = fabric->Install(nodes);

        PlanningProblem problem;
        problem.graph = ModelZoo::Create(model);
        problem.accelerator = Accelerator::Create("A100");
        problem.gpus = gpus;
        problem.globalBatch = 32 * gpus;
        problem.fabric = FabricDescription::Create(*fabric)->GetLimits(gpus);
        const auto planner = CreateObject<FixedPlanner>();

        TrainingHelper training;
        training.SetJobAttribute("Iterations", UintegerValue(2));
        if (name == "leaf-spine")
        {
            training.SetTransport("dctcp");
        }
        const TrainingPlan plan = planner->Plan(problem);
        const auto job = training.Install(plan, *fabric, devices);
        TrainingHelper::EnableProgress(job);
        TrainingHelper::StopWhenFinished(job);
        SystemWallClockMs clock;
        clock.Start();
        Simulator::Run();
        const TrainingReport report(TrainingHelper::GetJob(job));
        std::cout << name << "," << 1e3 * report.GetSteadySeconds() << ","
                  << 1e3 * report.exposedSeconds.at("data") << "," << 1e-9 * report.bytesSent << ","
                  << report.transport.packets << "," << 1e-3 * clock.End() << ","
                  << Validation::ForTraining(problem.graph, plan.strategy, "A100").GetText()
                  << std::endl;
        Simulator::Destroy();
    }
    return 0;
}
