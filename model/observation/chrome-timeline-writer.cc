/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "chrome-timeline-writer.h"

#include <nlohmann/json.hpp>

namespace ns3
{
namespace lightpath
{

uint32_t
ChromeTimelineWriter::GetRecordBytes() const
{
    return 170;
}

void
ChromeTimelineWriter::AddName(std::string_view name)
{
    m_names.push_back(
        nlohmann::json(name).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

void
ChromeTimelineWriter::WriteHead(std::string& text)
{
    text += "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[";
}

void
ChromeTimelineWriter::WriteTail(std::string& text)
{
    text += "\n]}\n";
}

void
ChromeTimelineWriter::Write(const TimelineRecord& record,
                            const TimelineArgument* arguments,
                            std::string& text)
{
    switch (record.type)
    {
    case TimelineRecord::PROCESS:
    case TimelineRecord::THREAD:
    case TimelineRecord::COUNTER:
        Declare(record, text);
        break;
    case TimelineRecord::BEGIN:
        Begin('B', record, text);
        AppendName(record, text);
        AppendArguments(record, arguments, text);
        break;
    case TimelineRecord::END:
        Begin('E', record, text);
        break;
    case TimelineRecord::INSTANT:
        Begin('i', record, text);
        AppendName(record, text);
        text += ",\"s\":\"t\"";
        AppendArguments(record, arguments, text);
        break;
    case TimelineRecord::FLOW_OUT:
    case TimelineRecord::FLOW_IN:
        Begin('X', record, text);
        AppendName(record, text);
        text += ",\"dur\":0";
        AppendArguments(record, arguments, text);
        text += '}';
        // Both ends of an arrow have the same name, category and number, which is a hexadecimal
        // text, as numbers of JSON may have 53 bits only
        Begin(record.type == TimelineRecord::FLOW_OUT ? 's' : 'f', record, text);
        text += ",\"bp\":\"e\",\"name\":\"message\",\"cat\":\"message\",\"id\":\"0x";
        AppendNumber(text, record.value, 16);
        text += '"';
        break;
    case TimelineRecord::VALUE:
        Begin('C', record, text);
        text += ",\"name\":" + m_names[m_tracks[record.track].name];
        text += ",\"args\":{\"value\":";
        AppendNumber(text, record.value);
        text += '}';
        break;
    }
    text += '}';
}

void
ChromeTimelineWriter::Declare(const TimelineRecord& record, std::string& text)
{
    const bool isProcess = record.type == TimelineRecord::PROCESS;
    m_tracks.resize(record.track + 1);
    m_tracks[record.track] = {isProcess ? record.track : record.category, record.name};
    // A counter needs no entry: its values name it
    text += m_isFirst ? "\n" : ",\n";
    m_isFirst = false;
    text += "{\"ph\":\"M\",\"pid\":";
    AppendNumber(text, m_tracks[record.track].process + 1);
    if (record.type == TimelineRecord::THREAD)
    {
        text += ",\"tid\":";
        AppendNumber(text, record.track + 1);
    }
    text += isProcess                               ? ",\"name\":\"process_name\""
            : record.type == TimelineRecord::THREAD ? ",\"name\":\"thread_name\""
                                                    : ",\"name\":\"counter_name\"";
    text += ",\"args\":{\"name\":" + m_names[record.name] + "}";
}

void
ChromeTimelineWriter::Begin(char phase, const TimelineRecord& record, std::string& text)
{
    text += m_isFirst ? "\n{\"ph\":\"" : ",\n{\"ph\":\"";
    m_isFirst = false;
    text += phase;
    text += "\",\"pid\":";
    AppendNumber(text, m_tracks[record.track].process + 1);
    text += ",\"tid\":";
    AppendNumber(text, record.track + 1);
    text += ",\"ts\":";
    const auto ticksOfUs = static_cast<uint64_t>(m_ticksOfNs * 1000);
    const auto time = static_cast<uint64_t>(record.time);
    AppendNumber(text, time / ticksOfUs);
    if (const uint64_t rest = time % ticksOfUs)
    {
        // A leading digit keeps the zeros behind the point
        const std::size_t place = text.size();
        AppendNumber(text, ticksOfUs + rest);
        text[place] = '.';
    }
}

void
ChromeTimelineWriter::AppendName(const TimelineRecord& record, std::string& text) const
{
    text += ",\"name\":";
    text += m_names[record.name];
    text += ",\"cat\":";
    text += m_names[record.category];
}

void
ChromeTimelineWriter::AppendArguments(const TimelineRecord& record,
                                      const TimelineArgument* arguments,
                                      std::string& text) const
{
    for (uint32_t i = 0; i < record.nArguments; ++i)
    {
        text += i == 0 ? ",\"args\":{" : ",";
        text += m_names[arguments[i].key];
        text += ':';
        if (arguments[i].isName)
        {
            text += m_names[arguments[i].value];
        }
        else
        {
            AppendNumber(text, arguments[i].value);
        }
    }
    text += record.nArguments > 0 ? "}" : "";
}

} // namespace lightpath
} // namespace ns3
