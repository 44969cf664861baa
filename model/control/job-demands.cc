/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "job-demands.h"

#include "circuit-controller.h"

#include "ns3/log.h"
#include "ns3/simulator.h"

#include <cmath>

namespace ns3
{
namespace lightpath
{

NS_LOG_COMPONENT_DEFINE("JobDemands");

NS_OBJECT_ENSURE_REGISTERED(JobDemands);

TypeId
JobDemands::GetTypeId()
{
    static TypeId tid = TypeId("ns3::lightpath::JobDemands")
                            .SetParent<Object>()
                            .SetGroupName("Lightpath")
                            .AddConstructor<JobDemands>();
    return tid;
}

Ptr<JobDemands>
JobDemands::Get(Ptr<CircuitController> controller)
{
    auto demands = controller->GetObject<JobDemands>();
    if (!demands)
    {
        demands = CreateObject<JobDemands>();
        // Both are disposed of together
        demands->m_controller = PeekPointer(controller);
        controller->AggregateObject(demands);
    }
    return demands;
}

void
JobDemands::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_start.Cancel();
    Object::DoDispose();
}

void
JobDemands::Begin(const Object* job, const TrafficMatrix& demand, double weight)
{
    NS_LOG_FUNCTION(this << job << demand.GetTotal() << weight);
    m_demands[job].planned = demand;
    m_demands[job].weight = weight;
    ++m_nJobs;
    if (m_start.IsExpired())
    {
        m_start = Simulator::ScheduleNow(&JobDemands::Start, this);
    }
}

void
JobDemands::BeginPhase(const Object* job, const TrafficMatrix& demand)
{
    NS_LOG_FUNCTION(this << job << demand.GetTotal());
    const auto found = m_demands.find(job);
    if (found != m_demands.end())
    {
        found->second.phase = demand;
        m_controller->NotifyPhase(GetSum(&Demand::phase));
    }
}

void
JobDemands::End(const Object* job)
{
    NS_LOG_FUNCTION(this << job);
    if (m_demands.erase(job) == 0)
    {
        return;
    }
    if (m_demands.empty())
    {
        m_start.Cancel();
        m_controller->Stop();
    }
    else if (m_start.IsExpired())
    {
        m_start = Simulator::ScheduleNow(&JobDemands::Start, this);
    }
}

void
JobDemands::Start()
{
    NS_LOG_FUNCTION(this);
    const TrafficMatrix phases = GetSum(&Demand::phase);
    if (m_nJobs > 1 && phases.GetSize() > 0)
    {
        // The phase without the jobs that have ended
        m_controller->NotifyPhase(phases);
    }
    m_controller->Start(GetSum(&Demand::planned));
}

TrafficMatrix
JobDemands::GetSum(TrafficMatrix Demand::*kind) const
{
    TrafficMatrix sum;
    for (const auto& [job, demand] : m_demands)
    {
        const TrafficMatrix& added = demand.*kind;
        if (sum.GetSize() == 0 && demand.weight == 1)
        {
            sum = added;
            continue;
        }
        if (sum.GetSize() == 0)
        {
            sum = TrafficMatrix(added.GetSize());
        }
        for (uint32_t source = 0; source < added.GetSize(); ++source)
        {
            for (const auto& [destination, bytes] : added.GetRow(source))
            {
                // A pair with bytes keeps one at least
                const double weighted = demand.weight * static_cast<double>(bytes);
                sum.Add(source,
                        destination,
                        demand.weight == 1 ? bytes : static_cast<uint64_t>(std::ceil(weighted)));
            }
        }
    }
    return sum;
}

} // namespace lightpath
} // namespace ns3
