/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "training-plan.h"

#include "program-traffic.h"

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <tuple>

namespace ns3
{
namespace lightpath
{

namespace
{

/// The part that one rank takes in a message or in a collective operation.
struct Part
{
    uint32_t first{0};         //!< Message: its source; collective: index of the kind of group
    uint32_t second{0};        //!< Message: its destination; collective: first member of the group
    uint32_t operation{0};     //!< Number of the operation
    uint32_t rank{0};          //!< The rank
    const Task* task{nullptr}; //!< Its task
};

/**
 * Put the parts of one operation beside each other.
 *
 * @param [in,out] parts the parts
 */
void
Sort(std::vector<Part>& parts)
{
    std::sort(parts.begin(), parts.end(), [](const Part& a, const Part& b) {
        return std::tie(a.first, a.second, a.operation, a.rank) <
               std::tie(b.first, b.second, b.operation, b.rank);
    });
}

/**
 * @param parts sorted parts
 * @param begin the index of the first part of an operation
 * @return the index behind its last part
 */
std::size_t
FindEnd(const std::vector<Part>& parts, std::size_t begin)
{
    std::size_t end = begin + 1;
    while (end < parts.size() && parts[end].first == parts[begin].first &&
           parts[end].second == parts[begin].second &&
           parts[end].operation == parts[begin].operation)
    {
        ++end;
    }
    return end;
}

/**
 * @param part a part of an operation
 * @return its rank, its number and its name, as the beginning of a sentence
 */
std::string
Describe(const Part& part)
{
    return "Rank " + std::to_string(part.rank) + " has operation " +
           std::to_string(part.operation) + " (" + part.task->name + ") ";
}

/**
 * Check that a task names peers that exist.
 *
 * @param plan the plan
 * @param rank the rank that runs the task
 * @param task the task
 */
void
CheckPeers(const TrainingPlan& plan, uint32_t rank, const Task& task)
{
    const auto begin = [&]() {
        return "Task " + task.name + " of rank " + std::to_string(rank) + " ";
    };
    if (task.group >= plan.groups.size())
    {
        throw std::invalid_argument(begin() + "names groups of kind " + std::to_string(task.group) +
                                    ", but the plan has " + std::to_string(plan.groups.size()) +
                                    " kinds, counted from 0");
    }
    const RankGroups& groups = plan.groups[task.group];
    const auto& members = groups.GetMembers(rank);
    if (members.empty())
    {
        throw std::invalid_argument(begin() + "needs a group of kind " +
                                    std::to_string(task.group) + ", but the rank is in none");
    }
    if (task.kind == TaskKind::COLLECTIVE)
    {
        if (task.local == 0 || members.size() % task.local != 0)
        {
            throw std::invalid_argument(begin() + "has " + std::to_string(task.local) +
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

/**
 * Check that two parts of one operation belong to the same phase.
 *
 * @param one a part
 * @param other the other part
 */
void
CheckSamePhase(const Part& one, const Part& other)
{
    if (one.task->phase != other.task->phase)
    {
        throw std::invalid_argument(Describe(one) + "in phase " + std::to_string(one.task->phase) +
                                    ", but rank " + std::to_string(other.rank) +
                                    " has it in phase " + std::to_string(other.task->phase) +
                                    ": all parts of an operation belong to the same phase");
    }
}

/**
 * Check that no communication waits for that of a later phase.
 *
 * @param program the program
 * @param rank a rank that runs it
 */
void
CheckPhases(const RankProgram& program, uint32_t rank)
{
    const auto& tasks = program.GetTasks();
    // The latest phase that each task waits for, and the task that belongs to it
    std::vector<std::pair<uint32_t, uint32_t>> latest(tasks.size());
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

/**
 * Check that each message is sent and received once, with the same size.
 *
 * @param parts the two ends of all messages
 */
void
CheckMessages(std::vector<Part>& parts)
{
    Sort(parts);
    for (std::size_t begin = 0; begin < parts.size();)
    {
        const std::size_t end = FindEnd(parts, begin);
        const Part* sender = nullptr;
        const Part* receiver = nullptr;
        for (std::size_t i = begin; i < end; ++i)
        {
            const Part*& slot = parts[i].task->kind == TaskKind::SEND ? sender : receiver;
            if (slot != nullptr)
            {
                throw std::invalid_argument(
                    Describe(parts[i]) + "twice from rank " + std::to_string(parts[i].first) +
                    " to rank " + std::to_string(parts[i].second) +
                    ": within a pair of ranks, a number names one message only");
            }
            slot = &parts[i];
        }
        if (receiver == nullptr)
        {
            throw std::invalid_argument(Describe(*sender) + "to send to rank " +
                                        std::to_string(sender->second) +
                                        ", which does not receive it");
        }
        if (sender == nullptr)
        {
            throw std::invalid_argument(Describe(*receiver) + "to receive from rank " +
                                        std::to_string(receiver->first) +
                                        ", which does not send it");
        }
        CheckSamePhase(*sender, *receiver);
        if (sender->task->bytes != receiver->task->bytes)
        {
            throw std::invalid_argument(Describe(*sender) + "to send with " +
                                        std::to_string(sender->task->bytes) + " bytes to rank " +
                                        std::to_string(sender->second) + ", which expects " +
                                        std::to_string(receiver->task->bytes));
        }
        begin = end;
    }
}

/**
 * Check that all members of a group take part in its collectives, once and in the same one.
 *
 * @param plan the plan
 * @param parts the parts of all ranks in all collectives
 */
void
CheckCollectives(const TrainingPlan& plan, std::vector<Part>& parts)
{
    Sort(parts);
    for (std::size_t begin = 0; begin < parts.size();)
    {
        const std::size_t end = FindEnd(parts, begin);
        const Part& one = parts[begin];
        for (std::size_t i = begin + 1; i < end; ++i)
        {
            CheckSamePhase(one, parts[i]);
            if (parts[i].rank == parts[i - 1].rank)
            {
                throw std::invalid_argument(Describe(parts[i]) + "twice in its group of kind " +
                                            std::to_string(parts[i].first) +
                                            ": within a group, a number names one collective only");
            }
            if (parts[i].task->collective != one.task->collective ||
                parts[i].task->bytes != one.task->bytes || parts[i].task->local != one.task->local)
            {
                throw std::invalid_argument(
                    Describe(parts[i]) + "with another kind or size (" +
                    std::to_string(parts[i].task->bytes) + " bytes, " +
                    std::to_string(parts[i].task->local) + " a server) than rank " +
                    std::to_string(one.rank) + " (" + std::to_string(one.task->bytes) + " bytes, " +
                    std::to_string(one.task->local) +
                    " a server): all members of a group take part in the same collective");
            }
        }
        const auto& members = plan.groups[one.first].GetMembers(one.rank);
        // All parts are of different members, so that their number tells whether one is missing
        for (std::size_t i = 0; i < members.size() && end - begin < members.size(); ++i)
        {
            const uint32_t member = members[i];
            if (std::none_of(parts.begin() + begin, parts.begin() + end, [member](const Part& p) {
                    return p.rank == member;
                }))
            {
                throw std::invalid_argument(Describe(one) + "in its group of kind " +
                                            std::to_string(one.first) + ", in which rank " +
                                            std::to_string(member) + " takes no part");
            }
        }
        begin = end;
    }
}

} // namespace

uint64_t
MemoryUse::GetTotal() const
{
    return parameters + gradients + optimizer + activations;
}

void
TrainingPlan::Check() const
{
    std::vector<Part> messages;
    std::vector<Part> collectives;
    std::set<const RankProgram*> seen; // looked up only, never walked over
    for (uint32_t rank = 0; rank < programs.size(); ++rank)
    {
        if (!programs[rank])
        {
            throw std::invalid_argument("Rank " + std::to_string(rank) +
                                        " has no program: each rank of a plan needs one");
        }
        if (seen.insert(programs[rank].get()).second)
        {
            CheckPhases(*programs[rank], rank);
        }
        for (const auto& task : programs[rank]->GetTasks())
        {
            if (task.kind == TaskKind::COMPUTE)
            {
                continue;
            }
            CheckPeers(*this, rank, task);
            const auto& members = groups[task.group].GetMembers(rank);
            switch (task.kind)
            {
            case TaskKind::SEND:
                messages.push_back({rank, members[task.peer], task.operation, rank, &task});
                break;
            case TaskKind::RECEIVE:
                messages.push_back({members[task.peer], rank, task.operation, rank, &task});
                break;
            default:
                collectives.push_back({task.group, members[0], task.operation, rank, &task});
            }
        }
    }
    CheckMessages(messages);
    CheckCollectives(*this, collectives);
}

TrafficMatrix
TrainingPlan::GetTraffic() const
{
    return GetPhaseTraffic(ProgramTraffic::ALL_PHASES);
}

std::vector<TrafficMatrix>
TrainingPlan::GetPhases() const
{
    std::vector<TrafficMatrix> phases;
    const auto nPhases = static_cast<uint32_t>(GetNCommunications().size());
    for (uint32_t phase = 0; phase < nPhases; ++phase)
    {
        phases.push_back(GetPhaseTraffic(phase));
    }
    return phases;
}

std::vector<uint64_t>
TrainingPlan::GetNCommunications() const
{
    std::vector<uint64_t> counts(1, 0);
    for (const auto& program : programs)
    {
        for (const auto& task : program->GetTasks())
        {
            if (task.kind != TaskKind::COMPUTE)
            {
                counts.resize(std::max<std::size_t>(counts.size(), task.phase + 1), 0);
                ++counts[task.phase];
            }
        }
    }
    return counts;
}

TrafficMatrix
TrainingPlan::GetPhaseTraffic(uint32_t phase) const
{
    TrafficMatrix traffic(static_cast<uint32_t>(programs.size()));
    std::map<const RankProgram*, ProgramTraffic> summaries; // looked up only, never walked over
    std::vector<ProgramTraffic::Place> places(groups.size());
    for (uint32_t rank = 0; rank < programs.size(); ++rank)
    {
        const RankProgram* program = programs[rank].get();
        auto found = summaries.find(program);
        if (found == summaries.end())
        {
            found = summaries.emplace(program, ProgramTraffic(*program, phase)).first;
        }
        for (std::size_t kind = 0; kind < groups.size(); ++kind)
        {
            const auto& members = groups[kind].GetMembers(rank);
            places[kind] = members.empty()
                               ? ProgramTraffic::Place()
                               : ProgramTraffic::Place{static_cast<uint32_t>(members.size()),
                                                       groups[kind].GetPosition(rank)};
        }
        for (const auto& entry : found->second.GetPeers(places))
        {
            const auto& members = groups[entry.first.first].GetMembers(rank);
            traffic.Add(rank, members[entry.first.second], entry.second);
        }
    }
    return traffic;
}

} // namespace lightpath
} // namespace ns3
