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
#include <map>
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
 * Where the algorithm of a group is AUTOMATIC and successive members are in one server, each sum
 * takes the fastest way that GetFastest() knows. If all members share a server, its switch sums if
 * it can and they are all of its GPUs. Across servers, a fabric that averages does so for the
 * gradients of groups that have a GPU at each of its ports, and data-parallel groups that leave
 * servers alone use two rings if a port cannot send at its full rate to one peer. An algorithm that
 * a file gives (Task::isAlgorithmGiven) stays. Experts are exchanged in two steps where that saves
 * lightpaths, or where messages must not cross rails.
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
     * Find the fastest way of a sum in several servers by the closed forms: in two levels, inside
     * by a ring, direct messages or the switch, and across by a ring or, at a plain switch, by
     * halving-doubling or direct messages; or by another algorithm, such as rings through
     * servers. Of ways whose times differ by less than a thousandth the first one is taken.
     *
     * @param fabric the fabric
     * @param kind the operation, a sum or one of its two halves
     * @param ranks the members of the group
     * @param bytes the size of the buffer in bytes
     * @param options the algorithm of each level: one that is not AUTOMATIC stays
     * @param others the algorithms in place of two levels, of which those without levels are for
     *        few ranks at a plain switch
     * @return the fastest options; those given where members share one server, or none
     */
    static CollectiveOptions GetFastest(const FabricLimits& fabric,
                                        CollectiveKind kind,
                                        uint32_t ranks,
                                        uint64_t bytes,
                                        const CollectiveOptions& options,
                                        const std::vector<CollectiveAlgorithm>& others);

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
     * Refuse, by std::invalid_argument, a plan that sends anything between servers but gradients to
     * be averaged, if the fabric between them averages.
     *
     * @param fabric the fabric
     * @param plan a plan
     */
    static void CheckAveraged(const FabricLimits& fabric, const TrainingPlan& plan);

  private:
    /// The groups of a kind.
    struct Group
    {
        uint32_t size{0};          //!< Members of each
        CollectiveOptions options; //!< What all of them can do
    };

    /**
     * @param fabric the fabric
     * @param plan the plan
     * @return the groups, by kind, whose algorithm is AUTOMATIC; none without servers
     */
    static std::map<uint32_t, Group> GetGroups(const FabricLimits& fabric,
                                               const TrainingPlan& plan);

    /**
     * @param fabric a fabric that averages between servers, and carries nothing else
     * @param plan a plan
     * @return a task that sends something else between servers; null if none does
     */
    static const Task* FindNotAveraged(const FabricLimits& fabric, const TrainingPlan& plan);

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
