/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/accelerator.h"
#include "ns3/core-module.h"
#include "ns3/fabric-description.h"
#include "ns3/model-zoo.h"
#include "ns3/planning-problem.h"
#include "ns3/sip-ml-planner.h"
#include "ns3/sip-ring-helper.h"
#include "ns3/training-helper.h"
#include "ns3/training-report.h"

#include <iostream>

/**
 * @file
 * @ingroup lightpath
 * A training job on a ring of micro-ring resonators: the least that a script of your own needs.
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
    Time::SetResolution(Time::PS); // 1 ns would be 250 bytes at 2 Tb/s
    CommandLine cmd(__FILE__);
    cmd.Parse(argc, argv);

    // The fabric: 16 GPUs with 250 Gb/s each
    SipRingHelper fabric;
    fabric.SetBandwidth(DataRate("250Gbps"));
    const NodeContainer nodes(16);
    const NetDeviceContainer devices = fabric.Install(nodes);

    // The job: ResNet-50 with 1024 images an iteration, split over the GPUs by a planner
    const PlanningProblem problem{ModelZoo::Create("resnet50"),
                                  Accelerator::Create("A100"),
                                  FabricDescription::Create(fabric)->GetLimits(nodes.GetN()),
                                  nodes.GetN(),
                                  1024};
    TrainingHelper training;
    training.SetJobAttribute("Iterations", UintegerValue(3));
    const TrainingPlan plan = CreateObject<SipMlPlanner>()->Plan(problem);
    const auto job = training.Install(plan, devices, fabric.CreateController(devices));
    TrainingHelper::StopWhenFinished(job);
    Simulator::Run();
    TrainingReport report(TrainingHelper::GetJob(job));
    report.validation = Validation::ForTraining(problem.graph, plan.strategy, "A100");
    TrainingReport::PrintTable(std::cout, {report});
    Simulator::Destroy();
    return 0;
}
