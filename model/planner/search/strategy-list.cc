/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "strategy-list.h"

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace ns3
{
namespace lightpath
{

namespace
{

/// Share of the time after which no more bounds are found.
constexpr double BOUNDS_SHARE = 0.4;

/**
 * @param bound bounds strategies
 * @param strategy a strategy
 * @return the strategy with its bound; excluded if it does not suit the problem
 */
StrategyList::Entry
MakeEntry(const StrategyBound& bound, const Strategy& strategy)
{
    try
    {
        return {strategy, bound.GetSeconds(strategy)};
    }
    catch (const std::invalid_argument&)
    {
        return {strategy, 0, true};
    }
}

} // namespace

void
StrategyList::Fill(const std::vector<Strategy>& strategies,
                   const StrategyBound& bound,
                   const SearchBudget& budget)
{
    for (const auto& strategy : strategies)
    {
        m_hasAllBounds = m_hasAllBounds && budget.HasTime(BOUNDS_SHARE);
        m_entries.push_back(m_hasAllBounds ? MakeEntry(bound, strategy) : Entry{strategy});
    }
    std::stable_sort(m_entries.begin(), m_entries.end(), [](const Entry& a, const Entry& b) {
        return a.bound < b.bound;
    });
}

std::vector<StrategyList::Entry>&
StrategyList::GetEntries()
{
    return m_entries;
}

std::vector<StrategyList::Entry*>
StrategyList::GetInterleaved(uint32_t tensor)
{
    std::vector<Entry*> found;
    for (auto& entry : m_entries)
    {
        const Strategy& strategy = entry.strategy;
        if (!entry.isExcluded && strategy.virtualStages > 1 && strategy.sequenceParallel &&
            strategy.tensorParallel == tensor)
        {
            found.push_back(&entry);
        }
    }
    return found;
}

bool
StrategyList::HasAllBounds() const
{
    return m_hasAllBounds;
}

StrategyList::Entry*
StrategyList::FindOpen(double limit, const Filter& filter)
{
    const auto found = std::find_if(m_entries.begin(), m_entries.end(), [&](const Entry& entry) {
        return entry.bound >= limit ||
               (!entry.isSettled && !entry.isExcluded && filter(entry.strategy));
    });
    return found == m_entries.end() || found->bound >= limit ? nullptr : &*found;
}

StrategyList::Entry*
StrategyList::FindOpen(double limit)
{
    return FindOpen(limit, [](const Strategy&) { return true; });
}

double
StrategyList::GetLeastBound() const
{
    double least = m_entries.empty() ? 0 : std::numeric_limits<double>::infinity();
    for (const auto& entry : m_entries)
    {
        least = entry.isExcluded ? least : std::min(least, entry.bound);
    }
    return least;
}

StrategyList::Entry*
StrategyList::FindFresh(double limit)
{
    uint32_t least = UINT32_MAX;
    Entry* fresh = nullptr;
    for (auto& entry : m_entries)
    {
        if (entry.bound < limit && !entry.isSettled && !entry.isExcluded)
        {
            const auto found = m_nPriced.find(GetDegrees(entry.strategy));
            const uint32_t n = found == m_nPriced.end() ? 0 : found->second;
            fresh = n < least ? &entry : fresh;
            least = std::min(least, n);
        }
    }
    return fresh;
}

StrategyList::Degrees
StrategyList::GetDegrees(const Strategy& strategy)
{
    return {strategy.dataParallel,
            strategy.tensorParallel,
            strategy.contextParallel,
            strategy.pipelineParallel,
            strategy.expertParallel};
}

void
StrategyList::Settle(Entry& entry)
{
    entry.isSettled = true;
    ++m_nPriced[GetDegrees(entry.strategy)];
}

void
StrategyList::SettleRecomputing(const Strategy& fitting)
{
    for (auto& entry : m_entries)
    {
        if (entry.strategy.recomputation > fitting.recomputation)
        {
            Strategy same = entry.strategy;
            same.recomputation = fitting.recomputation;
            entry.isSettled = entry.isSettled || same == fitting;
        }
    }
}

} // namespace lightpath
} // namespace ns3
