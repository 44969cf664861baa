/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PORT_DEVICE_H
#define PORT_DEVICE_H

#include "ns3/mac48-address.h"
#include "ns3/net-device.h"
#include "ns3/traced-callback.h"

#include <cstdint>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Base of all devices of this module: an address, an MTU, and broadcast and multicast as in
 * Ethernet.
 *
 * An abstract base class, which does not send.
 */
class PortDevice : public NetDevice
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    PortDevice();
    ~PortDevice() override;

    /**
     * @return the port of the network that the device has
     */
    uint32_t GetPort() const
    {
        return m_port;
    }

    /**
     * @return the ID of the node that the device is on
     */
    uint32_t GetNodeId() const;

    // NetDevice
    void SetIfIndex(const uint32_t index) override;
    uint32_t GetIfIndex() const override;
    Address GetAddress() const override;
    bool SetMtu(const uint16_t mtu) override;
    uint16_t GetMtu() const override;
    void AddLinkChangeCallback(Callback<void> callback) override;
    bool IsBroadcast() const override;
    Address GetBroadcast() const override;
    bool IsMulticast() const override;
    Address GetMulticast(Ipv4Address multicastGroup) const override;
    Address GetMulticast(Ipv6Address addr) const override;
    bool IsBridge() const override;
    bool IsPointToPoint() const override;
    bool Send(Ptr<Packet> packet, const Address& dest, uint16_t protocolNumber) override;
    Ptr<Node> GetNode() const override;
    void SetNode(Ptr<Node> node) override;
    bool NeedsArp() const override;
    void SetReceiveCallback(NetDevice::ReceiveCallback cb) override;
    void SetPromiscReceiveCallback(NetDevice::PromiscReceiveCallback cb) override;
    bool SupportsSendFrom() const override;

  protected:
    void DoDispose() override;

    NetDevice::ReceiveCallback m_receiveCallback;        //!< Takes the packets for this node
    NetDevice::PromiscReceiveCallback m_promiscCallback; //!< Takes all packets
    TracedCallback<> m_linkChangeCallbacks;              //!< Called as the link changes
    Mac48Address m_address;                              //!< The MAC address
    uint16_t m_mtu{0};  //!< Largest size of a packet given to Send(), in bytes
    uint32_t m_port{0}; //!< The port of the network

  private:
    Ptr<Node> m_node;      //!< The node that the device is on
    uint32_t m_nodeId{0};  //!< Its ID
    uint32_t m_ifIndex{0}; //!< Index of the device on the node
};

} // namespace lightpath
} // namespace ns3

#endif /* PORT_DEVICE_H */
