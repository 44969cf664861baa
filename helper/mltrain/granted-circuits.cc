/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "granted-circuits.h"

#include "fabric-description.h"

#include "ns3/circuit-fabric-helper.h"
#include "ns3/circuit-switch-allocator.h"
#include "ns3/ring-allocator.h"

#include <cmath>
#include <stdexcept>

namespace ns3
{
namespace lightpath
{

namespace
{

/**
 * Tell an allocator of a failure or a repair.
 *
 * @param allocator the allocator
 * @param component the name of the component
 * @param failed true if it has failed
 * @return empty if the fabric has the component; otherwise the sentence that lists the known ones
 */
template <typename Allocator>
std::string
TrySetFailed(Allocator& allocator, const std::string& component, bool failed)
{
    auto geometry = allocator.GetGeometry();
    const std::string refusal = geometry.TrySetFailed(component, failed);
    allocator.SetGeometry(geometry);
    return refusal;
}

} // namespace

GrantedCircuits::GrantedCircuits(const CircuitFabricHelper& fabric, uint32_t ports)
    : m_ports(ports),
      m_allocator(fabric.CreateAllocator(ports)),
      m_latency(FabricDescription::Create(fabric)->GetLimits(ports).pathLatency)
{
}

void
GrantedCircuits::SetFailed(const std::string& component, bool failed)
{
    std::string refusal = "The allocator of the fabric knows no failures of " + component;
    if (auto* const ring = dynamic_cast<RingAllocator*>(PeekPointer(m_allocator)))
    {
        refusal = TrySetFailed(*ring, component, failed);
    }
    else if (auto* const switches = dynamic_cast<CircuitSwitchAllocator*>(PeekPointer(m_allocator)))
    {
        refusal = TrySetFailed(*switches, component, failed);
    }
    if (!refusal.empty())
    {
        throw std::invalid_argument(refusal);
    }
}

std::vector<CircuitPlan>
GrantedCircuits::Decide(const std::vector<Demand>& jobs) const
{
    TrafficMatrix sum(m_ports);
    std::vector<std::size_t> jobOf(m_ports);
    for (std::size_t job = 0; job < jobs.size(); ++job)
    {
        const auto& ports = *jobs[job].ports;
        for (uint32_t source = 0; source < ports.size(); ++source)
        {
            jobOf[ports[source]] = job;
            for (const auto& [destination, bytes] : jobs[job].traffic->GetRow(source))
            {
                sum.Add(ports[source], ports[destination], bytes);
            }
        }
    }
    std::vector<CircuitPlan> circuits(jobs.size());
    if (sum.GetTotal() == 0)
    {
        return circuits;
    }
    const CircuitPlan plan = m_allocator->Allocate(sum).plan;
    for (const auto& [pair, lanes] : plan.GetLightpaths())
    {
        circuits[jobOf[pair.first]].AddLanes(pair.first, pair.second, lanes);
    }
    return circuits;
}

bool
GrantedCircuits::IsServed(const Demand& job, const CircuitPlan& circuits)
{
    const auto& ports = *job.ports;
    for (uint32_t source = 0; source < ports.size(); ++source)
    {
        for (const auto& pair : job.traffic->GetRow(source))
        {
            if (circuits.GetLanes(ports[source], ports[pair.first]).empty())
            {
                return false;
            }
        }
    }
    return true;
}

std::string
GrantedCircuits::Describe(const Demand& job, const CircuitPlan& circuits) const
{
    std::string words;
    const auto& ports = *job.ports;
    for (uint32_t source = 0; source < ports.size(); ++source)
    {
        for (const auto& pair : job.traffic->GetRow(source))
        {
            const auto& lanes = circuits.GetLanes(ports[source], ports[pair.first]);
            words += std::to_string(lanes.size());
            if (m_latency && !lanes.empty())
            {
                const double latency = m_latency(ports[source], ports[pair.first], lanes);
                words += "@" + std::to_string(std::llround(1e12 * latency));
            }
            words += ",";
        }
    }
    return words;
}

} // namespace lightpath
} // namespace ns3
