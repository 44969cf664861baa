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

    /// A time in which no schedule can serve the demand; zero if none is known
    Time bound;

    /// The bytes that the slots do not serve; if cyclic, those of the pairs that are in no slot
    TrafficMatrix unserved;
};

/**
 * @ingroup lightpath
 * @brief Serves a demand by circuits that change: decides on a sequence of configurations and on
 * the time for each.
 *
 * The schedules of the literature are for one switch. Here all switches are set alike, so that they
 * act as one of the rate of all their lanes together, unless a child class says otherwise.
 *
 * A scheduler is plain computation, like a CircuitAllocator: the same demand always gets the same
 * schedule. A child class implements DoSchedule().
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
     * @param geometry the switches and what has failed
     */
    void SetGeometry(const CircuitSwitchGeometry& geometry);

    /**
     * @return the switches
     */
    const CircuitSwitchGeometry& GetGeometry() const;

    /**
     * @param laneRate the rate of one circuit through one switch
     * @param switchingDelay the darkness before each configuration
     */
    void SetTiming(DataRate laneRate, Time switchingDelay);

    /**
     * @return the darkness before each configuration
     */
    Time GetSwitchingDelay() const;

    /**
     * Refuses, by std::invalid_argument, a demand whose size is not the number of devices.
     *
     * @param demand the bytes to be carried by source and destination device
     * @return the configurations that serve it
     */
    CircuitSchedule Schedule(const TrafficMatrix& demand) const;

  protected:
    /**
     * @param bytes a number of bytes
     * @param lanes the number of lanes of a lightpath, at least 1
     * @return the time that it takes them, rounded up to a time step
     */
    Time GetServiceTime(uint64_t bytes, uint32_t lanes) const;

    /**
     * @param time a time
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

    CircuitSwitchGeometry m_geometry{2, 1}; //!< The switches
    DataRate m_laneRate{"100Gbps"};         //!< Rate of one circuit through one switch
    Time m_switchingDelay;                  //!< Darkness before each configuration
};

} // namespace lightpath
} // namespace ns3

#endif /* CIRCUIT_SCHEDULER_H */
