/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "link-chooser.h"

#include "grid-collectives.h"
#include "model/planner/planning-deadline.h"
#include "model/planner/price/cost-model.h"

#include <limits>
#include <utility>

namespace ns3
{
namespace lightpath
{

LinkLimits
LinkChooser::Choose(const FabricLimits& fabric, TrainingPlan& plan, bool choosesSums)
{
    // Prices that differ by rounding are equal
    constexpr double equal = 1 - 1e-9;
    plan.linkSplit = LinkSplit();
    auto choices = fabric.linksFor(plan);
    FabricLimits fixed = fabric;
    fixed.linksFor = nullptr;
    double least = std::numeric_limits<double>::infinity();
    TrainingPlan best;
    std::size_t chosen = choices.size();
    for (std::size_t i = 0; i < choices.size(); ++i)
    {
        const bool isFirst = chosen == choices.size();
        if (!isFirst && fabric.deadline && fabric.deadline->IsOver())
        {
            break;
        }
        TrainingPlan candidate = plan;
        candidate.linkSplit = choices[i].split;
        fixed.links = choices[i].links;
        if (choosesSums)
        {
            GridCollectives::Choose(fixed, candidate);
        }
        double seconds = std::numeric_limits<double>::infinity();
        try
        {
            seconds = choices.size() > 1 ? CostModel(fixed).Price(candidate, least).seconds : 0;
        }
        catch (const PricingError&)
        {
            // Whoever asks for the price of the chosen one gets the reason
        }
        if (isFirst || seconds < least * equal)
        {
            least = seconds;
            best = std::move(candidate);
            chosen = i;
        }
    }
    plan = std::move(best);
    return std::move(choices[chosen].links);
}

} // namespace lightpath
} // namespace ns3
