/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "optical-net-device.h"

#include "ethernet-fields.h"
#include "fabric-channel.h"
#include "forward-queue.h"
#include "frame-source.h"
#include "model/parallel/process-group.h"
#include "path-errors.h"

#include "ns3/abort.h"
#include "ns3/error-model.h"
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

TypeId
OpticalNetDevice::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lightpath::OpticalNetDevice")
            .SetParent<FabricNetDevice>()
            .SetGroupName("Lightpath")
            .AddConstructor<OpticalNetDevice>()
            .AddAttribute("Mtu",
                          "The largest packet that the device accepts, in bytes.",
                          UintegerValue(9000),
                          MakeUintegerAccessor(&OpticalNetDevice::m_mtu),
                          MakeUintegerChecker<uint16_t>(68))
            .AddAttribute("Address",
                          "The MAC address of the device; when it is attached, a new address "
                          "replaces the broadcast address.",
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
                          MakePointerAccessor(&OpticalNetDevice::SetReceiveErrorModel,
                                              &OpticalNetDevice::GetReceiveErrorModel),
                          MakePointerChecker<ErrorModel>())
            .AddTraceSource("Forward",
                            "A frame for another device has been received whole, to be forwarded.",
                            MakeTraceSourceAccessor(&OpticalNetDevice::m_forwardTrace),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("ForwardBytes",
                            "The bytes of other devices that wait to be forwarded.",
                            MakeTraceSourceAccessor(&OpticalNetDevice::m_forwardBytes),
                            "ns3::TracedValueCallback::Uint64")
            .AddTraceSource("Backlog",
                            "The bytes that wait, with those of a frame that begins; reported when "
                            "frames begin, when none is left, and when others wait.",
                            MakeTraceSourceAccessor(&OpticalNetDevice::m_backlogTrace),
                            "ns3::TracedValueCallback::Double")
            .AddTraceSource("Rate",
                            "The rate of all lightpaths from this device, in bit/s.",
                            MakeTraceSourceAccessor(&OpticalNetDevice::m_rateTrace),
                            "ns3::TracedValueCallback::Double")
            .AddTraceSource("ComputedFrame",
                            "A frame on a lightpath that is lent: told after its end, in place of "
                            "the trace sources of frames (LateSinks).",
                            MakeTraceSourceAccessor(&OpticalNetDevice::m_computedFrameTrace),
                            "ns3::lightpath::OpticalNetDevice::ComputedFrameTracedCallback")
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
    m_errorModel = nullptr;
    m_pathErrors.reset();
    FabricNetDevice::DoDispose();
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

void
OpticalNetDevice::SetPathErrors(uint32_t hop, Ptr<OpticalErrorModel> errors)
{
    NS_LOG_FUNCTION(this << hop << errors);
    if (!m_pathErrors && errors)
    {
        RecallLent();
        m_pathErrors = std::make_unique<PathErrors>();
    }
    if (m_pathErrors)
    {
        m_pathErrors->Set(hop, errors);
    }
}

bool
OpticalNetDevice::IsLogged()
{
    return g_log.IsEnabled(LOG_LOGIC);
}

void
OpticalNetDevice::NotifyFrames(uint32_t destination)
{
    NS_LOG_FUNCTION(this << destination);
    GetTransmitter(destination).NotifyFrames();
    TraceBacklog();
}

uint64_t
OpticalNetDevice::SetRate(uint32_t destination,
                          uint64_t bitRate,
                          Time delay,
                          const LightWindow& window)
{
    NS_LOG_FUNCTION(this << destination << bitRate << delay);
    OpticalTransmitter& transmitter = GetTransmitter(destination);
    // Unsent bytes of a frame that is cut or resumed: SetRate() may begin another frame
    const uint64_t unsent = g_log.IsEnabled(LOG_LOGIC) ? transmitter.GetUnsentBytes() : 0;
    const uint64_t before = transmitter.SetRate(bitRate, delay, window);
    if (g_log.IsEnabled(LOG_LOGIC) && before != bitRate)
    {
        LogRate(destination, unsent, before, bitRate);
    }
    if (before != bitRate)
    {
        m_lightpathRateTrace(destination, bitRate);
        const uint64_t sum = m_bitRate;
        m_bitRate += bitRate - before;
        m_rateTrace(static_cast<double>(sum), static_cast<double>(m_bitRate));
    }
    return before;
}

void
OpticalNetDevice::LogRate(uint32_t destination,
                          uint64_t unsent,
                          uint64_t before,
                          uint64_t bitRate) const
{
    NS_LOG_LOGIC("port " << m_port << " sends to port " << destination << " at " << bitRate / 1e9
                         << " Gb/s");
    if (unsent > 0 && before > 0 && bitRate == 0)
    {
        NS_LOG_LOGIC("port " << m_port << " is cut in a frame for port " << destination << ", with "
                             << unsent << " bytes unsent");
    }
    if (unsent > 0 && before == 0)
    {
        NS_LOG_LOGIC("port " << m_port << " resumes a frame for port " << destination << ", with "
                             << unsent << " bytes unsent");
    }
}

void
OpticalNetDevice::TraceLightpath(uint32_t destination, bool up)
{
    NS_LOG_FUNCTION(this << destination << up);
    NS_LOG_LOGIC("the lightpath from port " << m_port << " to port " << destination
                                            << (up ? " comes up" : " goes dark"));
    up ? m_lightpathUpTrace(destination) : m_lightpathDownTrace(destination);
}

bool
OpticalNetDevice::SetHeld(uint32_t destination, bool held)
{
    NS_LOG_FUNCTION(this << destination << held);
    return GetTransmitter(destination).SetHeld(held);
}

bool
OpticalNetDevice::NextFrame(uint32_t destination, bool& sourceFirst, FabricFrame& frame)
{
    // Forwarded frames have priority
    frame.packet = m_forward ? m_forward->Pop(destination) : nullptr;
    if (frame.packet)
    {
        frame.bytes = frame.packet->GetSize();
        m_forwardBytes = m_forward->GetBytes();
        return true;
    }
    // The queue and the frame source take turns
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
        // Only now is the packet of a described frame needed
        frame.packet = frame.source.maker(frame.source);
        AddHeader(frame.packet, destination, frame.source.protocol);
    }
    return frame.packet;
}

