/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FAST_FORWARD_H
#define FAST_FORWARD_H

#include "ring-forward.h"

#include "ns3/rank-groups.h"

#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief The rings of lightpaths on which the messages of a job are computed.
 */
class FastForward
{
  public:
    /**
     * @param job the job, which outlives this object
     */
    explicit FastForward(TrainingJob& job);

    /**
     * @param groups groups of one kind, which outlive this object
     * @param rank a rank
     * @param nRings a number of rings
     * @return the rings that the members of its group form; null if each member has a view of its
     *         own, in which a rank stands for several members
     */
    RingForward* Get(const RankGroups& groups, uint32_t rank, uint32_t nRings);

    /**
     * @param rank a rank
     * @return the messages that it has received
     */
    uint64_t GetReceived(uint32_t rank) const;

    /// Take the messages that have been handed over off the account of what is left to send.
    void Subtract();

    /// Give all messages back.
    void GiveBack();

  private:
    TrainingJob& m_job; //!< The job
    /// Ranks or where they are kept, and a number of rings
    template <typename T>
    using Key = std::pair<uint32_t, T>;
    /// The rings by their members: groups of different kinds may have the same
    std::map<Key<std::vector<uint32_t>>, std::unique_ptr<RingForward>> m_rings;
    /// The rings by where the plan keeps the members
    std::map<Key<const std::vector<uint32_t>*>, RingForward*> m_byGroup;
    /// The rings of each rank, with its positions
    std::vector<std::vector<std::pair<RingForward*, uint32_t>>> m_byRank;
};

} // namespace lightpath
} // namespace ns3

#endif /* FAST_FORWARD_H */
