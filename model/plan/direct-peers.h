/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DIRECT_PEERS_H
#define DIRECT_PEERS_H

#include "training-plan.h"

#include <array>
#include <cstdint>
#include <set>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief The ranks to which others send at once, beside other messages.
 *
 * Such messages share links with others in as many parts as there are peers, and none waits for
 * another. If one rank plays several of these peers (PlanFolder), they do not take as long.
 */
class DirectPeers
{
  public:
    /**
     * @param plan a plan whose ranks are numbered as by ReplicaLayout; it must outlive this object
     * @param serverGpus the number of successive ranks that share a server
     * @param leafGpus the number of successive ranks whose servers are nearer to each other than to
     *        others, 1 for none
     */
    DirectPeers(const TrainingPlan& plan, uint32_t serverGpus, uint32_t leafGpus);

    /**
     * @param distance a number of ranks
     * @return true if ranks at this distance, in a group of one of these kinds, are such peers
     */
    bool Have(uint32_t distance) const;

  private:
    const TrainingPlan& m_plan; //!< The plan
    uint32_t m_serverGpus;      //!< Successive ranks that share a server

    /// The kinds of groups of such peers inside servers, and between them
    std::array<std::set<uint32_t>, 2> m_kinds;
};

} // namespace lightpath
} // namespace ns3

#endif /* DIRECT_PEERS_H */
