/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PLANNING_DEADLINE_H
#define PLANNING_DEADLINE_H

#include <algorithm>
#include <chrono>
#include <memory>
#include <stdexcept>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Says that the time to plan is up, which says nothing about the plan.
 */
class PlanningTimeout : public std::runtime_error
{
  public:
    using std::runtime_error::runtime_error;
};

/**
 * @ingroup lightpath
 * @brief When planning ends, by the wall clock. Whatever takes long in planning looks at it.
 */
class PlanningDeadline
{
  public:
    /// Share of the time for a plan, of all time to plan: the rest is for its placement and price.
    static constexpr double SHARE = 0.75;

    /// A deadline that problems share, or null for none.
    using Shared = std::shared_ptr<const PlanningDeadline>;

    /**
     * @param seconds the time from now on
     * @param outer another deadline, which is kept as well, or null
     */
    explicit PlanningDeadline(double seconds, const Shared& outer = nullptr)
        : m_end(Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                   std::chrono::duration<double>(std::min(seconds, 1e9))))
    {
        m_end = outer ? std::min(m_end, outer->m_end) : m_end;
    }

    /**
     * @return whether the time is up
     */
    bool IsOver() const
    {
        return Clock::now() >= m_end;
    }

    /**
     * Throw PlanningTimeout if the time is up.
     *
     * @param deadline the deadline, or null
     */
    static void Check(const Shared& deadline)
    {
        if (deadline && deadline->IsOver())
        {
            throw PlanningTimeout("The time to plan is up");
        }
    }

  private:
    using Clock = std::chrono::steady_clock; //!< The clock

    Clock::time_point m_end; //!< When the time is up
};

} // namespace lightpath
} // namespace ns3

#endif /* PLANNING_DEADLINE_H */
