/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "rank-program.h"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <tuple>
#include <utility>

namespace ns3
{
namespace lightpath
{

uint32_t
RankProgram::AddTask(Task task, const std::vector<uint32_t>& after)
{
    const auto index = static_cast<uint32_t>(m_tasks.size());
    m_tasks.push_back(std::move(task));
    m_successors.emplace_back();
    m_nPredecessors.push_back(0);
    for (const auto before : after)
    {
        CheckOrder(before, index);
        // The newest task can only be the last one that waits
        auto& successors = m_successors[before];
        if (successors.empty() || successors.back() != index)
        {
            successors.push_back(index);
            ++m_nPredecessors[index];
        }
    }
    return index;
}

void
RankProgram::CheckOrder(uint32_t before, uint32_t after) const
{
    if (before >= after || after >= m_tasks.size())
    {
        throw std::invalid_argument("Task " + std::to_string(after) + " cannot wait for task " +
                                    std::to_string(before) + " among " +
                                    std::to_string(m_tasks.size()) +
                                    " tasks: a task waits for one with a lower index");
    }
}

void
RankProgram::AddDependency(uint32_t before, uint32_t after)
{
    CheckOrder(before, after);
    auto& successors = m_successors[before];
    // A repeated dependency counts once
    if (std::find(successors.begin(), successors.end(), after) == successors.end())
    {
        successors.push_back(after);
        ++m_nPredecessors[after];
    }
}

void
RankProgram::ChangeTasks(const std::function<void(Task&)>& change)
{
    std::for_each(m_tasks.begin(), m_tasks.end(), change);
}

const std::vector<Task>&
RankProgram::GetTasks() const
{
    return m_tasks;
}

std::vector<uint32_t>
RankProgram::FindAlike() const
{
    std::map<std::tuple<uint32_t, CollectiveKind, uint64_t, CollectiveOptions>, uint32_t> first;
    std::vector<uint32_t> alike;
    for (uint32_t index = 0; index < m_tasks.size(); ++index)
    {
        const Task& task = m_tasks[index];
        alike.push_back(
            task.kind == TaskKind::COLLECTIVE
                ? first.try_emplace({task.group, task.collective, task.bytes, task.options}, index)
                      .first->second
                : index);
    }
    return alike;
}

const std::vector<uint32_t>&
RankProgram::GetSuccessors(uint32_t task) const
{
    return m_successors.at(task);
}

const std::vector<uint32_t>&
RankProgram::GetNPredecessors() const
{
    return m_nPredecessors;
}

double
RankProgram::GetComputeSeconds() const
{
    double seconds = 0;
    for (const auto& task : m_tasks)
    {
        seconds += task.kind == TaskKind::COMPUTE ? task.seconds : 0;
    }
    return seconds;
}

void
RankProgram::CountCommunications(std::vector<uint64_t>& counts) const
{
    for (const auto& task : m_tasks)
    {
        if (task.kind != TaskKind::COMPUTE)
        {
            counts.resize(std::max<std::size_t>(counts.size(), task.phase + 1), 0);
            ++counts[task.phase];
        }
    }
}

} // namespace lightpath
} // namespace ns3
