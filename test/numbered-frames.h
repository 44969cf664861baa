/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_NUMBERED_FRAMES_H
#define LIGHTPATH_NUMBERED_FRAMES_H

#include "ns3/circuit-plan.h"
#include "ns3/frame-source.h"
#include "ns3/packet.h"

#include <deque>
#include <map>
#include <utility>
#include <vector>

/// Tools of random scripts of failures.
namespace scripts
{

using namespace ns3;
using namespace ns3::lightpath;

constexpr uint16_t SOURCED = 0x88b5; //!< Protocol number of frames of a frame source
constexpr uint16_t QUEUED = 0x88b6;  //!< Protocol number of frames that were sent through a queue

/// The identity of a frame: its number in order and its size without header, in bytes.
using Frame = std::pair<uint32_t, uint32_t>;

/// A way that frames take: its ports and the protocol number.
using Way = std::pair<PortPair, uint16_t>;

/**
 * @param frame the identity of the frame
 * @return a packet with its number in the first bytes
 */
inline Ptr<Packet>
MakePacket(const Frame& frame)
{
    std::vector<uint8_t> bytes(frame.second, 0);
    for (uint32_t i = 0; i < 4; ++i)
    {
        bytes[i] = frame.first >> 8 * i & 255;
    }
    return Create<Packet>(bytes.data(), bytes.size());
}

/**
 * @param packet a packet
 * @return its identity
 */
inline Frame
ReadPacket(Ptr<const Packet> packet)
{
    uint8_t bytes[4] = {};
    packet->CopyData(bytes, 4);
    uint32_t number = 0;
    for (uint32_t i = 0; i < 4; ++i)
    {
        number |= uint32_t{bytes[i]} << 8 * i;
    }
    return {number, packet->GetSize()};
}

/**
 * @ingroup lightpath-tests
 * @brief Makes numbered frames.
 */
class NumberedFrames : public FrameSource
{
  public:
    Ptr<Packet> NextFrame(uint32_t destination) override
    {
        auto& frames = waiting[destination];
        if (frames.empty())
        {
            return nullptr;
        }
        const Frame frame = frames.front();
        frames.pop_front();
        return MakePacket(frame);
    }

    uint16_t GetProtocolNumber() const override
    {
        return SOURCED;
    }

    uint64_t GetBacklog(uint32_t destination) const override
    {
        uint64_t bytes = 0;
        const auto found = waiting.find(destination);
        if (found != waiting.end())
        {
            for (const auto& frame : found->second)
            {
                bytes += frame.second;
            }
        }
        return bytes;
    }

    void NotifyLost(uint32_t destination, Ptr<const Packet> payload) override
    {
    }

    std::map<uint32_t, std::deque<Frame>> waiting; //!< Frames by destination
};

} // namespace scripts

#endif /* LIGHTPATH_NUMBERED_FRAMES_H */
