/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MEMORY_ADVICE_H
#define MEMORY_ADVICE_H

#include "planner.h"
#include "training-plan.h"

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
     *         setting that would fit
     */
    std::string GetRefusal(const std::vector<MemoryUse>& memory) const;

  private:
    /// A change of one setting.
    struct Change
    {
        std::string name;  //!< What it is, for the sentence
        Strategy strategy; //!< The strategy then
    };

    /**
     * @return the changes to try, those that cost least first
     */
    std::vector<Change> GetChanges() const;

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
