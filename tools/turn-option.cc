/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "turn-option.h"

#include "collective-closed-form.h"
#include "model/planner/place/turn-collectives.h"
#include "model/planner/price/cost-model.h"
#include "option-values.h"

#include "ns3/turn-clock.h"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <utility>

using namespace ns3::lightpath;

namespace
{

/// Shortest time to turn of a map, in seconds.
constexpr double SHORTEST_TURN = 1e-8;

/// Decades from it to the longest one.
constexpr uint32_t TURN_DECADES = 7;

/**
 * @param limits a fabric whose circuits follow operations
 * @param plan a plan
 * @param delay the time to turn, seconds
 * @param method the name of a method; empty for a turn at each step
 * @return what an iteration takes, seconds
 */
double
PriceTurns(FabricLimits& limits, TrainingPlan& plan, double delay, const std::string& method)
{
    limits.switchingSeconds = delay;
    TurnCollectives::Clear(plan);
    if (!method.empty())
    {
        TurnCollectives turns(method, CollectiveClosedForm::GetHeaderBytes());
        turns.Apply(limits, plan);
        turns.Refine(limits, plan);
    }
    return CostModel(limits).Price(plan).seconds;
}

} // namespace

const std::vector<std::string>&
TurnOption::GetOwners()
{
    static const std::vector<std::string> owners{"photonic-rails", "sip-ocs"};
    return owners;
}

void
TurnOption::AddTo(ProgramOptions& options)
{
    options.AddValue(
        "reconfigure",
        "How circuits of switches turn inside collective operations, in place of their "
        "algorithms: " +
            TurnMethods::ListNames() + " (the fastest of these)",
        m_name);
}

void
TurnOption::AddMap(ProgramOptions& options)
{
    options.AddValue("turns",
                     "map: also print what an iteration takes by the time that circuits take to "
                     "turn, as predicted",
                     "",
                     [this](const std::string& text) {
                         m_wantsMap = ParseWord("turns", text, {{"map", "map"}}) == "map";
                     });
}

nlohmann::ordered_json
TurnOption::MakeMap(FabricLimits limits, TrainingPlan plan)
{
    TurnCollectives::GetProblem(limits, CollectiveKind::ALL_REDUCE, 2, 0, 0);
    limits.TurnCircuits();
    plan.turnCircuits = true;
    const auto getGain = [&](double delay) {
        return PriceTurns(limits, plan, delay, "static") - PriceTurns(limits, plan, delay, "");
    };
    nlohmann::ordered_json map{{"breakEvenSeconds", nullptr}};
    double delay = SHORTEST_TURN;
    for (uint32_t decade = 0; decade <= TURN_DECADES; ++decade, delay *= 10)
    {
        const double each = PriceTurns(limits, plan, delay, "");
        const double stay = PriceTurns(limits, plan, delay, "static");
        map["points"].push_back({{"delaySeconds", delay},
                                 {"everyStepSeconds", each},
                                 {"staticSeconds", stay},
                                 {"bestSeconds", PriceTurns(limits, plan, delay, "best")}});
        if (each <= stay || decade == 0 || !map["breakEvenSeconds"].is_null())
        {
            continue;
        }
        double low = delay / 10;
        double high = delay;
        for (uint32_t half = 0; half < 10; ++half)
        {
            const double middle = std::sqrt(low * high);
            (getGain(middle) >= 0 ? low : high) = middle;
        }
        map["breakEvenSeconds"] = low;
    }
    return map;
}

std::string
TurnOption::GetText(const nlohmann::ordered_json& map)
{
    std::ostringstream text;
    text << "time to turn (s)  each step (s)  static (s)  best (s)\n";
    for (const auto& point : map["points"])
    {
        text << std::setw(16) << point["delaySeconds"].get<double>() << std::setw(15)
             << point["everyStepSeconds"].get<double>() << std::setw(12)
             << point["staticSeconds"].get<double>() << std::setw(10)
             << point["bestSeconds"].get<double>() << "\n";
    }
    const auto& even = map["breakEvenSeconds"];
    if (even.is_null())
    {
        text << "turns at each step and circuits that stay do not change places\n";
    }
    else
    {
        text << "circuits that stay are faster than turns at each step from " << even.get<double>()
             << " s on\n";
    }
    return text.str();
}

void
TurnOption::Check(const std::string& algorithm, const FabricLimits& limits, const Task& task) const
{
    if (IsSet() && algorithm != "automatic")
    {
        throw std::invalid_argument(
            "--reconfigure=" + m_name +
            " brings its own algorithms: leave out --algorithm=" + algorithm);
    }
    if (IsSet() && limits.servers.layout.gpus > 1)
    {
        throw std::invalid_argument("--reconfigure=" + m_name +
                                    " is for ranks that all have a port of their own, on sip-ocs "
                                    "without servers");
    }
    if (IsSet())
    {
        constexpr uint32_t few = 4;
        Choose(limits, task, few, few);
    }
}

CollectiveOptions
TurnOption::Choose(const FabricLimits& limits,
                   const Task& task,
                   uint32_t ranks,
                   uint64_t bytes) const
{
    const auto problem = TurnCollectives::GetProblem(limits,
                                                     task.collective,
                                                     ranks,
                                                     bytes,
                                                     CollectiveClosedForm::GetHeaderBytes());
    TurnCarrier carrier;
    auto answer = TurnMethods::Solve(m_name, problem, carrier);
    answer.sequence.words = answer.row->name + " (" + answer.sequence.words + ")";
    CollectiveOptions turned = task.options;
    turned.turns = std::make_shared<const TurnSequence>(std::move(answer.sequence));
    return turned;
}

double
TurnOption::GetSeconds(const FabricLimits& limits, const Task& task, uint32_t ranks, uint64_t bytes)
{
    const auto problem = TurnCollectives::GetProblem(limits,
                                                     task.collective,
                                                     ranks,
                                                     bytes,
                                                     CollectiveClosedForm::GetHeaderBytes());
    return TurnClock::GetTime(problem, *task.options.turns).GetSeconds();
}

void
TurnOption::Configure(const std::string& fabric, FabricLimits& limits) const
{
    const auto& owners = GetOwners();
    if (!IsSet() || std::find(owners.begin(), owners.end(), fabric) == owners.end())
    {
        return;
    }
    // An unknown method, or circuits that stay, are refused before plans are
    Choose(limits, Task{}, limits.circuits + 2, 0);
    limits.TurnCircuits();
    limits.turns =
        std::make_shared<TurnCollectives>(m_name, CollectiveClosedForm::GetHeaderBytes());
}

std::string
TurnOption::Describe(const Task& task)
{
    return task.options.turns ? task.options.turns->words : "";
}
