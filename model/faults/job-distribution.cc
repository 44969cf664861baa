/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "job-distribution.h"

#include <algorithm>
#include <numeric>

namespace ns3
{
namespace lightpath
{

void
JobDistribution::Add(uint32_t jobs, double weight)
{
    m_weights.resize(std::max<std::size_t>(m_weights.size(), jobs + std::size_t(1)));
    m_weights[jobs] += weight;
}

JobDistribution
JobDistribution::Join(const JobDistribution& other) const
{
    JobDistribution both;
    for (uint32_t i = 0; i < m_weights.size(); ++i)
    {
        for (uint32_t j = 0; j < other.m_weights.size(); ++j)
        {
            both.Add(i + j, m_weights[i] * other.m_weights[j]);
        }
    }
    return both;
}

double
JobDistribution::GetMean() const
{
    double sum = 0;
    for (std::size_t jobs = 0; jobs < m_weights.size(); ++jobs)
    {
        sum += static_cast<double>(jobs) * m_weights[jobs];
    }
    const double total = GetTotal();
    return total > 0 ? sum / total : 0;
}

uint32_t
JobDistribution::GetGuaranteed(double probability) const
{
    // A certainty is summed up to a little less than 1
    constexpr double rounding = 1e-9;
    const double wanted = probability * GetTotal() * (1 - rounding);
    double sum = 0;
    for (std::size_t jobs = m_weights.size(); jobs > 0; --jobs)
    {
        sum += m_weights[jobs - 1];
        if (sum >= wanted)
        {
            return static_cast<uint32_t>(jobs - 1);
        }
    }
    return 0;
}

double
JobDistribution::GetTotal() const
{
    return std::accumulate(m_weights.begin(), m_weights.end(), 0.0);
}

} // namespace lightpath
} // namespace ns3
