/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "operation-requests.h"

#include <algorithm>
#include <utility>

/**
 * @file
 * @ingroup lightpath
 * What has arrived of the operations of OperationRequests, and what is left of them after failures.
 */

namespace ns3
{
namespace lightpath
{

void
OperationRequests::End(uint32_t rank, uint32_t task, uint32_t iteration)
{
    const uint32_t number = Has(rank) ? m_ofTasks[rank][task] : NONE;
    const Key key{iteration % TAG_ITERATIONS, number};
    const auto running = number != NONE ? m_running.find(key) : m_running.end();
    if (running == m_running.end())
    {
        return;
    }
    const uint32_t kind = m_plan.programs[rank]->GetTasks()[task].group;
    const uint32_t position = m_groups[kind].GetPosition(rank);
    if (running->second.isGiven)
    {
        running->second.ended.push_back(position);
    }
    if (running->second.shape->CountsMessages())
    {
        return;
    }
    const Shape shape = running->second.shape;
    for (const uint32_t circuit : shape->GetCircuits(position))
    {
        Note(key, circuit);
    }
}

void
OperationRequests::Arrive(uint32_t rank, uint32_t source, const MessageTag& tag)
{
    const RankGroups& groups = m_groups[tag.group];
    const Name name = tag.isCollective
                          ? Name(tag.group, groups.GetMembers(rank).front(), NONE, tag.operation)
                          : Name(tag.group, source, rank, tag.operation);
    const auto number = m_numbers.find(name);
    const Key key{tag.iteration % TAG_ITERATIONS,
                  number != m_numbers.end() ? number->second : NONE};
    const auto running = m_running.find(key);
    if (running == m_running.end() || !running->second.shape->CountsMessages())
    {
        return;
    }
    const auto circuits = tag.isCollective
                              ? running->second.shape->FindCircuits(tag.step,
                                                                    groups.GetPosition(source),
                                                                    groups.GetPosition(rank))
                              : std::vector<uint32_t>{0};
    if (running->second.isGiven)
    {
        running->second.arrived.emplace_back(tag.step,
                                             groups.GetPosition(source),
                                             groups.GetPosition(rank));
    }
    for (const uint32_t circuit : circuits)
    {
        Note(key, circuit);
    }
}

void
OperationRequests::NotifyGeometry()
{
    for (auto& [key, running] : m_running)
    {
        if ((!running.isGiven && !running.isBound) || running.shape->IsCarried(m_circuits))
        {
            continue;
        }
        if (running.first > 0)
        {
            // From the last one on, so that no circuit turns for one that ends as well
            for (std::size_t circuit = running.left.size(); circuit-- > 0;)
            {
                m_turns.End(running.first + circuit);
            }
            running.first = 0;
            m_asking.emplace_back(running.iteration, key.second);
            m_fabric.NotifyChange();
        }
        if (running.isGiven)
        {
            Replan(running);
        }
    }
}

void
OperationRequests::Replan(Running& running)
{
    const Task& task = m_plan.programs[running.rank]->GetTasks()[running.task];
    running.isGiven = false;
    running.shape = GetShape(running.rank, task, std::nullopt, true);
    running.left = running.shape->GetCounts();
    for (const auto& [step, sender, receiver] : std::exchange(running.arrived, {}))
    {
        for (const uint32_t circuit : running.shape->FindCircuits(step, sender, receiver))
        {
            --running.left[circuit];
        }
    }
    for (const uint32_t member : std::exchange(running.ended, {}))
    {
        for (const uint32_t circuit : running.shape->GetCircuits(member))
        {
            --running.left[circuit];
        }
    }
    running.nLeft = running.left.size() - std::count(running.left.begin(), running.left.end(), 0U);
}

void
OperationRequests::Note(const Key& key, uint32_t circuit)
{
    const auto found = m_running.find(key);
    if (found == m_running.end() || found->second.left[circuit] == 0)
    {
        return;
    }
    Running& running = found->second;
    if (--running.left[circuit] > 0)
    {
        return;
    }
    --running.nLeft;
    if (running.first > 0)
    {
        m_turns.End(running.first + circuit);
        m_fabric.NotifyChange();
        if (running.nLeft == 0)
        {
            m_running.erase(found);
        }
    }
}

} // namespace lightpath
} // namespace ns3
