/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef STAR_CONTROL_NETWORK_H
#define STAR_CONTROL_NETWORK_H

#include "control-network.h"

#include "ns3/agenda.h"
#include "ns3/data-rate.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief A control network of links between each host and one switch, without a protocol stack.
 *
 * A message has the bytes and takes the time of a UDP datagram over point-to-point links: it waits
 * behind others on the link to the switch and on the link from there, and is lost if 100 wait for
 * the same link. There are two events a message.
 */
class StarControlNetwork : public ControlNetwork
{
  public:
    /**
     * @param agenda when messages arrive; it must outlive this object
     * @param hosts the number of hosts
     * @param rate the rate of a link
     * @param delay the delay of a link, with half of the delay of the switch, ticks
     */
    StarControlNetwork(Agenda& agenda, std::size_t hosts, DataRate rate, int64_t delay);

    void Open(uint32_t host,
              uint32_t node,
              const std::string& owner,
              int64_t processingTime,
              Handler handler) override;
    void Close(uint32_t host) override;
    bool IsOpen(uint32_t host) const override;
    void Send(uint32_t source, uint32_t destination, const OddlHeader& message) override;

  private:
    class Message;

    /// A link in one direction.
    struct Link
    {
        int64_t free{0};             //!< End of its last transmission, ticks
        std::deque<int64_t> waiting; //!< Begins of the transmissions that wait, ticks
    };

    /// A control unit or the arbiter.
    struct Host
    {
        Link up;                   //!< Its link to the switch
        Link down;                 //!< Its link from the switch
        uint32_t node{0};          //!< The number of its node
        int64_t processingTime{0}; //!< From the arrival of a message to its handling, ticks
        Handler handler;           //!< Called for each message; null if closed
    };

    /**
     * Hand a message to a link.
     *
     * @param link the link
     * @param message the message
     * @param [out] arrival when it arrives at the end of the link, ticks
     * @return true unless it is lost, as the queue is full
     */
    bool Enter(Link& link, const OddlHeader& message, int64_t& arrival);

    /**
     * @param bytes a number of bytes
     * @return the time that a link sends them in, ticks
     */
    int64_t GetTxTime(uint32_t bytes);

    Agenda& m_agenda;          //!< When messages arrive
    DataRate m_rate;           //!< Rate of a link
    int64_t m_delay;           //!< Delay of a link, ticks
    std::vector<Host> m_hosts; //!< The hosts
    uint32_t m_lastBytes{0};   //!< Size of the last message
    int64_t m_lastTxTime{0};   //!< Time that it took on a link, ticks
};

} // namespace lightpath
} // namespace ns3

#endif /* STAR_CONTROL_NETWORK_H */
