/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "relay-piece.h"

#include "circuit-transport.h"
#include "message-header.h"
#include "relay-header.h"

namespace ns3
{
namespace lightpath
{

SourceFrame
RelayPiece::Cut(uint32_t port, uint32_t destination, uint64_t bytes)
{
    message.bytes -= bytes;
    return {&RelayPiece::MakePayload,
            port,
            static_cast<uint32_t>(bytes + INNER_HEADERS),
            message.tag,
            message.size,
            CircuitTransport::PROTOCOL_NUMBER,
            message.repeats,
            source,
            destination};
}

Ptr<Packet>
RelayPiece::MakePayload(const SourceFrame& frame)
{
    const auto payload = Create<Packet>(frame.bytes - INNER_HEADERS);
    payload->AddHeader(
        MessageHeader(frame.origin, frame.messageTag, frame.messageSize, frame.repeats));
    payload->AddHeader(RelayHeader(frame.destination));
    return payload;
}

RelayFrame::RelayFrame(const Ptr<const Packet>& payload)
{
    const auto inner = payload->Copy();
    RelayHeader relay;
    MessageHeader header;
    inner->RemoveHeader(relay);
    inner->RemoveHeader(header);
    destination = relay.GetDestination();
    piece = {header.GetSource(),
             {header.GetTag(), header.GetMessageSize(), inner->GetSize(), header.GetRepeats()}};
}

} // namespace lightpath
} // namespace ns3
