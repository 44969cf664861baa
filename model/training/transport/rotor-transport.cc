/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "rotor-transport.h"

#include "model/base/wire-format.h"

#include "ns3/abort.h"
#include "ns3/log.h"
#include "ns3/optical-net-device.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>

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
    if (m_dispatcher)
    {
        m_dispatcher->SetSender(GetDevice()->GetPort(), nullptr);
        m_dispatcher = nullptr;
    }
    m_short.Clear();
    m_own.Clear();
    m_stored.Clear();
    m_granted.Clear();
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
    m_rotors = PeekPointer(channel);
    m_dispatcher = RotorDispatcher::Get(channel);
    m_messageDelay = channel->GetMessageDelay();
    m_dispatcher->SetSender(device->GetPort(), this);
}

uint64_t
RotorTransport::GetBytesOfFrames(uint64_t bytes) const
{
    const uint64_t most =
        GetFrameSize() > 0 ? GetFrameSize() - RelayPiece::INNER_HEADERS : MAX_FRAME_PAYLOAD_BYTES;
    // Division is slow, and most pieces take one frame
    const uint64_t frames = bytes > most ? (bytes + most - 1) / most : bytes > 0;
    return bytes + frames * RelayPiece::HEADERS;
}

void
RotorTransport::Enqueue(uint32_t destination, const RelayPiece& piece)
{
    if (piece.message.size < m_dispatcher->GetDiscipline().GetShortMessage())
    {
        PushShort(destination, piece);
        return;
    }
    Push(destination, piece, false);
}

void
RotorTransport::Push(uint32_t destination, const RelayPiece& piece, bool isFirst)
{
    const uint32_t port = GetDevice()->GetPort();
    const bool isOwn = piece.source == port;
    auto& pieces = (isOwn ? m_own : m_stored).Get(destination);
    isFirst ? pieces.push_front(piece) : pieces.push_back(piece);
    m_dispatcher->Note(port, destination, isOwn, GetBytesOfFrames(piece.message.bytes), 0);
    if (GetLeft(destination).IsStrictlyPositive())
    {
        GetDevice()->NotifyFrames(destination);
    }
}

void
RotorTransport::PushShort(uint32_t destination, const RelayPiece& piece)
{
    const uint32_t next = m_dispatcher->GetNext(GetDevice()->GetPort(), destination);
    if (next == SliceRoutes::NONE)
    {
        Push(destination, piece, true);
        return;
    }
    m_short.Get(next).push_back({destination, piece});
    m_dispatcher->NoteShort(piece.message.bytes, 0);
    GetDevice()->NotifyFrames(next);
}

void
RotorTransport::Reroute()
{
    std::vector<ShortPiece> pieces;
    for (const uint32_t next : m_short.GetPorts())
    {
        auto& waiting = *m_short.Find(next);
        pieces.insert(pieces.end(), waiting.begin(), waiting.end());
        waiting.clear();
    }
    for (const auto& [destination, piece] : pieces)
    {
        m_dispatcher->NoteShort(0, piece.message.bytes);
        PushShort(destination, piece);
    }
}

Time
RotorTransport::GetLeft(uint32_t peer) const
{
    const auto window = m_rotors->GetWindow(GetDevice()->GetPort(), peer);
    return window ? TimeStep(window->GetLeft(Simulator::Now().GetTimeStep())) : Time(0);
}

void
RotorTransport::Grant(const RotorDiscipline::Grant& grant)
{
    const auto window = m_rotors->GetWindow(grant.source, grant.peer);
    const int64_t now = Simulator::Now().GetTimeStep();
    const Time until = TimeStep(window->GetBegin(now) + window->length);
    Granted& granted = m_granted.Get(grant.peer);
    if (granted.until != until)
    {
        granted.grants.clear();
        granted.until = until;
    }
    granted.grants.push_back(grant);
}

void
RotorTransport::Meet(uint32_t peer)
{
    const auto* const brief = m_short.Find(peer);
    const auto waits = [peer](const Queues& queues) {
        const auto* const pieces = queues.Find(peer);
        return pieces && !pieces->empty();
    };
    const Granted* const granted = m_granted.Find(peer);
    if ((brief && !brief->empty()) || waits(m_stored) ||
        (m_dispatcher->GetDiscipline().SendsDirect() && waits(m_own)) ||
        (granted && granted->until > Simulator::Now() && !granted->grants.empty()))
    {
        GetDevice()->NotifyFrames(peer);
    }
}

