/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LANE_DARKNESS_H
#define LANE_DARKNESS_H

#include "circuit-plan.h"

#include "ns3/nstime.h"

#include <map>
#include <utility>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief The lanes of a plan that carry no light yet, each of which is dark until a time of its
 * own.
 */
class LaneDarkness
{
  public:
    /**
     * Note that a plan is switched to. Lanes of it that are dark already keep their time.
     *
     * @param plan the plan
     * @param live the lanes with light
     * @param light when lanes carry light that begin to be switched now
     */
    void Begin(const CircuitPlan& plan, const CircuitPlan& live, Time light);

    /**
     * Let the lanes carry light whose time has come.
     *
     * @param plan the plan, from which lanes may have been removed since
     * @param live the lanes with light
     * @param now the time
     * @return the lanes with light from now on
     */
    CircuitPlan End(const CircuitPlan& plan, const CircuitPlan& live, Time now);

    /**
     * @return true if no lane is dark
     */
    bool IsOver() const
    {
        return m_lights.empty();
    }

    /**
     * @return when the next lane carries light; only if one is dark
     */
    Time GetNext() const;

  private:
    /// The time by lightpath and lane
    std::map<std::pair<PortPair, Lane>, Time> m_lights;
};

} // namespace lightpath
} // namespace ns3

#endif /* LANE_DARKNESS_H */
