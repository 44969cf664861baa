/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ring-link-helper.h"

#include "model/control/ring/ring-static-allocator.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/mrr-ring-channel.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{
namespace lightpath
{

RingLinkHelper::RingLinkHelper()
{
    SetNFibres(1);
    SetChannelAttribute("NodeDistance", DoubleValue(0));
    SetChannelAttribute("InitialSwitching", BooleanValue(false));
    SetBandwidth(DataRate("100Gbps"));
}

DataRate
RingLinkHelper::GetWavelengthRate() const
{
    return DataRate(GetBandwidth().GetBitRate() / 2);
}

std::vector<FabricHelper::DerivedAttribute>
RingLinkHelper::GetDerived() const
{
    const std::string origin = "the bandwidth of a node and the number of nodes";
    return {{"NWavelengths", origin, ns3::Create<UintegerValue>(1)},
            {"LaneRate", origin, ns3::Create<DataRateValue>(GetWavelengthRate())}};
}

void
RingLinkHelper::ConfigureSize(ObjectFactory& factory, uint32_t nNodes) const
{
    // The wavelengths that all pairs need in each direction: of n nodes, n^2 / 4 arcs lead across a
    // segment, half of them if both directions share
    const uint64_t arcs = uint64_t{nNodes} * nNodes / 4;
    const uint32_t wavelengths = std::max<uint64_t>((arcs + 1) / 2, 1);
    const uint32_t peers = std::max(nNodes, 2U) - 1;
    factory.Set("NWavelengths", UintegerValue(wavelengths));
    factory.Set("LaneRate", DataRateValue(DataRate(GetBandwidth().GetBitRate() / peers)));
}

void
RingLinkHelper::ConfigureAttached(Ptr<FabricChannel> channel) const
{
    const auto ring = DynamicCast<MrrRingChannel>(channel);
    const uint32_t nNodes = ring->GetNDevices();
    TrafficMatrix all(nNodes);
    for (uint32_t source = 0; source < nNodes; ++source)
    {
        for (uint32_t hop = 1; hop < nNodes; ++hop)
        {
            all.Add(source, (source + hop) % nNodes, 1);
        }
    }
    const auto allocator = CreateObject<RingStaticAllocator>();
    allocator->SetGeometry(ring->GetGeometry());
    ring->Configure(allocator->Allocate(all).plan);
}

} // namespace lightpath
} // namespace ns3
