/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "plan-folder.h"

#include "direct-peers.h"
#include "group-run.h"
#include "task-folder.h"

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>

namespace ns3
{
namespace lightpath
{

PlanFolder::PlanFolder(const TrainingPlan& plan,
                       uint32_t serverGpus,
                       uint32_t leafGpus,
                       uint32_t kept,
                       bool wholeServers)
    : m_keepsServers(leafGpus >= plan.programs.size()),
      m_wholeServers(wholeServers),
      m_plan(plan)
{
    CheckDegrees(plan);
    plan.placement.CheckServers(plan.programs.size(), std::max(serverGpus, 1U));
    CheckPrograms(plan);
    CheckGroups(plan);
    m_local = GetLocal(plan, DATA_GROUP);
    m_sizes = GetSizes(plan, m_local, wholeServers ? serverGpus : 1, leafGpus);
    const uint64_t nRanks = ChoosePositions(serverGpus, leafGpus, kept);
    // A server larger than the plan counts as one that holds all ranks
    m_serverGpus = FoldServer(plan.strategy,
                              std::min(serverGpus, static_cast<uint32_t>(plan.programs.size())));
    m_plan.representedRanks = static_cast<uint32_t>(plan.programs.size());
    m_plan.programs.clear();
    m_plan.groups.assign(plan.groups.size(), RankGroups());
    std::map<const RankProgram*, std::shared_ptr<const RankProgram>> programs; // looked up only
    for (uint32_t folded = 0; folded < nRanks; ++folded)
    {
        // The rank of the full plan with the same coordinates has the program and the groups
        const uint32_t rank = GetRank(GetCoordinates(folded, m_foldedSizes), m_sizes);
        m_plan.ofWhole.push_back(rank);
        auto& program = programs[plan.programs[rank].get()];
        if (!program)
        {
            program = std::make_shared<RankProgram>(FoldProgram(plan, *plan.programs[rank]));
        }
        m_plan.programs.push_back(program);
        for (std::size_t kind = 0; kind < plan.groups.size(); ++kind)
        {
            std::vector<uint32_t> members = plan.groups[kind].GetMembers(rank);
            if (members.empty())
            {
                continue;
            }
            for (auto& member : members)
            {
                member = FindTwin(rank, member, kind);
            }
            m_plan.groups[kind].AddView(folded,
                                        plan.groups[kind].GetPosition(rank),
                                        std::move(members));
        }
    }
    m_plan.placement = plan.placement.Select(m_plan.ofWhole);
}

uint64_t
PlanFolder::ChoosePositions(uint32_t serverGpus, uint32_t leafGpus, uint32_t kept)
{
    const DirectPeers direct(m_plan, serverGpus, leafGpus);
    const auto choose = [&](bool keepsPeers) {
        // A few positions of each coordinate are enough, but for the stages, the servers of a leaf
        // and the GPUs of whole servers
        m_foldedSizes = m_sizes;
        uint64_t nRanks = m_sizes.back();
        uint32_t run = 1;
        for (std::size_t i = 0; i + 1 < m_sizes.size(); ++i)
        {
            const bool isKept = run < serverGpus ? m_wholeServers : run < leafGpus;
            if (!isKept && !(keepsPeers && direct.Have(run)))
            {
                m_foldedSizes[i] = std::min(m_sizes[i], run >= serverGpus ? kept : 2);
            }
            run *= m_sizes[i];
            nRanks *= m_foldedSizes[i];
        }
        return nRanks;
    };
    const uint64_t nRanks = choose(true);
    if (nRanks <= MANY_RANKS)
    {
        return nRanks;
    }
    const uint64_t nFew = choose(false);
    m_plan.foldsExactly = nFew == nRanks;
    return nFew;
}

const TrainingPlan&
PlanFolder::GetPlan() const
{
    return m_plan;
}

uint32_t
PlanFolder::GetServerGpus() const
{
    return m_serverGpus;
}

PlanFolder::Coordinates
PlanFolder::GetKept(uint32_t rank) const
{
    Coordinates place = GetCoordinates(rank, m_sizes);
    for (std::size_t i = 0; i < place.size(); ++i)
    {
        // A position that is not kept is like the first one
        place[i] = place[i] < m_foldedSizes[i] ? place[i] : 0;
    }
    return place;
}

uint32_t
PlanFolder::FindFolded(uint32_t rank) const
{
    return GetRank(GetKept(rank), m_foldedSizes);
}

const std::vector<uint32_t>&
PlanFolder::GetRanks() const
{
    return m_plan.ofWhole;
}

void
PlanFolder::CheckDegrees(const TrainingPlan& plan)
{
    if (plan.representedRanks > 0)
    {
        throw std::invalid_argument("The plan is folded already: only a full plan can be folded");
    }
    if (plan.expertLoad.IsDrawn())
    {
        throw std::invalid_argument("The experts of the plan have different loads, and so have the "
                                    "GPUs that share them out: only a plan with an even load of "
                                    "experts can be folded");
    }
    if (!plan.protocols.IsEmpty())
    {
        throw std::invalid_argument("The plan has protocols of collective operations, which depend "
                                    "on sizes that folding rounds up: only a plan without them "
                                    "can be folded");
    }
    const Strategy& strategy = plan.strategy;
    const uint64_t ranks = strategy.GetGpus();
    if (ranks != plan.programs.size() || ranks == 0)
    {
        throw std::invalid_argument(
            "The plan has " + std::to_string(plan.programs.size()) + " ranks, but " +
            std::to_string(strategy.pipelineParallel) + " stages of " +
            std::to_string(strategy.GetDataMembers()) + " replicas of " +
            std::to_string(strategy.tensorParallel) +
            " parts: only a plan with one rank for each of these can be folded");
    }
}

void
PlanFolder::CheckPrograms(const TrainingPlan& plan)
{
    const uint32_t stageRanks = plan.strategy.GetDataMembers() * plan.strategy.tensorParallel;
    for (uint32_t rank = 0; rank < plan.programs.size(); ++rank)
    {
        // All ranks of a stage must share the program of its first rank
        const uint32_t first = rank / stageRanks * stageRanks;
        if (plan.programs[rank] != plan.programs[first])
        {
            throw std::invalid_argument("Ranks " + std::to_string(first) + " and " +
                                        std::to_string(rank) +
                                        " have different programs: only a plan whose parts and "
                                        "replicas do the same can be folded");
        }
    }
}

void
PlanFolder::CheckGroups(const TrainingPlan& plan)
{
    const uint32_t stageRanks = plan.strategy.GetDataMembers() * plan.strategy.tensorParallel;
    for (uint32_t kind = 0; kind < plan.groups.size(); ++kind)
    {
        for (uint32_t rank = 0; rank < plan.programs.size(); ++rank)
        {
            const uint32_t offset = rank % stageRanks;
            const auto& members = plan.groups[kind].GetMembers(rank);
            if (members.empty())
            {
                continue;
            }
            bool fits = true;
            if (GroupRun::IsSymmetric(kind))
            {
                const GroupRun run = GroupRun::Get(plan.strategy, kind);
                const uint32_t position = offset / run.stride % run.size;
                const uint32_t stage = rank / stageRanks;
                const uint32_t mirror = plan.strategy.pipelineParallel - 1 - stage;
                const bool isMirrored = GroupRun::IsMirrored(plan.strategy, kind);
                const uint32_t before = isMirrored && mirror < stage ? run.size : 0;
                fits = members.size() == (isMirrored ? 2 : 1) * run.size &&
                       plan.groups[kind].GetPosition(rank) == before + position;
                // The first member checks the group for all members: its own stage and, if two
                // stages do the same, the other one
                for (uint32_t i = 0; fits && before + position == 0 && i < members.size(); ++i)
                {
                    const uint32_t other = i < run.size ? stage : mirror;
                    fits = members[i] == other * stageRanks + offset + i % run.size * run.stride;
                }
            }
            else
            {
                // The group of the first rank of the stage, shifted
                const auto& model = plan.groups[kind].GetMembers(rank - offset);
                fits = members.size() == model.size();
                for (uint32_t i = 0; fits && i < members.size(); ++i)
                {
                    fits = members[i] % stageRanks == offset && members[i] == model[i] + offset;
                }
            }
            if (!fits)
            {
                throw std::invalid_argument(
                    "Rank " + std::to_string(rank) + " has a group of kind " +
                    std::to_string(kind) +
                    " that does not suit a plan to be folded: with rank "
                    "(stage x replicas + replica) x parts + part, groups of ranks of one stage "
                    "are evenly spaced, and others hold the same stages for all of these");
            }
        }
    }
}

uint32_t
PlanFolder::GetLocal(const TrainingPlan& plan, uint32_t kind)
{
    const uint32_t replicas = GroupRun::Get(plan.strategy, kind).size;
    const uint32_t stageRanks = plan.strategy.GetDataMembers() * plan.strategy.tensorParallel;
    const Task* one = nullptr;
    uint32_t local = 1;
    for (uint32_t rank = 0; rank < plan.programs.size(); rank += stageRanks)
    {
        for (const auto& task : plan.programs[rank]->GetTasks())
        {
            if (task.kind != TaskKind::COLLECTIVE || task.group != kind)
            {
                continue;
            }
            // A single server counts as none
            const uint32_t members = replicas * (GroupRun::IsMirrored(plan.strategy, kind) ? 2 : 1);
            const uint32_t mine = task.options.local == members ? 1 : task.options.local;
            if (one && mine != local)
            {
                throw std::invalid_argument(
                    "Task " + task.name + " has " + std::to_string(mine) +
                    " replicas a server, but task " + one->name + " has " + std::to_string(local) +
                    ": only a plan with one number of replicas a server can be folded");
            }
            one = &task;
            local = mine;
        }
    }
    if (local == 0 || replicas % local != 0)
    {
        throw std::invalid_argument("Task " + one->name + " has " + std::to_string(local) +
                                    " replicas a server, which do not divide the " +
                                    std::to_string(replicas) + " replicas of the plan");
    }
    return local;
}

PlanFolder::Coordinates
PlanFolder::GetSizes(const TrainingPlan& plan,
                     uint32_t local,
                     uint32_t serverGpus,
                     uint32_t leafGpus)
{
    const Strategy& strategy = plan.strategy;
    const uint32_t parts = strategy.tensorParallel;
    const uint32_t stageRanks = parts * strategy.GetDataMembers();
    const uint32_t shards = GroupRun::Get(strategy, SHARD_COPY_GROUP).stride;
    Coordinates sizes;
    uint32_t last = 1;
    for (const auto run : std::set<uint32_t>{parts,
                                             parts * local,
                                             parts * strategy.contextParallel,
                                             GroupRun::Get(strategy, EXPERT_DATA_GROUP).stride,
                                             shards,
                                             shards * GetLocal(plan, SHARD_COPY_GROUP),
                                             std::min(serverGpus, stageRanks),
                                             std::min(leafGpus, stageRanks),
                                             stageRanks})
    {
        if (run % last != 0)
        {
            throw std::invalid_argument("The plan has groups of " + std::to_string(last) +
                                        " and of " + std::to_string(run) +
                                        " successive ranks: only a plan in which the larger of two "
                                        "such groups holds whole smaller ones can be folded");
        }
        sizes.push_back(run / last);
        last = run;
    }
    sizes.push_back(strategy.pipelineParallel);
    return sizes;
}

uint32_t
PlanFolder::FoldServer(const Strategy& strategy, uint32_t serverGpus) const
{
    const std::size_t stage = m_sizes.size() - 1;
    const uint32_t parts = strategy.tensorParallel;
    uint32_t full = 1;
    uint32_t folded = 1;
    // A server must hold whole runs, from the innermost one on
    for (std::size_t i = 0; i < stage && full < serverGpus; ++i)
    {
        full *= m_sizes[i];
        folded *= m_foldedSizes[i];
    }
    // A ring of keys and values must not leave a server at some GPUs only
    const bool isCut =
        !m_wholeServers && serverGpus > parts && serverGpus < parts * strategy.contextParallel;
    if (serverGpus == 0 || serverGpus % full != 0 || (isCut && !strategy.contextGather))
    {
        throw std::invalid_argument(
            "Servers of " + std::to_string(serverGpus) + " GPUs do not hold whole groups of " +
            std::to_string(parts) + " parts" +
            (isCut ? " and " + std::to_string(strategy.contextParallel) + " shares of the tokens"
                   : " and as many replicas as the collectives of the plan have in a server") +
            ": only a plan whose groups lie evenly in the servers can be folded");
    }
    // Beyond all ranks of a stage a server holds several stages, which are all kept
    return folded * std::min(serverGpus / full, m_sizes[stage]);
}

PlanFolder::Coordinates
PlanFolder::GetCoordinates(uint32_t rank, const Coordinates& sizes)
{
    Coordinates place(sizes.size());
    for (std::size_t i = 0; i < sizes.size(); ++i)
    {
        place[i] = rank % sizes[i];
        rank /= sizes[i];
    }
    return place;
}

uint32_t
PlanFolder::GetRank(const Coordinates& place, const Coordinates& sizes)
{
    uint32_t rank = 0;
    for (std::size_t i = sizes.size(); i-- > 0;)
    {
        rank = rank * sizes[i] + place[i];
    }
    return rank;
}

uint32_t
PlanFolder::FindTwin(uint32_t rank, uint32_t peer, std::size_t kind) const
{
    Coordinates place = GetKept(rank);
    const Coordinates own = GetCoordinates(rank, m_sizes);
    const Coordinates other = GetCoordinates(peer, m_sizes);
    // The twin differs from the rank in the same coordinates as the peer
    const std::size_t stage = place.size() - 1;
    for (std::size_t i = 0; i < stage; ++i)
    {
        const uint32_t few = m_foldedSizes[i];
        const uint32_t away = (other[i] + m_sizes[i] - own[i]) % m_sizes[i];
        const uint32_t step = away == 0 ? 0 : 2 * away <= m_sizes[i] ? 1 : few - 1;
        place[i] = own[i] < few && other[i] < few ? other[i] : (place[i] + step) % few;
    }
    // Stages are not folded. Replicas in two stages that do the same are played by those of one
    // stage, if these are in several servers that are not all kept
    if (!GroupRun::IsMirrored(m_plan.strategy, kind) ||
        m_plan.strategy.GetDataMembers() == m_local || m_keepsServers)
    {
        place[stage] = other[stage];
    }
    return GetRank(place, m_foldedSizes);
}

bool
PlanFolder::IsFolded(uint32_t kind) const
{
    const GroupRun group = GroupRun::Get(m_plan.strategy, kind);
    bool isFolded = !m_keepsServers;
    uint32_t run = 1;
    for (std::size_t i = 0; i < m_sizes.size(); run *= m_sizes[i++])
    {
        const bool isInside = run >= group.stride && run < group.stride * group.size;
        isFolded |= isInside && m_foldedSizes[i] < m_sizes[i];
    }
    return isFolded;
}

RankProgram
PlanFolder::FoldProgram(const TrainingPlan& plan, const RankProgram& program) const
{
    RankProgram folded = program;
    folded.ChangeTasks([&](Task& task) {
        if (task.kind != TaskKind::COMPUTE && GroupRun::IsSymmetric(task.group) &&
            IsFolded(task.group))
        {
            const uint32_t ends = GroupRun::IsMirrored(plan.strategy, task.group) ? 2 : 1;
            const uint32_t members = ends * GroupRun::Get(plan.strategy, task.group).size;
            TaskFolder::Fold(members, m_wholeServers, task);
        }
    });
    return folded;
}

} // namespace lightpath
} // namespace ns3
