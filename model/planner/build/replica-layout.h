/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef REPLICA_LAYOUT_H
#define REPLICA_LAYOUT_H

#include "ns3/training-plan.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Numbers the ranks of several replicas of a model that is spread over K GPUs.
 *
 * GPU k of replica d is rank d K + k: the GPUs of a replica are neighbours, and those with the same
 * part of the model are at distance K. Groups of kind 0 are the replicas; groups of kind 1 are the
 * GPUs with the same part, by replica.
 */
class ReplicaLayout
{
  public:
    /**
     * Give a plan its programs and groups.
     *
     * @param programs the program of each GPU of a replica; all replicas share them
     * @param replicas the number of replicas
     * @param [out] plan the plan
     */
    static void Apply(const std::vector<std::shared_ptr<const RankProgram>>& programs,
                      uint32_t replicas,
                      TrainingPlan& plan);

    /**
     * Give a plan its programs and groups if the GPUs of a replica form the stages of a pipeline,
     * which are tensor-parallel groups. Part k of replica d in stage s is rank
     * (s D + d) K + k, with D replicas and K GPUs of a stage. Groups of kind 0 are the GPUs of a
     * stage of a replica; of kind 1 those with the same part, by replica; of kind 2, if there are
     * several stages, those with the same part, by stage; of kind 3 the first and the last of
     * these. If e replicas in a row share out the experts, groups of kind 4 are these replicas, and
     * groups of kind 5 those with the same experts, at distance e: again of one part and stage
     * each.
     *
     * @param programs the program of each stage, which all of its GPUs share
     * @param [in,out] plan the plan, with its strategy
     */
    static void ApplyStages(const std::vector<std::shared_ptr<const RankProgram>>& programs,
                            TrainingPlan& plan);
};

} // namespace lightpath
} // namespace ns3

#endif /* REPLICA_LAYOUT_H */
