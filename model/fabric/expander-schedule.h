/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef EXPANDER_SCHEDULE_H
#define EXPANDER_SCHEDULE_H

#include "periodic-schedule.h"

#include <cstdint>
#include <random>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Random symmetric matchings that join all pairs once, in an order in which the ports stay
 * connected while one uplink turns, as in Opera (Mellette et al., NSDI 2020).
 *
 * n matchings of n ports, in which a port may be idle, cover each pair and each port once. At first
 * ports i and j meet in matching i + j (mod n). Then the parts of two matchings that are connected
 * with each other are exchanged, again and again, for pairs of matchings and ports drawn at random.
 * Uplink q of u takes n / u matchings in random order. If the uplinks turn one after the other, any
 * u - 1 of them join all ports, over several hops, at all times: orders that do not are drawn anew.
 */
class ExpanderSchedule : public PeriodicSchedule
{
  public:
    /**
     * Throws std::invalid_argument if u does not divide n, and if no order is found that joins all
     * ports at all times.
     *
     * @param nPorts the number n of ports
     * @param nUplinks the number u of uplinks
     * @param seed the seed of the draws
     */
    ExpanderSchedule(uint32_t nPorts, uint32_t nUplinks, uint32_t seed);

    uint32_t GetPeer(uint32_t slot, uint32_t port, uint32_t uplink) const override
    {
        return m_matchings[uplink * GetNSlots() + slot][port];
    }

    /**
     * @param slice the number of turns of single uplinks before, in a cycle: less than n
     * @param uplink an uplink
     * @return the slot that it is in
     */
    uint32_t GetSlot(uint32_t slice, uint32_t uplink) const;

  private:
    /// Peers by port.
    using Matching = std::vector<uint32_t>;

    /**
     * Exchange the parts of two matchings that are connected with a port.
     *
     * @param [in,out] one a matching
     * @param [in,out] other another one
     * @param port the port
     */
    static void Exchange(Matching& one, Matching& other, uint32_t port);

    /**
     * @param slice a number of turns
     * @param absent an uplink
     * @return whether the other uplinks join all ports
     */
    bool IsConnected(uint32_t slice, uint32_t absent) const;

    std::vector<Matching> m_matchings; //!< Those of uplink 0, those of uplink 1, and so on
};

} // namespace lightpath
} // namespace ns3

#endif /* EXPANDER_SCHEDULE_H */
