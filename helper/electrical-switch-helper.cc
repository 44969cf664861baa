/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "electrical-switch-helper.h"

#include <stdexcept>

namespace ns3
{
namespace lightpath
{

ElectricalSwitchHelper::ElectricalSwitchHelper()
    : FabricHelper("ns3::lightpath::CrossbarChannel", DataRate("2000Gbps"))
{
}

ElectricalSwitchHelper::~ElectricalSwitchHelper()
{
}

void
ElectricalSwitchHelper::ConfigureChannel(ObjectFactory& factory) const
{
    if (GetBandwidth().GetBitRate() == 0)
    {
        throw std::invalid_argument("The bandwidth of an electrical switch must not be zero");
    }
    factory.Set("LinkRate", DataRateValue(GetBandwidth()));
}

Ptr<CircuitController>
ElectricalSwitchHelper::CreateController(const NetDeviceContainer& devices) const
{
    return nullptr;
}

FabricLimits
ElectricalSwitchHelper::GetLimits(uint32_t nNodes) const
{
    FabricLimits limits;
    limits.bitRate = GetBandwidth().GetBitRate();
    return limits;
}

} // namespace lightpath
} // namespace ns3
