/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "plan-choice.h"

#include "model/planner/place/axis-order.h"

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
        gpus.resize(strategy.tensorParallel * strategy.dataParallel * strategy.pipelineParallel);
        std::iota(gpus.begin(), gpus.end(), 0);
    }
    return gpus;
}

} // namespace lightpath
} // namespace ns3
