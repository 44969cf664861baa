/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "timeline-writer.h"

#include "chrome-timeline-writer.h"
#include "perfetto-timeline-writer.h"

#include <charconv>
#include <limits>
#include <stdexcept>

namespace ns3
{
namespace lightpath
{

std::unique_ptr<TimelineWriter>
TimelineWriter::Create(const std::string& file, uint32_t digits)
{
    const auto endsWith = [&file](std::string_view ending) {
        return file.size() > ending.size() &&
               file.compare(file.size() - ending.size(), ending.size(), ending) == 0;
    };
    if (endsWith(".json"))
    {
        return std::make_unique<ChromeTimelineWriter>(digits);
    }
    if (endsWith(".pftrace") || endsWith(".perfetto-trace"))
    {
        return std::make_unique<PerfettoTimelineWriter>(digits);
    }
    throw std::invalid_argument("The name of the timeline '" + file +
                                "' does not tell its format: end it with .json, .pftrace or "
                                ".perfetto-trace");
}

TimelineWriter::TimelineWriter(uint32_t digits)
    : m_digits(digits),
      m_ticksOfNs(digits == 0   ? 1
                  : digits == 3 ? 1000
                                : 1000000)
{
}

TimelineWriter::~TimelineWriter() = default;

void
TimelineWriter::WriteHead(std::string& text)
{
}

void
TimelineWriter::WriteTail(std::string& text)
{
}

void
TimelineWriter::AppendNumber(std::string& text, uint64_t number, int base)
{
    char digits[std::numeric_limits<uint64_t>::digits10 + 1];
    const auto end = std::to_chars(std::begin(digits), std::end(digits), number, base).ptr;
    text.append(digits, end - digits);
}

} // namespace lightpath
} // namespace ns3
