/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collective-chooser.h"

#include "algorithm-table.h"
#include "model/base/ring-strides.h"
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
            lastRings = std::min(RingStrides::Count(ranks), MOST_RINGS);
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
    return Pick(GetCandidates(kind, ranks, bytes), ranks);
}

CollectiveChooser::Choice
CollectiveChooser::ChooseLevels(CollectiveKind kind,
                                uint32_t ranks,
                                uint64_t bytes,
                                uint32_t local,
                                const CollectiveNetwork& inside,
                                bool isSummed) const
{
    using K = CollectiveKind;
    const CollectiveChooser server(inside);
    auto insides = server.GetLevelCandidates(kind, local, bytes, false);
    if (isSummed && (kind == K::ALL_REDUCE || kind == K::REDUCE_SCATTER))
    {
        // The switch sums for the reduce-scatter, and an all-gather is direct
        const auto get = [&](K part, CollectiveAlgorithm algorithm) {
            return server.GetSeconds(
                *CollectiveSchedule::Create(part, local, bytes, {local, algorithm}));
        };
        const double sum = get(K::ALL_REDUCE, CollectiveAlgorithm::IN_NETWORK);
        const double gather = get(K::ALL_GATHER, CollectiveAlgorithm::DIRECT);
        insides.push_back(
            {{local, CollectiveAlgorithm::IN_NETWORK}, sum + (kind == K::ALL_REDUCE ? gather : 0)});
    }
    // Sums are of a part of the buffer across servers
    const uint64_t part = kind == K::ALL_TO_ALL ? bytes : bytes / local + (bytes % local > 0);
    const Choice one = server.Pick(insides, local);
    const Choice other = Pick(GetLevelCandidates(kind, ranks / local, part, true), ranks / local);
    return {{local,
             CollectiveAlgorithm::TWO_LEVEL,
             other.options.rings,
             one.options.algorithm,
             other.options.algorithm},
            one.seconds + other.seconds};
}

std::vector<CollectiveChooser::Choice>
CollectiveChooser::GetLevelCandidates(CollectiveKind kind,
                                      uint32_t ranks,
                                      uint64_t bytes,
                                      bool isAcross) const
{
    const auto known = AlgorithmTable::GetLevelChoices(kind, isAcross);
    auto candidates = GetCandidates(kind, ranks, bytes);
    candidates.erase(std::remove_if(candidates.begin(),
                                    candidates.end(),
                                    [&known](const Choice& choice) {
                                        return std::find(known.begin(),
                                                         known.end(),
                                                         choice.options.algorithm) == known.end();
                                    }),
                     candidates.end());
    return candidates;
}

CollectiveChooser::Choice
CollectiveChooser::Pick(const std::vector<Choice>& candidates, uint32_t ranks) const
{
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
