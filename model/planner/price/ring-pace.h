/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RING_PACE_H
#define RING_PACE_H

#include <cstdint>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief The time of successive operations of a ring whose members send at different rates.
 *
 * A member sends its message of a step once it has sent that of the step before and received that
 * of its predecessor. Within an operation the slowest path sets the pace. But the member that
 * sends on it has received all of the operation before the others have: it computes, and begins
 * the next operation, before them.
 */
class RingPace
{
  public:
    /// Members up to which GetSeconds() is quick.
    static constexpr uint32_t MOST_MEMBERS = 32;

    /// The time of the message of a step from one member to the next.
    struct Hop
    {
        double seconds{0}; //!< To be sent, seconds
        double latency{0}; //!< From then on until it is received, seconds
    };

    /**
     * In many steps, either the slowest member sends without a pause, or messages go around the
     * ring without waiting.
     *
     * @param ring the hops of all members
     * @return the time of a step of an operation of many, in seconds
     */
    static double GetStepSeconds(const std::vector<Hop>& ring);

    /**
     * @param ring the hops of all members
     * @param steps the number of steps of an operation
     * @return the mean time from one operation to the next, without the computation between them,
     *         in seconds
     */
    static double GetSeconds(const std::vector<Hop>& ring, uint32_t steps);
};

} // namespace lightpath
} // namespace ns3

#endif /* RING_PACE_H */
