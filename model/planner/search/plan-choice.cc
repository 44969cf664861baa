/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "plan-choice.h"

#include "model/planner/place/axis-order.h"

#include <algorithm>
#include <functional>
#include <numeric>

namespace ns3
{
namespace lightpath
{

std::vector<uint32_t>
PlanChoice::GetGpus(const Strategy& strategy, uint32_t order)
{
    static const char* const orders[N_ORDERS] =
        {"tp,dp,pp", "tp,pp,dp", "dp,tp,pp", "dp,pp,tp", "pp,tp,dp", "pp,dp,tp"};
    std::vector<uint32_t> gpus = AxisOrder::Parse(orders[order]).Place(strategy).GetPorts();
    if (gpus.empty())
    {
        // Linear
        gpus.resize(strategy.GetGpus());
        std::iota(gpus.begin(), gpus.end(), 0);
    }
    return gpus;
}

uint32_t
PlanChoice::GetNFeatures() const
{
    const std::vector<bool> features = {strategy.tensorParallel > 1,
                                        strategy.pipelineParallel > 1,
                                        strategy.contextParallel > 1,
                                        strategy.expertParallel > 1,
                                        strategy.wholeExperts,
                                        strategy.schedule != PipelineScheduleKind::ONE_F_ONE_B,
                                        strategy.shardGpus > 0,
                                        strategy.wholeGradients,
                                        strategy.virtualStages > 1,
                                        strategy.sequenceParallel,
                                        strategy.recomputation != Recomputation::NONE,
                                        !strategy.cuts.empty(),
                                        phaseCircuits || turnCircuits};
    return strategy.zeroStage +
           static_cast<uint32_t>(std::count(features.begin(), features.end(), true));
}

std::vector<PlanChoice>
PlanChoice::GetSimpler() const
{
    std::vector<PlanChoice> choices;
    const auto add = [this, &choices](const std::function<void(PlanChoice&)>& change) {
        PlanChoice choice = *this;
        change(choice);
        if (choice.GetNFeatures() < GetNFeatures())
        {
            choices.push_back(std::move(choice));
        }
    };
    for (uint32_t zero = 0; !base && zero < strategy.zeroStage; ++zero)
    {
        add([zero](PlanChoice& choice) {
            choice.strategy.zeroStage = zero;
            choice.strategy.shardGpus = zero > 0 ? choice.strategy.shardGpus : 0;
            choice.strategy.wholeGradients = false;
        });
    }
    if (!base)
    {
        add([](PlanChoice& choice) { choice.phaseCircuits = false; });
        add([](PlanChoice& choice) { choice.strategy.recomputation = Recomputation::NONE; });
        add([](PlanChoice& choice) {
            choice.strategy.sequenceParallel = choice.strategy.wholeExperts;
        });
        add([](PlanChoice& choice) { choice.strategy.shardGpus = 0; });
        add([](PlanChoice& choice) { choice.strategy.wholeGradients = false; });
        add([](PlanChoice& choice) {
            choice.strategy.schedule = PipelineScheduleKind::ONE_F_ONE_B;
        });
        add([](PlanChoice& choice) { choice.strategy.cuts.clear(); });
        add([](PlanChoice& choice) {
            choice.strategy.virtualStages = 1;
            choice.strategy.cuts.clear();
        });
    }
    return choices;
}

} // namespace lightpath
} // namespace ns3
