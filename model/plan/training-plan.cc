/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "training-plan.h"

#include "plan-checker.h"
#include "program-traffic.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iomanip>
#include <map>
#include <set>
#include <sstream>
#include <string>

namespace ns3
{
namespace lightpath
{

uint64_t
MemoryUse::GetTotal() const
{
    return parameters + gradients + optimizer + activations + workspace;
}

std::string
MemoryUse::ToGib(uint64_t bytes)
{
    std::ostringstream text;
    text << std::fixed << std::setprecision(2) << static_cast<double>(bytes) / (1 << 30);
    return text.str();
}

void
TrainingPlan::Check() const
{
    PlanChecker(*this).Run();
}

TrafficMatrix
TrainingPlan::GetTraffic() const
{
    return GetPhaseTraffic(ProgramTraffic::ALL_PHASES, false);
}

TrafficMatrix
TrainingPlan::GetDemand() const
{
    return GetPhaseTraffic(ProgramTraffic::ALL_PHASES, true);
}

std::vector<TrafficMatrix>
TrainingPlan::GetPhaseDemands() const
{
    std::vector<TrafficMatrix> phases;
    const auto nPhases = static_cast<uint32_t>(GetNCommunications().size());
    for (uint32_t phase = 0; phase < nPhases; ++phase)
    {
        phases.push_back(GetPhaseTraffic(phase, true));
    }
    // The norm takes the circuits that the next iteration begins with
    std::vector<bool> isNorm(nPhases, true);
    const std::set<std::shared_ptr<const RankProgram>> all(programs.begin(), programs.end());
    for (const auto& program : all)
    {
        for (const auto& task : program->GetTasks())
        {
            const bool isMessage = task.kind == TaskKind::SEND || task.kind == TaskKind::RECEIVE;
            isNorm[task.phase] = isNorm[task.phase] && isMessage && task.pass == Pass::UPDATE;
        }
    }
    for (uint32_t phase = 1; phase < nPhases; ++phase)
    {
        phases[phase] = isNorm[phase] && phases[phase].GetTotal() > 0 ? phases[0] : phases[phase];
    }
    return phases;
}

TrainingPlan
TrainingPlan::OnPorts() const
{
    TrainingPlan plan = *this;
    const auto& ports = placement.GetPorts();
    placement.Check(programs.size());
    // The linear placement changes nothing
    if (ports.empty())
    {
        return plan;
    }
    plan.placement = Placement();
    for (auto& kind : plan.groups)
    {
        kind = kind.Renumber(ports);
    }
    for (uint32_t rank = 0; rank < ports.size(); ++rank)
    {
        plan.programs[ports[rank]] = programs[rank];
        if (!memory.empty())
        {
            plan.memory[ports[rank]] = memory[rank];
        }
    }
    return plan;
}

void
TrainingPlan::ChangeTasks(const std::function<bool(const Task&)>& selects,
                          const std::function<void(Task&)>& change)
{
    std::map<const RankProgram*, std::shared_ptr<const RankProgram>> others; // looked up only
    // Kept, as no new program may have the address of an old one
    const auto before = programs;
    for (auto& program : programs)
    {
        auto& other = others[program.get()];
        const auto& tasks = program->GetTasks();
        if (!other && std::none_of(tasks.begin(), tasks.end(), selects))
        {
            other = program;
        }
        else if (!other)
        {
            const auto changed = std::make_shared<RankProgram>(*program);
            changed->ChangeTasks([&](Task& task) {
                if (selects(task))
                {
                    change(task);
                }
            });
            other = changed;
        }
        program = other;
    }
}

TrainingPlan
TrainingPlan::WithTypicalLoads(bool isOneDraw) const
{
    TrainingPlan plan = *this;
    plan.expertLoad = ExpertLoad();
    plan.isTypical = true;
    plan.isOneDraw = isOneDraw;
    const uint32_t sharers = strategy.expertParallel;
    // By experts, those of tokens
    std::map<std::pair<uint32_t, uint32_t>, std::vector<ExpertLoad::Loads>> loads;
    // Looked up only, never walked over
    std::map<std::pair<const RankProgram*, uint32_t>, std::shared_ptr<RankProgram>> routed;
    for (uint32_t rank = 0; rank < programs.size(); ++rank)
    {
        const uint32_t position = GetExpertPosition(rank);
        auto& program = routed[{programs[rank].get(), position}];
        if (!program)
        {
            program = std::make_shared<RankProgram>(*programs[rank]);
            program->ChangeTasks([&](Task& task) {
                const RoutedLayer layer = task.routed;
                if (layer.experts == 0)
                {
                    return;
                }
                auto& typical = loads[{layer.experts, layer.perToken}];
                if (typical.empty())
                {
                    typical = expertLoad.GetTypical(layer, sharers);
                }
                // In each layer another rank is the busiest
                const std::size_t draw = isOneDraw ? 0 : layer.layer % typical.size();
                ExpertLoad::Apply(typical[draw], position, task);
            });
        }
        plan.programs[rank] = program;
    }
    return plan;
}

uint32_t
TrainingPlan::GetExpertPosition(uint32_t rank) const
{
    return groups.size() > EXPERT_GROUP && !groups[EXPERT_GROUP].GetMembers(rank).empty()
               ? groups[EXPERT_GROUP].GetPosition(rank)
               : 0;
}

std::vector<uint64_t>
TrainingPlan::GetNCommunications() const
{
    // There is one phase at least
    std::vector<uint64_t> counts(1, 0);
    std::map<const RankProgram*, std::vector<uint64_t>> known; // looked up only
    for (const auto& program : programs)
    {
        auto& own = known[program.get()];
        if (own.empty())
        {
            own.resize(1, 0);
            program->CountCommunications(own);
        }
        counts.resize(std::max(counts.size(), own.size()), 0);
        std::transform(own.begin(), own.end(), counts.begin(), counts.begin(), std::plus<>());
    }
    return counts;
}

TrafficMatrix
TrainingPlan::GetPhaseTraffic(uint32_t phase, bool isDemand) const
{
    TrafficMatrix traffic(static_cast<uint32_t>(programs.size()));
    // Each program is summed up once; the peers follow from the groups of each rank
    std::map<const RankProgram*, ProgramTraffic> summaries; // looked up only, never walked over
    for (uint32_t rank = 0; rank < programs.size(); ++rank)
    {
        const RankProgram* program = programs[rank].get();
        auto found = summaries.find(program);
        if (found == summaries.end())
        {
            found = summaries.emplace(program, ProgramTraffic(*program, protocols, phase)).first;
        }
        for (const auto& entry : found->second.GetPeers(groups, rank, isDemand))
        {
            const uint32_t kind = entry.first.first;
            const auto& members = groups[kind].GetMembers(rank);
            if (members[entry.first.second] == rank)
            {
                // The network averages these bytes: they go to no other rank
                continue;
            }
            const uint64_t bytes =
                isDemand && kind < circuitWeights.size()
                    ? static_cast<uint64_t>(
                          std::ceil(static_cast<double>(entry.second) * circuitWeights[kind]))
                    : entry.second;
            traffic.Add(placement.GetPort(rank),
                        placement.GetPort(members[entry.first.second]),
                        bytes);
        }
    }
    return traffic;
}

} // namespace lightpath
} // namespace ns3
