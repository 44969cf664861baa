/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "sweep-grid.h"

#include "value-pattern.h"

#include <algorithm>
#include <set>
#include <stdexcept>

namespace ns3
{
namespace lightpath
{

std::vector<SweepGrid::Axis>
SweepGrid::ReadAxes(const std::vector<std::string>& words)
{
    std::vector<Axis> axes;
    for (const auto& word : words)
    {
        const SweepOption pattern = SweepOption::Read(word);
        auto axis = std::find_if(axes.begin(), axes.end(), [&pattern](const Axis& each) {
            return each.name == pattern.name && pattern.name != "attribute";
        });
        if (axis == axes.end())
        {
            axes.push_back({pattern.name, {}});
            axis = axes.end() - 1;
        }
        for (const auto& value : ValuePattern::Expand(pattern.value))
        {
            axis->options.push_back({pattern.name, value, pattern.hasValue});
        }
    }
    return axes;
}

SweepGrid::SweepGrid(const std::vector<std::string>& words, const std::vector<std::string>& common)
{
    auto own = ReadAxes(words);
    std::set<std::string> given;
    for (const auto& axis : own)
    {
        given.insert(axis.name);
    }
    for (const auto& axis : ReadAxes(common))
    {
        if (given.count(axis.name) == 0)
        {
            m_axes.push_back(axis);
            continue;
        }
        // All that the line gives take the place of the first common one
        const auto rest = std::stable_partition(own.begin(), own.end(), [&axis](const Axis& each) {
            return each.name == axis.name;
        });
        m_axes.insert(m_axes.end(), own.begin(), rest);
        own.erase(own.begin(), rest);
    }
    m_axes.insert(m_axes.end(), own.begin(), own.end());
    std::size_t runs = 1;
    for (const auto& axis : m_axes)
    {
        runs *= axis.options.size();
        if (runs > MOST_RUNS)
        {
            throw std::invalid_argument("A sweep has more than " + std::to_string(MOST_RUNS) +
                                        " runs: give shorter lists or ranges");
        }
    }
}

std::vector<std::string>
SweepGrid::GetNames() const
{
    std::vector<std::string> names;
    for (const auto& axis : m_axes)
    {
        if (std::find(names.begin(), names.end(), axis.name) == names.end())
        {
            names.push_back(axis.name);
        }
    }
    return names;
}

std::vector<SweepRun>
SweepGrid::GetRuns() const
{
    std::vector<std::vector<SweepOption>> runs{{}};
    for (const auto& axis : m_axes)
    {
        std::vector<std::vector<SweepOption>> longer;
        longer.reserve(runs.size() * axis.options.size());
        for (const auto& run : runs)
        {
            for (const auto& option : axis.options)
            {
                longer.push_back(run);
                longer.back().push_back(option);
            }
        }
        runs = longer;
    }
    std::vector<SweepRun> all;
    all.reserve(runs.size());
    for (const auto& run : runs)
    {
        all.emplace_back(run);
    }
    return all;
}

} // namespace lightpath
} // namespace ns3
