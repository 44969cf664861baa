/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "circuit-transport.h"
#include "message-header.h"
#include "message-tag.h"
#include "model/base/wire-format.h"

#include "ns3/optical-net-device.h"

#include <algorithm>
#include <cstddef>

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

bool
CircuitTransport::CanSurrender(uint32_t rank) const
{
    const Outgoing* const outgoing = m_outgoing.Find(rank);
    if (!outgoing || !m_device->CanSurrender(rank))
    {
        return false;
    }
    const auto first = outgoing->messages.begin() + static_cast<std::ptrdiff_t>(outgoing->first);
    return std::all_of(first, outgoing->messages.end(), [](const MessagePiece& message) {
        return message.bytes == message.size && message.repeats == 0 &&
               MessageTag::IsCollective(message.tag);
    });
}

CircuitTransport::Surrendered
CircuitTransport::Surrender(uint32_t rank)
{
    Outgoing& outgoing = m_outgoing.Get(rank);
    const auto first = outgoing.messages.begin() + static_cast<std::ptrdiff_t>(outgoing.first);
    Surrendered surrendered;
    surrendered.behind.assign(first, outgoing.messages.end());
    outgoing = {};
    surrendered.underway = m_device->Surrender(rank);
    return surrendered;
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
