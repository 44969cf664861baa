/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "sip-ocs-helper.h"

#include "ns3/circuit-switch-max-min-allocator.h"
#include "ns3/uinteger.h"

#include <sstream>
#include <stdexcept>

namespace ns3
{
namespace lightpath
{

SipOcsHelper::SipOcsHelper()
    : CircuitFabricHelper("ns3::lightpath::CircuitSwitchChannel",
                          "ns3::lightpath::CircuitSwitchMaxMinAllocator",
                          DataRate("2000Gbps"))
{
    SetChannelAttribute("SwitchingDelay", TimeValue(MilliSeconds(10)));
}

SipOcsHelper::~SipOcsHelper()
{
}

void
SipOcsHelper::SetNSwitches(uint32_t nSwitches)
{
    m_nSwitches = nSwitches;
}

void
SipOcsHelper::ConfigureChannel(ObjectFactory& factory) const
{
    if (m_nSwitches == 0)
    {
        throw std::invalid_argument("A fabric of circuit switches needs 1 switch at least");
    }
    std::ostringstream parts;
    parts << "wavelengths of " << GetWavelengthRate().GetBitRate() / 1e9 << " Gb/s";
    CheckMultiple(GetWavelengthRate().GetBitRate(), parts.str());
    factory.Set("NSwitches", UintegerValue(m_nSwitches));
    factory.Set("LaneRate", DataRateValue(DataRate(GetBandwidth().GetBitRate() / m_nSwitches)));
}

void
SipOcsHelper::ConfigureAllocator(Ptr<CircuitAllocator> allocator, uint32_t nNodes) const
{
    DynamicCast<CircuitSwitchMaxMinAllocator>(allocator)->SetLimits(nNodes, m_nSwitches);
}

uint32_t
SipOcsHelper::GetDegree() const
{
    return m_nSwitches;
}

uint32_t
SipOcsHelper::GetNCircuits() const
{
    return m_nSwitches;
}

} // namespace lightpath
} // namespace ns3
