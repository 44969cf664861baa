/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "component-name.h"

#include <algorithm>
#include <stdexcept>

namespace ns3
{
namespace lightpath
{

namespace
{

/// More than there can be of any component.
constexpr uint64_t TOO_MANY = uint64_t{1} << 32;

/**
 * @param part a part of a name
 * @return true if it is a number without a sign
 */
bool
IsIndex(const std::string& part)
{
    return !part.empty() && part.find_first_not_of("0123456789") == std::string::npos;
}

} // namespace

ComponentName::ComponentName(const std::string& text)
    : m_text(text)
{
    std::size_t begin = 0;
    while (begin <= text.size())
    {
        const std::size_t end = std::min(text.find(':', begin), text.size());
        m_parts.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
}

bool
ComponentName::Is(const std::string& kind, std::size_t indices, const std::string& side) const
{
    const std::size_t behind = side.empty() ? 0 : 1;
    return m_parts.size() == 1 + indices + behind && m_parts.front() == kind &&
           std::all_of(m_parts.begin() + 1, m_parts.end() - behind, IsIndex) &&
           (side.empty() || m_parts.back() == side);
}

uint32_t
ComponentName::Get(std::size_t which, uint32_t size) const
{
    const std::string& part = m_parts.at(which + 1);
    uint64_t index = 0;
    for (const char digit : part)
    {
        index = std::min(10 * index + (digit - '0'), TOO_MANY);
    }
    if (index >= size)
    {
        throw std::invalid_argument("There is no '" + m_text + "': " + part +
                                    " must be less than " + std::to_string(size));
    }
    return index;
}

} // namespace lightpath
} // namespace ns3
