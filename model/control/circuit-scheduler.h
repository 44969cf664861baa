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
    CircuitPlan plan; //!< The circuits; those of the previous slot may stay up
    Time duration;    //!< Time that they carry light, without the darkness before
};

/**
 * @ingroup lightpath
 * @brief The result of a CircuitScheduler: a sequence of configurations.
 */
struct CircuitSchedule
{
    std::vector<ScheduleSlot> slots; //!< The configurations in their order
    bool cyclic{false};              //!< Whether the sequence repeats for ever

    /// The time of all slots with a switching delay before each of them
    Time makespan;

    /// A lower bound on the makespan of schedules of this kind, for the pairs that the fabric can
    /// join; zero if none is known
    Time bound;

    /// The bytes that the slots do not serve; if cyclic, those of the pairs that are in no slot
    TrafficMatrix unserved;
};

/**
 * @ingroup lightpath
 * @brief Computes a sequence of configurations for a demand, and their durations.
 *
 * A scheduler is plain computation, like a CircuitAllocator: the same demand always gets the same
 * schedule. It knows its fabric only as CircuitPlanes, so that it serves any fabric with such a
 * description. Circuits are unidirectional. A child class implements DoSchedule().
 *
 * The served bytes of a pair are the sum over all slots, each of which may carry a fraction of a
 * byte. If only circuits that change are dark, a circuit of two consecutive slots also carries
 * light between them, which is not counted.
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
     * @param planes the circuits that the fabric can carry; call again whenever they change
     */
    void SetPlanes(std::shared_ptr<const CircuitPlanes> planes);

    /**
     * Ends the program if SetPlanes() was not called.
     *
     * @return the circuits that the fabric can carry
     */
    const CircuitPlanes& GetPlanes() const;

    /**
     * Throws std::invalid_argument for a rate of zero and a negative delay.
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
     * @param isPartial whether only the lanes that change go dark (PauseMode Partial)
     * @return empty if schedules suit the fabric and its timing; otherwise the sentence that says
     *         why not
     */
    virtual std::string CheckTiming(bool isPartial) const;

    /**
     * Throws std::invalid_argument for a demand whose size is not the number of ports, and if the
     * fabric cannot carry a configuration.
     *
     * @param demand the bytes to be carried by source and destination port
     * @return the configurations that serve it
     */
    CircuitSchedule Schedule(const TrafficMatrix& demand) const;

  protected:
    /**
     * Throws std::invalid_argument for a lightpath without lanes and a time beyond the range of
     * Time.
     *
     * @param bytes a number of bytes
     * @param lanes the number of lanes of a lightpath, at least 1
     * @return the time that the lightpath takes to carry them, rounded up to a time step
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
