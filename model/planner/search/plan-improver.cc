/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "plan-improver.h"

#include "circuit-shares.h"
#include "model/planner/write/staged-model.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace ns3
{
namespace lightpath
{

namespace
{

/// Successive random moves without a better plan after which to stop.
constexpr uint32_t MOVE_PATIENCE = 48;

/// How much worse a random move may make the time at first, in thousandths.
constexpr uint32_t THRESHOLD = 30;

/// Cuts that are moved if there are more, those between the stages that differ most.
constexpr std::size_t MOST_CUTS = 8;

/// The smallest buckets that are tried: launching a collective takes time that prices leave out.
constexpr uint64_t LEAST_BUCKET_BYTES = uint64_t{1} << 20;

/// A bucket of all gradients.
constexpr uint64_t MOST_BUCKET_BYTES = uint64_t{1} << 50;

/**
 * @param a a time
 * @param b another
 * @return true if the first is shorter by more than rounding
 */
bool
IsBetter(double a, double b)
{
    return a < b * (1 - 1e-9);
}

} // namespace

PlanImprover::PlanImprover(ChoicePricer& pricer,
                           const PlanVariants& variants,
                           SearchBudget& budget,
                           uint64_t seed)
    : m_pricer(pricer),
      m_variants(variants),
      m_budget(budget),
      m_random(seed),
      m_hasCircuits(!pricer.GetProblem().fabric.allocators.empty())
{
}

void
PlanImprover::Improve(Priced& best, const SearchBudget::Part& part, double enough)
{
    m_part = part;
    m_enough = enough;
    TryStageCuts(best);
    bool isBetter = true;
    while (isBetter && MayGoOn() && best.seconds > m_enough)
    {
        isBetter = TrySchedules(best);
        isBetter = TryPhases(best) || isBetter;
        isBetter = TryCircuits(best) || isBetter;
        isBetter = TryGrids(best) || isBetter;
        isBetter = TryOrders(best) || isBetter;
        isBetter = TryCuts(best) || isBetter;
        isBetter = TryBuckets(best) || isBetter;
        isBetter = TryAlgorithms(best) || isBetter;
    }
    Anneal(best);
}

void
PlanImprover::ImproveShortly(Priced& best, const SearchBudget::Part& part)
{
    m_part = part;
    TrySchedules(best);
    TryStageCuts(best);
    TryGrids(best);
    TryOrders(best);
    TryAlgorithms(best);
    TryBuckets(best);
}

std::vector<uint32_t>
PlanImprover::GetCircuits(ChoicePricer& pricer, const PlanChoice& choice)
{
    const FabricLimits& fabric = pricer.GetProblem().fabric;
    const auto& traffic = pricer.GetTraffic(choice);
    std::vector<CircuitUse> demands;
    uint32_t nKinds = 0;
    for (const auto& kind : traffic)
    {
        demands.push_back({static_cast<double>(kind.bytes), std::max(kind.degree, 1U)});
        nKinds += kind.bytes > 0 ? 1 : 0;
    }
    if (nKinds < 2 || fabric.laneRate <= 0 || fabric.allocators.empty())
    {
        return {};
    }
    const auto most = static_cast<uint32_t>(fabric.bitRate / fabric.laneRate + 1e-6);
    return CircuitShares::GetMinPorts(demands) <= most ? CircuitShares::Get(demands, most)
                                                       : std::vector<uint32_t>();
}

std::vector<uint32_t>
PlanImprover::GetCuts(const PlanningProblem& problem, const Strategy& strategy)
{
    if (!strategy.cuts.empty() || strategy.pipelineParallel * strategy.virtualStages == 1)
    {
        return strategy.cuts;
    }
    const StagedModel model(problem, strategy);
    const auto& operators = problem.graph.GetOperators();
    std::vector<uint32_t> first(strategy.pipelineParallel * strategy.virtualStages, UINT32_MAX);
    for (uint32_t op = 0; op < operators.size(); ++op)
    {
        uint32_t& layer = first[model.GetPartition().GetPart(op)];
        layer = std::min(layer, operators[op].layer);
    }
    return {first.begin() + 1, first.end()};
}

bool
PlanImprover::MayGoOn() const
{
    return m_budget.IsWithin(m_part) && m_budget.HasRoom();
}

bool
PlanImprover::Try(PlanChoice choice, Priced& best)
{
    if (!MayGoOn())
    {
        return false;
    }
    const double seconds = m_pricer.Price(choice, best.seconds);
    if (!IsBetter(seconds, best.seconds) || !m_pricer.IsCarried(choice))
    {
        return false;
    }
    best.choice = std::move(choice);
    best.seconds = seconds;
    return true;
}

bool
PlanImprover::TryPhases(Priced& best)
{
    const FabricLimits& fabric = m_pricer.GetProblem().fabric;
    if (!fabric.canSwitch || fabric.phaseCircuits)
    {
        return false;
    }
    PlanChoice choice = best.choice;
    choice.phaseCircuits = !choice.phaseCircuits;
    bool isBetter = Try(choice, best);
    if (!choice.circuits.empty())
    {
        choice.circuits.clear();
        isBetter = Try(choice, best) || isBetter;
    }
    return isBetter;
}

bool
PlanImprover::TryCircuits(Priced& best)
{
    if (!m_hasCircuits)
    {
        return false;
    }
    const std::vector<uint32_t> start = GetCircuits(m_pricer, best.choice);
    if (start.empty())
    {
        return false;
    }
    bool isBetter = false;
    const auto attempt = [&](const std::vector<uint32_t>& circuits) {
        PlanChoice choice = best.choice;
        choice.circuits = circuits;
        const bool did = choice.circuits != best.choice.circuits && Try(std::move(choice), best);
        isBetter = isBetter || did;
        return did;
    };
    attempt(start);
    bool isMoving = true;
    while (isMoving && MayGoOn())
    {
        isMoving = false;
        const auto from = best.choice.circuits.empty() ? start : best.choice.circuits;
        for (std::size_t more = 0; more < from.size() && !isMoving; ++more)
        {
            std::vector<uint32_t> circuits = from;
            circuits[more] += circuits[more] > 0 ? 1 : 0;
            isMoving = from[more] > 0 && attempt(circuits);
            for (std::size_t less = 0; less < from.size() && !isMoving; ++less)
            {
                circuits = from;
                if (less != more && from[more] > 0 && from[less] > 1)
                {
                    ++circuits[more];
                    --circuits[less];
                    isMoving = attempt(circuits);
                }
            }
        }
    }
    return isBetter;
}

bool
PlanImprover::TrySchedules(Priced& best)
{
    if (best.choice.base)
    {
        return false;
    }
    bool isBetter = false;
    for (const auto& strategy : m_variants.GetSchedules(best.choice.strategy))
    {
        PlanChoice choice = best.choice;
        choice.strategy = strategy;
        choice.name = strategy.GetName();
        isBetter = Try(std::move(choice), best) || isBetter;
    }
    return isBetter;
}

bool
PlanImprover::TryGrids(Priced& best)
{
    bool isBetter = false;
    for (uint32_t grid = 0; grid < m_pricer.GetProblem().fabric.grids.size(); ++grid)
    {
        PlanChoice choice = best.choice;
        choice.grid = grid;
        isBetter = (grid != best.choice.grid && Try(std::move(choice), best)) || isBetter;
    }
    return isBetter;
}

bool
PlanImprover::TryOrders(Priced& best)
{
    if (!m_variants.DoPlacesDiffer())
    {
        return false;
    }
    bool isBetter = false;
    const uint64_t before = m_budget.GetEvaluations();
    std::vector<std::vector<uint32_t>> tried{m_pricer.GetPorts(best.choice)};
    for (uint32_t order = 0; order < PlanChoice::N_ORDERS; ++order)
    {
        PlanChoice choice = best.choice;
        choice.gpus = PlanChoice::GetGpus(choice.strategy, order);
        const bool isNew = std::find(tried.begin(), tried.end(), choice.gpus) == tried.end();
        tried.push_back(choice.gpus);
        isBetter = (isNew && Try(std::move(choice), best)) || isBetter;
    }
    // Places come on top: with them the search looks at no fewer plans than without
    m_part.evaluations += m_budget.Extend(m_budget.GetEvaluations() - before);
    return isBetter;
}

bool
PlanImprover::TryBuckets(Priced& best)
{
    if (best.choice.base || best.choice.strategy.GetDataMembers() == 1)
    {
        return false;
    }
    bool isBetter = false;
    const uint64_t bytes = best.choice.strategy.bucketBytes;
    for (const uint64_t other : {bytes / 4, bytes * 4, MOST_BUCKET_BYTES})
    {
        PlanChoice choice = best.choice;
        choice.strategy.bucketBytes = std::clamp(other, LEAST_BUCKET_BYTES, MOST_BUCKET_BYTES);
        isBetter =
            (choice.strategy.bucketBytes != bytes && Try(std::move(choice), best)) || isBetter;
    }
    return isBetter;
}

bool
PlanImprover::TryAlgorithms(Priced& best)
{
    if (best.choice.base)
    {
        return false;
    }
    bool isBetter = false;
    const Strategy start = best.choice.strategy;
    const auto strategies = m_variants.GetAlgorithms(start);
    for (const auto& strategy : strategies)
    {
        // One kind of group after the other: what was found for data parallelism stays
        PlanChoice choice = best.choice;
        const bool isData = strategy.tensorAlgorithm == start.tensorAlgorithm &&
                            strategy.tensorRings == start.tensorRings;
        (isData ? choice.strategy.dataAlgorithm : choice.strategy.tensorAlgorithm) =
            isData ? strategy.dataAlgorithm : strategy.tensorAlgorithm;
        (isData ? choice.strategy.dataRings : choice.strategy.tensorRings) =
            isData ? strategy.dataRings : strategy.tensorRings;
        if (m_pricer.GetProblem().fabric.HasServers())
        {
            // Of inside and across, one differs from the start
            auto& mine = choice.strategy;
            mine.insideAlgorithm = strategy.insideAlgorithm == start.insideAlgorithm
                                       ? mine.insideAlgorithm
                                       : strategy.insideAlgorithm;
            mine.acrossAlgorithm = strategy.acrossAlgorithm == start.acrossAlgorithm
                                       ? mine.acrossAlgorithm
                                       : strategy.acrossAlgorithm;
        }
        choice.circuits.clear();
        isBetter = (!(choice.strategy == best.choice.strategy) && Try(std::move(choice), best)) ||
                   isBetter;
    }
    return isBetter;
}

bool
PlanImprover::TryStageCuts(Priced& best)
{
    if (best.choice.base || !best.choice.strategy.cuts.empty())
    {
        return false;
    }
    PlanChoice choice = best.choice;
    choice.strategy = m_variants.GetCut(best.choice.strategy);
    return !choice.strategy.cuts.empty() && Try(std::move(choice), best);
}

bool
PlanImprover::TryCuts(Priced& best)
{
    if (best.choice.base || best.choice.strategy.pipelineParallel < 2 ||
        best.choice.strategy.virtualStages > 1)
    {
        return false;
    }
    const PlanningProblem& problem = m_pricer.GetProblem();
    const uint32_t layers = problem.graph.GetNLayers();
    const auto cuts = GetCuts(problem, best.choice.strategy);
    const auto seconds = m_pricer.GetStageSeconds(best.choice);
    const auto differ = [&](std::size_t cut) {
        return seconds[cut % seconds.size()] - seconds[(cut + 1) % seconds.size()];
    };
    std::vector<std::size_t> order(cuts.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&differ](std::size_t a, std::size_t b) {
        return std::abs(differ(a)) > std::abs(differ(b));
    });
    order.resize(std::min(order.size(), MOST_CUTS));
    for (const auto cut : order)
    {
        for (const int step : {-1, 1})
        {
            // Layers go to the faster side first
            const int64_t to = int64_t{cuts[cut]} + (differ(cut) < 0 ? -step : step);
            const int64_t low = cut > 0 ? cuts[cut - 1] : 0;
            const int64_t high = cut + 1 < cuts.size() ? cuts[cut + 1] : layers;
            PlanChoice choice = best.choice;
            choice.strategy.cuts = cuts;
            choice.strategy.cuts[cut] = static_cast<uint32_t>(to);
            if (to > low && to < high && Try(std::move(choice), best))
            {
                // The next round goes on from there
                return true;
            }
        }
    }
    return false;
}

void
PlanImprover::Anneal(Priced& best)
{
    Priced current = best;
    uint32_t nIdle = 0;
    while (MayGoOn() && best.seconds > m_enough && nIdle < MOVE_PATIENCE)
    {
        PlanChoice choice = current.choice;
        if (!Change(choice))
        {
            return;
        }
        const double threshold =
            1 + 1e-3 * (THRESHOLD * (MOVE_PATIENCE - nIdle) / static_cast<double>(MOVE_PATIENCE));
        const double limit = current.seconds * threshold;
        const double seconds = m_pricer.Price(choice, limit);
        ++nIdle;
        if (seconds <= limit && m_pricer.IsCarried(choice))
        {
            current = {std::move(choice), seconds};
            if (IsBetter(current.seconds, best.seconds))
            {
                best = current;
                nIdle = 0;
            }
        }
    }
}

bool
PlanImprover::Change(PlanChoice& choice)
{
    const bool isCut = Draw(3) == 0;
    return (isCut && ChangeCut(choice)) || ChangeCircuits(choice) || (!isCut && ChangeCut(choice));
}

bool
PlanImprover::ChangeCut(PlanChoice& choice)
{
    if (choice.base || choice.strategy.pipelineParallel < 2 || choice.strategy.virtualStages > 1)
    {
        return false;
    }
    const PlanningProblem& problem = m_pricer.GetProblem();
    auto cuts = GetCuts(problem, choice.strategy);
    const std::size_t cut = Draw(cuts.size());
    const uint32_t low = cut > 0 ? cuts[cut - 1] : 0;
    const uint32_t high = cut + 1 < cuts.size() ? cuts[cut + 1] : problem.graph.GetNLayers();
    const bool isUp = Draw(2) > 0;
    const uint32_t to = isUp ? cuts[cut] + 1 : cuts[cut] - 1;
    cuts[cut] = to > low && to < high ? to : cuts[cut];
    choice.strategy.cuts = cuts;
    return high - low > 2;
}

bool
PlanImprover::ChangeCircuits(PlanChoice& choice)
{
    if (!m_hasCircuits)
    {
        return false;
    }
    auto circuits = choice.circuits.empty() ? GetCircuits(m_pricer, choice) : choice.circuits;
    if (circuits.empty())
    {
        return false;
    }
    std::size_t kind = Draw(circuits.size());
    while (circuits[kind] == 0)
    {
        kind = (kind + 1) % circuits.size();
    }
    const bool isUp = circuits[kind] == 1 || Draw(2) > 0;
    circuits[kind] += isUp ? 1 : -1;
    choice.circuits = circuits;
    return true;
}

uint64_t
PlanImprover::Draw(uint64_t below)
{
    return m_random() % below;
}

} // namespace lightpath
} // namespace ns3
