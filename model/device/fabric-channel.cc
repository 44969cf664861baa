/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-channel.h"

#include "model/base/byte-archive.h"
#include "model/parallel/ordered-arrival.h"
#include "model/parallel/process-group.h"
#include "model/parallel/process-mail.h"
#include "optical-net-device.h"
#include "pooled-event.h"

#include "ns3/abort.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/simulator.h"

#include <utility>

namespace ns3
{
namespace lightpath
{

NS_LOG_COMPONENT_DEFINE("FabricChannel");

NS_OBJECT_ENSURE_REGISTERED(FabricChannel);

namespace
{

/**
 * @param address a MAC address
 * @return its six bytes as a number
 */
uint64_t
ToNumber(Mac48Address address)
{
    uint8_t bytes[6];
    address.CopyTo(bytes);
    uint64_t number = 0;
    for (const uint8_t byte : bytes)
    {
        number = number << 8 | byte;
    }
    return number;
}

/**
 * @param source a port
 * @param destination another port
 * @return both as a number
 */
uint64_t
ToNumber(uint32_t source, uint32_t destination)
{
    return uint64_t{source} << 32 | destination;
}

/**
 * @ingroup lightpath
 * @brief The arrival of a frame at a device.
 */
class Arrival : public PooledEvent<Arrival, OrderedArrival>
{
  public:
    /**
     * @param device the device
     * @param destination the port that the frame is for, which may be another device's
     * @param frame the frame
     */
    Arrival(OpticalNetDevice& device, uint32_t destination, FabricFrame&& frame)
        : m_device(device),
          m_destination(destination),
          m_frame(std::move(frame))
    {
    }

    /**
     * Schedule the arrival of a frame.
     *
     * @param device the device
     * @param source the port that has sent the frame
     * @param destination the port that it is for
     * @param frame the frame
     * @param delay the time from now until it arrives
     */
    static void Begin(OpticalNetDevice& device,
                      uint32_t source,
                      uint32_t destination,
                      FabricFrame&& frame,
                      const Time& delay)
    {
        // A node has few devices, and frames from different ports must reach it in order
        constexpr uint32_t ports = 1 << 20;
        Schedule(device.GetNodeId(),
                 device.GetIfIndex() * ports + source,
                 delay,
                 new Arrival(device, destination, std::move(frame)));
    }

  private:
    void Arrive() override
    {
        if (m_destination == m_device.GetPort())
        {
            m_device.Receive(m_frame);
        }
        else
        {
            m_device.Forward(std::move(m_frame), m_destination);
        }
    }

