/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "server-decisions.h"

#include "axis-order.h"
#include "grid-collectives.h"
#include "model/planner/price/cost-model.h"
#include "server-collectives.h"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <stdexcept>

namespace ns3
{
namespace lightpath
{

std::vector<ServerDecision>
ServerDecisions::Find(const PlanningProblem& problem, const TrainingPlan& plan)
{
    const ServerLayout& layout = problem.fabric.servers.layout;
    const Strategy& strategy = plan.strategy;
    const auto sizes = AxisOrder::GetSizes(strategy);
    std::vector<ServerDecision> decisions;
    if (!layout.HasServers() || plan.programs.size() <= layout.gpus ||
        plan.programs.size() != strategy.GetGpus())
    {
        return decisions;
    }

    struct Axis
    {
        std::string name;  //!< As AxisOrder knows it
        std::string words; //!< For sentences
        uint32_t kind;     //!< The groups along it
        uint32_t size;     //!< Their members
    };

    const std::vector<Axis> axes{
        {"tp", "tensor parallelism", TENSOR_GROUP, sizes[AxisOrder::TENSOR]},
        {"cp", "the sharing of tokens", CONTEXT_GROUP, sizes[AxisOrder::CONTEXT]},
        {"ep", "the exchange of experts", EXPERT_GROUP, sizes[AxisOrder::EXPERT]},
        {"dp",
         "data parallelism",
         strategy.expertParallel > 1 ? EXPERT_DATA_GROUP : DATA_GROUP,
         sizes[AxisOrder::DATA]},
        {"pp", "the pipeline", PIPELINE_GROUP, sizes[AxisOrder::PIPELINE]}};
    for (const auto& axis : axes)
    {
        ServerDecision decision;
        decision.axis = axis.words;
        if (axis.size < 2 || axis.size > layout.gpus || axis.kind >= plan.groups.size())
        {
            continue;
        }
        decision.isInside = AreInside(layout, plan, axis.kind);
        std::string order;
        for (const auto& other : axes)
        {
            order += other.name != axis.name ? "," + other.name : "";
        }
        order = decision.isInside ? order.substr(1) + "," + axis.name : axis.name + order;
        TrainingPlan moved = plan;
        moved.placement = AxisOrder::Parse(order).Place(strategy);
        if (AreInside(layout, moved, axis.kind) != decision.isInside)
        {
            decision.seconds = Price(problem, std::move(moved));
            decisions.push_back(decision);
        }
    }
    return decisions;
}

bool
ServerDecisions::AreInside(const ServerLayout& layout, const TrainingPlan& plan, uint32_t kind)
{
    for (uint32_t rank = 0; rank < plan.programs.size(); ++rank)
    {
        const auto& members = plan.groups[kind].GetMembers(rank);
        if (!members.empty() && !layout.AreInside(plan.placement.GetPort(rank),
                                                  plan.placement.GetPort(members.front())))
        {
            return false;
        }
    }
    return true;
}

double
ServerDecisions::Price(const PlanningProblem& problem, TrainingPlan plan)
{
    try
    {
        GridCollectives::Choose(problem.fabric, plan);
        ServerCollectives::CheckAveraged(problem.fabric, plan);
        problem.fabric.CheckPaths(plan.GetTraffic());
        return CostModel(problem.fabric).Price(plan).seconds;
    }
    catch (const std::invalid_argument&)
    {
        return 0;
    }
}

std::string
ServerDecisions::Describe(const std::vector<ServerDecision>& decisions, double seconds)
{
    std::ostringstream text;
    for (const auto& decision : decisions)
    {
        const double percent = 100 * (decision.seconds / seconds - 1);
        text << (text.tellp() > 0 ? "; " : "") << decision.axis
             << (decision.isInside ? " stays inside: " : " goes across: ");
        if (!(decision.seconds > 0))
        {
            text << "refused";
        }
        else if (std::abs(percent) < 0.05)
        {
            text << "as fast";
        }
        else
        {
            text.precision(std::abs(percent) < 10 ? 1 : 0);
            text << std::fixed << std::abs(percent) << " % " << (percent > 0 ? "slower" : "faster");
        }
        text << (decision.isInside ? " across" : " inside");
    }
    return text.str();
}

} // namespace lightpath
} // namespace ns3
