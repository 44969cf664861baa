/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TIMELINE_CONTENT_H
#define TIMELINE_CONTENT_H

#include "model/base/protobuf-reader.h"

#include <cmath>
#include <cstdint>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace ns3
{
namespace lightpath
{

/// A slice: its name, and when it begins and ends in ns.
using TimelineSlice = std::tuple<std::string, int64_t, int64_t>;

/// An arrow: the track and the time in ns of its beginning and of its end.
using TimelineArrow = std::tuple<std::string, int64_t, std::string, int64_t>;

/**
 * @ingroup lightpath-tests
 * @brief A timeline as read from its file, in either format, with times in ns.
 */
class TimelineContent
{
  public:
    /**
     * @param file the name of the file
     */
    explicit TimelineContent(const std::string& file)
    {
        std::ifstream stream(file);
        std::ostringstream text;
        text << stream.rdbuf();
        file.back() == 'n' ? ReadJson(nlohmann::json::parse(text.str())) : ReadTrace(text.str());
        for (auto& [flow, ends] : m_flows)
        {
            arrows.insert(std::tuple_cat(ends[0], ends[1]));
        }
        for (const auto& track : m_open)
        {
            isNested = isNested && track.second.empty();
        }
    }

    std::map<std::string, std::vector<TimelineSlice>> slices;   //!< The slices by track
    std::multiset<TimelineArrow> arrows;                        //!< The arrows
    std::map<std::string, std::map<int64_t, int64_t>> counters; //!< Values by counter and time
    std::set<std::string> instants;                             //!< Names of other events
    std::set<std::string> processes;                            //!< Names of processes
    /// Sums of slices by track, iteration and name
    std::map<std::tuple<std::string, int64_t, std::string>, int64_t> sums;
    bool isNested{true}; //!< Each end belongs to a slice, and each slice ends

  private:
    /// One end of an arrow.
    using End = std::tuple<std::string, int64_t>;

    /// An event, whatever the format.
    struct Event
    {
        std::string track;     //!< The name of its track
        std::string name;      //!< Its name
        int64_t time{0};       //!< Its time
        int64_t iteration{-1}; //!< The argument
    };

    /**
     * @param event the beginning of a slice
     */
    void Begin(const Event& event)
    {
        m_open[event.track].push_back(event);
    }

    /**
     * @param event the end of a slice
     */
    void Finish(const Event& event)
    {
        auto& open = m_open[event.track];
        if (open.empty())
        {
            isNested = false;
            return;
        }
        const Event begin = open.back();
        open.pop_back();
        slices[event.track].emplace_back(begin.name, begin.time, event.time);
        sums[{event.track, begin.iteration, begin.name}] += event.time - begin.time;
    }

    /**
     * @param json a file in the format of Chrome
     */
    void ReadJson(const nlohmann::json& json)
    {
        std::map<uint64_t, std::string> tracks;
        for (const auto& entry : json.at("traceEvents"))
        {
            const std::string phase = entry.at("ph");
            if (phase == "M")
            {
                const std::string name = entry.at("args").at("name");
                if (entry.at("name") == "process_name")
                {
                    processes.insert(name);
                }
                else if (entry.contains("tid"))
                {
                    tracks[entry.at("tid")] = name;
                }
                continue;
            }
            Event event;
            event.track = tracks[entry.at("tid")];
            event.name = entry.value("name", "");
            event.time = std::llround(entry.at("ts").get<double>() * 1000);
            if (entry.contains("args"))
            {
                event.iteration = entry["args"].value("iteration", -1);
            }
            switch (phase.front())
            {
            case 'B':
                Begin(event);
                break;
            case 'E':
                Finish(event);
                break;
            case 's':
            case 'f':
                m_flows[std::stoull(entry.at("id").get<std::string>(), nullptr, 16)][phase == "f"] =
                    {event.track, event.time};
                break;
            case 'C':
                counters[event.name][event.time] = entry.at("args").at("value");
                break;
            case 'i':
                instants.insert(event.name);
                break;
            }
        }
    }

    /**
     * @param text a file in the format of Perfetto
     */
    void ReadTrace(const std::string& text)
    {
        std::map<uint64_t, std::string> tracks;
        std::map<uint64_t, std::map<uint64_t, std::string>> tables;
        ProtobufReader trace(text);
        while (trace.Next())
        {
            ProtobufReader packet(trace.GetBytes());
            Event event;
            std::string_view body;
            while (packet.Next())
            {
                switch (packet.GetField())
                {
                case 8:
                    event.time = static_cast<int64_t>(packet.GetUint64());
                    break;
                case 11:
                    body = packet.GetBytes();
                    break;
                case 12:
                    ReadNames(packet.GetBytes(), tables);
                    break;
                case 60:
                    ReadTrack(packet.GetBytes(), tracks);
                    break;
                }
            }
            if (!body.empty())
            {
                ReadEvent(body, event, tracks, tables);
            }
        }
    }

    /**
     * @param text a message
     * @return its fields: numbers, and the texts of the others
     */
    static std::pair<std::map<uint32_t, uint64_t>, std::map<uint32_t, std::string>> ReadFields(
        std::string_view text)
    {
        std::pair<std::map<uint32_t, uint64_t>, std::map<uint32_t, std::string>> fields;
        ProtobufReader reader(text);
        while (reader.Next())
        {
            if (reader.GetWireType() == ProtobufReader::BYTES)
            {
                fields.second[reader.GetField()] = reader.GetBytes();
            }
            else
            {
                fields.first[reader.GetField()] = reader.GetUint64();
            }
        }
        return fields;
    }

    /**
     * @param text a description of a track
     * @param [in,out] tracks the names of tracks by number
     */
    void ReadTrack(std::string_view text, std::map<uint64_t, std::string>& tracks)
    {
        const auto [numbers, texts] = ReadFields(text);
        if (texts.count(3) > 0)
        {
            processes.insert(ReadFields(texts.at(3)).second.at(6));
        }
        else
        {
            tracks[numbers.at(1)] =
                texts.count(4) > 0 ? ReadFields(texts.at(4)).second.at(5) : texts.at(2);
        }
    }

    /**
     * @param text names that a packet tells
     * @param [in,out] tables the names by table and number
     */
    static void ReadNames(std::string_view text,
                          std::map<uint64_t, std::map<uint64_t, std::string>>& tables)
    {
        ProtobufReader reader(text);
        while (reader.Next())
        {
            const auto [numbers, texts] = ReadFields(reader.GetBytes());
            tables[reader.GetField()][numbers.at(1)] = texts.at(2);
        }
    }

    /**
     * @param text an event
     * @param event its time
     * @param tracks the names of tracks by number
     * @param tables names by table and number
     */
    void ReadEvent(std::string_view text,
                   Event event,
                   std::map<uint64_t, std::string>& tracks,
                   std::map<uint64_t, std::map<uint64_t, std::string>>& tables)
    {
        ProtobufReader reader(text);
        uint64_t type = 0;
        while (reader.Next())
        {
            const uint32_t field = reader.GetField();
            if (field == 4)
            {
                const auto numbers = ReadFields(reader.GetBytes()).first;
                if (numbers.count(1) > 0 && tables[3].at(numbers.at(1)) == "iteration")
                {
                    event.iteration = static_cast<int64_t>(numbers.at(3));
                }
                continue;
            }
            const uint64_t value = reader.GetUint64();
            switch (field)
            {
            case 9:
                type = value;
                break;
            case 10:
                event.name = tables[2].at(value);
                break;
            case 11:
                event.track = tracks.at(value);
                break;
            case 30:
                counters[event.track][event.time] = static_cast<int64_t>(value);
                break;
            case 47:
            case 48:
                m_flows[value][field == 48] = {event.track, event.time};
                type = 0;
                break;
            }
        }
        switch (type)
        {
        case 1:
            Begin(event);
            break;
        case 2:
            Finish(event);
            break;
        case 3:
            instants.insert(event.name);
            break;
        }
    }

    std::map<std::string, std::vector<Event>> m_open; //!< Slices that are open, by track
    std::map<uint64_t, std::map<bool, End>> m_flows;  //!< Beginning and end of arrows
};

} // namespace lightpath
} // namespace ns3

#endif /* TIMELINE_CONTENT_H */
