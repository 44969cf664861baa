/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "plan-turns.h"

#include "model/collective/turn-schedule.h"
#include "model/planner/planning-deadline.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

namespace ns3
{
namespace lightpath
{

PlanTurns::PlanTurns(const TrainingPlan& plan,
                     const RankClasses& classes,
                     const TaskPartners& partners,
                     CollectiveShapes& shapes,
                     PlanPaths& paths,
                     FlowNetwork& network,
                     const FabricLimits& fabric,
                     uint32_t iterations)
    : m_plan(plan),
      m_classes(classes),
      m_partners(partners),
      m_shapes(shapes),
      m_network(network),
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
        // Paths are made before prices are
        AddSend(task, paths.GetPath(m_partners.GetClass(task), send.group, send.peer).index);
    }
    const bool areAlike = std::all_of(m_items.begin(), m_items.end(), [](const auto& item) {
        return item->operation.groups == 1 && item->operation.planes.empty();
    });
    m_turns = std::make_unique<CircuitTurns>(m_classes.GetN(), areAlike ? 1 : m_fabric.circuits);
    for (uint32_t index = 0; index < operations.size() && !areAlike; ++index)
    {
        AddLights(index);
    }
    m_lights.assign(m_turns->GetNPlanes(), std::vector<double>(m_classes.GetN(), 0));
    SetOrders(iterations);
}