bool
RotorTransport::DescribeFrame(uint32_t peer, SourceFrame& frame)
{
    const Time left = GetLeft(peer);
    const uint64_t room = m_rotors->GetBytes(left);
    if (CutShort(peer, room, frame))
    {
        return true;
    }
    if (!m_dispatcher->GetDiscipline().SendsDirect())
    {
        return CutGranted(peer, left, room, frame) || CutFrame(peer, false, room, frame);
    }
    return CutFrame(peer, false, room, frame) || CutFrame(peer, true, room, frame) ||
           CutGranted(peer, left, room, frame);
}

bool
RotorTransport::CutShort(uint32_t peer, uint64_t room, SourceFrame& frame)
{
    auto* const pieces = m_short.Find(peer);
    if (!pieces || pieces->empty() || room <= RelayPiece::HEADERS)
    {
        return false;
    }
    auto [destination, piece] = pieces->front();
    pieces->pop_front();
    const uint64_t size = GetFrameSize() > 0 ? GetFrameSize() : m_shortFrameSize;
    const uint64_t bytes = std::min(
        {piece.message.bytes, room - RelayPiece::HEADERS, size - RelayPiece::INNER_HEADERS});
    frame = piece.Cut(GetDevice()->GetPort(), destination, bytes);
    m_dispatcher->NoteShort(0, bytes);
    CountSent(bytes + RelayPiece::HEADERS);
    if (piece.message.bytes > 0)
    {
        // Messages take turns, frame by frame
        pieces->push_back({destination, piece});
    }
    return true;
}

bool
RotorTransport::CutGranted(uint32_t peer, Time left, uint64_t room, SourceFrame& frame)
{
    Granted* const granted = m_granted.Find(peer);
    // Bytes that were not sent in their slot need a new grant
    if (!granted || granted->until != Simulator::Now() + left)
    {
        return false;
    }
    bool found = false;
    while (!found && !granted->grants.empty())
    {
        auto& [source, hop, destination, bytes] = granted->grants.front();
        found = CutFrame(destination, true, std::min(room, bytes), frame);
        bytes -= found ? frame.bytes + ETHERNET_HEADER_BYTES : bytes;
        if (bytes == 0)
        {
            granted->grants.pop_front();
        }
    }
    return found;
}

bool
RotorTransport::CutFrame(uint32_t destination, bool isOwn, uint64_t room, SourceFrame& frame)
{
    auto* const pieces = (isOwn ? m_own : m_stored).Find(destination);
    if (!pieces || pieces->empty() || room <= RelayPiece::HEADERS)
    {
        return false;
    }
    RelayPiece& piece = pieces->front();
    const uint64_t before = piece.message.bytes;
    uint64_t bytes =
        std::min({before, room - RelayPiece::HEADERS, uint64_t{MAX_FRAME_PAYLOAD_BYTES}});
    if (GetFrameSize() > 0)
    {
        bytes = std::min(bytes, GetFrameSize() - RelayPiece::INNER_HEADERS);
    }
    const uint32_t port = GetDevice()->GetPort();
    frame = piece.Cut(port, destination, bytes);
    const uint64_t after = piece.message.bytes;
    m_dispatcher->Note(port, destination, isOwn, GetBytesOfFrames(after), GetBytesOfFrames(before));
    CountSent(bytes + RelayPiece::HEADERS);
    if (after == 0)
    {
        pieces->pop_front();
    }
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
        Simulator::ScheduleWithContext(GetDevice()->GetNodeId(),
                                       GetRepeatDelay(peer),
                                       &RotorTransport::Push,
                                       this,
                                       frame.destination,
                                       frame.piece,
                                       true);
    }
}

bool
RotorTransport::IsMoving() const
{
    return m_dispatcher->GetBytes() > 0 || ForwardingTransport::IsMoving();
}

} // namespace lightpath
} // namespace ns3
