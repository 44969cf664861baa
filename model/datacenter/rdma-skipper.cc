/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "rdma-skipper.h"

#include "rdma-card.h"
#include "rdma-network.h"
#include "rdma-paths.h"
#include "rdma-queue-pair.h"

#include <algorithm>
#include <cmath>

namespace ns3
{
namespace lightpath
{

RdmaSkipper::RdmaSkipper(RdmaNetwork& network)
    : m_network(network),
      m_loads(network.GetLinks().size()),
      m_users(network.GetLinks().size())
{
}

void
RdmaSkipper::SetRate(RdmaQueuePair& pair, double rate)
{
    const uint32_t number = pair.GetNumber();
    if (m_flows.size() <= number)
    {
        m_flows.resize(number + 1);
    }
    if (!m_flows[number].pair)
    {
        m_flows[number].pair = &pair;
        m_flows[number].links = m_network.GetPaths().GetLinks(pair.GetSender().GetPort(),
                                                              pair.GetReceiver().GetPort(),
                                                              pair.GetEntropy());
    }
    const int64_t change = std::llround(rate) - m_flows[number].rate;
    if (change == 0)
    {
        return;
    }
    const bool begins = m_flows[number].rate == 0;
    m_flows[number].rate += change;
    const bool ends = m_flows[number].rate == 0;
    for (const uint32_t link : m_flows[number].links)
    {
        auto& users = m_users[link];
        if (begins)
        {
            users.push_back(number);
        }
        else if (ends)
        {
            users.erase(std::find(users.begin(), users.end(), number));
        }
        m_loads[link] += change;
        if (change > 0 && static_cast<double>(m_loads[link]) > m_network.GetLinks()[link].bitRate)
        {
            Wake(link);
        }
    }
}

bool
RdmaSkipper::IsCalm(const RdmaQueuePair& pair) const
{
    if (!m_isOn || *m_network.GetWatch())
    {
        return false;
    }
    // Frames of several queue pairs may meet
    constexpr uint64_t frames = 4;
    const uint64_t most = frames * (m_network.GetPacketSize() + ROCE_HEADER_BYTES);
    for (const uint32_t each : m_flows[pair.GetNumber()].links)
    {
        const RdmaLink& link = m_network.GetLinks()[each];
        if (static_cast<double>(m_loads[each]) > link.bitRate || link.IsPaused(DATA_CLASS) ||
            link.queues[DATA_CLASS].bytes > most)
        {
            return false;
        }
    }
    return true;
}

void
RdmaSkipper::Count(const RdmaQueuePair& pair, uint64_t packets, uint32_t bytes)
{
    m_network.Count().frames += packets;
    m_network.Count().skipped += packets;
    for (const uint32_t each : m_flows[pair.GetNumber()].links)
    {
        RdmaLink& link = m_network.GetLinks()[each];
        link.sentBytes += packets * (bytes + ETHERNET_GAP_BYTES);
        link.nFrames += packets;
    }
}

void
RdmaSkipper::Wake(uint32_t link)
{
    for (const uint32_t number : m_users[link])
    {
        m_flows[number].pair->Wake();
    }
}

void
RdmaSkipper::Stop()
{
    m_isOn = false;
    for (const Flow& flow : m_flows)
    {
        if (flow.pair)
        {
            flow.pair->Wake();
        }
    }
}

} // namespace lightpath
} // namespace ns3
