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

double
FabricPace::GetBestRate(const FabricLimits& fabric)
{
    return (fabric.bitRate + (fabric.HasServers() ? fabric.servers.bitRate : 0)) / 8;
}

double
FabricPace::GetBestLatency(const FabricLimits& fabric)
{
    return fabric.HasServers() ? std::min(fabric.latency, fabric.servers.latency) : fabric.latency;
}

double
FabricPace::GetReductionSeconds(const FabricLimits& fabric, uint32_t ranks)
{
    if (ranks < 2)
    {
        return 0;
    }
    // All links carry all bytes; only the links between servers carry the bytes that leave one
    const uint32_t server = std::max(fabric.servers.layout.gpus, 1U);
    const uint32_t servers = (ranks + server - 1) / server;
    return std::max(2.0 * (ranks - 1) / ranks / GetBestRate(fabric),
                    2.0 * (servers - 1) / ranks / (fabric.bitRate / 8));
}

double
FabricPace::GetPairSeconds(const FabricLimits& fabric, uint32_t ranks)
{
    const bool isKnown = ranks == 2 && fabric.peerBitRate > 0 && !fabric.HasServers();
    return isKnown ? 1 / (fabric.peerBitRate / 8) : 0;
}

} // namespace lightpath
} // namespace ns3
