/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GROUP_OPTIONS_H
#define GROUP_OPTIONS_H

#include "ns3/collective-schedule.h"
#include "ns3/planning-problem.h"

#include <cstdint>

namespace ns3
{
namespace lightpath
{

class StagedModel;

/**
 * @ingroup lightpath
 * @brief How the groups of a strategy carry out their collectives: the algorithm, the number of
 * rings and the members that share a server.
 */
class GroupOptions
{
  public:
    /**
     * @param problem the problem
     * @param stride the distance of the ranks of successive members of a group
     * @param size the number of members in a row
     * @param runs the number of such rows, which are any number of servers apart
     * @return the number of successive members that share a server, if it divides the group and the
     *         group has more members; otherwise 1
     */
    static uint32_t GetLocal(const PlanningProblem& problem,
                             uint32_t stride,
                             uint32_t size,
                             uint32_t runs = 1);

    /**
     * @param model the model cut up
     * @return the options of the collectives of its tensor-parallel groups
     */
    static CollectiveOptions GetTensor(const StagedModel& model);

    /**
     * AUTOMATIC takes two rings, one in each direction, for more than 2 replicas of one GPU each,
     * if a GPU cannot send at its full rate to one peer.
     *
     * @param model the model cut up
     * @return the options of the collectives of its data-parallel groups
     */
    static CollectiveOptions GetData(const StagedModel& model);

    /**
     * @param model the model cut up
     * @return the options of the collectives of its groups of replicas with the same experts
     */
    static CollectiveOptions GetExperts(const StagedModel& model);

    /**
     * @param model the model cut up
     * @return the options of the collectives of its groups with the same share of the state
     */
    static CollectiveOptions GetShardCopies(const StagedModel& model);

  private:
    /**
     * @param model the model cut up
     * @param stride the distance of the ranks of successive members of a group
     * @param size the number of members in a row
     * @return the options of the collectives of groups of some of the replicas
     */
    static CollectiveOptions GetPart(const StagedModel& model, uint32_t stride, uint32_t size);
};

} // namespace lightpath
} // namespace ns3

#endif /* GROUP_OPTIONS_H */
