/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "port-device.h"

#include "ns3/node.h"
#include "ns3/packet.h"

namespace ns3
{
namespace lightpath
{

NS_OBJECT_ENSURE_REGISTERED(PortDevice);

TypeId
PortDevice::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lightpath::PortDevice").SetParent<NetDevice>().SetGroupName("Lightpath");
    return tid;
}

PortDevice::PortDevice()
{
}

PortDevice::~PortDevice()
{
}

void
PortDevice::DoDispose()
{
    m_node = nullptr;
    m_receiveCallback.Nullify();
    m_promiscCallback.Nullify();
    NetDevice::DoDispose();
}

void
PortDevice::SetIfIndex(const uint32_t index)
{
    m_ifIndex = index;
}

uint32_t
PortDevice::GetIfIndex() const
{
    return m_ifIndex;
}

Address
PortDevice::GetAddress() const
{
    return m_address;
}

bool
PortDevice::SetMtu(const uint16_t mtu)
{
    m_mtu = mtu;
    return true;
}

uint16_t
PortDevice::GetMtu() const
{
    return m_mtu;
}

void
PortDevice::AddLinkChangeCallback(Callback<void> callback)
{
    m_linkChangeCallbacks.ConnectWithoutContext(callback);
}

bool
PortDevice::IsBroadcast() const
{
    return true;
}

Address
PortDevice::GetBroadcast() const
{
    return Mac48Address::GetBroadcast();
}

bool
PortDevice::IsMulticast() const
{
    return true;
}

Address
PortDevice::GetMulticast(Ipv4Address multicastGroup) const
{
    return Mac48Address::GetMulticast(multicastGroup);
}

Address
PortDevice::GetMulticast(Ipv6Address addr) const
{
    return Mac48Address::GetMulticast(addr);
}

bool
PortDevice::IsBridge() const
{
    return false;
}

bool
PortDevice::IsPointToPoint() const
{
    return false;
}

bool
PortDevice::Send(Ptr<Packet> packet, const Address& dest, uint16_t protocolNumber)
{
    return SendFrom(packet, m_address, dest, protocolNumber);
}

Ptr<Node>
PortDevice::GetNode() const
{
    return m_node;
}

void
PortDevice::SetNode(Ptr<Node> node)
{
    m_node = node;
    m_nodeId = node->GetId();
}

bool
PortDevice::NeedsArp() const
{
    return true;
}

void
PortDevice::SetReceiveCallback(NetDevice::ReceiveCallback cb)
{
    m_receiveCallback = cb;
}

void
PortDevice::SetPromiscReceiveCallback(NetDevice::PromiscReceiveCallback cb)
{
    m_promiscCallback = cb;
}

bool
PortDevice::SupportsSendFrom() const
{
    return true;
}

uint32_t
PortDevice::GetNodeId() const
{
    return m_nodeId;
}

} // namespace lightpath
} // namespace ns3
