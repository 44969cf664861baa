/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RANK_CLASSES_H
#define RANK_CLASSES_H

#include "training-plan.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Classes of the ranks of a plan that do the same at the same time.
 *
 * Ranks of one class share a program, and meet ranks of the same classes in the groups of each kind
 * (colour refinement). Ranks that share out experts differ by their positions, as these decide
 * which of the groups of replicas have peers in common. One rank represents each class. If
 * possible, the representatives of classes that meet in groups are members of one group.
 *
 * Ranks that one rank receives from, or sends to, in groups of one kind are in different classes,
 * so that each message of a representative is one of another representative.
 */
class RankClasses
{
  public:
    /**
     * @param plan the plan; it must outlive this object
     * @param areApart whether each rank is a class of its own
     */
    explicit RankClasses(const TrainingPlan& plan, bool areApart = false);

    /**
     * @return the number of classes
     */
    uint32_t GetN() const;

    /**
     * @param rank a rank
     * @return its class
     */
    uint32_t GetClass(uint32_t rank) const;

    /**
     * @param number a class
     * @return the rank that represents it
     */
    uint32_t GetRepresentative(uint32_t number) const;

    /**
     * @param number a class
     * @return its ranks in ascending order
     */
    const std::vector<uint32_t>& GetRanks(uint32_t number) const;

    /**
     * @param kind the kind of group
     * @param number a class
     * @return the classes of the members of the group of its representative, ascending
     */
    std::vector<uint32_t> GetMemberClasses(uint32_t kind, uint32_t number) const;

  private:
    /**
     * Split classes whose ranks meet different classes.
     *
     * @return true if there are more classes than before
     */
    bool Refine();

    /**
     * Split a class into single ranks if a representative has several of them as peers, by messages
     * in groups of one kind.
     *
     * @return true if there are more classes than before
     */
    bool Separate();

    /**
     * Choose the ranks that represent the classes.
     */
    void ChooseRepresentatives();

    const TrainingPlan& m_plan;                 //!< The plan
    std::vector<uint32_t> m_classes;            //!< Class of each rank
    std::vector<std::vector<uint32_t>> m_ranks; //!< Ranks of each class
    std::vector<uint32_t> m_representatives;    //!< Rank that stands for each class
};

} // namespace lightpath
} // namespace ns3

#endif /* RANK_CLASSES_H */
