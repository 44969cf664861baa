/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "relay-transport.h"

#include "model/base/wire-format.h"

#include "ns3/abort.h"
#include "ns3/lightpath-routes.h"
#include "ns3/log.h"
#include "ns3/optical-channel.h"
#include "ns3/optical-net-device.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{
namespace lightpath
{

NS_LOG_COMPONENT_DEFINE("RelayTransport");

NS_OBJECT_ENSURE_REGISTERED(RelayTransport);

TypeId
RelayTransport::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lightpath::RelayTransport")
            .SetParent<ForwardingTransport>()
            .SetGroupName("Lightpath")
            .AddConstructor<RelayTransport>()
            .AddAttribute("RelayFrameSize",
                          "The most bytes of a frame after its Ethernet header where the FrameSize "
                          "is zero.",
                          UintegerValue(65536),
                          MakeUintegerAccessor(&RelayTransport::m_relayFrameSize),
                          MakeUintegerChecker<uint32_t>(RelayPiece::INNER_HEADERS + 1))
            .AddAttribute("ForwardingDelay",
                          "The time between receiving a frame for another rank and forwarding it.",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&RelayTransport::m_forwardingDelay),
                          MakeTimeChecker(Time(0)));
    return tid;
}

RelayTransport::RelayTransport()
{
    NS_LOG_FUNCTION(this);
}

RelayTransport::~RelayTransport()
{
    NS_LOG_FUNCTION(this);
}

void
RelayTransport::DoDispose()
{
    NS_LOG_FUNCTION(this);
    if (m_routes)
    {
        m_routes->TraceDisconnectWithoutContext("Change",
                                                MakeCallback(&RelayTransport::Reroute, this));
        m_routes = nullptr;
    }
    m_waiting.Clear();
    m_turns.Clear();
    ForwardingTransport::DoDispose();
}

void
RelayTransport::SetDevice(Ptr<OpticalNetDevice> device)
{
    NS_LOG_FUNCTION(this << device);
    const auto channel = DynamicCast<OpticalChannel>(device->GetChannel());
    NS_ABORT_MSG_UNLESS(channel,
                        "A RelayTransport needs a device on a fabric of circuits: on any other "
                        "fabric, all ranks reach each other, so use a CircuitTransport");
    ForwardingTransport::SetDevice(device);
    m_routes = LightpathRoutes::Get(channel);
    m_routes->TraceConnectWithoutContext("Change", MakeCallback(&RelayTransport::Reroute, this));
}

uint64_t
RelayTransport::GetMostPayload() const
{
    const uint64_t size = GetFrameSize() > 0 ? GetFrameSize() : m_relayFrameSize;
    return std::min(size - RelayPiece::INNER_HEADERS, MAX_FRAME_PAYLOAD_BYTES);
}

uint64_t
RelayTransport::GetBytesOfFrames(uint64_t bytes) const
{
    const uint64_t most = GetMostPayload();
    return bytes + std::max((bytes + most - 1) / most, uint64_t{1}) * RelayPiece::HEADERS;
}

void
RelayTransport::Enqueue(uint32_t destination, const RelayPiece& piece)
{
    Waiting& waiting = m_waiting.Get(destination);
    waiting.pieces.push_back(piece);
    waiting.bytes += GetBytesOfFrames(piece.message.bytes);
    TakeTurn(destination, waiting);
}

void
RelayTransport::PushFirst(uint32_t destination, const RelayPiece& piece)
{
    Waiting& waiting = m_waiting.Get(destination);
    waiting.pieces.push_front(piece);
    waiting.bytes += GetBytesOfFrames(piece.message.bytes);
    TraceSendAgain(destination);
    TakeTurn(destination, waiting);
}

void
RelayTransport::TakeTurn(uint32_t destination, Waiting& waiting)
{
    if (waiting.hasTurn)
    {
        return;
    }
    const uint32_t next = m_routes->GetNext(GetDevice()->GetPort(), destination);
    NS_LOG_LOGIC("rank " << GetDevice()->GetPort() << ": frames for rank " << destination
                         << (next == destination             ? " take their own lightpath"
                             : next == LightpathRoutes::NONE ? " wait: there is no way"
                                                             : " go by rank ")
                         << (next == destination || next == LightpathRoutes::NONE
                                 ? std::string()
                                 : std::to_string(next)));
    if (next != destination)
    {
        // Bytes that wait at the transmitter to the rank count as demand for a lightpath there
        GetDevice()->NotifyFrames(destination);
    }
    // Without a way the piece has no turn until Reroute()
    if (next != LightpathRoutes::NONE)
    {
        waiting.hasTurn = true;
        m_turns.Get(next).push_back(destination);
        GetDevice()->NotifyFrames(next);
    }
}

