/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_SERVER_FIXTURE_H
#define LIGHTPATH_SERVER_FIXTURE_H

#include "model/training/transport/server-network.h"
#include "training-fixture.h"

#include "ns3/circuit-fabric-helper.h"
#include "ns3/electrical-switch-helper.h"
#include "ns3/fabric-helper.h"
#include "ns3/hybrid-helper.h"
#include "ns3/optical-channel.h"
#include "ns3/server-helper.h"
#include "ns3/sip-ocs-helper.h"
#include "ns3/sip-ring-helper.h"
#include "ns3/training-report.h"

#include <memory>
#include <string>
#include <tuple>
#include <vector>

/// Delay inside a server, ns.
inline constexpr int64_t INSIDE_DELAY = 100;

/// Delay between servers, ns.
inline constexpr int64_t OUTSIDE_DELAY = 700;

/// Servers, and GPUs of each.
inline constexpr uint32_t N_SERVERS = 8;

/// Bytes of a message between servers; inside, it is that times the number of servers.
inline constexpr uint64_t MESSAGE_BYTES = 100006;

/// Bytes that are summed.
inline constexpr uint64_t SUM_BYTES = MESSAGE_BYTES * N_SERVERS * N_SERVERS;

/**
 * @ingroup lightpath-tests
 * @param name the name of a fabric
 * @return a fabric with 1 byte/ns a port, whose first circuits take no time
 */
inline std::unique_ptr<ns3::lightpath::FabricHelper>
MakeFabric(const std::string& name)
{
    using namespace ns3::lightpath;
    auto fabric = FabricHelper::Create(name);
    fabric->SetBandwidth(ns3::DataRate("8Gbps"));
    fabric->DisableFlowControl();
    if (auto* const electrical = dynamic_cast<ElectricalSwitchHelper*>(fabric.get()))
    {
        electrical->SetDelay(ns3::NanoSeconds(OUTSIDE_DELAY));
    }
    if (auto* const circuits = dynamic_cast<CircuitFabricHelper*>(fabric.get()))
    {
        // A port has 8 circuits, or 8 lanes in each direction of a ring
        circuits->SetWavelengthRate(ns3::DataRate(name == "sip-ocs" ? "1Gbps" : "500Mbps"));
        circuits->SetChannelAttribute("InitialSwitching", ns3::BooleanValue(false));
        circuits->SetChannelAttribute("Delay", ns3::TimeValue(ns3::NanoSeconds(OUTSIDE_DELAY)));
    }
    if (name == "sip-ocs")
    {
        fabric->SetChannelAttribute("NSwitches", ns3::UintegerValue(8));
        fabric->SetChannelAttribute("FibreLength", ns3::DoubleValue(0));
    }
    if (auto* const ring = dynamic_cast<SipRingHelper*>(fabric.get()))
    {
        ring->SetNFibres(1);
        fabric->SetChannelAttribute("NodeDistance", ns3::DoubleValue(0));
    }
    return fabric;
}

/**
 * @ingroup lightpath-tests
 * @param name the name of a fabric, or of two that form a hybrid, with a plus between them
 * @return what MakeFabric() returns, or a hybrid of two of these
 */
inline std::unique_ptr<ns3::lightpath::InterconnectHelper>
MakeOutside(const std::string& name)
{
    const std::size_t end = name.find('+');
    if (end == std::string::npos)
    {
        return MakeFabric(name);
    }
    return std::make_unique<ns3::lightpath::HybridHelper>(MakeFabric(name.substr(0, end)),
                                                          MakeFabric(name.substr(end + 1)));
}

/**
 * @ingroup lightpath-tests
 * @param name the name of the fabric between servers, of 1 byte/ns a GPU
 * @param attach how GPUs are attached
 * @param cards the cards of a server; 0 for the natural number
 * @return servers of 8 GPUs, 2 bytes/ns each
 */
inline std::unique_ptr<ns3::lightpath::ServerHelper>
MakeServers(const std::string& name, const std::string& attach, uint32_t cards)
{
    using namespace ns3::lightpath;
    auto servers = std::make_unique<ServerHelper>(MakeOutside(name));
    servers->SetServers(8, ns3::DataRate("16Gbps"), ns3::NanoSeconds(INSIDE_DELAY));
    servers->SetAttach(AttachName::Find(attach), cards);
    servers->SetBandwidth(ns3::DataRate("8Gbps"));
    return servers;
}

/**
 * @ingroup lightpath-tests
 * @param across the algorithm across servers
 * @return an all-reduce of all GPUs in two levels, with rings inside
 */
inline ns3::lightpath::TrainingPlan
MakeTwoLevels(ns3::lightpath::CollectiveAlgorithm across)
{
    using namespace ns3::lightpath;
    Task task = Collective(CollectiveKind::ALL_REDUCE, SUM_BYTES);
    task.options = {N_SERVERS,
                    CollectiveAlgorithm::TWO_LEVEL,
                    1,
                    CollectiveAlgorithm::RING,
                    across};
    RankProgram program;
    program.AddTask(task);
    return MakePlan(std::vector<RankProgram>(N_SERVERS * N_SERVERS, program));
}

