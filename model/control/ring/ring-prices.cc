/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ring-prices.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

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

/// Rounds after which their gain is assessed.
constexpr uint32_t LOOK = 5;

/// Above this ratio the pairs pay more than all lanes cost, whatever rounding has added.
constexpr double EXCESS = 1 + 1e-9;

/// Entries of tableaus that may be computed at first.
constexpr uint64_t PRICING_EFFORT = 1200000;

/// Entries of tableaus that may be computed in thorough searches.
constexpr uint64_t THOROUGH_ENTRIES = 6000000;

/**
 * @param paid the price that pairs pay
 * @param all the price of all lanes
 * @return the one relative to the other
 */
double
GetRatio(double paid, double all)
{
    return all > 0 ? paid / all : paid > 0 ? std::numeric_limits<double>::infinity() : 0;
}

} // namespace

RingPrices::RingPrices(const RingProblem& problem)
    : m_problem(problem),
      m_relaxation(problem),
      m_effort(PRICING_EFFORT),
      m_rounds(ROUNDS)
{
    for (uint32_t d = 0; d < 2; ++d)
    {
        m_prices[d].assign(problem.inUse[d].begin(), problem.inUse[d].end());
        m_sums[d].resize(2 * problem.nodes + 1);
        m_loads[d].resize(2 * problem.nodes + 1);
    }
    m_ways.reserve(problem.pairs.size());
    for (const RingPair& pair : problem.pairs)
    {
        const auto [a, b] = pair.arcs;
        m_ways.push_back({{a.first, b.first},
                          {a.first + a.hops, b.first + b.hops},
                          {a.lanes, b.lanes},
                          {a.usable, b.usable}});
    }
    FindProof();
}

bool
RingPrices::RefuteAgain(const std::vector<uint64_t>& needs)
{
    return std::any_of(m_proofs.begin(), m_proofs.end(), [&](const Proof& proof) {
        return GetPaid(proof, needs) > EXCESS;
    });
}

bool
RingPrices::Refute(const std::vector<uint64_t>& needs)
{
    // Prices that have refuted other needs often refute these too, and cost little to try
    if (RefuteAgain(needs) || Approach(needs))
    {
        return true;
    }
    Prices prices;
    if (!m_relaxation.FindPrices(needs, m_effort, prices))
    {
        return false;
    }
    Proof proof = MakeProof(prices);
    if (GetPaid(proof, needs) > EXCESS)
    {
        m_proofs.push_back(std::move(proof));
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
        m_proofs.push_back(MakeProof(prices));
        m_isOptimal = m_relaxation.IsOptimal();
    }
}

bool
RingPrices::Approach(const std::vector<uint64_t>& needs)
{
    double most = 0;
    double before = 0;
    for (uint32_t round = 0; round < m_rounds; ++round)
    {
        most = std::max(most, Route(needs));
        if (most > EXCESS)
        {
            return true;
        }
        if (round % LOOK == LOOK - 1)
        {
            // Later rounds gain less than earlier ones
            if ((most - before) * (m_rounds - round) < (EXCESS - most) * LOOK)
            {
                return false;
            }
            before = most;
        }
        Raise(round);
    }
    return false;
}

RingPrices::Proof
RingPrices::MakeProof(const Prices& prices)
{
    SumUp(prices);
    Proof proof;
    proof.fares.reserve(m_ways.size());
    for (const Ways& ways : m_ways)
    {
        uint32_t cheaper = 0;
        proof.fares.push_back(GetFare(ways, cheaper));
    }
    proof.all = GetTotal();
    return proof;
}

double
RingPrices::GetPaid(const Proof& proof, const std::vector<uint64_t>& needs)
{
    double paid = 0;
    for (uint32_t p = 0; p < proof.fares.size(); ++p)
    {
        const Fare& fare = proof.fares[p];
        const auto lanes = static_cast<double>(needs[p]);
        const double most = std::min(lanes, fare.lanes);
        paid += fare.cheaper * most;
        if (most < lanes)
        {
            paid += fare.other * (lanes - most);
        }
    }
    return GetRatio(paid, proof.all);
}

void
RingPrices::SumUp(const Prices& prices)
{
    // Sums of prices below each segment, over two turns
    const uint32_t nodes = m_problem.nodes;
    std::array<double, 2> sum{};
    for (uint32_t turn = 0; turn < 2; ++turn)
    {
        for (uint32_t segment = 0; segment < nodes; ++segment)
        {
            // Both directions at once, since each addition waits for the one before
            for (uint32_t d = 0; d < 2; ++d)
            {
                m_sums[d][turn * nodes + segment] = sum[d];
                sum[d] += prices[d][segment];
            }
        }
    }
    m_sums[0][2 * nodes] = sum[0];
    m_sums[1][2 * nodes] = sum[1];
}

RingPrices::Fare
RingPrices::GetFare(const Ways& ways, uint32_t& direction) const
{
    std::array<double, 2> price{};
    for (uint32_t d = 0; d < 2; ++d)
    {
        price[d] = m_sums[d][ways.end[d]] - m_sums[d][ways.first[d]];
    }
    direction = !ways.usable[0] || (ways.usable[1] && price[1] < price[0]);
    return {price[direction], price[!direction], static_cast<double>(ways.lanes[direction])};
}

double
RingPrices::GetTotal() const
{
    const uint32_t nodes = m_problem.nodes;
    return m_sums[0][nodes] * m_problem.room[0] + m_sums[1][nodes] * m_problem.room[1];
}

double
RingPrices::Route(const std::vector<uint64_t>& needs)
{
    SumUp(m_prices);
    for (std::vector<double>& loads : m_loads)
    {
        std::fill(loads.begin(), loads.end(), 0);
    }
    // Each pair takes its cheaper arc, as far as it has lanes, and the other one for the rest;
    // loads are noted as changes at the ends of arcs, which Raise() sums up
    double paid = 0;
    for (uint32_t p = 0; p < m_ways.size(); ++p)
    {
        const Ways& ways = m_ways[p];
        uint32_t cheaper = 0;
        const Fare fare = GetFare(ways, cheaper);
        const auto lanes = static_cast<double>(needs[p]);
        const double most = std::min(lanes, fare.lanes);
        paid += fare.cheaper * most;
        m_loads[cheaper][ways.first[cheaper]] += most;
        m_loads[cheaper][ways.end[cheaper]] -= most;
        if (most < lanes)
        {
            paid += fare.other * (lanes - most);
            m_loads[!cheaper][ways.first[!cheaper]] += lanes - most;
            m_loads[!cheaper][ways.end[!cheaper]] -= lanes - most;
        }
    }
    return GetRatio(paid, GetTotal());
}

void
RingPrices::Raise(uint32_t round)
{
    const uint32_t nodes = m_problem.nodes;
    double most = 0;
    for (std::vector<double>& loads : m_loads)
    {
        std::partial_sum(loads.begin(), loads.end(), loads.begin());
        for (uint32_t segment = 0; segment < nodes; ++segment)
        {
            loads[segment] += loads[segment + nodes];
        }
        most = std::max(most, *std::max_element(loads.begin(), loads.begin() + nodes));
    }
    if (most == 0)
    {
        return;
    }
    const double raise = round < ROUNDS ? RAISE : RAISE * ROUNDS / round;
    // Prices of full segments rise and those of empty ones fall (multiplicative weights); steps
    // become smaller in later rounds so that the prices settle
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
