/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ETHERNET_FIELDS_H
#define ETHERNET_FIELDS_H

#include "model/base/wire-format.h"

#include "ns3/ethernet-header.h"
#include "ns3/mac48-address.h"
#include "ns3/packet.h"

#include <cstdint>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief The fields of the Ethernet header at the beginning of a frame, which an EthernetHeader
 * takes several times as long to read.
 */
struct EthernetFields
{
    /**
     * @param frame a frame
     */
    explicit EthernetFields(const Packet& frame)
    {
        uint8_t bytes[ETHERNET_HEADER_BYTES];
        frame.CopyData(bytes, ETHERNET_HEADER_BYTES);
        destination.CopyFrom(bytes);
        source.CopyFrom(bytes + 6);
        protocol = static_cast<uint16_t>(bytes[12] << 8 | bytes[13]);
    }

    /**
     * Put a header in front of a payload.
     *
     * @param payload the payload, which becomes a frame
     * @param from the address that the frame comes from
     * @param to the address that the frame is for
     * @param number the number of the protocol of the payload
     */
    static void Add(Ptr<Packet> payload, Mac48Address from, Mac48Address to, uint16_t number)
    {
        EthernetHeader header(false);
        header.SetSource(from);
        header.SetDestination(to);
        header.SetLengthType(number);
        payload->AddHeader(header);
    }

    Mac48Address destination; //!< Address that the frame is for
    Mac48Address source;      //!< Address that the frame comes from
    uint16_t protocol;        //!< Number of the protocol of its payload
};

} // namespace lightpath
} // namespace ns3

#endif /* ETHERNET_FIELDS_H */
