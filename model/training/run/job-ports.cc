/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "job-ports.h"

#include "training-application.h"
#include "training-job.h"

#include "ns3/circuit-transport.h"

#include <set>
#include <stdexcept>
#include <string>
#include <utility>

namespace ns3
{
namespace lightpath
{

JobPorts::JobPorts(std::vector<uint32_t> ports, uint32_t size)
    : m_ports(std::move(ports)),
      m_ranks(size, NONE)
{
    for (uint32_t rank = 0; rank < m_ports.size(); ++rank)
    {
        const uint32_t port = m_ports[rank];
        if (port >= size)
        {
            throw std::invalid_argument("Rank " + std::to_string(rank) + " has port " +
                                        std::to_string(port) + " of a fabric whose last port is " +
                                        std::to_string(size - 1) + ": give it one of these");
        }
        if (m_ranks[port] != NONE)
        {
            throw std::invalid_argument("Ranks " + std::to_string(m_ranks[port]) + " and " +
                                        std::to_string(rank) + " both have port " +
                                        std::to_string(port) + ": give each rank its own");
        }
        m_ranks[port] = rank;
    }
}

std::shared_ptr<const JobPorts>
JobPorts::Find(const TrainingJob& job)
{
    const auto& ranks = job.GetRanks();
    const CircuitTransport* const circuits =
        ranks.empty() ? nullptr : ranks.front()->GetTransport()->FindCircuit(0, 1);
    return circuits ? circuits->GetPorts() : nullptr;
}

TrafficMatrix
JobPorts::ToPorts(const TrafficMatrix& traffic) const
{
    TrafficMatrix onPorts(m_ranks.size());
    for (uint32_t source = 0; source < traffic.GetSize(); ++source)
    {
        for (const auto& [destination, bytes] : traffic.GetRow(source))
        {
            onPorts.Add(m_ports[source], m_ports[destination], bytes);
        }
    }
    return onPorts;
}

bool
JobPorts::IsWholeFabric() const
{
    for (uint32_t port = 0; port < m_ranks.size(); ++port)
    {
        if (m_ranks[port] != port)
        {
            return false;
        }
    }
    return true;
}

bool
JobPorts::IsRectangle(uint32_t columns) const
{
    std::set<uint32_t> ofRows;
    std::set<uint32_t> ofColumns;
    for (const uint32_t port : m_ports)
    {
        ofRows.insert(port / columns);
        ofColumns.insert(port % columns);
    }
    return m_ports.size() == ofRows.size() * ofColumns.size();
}

} // namespace lightpath
} // namespace ns3
