/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "cut-through-link.h"

#include "ns3/assert.h"

namespace ns3
{
namespace lightpath
{

NS_OBJECT_ENSURE_REGISTERED(CutThroughLink);

TypeId
CutThroughLink::GetTypeId()
{
    static TypeId tid = TypeId("ns3::lightpath::CutThroughLink")
                            .SetParent<PointToPointChannel>()
                            .SetGroupName("Lightpath")
                            .AddConstructor<CutThroughLink>();
    return tid;
}

void
CutThroughLink::CutThrough(const Ptr<PointToPointNetDevice>& device, uint32_t bytes)
{
    NS_ASSERT_MSG(device == GetSource(0) || device == GetSource(1), "The device is at an end");
    m_first[device == GetSource(0) ? 0 : 1] = bytes;
}

Time
CutThroughLink::GetWait(const Packet& packet,
                        const Ptr<PointToPointNetDevice>& source,
                        const Time& duration) const
{
    const uint32_t first = m_first[source == GetSource(0) ? 1 : 0];
    return first == 0 || first >= packet.GetSize()
               ? duration
               : TimeStep(duration.GetTimeStep() * first / packet.GetSize());
}

bool
CutThroughLink::TransmitStart(Ptr<const Packet> packet,
                              Ptr<PointToPointNetDevice> source,
                              Time duration)
{
    return PointToPointChannel::TransmitStart(packet, source, GetWait(*packet, source, duration));
}

} // namespace lightpath
} // namespace ns3
