/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "sip-ring-helper.h"

#include "ns3/abort.h"
#include "ns3/mrr-ring-channel.h"
#include "ns3/ring-max-min-allocator.h"
#include "ns3/uinteger.h"

#include <sstream>

namespace ns3
{
namespace lightpath
{

SipRingHelper::SipRingHelper()
    : CircuitFabricHelper("ns3::lightpath::MrrRingChannel",
                          "ns3::lightpath::RingMaxMinAllocator",
                          DataRate("2000Gbps"))
{
}

SipRingHelper::~SipRingHelper()
{
}

void
SipRingHelper::SetNFibres(uint32_t nFibres)
{
    m_nFibres = nFibres;
}

void
SipRingHelper::SetPlanningDistance(uint32_t hops)
{
    m_planningDistance = hops;
}

void
SipRingHelper::ConfigureChannel(ObjectFactory& factory) const
{
    const uint64_t step = 2 * m_nFibres * GetWavelengthRate().GetBitRate();
    std::ostringstream parts;
    parts << "equal numbers of wavelengths of " << GetWavelengthRate().GetBitRate() / 1e9
          << " Gb/s on " << m_nFibres << " fibres in each of 2 directions";
    CheckMultiple(step, parts.str());
    factory.Set("NFibres", UintegerValue(m_nFibres));
    factory.Set("NWavelengths", UintegerValue(GetBandwidth().GetBitRate() / step));
    factory.Set("LaneRate", DataRateValue(GetWavelengthRate()));
}

void
SipRingHelper::ConfigureAllocator(Ptr<CircuitAllocator> allocator, Ptr<FabricChannel> channel) const
{
    const auto ring = DynamicCast<MrrRingChannel>(channel);
    NS_ABORT_MSG_UNLESS(ring, "The devices are not attached to an MrrRingChannel");
    DynamicCast<RingMaxMinAllocator>(allocator)->SetGeometry(ring->GetGeometry());
}

FabricLimits
SipRingHelper::GetLimits() const
{
    FabricLimits limits;
    limits.bitRate = GetBandwidth().GetBitRate();
    limits.degree = m_planningDistance;
    return limits;
}

} // namespace lightpath
} // namespace ns3
