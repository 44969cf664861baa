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
 * @brief Joins all ports in turn, whatever the demand (RotorNet: Mellette et al., RotorNet: a
 * scalable, low-complexity, optical datacenter network, SIGCOMM 2017).
 *
 * Each plane of the fabric is a rotor, as a circuit switch of RotorNet is. It goes through the
 * n - 1 cyclic shifts of n ports, in which port i sends to port i + s (mod n), and each of its
 * configurations carries light for SlotTime after a switching delay. Rotor q of Q is ahead of
 * rotor 0 by q (n - 1) / Q shifts, rounded down. The schedule is one cycle, in which each rotor
 * joins each pair that it can join once; it is cyclic.
 *
 * With Stagger the rotors turn one after the other, at even distances, the one that is ahead first,
 * so that only one is dark at a time where the fabric darkens only the circuits that change
 * (OpticalChannel's PauseMode). Each turn of one rotor is a slot. The rotors hold different shifts
 * at all times if there are fewer of them than shifts; without Stagger also if there are as many.
 *
 * The bound holds for any circuits of these planes: the time in which a port can send, or receive,
 * its bytes on all its lanes at once. One cycle may or may not serve the whole demand.
 */
class RotorScheduler : public CircuitScheduler
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    std::string CheckTiming(bool isPartial) const override;

  private:
    CircuitSchedule DoSchedule(const TrafficMatrix& demand) const override;

    /**
     * Refuses, by std::invalid_argument, a slot time that is not positive, and one in which the
     * rotors cannot turn one after the other.
     *
     * @return the durations of the slots from one turn of a rotor to its next
     */
    std::vector<Time> GetDurations() const;

    /**
     * @param turn the number of times that all rotors have turned
     * @param turned the number of rotors that have turned once more
     * @return the circuits of all rotors
     */
    CircuitPlan MakePlan(uint32_t turn, uint32_t turned) const;

    /**
     * @param demand the bytes to be carried
     * @return the time that the busiest port needs on all its lanes
     */
    Time GetBound(const TrafficMatrix& demand) const;

    /**
     * @param port a port
     * @param sends whether it sends, or else receives
     * @return the number of planes in which it can do so
     */
    uint32_t CountLanes(uint32_t port, bool sends) const;

    Time m_slotTime; //!< How long a configuration of a rotor carries light
    bool m_stagger;  //!< Whether the rotors turn one after the other
};

} // namespace lightpath
} // namespace ns3

#endif /* ROTOR_SCHEDULER_H */
