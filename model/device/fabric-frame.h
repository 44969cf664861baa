/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FABRIC_FRAME_H
#define FABRIC_FRAME_H

#include "ns3/packet.h"

#include <cstdint>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief The description of a frame of a FrameSource, which stands for its packet until a trace, an
 * error model or a protocol looks at the packet.
 *
 * The packet can be made at any time, even after the source has been destroyed.
 */
struct SourceFrame
{
    /// Makes the payload of a frame.
    using Maker = Ptr<Packet> (*)(const SourceFrame& frame);

    Maker maker{nullptr};    //!< Function that makes its payload
    uint32_t port{0};        //!< Port of the fabric that sends it
    uint32_t bytes{0};       //!< Size of its payload, with the headers of the source
    uint64_t messageTag{0};  //!< Tag of the message that it carries a part of; see MessageHeader
    uint64_t messageSize{0}; //!< Size of this message in bytes, without headers
    uint16_t protocol{0};    //!< Protocol number of the source (FrameSource::GetProtocolNumber())
    uint8_t repeats{0};      //!< Times that its part of the message has been lost
    uint32_t origin{0};      //!< Port that has sent the message, where ports forward frames
    uint32_t destination{0}; //!< Port that the message is for, likewise
};

/**
 * @ingroup lightpath
 * @brief A frame on its way through a fabric: a packet, or its description.
 */
struct FabricFrame
{
    Ptr<Packet> packet; //!< The packet with its Ethernet header; null if it has not been made
    SourceFrame source; //!< The description, if the packet has not been made
    uint32_t bytes{0};  //!< Size with the Ethernet header; 0 if there is no frame

    /// Bytes that are received corrupt: all, or the payload of some of the frames of a burst
    uint32_t lostBytes{0};
};

} // namespace lightpath
} // namespace ns3

#endif /* FABRIC_FRAME_H */
