/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collective-chooser.h"

#include "algorithm-table.h"
#include "multi-ring-schedule.h"

#include <algorithm>
#include <stdexcept>

namespace ns3
{
namespace lightpath
{

namespace
{

/// The most rings that are considered
constexpr uint32_t MOST_RINGS = 8;

/// Times that differ by less than this part of them count as the same
constexpr double SAME = 1e-9;

} // namespace

CollectiveChooser::CollectiveChooser(const CollectiveNetwork& network)
    : m_network(network)
{
    if (!(network.link.rate > 0) || !(network.link.latency >= 0) || !(network.peerRate >= 0))
    {
        throw std::invalid_argument(
            "Algorithms of collective operations are chosen for a rate above "
            "0 and a latency and rate to one peer of at least 0");
    }
}

double
CollectiveChooser::GetSeconds(const CollectiveSchedule& schedule) const
{
    const uint32_t peers = std::max<uint32_t>(schedule.GetNPeers(), 1);
    double rate = m_network.link.rate;
    if (m_network.peerRate > 0)
    {
        rate = std::min(rate, peers * m_network.peerRate);
    }
    return m_network.isShared ? schedule.GetSeconds(m_network.link.latency, rate)
                              : schedule.GetCircuitSeconds({m_network.link.latency, rate / peers});
}

std::vector<CollectiveChooser::Choice>
CollectiveChooser::GetCandidates(CollectiveKind kind, uint32_t ranks, uint64_t bytes) const
{
    std::vector<Choice> candidates;
    const uint32_t degree = m_network.degree;
    for (const auto& row : AlgorithmTable::GetRows())
    {
        const auto algorithm = row.value;
        if (algorithm == CollectiveAlgorithm::AUTOMATIC ||
            row.needs != AlgorithmTable::Needs::NOTHING || !AlgorithmTable::IsFor(algorithm, kind))
        {
            continue;
        }
        uint32_t rings = 1;
        uint32_t lastRings = 1;
        if (algorithm == CollectiveAlgorithm::MULTI_RING)
        {
            rings = 2;
            lastRings = std::min(MultiRingSchedule::GetNStrides(ranks), MOST_RINGS);
        }
        for (; rings <= lastRings; ++rings)
        {
            const CollectiveOptions options(1, algorithm, rings);
            const auto schedule = CollectiveSchedule::Create(kind, ranks, bytes, options);
            if (degree == 0 || schedule->GetNPeers() <= degree)
            {
                candidates.push_back({options, GetSeconds(*schedule)});
            }
        }
    }
    return candidates;
}

CollectiveChooser::Choice
CollectiveChooser::Choose(CollectiveKind kind, uint32_t ranks, uint64_t bytes) const
{
    const auto candidates = GetCandidates(kind, ranks, bytes);
    if (candidates.empty())
    {
        throw std::invalid_argument(
            "No algorithm carries out this collective operation over " + std::to_string(ranks) +
            " ranks with " + std::to_string(m_network.degree) +
            (m_network.degree == 1 ? " peer" : " peers") + " for each: more must be allowed");
    }
    double least = candidates.front().seconds;
    for (const auto& candidate : candidates)
    {
        least = std::min(least, candidate.seconds);
    }
    return *std::find_if(candidates.begin(), candidates.end(), [least](const Choice& candidate) {
        return candidate.seconds <= least * (1 + SAME);
    });
}

} // namespace lightpath
} // namespace ns3
