/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_ALLOCATION_REPORT_H
#define LIGHTPATH_ALLOCATION_REPORT_H

#include "ns3/circuit-allocator.h"
#include "ns3/circuit-fabric-helper.h"
#include "ns3/circuit-scheduler.h"
#include "ns3/optical-channel.h"

#include <nlohmann/json_fwd.hpp>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Reports a decision on the circuits of a fabric, as a table and as JSON.
 *
 * The fabric judges each plan (OpticalChannel::Check()): one that it cannot carry is refused by
 * std::logic_error with the sentence that names the conflict.
 */
class AllocationReport
{
  public:
    /**
     * @param channel the fabric, with all its devices attached
     * @param demand the demand
     * @param algorithm the allocator or scheduler
     * @param allocation its answer
     * @param seconds the time that it took to decide
     */
    AllocationReport(Ptr<OpticalChannel> channel,
                     const TrafficMatrix& demand,
                     const CircuitAlgorithm& algorithm,
                     const CircuitAllocation& allocation,
                     double seconds);

    /**
     * @param channel the fabric, with all its devices attached
     * @param demand the demand
     * @param algorithm the allocator or scheduler
     * @param schedule its answer
     * @param seconds the time that it took to decide
     */
    AllocationReport(Ptr<OpticalChannel> channel,
                     const TrafficMatrix& demand,
                     const CircuitAlgorithm& algorithm,
                     const CircuitSchedule& schedule,
                     double seconds);

    /**
     * @param os where to print the table
     */
    void PrintTable(std::ostream& os) const;

    /**
     * @return the report for programs, with the lanes of each lightpath and the lanes of the fabric
     */
    nlohmann::ordered_json GetJson() const;

  private:
    /// A line of the table.
    using Row = std::pair<std::string, std::string>;

    /// Numbers of lanes: used by a plan, and in all.
    struct Lanes
    {
        uint64_t used{0};  //!< Lanes of segments of a ring, or circuits
        uint64_t total{0}; //!< The same of all that works
    };

    /**
     * Refuse a plan that the fabric cannot carry.
     *
     * @param plan the plan
     */
    void Check(const CircuitPlan& plan) const;

    /**
     * @param plan a plan
     * @return the lanes that it takes of the fabric
     */
    Lanes CountLanes(const CircuitPlan& plan) const;

    /**
     * @param plan a plan
     * @return its lightpaths with their lanes
     */
    nlohmann::ordered_json GetLightpaths(const CircuitPlan& plan) const;

    /**
     * @return the lanes of the fabric, with those that have failed
     */
    nlohmann::ordered_json GetGeometry() const;

    /**
     * @return the lines of the table that are of an allocation
     */
    std::vector<Row> GetAllocationRows() const;

    /**
     * @return the lines of the table that are of a schedule
     */
    std::vector<Row> GetScheduleRows() const;

    /**
     * @return how far the schedule may be from the shortest, as a share of its time; not a number
     *         if no bound is known, or if it serves the demand in part or again and again
     */
    double GetScheduleGap() const;

    Ptr<OpticalChannel> m_channel;    //!< The fabric
    TrafficMatrix m_demand;           //!< What was to be carried
    CircuitAlgorithm m_algorithm;     //!< What has decided
    bool m_isSchedule;                //!< Whether the answer is a schedule
    CircuitAllocation m_allocation;   //!< The answer, if it is not
    CircuitSchedule m_schedule;       //!< The answer, if it is
    std::vector<PortPair> m_unserved; //!< Pairs that are not served, or not wholly
    uint64_t m_nPairs{0};             //!< Pairs that there is a demand of
    double m_seconds;                 //!< Time that it took to decide
};

} // namespace lightpath
} // namespace ns3

#endif /* LIGHTPATH_ALLOCATION_REPORT_H */
