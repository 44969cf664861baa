/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FABRIC_NET_DEVICE_H
#define FABRIC_NET_DEVICE_H

#include "lightpath-borrower.h"

#include "ns3/port-device.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace lightpath
{

class FabricChannel;
class FrameSource;
class VirtualOutputQueue;
struct FabricFrame;

/**
 * @ingroup lightpath
 * @brief The part of a device that faces its node: queues packets by destination, and passes
 * received frames to their protocol.
 *
 * An abstract base class, which does not send; see OpticalNetDevice.
 */
class FabricNetDevice : public PortDevice
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    FabricNetDevice();
    ~FabricNetDevice() override;

    /**
     * @param queue the queue of packets, by destination
     */
    void SetQueue(Ptr<VirtualOutputQueue> queue);

    /**
     * @return the queue of packets, by destination
     */
    Ptr<VirtualOutputQueue> GetQueue() const;

    /**
     * @param source the source of frames besides Send(), or null. The device does not own it. A
     *        second source ends the program.
     */
    void SetFrameSource(FrameSource* source);

    /**
     * @return the source of frames besides Send(), or null
     */
    FrameSource* GetFrameSource() const
    {
        return m_source;
    }

    /**
     * Send the frames that the queue or the frame source has for a destination; called by either.
     *
     * @param destination a port of the fabric
     */
    virtual void NotifyFrames(uint32_t destination) = 0;

    /**
     * Call the callbacks of AddLinkChangeCallback(): the link goes up or down; called by
     * the fabric.
     */
    void NotifyLinkChange();

    /**
     * Handle the loss of a frame from this device, which was received corrupt; called by the
     * receiver.
     *
     * @param destination the port that the frame was for
     * @param frame the frame
     */
    void NotifyLost(uint32_t destination, Ptr<const Packet> frame);

    // NetDevice
    Ptr<Channel> GetChannel() const override;
    void SetAddress(Address address) override;
    bool IsLinkUp() const override;
    bool SendFrom(Ptr<Packet> packet,
                  const Address& source,
                  const Address& dest,
                  uint16_t protocolNumber) override;

    /**
     * TracedCallback signature for a frame, without its content.
     *
     * @param destination the port that it is for
     * @param bytes its size in bytes, with the Ethernet header
     */
    typedef void (*FrameTracedCallback)(uint32_t destination, uint64_t bytes);

    /**
     * TracedCallback signature for the rate to a destination.
     *
     * @param destination the port of the fabric
     * @param bitRate the rate in bit/s; zero for darkness
     */
    typedef void (*LightpathRateTracedCallback)(uint32_t destination, uint64_t bitRate);

  protected:
    void DoDispose() override;

    /**
     * @return the MAC address
     */
    Mac48Address GetMac48Address() const;

    /**
     * @param address the MAC address
     */
    void SetMac48Address(Mac48Address address);

    /**
     * Put the header of a frame to a destination in front of its payload.
     *
     * @param payload the payload
     * @param destination the port that the frame is for
     * @param protocol the protocol number
     */
    void AddHeader(Ptr<Packet> payload, uint32_t destination, uint16_t protocol) const;

    /**
     * @param destination a port of the fabric
     * @param [in,out] frame receives the next frame of the queue; empty before
     * @return false if there is none
     */
    bool NextQueueFrame(uint32_t destination, FabricFrame& frame);

    /**
     * @param destination a port of the fabric
     * @param [in,out] frame receives the next frame of the source; empty before
     * @return false if there is none
     */
    bool NextSourceFrame(uint32_t destination, FabricFrame& frame);

    /**
     * @return the bytes of the headers of the source in each of its frames; 0 without a source
     */
    uint32_t GetInnerHeaderSize() const;

    /**
     * Pass a frame that has been received completely to its protocol.
     *
     * @param frame the frame, whose header is removed
     */
    void HandUp(Ptr<Packet> frame);

    /**
     * @return true if a trace sink or a callback needs frames before HandUp() asks the frame source
     */
    bool LooksAtReceived() const;

    // The members that each frame uses come first, next to each other in memory
    Ptr<FabricChannel> m_channel;    //!< The fabric
    Ptr<VirtualOutputQueue> m_queue; //!< The packets that wait, by destination
    FrameSource* m_source{nullptr};  //!< Maker of frames besides Send(), or null
    bool m_isDescribed{false};       //!< The source describes its frames
    bool m_hasQueued{false};         //!< A packet has come into the queue

    FrameTrace<Ptr<const Packet>> m_phyTxBeginTrace;     //!< Frame begins
    FrameTrace<Ptr<const Packet>> m_phyTxEndTrace;       //!< Frame ends
    FrameTrace<Ptr<const Packet>> m_phyRxEndTrace;       //!< Frame received whole
    FrameTrace<Ptr<const Packet>> m_snifferTrace;        //!< Frame sent, or received for node
    FrameTrace<Ptr<const Packet>> m_promiscSnifferTrace; //!< Frame sent or received
    FrameTrace<uint32_t, uint64_t> m_frameBeginTrace;    //!< Frame begins, by its size
    FrameTrace<uint32_t, uint64_t> m_frameEndTrace;      //!< Frame ends, by its size
    FrameTrace<uint32_t, uint64_t> m_lightpathRateTrace; //!< Rate of a lightpath changes

  private:
    FrameTrace<Ptr<const Packet>> m_macRxTrace; //!< Packet received, for this node

  protected:
    TracedCallback<Ptr<const Packet>> m_macTxTrace;     //!< Packet accepted from above
    TracedCallback<Ptr<const Packet>> m_macTxDropTrace; //!< Packet refused
    TracedCallback<Ptr<const Packet>> m_phyTxDropTrace; //!< Frame lost at the sender
    TracedCallback<Ptr<const Packet>> m_phyRxDropTrace; //!< Frame received corrupt

  private:
    /**
     * Find the ports that a frame goes to.
     *
     * @param dest the destination address
     * @param [out] ports the ports
     */
    void FindPorts(Mac48Address dest, std::vector<uint32_t>& ports) const;

    FrameTrace<Ptr<const Packet>> m_macPromiscRxTrace; //!< Packet received, for any node
};

} // namespace lightpath
} // namespace ns3

#endif /* FABRIC_NET_DEVICE_H */
