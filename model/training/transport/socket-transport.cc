/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "socket-transport.h"

#include "model/base/wire-format.h"
#include "piece-reader.h"
#include "socket-address.h"
#include "stream-sender.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/inet6-socket-address.h"
#include "ns3/log.h"
#include "ns3/net-device.h"
#include "ns3/object-factory.h"
#include "ns3/packet.h"
#include "ns3/simulator.h"
#include "ns3/socket-factory.h"
#include "ns3/string.h"
#include "ns3/tcp-congestion-ops.h"
#include "ns3/tcp-header.h"
#include "ns3/tcp-recovery-ops.h"
#include "ns3/tcp-socket-base.h"
#include "ns3/tcp-socket-factory.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <sstream>

namespace ns3
{
namespace lightpath
{

NS_LOG_COMPONENT_DEFINE("SocketTransport");

NS_OBJECT_ENSURE_REGISTERED(SocketTransport);

namespace
{

/// Create a part of TCP of the type that an attribute names, or abort with an example of one.
template <typename T>
Ptr<T>
CreatePart(const std::string& attribute, const std::string& type, const std::string& example)
{
    ObjectFactory factory;
    factory.SetTypeId(type);
    const auto part = DynamicCast<T>(factory.Create());
    NS_ABORT_MSG_UNLESS(part,
                        "The " << attribute
                               << " of a SocketTransport must be one of TCP, such as ns3::"
                               << example << ", and not " << type);
    return part;
}

} // namespace

TypeId
SocketTransport::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lightpath::SocketTransport")
            .SetParent<Transport>()
            .SetGroupName("Lightpath")
            .AddConstructor<SocketTransport>()
            .AddAttribute("SocketFactory",
                          "The type of the socket factory, such as ns3::TcpSocketFactory.",
                          TypeIdValue(TcpSocketFactory::GetTypeId()),
                          MakeTypeIdAccessor(&SocketTransport::m_factory),
                          MakeTypeIdChecker())
            .AddAttribute("CongestionControl",
                          "The type of the congestion control of TCP, such as ns3::TcpBbr, or "
                          "ns3::lightpath::BoundedDctcp for DCTCP; empty for that of the node.",
                          StringValue(""),
                          MakeStringAccessor(&SocketTransport::m_congestionControl),
                          MakeStringChecker())
            .AddAttribute("Recovery",
                          "The type of the algorithm by which TCP recovers from losses and marks, "
                          "such as ns3::TcpClassicRecovery; empty for that of the node.",
                          StringValue(""),
                          MakeStringAccessor(&SocketTransport::m_recovery),
                          MakeStringChecker())
            .AddAttribute("SegmentSize",
                          "The most bytes of a TCP segment, without the headers of TCP and below; "
                          "0 for what the devices of the node can carry.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&SocketTransport::m_segmentSize),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute(
                "Window",
                "The most bytes in flight over a connection. The full rate takes at least "
                "the rate times the round trip with all queues (GetFullRateWindow()). "
                "The send buffer of TCP has room for 16 segments more, and the receive "
                "buffer is twice as large.",
                UintegerValue(2 << 20),
                MakeUintegerAccessor(&SocketTransport::m_window),
                MakeUintegerChecker<uint32_t>(1, 1 << 30))
            .AddAttribute("InitialWindow",
                          "The initial congestion window of TCP, in segments.",
                          UintegerValue(10),
                          MakeUintegerAccessor(&SocketTransport::m_initialWindow),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("DelayedAcks",
                          "The number of TCP segments for one acknowledgement.",
                          UintegerValue(2),
                          MakeUintegerAccessor(&SocketTransport::m_delayedAcks),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("DelayedAckTimeout",
                          "The time after which a single TCP segment is acknowledged.",
                          TimeValue(MicroSeconds(50)),
                          MakeTimeAccessor(&SocketTransport::m_delayedAckTimeout),
                          MakeTimeChecker(TimeStep(1)))
            .AddAttribute("RetransmissionTimeout",
                          "The least time without acknowledgement until bytes are sent again. A "
                          "request for a connection is repeated after ten times as long.",
                          TimeValue(MilliSeconds(1)),
                          MakeTimeAccessor(&SocketTransport::m_timeout),
                          MakeTimeChecker(TimeStep(1)))
            .AddAttribute("Retries",
                          "The number of timeouts in a row after which the connection is given "
                          "up.",
                          UintegerValue(6),
                          MakeUintegerAccessor(&SocketTransport::m_retries),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("MessageDelay",
                          "The time of a message in cards and software before its first byte "
                          "goes to a socket; other messages go on meanwhile.",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&SocketTransport::m_messageDelay),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("Connections",
                          "The number of connections to each rank. Messages with the same tag take "
                          "the same one.",
                          UintegerValue(1),
                          MakeUintegerAccessor(&SocketTransport::m_connections),
                          MakeUintegerChecker<uint32_t>(1));
    return tid;
}

SocketTransport::SocketTransport()
{
    NS_LOG_FUNCTION(this);
}

SocketTransport::~SocketTransport()
{
    NS_LOG_FUNCTION(this);
}

void
SocketTransport::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_senders.clear();
    for (const auto& socket : m_accepted)
    {
        socket->SetRecvCallback(MakeNullCallback<void, Ptr<Socket>>());
        socket->TraceDisconnectWithoutContext("Tx",
                                              MakeCallback(&SocketTransport::NotifySent, this));
    }
    m_accepted.clear();
    m_readers.clear();
    if (m_listener)
    {
        m_listener->SetAcceptCallback(MakeNullCallback<bool, Ptr<Socket>, const Address&>(),
                                      MakeNullCallback<void, Ptr<Socket>, const Address&>());
        m_listener = nullptr;
    }
    m_node = nullptr;
    Transport::DoDispose();
}

void
SocketTransport::SetUp(Ptr<Node> node,
                       uint32_t rank,
                       std::shared_ptr<const std::vector<Address>> addresses)
{
    NS_LOG_FUNCTION(this << node << rank);
    m_node = node;
    m_rank = rank;
    m_addresses = addresses;
    NS_ABORT_MSG_UNLESS(node->GetObject<SocketFactory>(m_factory),
                        "Node " << node->GetId() << " of rank " << rank << " has no "
                                << m_factory.GetName()
                                << ": install a protocol stack that has one first");
    m_listener = CreateSocket();
    const auto type = m_listener->GetSocketType();
    NS_ABORT_MSG_UNLESS(type == Socket::NS3_SOCK_STREAM || type == Socket::NS3_SOCK_SEQPACKET,
                        "The sockets of " << m_factory.GetName() << " carry datagrams, and "
                                          << "messages need a stream: set SocketFactory to "
                                          << "ns3::TcpSocketFactory");
    const Address& own = addresses->at(rank);
    NS_ABORT_MSG_IF(m_listener->Bind(SocketAddress::GetAny(own)) != 0,
                    "Rank " << rank << " cannot listen at " << SocketAddress::GetText(own)
                            << " on node " << node->GetId()
                            << ": another socket does, so give another port");
    m_listener->Listen();
    m_listener->SetAcceptCallback(MakeNullCallback<bool, Ptr<Socket>, const Address&>(),
                                  MakeCallback(&SocketTransport::NotifyAccepted, this));
}

uint64_t
SocketTransport::GetFullRateWindow(double bitRate, double latency)
{
    constexpr double least = 2 << 20;
    constexpr double most = 1e9;
    const double rate = bitRate / 8;
    return static_cast<uint64_t>(std::min(std::max(least, 4 * rate * latency), most));
}

uint32_t
SocketTransport::GetPayload() const
{
    if (m_segmentSize > 0)
    {
        return m_segmentSize;
    }
    constexpr uint32_t header = 20;
    constexpr uint32_t ipv6Header = 40;
    // The device that a packet takes is not known here, so the smallest MTU of the node decides
    uint32_t size = UINT16_MAX;
    for (uint32_t i = 0; i < m_node->GetNDevices(); ++i)
    {
        size = std::min<uint32_t>(size, m_node->GetDevice(i)->GetMtu());
    }
    const bool isIpv6 = Inet6SocketAddress::IsMatchingType(m_addresses->at(m_rank));
    return size - std::min(size - 1, header + (isIpv6 ? ipv6Header : IPV4_HEADER_BYTES));
}

Ptr<Socket>
SocketTransport::CreateSocket() const
{
    const auto socket = Socket::CreateSocket(m_node, m_factory);
    if (DynamicCast<TcpSocketBase>(socket))
    {
        Configure(socket);
    }
    return socket;
}

void
SocketTransport::Configure(Ptr<Socket> socket) const
{
    const uint32_t segment = GetPayload();
    socket->SetAttribute("SegmentSize", UintegerValue(segment));
    // Room to refill the buffer by several segments at once. The receive buffer must not limit the
    // window: some releases of ns-3 then send a segment without bytes after a loss
    constexpr uint32_t refill = 16;
    const uint32_t buffer = m_window + refill * segment;
    socket->SetAttribute("SndBufSize", UintegerValue(buffer));
    socket->SetAttribute("RcvBufSize", UintegerValue(2 * buffer));
    socket->SetAttribute("InitialCwnd", UintegerValue(m_initialWindow));
    socket->SetAttribute("DelAckCount", UintegerValue(m_delayedAcks));
    socket->SetAttribute("DelAckTimeout", TimeValue(m_delayedAckTimeout));
    socket->SetAttribute("DataRetries", UintegerValue(m_retries));
    // There is no estimate of the round trip yet, so be patient
    socket->SetAttribute("ConnTimeout", TimeValue(10 * m_timeout));
    socket->SetAttribute("ConnCount", UintegerValue(m_retries));
    socket->SetAttribute("TcpNoDelay", BooleanValue(true));
    socket->SetAttribute("MinRto", TimeValue(m_timeout));
    socket->SetAttribute("ClockGranularity", TimeValue(MicroSeconds(1)));
    // The clock of this option has a resolution of 1 ms, longer than a round trip
    socket->SetAttribute("Timestamp", BooleanValue(false));
    const auto tcp = DynamicCast<TcpSocketBase>(socket);
    if (!m_congestionControl.empty())
    {
        tcp->SetCongestionControlAlgorithm(
            CreatePart<TcpCongestionOps>("CongestionControl", m_congestionControl, "TcpBbr"));
    }
    if (!m_recovery.empty())
    {
        tcp->SetRecoveryAlgorithm(
            CreatePart<TcpRecoveryOps>("Recovery", m_recovery, "TcpClassicRecovery"));
    }
}

void
SocketTransport::Send(uint32_t rank, uint64_t tag, uint64_t bytes)
{
    NS_LOG_FUNCTION(this << rank << tag << bytes);
    TraceSend(rank, tag, bytes);
    NS_LOG_LOGIC("rank " << m_rank << ": a message of " << bytes << " bytes for rank " << rank
                         << " goes to a socket");
    if (m_messageDelay.IsZero())
    {
        GetSender(rank, tag).Send({tag, bytes, bytes});
        return;
    }
    ++m_nWaiting;
    Simulator::Schedule(m_messageDelay, [this, rank, tag, bytes] {
        --m_nWaiting;
        GetSender(rank, tag).Send({tag, bytes, bytes});
    });
}

void
SocketTransport::SendRest(uint32_t rank, const MessagePiece& rest)
{
    NS_LOG_FUNCTION(this << rank << rest.tag << rest.bytes);
    GetSender(rank, rest.tag).Send(rest);
}

StreamSender&
SocketTransport::GetSender(uint32_t rank, uint64_t tag)
{
    // Tags may differ in their low bits or in their high bits only: mix both into the index
    constexpr uint64_t factor = 0x9e3779b97f4a7c15;
    const uint64_t index = (((tag ^ (tag >> 32)) * factor) >> 32) % m_connections;
    auto& senders = m_senders[rank];
    if (senders.size() <= index)
    {
        senders.resize(index + 1);
    }
    if (!senders[index])
    {
        senders[index] = CreateSender(rank);
    }
    return *senders[index];
}

std::unique_ptr<StreamSender>
SocketTransport::CreateSender(uint32_t rank)
{
    const Address& address = m_addresses->at(rank);
    NS_LOG_LOGIC("rank " << m_rank << ": a connection to rank " << rank << " at "
                         << SocketAddress::GetText(address) << " with a window of " << m_window
                         << " bytes");
    const StreamSender::FailureCallback fail([this, rank, address](const std::string& reason) {
        Fail("The connection of rank " + std::to_string(m_rank) + " to rank " +
             std::to_string(rank) + " at " + SocketAddress::GetText(address) + " " + reason);
    });
    auto sender = std::make_unique<StreamSender>(m_rank, m_window, fail);
    sender->Connect(CreateSocket(), address);
    return sender;
}

void
SocketTransport::NotifyAccepted(Ptr<Socket> socket, const Address& from)
{
    NS_LOG_FUNCTION(this << socket << from);
    m_accepted.push_back(socket);
    m_readers.push_back(
        std::make_unique<PieceReader>(MakeCallback(&SocketTransport::ReceivePiece, this)));
    if (DynamicCast<TcpSocketBase>(socket))
    {
        socket->TraceConnectWithoutContext("Tx", MakeCallback(&SocketTransport::NotifySent, this));
    }
    // Each connection is a stream of its own, with pieces cut anywhere
    PieceReader* const reader = m_readers.back().get();
    socket->SetRecvCallback(Callback<void, Ptr<Socket>>([reader](Ptr<Socket> readable) {
        for (auto packet = readable->Recv(); packet && packet->GetSize() > 0;
             packet = readable->Recv())
        {
            reader->Read(packet);
        }
    }));
}

void
SocketTransport::ReceivePiece(const PieceHeader& header)
{
    const MessageHeader& message = header.GetMessage();
    ReceivePart(message.GetSource(), message.GetTag(), message.GetMessageSize(), header.GetBytes());
}

void
SocketTransport::NotifySent(Ptr<const Packet> packet,
                            const TcpHeader& header,
                            Ptr<const TcpSocketBase> socket)
{
    m_ackBytes += StreamSender::GetPacketBytes(packet, header);
    ++m_nAcks;
}

uint64_t
SocketTransport::GetSentBytes() const
{
    uint64_t bytes = m_ackBytes;
    VisitSenders([&bytes](const StreamSender& sender) { bytes += sender.GetSentBytes(); });
    return bytes;
}

TransportStatistics
SocketTransport::GetStatistics() const
{
    TransportStatistics statistics;
    statistics.packets = m_nAcks;
    VisitSenders([&](const StreamSender& sender) { statistics.Add(sender.GetStatistics()); });
    return statistics;
}

bool
SocketTransport::IsMoving() const
{
    bool isMoving = m_nWaiting > 0;
    VisitSenders([&](const StreamSender& sender) { isMoving |= sender.GetUndelivered() > 0; });
    return isMoving;
}

std::string
SocketTransport::Describe() const
{
    std::ostringstream clause;
    for (const auto& rank : m_senders)
    {
        uint64_t bytes = 0;
        for (const auto& sender : rank.second)
        {
            bytes += sender ? sender->GetUndelivered() : 0;
        }
        if (bytes > 0)
        {
            clause << (clause.tellp() > 0 ? ", " : "") << bytes << " bytes of rank " << m_rank
                   << " have not reached rank " << rank.first;
        }
    }
    return clause.str();
}

} // namespace lightpath
} // namespace ns3
