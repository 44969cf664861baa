/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "circuit-transport.h"

#include "message-header.h"

#include "ns3/abort.h"
#include "ns3/fabric-channel.h"
#include "ns3/log.h"
#include "ns3/optical-net-device.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <sstream>

namespace ns3
{
namespace lightpath
{

NS_LOG_COMPONENT_DEFINE("CircuitTransport");

NS_OBJECT_ENSURE_REGISTERED(CircuitTransport);

namespace
{

/// The most bytes of a message in one frame: packets are limited to 4 GiB.
constexpr uint64_t MAX_PAYLOAD = uint64_t{1} << 30;

/// Bytes of the Ethernet header and the message header of a frame.
constexpr uint64_t HEADERS = 14 + MessageHeader::SIZE;

} // namespace

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
            .AddAttribute("RetransmissionDelay",
                          "The time from the reception of a corrupt frame until it is sent again.",
                          TimeValue(MicroSeconds(1)),
                          MakeTimeAccessor(&CircuitTransport::m_retransmissionDelay),
                          MakeTimeChecker(Time(0)));
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
    if (m_device)
    {
        m_device->SetFrameSource(nullptr);
        m_device = nullptr;
    }
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
    // Where half of the memory is of messages that have been sent, it is used again
    if (2 * first >= messages.size())
    {
        messages.erase(messages.begin(), messages.begin() + static_cast<std::ptrdiff_t>(first));
        first = 0;
    }
}

void
CircuitTransport::Outgoing::PushFirst(const Message& message)
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
    Outgoing& outgoing = m_outgoing.Get(rank);
    outgoing.messages.push_back({tag, bytes, bytes});
    outgoing.bytes += GetFrameBytes(bytes);
    TraceSend(rank, tag, bytes);
    m_device->NotifyFrames(rank);
}

void
CircuitTransport::SendAgain(uint32_t rank, uint64_t tag, uint64_t size, uint64_t bytes)
{
    NS_LOG_FUNCTION(this << rank << tag << size << bytes);
    Outgoing& outgoing = m_outgoing.Get(rank);
    outgoing.PushFirst({tag, size, bytes});
    outgoing.bytes += GetFrameBytes(bytes);
    m_device->NotifyFrames(rank);
}

uint64_t
CircuitTransport::GetMaxPayload() const
{
    return m_frameSize > 0 ? std::min(m_frameSize - MessageHeader::SIZE, MAX_PAYLOAD) : MAX_PAYLOAD;
}

uint64_t
CircuitTransport::GetFrameBytes(uint64_t bytes) const
{
    const uint64_t most = GetMaxPayload();
    return bytes + std::max((bytes + most - 1) / most, uint64_t{1}) * HEADERS;
}

Ptr<Packet>
CircuitTransport::NextFrame(uint32_t destination)
{
    Outgoing* const found = m_outgoing.Find(destination);
    if (!found || found->first == found->messages.size())
    {
        return nullptr;
    }
    Outgoing& outgoing = *found;
    Message& message = outgoing.messages[outgoing.first];
    const uint64_t payload = std::min(message.left, GetMaxPayload());
    const auto frame = Create<Packet>(static_cast<uint32_t>(payload));
    frame->AddHeader(MessageHeader(m_device->GetPort(), message.tag, message.size));
    m_sentBytes += payload + HEADERS;
    message.left -= payload;
    outgoing.bytes -= payload + HEADERS;
    if (message.left == 0)
    {
        outgoing.PopFirst();
    }
    return frame;
}

uint16_t
CircuitTransport::GetProtocolNumber() const
{
    return PROTOCOL_NUMBER;
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
    Simulator::ScheduleWithContext(m_device->GetNodeId(),
                                   m_retransmissionDelay,
                                   &CircuitTransport::SendAgain,
                                   this,
                                   destination,
                                   header.GetTag(),
                                   header.GetMessageSize(),
                                   payload->GetSize() - MessageHeader::SIZE);
}

bool
CircuitTransport::ReceiveFrame(const Ptr<const Packet>& payload)
{
    NS_LOG_FUNCTION(this << payload);
    MessageHeader header;
    payload->PeekHeader(header);
    const uint64_t bytes = payload->GetSize() - MessageHeader::SIZE;
    if (bytes < header.GetMessageSize())
    {
        const auto entry =
            m_incoming.emplace(std::make_pair(header.GetSource(), header.GetTag()), 0).first;
        entry->second += bytes;
        if (entry->second < header.GetMessageSize())
        {
            return true;
        }
        m_incoming.erase(entry);
    }
    Deliver(header.GetSource(), header.GetTag(), header.GetMessageSize());
    return true;
}

uint64_t
CircuitTransport::GetSentBytes() const
{
    return m_sentBytes;
}

bool
CircuitTransport::IsMoving() const
{
    for (const uint32_t rank : m_outgoing.GetPorts())
    {
        if (m_device->IsSending(rank))
        {
            return true;
        }
    }
    return DynamicCast<FabricChannel>(m_device->GetChannel())->IsChanging();
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
               << m_device->GetPort() << " for a lightpath to rank " << entry.first;
    }
    return clause.str();
}

} // namespace lightpath
} // namespace ns3
