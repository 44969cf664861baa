/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "exchange-control.h"

#include "drawn-loads.h"
#include "model/plan/expert-exchange.h"
#include "model/training/transport/server-network.h"
#include "training-application.h"
#include "training-job.h"

#include "ns3/circuit-controller.h"
#include "ns3/log.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <numeric>

namespace ns3
{
namespace lightpath
{

NS_LOG_COMPONENT_DEFINE("ExchangeControl");

TrafficMatrix
ExchangeControl::Install(TrainingJob& job,
                         Ptr<CircuitController> controller,
                         const CircuitRegion& region,
                         bool waits)
{
    // The traces own the object, so that it lives as long as the ranks
    const std::shared_ptr<ExchangeControl> control(
        new ExchangeControl(job, controller, region, waits));
    for (const auto& rank : job.GetRanks())
    {
        rank->TraceConnectWithoutContext(
            "CollectiveBegin",
            Callback<void, const TaskEvent&>(
                [control](const TaskEvent& event) { control->NotifyBegin(event); }));
        rank->TraceConnectWithoutContext(
            "CollectiveEnd",
            Callback<void, const TaskEvent&>(
                [control](const TaskEvent& event) { control->NotifyEnd(event); }));
    }
    return control->GetTotal();
}

ExchangeControl::ExchangeControl(TrainingJob& job,
                                 Ptr<CircuitController> controller,
                                 const CircuitRegion& region,
                                 bool waits)
    : m_job(job),
      m_controller(controller),
      m_region(region),
      m_waits(waits)
{
    FindCells();
    for (Cell& cell : m_cells)
    {
        std::vector<uint64_t> tasks;
        for (const uint32_t rank : cell.ranks)
        {
            const std::size_t n = m_exchanges.at(m_job.GetPlan().programs[rank].get()).size();
            tasks.resize(std::max(tasks.size(), n), 0);
            std::for_each_n(tasks.begin(), n, [](uint64_t& count) { ++count; });
        }
        cell.counter = PhaseCounter(tasks);
        cell.demand = GetDemand(cell, 0, std::nullopt);
    }
}

std::optional<std::pair<uint32_t, uint32_t>>
ExchangeControl::GetPorts(uint32_t source, uint32_t destination) const
{
    std::pair<uint32_t, uint32_t> ports{source, destination};
    if (const auto servers = m_job.GetServers())
    {
        const ServerLayout& layout = servers->GetLayout();
        if (layout.AreInside(source, destination))
        {
            return std::nullopt;
        }
        const auto way = layout.GetWay(source, destination);
        if (way.rail != m_region.rail)
        {
            return std::nullopt;
        }
        ports = {way.from, way.to};
    }
    for (uint32_t* const port : {&ports.first, &ports.second})
    {
        if (*port < m_region.first || *port - m_region.first >= m_region.ports)
        {
            return std::nullopt;
        }
        *port -= m_region.first;
    }
    return ports;
}

void
ExchangeControl::FindCells()
{
    const TrainingPlan& plan = m_job.GetPlan();
    // Ports that exchanges join have the same root
    std::vector<uint32_t> roots(m_region.ports);
    std::iota(roots.begin(), roots.end(), 0);
    std::map<uint32_t, uint32_t> portOfRank;
    for (uint32_t rank = 0; rank < plan.programs.size(); ++rank)
    {
        const RankProgram* const program = plan.programs[rank].get();
        const auto [entry, isNew] = m_exchanges.try_emplace(program);
        const auto& tasks = program->GetTasks();
        for (uint32_t task = 0; isNew && task < tasks.size(); ++task)
        {
            if (ExpertExchange::Is(tasks[task]))
            {
                entry->second.push_back(task);
            }
        }
        if (entry->second.empty())
        {
            continue;
        }
        for (const uint32_t member : plan.groups[EXPERT_GROUP].GetMembers(rank))
        {
            const auto ports = member == rank ? std::nullopt : GetPorts(rank, member);
            if (ports)
            {
                portOfRank[rank] = ports->first;
                const uint32_t from = roots[ports->first];
                std::replace(roots.begin(), roots.end(), from, roots[ports->second]);
            }
        }
    }
    std::map<uint32_t, std::size_t> cellOfRoot;
    for (const auto& [rank, port] : portOfRank)
    {
        const auto [entry, isNew] = cellOfRoot.try_emplace(roots[port], m_cells.size());
        if (isNew)
        {
            m_cells.emplace_back();
        }
        m_cells[entry->second].ranks.push_back(rank);
        m_cellOfRank[rank] = entry->second;
    }
}

const Task*
ExchangeControl::GetTask(uint32_t rank, uint32_t index) const
{
    const RankProgram* const program = m_job.GetPlan().programs[rank].get();
    const Exchanges& exchanges = m_exchanges.at(program);
    return index < exchanges.size() ? &program->GetTasks()[exchanges[index]] : nullptr;
}

TrafficMatrix
ExchangeControl::GetDemand(const Cell& cell,
                           uint32_t index,
                           std::optional<uint32_t> iteration) const
{
    const RankGroups& groups = m_job.GetPlan().groups[EXPERT_GROUP];
    TrafficMatrix demand(m_region.ports);
    std::vector<Transfer> transfers;
    for (const uint32_t rank : cell.ranks)
    {
        const Task* const task = GetTask(rank, index);
        if (!task)
        {
            continue;
        }
        const bool isDrawn = iteration && task->routed.experts > 0;
        const Task drawn = isDrawn ? m_job.GetLoads().Get(*task, rank, *iteration) : *task;
        const auto& members = groups.GetMembers(rank);
        m_job.GetSchedule(drawn.collective, members.size(), drawn.bytes, drawn.options)
            ->GetTotals(groups.GetPosition(rank), transfers);
        for (const Transfer& transfer : transfers)
        {
            const uint32_t peer = members[transfer.peer];
            const auto ports = peer == rank ? std::nullopt : GetPorts(rank, peer);
            if (ports)
            {
                demand.Add(ports->first, ports->second, transfer.bytes);
            }
        }
    }
    return demand;
}

TrafficMatrix
ExchangeControl::GetTotal() const
{
    TrafficMatrix total(m_region.ports);
    for (const Cell& cell : m_cells)
    {
        for (uint32_t source = 0; source < m_region.ports; ++source)
        {
            for (const auto& [destination, bytes] : cell.demand.GetRow(source))
            {
                total.Add(source, destination, bytes);
            }
        }
    }
    return total;
}

ExchangeControl::Cell*
ExchangeControl::Find(const TaskEvent& event, Step& step)
{
    const auto found = m_cellOfRank.find(event.rank);
    if (found == m_cellOfRank.end() || !ExpertExchange::Is(event.task))
    {
        return nullptr;
    }
    const Exchanges& exchanges = m_exchanges.at(m_job.GetPlan().programs[event.rank].get());
    const auto place = std::lower_bound(exchanges.begin(), exchanges.end(), event.index);
    step = {event.iteration, static_cast<uint32_t>(place - exchanges.begin())};
    return &m_cells[found->second];
}

void
ExchangeControl::NotifyBegin(const TaskEvent& event)
{
    Step step;
    Cell* const cell = Find(event, step);
    const Step next{step.first, step.second + 1};
    if (!cell || next <= cell->begun)
    {
        return;
    }
    cell->begun = next;
    const Step reached{cell->counter.GetIteration(), cell->counter.GetPhase()};
    if (m_waits && step == reached && ExpertExchange::NeedsGate(event.task))
    {
        // Before the first message, so that all of them wait for the new circuits
        Announce(*cell, step);
    }
}

void
ExchangeControl::NotifyEnd(const TaskEvent& event)
{
    Step step;
    Cell* const cell = Find(event, step);
    if (cell && cell->counter.End(step.first, step.second))
    {
        // After all that ends at this instant
        Simulator::ScheduleNow([this, cell] { Proceed(*cell); });
    }
}

void
ExchangeControl::Proceed(Cell& cell)
{
    const Step step{cell.counter.GetIteration(), cell.counter.GetPhase()};
    if (step.first >= m_job.GetNIterations())
    {
        return;
    }
    const auto hasTask = [this, &step](uint32_t rank) { return GetTask(rank, step.second); };
    const auto rank = std::find_if(cell.ranks.begin(), cell.ranks.end(), hasTask);
    if (!ExpertExchange::NeedsGate(*GetTask(*rank, step.second)) || (m_waits && cell.begun > step))
    {
        Announce(cell, step);
    }
}

void
ExchangeControl::Announce(Cell& cell, const Step& step)
{
    cell.demand = GetDemand(cell, step.second, step.first);
    NS_LOG_LOGIC("circuits from port " << m_region.first << " on are for exchange " << step.second
                                       << " of iteration " << step.first << ", of "
                                       << cell.demand.GetTotal() << " bytes");
    m_controller->NotifyPhase(GetTotal());
}

} // namespace lightpath
} // namespace ns3
