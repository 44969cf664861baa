/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "plan-progress.h"

#include <algorithm>
#include <stdexcept>

namespace ns3
{
namespace lightpath
{

namespace
{

/// Ranks of a circle that a sentence names.
constexpr std::size_t MOST_NAMED = 4;

} // namespace

PlanProgress::PlanProgress(const TrainingPlan& plan)
    : m_plan(plan),
      m_stuck(plan.programs.size())
{
    for (const auto& program : plan.programs)
    {
        m_waiting.push_back(program->GetNPredecessors());
        m_nLeft += m_waiting.back().size();
    }
}

void
PlanProgress::Check()
{
    for (uint32_t rank = 0; rank < m_waiting.size(); ++rank)
    {
        const auto& before = m_plan.programs[rank]->GetNPredecessors();
        for (uint32_t task = 0; task < before.size(); ++task)
        {
            if (before[task] == 0)
            {
                Begin({rank, task});
            }
        }
    }
    while (!m_ended.empty())
    {
        const auto [rank, task] = m_ended.back();
        m_ended.pop_back();
        --m_nLeft;
        m_stuck[rank].erase(task);
        for (const auto next : m_plan.programs[rank]->GetSuccessors(task))
        {
            if (--m_waiting[rank][next] == 0)
            {
                Begin({rank, next});
            }
        }
    }
    if (m_nLeft > 0)
    {
        throw std::invalid_argument(Describe());
    }
}

void
PlanProgress::Begin(const Place& place)
{
    const Task& task = GetTask(place);
    if (task.kind == TaskKind::COMPUTE)
    {
        m_ended.push_back(place);
        return;
    }
    const Key key = GetKey(place);
    if (task.kind == TaskKind::SEND)
    {
        m_ended.push_back(place);
        const auto receive = m_here.find(key);
        if (receive == m_here.end())
        {
            m_sent.insert(key);
            return;
        }
        m_ended.push_back(receive->second.front());
        m_here.erase(receive);
        return;
    }
    if (task.kind == TaskKind::RECEIVE && m_sent.erase(key) > 0)
    {
        m_ended.push_back(place);
        return;
    }
    auto& here = m_here[key];
    here.push_back(place);
    m_stuck[place.first].emplace(place.second, key);
    if (task.kind == TaskKind::COLLECTIVE &&
        here.size() == m_plan.groups[task.group].GetMembers(place.first).size())
    {
        m_ended.insert(m_ended.end(), here.begin(), here.end());
        m_here.erase(key);
    }
}

PlanProgress::Key
PlanProgress::GetKey(const Place& place) const
{
    const Task& task = GetTask(place);
    const auto& members = m_plan.groups[task.group].GetMembers(place.first);
    if (task.kind == TaskKind::COLLECTIVE)
    {
        return {task.group, members.front(), task.operation};
    }
    const uint32_t peer = members[task.peer];
    const bool sends = task.kind == TaskKind::SEND;
    const uint64_t destination = sends ? peer : place.first;
    return {UINT32_MAX, sends ? place.first : peer, destination << 32 | task.operation};
}

const Task&
PlanProgress::GetTask(const Place& place) const
{
    return m_plan.programs[place.first]->GetTasks()[place.second];
}

uint32_t
PlanProgress::GetBlocker(const Place& place) const
{
    const Task& task = GetTask(place);
    const auto& members = m_plan.groups[task.group].GetMembers(place.first);
    if (task.kind == TaskKind::RECEIVE)
    {
        return members[task.peer];
    }
    const auto& here = m_here.at(GetKey(place));
    return *std::find_if(members.begin(), members.end(), [&here](uint32_t member) {
        return std::none_of(here.begin(), here.end(), [member](const Place& other) {
            return other.first == member;
        });
    });
}

std::string
PlanProgress::Describe() const
{
    // From rank to rank that is waited for, until one comes again
    std::vector<Place> chain;
    std::vector<bool> isSeen(m_stuck.size(), false);
    auto rank = static_cast<uint32_t>(
        std::find_if(m_stuck.begin(), m_stuck.end(), [](const auto& of) { return !of.empty(); }) -
        m_stuck.begin());
    while (!isSeen[rank])
    {
        isSeen[rank] = true;
        chain.emplace_back(rank, m_stuck[rank].begin()->first);
        rank = GetBlocker(chain.back());
    }
    const auto begin = std::find_if(chain.begin(), chain.end(), [rank](const Place& place) {
        return place.first == rank;
    });
    chain.erase(chain.begin(), begin);
    std::string text = "The programs of the ranks wait for each other in a circle: ";
    for (std::size_t i = 0; i < std::min(chain.size(), MOST_NAMED); ++i)
    {
        text += (i > 0 ? ", " : "") + std::string("rank ") + std::to_string(chain[i].first) +
                " waits in \"" + GetTask(chain[i]).name + "\" for rank " +
                std::to_string(GetBlocker(chain[i]));
    }
    return text + (chain.size() > MOST_NAMED ? ", and so on" : "") +
           ": ranks must carry out in the same order what they do together";
}

} // namespace lightpath
} // namespace ns3
