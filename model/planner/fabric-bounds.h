/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FABRIC_BOUNDS_H
#define FABRIC_BOUNDS_H

#include "ns3/traffic-matrix.h"

#include <cstdint>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Times that no way of sending can beat on a fabric of circuits.
 *
 * Throughout, latency is left out and everything overlaps, so that the bounds hold whatever is sent
 * when. Numbers that make no sense are refused by std::invalid_argument.
 */
class FabricBounds
{
  public:
    /**
     * The time in which the busiest port sends, or receives, its bytes. O(entries).
     *
     * @param traffic the bytes
     * @param bitRate the rate of a port in each direction, bit/s
     * @return the bound, s
     */
    static double GetTransferSeconds(const TrafficMatrix& traffic, double bitRate);

    /**
     * The sum of the distances from one of n nodes to all others in any directed graph of
     * out-degree d: at most d^i nodes are i hops away (Moore). O(log n), or O(n) for degree 1.
     *
     * @param nodes the number of nodes, 1 at least
     * @param degree the most peers that a node sends to, 1 at least
     * @return the least sum of the distances
     */
    static uint64_t GetMooreDistances(uint32_t nodes, uint32_t degree);

    /**
     * An all-to-all over circuits that stay as they are: m bytes for each of the n - 1 others take
     * as many hops as GetMooreDistances() says, and each hop takes rate of some port:
     * T >= m S(n, d) / B.
     *
     * @param nodes the number of GPUs
     * @param bytes the bytes of each pair
     * @param degree the most peers that a GPU sends to
     * @param bitRate the rate of a GPU over all its circuits, bit/s
     * @return the bound, s
     */
    static double GetStaticAllToAllSeconds(uint32_t nodes,
                                           double bytes,
                                           uint32_t degree,
                                           double bitRate);

    /**
     * An all-to-all over circuits that are switched R times, which takes R times the delay: at most
     * d (R + 1) peers are reached directly, and all others over two hops at least:
     * T >= min over R of R delay + m / B (min(n - 1, d (R + 1)) + 2 max(0, n - 1 - d (R + 1))).
     *
     * @param nodes the number of GPUs
     * @param bytes the bytes of each pair
     * @param degree the most peers that a GPU sends to at a time
     * @param bitRate the rate of a GPU over all its circuits, bit/s
     * @param delaySeconds the time that all circuits are dark as they are switched, s
     * @return the bound, s; the larger of this one and that of static circuits holds if R is 0
     */
    static double GetSwitchedAllToAllSeconds(uint32_t nodes,
                                             double bytes,
                                             uint32_t degree,
                                             double bitRate,
                                             double delaySeconds);

    /**
     * Traffic over s parallel switches, sent to its destination directly: a port with r bytes for
     * t peers has a circuit at each switch, and all peers but s of them need a switch of a circuit,
     * so that T >= (r / b + max(0, t - s) delay) / s. The maximum over all ports, sending and
     * receiving. O(entries).
     *
     * @param traffic the bytes
     * @param planes the number of switches, which is that of circuits of a port
     * @param bitRate the rate of a circuit, bit/s
     * @param delaySeconds the time that a circuit is dark as it is switched, s
     * @return the bound, s
     */
    static double GetPlanesSeconds(const TrafficMatrix& traffic,
                                   uint32_t planes,
                                   double bitRate,
                                   double delaySeconds);
};

} // namespace lightpath
} // namespace ns3

#endif /* FABRIC_BOUNDS_H */
