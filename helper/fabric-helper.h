/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FABRIC_HELPER_H
#define FABRIC_HELPER_H

#include "interconnect-helper.h"

#include "ns3/fabric-channel.h"
#include "ns3/object-factory.h"
#include "ns3/queue.h"
#include "ns3/trace-helper.h"

#include <memory>
#include <string>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Installs one fabric over a set of nodes.
 *
 * This class cannot be instantiated, as it does not know the kind of fabric; each kind has a child
 * class. Where all nodes have the IPv4 (or IPv6) stack, its neighbour caches are filled at the
 * start of the simulation, since a circuit may not lead back to answer an address resolution.
 */
class FabricHelper : public InterconnectHelper,
                     public PcapHelperForDevice,
                     public AsciiTraceHelperForDevice
{
  public:
    /**
     * @return the names that Create() knows, in ascending order
     */
    static std::vector<std::string> GetNames();

    /**
     * @param name "electrical" (ElectricalSwitchHelper), "oddl" (OddlHelper), "optinc"
     *        (OptIncHelper), "sip-ocs" (SipOcsHelper) or "sip-ring" (SipRingHelper);
     *        std::invalid_argument, which lists these, for any other
     * @return the helper for this kind of fabric
     */
    static std::unique_ptr<FabricHelper> Create(const std::string& name);

    ~FabricHelper() override;

    /**
     * @param bandwidth the rate of each node into the fabric, and out of it. A rate that the lanes
     * of the fabric cannot make up is refused by std::invalid_argument.
     */
    void SetBandwidth(DataRate bandwidth) override;

    DataRate GetBandwidth() const override;

    /**
     * Set an attribute of the devices to be installed. DataRate, which devices of other modules
     * have, is taken for SetBandwidth().
     *
     * @param name the name of the attribute
     * @param value its value
     */
    void SetDeviceAttribute(const std::string& name, const AttributeValue& value);

    /**
     * Set an attribute of the channel to be installed. DataRate, which channels of other modules
     * have, is taken for SetBandwidth().
     *
     * @param name the name of the attribute
     * @param value its value
     */
    void SetChannelAttribute(const std::string& name, const AttributeValue& value);

    /**
     * Set an attribute of the queues to be installed.
     *
     * @param name the name of the attribute
     * @param value its value
     */
    void SetQueueAttribute(const std::string& name, const AttributeValue& value);

    /**
     * Install devices without the flow control that a queue disc above them needs.
     */
    void DisableFlowControl();

    /**
     * Install one fabric and, on each node, a device that is attached to it. Port i of the fabric
     * is on node i.
     *
     * @param nodes the nodes
     * @return the devices, in the order of the nodes
     */
    NetDeviceContainer Install(const NodeContainer& nodes) const override;

    /**
     * Install one fabric over two nodes.
     *
     * @param a the node at port 0
     * @param b the node at port 1
     * @return the two devices
     */
    NetDeviceContainer Install(Ptr<Node> a, Ptr<Node> b) const;

    Ipv4InterfaceContainer AssignAddresses(const NetDeviceContainer& devices) const override;

    /**
     * @param component the name of a component, as FabricChannel::SetFailed() takes it
     * @param nNodes the number of nodes of the fabric, at least 2
     * @return empty if the fabric over so many nodes has it; otherwise the sentence that lists the
     *         known ones. Here there is none.
     */
    [[nodiscard]] virtual std::string CheckComponent(const std::string& component,
                                                     uint32_t nNodes) const;

    /**
     * @param devices devices that Install() returned
     * @return the fabric that they are attached to
     */
    static Ptr<FabricChannel> GetChannel(const NetDeviceContainer& devices);

  protected:
    /**
     * @param channelType the name of the type of the channel
     * @param bandwidth the rate of each node into the fabric
     */
    FabricHelper(const std::string& channelType, DataRate bandwidth);

    /**
     * @param name the name of an attribute of the channel to be installed
     * @param [out] value its value
     */
    void GetChannelAttribute(const std::string& name, AttributeValue& value) const;

    /**
     * @param factory what makes channels
     * @param name the name of an attribute that they have
     * @param [out] value the value that they are made with
     */
    static void ReadAttribute(const ObjectFactory& factory,
                              const std::string& name,
                              AttributeValue& value);

  private:
    /**
     * Set those attributes of the channel that follow from the bandwidth; std::invalid_argument if
     * it cannot be had.
     *
     * @param factory makes the channel
     */
    virtual void ConfigureChannel(ObjectFactory& factory) const = 0;

    /**
     * Set those attributes of the channel that follow from the number of nodes; nothing here.
     *
     * @param factory makes the channel
     * @param nNodes the number of nodes
     */
    virtual void ConfigureSize(ObjectFactory& factory, uint32_t nNodes) const;

    /**
     * Set what a channel can only be told once all devices are attached; nothing here.
     *
     * @param channel the channel
     */
    virtual void ConfigureAttached(Ptr<FabricChannel> channel) const;

    void EnablePcapInternal(std::string prefix,
                            Ptr<NetDevice> nd,
                            bool promiscuous,
                            bool explicitFilename) override;
    void EnableAsciiInternal(Ptr<OutputStreamWrapper> stream,
                             std::string prefix,
                             Ptr<NetDevice> nd,
                             bool explicitFilename) override;

    /**
     * @param name the name of an attribute
     * @param value its value
     * @return true if it is DataRate, which SetBandwidth() gets
     */
    bool TakeDataRate(const std::string& name, const AttributeValue& value);

    DataRate m_bandwidth;           //!< Rate of each node into the fabric
    ObjectFactory m_deviceFactory;  //!< Makes the devices
    ObjectFactory m_channelFactory; //!< Makes the channel
    ObjectFactory m_queueFactory;   //!< Makes the queues
    bool m_flowControl{true};       //!< Devices tell queue discs when they are full
};

} // namespace lightpath
} // namespace ns3

#endif /* FABRIC_HELPER_H */
