/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ORDERED_ARRIVAL_H
#define ORDERED_ARRIVAL_H

#include "ns3/event-impl.h"
#include "ns3/nstime.h"

#include <cstdint>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief An event by which something arrives at a node from another one.
 *
 * With an OrderedScheduler it comes after all else that happens at the node at this instant, and
 * arrivals at one instant come in the order of the nodes and of their ports. With other schedulers
 * it is an event like any other.
 */
class OrderedArrival : public EventImpl
{
  public:
    /**
     * Schedule an arrival.
     *
     * @param node the ID of the node
     * @param port the number of the port, less than 2^32 - 1
     * @param delay the time from now until it arrives
     * @param arrival the arrival, which the simulator owns from now on
     */
    static void Schedule(uint32_t node, uint32_t port, const Time& delay, OrderedArrival* arrival);

    /**
     * @param event an event that is given to a scheduler
     * @return its place among the events of an instant: 0, or above for an arrival
     */
    static uint64_t GetPlace(const EventImpl* event);

    /**
     * Have the event scheduled again at this instant as it is taken, so that it counts as the
     * latest event.
     */
    void Delay()
    {
        m_isDelayed = true;
    }

  protected:
    void Notify() final;

  private:
    /// Take what arrives.
    virtual void Arrive() = 0;

    bool m_isDelayed{false}; //!< Schedule it again
};

} // namespace lightpath
} // namespace ns3

#endif /* ORDERED_ARRIVAL_H */
