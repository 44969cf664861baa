/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_INTERCONNECT_JOB_H
#define LIGHTPATH_INTERCONNECT_JOB_H

#include "training-fixture.h"

#include "ns3/fabric-description.h"
#include "ns3/fabric-helper.h"
#include "ns3/planner.h"
#include "ns3/planning-problem.h"
#include "ns3/training-plan.h"
#include "ns3/training-report.h"

#include <cmath>
#include <cstdint>
#include <vector>

/**
 * @ingroup lightpath-tests
 * @param fabric the fabric
 * @param programs the program of each rank
 * @return a plan for the fabric
 */
inline ns3::lightpath::TrainingPlan
Adopt(const ns3::lightpath::FabricHelper& fabric,
      const std::vector<ns3::lightpath::RankProgram>& programs)
{
    ns3::lightpath::PlanningProblem problem;
    problem.fabric = ns3::lightpath::FabricDescription::Create(fabric)->GetLimits(
        static_cast<uint32_t>(programs.size()));
    problem.gpus = static_cast<uint32_t>(programs.size());
    return ns3::lightpath::Planner::Adopt(MakePlan(programs), problem);
}

/**
 * @ingroup lightpath-tests
 * @param fabric the fabric
 * @param plan the plan, each of whose messages is one frame
 * @param iterations the number of iterations
 * @return the time of each of them
 */
inline std::vector<ns3::Time>
Simulate(const ns3::lightpath::FabricHelper& fabric,
         const ns3::lightpath::TrainingPlan& plan,
         uint32_t iterations)
{
    ns3::NodeContainer nodes;
    nodes.Create(static_cast<uint32_t>(plan.programs.size()));
    const ns3::NetDeviceContainer devices = fabric.Install(nodes);
    ns3::lightpath::TrainingHelper helper;
    helper.SetJobAttribute("Iterations", ns3::UintegerValue(iterations));
    helper.SetTransportAttribute("FrameSize", ns3::UintegerValue(0));
    const auto applications = helper.Install(plan, fabric, devices);
    ns3::Simulator::Run();
    const ns3::lightpath::TrainingReport report(
        ns3::lightpath::TrainingHelper::GetJob(applications),
        ns3::lightpath::FabricHelper::GetChannel(devices));
    std::vector<ns3::Time> times;
    for (const double seconds : report.iterationSeconds)
    {
        times.push_back(ns3::NanoSeconds(std::llround(seconds * 1e9)));
    }
    ns3::Simulator::Destroy();
    return times;
}

#endif /* LIGHTPATH_INTERCONNECT_JOB_H */
