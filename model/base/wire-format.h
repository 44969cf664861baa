/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WIRE_FORMAT_H
#define WIRE_FORMAT_H

#include <cstdint>

namespace ns3
{
namespace lightpath
{

/// Bytes of an Ethernet header: two addresses and a protocol number, without a check sequence.
inline constexpr uint32_t ETHERNET_HEADER_BYTES = 14;

/// Bytes of an IPv4 header without options.
inline constexpr uint32_t IPV4_HEADER_BYTES = 20;

/// Bytes of a UDP header.
inline constexpr uint32_t UDP_HEADER_BYTES = 8;

/// Bytes of a TCP header without options.
inline constexpr uint32_t TCP_HEADER_BYTES = 20;

/// Bytes of the header that a PointToPointNetDevice adds (PPP).
inline constexpr uint32_t PPP_HEADER_BYTES = 2;

/// Bytes of the header that a transport adds to a message, or to each part of it (MessageHeader).
inline constexpr uint32_t MESSAGE_HEADER_BYTES = 20;

/// Bytes of all headers of a frame of a message.
inline constexpr uint32_t FRAME_HEADER_BYTES = ETHERNET_HEADER_BYTES + MESSAGE_HEADER_BYTES;

/// Bytes of the header that names the destination where other ports may forward a frame
/// (RelayHeader).
inline constexpr uint32_t RELAY_HEADER_BYTES = 4;

/// Bytes of all headers of a frame that other ports may forward.
inline constexpr uint32_t RELAY_FRAME_HEADER_BYTES = FRAME_HEADER_BYTES + RELAY_HEADER_BYTES;

/// Bytes of a message in the smallest frames into which a burst is cut where it is forwarded.
inline constexpr uint64_t FORWARDED_PART_BYTES = 9000 - MESSAGE_HEADER_BYTES;

/// Largest payload of a frame in bytes, a power of two well below the 4 GiB that a Packet can hold.
inline constexpr uint64_t MAX_FRAME_PAYLOAD_BYTES = uint64_t{1} << 30;

} // namespace lightpath
} // namespace ns3

#endif /* WIRE_FORMAT_H */
