/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "grid-messages.h"

namespace ns3
{
namespace lightpath
{

namespace
{

/// The most tasks of all ranks whose messages are followed on a grid.
constexpr uint64_t MOST_TASKS = 500'000;

/// The most events on a grid, which take about as many microseconds.
constexpr uint64_t MOST_EVENTS = 10'000'000;

} // namespace

GridMessages::GridMessages(const TrainingPlan& plan, GridTimer& grid, bool isExact)
    : m_plan(plan),
      m_grid(grid)
{
    if (isExact)
    {
        m_grid.FollowFrames();
    }
}

bool
GridMessages::AreFollowed(const TrainingPlan& plan, const FabricLimits& fabric)
{
    uint64_t tasks = 0;
    for (const auto& program : plan.programs)
    {
        tasks += program->GetTasks().size();
    }
    return fabric.grid.rows > 0 && !fabric.servers.layout.HasServers() && fabric.isShared &&
           fabric.allocators.empty() && tasks <= MOST_TASKS;
}

bool
GridMessages::AreTooMany() const
{
    return m_grid.GetNEvents() > MOST_EVENTS;
}

void
GridMessages::Send(uint32_t rank, const Task& send, uint64_t tag)
{
    const uint32_t destination = m_plan.groups[send.group].GetMembers(rank)[send.peer];
    m_grid.Send(rank, destination, send.bytes, tag);
}

void
GridMessages::Join(uint32_t rank, const Task& task, uint64_t key, uint64_t tag)
{
    const auto& members = m_plan.groups[task.group].GetMembers(rank);
    auto& schedule = m_schedules[{task.collective, members.size(), task.bytes, task.options}];
    if (!schedule)
    {
        schedule = CollectiveSchedule::Create(task.collective,
                                              static_cast<uint32_t>(members.size()),
                                              m_plan.protocols.GetWireBytes(task.bytes),
                                              task.options);
    }
    m_grid.Join(key, schedule, members, m_plan.groups[task.group].GetPosition(rank), tag);
}

} // namespace lightpath
} // namespace ns3
