/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "light-fault.h"

#include "ns3/optical-link.h"

#include <algorithm>
#include <sstream>

namespace ns3
{
namespace lightpath
{

uint32_t
LightFault::CountWavelengths(DataRate rate)
{
    const uint64_t takes = CreateObject<OpticalLink>()->GetRate().GetBitRate();
    return static_cast<uint32_t>(std::max<uint64_t>((rate.GetBitRate() + takes - 1) / takes, 1));
}

std::optional<LightFault>
LightFault::FindInBands(DataRate rate, uint32_t ports, const OpticalSwitch& element)
{
    const uint32_t wavelengths = CountWavelengths(rate);
    const uint32_t channels = element.GetChannels();
    const uint64_t needed = uint64_t{ports} * wavelengths;
    if (needed <= channels)
    {
        return std::nullopt;
    }
    std::ostringstream sentence;
    sentence << "A transceiver of " << rate.GetBitRate() / 1e9 << " Gb/s has " << wavelengths
             << " wavelengths, so that a switch of " << ports << " ports has " << needed
             << ", but routes " << channels;
    const uint32_t fit = channels / ports;
    std::ostringstream remedy;
    if (fit > 0)
    {
        remedy << "transceivers of at most "
               << fit * (CreateObject<OpticalLink>()->GetRate().GetBitRate() / 1e9) << " Gb/s";
        if (const uint32_t most = channels / wavelengths; most > 1)
        {
            remedy << ", or switches of at most " << most << " ports";
        }
    }
    return LightFault{"wavelengths of a switch", sentence.str(), remedy.str()};
}

} // namespace lightpath
} // namespace ns3
