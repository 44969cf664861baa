/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "valiant-discipline.h"

#include "ns3/uinteger.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace ns3
{
namespace lightpath
{

NS_OBJECT_ENSURE_REGISTERED(ValiantDiscipline);

TypeId
ValiantDiscipline::GetTypeId()
{
    static TypeId tid = TypeId("ns3::lightpath::ValiantDiscipline")
                            .SetParent<RotorDiscipline>()
                            .SetGroupName("Lightpath")
                            .AddConstructor<ValiantDiscipline>()
                            .AddAttribute("QueueCells",
                                          "The most cells for one destination that a port stores "
                                          "or has agreed to.",
                                          UintegerValue(4),
                                          MakeUintegerAccessor(&ValiantDiscipline::m_queueCells),
                                          MakeUintegerChecker<uint32_t>(1));
    return tid;
}

ValiantDiscipline::ValiantDiscipline()
    : m_uniform(CreateObject<UniformRandomVariable>())
{
}

int64_t
ValiantDiscipline::AssignStreams(int64_t stream)
{
    m_uniform->SetStream(stream);
    return 1;
}

Ptr<RotorDiscipline>
ValiantDiscipline::Begin()
{
    const auto begun = CopyObject(Ptr<ValiantDiscipline>(this));
    begun->m_nPorts = 0;
    m_uniform->SetStream(m_uniform->GetStream());
    return begun;
}

void
ValiantDiscipline::Decide(uint32_t slot,
                          const std::vector<Contact>& /* contacts */,
                          uint64_t capacity,
                          const RotorQueues& queues,
                          std::vector<Grant>& grants)
{
    grants.clear();
    if (slot != 0)
    {
        return;
    }
    if (m_nPorts == 0)
    {
        m_nPorts = static_cast<uint32_t>(queues.own.size());
        m_accepted.assign(m_nPorts * m_nPorts, NONE);
        m_nAccepted.assign(m_nPorts * m_nPorts, 0);
        m_nOwn = m_nAccepted;
        m_turn.assign(m_nPorts, 0);
    }
    // Sources send in this epoch the cells that were granted in the last one
    for (uint32_t source = 0; source < m_nPorts; ++source)
    {
        for (uint32_t peer = 0; peer < m_nPorts; ++peer)
        {
            uint32_t& destination = GetAccepted(source, peer);
            if (destination != NONE && queues.stored[source][peer] == 0)
            {
                grants.push_back({source, peer, destination, capacity});
                --m_nAccepted[peer * m_nPorts + destination];
                --m_nOwn[source * m_nPorts + destination];
                destination = NONE;
            }
        }
    }
    RotorQueues left = queues;
    for (const auto& grant : grants)
    {
        // They are as good as stored
        left.own[grant.source][grant.destination] -=
            std::min(capacity, left.own[grant.source][grant.destination]);
        left.stored[grant.peer][grant.destination] += capacity;
    }
    for (uint32_t source = 0; source < m_nPorts; ++source)
    {
        Request(source, capacity, left);
    }
}

void
ValiantDiscipline::Request(uint32_t source, uint64_t capacity, const RotorQueues& queues)
{
    // Destinations with cells that have no way yet, ascending, and the number of all their cells
    std::vector<std::pair<uint32_t, uint64_t>> open;
    for (uint32_t destination = 0; destination < m_nPorts; ++destination)
    {
        const uint64_t own = queues.own[source][destination];
        const uint64_t cells = own > 0 ? (own + capacity - 1) / capacity : 0;
        if (cells > m_nOwn[source * m_nPorts + destination])
        {
            open.emplace_back(destination, cells);
        }
    }
    std::vector<uint32_t> peers(m_nPorts);
    std::iota(peers.begin(), peers.end(), 0);
    for (uint32_t left = m_nPorts; left > 0; --left)
    {
        std::swap(peers[left - 1], peers[m_uniform->GetInteger(0, left - 1)]);
        const uint32_t peer = peers[left - 1];
        if (peer == source || GetAccepted(source, peer) != NONE || open.empty())
        {
            continue;
        }
        // The next of them in turn
        auto next = std::lower_bound(open.begin(),
                                     open.end(),
                                     std::pair<uint32_t, uint64_t>(m_turn[source], 0));
        next = next == open.end() ? open.begin() : next;
        if (next->first == peer)
        {
            ++next;
            next = next == open.end() ? open.begin() : next;
        }
        const auto [destination, cells] = *next;
        // Of two ports, none is between them
        if (destination == peer && m_nPorts > 2)
        {
            continue;
        }
        m_turn[source] = destination + 1;
        const uint64_t stored = (queues.stored[peer][destination] + capacity - 1) / capacity;
        uint32_t& nAccepted = m_nAccepted[peer * m_nPorts + destination];
        if (stored + nAccepted < m_queueCells)
        {
            GetAccepted(source, peer) = destination;
            ++nAccepted;
            if (++m_nOwn[source * m_nPorts + destination] == cells)
            {
                open.erase(next);
            }
        }
    }
}

} // namespace lightpath
} // namespace ns3
