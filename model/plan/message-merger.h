/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGE_MERGER_H
#define MESSAGE_MERGER_H

#include "training-plan.h"

#include <cstdint>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Merges the messages that a rank of a folded plan (PlanFolder) sends at once to the one
 * rank that plays all its peers.
 *
 * In a direct collective a member sends a chunk to each other one. Where one rank plays all of
 * them, the chunks follow each other without a pause. One message with the bytes of all, and of
 * their headers, ends and arrives at the same tick as the last of them, if a message is one frame.
 * So groups whose collectives are all direct, or sums in the switch of a server, become groups of
 * two.
 */
class MessageMerger
{
  public:
    /**
     * @param [in,out] plan a folded plan, whose messages will be sent in one frame each
     * @return true if some of its messages are merged
     */
    static bool Merge(TrainingPlan& plan);

  private:
    /**
     * @param groups groups of one kind of a folded plan
     * @param nRanks the number of its ranks
     * @return the number of members of each of them, if one rank plays all peers of another;
     *         otherwise 0
     */
    static uint32_t FindSize(const RankGroups& groups, uint32_t nRanks);

    /**
     * @param task a collective
     * @param size the number of its members
     * @return its algorithm, or the one that AUTOMATIC stands for
     */
    static CollectiveAlgorithm FindAlgorithm(const Task& task, uint32_t size);

    /**
     * @param task a task of a group
     * @param size the number of members of the group
     * @return true if the switch of the server that they share adds up their buffers
     */
    static bool IsSummed(const Task& task, uint32_t size);

    /**
     * @param plan a folded plan
     * @param kind a kind of group
     * @param size the number of members of its groups
     * @return true if some of its tasks are direct collectives whose chunks fit in one frame, and
     *         all others are sums in the switch
     */
    static bool AreDirect(const TrainingPlan& plan, uint32_t kind, uint32_t size);

    /**
     * @param bytes the bytes of a direct collective
     * @param size the number of its members
     * @return the bytes of that of two members, which has one message for all
     */
    static uint64_t GetBytes(uint64_t bytes, uint32_t size);
};

} // namespace lightpath
} // namespace ns3

#endif /* MESSAGE_MERGER_H */