void
PlanTurns::AddSend(uint32_t send, uint32_t path)
{
    const Task& task = GetTask(send);
    const uint32_t rank = m_classes.GetRepresentative(m_partners.GetClass(send));
    const auto circuit = GetCircuit(rank, m_plan.groups[task.group].GetMembers(rank)[task.peer]);
    if (!circuit)
    {
        return;
    }
    const auto [beam, isNew] = m_beams.try_emplace(path);
    if (isNew)
    {
        beam->second.circuit = *circuit;
        beam->second.path = m_network.AddPathBehind(path, beam->second.link);
        m_network.SetRate(beam->second.link, 0);
        m_ofSources.resize(m_classes.GetN());
        m_ofSources[circuit->source].push_back(path);
    }
    m_ofSends[send] = {AddItem({std::make_shared<const std::vector<OperationTurns::Stage>>(
                                    1,
                                    OperationTurns::Stage{*circuit}),
                                1},
                               {0},
                               {{0, 1, {}}}),
                       beam->second.path};
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

PlanTurns::Schedules
PlanTurns::MakeSchedules(const TaskPartners::Operation& operation, const Task& task) const
{
    Schedules schedules;
    for (const uint32_t number : operation.classes)
    {
        schedules.push_back(m_shapes.MakeSchedule(task, m_classes.GetRepresentative(number)));
    }
    return schedules;
}

OperationTurns::Stage
PlanTurns::GetStage(const TaskPartners::Operation& operation,
                    const Schedules& schedules,
                    const Task& task,
                    const CollectiveShapes::Part& part)
{
    PlanningDeadline::Check(m_fabric.deadline);
    OperationTurns::Stage stage;
    std::set<uint32_t> sources;
    std::set<uint32_t> destinations;
    const RankGroups& groups = m_plan.groups[task.group];
    std::vector<Transfer> transfers;
    for (std::size_t i = 0; i < operation.classes.size(); ++i)
    {
        const uint32_t rank = m_classes.GetRepresentative(operation.classes[i]);
        const auto& members = groups.GetMembers(rank);
        schedules[i]->GetSends(groups.GetPosition(rank), part.first, transfers);
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
    const auto [known, isNew] = m_alike.try_emplace(&parts, index);
    if (isNew)
    {
        task.options.turns ? AddTurned(index, task, parts) : AddStepwise(index, task, parts);
        return;
    }
    // Collectives of the same groups with the same load have the same circuits
    m_parts[index] = m_parts[known->second];
    const uint32_t item = m_ofOperations[known->second];
    if (item != NONE)
    {
        m_ofOperations[index] = static_cast<uint32_t>(m_items.size());
        m_items.push_back(m_items[item]);
    }
}

void
PlanTurns::AddStepwise(uint32_t index, const Task& task, const CollectiveShapes::Parts& parts)
{
    const auto& operation = m_partners.GetOperations()[index];
    m_parts[index] = &parts;
    const Schedules schedules = MakeSchedules(operation, task);
    std::vector<OperationTurns::Stage> stages;
    std::vector<uint32_t> ofParts;
    double seconds = 0;
    bool isWhole = true;
    for (const auto& part : parts)
    {
        OperationTurns::Stage stage = GetStage(operation, schedules, task, part);
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
    const uint32_t groups =
        CircuitTurns::ChooseGroups(m_fabric.circuits, n, seconds / n, m_fabric.switchingSeconds);
    std::vector<uint32_t> ofStages(n);
    std::iota(ofStages.begin(), ofStages.end(), 0);
    auto own = MakeParts(parts);
    for (uint32_t part = 0; part < own.size(); ++part)
    {
        own[part].step = ofParts[part];
    }
    m_ofOperations[index] = AddItem(
        {std::make_shared<const std::vector<OperationTurns::Stage>>(std::move(stages)), groups},
        ofStages,
        std::move(own),
        isWhole);
}

void
PlanTurns::AddTurned(uint32_t index, const Task& task, const CollectiveShapes::Parts& parts)
{
    const auto& operation = m_partners.GetOperations()[index];
    m_parts[index] = &parts;
    auto stages = std::make_shared<std::vector<OperationTurns::Stage>>();
    OperationTurns::Operation circuits;
    std::vector<uint32_t> ofStages;
    const auto& phases = task.options.turns->phases;
    for (uint32_t phase = 0; phase < phases.size(); ++phase)
    {
        const auto& shifts = phases[phase].shifts;
        for (uint32_t plane = 0; plane < shifts.size(); ++plane)
        {
            auto stage = GetTurnStage(operation, task, shifts[plane]);
            if (!stage.empty())
            {
                stages->push_back(std::move(stage));
                circuits.planes.push_back({plane, static_cast<uint32_t>(shifts.size())});
                ofStages.push_back(phase);
            }
        }
    }
    if (stages->empty())
    {
        return;
    }
    const Schedules schedules = MakeSchedules(operation, task);
    auto own = MakeParts(parts);
    for (uint32_t part = 0; part < parts.size(); ++part)
    {
        const uint32_t phase = TurnSchedule::FindPhase(*schedules.front(), parts[part].first);
        if (phase == TurnSchedule::NO_PHASE)
        {
            continue;
        }
        own[part].step = phase;
        // The circuits of the phase that its messages take
        const auto taken = GetStage(operation, schedules, task, parts[part]);
        uint32_t request = 0;
        for (std::size_t stage = 0; stage < stages->size(); ++stage)
        {
            for (const auto& circuit : (*stages)[stage])
            {
                const bool isTaken = ofStages[stage] == phase &&
                                     std::find(taken.begin(), taken.end(), circuit) != taken.end();
                if (isTaken)
                {
                    own[part].requests.push_back(request);
                }
                ++request;
            }
        }
    }
    circuits.stages = std::move(stages);
    m_ofOperations[index] = AddItem(std::move(circuits), ofStages, std::move(own));
}

std::vector<PlanTurns::Part>
PlanTurns::MakeParts(const CollectiveShapes::Parts& parts)
{
    std::vector<Part> own(parts.size());
    for (auto part = static_cast<uint32_t>(parts.size()); part-- > 0;)
    {
        const bool isSame = part + 1 < parts.size() && parts[part].first == parts[part + 1].first;
        own[part].next = isSame ? own[part + 1].next : part + 1;
    }
    return own;
}

OperationTurns::Stage
PlanTurns::GetTurnStage(const TaskPartners::Operation& operation, const Task& task, uint32_t shift)
{
    OperationTurns::Stage stage;
    std::set<uint32_t> sources;
    std::set<uint32_t> destinations;
    const RankGroups& groups = m_plan.groups[task.group];
    for (const uint32_t number : shift > 0 ? operation.classes : std::vector<uint32_t>())
    {
        const uint32_t rank = m_classes.GetRepresentative(number);
        const auto& members = groups.GetMembers(rank);
        const std::size_t peer = groups.GetPosition(rank) + std::size_t{shift} * task.options.local;
        const auto circuit = GetCircuit(rank, members[peer % members.size()]);
        // A class stands for several ports that do the same at the same time
        if (circuit && sources.insert(circuit->source).second &&
            destinations.insert(circuit->destination).second)
        {
            stage.push_back(*circuit);
        }
    }
    std::sort(stage.begin(), stage.end(), [](const auto& some, const auto& other) {
        return some.source < other.source;
    });
    return stage;
}

uint32_t
PlanTurns::AddItem(OperationTurns::Operation operation,
                   const std::vector<uint32_t>& ofStages,
                   std::vector<Part> parts,
                   bool isWhole)
{
    Item item;
    item.isWhole = isWhole;
    const auto& stages = *operation.stages;
    for (std::size_t stage = 0; stage < stages.size(); ++stage)
    {
        if (stage == 0 || ofStages[stage] != ofStages[stage - 1])
        {
            item.begins.push_back(static_cast<uint32_t>(item.circuits.size()));
        }
        item.circuits.insert(item.circuits.end(), stages[stage].begin(), stages[stage].end());
    }
    item.begins.push_back(static_cast<uint32_t>(item.circuits.size()));
    for (Part& part : parts)
    {
        if (part.step != NONE && part.requests.empty())
        {
            part.requests.resize(item.begins[part.step + 1] - item.begins[part.step]);
            std::iota(part.requests.begin(), part.requests.end(), item.begins[part.step]);
        }
        std::stable_sort(part.requests.begin(),
                         part.requests.end(),
                         [&item](uint32_t some, uint32_t other) {
                             return item.circuits[some].source < item.circuits[other].source;
                         });
    }
    item.operation = std::move(operation);
    item.parts = std::move(parts);
    m_items.push_back(std::make_shared<const Item>(std::move(item)));
    return static_cast<uint32_t>(m_items.size() - 1);
}

void
PlanTurns::SetOrders(uint32_t iterations)
{
    m_agenda = std::make_unique<OperationTurns>(*m_turns, m_classes.GetN(), iterations);
    for (const auto& item : m_items)
    {
        m_agenda->Add(item->operation);
    }
    std::map<uint32_t, uint32_t> sends; // by receive
    for (const auto& [send, own] : m_ofSends)
    {
        sends[m_partners.GetPartner(send)] = own.item;
    }
    std::vector<std::array<Entries, 2>> orders(m_classes.GetN());
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
        const uint32_t place = task - m_partners.GetFirst(number);
        const uint32_t rank = m_classes.GetRepresentative(number);
        for (const auto side : {OperationTurns::SENDS, OperationTurns::RECEIVES})
        {
            const auto& ports = m_agenda->GetPorts(item)[side];
            const bool isOther =
                kind == (side == OperationTurns::SENDS ? TaskKind::RECEIVE : TaskKind::SEND);
            for (const uint32_t port : GetPorts(rank, GetTask(task).group)[side])
            {
                if (!isOther && std::binary_search(ports.begin(), ports.end(), port))
                {
                    orders[port][side].emplace_back(place, rank, item);
                }
            }
        }
    }
    for (uint32_t port = 0; port < orders.size(); ++port)
    {
        for (const auto side : {OperationTurns::SENDS, OperationTurns::RECEIVES})
        {
            m_agenda->SetOrder(port, side, GetOrder(std::move(orders[port][side])));
        }
    }
}

std::vector<uint32_t>
PlanTurns::GetOrder(Entries entries)
{
    std::sort(entries.begin(), entries.end());
    std::vector<uint32_t> order;
    std::set<uint32_t> known; // ranks of a server may share an operation
    for (const auto& entry : entries)
    {
        if (known.insert(std::get<2>(entry)).second)
        {
            order.push_back(std::get<2>(entry));
        }
    }
    return order;
}

const OperationTurns::Ports&
PlanTurns::GetPorts(uint32_t rank, uint32_t kind)
{
    const auto [place, isNew] = m_ports.try_emplace({rank, kind});
    OperationTurns::Ports& ports = place->second;
    if (!isNew)
    {
        return ports;
    }
    std::array<std::set<uint32_t>, 2> found;
    for (const uint32_t member : m_plan.groups[kind].GetMembers(rank))
    {
        const auto to = member == rank ? std::nullopt : GetCircuit(rank, member);
        const auto from = member == rank ? std::nullopt : GetCircuit(member, rank);
        if (to)
        {
            found[OperationTurns::SENDS].insert(to->source);
        }
        if (from)
        {
            found[OperationTurns::RECEIVES].insert(from->destination);
        }
    }
    for (const auto side : {OperationTurns::SENDS, OperationTurns::RECEIVES})
    {
        ports[side].assign(found[side].begin(), found[side].end());
    }
    return ports;
}

uint32_t
PlanTurns::GetSendItem(uint32_t send) const
{
    const auto found = m_ofSends.find(send);
    return found != m_ofSends.end() ? found->second.item : NONE;
}

uint64_t
PlanTurns::Begin(uint32_t item, uint32_t iteration)
{
    return m_agenda->Begin(item, iteration, m_items[item]->operation);
}

} // namespace lightpath
} // namespace ns3
