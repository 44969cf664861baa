/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "balanced-discipline.h"

#include <algorithm>
#include <cstddef>

namespace ns3
{
namespace lightpath
{

NS_OBJECT_ENSURE_REGISTERED(BalancedDiscipline);

TypeId
BalancedDiscipline::GetTypeId()
{
    static TypeId tid = TypeId("ns3::lightpath::BalancedDiscipline")
                            .SetParent<RotorDiscipline>()
                            .SetGroupName("Lightpath")
                            .AddConstructor<BalancedDiscipline>();
    return tid;
}

void
BalancedDiscipline::Decide(uint32_t /* slot */,
                           const std::vector<Contact>& contacts,
                           uint64_t capacity,
                           const RotorQueues& queues,
                           std::vector<Grant>& grants)
{
    grants.clear();
    const std::size_t n = queues.own.size();
    m_sent.assign(n, {});
    m_accepted.assign(n, {});
    m_left.clear();
    // Direct data of all uplinks goes first, so that none of it is offered elsewhere
    for (const auto& [source, peer] : contacts)
    {
        m_sent[source].resize(n, 0);
        m_accepted[peer].resize(n, 0);
        const uint64_t room = capacity - std::min(capacity, queues.stored[source][peer]);
        const uint64_t direct = std::min(room, queues.own[source][peer]);
        m_sent[source][peer] = direct;
        m_left.push_back(room - direct);
    }
    for (std::size_t i = 0; i < contacts.size(); ++i)
    {
        Share(contacts[i], m_left[i], capacity, queues, grants);
    }
}

void
BalancedDiscipline::Share(const Contact& contact,
                          uint64_t left,
                          uint64_t capacity,
                          const RotorQueues& queues,
                          std::vector<Grant>& grants)
{
    const auto [source, peer] = contact;
    std::vector<uint64_t>& sent = m_sent[source];
    std::vector<uint64_t>& accepted = m_accepted[peer];
    m_offers.clear();
    for (uint32_t destination = 0; left > 0 && destination < sent.size(); ++destination)
    {
        const uint64_t offer = queues.own[source][destination] - sent[destination];
        if (offer == 0 || destination == peer)
        {
            continue;
        }
        const uint64_t waiting = queues.own[peer][destination] + queues.stored[peer][destination] +
                                 accepted[destination];
        if (waiting < capacity)
        {
            m_offers.push_back({source, peer, destination, std::min(offer, capacity - waiting)});
        }
    }
    // Max-min fair: the smallest offers are met in full
    std::stable_sort(m_offers.begin(), m_offers.end(), [](const Grant& a, const Grant& b) {
        return a.bytes < b.bytes;
    });
    for (std::size_t i = 0; i < m_offers.size(); ++i)
    {
        Grant grant = m_offers[i];
        grant.bytes = std::min(grant.bytes, left / (m_offers.size() - i));
        if (grant.bytes > 0)
        {
            left -= grant.bytes;
            sent[grant.destination] += grant.bytes;
            accepted[grant.destination] += grant.bytes;
            grants.push_back(grant);
        }
    }
}

} // namespace lightpath
} // namespace ns3
