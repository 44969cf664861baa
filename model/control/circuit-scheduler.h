/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CIRCUIT_SCHEDULER_H
#define CIRCUIT_SCHEDULER_H

#include "traffic-matrix.h"

#include "ns3/circuit-plan.h"
#include "ns3/circuit-planes.h"
#include "ns3/data-rate.h"
#include "ns3/nstime.h"
#include "ns3/object.h"

#include <cstdint>
#include <memory>
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
    CircuitPlan plan; //!< The circuits; those that the slot before has too may stay up
    Time duration;    //!< How long they carry light, without the darkness before
};

/**
 * @ingroup lightpath
 * @brief The answer of a CircuitScheduler: a sequence of configurations.
 */
struct CircuitSchedule
{
    std::vector<ScheduleSlot> slots; //!< The configurations in their order
    bool cyclic{false};              //!< Whether the sequence repeats for ever

    /// The time of all slots with a switching delay before each of them
    Time makespan;

    /// A lower bound on the makespan of any schedule of the kind that the scheduler looks for, for
    /// the pairs that the fabric can join; zero if none is known
    Time bound;

    /// The bytes that the slots do not serve; if cyclic, those of the pairs that are in no slot
    TrafficMatrix unserved;
};

/**
 * @ingroup lightpath
 * @brief Serves a demand by circuits that change: chooses a sequence of configurations and the
 * duration of each.
 *
 * A scheduler is plain computation, like a CircuitAllocator: the same demand always gets the same
 * schedule. All that it knows of its fabric is CircuitPlanes, so that it serves any fabric that can
 * describe itself in this way. A circuit leads one way only. A child class implements DoSchedule().
 *
 * The bytes that a pair is served add up over all slots: a slot may carry a part of a byte. Where
 * the fabric darkens only circuits that change, a circuit that two slots in a row have in common
 * carries light between them too, which is not counted.
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
     * @param planes the circuits that the fabric can carry; to be set again whenever they change
     */
    void SetPlanes(std::shared_ptr<const CircuitPlanes> planes);

    /**
     * Ends the program if none were set.
     *
     * @return the circuits that the fabric can carry
     */
    const CircuitPlanes& GetPlanes() const;

    /**
     * Refuses, by std::invalid_argument, a rate of zero and a negative delay.
     *
     * @param laneRate the rate of a circuit of one plane
     * @param switchingDelay the darkness before each configuration
     */
    void SetTiming(DataRate laneRate, Time switchingDelay);

    /**
     * @return the rate of a circuit of one plane
     */
    DataRate GetLaneRate() const;

    /**
     * @return the darkness before each configuration
     */
    Time GetSwitchingDelay() const;

    /**
     * @return true if the schedule needs a fabric that darkens only circuits that change
     */
    virtual bool NeedsPartialPause() const;

    /**
     * Refuses, by std::invalid_argument, a demand whose size is not the number of ports, and a
     * fabric that cannot carry one of the configurations.
     *
     * @param demand the bytes to be carried by source and destination port
     * @return the configurations that serve it
     */
    CircuitSchedule Schedule(const TrafficMatrix& demand) const;

  protected:
    /**
     * Refuses, by std::invalid_argument, a lightpath without lanes and a time beyond the range of
     * Time.
     *
     * @param bytes a number of bytes
     * @param lanes the number of lanes of a lightpath, at least 1
     * @return how long the lightpath takes to carry them, rounded up to a time step
     */
    Time GetServiceTime(uint64_t bytes, uint32_t lanes) const;

    /**
     * @param time a time that is not negative
     * @param lanes the number of lanes of a lightpath
     * @return the whole bytes that the lightpath carries in this time
     */
    uint64_t GetServedBytes(Time time, uint32_t lanes) const;

  private:
    /**
     * @param demand the bytes to be carried, of as many ports as the fabric has
     * @return the configurations that serve it, without makespan and unserved bytes
     */
    virtual CircuitSchedule DoSchedule(const TrafficMatrix& demand) const = 0;

    /**
     * @param schedule the configurations
     * @param demand the bytes to be carried
     * @return the bytes that the configurations do not serve
     */
    TrafficMatrix FindUnserved(const CircuitSchedule& schedule, const TrafficMatrix& demand) const;

    std::shared_ptr<const CircuitPlanes> m_planes; //!< The circuits that the fabric can carry
    DataRate m_laneRate{"100Gbps"};                //!< Rate of a circuit of one plane
    Time m_switchingDelay;                         //!< Darkness before each configuration
};

} // namespace lightpath
} // namespace ns3

#endif /* CIRCUIT_SCHEDULER_H */
