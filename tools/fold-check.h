/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_FOLD_CHECK_H
#define LIGHTPATH_FOLD_CHECK_H

#include "ns3/plan-folder.h"
#include "ns3/planning-problem.h"
#include "ns3/training-plan.h"

#include <string>
#include <vector>

struct TrainOptions;

/**
 * @ingroup lightpath
 * @brief Refuses by std::invalid_argument to simulate a few GPUs that stand for all if these
 * differ.
 */
class FoldCheck
{
  public:
    /**
     * @param options the options
     * @param fabrics the names of the fabrics that are to carry the plan
     */
    static void CheckOptions(const TrainOptions& options, const std::vector<std::string>& fabrics);

    /**
     * Fold a plan, if few GPUs stand for all on its fabric. Servers of a network of links that are
     * not all alike are kept, as far as they differ (FoldedLinks).
     *
     * @param options the options
     * @param name the name of the fabric that is to carry the plan
     * @param plan the plan
     * @return the folded plan
     */
    static ns3::lightpath::PlanFolder Fold(const TrainOptions& options,
                                           const std::string& name,
                                           const ns3::lightpath::TrainingPlan& plan);

  private:
    /**
     * Refuse a fabric on which the GPUs that stand for others have other circuits, or other places.
     *
     * @param options the options
     * @param name the name of the fabric
     * @param plan the full plan
     * @param full the fabric
     * @param folder the folded plan
     */
    static void CheckAlike(const TrainOptions& options,
                           const std::string& name,
                           const ns3::lightpath::TrainingPlan& plan,
                           ns3::lightpath::FabricLimits full,
                           const ns3::lightpath::PlanFolder& folder);
};

#endif /* LIGHTPATH_FOLD_CHECK_H */
