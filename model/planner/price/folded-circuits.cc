/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "folded-circuits.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace ns3
{
namespace lightpath
{

FoldedCircuits::FoldedCircuits(const TrainingPlan& plan, const FabricLimits& fabric)
    : m_plan(plan),
      m_fabric(fabric),
      m_circuits(plan, fabric),
      m_nPhases(m_circuits.IsPhased() ? static_cast<uint32_t>(plan.GetNCommunications().size()) : 1)
{
}

void
FoldedCircuits::SetPhase(uint32_t phase)
{
    m_phase = phase;
    m_traffic.clear();
}

std::vector<FoldedCircuits::Circuit>
FoldedCircuits::Get(uint32_t rank)
{
    const ServerLayout& layout = m_fabric.servers.layout;
    const bool isPhased = m_circuits.IsPhased();
    const RankProgram& program = *m_plan.programs[rank];
    auto& traffic = m_traffic
                        .try_emplace(&program,
                                     program,
                                     m_plan.protocols,
                                     isPhased ? m_phase : ProgramTraffic::ALL_PHASES)
                        .first->second;
    std::map<uint32_t, std::set<uint32_t>> kinds; // by peer
    for (const auto& [place, bytes] : traffic.GetPeers(m_plan.groups, rank))
    {
        const uint32_t peer = m_plan.groups[place.first].GetMembers(rank)[place.second];
        const bool isOutside = !m_fabric.HasServers() || !layout.AreInside(rank, peer);
        if (bytes > 0 && peer != rank && isOutside)
        {
            kinds[peer].insert(place.first);
        }
    }
    const uint32_t setting = isPhased ? m_circuits.GetSetting(m_phase) : 0;
    std::vector<Circuit> circuits;
    for (const auto& [peer, ofPeer] : kinds)
    {
        const uint32_t rail = m_fabric.HasServers() ? layout.GetRail(rank) : 0;
        const uint32_t from = m_fabric.HasServers() ? layout.GetPort(rank) : rank;
        const uint32_t to = m_fabric.HasServers() ? layout.GetPort(peer) : peer;
        circuits.emplace_back(ofPeer,
                              m_circuits.GetRate(setting, rail, from, to),
                              m_circuits.GetLatency(rail, from, to));
    }
    std::sort(circuits.begin(), circuits.end());
    return circuits;
}

void
FoldedCircuits::Check(const TrainingPlan& plan,
                      const FabricLimits& fabric,
                      const PlanFolder& folder,
                      const FabricLimits& folded)
{
    FoldedCircuits full(plan, fabric);
    FoldedCircuits few(folder.GetPlan(), folded);
    for (uint32_t phase = 0; phase < full.m_nPhases; ++phase)
    {
        full.SetPhase(phase);
        few.SetPhase(phase);
        std::vector<std::vector<Circuit>> ofFew;
        for (uint32_t folded = 0; folded < folder.GetPlan().programs.size(); ++folded)
        {
            ofFew.push_back(few.Get(folded));
        }
        for (uint32_t rank = 0; rank < plan.programs.size(); ++rank)
        {
            const auto circuits = full.Get(rank);
            const auto& others = ofFew[folder.FindFolded(rank)];
            if (circuits.size() > others.size())
            {
                throw std::invalid_argument(
                    "GPU " + std::to_string(rank) + " has circuits to " +
                    std::to_string(circuits.size()) + " peers, which " +
                    std::to_string(others.size()) +
                    " GPUs would stand for: on a fabric with circuits only a plan in which a GPU "
                    "has one peer in each of its groups, like rings, can be folded");
            }
            if (circuits != others)
            {
                throw std::invalid_argument(
                    "GPU " + std::to_string(rank) +
                    " has circuits with other rates or delays than the GPU that would stand for "
                    "it: only a plan that gives all GPUs of a stage the same circuits can be "
                    "folded");
            }
        }
    }
}

} // namespace lightpath
} // namespace ns3
