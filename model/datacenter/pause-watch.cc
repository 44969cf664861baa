/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "pause-watch.h"

#include "rdma-network.h"
#include "rdma-switch.h"

#include <algorithm>
#include <vector>

namespace ns3
{
namespace lightpath
{

namespace
{

/**
 * @param network the network
 * @param index the link of a port that is paused
 * @param trafficClass the class
 * @param since when the pause must have begun, ps
 * @param [in,out] circle links of ports, each of which waits for the next; the circle
 * @return whether there is a circle behind them and this port
 */
bool
FindCircle(RdmaNetwork& network,
           uint32_t index,
           uint8_t trafficClass,
           int64_t since,
           std::vector<uint32_t>& circle)
{
    const auto begin = std::find(circle.begin(), circle.end(), index);
    if (begin != circle.end())
    {
        circle.erase(circle.begin(), begin);
        return true;
    }
    const auto& links = network.GetLinks();
    circle.push_back(index);
    if (links[index].to)
    {
        for (const uint32_t next : links[index].to->GetOutLinks())
        {
            const RdmaLink& link = links[next];
            if (!link.IsPaused(trafficClass) || link.pausedSince[trafficClass] > since)
            {
                continue;
            }
            const RdmaFrame* frame = link.queues[trafficClass].head;
            while (frame && frame->ingress != index)
            {
                frame = frame->next;
            }
            if (frame && FindCircle(network, next, trafficClass, since, circle))
            {
                return true;
            }
        }
    }
    circle.pop_back();
    return false;
}

} // namespace

std::string
FindDeadlock(RdmaNetwork& network, uint32_t index, Time limit)
{
    RdmaLink& link = network.GetLinks()[index];
    link.isWatched = false;
    const int64_t length = limit.GetPicoSeconds();
    const int64_t since = network.GetClock().GetNow() - length;
    for (uint32_t trafficClass = 0; trafficClass < N_CLASSES; ++trafficClass)
    {
        if (!link.IsPaused(trafficClass))
        {
            continue;
        }
        if (!link.isWatched)
        {
            link.isWatched = true;
            const int64_t from = std::max(link.pausedSince[trafficClass], since + length / 2);
            network.GetClock().At(from + length, RdmaClock::CHECK, index);
        }
        std::vector<uint32_t> circle;
        if (link.pausedSince[trafficClass] > since ||
            !FindCircle(network, index, trafficClass, since, circle))
        {
            continue;
        }
        std::string ports;
        for (const uint32_t each : circle)
        {
            ports += (ports.empty() ? "the port " : ", the port ") + network.Describe(each);
        }
        return "Pauses of class " + std::to_string(trafficClass) +
               " have come to a deadlock: each of these ports has been paused for " +
               std::to_string(limit.GetMicroSeconds()) +
               " us, and waits for the next, the last for the first: " + ports +
               "; choose paths without circles, like those of leaves and spines";
    }
    return "";
}

} // namespace lightpath
} // namespace ns3
