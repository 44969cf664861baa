/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "stream-sender.h"

#include "model/base/wire-format.h"
#include "piece-header.h"

#include "ns3/log.h"
#include "ns3/packet.h"
#include "ns3/simulator.h"
#include "ns3/tcp-header.h"
#include "ns3/tcp-socket-base.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{
namespace lightpath
{

NS_LOG_COMPONENT_DEFINE("StreamSender");

namespace
{

/// Why a connection fails at once.
const char* const REFUSED = "cannot be opened";

} // namespace

StreamSender::StreamSender(uint32_t rank, uint64_t window, FailureCallback failureCallback)
    : m_failureCallback(failureCallback),
      m_rank(rank),
      m_window(window)
{
}

StreamSender::~StreamSender()
{
    if (!m_socket)
    {
        return;
    }
    m_socket->SetConnectCallback(MakeNullCallback<void, Ptr<Socket>>(),
                                 MakeNullCallback<void, Ptr<Socket>>());
    m_socket->SetCloseCallbacks(MakeNullCallback<void, Ptr<Socket>>(),
                                MakeNullCallback<void, Ptr<Socket>>());
    m_socket->SetSendCallback(MakeNullCallback<void, Ptr<Socket>, uint32_t>());
    if (m_isTcp)
    {
        m_socket->TraceDisconnectWithoutContext("Tx",
                                                MakeCallback(&StreamSender::NotifySent, this));
        m_socket->TraceDisconnectWithoutContext("RTT",
                                                MakeCallback(&StreamSender::NotifyRoundTrip, this));
        m_socket->TraceDisconnectWithoutContext("CongestionWindow",
                                                MakeCallback(&StreamSender::NotifyWindow, this));
    }
}

void
StreamSender::Connect(Ptr<Socket> socket, const Address& address)
{
    NS_LOG_FUNCTION(this << socket << address);
    m_socket = socket;
    m_begin = Simulator::Now();
    ++m_statistics.connections;
    m_isTcp = DynamicCast<TcpSocketBase>(socket) != nullptr;
    if (m_isTcp)
    {
        socket->TraceConnectWithoutContext("Tx", MakeCallback(&StreamSender::NotifySent, this));
        socket->TraceConnectWithoutContext("RTT",
                                           MakeCallback(&StreamSender::NotifyRoundTrip, this));
        socket->TraceConnectWithoutContext("CongestionWindow",
                                           MakeCallback(&StreamSender::NotifyWindow, this));
    }
    socket->SetConnectCallback(MakeCallback(&StreamSender::NotifyOpen, this), MakeEnd(REFUSED));
    socket->SetCloseCallbacks(MakeEnd("has been closed by the other side"),
                              MakeEnd("has been given up, as no acknowledgement came"));
    socket->SetSendCallback(
        Callback<void, Ptr<Socket>, uint32_t>([this](Ptr<Socket>, uint32_t) { SendMore(); }));
    if (socket->Bind() != 0 || socket->Connect(address) != 0)
    {
        Fail(REFUSED);
    }
}

void
StreamSender::NotifyOpen(Ptr<Socket> socket)
{
    NS_LOG_FUNCTION(this << socket);
    m_isOpen = true;
    m_statistics.handshake = Simulator::Now() - m_begin;
    NS_LOG_LOGIC("rank " << m_rank << ": a connection is open after "
                         << m_statistics.handshake.As(Time::US));
    m_bufferSize = socket->GetTxAvailable();
    // Refilling in large steps costs few events; the window must stay full meanwhile
    m_refill = m_bufferSize / 2;
    if (m_window < m_bufferSize)
    {
        m_refill = std::min<uint64_t>(m_refill, m_bufferSize - m_window);
    }
    SendMore();
}

Callback<void, Ptr<Socket>>
StreamSender::MakeEnd(const std::string& reason)
{
    return Callback<void, Ptr<Socket>>([this, reason](Ptr<Socket>) {
        NS_LOG_LOGIC("rank " << m_rank << ": a connection " << reason);
        m_isOpen = false;
        Fail(reason);
    });
}

void
StreamSender::Fail(const std::string& reason)
{
    if (!m_hasFailed)
    {
        m_hasFailed = true;
        m_failureCallback(reason);
    }
}

void
StreamSender::Send(const MessagePiece& message)
{
    m_queue.push_back(message);
    m_queuedBytes += message.bytes;
    SendMore();
}

void
StreamSender::SendMore()
{
    // The socket may call back as it is given bytes
    if (!m_isOpen || m_isFilling || m_hasFailed)
    {
        return;
    }
    m_isFilling = true;
    while (m_nextBytes > 0 || !m_queue.empty())
    {
        // Small steps would mean small segments and many events, so the buffer is refilled in large
        // ones
        const uint64_t room = m_socket->GetTxAvailable();
        if (room < std::max<uint64_t>(m_refill, PieceHeader::SIZE + 1))
        {
            break;
        }
        const uint64_t header = m_nextBytes == 0 ? PieceHeader::SIZE : 0;
        MessagePiece piece;
        if (header > 0)
        {
            // A message may be longer than the buffer has room for
            piece = m_queue.front();
            m_queue.pop_front();
            m_queuedBytes -= piece.bytes;
            m_nextBytes = piece.bytes;
        }
        // The bytes are zeros, which ns-3 stores as a number: only the header has contents
        const uint64_t bytes = std::min(m_nextBytes, room - header);
        const auto packet = Create<Packet>(static_cast<uint32_t>(bytes));
        if (header > 0)
        {
            packet->AddHeader(
                PieceHeader(MessageHeader(m_rank, piece.tag, piece.size), piece.bytes));
        }
        m_nextBytes -= bytes;
        if (!m_isTcp)
        {
            m_sentBytes += packet->GetSize();
        }
        if (m_socket->Send(packet) < 0)
        {
            Fail("takes no more bytes");
            break;
        }
    }
    m_isFilling = false;
}

const TransportStatistics&
StreamSender::GetStatistics() const
{
    return m_statistics;
}

uint64_t
StreamSender::GetSentBytes() const
{
    return m_sentBytes;
}

uint64_t
StreamSender::GetUndelivered() const
{
    const uint64_t buffered = m_isOpen ? m_bufferSize - m_socket->GetTxAvailable() : 0;
    return buffered + m_nextBytes + m_queuedBytes;
}

uint64_t
StreamSender::GetPacketBytes(const Ptr<const Packet>& packet, const TcpHeader& header)
{
    return packet->GetSize() + header.GetSerializedSize() + IPV4_HEADER_BYTES;
}

void
StreamSender::NotifySent(Ptr<const Packet> packet,
                         const TcpHeader& header,
                         Ptr<const TcpSocketBase> socket)
{
    m_sentBytes += GetPacketBytes(packet, header);
    ++m_statistics.packets;
    const uint32_t bytes = packet->GetSize();
    if (bytes == 0)
    {
        return;
    }
    // Bytes below the highest sequence number sent so far are sent again
    const SequenceNumber32 end = header.GetSequenceNumber() + bytes;
    if (m_isStarting)
    {
        m_statistics.slowStartBytes += bytes;
    }
    if (!m_hasSequence || end > m_highest)
    {
        m_hasSequence = true;
        m_highest = end;
    }
    else
    {
        NS_LOG_LOGIC("rank " << m_rank << ": TCP sends " << bytes << " bytes again");
        m_statistics.retransmittedBytes += bytes;
    }
}

void
StreamSender::NotifyRoundTrip(Time previous, Time current)
{
    m_statistics.AddRoundTrip(current);
}

void
StreamSender::NotifyWindow(uint32_t previous, uint32_t current)
{
    // Slow start ends with a full window or with the first loss
    if (current >= m_window || current < previous)
    {
        m_isStarting = false;
    }
}

} // namespace lightpath
} // namespace ns3
