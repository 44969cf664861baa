/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "switched-cubes.h"

#include <algorithm>
#include <cmath>

namespace ns3
{
namespace lightpath
{

SwitchedCubes::SwitchedCubes(uint32_t cubeNodes)
    : m_cubeNodes(cubeNodes)
{
}

uint32_t
SwitchedCubes::CountJobs(const std::vector<bool>& isFaulty, uint32_t jobNodes) const
{
    uint32_t cubes = 0;
    for (std::size_t end = m_cubeNodes; end <= isFaulty.size(); end += m_cubeNodes)
    {
        const auto last = isFaulty.begin() + static_cast<std::ptrdiff_t>(end);
        const auto first = last - static_cast<std::ptrdiff_t>(m_cubeNodes);
        cubes += std::find(first, last, true) == last ? 1 : 0;
    }
    return FitJobs(cubes, jobNodes);
}

JobDistribution
SwitchedCubes::GetJobs(uint32_t nNodes, uint32_t jobNodes, double faulty) const
{
    const uint32_t nCubes = nNodes / m_cubeNodes;
    const double healthy = std::pow(1 - faulty, m_cubeNodes);
    JobDistribution jobs;
    for (uint32_t cubes = 0; cubes <= nCubes; ++cubes)
    {
        jobs.Add(FitJobs(cubes, jobNodes), GetBinomial(nCubes, cubes, healthy));
    }
    return jobs;
}

uint32_t
SwitchedCubes::FitJobs(uint32_t cubes, uint32_t jobNodes) const
{
    return jobNodes < m_cubeNodes ? cubes * (m_cubeNodes / jobNodes)
                                  : cubes / ((jobNodes + m_cubeNodes - 1) / m_cubeNodes);
}

} // namespace lightpath
} // namespace ns3
