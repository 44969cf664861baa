/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collective-shapes.h"

#include "model/collective/double-tree-schedule.h"
#include "model/collective/torus-schedule.h"
#include "model/collective/turn-schedule.h"
#include "ring-pace.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace lightpath
{

namespace
{

/**
 * @param some messages
 * @param sums messages of several steps together
 * @param steps the number of these steps if they must have equal sizes, otherwise 0
 * @return true if they go to the same peers in the same order, by the same switches
 */
bool
AreLike(const std::vector<Transfer>& some, const std::vector<Transfer>& sums, uint32_t steps)
{
    const auto isLike = [steps](const Transfer& a, const Transfer& b) {
        return a.peer == b.peer && a.isInside == b.isInside &&
               (steps == 0 || a.bytes * steps == b.bytes);
    };
    return std::equal(some.begin(), some.end(), sums.begin(), sums.end(), isLike);
}

} // namespace

CollectiveShapes::CollectiveShapes(const TrainingPlan& plan,
                                   const RankClasses& classes,
                                   PlanPaths& paths)
    : m_plan(plan),
      m_classes(classes),
      m_paths(paths),
      m_servers(plan, classes, paths)
{
}

std::shared_ptr<const CollectiveSchedule>
CollectiveShapes::MakeSchedule(const Task& task, uint32_t rank) const
{
    const auto size = static_cast<uint32_t>(m_plan.groups[task.group].GetMembers(rank).size());
    const uint64_t bytes = m_plan.protocols.GetWireBytes(task.bytes);
    const uint64_t least = bytes > 0 ? uint64_t{size} * task.options.rings : 0;
    return CollectiveSchedule::Create(task.collective, size, std::max(bytes, least), task.options);
}

const CollectiveShapes::Parts&
CollectiveShapes::Get(uint32_t members, const std::vector<uint32_t>& classes, const Task& task)
{
    const Key key{members, task.group, task.collective, task.bytes, task.options};
    auto& parts = m_parts[{m_paths.GetSideSetting(), key}];
    if (parts)
    {
        return *parts;
    }
    parts = std::make_unique<Parts>();
    const RankGroups& groups = m_plan.groups[task.group];
    const auto schedule = MakeSchedule(task, m_classes.GetRepresentative(classes.front()));
    const bool areTurned = m_paths.GetCircuits().AreTurned();
    const bool isTree = task.options.algorithm == CollectiveAlgorithm::DOUBLE_TREE && !areTurned;
    if (isTree)
    {
        if (schedule->GetNSteps() > 0)
        {
            parts->push_back({MakeTrees(task.group, classes, *schedule)});
        }
        return *parts;
    }
    std::vector<uint32_t> positions;
    for (const auto number : classes)
    {
        positions.push_back(groups.GetPosition(m_classes.GetRepresentative(number)));
    }
    AddParts(task.group, classes, *schedule, positions, *parts);
    if (m_paths.GetCircuits().GetNSettings() > 0 && !areTurned && classes.size() == 1 &&
        parts->size() == 1 && m_paths.GetServers() == nullptr)
    {
        Quicken(classes.front(), *schedule, task.group, parts->front());
    }
    return *parts;
}

void
CollectiveShapes::AddParts(uint32_t kind,
                           const std::vector<uint32_t>& classes,
                           const CollectiveSchedule& schedule,
                           const std::vector<uint32_t>& positions,
                           Parts& parts)
{
    std::vector<Run> runs;
    uint32_t nEmpty = 0;
    for (uint32_t step = 0; step < schedule.GetNSteps(); m_paths.CheckTime())
    {
        const uint32_t next = Walk(schedule, positions, step, runs);
        for (const uint32_t distance : GetDistances(kind, classes, schedule, step))
        {
            Part shape = Make(kind, classes, schedule, step, next, runs, distance);
            // Where there are fewer bytes than ranks, a rank sends nothing while others do: such a
            // step takes as long as the next one
            if (shape.links.empty() || (shape.paths.empty() && !m_paths.GetServers()))
            {
                nEmpty += shape.steps;
                continue;
            }
            shape.steps += std::exchange(nEmpty, 0);
            parts.push_back(std::move(shape));
        }
        step = next;
    }
    if (!parts.empty())
    {
        parts.back().steps += nEmpty;
    }
}

void
CollectiveShapes::Quicken(uint32_t number,
                          const CollectiveSchedule& schedule,
                          uint32_t kind,
                          FlowNetwork::Shape& shape)
{
    const uint32_t size = schedule.GetNRanks();
    for (const uint32_t position : {0, 1})
    {
        std::vector<Transfer> sends;
        schedule.GetSends(position, 0, sends);
        if (sends.size() != 1 || sends.front().peer != (position + 1) % size)
        {
            return;
        }
    }
    double slowest = 0;
    double longest = 0;
    for (const auto& hops : GetRings(number, kind))
    {
        std::vector<RingPace::Hop> ring;
        for (const auto& [rate, latency] : hops)
        {
            ring.push_back({shape.links.front().bytes / rate, latency});
            slowest = std::max(slowest, ring.back().seconds);
        }
        // Parts of a replica compute between operations, and sums over replicas follow each other
        longest = std::max(longest,
                           kind == TENSOR_GROUP && size <= RingPace::MOST_MEMBERS
                               ? RingPace::GetSeconds(ring, schedule.GetNSteps())
                               : RingPace::GetStepSeconds(ring) * schedule.GetNSteps());
    }
    shape.steps = std::min(shape.steps, longest / slowest);
    shape.latency = std::min(shape.latency, longest / shape.steps - slowest);
}

const CollectiveShapes::Rings&
CollectiveShapes::GetRings(uint32_t number, uint32_t kind)
{
    Rings& rings = m_rings[{number, kind}];
    for (const auto rank : rings.empty() ? m_classes.GetRanks(number) : std::vector<uint32_t>())
    {
        const auto& members = m_plan.groups[kind].GetMembers(rank);
        std::vector<std::pair<double, double>> hops;
        for (std::size_t i = 0; i < members.size() && members.front() == rank; ++i)
        {
            const uint32_t next = members[(i + 1) % members.size()];
            hops.emplace_back(m_paths.GetPairRate(members[i], next),
                              m_paths.GetCircuits().GetLatency(0, members[i], next));
        }
        if (!hops.empty())
        {
            rings.insert(std::move(hops));
        }
    }
    return rings;
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
    const auto schedule = MakeSchedule(task, rank);
    // Members of a double tree differ in their first messages
    if (schedule->GetNSteps() == 0 || task.options.algorithm == CollectiveAlgorithm::DOUBLE_TREE)
    {
        return found->second;
    }
    std::vector<Transfer> transfers;
    schedule->GetSends(groups.GetPosition(rank), 0, transfers);
    if (m_paths.GetServers() != nullptr)
    {
        const auto& members = groups.GetMembers(rank);
        for (const auto& transfer : transfers)
        {
            found->second.push_back({m_paths.GetPathOf(rank, members[transfer.peer]).index,
                                     m_paths.GetFrameBytes(static_cast<double>(transfer.bytes))});
        }
        return found->second;
    }
    const PlanPaths::Pattern pattern = m_paths.GetPattern(number, task.group, *schedule, 0);
    for (std::size_t i = 0; i < transfers.size(); ++i)
    {
        found->second.push_back({pattern.paths[i].index,
                                 m_paths.GetFrameBytes(static_cast<double>(transfers[i].bytes))});
    }
    return found->second;
}

uint32_t
CollectiveShapes::Walk(const CollectiveSchedule& schedule,
                       const std::vector<uint32_t>& positions,
                       uint32_t first,
                       std::vector<Run>& runs) const
{
    // Members of a line differ, each step in another way; where circuits turn, messages do
    const bool areTurned = m_paths.GetCircuits().AreTurned();
    const bool isTorus = dynamic_cast<const TorusSchedule*>(&schedule) != nullptr;
    const uint32_t phase = TurnSchedule::FindPhase(schedule, first);
    runs.assign(positions.size(), Run());
    std::vector<Transfer> transfers;
    uint32_t step = first;
    for (; step < schedule.GetNSteps(); ++step)
    {
        for (std::size_t i = 0; i < positions.size() && step > first; ++i)
        {
            schedule.GetSends(positions[i], step, transfers);
            // Messages of a topology that is given do not turn, and all wait for the longest one
            const bool isGiven = phase != TurnSchedule::NO_PHASE;
            const bool isMixed = areTurned && transfers.size() > 1;
            if (isTorus || (isMixed && !isGiven) ||
                !AreLike(transfers, runs[i].sends, isMixed ? step - first : 0) ||
                TurnSchedule::FindPhase(schedule, step) != phase)
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
                runs[i].sends[j].isInside = transfers[j].isInside;
                runs[i].sends[j].bytes += transfers[j].bytes;
            }
        }
    }
    return step;
}

