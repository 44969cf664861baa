/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "eclipse-search.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace ns3
{
namespace lightpath
{

namespace
{

/// Holds products of time steps and worths
__extension__ using SignedWide = __int128;

} // namespace

EclipseSearch::EclipseSearch(const ServiceTimeMatrix& times,
                             const std::vector<uint32_t>& lanes,
                             int64_t delay,
                             int64_t tolerance)
    : m_left(times),
      m_lanes(lanes),
      m_delay(delay),
      m_tolerance(tolerance),
      m_solver(times.GetSize())
{
    for (uint32_t source = 0; source < m_left.GetSize(); ++source)
    {
        for (uint32_t destination = 0; destination < m_left.GetSize(); ++destination)
        {
            if (m_left.Get(source, destination) > 0)
            {
                ++m_counts[m_left.Get(source, destination)];
            }
        }
    }
}

TimedMatching
EclipseSearch::FindBest(int64_t limit)
{
    ++m_step;
    TidyBounds();
    Trial best;
    if (m_counts.empty())
    {
        return best.matching;
    }
    // The first step begins with the longest duration, so that each has a bound from above
    int64_t next =
        m_bounds.empty() ? std::min(m_counts.rbegin()->first, limit) : FindNext(limit, best);
    while (next > 0)
    {
        const Trial trial = Fit(Evaluate(next), limit);
        if (best.worth == 0 ||
            IsBetter(trial.worth, trial.matching.steps, best.worth, best.matching.steps))
        {
            best = trial;
        }
        next = FindNext(limit, best);
    }
    return best.matching;
}

void
EclipseSearch::Serve(const TimedMatching& matching)
{
    for (uint32_t source = 0; source < m_left.GetSize(); ++source)
    {
        const uint32_t destination = matching.peers[source];
        const int64_t before = m_left.Get(source, destination);
        if (before == 0)
        {
            continue;
        }
        const auto counted = m_counts.find(before);
        if (--counted->second == 0)
        {
            m_counts.erase(counted);
        }
        const int64_t after = before - m_left.Serve(source, destination, matching.steps);
        if (after > 0)
        {
            ++m_counts[after];
        }
    }
}

int64_t
EclipseSearch::GetLongest(const TimedMatching& matching) const
{
    int64_t longest = 0;
    for (uint32_t source = 0; source < m_left.GetSize(); ++source)
    {
        longest = std::max(longest, m_left.Get(source, matching.peers[source]));
    }
    return longest;
}

TimedMatching
EclipseSearch::Evaluate(int64_t steps)
{
    const uint32_t size = m_left.GetSize();
    std::vector<int64_t> weights(m_lanes.size());
    for (uint32_t source = 0; source < size; ++source)
    {
        for (uint32_t destination = 0; destination < size; ++destination)
        {
            const std::size_t at = static_cast<std::size_t>(source) * size + destination;
            weights[at] = std::min(m_left.Get(source, destination), steps) * m_lanes[at];
        }
    }
    m_bounds[steps] = {m_solver.Solve(weights), m_step};
    TimedMatching matching{{}, steps};
    for (uint32_t source = 0; source < size; ++source)
    {
        const uint32_t destination = m_solver.GetColumn(source);
        const bool serves = m_left.Get(source, destination) > 0;
        matching.peers.push_back(serves ? destination : source);
    }
    return matching;
}

EclipseSearch::Trial
EclipseSearch::Fit(const TimedMatching& matching, int64_t limit) const
{
    // The bytes that a matching serves grow with its duration until one circuit after another is
    // idle: the best duration is the time of one of them
    std::vector<std::pair<int64_t, int64_t>> circuits;
    int64_t lanes = 0;
    for (uint32_t source = 0; source < m_left.GetSize(); ++source)
    {
        const uint32_t destination = matching.peers[source];
        if (destination != source)
        {
            const std::size_t at =
                static_cast<std::size_t>(source) * m_left.GetSize() + destination;
            circuits.emplace_back(m_left.Get(source, destination), m_lanes[at]);
            lanes += m_lanes[at];
        }
    }
    std::sort(circuits.begin(), circuits.end());
    Trial best{matching, 0};
    int64_t worth = 0;
    int64_t before = 0;
    for (const auto& [time, own] : circuits)
    {
        const int64_t steps = std::min(time, limit);
        worth += (steps - before) * lanes;
        before = steps;
        lanes -= own;
        // Of equal ratios the longest duration, which uses pairs up
        if (!IsBetter(best.worth, best.matching.steps, worth, steps))
        {
            best.matching.steps = steps;
            best.worth = worth;
        }
    }
    return best;
}

std::vector<std::pair<int64_t, int64_t>>
EclipseSearch::GetPeaks(int64_t limit) const
{
    std::vector<std::pair<int64_t, int64_t>> peaks;
    int64_t before = 0;
    int64_t worth = 0;
    const auto consider = [&](int64_t steps, int64_t end, int64_t atEnd) {
        steps = std::min(steps, limit);
        if (steps > before && steps < end)
        {
            const int64_t stretched = before == 0 ? atEnd : Stretch(worth, before, steps);
            peaks.emplace_back(steps, std::min(stretched, atEnd));
        }
    };
    for (const auto& [end, bound] : m_bounds)
    {
        // Where the bounds from both sides meet: worth x t / before = bound.worth
        const int64_t meet =
            worth == 0 ? before : static_cast<int64_t>(SignedWide{bound.worth} * before / worth);
        const auto above = m_counts.upper_bound(meet);
        if (above != m_counts.begin())
        {
            consider(std::prev(above)->first, end, bound.worth);
        }
        if (above != m_counts.end())
        {
            consider(above->first, end, bound.worth);
        }
        const bool isDuration =
            end == limit ? m_counts.rbegin()->first >= limit : m_counts.count(end) > 0;
        if (end <= limit && isDuration && bound.step < m_step)
        {
            peaks.emplace_back(end, bound.worth);
        }
        before = end;
        worth = bound.worth;
    }
    consider(m_counts.rbegin()->first,
             std::numeric_limits<int64_t>::max(),
             std::numeric_limits<int64_t>::max());
    return peaks;
}

int64_t
EclipseSearch::FindNext(int64_t limit, const Trial& best) const
{
    const int64_t toBeat =
        best.worth + static_cast<int64_t>(SignedWide{best.worth} * m_tolerance / 1000000);
    std::pair<int64_t, int64_t> highest{0, 0};
    for (const auto& [steps, bound] : GetPeaks(limit))
    {
        const bool isHigher =
            highest.first == 0 || IsBetter(bound, steps, highest.second, highest.first);
        const bool isBetter =
            best.worth == 0 || IsBetter(bound, steps, toBeat, best.matching.steps);
        if (isHigher && isBetter)
        {
            highest = {steps, bound};
        }
    }
    return highest.first;
}

void
EclipseSearch::TidyBounds()
{
    // A bound at a longer duration that is no higher implies this one, as F never falls
    int64_t least = std::numeric_limits<int64_t>::max();
    for (auto bound = m_bounds.end(); bound != m_bounds.begin();)
    {
        --bound;
        if (bound->second.worth >= least)
        {
            bound = m_bounds.erase(bound);
        }
        else
        {
            least = bound->second.worth;
        }
    }
    // A bound at a shorter duration implies those above its line through zero, as F(t) / t never
    // rises
    for (auto bound = m_bounds.begin(); bound != m_bounds.end();)
    {
        const auto next = std::next(bound);
        if (next != m_bounds.end() &&
            next->second.worth >= Stretch(bound->second.worth, bound->first, next->first))
        {
            m_bounds.erase(next);
        }
        else
        {
            bound = next;
        }
    }
}

int64_t
EclipseSearch::Stretch(int64_t worth, int64_t shorter, int64_t steps)
{
    const SignedWide stretched = (SignedWide{worth} * steps + shorter - 1) / shorter;
    return static_cast<int64_t>(
        std::min(stretched, SignedWide{std::numeric_limits<int64_t>::max()}));
}

bool
EclipseSearch::IsBetter(int64_t worth, int64_t steps, int64_t other, int64_t otherSteps) const
{
    return SignedWide{worth} * (SignedWide{otherSteps} + m_delay) >
           SignedWide{other} * (SignedWide{steps} + m_delay);
}

} // namespace lightpath
} // namespace ns3
