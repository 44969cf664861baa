/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "perfetto-timeline-writer.h"

namespace ns3
{
namespace lightpath
{

namespace
{

/// The numbers of the fields of Perfetto's messages.
namespace perfetto
{

constexpr uint32_t TRACE_PACKET = 1; //!< Trace.packet

constexpr uint32_t PACKET_TIMESTAMP = 8;         //!< TracePacket.timestamp
constexpr uint32_t PACKET_SEQUENCE = 10;         //!< TracePacket.trusted_packet_sequence_id
constexpr uint32_t PACKET_TRACK_EVENT = 11;      //!< TracePacket.track_event
constexpr uint32_t PACKET_INTERNED_DATA = 12;    //!< TracePacket.interned_data
constexpr uint32_t PACKET_SEQUENCE_FLAGS = 13;   //!< TracePacket.sequence_flags
constexpr uint32_t PACKET_TRACK_DESCRIPTOR = 60; //!< TracePacket.track_descriptor

constexpr uint32_t TRACK_UUID = 1;    //!< TrackDescriptor.uuid
constexpr uint32_t TRACK_NAME = 2;    //!< TrackDescriptor.name
constexpr uint32_t TRACK_PROCESS = 3; //!< TrackDescriptor.process
constexpr uint32_t TRACK_THREAD = 4;  //!< TrackDescriptor.thread
constexpr uint32_t TRACK_PARENT = 5;  //!< TrackDescriptor.parent_uuid
constexpr uint32_t TRACK_COUNTER = 8; //!< TrackDescriptor.counter
constexpr uint32_t PROCESS_PID = 1;   //!< ProcessDescriptor.pid
constexpr uint32_t PROCESS_NAME = 6;  //!< ProcessDescriptor.process_name
constexpr uint32_t THREAD_PID = 1;    //!< ThreadDescriptor.pid
constexpr uint32_t THREAD_TID = 2;    //!< ThreadDescriptor.tid
constexpr uint32_t THREAD_NAME = 5;   //!< ThreadDescriptor.thread_name

constexpr uint32_t EVENT_CATEGORY = 3;          //!< TrackEvent.category_iids
constexpr uint32_t EVENT_ARGUMENT = 4;          //!< TrackEvent.debug_annotations
constexpr uint32_t EVENT_TYPE = 9;              //!< TrackEvent.type
constexpr uint32_t EVENT_NAME = 10;             //!< TrackEvent.name_iid
constexpr uint32_t EVENT_TRACK = 11;            //!< TrackEvent.track_uuid
constexpr uint32_t EVENT_VALUE = 30;            //!< TrackEvent.counter_value
constexpr uint32_t EVENT_FLOW = 47;             //!< TrackEvent.flow_ids
constexpr uint32_t EVENT_TERMINATING_FLOW = 48; //!< TrackEvent.terminating_flow_ids

constexpr uint32_t ARGUMENT_NAME = 1;        //!< DebugAnnotation.name_iid
constexpr uint32_t ARGUMENT_NUMBER = 3;      //!< DebugAnnotation.uint_value
constexpr uint32_t ARGUMENT_PLAIN_NAME = 10; //!< DebugAnnotation.name
constexpr uint32_t ARGUMENT_TEXT = 17;       //!< DebugAnnotation.string_value_iid

constexpr uint32_t INTERNED_NUMBER = 1; //!< The iid of an interned name
constexpr uint32_t INTERNED_TEXT = 2;   //!< The name

constexpr uint64_t TYPE_SLICE_BEGIN = 1; //!< A slice begins
constexpr uint64_t TYPE_SLICE_END = 2;   //!< A slice ends
constexpr uint64_t TYPE_INSTANT = 3;     //!< An event without duration
constexpr uint64_t TYPE_COUNTER = 4;     //!< A counter changes

constexpr uint64_t NAMES_BEGIN = 1; //!< There are no names of earlier packets
constexpr uint64_t NAMES_HOLD = 2;  //!< The names of earlier packets hold

} // namespace perfetto

} // namespace

uint32_t
PerfettoTimelineWriter::GetRecordBytes() const
{
    return 55;
}

void
PerfettoTimelineWriter::AddName(std::string_view name)
{
    m_names.push_back({std::string(name), 0});
}

void
PerfettoTimelineWriter::Write(const TimelineRecord& record,
                              const TimelineArgument* arguments,
                              std::string& text)
{
    m_packet.Clear();
    m_interned.Clear();
    if (record.type <= TimelineRecord::COUNTER)
    {
        Declare(record);
        Append(text);
        return;
    }
    const bool isSlice = record.type == TimelineRecord::BEGIN;
    const bool isEnd = record.type == TimelineRecord::END;
    const bool isValue = record.type == TimelineRecord::VALUE;
    m_packet.AddVarint(perfetto::PACKET_TIMESTAMP,
                       static_cast<uint64_t>(record.time / m_ticksOfNs));
    m_event.Clear();
    m_event.AddVarint(perfetto::EVENT_TYPE,
                      isSlice   ? perfetto::TYPE_SLICE_BEGIN
                      : isEnd   ? perfetto::TYPE_SLICE_END
                      : isValue ? perfetto::TYPE_COUNTER
                                : perfetto::TYPE_INSTANT);
    m_event.AddVarint(perfetto::EVENT_TRACK, uint64_t{record.track} + 1);
    if (isValue)
    {
        m_event.AddVarint(perfetto::EVENT_VALUE, record.value);
    }
    else if (!isEnd)
    {
        m_event.AddVarint(perfetto::EVENT_NAME, Tell(record.name, EVENT_NAMES));
        m_event.AddVarint(perfetto::EVENT_CATEGORY, Tell(record.category, CATEGORIES));
        for (uint32_t i = 0; i < record.nArguments; ++i)
        {
            AddArgument(arguments[i]);
        }
    }
    if (record.type == TimelineRecord::FLOW_OUT)
    {
        m_event.AddFixed64(perfetto::EVENT_FLOW, record.value);
    }
    if (record.type == TimelineRecord::FLOW_IN)
    {
        m_event.AddFixed64(perfetto::EVENT_TERMINATING_FLOW, record.value);
    }
    AddExactTime(record);
    m_packet.AddMessage(perfetto::PACKET_TRACK_EVENT, m_event);
    if (!m_interned.GetMessage().empty())
    {
        m_packet.AddMessage(perfetto::PACKET_INTERNED_DATA, m_interned);
    }
    Append(text);
}

void
PerfettoTimelineWriter::Declare(const TimelineRecord& record)
{
    const std::string& name = m_names[record.name].text;
    const uint64_t track = uint64_t{record.track} + 1;
    const uint64_t process = uint64_t{record.category} + 1;
    m_event.Clear();
    m_event.AddVarint(perfetto::TRACK_UUID, track);
    m_part.Clear();
    if (record.type == TimelineRecord::PROCESS)
    {
        m_part.AddVarint(perfetto::PROCESS_PID, track);
        m_part.AddBytes(perfetto::PROCESS_NAME, name);
        m_event.AddMessage(perfetto::TRACK_PROCESS, m_part);
    }
    else if (record.type == TimelineRecord::THREAD)
    {
        m_event.AddVarint(perfetto::TRACK_PARENT, process);
        m_part.AddVarint(perfetto::THREAD_PID, process);
        m_part.AddVarint(perfetto::THREAD_TID, track);
        m_part.AddBytes(perfetto::THREAD_NAME, name);
        m_event.AddMessage(perfetto::TRACK_THREAD, m_part);
    }
    else
    {
        m_event.AddBytes(perfetto::TRACK_NAME, name);
        m_event.AddVarint(perfetto::TRACK_PARENT, process);
        m_event.AddMessage(perfetto::TRACK_COUNTER, m_part);
    }
    m_packet.AddMessage(perfetto::PACKET_TRACK_DESCRIPTOR, m_event);
}

uint64_t
PerfettoTimelineWriter::Tell(uint32_t name, Table table)
{
    Name& entry = m_names[name];
    const uint64_t number = uint64_t{name} + 1;
    if ((entry.told >> table & 1) == 0)
    {
        entry.told |= 1U << table;
        m_part.Clear();
        m_part.AddVarint(perfetto::INTERNED_NUMBER, number);
        m_part.AddBytes(perfetto::INTERNED_TEXT, entry.text);
        m_interned.AddMessage(table, m_part);
    }
    return number;
}

void
PerfettoTimelineWriter::AddArgument(const TimelineArgument& argument)
{
    const uint64_t key = Tell(argument.key, ARGUMENT_NAMES);
    const uint64_t value = argument.isName
                               ? Tell(static_cast<uint32_t>(argument.value), ARGUMENT_VALUES)
                               : argument.value;
    m_part.Clear();
    m_part.AddVarint(perfetto::ARGUMENT_NAME, key);
    m_part.AddVarint(argument.isName ? perfetto::ARGUMENT_TEXT : perfetto::ARGUMENT_NUMBER, value);
    m_event.AddMessage(perfetto::EVENT_ARGUMENT, m_part);
}

void
PerfettoTimelineWriter::AddExactTime(const TimelineRecord& record)
{
    const auto rest = static_cast<uint64_t>(record.time % m_ticksOfNs);
    if (rest > 0)
    {
        m_part.Clear();
        const bool isEnd = record.type == TimelineRecord::END;
        m_part.AddBytes(perfetto::ARGUMENT_PLAIN_NAME,
                        m_digits == 3 ? (isEnd ? "end_ps" : "ps") : (isEnd ? "end_fs" : "fs"));
        m_part.AddVarint(perfetto::ARGUMENT_NUMBER, rest);
        m_event.AddMessage(perfetto::EVENT_ARGUMENT, m_part);
    }
}

void
PerfettoTimelineWriter::Append(std::string& text)
{
    m_packet.AddVarint(perfetto::PACKET_SEQUENCE, 1);
    m_packet.AddVarint(perfetto::PACKET_SEQUENCE_FLAGS,
                       m_isFirst ? perfetto::NAMES_BEGIN : perfetto::NAMES_HOLD);
    m_isFirst = false;
    m_part.Clear();
    m_part.AddMessage(perfetto::TRACE_PACKET, m_packet);
    text += m_part.GetMessage();
}

} // namespace lightpath
} // namespace ns3
