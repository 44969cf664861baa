/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "component-name.h"

#include <sstream>
#include <stdexcept>

namespace ns3
{
namespace lightpath
{

ComponentName::ComponentName(const std::string& text)
    : m_text(text)
{
    std::istringstream stream(text);
    std::getline(stream, m_kind, ':');
    std::string part;
    while (m_side.empty() && std::getline(stream, part, ':'))
    {
        const bool isIndex = !part.empty() && part.size() < 19 &&
                             part.find_first_not_of("0123456789") == std::string::npos;
        if (isIndex)
        {
            m_indices.push_back(std::stoull(part));
        }
        else
        {
            // With all that follows, so that no name with a part too many is taken
            std::string rest;
            std::getline(stream, rest, '\0');
            m_side = part + ':' + rest;
        }
    }
    if (!m_side.empty() && m_side.back() == ':')
    {
        m_side.pop_back();
    }
}

bool
ComponentName::Is(const std::string& kind, std::size_t indices, const std::string& side) const
{
    return m_kind == kind && m_indices.size() == indices && m_side == side &&
           (m_text.empty() || m_text.back() != ':');
}

uint32_t
ComponentName::Get(std::size_t which, uint32_t size) const
{
    const uint64_t index = m_indices.at(which);
    if (index >= size)
    {
        throw std::invalid_argument("There is no '" + m_text + "': " + std::to_string(index) +
                                    " must be less than " + std::to_string(size));
    }
    return index;
}

} // namespace lightpath
} // namespace ns3
