/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GROUP_CUT_H
#define GROUP_CUT_H

#include "ns3/training-plan.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief How many bytes ranks on successive ports of a ring exchange with all others, at least.
 *
 * The groups of a plan are the rows and columns of a torus, and, with a third axis, of a stack of
 * such tori. Of these only what each member sends to the next one of its group counts.
 */
class GroupCut
{
  public:
    /**
     * @param plan a plan
     * @param demand its bytes by source and destination rank
     * @return the most bytes that some number of ranks, whichever they are, send to all others; 0
     *         unless the plan has two or three axes of parallelism
     */
    static double GetBytes(const TrainingPlan& plan, const TrafficMatrix& demand);

  private:
    /// An axis of parallelism.
    struct Axis
    {
        uint32_t size{0}; //!< Members of a group
        double bytes{0};  //!< Least bytes from a member to the next one
    };

    /**
     * @param plan a plan
     * @param demand its bytes by source and destination rank
     * @return its axes of more than one member, the one with the least bytes last
     */
    static std::vector<Axis> GetAxes(const TrainingPlan& plan, const TrafficMatrix& demand);

    /**
     * @param rows the groups that are rows
     * @param columns the groups that are columns
     * @return the bytes that leave a set of ranks of a torus, at least, by its size
     */
    static std::vector<double> GetTorusBytes(const Axis& rows, const Axis& columns);
};

} // namespace lightpath
} // namespace ns3

#endif /* GROUP_CUT_H */
