/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "circuit-transport.h"
#include "message-header.h"
#include "model/base/wire-format.h"

#include "ns3/optical-net-device.h"

/**
 * @file
 * @ingroup lightpath
 * The messages of a CircuitTransport on lightpaths that its device has lent.
 */

namespace ns3
{
namespace lightpath
{

CircuitTransport*
CircuitTransport::FindCircuit(uint32_t /* rank */, uint64_t /* bytes */)
{
    return this;
}

uint64_t
CircuitTransport::GetUntracedFrame(uint32_t rank, uint64_t bytes) const
{
    return IsLogged() || LooksAtMessages() || bytes > GetMaxPayload(rank, {0, bytes, bytes})
               ? 0
               : bytes + FRAME_HEADER_BYTES;
}

SourceFrame
CircuitTransport::MakeFrame(uint64_t tag, uint64_t bytes) const
{
    return {&CircuitTransport::MakePayload,
            m_device->GetPort(),
            static_cast<uint32_t>(bytes + MessageHeader::SIZE),
            tag,
            bytes,
            PROTOCOL_NUMBER,
            0};
}

void
CircuitTransport::CountLent(uint64_t bytes)
{
    m_sentBytes += bytes;
}

void
CircuitTransport::NoteLent(uint32_t rank, Time wait)
{
    m_outgoing.Get(rank);
    NoteMessage(wait);
}

void
CircuitTransport::TakeOver(uint32_t rank, uint64_t tag, uint64_t bytes)
{
    Outgoing& outgoing = m_outgoing.Get(rank);
    outgoing.messages.push_back({tag, bytes, bytes});
    outgoing.bytes += bytes + FRAME_HEADER_BYTES;
}

} // namespace lightpath
} // namespace ns3
