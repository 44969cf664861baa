/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SHIFT_SCHEDULE_H
#define SHIFT_SCHEDULE_H

#include "periodic-schedule.h"

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Cyclic shifts: port i sends to port i + s (mod n), with s from 0, a slot in which all are
 * idle, to n - 1. An arrayed waveguide grating router does so, with a wavelength for each shift, as
 * in Sirius (Ballani et al., SIGCOMM 2020).
 *
 * Uplink q of u takes the n / u shifts from q n / u on.
 */
class ShiftSchedule : public PeriodicSchedule
{
  public:
    /**
     * @param nPorts the number n of ports
     * @param nUplinks the number u of uplinks, which must divide n; std::invalid_argument otherwise
     */
    ShiftSchedule(uint32_t nPorts, uint32_t nUplinks)
        : PeriodicSchedule(nPorts, nUplinks, Deal(nPorts, nUplinks))
    {
    }

    uint32_t GetPeer(uint32_t slot, uint32_t port, uint32_t uplink) const override
    {
        const uint64_t shift = uint64_t{uplink} * GetNSlots() + slot;
        return static_cast<uint32_t>((port + shift) % GetNPorts());
    }
};

} // namespace lightpath
} // namespace ns3

#endif /* SHIFT_SCHEDULE_H */
