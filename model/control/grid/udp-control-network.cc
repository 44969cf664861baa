/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "udp-control-network.h"

#include "ns3/abort.h"
#include "ns3/inet-socket-address.h"
#include "ns3/node-list.h"
#include "ns3/node.h"
#include "ns3/packet.h"
#include "ns3/simulator.h"
#include "ns3/socket.h"

#include <utility>

namespace ns3
{
namespace lightpath
{

UdpControlNetwork::UdpControlNetwork(std::vector<Address> addresses)
    : m_hosts(addresses.size())
{
    for (std::size_t host = 0; host < addresses.size(); ++host)
    {
        m_hosts[host].address = addresses[host];
    }
}

UdpControlNetwork::~UdpControlNetwork()
{
}

void
UdpControlNetwork::Open(uint32_t host,
                        uint32_t node,
                        const std::string& owner,
                        int64_t processingTime,
                        Handler handler)
{
    Host& opened = m_hosts[host];
    const uint16_t port = InetSocketAddress::ConvertFrom(opened.address).GetPort();
    opened.processingTime = processingTime;
    opened.handler = handler;
    opened.socket = Socket::CreateSocket(NodeList::GetNode(node),
                                         TypeId::LookupByName("ns3::UdpSocketFactory"));
    NS_ABORT_MSG_IF(opened.socket->Bind(InetSocketAddress(Ipv4Address::GetAny(), port)) != 0,
                    owner << " cannot have UDP port " << port << " of node " << node);
    opened.socket->SetRecvCallback(
        Callback<void, Ptr<Socket>>([this, host](Ptr<Socket> socket) { Receive(host, socket); }));
}

void
UdpControlNetwork::Close(uint32_t host)
{
    if (const auto socket = std::exchange(m_hosts[host].socket, nullptr))
    {
        socket->Close();
    }
}

bool
UdpControlNetwork::IsOpen(uint32_t host) const
{
    return m_hosts[host].socket != nullptr;
}

void
UdpControlNetwork::Send(uint32_t source, uint32_t destination, const OddlHeader& message)
{
    const auto packet = Create<Packet>();
    packet->AddHeader(message);
    m_hosts[source].socket->SendTo(packet, 0, m_hosts[destination].address);
}

void
UdpControlNetwork::Receive(uint32_t host, Ptr<Socket> socket)
{
    while (const Ptr<Packet> packet = socket->Recv())
    {
        OddlHeader message;
        packet->RemoveHeader(message);
        Simulator::Schedule(TimeStep(m_hosts[host].processingTime),
                            [this, host, message]() { m_hosts[host].handler(message); });
    }
}

} // namespace lightpath
} // namespace ns3