    OpticalNetDevice& m_device; //!< The device
    uint32_t m_destination;     //!< The port that the frame is for
    FabricFrame m_frame;        //!< The frame
};

/**
 * Write or read a frame on its way to another process.
 *
 * @param [in,out] archive where to
 * @param [in,out] source the port that has sent it
 * @param [in,out] destination the port that it is for
 * @param [in,out] frame the frame, whose packet has been made
 */
void
PassFrame(ByteArchive& archive, uint32_t& source, uint32_t& destination, FabricFrame& frame)
{
    archive.Pass(source);
    archive.Pass(destination);
    archive.Pass(frame.bytes);
    archive.Pass(frame.lostBytes);
    std::string packet = frame.packet ? ProcessMail::Write(*frame.packet) : "";
    archive.Pass(packet);
    frame.packet = ProcessMail::Read(packet);
}

} // namespace

TypeId
FabricChannel::GetTypeId()
{
    static TypeId tid = TypeId("ns3::lightpath::FabricChannel")
                            .SetParent<Channel>()
                            .SetGroupName("Lightpath")
                            .AddTraceSource("TxRxPointToPoint",
                                            "A frame begins: the frame, its two devices, the time "
                                            "to send it and the time until its last bit arrives.",
                                            MakeTraceSourceAccessor(&FabricChannel::m_txRxTrace),
                                            "ns3::lightpath::FabricChannel::TxRxTracedCallback")
                            .AddTraceSource("LinkChange",
                                            "The links of some ports go up or down.",
                                            MakeTraceSourceAccessor(&FabricChannel::m_linkTrace),
                                            "ns3::lightpath::FabricChannel::LinkTracedCallback")
                            .AddTraceSource("Fault",
                                            "A component of the fabric is taken out of use or "
                                            "brought back.",
                                            MakeTraceSourceAccessor(&FabricChannel::m_faultTrace),
                                            "ns3::lightpath::FabricChannel::FaultTracedCallback");
    return tid;
}

FabricChannel::FabricChannel()
{
    NS_LOG_FUNCTION(this);
}

FabricChannel::~FabricChannel()
{
    NS_LOG_FUNCTION(this);
}

uint32_t
FabricChannel::Add(Ptr<OpticalNetDevice> device)
{
    NS_LOG_FUNCTION(this << device);
    const uint32_t port = m_ports.size();
    DoAdd(port);
    m_ports.push_back(device);
    if (ProcessGroup::GetSize() > 1)
    {
        ProcessMail::Listen(
            device,
            ProcessMail::FRAME,
            ProcessMail::Reader([at = PeekPointer(device)](const std::string& bytes) {
                ByteArchive mail(bytes);
                uint32_t source = 0;
                uint32_t destination = 0;
                FabricFrame frame;
                PassFrame(mail, source, destination, frame);
                Arrival::Begin(*at, source, destination, std::move(frame), Time(0));
            }));
    }
    m_portByAddress[ToNumber(Mac48Address::ConvertFrom(device->GetAddress()))] = port;
    return port;
}

void
FabricChannel::DoAdd(uint32_t port)
{
}

Ptr<OpticalNetDevice>
FabricChannel::GetPort(uint32_t port) const
{
    NS_ABORT_MSG_IF(port >= m_ports.size(),
                    "Port " << port << " does not exist in a fabric of " << m_ports.size()
                            << " ports, which are numbered from 0");
    return m_ports[port];
}

uint32_t
FabricChannel::FindPort(Mac48Address address) const
{
    const auto found = m_portByAddress.find(ToNumber(address));
    return found == m_portByAddress.end() ? m_ports.size() : found->second;
}

std::vector<uint32_t>
FabricChannel::GetReachable(uint32_t source) const
{
    std::vector<uint32_t> others;
    for (uint32_t port = 0; port < m_ports.size(); ++port)
    {
        if (port != source)
        {
            others.push_back(port);
        }
    }
    return others;
}

bool
FabricChannel::IsForwarded(uint32_t /* source */, uint32_t /* destination */) const
{
    return false;
}

bool
FabricChannel::IsChanging() const
{
    return false;
}

std::string
FabricChannel::GetFabricName() const
{
    const std::string type = GetInstanceTypeId().GetName();
    // The name of the class without its namespaces
    return type.substr(type.rfind(':') + 1);
}

FabricStatistics
FabricChannel::GetStatistics() const
{
    return {};
}

FabricPlant
FabricChannel::GetPlant() const
{
    return {2 * m_ports.size(), m_ports.size()};
}

bool
FabricChannel::CanFail() const
{
    return false;
}

void
FabricChannel::SetFailed(const std::string& component, bool failed)
{
    NS_LOG_FUNCTION(this << component << failed);
    const std::string refusal = DoSetFailed(component, failed);
    NS_ABORT_MSG_UNLESS(refusal.empty(), refusal);
    NS_LOG_LOGIC("component " << component << (failed ? " fails" : " works again"));
    ApplyFault(failed);
    m_faultTrace(component, failed);
}

std::string
FabricChannel::DoSetFailed(const std::string& component, bool failed)
{
    return "There is no component '" + component + "': no component of this fabric can fail";
}

void
FabricChannel::ApplyFault(bool failed)
{
}

bool
FabricChannel::IsLinkUp(uint32_t port) const
{
    return true;
}

void
FabricChannel::NotifyLinks(const std::vector<uint32_t>& ports)
{
    NS_LOG_FUNCTION(this << ports.size());
    if (ports.empty())
    {
        return;
    }
    for (const uint32_t port : ports)
    {
        GetPort(port)->NotifyLinkChange();
    }
    m_linkTrace(ports);
}

void
FabricChannel::ChangeAddress(uint32_t port, Mac48Address before, Mac48Address after)
{
    NS_LOG_FUNCTION(this << port << before << after);
    const auto entry = m_portByAddress.find(ToNumber(before));
    // Another device may have taken over the former address
    if (entry != m_portByAddress.end() && entry->second == port)
    {
        m_portByAddress.erase(entry);
    }
    m_portByAddress[ToNumber(after)] = port;
}

void
FabricChannel::NotifyActive(uint32_t source, uint32_t destination)
{
}

void
FabricChannel::NotifyIdle(uint32_t source, uint32_t destination)
{
}

bool
FabricChannel::Lend(uint32_t source, uint32_t destination)
{
    return false;
}

void
FabricChannel::TakeBack(uint32_t source, uint32_t destination)
{
}

bool
FabricChannel::StaysDark() const
{
    return true;
}

FrameStreams*
FabricChannel::GetStreams()
{
    return nullptr;
}

void
FabricChannel::NotifyHeld(uint32_t source, uint32_t destination)
{
}

void
FabricChannel::NotifyLost(uint32_t port)
{
}

void
FabricChannel::SetNextHop(uint32_t source, uint32_t destination, uint32_t hop)
{
    NS_LOG_FUNCTION(this << source << destination << hop);
    if (GetNextHop(source, destination) == hop)
    {
        return;
    }
    if (hop == destination)
    {
        m_nextHops.erase(ToNumber(source, destination));
    }
    else
    {
        m_nextHops[ToNumber(source, destination)] = hop;
    }
    // The frame under way would end at the former hop
    GetPort(source)->RestartFrame(destination);
}

uint32_t
FabricChannel::GetNextHop(uint32_t source, uint32_t destination) const
{
    // Spares the look-up per frame where nothing is forwarded
    if (m_nextHops.empty())
    {
        return destination;
    }
    const auto found = m_nextHops.find(ToNumber(source, destination));
    return found == m_nextHops.end() ? destination : found->second;
}

void
FabricChannel::Deliver(FabricFrame&& frame, uint32_t source, uint32_t destination, Time delay)
{
    NS_LOG_FUNCTION(this << frame.bytes << source << destination << delay);
    const auto& port = m_ports[GetNextHop(source, destination)];
    if (ProcessGroup::GetSize() == 1 || ProcessGroup::IsHere(port->GetNode()))
    {
        Arrival::Begin(*PeekPointer(port), source, destination, std::move(frame), delay);
        return;
    }
    ByteArchive mail;
    PassFrame(mail, source, destination, frame);
    ProcessMail::Send(port, ProcessMail::FRAME, delay, mail.GetBytes());
}

bool
FabricChannel::TracesFrames() const
{
    return !m_txRxTrace.IsEmpty();
}

void
FabricChannel::TraceFrame(const Ptr<Packet>& frame,
                          uint32_t source,
                          uint32_t destination,
                          Time duration,
                          Time delay)
{
    const uint32_t hop = GetNextHop(source, destination);
    m_txRxTrace(frame, m_ports[source], m_ports[hop], duration, duration + delay);
}

std::size_t
FabricChannel::GetNDevices() const
{
    return m_ports.size();
}

Ptr<NetDevice>
FabricChannel::GetDevice(std::size_t i) const
{
    return GetPort(i);
}

void
FabricChannel::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_ports.clear();
    m_portByAddress.clear();
    Channel::DoDispose();
}

} // namespace lightpath
} // namespace ns3
