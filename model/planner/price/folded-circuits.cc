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
    Kinds kinds;
    for (const auto& [place, bytes] : traffic.GetPeers(m_plan.groups, rank))
    {
        const uint32_t peer = m_plan.groups[place.first].GetMembers(rank)[place.second];
        const bool isOutside = !m_fabric.HasServers() || !layout.AreInside(rank, peer);
        if (bytes > 0 && peer != rank && isOutside)
        {
            kinds[peer].insert(place.first);
        }
    }
    if (m_circuits.AreTurned())
    {
        CheckTurns(rank, kinds);
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
FoldedCircuits::CheckTurns(uint32_t rank, const Kinds& kinds)
{
    if (m_plan.strategy.schedule == PipelineScheduleKind::DUALPIPE)
    {
        throw std::invalid_argument("Circuits follow operations of replicas in two stages, of "
                                    "which few would begin without the others: only a plan with "
                                    "another schedule than dualpipe can be folded");
    }
    const auto& program = m_plan.programs[rank];
    const auto [entry, isNew] = m_collectives.try_emplace(program.get());
    if (isNew)
    {
        for (const Task& task : program->GetTasks())
        {
            if (task.options.turns)
            {
                throw std::invalid_argument("Task " + task.name +
                                            " turns circuits while it goes on: only a plan in "
                                            "which a GPU has one peer in each of its groups, like "
                                            "rings, can be folded");
            }
            if (task.kind == TaskKind::COLLECTIVE)
            {
                entry->second.insert(task.group);
            }
        }
    }
    const auto getName = [this](uint32_t folded) {
        return "GPU " + std::to_string(m_plan.ofWhole.empty() ? folded : m_plan.ofWhole[folded]);
    };
    CheckPeers(getName(rank), kinds, entry->second);
    m_sources.resize(m_plan.programs.size());
    for (const auto& [peer, ofPeer] : kinds)
    {
        if (m_fabric.HasServers() && m_fabric.servers.layout.GetWay(rank, peer).relay != rank)
        {
            throw std::invalid_argument(getName(rank) + " reaches " + getName(peer) +
                                        " over the card of another GPU: where circuits follow "
                                        "operations, only a plan in which GPUs keep to their cards "
                                        "can be folded");
        }
        m_sources[peer][rank] = ofPeer;
    }
}

void
FoldedCircuits::CheckPeers(const std::string& name,
                           const Kinds& kinds,
                           const std::set<uint32_t>& collectives)
{
    std::set<uint32_t> known;
    for (const auto& [peer, ofPeer] : kinds)
    {
        for (const uint32_t kind : ofPeer)
        {
            if (collectives.count(kind) > 0 && !known.insert(kind).second)
            {
                throw std::invalid_argument(
                    name + " has several peers in a group (" + RankGroups::GetKindName(kind) +
                    "): where circuits follow operations, only a plan in which a GPU has one peer "
                    "in each of its groups, like rings, can be folded");
            }
        }
    }
}

void
FoldedCircuits::CheckSources(const FoldedCircuits& full,
                             const FoldedCircuits& few,
                             const std::vector<uint32_t>& ofPorts)
{
    const auto sort = [](const Kinds& sources) {
        std::vector<std::set<uint32_t>> sorted;
        for (const auto& source : sources)
        {
            sorted.push_back(source.second);
        }
        std::sort(sorted.begin(), sorted.end());
        return sorted;
    };
    for (uint32_t rank = 0; rank < full.m_sources.size(); ++rank)
    {
        const Kinds& sources = full.m_sources[rank];
        const uint32_t folded = ofPorts[rank];
        CheckPeers("GPU " + std::to_string(rank),
                   sources,
                   full.m_collectives.at(full.m_plan.programs[rank].get()));
        if (folded >= few.m_sources.size() || sort(sources) != sort(few.m_sources[folded]))
        {
            throw std::invalid_argument("GPU " + std::to_string(rank) +
                                        " receives from other GPUs than the GPU that would stand "
                                        "for it: where circuits follow operations, only a plan in "
                                        "which both do so in the same groups can be folded");
        }
    }
}

void
FoldedCircuits::Check(const TrainingPlan& plan,
                      const FabricLimits& fabric,
                      const PlanFolder& folder,
                      const FabricLimits& folded)
{
    const TrainingPlan onPorts = plan.OnPorts();
    const TrainingPlan foldedOnPorts = folder.GetPlan().OnPorts();
    std::vector<uint32_t> ofPorts(plan.programs.size());
    for (uint32_t rank = 0; rank < plan.programs.size(); ++rank)
    {
        ofPorts[plan.placement.GetPort(rank)] =
            folder.GetPlan().placement.GetPort(folder.FindFolded(rank));
    }
    FoldedCircuits full(onPorts, fabric);
    FoldedCircuits few(foldedOnPorts, folded);
    for (uint32_t phase = 0; phase < full.m_nPhases; ++phase)
    {
        full.SetPhase(phase);
        few.SetPhase(phase);
        std::vector<std::vector<Circuit>> ofFew;
        for (uint32_t port = 0; port < foldedOnPorts.programs.size(); ++port)
        {
            ofFew.push_back(few.Get(port));
        }
        for (uint32_t rank = 0; rank < plan.programs.size(); ++rank)
        {
            const auto circuits = full.Get(rank);
            const auto& others = ofFew[ofPorts[rank]];
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
    CheckSources(full, few, ofPorts);
}

} // namespace lightpath
} // namespace ns3
