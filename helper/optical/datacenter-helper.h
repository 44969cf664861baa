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
 * An abstract base class; child classes define the topology. ClosRouting routes packets: a hash
 * chooses one of the shortest paths for each flow. Switch ports drop packets that exceed their
 * queue; with a marking threshold they also mark packets that arrive at a longer queue
 * (RedQueueDisc with ECN, for DCTCP). Hosts then have a queue for each flow (FqCoDelQueueDisc), and
 * mark packets that wait for as long as the threshold takes. Hosts never drop packets of
 * transports that react to marks.
 *
 * All links have the rate of a node. With an oversubscription of o, a switch of the lowest level
 * has o links to nodes for each link up.
 */
class DatacenterHelper : public InterconnectHelper
{
  public:
    std::string Check(uint32_t nNodes) const override;

    /**
     * @param gpus the GPUs of a server
     * @param cards its cards
     * @return a port of the network for each card: it joins all of them
     */
    Attach GetUsualAttach(uint32_t gpus, uint32_t cards) const override;

    /**
     * @param nNodes the number of nodes
     * @return a sentence if links have no delay; a network of switches is divided at links
     */
    std::string CheckCut(uint32_t nNodes) const override;

    /**
     * @param delay the time of a message in cards and software before its first packet, as jobs of
     *        InstallJob() have it; packets and acknowledgements have no more than that of links
     */
    void SetMessageDelay(Time delay) override;

    /**
     * @return that time
     */
    Time GetMessageDelay() const;

    /**
     * @param delay the propagation delay of a link, 500 ns at first
     */
    void SetDelay(Time delay);

    /**
     * @param mtu the largest size of an IP packet in bytes, at least 576; 9000 at first
     */
    void SetMtu(uint16_t mtu);

    /**
     * Let switches cut through. A long packet then takes the time of a train of shorter ones.
     *
     * @param bytes the bytes of an IP packet that a switch has received as it begins to forward it;
     *        0 at first: all of them
     */
    void SetCutThrough(uint32_t bytes);

    /**
     * @param bytes the size of the queue of a port of a switch, 2 MiB at first
     */
    void SetQueueSize(uint32_t bytes);

    /**
     * Mark packets by ECN that arrive at a port with a longer queue, for DCTCP.
     *
     * @param bytes the threshold; 0 for GetMarkingThreshold()
     */
    void EnableMarking(uint32_t bytes = 0);

    /**
     * @return the threshold for the rate of a node: a fifth of the bytes under way on the longest
     *         path, or ten packets of at most 9000 bytes if that is more. DCTCP asks for a seventh
     *         and room for bursts.
     */
    uint32_t GetMarkingThreshold() const;

    /**
     * @param factor links to nodes for each link up, at the lowest level of switches; 1 at first
     */
    void SetOversubscription(uint32_t factor);

    /**
     * @param seed the seed of the hash that chooses the path of a flow
     */
    void SetHashSeed(uint32_t seed);

    /**
     * @return the round-trip time of a full packet to the farthest node and a small packet back,
     *         without queueing
     */
    Time GetRoundTrip() const;

    NetDeviceContainer Install(const NodeContainer& nodes) const override;
    Ipv4InterfaceContainer AssignAddresses(const NetDeviceContainer& devices) const override;

    /**
     * @return links to nodes for each link up
     */
    uint32_t GetOversubscription() const;

    /**
     * @param links the number of links in a row
     * @return the time from the end of sending a full packet until it has crossed them
     */
    Time GetLatency(uint32_t links) const;

    /**
     * @return the number of links of the longest path
     */
    virtual uint32_t GetNLinks() const = 0;

    /**
     * @return the rate of a node that is left for messages besides the headers of TCP, bit/s
     */
    double GetMessageRate() const;

  protected:
    DatacenterHelper();

  private:
    /**
     * Build the network.
     *
     * @param builder adds switches and links
     * @param nodes the nodes, which the builder already has as hosts
     * @return the device of each node
     */
    virtual NetDeviceContainer Build(ClosBuilder& builder, const NodeContainer& nodes) const = 0;

    Time m_messageDelay;            //!< Time of a message before its first packet
    Time m_delay;                   //!< Propagation delay of each link
    uint16_t m_mtu{9000};           //!< Largest size of an IP packet in bytes
    uint32_t m_cutBytes{0};         //!< Bytes after which a switch forwards a packet; 0 for all
    uint32_t m_queueBytes{2 << 20}; //!< Size of the queue of a port of a switch in bytes
    bool m_marks{false};            //!< Whether packets are marked
    uint32_t m_markingBytes{0};     //!< Marking threshold; 0 for GetMarkingThreshold()
    uint32_t m_oversubscription{1}; //!< Links to nodes for each link up
    uint32_t m_seed{0};             //!< Decides on the paths of packets
};

} // namespace lightpath
} // namespace ns3

#endif /* DATACENTER_HELPER_H */
