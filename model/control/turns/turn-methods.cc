/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "turn-methods.h"

#include "every-step-turns.h"
#include "plane-turns.h"
#include "shared-turns.h"
#include "static-turns.h"
#include "subring-turns.h"
#include "ternary-turns.h"
#include "turn-clock.h"

#include <stdexcept>
#include <utility>

namespace ns3
{
namespace lightpath
{

const std::vector<TurnMethods::Row>&
TurnMethods::GetRows()
{
    static const std::vector<Row> rows{
        {"static", "forwarding", std::make_shared<StaticTurns>()},
        {"every-step", "Opus", std::make_shared<EveryStepTurns>()},
        {"subrings", "Bridge", std::make_shared<SubringTurns>(), true},
        {"shared", "PCCL", std::make_shared<SharedTurns>()},
        {"ternary", "ReTri", std::make_shared<TernaryTurns>(), true},
        {"planes", "SWOT", std::make_shared<PlaneTurns>()},
    };
    return rows;
}

std::string
TurnMethods::ListNames()
{
    std::string names;
    for (const Row& row : GetRows())
    {
        names += row.isPart ? "" : row.name + ", ";
    }
    return names + "best";
}

TurnMethods::Answer
TurnMethods::Solve(const std::string& name, const TurnProblem& problem, TurnCarrier& carrier)
{
    Answer answer;
    bool isKnown = name == "best";
    for (const Row& row : GetRows())
    {
        if (row.isPart || (name != "best" && name != row.name))
        {
            continue;
        }
        isKnown = true;
        auto sequence = row.method->Solve(problem, carrier);
        const Time time = sequence ? TurnClock::GetTime(problem, *sequence) : Time(0);
        if (sequence && (answer.row == nullptr || time < answer.time))
        {
            answer = {&row, std::move(*sequence), time};
        }
    }
    if (!isKnown)
    {
        throw std::invalid_argument("There is no way \"" + name +
                                    "\" to turn circuits: known are " + ListNames());
    }
    if (answer.row == nullptr)
    {
        throw std::invalid_argument("The way \"" + name +
                                    "\" to turn circuits needs more than one circuit a port, not " +
                                    std::to_string(problem.planes));
    }
    return answer;
}

} // namespace lightpath
} // namespace ns3
