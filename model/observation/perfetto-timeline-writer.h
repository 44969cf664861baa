/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PERFETTO_TIMELINE_WRITER_H
#define PERFETTO_TIMELINE_WRITER_H

#include "model/base/protobuf-writer.h"
#include "timeline-writer.h"

#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Writes timelines as protocol buffers of Perfetto (perfetto.protos.Trace).
 *
 * Timestamps are in whole nanoseconds, rounded down. If ticks are shorter, the argument "ps" (or
 * "fs") of an event holds the rest of its time in that unit, and "end_ps" that of the end of a
 * slice.
 * Names are written once.
 */
class PerfettoTimelineWriter : public TimelineWriter
{
  public:
    using TimelineWriter::TimelineWriter;

    uint32_t GetRecordBytes() const override;
    void AddName(std::string_view name) override;
    void Write(const TimelineRecord& record,
               const TimelineArgument* arguments,
               std::string& text) override;

  private:
    /// The tables of names that a trace has: each name is told once in each.
    enum Table : uint8_t
    {
        CATEGORIES = 1,       //!< InternedData.event_categories
        EVENT_NAMES = 2,      //!< InternedData.event_names
        ARGUMENT_NAMES = 3,   //!< InternedData.debug_annotation_names
        ARGUMENT_VALUES = 29, //!< InternedData.debug_annotation_string_values
    };

    /// A name, and where it has been told.
    struct Name
    {
        std::string text; //!< The name
        uint32_t told{0}; //!< Bits of the tables that have it
    };

    /**
     * Describe a process or a track.
     *
     * @param record the process or track
     */
    void Declare(const TimelineRecord& record);

    /**
     * @param name the number of a name that the packet refers to
     * @param table the table
     * @return the number of the name there
     */
    uint64_t Tell(uint32_t name, Table table);

    /**
     * Add an argument to the event.
     *
     * @param argument the argument
     */
    void AddArgument(const TimelineArgument& argument);

    /**
     * Add the exact time to the event, if the timestamp is not exact.
     *
     * @param record the event
     */
    void AddExactTime(const TimelineRecord& record);

    /**
     * Append the packet.
     *
     * @param [in,out] text where to append it
     */
    void Append(std::string& text);

    std::vector<Name> m_names; //!< The names
    bool m_isFirst{true};      //!< No packet has been written
    ProtobufWriter m_packet;   //!< The packet that is being written
    ProtobufWriter m_event;    //!< Its event
    ProtobufWriter m_part;     //!< A message in it
    ProtobufWriter m_interned; //!< The names that it tells
};

} // namespace lightpath
} // namespace ns3

#endif /* PERFETTO_TIMELINE_WRITER_H */
