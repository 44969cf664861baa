/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "timeline-tracks.h"

#include "ns3/assert.h"
#include "ns3/simulator.h"

#include <algorithm>

namespace ns3
{
namespace lightpath
{

namespace
{

/**
 * @return the decimals of a nanosecond that a tick of the simulation is; 0 for longer ticks
 */
uint32_t
GetTimelineDigits()
{
    switch (Time::GetResolution())
    {
    case Time::PS:
        return 3;
    case Time::FS:
        return 6;
    default:
        return 0;
    }
}

} // namespace

TimelineTracks::TimelineTracks(const std::string& file, Time begin, Time end, uint64_t maxBytes)
    : m_digits(GetTimelineDigits()),
      m_file(file, m_digits),
      m_begin(GetTicks(begin)),
      m_end(GetTicks(end)),
      m_maxBytes(maxBytes)
{
}

int64_t
TimelineTracks::GetTicks(Time time) const
{
    return m_digits == 0 ? time.GetNanoSeconds() : time.GetTimeStep();
}

uint32_t
TimelineTracks::GetName(const std::string& name)
{
    const auto [entry, isNew] = m_names.emplace(name, m_names.size());
    if (isNew && m_place != BEHIND)
    {
        m_file.AddName(name);
    }
    return entry->second;
}

uint32_t
TimelineTracks::Declare(TimelineRecord::Type type, uint32_t process, const std::string& name)
{
    TimelineRecord record;
    record.type = type;
    record.track = static_cast<uint32_t>(m_tracks.size());
    record.name = GetName(name);
    record.category = process;
    m_tracks.emplace_back();
    if (m_place != BEHIND)
    {
        m_file.Add(record);
    }
    return record.track;
}

uint32_t
TimelineTracks::AddProcess(const std::string& name)
{
    return Declare(TimelineRecord::PROCESS, 0, name);
}

uint32_t
TimelineTracks::AddThread(uint32_t process, const std::string& name)
{
    return Declare(TimelineRecord::THREAD, process, name);
}

uint32_t
TimelineTracks::AddCounter(uint32_t process, const std::string& name)
{
    return Declare(TimelineRecord::COUNTER, process, name);
}

TimelineTracks::Place
TimelineTracks::Advance(Time time)
{
    if (m_place == BEHIND)
    {
        return BEHIND;
    }
    const int64_t now = GetTicks(Simulator::Now());
    if (m_place == BEFORE && now >= m_begin)
    {
        Open();
    }
    m_time = GetTicks(time);
    if (m_place == INSIDE && m_time < m_end && m_file.GetBytes() >= m_maxBytes)
    {
        m_isCut = true;
        m_end = std::min(m_end, now);
    }
    // A late interval ends at once, as its time may be anywhere before
    if (m_time >= m_end || (m_isCut && m_time < now))
    {
        return BEHIND;
    }
    return m_time < m_begin ? BEFORE : INSIDE;
}

void
TimelineTracks::Open()
{
    m_place = INSIDE;
    for (uint32_t number = 0; number < m_tracks.size(); ++number)
    {
        Track& track = m_tracks[number];
        for (auto& slice : track.slices)
        {
            slice.record.time = m_begin;
            m_file.Add(slice.record, slice.arguments.data());
        }
        if (track.hasValue)
        {
            track.since = m_begin;
            track.written = ~track.value;
        }
    }
}

void
TimelineTracks::Complete()
{
    m_place = BEHIND;
    TimelineRecord record;
    record.type = TimelineRecord::END;
    record.time = std::min(GetTicks(Simulator::Now()), m_end);
    for (record.track = 0; record.track < m_tracks.size(); ++record.track)
    {
        WriteValue(record.track);
        for (std::size_t i = 0; i < m_tracks[record.track].slices.size(); ++i)
        {
            m_file.Add(record);
        }
    }
    m_file.Close();
}

void
TimelineTracks::Close()
{
    Advance(Simulator::Now());
    if (m_place == BEHIND)
    {
        return;
    }
    // A window that has not begun has nothing that could end
    if (m_place == BEFORE)
    {
        m_tracks.clear();
    }
    Complete();
}

void
TimelineTracks::Begin(uint32_t track,
                      uint32_t name,
                      uint32_t category,
                      Arguments arguments,
                      Time time)
{
    NS_ASSERT_MSG(arguments.size() <= MAX_ARGUMENTS, "an event has few arguments");
    if (Advance(time) == BEHIND)
    {
        return;
    }
    Slice slice;
    slice.record.track = track;
    slice.record.name = name;
    slice.record.category = category;
    slice.record.time = std::max(m_time, m_begin);
    slice.record.nArguments = static_cast<uint8_t>(arguments.size());
    std::copy(arguments.begin(), arguments.end(), slice.arguments.begin());
    m_tracks[track].slices.push_back(slice);
    if (m_place == INSIDE)
    {
        m_file.Add(slice.record, slice.arguments.data());
    }
}

void
TimelineTracks::End(uint32_t track)
{
    if (Advance(Simulator::Now()) == BEHIND || m_tracks[track].slices.empty())
    {
        return;
    }
    m_tracks[track].slices.pop_back();
    if (m_place == INSIDE)
    {
        TimelineRecord record;
        record.type = TimelineRecord::END;
        record.track = track;
        record.time = m_time;
        m_file.Add(record);
    }
}

void
TimelineTracks::AddSlice(uint32_t track,
                         Time begin,
                         Time end,
                         uint32_t name,
                         uint32_t category,
                         Arguments arguments)
{
    Advance(begin);
    if (m_place != INSIDE || m_time >= m_end || m_isCut || GetTicks(end) <= m_begin)
    {
        return;
    }
    TimelineRecord record;
    record.track = track;
    record.name = name;
    record.category = category;
    record.time = std::max(m_time, m_begin);
    record.nArguments = static_cast<uint8_t>(arguments.size());
    m_file.Add(record, arguments.begin());
    record.type = TimelineRecord::END;
    record.time = std::min(GetTicks(end), m_end);
    record.nArguments = 0;
    m_file.Add(record);
}

void
TimelineTracks::AddEvent(TimelineRecord record, Arguments arguments)
{
    record.time = m_time;
    record.nArguments = static_cast<uint8_t>(arguments.size());
    m_file.Add(record, arguments.begin());
}

void
TimelineTracks::AddInstant(uint32_t track, uint32_t name, uint32_t category, Arguments arguments)
{
    if (Advance(Simulator::Now()) == INSIDE)
    {
        AddEvent({TimelineRecord::INSTANT, 0, track, name, category}, arguments);
    }
}

void
TimelineTracks::BeginFlow(uint32_t track,
                          uint32_t name,
                          uint32_t category,
                          uint64_t flow,
                          Arguments arguments,
                          Time time)
{
    const Place place = Advance(time);
    if (place == INSIDE)
    {
        AddEvent({TimelineRecord::FLOW_OUT, 0, track, name, category, 0, 0, flow}, arguments);
    }
    else if (place == BEFORE)
    {
        m_early.insert(flow);
    }
}

void
TimelineTracks::EndFlow(uint32_t track,
                        uint32_t name,
                        uint32_t category,
                        uint64_t flow,
                        Arguments arguments,
                        Time time)
{
    const Place place = Advance(time);
    if ((m_early.empty() || m_early.erase(flow) == 0) && place == INSIDE)
    {
        AddEvent({TimelineRecord::FLOW_IN, 0, track, name, category, 0, 0, flow}, arguments);
    }
}

void
TimelineTracks::SetCounter(uint32_t track, uint64_t value, Time time)
{
    Place place = Advance(time);
    if (place == BEHIND)
    {
        return;
    }
    if (place == BEFORE && m_place == INSIDE)
    {
        // The value may hold as the window begins
        place = INSIDE;
        m_time = m_begin;
    }
    Track& entry = m_tracks[track];
    if (entry.since < m_time)
    {
        WriteValue(track);
    }
    if (place == INSIDE && entry.since < 0)
    {
        entry.since = m_time;
        entry.written = entry.hasValue ? entry.value : ~value;
    }
    entry.hasValue = true;
    entry.value = value;
}

void
TimelineTracks::WriteValue(uint32_t number)
{
    Track& track = m_tracks[number];
    if (track.since >= 0 && track.value != track.written)
    {
        TimelineRecord record;
        record.type = TimelineRecord::VALUE;
        record.track = number;
        record.time = track.since;
        record.value = track.value;
        m_file.Add(record);
    }
    track.since = -1;
}

} // namespace lightpath
} // namespace ns3
