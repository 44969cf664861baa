/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GROUP_METER_H
#define GROUP_METER_H

#include "model/plan/rank-classes.h"
#include "plan-paths.h"

#include "ns3/plan-cost.h"
#include "ns3/training-plan.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Measures for how long something is under way in the groups of each kind.
 */
class GroupMeter
{
  public:
    /**
     * @param plan the plan
     * @param classes the classes of its ranks; both must outlive this object
     */
    GroupMeter(const TrainingPlan& plan, const RankClasses& classes);

    /**
     * Note that a message or a collective of a class begins, or that it is over.
     *
     * @param number the class
     * @param kind the kind of group
     * @param begins whether it begins
     * @param now the time in seconds
     */
    void Note(uint32_t number, uint32_t kind, bool begins, double now);

    /**
     * @param paths the paths of the plan
     * @param iterations the number of iterations that have been measured
     * @return the cost of groups in one iteration, by kind: that of the class with the longest
     * time, or of those the one that sends most
     */
    std::vector<GroupCost> GetCosts(const PlanPaths& paths, uint32_t iterations) const;

  private:
    /// Communication of a class in progress in groups of a kind.
    struct UnderWay
    {
        uint32_t count{0}; //!< Messages and collectives
        double since{0};   //!< Since when there is one at least, seconds
        double seconds{0}; //!< Time that there was, seconds
    };

    /**
     * @param paths the paths of the plan
     * @param number a class
     * @return the bytes that a rank of it sends and the least rate of its paths, by kind of group
     */
    std::vector<GroupCost> GetTraffic(const PlanPaths& paths, uint32_t number) const;

    const TrainingPlan& m_plan;                    //!< The plan
    const RankClasses& m_classes;                  //!< The classes of its ranks
    std::vector<std::vector<UnderWay>> m_underWay; //!< By class and kind of group
};

} // namespace lightpath
} // namespace ns3

#endif /* GROUP_METER_H */
