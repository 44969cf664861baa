/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "forwarding-transport.h"

#include "ns3/abort.h"
#include "ns3/log.h"
#include "ns3/optical-net-device.h"
#include "ns3/simulator.h"

namespace ns3
{
namespace lightpath
{

NS_LOG_COMPONENT_DEFINE("ForwardingTransport");

NS_OBJECT_ENSURE_REGISTERED(ForwardingTransport);

TypeId
ForwardingTransport::GetTypeId()
{
    static TypeId tid = TypeId("ns3::lightpath::ForwardingTransport")
                            .SetParent<CircuitTransport>()
                            .SetGroupName("Lightpath");
    return tid;
}

ForwardingTransport::ForwardingTransport()
{
    NS_LOG_FUNCTION(this);
}

ForwardingTransport::~ForwardingTransport()
{
    NS_LOG_FUNCTION(this);
}

void
ForwardingTransport::SetDevice(Ptr<OpticalNetDevice> device)
{
    NS_LOG_FUNCTION(this << device);
    NS_ABORT_MSG_IF(GetFrameSize() > 0 && GetFrameSize() <= RelayPiece::INNER_HEADERS,
                    "A FrameSize of " << GetFrameSize() << " bytes leaves no room for data: it "
                                      << "must exceed the " << RelayPiece::INNER_HEADERS
                                      << " bytes of the headers of a message that may be "
                                      << "forwarded, or be 0");
    CircuitTransport::SetDevice(device);
}

void
ForwardingTransport::SendRest(uint32_t rank, const MessagePiece& rest)
{
    NS_LOG_FUNCTION(this << rank << rest.tag << rest.bytes);
    m_statistics.messageBytes += rest.bytes;
    Enqueue(rank, {GetDevice()->GetPort(), rest});
}

void
ForwardingTransport::CountWithdrawn(uint64_t bytes)
{
    m_statistics.messageBytes -= bytes;
}

uint32_t
ForwardingTransport::GetHeaderSize() const
{
    return RelayPiece::INNER_HEADERS;
}

bool
ForwardingTransport::ReceiveFrame(const Ptr<const Packet>& payload)
{
    NS_LOG_FUNCTION(this << payload);
    Take(RelayFrame(payload));
    return true;
}

bool
ForwardingTransport::ReceiveDescribed(const SourceFrame& frame)
{
    NS_LOG_FUNCTION(this << frame.messageTag);
    // A frame of another protocol that shares the devices
    if (frame.maker != &RelayPiece::MakePayload)
    {
        return false;
    }
    Take(RelayFrame(frame));
    return true;
}

void
ForwardingTransport::Take(RelayFrame frame)
{
    MessagePiece& part = frame.piece.message;
    if (frame.destination == GetDevice()->GetPort())
    {
        const Time delay = GetMessageDelay();
        if (delay.IsZero())
        {
            ReceivePart(frame.piece.source, part.tag, part.size, part.bytes);
            return;
        }
        Simulator::Schedule(delay,
                            &ForwardingTransport::ReceivePart,
                            this,
                            frame.piece.source,
                            part.tag,
                            part.size,
                            part.bytes);
        return;
    }
    NS_LOG_LOGIC("rank " << GetDevice()->GetPort() << ": forwards " << part.bytes
                         << " bytes of rank " << frame.piece.source << " for rank "
                         << frame.destination);
    m_statistics.forwardedBytes += part.bytes;
    part.repeats = 0;
    Forward(frame.destination, frame.piece);
}

Time
ForwardingTransport::GetMessageDelay() const
{
    return Time(0);
}

void
ForwardingTransport::Forward(uint32_t destination, const RelayPiece& piece)
{
    Enqueue(destination, piece);
}

CircuitTransport*
ForwardingTransport::FindCircuit(uint32_t /* rank */, uint64_t /* bytes */)
{
    // Its messages have further headers, and other ranks may pass them on
    return nullptr;
}

bool
ForwardingTransport::WaitsForCircuits() const
{
    return false;
}

TransportStatistics
ForwardingTransport::GetStatistics() const
{
    TransportStatistics statistics = CircuitTransport::GetStatistics();
    statistics.Add(m_statistics);
    return statistics;
}

} // namespace lightpath
} // namespace ns3
