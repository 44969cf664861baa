/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SCHEDULE_RUN_H
#define SCHEDULE_RUN_H

#include "circuit-scheduler.h"

#include "ns3/nstime.h"

#include <cstddef>
#include <string>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Which slot of a schedule is carried out, and which one is next.
 */
class ScheduleRun
{
  public:
    /**
     * Begin with the first slot, now.
     *
     * @param schedule the schedule
     */
    void Begin(CircuitSchedule schedule);

    /**
     * @return the schedule
     */
    const CircuitSchedule& GetSchedule() const;

    /**
     * @return the present slot; null if the schedule is over
     */
    const ScheduleSlot* GetSlot() const;

    /**
     * @return the present slot in words
     */
    std::string DescribeSlot() const;

    /// Go on to the next slot.
    void Advance();

    /**
     * Begin anew with the first slot of a schedule that is over, if it is cyclic and has taken
     * time.
     *
     * @return true if it begins anew
     */
    bool Repeat();

    /**
     * @return true if no time has passed since the schedule began
     */
    bool IsInstant() const;

  private:
    CircuitSchedule m_schedule; //!< The schedule
    std::size_t m_slot{0};      //!< Index of the present slot
    Time m_begin;               //!< When the first slot began
};

} // namespace lightpath
} // namespace ns3

#endif /* SCHEDULE_RUN_H */
