/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TIMELINE_WRITER_H
#define TIMELINE_WRITER_H

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace ns3
{
namespace lightpath
{

/// An argument of an event of a timeline.
struct TimelineArgument
{
    uint32_t key{0};    //!< Number of the name of the argument
    bool isName{false}; //!< The value is the number of a name, not an integer
    uint64_t value{0};  //!< The value
};

/// An entry of a timeline. Names, processes and tracks have the numbers in which they were added.
struct TimelineRecord
{
    /// The kinds of entries.
    enum Type : uint8_t
    {
        PROCESS,  //!< A process that groups tracks: number, name
        THREAD,   //!< A track of slices: number, name, process
        COUNTER,  //!< A track of numbers: number, name, process
        BEGIN,    //!< A slice begins
        END,      //!< The slice that began last on the track ends
        INSTANT,  //!< An event without duration
        FLOW_OUT, //!< An event without duration, at which an arrow begins
        FLOW_IN,  //!< An event without duration, at which an arrow ends
        VALUE,    //!< A counter has a value from now on
    };

    Type type{BEGIN};          //!< Its kind
    uint8_t nArguments{0};     //!< Number of arguments
    uint32_t track{0};         //!< Number of the track or process
    uint32_t name{0};          //!< Number of the name
    uint32_t category{0};      //!< Number of the name of the category; of a track, the process
    uint32_t firstArgument{0}; //!< Index of the first argument
    int64_t time{0};           //!< When, in ticks
    uint64_t value{0};         //!< The value of a counter, or the number of the arrow
};

/**
 * @ingroup lightpath
 * @brief Encodes a timeline in a format that viewers read.
 *
 * An abstract base class. A child class appends each entry to a text, so that a timeline of any
 * length takes no memory. Times are integers in ticks, which no format may round.
 */
class TimelineWriter
{
  public:
    /**
     * Create the writer for a file. Throws std::invalid_argument for an unknown ending of the name.
     *
     * @param file the name of the file: .json for JSON that Chrome and others read, .pftrace or
     *        .perfetto-trace for the protocol buffers of Perfetto
     * @param digits the decimals of a nanosecond that a tick is: 0, 3 or 6
     * @return the writer
     */
    static std::unique_ptr<TimelineWriter> Create(const std::string& file, uint32_t digits);

    /**
     * @param digits the decimals of a nanosecond that a tick is: 0, 3 or 6
     */
    explicit TimelineWriter(uint32_t digits);

    virtual ~TimelineWriter();

    /**
     * @return the usual size of an entry in bytes
     */
    virtual uint32_t GetRecordBytes() const = 0;

    /**
     * Add the next name, from number 0 on.
     *
     * @param name the name
     */
    virtual void AddName(std::string_view name) = 0;

    /**
     * @param [in,out] text where to append the beginning of the file
     */
    virtual void WriteHead(std::string& text);

    /**
     * @param record an entry
     * @param arguments its arguments
     * @param [in,out] text where to append it
     */
    virtual void Write(const TimelineRecord& record,
                       const TimelineArgument* arguments,
                       std::string& text) = 0;

    /**
     * @param [in,out] text where to append the end of the file
     */
    virtual void WriteTail(std::string& text);

  protected:
    /**
     * @param [in,out] text where to append a number
     * @param number the number
     * @param base the base of its digits
     */
    static void AppendNumber(std::string& text, uint64_t number, int base = 10);

    const uint32_t m_digits;   //!< Decimals of a nanosecond that a tick is
    const int64_t m_ticksOfNs; //!< Ticks of a nanosecond
};

} // namespace lightpath
} // namespace ns3

#endif /* TIMELINE_WRITER_H */
