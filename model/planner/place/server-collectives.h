/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SERVER_COLLECTIVES_H
#define SERVER_COLLECTIVES_H

#include "ns3/planning-problem.h"
#include "ns3/training-plan.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Chooses how the groups of a plan whose GPUs stand in servers carry out collectives, from
 * the places of their members.
 *
 * Where the algorithm of a group is AUTOMATIC, successive members in one server work in two levels.
 * Inside, the switch sums if it can and the group has all GPUs of the server. Across servers, a
 * fabric that averages does so for groups that have a GPU at each of its ports, and data-parallel
 * groups that leave servers alone use two rings if a port cannot send at its full rate to one peer.
 * Experts are exchanged in two steps where that saves lightpaths, or where messages must not cross
 * rails.
 */
class ServerCollectives
{
  public:
    /**
     * Choose anew for the placement that a plan has. This has to follow each change of it.
     *
     * @param fabric the fabric; without servers the plan stays as it is
     * @param [in,out] plan the plan
     */
    static void Choose(const FabricLimits& fabric, TrainingPlan& plan);

    /**
     * @param layout the servers
     * @param places the places of the members of a group, in the order of their positions
     * @return the number of successive members that share a server: it divides that of all members,
     *         and no other members are in the same server; otherwise 1
     */
    static uint32_t GetLocal(const ServerLayout& layout, const std::vector<uint32_t>& places);

    /**
     * @param fabric a fabric that averages
     * @param places the places of the members of a group
     * @param local the members of a server
     * @param nPlaces the number of all places
     * @return true if, after a sum inside servers, each index of the group has one GPU at each port
     *         of its fabric
     */
    static bool CanAverage(const FabricLimits& fabric,
                           const std::vector<uint32_t>& places,
                           uint32_t local,
                           uint32_t nPlaces);

    /**
     * @param fabric a fabric that averages between servers, and carries nothing else
     * @param plan a plan
     * @return a task that sends something else between servers; null if none does
     */
    static const Task* FindNotAveraged(const FabricLimits& fabric, const TrainingPlan& plan);

  private:
    /**
     * @param fabric the fabric
     * @param plan the plan
     * @param rank a rank
     * @param task a task of it
     * @return true if it sends messages between servers that are not averaged
     */
    static bool IsOutside(const FabricLimits& fabric,
                          const TrainingPlan& plan,
                          uint32_t rank,
                          const Task& task);

    /**
     * @param fabric the fabric
     * @param plan the plan
     * @param kind a kind of group
     * @param places the places of the members of one group of it
     * @return how this group carries out collectives
     */
    static CollectiveOptions Get(const FabricLimits& fabric,
                                 const TrainingPlan& plan,
                                 uint32_t kind,
                                 const std::vector<uint32_t>& places);
};

} // namespace lightpath
} // namespace ns3

#endif /* SERVER_COLLECTIVES_H */
