/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "task-partners.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace ns3
{
namespace lightpath
{

TaskPartners::TaskPartners(const TrainingPlan& plan, const RankClasses& classes)
    : m_plan(plan),
      m_classes(classes)
{
    // Number the tasks of all classes one after the other
    for (uint32_t number = 0; number < classes.GetN(); ++number)
    {
        m_first.push_back(static_cast<uint32_t>(m_ofTasks.size()));
        const auto& program = *plan.programs[classes.GetRepresentative(number)];
        m_ofTasks.insert(m_ofTasks.end(), program.GetTasks().size(), number);
    }
    m_partners.assign(m_ofTasks.size(), NONE);
    JoinMessages();
    JoinCollectives();
}

void
TaskPartners::JoinMessages()
{
    /// A message by the classes of sender and receiver, kind of group, position of the receiver and
    /// operation, and whether it is the receive, and its task
    using Message = std::tuple<uint32_t, uint32_t, uint32_t, uint32_t, uint32_t, bool, uint32_t>;
    std::vector<Message> messages;
    for (uint32_t number = 0; number < m_classes.GetN(); ++number)
    {
        const uint32_t rank = m_classes.GetRepresentative(number);
        const auto& tasks = m_plan.programs[rank]->GetTasks();
        for (uint32_t i = 0; i < tasks.size(); ++i)
        {
            const Task& task = tasks[i];
            if (task.kind != TaskKind::SEND && task.kind != TaskKind::RECEIVE)
            {
                continue;
            }
            const RankGroups& groups = m_plan.groups[task.group];
            const uint32_t other = m_classes.GetClass(groups.GetMembers(rank)[task.peer]);
            // Both ends of a message get the same key: the classes of sender and receiver, and the
            // position of the receiver
            const bool sends = task.kind == TaskKind::SEND;
            messages.emplace_back(sends ? number : other,
                                  sends ? other : number,
                                  task.group,
                                  sends ? task.peer : groups.GetPosition(rank),
                                  task.operation,
                                  !sends,
                                  m_first[number] + i);
        }
    }
    // A send then stands just before the receive of the same message
    std::sort(messages.begin(), messages.end());
    for (std::size_t i = 1; i < messages.size(); ++i)
    {
        // Turn the send into its receive, and see whether this follows
        Message send = messages[i - 1];
        const uint32_t task = std::get<6>(send);
        const bool isSend = !std::get<5>(send);
        std::get<5>(send) = true;
        std::get<6>(send) = std::get<6>(messages[i]);
        if (isSend && send == messages[i])
        {
            m_partners[task] = std::get<6>(messages[i]);
        }
    }
}

void
TaskPartners::JoinCollectives()
{
    std::map<std::vector<uint32_t>, uint32_t> sets;
    std::map<std::tuple<uint32_t, uint32_t, uint32_t>, uint32_t> operations;
    for (uint32_t number = 0; number < m_classes.GetN(); ++number)
    {
        // The classes of the members of its group, found once for each kind
        std::vector<std::pair<uint32_t, std::vector<uint32_t>>> known(m_plan.groups.size());
        const auto& tasks = m_plan.programs[m_classes.GetRepresentative(number)]->GetTasks();
        for (uint32_t i = 0; i < tasks.size(); ++i)
        {
            const Task& task = tasks[i];
            if (task.kind != TaskKind::COLLECTIVE)
            {
                continue;
            }
            auto& [set, classes] = known[task.group];
            if (classes.empty())
            {
                classes = m_classes.GetMemberClasses(task.group, number);
                set = sets.emplace(classes, static_cast<uint32_t>(sets.size())).first->second;
            }
            // The tasks of all classes of one group with one number are one operation
            const auto next = static_cast<uint32_t>(m_operations.size());
            const auto [found, isNew] =
                operations.try_emplace({set, task.group, task.operation}, next);
            if (isNew)
            {
                m_operations.push_back({set, classes, {}});
            }
            m_operations[found->second].tasks.push_back(m_first[number] + i);
            m_partners[m_first[number] + i] = found->second;
        }
    }
}

uint32_t
TaskPartners::GetFirst(uint32_t number) const
{
    return m_first[number];
}

std::vector<uint64_t>
TaskPartners::GetNCommunications() const
{
    std::vector<uint64_t> counts(1, 0);
    for (uint32_t number = 0; number < m_classes.GetN(); ++number)
    {
        m_plan.programs[m_classes.GetRepresentative(number)]->CountCommunications(counts);
    }
    return counts;
}

uint32_t
TaskPartners::GetNTasks() const
{
    return static_cast<uint32_t>(m_ofTasks.size());
}

uint32_t
TaskPartners::GetClass(uint32_t task) const
{
    return m_ofTasks[task];
}

uint32_t
TaskPartners::GetPartner(uint32_t task) const
{
    return m_partners[task];
}

const std::vector<TaskPartners::Operation>&
TaskPartners::GetOperations() const
{
    return m_operations;
}

} // namespace lightpath
} // namespace ns3
