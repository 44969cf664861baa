/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ring-prices.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace ns3
{
namespace lightpath
{

namespace
{

/// How often prices are raised in one search.
constexpr uint32_t ROUNDS = 30;

/// How often they are raised in a thorough search, at most.
constexpr uint32_t MOST_ROUNDS = 2000;

/// How many pairs may be routed for one share in a thorough search.
constexpr uint64_t THOROUGH_EFFORT = 1000000;

/// Above this price the pairs pay more than all lanes cost, whatever rounding has added.
constexpr double EXCESS = 1 + 1e-9;

/// The price that each step is made for.
constexpr double AIM = 1 + 1e-4;

/// Below this square sum of lanes beyond the room no direction leads to better prices.
constexpr double LEAST_LENGTH = 1e-9;

/// How much of the last direction is kept where the new one leads back.
constexpr double DEFLECTION = 1.5;

} // namespace

RingPrices::RingPrices(const RingProblem& problem)
    : m_problem(problem),
      m_rounds(ROUNDS)
{
    for (uint32_t d = 0; d < 2; ++d)
    {
        m_prices[d].assign(problem.inUse[d].begin(), problem.inUse[d].end());
        m_sums[d].resize(2 * problem.nodes + 1);
        m_loads[d].resize(2 * problem.nodes + 1);
    }
}

bool
RingPrices::Refute(const std::vector<uint64_t>& needs)
{
    // Prices that have refuted other needs often refute these too
    if (std::any_of(m_proofs.begin(), m_proofs.end(), [&](const Prices& prices) {
            return Route(prices, needs) > EXCESS;
        }))
    {
        return true;
    }
    for (std::vector<double>& direction : m_direction)
    {
        direction.assign(m_problem.nodes, 0);
    }
    for (uint32_t round = 0; round < m_rounds; ++round)
    {
        const double ratio = Route(m_prices, needs);
        if (ratio > EXCESS)
        {
            m_proofs.push_back(m_prices);
            return true;
        }
        if (!Raise(ratio))
        {
            return false;
        }
    }
    return false;
}

void
RingPrices::BeThorough()
{
    const uint64_t pairs = std::max<uint64_t>(m_problem.pairs.size(), 1);
    const uint64_t affordable = std::min<uint64_t>(THOROUGH_EFFORT / pairs, MOST_ROUNDS);
    m_rounds = std::max(ROUNDS, static_cast<uint32_t>(affordable));
}

double
RingPrices::Route(const Prices& prices, const std::vector<uint64_t>& needs)
{
    const uint32_t nodes = m_problem.nodes;
    for (uint32_t d = 0; d < 2; ++d)
    {
        for (uint32_t i = 0; i < 2 * nodes; ++i)
        {
            m_sums[d][i + 1] = m_sums[d][i] + prices[d][i < nodes ? i : i - nodes];
        }
        std::fill(m_loads[d].begin(), m_loads[d].end(), 0);
    }
    // Loads are noted as changes at the ends of arcs, which Raise() sums up
    double paid = 0;
    for (uint32_t p = 0; p < needs.size(); ++p)
    {
        const std::array<RingArc, 2>& arcs = m_problem.pairs[p].arcs;
        std::array<double, 2> price{};
        for (uint32_t d = 0; d < 2; ++d)
        {
            price[d] = m_sums[d][arcs[d].first + arcs[d].hops] - m_sums[d][arcs[d].first];
        }
        const bool cheaper = !arcs[0].usable || (arcs[1].usable && price[1] < price[0]);
        const auto put = [&](bool d, uint64_t lanes) {
            paid += price[d] * static_cast<double>(lanes);
            m_loads[d][arcs[d].first] += static_cast<double>(lanes);
            m_loads[d][arcs[d].first + arcs[d].hops] -= static_cast<double>(lanes);
        };
        const uint64_t most = std::min<uint64_t>(needs[p], arcs[cheaper].lanes);
        put(cheaper, most);
        if (most < needs[p])
        {
            put(!cheaper, needs[p] - most);
        }
    }
    m_all = m_sums[0][nodes] * m_problem.room[0] + m_sums[1][nodes] * m_problem.room[1];
    return m_all > 0 ? paid / m_all : paid > 0 ? std::numeric_limits<double>::infinity() : 0;
}

bool
RingPrices::Raise(double ratio)
{
    const uint32_t nodes = m_problem.nodes;
    double length = 0;
    double product = 0;
    for (uint32_t d = 0; d < 2; ++d)
    {
        std::vector<double>& loads = m_loads[d];
        std::partial_sum(loads.begin(), loads.end(), loads.begin());
        for (uint32_t segment = 0; segment < nodes; ++segment)
        {
            loads[segment] += loads[segment + nodes];
            loads[segment] -= m_problem.inUse[d][segment] ? ratio * m_problem.room[d] : 0;
            const double last = m_direction[d][segment];
            product += loads[segment] * last;
            length += last * last;
        }
    }
    // Turn steps that would lead back, so that prices do not swing to and fro
    const double kept = product < 0 ? -DEFLECTION * product / length : 0;
    length = 0;
    for (uint32_t d = 0; d < 2; ++d)
    {
        for (uint32_t segment = 0; segment < nodes; ++segment)
        {
            const double direction = m_loads[d][segment] + kept * m_direction[d][segment];
            // Prices of 0 are not lowered
            const bool isFree = m_prices[d][segment] > 0 || direction > 0;
            m_direction[d][segment] = isFree ? direction : 0;
            length += isFree ? direction * direction : 0;
        }
    }
    if (length < LEAST_LENGTH || m_all == 0)
    {
        return false;
    }
    const double step = (AIM - ratio) * m_all / length;
    for (uint32_t d = 0; d < 2; ++d)
    {
        for (uint32_t segment = 0; segment < nodes; ++segment)
        {
            double& price = m_prices[d][segment];
            price = std::max(0.0, price + step * m_direction[d][segment]) / m_all;
        }
    }
    return true;
}

} // namespace lightpath
} // namespace ns3
