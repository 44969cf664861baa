/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "plan-circuits.h"

#include "model/plan/program-traffic.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{
namespace lightpath
{

namespace
{

/**
 * @param plan a plan
 * @return the bytes of the all-to-alls of experts by source and destination
 */
TrafficMatrix
GetExchanges(const TrainingPlan& plan)
{
    TrafficMatrix demand(static_cast<uint32_t>(plan.programs.size()));
    std::map<const RankProgram*, std::unique_ptr<ProgramTraffic>> known; // looked up only
    for (uint32_t rank = 0; rank < plan.programs.size(); ++rank)
    {
        const auto& program = plan.programs[rank];
        auto& traffic = known[program.get()];
        if (!traffic)
        {
            traffic = std::make_unique<ProgramTraffic>(*program, plan.protocols);
        }
        for (const auto& [peer, bytes] : traffic->GetPeers(plan.groups, rank))
        {
            const auto& members = plan.groups[peer.first].GetMembers(rank);
            if (peer.first == EXPERT_GROUP && members[peer.second] != rank)
            {
                demand.Add(rank, members[peer.second], bytes);
            }
        }
    }
    return demand;
}

/**
 * @param plan lightpaths
 * @param pairs pairs of ports, in ascending order
 * @return the first pair that no lightpaths, one after the other, join; the end if there is none
 */
std::vector<PortPair>::const_iterator
FindApart(const CircuitPlan& plan, const std::vector<PortPair>& pairs)
{
    std::map<uint32_t, std::vector<uint32_t>> peers;
    for (const auto& [pair, lanes] : plan.GetLightpaths())
    {
        peers[pair.first].push_back(pair.second);
    }
    std::set<uint32_t> reached;
    for (auto pair = pairs.begin(); pair != pairs.end(); ++pair)
    {
        if (reached.empty() || pair->first != std::prev(pair)->first)
        {
            std::vector<uint32_t> found{pair->first};
            reached = {pair->first};
            for (std::size_t i = 0; i < found.size(); ++i)
            {
                for (const uint32_t peer : peers[found[i]])
                {
                    if (reached.insert(peer).second)
                    {
                        found.push_back(peer);
                    }
                }
            }
        }
        if (reached.count(pair->second) == 0)
        {
            return pair;
        }
    }
    return pairs.end();
}

} // namespace

PlanCircuits::PlanCircuits(const TrainingPlan& plan, const FabricLimits& fabric)
    : m_fabric(fabric),
      m_isPhased((plan.phaseCircuits || fabric.phaseCircuits) && !fabric.allocators.empty())
{
    if (AreTurned())
    {
        m_settings.emplace_back();
    }
    if (fabric.allocators.empty() || plan.programs.size() < 2)
    {
        m_isPhased = false;
        return;
    }
    const auto demands =
        m_isPhased ? plan.GetPhaseDemands()
                   : std::vector<TrafficMatrix>{fabric.followsExchanges ? GetExchanges(plan)
                                                                        : plan.GetDemand()};
    Decide(demands);
    if (!(fabric.laneRate > 0))
    {
        m_settings.clear();
        m_isPhased = false;
    }
}

void
PlanCircuits::CheckDegree(const TrafficMatrix& traffic, const FabricLimits& fabric)
{
    const uint32_t degree = traffic.GetDegree();
    if (fabric.degree > 0 && degree > fabric.degree)
    {
        throw std::invalid_argument("Degree: the plan lets a GPU have " + std::to_string(degree) +
                                    " peers, but the fabric gives it circuits to " +
                                    std::to_string(fabric.degree) + " at most");
    }
}

void
PlanCircuits::CheckServed(const CircuitAllocation& allocation, const FabricLimits& fabric)
{
    const auto& unserved = allocation.unserved;
    const auto apart = fabric.relayFrameBytes > 0   ? FindApart(allocation.plan, unserved)
                       : fabric.indirectBitRate > 0 ? unserved.end()
                                                    : unserved.begin();
    if (apart != unserved.end())
    {
        const auto [source, destination] = *apart;
        const std::string reason = fabric.obstacle ? fabric.obstacle(source, destination) : "";
        const std::string first =
            " from GPU " + std::to_string(source) + " to GPU " + std::to_string(destination);
        throw std::invalid_argument(
            reason.empty()
                ? "Degree: the plan has traffic between more pairs of GPUs than the "
                  "fabric has lightpaths for: " +
                      std::to_string(unserved.size()) + " pairs would get none, the first" + first
                : "Degree: no lightpath" + first + ": " + reason +
                      (fabric.relayFrameBytes > 0
                           ? ", and no lightpaths of others lead there: leave out "
                             "--placement, or raise --attribute=MaxDistance"
                           : ""));
    }
}

void
PlanCircuits::Decide(const std::vector<TrafficMatrix>& demands)
{
    std::vector<std::vector<TrafficMatrix>> ofPhases;
    for (const auto& demand : demands)
    {
        ofPhases.push_back(m_fabric.GetPortTraffic(demand));
    }
    const auto nPhases = static_cast<uint32_t>(demands.size());
    for (uint32_t phase = 0; phase < nPhases; ++phase)
    {
        Setting setting;
        for (std::size_t rail = 0; rail < ofPhases[phase].size(); ++rail)
        {
            // Without traffic a fabric keeps the circuits of a phase before, if only of the
            // iteration before
            uint32_t last = phase;
            for (uint32_t back = 0; back < nPhases && ofPhases[last][rail].GetTotal() == 0; ++back)
            {
                last = (last + nPhases - 1) % nPhases;
            }
            setting.push_back(DecidePorts(ofPhases[last][rail]));
        }
        const auto found = std::find(m_settings.begin(), m_settings.end(), setting);
        m_ofPhases.push_back(static_cast<uint32_t>(found - m_settings.begin()));
        if (found == m_settings.end())
        {
            m_settings.push_back(std::move(setting));
        }
    }
}

uint32_t
PlanCircuits::DecidePorts(const TrafficMatrix& demand)
{
    const auto known = std::find_if(m_decided.begin(), m_decided.end(), [&](const auto& decided) {
        return decided.first == demand;
    });
    if (known != m_decided.end())
    {
        return known->second;
    }
    Decision decision;
    for (const auto& allocator : m_fabric.allocators)
    {
        CircuitAllocation allocation = allocator->Allocate(demand);
        CheckServed(allocation, m_fabric);
        decision.push_back(std::move(allocation.plan));
    }
    const auto found = std::find(m_decisions.begin(), m_decisions.end(), decision);
    const auto number = static_cast<uint32_t>(found - m_decisions.begin());
    if (found == m_decisions.end())
    {
        m_decisions.push_back(std::move(decision));
    }
    m_decided.emplace_back(demand, number);
    return number;
}

uint32_t
PlanCircuits::GetNSettings() const
{
    return static_cast<uint32_t>(m_settings.size());
}

bool
PlanCircuits::IsPhased() const
{
    return m_isPhased;
}

bool
PlanCircuits::AreTurned() const
{
    return m_fabric.turnCircuits && m_fabric.laneRate > 0;
}

bool
PlanCircuits::AreSame(uint32_t some, uint32_t other, uint32_t rail) const
{
    return m_settings[some][rail] == m_settings[other][rail];
}

uint32_t
PlanCircuits::GetSetting(uint32_t phase) const
{
    return m_ofPhases[phase];
}

double
PlanCircuits::GetRate(uint32_t setting, uint32_t rail, uint32_t source, uint32_t destination) const
{
    if (AreTurned())
    {
        return m_fabric.circuits * m_fabric.laneRate / 8;
    }
    const uint64_t bitRate = GetBitRate(setting, rail, source, destination);
    return (bitRate > 0 ? static_cast<double>(bitRate) : m_fabric.indirectBitRate) / 8;
}

uint64_t
PlanCircuits::GetBitRate(uint32_t setting,
                         uint32_t rail,
                         uint32_t source,
                         uint32_t destination) const
{
    std::size_t lanes = SIZE_MAX;
    for (const auto& plan : m_decisions[m_settings[setting][rail]])
    {
        lanes = std::min(lanes, plan.GetLanes(source, destination).size());
    }
    return lanes * static_cast<uint64_t>(std::llround(m_fabric.laneRate));
}

uint64_t
PlanCircuits::GetKeptBitRate(const std::vector<uint32_t>& settings,
                             uint32_t rail,
                             uint32_t source,
                             uint32_t destination) const
{
    const Decision& first = m_decisions[m_settings[settings.front()][rail]];
    std::size_t least = SIZE_MAX;
    for (std::size_t i = 0; i < first.size(); ++i)
    {
        const auto& lanes = first[i].GetLanes(source, destination);
        const auto isKept = [&](const Lane& lane) {
            return std::all_of(settings.begin(), settings.end(), [&](uint32_t setting) {
                const auto& other = m_decisions[m_settings[setting][rail]][i];
                const auto& kept = other.GetLanes(source, destination);
                return std::binary_search(kept.begin(), kept.end(), lane);
            });
        };
        least = std::min<std::size_t>(least, std::count_if(lanes.begin(), lanes.end(), isKept));
    }
    return least * static_cast<uint64_t>(std::llround(m_fabric.laneRate));
}

bool
PlanCircuits::HasRelays() const
{
    return m_fabric.relayFrameBytes > 0 && m_fabric.allocators.size() == 1 && GetNSettings() == 1 &&
           !AreTurned();
}

std::vector<uint32_t>
PlanCircuits::GetHops(uint32_t rail, uint32_t source, uint32_t destination) const
{
    const uint32_t decision = m_settings.front()[rail];
    auto& paths = m_relays.try_emplace(decision, m_decisions[decision].front()).first->second;
    std::vector<uint32_t> hops;
    for (uint32_t at = source; at != destination;)
    {
        const uint32_t next = paths.GetNext(at, destination);
        at = next == RelayPaths::NONE ? destination : next;
        hops.push_back(at);
    }
    return hops;
}

bool
PlanCircuits::IsIndirect(uint32_t setting,
                         uint32_t rail,
                         uint32_t source,
                         uint32_t destination) const
{
    return m_fabric.beside.network && !AreTurned() && !m_settings.empty() &&
           GetBitRate(setting, rail, source, destination) == 0;
}

double
PlanCircuits::GetLatency(uint32_t rail, uint32_t source, uint32_t destination) const
{
    double latency = m_fabric.latency;
    for (uint32_t setting = 0; setting < m_settings.size() && !AreTurned(); ++setting)
    {
        latency = std::max(latency, GetLatency(setting, rail, source, destination));
    }
    return latency;
}

double
PlanCircuits::GetLatency(uint32_t setting,
                         uint32_t rail,
                         uint32_t source,
                         uint32_t destination) const
{
    double latency = m_fabric.latency;
    for (const auto& plan : m_decisions[m_settings[setting][rail]])
    {
        const auto& lanes = plan.GetLanes(source, destination);
        if (m_fabric.pathLatency && !lanes.empty())
        {
            latency = std::max(latency, m_fabric.pathLatency(source, destination, lanes));
        }
    }
    return latency;
}

} // namespace lightpath
} // namespace ns3