/**
 * @ingroup lightpath-tests
 * @param ranks the number of ranks
 * @param messages source, destination and bytes of messages, all sent at once
 * @return the plan
 */
inline ns3::lightpath::TrainingPlan
MakeMessagePlan(uint32_t ranks,
                const std::vector<std::tuple<uint32_t, uint32_t, uint64_t>>& messages)
{
    using namespace ns3::lightpath;
    std::vector<RankProgram> programs(ranks);
    uint32_t operation = 0;
    for (const auto& [source, destination, bytes] : messages)
    {
        programs[source].AddTask(Message(TaskKind::SEND, destination, operation, bytes));
        programs[destination].AddTask(Message(TaskKind::RECEIVE, source, operation, bytes));
        ++operation;
    }
    return MakePlan(programs);
}

/**
 * @ingroup lightpath-tests
 * @brief A job on servers.
 */
class ServerJob
{
  public:
    /**
     * @param servers the servers
     * @param plan the plan of the job
     * @param frameSize the size of a frame, or 0
     */
    ServerJob(const ns3::lightpath::ServerHelper& servers,
              const ns3::lightpath::TrainingPlan& plan,
              uint64_t frameSize = 0)
        : m_plan(plan)
    {
        ns3::NodeContainer nodes(plan.programs.size());
        m_devices = servers.Split(servers.Install(nodes));
        controllers = servers.CreateControllers(m_devices);
        helper.SetTransportAttribute("FrameSize", ns3::UintegerValue(frameSize));
        helper.SetServerAttribute("FrameSize", ns3::UintegerValue(frameSize));
    }

    /**
     * Let a component fail, or work again.
     *
     * @param time when
     * @param component its name
     * @param failed true to let it fail
     */
    void FailAt(ns3::Time time, const std::string& component, bool failed = true)
    {
        m_faults.push_back({time, component, failed});
    }

    /// Carry out the job.
    void Run()
    {
        using namespace ns3::lightpath;
        const auto applications = helper.InstallServers(m_plan, m_devices, controllers);
        const auto job = TrainingHelper::GetJob(applications);
        job->SetFailureCallback(ns3::Callback<void, std::string>([this](std::string sentence) {
            failure = sentence;
            ns3::Simulator::Stop();
        }));
        for (const Fault& fault : m_faults)
        {
            ns3::Simulator::Schedule(fault.time,
                                     &ServerNetwork::SetFailed,
                                     job->GetServers(),
                                     fault.component,
                                     fault.failed);
        }
        TrainingHelper::StopWhenFinished(applications);
        ns3::Simulator::Run();
        end = ns3::Simulator::Now();
        report = std::make_shared<TrainingReport>(job);
        m_devices = ServerDevices();
        ns3::Simulator::Destroy();
    }

    ns3::lightpath::TrainingHelper helper; //!< Installs the job
    ns3::Time end;                         //!< When the job ended
    std::string failure;                   //!< Why it failed

    std::shared_ptr<const ns3::lightpath::TrainingReport> report; //!< Its report
    /// The controllers of the rails
    std::vector<ns3::Ptr<ns3::lightpath::CircuitController>> controllers;

  private:
    /// A component that fails or works again.
    struct Fault
    {
        ns3::Time time;        //!< When
        std::string component; //!< Its name
        bool failed;           //!< Whether it fails
    };

    ns3::lightpath::TrainingPlan m_plan;     //!< The plan
    ns3::lightpath::ServerDevices m_devices; //!< The devices
    std::vector<Fault> m_faults;             //!< What fails when
};

/**
 * @ingroup lightpath-tests
 * @brief A job on a fabric without servers.
 */
class PlainRun
{
  public:
    /**
     * Carry out the job.
     *
     * @param name the name of the fabric
     * @param ports the number of its ports
     * @param plan the plan of the job
     * @param bytesPerNs the rate of a port in bytes/ns
     */
    PlainRun(const std::string& name,
             uint32_t ports,
             const ns3::lightpath::TrainingPlan& plan,
             uint64_t bytesPerNs = 1)
    {
        using namespace ns3::lightpath;
        const auto fabric = MakeOutside(name);
        fabric->SetBandwidth(ns3::DataRate(bytesPerNs * 8000000000));
        ns3::NodeContainer nodes(ports);
        const auto devices = fabric->Install(nodes);
        TrainingHelper helper;
        const auto applications = helper.Install(plan, *fabric, devices);
        TrainingHelper::StopWhenFinished(applications);
        ns3::Simulator::Run();
        end = ns3::Simulator::Now();
        if (const auto optical = ns3::DynamicCast<OpticalChannel>(devices.Get(0)->GetChannel()))
        {
            const auto& groups = plan.groups[0].GetMembers(0);
            lanes = optical->GetPlan().GetLanes(0, groups[1]).size();
            laneRate = optical->GetLaneRate().GetBitRate() * 1e-9;
        }
        ns3::Simulator::Destroy();
    }

    ns3::Time end;        //!< When it ended
    std::size_t lanes{0}; //!< Lanes of a lightpath to a neighbour; 0 if there are none
    double laneRate{8};   //!< Rate of a lane, or of a port without lanes, Gbit/s
};

#endif /* LIGHTPATH_SERVER_FIXTURE_H */
