/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MEMORY_ADVICE_H
#define MEMORY_ADVICE_H

#include "planner.h"

#include "ns3/training-plan.h"

#include <functional>
#include <string>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Says why a strategy does not fit into the memory of the GPUs, and what would.
 */
class MemoryAdvice
{
  public:
    /**
     * @param problem the problem; it must outlive this object
     * @param strategy the strategy that does not fit
     */
    MemoryAdvice(const PlanningProblem& problem, const Strategy& strategy);

    /**
     * @param memory the memory that each rank needs
     * @return a sentence with what the fullest rank needs, and the first three changes of one
     *         setting each that would fit, those that cost least first, or else of two, or else the
     *         fewest GPUs that would do
     */
    std::string GetRefusal(const std::vector<MemoryUse>& memory) const;

  private:
    /// A change of one setting.
    struct Change
    {
        std::string name;                        //!< What it is, for the sentence
        std::function<Strategy(Strategy)> apply; //!< Makes it in a strategy
    };

    /**
     * @return the changes to try, those that cost least first
     */
    std::vector<Change> GetChanges() const;

    /**
     * Add the largest smaller microbatch that would fit, or else the smallest there can be.
     *
     * @param add adds a change by its name and what it does to a strategy
     */
    void AddMicrobatch(
        const std::function<void(const std::string&, std::function<void(Strategy&)>)>& add) const;

    /**
     * Add the fewest more replicas to share out experts over that would fit, or else the most there
     * can be.
     *
     * @param add adds a change by its name and what it does to a strategy
     */
    void AddExperts(
        const std::function<void(const std::string&, std::function<void(Strategy&)>)>& add) const;

    /**
     * Look for the fewest GPUs, not fewer than there are, on which some split fits if all is shared
     * out and computed anew that can be.
     *
     * @return their number and the split, for a sentence; empty if none of those tried would do
     */
    std::string FindGpus() const;

    /**
     * @param gpus a number of GPUs
     * @param tensor the GPUs that share each operator
     * @param stages the number of stages
     * @return the strategy with these degrees that needs least memory; no microbatches if the
     *         replicas cannot share the batch evenly
     */
    Strategy MakeSmallest(uint32_t gpus, uint32_t tensor, uint32_t stages) const;

    /**
     * @return the fewest GPUs that hold all parameters, gradients and optimiser states once; 0 if
     *         the model cannot say
     */
    uint64_t GetFewestGpus() const;

    /**
     * @param strategy a strategy
     * @return true if it suits the problem and fits into the memory
     */
    bool Fits(const Strategy& strategy) const;

    const PlanningProblem& m_problem; //!< The problem
    Strategy m_strategy;              //!< The strategy that does not fit
};

} // namespace lightpath
} // namespace ns3

#endif /* MEMORY_ADVICE_H */
