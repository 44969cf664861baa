/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "sip-ring-helper.h"

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

uint32_t
SipRingHelper::GetNWavelengths() const
{
    const uint64_t step = 2 * m_nFibres * GetWavelengthRate().GetBitRate();
    std::ostringstream parts;
    parts << "equal numbers of wavelengths of " << GetWavelengthRate().GetBitRate() / 1e9
          << " Gb/s on " << m_nFibres << " fibres in each of 2 directions";
    CheckMultiple(step, parts.str());
    return GetBandwidth().GetBitRate() / step;
}

void
SipRingHelper::ConfigureChannel(ObjectFactory& factory) const
{
    factory.Set("NFibres", UintegerValue(m_nFibres));
    factory.Set("NWavelengths", UintegerValue(GetNWavelengths()));
    factory.Set("LaneRate", DataRateValue(GetWavelengthRate()));
}

void
SipRingHelper::ConfigureAllocator(Ptr<CircuitAllocator> allocator, uint32_t nNodes) const
{
    DynamicCast<RingMaxMinAllocator>(allocator)->SetGeometry(
        RingGeometry(nNodes, m_nFibres, GetNWavelengths()));
}

Ptr<CircuitController>
SipRingHelper::CreateController(const NetDeviceContainer& devices) const
{
    const auto controller = CircuitFabricHelper::CreateController(devices);
    const auto ring = DynamicCast<MrrRingChannel>(controller->GetChannel());
    const auto allocator = DynamicCast<RingMaxMinAllocator>(controller->GetAllocator());
    // Decisions avoid the segments that have failed by then
    allocator->SetGeometry(ring->GetGeometry());
    ring->TraceConnectWithoutContext("Geometry",
                                     MakeCallback(&RingMaxMinAllocator::SetGeometry, allocator));
    return controller;
}

uint32_t
SipRingHelper::GetDegree() const
{
    return m_planningDistance;
}

uint32_t
SipRingHelper::GetNCircuits() const
{
    return 2 * m_nFibres * GetNWavelengths();
}

} // namespace lightpath
} // namespace ns3
