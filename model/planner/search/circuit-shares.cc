/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "circuit-shares.h"

#include "ns3/assert.h"

#include <algorithm>
#include <limits>
#include <queue>
#include <utility>

namespace ns3
{
namespace lightpath
{

namespace
{

/**
 * @param demand a demand
 * @param circuits the circuits that it has, at least 1
 * @return by how much one more would shorten its time
 */
double
GetGain(const CircuitUse& demand, uint32_t circuits)
{
    const double x = circuits;
    return demand.bytes / (x * (x + 1));
}

} // namespace

uint64_t
CircuitShares::GetMinPorts(const std::vector<CircuitUse>& demands)
{
    uint64_t ports = 0;
    for (const auto& demand : demands)
    {
        ports += demand.bytes > 0 ? demand.ports : 0;
    }
    return ports;
}

std::vector<uint32_t>
CircuitShares::Get(const std::vector<CircuitUse>& demands, uint32_t ports)
{
    NS_ASSERT_MSG(GetMinPorts(demands) <= ports, "Each demand needs a circuit");
    uint32_t common = 0;
    bool isCommon = true;
    for (const auto& demand : demands)
    {
        if (demand.bytes > 0)
        {
            isCommon = isCommon && (common == 0 || common == demand.ports);
            common = demand.ports;
        }
    }
    return isCommon ? GetGreedy(demands, ports) : GetKnapsack(demands, ports);
}

std::vector<uint32_t>
CircuitShares::GetGreedy(const std::vector<CircuitUse>& demands, uint32_t ports)
{
    // Gain of one more circuit and, of equal ones, the first demand first
    using Entry = std::pair<double, int64_t>;
    std::priority_queue<Entry> queue;
    std::vector<uint32_t> shares(demands.size(), 0);
    uint64_t left = ports - GetMinPorts(demands);
    for (std::size_t k = 0; k < demands.size(); ++k)
    {
        if (demands[k].bytes > 0)
        {
            shares[k] = 1;
            queue.emplace(GetGain(demands[k], 1), -static_cast<int64_t>(k));
        }
    }
    while (!queue.empty() && left > 0)
    {
        const auto k = static_cast<std::size_t>(-queue.top().second);
        queue.pop();
        if (demands[k].ports <= left)
        {
            left -= demands[k].ports;
            ++shares[k];
            queue.emplace(GetGain(demands[k], shares[k]), -static_cast<int64_t>(k));
        }
    }
    return shares;
}

std::vector<uint32_t>
CircuitShares::GetKnapsack(const std::vector<CircuitUse>& demands, uint32_t ports)
{
    // The least sum of the demands from each one on, by the ports that they may take
    const double never = std::numeric_limits<double>::infinity();
    std::vector<std::vector<double>> best(demands.size() + 1, std::vector<double>(ports + 1, 0));
    std::vector<std::vector<uint32_t>> choice(demands.size(), std::vector<uint32_t>(ports + 1, 0));
    for (std::size_t k = demands.size(); k-- > 0;)
    {
        const auto& demand = demands[k];
        if (demand.bytes == 0)
        {
            best[k] = best[k + 1];
            continue;
        }
        for (uint32_t left = 0; left <= ports; ++left)
        {
            best[k][left] = never;
            for (uint32_t x = 1; x <= left / demand.ports; ++x)
            {
                const double sum = demand.bytes / x + best[k + 1][left - x * demand.ports];
                if (sum < best[k][left])
                {
                    best[k][left] = sum;
                    choice[k][left] = x;
                }
            }
        }
    }
    std::vector<uint32_t> shares;
    uint32_t left = ports;
    for (std::size_t k = 0; k < demands.size(); ++k)
    {
        shares.push_back(choice[k][left]);
        left -= shares.back() * demands[k].ports;
    }
    return shares;
}

} // namespace lightpath
} // namespace ns3
