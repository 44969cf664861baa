/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ORDERED_LINK_H
#define ORDERED_LINK_H

#include "model/datacenter/cut-through-link.h"

#include "ns3/nstime.h"
#include "ns3/packet.h"
#include "ns3/point-to-point-net-device.h"
#include "ns3/ptr.h"

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief A point-to-point link whose packets arrive as OrderedArrival, also in another process.
 *
 * The trace source TxRxPointToPoint stays silent.
 */
class OrderedLink : public CutThroughLink
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * Have the device at an end of a link between processes get the packets that arrive.
     *
     * @param device the device
     */
    static void Listen(const Ptr<PointToPointNetDevice>& device);

    bool TransmitStart(Ptr<const Packet> packet,
                       Ptr<PointToPointNetDevice> source,
                       Time duration) override;
};

} // namespace lightpath
} // namespace ns3

#endif /* ORDERED_LINK_H */
