/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CLOS_BUILDER_H
#define CLOS_BUILDER_H

#include "model/datacenter/clos-routing.h"

#include "ns3/data-rate.h"
#include "ns3/net-device-container.h"
#include "ns3/node-container.h"
#include "ns3/node.h"
#include "ns3/nstime.h"
#include "ns3/point-to-point-net-device.h"

#include <cstdint>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief What all links of a network of switches have in common.
 */
struct ClosLinks
{
    Time delay;               //!< Propagation delay of a link
    uint16_t mtu{9000};       //!< Most bytes of an IP packet
    uint32_t cutBytes{0};     //!< Bytes after which a switch forwards a packet, with PPP; 0: all
    uint32_t queueBytes{0};   //!< Bytes that wait at a port of a switch at most
    uint32_t markingBytes{0}; //!< Bytes that wait at a port as packets begin to be marked; 0 never
    uint32_t seed{0};         //!< Decides, with the flow, on the ports that packets go up by
};

/**
 * @ingroup lightpath
 * @brief Puts a folded Clos network together from point-to-point links.
 *
 * The interfaces of a node are numbered in the order in which its links are added, from 1.
 */
class ClosBuilder
{
  public:
    /**
     * @param links what the links have in common
     */
    explicit ClosBuilder(const ClosLinks& links);

    /**
     * Make a node a host, which must not have IPv4 yet.
     *
     * @param node the node
     * @param host its number
     */
    void AddHost(Ptr<Node> node, uint32_t host);

    /**
     * @param process the process that carries it out
     * @return a new switch
     */
    Ptr<Node> AddSwitch(uint32_t process);

    /**
     * @param nodes the hosts of the network
     * @param host the number of a host, which need not be there
     * @return the process that carries it out, or else the last host
     */
    static uint32_t GetProcess(const NodeContainer& nodes, uint64_t host);

    /**
     * Add a link.
     *
     * @param lower the node at the lower end
     * @param upper the node at the upper end
     * @param rate the rate in each direction
     * @return the device at the lower end
     */
    Ptr<NetDevice> Connect(Ptr<Node> lower, Ptr<Node> upper, DataRate rate);

    /**
     * Join hosts to a switch, which is their only way out so far.
     *
     * @param nodes the hosts of the network
     * @param first the number of the first of them to be joined
     * @param end the number behind that of the last one
     * @param edge the switch
     * @param rate the rate of each link
     * @return the devices of the hosts
     */
    NetDeviceContainer ConnectHosts(const NodeContainer& nodes,
                                    uint32_t first,
                                    uint32_t end,
                                    Ptr<Node> edge,
                                    DataRate rate);

    /**
     * @param node a node of the network
     * @return the routing of its packets
     */
    static Ptr<ClosRouting> GetRouting(Ptr<Node> node);

    /**
     * @param node a node of the network
     * @return the number of its links so far, which is the interface of the last one
     */
    static uint32_t GetNLinks(Ptr<Node> node);

  private:
    /**
     * @param node the node
     */
    static void InstallStack(Ptr<Node> node);

    /**
     * @param node the node
     * @param rate the rate in bit/s
     * @return a new device on it, with its queue
     */
    Ptr<PointToPointNetDevice> AddDevice(Ptr<Node> node, DataRate rate) const;

    /**
     * Have IPv4 of a node use a device, with a queue disc if packets are to be marked.
     *
     * @param device the device
     * @param rate its rate
     */
    void AddInterface(Ptr<PointToPointNetDevice> device, DataRate rate) const;

    /**
     * @param node a node of the network
     * @return the bytes that wait at each of its ports at most
     */
    uint32_t GetQueueBytes(Ptr<Node> node) const;

    ClosLinks m_links;       //!< What the links have in common
    uint32_t m_nSwitches{0}; //!< Switches so far
};

} // namespace lightpath
} // namespace ns3

#endif /* CLOS_BUILDER_H */
