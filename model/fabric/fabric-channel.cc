/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-channel.h"

#include "optical-net-device.h"

#include "ns3/abort.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/packet.h"
#include "ns3/simulator.h"

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
                                            "ns3::lightpath::FabricChannel::TxRxTracedCallback");
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
FabricChannel::IsChanging() const
{
    return false;
}

void
FabricChannel::ChangeAddress(uint32_t port, Mac48Address before, Mac48Address after)
{
    NS_LOG_FUNCTION(this << port << before << after);
    const auto entry = m_portByAddress.find(ToNumber(before));
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

void
FabricChannel::NotifyHeld(uint32_t source, uint32_t destination)
{
}

void
FabricChannel::Deliver(const Ptr<Packet>& frame, uint32_t source, uint32_t destination, Time delay)
{
    NS_LOG_FUNCTION(this << frame << source << destination << delay);
    const auto& device = m_ports[destination];
    Simulator::ScheduleWithContext(device->GetNodeId(),
                                   delay,
                                   &OpticalNetDevice::Receive,
                                   PeekPointer(device),
                                   frame);
}

void
FabricChannel::TraceFrame(const Ptr<Packet>& frame,
                          uint32_t source,
                          uint32_t destination,
                          Time duration,
                          Time delay)
{
    if (!m_txRxTrace.IsEmpty())
    {
        m_txRxTrace(frame, m_ports[source], m_ports[destination], duration, duration + delay);
    }
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
