/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "sip-ring-helper.h"

#include "model/base/count-noun.h"
#include "model/control/ring/ring-static-allocator.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/fibre-delay.h"
#include "ns3/mrr-ring-channel.h"
#include "ns3/optical-link.h"
#include "ns3/ring-allocator.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{
namespace lightpath
{

SipRingHelper::SipRingHelper()
    : CircuitFabricHelper("ns3::lightpath::MrrRingChannel",
                          "ns3::lightpath::RingMaxMinAllocator",
                          DataRate(0))
{
    // As many lanes as a ring has by itself
    SetBandwidth(DataRate(2 * GetNFibres() * GetCountSetting("NWavelengths") *
                          GetWavelengthRate().GetBitRate()));
}

void
SipRingHelper::SetNFibres(uint32_t nFibres)
{
    SetChannelAttribute("NFibres", UintegerValue(nFibres));
}

void
SipRingHelper::SetWavelengthMode(RingGeometry::WavelengthMode mode)
{
    SetChannelAttribute("WavelengthMode", EnumValue(mode));
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
    };
}

std::string
SipRingHelper::CheckComponent(const std::string& component, uint32_t nNodes) const
{
    return GetGeometry(nNodes).TrySetFailed(component, true);
}

RingGeometry
SipRingHelper::GetGeometry(uint32_t nNodes) const
{
    EnumValue mode(RingGeometry::CONTINUITY);
    GetSetting("WavelengthMode", mode);
    RingGeometry geometry(nNodes, GetNFibres(), GetNWavelengths());
    geometry.SetWavelengthMode(static_cast<RingGeometry::WavelengthMode>(mode.Get()));
    return geometry;
}

uint64_t
SipRingHelper::GetNFibres() const
{
    uint64_t fibres = GetCountSetting("NFibres");
    const uint64_t lanes = 2 * GetWavelengthRate().GetBitRate();
    const uint64_t rate = GetBandwidth().GetBitRate();
    const bool isFree = !HasSetting("NFibres") && lanes > 0 && rate > 0 && rate % lanes == 0;
    while (isFree && rate % (fibres * lanes) != 0)
    {
        --fibres;
    }
    return fibres;
}

uint32_t
SipRingHelper::GetNWavelengths() const
{
    const uint64_t step = 2 * GetNFibres() * GetWavelengthRate().GetBitRate();
    return step > 0 ? GetBandwidth().GetBitRate() / step : 0;
}

std::string
SipRingHelper::CheckBandwidth() const
{
    if (!HasSetting("NFibres"))
    {
        return CheckWavelengths(2, " in each of 2 directions");
    }
    const uint64_t fibres = GetNFibres();
    return CheckWavelengths(2 * fibres,
                            " on " + CountNoun(fibres, "fibre") + " in each of 2 directions");
}

std::vector<FabricHelper::DerivedAttribute>
SipRingHelper::GetDerived() const
{
    std::vector<DerivedAttribute> derived = {{"NWavelengths",
                                              "the bandwidth of a node, NFibres and LaneRate",
                                              ns3::Create<UintegerValue>(GetNWavelengths())}};
    if (!HasSetting("NFibres"))
    {
        derived.push_back({"NFibres", "", ns3::Create<UintegerValue>(GetNFibres())});
    }
    return derived;
}

std::string
SipRingHelper::CheckAllocator(TypeId type) const
{
    if (!type.IsChildOf(RingAllocator::GetTypeId()))
    {
        return "A " + type.GetName() +
               " does not know rings: choose a child class of ns3::lightpath::RingAllocator";
    }
    const bool isExclusive = GetGeometry(2).GetWavelengthMode() == RingGeometry::EXCLUSIVE;
    return isExclusive && type.IsChildOf(RingStaticAllocator::GetTypeId())
               ? "A " + type.GetName() +
                     " reuses wavelengths, which the WavelengthMode Exclusive forbids: choose "
                     "ns3::lightpath::RingMaxMinAllocator"
               : "";
}

std::pair<uint32_t, std::string>
SipRingHelper::GetSliceable() const
{
    return {GetNWavelengths(), "wavelengths of a fibre"};
}

void
SipRingHelper::KeepShare(uint32_t /* count */)
{
    // The wavelengths follow from the bandwidth and the fibres, which all slices have
    SetNFibres(GetNFibres());
}

void
SipRingHelper::ConfigureAllocator(Ptr<CircuitAllocator> allocator, uint32_t nNodes) const
{
    DynamicCast<RingAllocator>(allocator)->SetGeometry(GetGeometry(nNodes));
    if (const auto channel = MakeLightChannel(nNodes, PhotonicChannel::BUDGET))
    {
        UintegerValue distance;
        allocator->GetAttribute("MaxDistance", distance);
        const uint64_t reach = channel->GetReach(nNodes);
        const uint64_t most = distance.Get() > 0 ? std::min(distance.Get(), reach) : reach;
        allocator->SetAttribute("MaxDistance", UintegerValue(most));
    }
}

void
SipRingHelper::Follow(Ptr<CircuitAllocator> allocator, Ptr<OpticalChannel> channel) const
{
    const auto ring = DynamicCast<MrrRingChannel>(channel);
    const auto follower = DynamicCast<RingAllocator>(allocator);
    follower->SetGeometry(ring->GetGeometry());
    ring->TraceConnectWithoutContext("Geometry",
                                     MakeCallback(&RingAllocator::SetGeometry, follower));
}

Time
SipRingHelper::GetPathDelay() const
{
    return GetFibreDelay(GetSetting<DoubleValue>("NodeDistance"));
}

uint32_t
SipRingHelper::GetDegree() const
{
    return m_planningDistance;
}

uint32_t
SipRingHelper::GetNCircuits() const
{
    return 2 * GetNFibres() * GetNWavelengths();
}

} // namespace lightpath
} // namespace ns3
