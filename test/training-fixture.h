/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_TRAINING_FIXTURE_H
#define LIGHTPATH_TRAINING_FIXTURE_H

#include "fabric-parts.h"

#include "ns3/application-container.h"
#include "ns3/boolean.h"
#include "ns3/circuit-plan.h"
#include "ns3/circuit-switch-channel.h"
#include "ns3/double.h"
#include "ns3/net-device-container.h"
#include "ns3/node-container.h"
#include "ns3/optical-net-device.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/training-application.h"
#include "ns3/training-helper.h"
#include "ns3/training-plan.h"
#include "ns3/uinteger.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

/**
 * @ingroup lightpath-tests
 * @brief A plan whose ranks form one group, with programs to be filled in.
 *
 * @param programs the program of each rank
 * @return the plan
 */
inline ns3::lightpath::TrainingPlan
MakePlan(const std::vector<ns3::lightpath::RankProgram>& programs)
{
    ns3::lightpath::TrainingPlan plan;
    std::vector<uint32_t> members;
    for (const auto& program : programs)
    {
        members.push_back(plan.programs.size());
        plan.programs.push_back(std::make_shared<ns3::lightpath::RankProgram>(program));
    }
    plan.groups.resize(1);
    plan.groups[0].Add(members);
    return plan;
}

/**
 * @ingroup lightpath-tests
 * @param seconds the time on the GPU
 * @return a compute task
 */
inline ns3::lightpath::Task
Compute(double seconds)
{
    ns3::lightpath::Task task;
    task.name = "compute";
    task.seconds = seconds;
    return task;
}

/**
 * @ingroup lightpath-tests
 * @param kind SEND or RECEIVE
 * @param peer the peer
 * @param operation the number that joins the two
 * @param bytes the size of the message
 * @return a communication task
 */
inline ns3::lightpath::Task
Message(ns3::lightpath::TaskKind kind, uint32_t peer, uint32_t operation, uint64_t bytes)
{
    ns3::lightpath::Task task;
    task.kind = kind;
    task.name = "message " + std::to_string(operation);
    task.peer = peer;
    task.operation = operation;
    task.bytes = bytes;
    return task;
}

/**
 * @ingroup lightpath-tests
 * @param kind the operation
 * @param bytes the size of the buffer
 * @return a collective task
 */
inline ns3::lightpath::Task
Collective(ns3::lightpath::CollectiveKind kind, uint64_t bytes)
{
    ns3::lightpath::Task task;
    task.kind = ns3::lightpath::TaskKind::COLLECTIVE;
    task.name = "collective";
    task.collective = kind;
    task.bytes = bytes;
    return task;
}

/**
 * @ingroup lightpath-tests
 * @return a plan of two ranks that compute, exchange a message of 1000 bytes and sum 2000 bytes
 */
inline ns3::lightpath::TrainingPlan
MakeTwoRanks()
{
    using ns3::lightpath::CollectiveKind;
    using ns3::lightpath::TaskKind;
    ns3::lightpath::RankProgram first;
    first.AddTask(Compute(10e-6));
    first.AddTask(Message(TaskKind::SEND, 1, 7, 1000));
    first.AddTask(Collective(CollectiveKind::ALL_REDUCE, 2000));
    ns3::lightpath::RankProgram second;
    second.AddTask(Message(TaskKind::RECEIVE, 0, 7, 1000));
    second.AddTask(Compute(5e-6));
    second.AddTask(Collective(CollectiveKind::ALL_REDUCE, 2000));
    for (auto* program : {&first, &second})
    {
        program->AddDependency(0, 1);
        program->AddDependency(1, 2);
    }
    return MakePlan({first, second});
}

/**
 * @ingroup lightpath-tests
 * @param switches the number of switches
 * @return circuit switches on which a byte takes 1 ns, without delay
 */
inline ns3::Ptr<ns3::lightpath::CircuitSwitchChannel>
MakeSwitches(uint32_t switches)
{
    return MakeChannel<ns3::lightpath::CircuitSwitchChannel>(
        {{"NSwitches", std::to_string(switches)},
         {"LaneRate", "8Gbps"},
         {"InitialSwitching", "false"},
         {"FibreLength", "0"}});
}

/**
 * @ingroup lightpath-tests
 * @brief A job over circuit switches: one byte takes 1 ns on one circuit, and there is no delay.
 */
class TrainingRun
{
  public:
    /**
     * @param plan the plan
     * @param switches the number of switches
     */
    TrainingRun(const ns3::lightpath::TrainingPlan& plan, uint32_t switches)
        : channel(MakeSwitches(switches)),
          m_plan(plan)
    {
        ns3::NodeContainer nodes(plan.programs.size());
        for (uint32_t rank = 0; rank < nodes.GetN(); ++rank)
        {
            devices.Add(AddDevice(nodes.Get(rank), channel));
        }
    }

    /**
     * Install the job.
     *
     * @param frameSize the size of a frame, or 0
     * @param iterations the number of iterations
     */
    void Install(uint64_t frameSize = 0, uint32_t iterations = 1)
    {
        helper.SetTransportAttribute("FrameSize", ns3::UintegerValue(frameSize));
        helper.SetJobAttribute("Iterations", ns3::UintegerValue(iterations));
        applications = helper.Install(m_plan, devices, nullptr);
        channel->Configure(circuits);
        job = ns3::lightpath::TrainingHelper::GetJob(applications);
        job->SetFailureCallback(ns3::Callback<void, std::string>([this](std::string sentence) {
            failure = sentence;
            ns3::Simulator::Stop();
        }));
    }

    /**
     * Carry out the job.
     *
     * @param frameSize the size of a frame, or 0
     * @param iterations the number of iterations
     */
    void Run(uint64_t frameSize = 0, uint32_t iterations = 1)
    {
        Install(frameSize, iterations);
        ns3::Simulator::Run();
    }

    /**
     * @param rank a rank
     * @param iteration an iteration
     * @return how the rank spent it
     */
    ns3::lightpath::IterationRecord GetRecord(uint32_t rank, uint32_t iteration = 0) const
    {
        return ns3::DynamicCast<ns3::lightpath::TrainingApplication>(applications.Get(rank))
            ->GetRecords()
            .at(iteration);
    }

    ns3::Ptr<ns3::lightpath::CircuitSwitchChannel> channel; //!< The fabric
    ns3::lightpath::CircuitPlan circuits;                   //!< Its circuits
    ns3::NetDeviceContainer devices;                        //!< The devices
    ns3::lightpath::TrainingHelper helper;                  //!< Installs the job
    ns3::ApplicationContainer applications;                 //!< The applications
    ns3::Ptr<ns3::lightpath::TrainingJob> job;              //!< The job
    std::string failure;                                    //!< Why the job failed

  private:
    ns3::lightpath::TrainingPlan m_plan; //!< The plan
};

#endif /* LIGHTPATH_TRAINING_FIXTURE_H */
