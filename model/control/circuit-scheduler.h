/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CIRCUIT_SCHEDULER_H
#define CIRCUIT_SCHEDULER_H

#include "traffic-matrix.h"

#include "ns3/circuit-plan.h"
#include "ns3/circuit-switch-geometry.h"
#include "ns3/data-rate.h"
#include "ns3/nstime.h"
#include "ns3/object.h"

#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief One configuration of a schedule.
 */
struct ScheduleSlot
{
    CircuitPlan plan; //!< The circuits; those of the slot before that it keeps may stay up
    Time duration;    //!< How long they carry light, the darkness before not counted
};

/**
 * @ingroup lightpath
 * @brief The answer of a CircuitScheduler: configurations one after the other.
 */
struct CircuitSchedule
{
    std::vector<ScheduleSlot> slots; //!< The configurations, in their order
    bool cyclic{false};              //!< Whether the first follows the last, for ever

    /// The time of all slots with a switching delay before each of them
    Time makespan;

    /// No schedule of the kind that the scheduler looks for serves the demand in less time, apart
    /// from pairs that no switch can join; zero if no such time is known
    Time bound;

    /// The bytes that the slots do not serve; if cyclic, those of the pairs that are in no slot
    TrafficMatrix unserved;
};

/**
 * @ingroup lightpath
 * @brief Serves a demand by circuits that change: decides on a sequence of configurations and on
 * the time for each.
 *
 * A scheduler is plain computation, like a CircuitAllocator: the same demand always gets the same
 * schedule. A child class implements DoSchedule(), and says how it sets several switches. A circuit
 * leads one way only: duplex switches are refused.
 *
 * The bytes that a pair is served are counted over all slots together: what a slot carries of a
 * byte is not lost. While a circuit is not dark before a slot, because the slot before has it too
 * and the fabric darkens only what changes, it carries more than is counted.
 */
class CircuitScheduler : public Object
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * Refuses, by std::invalid_argument, duplex switches.
     *
     * @param geometry the switches and what has failed
     */
    void SetGeometry(const CircuitSwitchGeometry& geometry);

    /**
     * @return the switches
     */
    const CircuitSwitchGeometry& GetGeometry() const;

    /**
     * Refuses, by std::invalid_argument, a rate of zero and a negative delay.
     *
     * @param laneRate the rate of one circuit through one switch
     * @param switchingDelay the darkness before each configuration
     */
    void SetTiming(DataRate laneRate, Time switchingDelay);

    /**
     * @return the rate of one circuit through one switch
     */
    DataRate GetLaneRate() const;

    /**
     * @return the darkness before each configuration
     */
    Time GetSwitchingDelay() const;

    /**
     * @return true if the schedule makes sense only where circuits that a slot keeps stay up
     */
    virtual bool NeedsPartialPause() const;

    /**
     * Refuses, by std::invalid_argument, a demand whose size is not the number of devices.
     *
     * @param demand the bytes to be carried by source and destination device
     * @return the configurations that serve it
     */
    CircuitSchedule Schedule(const TrafficMatrix& demand) const;

  protected:
    /**
     * Refuses, by std::invalid_argument, no lanes and a time that is longer than Time can hold.
     *
     * @param bytes a number of bytes
     * @param lanes the number of lanes of a lightpath, at least 1
     * @return the time that it takes them, rounded up to a time step
     */
    Time GetServiceTime(uint64_t bytes, uint32_t lanes) const;

    /**
     * @param time a time that is not negative
     * @param lanes the number of lanes of a lightpath
     * @return the whole bytes that it carries in this time
     */
    uint64_t GetServedBytes(Time time, uint32_t lanes) const;

  private:
    /**
     * @param demand the bytes to be carried, of as many ports as there are devices
     * @return the configurations that serve it, without makespan and unserved bytes
     */
    virtual CircuitSchedule DoSchedule(const TrafficMatrix& demand) const = 0;

    /**
     * @param schedule the configurations
     * @param demand the bytes to be carried
     * @return the bytes that the configurations do not serve
     */
    TrafficMatrix FindUnserved(const CircuitSchedule& schedule, const TrafficMatrix& demand) const;

    CircuitSwitchGeometry m_geometry{2, 1}; //!< The switches
    DataRate m_laneRate{"100Gbps"};         //!< Rate of one circuit through one switch
    Time m_switchingDelay;                  //!< Darkness before each configuration
};

} // namespace lightpath
} // namespace ns3

#endif /* CIRCUIT_SCHEDULER_H */
