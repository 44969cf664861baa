/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "trace-files.h"

#include <algorithm>
#include <filesystem>
#include <istream>
#include <set>
#include <stdexcept>
#include <system_error>

namespace ns3
{
namespace lightpath
{

std::pair<std::string, std::string>
TraceFiles::Split(const std::string& pattern)
{
    for (const std::string mark : {"*", "%d"})
    {
        const auto found = pattern.find(mark);
        if (found != std::string::npos)
        {
            return {pattern.substr(0, found), pattern.substr(found + mark.size())};
        }
    }
    return {pattern + ".", ".et"};
}

std::string
TraceFiles::GetName(const std::string& pattern, uint32_t rank)
{
    const auto [begin, end] = Split(pattern);
    return begin + std::to_string(rank) + end;
}

std::string
TraceFiles::GetGroupsName(const std::string& pattern)
{
    // The name without the number, and without a dot too many before it
    std::string begin = Split(pattern).first;
    begin.resize(begin.size() - (!begin.empty() && begin.back() == '.' ? 1 : 0));
    return begin + ".groups.json";
}

std::vector<std::string>
TraceFiles::Find(const std::string& pattern)
{
    const auto [begin, end] = Split(pattern);
    const auto slash = begin.rfind('/');
    const std::string folder = slash == std::string::npos ? "." : begin.substr(0, slash + 1);
    const std::string start = slash == std::string::npos ? begin : begin.substr(slash + 1);
    std::set<uint32_t> ranks;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(folder, error))
    {
        const std::string name = entry.path().filename().string();
        constexpr std::size_t mostDigits = 7;
        const std::size_t around = start.size() + end.size();
        if (name.size() <= around || name.size() > around + mostDigits ||
            name.rfind(start, 0) != 0 ||
            name.compare(name.size() - end.size(), end.size(), end) != 0)
        {
            continue;
        }
        const std::string digits = name.substr(start.size(), name.size() - around);
        // A number has one form only
        const bool isNumber = digits.find_first_not_of("0123456789") == std::string::npos &&
                              (digits.size() == 1 || digits[0] != '0');
        if (isNumber)
        {
            ranks.insert(static_cast<uint32_t>(std::stoul(digits)));
        }
    }
    if (ranks.empty())
    {
        throw std::invalid_argument("There is no trace " + GetName(pattern, 0) +
                                    ": name what all traces begin with, before .RANK.et, or write "
                                    "* for the number of the rank");
    }
    std::vector<std::string> files;
    for (const auto rank : ranks)
    {
        if (rank != files.size())
        {
            throw std::invalid_argument(GetName(pattern, static_cast<uint32_t>(files.size())) +
                                        " is missing, but there is " +
                                        GetName(pattern, *ranks.rbegin()) +
                                        ": each rank from 0 on needs a trace");
        }
        files.push_back(GetName(pattern, rank));
    }
    return files;
}

void
TraceFiles::RefuseJson(std::istream& is)
{
    is.clear();
    is.seekg(0);
    char first = 0;
    char second = 0;
    if (is >> std::ws && is.get(first) && is >> std::ws && is.get(second) && first == '{' &&
        second == '"')
    {
        throw std::invalid_argument("this is the JSON form of Chakra, or other JSON, which cannot "
                                    "be read: name the binary traces, NAME.RANK.et, that it was "
                                    "made from");
    }
}

} // namespace lightpath
} // namespace ns3
