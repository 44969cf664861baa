/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "control-waves-tests.h"
#include "fabric-parts.h"
#include "method-case.h"

#include "ns3/enum.h"
#include "ns3/uinteger.h"

using namespace ns3;
using namespace ns3::lightpath;

RingUnderTest::RingUnderTest(uint32_t nodes,
                             uint32_t fibres,
                             uint32_t wavelengths,
                             RingGeometry::WavelengthMode mode)
    : channel(CreateObject<MrrRingChannel>())
{
    channel->SetAttribute("NFibres", UintegerValue(fibres));
    channel->SetAttribute("NWavelengths", UintegerValue(wavelengths));
    channel->SetAttribute("WavelengthMode", EnumValue(mode));
    for (uint32_t node = 0; node < nodes; ++node)
    {
        AddDevice(CreateObject<Node>(), channel);
    }
}

void
RingUnderTest::Break(std::mt19937& random, uint32_t failures)
{
    const RingGeometry ring = channel->GetGeometry();
    const auto draw = [&random](uint32_t count) { return std::to_string(random() % count); };
    for (uint32_t failure = 0; failure < failures; ++failure)
    {
        const std::string node = draw(ring.GetNNodes());
        const std::string fibre = draw(2 * ring.GetNFibres());
        const std::string wavelength = draw(ring.GetNWavelengths());
        switch (random() % 8)
        {
        case 0:
            channel->SetFailed("segment:" + node, true);
            break;
        case 1:
        case 2:
            channel->SetFailed("segment:" + node + (random() % 2 == 0 ? ":cw" : ":ccw"), true);
            break;
        case 3:
            channel->SetFailed("fibre:" + fibre, true);
            break;
        case 4:
        case 5:
            channel->SetFailed("laser:" + node + ":" + wavelength, true);
            break;
        default:
            channel->SetFailed("micro-ring:" + node + ":" + fibre + ":" + wavelength, true);
        }
    }
}
