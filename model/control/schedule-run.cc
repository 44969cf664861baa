/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "schedule-run.h"

#include "ns3/simulator.h"

#include <sstream>
#include <utility>

namespace ns3
{
namespace lightpath
{

void
ScheduleRun::Begin(CircuitSchedule schedule)
{
    m_schedule = std::move(schedule);
    m_slot = 0;
    m_begin = Simulator::Now();
}

const CircuitSchedule&
ScheduleRun::GetSchedule() const
{
    return m_schedule;
}

const ScheduleSlot*
ScheduleRun::GetSlot() const
{
    return m_slot < m_schedule.slots.size() ? &m_schedule.slots[m_slot] : nullptr;
}

std::string
ScheduleRun::DescribeSlot() const
{
    const ScheduleSlot& slot = m_schedule.slots[m_slot];
    std::ostringstream words;
    words << "slot " << m_slot + 1 << " of " << m_schedule.slots.size() << ", "
          << slot.plan.GetNLanes() << " lanes for " << slot.duration.As(Time::US);
    return words.str();
}

void
ScheduleRun::Advance()
{
    ++m_slot;
}

bool
ScheduleRun::Repeat()
{
    if (!m_schedule.cyclic || IsInstant())
    {
        return false;
    }
    m_slot = 0;
    m_begin = Simulator::Now();
    return true;
}

bool
ScheduleRun::IsInstant() const
{
    return Simulator::Now() == m_begin;
}

} // namespace lightpath
} // namespace ns3
