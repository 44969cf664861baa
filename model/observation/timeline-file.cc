/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "timeline-file.h"

#include <cstdio>
#include <stdexcept>
#include <utility>

namespace ns3
{
namespace lightpath
{

namespace
{

/// Entries of a block.
constexpr std::size_t TIMELINE_BLOCK_RECORDS = 1 << 12;

} // namespace

TimelineFile::TimelineFile(const std::string& name, uint32_t digits)
    : m_name(name),
      m_partName(name + ".part"),
      m_writer(TimelineWriter::Create(name, digits))
{
    m_stream.open(m_partName, std::ios::binary);
    if (!m_stream)
    {
        throw std::runtime_error("The file '" + name + "' cannot be written");
    }
    m_writer->WriteHead(m_text);
}

TimelineFile::~TimelineFile()
{
    if (m_writing.valid())
    {
        m_writing.wait();
    }
    if (m_isOpen)
    {
        m_stream.close();
        std::remove(m_partName.c_str());
    }
}

void
TimelineFile::AddName(const std::string& name)
{
    m_block.names.push_back(name);
}

void
TimelineFile::Add(TimelineRecord record, const TimelineArgument* arguments)
{
    record.firstArgument = static_cast<uint32_t>(m_block.arguments.size());
    if (arguments)
    {
        m_block.arguments.insert(m_block.arguments.end(), arguments, arguments + record.nArguments);
    }
    m_block.records.push_back(record);
    if (m_block.records.size() == TIMELINE_BLOCK_RECORDS)
    {
        Flush();
    }
}

void
TimelineFile::Flush()
{
    Wait();
    std::swap(m_block, m_handed);
    m_block.names.clear();
    m_block.records.clear();
    m_block.arguments.clear();
    m_writing = std::async(std::launch::async, &TimelineFile::Write, this);
}

void
TimelineFile::Write()
{
    for (const auto& name : m_handed.names)
    {
        m_writer->AddName(name);
    }
    for (const auto& record : m_handed.records)
    {
        m_writer->Write(record, m_handed.arguments.data() + record.firstArgument, m_text);
    }
    m_stream.write(m_text.data(), static_cast<std::streamsize>(m_text.size()));
    m_bytes += m_text.size();
    m_text.clear();
    if (!m_stream)
    {
        throw std::runtime_error("The file '" + m_name + "' cannot be written");
    }
}

void
TimelineFile::Wait()
{
    if (m_writing.valid())
    {
        m_writing.get();
    }
}

void
TimelineFile::Close()
{
    Flush();
    Wait();
    m_writer->WriteTail(m_text);
    m_stream.write(m_text.data(), static_cast<std::streamsize>(m_text.size()));
    m_stream.close();
    if (!m_stream || std::rename(m_partName.c_str(), m_name.c_str()) != 0)
    {
        throw std::runtime_error("The file '" + m_name + "' cannot be written");
    }
    m_isOpen = false;
}

uint64_t
TimelineFile::GetBytes() const
{
    return m_bytes;
}

} // namespace lightpath
} // namespace ns3
