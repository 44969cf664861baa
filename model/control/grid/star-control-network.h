/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef STAR_CONTROL_NETWORK_H
#define STAR_CONTROL_NETWORK_H

#include "control-network.h"

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
     * @param hosts the number of hosts
     * @param rate the rate of a link
     * @param delay the delay of a link, with half of the delay of the switch
     */
    StarControlNetwork(std::size_t hosts, DataRate rate, Time delay);

    void Open(uint32_t host,
              Ptr<Node> node,
              const std::string& owner,
              Time processingTime,
              Handler handler) override;
    void Close(uint32_t host) override;
    bool IsOpen(uint32_t host) const override;
    void Send(uint32_t source, uint32_t destination, const OddlHeader& message) override;

  private:
    class Message;

    /// A link in one direction.
    struct Link
    {
        Time free;                //!< End of its last transmission
        std::deque<Time> waiting; //!< Begins of the transmissions that wait
    };

    /// A control unit or the arbiter.
    struct Host
    {
        Link up;             //!< Its link to the switch
        Link down;           //!< Its link from the switch
        uint32_t node{0};    //!< The number of its node
        Time processingTime; //!< From the arrival of a message to its handling
        Handler handler;     //!< Called for each message; null if closed
    };

    /**
     * Hand a message to a link.
     *
     * @param link the link
     * @param message the message
     * @param [out] arrival the time until it arrives at the end of the link
     * @return true unless it is lost, as the queue is full
     */
    bool Enter(Link& link, const OddlHeader& message, Time& arrival) const;

    DataRate m_rate;           //!< Rate of a link
    Time m_delay;              //!< Delay of a link
    std::vector<Host> m_hosts; //!< The hosts
};

} // namespace lightpath
} // namespace ns3

#endif /* STAR_CONTROL_NETWORK_H */
