/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CIRCUIT_TIMER_H
#define CIRCUIT_TIMER_H

#include "collective-schedule.h"

#include <functional>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief The exact time of a schedule on dedicated circuits, from the size of each of its messages.
 *
 * Each rank has a circuit of its own to each of its peers. A rank begins a
 * step once all messages of the steps before have come in; a message that follows another to the
 * same peer waits until that one is sent. What a network averages takes as long as a message from
 * the rank to itself, as if all ranks were ready. The time is worked out message by message: unlike
 * the closed forms, it costs as much as there are messages.
 */
class CircuitTimer
{
  public:
    /// Tells the latency and the rate of the circuit from a rank to another.
    using Circuits = std::function<LinkCost(uint32_t, uint32_t)>;

    /**
     * @param schedule the schedule
     * @param circuits the circuits
     * @param headers the bytes that are sent with each message besides its own
     * @return the time from the common start of all ranks to the last end, in seconds
     */
    static double GetSeconds(const CollectiveSchedule& schedule,
                             const Circuits& circuits,
                             uint32_t headers = 0);

    /**
     * @param schedule the schedule
     * @param circuit the latency and the rate of every circuit
     * @param headers the bytes that are sent with each message besides its own
     * @return the time from the common start of all ranks to the last end, in seconds
     */
    static double GetSeconds(const CollectiveSchedule& schedule,
                             const LinkCost& circuit,
                             uint32_t headers = 0);
};

} // namespace lightpath
} // namespace ns3

#endif /* CIRCUIT_TIMER_H */
