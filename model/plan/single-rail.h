/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SINGLE_RAIL_H
#define SINGLE_RAIL_H

#include "training-plan.h"

#include <cstdint>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Leaves out one of the two rails of a folded plan (PlanFolder) that keeps two GPUs of each
 * server, each on a rail of its own.
 *
 * Both rails carry the same, so both GPUs of a server begin and end all that they do at the same
 * tick, and exchange the same messages with each other. What a GPU sends to the other one, it gets
 * from it at the same time. So one GPU a server is enough: it sends these messages to itself,
 * through the network of its server.
 */
class SingleRail
{
  public:
    /**
     * Leave out the second GPU of each server, unless its programs or groups are not those of the
     * first one, or the plan has more GPUs of a server, or only some of the servers.
     *
     * @param [in,out] plan a folded plan
     * @param serverGpus the GPUs of a server that the plan has, of successive ranks
     * @param nServers the number of servers, all of whose cards are on rails
     * @return true if one is left out
     */
    static bool Fold(TrainingPlan& plan, uint32_t serverGpus, uint32_t nServers);

  private:
    /// Where the members of the groups of a kind are.
    enum class Reach : uint8_t
    {
        INSIDE,  //!< In one server
        OUTSIDE, //!< On one rail
        MIXED,   //!< Elsewhere, or elsewhere for one GPU of a server than for the other
    };

    /**
     * @param groups groups of one kind
     * @param nRanks the number of ranks, two a server
     * @return where their members are
     */
    static Reach FindReach(const RankGroups& groups, uint32_t nRanks);
};

} // namespace lightpath
} // namespace ns3

#endif /* SINGLE_RAIL_H */
