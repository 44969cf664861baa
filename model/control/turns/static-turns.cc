/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "static-turns.h"

#include "model/base/ring-strides.h"
#include "shared-turns.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace ns3
{
namespace lightpath
{

namespace
{

/// A topology in words, and its shifts.
using Named = std::pair<std::string, std::vector<uint32_t>>;

/**
 * @param n the number of ports
 * @param planes the number of planes
 * @return the topologies to choose from
 */
std::vector<Named>
GetTopologies(uint32_t n, uint32_t planes)
{
    std::vector<Named> topologies{{"ring", {1}}};
    if (planes >= 2)
    {
        topologies.push_back({"ring both ways", {n - 1, 1}});
        topologies.push_back({"strides", RingStrides::Choose(n, planes)});
    }
    for (uint32_t axes = 2; axes <= planes; ++axes)
    {
        // Both ways round where there are planes for it
        const bool isBoth = 2 * axes <= planes;
        Named powers{(isBoth ? "torus of " : "shifts of ") + std::to_string(axes) + " axes", {}};
        for (uint32_t axis = 0; axis < axes; ++axis)
        {
            const auto shift =
                static_cast<uint32_t>(std::lround(std::pow(n, static_cast<double>(axis) / axes)));
            powers.second.push_back(shift);
            if (isBoth)
            {
                powers.second.push_back(n - shift);
            }
        }
        topologies.push_back(std::move(powers));
    }
    return topologies;
}

} // namespace

std::optional<TurnSequence>
StaticTurns::DoSolve(const TurnProblem& problem, TurnCarrier& carrier) const
{
    const bool isGather = problem.kind == TurnKind::ALL_GATHER;
    const uint32_t n = problem.ports;
    const TurnSteps steps(n, 0);
    std::vector<TurnSequence> sequences;
    for (const auto& [words, shifts] : GetTopologies(n, problem.planes))
    {
        auto topology = Spread(shifts, problem.planes);
        if (auto rounds = carrier.Carry(steps, isGather, 0, 0, topology, problem.listsItems))
        {
            sequences.push_back({n, {{std::move(topology), std::move(rounds)}}, words});
        }
    }
    // Those that all steps of an algorithm may share
    const SharedTurns shared;
    for (const TurnSteps& algorithm : shared.GetAlgorithms(problem))
    {
        const uint32_t last = algorithm.GetNSteps() - 1;
        for (auto& topology : shared.GetTopologies(algorithm, 0, last, problem.planes))
        {
            if (auto rounds = carrier.Carry(steps, isGather, 0, 0, topology, problem.listsItems))
            {
                sequences.push_back({n, {{std::move(topology), std::move(rounds)}}, "shifts"});
            }
        }
    }
    return GetBest(problem, std::move(sequences));
}

} // namespace lightpath
} // namespace ns3
