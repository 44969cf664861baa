/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DATACENTER_HELPER_H
#define DATACENTER_HELPER_H

#include "interconnect-helper.h"

#include "ns3/nstime.h"

#include <cstdint>

namespace ns3
{
namespace lightpath
{

class ClosBuilder;
struct ClosLinks;

/**
 * @ingroup lightpath
 * @brief Installs an electrical datacenter: switches and point-to-point links, with IPv4.
 *
 * This class cannot be instantiated, as it does not know the shape of the network. Packets are
 * routed by ClosRouting: those of a flow take one of the shortest paths, which a hash decides on.
 * Ports of switches drop what finds their queue full, or, with a marking threshold, also mark what
 * finds it longer than that (RedQueueDisc with ECN, for DCTCP). Hosts never drop.
 *
 * All links have the rate of a node. With an oversubscription of o, a switch of the lowest level
 * has o links to nodes for each link up.
 */
class DatacenterHelper : public InterconnectHelper
{
  public:
    ~DatacenterHelper() override;

    void SetBandwidth(DataRate bandwidth) override;
    DataRate GetBandwidth() const override;

    /**
     * @param delay the propagation delay of a link, 500 ns at first; std::invalid_argument unless
     *        positive or zero
     */
    void SetDelay(Time delay);

    /**
     * @param mtu the most bytes of an IP packet, 9000 at first; std::invalid_argument if less than
     *        576
     */
    void SetMtu(uint16_t mtu);

    /**
     * @param bytes the most bytes that wait at a port of a switch, 2 MiB at first
     */
    void SetQueueSize(uint32_t bytes);

    /**
     * Have packets that find a longer queue at a port be marked by ECN, for DCTCP.
     *
     * @param bytes the threshold; 0 for GetMarkingThreshold()
     */
    void EnableMarking(uint32_t bytes = 0);

    /**
     * @return the threshold for the rate of a node: a fifth of the bytes under way on the longest
     *         path, or ten packets if that is more. DCTCP asks for a seventh and room for bursts.
     */
    uint32_t GetMarkingThreshold() const;

    /**
     * @param factor links to nodes for each link up, at the lowest level of switches; 1 at first
     */
    void SetOversubscription(uint32_t factor);

    /**
     * @param seed a number that decides, with the flow, on the paths of packets
     */
    void SetHashSeed(uint32_t seed);

    /**
     * @return the time that a small packet takes to the farthest node and back, where no other is
     *         in its way and the packet to it is a full one
     */
    Time GetRoundTrip() const;

    NetDeviceContainer Install(const NodeContainer& nodes) const override;
    Ipv4InterfaceContainer AssignAddresses(const NetDeviceContainer& devices) const override;
    Ptr<CircuitController> CreateController(const NetDeviceContainer& devices) const override;
    FabricLimits GetLimits(uint32_t nNodes) const override;

  protected:
    DatacenterHelper();

    /**
     * @return links to nodes for each link up
     */
    uint32_t GetOversubscription() const;

    /**
     * @param links the number of links in a row
     * @return the time from the end of sending a full packet to its arrival over so many
     */
    Time GetLatency(uint32_t links) const;

  private:
    /**
     * Put the network together.
     *
     * @param builder adds switches and links
     * @param nodes the nodes, which are hosts of the builder already
     * @return the device of each node
     */
    virtual NetDeviceContainer Build(ClosBuilder& builder, const NodeContainer& nodes) const = 0;

    /**
     * @return the links of the longest path
     */
    virtual uint32_t GetNLinks() const = 0;

    /**
     * Refuse, by std::invalid_argument, more nodes than there is room for.
     *
     * @param nNodes the number of nodes
     */
    virtual void CheckSize(uint32_t nNodes) const = 0;

    DataRate m_bandwidth;           //!< Rate of each link
    Time m_delay;                   //!< Propagation delay of each link
    uint16_t m_mtu{9000};           //!< Most bytes of an IP packet
    uint32_t m_queueBytes{2 << 20}; //!< Most bytes that wait at a port of a switch
    bool m_marks{false};            //!< Whether packets are marked
    uint32_t m_markingBytes{0};     //!< Threshold of marking, 0 for the one that suits the rate
    uint32_t m_oversubscription{1}; //!< Links to nodes for each link up
    uint32_t m_seed{0};             //!< Decides on the paths of packets
};

} // namespace lightpath
} // namespace ns3

#endif /* DATACENTER_HELPER_H */
