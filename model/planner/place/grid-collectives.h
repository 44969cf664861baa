/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRID_COLLECTIVES_H
#define GRID_COLLECTIVES_H

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
 * @brief Chooses how the groups of a plan on a grid of switches sum, from the ports of their
 * members.
 *
 * Where the strategy has the algorithm AUTOMATIC or GRID, groups that are rows and columns of a
 * grid use both, and groups in one row or column use halving-doubling. No message of these passes a
 * corner. Where GPUs stand in servers, ServerCollectives chooses; in a network of links whose
 * routes are known, RingCollectives. Groups of a kind and size do the same; those of the prefill
 * and of the decode phase can have other sizes. Where circuits turn inside operations,
 * TurnCollectives have the last word.
 */
class GridCollectives
{
  public:
    /**
     * Choose anew for the grid that a plan asks for and the placement that it has. This has to
     * follow each change of either.
     *
     * @param fabric the fabric; without a grid, servers and known links the plan stays as it is
     * @param [in,out] plan the plan
     */
    static void Choose(const FabricLimits& fabric, TrainingPlan& plan);

    /**
     * @param columns the number of columns of the grid
     * @param ports the ports of the members of a group, in the order of their positions
     * @param algorithm AUTOMATIC or GRID
     * @return how the group sums: by the algorithm as it is if the group is neither in one row or
     *         column nor consists of rows with members in the same columns
     */
    static CollectiveOptions Get(uint32_t columns,
                                 const std::vector<uint32_t>& ports,
                                 CollectiveAlgorithm algorithm);

  private:
    /**
     * Choose algorithms, without topologies.
     *
     * @param fabric the fabric
     * @param [in,out] plan the plan
     */
    static void ChooseAlgorithms(const FabricLimits& fabric, TrainingPlan& plan);

    /**
     * @param columns the number of columns of the grid
     * @param plan a plan
     * @param kind a kind of group
     * @param algorithm AUTOMATIC or GRID
     * @return how all groups of this kind sum; by the algorithm as it is if they differ
     */
    static CollectiveOptions GetForKind(uint32_t columns,
                                        const TrainingPlan& plan,
                                        uint32_t kind,
                                        CollectiveAlgorithm algorithm);
};

} // namespace lightpath
} // namespace ns3

#endif /* GRID_COLLECTIVES_H */
