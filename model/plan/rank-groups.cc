/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "rank-groups.h"

#include <algorithm>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>

namespace ns3
{
namespace lightpath
{

std::string
RankGroups::GetKindName(std::size_t kind)
{
    static const char* const names[N_GROUP_KINDS] = {"within a replica",
                                                     "over replicas",
                                                     "between stages",
                                                     "first and last stage",
                                                     "between experts",
                                                     "over replicas with the same experts",
                                                     "between shares of the tokens",
                                                     "over copies of shared-out state"};
    return kind < N_GROUP_KINDS ? names[kind] : "groups of kind " + std::to_string(kind);
}

void
RankGroups::Add(std::vector<uint32_t> ranks)
{
    if (ranks.empty())
    {
        throw std::invalid_argument("A group of ranks needs at least 1 rank, not 0");
    }
    // Check all ranks before any is added
    std::set<uint32_t> seen;
    for (const auto rank : ranks)
    {
        if (!GetMembers(rank).empty() || !seen.insert(rank).second)
        {
            throw std::invalid_argument("Rank " + std::to_string(rank) +
                                        " is in a group of this kind already: it can be in one "
                                        "only, once");
        }
    }
    m_places.resize(std::max<std::size_t>(m_places.size(), std::size_t{*seen.rbegin()} + 1));
    for (uint32_t position = 0; position < ranks.size(); ++position)
    {
        m_places[ranks[position]] = {static_cast<uint32_t>(m_groups.size()), position};
    }
    m_groups.push_back(std::move(ranks));
}

void
RankGroups::AddView(uint32_t rank, uint32_t position, std::vector<uint32_t> members)
{
    if (!GetMembers(rank).empty())
    {
        throw std::invalid_argument("Rank " + std::to_string(rank) +
                                    " is in a group of this kind already: it can be in one only");
    }
    if (position >= members.size() || members[position] != rank)
    {
        throw std::invalid_argument("Rank " + std::to_string(rank) + " is not at position " +
                                    std::to_string(position) + " of its group of " +
                                    std::to_string(members.size()) + " members");
    }
    m_places.resize(std::max<std::size_t>(m_places.size(), std::size_t{rank} + 1));
    m_places[rank] = {static_cast<uint32_t>(m_groups.size()), position};
    m_groups.push_back(std::move(members));
}

RankGroups
RankGroups::Renumber(const std::vector<uint32_t>& ranks) const
{
    RankGroups groups;
    groups.m_groups = m_groups;
    for (auto& members : groups.m_groups)
    {
        for (auto& member : members)
        {
            member = ranks.at(member);
        }
    }
    // A place moves with its rank
    groups.m_places.resize(ranks.size());
    for (uint32_t rank = 0; rank < m_places.size(); ++rank)
    {
        groups.m_places[ranks.at(rank)] = m_places[rank];
    }
    return groups;
}

const std::vector<uint32_t>&
RankGroups::GetMembers(uint32_t rank) const
{
    static const std::vector<uint32_t> none;
    return rank < m_places.size() && m_places[rank].group != UINT32_MAX
               ? m_groups[m_places[rank].group]
               : none;
}

uint32_t
RankGroups::GetPosition(uint32_t rank) const
{
    return m_places.at(rank).position;
}

} // namespace lightpath
} // namespace ns3
