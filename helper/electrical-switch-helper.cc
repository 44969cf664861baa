/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "electrical-switch-helper.h"

#include "ns3/uinteger.h"

#include <sstream>
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
ElectricalSwitchHelper::SetServers(uint32_t size, DataRate rate, Time delay)
{
    if (size == 0 || rate.GetBitRate() == 0 || delay.IsStrictlyNegative())
    {
        std::ostringstream sentence;
        sentence << "There are no servers of " << size << " nodes with a rate of "
                 << rate.GetBitRate() << " bit/s and a delay of " << delay.GetSeconds()
                 << " s: a server has 1 node at least, a rate above 0 and a delay of 0 or more";
        throw std::invalid_argument(sentence.str());
    }
    m_serverSize = size;
    m_serverRate = rate;
    m_serverDelay = delay;
    SetChannelAttribute("ServerSize", UintegerValue(size));
    SetChannelAttribute("ServerRate", DataRateValue(rate));
    SetChannelAttribute("ServerDelay", TimeValue(delay));
}

void
ElectricalSwitchHelper::SetDelay(Time delay)
{
    if (delay.IsStrictlyNegative())
    {
        std::ostringstream sentence;
        sentence << "An electrical switch cannot have a delay of " << delay.GetSeconds()
                 << " s: it must be 0 or more";
        throw std::invalid_argument(sentence.str());
    }
    m_delay = delay;
    SetChannelAttribute("Delay", TimeValue(delay));
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
    limits.isShared = true;
    limits.latency = m_delay.GetSeconds();
    limits.serverGpus = m_serverSize;
    limits.serverBitRate = m_serverRate.GetBitRate();
    limits.serverLatency = m_serverDelay.GetSeconds();
    return limits;
}

} // namespace lightpath
} // namespace ns3
