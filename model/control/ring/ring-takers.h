/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RING_TAKERS_H
#define RING_TAKERS_H

#include "model/control/fair-share.h"
#include "ring-problem.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Pairs that take lanes one after the other: always the one with the smallest share, of
 * equal ones that with the lowest index.
 *
 * Pairs with the same demand take turns. So a heap of demands suffices, of which there are few if
 * replicas of a model send the same.
 */
class RingTakers
{
  public:
    /**
     * @param pairs the pairs by index
     * @param lanes the lanes that each pair has
     * @param mayTake whether each pair may take lanes
     */
    RingTakers(const std::vector<RingPair>& pairs,
               const std::vector<uint32_t>& lanes,
               const std::vector<char>& mayTake);

    /**
     * @return true if no pair is left
     */
    bool IsEmpty() const
    {
        return m_heap.empty();
    }

    /**
     * @return the pair whose turn it is
     */
    uint32_t GetFirst() const
    {
        return m_heap.front().pair;
    }

    /// Note that the pair whose turn it is has taken a lane.
    void Raise();

    /// Remove the pair whose turn it is.
    void Remove();

  private:
    /// A pair at the beginning.
    struct Taker
    {
        uint64_t bytes{0}; //!< Its demand
        uint32_t lanes{0}; //!< Its lanes
        uint32_t pair{0};  //!< Its index

        /**
         * @param other another pair
         * @return true if this one has the larger demand or, of equal ones, more lanes or, of equal
         *         ones, the higher index
         */
        bool operator<(const Taker& other) const
        {
            return bytes != other.bytes   ? bytes > other.bytes
                   : lanes != other.lanes ? lanes > other.lanes
                                          : pair > other.pair;
        }
    };

    /// The pairs with the same demand.
    struct Group
    {
        uint64_t bytes{0};            //!< The demand
        uint32_t lanes{0};            //!< The lanes that those have whose turn it is
        std::vector<uint32_t> turn;   //!< These, ascending
        std::size_t next{0};          //!< The next of them
        std::vector<uint32_t> raised; //!< Those that have taken one more, ascending
        std::vector<Taker> richer;    //!< Those that had more from the beginning, descending
    };

    /// The next pair of a group.
    struct First
    {
        FairShare share;   //!< Its share
        uint32_t pair{0};  //!< Its index
        uint32_t group{0}; //!< Its group

        /**
         * @param other the next pair of another group
         * @return true if this one takes a lane later
         */
        bool operator<(const First& other) const
        {
            return other.share < share || (other.pair < pair && !(share < other.share));
        }
    };

    /**
     * Let the turn go on to the pairs of a group that have more lanes.
     *
     * @param [in,out] group the group, all of whose pairs have had their turn
     * @return false if there are no such pairs
     */
    static bool BeginTurn(Group& group);

    /// Go on to the next pair of the group whose turn it is.
    void Proceed();

    /// Restore the order of the heap, whose first entry may have to come later.
    void Sink();

    std::vector<Group> m_groups; //!< The groups by descending demand
    std::vector<First> m_heap;   //!< The next pair of each group
    bool m_isShared{false};      //!< Whether two groups have the smallest share
};

} // namespace lightpath
} // namespace ns3

#endif /* RING_TAKERS_H */
