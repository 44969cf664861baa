/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_TURNING_RUN_H
#define LIGHTPATH_TURNING_RUN_H

#include "training-fixture.h"

#include "ns3/fabric-channel.h"
#include "ns3/photonic-rails-helper.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

/// Bytes of Ethernet and message header of a message.
inline constexpr uint64_t TURN_HEADERS = 34;

/**
 * @ingroup lightpath-tests
 * @param switches the number of switches
 * @param delay the time that a circuit is dark while it is switched
 * @return switches whose circuits follow operations; a byte takes 1 ns on one circuit, without
 *         delay
 */
inline std::unique_ptr<ns3::lightpath::SipOcsHelper>
MakeTurningSwitches(uint32_t switches, ns3::Time delay)
{
    auto fabric = std::make_unique<ns3::lightpath::PhotonicRailsHelper>();
    fabric->SetNSwitches(switches);
    fabric->SetBandwidth(ns3::DataRate(uint64_t{8000000000} * switches));
    fabric->SetWavelengthRate(ns3::DataRate("8Gbps"));
    fabric->SetChannelAttribute("FibreLength", ns3::DoubleValue(0));
    fabric->SetChannelAttribute("SwitchingDelay", ns3::TimeValue(delay));
    return fabric;
}

/**
 * @ingroup lightpath-tests
 * @brief A job whose circuits follow its operations.
 */
struct TurningRun
{
    /**
     * @param fabric the fabric
     * @param plan the plan
     * @param iterations the number of iterations
     * @param counts whether to count the bytes of messages, which then all have events
     * @param prepare called with the channel before the simulation, or empty
     */
    TurningRun(
        const ns3::lightpath::InterconnectHelper& fabric,
        ns3::lightpath::TrainingPlan plan,
        uint32_t iterations = 1,
        bool counts = true,
        const std::function<void(ns3::Ptr<ns3::lightpath::FabricChannel>)>& prepare = nullptr)
    {
        ns3::NodeContainer nodes(plan.programs.size());
        const ns3::NetDeviceContainer devices = fabric.Install(nodes);
        ns3::lightpath::TrainingHelper training;
        training.SetTransportAttribute("FrameSize", ns3::UintegerValue(0));
        training.SetServerAttribute("FrameSize", ns3::UintegerValue(0));
        training.SetJobAttribute("Iterations", ns3::UintegerValue(iterations));
        if (prepare)
        {
            prepare(ns3::DynamicCast<ns3::lightpath::FabricChannel>(devices.Get(0)->GetChannel()));
        }
        const ns3::Time begin = ns3::Simulator::Now();
        const auto applications = training.Install(std::move(plan), fabric, devices);
        ns3::lightpath::TrainingHelper::GetJob(applications)
            ->SetFailureCallback(ns3::Callback<void, std::string>([this](std::string sentence) {
                failure = sentence;
                ns3::Simulator::Stop();
            }));
        for (uint32_t rank = 0; counts && rank < applications.GetN(); ++rank)
        {
            for (const auto& [name, bytes] : {std::make_pair("MessageSent", &sent),
                                              std::make_pair("MessageReceived", &received)})
            {
                applications.Get(rank)->TraceConnectWithoutContext(
                    name,
                    ns3::Callback<void, uint32_t, uint32_t, uint64_t, uint64_t>(
                        [sum = bytes](uint32_t, uint32_t, uint64_t, uint64_t size) {
                            *sum += size;
                        }));
            }
        }
        ns3::Simulator::Run();
        for (uint32_t rank = 0; rank < applications.GetN(); ++rank)
        {
            const auto application =
                ns3::DynamicCast<ns3::lightpath::TrainingApplication>(applications.Get(rank));
            nIterations += application->GetRecords().size();
            for (const auto& record : application->GetRecords())
            {
                end = std::max(end, record.end - begin);
            }
        }
    }

    ~TurningRun()
    {
        ns3::Simulator::Destroy();
    }

    TurningRun(const TurningRun&) = delete;
    TurningRun& operator=(const TurningRun&) = delete;

    std::string failure;        //!< Why the job failed
    uint64_t sent{0};           //!< Bytes of messages that were handed over
    uint64_t received{0};       //!< Bytes of messages that have arrived
    std::size_t nIterations{0}; //!< Iterations of all ranks that have ended
    ns3::Time end;              //!< End of the last iteration
};

/**
 * @ingroup lightpath-tests
 * @param kinds the groups of each kind
 * @param programs the program of each rank
 * @return the plan
 */
inline ns3::lightpath::TrainingPlan
MakeGroupedPlan(const std::vector<std::vector<std::vector<uint32_t>>>& kinds,
                const std::vector<ns3::lightpath::RankProgram>& programs)
{
    ns3::lightpath::TrainingPlan plan = MakePlan(programs);
    plan.groups.clear();
    for (const auto& groups : kinds)
    {
        plan.groups.emplace_back();
        for (const auto& group : groups)
        {
            plan.groups.back().Add(group);
        }
    }
    plan.turnCircuits = true;
    return plan;
}

#endif /* LIGHTPATH_TURNING_RUN_H */
