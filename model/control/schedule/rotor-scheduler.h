/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ROTOR_SCHEDULER_H
#define ROTOR_SCHEDULER_H

#include "ns3/circuit-scheduler.h"
#include "ns3/nstime.h"

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Joins all devices in turn, whatever the demand (RotorNet: Mellette et al., RotorNet: a
 * scalable, low-complexity, optical datacenter network, SIGCOMM 2017).
 *
 * Each switch goes through the n - 1 cyclic shifts of n devices, in which device i sends to device
 * i + s (mod n), and each configuration of a switch carries light for SlotTime after a switching
 * delay. Switch q of Q is ahead of switch 0 by q (n - 1) / Q shifts, rounded down. The schedule is
 * one cycle, in which each switch joins each pair that it can join once; it is cyclic.
 *
 * With Stagger the switches turn one after the other, at even distances, the one that is ahead
 * first, so that only one is dark at a time where the fabric darkens only the circuits that change
 * (OpticalChannel's PauseMode). Each turn of one switch is a slot. The switches hold different
 * shifts at all times if there are fewer of them than shifts; without Stagger also if there are as
 * many.
 *
 * The bound holds for any circuits on these switches: the time in which a device can send, or
 * receive, its bytes on all its lanes at once. One cycle may serve the demand or not.
 */
class RotorScheduler : public CircuitScheduler
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    bool NeedsPartialPause() const override;

  private:
    CircuitSchedule DoSchedule(const TrafficMatrix& demand) const override;

    /**
     * Refuses, by std::invalid_argument, a slot time that is not positive, and one in which the
     * switches cannot turn one after the other.
     *
     * @return the durations of the slots from a turn of the first switch that turns to its next
     */
    std::vector<Time> GetDurations() const;

    /**
     * @param turn the number of times that all switches have turned
     * @param turned the number of switches that have turned once more
     * @return the circuits of all switches
     */
    CircuitPlan MakePlan(uint32_t turn, uint32_t turned) const;

    /**
     * @param demand the bytes to be carried
     * @return the time that the busiest device needs on all its lanes
     */
    Time GetBound(const TrafficMatrix& demand) const;

    Time m_slotTime; //!< How long a configuration of a switch carries light
    bool m_stagger;  //!< Whether the switches turn one after the other
};

} // namespace lightpath
} // namespace ns3

#endif /* ROTOR_SCHEDULER_H */
