/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "circuit-weights.h"

#include "cost-model.h"
#include "kind-traffic.h"
#include "model/planner/planning-deadline.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>
#include <vector>

namespace ns3
{
namespace lightpath
{

namespace
{

/// Share of an iteration that shares other than by the bytes must gain.
constexpr double LEAST_SAVED = 1e-3;

/// Step between the powers that are priced.
constexpr double STEP = 0.25;

} // namespace

void
CircuitWeights::Choose(const FabricLimits& fabric, TrainingPlan& plan)
{
    if (fabric.allocators.empty() || !plan.circuitWeights.empty() || plan.phaseCircuits ||
        plan.turnCircuits || !plan.cost.refusal.empty())
    {
        return;
    }
    const auto traffic = KindTraffic::GetAll(plan, fabric);
    uint64_t most = 0;
    uint32_t nKinds = 0;
    for (const auto& kind : traffic)
    {
        most = std::max(most, kind.bytes);
        nKinds += kind.bytes > 0 ? 1 : 0;
    }
    if (nKinds < 2)
    {
        return;
    }
    double best = 1;
    const auto attempt = [&](double power) {
        TrainingPlan other = plan;
        other.circuitWeights.assign(traffic.size(), 1);
        for (std::size_t kind = 0; kind < traffic.size(); ++kind)
        {
            if (traffic[kind].bytes > 0)
            {
                const double share =
                    static_cast<double>(traffic[kind].bytes) / static_cast<double>(most);
                other.circuitWeights[kind] = std::pow(share, power - 1);
            }
        }
        try
        {
            other.cost = CostModel(fabric).Price(other, plan.cost.seconds);
        }
        catch (const std::invalid_argument&)
        {
            return false;
        }
        catch (const PlanningTimeout&)
        {
            return false;
        }
        if (other.cost.seconds > plan.cost.seconds * (1 - LEAST_SAVED))
        {
            return false;
        }
        best = power;
        plan = std::move(other);
        return true;
    };
    // Down from the bytes themselves, and then half a step on either side
    while (best > 0 && attempt(best - STEP))
    {
    }
    attempt(best - STEP / 2) || attempt(best + STEP / 2);
}

} // namespace lightpath
} // namespace ns3
