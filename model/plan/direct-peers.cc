/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "direct-peers.h"

#include "group-run.h"

#include "ns3/collective-schedule.h"

#include <algorithm>
#include <memory>
#include <vector>

namespace ns3
{
namespace lightpath
{

namespace
{

/**
 * @param task a collective of a group whose members do the same
 * @return whether its members send to several others at once, inside servers and between them
 */
std::array<bool, 2>
IsDirect(const Task& task)
{
    using Algorithm = CollectiveAlgorithm;
    const CollectiveOptions& options = task.options;
    const Algorithm algorithm = options.algorithm == Algorithm::AUTOMATIC && options.local > 1
                                    ? Algorithm::TWO_LEVEL
                                    : options.algorithm;
    const bool isDirect =
        task.collective == CollectiveKind::ALL_TO_ALL || algorithm == Algorithm::DIRECT;
    const bool isTwoLevel = algorithm == Algorithm::TWO_LEVEL;
    // Each ring leaves a GPU for another one of its server
    return {isDirect || algorithm == Algorithm::SERVER_RINGS ||
                (isTwoLevel && options.inside == Algorithm::DIRECT),
            isDirect || (isTwoLevel && options.across == Algorithm::DIRECT)};
}

/**
 * @param task a collective
 * @param size the number of members of its group
 * @return whether a member sends to several others, be it one after the other
 */
bool
HasSeveralPeers(const Task& task, uint32_t size)
{
    using Algorithm = CollectiveAlgorithm;
    const bool isTwoLevel = task.options.algorithm == Algorithm::TWO_LEVEL;
    const Algorithm algorithm = isTwoLevel ? task.options.across : task.options.algorithm;
    if (isTwoLevel || algorithm != Algorithm::AUTOMATIC)
    {
        return algorithm == Algorithm::HALVING_DOUBLING;
    }
    std::vector<Transfer> sends;
    CollectiveSchedule::Create(task.collective, size, task.bytes, task.options)
        ->GetTotals(0, sends);
    return sends.size() > 1;
}

} // namespace

DirectPeers::DirectPeers(const TrainingPlan& plan, uint32_t serverGpus, uint32_t leafGpus)
    : m_plan(plan),
      m_serverGpus(serverGpus)
{
    const Strategy& strategy = plan.strategy;
    const uint32_t stageRanks = strategy.GetDataMembers() * strategy.tensorParallel;
    std::array<std::set<uint32_t>, 2> all;  // with messages inside servers, and between them
    std::array<std::set<uint32_t>, 2> sums; // of replicas, with several peers one after the other
    const std::set<std::shared_ptr<const RankProgram>> programs(plan.programs.begin(),
                                                                plan.programs.end());
    for (const auto& program : programs)
    {
        for (const auto& task : program->GetTasks())
        {
            if (task.kind == TaskKind::COMPUTE)
            {
                continue;
            }
            const bool isSymmetric = GroupRun::IsSymmetric(task.group);
            const GroupRun run = isSymmetric ? GroupRun::Get(strategy, task.group)
                                             : GroupRun{stageRanks, strategy.pipelineParallel};
            const bool isInside = run.stride < serverGpus;
            const bool isOutside = run.stride * run.size > serverGpus;
            const std::array<bool, 2> hasMessages{isInside, isOutside};
            const bool mayBeDirect = isSymmetric && task.kind == TaskKind::COLLECTIVE;
            const auto isDirect = mayBeDirect ? IsDirect(task) : std::array<bool, 2>();
            const bool isSum = task.group == DATA_GROUP || task.group == EXPERT_DATA_GROUP;
            const bool hasSeveral = mayBeDirect && isSum && HasSeveralPeers(task, run.size);
            for (std::size_t i = 0; i < all.size(); ++i)
            {
                if (hasMessages[i])
                {
                    all[i].insert(task.group);
                }
                if (hasMessages[i] && isDirect[i])
                {
                    m_kinds[i].insert(task.group);
                }
                if (hasMessages[i] && hasSeveral && !isDirect[i])
                {
                    sums[i].insert(task.group);
                }
            }
        }
    }
    for (std::size_t i = 0; i < all.size(); ++i)
    {
        // Of sums of all replicas and of experts that are under way at once, messages to different
        // peers share links, and those to one peer wait for each other
        if (sums[i].size() > 1)
        {
            m_kinds[i].insert(sums[i].begin(), sums[i].end());
        }
        // Those in other leaves are farther away
        if (all[i].size() == 1 && (i == 0 || leafGpus == 1))
        {
            m_kinds[i].clear();
        }
    }
}

bool
DirectPeers::Have(uint32_t distance) const
{
    const auto& kinds = m_kinds[distance < m_serverGpus ? 0 : 1];
    return std::any_of(kinds.begin(), kinds.end(), [&](uint32_t kind) {
        const GroupRun group = GroupRun::Get(m_plan.strategy, kind);
        return distance >= group.stride && distance < group.stride * group.size;
    });
}

} // namespace lightpath
} // namespace ns3
