/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LANE_CURSOR_H
#define LANE_CURSOR_H

#include "circuit-plan.h"

#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Looks up the lanes of pairs in ascending order, in a plan that may change meanwhile.
 */
class LaneCursor
{
  public:
    /**
     * @param plan the plan, which must outlive this object
     */
    explicit LaneCursor(const CircuitPlan& plan)
        : m_plan(plan),
          m_first(plan),
          m_next(m_first.GetLightpaths().begin())
    {
    }

    /**
     * @param pair a pair, not before the previous one
     * @return its lanes in the present plan
     */
    const std::vector<Lane>& GetLanes(PortPair pair)
    {
        const CircuitPlan::Lightpaths& lightpaths = m_first.GetLightpaths();
        // A plan that has changed does not share its lightpaths with its copy any more
        if (&m_plan.GetLightpaths() != &lightpaths)
        {
            return m_plan.GetLanes(pair.first, pair.second);
        }
        static const std::vector<Lane> none;
        while (m_next != lightpaths.end() && m_next->first < pair)
        {
            ++m_next;
        }
        return m_next != lightpaths.end() && m_next->first == pair ? m_next->second : none;
    }

  private:
    const CircuitPlan& m_plan;                      //!< The plan
    CircuitPlan m_first;                            //!< The plan at first
    CircuitPlan::Lightpaths::const_iterator m_next; //!< First lightpath not before the last pair
};

} // namespace lightpath
} // namespace ns3

#endif /* LANE_CURSOR_H */
