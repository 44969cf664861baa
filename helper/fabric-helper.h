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
#include "ns3/uinteger.h"

#include <map>
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
     * @return the names of fabrics that Create() knows, in ascending order
     */
    static std::vector<std::string> GetNames();

    /**
     * @param name a name of a fabric
     * @return empty if Create() knows it; otherwise the sentence that says so and lists the known
     *         ones
     */
    [[nodiscard]] static std::string CheckName(const std::string& name);

    /**
     * Make the helper for a kind of fabric. An unknown name ends the program with the sentence of
     * CheckName().
     *
     * @param name one of GetNames(), like sip-ring
     * @return the helper
     */
    static std::unique_ptr<FabricHelper> Create(const std::string& name);

    std::string Check(uint32_t nNodes) const override;

    /**
     * Set an attribute of the devices to be installed. DataRate, which devices of other modules
     * have, is taken for SetBandwidth(). Address and TxQueue are refused, since each device has its
     * own.
     *
     * @param name the name of the attribute
     * @param value its value
     */
    void SetDeviceAttribute(const std::string& name, const AttributeValue& value);

    /**
     * Set an attribute of the channel to be installed. DataRate, which channels of other modules
     * have, is taken for SetBandwidth(). An attribute that the helper computes from others, like
     * NWavelengths of a ring from the bandwidth, is refused with a sentence that names these.
     *
     * @param name the name of the attribute
     * @param value its value
     */
    void SetChannelAttribute(const std::string& name, const AttributeValue& value);

    /**
     * @param name the name of an attribute of the channel
     * @param [out] value the value that the channel is going to be installed with
     */
    void GetChannelAttribute(const std::string& name, AttributeValue& value) const;

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
     * @return empty if the fabric over these nodes has it; otherwise the sentence that lists the
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
    /// An attribute of the channel that the helper computes, so that it cannot be set.
    struct DerivedAttribute
    {
        std::string name;                //!< Its name
        std::string origin;              //!< What it follows from, for the sentence of a refusal
        Ptr<const AttributeValue> value; //!< Its value
    };

    /**
     * @param channelType the name of the type of the channel
     * @param bandwidth the rate of each node into the fabric
     */
    FabricHelper(const std::string& channelType, DataRate bandwidth);

    /**
     * @param name the name of an attribute of the channel that is not a derived one
     * @param [out] value the value set by SetChannelAttribute(), or else the default
     */
    void GetSetting(const std::string& name, AttributeValue& value) const;

    /**
     * @tparam V the type of the value of an attribute, like DataRateValue
     * @param name the name of an attribute of the channel that is not a derived one
     * @return the value set by SetChannelAttribute(), or else the default
     */
    template <typename V>
    auto GetSetting(const std::string& name) const
    {
        V value;
        GetSetting(name, value);
        return value.Get();
    }

    /**
     * @param name the name of an attribute of the channel that is a count
     * @return the value set by SetChannelAttribute(), or else the default
     */
    uint32_t GetCountSetting(const std::string& name) const
    {
        return static_cast<uint32_t>(GetSetting<UintegerValue>(name));
    }

    /**
     * @param name the name of an attribute of the channel
     * @return true if it has been set by SetChannelAttribute()
     */
    bool HasSetting(const std::string& name) const;

    /**
     * Forget an attribute of the channel that has been set by SetChannelAttribute().
     *
     * @param name the name of the attribute
     */
    void ResetSetting(const std::string& name);

  private:
    /**
     * @return the attributes of the channel that follow from the bandwidth and from other
     *         attributes, where Check() has nothing against these: here none
     */
    virtual std::vector<DerivedAttribute> GetDerived() const;

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

    /**
     * @param name the name of an attribute of the channel
     * @return what is known of it; an unknown name ends the program
     */
    TypeId::AttributeInformation FindChannelAttribute(const std::string& name) const;

    TypeId m_channelType;          //!< Type of the channel
    ObjectFactory m_deviceFactory; //!< Makes the devices
    ObjectFactory m_queueFactory;  //!< Makes the queues
    bool m_flowControl{true};      //!< Devices tell queue discs when they are full

    /// The attributes of the channel that have been set, by name
    std::map<std::string, Ptr<const AttributeValue>> m_settings;
};

} // namespace lightpath
} // namespace ns3

#endif /* FABRIC_HELPER_H */
