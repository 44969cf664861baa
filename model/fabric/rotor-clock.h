/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ROTOR_CLOCK_H
#define ROTOR_CLOCK_H

#include "periodic-schedule.h"

#include "ns3/light-window.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <memory>
#include <optional>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief When which ports of a fabric with a periodic schedule have light to each other.
 *
 * An uplink keeps each configuration for a slot, which begins dark. Slot 0 begins at the time 0, or
 * later if uplinks turn one after the other, at even distances. All times are in ticks.
 */
struct RotorClock
{
    /**
     * @return the time after which the schedule repeats
     */
    int64_t GetCycle() const
    {
        return slot * schedule->GetNSlots();
    }

    /**
     * @return the light of a slot
     */
    int64_t GetLight() const
    {
        return slot - dark;
    }

    /**
     * @param uplink an uplink
     * @return when its slot 0 begins, modulo a cycle
     */
    int64_t GetOffset(uint32_t uplink) const;

    /**
     * @param source a port
     * @param destination another port
     * @return when there is light from one to the other; nothing if they never meet
     */
    std::optional<LightWindow> GetWindow(uint32_t source, uint32_t destination) const;

    /**
     * @param light a time with light
     * @return the whole bytes that an uplink sends in it
     */
    uint64_t GetBytes(int64_t light) const;

    /**
     * @param uplink an uplink
     * @param now a time, 0 or later
     * @return the slot that it is in, dark or not
     */
    uint32_t GetSlot(uint32_t uplink, int64_t now) const;

    /**
     * @param uplink an uplink
     * @param now a time
     * @return when its light comes up next: now, or later
     */
    int64_t GetNextLight(uint32_t uplink, int64_t now) const;

    /**
     * @param since a time
     * @return when the light of any uplink comes up next: then, or later
     */
    int64_t GetNextTurn(int64_t since) const;

    std::shared_ptr<const PeriodicSchedule> schedule; //!< Who meets whom
    uint64_t bitRate{0};                              //!< Rate of an uplink, bit/s
    int64_t slot{0};                                  //!< Time that it keeps a configuration
    int64_t dark{0};                                  //!< The dark beginning of it
    bool isStaggered{false};                          //!< Whether uplinks turn one after the other
    int64_t ticksPerSecond{Seconds(1).GetTimeStep()}; //!< The resolution of time
};

} // namespace lightpath
} // namespace ns3

#endif /* ROTOR_CLOCK_H */
