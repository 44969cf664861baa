/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef INTERCONNECT_HELPER_H
#define INTERCONNECT_HELPER_H

#include "ns3/circuit-controller.h"
#include "ns3/data-rate.h"
#include "ns3/ipv4-interface-container.h"
#include "ns3/net-device-container.h"
#include "ns3/node-container.h"
#include "ns3/nstime.h"
#include "ns3/server-layout.h"

#include <memory>
#include <string>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Installs an interconnect: a fabric of one channel (FabricHelper), a
 * network of switches (DatacenterHelper), one of each (HybridHelper), or any of these between
 * servers (ServerHelper).
 *
 * An abstract base class. Setters of its child classes accept any value; Check() tells whether the
 * values fit together.
 */
class InterconnectHelper
{
  public:
    /**
     * @return the names that Create() knows, in ascending order
     */
    static std::vector<std::string> GetNames();

    /**
     * @param name a name of an interconnect
     * @return empty if Create() knows it; otherwise a message that lists the known names
     */
    [[nodiscard]] static std::string CheckName(const std::string& name);

    /**
     * Create the helper of an interconnect. A name that CheckName() rejects ends the program with
     * its message.
     *
     * @param name one of GetNames(), or the names of an optical fabric and of the network beside it
     *        with a plus between them, like sip-ring+fat-tree (HybridHelper)
     * @return the helper
     */
    static std::unique_ptr<InterconnectHelper> Create(const std::string& name);

    virtual ~InterconnectHelper() = default;

    /**
     * @param nNodes the number of nodes
     * @return empty if the interconnect, as it has been set up, can be installed over these
     *         nodes; otherwise the sentence that says why not. Install() and
     *         CreateController() end the program with this sentence.
     */
    [[nodiscard]] virtual std::string Check(uint32_t nNodes) const = 0;

    /**
     * @param nNodes the number of nodes
     * @return empty if the simulation of the interconnect can be divided among processes;
     *         otherwise the sentence that says why not, which is the default
     */
    [[nodiscard]] virtual std::string CheckCut(uint32_t nNodes) const;

    /**
     * @return the number of successive nodes that stay in one process; 1 by default
     */
    virtual uint32_t GetCutUnit() const
    {
        return 1;
    }

    /**
     * Divide nodes among the processes of a simulation, as their system IDs, before Install(). A
     * number of nodes or an interconnect that cannot be divided is refused by
     * std::invalid_argument.
     *
     * @param nodes the nodes
     */
    void Cut(const NodeContainer& nodes) const;

    /**
     * @param bandwidth the rate of each node into the interconnect, and out of it
     */
    virtual void SetBandwidth(DataRate bandwidth)
    {
        m_bandwidth = bandwidth;
    }

    /**
     * @return the rate of each node into the interconnect
     */
    virtual DataRate GetBandwidth() const
    {
        return m_bandwidth;
    }

    /**
     * @param gpus the GPUs of a server
     * @param cards its cards
     * @return how the GPUs of servers below the interconnect are attached to it, unless
     *         ServerHelper::SetAttach() says otherwise: by rails if each has a card, otherwise by
     *         cards that they share
     */
    virtual Attach GetUsualAttach(uint32_t gpus, uint32_t cards) const
    {
        return cards < gpus ? Attach::CARDS : Attach::RAIL;
    }

    /**
     * @param delay the time of a message besides its bytes and the delay of its path, as cards and
     *        software take it
     */
    virtual void SetMessageDelay(Time delay) = 0;

    /**
     * Tell which nodes are one server. Leaves of switches then have whole servers, and those of
     * rails one node of each.
     *
     * @param nodes the successive nodes of a server, 1 at first
     */
    virtual void SetServerNodes(uint32_t nodes)
    {
        m_serverNodes = nodes;
    }

    /**
     * Install the interconnect and, on each node, a device attached to it.
     *
     * @param nodes the nodes
     * @return the devices, in the order of the nodes
     */
    virtual NetDeviceContainer Install(const NodeContainer& nodes) const = 0;

    /**
     * Fix the random numbers of the fabrics that devices are on, so that they draw the same ones
     * whatever has been simulated before.
     *
     * @param devices devices that Install() returned
     * @param stream the number of the first stream
     * @return the number of streams that were assigned
     */
    static int64_t AssignStreams(const NetDeviceContainer& devices, int64_t stream);

    /**
     * Let nodes use IPv4 over the interconnect: nodes without a protocol stack get one, and each
     * device gets an address, unless it has one already.
     *
     * @param devices devices that Install() returned
     * @return the interfaces, in the order of the devices
     */
    virtual Ipv4InterfaceContainer AssignAddresses(const NetDeviceContainer& devices) const = 0;

    /**
     * @param devices devices that Install() returned
     * @return the controller of the circuits between them, not started yet; null for an
     *         interconnect without circuits, which is the default: a helper of circuits overrides
     * it
     */
    virtual Ptr<CircuitController> CreateController(const NetDeviceContainer& devices) const
    {
        return nullptr;
    }

    /**
     * End the program with the sentence of Check(), if it has one.
     *
     * @param nNodes the number of nodes
     */
    void RequireValid(uint32_t nNodes) const;

  protected:
    /**
     * @param bandwidth the rate of each node into the interconnect
     */
    explicit InterconnectHelper(DataRate bandwidth = DataRate(0))
        : m_bandwidth(bandwidth)
    {
    }

    /**
     * @return the successive nodes of a server
     */
    uint32_t GetServerNodes() const
    {
        return m_serverNodes;
    }

    /**
     * @param nodes the usual number of nodes of a leaf
     * @return the least number of them, as many or more, that are whole servers
     */
    uint32_t FillServers(uint32_t nodes) const
    {
        return (nodes + m_serverNodes - 1) / m_serverNodes * m_serverNodes;
    }

  private:
    DataRate m_bandwidth;      //!< Rate of each node into the interconnect
    uint32_t m_serverNodes{1}; //!< Successive nodes of a server
};

} // namespace lightpath
} // namespace ns3

#endif /* INTERCONNECT_HELPER_H */
