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

OddlRouter::OddlRouter(const WssGridChannel& channel, RelayPolicy policy)
    : m_channel(channel),
      m_policy(policy)
{
}

OddlRouter::Direction
OddlRouter::Turn(Direction direction)
{
    return direction == WssGridChannel::ROW ? WssGridChannel::COLUMN : WssGridChannel::ROW;
}

std::optional<OddlRouter::Hop>
OddlRouter::Find(uint32_t source, uint32_t destination) const
{
    for (const Direction direction : {WssGridChannel::ROW, WssGridChannel::COLUMN})
    {
        if (m_channel.CanReach(source, destination, direction))
        {
            return Hop{destination, direction};
        }
    }
    if (m_policy == FORBID)
    {
        return std::nullopt;
    }
    const Direction first = m_policy == Y_FIRST ? WssGridChannel::COLUMN : WssGridChannel::ROW;
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
    const uint32_t corner = m_channel.GetPortAt(first,
                                                m_channel.GetGroup(source, first),
                                                m_channel.GetMember(destination, first));
    if (corner < m_channel.GetNDevices() && m_channel.CanReach(source, corner, first) &&
        m_channel.CanReach(corner, destination, Turn(first)))
    {
        return Hop{corner, first};
    }
    return std::nullopt;
}

std::optional<OddlRouter::Hop>
OddlRouter::FindDetour(uint32_t source, uint32_t destination, Direction first) const
{
    const uint32_t group = m_channel.GetGroup(source, first);
    const uint32_t members =
        first == WssGridChannel::ROW ? m_channel.GetNColumns() : m_channel.GetNRows();
    for (uint32_t i = 0; i < members; ++i)
    {
        // Not all detours lead through the same corners
        const uint32_t member = (source + destination + i) % members;
        const uint32_t corner = m_channel.GetPortAt(first, group, member);
        if (corner < m_channel.GetNDevices() && m_channel.CanReach(source, corner, first) &&
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
    if (m_policy != FORBID)
    {
        sentence << "no way leads through switches, lasers and receivers that work";
    }
    else if (m_channel.IsForwarded(source, destination))
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
