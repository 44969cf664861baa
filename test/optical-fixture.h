/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_OPTICAL_FIXTURE_H
#define LIGHTPATH_OPTICAL_FIXTURE_H

#include "ns3/double.h"
#include "ns3/optical-receiver.h"

/// Speed of light in m/s.
inline constexpr double LIGHT_SPEED = 299792458;

/// Frequency of light of 1550 nm in Hz.
inline constexpr double FREQUENCY = LIGHT_SPEED / 1550e-9;

/**
 * @ingroup lightpath-tests
 * @param dbm the optical modulation amplitude in dBm, without a dark level
 * @return the light
 */
inline ns3::lightpath::OpticalSignal
MakeSignal(double dbm)
{
    using namespace ns3;
    using namespace ns3::lightpath;
    OpticalSignal signal;
    signal.frequency = FREQUENCY;
    signal.power = DbmToWatt(dbm) / 2;
    return signal;
}

/**
 * @ingroup lightpath-tests
 * @param responsivity the responsivity in A/W
 * @return a receiver with nothing but 2 uA of noise
 */
inline ns3::Ptr<ns3::lightpath::OpticalReceiver>
MakeReceiver(double responsivity = 1)
{
    using namespace ns3;
    using namespace ns3::lightpath;
    auto receiver = CreateObject<OpticalReceiver>();
    receiver->SetAttribute("Responsivity", DoubleValue(responsivity));
    receiver->SetAttribute("NoiseCurrent", DoubleValue(2e-6));
    // Shot noise changes the fourth digit, and the published values leave it out
    receiver->SetAttribute("Bandwidth", DoubleValue(0));
    return receiver;
}

#endif /* LIGHTPATH_OPTICAL_FIXTURE_H */
