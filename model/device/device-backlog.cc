/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "forward-queue.h"
#include "frame-source.h"
#include "optical-net-device.h"
#include "virtual-output-queue.h"

#include <utility>

/**
 * @file
 * @ingroup lightpath
 * What an OpticalNetDevice tells of a destination: bytes that wait, rate, delay.
 */

namespace ns3
{
namespace lightpath
{

uint64_t
OpticalNetDevice::GetBacklog(uint32_t destination) const
{
    const OpticalTransmitter* const transmitter = m_transmitters.Find(destination);
    return transmitter ? GetBacklog(destination, *transmitter) : 0;
}

uint64_t
OpticalNetDevice::GetBacklog(uint32_t destination, const OpticalTransmitter& transmitter) const
{
    if (transmitter.GetBorrower())
    {
        return transmitter.GetUnsentBytes();
    }
    if (!transmitter.IsActive())
    {
        return 0;
    }
    // The source has not made these frames yet
    const uint64_t made = m_source ? m_source->GetBacklog(destination) : 0;
    return m_queue->GetBytesFor(destination) +
           (m_forward ? m_forward->GetBytesFor(destination) : 0) + made +
           transmitter.GetUnsentBytes();
}

void
OpticalNetDevice::GetBacklog(std::vector<std::pair<uint32_t, uint64_t>>& backlog) const
{
    backlog.clear();
    const std::vector<uint32_t>& destinations = m_transmitters.GetPorts();
    for (std::size_t i = 0; i < destinations.size(); ++i)
    {
        const uint64_t bytes = GetBacklog(destinations[i], m_transmitters.GetEntry(i));
        if (bytes > 0)
        {
            backlog.emplace_back(destinations[i], bytes);
        }
    }
}

void
OpticalNetDevice::UpdateBacklog()
{
    std::vector<std::pair<uint32_t, uint64_t>> backlog;
    GetBacklog(backlog);
    uint64_t bytes = 0;
    for (const auto& waiting : backlog)
    {
        bytes += waiting.second;
    }
    const double before = std::exchange(m_backlog, static_cast<double>(bytes));
    if (before != m_backlog)
    {
        m_backlogTrace(before, m_backlog);
    }
}

Time
OpticalNetDevice::GetPathDelay(uint32_t destination) const
{
    const OpticalTransmitter* const transmitter = m_transmitters.Find(destination);
    return transmitter ? transmitter->GetDelay() : Time(0);
}

uint64_t
OpticalNetDevice::GetRate(uint32_t destination) const
{
    const OpticalTransmitter* const transmitter = m_transmitters.Find(destination);
    return transmitter ? transmitter->GetBitRate() : 0;
}

} // namespace lightpath
} // namespace ns3
