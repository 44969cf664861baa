/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ordered-arrival.h"

#include "ns3/ptr.h"
#include "ns3/simulator.h"

#include <utility>

namespace ns3
{
namespace lightpath
{

namespace
{

const EventImpl* g_arrival = nullptr; //!< The arrival that is being scheduled
uint64_t g_place = 0;                 //!< Its place

} // namespace

void
OrderedArrival::Schedule(uint32_t node, uint32_t port, const Time& delay, OrderedArrival* arrival)
{
    g_arrival = arrival;
    g_place = (uint64_t{node} << 32 | port) + 1;
    Simulator::ScheduleWithContext(node, delay, arrival);
    g_arrival = nullptr;
}

uint64_t
OrderedArrival::GetPlace(const EventImpl* event)
{
    return event == g_arrival ? g_place : 0;
}

void
OrderedArrival::Notify()
{
    if (std::exchange(m_isDelayed, false))
    {
        Simulator::Schedule(Time(0), Ptr<EventImpl>(this));
        return;
    }
    Arrive();
}

} // namespace lightpath
} // namespace ns3
