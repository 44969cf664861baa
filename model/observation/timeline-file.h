/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TIMELINE_FILE_H
#define TIMELINE_FILE_H

#include "timeline-writer.h"

#include <atomic>
#include <cstdint>
#include <fstream>
#include <future>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief A file that a timeline is written to.
 *
 * Entries are collected, and encoded and written in the background, some thousands at a time, while
 * the simulation goes on: at most two such blocks are in memory. The file appears under its name
 * once it is complete; until then it is named like it, with .part behind.
 */
class TimelineFile
{
  public:
    /**
     * Create the file. Throws std::invalid_argument for an unknown ending of the name, and
     * std::runtime_error if the file cannot be written.
     *
     * @param name the name of the file
     * @param digits the decimals of a nanosecond that a tick is: 0, 3 or 6
     */
    TimelineFile(const std::string& name, uint32_t digits);

    /// Remove the file if it is not complete.
    ~TimelineFile();

    TimelineFile(const TimelineFile&) = delete;
    TimelineFile& operator=(const TimelineFile&) = delete;

    /**
     * Add the next name, from number 0 on.
     *
     * @param name the name
     */
    void AddName(const std::string& name);

    /**
     * Add an entry. Throws std::runtime_error if the file cannot be written.
     *
     * @param record the entry; its first argument is set here
     * @param arguments its arguments
     */
    void Add(TimelineRecord record, const TimelineArgument* arguments = nullptr);

    /**
     * Complete the file. Throws std::runtime_error if it cannot be written.
     */
    void Close();

    /**
     * @return about how large the file is so far, in bytes
     */
    uint64_t GetBytes() const;

  private:
    /// Entries to be encoded and written.
    struct Block
    {
        std::vector<std::string> names;          //!< New names
        std::vector<TimelineRecord> records;     //!< The entries
        std::vector<TimelineArgument> arguments; //!< Their arguments
    };

    /// Hand over the entries that have been collected.
    void Flush();

    /// Encode and write the block that has been handed over.
    void Write();

    /// Wait until the block that has been handed over is written.
    void Wait();

    std::string m_name;                       //!< Name of the complete file
    std::string m_partName;                   //!< Name of the file until then
    std::unique_ptr<TimelineWriter> m_writer; //!< Encodes the entries
    std::ofstream m_stream;                   //!< The file
    std::string m_text;                       //!< Text not yet written
    Block m_block;                            //!< Entries that are collected
    Block m_handed;                           //!< Entries that are being written
    std::future<void> m_writing;              //!< Writes them
    std::atomic<uint64_t> m_bytes{0};         //!< Bytes written so far
    bool m_isOpen{true};                      //!< The file is not complete
};

} // namespace lightpath
} // namespace ns3

#endif /* TIMELINE_FILE_H */
