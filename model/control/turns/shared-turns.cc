/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "shared-turns.h"

#include "turn-clock.h"

#include <algorithm>
#include <string>
#include <utility>

namespace ns3
{
namespace lightpath
{

namespace
{

/// Marks the state before all steps.
constexpr std::size_t NO_STATE = SIZE_MAX;

/// The best way to have carried some steps with a given last topology.
struct State
{
    TurnPhase phase;              //!< The last topology and what goes over it
    Time time;                    //!< The time until then
    uint32_t first{0};            //!< The first step of the phase
    std::size_t before{NO_STATE}; //!< Index of the state before
};

/**
 * @param states the states after some steps
 * @param shifts the topology that is next
 * @param delay the time to turn
 * @return the state before it, and the time until the topology is there
 */
std::pair<std::size_t, Time>
FindBefore(const std::vector<State>& states, const std::vector<uint32_t>& shifts, Time delay)
{
    std::pair<std::size_t, Time> best{NO_STATE, Time::Max()};
    for (std::size_t i = 0; i < states.size(); ++i)
    {
        const Time time = states[i].time + (states[i].phase.shifts == shifts ? Time(0) : delay);
        if (time < best.second)
        {
            best = {i, time};
        }
    }
    return best;
}

/**
 * @param states the states after some steps, of which each topology has one
 * @param state a state after the same steps
 */
void
Keep(std::vector<State>& states, State state)
{
    const auto same = std::find_if(states.begin(), states.end(), [&state](const State& each) {
        return each.phase.shifts == state.phase.shifts;
    });
    if (same == states.end())
    {
        states.push_back(std::move(state));
    }
    else if (state.time < same->time)
    {
        *same = std::move(state);
    }
}

} // namespace

std::vector<TurnSteps>
SharedTurns::GetAlgorithms(const TurnProblem& problem) const
{
    std::vector<TurnSteps> algorithms{TurnSteps(problem.ports, 2)};
    if (problem.planes >= 2)
    {
        algorithms.emplace_back(problem.ports, std::min(problem.planes + 1, problem.ports));
        algorithms.emplace_back(problem.ports, 3, true);
    }
    return algorithms;
}

std::vector<std::vector<uint32_t>>
SharedTurns::GetTopologies(const TurnSteps& steps,
                           uint32_t first,
                           uint32_t last,
                           uint32_t planes) const
{
    const auto shifts = steps.GetShifts(first, last);
    const uint32_t least = shifts.front();
    const uint32_t n = steps.GetNPorts();
    std::vector<std::vector<uint32_t>> topologies{Spread({least}, planes)};
    if (least != 1)
    {
        // It reaches everyone
        topologies.push_back(Spread({1}, planes));
    }
    if (planes >= 2)
    {
        topologies.push_back(Spread({n - least, least}, planes));
        // As many of them as there are planes, or half as many both ways round
        for (const uint32_t ways : {1, 2})
        {
            const auto count = std::min<std::size_t>(shifts.size(), planes / ways);
            std::vector<uint32_t> some;
            for (std::size_t i = 0; i < count; ++i)
            {
                some.push_back(shifts[i * shifts.size() / count]);
                if (ways == 2)
                {
                    some.push_back(n - some.back());
                }
            }
            topologies.push_back(Spread(some, planes));
        }
    }
    return topologies;
}

TurnSequence
SharedTurns::Share(const TurnProblem& problem, TurnCarrier& carrier, const TurnSteps& steps) const
{
    const bool isGather = problem.kind == TurnKind::ALL_GATHER;
    std::vector<std::vector<State>> states(steps.GetNSteps() + 1);
    for (uint32_t last = 0; last < steps.GetNSteps(); ++last)
    {
        for (uint32_t first = 0; first <= last; ++first)
        {
            for (auto& shifts : GetTopologies(steps, first, last, problem.planes))
            {
                auto rounds =
                    carrier.Carry(steps, isGather, first, last, shifts, problem.listsItems);
                if (!rounds)
                {
                    continue;
                }
                const auto [before, begin] = first == 0
                                                 ? std::make_pair(NO_STATE, Time(0))
                                                 : FindBefore(states[first], shifts, problem.delay);
                const Time time = begin + TurnClock::GetRoundsTime(problem, shifts, *rounds);
                Keep(states[last + 1],
                     {{std::move(shifts), std::move(rounds)}, time, first, before});
            }
        }
    }
    TurnSequence sequence;
    std::size_t state = FindBefore(states.back(), {}, Time(0)).first;
    for (uint32_t end = steps.GetNSteps(); end > 0;)
    {
        const State& each = states[end][state];
        sequence.phases.push_back(each.phase);
        end = each.first;
        state = each.before;
    }
    std::reverse(sequence.phases.begin(), sequence.phases.end());
    sequence.words = std::to_string(steps.GetNSteps()) + " steps in " +
                     std::to_string(sequence.phases.size()) + " topologies";
    return sequence;
}

std::optional<TurnSequence>
SharedTurns::DoSolve(const TurnProblem& problem, TurnCarrier& carrier) const
{
    std::vector<TurnSequence> sequences;
    for (const TurnSteps& steps : GetAlgorithms(problem))
    {
        sequences.push_back(Share(problem, carrier, steps));
    }
    return GetBest(problem, std::move(sequences));
}

} // namespace lightpath
} // namespace ns3
