/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_PLANNING_CURVE_H
#define LIGHTPATH_PLANNING_CURVE_H

#include "planner-cases.h"

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <ostream>
#include <string>
#include <vector>

/**
 * @ingroup lightpath
 * @brief How the best plan and the lower bound of a search get better while it goes on.
 */
class PlanningCurve
{
  public:
    /**
     * Plan a case; std::invalid_argument if there is no planner that searches, or no plan.
     *
     * @param problem the case
     * @param planningTime the most time that planning takes, like 10s; empty for the default of
     *        the planner
     */
    PlanningCurve(const PlannerCase& problem, const std::string& planningTime);

    /**
     * Print curves as one table.
     *
     * @param os where to print
     * @param format table, rst or csv
     * @param curves the curves
     */
    static void Print(std::ostream& os,
                      const std::string& format,
                      const std::vector<PlanningCurve>& curves);

    /**
     * @return the curve as JSON
     */
    nlohmann::ordered_json GetJson() const;

  private:
    /// A moment of planning.
    struct Point
    {
        uint64_t evaluations{0}; //!< Plans that were priced so far
        double seconds{0};       //!< Time since planning began
        double best{0};          //!< Predicted time of an iteration of the best plan so far, s
        double bound{0};         //!< Time that no plan can beat, as known so far, s; 0 if it is not
    };

    std::string m_name;          //!< Name of the case
    std::vector<Point> m_points; //!< The moments in ascending order
};

#endif /* LIGHTPATH_PLANNING_CURVE_H */
