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
 * GPU k of replica d is rank d K + k: the GPUs of a replica are neighbours, and GPUs with the
 * same part of the model are K ranks apart. The groups are those of TENSOR_GROUP and DATA_GROUP.
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
     * which are tensor-parallel groups. Part k of share c of replica d in stage s is rank
     * ((s D + d) C + c) K + k, with D replicas, of which C shares of K GPUs each have a part of the
     * tokens. The groups of DATA_GROUP hold the D C ranks of a part, those of CONTEXT_GROUP each C
     * successive ones of them. If S of them share out state, each group of DATA_GROUP holds S
     * successive ones, and each of SHARD_COPY_GROUP those at distance S. With several stages there
     * are groups of PIPELINE_GROUP and TIED_GROUP, too. If e members of a part share out the
     * experts, the groups of EXPERT_GROUP are e successive ones, and those of EXPERT_DATA_GROUP the
     * members at distance e. With whole experts the same holds for all ranks of a stage in place of
     * those of a part. With DUALPIPE, a group of DATA_GROUP or EXPERT_DATA_GROUP has the GPUs of
     * stage s, then those of stage p - 1 - s of p, which hold the same parts of the layers; there
     * is no TIED_GROUP.
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
