/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "expert-load.h"

#include "ns3/rng-stream.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace ns3
{
namespace lightpath
{

namespace
{

constexpr double MOST_SPREAD = 10; //!< Largest spread of a distribution

/**
 * Limit loads, and give what exceeds the limit to others in proportion to their loads.
 *
 * @param most the largest load, at least the mean
 * @param [in,out] loads the loads
 */
void
Limit(double most, std::vector<double>& loads)
{
    std::vector<bool> isFull(loads.size(), false);
    for (bool isOver = true; isOver;)
    {
        isOver = false;
        double excess = 0;
        double free = 0;
        for (std::size_t i = 0; i < loads.size(); ++i)
        {
            if (loads[i] > most)
            {
                excess += loads[i] - most;
                loads[i] = most;
                isFull[i] = true;
                isOver = true;
            }
            free += isFull[i] ? 0 : loads[i];
        }
        for (std::size_t i = 0; i < loads.size() && free > 0; ++i)
        {
            loads[i] *= isFull[i] ? 1 : 1 + excess / free;
        }
    }
}

} // namespace

ExpertLoad
ExpertLoad::Parse(const std::string& text)
{
    ExpertLoad load;
    if (text == "even")
    {
        return load;
    }
    const std::size_t colon = text.find(':');
    const std::string name = text.substr(0, colon);
    std::istringstream number(colon == std::string::npos ? "" : text.substr(colon + 1));
    if ((name != "zipf" && name != "log-normal") || !(number >> load.spread) || !number.eof())
    {
        throw std::invalid_argument("The load of experts cannot be '" + text +
                                    "': it is even, or zipf or log-normal with a number behind a "
                                    "colon, like zipf:1.2");
    }
    load.distribution = name == "zipf" ? LoadDistribution::ZIPF : LoadDistribution::LOG_NORMAL;
    load.Check();
    return load;
}

void
ExpertLoad::Check() const
{
    const auto check = [](const std::string& name, double value, double most) {
        if (!(value >= 0 && value <= most))
        {
            std::ostringstream sentence;
            sentence << "The " << name << " cannot be " << value << ": it must be from 0 to "
                     << most;
            throw std::invalid_argument(sentence.str());
        }
    };
    check("spread of the load of experts", spread, MOST_SPREAD);
    check("correlation of the load of experts", correlation, 1);
    check("capacity of an expert", capacity, 1e6);
}

bool
ExpertLoad::IsEven() const
{
    return !IsDrawn() && !(capacity > 0 && capacity < 1);
}

bool
ExpertLoad::IsDrawn() const
{
    return distribution != LoadDistribution::EVEN;
}

ExpertLoad::Loads
ExpertLoad::Get(const RoutedLayer& layer, const std::vector<double>& scores, uint32_t ranks) const
{
    const uint32_t n = layer.experts;
    std::vector<double> loads(n, 1);
    if (distribution == LoadDistribution::ZIPF)
    {
        std::vector<uint32_t> order(n);
        std::iota(order.begin(), order.end(), 0);
        std::stable_sort(order.begin(), order.end(), [&scores](uint32_t a, uint32_t b) {
            return scores[a] > scores[b];
        });
        for (uint32_t i = 0; i < n; ++i)
        {
            loads[order[i]] = std::pow(i + 1, -spread);
        }
    }
    for (uint32_t i = 0; i < n && distribution == LoadDistribution::LOG_NORMAL; ++i)
    {
        loads[i] = std::exp(spread * scores[i]);
    }
    const double sum = std::accumulate(loads.begin(), loads.end(), 0.0);
    for (auto& load : loads)
    {
        load *= n / sum;
    }
    Limit(static_cast<double>(n) / std::max(layer.perToken, 1U), loads);
    // Each rank has as many successive experts
    std::vector<double> ofRanks(ranks, 0);
    for (uint32_t i = 0; i < n; ++i)
    {
        const double kept = capacity > 0 ? std::min(loads[i], capacity) : loads[i];
        ofRanks[i / (n / ranks)] += kept * ranks / n;
    }
    return std::make_shared<std::vector<double>>(std::move(ofRanks));
}

std::vector<ExpertLoad::Loads>
ExpertLoad::Draw(const RoutedLayer& layer, uint32_t ranks) const
{
    constexpr uint32_t LEAST_DRAWS = 101;
    constexpr uint32_t MOST_DRAWS = 1001;
    constexpr uint32_t SCORES = 20000;
    constexpr double TURN = 6.283185307179586; // 2 pi
    // Its own numbers, so that a plan does not depend on those of a simulation
    RngStream random(1, 0, 0);
    std::vector<Loads> draws(
        IsDrawn() ? std::clamp(SCORES / std::max(layer.experts, 1U), LEAST_DRAWS, MOST_DRAWS) : 1);
    std::vector<double> scores(layer.experts);
    for (auto& draw : draws)
    {
        for (auto& score : scores)
        {
            // Normal numbers from uniform ones (Box and Muller 1958)
            const double radius = std::sqrt(-2 * std::log(random.RandU01()));
            score = radius * std::cos(TURN * random.RandU01());
        }
        draw = Get(layer, scores, ranks);
    }
    return draws;
}

std::vector<ExpertLoad::Loads>
ExpertLoad::GetTypical(const RoutedLayer& layer, uint32_t ranks) const
{
    std::vector<Loads> draws = Draw(layer, ranks);
    std::vector<std::pair<double, Loads>> byMost;
    double mean = 0;
    for (const auto& draw : draws)
    {
        byMost.emplace_back(*std::max_element(draw->begin(), draw->end()), draw);
        mean += byMost.back().first / static_cast<double>(draws.size());
    }
    // The busiest rank decides how long a layer takes
    std::stable_sort(byMost.begin(), byMost.end(), [mean](const auto& a, const auto& b) {
        return std::abs(a.first - mean) < std::abs(b.first - mean);
    });
    draws.resize(draws.size() / 2 + 1);
    for (std::size_t i = 0; i < draws.size(); ++i)
    {
        draws[i] = byMost[i].second;
    }
    return draws;
}

double
ExpertLoad::GetKept(const RoutedLayer& layer) const
{
    double kept = capacity > 0 ? 0 : 1;
    const std::vector<Loads> draws = capacity > 0 ? Draw(layer, 1) : std::vector<Loads>();
    for (const auto& draw : draws)
    {
        kept += draw->front() / static_cast<double>(draws.size());
    }
    return kept;
}

void
ExpertLoad::Apply(const Loads& loads, uint32_t position, Task& task)
{
    if (task.group == EXPERT_GROUP && task.options.routing)
    {
        auto routing = std::make_shared<TokenRouting>(*task.options.routing);
        routing->loads = *loads;
        task.options.routing = std::move(routing);
        return;
    }
    const double load = (*loads)[position];
    task.seconds *= load;
    task.bytes = static_cast<uint64_t>(std::llround(load * static_cast<double>(task.bytes)));
}

} // namespace lightpath
} // namespace ns3
