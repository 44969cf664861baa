/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "node-line.h"

#include <algorithm>

namespace ns3
{
namespace lightpath
{

NodeLine::NodeLine(uint32_t reach)
    : m_reach(reach)
{
}

uint32_t
NodeLine::CountJobs(const std::vector<bool>& isFaulty, uint32_t jobNodes) const
{
    uint32_t jobs = 0;
    uint32_t healthy = 0;
    uint32_t skipped = 0;
    for (const bool isDown : isFaulty)
    {
        skipped = isDown ? skipped + 1 : 0;
        healthy = skipped == m_reach ? 0 : healthy + (isDown ? 0 : 1);
        if (healthy == jobNodes)
        {
            ++jobs;
            healthy = 0;
        }
    }
    return jobs;
}

JobDistribution
NodeLine::GetJobs(uint32_t nNodes, uint32_t jobNodes, double faulty) const
{
    // Probabilities by healthy nodes of an incomplete job, faulty ones behind them, and jobs.
    // Faulty nodes in front of a job do not count
    const std::size_t reach = m_reach;
    const std::size_t nJobs = nNodes / jobNodes + 1;
    const auto at = [reach, nJobs](std::size_t healthy, std::size_t skipped, std::size_t jobs) {
        return (healthy * reach + skipped) * nJobs + jobs;
    };
    std::vector<double> now(jobNodes * reach * nJobs);
    std::vector<double> next(now.size());
    now[at(0, 0, 0)] = 1;
    for (uint32_t node = 0; node < nNodes; ++node)
    {
        std::fill(next.begin(), next.end(), 0);
        for (std::size_t healthy = 0; healthy < jobNodes; ++healthy)
        {
            for (std::size_t skipped = 0; skipped < (healthy == 0 ? 1 : reach); ++skipped)
            {
                const bool isDivided = healthy == 0 || skipped + 1 == reach;
                const bool isComplete = healthy + 1 == jobNodes;
                for (std::size_t jobs = 0; jobs <= node / jobNodes; ++jobs)
                {
                    const double share = now[at(healthy, skipped, jobs)];
                    const auto down = isDivided ? at(0, 0, jobs) : at(healthy, skipped + 1, jobs);
                    const auto up = isComplete ? at(0, 0, jobs + 1) : at(healthy + 1, 0, jobs);
                    next[down] += share * faulty;
                    // The last entry of a full line has no successor, and no weight either
                    if (share > 0)
                    {
                        next[up] += share * (1 - faulty);
                    }
                }
            }
        }
        now.swap(next);
    }
    JobDistribution distribution;
    for (std::size_t state = 0; state < now.size(); ++state)
    {
        distribution.Add(static_cast<uint32_t>(state % nJobs), now[state]);
    }
    return distribution;
}

} // namespace lightpath
} // namespace ns3
