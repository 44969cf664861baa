/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "plan-chooser.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace ns3
{
namespace lightpath
{

PlanChooser::PlanChooser(const PlanningProblem& problem, ChoicePricer& pricer, SearchRecord& record)
    : m_problem(problem),
      m_pricer(pricer),
      m_record(record)
{
}

void
PlanChooser::PriceExactly(std::vector<PlanImprover::Priced>& best)
{
    // Where no messages are followed, quick prices are as exact
    if ((m_problem.fabric.grid.rows == 0 && !m_problem.fabric.links.carry) || best.empty())
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
            other.seconds = m_pricer.Price(other.choice, least, true);
            const bool isSame = grid == mine.choice.grid;
            if (isSame || (other.seconds < least && m_pricer.IsCarried(other.choice)))
            {
                least = std::min(least, other.seconds);
                exact.push_back(std::move(other));
            }
        }
    }
    std::stable_sort(exact.begin(), exact.end(), [](const auto& a, const auto& b) {
        return a.seconds < b.seconds;
    });
    best = std::move(exact);
}

void
PlanChooser::PreferSimpler(std::vector<PlanImprover::Priced>& best, double leastGain)
{
    if (best.empty() || !(leastGain > 0))
    {
        return;
    }
    const auto fastest =
        std::min_element(best.begin(), best.end(), [](const auto& a, const auto& b) {
            return a.seconds < b.seconds;
        });
    const double limit = fastest->seconds * (1 + leastGain);
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
            const double seconds = m_pricer.Price(choice, limit, true);
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
