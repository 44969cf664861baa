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

/// How often prices are raised in one search, at least.
constexpr uint32_t ROUNDS = 30;

/// How often they are raised in a thorough search, at most.
constexpr uint32_t MOST_ROUNDS = 400;

/// How many pairs may be routed for one share in a thorough search.
constexpr uint64_t THOROUGH_EFFORT = 400000;

/// By how much the price of the segment with the largest load is raised, before all are lowered.
constexpr double RAISE = 1.0;

/// What rounding may add to a sum of prices, relatively.
constexpr double ROUNDING = 1e-9;

/// Entries of tableaus that may be computed at first.
constexpr uint64_t EFFORT = 1200000;

/// Entries of tableaus that may be computed in thorough searches.
constexpr uint64_t THOROUGH_ENTRIES = 6000000;

} // namespace

RingPrices::RingPrices(const RingProblem& problem)
    : m_problem(problem),
      m_relaxation(problem),
      m_effort(EFFORT),
      m_rounds(ROUNDS)
{
    for (uint32_t d = 0; d < 2; ++d)
    {
        m_prices[d].assign(problem.inUse[d].begin(), problem.inUse[d].end());
        m_sums[d].resize(2 * problem.nodes + 1);
        m_loads[d].resize(2 * problem.nodes + 1);
    }
    FindProof();
}

bool
RingPrices::Refute(const std::vector<uint64_t>& needs)
{
    for (const Prices& proof : m_proofs)
    {
        if (Exceed(proof, needs))
        {
            return true;
        }
    }
    for (uint32_t round = 0; round < m_rounds; ++round)
    {
        if (Exceed(m_prices, needs))
        {
            return true;
        }
        Raise(round);
    }
    Prices prices;
    if (m_relaxation.FindPrices(needs, m_effort, prices) && Exceed(prices, needs))
    {
        m_proofs.push_back(prices);
        return true;
    }
    return false;
}

void
RingPrices::BeThorough()
{
    m_effort = THOROUGH_ENTRIES;
    if (!m_isOptimal)
    {
        FindProof();
    }
    const uint64_t pairs = std::max<uint64_t>(m_problem.pairs.size(), 1);
    const uint64_t affordable = std::min<uint64_t>(THOROUGH_EFFORT / pairs, MOST_ROUNDS);
    m_rounds = m_isOptimal ? ROUNDS : std::max(ROUNDS, static_cast<uint32_t>(affordable));
}

void
RingPrices::FindProof()
{
    Prices prices;
    if (m_relaxation.FindPrices(m_problem.GetDemands(), m_effort, prices))
    {
        m_proofs.push_back(prices);
        m_isOptimal = m_relaxation.IsOptimal();
    }
}

bool
RingPrices::Exceed(const Prices& prices, const std::vector<uint64_t>& needs)
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
                sum += prices[d][segment];
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
        const double most = std::min(lanes, static_cast<double>(arcs[cheaper].lanes));
        paid += price[cheaper] * most;
        m_loads[cheaper][arcs[cheaper].first] += most;
        m_loads[cheaper][arcs[cheaper].first + arcs[cheaper].hops] -= most;
        if (most < lanes)
        {
            paid += price[!cheaper] * (lanes - most);
            m_loads[!cheaper][arcs[!cheaper].first] += lanes - most;
            m_loads[!cheaper][arcs[!cheaper].first + arcs[!cheaper].hops] -= lanes - most;
        }
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
    const double all = m_sums[0][nodes] * m_problem.room[0] + m_sums[1][nodes] * m_problem.room[1];
    return paid > all * (1 + ROUNDING);
}

void
RingPrices::Raise(uint32_t round)
{
    const uint32_t nodes = m_problem.nodes;
    double most = 0;
    for (const std::vector<double>& loads : m_loads)
    {
        most = std::max(most, *std::max_element(loads.begin(), loads.begin() + nodes));
    }
    if (most == 0)
    {
        return;
    }
    const double raise = round < ROUNDS ? RAISE : RAISE * ROUNDS / round;
    const double base = 1 / (1 + raise);
    const double slope = raise * base / most;
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
