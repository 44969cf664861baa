/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "bring-up.h"

#include "model/base/nearest-name.h"

#include "ns3/forward-error-correction.h"
#include "ns3/optical-receiver.h"
#include "ns3/optical-source.h"

#include <stdexcept>

namespace ns3
{
namespace lightpath
{

namespace
{

/// Rate of a lane of today's modules, bit/s.
constexpr double PRODUCT_BIT_RATE = 106.25e9;

/// Bits between two alignment markers of such a lane: 4096 codewords of RS(544,514).
constexpr double MARKER_BITS = 4096 * 5440;

} // namespace

BringUp
BringUp::Create(const std::string& name)
{
    BringUp steps;
    if (name == "research")
    {
        steps.laserTuning = CreateObject<OpticalSource>()->GetTuningTime();
        steps.receiverLock = CreateObject<OpticalReceiver>()->GetLockTime();
        // Codewords begin with the light: a decoder takes in the first one
        steps.codeAlignment = ForwardErrorCorrection::Create("kp4").GetLatency(PRODUCT_BIT_RATE);
        steps.linkTraining = Time("8.7us");
    }
    else if (name == "product")
    {
        // Modules for data centres have lasers of one wavelength
        steps.receiverLock = Time("256ns");
        // A decoder waits for two markers
        steps.codeAlignment = Seconds(2 * MARKER_BITS / PRODUCT_BIT_RATE);
        // The sum is published, not this part of it
        steps.linkTraining = Time("5.67s") - steps.GetTotal();
    }
    else if (name != "published")
    {
        throw std::invalid_argument("There is no bring-up '" + name +
                                    "': " + ListKnown(name, {"published", "research", "product"}));
    }
    return steps;
}

} // namespace lightpath
} // namespace ns3
