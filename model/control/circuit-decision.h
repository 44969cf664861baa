/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CIRCUIT_DECISION_H
#define CIRCUIT_DECISION_H

#include "circuit-allocator.h"
#include "circuit-scheduler.h"
#include "traffic-matrix.h"

#include "ns3/nstime.h"

#include <string>
#include <vector>

namespace ns3
{
namespace lightpath
{

class OpticalChannel;

/**
 * @ingroup lightpath
 * @brief The answer of an allocator or of a scheduler to a demand, as a controller carries it out.
 */
struct CircuitDecision
{
    /**
     * Ask a scheduler or, if there is none, an allocator for the circuits of the demand. A demand
     * that it refuses ends the program with its sentence.
     *
     * @param scheduler chooses a sequence of circuits; null for the allocator to decide
     * @param allocator chooses one set of circuits
     * @return how long the computation has taken on this machine
     */
    Time Make(Ptr<const CircuitScheduler> scheduler, Ptr<const CircuitAllocator> allocator);

    /**
     * Decide for another demand, if there is any, in place of the one decided for.
     *
     * @param other the demand
     * @param allocator chooses the circuits
     * @return how long the computation has taken on this machine
     */
    Time Prefer(const TrafficMatrix& other, Ptr<const CircuitAllocator> allocator);

    /**
     * Let present circuits stay where that serves the demand: all of them if the bytes are through
     * no later than with others, whose darkness counts; otherwise those that fit beside the others.
     *
     * @param channel the fabric
     * @param served the demand
     */
    void Settle(const OpticalChannel& channel, const TrafficMatrix& served);

    /**
     * @return the demanded pairs that the schedule does not serve
     */
    std::vector<PortPair> GetUnscheduled() const;

    /**
     * @return the allocation in words
     */
    std::string DescribeAllocation() const;

    /**
     * @return the schedule in words
     */
    std::string DescribeSchedule() const;

    TrafficMatrix demand;         //!< The demand
    CircuitAllocation allocation; //!< The answer of the allocator
    CircuitSchedule schedule;     //!< The answer of the scheduler
};

/**
 * @ingroup lightpath
 * @param demand a demand
 * @return its size in words, like "1200 bytes between 4 pairs"
 */
std::string DescribeDemand(const TrafficMatrix& demand);

} // namespace lightpath
} // namespace ns3

#endif /* CIRCUIT_DECISION_H */
