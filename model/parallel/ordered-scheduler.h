/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ORDERED_SCHEDULER_H
#define ORDERED_SCHEDULER_H

#include "ns3/scheduler.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief A scheduler that takes what arrives at one instant in the order of the nodes and ports
 * that it arrives at, and not in that of scheduling.
 *
 * At each instant, all other events come first, in the order in which they were scheduled, and then
 * the arrivals (OrderedArrival); what they cause at this instant comes before the next arrival. A
 * simulation whose nodes only touch each other by arrivals is thus the same however its nodes are
 * divided among processes.
 *
 * ns-3 takes an event for over if it was scheduled before the one under way at the same instant
 * (Simulator::IsExpired()). So an arrival that comes after a later scheduled event is scheduled
 * again.
 */
class OrderedScheduler : public Scheduler
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    void Insert(const Event& event) override;
    bool IsEmpty() const override;
    Event PeekNext() const override;
    Event RemoveNext() override;
    void Remove(const Event& event) override;

  private:
    /// An event and its place among those of its instant.
    struct Entry
    {
        Event event;    //!< The event
        uint64_t place; //!< Its OrderedArrival::GetPlace()

        /**
         * @param other another entry
         * @return true if this one comes later
         */
        bool operator<(const Entry& other) const
        {
            if (event.key.m_ts != other.event.key.m_ts)
            {
                return event.key.m_ts > other.event.key.m_ts;
            }
            return place != other.place ? place > other.place
                                        : event.key.m_uid > other.event.key.m_uid;
        }
    };

    std::vector<Entry> m_heap; //!< The events as a heap; the next one is the first
    uint64_t m_instant{0};     //!< The time of the last event that was taken
    uint32_t m_latest{0};      //!< The largest UID of the events taken at this time
};

} // namespace lightpath
} // namespace ns3

#endif /* ORDERED_SCHEDULER_H */
