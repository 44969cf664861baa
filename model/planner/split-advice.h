/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SPLIT_ADVICE_H
#define SPLIT_ADVICE_H

#include "planner.h"

#include "ns3/training-plan.h"

#include <cstdint>
#include <functional>
#include <string>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Names the numbers nearest to those that do not divide evenly.
 *
 * Of two that are equally near the smaller one is meant.
 */
class SplitAdvice
{
  public:
    /**
     * @param number a number
     * @param noun what is counted, in the singular
     * @return both, the noun in the plural unless the number is 1
     */
    static std::string Count(uint64_t number, const std::string& noun);

    /**
     * @param number a number, at least 1
     * @param wanted a number
     * @param fits whether a divisor is of use; none if all are
     * @return the divisor of the number that is of use and nearest to the wanted one; 0 if none is
     */
    static uint64_t GetDivisor(uint64_t number,
                               uint64_t wanted,
                               const std::function<bool(uint64_t)>& fits = nullptr);

    /**
     * @param unit a number, at least 1
     * @param wanted a number
     * @return the multiple of the unit, at least the unit itself, that is nearest to the wanted
     *         number
     */
    static uint64_t GetMultiple(uint64_t unit, uint64_t wanted);

    /**
     * @param problem a problem
     * @param parts the GPUs of a replica
     * @return the change with which replicas of this size make up all GPUs, for a sentence
     */
    static std::string GetGpus(const PlanningProblem& problem, uint64_t parts);

    /**
     * @param problem a problem
     * @param replicas a number of replicas that does not divide the global batch
     * @return the change with which it does, for a sentence
     */
    static std::string GetBatch(const PlanningProblem& problem, uint64_t replicas);

    /**
     * @param batch the samples of a replica
     * @param strategy a strategy with several parts for each stage, whose microbatches are no
     *        multiple of the stages
     * @return the change with which they are, for a sentence
     */
    static std::string GetVirtualStages(uint64_t batch, const Strategy& strategy);

    /**
     * @param problem a problem
     * @param strategy a strategy with more parts than its model has layers
     * @return the change with which there are enough layers, for a sentence
     */
    static std::string GetParts(const PlanningProblem& problem, const Strategy& strategy);
};

} // namespace lightpath
} // namespace ns3

#endif /* SPLIT_ADVICE_H */
