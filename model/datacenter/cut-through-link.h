/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CUT_THROUGH_LINK_H
#define CUT_THROUGH_LINK_H

#include "ns3/nstime.h"
#include "ns3/packet.h"
#include "ns3/point-to-point-channel.h"
#include "ns3/point-to-point-net-device.h"
#include "ns3/ptr.h"

#include <cstdint>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief A point-to-point link at whose ends a node may get a packet before its last bit.
 *
 * A switch that cuts through forwards a packet as soon as it has received its beginning. Its links
 * must have the same rate, so that no bit is sent before it has arrived. The trace source
 * TxRxPointToPoint tells of the duration until the packet is handed over.
 */
class CutThroughLink : public PointToPointChannel
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * Hand over packets at an end as soon as their first bytes have arrived.
     *
     * @param device the device at the end, which is attached already
     * @param bytes the number of bytes, with the header of PPP; 0 for whole packets
     */
    void CutThrough(const Ptr<PointToPointNetDevice>& device, uint32_t bytes);

    bool TransmitStart(Ptr<const Packet> packet,
                       Ptr<PointToPointNetDevice> source,
                       Time duration) override;

  protected:
    /**
     * @param packet a packet
     * @param source the device that sends it
     * @param duration the time that the device takes to send it
     * @return the time until the device sends the last bit that the other end waits for
     */
    Time GetWait(const Packet& packet,
                 const Ptr<PointToPointNetDevice>& source,
                 const Time& duration) const;

  private:
    uint32_t m_first[2]{0, 0}; //!< Bytes that each end waits for; 0 for all
};

} // namespace lightpath
} // namespace ns3

#endif /* CUT_THROUGH_LINK_H */