void
OpticalNetDevice::NotifyBegin(FabricFrame& frame, uint32_t destination, Time duration, Time delay)
{
    NS_LOG_LOGIC("port " << m_port << " begins a frame of " << frame.bytes << " bytes for port "
                         << destination << ", to be sent in " << duration.As(Time::US));
    if (!m_phyTxBeginTrace.IsEmpty() || !m_snifferTrace.IsEmpty() ||
        !m_promiscSnifferTrace.IsEmpty())
    {
        const Ptr<Packet>& packet = GetPacket(frame, destination);
        m_phyTxBeginTrace(packet);
        m_snifferTrace(packet);
        m_promiscSnifferTrace(packet);
    }
    m_frameBeginTrace(destination, frame.bytes);
    if (m_channel->TracesFrames())
    {
        m_channel->TraceFrame(GetPacket(frame, destination), m_port, destination, duration, delay);
    }
    TraceBacklog();
}

void
OpticalNetDevice::NotifyEnd(FabricFrame&& frame, uint32_t destination, Time delay)
{
    NS_LOG_LOGIC("port " << m_port << " has sent a frame of " << frame.bytes << " bytes for port "
                         << destination << ", to arrive in " << delay.As(Time::US));
    if (!m_phyTxEndTrace.IsEmpty())
    {
        m_phyTxEndTrace(GetPacket(frame, destination));
    }
    m_frameEndTrace(destination, frame.bytes);
    if (m_pathErrors)
    {
        const uint32_t hop = m_channel->GetNextHop(m_port, destination);
        const uint32_t inner = GetInnerHeaderSize();
        frame.lostBytes =
            m_pathErrors->DrawLost(hop, frame.bytes, ETHERNET_HEADER_BYTES + inner, m_mtu - inner);
    }
    if (ProcessGroup::GetSize() > 1)
    {
        // Another process has no use for the address of a function that makes it
        GetPacket(frame, destination);
    }
    m_channel->Deliver(std::move(frame), m_port, destination, delay);
}

bool
OpticalNetDevice::DropLost(FabricFrame& frame, uint32_t destination)
{
    NS_LOG_FUNCTION(this << frame.bytes << frame.lostBytes << destination);
    const uint32_t lost = std::exchange(frame.lostBytes, 0);
    const uint32_t inner = GetInnerHeaderSize();
    if (lost == frame.bytes || inner == 0)
    {
        Drop(std::move(frame), destination, CORRUPT);
        return false;
    }
    // Both parts of a burst become frames, with the headers of the burst
    const Ptr<Packet> rest = MakePacket(frame, destination);
    const Ptr<Packet> part = rest->CreateFragment(0, ETHERNET_HEADER_BYTES + inner);
    part->AddAtEnd(rest->CreateFragment(frame.bytes - lost, lost));
    rest->RemoveAtEnd(lost);
    frame.bytes -= lost;
    Drop({part, {}, part->GetSize()}, destination, CORRUPT);
    return true;
}

void
OpticalNetDevice::NotifyHeld(uint32_t destination)
{
    m_channel->NotifyHeld(m_port, destination);
}

void
OpticalNetDevice::NotifyActive(uint32_t destination, bool active)
{
    m_darkClock.NoteActive(active);
    active ? m_channel->NotifyActive(m_port, destination)
           : m_channel->NotifyIdle(m_port, destination);
    TraceBacklog();
}

