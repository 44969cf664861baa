/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "operation-control.h"

#include "drawn-loads.h"
#include "job-ports.h"
#include "model/control/circuit-turner.h"
#include "model/training/transport/server-network.h"
#include "training-application.h"
#include "training-job.h"

#include "ns3/abort.h"
#include "ns3/circuit-controller.h"
#include "ns3/log.h"
#include "ns3/message-tag.h"
#include "ns3/optical-channel.h"
#include "ns3/simulator.h"
#include "ns3/socket-transport.h"

#include <algorithm>
#include <set>

namespace ns3
{
namespace lightpath
{

NS_LOG_COMPONENT_DEFINE("OperationControl");

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

void
OperationControl::Install(TrainingJob& job, Ptr<CircuitController> controller, uint32_t rail)
{
    const auto servers = job.GetServers();
    const Ptr<Transport> transport = servers ? servers->GetRails()[rail].transports.front()
                                             : job.GetRanks().front()->GetTransport();
    NS_ABORT_MSG_IF(DynamicCast<SocketTransport>(transport),
                    "Circuits follow operations (Trigger Operation), and acknowledgements belong "
                    "to none: choose a transport over circuits, or another trigger");
    // The traces own the object, so that it lives as long as the ranks
    const std::shared_ptr<OperationControl> control(
        new OperationControl(job,
                             CircuitTurner::Get(controller),
                             static_cast<uint32_t>(controller->GetChannel()->GetNDevices()),
                             rail));
    // The fabric may outlive the job
    control->m_turner->GetChannel()->TraceConnectWithoutContext(
        "Geometry",
        Callback<void, const CircuitSwitchGeometry&>(
            [known = std::weak_ptr<OperationControl>(control)](const CircuitSwitchGeometry&) {
                if (const auto alive = known.lock())
                {
                    alive->NotifyGeometry();
                }
            }));
    for (uint32_t rank = 0; rank < job.GetRanks().size(); ++rank)
    {
        const auto& application = job.GetRanks()[rank];
        if (control->m_ofTasks[rank].empty())
        {
            continue;
        }
        application->TraceConnectWithoutContext(
            "TaskBegin",
            Callback<void, const TaskEvent&>([control](const TaskEvent& event) {
                if (event.task.kind == TaskKind::SEND)
                {
                    control->NotifyBegin(event);
                }
            }));
        application->TraceConnectWithoutContext(
            "CollectiveBegin",
            Callback<void, const TaskEvent&>(
                [control](const TaskEvent& event) { control->NotifyBegin(event); }));
        application->TraceConnectWithoutContext(
            "CollectiveEnd",
            Callback<void, const TaskEvent&>(
                [control](const TaskEvent& event) { control->NotifyEnd(event); }));
        if (control->m_countsMessages)
        {
            application->TraceConnectWithoutContext(
                "MessageReceived",
                Callback<void, uint32_t, uint32_t, uint64_t, uint64_t>(
                    [control](uint32_t receiver, uint32_t source, uint64_t tag, uint64_t) {
                        control->NotifyArrival(receiver, source, tag);
                    }));
        }
    }
}

OperationControl::OperationControl(TrainingJob& job,
                                   Ptr<CircuitTurner> turner,
                                   uint32_t ports,
                                   uint32_t rail)
    : m_job(job),
      m_turner(turner),
      m_nPorts(ports),
      m_rail(rail),
      m_ports(job.GetServers() ? nullptr : JobPorts::Find(job)),
      m_turns(turner->GetTurns(), ports, job.GetNIterations())
{
    for (uint32_t kind = 0; kind < job.GetPlan().groups.size(); ++kind)
    {
        m_groups.push_back(GetGroups(job.GetPlan(), kind));
    }
    FindOperations();
    if (!m_shapes.empty())
    {
        NotifyChange();
    }
}

std::optional<std::pair<uint32_t, uint32_t>>
OperationControl::GetPorts(uint32_t source, uint32_t destination) const
{
    if (const auto servers = m_job.GetServers())
    {
        const ServerLayout& layout = servers->GetLayout();
        if (layout.AreInside(source, destination))
        {
            return std::nullopt;
        }
        const auto way = layout.GetWay(source, destination);
        return way.rail == m_rail ? std::make_optional(std::make_pair(way.from, way.to))
                                  : std::nullopt;
    }
    return m_ports ? std::make_pair(m_ports->GetPort(source), m_ports->GetPort(destination))
                   : std::make_pair(source, destination);
}

OperationControl::Name
OperationControl::GetName(uint32_t rank, const Task& task) const
{
    const auto& members = m_job.GetPlan().groups[task.group].GetMembers(rank);
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

OperationControl::Shape
OperationControl::GetShape(uint32_t rank,
                           const Task& task,
                           std::optional<uint32_t> iteration,
                           bool onAnyPlane)
{
    if (task.kind != TaskKind::COLLECTIVE)
    {
        const Name name = GetName(rank, task);
        const auto ports = GetPorts(std::get<1>(name), std::get<2>(name));
        if (!ports)
        {
            return nullptr;
        }
        Shape& shape = m_single[*ports];
        shape = shape ? shape : std::make_shared<OperationShape>(ports->first, ports->second);
        return shape;
    }
    const RankGroups& views = m_job.GetPlan().groups[task.group];
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
        return GetPorts(members[sender], members[receiver]);
    };
    if (task.options.turns && !onAnyPlane)
    {
        const auto schedule = m_job.GetSchedule(task.collective, nAll, task.bytes, task.options);
        known = std::make_shared<OperationShape>(nMembers,
                                                 m_turner->GetTurns().GetNPlanes(),
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
                const Task drawn =
                    isDrawn ? m_job.GetLoads().Get(task, members[sender], *iteration) : task;
                schedule = m_job.GetSchedule(drawn.collective, nAll, drawn.bytes, drawn.options);
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
OperationControl::MakeOperation(const OperationShape& shape) const
{
    const auto channel = m_turner->GetChannel();
    const uint32_t planes = m_turner->GetTurns().GetNPlanes();
    if (!shape.GetPlanes().empty())
    {
        return {shape.GetStages(), 1, shape.GetPlanes()};
    }
    const double rate = static_cast<double>(channel->GetLaneRate().GetBitRate()) / 8 * planes;
    const auto steps = static_cast<uint32_t>(shape.GetStages()->size());
    const bool isWhole = steps > 1 && shape.IsCarried(m_turner->GetTurns());
    // A plane that has failed serves no stage alone
    const uint32_t groups =
        !isWhole ? 1
                 : CircuitTurns::ChooseGroups(planes,
                                              steps,
                                              shape.GetStageBytes() / rate,
                                              channel->GetReconfigurationTime().GetSeconds());
    return {shape.GetStages(), groups, {}};
}

void
OperationControl::AddOrders(uint32_t rank,
                            uint32_t index,
                            const OperationShape& shape,
                            Orders& orders) const
{
    const TrainingPlan& plan = m_job.GetPlan();
    const Task& task = plan.programs[rank]->GetTasks()[index];
    const uint32_t number = m_ofTasks[rank][index];
    // The ports of the rank itself
    for (const uint32_t member : plan.groups[task.group].GetMembers(rank))
    {
        const auto sends = member == rank ? std::nullopt : GetPorts(rank, member);
        const auto receives = member == rank ? std::nullopt : GetPorts(member, rank);
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
OperationControl::FindOperations()
{
    const TrainingPlan& plan = m_job.GetPlan();
    Orders orders;
    m_ofTasks.resize(plan.programs.size());
    std::map<const RankProgram*, std::vector<uint32_t>> alike; // looked up only
    std::vector<Shape> shapes;
    for (uint32_t rank = 0; rank < plan.programs.size(); ++rank)
    {
        const auto& tasks = plan.programs[rank]->GetTasks();
        auto& first = alike[plan.programs[rank].get()];
        if (first.empty())
        {
            first = plan.programs[rank]->FindAlike();
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
OperationControl::SetOrders(Orders& orders)
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
OperationControl::NotifyBegin(const TaskEvent& event)
{
    const uint32_t number = m_ofTasks[event.rank][event.index];
    if (number == NONE)
    {
        return;
    }
    const Key key{event.iteration % TAG_ITERATIONS, number};
    Running& running = m_running[key];
    if (!running.shape)
    {
        const bool isDrawn = event.task.routed.experts > 0;
        running.shape =
            isDrawn ? GetShape(event.rank, event.task, event.iteration) : m_shapes[number];
        running.rank = event.rank;
        running.task = event.index;
        running.iteration = event.iteration;
        running.isGiven = event.task.options.turns != nullptr;
        running.left = running.shape->GetCounts();
        running.nLeft = running.left.size();
        if (running.isGiven && !running.shape->IsCarried(m_turner->GetTurns()))
        {
            Replan(running);
        }
    }
    ++running.joined;
    const auto size = m_groups[event.task.group].GetMembers(event.rank).size();
    if (event.task.kind == TaskKind::SEND || running.joined == size)
    {
        m_asking.emplace_back(event.iteration, number);
        NotifyChange();
    }
}

void
OperationControl::Ask(const Key& key)
{
    Running& running = m_running.at({key.first % TAG_ITERATIONS, key.second});
    NS_LOG_LOGIC("operation " << key.second << " of iteration " << key.first << " asks for "
                              << running.left.size() << " circuits");
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
OperationControl::NotifyChange()
{
    if (!m_isChanging)
    {
        m_isChanging = true;
        Simulator::ScheduleNow(&OperationControl::Settle, this);
    }
}

void
OperationControl::Settle()
{
    m_isChanging = false;
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
    m_turner->NotifyChange();
}

} // namespace lightpath
} // namespace ns3
