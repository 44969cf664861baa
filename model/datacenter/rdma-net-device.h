/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RDMA_NET_DEVICE_H
#define RDMA_NET_DEVICE_H

#include "rdma-frame.h"
#include "rdma-trace.h"

#include "ns3/port-device.h"

#include <cstdint>
#include <functional>

namespace ns3
{
namespace lightpath
{

class RdmaNetwork;
class RdmaQueuePair;

/**
 * @ingroup lightpath
 * @brief A card for RDMA over Ethernet (RoCEv2), at a port of an RdmaNetwork.
 *
 * Post() sends a message by the queue pair of its destination. Packets of other protocols (Send())
 * go in a class of their own, which has the least priority and no flow control. Frames become
 * packets where a sink of a trace source looks: Ethernet, IPv4, UDP 4791, BTH, and AETH or the
 * content of a notification.
 */
class RdmaNetDevice : public PortDevice
{
  public:
    /// Takes a message: port of its sender, what identifies it, size in bytes.
    using MessageCallback = std::function<void(uint32_t, uint64_t, uint64_t)>;

    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    RdmaNetDevice();

    /**
     * @param network the network, whose next port the device gets
     */
    void Attach(Ptr<RdmaNetwork> network);

    /**
     * @return the network
     */
    Ptr<RdmaNetwork> GetNetwork() const;

    /**
     * Send a message.
     *
     * @param destination the port that it is for, another one
     * @param id identifies it at the receiver
     * @param bytes its size in bytes
     */
    void Post(uint32_t destination, uint64_t id, uint64_t bytes);

    /**
     * @param destination another port
     * @return the queue pair of messages for it
     */
    RdmaQueuePair& GetPair(uint32_t destination);

    /**
     * @param callback takes messages as they have arrived whole
     */
    void SetMessageCallback(MessageCallback callback);

    /**
     * @return whether something takes messages
     */
    bool HasMessageCallback() const
    {
        return m_messageCallback != nullptr;
    }

    /**
     * @return the bytes of all frames that were sent
     */
    uint64_t GetSentBytes() const;

    // The functions below are for the network

    /**
     * @param frame a frame that begins to be sent, or has arrived
     */
    void Sniff(const RdmaFrame& frame);

    /**
     * Hand over a message.
     *
     * @param source the port that sent it
     * @param id identifies it
     * @param bytes its size in bytes
     */
    void Deliver(uint32_t source, uint64_t id, uint64_t bytes);

    /**
     * Hand a packet to its protocol.
     *
     * @param packet the packet, with its Ethernet header
     */
    void TakeForeign(Ptr<Packet> packet);

    // NetDevice
    Ptr<Channel> GetChannel() const override;
    void SetAddress(Address address) override;
    bool IsLinkUp() const override;
    bool SendFrom(Ptr<Packet> packet,
                  const Address& source,
                  const Address& dest,
                  uint16_t protocolNumber) override;

  protected:
    void DoDispose() override;

  private:
    /**
     * @param frame a frame from or to this device
     * @return the packet that it is
     */
    Ptr<Packet> MakePacket(const RdmaFrame& frame) const;

    /**
     * Put a foreign frame into the network.
     *
     * @param packet its content
     * @param destination the port that it is for
     */
    void Enter(Ptr<Packet> packet, uint32_t destination);

    Ptr<RdmaNetwork> m_network;                         //!< The network
    MessageCallback m_messageCallback;                  //!< Takes messages
    RdmaTrace<Ptr<const Packet>> m_promiscSnifferTrace; //!< Frame sent or received
};

} // namespace lightpath
} // namespace ns3

#endif /* RDMA_NET_DEVICE_H */
