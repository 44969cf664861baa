/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-bounds.h"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

namespace ns3
{
namespace lightpath
{

namespace
{

/**
 * Refuse numbers that make no sense.
 *
 * @param count a number of nodes, peers or switches
 * @param bitRate a rate, bit/s
 * @param seconds a delay, s
 */
void
Check(uint32_t count, double bitRate, double seconds)
{
    if (count == 0 || !(bitRate > 0) || !(seconds >= 0))
    {
        throw std::invalid_argument(
            "A bound for " + std::to_string(count) + " nodes, peers or switches, a rate of " +
            std::to_string(bitRate) + " bit/s and a delay of " + std::to_string(seconds) +
            " s is not defined: the first two must be positive, and the delay not negative");
    }
}

} // namespace

double
FabricBounds::GetTransferSeconds(const TrafficMatrix& traffic, double bitRate)
{
    return GetPlanesSeconds(traffic, 1, bitRate, 0);
}

uint64_t
FabricBounds::GetMooreDistances(uint32_t nodes, uint32_t degree)
{
    Check(std::min(nodes, degree), 1, 0);
    uint64_t sum = 0;
    uint64_t rest = nodes - 1;
    uint64_t width = degree;
    for (uint64_t hops = 1; rest > 0; ++hops)
    {
        const uint64_t reached = std::min(width, rest);
        sum += hops * reached;
        rest -= reached;
        width = rest > 0 ? width * degree : 0;
    }
    return sum;
}

double
FabricBounds::GetStaticAllToAllSeconds(uint32_t nodes,
                                       double bytes,
                                       uint32_t degree,
                                       double bitRate)
{
    Check(1, bitRate, bytes);
    return bytes * 8 / bitRate * static_cast<double>(GetMooreDistances(nodes, degree));
}

double
FabricBounds::GetSwitchedAllToAllSeconds(uint32_t nodes,
                                         double bytes,
                                         uint32_t degree,
                                         double bitRate,
                                         double delaySeconds)
{
    Check(std::min(nodes, degree), bitRate, std::min(bytes, delaySeconds));
    const uint64_t peers = nodes - 1;
    double least = std::numeric_limits<double>::infinity();
    // Between these the bound is a straight line
    const uint64_t most = (peers + degree - 1) / degree;
    for (const uint64_t configurations : {uint64_t{1}, peers / degree, most})
    {
        const uint64_t used = std::max<uint64_t>(configurations, 1);
        const uint64_t direct = std::min(peers, degree * used);
        const double hops = static_cast<double>(direct + 2 * (peers - direct));
        least = std::min(least,
                         static_cast<double>(used - 1) * delaySeconds + bytes * 8 / bitRate * hops);
    }
    return least;
}

double
FabricBounds::GetPlanesSeconds(const TrafficMatrix& traffic,
                               uint32_t planes,
                               double bitRate,
                               double delaySeconds)
{
    Check(planes, bitRate, delaySeconds);
    std::vector<double> bytes(2 * std::size_t{traffic.GetSize()}, 0);
    std::vector<uint32_t> peers(bytes.size(), 0);
    for (uint32_t source = 0; source < traffic.GetSize(); ++source)
    {
        for (const auto& [destination, size] : traffic.GetRow(source))
        {
            for (const std::size_t port :
                 {2 * std::size_t{source}, 2 * std::size_t{destination} + 1})
            {
                bytes[port] += static_cast<double>(size);
                ++peers[port];
            }
        }
    }
    double seconds = 0;
    for (std::size_t port = 0; port < bytes.size(); ++port)
    {
        const uint32_t switches = peers[port] > planes ? peers[port] - planes : 0;
        seconds = std::max(seconds, (bytes[port] * 8 / bitRate + switches * delaySeconds) / planes);
    }
    return seconds;
}

} // namespace lightpath
} // namespace ns3