uint32_t
CollectiveShapes::GetDistance(uint32_t kind,
                              uint32_t rank,
                              const Transfer& transfer,
                              bool sends) const
{
    const RankGroups& groups = m_plan.groups[kind];
    const auto& members = groups.GetMembers(rank);
    uint32_t from = groups.GetPosition(rank);
    uint32_t to = transfer.peer;
    auto ports = static_cast<uint32_t>(members.size());
    const ServerLayout& layout = m_paths.GetLayout();
    if (layout.HasServers())
    {
        from = layout.GetPort(rank);
        to = layout.GetPort(members[transfer.peer]);
        ports = layout.GetNPorts(static_cast<uint32_t>(m_plan.programs.size()));
    }
    return (sends ? to + ports - from : from + ports - to) % ports;
}

std::vector<uint32_t>
CollectiveShapes::GetDistances(uint32_t kind,
                               const std::vector<uint32_t>& classes,
                               const CollectiveSchedule& schedule,
                               uint32_t step) const
{
    std::set<uint32_t> distances;
    std::vector<Transfer> transfers;
    std::size_t most = 0;
    for (const uint32_t number : classes)
    {
        const uint32_t rank = m_classes.GetRepresentative(number);
        schedule.GetSends(m_plan.groups[kind].GetPosition(rank), step, transfers);
        most = std::max(most, transfers.size());
        for (const auto& transfer : transfers)
        {
            distances.insert(GetDistance(kind, rank, transfer, true));
        }
    }
    return m_paths.GetCircuits().AreTurned() && most > 1
               ? std::vector<uint32_t>(distances.begin(), distances.end())
               : std::vector<uint32_t>{ALL};
}

