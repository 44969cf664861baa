/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "piece-reader.h"

#include <algorithm>

namespace ns3
{
namespace lightpath
{

PieceReader::PieceReader(PieceCallback callback)
    : m_callback(callback)
{
}

void
PieceReader::Read(Ptr<Packet> packet)
{
    while (packet->GetSize() > 0)
    {
        if (m_left == 0)
        {
            ReadHeader(packet);
            continue;
        }
        const uint64_t bytes = std::min<uint64_t>(packet->GetSize(), m_left);
        m_left -= bytes;
        // Only the header of a piece is delivered: its bytes have no contents
        if (m_left == 0)
        {
            m_callback(m_header);
        }
        packet->RemoveAtStart(static_cast<uint32_t>(bytes));
    }
}

void
PieceReader::ReadHeader(Ptr<Packet> packet)
{
    // A header may be cut by the end of a segment, so its bytes are gathered first
    const uint32_t bytes = std::min(packet->GetSize(), PieceHeader::SIZE - m_nBytes);
    packet->CopyData(m_bytes.data() + m_nBytes, bytes);
    packet->RemoveAtStart(bytes);
    m_nBytes += bytes;
    if (m_nBytes == PieceHeader::SIZE)
    {
        Create<Packet>(m_bytes.data(), m_nBytes)->PeekHeader(m_header);
        m_left = m_header.GetBytes();
        m_nBytes = 0;
    }
}

bool
PieceReader::IsWithinPiece() const
{
    return m_left > 0 || m_nBytes > 0;
}

} // namespace lightpath
} // namespace ns3
