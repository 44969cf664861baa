/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "switched-groups.h"

#include <algorithm>

namespace ns3
{
namespace lightpath
{

SwitchedGroups::SwitchedGroups(uint32_t groupNodes)
    : m_groupNodes(groupNodes)
{
}

uint32_t
SwitchedGroups::CountJobs(const std::vector<bool>& isFaulty, uint32_t jobNodes) const
{
    const std::size_t group = m_groupNodes == JOB ? jobNodes : m_groupNodes;
    uint32_t jobs = 0;
    for (std::size_t first = 0; first < isFaulty.size(); first += group)
    {
        const auto begin = isFaulty.begin() + static_cast<std::ptrdiff_t>(first);
        const auto length = std::min(group, isFaulty.size() - first);
        const auto healthy = std::count(begin, begin + static_cast<std::ptrdiff_t>(length), false);
        jobs += static_cast<uint32_t>(healthy) / jobNodes;
    }
    return jobs;
}

JobDistribution
SwitchedGroups::GetJobs(uint32_t nNodes, uint32_t jobNodes, double faulty) const
{
    const uint32_t group = m_groupNodes == JOB ? jobNodes : m_groupNodes;
    JobDistribution all;
    all.Add(0, 1);
    for (uint32_t left = nNodes; left > 0;)
    {
        const uint32_t size = std::min(group, left);
        JobDistribution one;
        for (uint32_t down = 0; down <= size; ++down)
        {
            one.Add((size - down) / jobNodes, GetBinomial(size, down, faulty));
        }
        all = all.Join(one);
        left -= size;
    }
    return all;
}

} // namespace lightpath
} // namespace ns3
