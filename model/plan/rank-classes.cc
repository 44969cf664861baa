/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "rank-classes.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace ns3
{
namespace lightpath
{

namespace
{

/**
 * @param members the members of a group
 * @param classes the class of each rank
 * @return the classes of the members, ascending
 */
std::vector<uint32_t>
GetClasses(const std::vector<uint32_t>& members, const std::vector<uint32_t>& classes)
{
    std::vector<uint32_t> all;
    for (const auto member : members)
    {
        all.push_back(classes[member]);
    }
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
}

} // namespace

RankClasses::RankClasses(const TrainingPlan& plan, bool areApart)
    : m_plan(plan)
{
    if (areApart)
    {
        for (uint32_t rank = 0; rank < plan.programs.size(); ++rank)
        {
            m_classes.push_back(rank);
            m_ranks.push_back({rank});
        }
        m_representatives = m_classes;
        return;
    }
    // Looked up only, never walked over
    std::map<std::pair<const RankProgram*, uint32_t>, uint32_t> numbers;
    for (uint32_t rank = 0; rank < plan.programs.size(); ++rank)
    {
        const auto next = static_cast<uint32_t>(numbers.size());
        const auto key = std::make_pair(plan.programs[rank].get(), plan.GetExpertPosition(rank));
        m_classes.push_back(numbers.emplace(key, next).first->second);
    }
    m_ranks.resize(numbers.size());
    do
    {
        // Split classes until all ranks of each meet the same classes
        while (Refine())
        {
        }
        m_ranks.assign(m_ranks.size(), {});
        for (uint32_t rank = 0; rank < m_classes.size(); ++rank)
        {
            m_ranks[m_classes[rank]].push_back(rank);
        }
        ChooseRepresentatives();
    } while (Separate());
}

bool
RankClasses::Refine()
{
    std::map<std::vector<uint32_t>, uint32_t> meetings;
    std::map<const void*, uint32_t> known; // looked up only, never walked over
    std::map<std::vector<uint32_t>, uint32_t> numbers;
    std::vector<uint32_t> classes;
    for (uint32_t rank = 0; rank < m_classes.size(); ++rank)
    {
        // The former class and the classes that the rank meets in its groups make the new class
        std::vector<uint32_t> sort{m_classes[rank]};
        for (const auto& kind : m_plan.groups)
        {
            const auto& members = kind.GetMembers(rank);
            auto found = known.find(&members);
            if (found == known.end())
            {
                const auto next = static_cast<uint32_t>(meetings.size());
                const auto met = meetings.emplace(GetClasses(members, m_classes), next).first;
                found = known.emplace(&members, met->second).first;
            }
            sort.push_back(found->second);
        }
        const auto next = static_cast<uint32_t>(numbers.size());
        classes.push_back(numbers.emplace(std::move(sort), next).first->second);
    }
    // The classes are final once their number no longer grows
    const bool isFiner = numbers.size() > m_ranks.size();
    m_classes = std::move(classes);
    m_ranks.resize(numbers.size());
    return isFiner;
}

bool
RankClasses::Separate()
{
    std::vector<bool> areApart(m_ranks.size(), false);
    /// Peers by class, kind of group and whether they receive; looked up only
    std::map<std::tuple<uint32_t, uint32_t, bool>, uint32_t> peers;
    for (uint32_t number = 0; number < m_ranks.size(); ++number)
    {
        const uint32_t rank = m_representatives[number];
        peers.clear();
        for (const auto& task : m_plan.programs[rank]->GetTasks())
        {
            if (task.kind != TaskKind::SEND && task.kind != TaskKind::RECEIVE)
            {
                continue;
            }
            const RankGroups& groups = m_plan.groups[task.group];
            const uint32_t peer = groups.GetMembers(rank)[task.peer];
            const uint32_t other = m_classes[peer];
            const auto found =
                peers.emplace(std::make_tuple(other, task.group, task.kind == TaskKind::SEND), peer)
                    .first;
            if (m_ranks[other].size() > 1 && found->second != peer)
            {
                areApart[other] = true;
            }
        }
    }
    if (std::find(areApart.begin(), areApart.end(), true) == areApart.end())
    {
        return false;
    }
    auto next = static_cast<uint32_t>(m_ranks.size());
    for (uint32_t number = 0; number < areApart.size(); ++number)
    {
        for (std::size_t i = 1; areApart[number] && i < m_ranks[number].size(); ++i)
        {
            m_classes[m_ranks[number][i]] = next++;
        }
    }
    m_ranks.resize(next);
    return true;
}

void
RankClasses::ChooseRepresentatives()
{
    m_representatives.assign(m_ranks.size(), UINT32_MAX);
    std::vector<uint32_t> chosen;
    const auto choose = [this, &chosen](uint32_t rank) {
        uint32_t& representative = m_representatives[m_classes[rank]];
        if (representative == UINT32_MAX)
        {
            representative = rank;
            chosen.push_back(rank);
        }
    };
    std::size_t next = 0;
    for (const auto& ranks : m_ranks)
    {
        choose(ranks.front());
        // Take the representatives of other classes from the groups of the ranks chosen so far
        for (; next < chosen.size() && chosen.size() < m_ranks.size(); ++next)
        {
            for (const auto& kind : m_plan.groups)
            {
                for (const auto member : kind.GetMembers(chosen[next]))
                {
                    choose(member);
                }
            }
        }
    }
}

uint32_t
RankClasses::GetN() const
{
    return static_cast<uint32_t>(m_ranks.size());
}

uint32_t
RankClasses::GetClass(uint32_t rank) const
{
    return m_classes[rank];
}

uint32_t
RankClasses::GetRepresentative(uint32_t number) const
{
    return m_representatives[number];
}

const std::vector<uint32_t>&
RankClasses::GetRanks(uint32_t number) const
{
    return m_ranks[number];
}

std::vector<uint32_t>
RankClasses::GetMemberClasses(uint32_t kind, uint32_t number) const
{
    return GetClasses(m_plan.groups[kind].GetMembers(m_representatives[number]), m_classes);
}

} // namespace lightpath
} // namespace ns3
