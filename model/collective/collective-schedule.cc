/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collective-schedule.h"

#include "algorithm-table.h"
#include "routed-schedule.h"
#include "turn-schedule.h"
#include "two-level-schedule.h"

#include "ns3/assert.h"

#include <algorithm>
#include <stdexcept>
#include <tuple>

namespace ns3
{
namespace lightpath
{

CollectiveOptions::CollectiveOptions(uint32_t local_,
                                     CollectiveAlgorithm algorithm_,
                                     uint32_t rings_,
                                     CollectiveAlgorithm inside_,
                                     CollectiveAlgorithm across_)
    : local(local_),
      algorithm(algorithm_),
      rings(rings_),
      inside(inside_),
      across(across_)
{
}

namespace
{

/**
 * @param o options
 * @return their members, but for those that pointers lead to
 */
auto
Tie(const CollectiveOptions& o)
{
    return std::tie(o.local, o.algorithm, o.rings, o.inside, o.across, o.isAcrossFirst, o.axes);
}

/**
 * @param o where tokens go
 * @return its members
 */
auto
Tie(const TokenRouting& o)
{
    return std::tie(o.isReturn, o.perToken, o.groups, o.topGroups, o.loads);
}

} // namespace

bool
CollectiveOptions::operator==(const CollectiveOptions& other) const
{
    return Tie(*this) == Tie(other) && turns == other.turns &&
           (routing == other.routing ||
            (routing && other.routing && Tie(*routing) == Tie(*other.routing)));
}

bool
CollectiveOptions::operator<(const CollectiveOptions& other) const
{
    if (Tie(*this) != Tie(other))
    {
        return Tie(*this) < Tie(other);
    }
    if (turns != other.turns)
    {
        // None come first. Addresses decide only where all else is the same, as they differ from
        // run to run
        const auto describe = [](const std::shared_ptr<const TurnSequence>& some) {
            return some ? std::make_tuple(some->ports, some->phases.size(), some->words, some.get())
                        : std::make_tuple(0U, std::size_t{0}, std::string(), some.get());
        };
        return describe(turns) < describe(other.turns);
    }
    // Equal but for the tokens: none come first
    return routing != other.routing && other.routing && (!routing || *routing < *other.routing);
}

bool
TokenRouting::operator<(const TokenRouting& other) const
{
    return Tie(*this) < Tie(other);
}

std::shared_ptr<const CollectiveSchedule>
CollectiveSchedule::Create(CollectiveKind kind,
                           uint32_t ranks,
                           uint64_t bytes,
                           const CollectiveOptions& options)
{
    const uint32_t local = options.local;
    if (ranks == 0)
    {
        throw std::invalid_argument(
            "A collective operation needs a group of at least 1 rank, not 0");
    }
    if (local == 0 || ranks % local != 0)
    {
        throw std::invalid_argument("A group of " + std::to_string(ranks) + " ranks cannot have " +
                                    std::to_string(local) +
                                    " ranks in each server: their number must divide the group");
    }
    const std::shared_ptr<CollectiveSchedule> schedule =
        options.turns && local == 1
            ? std::make_shared<TurnSchedule>(kind, ranks, bytes, options.turns)
        : options.turns   ? std::make_shared<TwoLevelSchedule>(kind, ranks, bytes, options)
        : options.routing ? RoutedSchedule::Make(kind, ranks, bytes, options)
                          : AlgorithmTable::Make({kind, ranks, bytes, options});
    schedule->m_local = local;
    return schedule;
}

CollectiveKind
CollectiveSchedule::GetKind(const std::string& name)
{
    return AlgorithmTable::GetKind(name);
}

CollectiveAlgorithm
CollectiveSchedule::GetAlgorithm(const std::string& name)
{
    return AlgorithmTable::GetAlgorithm(name);
}

std::string
CollectiveSchedule::GetName(CollectiveAlgorithm algorithm)
{
    return AlgorithmTable::GetRow(algorithm).name;
}

CollectiveSchedule::CollectiveSchedule(uint32_t ranks, uint64_t bytes)
    : m_ranks(ranks),
      m_bytes(bytes)
{
}

uint32_t
CollectiveSchedule::GetNRanks() const
{
    return m_ranks;
}

uint64_t
CollectiveSchedule::GetBytes() const
{
    return m_bytes;
}

uint32_t
CollectiveSchedule::GetNLocal() const
{
    return m_local;
}

double
CollectiveSchedule::GetServerSeconds(const LinkCost& inside, const LinkCost& outside) const
{
    const double atInside = m_local > 1 ? GetSeconds(inside.latency, inside.rate) : 0;
    const double atOutside = m_local < m_ranks ? GetSeconds(outside.latency, outside.rate) : 0;
    return std::max(atInside, atOutside);
}

bool
CollectiveSchedule::IsEmpty() const
{
    return m_ranks == 1 || m_bytes == 0;
}

uint64_t
CollectiveSchedule::GetChunkBytes(uint32_t chunk) const
{
    NS_ASSERT_MSG(chunk < m_ranks, "Chunk " << chunk << " of " << m_ranks);
    return GetChunkOffset(chunk + 1) - GetChunkOffset(chunk);
}

uint64_t
CollectiveSchedule::GetChunkOffset(uint32_t chunk) const
{
    // floor(S c / n) = c floor(S / n) + floor(c (S mod n) / n), without overflow
    return m_bytes / m_ranks * chunk + chunk * (m_bytes % m_ranks) / m_ranks;
}

} // namespace lightpath
} // namespace ns3