void
RelayTransport::Reroute()
{
    NS_LOG_FUNCTION(this);
    // All turns were given for the old ways
    for (const uint32_t next : m_turns.GetPorts())
    {
        m_turns.Find(next)->clear();
    }
    for (const uint32_t destination : m_waiting.GetPorts())
    {
        m_waiting.Find(destination)->hasTurn = false;
    }
    // Frames that are taken back come first, so they get the first turn at another lightpath
    const std::vector<uint32_t> used = m_turns.GetPorts();
    for (const uint32_t next : used)
    {
        TakeBack(next);
    }
    for (const uint32_t destination : m_waiting.GetPorts())
    {
        Waiting& waiting = *m_waiting.Find(destination);
        if (!waiting.pieces.empty())
        {
            TakeTurn(destination, waiting);
        }
    }
}

void
RelayTransport::TakeBack(uint32_t next)
{
    if (m_routes->GetNext(GetDevice()->GetPort(), next) == next)
    {
        return;
    }
    // The frame was cut by the dark in the middle: it goes whole by another way
    const OpticalNetDevice::CutFrame cut = GetDevice()->GetCutFrame(next);
    if (cut.payload)
    {
        const RelayFrame frame(cut.payload);
        GetDevice()->TakeBackFrame(next, 0);
        CountUnsent(frame.piece.message.bytes + RelayPiece::HEADERS - cut.sentBytes);
        PushFirst(frame.destination, frame.piece);
    }
}

bool
RelayTransport::DescribeFrame(uint32_t next, SourceFrame& frame)
{
    Turns* const turns = m_turns.Find(next);
    bool found = false;
    while (!found && turns && !turns->empty())
    {
        const uint32_t destination = turns->front();
        turns->pop_front();
        Waiting& waiting = *m_waiting.Find(destination);
        // Its pieces may have been withdrawn since it got the turn
        if (!waiting.pieces.empty())
        {
            frame = MakeFrame(destination, waiting);
            found = true;
        }
        waiting.hasTurn = !waiting.pieces.empty();
        if (waiting.hasTurn)
        {
            turns->push_back(destination);
        }
    }
    return found;
}

SourceFrame
RelayTransport::MakeFrame(uint32_t destination, Waiting& waiting)
{
    RelayPiece& piece = waiting.pieces.front();
    const uint64_t bytes = std::min(piece.message.bytes, GetMostPayload());
    const SourceFrame frame = piece.Cut(GetDevice()->GetPort(), destination, bytes);
    waiting.bytes -= bytes + RelayPiece::HEADERS;
    CountSent(bytes + RelayPiece::HEADERS);
    if (piece.message.bytes == 0)
    {
        waiting.pieces.pop_front();
    }
    return frame;
}

uint64_t
RelayTransport::GetBacklog(uint32_t destination) const
{
    const Waiting* const waiting = m_waiting.Find(destination);
    return waiting ? waiting->bytes : 0;
}

void
RelayTransport::Forward(uint32_t destination, const RelayPiece& piece)
{
    // Without a delay no event is needed
    if (m_forwardingDelay.IsZero())
    {
        Enqueue(destination, piece);
        return;
    }
    Simulator::Schedule(m_forwardingDelay, &RelayTransport::Enqueue, this, destination, piece);
}

void
RelayTransport::NotifyLost(uint32_t next, Ptr<const Packet> payload)
{
    NS_LOG_FUNCTION(this << next << payload);
    RelayFrame frame(payload);
    if (CountLoss(next, frame.piece.message))
    {
        Simulator::ScheduleWithContext(GetDevice()->GetNodeId(),
                                       GetRepeatDelay(next),
                                       &RelayTransport::PushFirst,
                                       this,
                                       frame.destination,
                                       frame.piece);
    }
}

std::vector<MessagePiece>
RelayTransport::Withdraw(uint32_t rank, uint64_t bulk)
{
    NS_LOG_FUNCTION(this << rank << bulk);
    std::vector<MessagePiece> withdrawn;
    Waiting* const waiting = m_waiting.Find(rank);
    if (!waiting)
    {
        return withdrawn;
    }
    // Frames forwarded for other ranks stay: only their source could send them another way
    std::deque<RelayPiece> others;
    for (const RelayPiece& piece : waiting->pieces)
    {
        const MessagePiece& message = piece.message;
        if (piece.source != GetDevice()->GetPort() || (bulk > 0 && message.size >= bulk))
        {
            others.push_back(piece);
            continue;
        }
        withdrawn.push_back(message);
        waiting->bytes -= GetBytesOfFrames(message.bytes);
        CountWithdrawn(message.bytes);
    }
    waiting->pieces.swap(others);
    return withdrawn;
}

bool
RelayTransport::IsMoving() const
{
    for (const uint32_t next : m_turns.GetPorts())
    {
        if (GetDevice()->IsSending(next))
        {
            return true;
        }
    }
    return ForwardingTransport::IsMoving();
}

} // namespace lightpath
} // namespace ns3
