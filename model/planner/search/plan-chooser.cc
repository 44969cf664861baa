/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "plan-chooser.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <utility>

namespace ns3
{
namespace lightpath
{

namespace
{

/// Degrees of parallelism of which more than one strategy is followed message by message.
constexpr std::size_t MOST_DEGREES = 2;

/// The most strategies of the same degrees that are followed.
constexpr std::size_t MOST_FOLLOWED = 7;

/// Plans that are followed for longer.
constexpr std::size_t MOST_FOLLOWED_LONG = 6;

/// How much longer than the best plan one may take that is followed to its end.
constexpr double WORTH_FOLLOWING = 1.5;

/**
 * @param one a plan
 * @param other another one
 * @return whether the first takes less time
 */
bool
IsFaster(const PlanImprover::Priced& one, const PlanImprover::Priced& other)
{
    return one.seconds < other.seconds;
}

/**
 * @param [in,out] plans plans to be put into ascending order of time
 */
void
Sort(std::vector<PlanImprover::Priced>& plans)
{
    std::stable_sort(plans.begin(), plans.end(), IsFaster);
}

} // namespace

PlanChooser::PlanChooser(const PlanningProblem& problem, ChoicePricer& pricer, SearchRecord& record)
    : m_problem(problem),
      m_pricer(pricer),
      m_record(record)
{
}

void
PlanChooser::PriceExactly(std::vector<PlanImprover::Priced>& best,
                          const std::vector<PlanImprover::Priced>& tried,
                          const std::vector<StrategyList::Entry>& entries)
{
    // Elsewhere quick prices are nearly as exact
    if (!m_problem.fabric.FollowsMessages() || best.empty())
    {
        return;
    }
    std::vector<PlanImprover::Priced> exact;
    double least = std::numeric_limits<double>::infinity();
    for (const auto& mine : best)
    {
        for (uint32_t grid = 0; grid < std::max<std::size_t>(m_problem.fabric.grids.size(), 1);
             ++grid)
        {
            PlanImprover::Priced other = mine;
            other.choice.grid = grid;
            other.seconds = m_pricer.Price(other.choice, least, CostModel::FEW_FOLLOWED);
            const bool isSame = grid == mine.choice.grid;
            if (isSame || (other.seconds < least && m_pricer.IsCarried(other.choice)))
            {
                least = std::min(least, other.seconds);
                exact.push_back(std::move(other));
            }
        }
    }
    Sort(exact);
    best = std::move(exact);
    if (m_problem.fabric.links.carry)
    {
        FollowDegrees(best, tried, entries);
    }
}

void
PlanChooser::FollowDegrees(std::vector<PlanImprover::Priced>& best,
                           std::vector<PlanImprover::Priced> candidates,
                           const std::vector<StrategyList::Entry>& entries)
{
    for (const auto& entry : entries)
    {
        if (!entry.isSettled && !entry.isExcluded)
        {
            candidates.push_back({PlanChoice(), entry.bound});
            candidates.back().choice.strategy = entry.strategy;
            candidates.back().choice.name = entry.strategy.GetName();
        }
    }
    // Strategies by their degrees, those first whose quick price or bound is least
    Sort(candidates);
    std::map<std::pair<uint32_t, uint32_t>, std::vector<PlanImprover::Priced>> byDegree;
    for (const auto& plan : candidates)
    {
        const Strategy& strategy = plan.choice.strategy;
        byDegree[{strategy.tensorParallel, strategy.pipelineParallel}].push_back(plan);
    }
    std::vector<std::pair<double, const std::vector<PlanImprover::Priced>*>> degrees;
    for (const auto& [key, plans] : byDegree)
    {
        degrees.emplace_back(plans.front().seconds, &plans);
    }
    const auto sort = [&degrees] {
        std::stable_sort(degrees.begin(), degrees.end(), [](const auto& a, const auto& b) {
            return a.first < b.first;
        });
    };
    sort();
    for (auto& [seconds, plans] : degrees)
    {
        seconds = Follow(plans->front(), best);
    }
    // Then the others of the best degrees
    sort();
    degrees.resize(std::min(degrees.size(), MOST_DEGREES));
    for (const auto& [seconds, plans] : degrees)
    {
        for (std::size_t i = 1; i < std::min(plans->size(), MOST_FOLLOWED); ++i)
        {
            Follow((*plans)[i], best);
        }
    }
    // Of long plans only the first messages have been followed: follow the best one for longer
    // until it stays the best one
    std::set<std::string> longer;
    for (Sort(best); longer.size() < MOST_FOLLOWED_LONG; Sort(best))
    {
        PlanImprover::Priced& plan = best.front();
        if (!longer.insert(plan.choice.name).second)
        {
            break;
        }
        plan.seconds = m_pricer.Price(plan.choice,
                                      std::numeric_limits<double>::infinity(),
                                      CostModel::MANY_FOLLOWED / 3);
    }
    best.erase(
        std::remove_if(best.begin(),
                       best.end(),
                       [&longer](const auto& plan) { return longer.count(plan.choice.name) == 0; }),
        best.end());
}

double
PlanChooser::Follow(const PlanImprover::Priced& plan, std::vector<PlanImprover::Priced>& best)
{
    const auto same = std::find_if(best.begin(), best.end(), [&plan](const auto& other) {
        return other.choice.name == plan.choice.name;
    });
    if (same != best.end())
    {
        return same->seconds;
    }
    // Quick prices are mostly too low
    const double least = std::min_element(best.begin(), best.end(), IsFaster)->seconds;
    if (plan.seconds >= WORTH_FOLLOWING * least)
    {
        return plan.seconds;
    }
    const double limit = WORTH_FOLLOWING * least;
    const double seconds = m_pricer.Price(plan.choice, limit, CostModel::FEW_FOLLOWED);
    if (seconds <= limit && m_pricer.IsCarried(plan.choice))
    {
        m_record.Note(plan.choice, seconds, false, "");
        best.push_back({plan.choice, seconds});
    }
    return seconds;
}

void
PlanChooser::PreferSimpler(std::vector<PlanImprover::Priced>& best, double leastGain)
{
    if (best.empty() || !(leastGain > 0))
    {
        return;
    }
    const auto fastest = std::min_element(best.begin(), best.end(), IsFaster);
    const double limit = fastest->seconds * (1 + leastGain);
    const uint64_t mostFollowed = m_problem.fabric.FollowsMessages() ? CostModel::FEW_FOLLOWED : 0;
    PlanImprover::Priced simplest = best.front();
    for (const auto& other : best)
    {
        if (other.seconds <= limit && other.choice.GetNFeatures() < simplest.choice.GetNFeatures())
        {
            simplest = other;
        }
    }
    // Each round leaves out one feature
    for (bool isSimpler = true; isSimpler;)
    {
        isSimpler = false;
        for (auto choice : simplest.choice.GetSimpler())
        {
            const double seconds = m_pricer.Price(choice, limit, mostFollowed);
            if (seconds <= limit && m_pricer.IsCarried(choice))
            {
                choice.name = choice.strategy.GetName() + ", simpler";
                m_record.Note(choice, seconds, false, "");
                simplest = {std::move(choice), seconds};
                isSimpler = true;
                break;
            }
        }
    }
    best = {std::move(simplest)};
}

} // namespace lightpath
} // namespace ns3
