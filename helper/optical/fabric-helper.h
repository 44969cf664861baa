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
#include "ns3/photonic-channel.h"
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
 * An abstract base class; each kind of fabric has a child class. If all nodes have the IPv4 (or
 * IPv6) stack, their neighbour caches are filled at the start of the simulation, since a circuit
 * may have no way back for the reply of an address resolution.
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
     * @return empty if Create() knows it; otherwise a message that lists the known names
     */
    [[nodiscard]] static std::string CheckName(const std::string& name);

    /**
     * Create the helper of a fabric. An unknown name ends the program with the message of
     * CheckName().
     *
     * @param name one of GetNames(), like sip-ring
     * @return the helper
     */
    static std::unique_ptr<FabricHelper> Create(const std::string& name);

    /**
     * @param delay the time of a message besides its bytes and the delay of its path: the attribute
     *        Delay of the channel
     */
    void SetMessageDelay(Time delay) override;

    std::string Check(uint32_t nNodes) const override;

    /**
     * Set an attribute of the devices to be installed. DataRate, as of other devices, calls
     * SetBandwidth(). Address and TxQueue are rejected, since each device has its own.
     *
     * @param name the name of the attribute
     * @param value its value
     */
    void SetDeviceAttribute(const std::string& name, const AttributeValue& value);

    /**
     * Set an attribute of the channel to be installed. DataRate, as of other channels, calls
     * SetBandwidth(). An attribute that the helper derives, like NWavelengths of a ring from the
     * bandwidth, is rejected with a message that names its origin.
     *
     * @param name the name of the attribute
     * @param value its value
     */
    void SetChannelAttribute(const std::string& name, const AttributeValue& value);

    /**
     * State that a few devices stand for all. Light passes the stages of larger switches, or an
     * averager of more servers; a network of links keeps its switches.
     *
     * @param whole the helper of the whole fabric
     * @param ports its ports
     * @param kept of these, the ports of the devices; a network of links alone looks at them
     */
    virtual void StandForAll(const FabricHelper& whole,
                             uint32_t ports,
                             const std::vector<uint32_t>& kept);

    /**
     * @param name the name of an attribute of the channel
     * @param [out] value the value that the channel will have
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
     * Install devices without flow control towards the queue discs above them.
     */
    void DisableFlowControl();

    /**
     * Install one fabric and, on each node, a device attached to it. Port i of the fabric is on
     * node i.
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

    /**
     * @param name the name of an attribute of the channel that is not a derived one
     * @param [out] value the value set by SetChannelAttribute(), or else the default
     */
    void GetSetting(const std::string& name, AttributeValue& value) const;

    /**
     * @param name the name of an attribute of the channel
     * @return true if it has been set by SetChannelAttribute()
     */
    bool HasSetting(const std::string& name) const;

    /**
     * @param nNodes the number of nodes
     * @return a channel for them, without devices
     */
    Ptr<FabricChannel> MakeChannel(uint32_t nNodes) const;

    /**
     * @param nNodes the number of nodes
     * @param layer an influence of the light
     * @return the channel for them, if its PhysicalLayer is this one; otherwise null
     */
    Ptr<PhotonicChannel> MakeLightChannel(uint32_t nNodes,
                                          PhotonicChannel::PhysicalLayer layer) const;

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

  protected:
    /// An attribute of the channel that the helper derives.
    struct DerivedAttribute
    {
        std::string name;   //!< Its name
        std::string origin; //!< Its origin, for the error message; empty if it can be set
        Ptr<const AttributeValue> value; //!< Its value
    };

    /**
     * @param channelType the name of the type of the channel
     * @param bandwidth the rate of each node into the fabric
     */
    FabricHelper(const std::string& channelType, DataRate bandwidth);

    /**
     * @param nNodes the number of nodes
     * @return empty unless a PhysicalLayer with the value Budget forbids all lightpaths, or one
     * with the value Errors all data; otherwise the sentence that says why
     */
    [[nodiscard]] std::string CheckLight(uint32_t nNodes) const;

    /**
     * Forget an attribute of the channel that has been set by SetChannelAttribute().
     *
     * @param name the name of the attribute
     */
    void ResetSetting(const std::string& name);

  private:
    /**
     * @return the attributes of the channel that follow from the bandwidth and from other
     *         attributes, which Check() has accepted; none in the base class
     */
    virtual std::vector<DerivedAttribute> GetDerived() const;

    /**
     * Set the attributes of the channel that follow from the number of nodes. The base class sets
     * none.
     *
     * @param factory makes the channel
     * @param nNodes the number of nodes
     */
    virtual void ConfigureSize(ObjectFactory& factory, uint32_t nNodes) const;

    /**
     * Configure a channel once all devices are attached. The base class does nothing.
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
     * @return true if it is DataRate, which is passed to SetBandwidth()
     */
    bool TakeDataRate(const std::string& name, const AttributeValue& value);

    /**
     * @param name the name of an attribute of the channel
     * @return its description; an unknown name ends the program
     */
    TypeId::AttributeInformation FindChannelAttribute(const std::string& name) const;

    TypeId m_channelType;          //!< Type of the channel
    ObjectFactory m_deviceFactory; //!< Makes the devices
    ObjectFactory m_queueFactory;  //!< Makes the queues
    bool m_flowControl{true};      //!< Devices stop queue discs while they are full

    /// The attributes of the channel that have been set, by name
    std::map<std::string, Ptr<const AttributeValue>> m_settings;
};

} // namespace lightpath
} // namespace ns3

#endif /* FABRIC_HELPER_H */
