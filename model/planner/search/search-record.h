/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SEARCH_RECORD_H
#define SEARCH_RECORD_H

#include "plan-choice.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief The plans that a search has looked at.
 */
class SearchRecord
{
  public:
    /**
     * Note down a plan that was looked at.
     *
     * @param choice its choice
     * @param seconds its price in seconds, or the time after which pricing ended as it is longer;
     *        infinite if it was refused
     * @param isLonger whether pricing ended before the price was known
     * @param refusal why it was refused, if it was
     */
    void Note(const PlanChoice& choice, double seconds, bool isLonger, const std::string& refusal);

    /**
     * Note down a strategy that was not priced.
     *
     * @param strategy the strategy
     * @param seconds the time that no plan of it is below, in seconds
     */
    void NoteBound(const Strategy& strategy, double seconds);

    /**
     * @param best the name of the best plan
     * @return the plans that were looked at, the best one first; of many, some, and all of other
     *         planners; those that were priced come first, then those whose pricing ended early,
     * the bounds of strategies that were not priced, and refusals
     */
    std::vector<PlanAlternative> Get(const std::string& best) const;

  private:
    std::vector<PlanAlternative> m_alternatives; //!< All plans, in the order of time
};

} // namespace lightpath
} // namespace ns3

#endif /* SEARCH_RECORD_H */
