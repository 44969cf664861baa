/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "bounded-dctcp.h"

#include "ns3/log.h"
#include "ns3/tcp-socket-state.h"

#include <algorithm>

namespace ns3
{
namespace lightpath
{

NS_LOG_COMPONENT_DEFINE("BoundedDctcp");

NS_OBJECT_ENSURE_REGISTERED(BoundedDctcp);

TypeId
BoundedDctcp::GetTypeId()
{
    static TypeId tid = TypeId("ns3::lightpath::BoundedDctcp")
                            .SetParent<TcpDctcp>()
                            .SetGroupName("Lightpath")
                            .AddConstructor<BoundedDctcp>();
    return tid;
}

uint32_t
BoundedDctcp::GetSsThresh(Ptr<const TcpSocketState> tcb, uint32_t bytesInFlight)
{
    NS_LOG_FUNCTION(this << tcb << bytesInFlight);
    return std::max(TcpDctcp::GetSsThresh(tcb, bytesInFlight), 2 * tcb->m_segmentSize);
}

Ptr<TcpCongestionOps>
BoundedDctcp::Fork()
{
    NS_LOG_FUNCTION(this);
    return CopyObject<BoundedDctcp>(this);
}

} // namespace lightpath
} // namespace ns3