void
CollectiveShapes::Pick(std::vector<Transfer>& transfers,
                       uint32_t kind,
                       uint32_t rank,
                       bool sends,
                       uint32_t distance) const
{
    if (distance != ALL)
    {
        const auto isOther = [&](const Transfer& transfer) {
            return GetDistance(kind, rank, transfer, sends) != distance;
        };
        transfers.erase(std::remove_if(transfers.begin(), transfers.end(), isOther),
                        transfers.end());
    }
}

CollectiveShapes::Part
CollectiveShapes::Make(uint32_t kind,
                       const std::vector<uint32_t>& classes,
                       const CollectiveSchedule& schedule,
                       uint32_t first,
                       uint32_t last,
                       const std::vector<Run>& runs,
                       uint32_t distance)
{
    Part part;
    part.first = first;
    part.distance = distance;
    FlowNetwork::Shape& shape = part;
    if (m_paths.GetServers() != nullptr)
    {
        // All ranks send in the mean step what they do in the first one, but for rounding
        std::vector<Transfer> sends;
        schedule.GetSends(
            m_plan.groups[kind].GetPosition(m_classes.GetRepresentative(classes.front())),
            first,
            sends);
        const bool isEmpty = sends.empty() || sends.front().bytes == 0;
        const double steps = last - first;
        const double mean = isEmpty ? 1
                                    : static_cast<double>(runs.front().sends.front().bytes) /
                                          (steps * static_cast<double>(sends.front().bytes));
        shape = m_servers.Make(
            kind,
            classes,
            [&](uint32_t rank, std::vector<Transfer>& transfers) {
                schedule.GetSends(m_plan.groups[kind].GetPosition(rank), first, transfers);
                Pick(transfers, kind, rank, true, distance);
            },
            [&](uint32_t rank, std::vector<Transfer>& transfers) {
                schedule.GetReceives(m_plan.groups[kind].GetPosition(rank), first, transfers);
                Pick(transfers, kind, rank, false, distance);
            },
            mean,
            last - first);
        shape.steps = steps;
        return part;
    }
    shape.steps = last - first;
    std::vector<Transfer> receives;
    for (std::size_t i = 0; i < classes.size(); ++i)
    {
        const uint32_t number = classes[i];
        const PlanPaths::Pattern pattern = m_paths.GetPattern(number, kind, schedule, first);
        std::vector<Transfer> picked = runs[i].sends;
        Pick(picked, kind, m_classes.GetRepresentative(number), true, distance);
        for (std::size_t j = 0; j < pattern.paths.size(); ++j)
        {
            const PlanPaths::Path& path = pattern.paths[j];
            if (distance != ALL && (picked.empty() || picked.front().peer != runs[i].sends[j].peer))
            {
                continue;
            }
            const double bytes =
                m_paths.GetFrameBytes(static_cast<double>(runs[i].sends[j].bytes) / shape.steps);
            FlowNetwork::Add(shape.paths, path.index, bytes);
            FlowNetwork::Add(shape.links,
                             m_paths.HasSides() ? m_paths.GetSide(number, false)
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
                FlowNetwork::Add(shape.links,
                                 m_paths.GetSide(number, true),
                                 m_paths.GetFrameBytes(static_cast<double>(receives[j].bytes)));
            }
        }
    }
    return part;
}

