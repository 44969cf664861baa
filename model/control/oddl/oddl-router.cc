/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "oddl-router.h"

#include <sstream>

namespace ns3
{
namespace lightpath
{

OddlRouter::OddlRouter(const WssGrid& grid, OddlSettings::RelayPolicy policy)
    : m_grid(grid),
      m_policy(policy)
{
}

OddlRouter::Direction
OddlRouter::Turn(Direction direction)
{
    return direction == WssGrid::ROW ? WssGrid::COLUMN : WssGrid::ROW;
}

std::optional<OddlRouter::Hop>
OddlRouter::Find(uint32_t source, uint32_t destination) const
{
    for (const Direction direction : {WssGrid::ROW, WssGrid::COLUMN})
    {
        if (m_grid.CanReach(source, destination, direction))
        {
            return Hop{destination, direction};
        }
    }
    if (m_policy == OddlSettings::FORBID)
    {
        return std::nullopt;
    }
    const Direction first = m_policy == OddlSettings::Y_FIRST ? WssGrid::COLUMN : WssGrid::ROW;
    for (const Direction direction : {first, Turn(first)})
    {
        if (const auto hop = FindCorner(source, destination, direction))
        {
            return hop;
        }
    }
    for (const Direction direction : {first, Turn(first)})
    {
        if (const auto hop = FindDetour(source, destination, direction))
        {
            return hop;
        }
    }
    return std::nullopt;
}

std::optional<OddlRouter::Hop>
OddlRouter::FindCorner(uint32_t source, uint32_t destination, Direction first) const
{
    const uint32_t corner = m_grid.GetPortAt(first,
                                             m_grid.GetGroup(source, first),
                                             m_grid.GetMember(destination, first));
    if (corner < m_grid.GetSize().ports && m_grid.CanReach(source, corner, first) &&
        m_grid.CanReach(corner, destination, Turn(first)))
    {
        return Hop{corner, first};
    }
    return std::nullopt;
}

std::optional<OddlRouter::Hop>
OddlRouter::FindDetour(uint32_t source, uint32_t destination, Direction first) const
{
    const uint32_t group = m_grid.GetGroup(source, first);
    const uint32_t members =
        first == WssGrid::ROW ? m_grid.GetSize().columns : m_grid.GetSize().rows;
    for (uint32_t i = 0; i < members; ++i)
    {
        // Not all detours lead through the same corners
        const uint32_t member = (source + destination + i) % members;
        const uint32_t corner = m_grid.GetPortAt(first, group, member);
        if (corner < m_grid.GetSize().ports && m_grid.CanReach(source, corner, first) &&
            FindCorner(corner, destination, Turn(first)))
        {
            return Hop{corner, first};
        }
    }
    return std::nullopt;
}

std::string
OddlRouter::Explain(uint32_t source, uint32_t destination) const
{
    std::ostringstream sentence;
    sentence << "Port " << source << " cannot send to port " << destination << ": ";
    if (m_policy != OddlSettings::FORBID)
    {
        sentence << "no way leads through switches, lasers and receivers that work";
    }
    else if (m_grid.AreApart(source, destination))
    {
        sentence << "they share no row and no column, and the RelayPolicy is Forbid";
    }
    else
    {
        sentence << "their switch, the laser or the receiver does not work, and the RelayPolicy is "
                    "Forbid";
    }
    return sentence.str();
}

} // namespace lightpath
} // namespace ns3
