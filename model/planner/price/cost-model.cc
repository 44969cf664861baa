/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "cost-model.h"

#include "plan-replay.h"

#include "ns3/plan-folder.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>

namespace ns3
{
namespace lightpath
{

namespace
{

/// Ranks that are soon followed one by one.
constexpr std::size_t FEW_RANKS = 16;

/// The most tasks of all ranks whose messages are followed.
constexpr uint64_t MOST_TASKS = 500'000;

/// The most messages over shared links that are followed where closed forms come close; twice as
/// many over lightpaths, where none changes the rate of another.
constexpr uint64_t FEW_MESSAGES = 50'000;

/// The most messages that are followed elsewhere.
constexpr uint64_t MOST_MESSAGES = 400'000;

/// Frames that are as much work as a message.
constexpr uint64_t FRAMES = 16;

/**
 * @param task a task
 * @return whether it is an all-to-all whose data all goes to one rank
 */
bool
IsGather(const Task& task)
{
    const auto& routing = task.options.routing;
    return task.kind == TaskKind::COLLECTIVE && routing && !routing->isReturn &&
           std::count(routing->loads.begin(), routing->loads.end(), 0) + 1 ==
               static_cast<std::ptrdiff_t>(routing->loads.size());
}

/**
 * A price follows what ranks send. A gather, of which one rank sends nothing, takes as long as its
 * return.
 *
 * @param plan a plan
 * @return the plan with gathers the other way round; empty if there are none
 */
std::optional<TrainingPlan>
ReturnGathers(const TrainingPlan& plan)
{
    std::map<const RankProgram*, std::shared_ptr<const RankProgram>> programs; // looked up only
    bool hasGathers = false;
    for (const auto& program : plan.programs)
    {
        const auto [place, isNew] = programs.try_emplace(program.get());
        const auto& tasks = program->GetTasks();
        if (!isNew || std::none_of(tasks.begin(), tasks.end(), IsGather))
        {
            continue;
        }
        hasGathers = true;
        const auto copy = std::make_shared<RankProgram>(*program);
        copy->ChangeTasks([](Task& task) {
            if (IsGather(task))
            {
                TokenRouting routing = *task.options.routing;
                routing.isReturn = true;
                task.options.routing = std::make_shared<const TokenRouting>(routing);
            }
        });
        place->second = copy;
    }
    if (!hasGathers)
    {
        return std::nullopt;
    }
    TrainingPlan result = plan;
    for (auto& program : result.programs)
    {
        const auto returned = programs[program.get()];
        program = returned ? returned : program;
    }
    return result;
}

/**
 * @param plan a plan
 * @return true if it has few enough tasks to follow each message
 */
bool
HasFewTasks(const TrainingPlan& plan)
{
    uint64_t tasks = 0;
    for (const auto& program : plan.programs)
    {
        tasks += program->GetTasks().size();
    }
    return tasks <= MOST_TASKS;
}

/**
 * @param fabric a fabric
 * @return true if it has lightpaths that each pair of ports has for itself
 */
bool
IsLit(const FabricLimits& fabric)
{
    return fabric.laneRate > 0 && fabric.allocators.size() == 1 && !fabric.isShared;
}

/**
 * @param plan a plan
 * @return true if all-to-alls of experts share ports with other messages, which closed forms do not
 *         know; not if their loads are one draw, a quick estimate anyway
 */
bool
HasExchanges(const TrainingPlan& plan)
{
    return plan.strategy.expertParallel > 1 && !plan.isOneDraw;
}

/**
 * @param plan a plan
 * @param fabric a fabric
 * @return true if as many of its messages as time allows are followed there
 */
bool
CanFollow(const TrainingPlan& plan, const FabricLimits& fabric)
{
    const bool isGrid = fabric.grid.rows > 0 && fabric.isShared && fabric.allocators.empty();
    const bool hasLightpaths = IsLit(fabric) && fabric.indirectBitRate == 0 &&
                               fabric.averagedBits == 0 && !fabric.turnCircuits;
    return isGrid || (hasLightpaths && HasExchanges(plan)) || fabric.links.carry;
}

/**
 * @param plan a plan
 * @param fabric a fabric
 * @return the most messages that are followed on circuits and networks of shared links; 0 elsewhere
 */
uint64_t
GetMostMessages(const TrainingPlan& plan, const FabricLimits& fabric)
{
    const bool isOther =
        (fabric.indirectBitRate > 0 && !fabric.beside.network && fabric.relayFrameBytes == 0) ||
        fabric.averagedBits > 0 || fabric.grid.rows > 0;
    const bool isLit = IsLit(fabric);
    const bool isNetwork = fabric.isShared && fabric.allocators.empty();
    if (fabric.turnCircuits && !isOther)
    {
        return fabric.indirectBitRate > 0 && !fabric.beside.network ? 0 : MOST_MESSAGES;
    }
    if (isOther || (!isLit && !isNetwork))
    {
        return 0;
    }
    const bool isRough = fabric.links.getWay || fabric.beside.network ||
                         fabric.relayFrameBytes > 0 || HasExchanges(plan);
    return isRough ? MOST_MESSAGES : isLit ? 2 * FEW_MESSAGES : FEW_MESSAGES;
}

/**
 * @param plan a plan
 * @param fabric the fabric
 * @return true if its ranks send no more messages than are followed there, or frames of these where
 *         relays forward them
 */
bool
HasFewMessages(const TrainingPlan& plan, const FabricLimits& fabric)
{
    const bool hasRelays = fabric.relayFrameBytes > 0;
    const uint64_t most = GetMostMessages(plan, fabric) * (hasRelays ? FRAMES : 1);
    const auto count = [&](uint64_t bytes) {
        return hasRelays ? bytes / fabric.relayFrameBytes + 1 : 1;
    };
    // A class of a folded plan, and loads that are typical, are followed by their circuits
    const bool isOther = plan.turnCircuits && (plan.isTypical || plan.representedRanks > 0);
    if (most == 0 || (hasRelays && (plan.phaseCircuits || fabric.phaseCircuits)) || isOther)
    {
        return false;
    }
    uint64_t messages = 0;
    std::map<const RankProgram*, uint64_t> known; // looked up only
    std::map<std::tuple<CollectiveKind, uint32_t, uint64_t, CollectiveOptions>, uint64_t> counts;
    std::vector<Transfer> transfers;
    for (uint32_t rank = 0; rank < plan.programs.size() && messages <= most; ++rank)
    {
        const auto& program = plan.programs[rank];
        const auto [found, isNew] = known.try_emplace(program.get());
        for (std::size_t i = 0; isNew && i < program->GetTasks().size(); ++i)
        {
            const Task& task = program->GetTasks()[i];
            if (task.kind != TaskKind::COLLECTIVE)
            {
                found->second += task.kind == TaskKind::SEND ? count(task.bytes) : 0;
                continue;
            }
            const RankGroups& groups = plan.groups[task.group];
            const auto size = static_cast<uint32_t>(groups.GetMembers(rank).size());
            const auto [sum, isUnknown] =
                counts.try_emplace({task.collective, size, task.bytes, task.options});
            const auto schedule =
                isUnknown
                    ? CollectiveSchedule::Create(task.collective, size, task.bytes, task.options)
                    : nullptr;
            // Members send about as many messages
            for (uint32_t step = 0; isUnknown && step < schedule->GetNSteps(); ++step)
            {
                schedule->GetSends(groups.GetPosition(rank), step, transfers);
                sum->second += transfers.empty() ? 1 : 0;
                for (const Transfer& transfer : transfers)
                {
                    sum->second += count(transfer.bytes);
                }
            }
            found->second += sum->second;
        }
        messages += found->second;
    }
    return messages <= most;
}

/**
 * Ranks that share out experts are classes of their own (RankClasses), of which there are many.
 *
 * @param plan a plan
 * @param [in,out] fabric its fabric, whose servers become those of the result
 * @return the plan with few ranks that stand for all; empty if it has few, or few classes, or they
 *         differ
 */
std::optional<TrainingPlan>
Fold(const TrainingPlan& plan, FabricLimits& fabric)
{
    if (plan.programs.size() <= FEW_RANKS || plan.strategy.expertParallel == 1 ||
        plan.representedRanks > 0 || !fabric.IsFoldable())
    {
        return std::nullopt;
    }
    try
    {
        const PlanFolder folder(plan, fabric.servers.layout.gpus);
        fabric.servers.layout.gpus = folder.GetServerGpus();
        return folder.GetPlan();
    }
    catch (const std::invalid_argument&)
    {
        return std::nullopt;
    }
}

} // namespace

CostModel::CostModel(const FabricLimits& fabric, uint64_t mostFollowed)
    : m_fabric(fabric),
      m_mostFollowed(mostFollowed)
{
}

PlanCost
CostModel::Price(const TrainingPlan& plan, double limit, uint64_t mostEvents) const
{
    PlanCost cost = Replay(plan, limit, mostEvents, true);
    cost.lacksDecisions = m_fabric.decidesAgain;
    return cost;
}

PlanCost
CostModel::Estimate(const TrainingPlan& plan, double limit, uint64_t mostEvents) const
{
    return Replay(plan, limit, mostEvents, false);
}

PlanCost
CostModel::Replay(const TrainingPlan& plan, double limit, uint64_t mostEvents, bool mayFollow) const
{
    if (!plan.placement.IsLinear())
    {
        // The fabric knows the ranks by their ports
        return Replay(plan.OnPorts(), limit, mostEvents, mayFollow);
    }
    if (!plan.expertLoad.IsEven())
    {
        return Replay(plan.WithTypicalLoads(), limit, mostEvents, mayFollow);
    }
    if (const auto returned = ReturnGathers(plan))
    {
        return Replay(*returned, limit, mostEvents, mayFollow);
    }
    FabricLimits fabric = m_fabric.GetFor(plan);
    fabric.grid = m_fabric.GetGrid(plan.gridRows, plan.gridColumns);
    if (plan.turnCircuits && !fabric.turnCircuits)
    {
        fabric.TurnCircuits();
    }
    PlanCost followed;
    double progress = 0;
    if (mayFollow && (CanFollow(plan, fabric) ? HasFewTasks(plan) : HasFewMessages(plan, fabric)))
    {
        PlanReplay replay(plan, fabric, CanFollow(plan, fabric) ? m_mostFollowed : ANY_EVENTS);
        followed = replay.Run(limit, ANY_EVENTS);
        if (followed.isExact)
        {
            return followed;
        }
        progress = replay.GetProgress();
    }
    const auto folded = Fold(plan, fabric);
    PlanReplay replay(folded ? *folded : plan, fabric);
    replay.NoteProgress(progress);
    // The whole of it is needed to extrapolate
    PlanCost cost =
        replay.Run(progress > 0 ? std::numeric_limits<double>::infinity() : limit, mostEvents);
    cost.events += followed.events;
    cost.isExact = !CanFollow(plan, fabric);
    if (progress > 0)
    {
        // The estimate is too short by one factor for the part that was followed and for the rest
        cost.seconds = std::max(followed.seconds * replay.GetRest(), cost.computeSeconds);
        cost.waitingSeconds = cost.seconds - cost.computeSeconds;
    }
    return cost;
}

} // namespace lightpath
} // namespace ns3
