/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-pace.h"

#include <algorithm>

namespace ns3
{
namespace lightpath
{

namespace
{

/// The most bits of a gradient before a network averages it in its own number of bits.
constexpr double MOST_GRADIENT_BITS = 64;

} // namespace

double
FabricPace::GetBestRate(const FabricLimits& fabric)
{
    return (fabric.bitRate + (fabric.HasServers() ? fabric.servers.bitRate : 0)) / 8;
}

double
FabricPace::GetBestLatency(const FabricLimits& fabric)
{
    const double latency = fabric.links.getDelay ? fabric.links.leastDelay : fabric.latency;
    return fabric.HasServers() ? std::min(latency, fabric.servers.latency) : latency;
}

double
FabricPace::GetReductionSeconds(const FabricLimits& fabric, uint32_t ranks)
{
    if (ranks < 2)
    {
        return 0;
    }
    if (fabric.averagedBits > 0)
    {
        return fabric.averagedBits / MOST_GRADIENT_BITS / GetBestRate(fabric);
    }
    // All links carry all bytes; only the cards of servers carry the bytes that leave one
    const ServerLayout& layout = fabric.servers.layout;
    const uint32_t servers = layout.GetNServers(ranks);
    const uint32_t cards = std::min(ranks, servers * layout.GetNCards());
    const double sent = fabric.servers.reduces ? 1 : 2.0 * (ranks - 1) / ranks;
    return std::max(sent / GetBestRate(fabric), 2.0 * (servers - 1) / cards / (fabric.bitRate / 8));
}

double
FabricPace::GetPairSeconds(const FabricLimits& fabric, uint32_t ranks)
{
    const bool isKnown = ranks == 2 && fabric.peerBitRate > 0 && !fabric.HasServers();
    return isKnown ? 1 / (fabric.peerBitRate / 8) : 0;
}

} // namespace lightpath
} // namespace ns3
