/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "plan-demand.h"

#include <map>

namespace ns3
{
namespace lightpath
{

SummedDemand
PlanDemand::Get(const TrainingPlan& plan)
{
    if (!plan.placement.IsLinear())
    {
        return Get(plan.OnPorts());
    }
    if (!plan.expertLoad.IsEven())
    {
        return Get(plan.WithTypicalLoads());
    }
    SummedDemand demand;
    demand.sums.resize(plan.groups.size());
    // Bytes of buffers that programs sum, by kind of group; looked up only
    std::map<const RankProgram*, std::vector<double>> buffers;
    for (uint32_t rank = 0; rank < plan.programs.size(); ++rank)
    {
        const RankProgram* const program = plan.programs[rank].get();
        const auto [found, isNew] = buffers.try_emplace(program, plan.groups.size(), 0);
        for (std::size_t i = 0; isNew && i < program->GetTasks().size(); ++i)
        {
            const Task& task = program->GetTasks()[i];
            if (task.IsSum())
            {
                const auto bytes = static_cast<double>(plan.protocols.GetWireBytes(task.bytes));
                found->second.at(task.group) +=
                    task.collective == CollectiveKind::ALL_REDUCE ? 2 * bytes : bytes;
            }
        }
        for (std::size_t kind = 0; kind < plan.groups.size(); ++kind)
        {
            const auto& members = plan.groups[kind].GetMembers(rank);
            const auto n = static_cast<double>(members.size());
            if (!members.empty())
            {
                demand.sums[kind].bytes += (n - 1) / n * found->second[kind];
            }
            if (!members.empty() && members.front() == rank)
            {
                demand.sums[kind].groups.push_back(members);
            }
        }
    }
    TrainingPlan rest = plan;
    rest.ChangeTasks([](const Task& task) { return task.IsSum() && task.bytes > 0; },
                     [](Task& task) { task.bytes = 0; });
    demand.others = rest.GetTraffic();
    return demand;
}

} // namespace lightpath
} // namespace ns3
