/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "routed-schedule.h"

#include "ns3/assert.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace ns3
{
namespace lightpath
{

std::shared_ptr<CollectiveSchedule>
RoutedSchedule::Make(CollectiveKind kind,
                     uint32_t ranks,
                     uint64_t bytes,
                     const CollectiveOptions& options)
{
    using A = CollectiveAlgorithm;
    const bool isDirect = options.algorithm == A::AUTOMATIC || options.algorithm == A::DIRECT;
    const bool isTwoLevel = options.algorithm == A::TWO_LEVEL && options.local > 1 &&
                            options.local < ranks && options.inside == A::AUTOMATIC &&
                            options.across == A::AUTOMATIC && !options.isAcrossFirst;
    if (kind != CollectiveKind::ALL_TO_ALL || !(isDirect || isTwoLevel))
    {
        throw std::invalid_argument(
            "Tokens go to experts by an all-to-all of direct messages, or of direct messages in "
            "two levels over several servers of several ranks");
    }
    const std::size_t loads = options.routing->loads.size();
    if (loads > 0 && loads != ranks)
    {
        throw std::invalid_argument("The tokens of " + std::to_string(ranks) + " ranks have " +
                                    std::to_string(loads) + " loads: each rank needs one");
    }
    return std::make_shared<RoutedSchedule>(ranks, bytes, options);
}

double
RoutedSchedule::GetServersOfToken(const TokenRouting& routing, uint32_t servers)
{
    double reached = servers;
    if (routing.groups > 1 && routing.topGroups > 0)
    {
        if (servers <= routing.groups)
        {
            return std::min({servers, routing.topGroups, routing.perToken});
        }
        // A group is spread over several servers
        reached = std::min(reached, reached * routing.topGroups / routing.groups);
    }
    return reached * (1 - std::pow(1 - 1 / reached, routing.perToken));
}

RoutedSchedule::RoutedSchedule(uint32_t ranks, uint64_t bytes, const CollectiveOptions& options)
    : CollectiveSchedule(ranks, bytes),
      m_isReturn(options.routing->isReturn),
      m_isTwoLevel(options.algorithm == CollectiveAlgorithm::TWO_LEVEL),
      m_size(options.local),
      m_servers(ranks / m_size, 0)
{
    const TokenRouting& routing = *options.routing;
    if (m_isTwoLevel && routing.perToken > 0)
    {
        m_copies = GetServersOfToken(routing, ranks / m_size) / routing.perToken;
    }
    double before = 0;
    for (uint32_t rank = 0; rank < ranks; ++rank)
    {
        uint64_t chunk = GetChunkBytes(rank);
        if (!routing.loads.empty())
        {
            const double after = before + routing.loads[rank];
            const auto all = static_cast<double>(bytes);
            chunk = static_cast<uint64_t>(std::llround(all * after / ranks) -
                                          std::llround(all * before / ranks));
            before = after;
        }
        m_chunks.push_back(chunk);
        m_servers[rank / m_size] += chunk;
    }
}

uint32_t
RoutedSchedule::GetNSteps() const
{
    return IsEmpty() ? 0 : m_isTwoLevel ? 2 : 1;
}

RoutedSchedule::Part
RoutedSchedule::GetPart(uint32_t step) const
{
    // Tokens cross first, results last
    return !m_isTwoLevel ? ALL : (step == 0) != m_isReturn ? OUTSIDE : INSIDE;
}

uint64_t
RoutedSchedule::GetMessageBytes(uint32_t from, uint32_t to, uint32_t step) const
{
    // The rank at the end with the experts decides how much goes either way
    const uint32_t expert = m_isReturn ? from : to;
    switch (GetPart(step))
    {
    case INSIDE:
        // The tokens of all ranks at one place in their servers
        return from / m_size == to / m_size ? m_chunks[expert] * m_servers.size() : 0;
    case OUTSIDE:
        return from % m_size == to % m_size
                   ? static_cast<uint64_t>(
                         std::llround(m_copies * static_cast<double>(m_servers[expert / m_size])))
                   : 0;
    default:
        return m_chunks[expert];
    }
}

void
RoutedSchedule::GetMessages(uint32_t rank,
                            uint32_t step,
                            bool isReceiver,
                            std::vector<Transfer>& transfers) const
{
    NS_ASSERT_MSG(rank < GetNRanks() && step < GetNSteps(), "Rank " << rank << ", step " << step);
    transfers.clear();
    for (uint32_t shift = 1; shift < GetNRanks(); ++shift)
    {
        const uint32_t peer = (rank + shift) % GetNRanks();
        const uint64_t bytes =
            GetMessageBytes(isReceiver ? peer : rank, isReceiver ? rank : peer, step);
        if (bytes > 0)
        {
            transfers.push_back({peer, bytes});
        }
    }
}

void
RoutedSchedule::GetSends(uint32_t rank, uint32_t step, std::vector<Transfer>& transfers) const
{
    GetMessages(rank, step, false, transfers);
}

void
RoutedSchedule::GetReceives(uint32_t rank, uint32_t step, std::vector<Transfer>& transfers) const
{
    GetMessages(rank, step, true, transfers);
}

void
RoutedSchedule::GetTotals(uint32_t rank, std::vector<Transfer>& transfers) const
{
    transfers.clear();
    std::vector<Transfer> sends;
    for (uint32_t step = 0; step < GetNSteps(); ++step)
    {
        // The two steps have different peers
        GetSends(rank, step, sends);
        transfers.insert(transfers.end(), sends.begin(), sends.end());
    }
}

void
RoutedSchedule::GetBlocks(uint32_t rank, uint32_t step, std::vector<Block>& blocks) const
{
    std::vector<Transfer> sends;
    GetSends(rank, step, sends);
    blocks.clear();
    uint64_t offset = 0;
    for (uint32_t i = 0; i < sends.size(); ++i)
    {
        blocks.push_back({i, rank, offset, sends[i].bytes, false});
        offset += sends[i].bytes;
    }
}

void
RoutedSchedule::GetOwned(uint32_t /* rank */, std::vector<Block>& blocks) const
{
    blocks.clear();
}

uint32_t
RoutedSchedule::GetNPeers() const
{
    return IsEmpty()      ? 0
           : m_isTwoLevel ? m_size - 1 + static_cast<uint32_t>(m_servers.size()) - 1
                          : GetNRanks() - 1;
}

uint64_t
RoutedSchedule::GetMostBytes(uint32_t step, Part part) const
{
    uint64_t most = 0;
    std::vector<Transfer> transfers;
    for (uint32_t rank = 0; rank < GetNRanks(); ++rank)
    {
        for (const bool isReceiver : {false, true})
        {
            GetMessages(rank, step, isReceiver, transfers);
            uint64_t bytes = 0;
            for (const auto& transfer : transfers)
            {
                const bool isInside = transfer.peer / m_size == rank / m_size;
                bytes += (part & (isInside ? INSIDE : OUTSIDE)) != 0 ? transfer.bytes : 0;
            }
            most = std::max(most, bytes);
        }
    }
    return most;
}

double
RoutedSchedule::GetSeconds(double latency, double rate) const
{
    double seconds = 0;
    for (uint32_t step = 0; step < GetNSteps(); ++step)
    {
        seconds += latency + static_cast<double>(GetMostBytes(step, ALL)) / rate;
    }
    return seconds;
}

double
RoutedSchedule::GetCircuitSeconds(const LinkCost& circuit) const
{
    double seconds = 0;
    std::vector<Transfer> sends;
    for (uint32_t step = 0; step < GetNSteps(); ++step)
    {
        uint64_t most = 0;
        for (uint32_t rank = 0; rank < GetNRanks(); ++rank)
        {
            GetSends(rank, step, sends);
            for (const auto& send : sends)
            {
                most = std::max(most, send.bytes);
            }
        }
        seconds += circuit.latency + static_cast<double>(most) / circuit.rate;
    }
    return seconds;
}

double
RoutedSchedule::GetServerSeconds(const LinkCost& inside, const LinkCost& outside) const
{
    double seconds = 0;
    for (uint32_t step = 0; step < GetNSteps(); ++step)
    {
        double longest = 0;
        for (const Part part : {INSIDE, OUTSIDE})
        {
            const LinkCost& link = part == INSIDE ? inside : outside;
            const auto bytes = static_cast<double>(GetMostBytes(step, part));
            longest = std::max(longest, bytes > 0 ? link.latency + bytes / link.rate : 0);
        }
        seconds += longest;
    }
    return seconds;
}

double
RoutedSchedule::GetBusFactor() const
{
    const double n = GetNRanks();
    return (n - 1) / n;
}

} // namespace lightpath
} // namespace ns3
