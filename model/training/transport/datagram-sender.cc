/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "datagram-sender.h"

#include "datagram-header.h"
#include "model/base/wire-format.h"
#include "piece-header.h"

#include "ns3/log.h"
#include "ns3/packet.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace lightpath
{

NS_LOG_COMPONENT_DEFINE("DatagramSender");

namespace
{

/// Bytes of the headers of UDP and IPv4.
constexpr uint32_t LOWER_HEADERS = UDP_HEADER_BYTES + IPV4_HEADER_BYTES;

/// Bytes of the headers of a datagram.
constexpr uint32_t PIECE_HEADERS = DatagramHeader::SIZE + PieceHeader::SIZE;

/// A datagram is lost if one is acknowledged that was sent this many transmissions later.
constexpr uint64_t REORDERING = 3;

/// The timeout doubles at most this many times.
constexpr uint32_t MOST_DOUBLINGS = 20;

} // namespace

DatagramSender::DatagramSender(uint32_t rank,
                               Ptr<Socket> socket,
                               const Address& address,
                               const DatagramOptions& options,
                               FailureCallback failureCallback)
    : MessageSender(failureCallback),
      m_rank(rank),
      m_socket(socket),
      m_address(address),
      m_options(options)
{
    ++m_statistics.connections;
}

DatagramSender::~DatagramSender()
{
    m_timer.Cancel();
}

void
DatagramSender::SendMore()
{
    while (!m_hasFailed && (m_flying == 0 || m_flying + m_options.payload <= m_options.window))
    {
        // Retransmissions first: the receiver holds back everything behind a lost datagram
        if (!m_lost.empty())
        {
            const Datagram datagram = m_lost.front();
            m_lost.pop_front();
            m_lostBytes -= datagram.piece.bytes;
            if (datagram.sequence >= m_arrived)
            {
                m_statistics.retransmittedBytes += datagram.piece.bytes;
                Transmit(datagram);
            }
        }
        else if (!m_queue.empty())
        {
            Datagram datagram;
            datagram.sequence = m_nextSequence++;
            datagram.piece = PopPiece(m_options.payload - PIECE_HEADERS);
            Transmit(datagram);
        }
        else
        {
            return;
        }
    }
}

void
DatagramSender::Transmit(Datagram datagram)
{
    NS_LOG_FUNCTION(this << datagram.sequence << m_nextTransmission);
    const auto packet = Create<Packet>(static_cast<uint32_t>(datagram.piece.bytes));
    packet->AddHeader(PieceHeader(MessageHeader(m_rank, datagram.piece.tag, datagram.piece.size),
                                  datagram.piece.bytes));
    packet->AddHeader(DatagramHeader(false, m_rank, datagram.sequence, m_nextTransmission));
    datagram.time = Simulator::Now();
    // The timeout counts from the first datagram of a flight, then from each acknowledgement
    if (m_flight.empty())
    {
        m_deadline = datagram.time + GetTimeout();
    }
    m_flying += datagram.piece.bytes;
    m_sentBytes += packet->GetSize() + LOWER_HEADERS;
    ++m_statistics.packets;
    m_flight.emplace_hint(m_flight.end(), m_nextTransmission++, datagram);
    if (m_timer.IsExpired())
    {
        m_timer = Simulator::Schedule(GetTimeout(), &DatagramSender::CheckTimeout, this);
    }
    if (m_socket->SendTo(packet, 0, m_address) < 0)
    {
        Fail("has no route to the other side, or cannot send packets of " +
             std::to_string(m_options.payload + LOWER_HEADERS) + " bytes");
    }
}

Time
DatagramSender::GetTimeout() const
{
    return m_options.timeout * (int64_t{1} << std::min(m_nTimeouts, MOST_DOUBLINGS));
}

void
DatagramSender::NoteLost(Datagram datagram)
{
    m_flying -= datagram.piece.bytes;
    if (datagram.sequence >= m_arrived)
    {
        NS_LOG_LOGIC("rank " << m_rank << ": datagram " << datagram.sequence << " of "
                             << datagram.piece.bytes << " bytes is lost, to be sent again");
        m_lostBytes += datagram.piece.bytes;
        m_lost.push_back(std::move(datagram));
    }
}

void
DatagramSender::Acknowledge(const DatagramHeader& header)
{
    NS_LOG_FUNCTION(this << header);
    m_arrived = std::max(m_arrived, header.GetSequence());
    // The transmission number tells which copy has arrived, so its round trip is unambiguous
    const auto found = m_flight.find(header.GetTransmission());
    if (found != m_flight.end())
    {
        m_statistics.AddRoundTrip(Simulator::Now() - found->second.time);
        m_flying -= found->second.piece.bytes;
        m_flight.erase(found);
    }
    // The acknowledged datagram has overtaken all that were sent well before it: they are lost
    while (!m_flight.empty() && m_flight.begin()->first + REORDERING <= header.GetTransmission())
    {
        NoteLost(m_flight.begin()->second);
        m_flight.erase(m_flight.begin());
    }
    m_deadline = Simulator::Now() + m_options.timeout;
    m_nTimeouts = 0;
    SendMore();
}

void
DatagramSender::CheckTimeout()
{
    NS_LOG_FUNCTION(this);
    if (m_flight.empty())
    {
        return;
    }
    // Each acknowledgement moves the deadline; moving the timer as well would cost an event each
    if (m_deadline > Simulator::Now())
    {
        m_timer =
            Simulator::Schedule(m_deadline - Simulator::Now(), &DatagramSender::CheckTimeout, this);
        return;
    }
    if (++m_nTimeouts > m_options.retries)
    {
        Fail("has been given up, as no acknowledgement came");
        return;
    }
    NS_LOG_LOGIC("rank " << m_rank << ": no acknowledgement for " << (GetTimeout() / 2).As(Time::US)
                         << ", timeout " << m_nTimeouts << " of " << m_options.retries);
    for (const auto& each : std::exchange(m_flight, {}))
    {
        NoteLost(each.second);
    }
    SendMore();
}

uint64_t
DatagramSender::GetUndelivered() const
{
    return m_flying + m_lostBytes + m_queuedBytes;
}

} // namespace lightpath
} // namespace ns3
