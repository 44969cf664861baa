/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FAULT_HISTORY_H
#define FAULT_HISTORY_H

#include <cstdint>
#include <functional>
#include <istream>
#include <string>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief How often nodes become faulty, and for how long.
 *
 * A healthy node becomes faulty after an exponential time, and its repair takes a log-normal one.
 * The defaults describe the public trace of InfiniteHBD: 400 nodes of 8 GPUs, 348 days.
 */
struct FaultStatistics
{
    double perThousandNodeDays{4.18}; //!< Faults of 1000 nodes a day, above 0
    double repairMedianDays{0.8506};  //!< Median time of a repair, days, above 0
    double repairMeanDays{5.535};     //!< Mean time of a repair, days, at least the median
};

/**
 * @ingroup lightpath
 * @brief Which nodes are faulty when.
 */
class FaultHistory
{
  public:
    /// Takes the faulty nodes and the days for which they are so.
    using Visitor = std::function<void(const std::vector<bool>& isFaulty, double days)>;

    /**
     * Read a trace: a JSON list of objects in the order of time, each with "node_id", "event_time"
     * in days and "event_type", which is "fault_start" or "fault_end"; other keys are ignored. The
     * trace begins at day 0 and ends with its last event. std::invalid_argument refuses any other
     * text.
     *
     * @param input the trace
     * @param name the name of the trace in sentences, such as that of its file
     * @param nNodes the number of nodes; those that the trace does not name have no faults
     * @return the history
     */
    static FaultHistory Read(std::istream& input, const std::string& name, uint32_t nNodes);

    /**
     * Draw faults. The first day is like any other: nodes may be faulty already.
     *
     * @param nNodes the number of nodes
     * @param days the length of the history, days, above 0
     * @param statistics how often nodes become faulty, and for how long; std::invalid_argument
     *        refuses what is out of range
     * @param seed the seed of the random numbers
     * @return the history
     */
    static FaultHistory Draw(uint32_t nNodes,
                             double days,
                             const FaultStatistics& statistics,
                             uint32_t seed);

    /**
     * Visit the faulty nodes at all times, in order.
     *
     * @param places the place of each node, below the number of nodes
     * @param visit takes the faulty places
     */
    void ForEachInterval(const std::vector<uint32_t>& places, const Visitor& visit) const;

    /**
     * Draw places of the nodes at random, all arrangements being equally likely.
     *
     * @param seed the seed of the random numbers
     * @param draw the number of the draw
     * @return the place of each node
     */
    std::vector<uint32_t> DrawPlaces(uint32_t seed, uint32_t draw) const;

    /**
     * @return the share of nodes that are faulty, on average over time
     */
    double GetFaultyShare() const;

    /**
     * @return the number of faults
     */
    uint64_t CountFaults() const;

    /**
     * @return the length of the history, days
     */
    double GetDays() const;

  private:
    /// A fault begins or ends.
    struct Event
    {
        double day;    //!< Time, days
        uint32_t node; //!< Number of the node
        bool isStart;  //!< Whether a fault begins
    };

    uint32_t m_nNodes{0};        //!< Number of nodes
    double m_days{0};            //!< Length, days
    std::vector<Event> m_events; //!< Events in the order of time
};

} // namespace lightpath
} // namespace ns3

#endif /* FAULT_HISTORY_H */
