/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collective-shapes.h"

#include <algorithm>

namespace ns3
{
namespace lightpath
{

namespace
{

/**
 * @param some messages
 * @param other other messages
 * @return true if they go to the same peers in the same order
 */
bool
HaveSamePeers(const std::vector<Transfer>& some, const std::vector<Transfer>& other)
{
    return std::equal(some.begin(),
                      some.end(),
                      other.begin(),
                      other.end(),
                      [](const Transfer& a, const Transfer& b) { return a.peer == b.peer; });
}

/**
 * @param [in,out] uses what is used
 * @param index a link or path
 * @param bytes bytes to add to it
 */
void
AddUse(std::vector<FlowNetwork::Use>& uses, uint32_t index, double bytes)
{
    for (auto& use : uses)
    {
        if (use.index == index)
        {
            use.bytes += bytes;
            return;
        }
    }
    uses.push_back({index, bytes});
}

} // namespace

CollectiveShapes::CollectiveShapes(const TrainingPlan& plan,
                                   const RankClasses& classes,
                                   PlanPaths& paths)
    : m_plan(plan),
      m_classes(classes),
      m_paths(paths)
{
}

const CollectiveShapes::Parts&
CollectiveShapes::Get(uint32_t members, const std::vector<uint32_t>& classes, const Task& task)
{
    auto& parts = m_parts[{members, task.group, task.collective, task.bytes, task.options}];
    if (parts)
    {
        return *parts;
    }
    parts = std::make_unique<Parts>();
    const RankGroups& groups = m_plan.groups[task.group];
    const auto size = static_cast<uint32_t>(
        groups.GetMembers(m_classes.GetRepresentative(classes.front())).size());
    const auto schedule =
        CollectiveSchedule::Create(task.collective, size, task.bytes, task.options);
    std::vector<uint32_t> positions;
    for (const auto number : classes)
    {
        positions.push_back(groups.GetPosition(m_classes.GetRepresentative(number)));
    }
    std::vector<Run> runs;
    for (uint32_t step = 0; step < schedule->GetNSteps();)
    {
        const uint32_t next = Walk(*schedule, positions, step, runs);
        parts->push_back(Make(task.group, classes, *schedule, step, next, runs));
        step = next;
    }
    return *parts;
}

const std::vector<FlowNetwork::Use>&
CollectiveShapes::GetFirst(uint32_t number, const Task& task)
{
    const auto [found, isNew] =
        m_first.try_emplace({number, task.group, task.collective, task.bytes, task.options});
    if (!isNew)
    {
        return found->second;
    }
    const RankGroups& groups = m_plan.groups[task.group];
    const uint32_t rank = m_classes.GetRepresentative(number);
    const auto size = static_cast<uint32_t>(groups.GetMembers(rank).size());
    const auto schedule =
        CollectiveSchedule::Create(task.collective, size, task.bytes, task.options);
    std::vector<Transfer> transfers;
    if (schedule->GetNSteps() > 0)
    {
        schedule->GetSends(groups.GetPosition(rank), 0, transfers);
    }
    for (const auto& transfer : transfers)
    {
        found->second.push_back({m_paths.GetPath(number, task.group, transfer.peer).index,
                                 m_paths.GetFrameBytes(static_cast<double>(transfer.bytes))});
    }
    return found->second;
}

uint32_t
CollectiveShapes::Walk(const CollectiveSchedule& schedule,
                       const std::vector<uint32_t>& positions,
                       uint32_t first,
                       std::vector<Run>& runs)
{
    runs.assign(positions.size(), Run());
    std::vector<Transfer> transfers;
    uint32_t step = first;
    for (; step < schedule.GetNSteps(); ++step)
    {
        for (std::size_t i = 0; i < positions.size() && step > first; ++i)
        {
            schedule.GetSends(positions[i], step, transfers);
            if (!HaveSamePeers(transfers, runs[i].sends))
            {
                return step;
            }
        }
        for (std::size_t i = 0; i < positions.size(); ++i)
        {
            schedule.GetSends(positions[i], step, transfers);
            runs[i].sends.resize(transfers.size());
            for (std::size_t j = 0; j < transfers.size(); ++j)
            {
                runs[i].sends[j].peer = transfers[j].peer;
                runs[i].sends[j].bytes += transfers[j].bytes;
            }
        }
    }
    return step;
}

FlowNetwork::Shape
CollectiveShapes::Make(uint32_t kind,
                       const std::vector<uint32_t>& classes,
                       const CollectiveSchedule& schedule,
                       uint32_t first,
                       uint32_t last,
                       const std::vector<Run>& runs)
{
    FlowNetwork::Shape shape;
    shape.steps = last - first;
    std::vector<Transfer> receives;
    for (std::size_t i = 0; i < classes.size(); ++i)
    {
        const uint32_t number = classes[i];
        const PlanPaths::Pattern pattern = m_paths.GetPattern(number, kind, schedule, first);
        for (std::size_t j = 0; j < pattern.paths.size(); ++j)
        {
            const PlanPaths::Path& path = pattern.paths[j];
            const double bytes =
                m_paths.GetFrameBytes(static_cast<double>(runs[i].sends[j].bytes) / shape.steps);
            AddUse(shape.paths, path.index, bytes);
            AddUse(shape.links,
                   m_paths.HasSides() ? m_paths.GetSide(number, path.isInside, false)
                                      : m_paths.GetLink(path),
                   bytes);
            shape.latency = std::max(shape.latency, path.latency);
        }
        if (m_paths.HasSides())
        {
            const uint32_t rank = m_classes.GetRepresentative(number);
            schedule.GetReceives(m_plan.groups[kind].GetPosition(rank), first, receives);
            for (std::size_t j = 0; j < receives.size(); ++j)
            {
                AddUse(shape.links,
                       m_paths.GetSide(number, pattern.receives[j].second, true),
                       m_paths.GetFrameBytes(static_cast<double>(receives[j].bytes)));
            }
        }
    }
    return shape;
}

} // namespace lightpath
} // namespace ns3
