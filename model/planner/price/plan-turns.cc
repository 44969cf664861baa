/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "plan-turns.h"

#include <algorithm>
#include <set>
#include <utility>

namespace ns3
{
namespace lightpath
{

namespace
{

/// Times that differ by less are one instant, seconds
constexpr double TURN_INSTANT = 1e-12;

} // namespace

PlanTurns::PlanTurns(const TrainingPlan& plan,
                     const RankClasses& classes,
                     const TaskPartners& partners,
                     CollectiveShapes& shapes,
                     PlanPaths& paths,
                     const FabricLimits& fabric,
                     uint32_t iterations)
    : m_plan(plan),
      m_classes(classes),
      m_partners(partners),
      m_shapes(shapes),
      m_fabric(fabric)
{
    const auto& operations = m_partners.GetOperations();
    m_ofOperations.assign(operations.size(), NONE);
    m_parts.assign(operations.size(), nullptr);
    for (uint32_t index = 0; index < operations.size(); ++index)
    {
        AddCollective(index);
    }
    for (uint32_t task = 0; task < m_partners.GetNTasks(); ++task)
    {
        const Task& send = GetTask(task);
        if (send.kind != TaskKind::SEND)
        {
            continue;
        }
        const uint32_t number = m_partners.GetClass(task);
        const uint32_t rank = m_classes.GetRepresentative(number);
        // Paths are made before prices are
        paths.GetPath(number, send.group, send.peer);
        const auto circuit =
            GetCircuit(rank, m_plan.groups[send.group].GetMembers(rank)[send.peer]);
        if (circuit)
        {
            m_ofSends[task] = AddItem({{*circuit}}, 1, {0});
        }
    }
    const bool areAlike = std::all_of(m_items.begin(), m_items.end(), [](const Item& item) {
        return item.operation.groups == 1;
    });
    m_turns = std::make_unique<CircuitTurns>(m_classes.GetN(), areAlike ? 1 : m_fabric.circuits);
    m_lights.assign(m_turns->GetNPlanes(), std::vector<double>(m_classes.GetN(), 0));
    SetOrders(iterations);
}

const Task&
PlanTurns::GetTask(uint32_t task) const
{
    const uint32_t number = m_partners.GetClass(task);
    const auto& program = *m_plan.programs[m_classes.GetRepresentative(number)];
    return program.GetTasks()[task - m_partners.GetFirst(number)];
}

std::optional<CircuitTurns::Circuit>
PlanTurns::GetCircuit(uint32_t rank, uint32_t destination)
{
    uint32_t rail = 0;
    uint32_t from = rank;
    uint32_t to = destination;
    if (m_fabric.HasServers())
    {
        const ServerLayout& layout = m_fabric.servers.layout;
        if (layout.AreInside(rank, destination))
        {
            return std::nullopt;
        }
        const auto way = layout.GetWay(rank, destination);
        rail = way.rail;
        from = way.from;
        to = way.to;
        rank = layout.GetFirstPlace(rail, from);
        destination = layout.GetFirstPlace(rail, to);
    }
    const auto next = static_cast<uint32_t>(m_labels.size());
    const uint32_t label = m_labels.try_emplace({rail, from, to}, next).first->second;
    return CircuitTurns::Circuit{m_classes.GetClass(rank), m_classes.GetClass(destination), label};
}

OperationTurns::Stage
PlanTurns::GetStage(const TaskPartners::Operation& operation,
                    const Task& task,
                    const CollectiveShapes::Part& part)
{
    OperationTurns::Stage stage;
    std::set<uint32_t> sources;
    std::set<uint32_t> destinations;
    const RankGroups& groups = m_plan.groups[task.group];
    std::vector<Transfer> transfers;
    for (const uint32_t number : operation.classes)
    {
        const uint32_t rank = m_classes.GetRepresentative(number);
        const auto& members = groups.GetMembers(rank);
        const auto schedule = m_shapes.MakeSchedule(task, rank);
        schedule->GetSends(groups.GetPosition(rank), part.first, transfers);
        m_shapes.Pick(transfers, task.group, rank, true, part.distance);
        for (const auto& transfer : transfers)
        {
            const uint32_t peer = members[transfer.peer];
            const auto circuit = peer == rank ? std::nullopt : GetCircuit(rank, peer);
            // A class stands for several ports that do the same at the same time
            if (circuit && sources.count(circuit->source) == 0 &&
                destinations.count(circuit->destination) == 0)
            {
                sources.insert(circuit->source);
                destinations.insert(circuit->destination);
                stage.push_back(*circuit);
            }
        }
    }
    std::sort(stage.begin(), stage.end(), [](const auto& some, const auto& other) {
        return some.source < other.source;
    });
    return stage;
}

void
PlanTurns::AddCollective(uint32_t index)
{
    const auto& operation = m_partners.GetOperations()[index];
    const Task& task = GetTask(operation.tasks.front());
    const auto& parts = m_shapes.Get(operation.set, operation.classes, task);
    m_parts[index] = &parts;
    std::vector<OperationTurns::Stage> stages;
    std::vector<uint32_t> ofParts;
    double seconds = 0;
    bool isWhole = true;
    for (const auto& part : parts)
    {
        OperationTurns::Stage stage = GetStage(operation, task, part);
        if (stage.empty())
        {
            ofParts.push_back(NONE);
            continue;
        }
        double bytes = 0;
        for (const auto& use : part.paths)
        {
            bytes = std::max(bytes, use.bytes * part.steps);
        }
        seconds += bytes / (m_fabric.circuits * m_fabric.laneRate / 8);
        const bool isSame = !stages.empty() && stages.back() == stage;
        isWhole = isWhole && (stages.empty() || isSame);
        if (!isSame)
        {
            stages.push_back(std::move(stage));
        }
        ofParts.push_back(static_cast<uint32_t>(stages.size() - 1));
    }
    if (stages.empty())
    {
        return;
    }
    const auto n = static_cast<uint32_t>(stages.size());
    const uint32_t groups = n > 1 ? CircuitTurns::ChooseGroups(m_fabric.circuits,
                                                               n,
                                                               seconds / n,
                                                               m_fabric.switchingSeconds)
                                  : 1;
    if (groups > 1)
    {
        m_slower.push_back(parts);
        for (uint32_t part = 0; part < parts.size(); ++part)
        {
            const double slower = ofParts[part] == NONE ? 1 : groups;
            for (auto* const uses : {&m_slower.back()[part].paths, &m_slower.back()[part].links})
            {
                std::for_each(uses->begin(), uses->end(), [slower](auto& use) {
                    use.bytes *= slower;
                });
            }
        }
        m_parts[index] = &m_slower.back();
    }
    m_ofOperations[index] = AddItem(std::move(stages), groups, std::move(ofParts));
    m_items.back().isWhole = isWhole;
}

uint32_t
PlanTurns::AddItem(std::vector<OperationTurns::Stage> stages,
                   uint32_t groups,
                   std::vector<uint32_t> ofParts)
{
    Item item;
    uint32_t begin = 0;
    for (const auto& stage : stages)
    {
        item.begins.push_back(begin);
        begin += static_cast<uint32_t>(stage.size());
    }
    item.begins.push_back(begin);
    item.operation = {std::make_shared<const std::vector<OperationTurns::Stage>>(std::move(stages)),
                      groups};
    item.nParts = static_cast<uint32_t>(ofParts.size());
    item.stages = std::move(ofParts);
    m_items.push_back(std::move(item));
    return static_cast<uint32_t>(m_items.size() - 1);
}

void
PlanTurns::SetOrders(uint32_t iterations)
{
    m_agenda = std::make_unique<OperationTurns>(*m_turns, m_classes.GetN(), iterations);
    for (const Item& item : m_items)
    {
        m_agenda->Add(item.operation);
    }
    std::map<uint32_t, uint32_t> sends; // by receive
    for (const auto& [send, item] : m_ofSends)
    {
        sends[m_partners.GetPartner(send)] = item;
    }
    std::vector<std::array<std::vector<uint32_t>, 2>> orders(m_classes.GetN());
    for (uint32_t task = 0; task < m_partners.GetNTasks(); ++task)
    {
        const TaskKind kind = GetTask(task).kind;
        const auto receive = sends.find(task);
        const uint32_t item = kind == TaskKind::SEND         ? GetSendItem(task)
                              : kind == TaskKind::COLLECTIVE ? GetItem(m_partners.GetPartner(task))
                              : kind == TaskKind::RECEIVE && receive != sends.end()
                                  ? receive->second
                                  : NONE;
        if (item == NONE)
        {
            continue;
        }
        const uint32_t number = m_partners.GetClass(task);
        bool isSource = false;
        bool isDestination = false;
        for (const auto& stage : *m_items[item].operation.stages)
        {
            for (const auto& circuit : stage)
            {
                isSource = isSource || circuit.source == number;
                isDestination = isDestination || circuit.destination == number;
            }
        }
        if (isSource && kind != TaskKind::RECEIVE)
        {
            orders[number][OperationTurns::SENDS].push_back(item);
        }
        if (isDestination && kind != TaskKind::SEND)
        {
            orders[number][OperationTurns::RECEIVES].push_back(item);
        }
    }
    for (uint32_t number = 0; number < orders.size(); ++number)
    {
        for (const auto side : {OperationTurns::SENDS, OperationTurns::RECEIVES})
        {
            m_agenda->SetOrder(number, side, std::move(orders[number][side]));
        }
    }
}

uint32_t
PlanTurns::GetSendItem(uint32_t send) const
{
    const auto found = m_ofSends.find(send);
    return found != m_ofSends.end() ? found->second : NONE;
}

uint64_t
PlanTurns::Begin(uint32_t item, uint32_t iteration)
{
    return m_agenda->Begin(item, iteration, m_items[item].operation);
}

bool
PlanTurns::IsLit(uint32_t item, uint64_t first, uint32_t part, double now) const
{
    const Item& what = m_items[item];
    const uint32_t stage = what.stages[part];
    if (stage == NONE)
    {
        return true;
    }
    for (uint32_t i = what.begins[stage]; i < what.begins[stage + 1]; ++i)
    {
        const auto planes = m_turns->GetPlanes(first + i);
        const auto& circuit = (*what.operation.stages)[stage][i - what.begins[stage]];
        for (uint32_t plane = planes.first; plane < m_turns->GetNPlanes(); plane += planes.groups)
        {
            if (!m_turns->IsServed(first + i, plane) ||
                m_lights[plane][circuit.source] > now + TURN_INSTANT)
            {
                return false;
            }
        }
    }
    return true;
}

void
PlanTurns::End(uint32_t item, uint64_t first, uint32_t part)
{
    const Item& what = m_items[item];
    const bool isLast = part + 1 == what.nParts;
    const uint32_t stage = what.stages[part];
    const uint32_t next = isLast ? NONE : what.stages[part + 1];
    if (what.isWhole ? !isLast : stage == NONE || stage == next)
    {
        return;
    }
    const uint32_t ended = what.isWhole ? 0 : stage;
    for (uint32_t i = what.begins[ended]; i < what.begins[ended + 1]; ++i)
    {
        m_agenda->End(first + i);
    }
}

bool
PlanTurns::Settle(double now)
{
    m_agenda->Settle();
    const auto changes = m_turns->TakeChanges();
    for (const auto& change : changes)
    {
        m_lights[change.plane][change.source] = now + m_fabric.switchingSeconds;
    }
    return !changes.empty() && m_fabric.switchingSeconds > 0;
}

} // namespace lightpath
} // namespace ns3
