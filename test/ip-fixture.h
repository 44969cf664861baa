/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_IP_FIXTURE_H
#define LIGHTPATH_IP_FIXTURE_H

#include "ns3/boolean.h"
#include "ns3/inet-socket-address.h"
#include "ns3/ipv4-address.h"
#include "ns3/mac48-address.h"
#include "ns3/node.h"
#include "ns3/nstime.h"
#include "ns3/packet.h"
#include "ns3/simulator.h"
#include "ns3/socket.h"
#include "ns3/tcp-l4-protocol.h"
#include "ns3/tcp-socket-factory.h"
#include "ns3/tcp-socket-state.h"
#include "ns3/udp-socket-factory.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

/**
 * @ingroup lightpath-tests
 * @brief How a TcpFlow sends.
 */
struct TcpSettings
{
    std::string congestionControl{"ns3::TcpNewReno"}; //!< Its type
    uint32_t segmentSize{8960};                       //!< Bytes of a segment
    uint32_t bufferSize{4000000};                     //!< Bytes of a buffer at either end
    ns3::Time minRto{ns3::MilliSeconds(1)};           //!< Least time until a retransmission
    uint64_t bytes{uint64_t{1} << 60};                //!< Bytes to send
    ns3::Time start;                                  //!< When to open the connection
};

/**
 * @ingroup lightpath-tests
 * @brief A TCP connection on which one node sends to another. It must outlive the simulation.
 */
class TcpFlow
{
  public:
    /**
     * @param from the node that sends
     * @param to the node that receives
     * @param address an address of this node
     * @param settings how to send
     */
    TcpFlow(ns3::Ptr<ns3::Node> from,
            ns3::Ptr<ns3::Node> to,
            ns3::Ipv4Address address,
            const TcpSettings& settings)
        : m_settings(settings)
    {
        using namespace ns3;
        m_server = MakeSocket(to);
        m_server->Bind(InetSocketAddress(Ipv4Address::GetAny(), PORT));
        m_server->Listen();
        m_server->SetAcceptCallback(
            Callback<bool, Ptr<Socket>, const Address&>(
                [](Ptr<Socket>, const Address&) { return true; }),
            Callback<void, Ptr<Socket>, const Address&>([this](Ptr<Socket> peer, const Address&) {
                peer->SetRecvCallback(
                    Callback<void, Ptr<Socket>>([this](Ptr<Socket> socket) { Receive(socket); }));
            }));
        m_client = MakeSocket(from);
        m_client->SetSendCallback(
            Callback<void, Ptr<Socket>, uint32_t>([this](Ptr<Socket>, uint32_t) { Send(); }));
        using State = TcpSocketState::TcpCongState_t;
        m_client->TraceConnectWithoutContext("CongState",
                                             Callback<void, State, State>([this](State, State now) {
                                                 timeouts += now == TcpSocketState::CA_LOSS;
                                                 recoveries += now == TcpSocketState::CA_RECOVERY;
                                             }));
        Simulator::Schedule(settings.start, [this, address]() {
            m_client->Connect(InetSocketAddress(address, PORT));
            Send();
        });
    }

    uint64_t received{0};   //!< Bytes that have been received
    ns3::Time last;         //!< When the last of them came in
    uint32_t timeouts{0};   //!< Times that a timeout took all that was on its way for lost
    uint32_t recoveries{0}; //!< Times that acknowledgements told of a loss

  private:
    static constexpr uint16_t PORT = 5000; //!< Where the receiver listens

    /**
     * @param node a node
     * @return a socket on it
     */
    ns3::Ptr<ns3::Socket> MakeSocket(ns3::Ptr<ns3::Node> node) const
    {
        using namespace ns3;
        const auto type = TypeId::LookupByName(m_settings.congestionControl);
        node->GetObject<TcpL4Protocol>()->SetAttribute("SocketType", TypeIdValue(type));
        const auto socket = Socket::CreateSocket(node, TcpSocketFactory::GetTypeId());
        socket->SetAttribute("SegmentSize", UintegerValue(m_settings.segmentSize));
        socket->SetAttribute("SndBufSize", UintegerValue(m_settings.bufferSize));
        socket->SetAttribute("RcvBufSize", UintegerValue(m_settings.bufferSize));
        socket->SetAttribute("DelAckTimeout", TimeValue(MicroSeconds(50)));
        socket->SetAttribute("MinRto", TimeValue(m_settings.minRto));
        socket->SetAttribute("ClockGranularity", TimeValue(MicroSeconds(1)));
        socket->SetAttribute("Timestamp", BooleanValue(false));
        return socket;
    }

    /// Fill the send buffer.
    void Send()
    {
        while (m_sent < m_settings.bytes && m_client->GetTxAvailable() > 0)
        {
            const uint64_t room = m_client->GetTxAvailable();
            const auto bytes = std::min<uint64_t>(
                {m_settings.bytes - m_sent, room, uint64_t{m_settings.segmentSize}});
            const int sent = m_client->Send(ns3::Create<ns3::Packet>(bytes));
            if (sent <= 0)
            {
                return;
            }
            m_sent += sent;
        }
    }

    /**
     * Count the bytes received.
     *
     * @param socket the socket
     */
    void Receive(ns3::Ptr<ns3::Socket> socket)
    {
        while (const auto packet = socket->Recv())
        {
            received += packet->GetSize();
            last = ns3::Simulator::Now();
        }
    }

    TcpSettings m_settings;         //!< How to send
    ns3::Ptr<ns3::Socket> m_server; //!< What listens
    ns3::Ptr<ns3::Socket> m_client; //!< What sends
    uint64_t m_sent{0};             //!< Bytes given to it
};

/**
 * @ingroup lightpath-tests
 * @brief Datagrams from one node to another. It must outlive the simulation.
 */
class UdpFlow
{
  public:
    /**
     * @param from the node that sends
     * @param to the node that receives
     * @param address an address of this node
     */
    UdpFlow(ns3::Ptr<ns3::Node> from, ns3::Ptr<ns3::Node> to, ns3::Ipv4Address address)
    {
        using namespace ns3;
        m_server = Socket::CreateSocket(to, UdpSocketFactory::GetTypeId());
        m_server->Bind(InetSocketAddress(Ipv4Address::GetAny(), PORT));
        m_server->SetRecvCallback(Callback<void, Ptr<Socket>>([this](Ptr<Socket> socket) {
            while (const auto packet = socket->Recv())
            {
                arrivals.push_back(Simulator::Now());
            }
        }));
        m_client = Socket::CreateSocket(from, UdpSocketFactory::GetTypeId());
        m_client->Connect(InetSocketAddress(address, PORT));
    }

    /**
     * @param time the time to send
     * @param count the number of datagrams
     * @param bytes their size
     */
    void Send(ns3::Time time, uint32_t count, uint32_t bytes)
    {
        ns3::Simulator::Schedule(time, [this, count, bytes]() {
            for (uint32_t i = 0; i < count; ++i)
            {
                refused += m_client->Send(ns3::Create<ns3::Packet>(bytes)) < 0;
            }
        });
    }

    std::vector<ns3::Time> arrivals; //!< When datagrams came in
    uint32_t refused{0};             //!< Datagrams that the socket did not take

  private:
    static constexpr uint16_t PORT = 4000; //!< Where the receiver listens

    ns3::Ptr<ns3::Socket> m_server; //!< What receives
    ns3::Ptr<ns3::Socket> m_client; //!< What sends
};

#endif /* LIGHTPATH_IP_FIXTURE_H */
