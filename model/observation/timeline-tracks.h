/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TIMELINE_TRACKS_H
#define TIMELINE_TRACKS_H

#include "timeline-file.h"

#include "ns3/nstime.h"
#include "ns3/simulator.h"

#include <array>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief The tracks of a timeline, and what happens on them in a window of time.
 *
 * A slice that is open as the window begins or ends is cut there, so that the slices of a track
 * nest. The window ends early once the file has reached its largest size.
 */
class TimelineTracks
{
  public:
    /**
     * Create the file, as TimelineFile does.
     *
     * @param file the name of the file
     * @param begin the beginning of the window
     * @param end the end of the window
     * @param maxBytes the size of the file at which the window ends
     */
    TimelineTracks(const std::string& file, Time begin, Time end, uint64_t maxBytes);

    /// Most arguments of an event.
    static constexpr std::size_t MAX_ARGUMENTS = 6;

    /// Arguments of an event.
    using Arguments = std::initializer_list<TimelineArgument>;

    /**
     * @param name a name
     * @return its number
     */
    uint32_t GetName(const std::string& name);

    /**
     * @param name the name of a process, which groups tracks
     * @return its number
     */
    uint32_t AddProcess(const std::string& name);

    /**
     * @param process the process
     * @param name the name of a track of slices
     * @return its number
     */
    uint32_t AddThread(uint32_t process, const std::string& name);

    /**
     * @param process the process
     * @param name the name of a track of numbers
     * @return its number
     */
    uint32_t AddCounter(uint32_t process, const std::string& name);

    /**
     * Begin a slice in the slices of the track that are open.
     *
     * @param track the track
     * @param name the number of its name
     * @param category the number of the name of its category
     * @param arguments its arguments
     * @param time when, not after now
     */
    void Begin(uint32_t track,
               uint32_t name,
               uint32_t category,
               Arguments arguments = {},
               Time time = Simulator::Now());

    /**
     * End the slice of a track that began last, now; nothing if none is open.
     *
     * @param track the track
     */
    void End(uint32_t track);

    /**
     * Add a slice that has ended, on a track on which nothing has happened meanwhile.
     *
     * @param track the track
     * @param begin when it began
     * @param end when it ended, not after now
     * @param name the number of its name
     * @param category the number of the name of its category
     * @param arguments its arguments
     */
    void AddSlice(uint32_t track,
                  Time begin,
                  Time end,
                  uint32_t name,
                  uint32_t category,
                  Arguments arguments = {});

    /**
     * Add an event without duration, now.
     *
     * @param track the track
     * @param name the number of its name
     * @param category the number of the name of its category
     * @param arguments its arguments
     */
    void AddInstant(uint32_t track, uint32_t name, uint32_t category, Arguments arguments = {});

    /**
     * Begin an arrow at an event without duration.
     *
     * @param track the track
     * @param name the number of the name of the event
     * @param category the number of the name of its category
     * @param flow the number of the arrow
     * @param arguments the arguments of the event
     * @param time when, not after now
     */
    void BeginFlow(uint32_t track,
                   uint32_t name,
                   uint32_t category,
                   uint64_t flow,
                   Arguments arguments = {},
                   Time time = Simulator::Now());

    /**
     * End an arrow at an event without duration, unless it began before the window.
     *
     * @param track the track
     * @param name the number of the name of the event
     * @param category the number of the name of its category
     * @param flow the number of the arrow
     * @param arguments the arguments of the event
     * @param time when, not after now
     */
    void EndFlow(uint32_t track,
                 uint32_t name,
                 uint32_t category,
                 uint64_t flow,
                 Arguments arguments = {},
                 Time time = Simulator::Now());

    /**
     * Set a counter. Of several values at one time, the last one counts.
     *
     * @param track the track
     * @param value the value
     * @param time from when on: not after now, nor before the last time
     */
    void SetCounter(uint32_t track, uint64_t value, Time time = Simulator::Now());

    /**
     * End all slices, now or at the end of the window, and complete the file; nothing if that has
     * been done. Throws std::runtime_error if the file cannot be written.
     */
    void Close();

    /**
     * @return true if the window ended early
     */
    bool IsCut() const
    {
        return m_isCut;
    }

  private:
    /// A slice that is open.
    struct Slice
    {
        TimelineRecord record;                                 //!< Its beginning
        std::array<TimelineArgument, MAX_ARGUMENTS> arguments; //!< Its arguments
    };

    /// The state of a track.
    struct Track
    {
        std::vector<Slice> slices; //!< The slices that are open
        bool hasValue{false};      //!< A counter has a value
        uint64_t value{0};         //!< The value
        uint64_t written{0};       //!< The last value that has been written
        int64_t since{-1};         //!< Since when it has a value that has not been written, or -1
    };

    /// Where a time is.
    enum Place : uint8_t
    {
        BEFORE, //!< Before the window
        INSIDE, //!< In the window
        BEHIND, //!< Behind the window, or the file is complete
    };

    /**
     * Add a process or a track.
     *
     * @param type which of them
     * @param process the process of a track
     * @param name its name
     * @return its number
     */
    uint32_t Declare(TimelineRecord::Type type, uint32_t process, const std::string& name);

    /**
     * Go on to the present time.
     *
     * @param time a time, not after now
     * @return where that is
     */
    Place Advance(Time time);

    /// Begin the window with what is open.
    void Open();

    /// End all slices at the end of the window, and complete the file.
    void Complete();

    /**
     * Add an event without duration.
     *
     * @param record the event, without its time
     * @param arguments its arguments
     */
    void AddEvent(TimelineRecord record, Arguments arguments);

    /**
     * Write the value of a counter that has not been written, if there is one.
     *
     * @param number the number of the track
     */
    void WriteValue(uint32_t number);

    /**
     * @param time a time
     * @return it in the ticks of the file
     */
    int64_t GetTicks(Time time) const;

    uint32_t m_digits;           //!< Decimals of a nanosecond that a tick of the file is
    TimelineFile m_file;         //!< The file
    int64_t m_begin;             //!< Beginning of the window, in ticks
    int64_t m_end;               //!< End of the window, in ticks
    uint64_t m_maxBytes;         //!< Size at which the window ends
    int64_t m_time{0};           //!< The time of an event, in ticks
    Place m_place{BEFORE};       //!< Where the present time is; BEHIND once the file is complete
    bool m_isCut{false};         //!< The window ended early
    std::vector<Track> m_tracks; //!< The processes and tracks
    std::unordered_map<std::string, uint32_t> m_names; //!< Numbers of names
    std::unordered_set<uint64_t> m_early;              //!< Arrows that began before the window
};

} // namespace lightpath
} // namespace ns3

#endif /* TIMELINE_TRACKS_H */
