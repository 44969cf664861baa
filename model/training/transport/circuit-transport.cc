/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "circuit-transport.h"

#include "message-header.h"
#include "model/base/count-noun.h"
#include "model/base/wire-format.h"

#include "ns3/abort.h"
#include "ns3/fabric-channel.h"
#include "ns3/log.h"
#include "ns3/optical-net-device.h"
#include "ns3/simulator.h"
#include "ns3/trace-source-accessor.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <sstream>
#include <utility>

namespace ns3
{
namespace lightpath
{

NS_LOG_COMPONENT_DEFINE("CircuitTransport");

NS_OBJECT_ENSURE_REGISTERED(CircuitTransport);

TypeId
CircuitTransport::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lightpath::CircuitTransport")
            .SetParent<Transport>()
            .SetGroupName("Lightpath")
            .AddConstructor<CircuitTransport>()
            .AddAttribute("FrameSize",
                          "The most bytes of a frame after its Ethernet header; zero sends each "
                          "message in one burst.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&CircuitTransport::m_frameSize),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("ForwardedFrames",
                          "The most frames that a message is cut into if FrameSize is zero and "
                          "another port stores and forwards them; frames have 9000 bytes or more.",
                          UintegerValue(256),
                          MakeUintegerAccessor(&CircuitTransport::m_forwardedFrames),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("RetransmissionDelay",
                          "The time from the reception of a corrupt frame until it is sent again, "
                          "beyond the propagation delay of the path.",
                          TimeValue(MicroSeconds(1)),
                          MakeTimeAccessor(&CircuitTransport::m_retransmissionDelay),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("MaxRepeats",
                          "The most times that a part of a message is sent again.",
                          UintegerValue(32),
                          MakeUintegerAccessor(&CircuitTransport::m_maxRepeats),
                          MakeUintegerChecker<uint8_t>(0, 254))
            .AddTraceSource("SendAgain",
                            "A frame waits to be sent again: it was received corrupt, or its "
                            "lightpath was removed.",
                            MakeTraceSourceAccessor(&CircuitTransport::m_sendAgainTrace),
                            "ns3::lightpath::CircuitTransport::SendAgainTracedCallback");
    return tid;
}

CircuitTransport::CircuitTransport()
{
    NS_LOG_FUNCTION(this);
}

CircuitTransport::~CircuitTransport()
{
    NS_LOG_FUNCTION(this);
}

void
CircuitTransport::DoDispose()
{
    NS_LOG_FUNCTION(this);
    Release();
    m_device = nullptr;
    m_channel = nullptr;
    m_streams = nullptr;
    Transport::DoDispose();
}

void
CircuitTransport::SetDevice(Ptr<OpticalNetDevice> device)
{
    NS_LOG_FUNCTION(this << device);
    NS_ABORT_MSG_UNLESS(device->GetChannel(),
                        "A transport needs a device that is attached to a fabric");
    NS_ABORT_MSG_IF(m_frameSize > 0 && m_frameSize <= MessageHeader::SIZE,
                    "A FrameSize of " << m_frameSize << " bytes leaves no room for data: it must "
                                      << "exceed the " << MessageHeader::SIZE
                                      << " bytes of the message header, or be 0 for bursts");
    m_device = device;
    m_channel = PeekPointer(DynamicCast<FabricChannel>(device->GetChannel()));
    m_device->SetFrameSource(this);
}

void
CircuitTransport::Outgoing::PopFirst()
{
    if (++first == messages.size())
    {
        messages.clear();
        first = 0;
        return;
    }
    // Removing from the front of a vector moves all that is behind. Done only when half of the
    // vector is stale, it costs a constant for each message
    if (2 * first >= messages.size())
    {
        messages.erase(messages.begin(), messages.begin() + static_cast<std::ptrdiff_t>(first));
        first = 0;
    }
}

void
CircuitTransport::Outgoing::PushFirst(const MessagePiece& message)
{
    if (first > 0)
    {
        messages[--first] = message;
        return;
    }
    messages.insert(messages.begin(), message);
}

void
CircuitTransport::Send(uint32_t rank, uint64_t tag, uint64_t bytes)
{
    NS_LOG_FUNCTION(this << rank << tag << bytes);
    TraceSend(rank, tag, bytes);
    NS_LOG_LOGIC("rank " << GetRank(m_device->GetPort()) << ": a message of " << bytes
                         << " bytes for rank " << rank << " goes out over the fabric, behind "
                         << GetBacklog(GetPort(rank)) << " bytes");
    if (!SendComputed(GetPort(rank), tag, bytes))
    {
        SendRest(rank, {tag, bytes, bytes});
    }
}

bool
CircuitTransport::IsLogged()
{
    return g_log.IsEnabled(LOG_LOGIC);
}

void
CircuitTransport::SendRest(uint32_t rank, const MessagePiece& rest)
{
    const uint32_t port = GetPort(rank);
    // Messages that come back were sent earlier
    m_device->Recall(port);
    Outgoing& outgoing = m_outgoing.Get(port);
    outgoing.messages.push_back(rest);
    outgoing.bytes += GetFrameBytes(port, rest);
    m_device->NotifyFrames(port);
}

void
CircuitTransport::SendAgain(uint32_t port, const MessagePiece& part)
{
    NS_LOG_FUNCTION(this << port << part.tag << part.bytes);
    NS_LOG_LOGIC("rank " << GetRank(m_device->GetPort()) << ": a frame with " << part.bytes
                         << " bytes for rank " << GetRank(port) << " is sent again");
    Outgoing& outgoing = m_outgoing.Get(port);
    outgoing.PushFirst(part);
    outgoing.bytes += GetFrameBytes(port, part);
    TraceSendAgain(GetRank(port));
    m_device->NotifyFrames(port);
}

void
CircuitTransport::TraceSendAgain(uint32_t rank)
{
    m_sendAgainTrace(rank);
}

Ptr<OpticalNetDevice>
CircuitTransport::GetDevice() const
{
    return m_device;
}

std::vector<MessagePiece>
CircuitTransport::Withdraw(uint32_t rank, uint64_t bulk)
{
    NS_LOG_FUNCTION(this << rank << bulk);
    std::vector<MessagePiece> withdrawn;
    // First the frame that the dark has cut, which is no longer in the queue
    const auto isBulk = [bulk](uint64_t size) { return bulk > 0 && size >= bulk; };
    if (const OpticalNetDevice::CutFrame cut = m_device->GetCutFrame(rank); cut.payload)
    {
        MessageHeader header;
        cut.payload->PeekHeader(header);
        const uint64_t bytes = cut.payload->GetSize() - MessageHeader::SIZE;
        // A burst stands for many small frames: the ones already sent arrive
        const uint64_t arriving = m_frameSize == 0 && cut.sentBytes > FRAME_HEADER_BYTES
                                      ? cut.sentBytes - FRAME_HEADER_BYTES
                                      : 0;
        if (!isBulk(header.GetMessageSize()))
        {
            m_device->TakeBackFrame(rank, arriving > 0 ? arriving + MessageHeader::SIZE : 0);
            CountUnsent(bytes + FRAME_HEADER_BYTES - cut.sentBytes);
            withdrawn.push_back(
                {header.GetTag(), header.GetMessageSize(), bytes - arriving, header.GetRepeats()});
        }
    }
    Outgoing* const outgoing = m_outgoing.Find(rank);
    if (!outgoing)
    {
        return withdrawn;
    }
    // Then the messages behind it
    MessagePieces others;
    for (std::size_t i = outgoing->first; i < outgoing->messages.size(); ++i)
    {
        const MessagePiece& message = outgoing->messages[i];
        if (isBulk(message.size))
        {
            others.push_back(message);
            continue;
        }
        withdrawn.push_back(message);
        outgoing->bytes -= GetFrameBytes(rank, message);
    }
    outgoing->messages.swap(others);
    outgoing->first = 0;
    NS_LOG_LOGIC("rank " << m_device->GetPort() << ": takes back " << withdrawn.size()
                         << " messages for rank " << rank);
    return withdrawn;
}

uint64_t
CircuitTransport::GetFrameSize() const
{
    return m_frameSize;
}

bool
CircuitTransport::CountLoss(uint32_t rank, MessagePiece& part)
{
    if (part.repeats < m_maxRepeats)
    {
        ++part.repeats;
        m_repeatedBytes += part.bytes;
        return true;
    }
    std::ostringstream sentence;
    sentence << "Rank " << GetRank(m_device->GetPort()) << " has sent a frame to rank "
             << GetRank(rank) << " " << CountNoun(part.repeats + 1, "time")
             << " in vain: each time it was lost. Shorten "
             << "the path, add power or a stronger code, or increase MaxRepeats";
    Fail(sentence.str());
    return false;
}

Time
CircuitTransport::GetRepeatDelay(uint32_t rank) const
{
    return m_device->GetPathDelay(rank) + m_retransmissionDelay;
}

void
CircuitTransport::CountSent(uint64_t bytes)
{
    NoteFrame();
    m_sentBytes += bytes;
}

void
CircuitTransport::CountUnsent(uint64_t bytes)
{
    m_sentBytes -= bytes;
}

uint64_t
CircuitTransport::GetMaxPayload(uint32_t port, const MessagePiece& message) const
{
    uint64_t most = MAX_FRAME_PAYLOAD_BYTES;
    if (m_frameSize > 0)
    {
        most = std::min(most, m_frameSize - MessageHeader::SIZE);
    }
    else if (message.size > FORWARDED_PART_BYTES &&
             m_channel->IsForwarded(m_device->GetPort(), port))
    {
        // By the size of the whole message, so that its parts are cut alike
        const uint64_t part = message.size / m_forwardedFrames + 1;
        most = std::min(most, std::max(part, FORWARDED_PART_BYTES));
    }
    return most;
}

uint64_t
CircuitTransport::GetFrameBytes(uint32_t port, const MessagePiece& message) const
{
    const uint64_t most = GetMaxPayload(port, message);
    return message.bytes +
           std::max((message.bytes + most - 1) / most, uint64_t{1}) * FRAME_HEADER_BYTES;
}

Ptr<Packet>
CircuitTransport::NextFrame(uint32_t destination)
{
    SourceFrame frame;
    return DescribeFrame(destination, frame) ? frame.maker(frame) : nullptr;
}

bool
CircuitTransport::DescribesFrames() const
{
    return true;
}

bool
CircuitTransport::DescribeFrame(uint32_t destination, SourceFrame& frame)
{
    Outgoing* const outgoing = m_outgoing.Find(destination);
    if (!outgoing || outgoing->first == outgoing->messages.size())
    {
        return false;
    }
    // The next frame takes as much of the first message as it has room for
    MessagePiece& message = outgoing->messages[outgoing->first];
    const uint64_t payload = std::min(message.bytes, GetMaxPayload(destination, message));
    frame = {&CircuitTransport::MakePayload,
             m_device->GetPort(),
             static_cast<uint32_t>(payload + MessageHeader::SIZE),
             message.tag,
             message.size,
             PROTOCOL_NUMBER,
             message.repeats};
    // The frame is the device's now: it counts as sent, and no longer as waiting
    CountSent(payload + FRAME_HEADER_BYTES);
    message.bytes -= payload;
    outgoing->bytes -= payload + FRAME_HEADER_BYTES;
    if (message.bytes == 0)
    {
        outgoing->PopFirst();
    }
    return true;
}

Ptr<Packet>
CircuitTransport::MakePayload(const SourceFrame& frame)
{
    const auto payload = Create<Packet>(frame.bytes - MessageHeader::SIZE);
    payload->AddHeader(
        MessageHeader(frame.port, frame.messageTag, frame.messageSize, frame.repeats));
    return payload;
}

uint16_t
CircuitTransport::GetProtocolNumber() const
{
    return PROTOCOL_NUMBER;
}

uint32_t
CircuitTransport::GetHeaderSize() const
{
    return MessageHeader::SIZE;
}

uint64_t
CircuitTransport::GetBacklog(uint32_t destination) const
{
    const Outgoing* const outgoing = m_outgoing.Find(destination);
    return outgoing ? outgoing->bytes : 0;
}

void
CircuitTransport::NotifyLost(uint32_t destination, Ptr<const Packet> payload)
{
    NS_LOG_FUNCTION(this << destination << payload);
    MessageHeader header;
    payload->PeekHeader(header);
    MessagePiece part{header.GetTag(),
                      header.GetMessageSize(),
                      payload->GetSize() - MessageHeader::SIZE,
                      header.GetRepeats()};
    if (CountLoss(destination, part))
    {
        // The receiver has found the loss, but the event belongs to the node of the sender
        Simulator::ScheduleWithContext(m_device->GetNodeId(),
                                       GetRepeatDelay(destination),
                                       &CircuitTransport::SendAgain,
                                       this,
                                       destination,
                                       part);
    }
}

bool
CircuitTransport::ReceiveFrame(const Ptr<const Packet>& payload)
{
    NS_LOG_FUNCTION(this << payload);
    MessageHeader header;
    payload->PeekHeader(header);
    ReceivePart(GetRank(header.GetSource()),
                header.GetTag(),
                header.GetMessageSize(),
                payload->GetSize() - MessageHeader::SIZE);
    return true;
}

bool
CircuitTransport::ReceiveDescribed(const SourceFrame& frame)
{
    NS_LOG_FUNCTION(this << frame.messageTag);
    // A frame of another protocol that shares the devices
    if (frame.maker != &CircuitTransport::MakePayload)
    {
        return false;
    }
    ReceivePart(GetRank(frame.port),
                frame.messageTag,
                frame.messageSize,
                frame.bytes - MessageHeader::SIZE);
    return true;
}

uint64_t
CircuitTransport::GetSentBytes() const
{
    m_device->SettleLent();
    return m_sentBytes;
}

TransportStatistics
CircuitTransport::GetStatistics() const
{
    TransportStatistics statistics;
    statistics.repeatedBytes = m_repeatedBytes;
    return statistics;
}

Time
CircuitTransport::GetDarkTime() const
{
    return m_isReleased ? m_darkTime : m_device->GetDarkClock().Get();
}

std::vector<Time>
CircuitTransport::GetDarkChanges() const
{
    return m_device->GetDarkClock().GetChanges();
}

bool
CircuitTransport::IsMoving() const
{
    // Bytes move while a lightpath is lit that has a frame, or will once circuits are switched
    for (const uint32_t port : m_outgoing.GetPorts())
    {
        if (m_device->IsSending(port))
        {
            return true;
        }
    }
    return m_channel->IsChanging();
}

std::string
CircuitTransport::Describe() const
{
    std::ostringstream clause;
    std::vector<std::pair<uint32_t, uint64_t>> backlog;
    m_device->GetBacklog(backlog);
    for (const auto& entry : backlog)
    {
        clause << (clause.tellp() > 0 ? ", " : "") << entry.second << " bytes wait at rank "
               << GetRank(m_device->GetPort()) << " for a lightpath to rank "
               << GetRank(entry.first);
    }
    return clause.str();
}

} // namespace lightpath
} // namespace ns3
