/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ring-prices.h"

#include <algorithm>

namespace ns3
{
namespace lightpath
{

namespace
{

/// How often prices are raised in one search.
constexpr uint32_t ROUNDS = 30;

/// By how much the price of the segment with the largest load is raised, before all are lowered.
constexpr double RAISE = 1.0;

/// What rounding may add to a sum of prices, relatively.
constexpr double ROUNDING = 1e-6;

} // namespace

RingPrices::RingPrices(const RingProblem& problem)
    : m_problem(problem)
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
    for (uint32_t round = 0; round < ROUNDS; ++round)
    {
        const double paid = Route(needs);
        const double all =
            (m_sums[0][m_problem.nodes] + m_sums[1][m_problem.nodes]) * m_problem.capacity;
        if (paid > all * (1 + ROUNDING))
        {
            return true;
        }
        Raise();
    }
    return false;
}

double
RingPrices::Route(const std::vector<uint64_t>& needs)
{
    const uint32_t nodes = m_problem.nodes;
    for (uint32_t d = 0; d < 2; ++d)
    {
        double sum = 0;
        for (uint32_t turn = 0; turn < 2; ++turn)
        {
            for (uint32_t segment = 0; segment < nodes; ++segment)
            {
                m_sums[d][turn * nodes + segment] = sum;
                sum += m_prices[d][segment];
            }
        }
        m_sums[d][2 * nodes] = sum;
        std::fill(m_loads[d].begin(), m_loads[d].end(), 0);
    }
    double paid = 0;
    for (uint32_t p = 0; p < m_problem.pairs.size(); ++p)
    {
        const std::array<RingArc, 2>& arcs = m_problem.pairs[p].arcs;
        const auto lanes = static_cast<double>(needs[p]);
        std::array<double, 2> price{};
        for (uint32_t d = 0; d < 2; ++d)
        {
            price[d] = m_sums[d][arcs[d].first + arcs[d].hops] - m_sums[d][arcs[d].first];
        }
        const uint32_t cheaper = !arcs[0].usable || (arcs[1].usable && price[1] < price[0]);
        paid += price[cheaper] * lanes;
        m_loads[cheaper][arcs[cheaper].first] += lanes;
        m_loads[cheaper][arcs[cheaper].first + arcs[cheaper].hops] -= lanes;
    }
    for (std::vector<double>& loads : m_loads)
    {
        double load = 0;
        for (double& change : loads)
        {
            load += change;
            change = load;
        }
        for (uint32_t segment = 0; segment < nodes; ++segment)
        {
            loads[segment] += loads[segment + nodes];
        }
    }
    return paid;
}

void
RingPrices::Raise()
{
    const uint32_t nodes = m_problem.nodes;
    double most = 0;
    for (const std::vector<double>& loads : m_loads)
    {
        most = std::max(most, *std::max_element(loads.begin(), loads.begin() + nodes));
    }
    const double base = 1 / (1 + RAISE);
    const double slope = RAISE * base / most;
    for (uint32_t d = 0; d < 2; ++d)
    {
        for (uint32_t segment = 0; segment < nodes; ++segment)
        {
            m_prices[d][segment] *= base + slope * m_loads[d][segment];
        }
    }
}

} // namespace lightpath
} // namespace ns3
