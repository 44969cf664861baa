/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @ingroup lightpath
 * Shows how to save all attributes of a simulation to a file, to edit them, and to load them: a
 * training job on a ring, with the defaults of types and the attributes of each device, fabric,
 * controller and rank.
 *
 * Run it in a tree of ns-3 by
 *     ./ns3 run "lightpath-config --ns3::ConfigStore::Mode=Save
 *         --ns3::ConfigStore::FileFormat=RawText --ns3::ConfigStore::Filename=ring.txt"
 * or else by build/lightpath-config; then edit the file and run it with Mode=Load.
 */

#include "ns3/accelerator.h"
#include "ns3/command-line.h"
#include "ns3/config-store.h"
#include "ns3/fabric-description.h"
#include "ns3/fixed-planner.h"
#include "ns3/model-zoo.h"
#include "ns3/planning-problem.h"
#include "ns3/simulator.h"
#include "ns3/sip-ring-helper.h"
#include "ns3/training-helper.h"
#include "ns3/training-report.h"
#include "ns3/uinteger.h"

#include <iostream>

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
    CommandLine cmd(__FILE__);
    cmd.Usage("Save the attributes of a training job on a ring by\n"
              "    --ns3::ConfigStore::Mode=Save --ns3::ConfigStore::FileFormat=RawText\n"
              "    --ns3::ConfigStore::Filename=ring.txt\n"
              "edit the file, and run with Mode=Load.");
    cmd.Parse(argc, argv);

    // Defaults are read before there are objects, and the attributes of objects once there are
    ConfigStore store;
    store.ConfigureDefaults();

    SipRingHelper ring;
    PlanningProblem problem;
    problem.graph = ModelZoo::Create("resnet50");
    problem.accelerator = Accelerator::Create("A100");
    problem.gpus = 4;
    problem.globalBatch = 64;
    problem.fabric = FabricDescription::Create(ring)->GetLimits(problem.gpus);
    const auto planner = CreateObject<FixedPlanner>();
    planner->SetAttribute("DataParallel", UintegerValue(problem.gpus));

    NodeContainer nodes;
    nodes.Create(problem.gpus);
    const auto devices = ring.Install(nodes);
    const auto job =
        TrainingHelper().Install(planner->Plan(problem), devices, ring.CreateController(devices));
    store.ConfigureAttributes();

    Simulator::Run();
    TrainingReport report(TrainingHelper::GetJob(job), FabricHelper::GetChannel(devices));
    TrainingReport::PrintTable(std::cout, {report});
    Simulator::Destroy();
    return 0;
}
