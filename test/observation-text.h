/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef OBSERVATION_TEXT_H
#define OBSERVATION_TEXT_H

#include "model/observation/utilisation-meter.h"
#include "timeline-content.h"

#include "ns3/job-record.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <sstream>
#include <string>

/**
 * @file
 * @ingroup lightpath-tests
 * Observations as texts that do not depend on the order in which they were told.
 */

namespace ns3
{
namespace lightpath
{

/**
 * @param record the times of a job
 * @return the times of its messages
 */
inline std::string
WriteRecord(const JobRecord& record)
{
    std::multiset<std::string> messages;
    for (const auto& [number, iteration] : record.iterations)
    {
        for (const auto& each : iteration.messages)
        {
            std::ostringstream text;
            const auto* const behind =
                each.behind == JobRecord::NONE
                    ? nullptr
                    : &record.iterations.at(number + each.ahead).messages[each.behind];
            text << number << " " << each.source << " " << each.peer << " " << each.tag << " "
                 << each.bytes << " " << each.sent << " " << each.begun << " " << each.ended << " "
                 << each.received << " " << each.isWhole << " " << (behind ? behind->tag : 0)
                 << "\n";
            messages.insert(text.str());
        }
        for (const auto& cut : iteration.cuts)
        {
            std::ostringstream text;
            text << iteration.messages[cut.message].tag << " " << cut.begin << " " << cut.end;
            messages.insert(text.str());
        }
    }
    return std::accumulate(messages.begin(), messages.end(), std::string());
}

/**
 * @param meter a meter
 * @return the bytes of all tracks over time
 */
inline std::string
WriteUse(const UtilisationMeter& meter)
{
    std::multiset<std::string> tracks;
    for (const auto& track : meter.GetTracks())
    {
        std::ostringstream text;
        text << track.kind << " " << track.name << " " << track.bytes;
        for (const uint64_t bytes : meter.GetBins().GetRow(track.row))
        {
            text << " " << bytes;
        }
        tracks.insert(text.str() + "\n");
    }
    return std::accumulate(tracks.begin(), tracks.end(), std::string());
}

/**
 * @param file the name of a timeline
 * @return its slices, arrows and counters
 */
inline std::string
WriteTimeline(const std::string& file)
{
    TimelineContent content(file);
    std::ostringstream text;
    for (auto& [track, slices] : content.slices)
    {
        std::sort(slices.begin(), slices.end());
        for (const auto& [name, begin, end] : slices)
        {
            text << track << ": " << name << " " << begin << " " << end << "\n";
        }
    }
    for (const auto& [source, begin, destination, end] : content.arrows)
    {
        text << source << " " << begin << " " << destination << " " << end << "\n";
    }
    for (const auto& [name, values] : content.counters)
    {
        for (const auto& [time, value] : values)
        {
            text << name << " " << time << " " << value << "\n";
        }
    }
    return text.str();
}

} // namespace lightpath
} // namespace ns3

#endif /* OBSERVATION_TEXT_H */
