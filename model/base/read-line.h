/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef READ_LINE_H
#define READ_LINE_H

#include <cstddef>
#include <istream>
#include <stdexcept>
#include <string>

namespace ns3
{
namespace lightpath
{

/// The most bytes of a line of a file.
inline constexpr std::size_t LONGEST_LINE = 1 << 24;

/**
 * @ingroup lightpath
 * Read a line. One that is too long, as those of devices are, is refused by std::invalid_argument
 * before it fills the memory.
 *
 * @param is where to read
 * @param [out] line the line
 * @param name the name of the file in error messages
 * @return false at the end
 */
inline bool
ReadLine(std::istream& is, std::string& line, const std::string& name)
{
    line.clear();
    char c = 0;
    while (is.get(c) && c != '\n')
    {
        if (line.size() == LONGEST_LINE)
        {
            throw std::invalid_argument(name + " has a line of more than " +
                                        std::to_string(LONGEST_LINE) +
                                        " bytes: give a file of text");
        }
        line += c;
    }
    return is || !line.empty();
}

} // namespace lightpath
} // namespace ns3

#endif /* READ_LINE_H */
