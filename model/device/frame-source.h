/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FRAME_SOURCE_H
#define FRAME_SOURCE_H

#include "fabric-frame.h"

#include "ns3/packet.h"

#include <cstdint>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Makes frames when an OpticalNetDevice is ready to send them, and receives the frames of
 * its peers.
 *
 * A source makes the frames of a message one by one, so that none waits in memory. When it has its
 * first frame for a destination, it calls OpticalNetDevice::NotifyFrames().
 *
 * A source may describe its frames. Packets are then made only for trace sinks, error models, and
 * receivers that do not support the description.
 */
class FrameSource
{
  public:
    virtual ~FrameSource() = default;

    /**
     * @param destination a port of the fabric
     * @return the payload of the next frame for it; null if there is none
     */
    virtual Ptr<Packet> NextFrame(uint32_t destination) = 0;

    /**
     * @return true if DescribeFrame() may be called in place of NextFrame(); constant
     */
    virtual bool DescribesFrames() const
    {
        return false;
    }

    /**
     * Return the description of the next frame, in place of NextFrame().
     *
     * @param destination a port of the fabric
     * @param [out] frame the frame
     * @return false if there is none
     */
    virtual bool DescribeFrame(uint32_t destination, SourceFrame& frame)
    {
        return false;
    }

    /**
     * @return the protocol number of all frames
     */
    virtual uint16_t GetProtocolNumber() const = 0;

    /**
     * @return the bytes of the headers at the front of each payload, which both parts of a burst
     *         get if errors corrupt a part of it; 0 if a frame is corrupt as a whole
     */
    virtual uint32_t GetHeaderSize() const
    {
        return 0;
    }

    /**
     * @param destination a port of the fabric
     * @return the bytes of the remaining frames for it
     */
    virtual uint64_t GetBacklog(uint32_t destination) const = 0;

    /**
     * Receive a frame of this protocol for this device.
     *
     * @param payload the payload of the frame
     * @return false to let the device pass the frame to its node, like other frames
     */
    virtual bool ReceiveFrame(const Ptr<const Packet>& payload)
    {
        return false;
    }

    /**
     * Receive the description of a frame of this protocol for this device.
     *
     * @param frame the frame
     * @return false to let the device make the packet and call ReceiveFrame()
     */
    virtual bool ReceiveDescribed(const SourceFrame& frame)
    {
        return false;
    }

    /**
     * Count frames that a LightpathBorrower has begun in place of the device.
     *
     * @param bytes their size in bytes, with all headers
     */
    virtual void CountLent(uint64_t bytes)
    {
    }

    /**
     * Take a message back from a LightpathBorrower, to be sent as the last one.
     *
     * @param destination the port that it is for
     * @param tag its tag
     * @param bytes its size in bytes
     */
    virtual void TakeOver(uint32_t destination, uint64_t tag, uint64_t bytes)
    {
    }

    /**
     * Handle the loss of a corrupt frame, or of the corrupt part of a burst. The receiver calls
     * this at once; a source adds the time until a sender learns of the loss.
     *
     * @param destination the port that the frame was for
     * @param payload the payload of the frame
     */
    virtual void NotifyLost(uint32_t destination, Ptr<const Packet> payload) = 0;
};

} // namespace lightpath
} // namespace ns3

#endif /* FRAME_SOURCE_H */
