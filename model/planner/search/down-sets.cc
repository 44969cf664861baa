/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "down-sets.h"

#include <set>
#include <stdexcept>
#include <string>

namespace ns3
{
namespace lightpath
{

DownSets::DownSets(const StageGraph& graph, std::size_t limit)
{
    const std::size_t nodes = graph.GetNodes().size();
    std::vector<Set> before(nodes, Set(nodes));
    for (uint32_t node = 0; node < nodes; ++node)
    {
        for (const auto from : graph.GetPredecessors(node))
        {
            before[node].set(from);
        }
    }
    // The sets of each size are in ascending order
    std::set<Set> level{Set(nodes)};
    while (!level.empty())
    {
        std::set<Set> next;
        for (const auto& down : level)
        {
            m_sets.push_back(down);
            for (std::size_t node = 0; node < nodes; ++node)
            {
                if (!down[node] && before[node].is_subset_of(down))
                {
                    next.insert(Set(down).set(node));
                }
            }
            if (m_sets.size() + next.size() > limit)
            {
                throw std::invalid_argument(
                    "A graph of " + std::to_string(nodes) + " nodes has more than " +
                    std::to_string(limit) +
                    " sets of nodes that its first stages can be: nodes must be merged, or cut in "
                    "one order only, as in a chain");
            }
        }
        level.swap(next);
    }
}

const std::vector<DownSets::Set>&
DownSets::Get() const
{
    return m_sets;
}

} // namespace lightpath
} // namespace ns3
