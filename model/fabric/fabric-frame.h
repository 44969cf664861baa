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
 * @brief What a FrameSource says of a frame in place of its packet.
 *
 * The packet can be made of it at any time, also when the source exists no more.
 */
struct SourceFrame
{
    /// Makes the payload of a frame.
    using Maker = Ptr<Packet> (*)(const SourceFrame& frame);

    Maker maker{nullptr};    //!< Makes its payload
    uint32_t port{0};        //!< The port of the fabric that sends it
    uint32_t bytes{0};       //!< The size of its payload
    uint64_t tag{0};         //!< A number of the source's own
    uint64_t messageSize{0}; //!< Another one
    uint16_t protocol{0};    //!< The protocol number
};

/**
 * @ingroup lightpath
 * @brief A frame on its way through a fabric: a packet, or the description that stands for it as
 * long as nobody looks at the packet.
 */
struct FabricFrame
{
    Ptr<Packet> packet; //!< The packet with its Ethernet header; null if it has not been made
    SourceFrame source; //!< The description, if the packet has not been made
    uint32_t bytes{0};  //!< The size with the Ethernet header; 0 if there is no frame
};

} // namespace lightpath
} // namespace ns3

#endif /* FABRIC_FRAME_H */
