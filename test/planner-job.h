/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_PLANNER_JOB_H
#define LIGHTPATH_PLANNER_JOB_H

#include "ns3/accelerator.h"
#include "ns3/fabric-description.h"
#include "ns3/interconnect-helper.h"
#include "ns3/model-zoo.h"
#include "ns3/node-container.h"
#include "ns3/planning-problem.h"
#include "ns3/simulator.h"
#include "ns3/training-helper.h"
#include "ns3/training-plan.h"
#include "ns3/training-report.h"
#include "ns3/uinteger.h"

#include <cstdint>
#include <string>

/**
 * @ingroup lightpath-tests
 * @param model the name of a model, with options
 * @param accelerator the name of the GPUs
 * @param gpus their number
 * @param batch the global batch
 * @return the problem to train the model on them, without a fabric
 */
inline ns3::lightpath::PlanningProblem
MakeProblem(const std::string& model, const std::string& accelerator, uint32_t gpus, uint64_t batch)
{
    using namespace ns3::lightpath;
    PlanningProblem problem;
    problem.graph = ModelZoo::Create(model);
    problem.accelerator = Accelerator::Create(accelerator);
    problem.gpus = gpus;
    problem.globalBatch = batch;
    return problem;
}

/**
 * @ingroup lightpath-tests
 * @param model the name of a model, with options
 * @param accelerator the name of the GPUs
 * @param gpus their number
 * @param batch the global batch
 * @param fabric the fabric between them
 * @return the problem to train the model on them
 */
inline ns3::lightpath::PlanningProblem
MakeProblem(const std::string& model,
            const std::string& accelerator,
            uint32_t gpus,
            uint64_t batch,
            const ns3::lightpath::InterconnectHelper& fabric)
{
    auto problem = MakeProblem(model, accelerator, gpus, batch);
    problem.fabric = ns3::lightpath::FabricDescription::Create(fabric)->GetLimits(gpus);
    return problem;
}

/**
 * @ingroup lightpath-tests
 * Simulate a plan.
 *
 * @param fabric the fabric
 * @param plan a plan for it
 * @param iterations the number of iterations
 * @param isWhole whether each message is one frame
 * @return the report of the job
 */
inline ns3::lightpath::TrainingReport
RunPlan(const ns3::lightpath::InterconnectHelper& fabric,
        const ns3::lightpath::TrainingPlan& plan,
        uint32_t iterations = 3,
        bool isWhole = false)
{
    using namespace ns3::lightpath;
    const ns3::NodeContainer nodes(static_cast<uint32_t>(plan.programs.size()));
    TrainingHelper helper;
    helper.SetJobAttribute("Iterations", ns3::UintegerValue(iterations));
    if (isWhole)
    {
        helper.SetTransportAttribute("FrameSize", ns3::UintegerValue(0));
        helper.SetServerAttribute("FrameSize", ns3::UintegerValue(0));
    }
    const auto applications = helper.Install(plan, fabric, fabric.Install(nodes));
    ns3::Simulator::Run();
    const TrainingReport report(TrainingHelper::GetJob(applications));
    ns3::Simulator::Destroy();
    return report;
}

#endif /* LIGHTPATH_PLANNER_JOB_H */
