/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "job-control.h"

#include "model/control/job-demands.h"
#include "model/training/run/exchange-control.h"
#include "model/training/run/operation-control.h"
#include "model/training/transport/server-network.h"

#include "ns3/abort.h"
#include "ns3/enum.h"

#include <algorithm>
#include <memory>
#include <string>

namespace ns3
{
namespace lightpath
{

void
JobControl::WatchCircuits(Ptr<TrainingJob> job,
                          const std::vector<Ptr<Transport>>& transports,
                          Ptr<CircuitController> controller,
                          uint32_t rail)
{
    if (std::any_of(transports.begin(), transports.end(), [](const auto& transport) {
            return transport->WaitsForCircuits();
        }))
    {
        job->WatchCircuits(controller, rail);
    }
}

void
JobControl::Follow(Ptr<TrainingJob> job,
                   Ptr<CircuitController> controller,
                   const Projection& getDemand,
                   uint32_t rail)
{
    const bool isOnce = controller->GetTrigger() == CircuitController::ONCE;
    if (job->GetPlan().turnCircuits && isOnce)
    {
        controller->SetAttribute("Trigger", EnumValue(CircuitController::OPERATION));
    }
    if (controller->GetTrigger() == CircuitController::OPERATION)
    {
        OperationControl::Install(*job, controller, rail);
        return;
    }
    if (job->GetPlan().phaseCircuits && isOnce)
    {
        controller->SetAttribute("Trigger", EnumValue(CircuitController::PHASE));
        controller->SetAttribute("DemandSource", EnumValue(CircuitController::PHASE_DEMAND));
    }
    StartAndStop(job, controller, getDemand(job->GetPlan().GetDemand()));
    if (controller->UsesPhases())
    {
        ConnectPhases(job, controller, getDemand);
    }
}

void
JobControl::FollowRegion(Ptr<TrainingJob> job,
                         Ptr<CircuitController> controller,
                         const CircuitRegion& region,
                         bool waits)
{
    NS_ABORT_MSG_IF(controller->GetTrigger() == CircuitController::OPERATION,
                    "The circuits of a region of servers cannot follow operations (Trigger "
                    "Operation): choose another trigger");
    if (controller->GetTrigger() == CircuitController::ONCE)
    {
        controller->SetAttribute("Trigger", EnumValue(CircuitController::PHASE));
        controller->SetAttribute("DemandSource", EnumValue(CircuitController::PHASE_DEMAND));
        StartAndStop(job, controller, ExchangeControl::Install(*job, controller, region, waits));
        return;
    }
    Follow(job, controller, [job = PeekPointer(job), region](const TrafficMatrix& demand) {
        const auto servers = job->GetServers();
        const TrafficMatrix ofRail =
            servers ? servers->GetLayout().GetRailTraffic(demand, region.rail) : demand;
        TrafficMatrix ofRegion(region.ports);
        for (uint32_t source = 0; source < region.ports; ++source)
        {
            for (const auto& [destination, bytes] : ofRail.GetRow(region.first + source))
            {
                if (destination >= region.first && destination - region.first < region.ports)
                {
                    ofRegion.Add(source, destination - region.first, bytes);
                }
            }
        }
        return ofRegion;
    });
}

void
JobControl::StartAndStop(Ptr<TrainingJob> job,
                         Ptr<CircuitController> controller,
                         const TrafficMatrix& demand)
{
    const auto demands = JobDemands::Get(controller);
    demands->Begin(PeekPointer(job), demand, job->GetWeight());
    const auto end = [demands, ended = PeekPointer(job)] { demands->End(ended); };
    job->TraceConnectWithoutContext("Finished", Callback<void>(end));
    job->TraceConnectWithoutContext("Failed",
                                    Callback<void, std::string>([end](std::string) { end(); }));
}

TrafficMatrix
JobControl::AddAcknowledgements(const TrafficMatrix& demand)
{
    // TCP acknowledges two packets of 9000 bytes by 54 bytes, with room for shorter ones
    constexpr uint64_t share = 100;
    TrafficMatrix whole = demand;
    for (uint32_t source = 0; source < demand.GetSize(); ++source)
    {
        for (const auto& entry : demand.GetRow(source))
        {
            whole.Add(entry.first, source, (entry.second + share - 1) / share);
        }
    }
    return whole;
}

void
JobControl::ConnectPhases(Ptr<TrainingJob> job,
                          Ptr<CircuitController> controller,
                          const Projection& getDemand)
{
    const auto phases = std::make_shared<std::vector<TrafficMatrix>>();
    for (const auto& phase : job->GetPlan().GetPhaseDemands())
    {
        phases->push_back(getDemand(phase));
    }
    // The first decision is for the first phase with communication
    const auto first = std::find_if(phases->begin(), phases->end(), [](const TrafficMatrix& phase) {
        return phase.GetTotal() > 0;
    });
    const auto demands = JobDemands::Get(controller);
    demands->BeginPhase(PeekPointer(job), first != phases->end() ? *first : phases->front());
    job->TraceConnectWithoutContext(
        "PhaseBegin",
        Callback<void, uint32_t, uint32_t>(
            [demands, phases, running = PeekPointer(job)](uint32_t, uint32_t phase) {
                demands->BeginPhase(running, phases->at(phase));
            }));
}

} // namespace lightpath
} // namespace ns3
