/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_FOLD_CHECK_H
#define LIGHTPATH_FOLD_CHECK_H

#include "ns3/training-plan.h"

#include <string>
#include <vector>

struct TrainOptions;

namespace ns3
{
namespace lightpath
{

class PlanFolder;
class TrainingPlan;

} // namespace lightpath
} // namespace ns3

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
     * @param options the options
     * @param name the name of the fabric that is to carry the plan
     * @param plan the full plan
     * @param folder the folded plan
     */
    static void CheckPlan(const TrainOptions& options,
                          const std::string& name,
                          const ns3::lightpath::TrainingPlan& plan,
                          const ns3::lightpath::PlanFolder& folder);
};

#endif /* LIGHTPATH_FOLD_CHECK_H */
