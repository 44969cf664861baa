/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "oddl-socket.h"

#include "ns3/abort.h"
#include "ns3/inet-socket-address.h"
#include "ns3/node.h"
#include "ns3/packet.h"
#include "ns3/simulator.h"
#include "ns3/socket.h"

namespace ns3
{
namespace lightpath
{

OddlSocket::OddlSocket()
{
}

OddlSocket::~OddlSocket()
{
}

void
OddlSocket::Open(Ptr<Node> node,
                 uint16_t udpPort,
                 const std::string& owner,
                 Time processingTime,
                 Handler handler)
{
    m_processingTime = processingTime;
    m_handler = handler;
    m_socket = Socket::CreateSocket(node, TypeId::LookupByName("ns3::UdpSocketFactory"));
    NS_ABORT_MSG_IF(m_socket->Bind(InetSocketAddress(Ipv4Address::GetAny(), udpPort)) != 0,
                    owner << " cannot have UDP port " << udpPort << " of node " << node->GetId());
    m_socket->SetRecvCallback(MakeCallback(&OddlSocket::Receive, this));
}

void
OddlSocket::Close()
{
    if (m_socket)
    {
        m_socket->Close();
        m_socket = nullptr;
    }
}

bool
OddlSocket::IsOpen() const
{
    return m_socket != nullptr;
}

void
OddlSocket::Send(const Address& address, const OddlHeader& message)
{
    const auto packet = Create<Packet>();
    packet->AddHeader(message);
    ++m_nMessages;
    m_socket->SendTo(packet, 0, address);
}

void
OddlSocket::Receive(Ptr<Socket> socket)
{
    while (const Ptr<Packet> packet = socket->Recv())
    {
        OddlHeader message;
        packet->RemoveHeader(message);
        Simulator::Schedule(m_processingTime, &OddlSocket::Handle, this, message);
    }
}

void
OddlSocket::Handle(OddlHeader message)
{
    m_handler(message);
}

uint64_t
OddlSocket::GetNMessages() const
{
    return m_nMessages;
}

} // namespace lightpath
} // namespace ns3
