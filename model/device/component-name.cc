/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "component-name.h"

#include <algorithm>

namespace ns3
{
namespace lightpath
{

namespace
{

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
ComponentName::Is(const std::string& kind,
                  const std::vector<uint32_t>& sizes,
                  const std::string& side)
{
    // A form has a kind, an index for each size, and the side, if any
    const std::size_t behind = side.empty() ? 0 : 1;
    const bool hasForm = m_parts.size() == 1 + sizes.size() + behind && m_parts.front() == kind &&
                         std::all_of(m_parts.begin() + 1, m_parts.end() - behind, IsIndex) &&
                         (side.empty() || m_parts.back() == side);
    if (!hasForm)
    {
        return false;
    }
    for (std::size_t which = 0; which < sizes.size(); ++which)
    {
        if (Get(which) >= sizes[which])
        {
            m_refusal = "There is no '" + m_text + "': " + m_parts[which + 1] +
                        " must be less than " + std::to_string(sizes[which]);
            return false;
        }
    }
    return true;
}

uint32_t
ComponentName::Get(std::size_t which) const
{
    if (which + 1 >= m_parts.size() || !IsIndex(m_parts[which + 1]))
    {
        return NO_INDEX;
    }
    uint64_t index = 0;
    for (const char digit : m_parts[which + 1])
    {
        // Saturate: a long number must not wrap around to a valid index
        index = std::min(10 * index + (digit - '0'), uint64_t{NO_INDEX});
    }
    return index;
}

std::string
ComponentName::GetRefusal(const std::string& forms) const
{
    return m_refusal.empty() ? forms : m_refusal;
}

} // namespace lightpath
} // namespace ns3
