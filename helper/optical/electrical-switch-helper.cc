/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "electrical-switch-helper.h"

#include "ns3/abort.h"

namespace ns3
{
namespace lightpath
{

ElectricalSwitchHelper::ElectricalSwitchHelper()
    : FabricHelper("ns3::lightpath::CrossbarChannel", DataRate(0))
{
    SetBandwidth(GetSetting<DataRateValue>("LinkRate"));
}

void
ElectricalSwitchHelper::SetDelay(Time delay)
{
    NS_ABORT_MSG_IF(delay.IsStrictlyNegative(),
                    "An electrical switch cannot have a delay of " << delay.GetSeconds()
                                                                   << " s: it must be 0 or more");
    SetChannelAttribute("Delay", TimeValue(delay));
}

std::string
ElectricalSwitchHelper::Check(uint32_t nNodes) const
{
    return GetBandwidth().GetBitRate() == 0
               ? "The bandwidth of an electrical switch must not be zero"
               : "";
}

std::vector<FabricHelper::DerivedAttribute>
ElectricalSwitchHelper::GetDerived() const
{
    return {{"LinkRate",
             "the bandwidth of a node (SetBandwidth() or DataRate)",
             ns3::Create<DataRateValue>(GetBandwidth())}};
}

} // namespace lightpath
} // namespace ns3
