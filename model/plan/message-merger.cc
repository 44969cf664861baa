/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "message-merger.h"

#include "model/base/wire-format.h"
#include "model/collective/algorithm-table.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace ns3
{
namespace lightpath
{

uint64_t
MessageMerger::GetBytes(uint64_t bytes, uint32_t size)
{
    const uint64_t chunk = bytes / size;
    return bytes == 0 ? 0 : 2 * ((size - 1) * chunk + (size - 2) * uint64_t{FRAME_HEADER_BYTES});
}

uint32_t
MessageMerger::FindSize(const RankGroups& groups, uint32_t nRanks)
{
    std::size_t size = 0;
    for (uint32_t rank = 0; rank < nRanks; ++rank)
    {
        const std::vector<uint32_t>& members = groups.GetMembers(rank);
        if (members.size() < 3 || (size > 0 && members.size() != size))
        {
            return 0;
        }
        size = members.size();
        const uint32_t peer = members[groups.GetPosition(rank) == 0 ? 1 : 0];
        const auto& others = groups.GetMembers(peer);
        const auto nPeers = std::count(members.begin(), members.end(), peer);
        const auto nOwn = std::count(others.begin(), others.end(), rank);
        if (peer == rank || nPeers + 1 != static_cast<std::ptrdiff_t>(size) || nOwn != nPeers)
        {
            return 0;
        }
    }
    return static_cast<uint32_t>(size);
}

bool
MessageMerger::IsSummed(const Task& task, uint32_t size)
{
    return task.kind == TaskKind::COLLECTIVE && task.options.local == size &&
           FindAlgorithm(task, size) == CollectiveAlgorithm::IN_NETWORK;
}

CollectiveAlgorithm
MessageMerger::FindAlgorithm(const Task& task, uint32_t size)
{
    return AlgorithmTable::Resolve({task.collective, size, task.bytes, task.options}).algorithm;
}

bool
MessageMerger::AreDirect(const TrainingPlan& plan, uint32_t kind, uint32_t size)
{
    const auto isDirect = [=](const Task& task) {
        const CollectiveOptions& options = task.options;
        return task.kind == TaskKind::COLLECTIVE &&
               FindAlgorithm(task, size) == CollectiveAlgorithm::DIRECT &&
               (options.local == 1 || options.local == size) &&
               (task.collective == CollectiveKind::ALL_REDUCE ||
                task.collective == CollectiveKind::REDUCE_SCATTER ||
                task.collective == CollectiveKind::ALL_GATHER ||
                task.collective == CollectiveKind::ALL_TO_ALL) &&
               task.bytes % size == 0 && GetBytes(task.bytes, size) / 2 <= MAX_FRAME_PAYLOAD_BYTES;
    };
    bool isUsed = false;
    const RankProgram* last = nullptr;
    for (const auto& program : plan.programs)
    {
        // Ranks of a stage share theirs
        if (std::exchange(last, program.get()) == program.get())
        {
            continue;
        }
        for (const Task& task : program->GetTasks())
        {
            const bool isOurs = task.kind != TaskKind::COMPUTE && task.group == kind;
            // The switch sums as many bytes for any number of members
            const bool isSummed = isOurs && IsSummed(task, size);
            if (isOurs && !isSummed && !isDirect(task))
            {
                return false;
            }
            isUsed = isUsed || (isOurs && !isSummed);
        }
    }
    return isUsed;
}

bool
MessageMerger::Merge(TrainingPlan& plan)
{
    const auto nRanks = static_cast<uint32_t>(plan.programs.size());
    std::vector<uint32_t> sizes(plan.groups.size());
    for (uint32_t kind = 0; kind < plan.groups.size(); ++kind)
    {
        const uint32_t size = FindSize(plan.groups[kind], nRanks);
        if (size == 0 || !AreDirect(plan, kind, size))
        {
            continue;
        }
        sizes[kind] = size;
        RankGroups pairs;
        for (uint32_t rank = 0; rank < nRanks; ++rank)
        {
            const auto& members = plan.groups[kind].GetMembers(rank);
            const uint32_t peer = members[plan.groups[kind].GetPosition(rank) == 0 ? 1 : 0];
            pairs.AddView(rank, rank < peer ? 0 : 1, {std::min(rank, peer), std::max(rank, peer)});
        }
        plan.groups[kind] = std::move(pairs);
    }
    if (std::all_of(sizes.begin(), sizes.end(), [](uint32_t size) { return size == 0; }))
    {
        return false;
    }
    std::map<const RankProgram*, std::shared_ptr<const RankProgram>> merged; // looked up only
    for (auto& program : plan.programs)
    {
        auto& known = merged[program.get()];
        if (!known)
        {
            RankProgram pairs;
            for (Task task : program->GetTasks())
            {
                const uint32_t size = task.kind == TaskKind::COMPUTE ? 0 : sizes[task.group];
                if (size > 0)
                {
                    task.bytes = IsSummed(task, size) ? task.bytes : GetBytes(task.bytes, size);
                    task.options.local = task.options.local == size ? 2 : 1;
                }
                pairs.AddTask(std::move(task));
            }
            for (uint32_t before = 0; before < program->GetTasks().size(); ++before)
            {
                for (const auto after : program->GetSuccessors(before))
                {
                    pairs.AddDependency(before, after);
                }
            }
            known = std::make_shared<RankProgram>(std::move(pairs));
        }
        program = known;
    }
    return true;
}

} // namespace lightpath
} // namespace ns3
