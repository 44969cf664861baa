/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CHROME_TIMELINE_WRITER_H
#define CHROME_TIMELINE_WRITER_H

#include "timeline-writer.h"

#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Writes timelines as JSON in the Trace Event Format of Chrome.
 *
 * Times are in microseconds, with as many decimals as a tick has. An event at which an arrow begins
 * or ends is a slice without duration, as an arrow joins slices.
 */
class ChromeTimelineWriter : public TimelineWriter
{
  public:
    using TimelineWriter::TimelineWriter;

    uint32_t GetRecordBytes() const override;
    void AddName(std::string_view name) override;
    void WriteHead(std::string& text) override;
    void Write(const TimelineRecord& record,
               const TimelineArgument* arguments,
               std::string& text) override;
    void WriteTail(std::string& text) override;

  private:
    /// A process or a track.
    struct Track
    {
        uint32_t process{0}; //!< Its process
        uint32_t name{0};    //!< Its name, if it is a counter
    };

    /**
     * Name a process or a track.
     *
     * @param record the process or track
     * @param [in,out] text where to append it
     */
    void Declare(const TimelineRecord& record, std::string& text);

    /**
     * @param phase the letter of the kind of event
     * @param record the event
     * @param [in,out] text where to append its beginning: kind, track and time
     */
    void Begin(char phase, const TimelineRecord& record, std::string& text);

    /**
     * @param record an event
     * @param [in,out] text where to append its name and its category
     */
    void AppendName(const TimelineRecord& record, std::string& text) const;

    /**
     * @param record an event
     * @param arguments its arguments
     * @param [in,out] text where to append them, if there are any
     */
    void AppendArguments(const TimelineRecord& record,
                         const TimelineArgument* arguments,
                         std::string& text) const;

    std::vector<std::string> m_names; //!< The names as JSON
    std::vector<Track> m_tracks;      //!< The processes and tracks
    bool m_isFirst{true};             //!< No event has been written
};

} // namespace lightpath
} // namespace ns3

#endif /* CHROME_TIMELINE_WRITER_H */
