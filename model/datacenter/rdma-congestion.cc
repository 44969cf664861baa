/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "rdma-congestion.h"

namespace ns3
{
namespace lightpath
{

NS_OBJECT_ENSURE_REGISTERED(RdmaCongestion);
NS_OBJECT_ENSURE_REGISTERED(LineRate);

TypeId
RdmaCongestion::GetTypeId()
{
    static TypeId tid = TypeId("ns3::lightpath::RdmaCongestion")
                            .SetParent<Object>()
                            .SetGroupName("Lightpath")
                            .AddTraceSource("Rate",
                                            "The rate of the sender is set, bit/s.",
                                            MakeTraceSourceAccessor(&RdmaCongestion::m_rateTrace),
                                            "ns3::lightpath::RdmaCongestion::RateTracedCallback")
                            .AddTraceSource("Window",
                                            "The window of the sender is set, bytes.",
                                            MakeTraceSourceAccessor(&RdmaCongestion::m_windowTrace),
                                            "ns3::lightpath::RdmaCongestion::RateTracedCallback");
    return tid;
}

void
RdmaCongestion::Begin(const Path& path)
{
    m_path = path;
    m_rate = path.bitRate;
}

RdmaCongestion::Signals
RdmaCongestion::GetSignals() const
{
    return {};
}

uint64_t
RdmaCongestion::CountSteady(int64_t, int64_t, uint32_t) const
{
    return 0;
}

TypeId
LineRate::GetTypeId()
{
    static TypeId tid = TypeId("ns3::lightpath::LineRate")
                            .SetParent<RdmaCongestion>()
                            .SetGroupName("Lightpath")
                            .AddConstructor<LineRate>();
    return tid;
}

uint64_t
LineRate::CountSteady(int64_t, int64_t, uint32_t) const
{
    return UINT64_MAX;
}

} // namespace lightpath
} // namespace ns3
