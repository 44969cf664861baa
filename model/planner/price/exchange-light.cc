/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "exchange-light.h"

#include "model/plan/expert-exchange.h"

#include <algorithm>
#include <set>
#include <utility>

namespace ns3
{
namespace lightpath
{

ExchangeLight::ExchangeLight(const TaskPartners& partners,
                             const TrainingPlan& plan,
                             const RankClasses& classes,
                             const FabricLimits& fabric)
    : m_partners(partners),
      m_seconds(fabric.exchangeSeconds)
{
    for (uint32_t number = 0; number < classes.GetN(); ++number)
    {
        const uint32_t rank = classes.GetRepresentative(number);
        const uint32_t peers = CountPeers(fabric, rank, plan.groups[EXPERT_GROUP].GetMembers(rank));
        Circuits circuits;
        circuits.program = plan.programs[rank].get();
        const auto& tasks = circuits.program->GetTasks();
        // As many circuits to each peer suit all loads
        const bool changes = peers > 0 && fabric.circuits % peers > 0;
        for (uint32_t task = 0; changes && task < tasks.size(); ++task)
        {
            if (ExpertExchange::Is(tasks[task]))
            {
                circuits.exchanges.push_back(task);
            }
        }
        m_circuits.push_back(std::move(circuits));
    }
}

uint32_t
ExchangeLight::CountPeers(const FabricLimits& fabric,
                          uint32_t rank,
                          const std::vector<uint32_t>& members)
{
    const ServerLayout& layout = fabric.servers.layout;
    std::set<std::pair<uint32_t, uint32_t>> ports;
    for (const uint32_t member : members)
    {
        if (member == rank || layout.AreInside(rank, member))
        {
            continue;
        }
        const ServerLayout::Way way = layout.GetWay(rank, member);
        if (way.from / fabric.regionPorts == way.to / fabric.regionPorts)
        {
            ports.emplace(way.rail, way.to);
        }
    }
    return static_cast<uint32_t>(ports.size());
}

void
ExchangeLight::End(const TaskPartners::Operation& operation, double now)
{
    for (const uint32_t task : operation.tasks)
    {
        const uint32_t number = m_partners.GetClass(task);
        Circuits& circuits = m_circuits[number];
        const auto& tasks = circuits.program->GetTasks();
        const uint32_t index = task - m_partners.GetFirst(number);
        if (!ExpertExchange::Is(tasks[index]))
        {
            continue;
        }
        const auto next =
            std::upper_bound(circuits.exchanges.begin(), circuits.exchanges.end(), index);
        if (next == circuits.exchanges.end())
        {
            // The next iteration has other loads
            circuits.layer = NONE;
            continue;
        }
        if (ExpertExchange::NeedsGate(tasks[*next]) || tasks[*next].routed.layer == circuits.layer)
        {
            continue;
        }
        circuits.layer = tasks[*next].routed.layer;
        circuits.begin = now + m_seconds;
    }
}

double
ExchangeLight::GetBegin(const TaskPartners::Operation& operation) const
{
    double begin = 0;
    for (const uint32_t task : operation.tasks)
    {
        const uint32_t number = m_partners.GetClass(task);
        const Circuits& circuits = m_circuits[number];
        if (ExpertExchange::Is(circuits.program->GetTasks()[task - m_partners.GetFirst(number)]))
        {
            begin = std::max(begin, circuits.begin);
        }
    }
    return begin;
}

} // namespace lightpath
} // namespace ns3
