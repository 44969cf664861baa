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
     * @param seconds its price, or a bound on it, in seconds; infinite if it was refused
     * @param isBound whether the price is a bound
     * @param refusal why it was refused, if it was
     */
    void Note(const PlanChoice& choice, double seconds, bool isBound, const std::string& refusal);

    /**
     * @param best the name of the best plan
     * @return the plans that were looked at, the best one first; of many, some, and all of other
     *         planners
     */
    std::vector<PlanAlternative> Get(const std::string& best) const;

  private:
    std::vector<PlanAlternative> m_alternatives; //!< All plans, in the order of time
};

} // namespace lightpath
} // namespace ns3

#endif /* SEARCH_RECORD_H */
