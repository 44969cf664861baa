/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "star-switch.h"

#include "ns3/packet.h"

namespace ns3
{
namespace lightpath
{

NS_OBJECT_ENSURE_REGISTERED(StarSwitch);

namespace
{

constexpr uint16_t IPV4 = 0x0800;     //!< The number of IPv4
constexpr uint32_t HEADER_BYTES = 20; //!< Bytes of an IPv4 header

} // namespace

TypeId
StarSwitch::GetTypeId()
{
    static TypeId tid = TypeId("ns3::lightpath::StarSwitch")
                            .SetParent<Object>()
                            .SetGroupName("Lightpath")
                            .AddConstructor<StarSwitch>();
    return tid;
}

void
StarSwitch::SetFirst(Ipv4Address first)
{
    m_first = first.Get();
}

void
StarSwitch::AddHost(Ptr<NetDevice> device)
{
    m_devices.push_back(device);
    device->SetReceiveCallback(MakeCallback(&StarSwitch::Receive, this));
}

bool
StarSwitch::Receive(Ptr<NetDevice> device,
                    Ptr<const Packet> packet,
                    uint16_t protocol,
                    const Address& sender)
{
    uint8_t header[HEADER_BYTES];
    if (protocol != IPV4 || packet->CopyData(header, HEADER_BYTES) < HEADER_BYTES)
    {
        return false;
    }
    // Below the first address it wraps around
    const uint32_t host = Ipv4Address::Deserialize(header + 16).Get() - m_first;
    if (host >= m_devices.size())
    {
        return false;
    }
    const auto& out = m_devices[host];
    return out->Send(packet->Copy(), out->GetBroadcast(), protocol);
}

void
StarSwitch::DoDispose()
{
    m_devices.clear();
    Object::DoDispose();
}

} // namespace lightpath
} // namespace ns3
