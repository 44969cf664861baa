/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "search-record.h"

#include <algorithm>
#include <limits>

namespace ns3
{
namespace lightpath
{

namespace
{

/// The most plans of each sort that are named as alternatives.
constexpr std::size_t MOST_ALTERNATIVES = 20;

/// The remark on plans whose pricing ended early.
constexpr const char* LONGER = "Its pricing ended at this time, as better plans were known";

} // namespace

void
SearchRecord::Note(const PlanChoice& choice,
                   double seconds,
                   bool isLonger,
                   const std::string& refusal)
{
    PlanAlternative alternative;
    alternative.name = choice.name;
    alternative.strategy = choice.strategy;
    const bool isRefused = seconds == std::numeric_limits<double>::infinity();
    alternative.seconds = isRefused ? 0 : seconds;
    alternative.refusal = isRefused ? refusal : isLonger ? LONGER : "";
    m_alternatives.push_back(std::move(alternative));
}

void
SearchRecord::NoteBound(const Strategy& strategy, double seconds)
{
    PlanAlternative alternative;
    alternative.name = strategy.GetName();
    alternative.strategy = strategy;
    alternative.seconds = seconds;
    alternative.isBound = true;
    m_alternatives.push_back(std::move(alternative));
}

std::vector<PlanAlternative>
SearchRecord::Get(const std::string& best) const
{
    const auto rank = [](const PlanAlternative& plan) {
        const bool isLonger = plan.seconds > 0 && !plan.refusal.empty();
        return isLonger ? 1 : !plan.refusal.empty() ? 3 : plan.isBound ? 2 : 0;
    };
    std::vector<PlanAlternative> sorted = m_alternatives;
    std::stable_sort(sorted.begin(),
                     sorted.end(),
                     [&rank](const PlanAlternative& a, const PlanAlternative& b) {
                         return rank(a) != rank(b) ? rank(a) < rank(b) : a.seconds < b.seconds;
                     });
    std::size_t counts[4] = {0, 0, 0, 0};
    bool hasBest = false;
    std::vector<PlanAlternative> some;
    for (auto& plan : sorted)
    {
        // Those of other planners are always named
        const bool isOther = plan.name.rfind("SiP-ML", 0) == 0 || plan.name.rfind("Mega", 0) == 0;
        if (counts[rank(plan)]++ < MOST_ALTERNATIVES || isOther)
        {
            const bool isBest = !hasBest && plan.name == best && rank(plan) == 0;
            hasBest = hasBest || isBest;
            some.insert(isBest ? some.begin() : some.end(), std::move(plan));
        }
    }
    return some;
}

} // namespace lightpath
} // namespace ns3
