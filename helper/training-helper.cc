/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "training-helper.h"

#include "ns3/abort.h"
#include "ns3/circuit-transport.h"
#include "ns3/enum.h"
#include "ns3/optical-net-device.h"
#include "ns3/simulator.h"
#include "ns3/training-application.h"

#include <algorithm>
#include <memory>
#include <vector>

namespace ns3
{
namespace lightpath
{

TrainingHelper::TrainingHelper()
{
    m_jobFactory.SetTypeId("ns3::lightpath::TrainingJob");
    m_transportFactory.SetTypeId("ns3::lightpath::CircuitTransport");
    m_applicationFactory.SetTypeId("ns3::lightpath::TrainingApplication");
}

void
TrainingHelper::SetJobAttribute(const std::string& name, const AttributeValue& value)
{
    m_jobFactory.Set(name, value);
}

void
TrainingHelper::SetTransportAttribute(const std::string& name, const AttributeValue& value)
{
    m_transportFactory.Set(name, value);
}

void
TrainingHelper::SetApplicationAttribute(const std::string& name, const AttributeValue& value)
{
    m_applicationFactory.Set(name, value);
}

ApplicationContainer
TrainingHelper::Install(TrainingPlan plan,
                        const NetDeviceContainer& devices,
                        Ptr<CircuitController> controller) const
{
    NS_ABORT_MSG_IF(plan.programs.size() != devices.GetN(),
                    "A plan for " << plan.programs.size() << " ranks cannot be installed on "
                                  << devices.GetN() << " devices: give one device a rank");
    const auto job = m_jobFactory.Create<TrainingJob>();
    job->SetPlan(std::move(plan));
    ApplicationContainer applications;
    for (uint32_t rank = 0; rank < devices.GetN(); ++rank)
    {
        const auto device = DynamicCast<OpticalNetDevice>(devices.Get(rank));
        NS_ABORT_MSG_UNLESS(device && device->GetPort() == rank,
                            "Device " << rank << " of a training job must be an OpticalNetDevice "
                                      << "that has port " << rank << " of its fabric");
        const auto transport = m_transportFactory.Create<CircuitTransport>();
        transport->SetDevice(device);
        const auto application = m_applicationFactory.Create<TrainingApplication>();
        application->SetUp(job, rank, transport);
        device->GetNode()->AddApplication(application);
        applications.Add(application);
    }
    if (controller)
    {
        if (job->GetPlan().phaseCircuits && controller->GetTrigger() == CircuitController::ONCE)
        {
            controller->SetAttribute("Trigger", EnumValue(CircuitController::PHASE));
            controller->SetAttribute("DemandSource", EnumValue(CircuitController::PHASE_DEMAND));
        }
        job->WatchCircuits(controller);
        if (controller->UsesPhases())
        {
            ConnectPhases(job, controller);
        }
        Simulator::ScheduleNow(&TrainingHelper::StartController, job, controller);
        job->TraceConnectWithoutContext("Finished",
                                        MakeCallback(&CircuitController::Stop, controller));
        job->TraceConnectWithoutContext(
            "Failed",
            Callback<void, std::string>([controller](std::string) { controller->Stop(); }));
    }
    return applications;
}

Ptr<TrainingJob>
TrainingHelper::GetJob(const ApplicationContainer& applications)
{
    NS_ABORT_MSG_IF(applications.GetN() == 0, "A container without applications has no job");
    const auto application = DynamicCast<TrainingApplication>(applications.Get(0));
    NS_ABORT_MSG_UNLESS(application, "The first application is not a TrainingApplication");
    return application->GetJob();
}

int64_t
TrainingHelper::AssignStreams(const ApplicationContainer& applications, int64_t stream)
{
    return GetJob(applications)->AssignStreams(stream);
}

void
TrainingHelper::StartController(Ptr<TrainingJob> job, Ptr<CircuitController> controller)
{
    controller->Start(job->GetPlan().GetDemand());
}

void
TrainingHelper::ConnectPhases(Ptr<TrainingJob> job, Ptr<CircuitController> controller)
{
    const auto phases =
        std::make_shared<const std::vector<TrafficMatrix>>(job->GetPlan().GetPhaseDemands());
    // The first decision is for the first phase with communication
    const auto first = std::find_if(phases->begin(), phases->end(), [](const TrafficMatrix& phase) {
        return phase.GetTotal() > 0;
    });
    controller->NotifyPhase(first != phases->end() ? *first : phases->front());
    job->TraceConnectWithoutContext(
        "PhaseBegin",
        Callback<void, uint32_t, uint32_t>([controller, phases](uint32_t, uint32_t phase) {
            controller->NotifyPhase(phases->at(phase));
        }));
}

} // namespace lightpath
} // namespace ns3
