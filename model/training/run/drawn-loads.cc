/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "drawn-loads.h"

#include <cmath>
#include <set>

namespace ns3
{
namespace lightpath
{

DrawnLoads::DrawnLoads(const TrainingPlan& plan)
    : m_plan(plan)
{
    std::set<const RankProgram*> seen; // looked up only
    for (const auto& program : plan.programs)
    {
        if (!seen.insert(program.get()).second)
        {
            continue;
        }
        for (const auto& task : program->GetTasks())
        {
            if (task.routed.experts > 0)
            {
                m_layers[task.routed.layer].routed = task.routed;
            }
        }
    }
    if (plan.expertLoad.IsDrawn())
    {
        m_random = CreateObject<NormalRandomVariable>();
    }
}

int64_t
DrawnLoads::AssignStreams(int64_t stream)
{
    if (!m_random)
    {
        return 0;
    }
    m_random->SetStream(stream);
    return 1;
}

void
DrawnLoads::Draw()
{
    const double kept = m_nDrawn == 0 ? 0 : m_plan.expertLoad.correlation;
    auto& loads = m_loads[m_nDrawn++];
    for (auto& [number, layer] : m_layers)
    {
        layer.scores.resize(layer.routed.experts, 0);
        for (auto& score : layer.scores)
        {
            // The variance stays 1
            score = m_random ? kept * score + std::sqrt(1 - kept * kept) * m_random->GetValue() : 0;
        }
        loads[number] =
            m_plan.expertLoad.Get(layer.routed, layer.scores, m_plan.strategy.expertParallel);
    }
}

Task
DrawnLoads::Get(const Task& task, uint32_t rank, uint32_t iteration)
{
    while (m_nDrawn <= iteration)
    {
        Draw();
    }
    Task drawn = task;
    ExpertLoad::Apply(m_loads.at(iteration).at(task.routed.layer),
                      m_plan.GetExpertPosition(rank),
                      drawn);
    return drawn;
}

double
DrawnLoads::GetSeconds(const Task& task, uint32_t rank, uint32_t iteration)
{
    return task.routed.experts > 0 ? Get(task, rank, iteration).seconds : task.seconds;
}

void
DrawnLoads::Forget(uint32_t iteration)
{
    m_loads.erase(iteration);
}

} // namespace lightpath
} // namespace ns3
