/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TIMELINE_SETTINGS_H
#define TIMELINE_SETTINGS_H

#include "ns3/nstime.h"

#include <cstdint>
#include <optional>
#include <set>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief What a timeline shows.
 */
struct TimelineSettings
{
    /// The details of a timeline, next to tasks, waits, circuits and faults: bits of a set.
    enum Detail : uint8_t
    {
        COUNTERS = 1, //!< Rates of lightpaths, lanes in use
        MESSAGES = 2, //!< Arrows from each message sent to its arrival, bytes under way
        FRAMES = 4,   //!< Frames or bursts on each lightpath
        ALL_DETAILS = COUNTERS | MESSAGES | FRAMES, //!< All of these
    };

    std::set<uint32_t> ranks; //!< The ranks; empty for all
    Time begin;               //!< Beginning of the window
    Time end{Time::Max()};    //!< End of the window
    std::optional<uint8_t>
        details; //!< The details; by default those that fit into an eighth of maxBytes
    uint64_t maxBytes{uint64_t{1} << 25}; //!< Largest size of the file in bytes
};

} // namespace lightpath
} // namespace ns3

#endif /* TIMELINE_SETTINGS_H */
