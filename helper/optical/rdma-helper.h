/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RDMA_HELPER_H
#define RDMA_HELPER_H

#include "link-graph-helper.h"

#include "ns3/object-factory.h"
#include "ns3/rdma-network.h"
#include "ns3/trace-helper.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Installs a network for RDMA over Ethernet, packet by packet (RdmaNetwork): the switches
 * and links of a LinkGraphHelper, with a card on each node.
 */
class RdmaHelper : public InterconnectHelper, public PcapHelperForDevice
{
  public:
    /**
     * @param graph the switches and links
     */
    explicit RdmaHelper(std::unique_ptr<LinkGraphHelper> graph = nullptr);

    /**
     * @return the names of congestion controls that SetCongestion() knows
     */
    static std::vector<std::string> GetCongestions();

    /**
     * @param network the name of a network of packets or flows, like leaf-spine
     * @return the switches and links that it has; null if cards for RDMA cannot use it
     */
    static std::unique_ptr<LinkGraphHelper> MakeGraph(const std::string& network);

    /**
     * Read a network of ns-3's point-to-point links, whose rates and delays links get. Switches are
     * the nodes that links lead to from the first ones, with the names that ns3::Names has, or
     * node-ID.
     *
     * @param nodes the nodes that get cards; each has one link
     * @return the switches and links
     */
    static std::unique_ptr<LinkGraphHelper> ReadGraph(const NodeContainer& nodes);

    /**
     * Choose the congestion control, and the routing that suits it: sprayed packets for nscc, a
     * path for each queue pair for the others. An unknown name ends the program.
     *
     * @param name dcqcn (at first), hpcc, nscc, pfc for none but pauses, or the name of the TypeId
     *        of a class derived from RdmaCongestion
     */
    void SetCongestion(const std::string& name);

    /**
     * @return its name
     */
    const std::string& GetCongestion() const
    {
        return m_name;
    }

    /**
     * @param name the name of an attribute of the congestion control
     * @param value its value
     */
    void SetCongestionAttribute(const std::string& name, const AttributeValue& value);

    /**
     * @param name the name of an attribute of switches (RdmaSwitch)
     * @param value its value
     */
    void SetSwitchAttribute(const std::string& name, const AttributeValue& value);

    /**
     * @param name the name of an attribute of the network (RdmaNetwork)
     * @param value its value
     */
    void SetNetworkAttribute(const std::string& name, const AttributeValue& value);

    /**
     * @return the switches and links
     */
    LinkGraphHelper& GetGraph() const
    {
        return *m_graph;
    }

    /**
     * @return the routing that suits the congestion control
     */
    std::string GetRouting() const;

    /**
     * @param devices devices that Install() returned
     * @return their network
     */
    static Ptr<RdmaNetwork> GetNetwork(const NetDeviceContainer& devices);

    /**
     * @return the share of the rate of a link that is left for messages
     */
    double GetMessageShare() const;

    /**
     * @return the bytes of a full packet on a link, with the gap before the next one
     */
    uint32_t GetWireBytes() const;

    /**
     * @param nNodes the number of nodes
     * @return the links of the longest path between two of them
     */
    uint32_t GetMostLinks(uint32_t nNodes) const;

    /**
     * @param component the name of a component, as RdmaNetwork::SetFailed() takes it
     * @param nNodes the number of nodes
     * @return empty if the network has it; otherwise the sentence that says what it has
     */
    [[nodiscard]] std::string CheckComponent(const std::string& component, uint32_t nNodes) const
    {
        return m_graph->CheckComponent(component, nNodes);
    }

    std::string Check(uint32_t nNodes) const override;
    void SetBandwidth(DataRate bandwidth) override;
    DataRate GetBandwidth() const override;
    Attach GetUsualAttach(uint32_t gpus, uint32_t cards) const override;
    void SetMessageDelay(Time delay) override;
    void SetServerNodes(uint32_t nodes) override;
    NetDeviceContainer Install(const NodeContainer& nodes) const override;
    Ipv4InterfaceContainer AssignAddresses(const NetDeviceContainer& devices) const override;

  private:
    void EnablePcapInternal(std::string prefix,
                            Ptr<NetDevice> nd,
                            bool promiscuous,
                            bool explicitFilename) override;

    std::unique_ptr<LinkGraphHelper> m_graph; //!< The switches and links
    std::string m_name;                       //!< Name of the congestion control
    ObjectFactory m_congestion;               //!< Makes congestion controls
    ObjectFactory m_switches;                 //!< Makes switches
    ObjectFactory m_network;                  //!< Makes networks
    uint32_t m_packet{4096};                  //!< Largest payload of a packet, bytes
};

} // namespace lightpath
} // namespace ns3

#endif /* RDMA_HELPER_H */
