/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "pause-watch.h"

#include "rdma-network.h"
#include "rdma-switch.h"

#include <algorithm>

namespace ns3
{
namespace lightpath
{

PauseWatch::PauseWatch(RdmaNetwork& network, Time limit)
    : m_network(network),
      m_limit(limit)
{
}

bool
PauseWatch::FindCircle(uint32_t index, uint8_t trafficClass, int64_t since)
{
    const auto begin = std::find(m_circle.begin(), m_circle.end(), index);
    if (begin != m_circle.end())
    {
        m_circle.erase(m_circle.begin(), begin);
        return true;
    }
    const auto& links = m_network.GetLinks();
    m_circle.push_back(index);
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
            if (frame && FindCircle(next, trafficClass, since))
            {
                return true;
            }
        }
    }
    m_circle.pop_back();
    return false;
}

std::string
PauseWatch::Check(uint32_t index)
{
    RdmaLink& link = m_network.GetLinks()[index];
    link.isWatched = false;
    const int64_t limit = m_limit.GetPicoSeconds();
    const int64_t since = m_network.GetClock().GetNow() - limit;
    for (uint32_t trafficClass = 0; trafficClass < N_CLASSES; ++trafficClass)
    {
        if (!link.IsPaused(trafficClass))
        {
            continue;
        }
        if (!link.isWatched)
        {
            link.isWatched = true;
            const int64_t from = std::max(link.pausedSince[trafficClass], since + limit / 2);
            m_network.GetClock().At(from + limit, RdmaClock::CHECK, index);
        }
        m_circle.clear();
        if (link.pausedSince[trafficClass] > since || !FindCircle(index, trafficClass, since))
        {
            continue;
        }
        std::string ports;
        for (const uint32_t each : m_circle)
        {
            ports += (ports.empty() ? "the port " : ", the port ") + m_network.Describe(each);
        }
        return "Pauses of class " + std::to_string(trafficClass) +
               " have come to a deadlock: each of these ports has been paused for " +
               std::to_string(m_limit.GetMicroSeconds()) +
               " us, and waits for the next, the last for the first: " + ports +
               "; choose paths without circles, like those of leaves and spines";
    }
    return "";
}

} // namespace lightpath
} // namespace ns3
