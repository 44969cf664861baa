/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "relay-piece.h"

#include "message-header.h"
#include "model/base/wire-format.h"
#include "relay-header.h"

namespace ns3
{
namespace lightpath
{

const uint32_t RelayPiece::INNER_HEADERS = RelayHeader::SIZE + MessageHeader::SIZE;

const uint32_t RelayPiece::HEADERS = ETHERNET_HEADER_BYTES + RelayPiece::INNER_HEADERS;

Ptr<Packet>
RelayPiece::MakePayload(uint32_t destination, uint64_t bytes)
{
    const auto payload = Create<Packet>(static_cast<uint32_t>(bytes));
    payload->AddHeader(MessageHeader(source, message.tag, message.size, message.repeats));
    payload->AddHeader(RelayHeader(destination));
    message.bytes -= bytes;
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
