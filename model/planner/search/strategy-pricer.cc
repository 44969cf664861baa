/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "strategy-pricer.h"

#include "model/planner/bound/strategy-bound.h"
#include "plan-improver.h"

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace ns3
{
namespace lightpath
{

namespace
{

/// Stands for no price.
constexpr double NO_PRICE = std::numeric_limits<double>::infinity();

} // namespace

StrategyPricer::StrategyPricer(ChoicePricer& pricer, const PlanVariants& variants)
    : m_pricer(pricer),
      m_variants(variants),
      m_canSwitch(pricer.GetProblem().fabric.canSwitch && !pricer.GetProblem().fabric.phaseCircuits)
{
}

double
StrategyPricer::Price(PlanChoice& choice, double limit)
{
    // Rings that use all of the rate come first; a strategy that does not fit into memory has no
    // variants that do
    PlanChoice best = choice;
    double seconds = NO_PRICE;
    m_isMemoryRefusal = false;
    const std::size_t nGrids = std::max<std::size_t>(m_pricer.GetProblem().fabric.grids.size(), 1);
    for (const auto& strategy : m_variants.GetRings(choice.strategy))
    {
        if (seconds < NO_PRICE && !m_pricer.HasRoom())
        {
            break;
        }
        for (uint32_t grid = 0; grid < nGrids && !m_isMemoryRefusal; ++grid)
        {
            PlanChoice other = choice;
            other.strategy = strategy;
            other.grid = grid;
            const double price = PriceCircuits(other, std::min(limit, seconds));
            if (price < seconds)
            {
                best = std::move(other);
                seconds = price;
            }
        }
        if (m_isMemoryRefusal)
        {
            return NO_PRICE;
        }
    }
    choice = std::move(best);
    return seconds;
}

bool
StrategyPricer::IsMemoryRefusal() const
{
    return m_isMemoryRefusal;
}

bool
StrategyPricer::ExceedsDegree(const PlanChoice& choice)
{
    const FabricLimits& fabric = m_pricer.GetProblem().fabric;
    if (fabric.degree == 0 || fabric.HasServers() || m_isMemoryRefusal ||
        StrategyBound::MayTurn(fabric, choice.strategy))
    {
        return false;
    }
    const auto& traffic = m_pricer.GetTraffic(choice);
    if (traffic.empty())
    {
        // With other cuts it may have a plan
        return false;
    }
    if (choice.strategy.pipelineParallel > 1)
    {
        // Messages between stages have the same peers with all cuts
        return traffic.size() > 2 && traffic[2].degree > fabric.degree;
    }
    // Each kind of group needs a peer, and as many at once unless circuits are switched
    uint32_t kinds = 0;
    for (const auto& kind : traffic)
    {
        kinds += kind.bytes > 0 ? 1 : 0;
    }
    return !fabric.canSwitch && !fabric.phaseCircuits && kinds > fabric.degree;
}

double
StrategyPricer::PriceOne(const PlanChoice& choice, double limit)
{
    const double seconds = m_pricer.Price(choice, limit);
    m_isMemoryRefusal = seconds == NO_PRICE && m_pricer.IsMemoryRefusal();
    return seconds > limit || m_pricer.IsCarried(choice) ? seconds : NO_PRICE;
}

double
StrategyPricer::PriceCircuits(PlanChoice& choice, double limit)
{
    // First with circuits in proportion to the bytes
    double seconds = PriceOne(choice, limit);
    if (m_isMemoryRefusal)
    {
        return NO_PRICE;
    }
    const auto attempt = [&](PlanChoice other) {
        if (seconds < NO_PRICE && !m_pricer.HasRoom())
        {
            return;
        }
        const double price = PriceOne(other, std::min(limit, seconds));
        if (price < seconds)
        {
            choice = std::move(other);
            seconds = price;
        }
    };
    if (!m_pricer.GetProblem().fabric.allocators.empty())
    {
        PlanChoice dealt = choice;
        dealt.circuits = PlanImprover::GetCircuits(m_pricer, choice);
        if (!dealt.circuits.empty())
        {
            attempt(std::move(dealt));
        }
    }
    PlanChoice phased = choice;
    phased.circuits.clear();
    phased.phaseCircuits = true;
    if (m_canSwitch)
    {
        attempt(phased);
    }
    for (uint32_t order = 1;
         m_variants.DoPlacesDiffer() && seconds == NO_PRICE && order < PlanChoice::N_ORDERS;
         ++order)
    {
        PlanChoice placed = choice;
        placed.circuits.clear();
        placed.gpus = PlanChoice::GetGpus(choice.strategy, order);
        attempt(std::move(placed));
    }
    if (seconds == NO_PRICE &&
        StrategyBound::MayTurn(m_pricer.GetProblem().fabric, choice.strategy))
    {
        PlanChoice turned = choice;
        turned.circuits.clear();
        turned.turnCircuits = true;
        attempt(std::move(turned));
    }
    return seconds;
}

} // namespace lightpath
} // namespace ns3
