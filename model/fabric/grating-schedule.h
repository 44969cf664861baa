/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRATING_SCHEDULE_H
#define GRATING_SCHEDULE_H

#include "periodic-schedule.h"

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Tunable lasers behind arrayed waveguide grating routers, as in Sirius (Ballani et al.,
 * SIGCOMM 2020).
 *
 * n ports with u uplinks are u groups of n / u. Uplink q of group g leads to a router of n / u
 * inputs and outputs, the outputs of which lead to group g + q (mod u). In slot w all lasers have
 * wavelength w, which leads from input i to output i + w (mod n / u).
 */
class GratingSchedule : public PeriodicSchedule
{
  public:
    /**
     * @param nPorts the number n of ports
     * @param nUplinks the number u of uplinks, which must divide n; std::invalid_argument otherwise
     */
    GratingSchedule(uint32_t nPorts, uint32_t nUplinks)
        : PeriodicSchedule(nPorts, nUplinks, Deal(nPorts, nUplinks))
    {
    }

    uint32_t GetPeer(uint32_t slot, uint32_t port, uint32_t uplink) const override
    {
        const uint32_t size = GetNSlots();
        const uint32_t group = (port / size + uplink) % GetNUplinks();
        return group * size + (port % size + slot) % size;
    }
};

} // namespace lightpath
} // namespace ns3

#endif /* GRATING_SCHEDULE_H */
