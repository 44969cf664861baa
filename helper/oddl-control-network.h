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
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Builds a network for control messages: a star of point-to-point links, with a switch in
 * the middle.
 *
 * The hosts get addresses from 100.64.0.1 on in 100.64.0.0/10, and the IPv4 stack if they have
 * none. Half of the switching delay is in each link.
 */
class OddlControlNetwork
{
  public:
    DataRate rate{"100Gbps"};              //!< Rate of the links
    Time switchingDelay{NanoSeconds(400)}; //!< Time from the arrival at the switch to its output
    double fibreLength{10};                //!< Fibre from a host to the switch, in metres

    /**
     * @param hosts the hosts
     * @return their addresses
     */
    std::vector<Ipv4Address> Install(const NodeContainer& hosts) const;

    /**
     * @param bytes the payload of a datagram
     * @return the time until it arrives at another host, without queueing
     */
    Time GetDelay(uint32_t bytes) const;

    /**
     * @param bytes the payload of a datagram
     * @return the time from its arrival to that of the next one, of several that leave a host at
     *         once
     */
    Time GetGap(uint32_t bytes) const;

  private:
    /**
     * @return the delay of a link
     */
    Time GetLinkDelay() const;
};

} // namespace lightpath
} // namespace ns3

#endif /* ODDL_CONTROL_NETWORK_H */