FlowNetwork::Shape
CollectiveShapes::MakeTrees(uint32_t kind,
                            const std::vector<uint32_t>& classes,
                            const CollectiveSchedule& schedule)
{
    if (m_paths.GetServers() != nullptr)
    {
        // An edge of a tree carries the same both ways
        const auto totals = [&](uint32_t rank, std::vector<Transfer>& transfers) {
            schedule.GetTotals(m_plan.groups[kind].GetPosition(rank), transfers);
        };
        const uint32_t depth = DoubleTreeSchedule::GetDepth(schedule.GetNRanks());
        FlowNetwork::Shape shape = m_servers.Make(kind,
                                                  classes,
                                                  totals,
                                                  totals,
                                                  1.0 / (schedule.GetNSteps() - 2 * depth + 1),
                                                  schedule.GetNSteps());
        shape.steps = schedule.GetNSteps();
        return shape;
    }
    FlowNetwork::Shape shape;
    shape.steps = schedule.GetNSteps();
    const uint32_t depth = DoubleTreeSchedule::GetDepth(schedule.GetNRanks());
    const double chunks = shape.steps - 2 * depth + 1;
    std::vector<Transfer> totals;
    for (const auto number : classes)
    {
        const uint32_t rank = GetBusiest(kind, number, schedule);
        const auto& members = m_plan.groups[kind].GetMembers(rank);
        schedule.GetTotals(m_plan.groups[kind].GetPosition(rank), totals);
        for (const auto& total : totals)
        {
            const PlanPaths::Path path = m_paths.GetPathOf(rank, members[total.peer]);
            const double bytes = m_paths.GetFrameBytes(static_cast<double>(total.bytes) / chunks);
            FlowNetwork::Add(shape.paths, path.index, bytes);
            shape.latency = std::max(shape.latency, path.latency);
            if (m_paths.HasSides())
            {
                // An edge of a tree carries the same both ways
                FlowNetwork::Add(shape.links, m_paths.GetSide(number, false), bytes);
                FlowNetwork::Add(shape.links, m_paths.GetSide(number, true), bytes);
            }
            else
            {
                FlowNetwork::Add(shape.links, m_paths.GetLink(path), bytes);
            }
        }
    }
    return shape;
}

uint32_t
CollectiveShapes::GetBusiest(uint32_t kind, uint32_t number, const CollectiveSchedule& schedule)
{
    const RankGroups& groups = m_plan.groups[kind];
    uint32_t busiest = m_classes.GetRepresentative(number);
    double longest = 0;
    std::vector<Transfer> totals;
    for (const auto rank : m_classes.GetRanks(number))
    {
        schedule.GetTotals(groups.GetPosition(rank), totals);
        double all = 0;
        double most = 0;
        for (const auto& total : totals)
        {
            const uint32_t peer = groups.GetMembers(rank)[total.peer];
            const double seconds =
                static_cast<double>(total.bytes) / m_paths.GetPairRate(rank, peer);
            all += seconds;
            most = std::max(most, seconds);
        }
        // Pairs with circuits do not share what a GPU sends with
        const double seconds = m_paths.GetCircuits().GetNSettings() > 0 ? most : all;
        if (seconds > longest)
        {
            longest = seconds;
            busiest = rank;
        }
    }
    return busiest;
}

} // namespace lightpath
} // namespace ns3
