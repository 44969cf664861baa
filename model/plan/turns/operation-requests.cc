/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "operation-requests.h"

#include <algorithm>
#include <set>

namespace ns3
{
namespace lightpath
{

namespace
{

/**
 * @param plan a plan
 * @param kind a kind of group
 * @return its groups; in a folded plan, of the ranks that stand for all members
 */
RankGroups
GetGroups(const TrainingPlan& plan, uint32_t kind)
{
    if (plan.representedRanks == 0)
    {
        return plan.groups[kind];
    }
    RankGroups groups;
    for (uint32_t rank = 0; rank < plan.programs.size(); ++rank)
    {
        const auto& view = plan.groups[kind].GetMembers(rank);
        const std::set<uint32_t> distinct(view.begin(), view.end());
        std::vector<uint32_t> ranks(distinct.begin(), distinct.end());
        if (ranks != groups.GetMembers(rank))
        {
            // Refuses a rank that others see in another group
            groups.Add(std::move(ranks));
        }
    }
    return groups;
}

} // namespace

OperationRequests::OperationRequests(const TrainingPlan& plan,
                                     CircuitTurns& turns,
                                     uint32_t ports,
                                     uint32_t iterations,
                                     Fabric& fabric)
    : m_plan(plan),
      m_circuits(turns),
      m_nPorts(ports),
      m_fabric(fabric),
      m_turns(turns, ports, iterations)
{
    for (uint32_t kind = 0; kind < plan.groups.size(); ++kind)
    {
        m_groups.push_back(GetGroups(plan, kind));
    }
    FindOperations();
    if (!m_shapes.empty())
    {
        m_fabric.NotifyChange();
    }
}

OperationRequests::Name
OperationRequests::GetName(uint32_t rank, const Task& task) const
{
    const auto& members = m_plan.groups[task.group].GetMembers(rank);
    switch (task.kind)
    {
    case TaskKind::SEND:
        return {task.group, rank, members[task.peer], task.operation};
    case TaskKind::RECEIVE:
        return {task.group, members[task.peer], rank, task.operation};
    default:
        return {task.group, m_groups[task.group].GetMembers(rank).front(), NONE, task.operation};
    }
}

OperationRequests::Shape
OperationRequests::GetShape(uint32_t rank,
                            const Task& task,
                            std::optional<uint32_t> iteration,
                            bool onAnyPlane)
{
    if (task.kind != TaskKind::COLLECTIVE)
    {
        const Name name = GetName(rank, task);
        const auto ports = m_fabric.GetPorts(std::get<1>(name), std::get<2>(name));
        if (!ports)
        {
            return nullptr;
        }
        Shape& shape = m_single[*ports];
        shape = shape ? shape : std::make_shared<OperationShape>(ports->first, ports->second);
        return shape;
    }
    const RankGroups& views = m_plan.groups[task.group];
    const auto& members = m_groups[task.group].GetMembers(rank);
    Shape& known =
        m_known[{task.group, members.front(), task.collective, task.bytes, task.options}];
    const bool isDrawn = iteration && task.routed.experts > 0;
    if (known && !isDrawn && !onAnyPlane)
    {
        return known;
    }
    std::map<uint32_t, std::shared_ptr<const CollectiveSchedule>> schedules;
    const auto nMembers = static_cast<uint32_t>(members.size());
    const auto nAll = static_cast<uint32_t>(views.GetMembers(rank).size());
    const auto getPorts = [&](uint32_t sender, uint32_t receiver) {
        return m_fabric.GetPorts(members[sender], members[receiver]);
    };
    if (task.options.turns && !onAnyPlane)
    {
        const auto schedule = m_fabric.GetSchedule(task, rank, std::nullopt, nAll);
        known = std::make_shared<OperationShape>(nMembers,
                                                 m_circuits.GetNPlanes(),
                                                 getPorts,
                                                 *task.options.turns,
                                                 *schedule);
        return known;
    }
    const auto shape = std::make_shared<OperationShape>(
        nMembers,
        m_nPorts,
        getPorts,
        [&](uint32_t sender, uint32_t step, std::vector<Transfer>& transfers) {
            auto& schedule = schedules[isDrawn ? sender : 0];
            if (!schedule)
            {
                schedule = m_fabric.GetSchedule(task,
                                                members[sender],
                                                isDrawn ? iteration : std::nullopt,
                                                nAll);
            }
            const uint32_t position = views.GetPosition(members[sender]);
            if (step == OperationShape::ALL_STEPS)
            {
                schedule->GetTotals(position, transfers);
            }
            else
            {
                schedule->GetSends(position, step, transfers);
            }
            // Those that stand for the peers
            const auto& peers = views.GetMembers(members[sender]);
            for (Transfer& transfer : transfers)
            {
                transfer.peer = m_groups[task.group].GetPosition(peers[transfer.peer]);
            }
            return schedule->GetNSteps();
        });
    if (onAnyPlane)
    {
        shape->UseAllPlanes();
        return shape;
    }
    known = isDrawn ? known : shape;
    return shape;
}

OperationTurns::Operation
OperationRequests::MakeOperation(const OperationShape& shape) const
{
    const uint32_t planes = m_circuits.GetNPlanes();
    if (!shape.GetPlanes().empty())
    {
        return {shape.GetStages(), 1, shape.GetPlanes()};
    }
    const double rate = m_fabric.GetByteRate() * planes;
    const auto steps = static_cast<uint32_t>(shape.GetStages()->size());
    const bool isWhole = steps > 1 && shape.IsCarried(m_circuits);
    // A plane that has failed serves no stage alone
    const uint32_t groups = !isWhole ? 1
                                     : CircuitTurns::ChooseGroups(planes,
                                                                  steps,
                                                                  shape.GetStageBytes() / rate,
                                                                  m_fabric.GetDarkSeconds());
    return {shape.GetStages(), groups, {}};
}

void
OperationRequests::AddOrders(uint32_t rank,
                             uint32_t index,
                             const OperationShape& shape,
                             Orders& orders) const
{
    const Task& task = m_plan.programs[rank]->GetTasks()[index];
    const uint32_t number = m_ofTasks[rank][index];
    // The ports of the rank itself
    for (const uint32_t member : m_plan.groups[task.group].GetMembers(rank))
    {
        const auto sends = member == rank ? std::nullopt : m_fabric.GetPorts(rank, member);
        const auto receives = member == rank ? std::nullopt : m_fabric.GetPorts(member, rank);
        if (sends && task.kind != TaskKind::RECEIVE && shape.HasSource(sends->first))
        {
            orders[{sends->first, OperationTurns::SENDS}].emplace_back(index, rank, number);
        }
        if (receives && task.kind != TaskKind::SEND && shape.HasDestination(receives->second))
        {
            orders[{receives->second, OperationTurns::RECEIVES}].emplace_back(index, rank, number);
        }
        if (sends || receives)
        {
            return;
        }
    }
}

void
OperationRequests::FindOperations()
{
    Orders orders;
    m_ofTasks.resize(m_plan.programs.size());
    std::map<const RankProgram*, std::vector<uint32_t>> alike; // looked up only
    std::vector<Shape> shapes;
    for (uint32_t rank = 0; rank < m_plan.programs.size(); ++rank)
    {
        const auto& tasks = m_plan.programs[rank]->GetTasks();
        auto& first = alike[m_plan.programs[rank].get()];
        if (first.empty())
        {
            first = m_plan.programs[rank]->FindAlike();
        }
        shapes.assign(tasks.size(), nullptr);
        m_ofTasks[rank].assign(tasks.size(), NONE);
        for (uint32_t index = 0; index < tasks.size(); ++index)
        {
            const Task& task = tasks[index];
            if (task.kind != TaskKind::COMPUTE && first[index] == index)
            {
                shapes[index] = GetShape(rank, task, std::nullopt);
            }
            const Shape& shape = shapes[first[index]];
            if (!shape || shape->GetStages()->empty())
            {
                continue;
            }
            const auto [entry, isNew] = m_numbers.try_emplace(GetName(rank, task), NONE);
            if (isNew)
            {
                entry->second = m_turns.Add(MakeOperation(*shape));
                m_shapes.push_back(shape);
                m_places.emplace_back(task.kind == TaskKind::COLLECTIVE, UINT32_MAX);
                m_countsMessages = m_countsMessages || shape->CountsMessages();
            }
            m_ofTasks[rank][index] = entry->second;
            uint32_t& place = m_places[entry->second].second;
            place = task.kind == TaskKind::RECEIVE ? place : std::min(place, index);
            AddOrders(rank, index, *shape, orders);
        }
        auto& numbers = m_ofTasks[rank];
        const bool isElsewhere = std::all_of(numbers.begin(), numbers.end(), [](uint32_t number) {
            return number == NONE;
        });
        if (isElsewhere)
        {
            numbers = {};
        }
    }
    SetOrders(orders);
}

void
OperationRequests::SetOrders(Orders& orders)
{
    for (auto& [port, entries] : orders)
    {
        std::sort(entries.begin(), entries.end());
        std::vector<uint32_t> order;
        std::set<uint32_t> known; // ranks that share a port, or a server, may share an operation
        for (const auto& entry : entries)
        {
            if (known.insert(std::get<2>(entry)).second)
            {
                order.push_back(std::get<2>(entry));
            }
        }
        m_turns.SetOrder(port.first, port.second, std::move(order));
    }
}

void
OperationRequests::Begin(uint32_t rank, uint32_t task, uint32_t iteration)
{
    const uint32_t number = Has(rank) ? m_ofTasks[rank][task] : NONE;
    if (number == NONE)
    {
        return;
    }
    const Task& what = m_plan.programs[rank]->GetTasks()[task];
    const Key key{iteration % TAG_ITERATIONS, number};
    Running& running = m_running[key];
    if (!running.shape)
    {
        const bool isDrawn = what.routed.experts > 0;
        running.shape = isDrawn ? GetShape(rank, what, iteration) : m_shapes[number];
        running.rank = rank;
        running.task = task;
        running.iteration = iteration;
        running.isGiven = what.options.turns != nullptr;
        running.left = running.shape->GetCounts();
        running.nLeft = running.left.size();
        if (running.isGiven && !running.shape->IsCarried(m_circuits))
        {
            Replan(running);
        }
    }
    ++running.joined;
    if (what.kind == TaskKind::SEND ||
        running.joined == m_groups[what.group].GetMembers(rank).size())
    {
        m_asking.emplace_back(iteration, number);
        m_fabric.NotifyChange();
    }
}

void
OperationRequests::Ask(const Key& key)
{
    Running& running = m_running.at({key.first % TAG_ITERATIONS, key.second});
    const auto operation = MakeOperation(*running.shape);
    running.isBound = operation.groups > 1;
    running.first = m_turns.Begin(key.second, key.first, operation);
    for (std::size_t circuit = 0; circuit < running.left.size(); ++circuit)
    {
        if (running.left[circuit] == 0)
        {
            m_turns.End(running.first + circuit);
        }
    }
    if (running.nLeft == 0)
    {
        m_running.erase({key.first % TAG_ITERATIONS, key.second});
    }
}

void
OperationRequests::Settle()
{
    // Of one instant, messages ask first, and what comes first in programs
    std::sort(m_asking.begin(), m_asking.end(), [this](const Key& some, const Key& other) {
        return std::make_tuple(some.first, m_places[some.second], some.second) <
               std::make_tuple(other.first, m_places[other.second], other.second);
    });
    for (const Key& key : std::exchange(m_asking, {}))
    {
        Ask(key);
    }
    m_turns.Settle();
}

} // namespace lightpath
} // namespace ns3
