/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "communicators.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace ns3
{
namespace lightpath
{

Communicators::Communicators(uint32_t nRanks)
    : m_nRanks(nRanks)
{
}

std::map<std::string, std::vector<uint32_t>>
Communicators::Read(std::istream& is, const std::string& name)
{
    const auto refuse = [&name](const std::string& reason) {
        throw std::invalid_argument(name + " " + reason +
                                    ": name groups and their ranks, as in {\"0\": [0, 1]}");
    };
    const auto json = nlohmann::json::parse(is, nullptr, false);
    if (!json.is_object())
    {
        refuse(json.is_discarded() ? "is no JSON" : "is no object of JSON");
    }
    std::map<std::string, std::vector<uint32_t>> groups;
    for (const auto& [group, members] : json.items())
    {
        if (!members.is_array() || members.empty())
        {
            refuse("gives group '" + group + "' no list of ranks");
        }
        for (const auto& member : members)
        {
            if (!member.is_number_unsigned() || member.get<uint64_t>() >= UINT32_MAX)
            {
                refuse("gives group '" + group + "' a member that is not a rank");
            }
            groups[group].push_back(member.get<uint32_t>());
        }
    }
    return groups;
}

uint32_t
Communicators::GetNRanks() const
{
    return m_nRanks;
}

uint32_t
Communicators::Add(const std::vector<uint32_t>& members, std::optional<uint32_t> kind)
{
    const auto [found, isNew] =
        m_numbers.try_emplace({kind.value_or(MOST_GROUP_KINDS), members}, GetNCommunicators());
    if (isNew)
    {
        auto sorted = members;
        std::sort(sorted.begin(), sorted.end());
        const auto twin = std::adjacent_find(sorted.begin(), sorted.end());
        if (twin != sorted.end() || sorted.back() >= m_nRanks)
        {
            m_numbers.erase(found);
            throw std::invalid_argument(twin != sorted.end()
                                            ? "names rank " + std::to_string(*twin) + " twice"
                                            : "names rank " + std::to_string(sorted.back()) +
                                                  ", but the " + std::to_string(m_nRanks) +
                                                  " ranks are counted from 0");
        }
        m_keys.push_back(&found->first);
    }
    return found->second;
}

const std::vector<uint32_t>&
Communicators::GetMembers(uint32_t communicator) const
{
    return m_keys.at(communicator)->second;
}

uint32_t
Communicators::GetNCommunicators() const
{
    return static_cast<uint32_t>(m_keys.size());
}

std::vector<uint32_t>
Communicators::Distribute(std::vector<RankGroups>& groups) const
{
    groups.assign(MOST_GROUP_KINDS, RankGroups());
    uint32_t nKinds = N_GROUP_KINDS;
    std::vector<uint32_t> kinds;
    for (const auto* key : m_keys)
    {
        const auto& members = key->second;
        const auto isFree = [&](uint32_t kind) {
            return std::all_of(members.begin(), members.end(), [&](uint32_t rank) {
                return groups[kind].GetMembers(rank).empty();
            });
        };
        uint32_t kind = key->first;
        if (kind == MOST_GROUP_KINDS)
        {
            for (kind = N_GROUP_KINDS; kind < MOST_GROUP_KINDS && !isFree(kind); ++kind)
            {
            }
        }
        if (kind == MOST_GROUP_KINDS)
        {
            throw std::invalid_argument(
                "Rank " + std::to_string(members.front()) +
                " or one that it shares a group with "
                "is in more than " +
                std::to_string(MOST_GROUP_KINDS - N_GROUP_KINDS) +
                " different groups, which is more than a plan can have: give groups of the same "
                "ranks in the same order");
        }
        groups[kind].Add(members);
        nKinds = std::max(nKinds, kind + 1);
        kinds.push_back(kind);
    }
    groups.resize(nKinds);
    return kinds;
}

} // namespace lightpath
} // namespace ns3
