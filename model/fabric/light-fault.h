/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHT_FAULT_H
#define LIGHT_FAULT_H

#include "ns3/data-rate.h"
#include "ns3/optical-switch.h"

#include <cstdint>
#include <optional>
#include <string>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Why the light of a fabric cannot carry data.
 */
struct LightFault
{
    /**
     * @param rate the rate of a transceiver
     * @return the wavelengths that carry it, each at the rate of a receiver (OpticalLink::Rate) at
     *         most
     */
    static uint32_t CountWavelengths(DataRate rate);

    /**
     * Check a switch that routes a band of wavelengths to each of its ports.
     *
     * @param rate the rate of a transceiver, whose wavelengths fit in one band
     * @param ports the ports of the switch
     * @param element the kind of switch
     * @return why it cannot route as many; none if it can
     */
    static std::optional<LightFault> FindInBands(DataRate rate,
                                                 uint32_t ports,
                                                 const OpticalSwitch& element);

    std::string part;     //!< What fails first, in a few words like "receiver rate"
    std::string sentence; //!< The sentence that says what is missing
    std::string remedy;   //!< What would let the light arrive; empty if nothing simple would
};

} // namespace lightpath
} // namespace ns3

#endif /* LIGHT_FAULT_H */
