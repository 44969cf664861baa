/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "rdma-net-device.h"

#include "model/device/ethernet-fields.h"
#include "rdma-card.h"
#include "rdma-headers.h"
#include "rdma-network.h"
#include "rdma-queue-pair.h"
#include "rdma-skipper.h"

#include "ns3/abort.h"
#include "ns3/ipv4-header.h"
#include "ns3/simulator.h"
#include "ns3/udp-header.h"
#include "ns3/uinteger.h"

#include <utility>

namespace ns3
{
namespace lightpath
{

NS_OBJECT_ENSURE_REGISTERED(RdmaNetDevice);

namespace
{

/// EtherType of IPv4.
constexpr uint16_t TYPE_IPV4 = 0x0800;

/// EtherType of MAC control.
constexpr uint16_t TYPE_CONTROL = 0x8808;

/// Bytes of the check at the end of a frame.
constexpr uint32_t CHECK_BYTES = 4;

/// The class of foreign packets.
constexpr uint8_t FOREIGN_CLASS = 0;

/// The first UDP port that packets come from; the rest of it is their entropy.
constexpr uint16_t FIRST_PORT = 0xc000;

/**
 * @param port a port of a network
 * @return the address of its card in packets: 10.0.0.1 and so on
 */
Ipv4Address
GetIpv4Address(uint32_t port)
{
    return Ipv4Address((10U << 24) + 1 + port);
}

} // namespace

TypeId
RdmaNetDevice::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lightpath::RdmaNetDevice")
            .SetParent<PortDevice>()
            .SetGroupName("Lightpath")
            .AddConstructor<RdmaNetDevice>()
            .AddAttribute("Mtu",
                          "Largest packet of another protocol, bytes.",
                          UintegerValue(4096),
                          MakeUintegerAccessor(&RdmaNetDevice::SetMtu, &RdmaNetDevice::GetMtu),
                          MakeUintegerChecker<uint16_t>())
            .AddTraceSource("PromiscSniffer",
                            "A frame with its headers, as it is sent or has been received.",
                            MakeTraceSourceAccessor(&RdmaNetDevice::m_promiscSnifferTrace),
                            "ns3::Packet::TracedCallback");
    return tid;
}

RdmaNetDevice::RdmaNetDevice()
{
    m_address = Mac48Address::Allocate();
}

void
RdmaNetDevice::DoDispose()
{
    m_network = nullptr;
    m_messageCallback = nullptr;
    PortDevice::DoDispose();
}

void
RdmaNetDevice::Attach(Ptr<RdmaNetwork> network)
{
    m_network = network;
    m_port = network->Attach(this);
    SetAddress(m_address);
    m_promiscSnifferTrace.SetWatch(network->GetWatch());
}

Ptr<RdmaNetwork>
RdmaNetDevice::GetNetwork() const
{
    return m_network;
}

RdmaQueuePair&
RdmaNetDevice::GetPair(uint32_t destination)
{
    NS_ABORT_MSG_IF(destination == m_port || destination >= m_network->GetNDevices(),
                    "Card " << m_port << " has no queue pair with card " << destination << " of "
                            << m_network->GetNDevices() << ": give another one of them");
    return m_network->GetCard(m_port).GetPair(destination);
}

void
RdmaNetDevice::Post(uint32_t destination, uint64_t id, uint64_t bytes)
{
    GetPair(destination).Post(id, bytes);
}

void
RdmaNetDevice::SetMessageCallback(MessageCallback callback)
{
    m_messageCallback = std::move(callback);
}

uint64_t
RdmaNetDevice::GetSentBytes() const
{
    return m_network->GetCard(m_port).GetSentBytes();
}

Ptr<Packet>
RdmaNetDevice::MakePacket(const RdmaFrame& frame) const
{
    if (frame.kind == RdmaFrame::FOREIGN)
    {
        return frame.packet->Copy();
    }
    if (frame.kind == RdmaFrame::PAUSE)
    {
        const auto packet = Create<Packet>();
        PauseHeader pause;
        pause.classes = frame.classes;
        pause.pauses = frame.pauses;
        packet->AddHeader(pause);
        EthernetFields::Add(packet, m_address, Mac48Address("01:80:c2:00:00:01"), TYPE_CONTROL);
        return packet;
    }
    const bool isData = frame.kind == RdmaFrame::DATA;
    const bool isAnswer = frame.kind == RdmaFrame::ACK || frame.kind == RdmaFrame::NACK;
    const RdmaQueuePair& pair = *frame.pair;
    const uint32_t source = isData ? pair.GetSender().GetPort() : pair.GetReceiver().GetPort();
    // The check of RoCEv2 is zeros, as the payload is
    const uint32_t headers = ROCE_HEADER_BYTES - CHECK_BYTES - 4 + (isAnswer ? 4 : 0);
    const auto packet = Create<Packet>(frame.bytes - CHECK_BYTES - headers);
    BthHeader bth;
    bth.opcode = isData     ? static_cast<BthHeader::Opcode>(pair.GetOpcode(frame.number))
                 : isAnswer ? BthHeader::ACKNOWLEDGE
                            : BthHeader::CONGESTION_NOTIFICATION;
    // The first two are for management
    bth.queuePair = pair.GetNumber() + 2;
    bth.padding = isData ? static_cast<uint8_t>(-pair.GetPayload(frame.number) & 3) : 0;
    bth.number = static_cast<uint32_t>(frame.number);
    bth.asksForAck = frame.asksForAck && isData;
    bth.isNegative = frame.kind == RdmaFrame::NACK;
    packet->AddHeader(bth);
    UdpHeader udp;
    udp.SetSourcePort(FIRST_PORT | static_cast<uint16_t>(frame.entropy & 0x3fff));
    udp.SetDestinationPort(ROCE_PORT);
    packet->AddHeader(udp);
    Ipv4Header ip;
    ip.SetSource(GetIpv4Address(source));
    ip.SetDestination(GetIpv4Address(frame.destination));
    ip.SetProtocol(17);
    ip.SetTtl(64);
    ip.SetDscp(static_cast<Ipv4Header::DscpType>(frame.trafficClass << 3));
    ip.SetEcn(frame.isMarked && isData ? Ipv4Header::ECN_CE : Ipv4Header::ECN_ECT0);
    ip.SetPayloadSize(static_cast<uint16_t>(packet->GetSize()));
    packet->AddHeader(ip);
    EthernetFields::Add(packet,
                        m_network->GetCard(source).GetDevice().m_address,
                        m_network->GetCard(frame.destination).GetDevice().m_address,
                        TYPE_IPV4);
    return packet;
}

void
RdmaNetDevice::Sniff(const RdmaFrame& frame)
{
    if (!m_promiscSnifferTrace.IsEmpty())
    {
        m_promiscSnifferTrace(MakePacket(frame));
    }
}

void
RdmaNetDevice::Deliver(uint32_t source, uint64_t id, uint64_t bytes)
{
    if (m_messageCallback)
    {
        const Time delay = RdmaClock::GetDelay(m_network->GetClock().GetNow());
        Simulator::Schedule(delay, [this, source, id, bytes] {
            if (m_messageCallback)
            {
                m_messageCallback(source, id, bytes);
            }
        });
    }
}

bool
RdmaNetDevice::SendFrom(Ptr<Packet> packet,
                        const Address& source,
                        const Address& dest,
                        uint16_t protocolNumber)
{
    if (packet->GetSize() > m_mtu)
    {
        return false;
    }
    const Mac48Address to = Mac48Address::ConvertFrom(dest);
    EthernetFields::Add(packet, Mac48Address::ConvertFrom(source), to, protocolNumber);
    const auto enter = [this, packet](uint32_t port) {
        m_network->EnterLater([this, copy = packet->Copy(), port] { Enter(copy, port); });
    };
    const auto nPorts = static_cast<uint32_t>(m_network->GetNDevices());
    // A frame for all goes to each as one of its own
    for (uint32_t port = 0; to.IsGroup() && port < nPorts; ++port)
    {
        if (port != m_port)
        {
            enter(port);
        }
    }
    const uint32_t port = to.IsGroup() ? m_port : m_network->FindPort(to);
    if (port != m_port && port < nPorts)
    {
        enter(port);
    }
    return to.IsGroup() || (port != m_port && port < nPorts);
}

void
RdmaNetDevice::Enter(Ptr<Packet> packet, uint32_t destination)
{
    if (m_network->GetSkipper())
    {
        // It would meet links that only seem to be free
        m_network->GetSkipper()->Stop();
    }
    constexpr uint32_t least = 60;
    RdmaFrame* const frame = m_network->MakeFrame();
    frame->kind = RdmaFrame::FOREIGN;
    frame->trafficClass = FOREIGN_CLASS;
    frame->bytes = std::max(packet->GetSize(), least) + CHECK_BYTES;
    frame->destination = destination;
    frame->entropy = m_port * 0x9e3779b1U ^ destination;
    frame->packet = packet;
    m_network->GetCard(m_port).Send(frame);
}

void
RdmaNetDevice::TakeForeign(Ptr<Packet> packet)
{
    const Time delay = RdmaClock::GetDelay(m_network->GetClock().GetNow());
    Simulator::ScheduleWithContext(GetNodeId(), delay, [this, packet] {
        const EthernetFields header(*packet);
        const auto content = packet->Copy();
        content->RemoveAtStart(ETHERNET_HEADER_BYTES);
        const PacketType type = header.destination.IsGroup() ? PACKET_BROADCAST : PACKET_HOST;
        if (!m_promiscCallback.IsNull())
        {
            m_promiscCallback(this,
                              content,
                              header.protocol,
                              header.source,
                              header.destination,
                              type);
        }
        if (!m_receiveCallback.IsNull())
        {
            m_receiveCallback(this, content, header.protocol, header.source);
        }
    });
}

Ptr<Channel>
RdmaNetDevice::GetChannel() const
{
    return m_network;
}

void
RdmaNetDevice::SetAddress(Address address)
{
    const Mac48Address before = std::exchange(m_address, Mac48Address::ConvertFrom(address));
    if (m_network)
    {
        m_network->NoteAddress(m_port, before, m_address);
    }
}

bool
RdmaNetDevice::IsLinkUp() const
{
    return m_network != nullptr;
}

} // namespace lightpath
} // namespace ns3
