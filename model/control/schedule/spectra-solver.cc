/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "spectra-solver.h"

#include "heavy-scheduler.h"
#include "matching-slicer.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace lightpath
{

namespace
{

/**
 * @param matchings the matchings of a switch
 * @param delay the time before each of them
 * @return the time that they take
 */
int64_t
GetLoad(const std::vector<TimedMatching>& matchings, int64_t delay)
{
    int64_t load = 0;
    for (const TimedMatching& matching : matchings)
    {
        load += delay + matching.steps;
    }
    return load;
}

} // namespace

SpectraSolver::Switches
SpectraSolver::Solve(const ServiceTimeMatrix& times, uint32_t switches, int64_t delay)
{
    Switches few = Share(HeavyScheduler::Decompose(times), switches, delay);
    std::vector<TimedMatching> slices;
    MatchingSlicer slicer(times);
    slicer.SetThreshold(1);
    while (auto slice = slicer.Slice())
    {
        slices.push_back(std::move(*slice));
    }
    Switches many = Share(std::move(slices), switches, delay);
    return GetTime(few, delay) <= GetTime(many, delay) ? few : many;
}

SpectraSolver::Switches
SpectraSolver::Share(std::vector<TimedMatching> matchings, uint32_t switches, int64_t delay)
{
    std::stable_sort(matchings.begin(),
                     matchings.end(),
                     [](const TimedMatching& some, const TimedMatching& other) {
                         return some.steps > other.steps;
                     });
    Switches schedule(switches);
    std::vector<int64_t> loads(switches, 0);
    for (TimedMatching& matching : matchings)
    {
        const auto least = std::min_element(loads.begin(), loads.end());
        *least += delay + matching.steps;
        schedule[least - loads.begin()].push_back(std::move(matching));
    }
    Equalise(schedule, delay);
    return schedule;
}

void
SpectraSolver::Equalise(Switches& schedule, int64_t delay)
{
    while (true)
    {
        std::vector<int64_t> loads;
        for (const auto& matchings : schedule)
        {
            loads.push_back(GetLoad(matchings, delay));
        }
        const auto most = std::max_element(loads.begin(), loads.end());
        const auto least = std::min_element(loads.begin(), loads.end());
        const int64_t part = (*most - *least - delay) / 2;
        if (part <= 0)
        {
            return;
        }
        auto& from = schedule[most - loads.begin()];
        auto& to = schedule[least - loads.begin()];
        const auto longest =
            std::max_element(from.begin(), from.end(), [](const auto& some, const auto& other) {
                return some.steps < other.steps;
            });
        // All of a matching saves its delay, too
        to.push_back({longest->peers, std::min(part, longest->steps)});
        longest->steps -= to.back().steps;
        if (longest->steps == 0)
        {
            from.erase(longest);
        }
    }
}

int64_t
SpectraSolver::GetTime(const Switches& schedule, int64_t delay)
{
    int64_t time = 0;
    for (const auto& matchings : schedule)
    {
        time = std::max(time, GetLoad(matchings, delay));
    }
    return time;
}

int64_t
SpectraSolver::GetBound(const ServiceTimeMatrix& times, uint32_t switches, int64_t delay)
{
    const uint32_t n = times.GetSize();
    // Loads, and loads with a delay for each pair
    const int64_t load = times.GetMaxLineSum();
    int64_t most = load + (load > 0 ? delay * switches : 0);
    for (uint32_t device = 0; device < n; ++device)
    {
        int64_t sends = 0;
        int64_t receives = 0;
        for (uint32_t peer = 0; peer < n; ++peer)
        {
            const int64_t out = times.Get(device, peer);
            const int64_t in = times.Get(peer, device);
            sends += out + (out > 0 ? delay : 0);
            receives += in + (in > 0 ? delay : 0);
        }
        most = std::max({most, sends, receives});
    }
    return (most + switches - 1) / switches;
}

} // namespace lightpath
} // namespace ns3
