/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ODDL_CONTROL_NETWORK_H
#define ODDL_CONTROL_NETWORK_H

#include "ns3/data-rate.h"
#include "ns3/ipv4-address.h"
#include "ns3/node-container.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{
namespace lightpath
{

class ControlNetwork;

/**
 * @ingroup lightpath
 * @brief Builds a network for control messages: a star of links with a switch in the middle.
 *
 * Messages are UDP datagrams by their bytes and times. By default they go without a protocol stack,
 * at two events each. With usesUdp they are packets over point-to-point links, which trace sinks,
 * captures and error models see: hosts get addresses from 100.64.0.1 on in 100.64.0.0/10, and the
 * IPv4 stack if they have none. Messages take equal times both ways; only the order of messages
 * that reach the switch at the same instant may differ. Half of the switching delay is in each
 * link.
 */
class OddlControlNetwork
{
  public:
    DataRate rate{"100Gbps"};              //!< Rate of the links
    Time switchingDelay{NanoSeconds(400)}; //!< Time from the arrival at the switch to its output
    double fibreLength{10};                //!< Fibre from a host to the switch, in metres
    bool usesUdp{false};                   //!< Whether messages are packets
    uint16_t unitPort{4794};               //!< UDP port of a control unit
    uint16_t arbiterPort{4795};            //!< UDP port of an arbiter

    /**
     * @param nodes the nodes of the control units by port, and behind them that of the arbiter if
     *        there is one
     * @param ports the number of control units
     * @return the network
     */
    std::shared_ptr<ControlNetwork> Install(const NodeContainer& nodes, uint32_t ports) const;

    /**
     * @param addresses the addresses of the control units by port, and behind them that of the
     *        arbiter, in a network that exists
     * @param ports the number of control units
     * @return the network
     */
    std::shared_ptr<ControlNetwork> Connect(const std::vector<Ipv4Address>& addresses,
                                            uint32_t ports) const;

    /**
     * @param bytes the payload of a datagram
     * @return the time until it arrives at another host, without queueing
     */
    Time GetDelay(uint32_t bytes) const;

    /**
     * @return the delay of a link
     */
    Time GetLinkDelay() const;

  private:
    /**
     * Connect nodes by point-to-point links.
     *
     * @param nodes the nodes
     * @return their addresses
     */
    std::vector<Ipv4Address> Link(const NodeContainer& nodes) const;
};

} // namespace lightpath
} // namespace ns3

#endif /* ODDL_CONTROL_NETWORK_H */
