/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collective-table.h"

#include "model/collective/algorithm-table.h"
#include "option-values.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <stdexcept>
#include <vector>

using namespace ns3::lightpath;

namespace
{

/// The columns that are read.
const std::array<std::string, 6> COLUMNS{"collective",
                                         "group",
                                         "placement",
                                         "fabric",
                                         "bytes",
                                         "ms"};

/**
 * @param text a number
 * @return the number; std::invalid_argument for any other text
 */
double
ParsePositive(const std::string& text)
{
    std::size_t end = 0;
    const double value = std::stod(text, &end);
    if (end != text.size() || !(value > 0))
    {
        throw std::invalid_argument(text);
    }
    return value;
}

} // namespace

CollectiveTable::CollectiveTable(const std::string& name, const std::string& fabric)
    : m_name(name),
      m_fabric(fabric)
{
    std::ifstream file(name);
    if (!file)
    {
        throw std::invalid_argument("The file '" + name + "' cannot be read");
    }
    std::string line;
    std::getline(file, line);
    const std::vector<std::string> heads = SplitList(line);
    std::array<std::size_t, COLUMNS.size()> places{};
    for (std::size_t i = 0; i < COLUMNS.size(); ++i)
    {
        places[i] = std::find(heads.begin(), heads.end(), COLUMNS[i]) - heads.begin();
        if (places[i] == heads.size())
        {
            throw std::invalid_argument(
                "The file '" + name + "' has no column '" + COLUMNS[i] +
                "': it must be a table that lightpath-serving --out writes");
        }
    }
    for (uint64_t number = 2; std::getline(file, line); ++number)
    {
        const std::vector<std::string> words = SplitList(line);
        try
        {
            if (words.at(places[3]) == fabric)
            {
                const Key key{words.at(places[0]),
                              static_cast<uint32_t>(ParsePositive(words.at(places[1]))),
                              words.at(places[2])};
                const auto bytes = static_cast<uint64_t>(ParsePositive(words.at(places[4])));
                m_curves[key][bytes] = ParsePositive(words.at(places[5]));
            }
        }
        catch (const std::logic_error&)
        {
            throw std::invalid_argument("The file '" + name + "' has no operation in line " +
                                        std::to_string(number) + ": '" + line + "'");
        }
    }
    if (m_curves.empty())
    {
        throw std::invalid_argument("The file '" + name + "' has no rows of the fabric '" + fabric +
                                    "'");
    }
}

double
CollectiveTable::GetSeconds(const TrainingPlan& plan, uint32_t rank) const
{
    double milliseconds = 0;
    for (const auto& task : plan.programs[rank]->GetTasks())
    {
        const auto& members = plan.groups[task.group].GetMembers(rank);
        if (task.kind != TaskKind::COLLECTIVE || task.bytes == 0 || members.size() < 2)
        {
            continue;
        }
        const auto size = static_cast<uint32_t>(members.size());
        const bool isPacked = members.back() - members.front() + 1 == size;
        const auto& names = AlgorithmTable::GetKindNames();
        milliseconds += GetMilliseconds({names[static_cast<std::size_t>(task.collective)],
                                         size,
                                         isPacked ? "packed" : "spread"},
                                        task.bytes);
    }
    return milliseconds / 1000;
}

double
CollectiveTable::GetMilliseconds(const Key& key, uint64_t bytes) const
{
    const auto& [collective, group, placement] = key;
    const auto found = m_curves.find(key);
    const std::string operation = collective + " of " + std::to_string(group) + " GPUs, " +
                                  placement + ", on the fabric '" + m_fabric + "'";
    if (found == m_curves.end())
    {
        throw std::invalid_argument("The file '" + m_name + "' has no " + operation);
    }
    const auto& curve = found->second;
    const auto next = curve.lower_bound(bytes);
    if (next == curve.end())
    {
        throw std::invalid_argument("The file '" + m_name + "' has no " + operation + " from " +
                                    std::to_string(bytes) + " bytes on: use a larger --maxBytes");
    }
    if (next == curve.begin() || next->first == bytes)
    {
        return next->second;
    }
    const auto last = std::prev(next);
    const double share = static_cast<double>(bytes - last->first) / (next->first - last->first);
    return last->second + share * (next->second - last->second);
}
