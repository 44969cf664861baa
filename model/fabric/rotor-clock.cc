/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "rotor-clock.h"

#include <algorithm>

namespace ns3
{
namespace lightpath
{

int64_t
RotorClock::GetOffset(uint32_t uplink) const
{
    return isStaggered ? static_cast<int64_t>(static_cast<uint64_t>(slot) * uplink /
                                              schedule->GetNUplinks())
                       : 0;
}

std::optional<LightWindow>
RotorClock::GetWindow(uint32_t source, uint32_t destination) const
{
    const PeriodicSchedule::Meeting* const meeting = schedule->FindMeeting(source, destination);
    if (!meeting)
    {
        return std::nullopt;
    }
    return LightWindow{GetCycle(),
                       GetOffset(meeting->uplink) + slot * meeting->slot + dark,
                       GetLight()};
}

uint64_t
RotorClock::GetBytes(int64_t light) const
{
    __extension__ typedef unsigned __int128 Wide;
    return static_cast<uint64_t>(Wide(bitRate) * static_cast<uint64_t>(light) /
                                 (Wide(8) * static_cast<uint64_t>(ticksPerSecond)));
}

uint32_t
RotorClock::GetSlot(uint32_t uplink, int64_t now) const
{
    // A cycle earlier than slot 0 of an uplink that turns later
    const int64_t since = now - GetOffset(uplink) + GetCycle();
    return static_cast<uint32_t>(since / slot % schedule->GetNSlots());
}

int64_t
RotorClock::GetNextLight(uint32_t uplink, int64_t now) const
{
    return LightWindow{slot, GetOffset(uplink) + dark, 1}.GetBegin(now);
}

int64_t
RotorClock::GetNextTurn(int64_t since) const
{
    int64_t next = INT64_MAX;
    for (uint32_t uplink = 0; uplink < schedule->GetNUplinks(); ++uplink)
    {
        next = std::min(next, GetNextLight(uplink, since));
    }
    return next;
}

} // namespace lightpath
} // namespace ns3
