/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "turn-option.h"

#include "collective-closed-form.h"
#include "model/planner/place/turn-collectives.h"

#include "ns3/turn-clock.h"

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <utility>

using namespace ns3::lightpath;

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
TurnOption::Apply(const std::string& fabric, const FabricLimits& limits, TrainingPlan& plan) const
{
    const auto& owners = GetOwners();
    if (IsSet() && std::find(owners.begin(), owners.end(), fabric) != owners.end())
    {
        TurnCollectives::Apply(m_name, limits, CollectiveClosedForm::GetHeaderBytes(), plan);
    }
}

std::string
TurnOption::Describe(const Task& task)
{
    return task.options.turns ? task.options.turns->words : "";
}
