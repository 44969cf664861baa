/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RANK_GROUPS_H
#define RANK_GROUPS_H

#include <cstdint>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Groups of ranks of one kind, of which each rank belongs to at most one.
 *
 * The members of a group share it (Add()), or each has a view of its own (AddView()): in a folded
 * plan a few ranks stand for all members of a group, and who stands for whom depends on who looks.
 */
class RankGroups
{
  public:
    /**
     * Add a group. A group without ranks, and a rank that is in a group of this kind already, are
     * refused by std::invalid_argument.
     *
     * @param ranks its members in the order of their positions
     */
    void Add(std::vector<uint32_t> ranks);

    /**
     * Give one rank a group of its own, in which the same rank may stand in for several members. A
     * rank that is in a group of this kind already, and one that is not at its position, are
     * refused by std::invalid_argument.
     *
     * @param rank the rank
     * @param position its position in the group
     * @param members who stands for each member as this rank sees it, in the order of positions
     */
    void AddView(uint32_t rank, uint32_t position, std::vector<uint32_t> members);

    /**
     * @param rank a rank
     * @return the members of its group in the order of their positions; none if it has no group
     */
    const std::vector<uint32_t>& GetMembers(uint32_t rank) const;

    /**
     * @param rank a rank that has a group
     * @return its position in the group
     */
    uint32_t GetPosition(uint32_t rank) const;

    /**
     * @param ranks the new number of each rank, each number once
     * @return the same groups of the ranks as they are numbered then
     */
    RankGroups Renumber(const std::vector<uint32_t>& ranks) const;

  private:
    /// Where a rank belongs.
    struct Place
    {
        uint32_t group{UINT32_MAX}; //!< Index of its group
        uint32_t position{0};       //!< Position in the group
    };

    std::vector<std::vector<uint32_t>> m_groups; //!< The members by group
    std::vector<Place> m_places;                 //!< The place of each rank
};

} // namespace lightpath
} // namespace ns3

#endif /* RANK_GROUPS_H */
