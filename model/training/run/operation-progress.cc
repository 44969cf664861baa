/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "model/control/circuit-turner.h"
#include "operation-control.h"
#include "training-application.h"
#include "training-job.h"

#include "ns3/message-tag.h"

#include <algorithm>
#include <utility>

/**
 * @file
 * @ingroup lightpath
 * What has arrived of the operations of OperationControl, and what is left of them after failures.
 */

namespace ns3
{
namespace lightpath
{

void
OperationControl::NotifyEnd(const TaskEvent& event)
{
    const uint32_t number = m_ofTasks[event.rank][event.index];
    const Key key{event.iteration % TAG_ITERATIONS, number};
    const auto running = number != NONE ? m_running.find(key) : m_running.end();
    if (running == m_running.end())
    {
        return;
    }
    const RankGroups& groups = m_groups[event.task.group];
    if (running->second.isGiven)
    {
        running->second.ended.push_back(groups.GetPosition(event.rank));
    }
    if (running->second.shape->CountsMessages())
    {
        return;
    }
    const Shape shape = running->second.shape;
    for (const uint32_t circuit : shape->GetCircuits(groups.GetPosition(event.rank)))
    {
        Arrive(key, circuit);
    }
}

void
OperationControl::NotifyArrival(uint32_t rank, uint32_t source, uint64_t tag)
{
    const MessageTag fields = MessageTag::Decode(tag);
    const RankGroups& groups = m_groups[fields.group];
    const Name name =
        fields.isCollective
            ? Name(fields.group, groups.GetMembers(rank).front(), NONE, fields.operation)
            : Name(fields.group, source, rank, fields.operation);
    const auto number = m_numbers.find(name);
    const Key key{fields.iteration, number != m_numbers.end() ? number->second : NONE};
    const auto running = m_running.find(key);
    if (running == m_running.end() || !running->second.shape->CountsMessages())
    {
        return;
    }
    const auto circuits = fields.isCollective
                              ? running->second.shape->FindCircuits(fields.step,
                                                                    groups.GetPosition(source),
                                                                    groups.GetPosition(rank))
                              : std::vector<uint32_t>{0};
    if (running->second.isGiven)
    {
        running->second.arrived.emplace_back(fields.step,
                                             groups.GetPosition(source),
                                             groups.GetPosition(rank));
    }
    for (const uint32_t circuit : circuits)
    {
        Arrive(key, circuit);
    }
}

void
OperationControl::NotifyGeometry()
{
    for (auto& [key, running] : m_running)
    {
        if ((!running.isGiven && !running.isBound) ||
            running.shape->IsCarried(m_turner->GetTurns()))
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
            NotifyChange();
        }
        if (running.isGiven)
        {
            Replan(running);
        }
    }
}

void
OperationControl::Replan(Running& running)
{
    const Task& task = m_job.GetPlan().programs[running.rank]->GetTasks()[running.task];
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
OperationControl::Arrive(const Key& key, uint32_t circuit)
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
        NotifyChange();
        if (running.nLeft == 0)
        {
            m_running.erase(found);
        }
    }
}

} // namespace lightpath
} // namespace ns3
