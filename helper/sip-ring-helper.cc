/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "sip-ring-helper.h"

#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/fibre-delay.h"
#include "ns3/mrr-ring-channel.h"
#include "ns3/ring-allocator.h"
#include "ns3/uinteger.h"

#include <sstream>
#include <stdexcept>

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
SipRingHelper::SetWavelengthMode(RingGeometry::WavelengthMode mode)
{
    m_wavelengthMode = mode;
}

void
SipRingHelper::SetPlanningDistance(uint32_t hops)
{
    m_planningDistance = hops;
}

std::vector<CircuitAlgorithm>
SipRingHelper::GetAlgorithms() const
{
    return {
        {"max-min",
         "ns3::lightpath::RingMaxMinAllocator",
         "smallest lanes of a pair over its demand, relative to the largest demand"},
        {"static",
         "ns3::lightpath::RingStaticAllocator",
         "smallest lanes of a pair over its demand, relative to the largest demand"},
        {"min-cost-flow",
         "ns3::lightpath::RingMinCostFlowAllocator",
         "share of a direction that a pair has over its demand, relative to the largest demand, "
         "summed"},
    };
}

std::string
SipRingHelper::CheckComponent(const std::string& component, uint32_t nNodes) const
{
    return GetGeometry(nNodes).CheckComponent(component);
}

RingGeometry
SipRingHelper::GetGeometry(uint32_t nNodes) const
{
    RingGeometry geometry(nNodes, m_nFibres, GetNWavelengths());
    geometry.SetWavelengthMode(m_wavelengthMode);
    return geometry;
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
    factory.Set("WavelengthMode", EnumValue(m_wavelengthMode));
    factory.Set("LaneRate", DataRateValue(GetWavelengthRate()));
}

void
SipRingHelper::ConfigureAllocator(Ptr<CircuitAllocator> allocator, uint32_t nNodes) const
{
    GetRingAllocator(allocator)->SetGeometry(GetGeometry(nNodes));
}

void
SipRingHelper::Follow(Ptr<CircuitAllocator> allocator, Ptr<OpticalChannel> channel) const
{
    const auto ring = DynamicCast<MrrRingChannel>(channel);
    const auto follower = GetRingAllocator(allocator);
    follower->SetGeometry(ring->GetGeometry());
    ring->TraceConnectWithoutContext("Geometry",
                                     MakeCallback(&RingAllocator::SetGeometry, follower));
}

Ptr<RingAllocator>
SipRingHelper::GetRingAllocator(Ptr<CircuitAllocator> allocator)
{
    const auto ringAllocator = DynamicCast<RingAllocator>(allocator);
    if (!ringAllocator)
    {
        throw std::invalid_argument("A " + allocator->GetInstanceTypeId().GetName() +
                                    " does not know rings: choose a child class of "
                                    "ns3::lightpath::RingAllocator");
    }
    return ringAllocator;
}

void
SipRingHelper::ConfigurePaths(FabricLimits& limits, uint32_t nNodes) const
{
    DoubleValue distance;
    GetChannelAttribute("NodeDistance", distance);
    const double segment = GetFibreDelay(distance.Get()).GetSeconds();
    limits.latency = segment;
    if (nNodes < 2)
    {
        return;
    }
    // A direction carries half of the rate on each segment. What a pair has beyond that goes the
    // long way round: neighbours that all do so share out what the other direction carries, over n
    // - 1 segments each
    limits.peerBitRate = limits.bitRate / 2 * nNodes / (nNodes - 1);
    limits.pathLatency = [geometry = GetGeometry(nNodes), segment](uint32_t source,
                                                                   uint32_t destination,
                                                                   const std::vector<Lane>& lanes) {
        uint32_t hops = 0;
        for (const auto& lane : lanes)
        {
            const auto direction = geometry.GetDirection(lane.fibre);
            hops = std::max(hops, geometry.GetHops(source, destination, direction));
        }
        return hops * segment;
    };
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
