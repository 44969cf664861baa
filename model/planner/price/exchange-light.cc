/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "exchange-light.h"

#include "model/plan/expert-exchange.h"

#include <algorithm>

namespace ns3
{
namespace lightpath
{

ExchangeLight::ExchangeLight(const TaskPartners& partners,
                             const std::vector<const RankProgram*>& programs,
                             double seconds)
    : m_partners(partners),
      m_seconds(seconds)
{
    for (const RankProgram* const program : programs)
    {
        Circuits circuits;
        circuits.program = program;
        for (uint32_t task = 0; program && task < program->GetTasks().size(); ++task)
        {
            if (ExpertExchange::Is(program->GetTasks()[task]))
            {
                circuits.exchanges.push_back(task);
            }
        }
        m_circuits.push_back(std::move(circuits));
    }
}

void
ExchangeLight::End(const TaskPartners::Operation& operation, double now)
{
    for (const uint32_t task : operation.tasks)
    {
        const uint32_t number = m_partners.GetClass(task);
        Circuits& circuits = m_circuits[number];
        if (!circuits.program)
        {
            continue;
        }
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
        if (circuits.program &&
            ExpertExchange::Is(circuits.program->GetTasks()[task - m_partners.GetFirst(number)]))
        {
            begin = std::max(begin, circuits.begin);
        }
    }
    return begin;
}

} // namespace lightpath
} // namespace ns3
