/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_CONTROLLED_JOB_H
#define LIGHTPATH_CONTROLLED_JOB_H

#include "controller-fixture.h"
#include "training-fixture.h"

#include "ns3/application-container.h"
#include "ns3/net-device-container.h"
#include "ns3/training-helper.h"
#include "ns3/training-plan.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

/**
 * @ingroup lightpath-tests
 * @param group the kind of group
 * @param bytes the size of the buffer
 * @return an all-reduce, in the phase of the number of its group
 */
inline ns3::lightpath::Task
AllReduce(uint32_t group, uint64_t bytes)
{
    ns3::lightpath::Task task;
    task.kind = ns3::lightpath::TaskKind::COLLECTIVE;
    task.name = "sum";
    task.group = group;
    task.phase = group;
    task.bytes = bytes;
    return task;
}

/**
 * @ingroup lightpath-tests
 * @brief Two replicas of two GPUs each: an all-reduce within replicas, then one between them.
 *
 * @param late the time that rank 3 computes between the two, in seconds
 * @param within the bytes of the first
 * @param between the bytes of the second
 * @return the plan
 */
inline ns3::lightpath::TrainingPlan
MakeTwoPhases(double late, uint64_t within, uint64_t between)
{
    std::vector<ns3::lightpath::RankProgram> programs(4);
    for (uint32_t rank = 0; rank < 4; ++rank)
    {
        programs[rank].AddTask(AllReduce(0, within));
        programs[rank].AddTask(Compute(rank == 3 ? late : 0));
        programs[rank].AddTask(AllReduce(1, between));
        programs[rank].AddDependency(0, 1);
        programs[rank].AddDependency(1, 2);
    }
    ns3::lightpath::TrainingPlan plan = MakePlan(programs);
    plan.groups.assign(2, ns3::lightpath::RankGroups());
    plan.groups[0].Add({0, 1});
    plan.groups[0].Add({2, 3});
    plan.groups[1].Add({0, 2});
    plan.groups[1].Add({1, 3});
    return plan;
}

/**
 * @ingroup lightpath-tests
 * @brief A job on circuit switches with a controller.
 */
class ControlledJob
{
  public:
    /**
     * @param plan the plan
     * @param switches the number of switches
     * @param delay the switching delay
     */
    ControlledJob(const ns3::lightpath::TrainingPlan& plan, uint32_t switches, ns3::Time delay)
        : ranks(plan.programs.size()),
          run(ranks, switches, delay),
          m_plan(plan)
    {
        run.controller->GetAllocator()->SetAttribute("FillLeftover", ns3::BooleanValue(false));
        for (const auto& device : run.fabric.devices)
        {
            device->SetFrameSource(nullptr);
            m_devices.Add(device);
        }
    }

    /**
     * Carry out the job.
     *
     * @param iterations the number of iterations
     * @param timeout the time without progress after which it fails
     */
    void Run(uint32_t iterations = 1, ns3::Time timeout = ns3::MilliSeconds(10))
    {
        ns3::lightpath::TrainingHelper helper;
        helper.SetJobAttribute("Iterations", ns3::UintegerValue(iterations));
        helper.SetJobAttribute("StallTimeout", ns3::TimeValue(timeout));
        applications = helper.Install(m_plan, m_devices, run.controller);
        job = ns3::lightpath::TrainingHelper::GetJob(applications);
        job->SetFailureCallback(ns3::Callback<void, std::string>([this](std::string sentence) {
            failure = sentence;
            end = ns3::Simulator::Now();
            ns3::Simulator::Stop();
        }));
        job->TraceConnectWithoutContext("Finished", ns3::Callback<void>([this]() {
                                            end = ns3::Simulator::Now();
                                        }));
        job->TraceConnectWithoutContext(
            "PhaseBegin",
            ns3::Callback<void, uint32_t, uint32_t>([this](uint32_t iteration, uint32_t phase) {
                phases.emplace_back(iteration, phase);
            }));
        ns3::Simulator::Run();
    }

    uint32_t ranks;                                    //!< Number of ranks
    ControllerFixture run;                             //!< The fabric and its controller
    ns3::ApplicationContainer applications;            //!< The applications
    ns3::Ptr<ns3::lightpath::TrainingJob> job;         //!< The job
    ns3::Time end;                                     //!< When it ended or failed
    std::string failure;                               //!< Why it failed
    std::vector<std::pair<uint32_t, uint32_t>> phases; //!< Phases announced, with iterations

  private:
    ns3::lightpath::TrainingPlan m_plan; //!< The plan
    ns3::NetDeviceContainer m_devices;   //!< The devices
};

#endif /* LIGHTPATH_CONTROLLED_JOB_H */
