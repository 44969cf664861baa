/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "service-time-matrix.h"

#include "ns3/assert.h"

#include <algorithm>

namespace ns3
{
namespace lightpath
{

ServiceTimeMatrix::ServiceTimeMatrix(uint32_t size)
    : m_size(size),
      m_steps(static_cast<std::size_t>(size) * size, 0)
{
}

uint32_t
ServiceTimeMatrix::GetSize() const
{
    return m_size;
}

int64_t
ServiceTimeMatrix::Get(uint32_t source, uint32_t destination) const
{
    return m_steps[static_cast<std::size_t>(source) * m_size + destination];
}

void
ServiceTimeMatrix::Add(uint32_t source, uint32_t destination, int64_t steps)
{
    int64_t& time = m_steps[static_cast<std::size_t>(source) * m_size + destination];
    time += steps;
    NS_ASSERT_MSG(time >= 0, "More time is taken from a pair than it has");
}

int64_t
ServiceTimeMatrix::Serve(uint32_t source, uint32_t destination, int64_t steps)
{
    int64_t& time = m_steps[static_cast<std::size_t>(source) * m_size + destination];
    const int64_t served = std::min(time, steps);
    time -= served;
    return served;
}

int64_t
ServiceTimeMatrix::GetMaxLineSum() const
{
    int64_t most = 0;
    std::vector<int64_t> received(m_size, 0);
    for (uint32_t source = 0; source < m_size; ++source)
    {
        int64_t sent = 0;
        for (uint32_t destination = 0; destination < m_size; ++destination)
        {
            sent += Get(source, destination);
            received[destination] += Get(source, destination);
        }
        most = std::max(most, sent);
    }
    for (const int64_t sum : received)
    {
        most = std::max(most, sum);
    }
    return most;
}

uint32_t
ServiceTimeMatrix::GetDegree() const
{
    uint32_t most = 0;
    std::vector<uint32_t> sources(m_size, 0);
    for (uint32_t source = 0; source < m_size; ++source)
    {
        uint32_t destinations = 0;
        for (uint32_t destination = 0; destination < m_size; ++destination)
        {
            if (Get(source, destination) > 0)
            {
                ++destinations;
                most = std::max(most, ++sources[destination]);
            }
        }
        most = std::max(most, destinations);
    }
    return most;
}

void
ServiceTimeMatrix::Stuff()
{
    std::vector<int64_t> toSend(m_size, GetMaxLineSum());
    std::vector<int64_t> toReceive = toSend;
    for (uint32_t source = 0; source < m_size; ++source)
    {
        for (uint32_t destination = 0; destination < m_size; ++destination)
        {
            toSend[source] -= Get(source, destination);
            toReceive[destination] -= Get(source, destination);
        }
    }
    // First where there is time already, so that few new pairs are made
    for (const bool anywhere : {false, true})
    {
        for (uint32_t source = 0; source < m_size; ++source)
        {
            for (uint32_t destination = 0; destination < m_size && toSend[source] > 0;
                 ++destination)
            {
                if (anywhere || Get(source, destination) > 0)
                {
                    const int64_t steps = std::min(toSend[source], toReceive[destination]);
                    Add(source, destination, steps);
                    toSend[source] -= steps;
                    toReceive[destination] -= steps;
                }
            }
        }
    }
}

} // namespace lightpath
} // namespace ns3
