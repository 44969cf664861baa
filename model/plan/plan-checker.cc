/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "plan-checker.h"

#include <algorithm>
#include <set>
#include <stdexcept>

namespace ns3
{
namespace lightpath
{

PlanChecker::PlanChecker(const TrainingPlan& plan)
    : m_plan(plan)
{
}

void
PlanChecker::Run()
{
    m_plan.placement.Check(m_plan.programs.size());
    // Check each rank by itself, then the messages of pairs and the collectives of groups. Pairs
    // whose ranks run the same programs have the same signature: one of them is checked for all
    CheckRanks();
    using Signature = std::vector<std::pair<uint32_t, Channel>>;
    std::set<Signature> seen;
    for (const auto& [ranks, ends] : m_pairs)
    {
        if (seen.insert(GetSignature(ends)).second)
        {
            CheckMessages(ranks.first, ranks.second, GetParts(ends));
        }
    }
    seen.clear();
    for (const auto& [key, ends] : m_groups)
    {
        // A group with missing members is always checked, and found faulty
        if (!IsWhole(key.first, ends) || seen.insert(GetSignature(ends)).second)
        {
            CheckCollectives(key.first, GetParts(ends));
        }
    }
}

void
PlanChecker::CheckRanks()
{
    for (uint32_t rank = 0; rank < m_plan.programs.size(); ++rank)
    {
        const RankProgram* program = m_plan.programs[rank].get();
        if (program == nullptr)
        {
            throw std::invalid_argument("Rank " + std::to_string(rank) +
                                        " has no program: each rank of a plan needs one");
        }
        // The communication of a program is collected once, by channel
        const auto number = static_cast<uint32_t>(m_communication.size());
        const auto [found, isNew] = m_communication.try_emplace(program);
        Communication& communication = found->second;
        if (isNew)
        {
            CheckPhases(*program, rank);
            communication.number = number;
            for (const auto& task : program->GetTasks())
            {
                if (task.kind == TaskKind::COMPUTE)
                {
                    continue;
                }
                const uint32_t peer = task.kind == TaskKind::COLLECTIVE ? 0 : task.peer;
                auto& tasks = communication.channels[{task.kind, task.group, peer, task.options}];
                tasks.push_back(&task);
                if (tasks.size() == 1)
                {
                    communication.samples.push_back(&task);
                }
            }
        }
        for (const auto* task : communication.samples)
        {
            CheckPeers(rank, *task);
        }
        // The ranks that this rank talks to depend on its groups
        for (const auto& entry : communication.channels)
        {
            const auto& [kind, group, peer, options] = entry.first;
            const auto& members = m_plan.groups[group].GetMembers(rank);
            const End end{rank, entry.first};
            // A group is identified by its kind and its first member
            if (kind == TaskKind::COLLECTIVE)
            {
                m_groups[{group, members[0]}].push_back(end);
                continue;
            }
            const bool sends = kind == TaskKind::SEND;
            m_pairs[{sends ? rank : members[peer], sends ? members[peer] : rank}].push_back(end);
        }
    }
}

const PlanChecker::Communication&
PlanChecker::GetCommunication(uint32_t rank) const
{
    return m_communication.at(m_plan.programs[rank].get());
}

std::vector<std::pair<uint32_t, PlanChecker::Channel>>
PlanChecker::GetSignature(const std::vector<End>& ends) const
{
    std::vector<std::pair<uint32_t, Channel>> signature;
    for (const auto& end : ends)
    {
        signature.emplace_back(GetCommunication(end.rank).number, end.channel);
    }
    return signature;
}

bool
PlanChecker::IsWhole(uint32_t group, const std::vector<End>& ends) const
{
    const auto* members = &m_plan.groups[group].GetMembers(ends.front().rank);
    std::size_t count = 0;
    for (std::size_t i = 0; i < ends.size(); ++i)
    {
        // All members must see the same group
        if (&m_plan.groups[group].GetMembers(ends[i].rank) != members)
        {
            return false;
        }
        // A rank with several channels counts once
        count += i == 0 || ends[i].rank != ends[i - 1].rank ? 1 : 0;
    }
    return count == members->size();
}

std::vector<PlanChecker::Part>
PlanChecker::GetParts(const std::vector<End>& ends) const
{
    std::vector<Part> parts;
    for (const auto& end : ends)
    {
        for (const auto* task : GetCommunication(end.rank).channels.at(end.channel))
        {
            parts.push_back({task->operation, end.rank, task});
        }
    }
    // Parts of the same operation become neighbours
    std::stable_sort(parts.begin(), parts.end(), [](const Part& a, const Part& b) {
        return std::tie(a.operation, a.rank) < std::tie(b.operation, b.rank);
    });
    return parts;
}

std::size_t
PlanChecker::FindEnd(const std::vector<Part>& parts, std::size_t begin)
{
    std::size_t end = begin + 1;
    while (end < parts.size() && parts[end].operation == parts[begin].operation)
    {
        ++end;
    }
    return end;
}

std::string
PlanChecker::Describe(const Part& part)
{
    return "Rank " + std::to_string(part.rank) + " has operation " +
           std::to_string(part.operation) + " (" + part.task->name + ") ";
}

void
PlanChecker::CheckPeers(uint32_t rank, const Task& task) const
{
    const auto begin = [&]() {
        return "Task " + task.name + " of rank " + std::to_string(rank) + " ";
    };
    if (task.group >= m_plan.groups.size())
    {
        throw std::invalid_argument(begin() + "names groups of kind " + std::to_string(task.group) +
                                    ", but the plan has " + std::to_string(m_plan.groups.size()) +
                                    " kinds, counted from 0");
    }
    const RankGroups& groups = m_plan.groups[task.group];
    const auto& members = groups.GetMembers(rank);
    if (members.empty())
    {
        throw std::invalid_argument(begin() + "needs a group of kind " +
                                    std::to_string(task.group) + ", but the rank is in none");
    }
    if (task.kind == TaskKind::COLLECTIVE)
    {
        if (task.options.local == 0 || members.size() % task.options.local != 0)
        {
            throw std::invalid_argument(begin() + "has " + std::to_string(task.options.local) +
                                        " members in each server, but its "
                                        "group has " +
                                        std::to_string(members.size()) +
                                        " members: the one must divide the other");
        }
        return;
    }
    if (task.peer >= members.size())
    {
        throw std::invalid_argument(begin() + "names position " + std::to_string(task.peer) +
                                    " of its group of kind " + std::to_string(task.group) +
                                    ", which has " + std::to_string(members.size()) +
                                    " members, counted from 0");
    }
    if (task.peer == groups.GetPosition(rank))
    {
        throw std::invalid_argument(begin() +
                                    "names the rank itself as its peer: a message goes to "
                                    "another rank");
    }
}

void
PlanChecker::CheckSamePhase(const Part& one, const Part& other)
{
    if (one.task->phase != other.task->phase)
    {
        throw std::invalid_argument(Describe(one) + "in phase " + std::to_string(one.task->phase) +
                                    ", but rank " + std::to_string(other.rank) +
                                    " has it in phase " + std::to_string(other.task->phase) +
                                    ": all parts of an operation belong to the same phase");
    }
}

void
PlanChecker::CheckPhases(const RankProgram& program, uint32_t rank)
{
    const auto& tasks = program.GetTasks();
    // The latest phase that each task waits for, and the task that belongs to it
    std::vector<std::pair<uint32_t, uint32_t>> latest(tasks.size());
    // Tasks only wait for tasks of lower indices, so that one pass is enough
    for (uint32_t index = 0; index < tasks.size(); ++index)
    {
        auto& mine = latest[index];
        if (tasks[index].kind != TaskKind::COMPUTE)
        {
            if (mine.first > tasks[index].phase)
            {
                throw std::invalid_argument(
                    "Task " + tasks[index].name + " of rank " + std::to_string(rank) +
                    " belongs to phase " + std::to_string(tasks[index].phase) +
                    " and waits for task " + tasks[mine.second].name + " of phase " +
                    std::to_string(mine.first) + ": communication waits for no later phase");
            }
            mine = {tasks[index].phase, index};
        }
        for (const auto next : program.GetSuccessors(index))
        {
            latest[next] = std::max(latest[next], mine);
        }
    }
}

void
PlanChecker::CheckMessages(uint32_t source, uint32_t destination, const std::vector<Part>& parts)
{
    for (std::size_t begin = 0; begin < parts.size();)
    {
        const std::size_t end = FindEnd(parts, begin);
        const Part* sender = nullptr;
        const Part* receiver = nullptr;
        for (std::size_t i = begin; i < end; ++i)
        {
            // One send and one receive for each number
            const Part*& slot = parts[i].task->kind == TaskKind::SEND ? sender : receiver;
            if (slot != nullptr)
            {
                throw std::invalid_argument(
                    Describe(parts[i]) + "twice from rank " + std::to_string(source) + " to rank " +
                    std::to_string(destination) +
                    ": within a pair of ranks, a number names one message only");
            }
            slot = &parts[i];
        }
        if (receiver == nullptr)
        {
            throw std::invalid_argument(Describe(*sender) + "to send to rank " +
                                        std::to_string(destination) +
                                        ", which does not receive it");
        }
        if (sender == nullptr)
        {
            throw std::invalid_argument(Describe(*receiver) + "to receive from rank " +
                                        std::to_string(source) + ", which does not send it");
        }
        CheckSamePhase(*sender, *receiver);
        if (sender->task->bytes != receiver->task->bytes)
        {
            throw std::invalid_argument(Describe(*sender) + "to send with " +
                                        std::to_string(sender->task->bytes) + " bytes to rank " +
                                        std::to_string(destination) + ", which expects " +
                                        std::to_string(receiver->task->bytes));
        }
        begin = end;
    }
}

void
PlanChecker::CheckCollectives(uint32_t group, const std::vector<Part>& parts) const
{
    for (std::size_t begin = 0; begin < parts.size();)
    {
        const std::size_t end = FindEnd(parts, begin);
        const Part& one = parts[begin];
        for (std::size_t i = begin + 1; i < end; ++i)
        {
            CheckMember(group, one, parts[i - 1], parts[i]);
        }
        const auto& members = m_plan.groups[group].GetMembers(one.rank);
        // All parts belong to different members: a smaller number shows that one is missing
        for (std::size_t i = 0; i < members.size() && end - begin < members.size(); ++i)
        {
            const uint32_t member = members[i];
            if (std::none_of(parts.begin() + begin, parts.begin() + end, [member](const Part& p) {
                    return p.rank == member;
                }))
            {
                throw std::invalid_argument(Describe(one) + "in its group of kind " +
                                            std::to_string(group) + ", in which rank " +
                                            std::to_string(member) + " takes no part");
            }
        }
        begin = end;
    }
}

void
PlanChecker::CheckMember(uint32_t group, const Part& one, const Part& before, const Part& part)
{
    CheckSamePhase(one, part);
    if (part.rank == before.rank)
    {
        throw std::invalid_argument(Describe(part) + "twice in its group of kind " +
                                    std::to_string(group) +
                                    ": within a group, a number names one collective only");
    }
    if (part.task->collective != one.task->collective || part.task->bytes != one.task->bytes ||
        !(part.task->options == one.task->options))
    {
        throw std::invalid_argument(
            Describe(part) + "with another kind, algorithm or size (" +
            std::to_string(part.task->bytes) + " bytes, " +
            std::to_string(part.task->options.local) + " a server) than rank " +
            std::to_string(one.rank) + " (" + std::to_string(one.task->bytes) + " bytes, " +
            std::to_string(one.task->options.local) +
            " a server): all members of a group take part in the same collective");
    }
}

} // namespace lightpath
} // namespace ns3
