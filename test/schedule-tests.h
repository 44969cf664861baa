/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_SCHEDULE_TESTS_H
#define LIGHTPATH_SCHEDULE_TESTS_H

#include "fabric-fixture.h"

#include "ns3/circuit-scheduler.h"
#include "ns3/circuit-switch-channel.h"
#include "ns3/test.h"
#include "ns3/traffic-matrix.h"

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

/**
 * @ingroup lightpath-tests
 * @brief Switches of 8 Gb/s a circuit, through which one byte takes one nanosecond, and the fabric
 * that judges plans for them.
 */
class ScheduleReplay
{
  public:
    /**
     * @param devices the number of devices
     * @param switches the number of switches
     * @param failed the components that have failed
     */
    ScheduleReplay(uint32_t devices,
                   uint32_t switches,
                   const std::vector<std::string>& failed = {});

    /**
     * @tparam T a kind of scheduler
     * @param delay the switching delay in nanoseconds
     * @return a scheduler for these switches
     */
    template <typename T>
    ns3::Ptr<T> Make(int64_t delay) const
    {
        const auto scheduler = ns3::CreateObject<T>();
        scheduler->SetPlanes(
            std::make_shared<ns3::lightpath::CircuitSwitchGeometry>(m_channel->GetGeometry()));
        scheduler->SetTiming(ns3::DataRate("8Gbps"), ns3::NanoSeconds(delay));
        return scheduler;
    }

    /**
     * @return the switches
     */
    const ns3::lightpath::CircuitSwitchGeometry& GetGeometry() const;

    /**
     * @param plan a plan
     * @return why the fabric cannot carry it; empty if it can
     */
    std::string Check(const ns3::lightpath::CircuitPlan& plan) const;

    /**
     * Carry bytes slot by slot, and compare the rest with the statement of the schedule.
     *
     * @param schedule a schedule that is not cyclic
     * @param demand the demand that it is for
     * @return the fault: a plan that the fabric refuses, a circuit without bytes, a slot without
     *         light, or a wrong number of unserved bytes; empty if there is none
     */
    std::string Replay(const ns3::lightpath::CircuitSchedule& schedule,
                       const ns3::lightpath::TrafficMatrix& demand) const;

    /**
     * @param demand a demand
     * @return the longest time, in nanoseconds, that a device is busy if all its circuits have all
     * lanes of their pair, each rounded up
     */
    int64_t GetLongestLine(const ns3::lightpath::TrafficMatrix& demand) const;

    /**
     * @param demand a demand
     * @return the demand of the pairs that a switch can join
     */
    ns3::lightpath::TrafficMatrix GetJoined(const ns3::lightpath::TrafficMatrix& demand) const;

  private:
    /**
     * @param source the device that sends
     * @param destination the device that receives
     * @return the number of switches that can join them
     */
    int64_t CountLanes(uint32_t source, uint32_t destination) const;

    ns3::Ptr<ns3::lightpath::CircuitSwitchChannel> m_channel; //!< The fabric
    FabricFixture m_fixture;                                  //!< Devices on the fabric
};

/**
 * @ingroup lightpath-tests
 * @param schedule a schedule
 * @return how long its slots carry light, in nanoseconds
 */
int64_t GetLight(const ns3::lightpath::CircuitSchedule& schedule);

/**
 * @ingroup lightpath-tests
 * @brief The best schedules of all demands of three devices with a few bytes for each pair, by
 * trying all matchings and durations in whole nanoseconds; one byte takes one nanosecond.
 */
class BestSchedules
{
  public:
    /// Bytes of the pairs 0 1, 0 2, 1 0, 1 2, 2 0 and 2 1.
    using Entries = std::array<uint32_t, 6>;

    /**
     * @param most the most bytes of a pair
     * @param delay the switching delay in nanoseconds
     * @param horizon the longest makespan for which the bytes served are computed
     */
    BestSchedules(uint32_t most, uint32_t delay, uint32_t horizon);

    /**
     * @return the number of demands
     */
    uint32_t GetNDemands() const;

    /**
     * @param index the index of a demand
     * @return the demand
     */
    ns3::lightpath::TrafficMatrix GetDemand(uint32_t index) const;

    /**
     * @param index the index of a demand
     * @return the shortest makespan that serves it, in nanoseconds
     */
    uint32_t GetMakespan(uint32_t index) const;

    /**
     * @param index the index of a demand
     * @param horizon the longest makespan in nanoseconds
     * @return the most bytes that can be served in this time
     */
    uint32_t GetServed(uint32_t index, uint32_t horizon) const;

  private:
    /**
     * @param index the index of a demand
     * @return its bytes by pair
     */
    Entries Unpack(uint32_t index) const;

    /**
     * Compute the best of a demand from those of smaller demands.
     *
     * @param index the index of the demand
     */
    void Solve(uint32_t index);

    uint32_t m_most;                  //!< Most bytes of a pair
    uint32_t m_delay;                 //!< Switching delay
    uint32_t m_horizon;               //!< Longest makespan
    std::vector<uint32_t> m_makespan; //!< Shortest makespan by demand
    std::vector<uint32_t> m_served;   //!< Most bytes by demand and makespan
};

#endif /* LIGHTPATH_SCHEDULE_TESTS_H */
