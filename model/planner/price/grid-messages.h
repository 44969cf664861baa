/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRID_MESSAGES_H
#define GRID_MESSAGES_H

#include "grid-timer.h"

#include "ns3/collective-schedule.h"
#include "ns3/planner.h"
#include "ns3/training-plan.h"

#include <cstdint>
#include <map>
#include <memory>
#include <tuple>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief The messages of a plan that are followed one by one on a grid.
 */
class GridMessages
{
  public:
    /**
     * @param plan the plan
     * @param grid the grid; both must outlive this object
     * @param isExact whether to follow each frame that a corner forwards
     */
    GridMessages(const TrainingPlan& plan, GridTimer& grid, bool isExact);

    /**
     * @param plan the plan
     * @param fabric the fabric
     * @return true if it is a grid and the plan has few enough tasks to follow each message
     */
    static bool AreFollowed(const TrainingPlan& plan, const FabricLimits& fabric);

    /**
     * @return true if the events exceed their limit
     */
    bool AreTooMany() const;

    /**
     * @param rank the rank that sends
     * @param send its send
     * @param tag what GridTimer::Proceed() returns once the message has come in
     */
    void Send(uint32_t rank, const Task& send, uint64_t tag);

    /**
     * Let a rank begin its part of a collective.
     *
     * @param rank the rank
     * @param task its task
     * @param key what the operation is known by
     * @param tag what GridTimer::Proceed() returns once the part is done
     */
    void Join(uint32_t rank, const Task& task, uint64_t key, uint64_t tag);

  private:
    const TrainingPlan& m_plan; //!< The plan
    GridTimer& m_grid;          //!< The grid
    std::map<std::tuple<CollectiveKind, std::size_t, uint64_t, CollectiveOptions>,
             std::shared_ptr<const CollectiveSchedule>>
        m_schedules; //!< Known schedules, by what makes them
};

} // namespace lightpath
} // namespace ns3

#endif /* GRID_MESSAGES_H */
