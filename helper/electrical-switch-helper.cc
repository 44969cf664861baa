/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "electrical-switch-helper.h"

#include "ns3/abort.h"
#include "ns3/uinteger.h"

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
ElectricalSwitchHelper::SetServers(uint32_t size, DataRate rate, Time delay)
{
    NS_ABORT_MSG_IF(size == 0 || rate.GetBitRate() == 0 || delay.IsStrictlyNegative(),
                    "There are no servers of "
                        << size << " nodes with a rate of " << rate.GetBitRate()
                        << " bit/s and a delay of " << delay.GetSeconds()
                        << " s: a server has 1 node at least, a rate above 0 and a delay of 0 or "
                           "more");
    SetChannelAttribute("ServerSize", UintegerValue(size));
    SetChannelAttribute("ServerRate", DataRateValue(rate));
    SetChannelAttribute("ServerDelay", TimeValue(delay));
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

FabricLimits
ElectricalSwitchHelper::GetLimits(uint32_t nNodes) const
{
    RequireValid(nNodes);
    FabricLimits limits;
    limits.bitRate = GetBandwidth().GetBitRate();
    limits.isShared = true;
    limits.latency = GetSetting<TimeValue>("Delay").GetSeconds();
    limits.servers.layout.gpus = GetCountSetting("ServerSize");
    if (limits.HasServers())
    {
        limits.servers.bitRate = GetSetting<DataRateValue>("ServerRate").GetBitRate();
        limits.servers.latency = GetSetting<TimeValue>("ServerDelay").GetSeconds();
    }
    return limits;
}

} // namespace lightpath
} // namespace ns3
