/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RANK_GROUPS_H
#define RANK_GROUPS_H

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief The kinds of groups that the ranks of a plan communicate in.
 *
 * A kind is the index of its groups in TrainingPlan::groups, and Task::group names it. A plan may
 * have further kinds behind these, for communication that none of them describes.
 */
enum GroupKind : uint32_t
{
    TENSOR_GROUP,      //!< The ranks that share the operators of one stage of one replica
    DATA_GROUP,        //!< The ranks that hold the same part of the model, one in each replica; of
                       //!< these, with Strategy::shardGpus, the ranks that share out its state
    PIPELINE_GROUP,    //!< The same part of one replica in each stage
    TIED_GROUP,        //!< The same part of one replica in the first and in the last stage
    EXPERT_GROUP,      //!< The ranks that share out the experts of each layer
    EXPERT_DATA_GROUP, //!< The ranks that hold the same experts
    CONTEXT_GROUP,     //!< The ranks that share the tokens of each sample of one replica
    SHARD_COPY_GROUP,  //!< The ranks that hold the same share of the state, one of each DATA_GROUP
    N_GROUP_KINDS,     //!< Number of kinds
};

/// Most kinds of groups of a plan, further ones included.
inline constexpr uint32_t MOST_GROUP_KINDS = 32;

/**
 * @ingroup lightpath
 * @brief Disjoint groups of ranks of one kind.
 *
 * Each rank belongs to at most one group. The members of a group share it (Add()), or each member
 * has a view of its own (AddView()): in a folded plan a few ranks represent all members of a group,
 * and which rank represents which member depends on the rank that communicates.
 */
class RankGroups
{
  public:
    /**
     * @param kind a kind of group: a GroupKind, or an index behind these
     * @return its name in words, for reports and error messages
     */
    static std::string GetKindName(std::size_t kind);

    /**
     * Add a group. Throws std::invalid_argument for a group without ranks and for a rank that is in
     * a group of this kind already.
     *
     * @param ranks its members in the order of their positions
     */
    void Add(std::vector<uint32_t> ranks);

    /**
     * Give one rank its own view of its group, in which one rank may represent several members.
     * Throws std::invalid_argument for a rank that is in a group of this kind already and for a
     * rank that is not at its position.
     *
     * @param rank the rank
     * @param position its position in the group
     * @param members the rank that represents each member in this view, in the order of positions
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
     * @return the same groups with the new numbers
     */
    RankGroups Renumber(const std::vector<uint32_t>& ranks) const;

  private:
    /// The group of a rank, and its position there.
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
