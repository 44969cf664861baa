/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "datagram-receiver.h"

namespace ns3
{
namespace lightpath
{

void
DatagramReceiver::Receive(uint64_t sequence,
                          const PieceHeader& header,
                          const PieceCallback& callback)
{
    // Messages are delivered in order, so a datagram that has overtaken a lost one waits
    if (sequence > m_next)
    {
        m_early.emplace(sequence, header);
        return;
    }
    // Sent again although it had arrived: its acknowledgement was late
    if (sequence < m_next)
    {
        return;
    }
    ++m_next;
    callback(header);
    while (!m_early.empty() && m_early.begin()->first == m_next)
    {
        const PieceHeader next = m_early.begin()->second;
        m_early.erase(m_early.begin());
        ++m_next;
        callback(next);
    }
}

uint64_t
DatagramReceiver::GetNext() const
{
    return m_next;
}

} // namespace lightpath
} // namespace ns3
