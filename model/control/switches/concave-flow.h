/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CONCAVE_FLOW_H
#define CONCAVE_FLOW_H

#include "ns3/circuit-plan.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief A pair of devices and the gain of each of its circuits.
 */
struct ConcavePair
{
    PortPair ports; //!< Source and destination

    /// The gain of the first circuit, the second and so on: not negative, and not increasing.
    /// Further circuits add nothing.
    std::vector<double> gains;

    /**
     * @param ports source and destination
     * @param bytes the demand
     * @param circuits the most circuits
     * @return a pair whose first circuit is worth the demand, and each further one half of the one
     *         before it
     */
    static ConcavePair Halve(PortPair ports, double bytes, uint32_t circuits);

    /**
     * @param circuits a number of circuits
     * @return their total gain
     */
    double GetValue(uint32_t circuits) const;
};

/**
 * @ingroup lightpath
 * Find the numbers of circuits of the largest total gain, within the circuits that each device can
 * send and receive on.
 *
 * Each circuit is an arc of a network with a cost of its own; as gains do not increase, a flow of
 * least cost takes the circuits of a pair in their order (Ahuja, Magnanti and Orlin, 1993, chapter
 * 14). Gains are scaled to integers, with an error for each circuit of (n + 1) / 2^59 of the
 * largest gain at most, where n is the number of devices.
 *
 * @param inputs the most circuits that each device sends on
 * @param outputs the most circuits that each device receives on
 * @param pairs the pairs
 * @param circuits the circuits that each pair has already, on other ports
 * @return the number of further circuits by pair
 */
std::vector<uint32_t> FindConcaveFlow(const std::vector<uint32_t>& inputs,
                                      const std::vector<uint32_t>& outputs,
                                      const std::vector<ConcavePair>& pairs,
                                      const std::vector<uint32_t>& circuits);

} // namespace lightpath
} // namespace ns3

#endif /* CONCAVE_FLOW_H */
