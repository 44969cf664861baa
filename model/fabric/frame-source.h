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
 * @brief Makes frames as an OpticalNetDevice is ready to send them, and takes those of its peers.
 *
 * A source with a message of many frames hands them over one by one, so that none waits in memory.
 * Once it has something for a destination that it had nothing for, it calls
 * OpticalNetDevice::NotifyFrames().
 *
 * A source may describe its frames. Their packets are then made only for those who look at them:
 * sinks of traces, error models, and receivers that do not know the description.
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
     * @return true if DescribeFrame() may be called in place of NextFrame(); always the same
     */
    virtual bool DescribesFrames() const
    {
        return false;
    }

    /**
     * Hand over the next frame, as NextFrame() does, but as a description.
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
     * @param destination a port of the fabric
     * @return the bytes of the frames for it that have not been handed over
     */
    virtual uint64_t GetBacklog(uint32_t destination) const = 0;

    /**
     * Take a frame of this protocol that the device has received for itself.
     *
     * @param payload the payload of the frame
     * @return false to have the device hand the frame to its node, as it does with all others
     */
    virtual bool ReceiveFrame(const Ptr<const Packet>& payload)
    {
        return false;
    }

    /**
     * Take a frame of this protocol that the device has received for itself as a description.
     *
     * @param frame the frame
     * @return false to have the packet made and handed to ReceiveFrame()
     */
    virtual bool ReceiveDescribed(const SourceFrame& frame)
    {
        return false;
    }

    /**
     * Hear that a frame was received corrupt and has been dropped. The receiver's PHY tells at
     * once; a source that models how the sender learns of it adds the time that this takes.
     *
     * @param destination the port that the frame was for
     * @param payload the payload of the frame
     */
    virtual void NotifyLost(uint32_t destination, Ptr<const Packet> payload) = 0;
};

} // namespace lightpath
} // namespace ns3

#endif /* FRAME_SOURCE_H */
