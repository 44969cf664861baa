/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SWAP_SCHEDULE_H
#define SWAP_SCHEDULE_H

#include "periodic-schedule.h"

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Symmetric matchings, as a rotor switch of RotorNet (Mellette et al., SIGCOMM 2017) has
 * them: two ports that meet send to each other.
 *
 * If the number n of ports is a power of two, port i meets the port i xor k, with k from 0, a slot
 * in which all are idle, to n - 1. Otherwise ports i and j meet if i + j = k (mod n). Uplink q of u
 * takes the n / u matchings from q n / u on.
 */
class SwapSchedule : public PeriodicSchedule
{
  public:
    /**
     * @param nPorts the number n of ports
     * @param nUplinks the number u of uplinks, which must divide n; std::invalid_argument otherwise
     */
    SwapSchedule(uint32_t nPorts, uint32_t nUplinks)
        : PeriodicSchedule(nPorts, nUplinks, Deal(nPorts, nUplinks))
    {
    }

    uint32_t GetPeer(uint32_t slot, uint32_t port, uint32_t uplink) const override
    {
        const uint32_t n = GetNPorts();
        const uint32_t k = uplink * GetNSlots() + slot;
        return (n & (n - 1)) == 0 ? port ^ k : (k + n - port) % n;
    }
};

} // namespace lightpath
} // namespace ns3

#endif /* SWAP_SCHEDULE_H */
