/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "rotor-transport.h"

#include "ns3/abort.h"
#include "ns3/log.h"
#include "ns3/optical-net-device.h"
#include "ns3/rotor-channel.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

namespace ns3
{
namespace lightpath
{

NS_LOG_COMPONENT_DEFINE("RotorTransport");

NS_OBJECT_ENSURE_REGISTERED(RotorTransport);

TypeId
RotorTransport::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lightpath::RotorTransport")
            .SetParent<ForwardingTransport>()
            .SetGroupName("Lightpath")
            .AddConstructor<RotorTransport>()
            .AddAttribute("ShortFrameSize",
                          "The most bytes of a frame of a short message, after its "
                          "Ethernet header, where the FrameSize is zero.",
                          UintegerValue(65536),
                          MakeUintegerAccessor(&RotorTransport::m_shortFrameSize),
                          MakeUintegerChecker<uint32_t>(RelayPiece::INNER_HEADERS + 1));
    return tid;
}

RotorTransport::RotorTransport()
{
    NS_LOG_FUNCTION(this);
}

RotorTransport::~RotorTransport()
{
    NS_LOG_FUNCTION(this);
}

void
RotorTransport::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_port = nullptr;
    m_dispatcher = nullptr;
    ForwardingTransport::DoDispose();
}

void
RotorTransport::SetDevice(Ptr<OpticalNetDevice> device)
{
    NS_LOG_FUNCTION(this << device);
    const auto channel = DynamicCast<RotorChannel>(device->GetChannel());
    NS_ABORT_MSG_UNLESS(channel,
                        "A RotorTransport needs a device on a RotorChannel: on any other fabric "
                        "use a CircuitTransport");
    ForwardingTransport::SetDevice(device);
    m_dispatcher = RotorDispatcher::Get(channel);
    m_messageDelay = channel->GetMessageDelay();
    m_port = std::make_unique<RotorPort>(
        *m_dispatcher,
        device->GetPort(),
        RotorPort::FrameSizes{GetFrameSize(), m_shortFrameSize},
        [to = PeekPointer(device)](uint32_t peer) { to->NotifyFrames(peer); });
}

void
RotorTransport::Enqueue(uint32_t destination, const RelayPiece& piece)
{
    const auto& [tag, size, bytes, repeats] = piece.message;
    m_port->Enqueue({piece.source, destination, tag, size, bytes, repeats});
}

bool
RotorTransport::DescribeFrame(uint32_t peer, SourceFrame& frame)
{
    RotorPort::Piece part;
    if (!m_port->Cut(peer, part))
    {
        return false;
    }
    RelayPiece piece{part.source, {part.tag, part.size, part.bytes, part.repeats}};
    frame = piece.Cut(GetDevice()->GetPort(), part.destination, part.bytes);
    CountSent(part.bytes + RelayPiece::HEADERS);
    return true;
}

uint64_t
RotorTransport::GetBacklog(uint32_t destination) const
{
    return m_dispatcher->GetQueues().own[GetDevice()->GetPort()][destination];
}

void
RotorTransport::NotifyLost(uint32_t peer, Ptr<const Packet> payload)
{
    NS_LOG_FUNCTION(this << peer << payload);
    RelayFrame frame(payload);
    if (CountLoss(peer, frame.piece.message))
    {
        TraceSendAgain(frame.destination);
        const auto& [tag, size, bytes, repeats] = frame.piece.message;
        const RotorPort::Piece part{frame.piece.source,
                                    frame.destination,
                                    tag,
                                    size,
                                    bytes,
                                    repeats};
        const auto push = [this, part]() { m_port->Push(part, true); };
        Simulator::ScheduleWithContext(GetDevice()->GetNodeId(), GetRepeatDelay(peer), push);
    }
}

bool
RotorTransport::IsMoving() const
{
    return m_dispatcher->GetBytes() > 0 || ForwardingTransport::IsMoving();
}

} // namespace lightpath
} // namespace ns3
