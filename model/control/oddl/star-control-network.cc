/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "star-control-network.h"

#include "model/device/pooled-event.h"

#include "ns3/log.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace lightpath
{

NS_LOG_COMPONENT_DEFINE("StarControlNetwork");

namespace
{

/// Messages that may wait for a link, as in the queue of a PointToPointNetDevice.
constexpr std::size_t MAX_WAITING = 100;

} // namespace

/**
 * @ingroup lightpath
 * @brief A message under way. Its event is its arrival at the switch, and then its handling.
 */
class StarControlNetwork::Message : public PooledEvent<StarControlNetwork::Message>
{
  public:
    /**
     * @param network the network
     * @param destination who it is for
     * @param header the message
     */
    Message(StarControlNetwork& network, uint32_t destination, const OddlHeader& header)
        : m_network(network),
          m_destination(destination),
          m_header(header)
    {
    }

  private:
    void Notify() override
    {
        Host& host = m_network.m_hosts[m_destination];
        if (m_isForwarded)
        {
            if (!host.handler.IsNull())
            {
                host.handler(m_header);
            }
            return;
        }
        m_isForwarded = true;
        int64_t arrival = 0;
        if (m_network.Enter(host.down, m_header, arrival))
        {
            m_network.m_agenda.Add(arrival + host.processingTime, this, host.node);
        }
    }

    StarControlNetwork& m_network; //!< The network
    uint32_t m_destination;        //!< Who it is for
    OddlHeader m_header;           //!< The message
    bool m_isForwarded{false};     //!< Whether it has passed the switch
};

StarControlNetwork::StarControlNetwork(Agenda& agenda,
                                       std::size_t hosts,
                                       DataRate rate,
                                       int64_t delay)
    : m_agenda(agenda),
      m_rate(rate),
      m_delay(delay),
      m_hosts(hosts)
{
}

void
StarControlNetwork::Open(uint32_t host,
                         uint32_t node,
                         const std::string& owner,
                         int64_t processingTime,
                         Handler handler)
{
    NS_LOG_FUNCTION(this << host << owner << processingTime);
    m_hosts[host].node = node;
    m_hosts[host].processingTime = processingTime;
    m_hosts[host].handler = handler;
}

void
StarControlNetwork::Close(uint32_t host)
{
    NS_LOG_FUNCTION(this << host);
    m_hosts[host].handler.Nullify();
}

bool
StarControlNetwork::IsOpen(uint32_t host) const
{
    return !m_hosts[host].handler.IsNull();
}

void
StarControlNetwork::Send(uint32_t source, uint32_t destination, const OddlHeader& message)
{
    NS_LOG_FUNCTION(this << source << destination << message);
    int64_t arrival = 0;
    if (Enter(m_hosts[source].up, message, arrival))
    {
        m_agenda.Add(arrival, Ptr<EventImpl>(new Message(*this, destination, message), false));
    }
}

bool
StarControlNetwork::Enter(Link& link, const OddlHeader& message, int64_t& arrival)
{
    const int64_t now = m_agenda.Now();
    while (!link.waiting.empty() && link.waiting.front() <= now)
    {
        link.waiting.pop_front();
    }
    if (link.waiting.size() == MAX_WAITING)
    {
        NS_LOG_LOGIC("a message is lost, as " << MAX_WAITING << " wait for its link");
        return false;
    }
    if (link.free > now)
    {
        link.waiting.push_back(link.free);
    }
    const uint32_t bytes = message.GetSerializedSize() + CONTROL_HEADER_BYTES;
    link.free = std::max(link.free, now) + GetTxTime(bytes);
    arrival = link.free + m_delay;
    return true;
}

int64_t
StarControlNetwork::GetTxTime(uint32_t bytes)
{
    // Most messages are as large as the one before
    if (std::exchange(m_lastBytes, bytes) != bytes)
    {
        m_lastTxTime = m_rate.CalculateBytesTxTime(bytes).GetTimeStep();
    }
    return m_lastTxTime;
}

} // namespace lightpath
} // namespace ns3