void
OpticalNetDevice::Receive(FabricFrame& frame)
{
    NS_LOG_FUNCTION(this << frame.bytes);
    if (frame.lostBytes > 0 && !DropLost(frame, m_port))
    {
        return;
    }
    // If nothing looks at the packet, it need not be made
    if (!frame.packet && !m_errorModel && !LooksAtReceived() && m_source &&
        frame.source.protocol == m_source->GetProtocolNumber() &&
        m_source->ReceiveDescribed(frame.source))
    {
        NS_LOG_LOGIC("port " << m_port << " receives a frame of " << frame.bytes << " bytes");
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
        Drop({frame, {}, frame->GetSize()}, m_port, CORRUPT);
        return;
    }
    NS_LOG_LOGIC("port " << m_port << " receives a frame of " << frame->GetSize() << " bytes");
    HandUp(frame);
}

void
OpticalNetDevice::Forward(FabricFrame&& frame, uint32_t destination)
{
    NS_LOG_FUNCTION(this << frame.bytes << destination);
    if (frame.lostBytes > 0 && !DropLost(frame, destination))
    {
        return;
    }
    const Ptr<Packet> packet = MakePacket(frame, destination);
    if (m_errorModel && m_errorModel->IsCorrupt(packet))
    {
        Drop(frame, destination, CORRUPT);
        return;
    }
    m_phyRxEndTrace(packet);
    m_promiscSnifferTrace(packet);
    NS_LOG_LOGIC("port " << m_port << " forwards a frame of " << frame.bytes << " bytes to port "
                         << destination);
    m_forwardTrace(packet);
    if (!m_forward)
    {
        m_forward = std::make_unique<ForwardQueue>();
    }
    m_forward->Push(packet, destination);
    m_forwardBytes = m_forward->GetBytes();
    NotifyFrames(destination);
}

void
OpticalNetDevice::Drop(FabricFrame frame, uint32_t destination, DropReason reason)
{
    NS_LOG_FUNCTION(this << frame.bytes << destination << reason);
    NS_LOG_LOGIC(
        "port " << m_port << (reason == LOST ? " loses" : " drops") << " a frame of " << frame.bytes
                << " bytes for port " << destination
                << (reason == LOST ? ": its light led to no receiver" : ": it is corrupt"));
    const Ptr<Packet> packet = MakePacket(frame, destination);
    (reason == LOST ? m_phyTxDropTrace : m_phyRxDropTrace)(packet);
    // The source address names the sender, even of a forwarded frame
    const uint32_t sender = m_channel->FindPort(EthernetFields(*packet).source);
    if (sender < m_channel->GetNDevices())
    {
        m_channel->GetPort(sender)->NotifyLost(destination, packet);
    }
    else
    {
        // A frame of the fabric itself, such as an average
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
    // The frame may come from the queue, or from a device that it is forwarded for
    if (header.protocol != m_source->GetProtocolNumber() || header.source != m_address)
    {
        return {};
    }
    packet->RemoveAtStart(ETHERNET_HEADER_BYTES);
    return {packet, static_cast<uint32_t>(frame.bytes - transmitter->GetUnsentBytes())};
}

void
OpticalNetDevice::TakeBackFrame(uint32_t destination, uint32_t arriving)
{
    NS_LOG_FUNCTION(this << destination << arriving);
    const CutFrame cut = GetCutFrame(destination);
    NS_ASSERT_MSG(cut.payload, "there is a frame");
    const Time delay = GetTransmitter(destination).TakeBackFrame();
    NS_LOG_LOGIC("port " << m_port << " gives up a frame for port " << destination << ", of which "
                         << cut.sentBytes << " bytes have been sent");
    const uint16_t protocol = m_source->GetProtocolNumber();
    if (!m_phyTxDropTrace.IsEmpty())
    {
        const Ptr<Packet> lost = cut.payload->Copy();
        AddHeader(lost, destination, protocol);
        m_phyTxDropTrace(lost);
    }
    if (arriving == 0)
    {
        m_frameEndTrace(destination, cut.sentBytes);
    }
    else
    {
        NS_ASSERT_MSG(arriving + ETHERNET_HEADER_BYTES <= cut.sentBytes, "so much has been sent");
        const Ptr<Packet> part = cut.payload->CreateFragment(0, arriving);
        AddHeader(part, destination, protocol);
        NotifyEnd({part, {}, part->GetSize()}, destination, delay);
    }
}

void
OpticalNetDevice::RestartFrame(uint32_t destination)
{
    NS_LOG_FUNCTION(this << destination);
    NS_LOG_LOGIC("port " << m_port << " begins its frame for port " << destination
                         << ", if any, anew");
    GetTransmitter(destination).RestartFrame();
}

} // namespace lightpath
} // namespace ns3
