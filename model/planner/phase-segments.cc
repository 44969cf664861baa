/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "phase-segments.h"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>

namespace ns3
{
namespace lightpath
{

PhaseSegments::PhaseSegments(const std::vector<Phase>& phases, const Settings& settings)
    : m_phases(phases),
      m_settings(settings)
{
    Check();
    const auto count = static_cast<uint32_t>(phases.size());
    m_costs.assign(count, std::vector<double>(count + 1, std::numeric_limits<double>::infinity()));
    for (uint32_t first = 0; first < count; ++first)
    {
        const uint32_t most = settings.isCyclic ? count : count - first;
        auto demands = GetDemands(first, 0);
        for (uint32_t length = 1; length <= most; ++length)
        {
            const auto& bytes = phases[(first + length - 1) % count].bytes;
            for (std::size_t kind = 0; kind < bytes.size(); ++kind)
            {
                demands[kind].bytes += bytes[kind];
            }
            if (CircuitShares::GetMinPorts(demands) > settings.circuits)
            {
                break; // Nor can any longer segment have all its circuits
            }
            const auto shares = CircuitShares::Get(demands, settings.circuits, settings.objective);
            m_costs[first][length] =
                CircuitShares::GetSeconds(demands, shares, settings.bitRate, settings.objective);
        }
    }
}

void
PhaseSegments::Check() const
{
    if (m_phases.empty())
    {
        throw std::invalid_argument("An iteration without phases has no segments: there must be "
                                    "one phase at least");
    }
    if (!(m_settings.bitRate > 0))
    {
        throw std::invalid_argument("Circuits of " + std::to_string(m_settings.bitRate) +
                                    " bit/s carry nothing: the rate must be positive");
    }
    for (std::size_t phase = 0; phase < m_phases.size(); ++phase)
    {
        if (m_phases[phase].bytes.size() != m_phases.front().bytes.size())
        {
            throw std::invalid_argument("Phase " + std::to_string(phase) + " has bytes of " +
                                        std::to_string(m_phases[phase].bytes.size()) +
                                        " kinds, but phase 0 of " +
                                        std::to_string(m_phases.front().bytes.size()) +
                                        ": all must have the same number of kinds");
        }
        const uint64_t ports =
            CircuitShares::GetMinPorts(GetDemands(static_cast<uint32_t>(phase), 1));
        if (ports > m_settings.circuits)
        {
            throw std::invalid_argument("Phase " + std::to_string(phase) + " needs " +
                                        std::to_string(ports) + " ports, but a GPU has " +
                                        std::to_string(m_settings.circuits) +
                                        ": a phase must have a circuit for each of its kinds");
        }
    }
}

std::vector<CircuitUse>
PhaseSegments::GetDemands(uint32_t first, uint32_t phases) const
{
    std::vector<CircuitUse> demands(m_phases.front().bytes.size());
    for (std::size_t kind = 0; kind < demands.size(); ++kind)
    {
        demands[kind].ports =
            kind < m_settings.ports.size() ? m_settings.ports[kind] : demands[kind].ports;
        for (uint32_t i = 0; i < phases; ++i)
        {
            demands[kind].bytes += m_phases[(first + i) % m_phases.size()].bytes[kind];
        }
    }
    return demands;
}

double
PhaseSegments::GetDarkSeconds(uint32_t phase) const
{
    return std::max(0.0, m_settings.switchingSeconds - m_phases[phase].slackSeconds);
}

std::pair<std::vector<uint32_t>, double>
PhaseSegments::GetFrom(uint32_t start) const
{
    // The least time of the phases from each one on, and the length of their first segment
    const auto count = static_cast<uint32_t>(m_phases.size());
    std::vector<double> best(count + 1, std::numeric_limits<double>::infinity());
    std::vector<uint32_t> length(count, 0);
    best[count] = 0;
    for (uint32_t i = count; i-- > 0;)
    {
        // The longest segment comes first, so that of equal times the fewest segments are taken
        for (uint32_t phases = count - i; phases > 0; --phases)
        {
            const uint32_t next = i + phases;
            const double dark = next < count ? GetDarkSeconds((start + next) % count) : 0;
            const double seconds = m_costs[(start + i) % count][phases] + dark + best[next];
            if (seconds < best[i])
            {
                best[i] = seconds;
                length[i] = phases;
            }
        }
    }
    std::vector<uint32_t> lengths;
    for (uint32_t i = 0; i < count; i += length[i])
    {
        lengths.push_back(length[i]);
    }
    return {lengths, best[0]};
}

PhaseSegments::Result
PhaseSegments::Get(const std::vector<Phase>& phases, const Settings& settings)
{
    const PhaseSegments search(phases, settings);
    const auto count = static_cast<uint32_t>(phases.size());
    Result result;
    std::vector<uint32_t> lengths;
    uint32_t start = 0;
    result.seconds = std::numeric_limits<double>::infinity();
    if (settings.isCyclic)
    {
        // One segment, after which nothing is switched
        result.seconds = search.m_costs[0][count];
        lengths = {count};
    }
    for (uint32_t first = 0; first < (settings.isCyclic ? count : 1); ++first)
    {
        auto [found, seconds] = search.GetFrom(first);
        seconds += settings.isCyclic ? search.GetDarkSeconds(first) : 0;
        if (seconds < result.seconds)
        {
            result.seconds = seconds;
            lengths = found;
            start = first;
        }
    }
    uint32_t first = start;
    for (const auto length : lengths)
    {
        Segment segment;
        segment.first = first % count;
        segment.phases = length;
        segment.shares = CircuitShares::Get(search.GetDemands(first, length),
                                            settings.circuits,
                                            settings.objective);
        segment.seconds = search.m_costs[segment.first][length];
        const bool isSwitched = lengths.size() > 1 && (settings.isCyclic || first > start);
        segment.darkSeconds = isSwitched ? search.GetDarkSeconds(segment.first) : 0;
        result.segments.push_back(segment);
        first += length;
    }
    std::sort(result.segments.begin(), result.segments.end(), [](const auto& a, const auto& b) {
        return a.first < b.first;
    });
    return result;
}

} // namespace lightpath
} // namespace ns3
