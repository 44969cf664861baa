/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "optical-net-device.h"

#include "fabric-channel.h"
#include "frame-source.h"

#include "ns3/abort.h"
#include "ns3/error-model.h"
#include "ns3/ethernet-header.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/packet.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"
#include "ns3/trace-source-accessor.h"
#include "ns3/uinteger.h"

#include <cstddef>
#include <utility>

namespace ns3
{
namespace lightpath
{

NS_LOG_COMPONENT_DEFINE("OpticalNetDevice");

NS_OBJECT_ENSURE_REGISTERED(OpticalNetDevice);

namespace
{

/// What the Ethernet header at the beginning of a frame says, read in one piece.
struct EthernetFields
{
    static constexpr uint32_t SIZE = 14; //!< Bytes of the header

    /**
     * @param frame a frame
     */
    explicit EthernetFields(const Packet& frame)
    {
        uint8_t bytes[SIZE];
        frame.CopyData(bytes, SIZE);
        destination.CopyFrom(bytes);
        source.CopyFrom(bytes + 6);
        protocol = static_cast<uint16_t>(bytes[12] << 8 | bytes[13]);
    }

    Mac48Address destination; //!< Address that the frame is for
    Mac48Address source;      //!< Address that it comes from
    uint16_t protocol;        //!< Number of its protocol
};

} // namespace

TypeId
OpticalNetDevice::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lightpath::OpticalNetDevice")
            .SetParent<NetDevice>()
            .SetGroupName("Lightpath")
            .AddConstructor<OpticalNetDevice>()
            .AddAttribute("Mtu",
                          "The most bytes of a packet that is handed to the device.",
                          UintegerValue(9000),
                          MakeUintegerAccessor(&OpticalNetDevice::m_mtu),
                          MakeUintegerChecker<uint16_t>(68))
            .AddAttribute("Address",
                          "The MAC address of the device; as it is attached, the broadcast address "
                          "gives way to one of its own.",
                          Mac48AddressValue(Mac48Address("ff:ff:ff:ff:ff:ff")),
                          MakeMac48AddressAccessor(&OpticalNetDevice::SetMac48Address,
                                                   &OpticalNetDevice::GetMac48Address),
                          MakeMac48AddressChecker())
            .AddAttribute("TxQueue",
                          "The packets that wait to be sent, by destination.",
                          PointerValue(),
                          MakePointerAccessor(&OpticalNetDevice::m_queue),
                          MakePointerChecker<VirtualOutputQueue>())
            .AddAttribute("ReceiveErrorModel",
                          "Decides which of the received frames are corrupt and dropped.",
                          PointerValue(),
                          MakePointerAccessor(&OpticalNetDevice::m_errorModel),
                          MakePointerChecker<ErrorModel>())
            .AddTraceSource("MacTx",
                            "A packet has been accepted from the layer above.",
                            MakeTraceSourceAccessor(&OpticalNetDevice::m_macTxTrace),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("MacTxDrop",
                            "A packet from the layer above has been dropped before it was sent.",
                            MakeTraceSourceAccessor(&OpticalNetDevice::m_macTxDropTrace),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("MacPromiscRx",
                            "A packet has been received, for this node or another.",
                            MakeTraceSourceAccessor(&OpticalNetDevice::m_macPromiscRxTrace),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("MacRx",
                            "A packet for this node has been received.",
                            MakeTraceSourceAccessor(&OpticalNetDevice::m_macRxTrace),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("PhyTxBegin",
                            "A frame begins to be sent.",
                            MakeTraceSourceAccessor(&OpticalNetDevice::m_phyTxBeginTrace),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("PhyTxEnd",
                            "The last bit of a frame has been sent.",
                            MakeTraceSourceAccessor(&OpticalNetDevice::m_phyTxEndTrace),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("PhyRxEnd",
                            "A frame has been received whole.",
                            MakeTraceSourceAccessor(&OpticalNetDevice::m_phyRxEndTrace),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("PhyRxDrop",
                            "A frame has been received corrupt and is dropped.",
                            MakeTraceSourceAccessor(&OpticalNetDevice::m_phyRxDropTrace),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("Sniffer",
                            "A frame with its header, as it is sent or as it is received for this "
                            "node.",
                            MakeTraceSourceAccessor(&OpticalNetDevice::m_snifferTrace),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("PromiscSniffer",
                            "A frame with its header, as it is sent or received.",
                            MakeTraceSourceAccessor(&OpticalNetDevice::m_promiscSnifferTrace),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("Forward",
                            "A frame for another device has been received whole, to be forwarded.",
                            MakeTraceSourceAccessor(&OpticalNetDevice::m_forwardTrace),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("ForwardBytes",
                            "The bytes of other devices that wait to be forwarded.",
                            MakeTraceSourceAccessor(&OpticalNetDevice::m_forwardBytes),
                            "ns3::TracedValueCallback::Uint64")
            .AddTraceSource("LightpathUp",
                            "A lightpath from this device begins to carry light.",
                            MakeTraceSourceAccessor(&OpticalNetDevice::m_lightpathUpTrace),
                            "ns3::lightpath::OpticalNetDevice::LightpathTracedCallback")
            .AddTraceSource("LightpathDown",
                            "A lightpath from this device ceases to carry light.",
                            MakeTraceSourceAccessor(&OpticalNetDevice::m_lightpathDownTrace),
                            "ns3::lightpath::OpticalNetDevice::LightpathTracedCallback");
    return tid;
}

OpticalNetDevice::OpticalNetDevice()
{
    NS_LOG_FUNCTION(this);
}

OpticalNetDevice::~OpticalNetDevice()
{
    NS_LOG_FUNCTION(this);
}

void
OpticalNetDevice::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_transmitters.Clear();
    m_node = nullptr;
    m_channel = nullptr;
    m_queue = nullptr;
    m_source = nullptr;
    m_isDescribed = false;
    m_errorModel = nullptr;
    m_receiveCallback.Nullify();
    m_promiscCallback.Nullify();
    NetDevice::DoDispose();
}

void
OpticalNetDevice::Attach(Ptr<FabricChannel> channel)
{
    NS_LOG_FUNCTION(this << channel);
    NS_ABORT_MSG_IF(m_channel,
                    "The device " << m_address << " is installed already, as port " << m_port
                                  << " of a fabric; a device has one port for good");
    if (!m_queue)
    {
        m_queue = CreateObject<VirtualOutputQueue>();
    }
    if (m_address.IsBroadcast())
    {
        m_address = Mac48Address::Allocate();
    }
    m_channel = channel;
    m_port = channel->Add(this);
    if (IsLinkUp())
    {
        NotifyLinkChange();
    }
}

uint32_t
OpticalNetDevice::GetPort() const
{
    return m_port;
}

uint32_t
OpticalNetDevice::GetNodeId() const
{
    return m_nodeId;
}

void
OpticalNetDevice::SetQueue(Ptr<VirtualOutputQueue> queue)
{
    NS_LOG_FUNCTION(this << queue);
    m_queue = queue;
}

Ptr<VirtualOutputQueue>
OpticalNetDevice::GetQueue() const
{
    return m_queue;
}

void
OpticalNetDevice::SetFrameSource(FrameSource* source)
{
    NS_LOG_FUNCTION(this << source);
    NS_ABORT_MSG_IF(source && m_source,
                    "The device " << m_address << " has a frame source, such as the transport of a "
                                  << "training job, already: it carries one at a time");
    m_source = source;
    m_isDescribed = source && source->DescribesFrames();
}

OpticalTransmitter&
OpticalNetDevice::GetTransmitter(uint32_t destination)
{
    OpticalTransmitter::Owner& owner = *this;
    return m_transmitters.Get(destination, owner, destination);
}

void
OpticalNetDevice::NotifyFrames(uint32_t destination)
{
    NS_LOG_FUNCTION(this << destination);
    GetTransmitter(destination).NotifyFrames();
}

uint64_t
OpticalNetDevice::SetRate(uint32_t destination, uint64_t bitRate, Time delay)
{
    NS_LOG_FUNCTION(this << destination << bitRate << delay);
    return GetTransmitter(destination).SetRate(bitRate, delay);
}

void
OpticalNetDevice::Prefetch(uint32_t destination) const
{
    const OpticalTransmitter* const transmitter = m_transmitters.Find(destination);
    if (transmitter)
    {
        transmitter->Prefetch();
    }
}

void
OpticalNetDevice::TraceLightpath(uint32_t destination, bool up)
{
    NS_LOG_FUNCTION(this << destination << up);
    up ? m_lightpathUpTrace(destination) : m_lightpathDownTrace(destination);
}

void
OpticalNetDevice::NotifyLinkChange()
{
    NS_LOG_FUNCTION(this);
    m_linkChangeCallbacks();
}

bool
OpticalNetDevice::SetHeld(uint32_t destination, bool held)
{
    NS_LOG_FUNCTION(this << destination << held);
    return GetTransmitter(destination).SetHeld(held);
}

uint64_t
OpticalNetDevice::GetBacklog(uint32_t destination) const
{
    const OpticalTransmitter* const transmitter = m_transmitters.Find(destination);
    return transmitter ? GetBacklog(destination, *transmitter) : 0;
}

uint64_t
OpticalNetDevice::GetBacklog(uint32_t destination, const OpticalTransmitter& transmitter) const
{
    if (!transmitter.IsActive())
    {
        return 0;
    }
    const uint64_t made = m_source ? m_source->GetBacklog(destination) : 0;
    return m_queue->GetBytesFor(destination) + m_forward.GetBytesFor(destination) + made +
           transmitter.GetUnsentBytes();
}

void
OpticalNetDevice::GetBacklog(std::vector<std::pair<uint32_t, uint64_t>>& backlog) const
{
    backlog.clear();
    const std::vector<uint32_t>& destinations = m_transmitters.GetPorts();
    for (std::size_t i = 0; i < destinations.size(); ++i)
    {
        const uint64_t bytes = GetBacklog(destinations[i], m_transmitters.GetEntry(i));
        if (bytes > 0)
        {
            backlog.emplace_back(destinations[i], bytes);
        }
    }
}

bool
OpticalNetDevice::IsSending(uint32_t destination) const
{
    const OpticalTransmitter* const transmitter = m_transmitters.Find(destination);
    return transmitter && transmitter->IsSending();
}

void
OpticalNetDevice::AddHeader(Ptr<Packet> packet,
                            Mac48Address source,
                            Mac48Address dest,
                            uint16_t protocolNumber)
{
    EthernetHeader header(false);
    header.SetSource(source);
    header.SetDestination(dest);
    header.SetLengthType(protocolNumber);
    packet->AddHeader(header);
}

bool
OpticalNetDevice::NextQueueFrame(uint32_t destination, FabricFrame& frame)
{
    frame.packet = m_queue->DequeueFor(destination);
    frame.bytes = frame.packet ? frame.packet->GetSize() : 0;
    return frame.bytes > 0;
}

bool
OpticalNetDevice::NextSourceFrame(uint32_t destination, FabricFrame& frame)
{
    if (m_isDescribed)
    {
        const bool found = m_source->DescribeFrame(destination, frame.source);
        frame.bytes = found ? frame.source.bytes + EthernetFields::SIZE : 0;
        return found;
    }
    frame.packet = m_source ? m_source->NextFrame(destination) : nullptr;
    if (frame.packet)
    {
        AddHeader(frame.packet,
                  m_address,
                  m_channel->GetPort(destination)->m_address,
                  m_source->GetProtocolNumber());
        frame.bytes = frame.packet->GetSize();
    }
    return frame.bytes > 0;
}

bool
OpticalNetDevice::NextFrame(uint32_t destination, bool& sourceFirst, FabricFrame& frame)
{
    frame.packet = m_forward.Pop(destination);
    if (frame.packet)
    {
        frame.bytes = frame.packet->GetSize();
        m_forwardBytes = m_forward.GetBytes();
        return true;
    }
    if (sourceFirst)
    {
        sourceFirst = false;
        return NextSourceFrame(destination, frame) || NextQueueFrame(destination, frame);
    }
    sourceFirst = NextQueueFrame(destination, frame);
    return sourceFirst || NextSourceFrame(destination, frame);
}

const Ptr<Packet>&
OpticalNetDevice::GetPacket(FabricFrame& frame, uint32_t destination) const
{
    if (!frame.packet)
    {
        frame.packet = frame.source.maker(frame.source);
        AddHeader(frame.packet,
                  m_address,
                  m_channel->GetPort(destination)->m_address,
                  frame.source.protocol);
    }
    return frame.packet;
}

void
OpticalNetDevice::NotifyBegin(FabricFrame& frame, uint32_t destination, Time duration, Time delay)
{
    if (!m_phyTxBeginTrace.IsEmpty() || !m_snifferTrace.IsEmpty() ||
        !m_promiscSnifferTrace.IsEmpty())
    {
        const Ptr<Packet>& packet = GetPacket(frame, destination);
        m_phyTxBeginTrace(packet);
        m_snifferTrace(packet);
        m_promiscSnifferTrace(packet);
    }
    if (m_channel->TracesFrames())
    {
        m_channel->TraceFrame(GetPacket(frame, destination), m_port, destination, duration, delay);
    }
}

void
OpticalNetDevice::NotifyEnd(FabricFrame&& frame, uint32_t destination, Time delay)
{
    if (!m_phyTxEndTrace.IsEmpty())
    {
        m_phyTxEndTrace(GetPacket(frame, destination));
    }
    m_channel->Deliver(std::move(frame), m_port, destination, delay);
}

void
OpticalNetDevice::NotifyHeld(uint32_t destination)
{
    m_channel->NotifyHeld(m_port, destination);
}

void
OpticalNetDevice::NotifyActive(uint32_t destination, bool active)
{
    active ? m_channel->NotifyActive(m_port, destination)
           : m_channel->NotifyIdle(m_port, destination);
}

void
OpticalNetDevice::FindPorts(Mac48Address dest, std::vector<uint32_t>& ports) const
{
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
OpticalNetDevice::Send(Ptr<Packet> packet, const Address& dest, uint16_t protocolNumber)
{
    return SendFrom(packet, m_address, dest, protocolNumber);
}

bool
OpticalNetDevice::SendFrom(Ptr<Packet> packet,
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
    AddHeader(packet, Mac48Address::ConvertFrom(source), to, protocolNumber);
    m_macTxTrace(packet);
    bool accepted = true;
    for (const uint32_t port : ports)
    {
        const Ptr<Packet> copy = port == ports.back() ? packet : packet->Copy();
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
OpticalNetDevice::NotifyLost(uint32_t destination, Ptr<const Packet> frame)
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

bool
OpticalNetDevice::LooksAtReceived() const
{
    return m_errorModel || !m_phyRxEndTrace.IsEmpty() || !m_promiscSnifferTrace.IsEmpty() ||
           !m_snifferTrace.IsEmpty() || !m_macRxTrace.IsEmpty() || !m_promiscCallback.IsNull();
}

void
OpticalNetDevice::Receive(FabricFrame& frame)
{
    NS_LOG_FUNCTION(this << frame.bytes);
    if (!frame.packet && !LooksAtReceived() && m_source &&
        frame.source.protocol == m_source->GetProtocolNumber() &&
        m_source->ReceiveDescribed(frame.source))
    {
        return;
    }
    Receive(MakePacket(frame, m_port));
}

const Ptr<Packet>&
OpticalNetDevice::MakePacket(FabricFrame& frame, uint32_t destination) const
{
    return m_channel->GetPort(frame.source.port)->GetPacket(frame, destination);
}

void
OpticalNetDevice::Receive(Ptr<Packet> frame)
{
    NS_LOG_FUNCTION(this << frame);
    if (m_errorModel && m_errorModel->IsCorrupt(frame))
    {
        DropCorrupt({frame, {}, frame->GetSize()}, m_port);
        return;
    }
    m_phyRxEndTrace(frame);
    m_promiscSnifferTrace(frame);

    const Ptr<const Packet> sniffed = m_snifferTrace.IsEmpty() ? nullptr : frame->Copy();
    const EthernetFields header(*frame);
    frame->RemoveAtStart(EthernetFields::SIZE);
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
    const uint16_t protocol = header.protocol;
    if (!m_promiscCallback.IsNull())
    {
        m_macPromiscRxTrace(frame);
        m_promiscCallback(this, frame->Copy(), protocol, header.source, dest, type);
    }
    if (type != PACKET_OTHERHOST)
    {
        if (sniffed)
        {
            m_snifferTrace(sniffed);
        }
        m_macRxTrace(frame);
        const bool isForSource = type == PACKET_HOST || type == PACKET_BROADCAST;
        if (isForSource && m_source && protocol == m_source->GetProtocolNumber() &&
            m_source->ReceiveFrame(frame))
        {
            return;
        }
        m_receiveCallback(this, frame, protocol, header.source);
    }
}

void
OpticalNetDevice::Forward(FabricFrame&& frame, uint32_t destination)
{
    NS_LOG_FUNCTION(this << frame.bytes << destination);
    const Ptr<Packet> packet = MakePacket(frame, destination);
    if (m_errorModel && m_errorModel->IsCorrupt(packet))
    {
        DropCorrupt(frame, destination);
        return;
    }
    m_phyRxEndTrace(packet);
    m_promiscSnifferTrace(packet);
    m_forwardTrace(packet);
    m_forward.Push(packet, destination);
    m_forwardBytes = m_forward.GetBytes();
    NotifyFrames(destination);
}

void
OpticalNetDevice::DropCorrupt(FabricFrame frame, uint32_t destination)
{
    NS_LOG_FUNCTION(this << frame.bytes << destination);
    const Ptr<Packet> packet = MakePacket(frame, destination);
    m_phyRxDropTrace(packet);
    ReportLost(frame, destination);
}

void
OpticalNetDevice::ReportLost(FabricFrame frame, uint32_t destination)
{
    NS_LOG_FUNCTION(this << frame.bytes << destination);
    const Ptr<Packet> packet = MakePacket(frame, destination);
    const uint32_t sender = m_channel->FindPort(EthernetFields(*packet).source);
    if (sender < m_channel->GetNDevices())
    {
        m_channel->GetPort(sender)->NotifyLost(destination, packet);
    }
    else
    {
        m_channel->NotifyLost(m_port);
    }
}

OpticalNetDevice::CutFrame
OpticalNetDevice::GetCutFrame(uint32_t destination) const
{
    const OpticalTransmitter* const transmitter = m_transmitters.Find(destination);
    const FabricFrame* const cut = transmitter ? transmitter->GetCutFrame() : nullptr;
    if (!cut || !m_source)
    {
        return {};
    }
    FabricFrame frame = *cut;
    const Ptr<Packet> packet = GetPacket(frame, destination)->Copy();
    const EthernetFields header(*packet);
    if (header.protocol != m_source->GetProtocolNumber() || header.source != m_address)
    {
        return {};
    }
    packet->RemoveAtStart(EthernetFields::SIZE);
    return {packet, static_cast<uint32_t>(frame.bytes - transmitter->GetUnsentBytes())};
}

void
OpticalNetDevice::TakeBackFrame(uint32_t destination, uint32_t arriving)
{
    NS_LOG_FUNCTION(this << destination << arriving);
    const CutFrame cut = GetCutFrame(destination);
    NS_ASSERT_MSG(cut.payload, "there is a frame");
    const Time delay = GetTransmitter(destination).TakeBackFrame();
    if (arriving > 0)
    {
        NS_ASSERT_MSG(arriving + EthernetFields::SIZE <= cut.sentBytes, "so much has been sent");
        const Ptr<Packet> part = cut.payload->CreateFragment(0, arriving);
        AddHeader(part,
                  m_address,
                  m_channel->GetPort(destination)->m_address,
                  m_source->GetProtocolNumber());
        NotifyEnd({part, {}, part->GetSize()}, destination, delay);
    }
}

void
OpticalNetDevice::RestartFrame(uint32_t destination)
{
    NS_LOG_FUNCTION(this << destination);
    GetTransmitter(destination).RestartFrame();
}

uint64_t
OpticalNetDevice::GetForwardBytes() const
{
    return m_forward.GetBytes();
}

void
OpticalNetDevice::SetIfIndex(const uint32_t index)
{
    m_ifIndex = index;
}

uint32_t
OpticalNetDevice::GetIfIndex() const
{
    return m_ifIndex;
}

Ptr<Channel>
OpticalNetDevice::GetChannel() const
{
    return m_channel;
}

void
OpticalNetDevice::SetAddress(Address address)
{
    SetMac48Address(Mac48Address::ConvertFrom(address));
}

Mac48Address
OpticalNetDevice::GetMac48Address() const
{
    return m_address;
}

void
OpticalNetDevice::SetMac48Address(Mac48Address address)
{
    NS_LOG_FUNCTION(this << address);
    const Mac48Address before = m_address;
    m_address = address;
    if (m_channel)
    {
        m_channel->ChangeAddress(m_port, before, m_address);
    }
}

Address
OpticalNetDevice::GetAddress() const
{
    return m_address;
}

bool
OpticalNetDevice::SetMtu(const uint16_t mtu)
{
    m_mtu = mtu;
    return true;
}

uint16_t
OpticalNetDevice::GetMtu() const
{
    return m_mtu;
}

bool
OpticalNetDevice::IsLinkUp() const
{
    return m_channel && m_channel->IsLinkUp(m_port);
}

void
OpticalNetDevice::AddLinkChangeCallback(Callback<void> callback)
{
    m_linkChangeCallbacks.ConnectWithoutContext(callback);
}

bool
OpticalNetDevice::IsBroadcast() const
{
    return true;
}

Address
OpticalNetDevice::GetBroadcast() const
{
    return Mac48Address::GetBroadcast();
}

bool
OpticalNetDevice::IsMulticast() const
{
    return true;
}

Address
OpticalNetDevice::GetMulticast(Ipv4Address multicastGroup) const
{
    return Mac48Address::GetMulticast(multicastGroup);
}

Address
OpticalNetDevice::GetMulticast(Ipv6Address addr) const
{
    return Mac48Address::GetMulticast(addr);
}

bool
OpticalNetDevice::IsBridge() const
{
    return false;
}

bool
OpticalNetDevice::IsPointToPoint() const
{
    return false;
}

Ptr<Node>
OpticalNetDevice::GetNode() const
{
    return m_node;
}

void
OpticalNetDevice::SetNode(Ptr<Node> node)
{
    NS_LOG_FUNCTION(this << node);
    m_node = node;
    m_nodeId = node->GetId();
}

bool
OpticalNetDevice::NeedsArp() const
{
    return true;
}

void
OpticalNetDevice::SetReceiveCallback(NetDevice::ReceiveCallback cb)
{
    m_receiveCallback = cb;
}

void
OpticalNetDevice::SetPromiscReceiveCallback(NetDevice::PromiscReceiveCallback cb)
{
    m_promiscCallback = cb;
}

bool
OpticalNetDevice::SupportsSendFrom() const
{
    return true;
}

} // namespace lightpath
} // namespace ns3
