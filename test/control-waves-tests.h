/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_CONTROL_WAVES_TESTS_H
#define LIGHTPATH_CONTROL_WAVES_TESTS_H

#include "ns3/mrr-ring-channel.h"
#include "ns3/ring-geometry.h"
#include "ns3/test.h"

#include <cstdint>
#include <random>
#include <string>
#include <vector>

/**
 * @ingroup lightpath-tests
 * @brief A ring with devices, of which some components may have failed.
 */
struct RingUnderTest
{
    /**
     * @param nodes the number of nodes
     * @param fibres the number of fibres in each direction
     * @param wavelengths the number of wavelengths of each fibre
     * @param mode what a lightpath has to itself
     */
    RingUnderTest(uint32_t nodes,
                  uint32_t fibres,
                  uint32_t wavelengths,
                  ns3::lightpath::RingGeometry::WavelengthMode mode);

    /**
     * Let components fail at random.
     *
     * @param random where random numbers come from
     * @param failures the number of components
     */
    void Break(std::mt19937& random, uint32_t failures);

    ns3::Ptr<ns3::lightpath::MrrRingChannel> channel; //!< The ring
};

#endif /* LIGHTPATH_CONTROL_WAVES_TESTS_H */
