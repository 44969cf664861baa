/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BOUNDED_DCTCP_H
#define BOUNDED_DCTCP_H

#include "ns3/tcp-dctcp.h"

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief DCTCP whose window never falls below two segments, as in Linux.
 *
 * The TcpDctcp of ns-3 has no such bound. Once marks have reduced its window below one segment and
 * all bytes are acknowledged, TCP waits for a larger window before it sends (silly window
 * syndrome), without a timer: the connection never sends again.
 */
class BoundedDctcp : public TcpDctcp
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    uint32_t GetSsThresh(Ptr<const TcpSocketState> tcb, uint32_t bytesInFlight) override;
    Ptr<TcpCongestionOps> Fork() override;
};

} // namespace lightpath
} // namespace ns3

#endif /* BOUNDED_DCTCP_H */
