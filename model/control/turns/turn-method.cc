/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "turn-method.h"

#include "turn-clock.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

namespace ns3
{
namespace lightpath
{

namespace
{

/**
 * Let planes that carry nothing in a phase help those that carry most.
 *
 * @param [in,out] sequence the topologies
 */
void
UseAllPlanes(TurnSequence& sequence)
{
    for (TurnPhase& phase : sequence.phases)
    {
        std::map<uint32_t, uint64_t> chunks;
        for (const TurnRound& round : *phase.rounds)
        {
            for (const TurnMove& move : round)
            {
                chunks[move.shift] += move.chunks;
            }
        }
        const auto most =
            std::max_element(chunks.begin(), chunks.end(), [](const auto& some, const auto& other) {
                return some.second < other.second;
            });
        for (uint32_t& shift : phase.shifts)
        {
            shift = shift == 0 || chunks.count(shift) > 0 ? shift : most->first;
        }
    }
}

/**
 * @param gather the topologies of an all-gather
 * @param ports the number of ports
 * @return those of the reduce-scatter that is its opposite
 */
TurnSequence
Reverse(const TurnSequence& gather, uint32_t ports)
{
    TurnSequence reduce = gather;
    std::reverse(reduce.phases.begin(), reduce.phases.end());
    for (TurnPhase& phase : reduce.phases)
    {
        auto rounds =
            std::make_shared<std::vector<TurnRound>>(phase.rounds->rbegin(), phase.rounds->rend());
        for (TurnRound& round : *rounds)
        {
            for (TurnMove& move : round)
            {
                for (TurnItem& item : move.items)
                {
                    item = {0, (item.back + move.shift) % ports};
                }
            }
        }
        phase.rounds = rounds;
    }
    return reduce;
}

} // namespace

std::optional<TurnSequence>
TurnMethod::Solve(const TurnProblem& problem, TurnCarrier& carrier) const
{
    TurnProblem part = problem;
    const bool isSum =
        problem.kind == TurnKind::ALL_REDUCE || problem.kind == TurnKind::REDUCE_SCATTER;
    part.kind = isSum ? TurnKind::ALL_GATHER : problem.kind;
    auto gather = DoSolve(part, carrier);
    if (gather)
    {
        gather->ports = problem.ports;
        UseAllPlanes(*gather);
    }
    if (!gather || !isSum)
    {
        return gather;
    }
    TurnSequence all = Reverse(*gather, problem.ports);
    if (problem.kind == TurnKind::ALL_REDUCE)
    {
        std::move(gather->phases.begin(), gather->phases.end(), std::back_inserter(all.phases));
    }
    return all;
}

std::vector<uint32_t>
TurnMethod::Spread(const std::vector<uint32_t>& shifts, uint32_t planes)
{
    std::vector<uint32_t> topology(planes);
    for (uint32_t plane = 0; plane < planes; ++plane)
    {
        topology[plane] = shifts[shifts.size() - 1 - plane % shifts.size()];
    }
    return topology;
}

std::optional<TurnSequence>
TurnMethod::GetBest(const TurnProblem& problem, std::vector<TurnSequence> sequences)
{
    std::optional<TurnSequence> best;
    Time least;
    for (TurnSequence& sequence : sequences)
    {
        const Time time = TurnClock::GetTime(problem, sequence);
        if (!best || time < least)
        {
            least = time;
            best = std::move(sequence);
        }
    }
    return best;
}

std::optional<TurnSequence>
TurnMethod::TurnEachStep(const TurnProblem& problem, TurnCarrier& carrier, const TurnSteps& steps)
{
    const bool isGather = problem.kind == TurnKind::ALL_GATHER;
    TurnSequence sequence;
    for (uint32_t step = 0; step < steps.GetNSteps(); ++step)
    {
        const auto shifts = steps.GetShifts(step, step);
        if (shifts.size() > problem.planes)
        {
            return std::nullopt;
        }
        auto topology = Spread(shifts, problem.planes);
        auto rounds = carrier.Carry(steps, isGather, step, step, topology, problem.listsItems);
        sequence.phases.push_back({std::move(topology), std::move(rounds)});
    }
    sequence.words = "a topology for each step";
    return sequence;
}

} // namespace lightpath
} // namespace ns3
