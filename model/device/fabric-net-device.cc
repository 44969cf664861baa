/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-net-device.h"

#include "ethernet-fields.h"
#include "fabric-channel.h"
#include "frame-source.h"
#include "optical-net-device.h"
#include "virtual-output-queue.h"

#include "ns3/abort.h"
#include "ns3/log.h"
#include "ns3/packet.h"
#include "ns3/trace-source-accessor.h"

#include <vector>

namespace ns3
{
namespace lightpath
{

NS_LOG_COMPONENT_DEFINE("FabricNetDevice");

NS_OBJECT_ENSURE_REGISTERED(FabricNetDevice);

TypeId
FabricNetDevice::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lightpath::FabricNetDevice")
            .SetParent<PortDevice>()
            .SetGroupName("Lightpath")
            .AddTraceSource("MacTx",
                            "A packet has been accepted from the layer above.",
                            MakeTraceSourceAccessor(&FabricNetDevice::m_macTxTrace),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("MacTxDrop",
                            "A packet from the layer above has been dropped before it was sent.",
                            MakeTraceSourceAccessor(&FabricNetDevice::m_macTxDropTrace),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("PhyTxBegin",
                            "A frame begins to be sent.",
                            MakeTraceSourceAccessor(&FabricNetDevice::m_phyTxBeginTrace),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("PhyTxEnd",
                            "The last bit of a frame has been sent.",
                            MakeTraceSourceAccessor(&FabricNetDevice::m_phyTxEndTrace),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("PhyTxDrop",
                            "A frame that has begun is lost at this device: it was cut by darkness "
                            "and its rest will not be sent, or its light led to no receiver.",
                            MakeTraceSourceAccessor(&FabricNetDevice::m_phyTxDropTrace),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("PhyRxDrop",
                            "A frame has been received corrupt and is dropped.",
                            MakeTraceSourceAccessor(&FabricNetDevice::m_phyRxDropTrace),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("MacPromiscRx",
                            "A packet has been received, for this node or another.",
                            MakeTraceSourceAccessor(&FabricNetDevice::m_macPromiscRxTrace),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("MacRx",
                            "A packet for this node has been received.",
                            MakeTraceSourceAccessor(&FabricNetDevice::m_macRxTrace),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("PhyRxEnd",
                            "A frame has been received whole.",
                            MakeTraceSourceAccessor(&FabricNetDevice::m_phyRxEndTrace),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("Sniffer",
                            "A frame with its header, as it is sent or as it is received for this "
                            "node.",
                            MakeTraceSourceAccessor(&FabricNetDevice::m_snifferTrace),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("PromiscSniffer",
                            "A frame with its header, as it is sent or received.",
                            MakeTraceSourceAccessor(&FabricNetDevice::m_promiscSnifferTrace),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("FrameBegin",
                            "A frame begins to be sent: its destination and its size in bytes.",
                            MakeTraceSourceAccessor(&FabricNetDevice::m_frameBeginTrace),
                            "ns3::lightpath::FabricNetDevice::FrameTracedCallback")
            .AddTraceSource("FrameEnd",
                            "The last bit of a frame has been sent, or its rest will not be sent.",
                            MakeTraceSourceAccessor(&FabricNetDevice::m_frameEndTrace),
                            "ns3::lightpath::FabricNetDevice::FrameTracedCallback")
            .AddTraceSource("LightpathRate",
                            "The rate to a destination changes: the destination and the rate in "
                            "bit/s.",
                            MakeTraceSourceAccessor(&FabricNetDevice::m_lightpathRateTrace),
                            "ns3::lightpath::FabricNetDevice::LightpathRateTracedCallback");
    return tid;
}

FabricNetDevice::FabricNetDevice()
{
    NS_LOG_FUNCTION(this);
}

FabricNetDevice::~FabricNetDevice()
{
    NS_LOG_FUNCTION(this);
}

void
FabricNetDevice::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_channel = nullptr;
    m_queue = nullptr;
    m_source = nullptr;
    m_isDescribed = false;
    PortDevice::DoDispose();
}

Mac48Address
FabricNetDevice::GetMac48Address() const
{
    return m_address;
}

void
FabricNetDevice::NotifyLinkChange()
{
    NS_LOG_FUNCTION(this);
    m_linkChangeCallbacks();
}

bool
FabricNetDevice::LooksAtReceived() const
{
    return !m_phyRxEndTrace.IsEmpty() || !m_promiscSnifferTrace.IsEmpty() ||
           !m_snifferTrace.IsEmpty() || !m_macRxTrace.IsEmpty() || !m_promiscCallback.IsNull();
}

void
FabricNetDevice::SetQueue(Ptr<VirtualOutputQueue> queue)
{
    NS_LOG_FUNCTION(this << queue);
    m_queue = queue;
    m_hasQueued = !queue->IsEmpty();
}

void
FabricNetDevice::FindPorts(Mac48Address dest, std::vector<uint32_t>& ports) const
{
    // A frame for a group goes to each port that a broadcast reaches
    if (dest.IsGroup())
    {
        ports = m_channel->GetReachable(m_port);
        return;
    }
    const uint32_t port = m_channel->FindPort(dest);
    if (port < m_channel->GetNDevices() && port != m_port)
    {
        ports.push_back(port);
    }
}

bool
FabricNetDevice::SendFrom(Ptr<Packet> packet,
                          const Address& source,
                          const Address& dest,
                          uint16_t protocolNumber)
{
    NS_LOG_FUNCTION(this << packet << source << dest << protocolNumber);
    NS_ABORT_MSG_UNLESS(m_channel,
                        "The device " << m_address << " cannot send: attach it to a fabric first");
    const Mac48Address to = Mac48Address::ConvertFrom(dest);
    std::vector<uint32_t> ports;
    FindPorts(to, ports);
    if (ports.empty() || packet->GetSize() > m_mtu)
    {
        NS_LOG_LOGIC("No port has the address " << to << ", or the packet exceeds the MTU");
        m_macTxDropTrace(packet);
        return false;
    }
    EthernetFields::Add(packet, Mac48Address::ConvertFrom(source), to, protocolNumber);
    m_macTxTrace(packet);
    bool accepted = true;
    for (const uint32_t port : ports)
    {
        // The last port takes the packet itself
        const Ptr<Packet> copy = port == ports.back() ? packet : packet->Copy();
        m_hasQueued = true;
        if (m_queue->EnqueueFor(copy, port))
        {
            NotifyFrames(port);
        }
        else
        {
            m_macTxDropTrace(copy);
            accepted = false;
        }
    }
    return accepted;
}

void
FabricNetDevice::SetFrameSource(FrameSource* source)
{
    NS_LOG_FUNCTION(this << source);
    NS_ABORT_MSG_IF(source && m_source,
                    "The device " << m_address << " has a frame source, such as the transport of a "
                                  << "training job, already: it carries one at a time");
    m_source = source;
    m_isDescribed = source && source->DescribesFrames();
}

void
FabricNetDevice::AddHeader(Ptr<Packet> payload, uint32_t destination, uint16_t protocol) const
{
    const Mac48Address to = m_channel->GetPort(destination)->m_address;
    EthernetFields::Add(payload, m_address, to, protocol);
}

uint32_t
FabricNetDevice::GetInnerHeaderSize() const
{
    return m_source ? m_source->GetHeaderSize() : 0;
}

bool
FabricNetDevice::NextQueueFrame(uint32_t destination, FabricFrame& frame)
{
    // Most devices of a job send described frames alone
    frame.packet = m_hasQueued ? m_queue->DequeueFor(destination) : nullptr;
    frame.bytes = frame.packet ? frame.packet->GetSize() : 0;
    return frame.bytes > 0;
}

bool
FabricNetDevice::NextSourceFrame(uint32_t destination, FabricFrame& frame)
{
    if (m_isDescribed)
    {
        const bool found = m_source->DescribeFrame(destination, frame.source);
        frame.bytes = found ? frame.source.bytes + ETHERNET_HEADER_BYTES : 0;
        return found;
    }
    frame.packet = m_source ? m_source->NextFrame(destination) : nullptr;
    if (frame.packet)
    {
        AddHeader(frame.packet, destination, m_source->GetProtocolNumber());
        frame.bytes = frame.packet->GetSize();
    }
    return frame.bytes > 0;
}

void
FabricNetDevice::NotifyLost(uint32_t destination, Ptr<const Packet> frame)
{
    NS_LOG_FUNCTION(this << destination << frame);
    const Ptr<Packet> payload = frame->Copy();
    EthernetHeader header(false);
    payload->RemoveHeader(header);
    if (m_source && header.GetLengthType() == m_source->GetProtocolNumber())
    {
        m_source->NotifyLost(destination, payload);
    }
}

Ptr<Channel>
FabricNetDevice::GetChannel() const
{
    return m_channel;
}

void
FabricNetDevice::SetAddress(Address address)
{
    SetMac48Address(Mac48Address::ConvertFrom(address));
}

void
FabricNetDevice::SetMac48Address(Mac48Address address)
{
    NS_LOG_FUNCTION(this << address);
    const Mac48Address before = m_address;
    m_address = address;
    if (m_channel)
    {
        m_channel->ChangeAddress(m_port, before, m_address);
    }
}

bool
FabricNetDevice::IsLinkUp() const
{
    return m_channel && m_channel->IsLinkUp(m_port);
}

Ptr<VirtualOutputQueue>
FabricNetDevice::GetQueue() const
{
    return m_queue;
}

void
FabricNetDevice::HandUp(Ptr<Packet> frame)
{
    NS_LOG_FUNCTION(this << frame);
    m_phyRxEndTrace(frame);
    m_promiscSnifferTrace(frame);

    // Read the header in place and cut it off: only the sniffer needs a copy with the header
    const Ptr<const Packet> sniffed = m_snifferTrace.IsEmpty() ? nullptr : frame->Copy();
    const EthernetFields header(*frame);
    frame->RemoveAtStart(ETHERNET_HEADER_BYTES);
    const Mac48Address& dest = header.destination;
    PacketType type = PACKET_OTHERHOST;
    if (dest == m_address)
    {
        type = PACKET_HOST;
    }
    else if (dest.IsBroadcast())
    {
        type = PACKET_BROADCAST;
    }
    else if (dest.IsGroup())
    {
        type = PACKET_MULTICAST;
    }
    if (!m_promiscCallback.IsNull())
    {
        m_macPromiscRxTrace(frame);
        m_promiscCallback(this, frame->Copy(), header.protocol, header.source, dest, type);
    }
    if (type == PACKET_OTHERHOST)
    {
        return;
    }
    if (sniffed)
    {
        m_snifferTrace(sniffed);
    }
    m_macRxTrace(frame);
    // The frame source goes first; the node gets the frames that it declines
    const bool isForSource = type == PACKET_HOST || type == PACKET_BROADCAST;
    if (!isForSource || !m_source || header.protocol != m_source->GetProtocolNumber() ||
        !m_source->ReceiveFrame(frame))
    {
        m_receiveCallback(this, frame, header.protocol, header.source);
    }
}

} // namespace lightpath
} // namespace ns3
