/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FABRIC_PACE_H
#define FABRIC_PACE_H

#include "ns3/planner.h"

#include <cstdint>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Upper limits of the rate at which a GPU can send, wherever it stands and whatever its
 * circuits.
 */
class FabricPace
{
  public:
    /**
     * @param fabric a fabric
     * @return the greatest rate at which a GPU can send, inside its server and over its card
     *         together, bytes/s
     */
    static double GetBestRate(const FabricLimits& fabric);

    /**
     * @param fabric a fabric
     * @return the least latency of a message, seconds
     */
    static double GetBestLatency(const FabricLimits& fabric);

    /**
     * A lower bound on the time of a reduction of one byte, without latency: all ranks together
     * send 2 (n - 1) bytes for each byte of the buffer (Patarasuk and Yuan, 2009). Of these,
     * 2 (N - 1) leave a server if the ranks are in N servers, over the cards of these. Where a
     * switch sums, each rank sends its buffer once; a network that averages may take fewer bits.
     *
     * @param fabric the fabric
     * @param ranks the number n of ranks
     * @return the time of an all-reduce for each byte of its buffer, seconds; a reduce-scatter or
     *         an all-gather takes half of it
     */
    static double GetReductionSeconds(const FabricLimits& fabric, uint32_t ranks);

    /**
     * In a reduction by two ranks, each rank sends everything to the other one. If each GPU is in
     * such a group, the slowest pair has at most FabricLimits::peerBitRate.
     *
     * @param fabric the fabric
     * @param ranks the number of ranks of each group
     * @return the time of an all-reduce of the slowest group for each byte of its buffer, seconds;
     *         0 without a known peerBitRate, for more than two ranks, and with servers
     */
    static double GetPairSeconds(const FabricLimits& fabric, uint32_t ranks);
};

} // namespace lightpath
} // namespace ns3

#endif /* FABRIC_PACE_H */
