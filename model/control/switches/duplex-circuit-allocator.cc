/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "duplex-circuit-allocator.h"

#include "circuit-switch-ports.h"
#include "concave-flow.h"
#include "model/base/lightpath-compatibility.h"
#include "model/control/graph-solvers.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace ns3
{
namespace lightpath
{

NS_OBJECT_ENSURE_REGISTERED(DuplexCircuitAllocator);

namespace
{

/**
 * @param demand the bytes to be carried
 * @param switches the number of switches
 * @return the pairs of devices with demand in any direction, the smaller index first
 */
std::vector<ConcavePair>
ListPairs(const TrafficMatrix& demand, uint32_t switches)
{
    std::map<PortPair, double> sums;
    for (uint32_t source = 0; source < demand.GetSize(); ++source)
    {
        for (const auto& [destination, bytes] : demand.GetRow(source))
        {
            sums[std::minmax(source, destination)] += static_cast<double>(bytes);
        }
    }
    std::vector<ConcavePair> pairs;
    for (const auto& [ports, bytes] : sums)
    {
        pairs.push_back(ConcavePair::Halve(ports, bytes, switches));
    }
    return pairs;
}

/**
 * @param pairs pairs
 * @return the worth of the first circuit of the largest pair; 1 without pairs
 */
double
GetLargest(const std::vector<ConcavePair>& pairs)
{
    double largest = 0;
    for (const ConcavePair& pair : pairs)
    {
        largest = std::max(largest, pair.gains.front());
    }
    return largest > 0 ? largest : 1;
}

/**
 * @brief Finds the matchings of largest weight of switches.
 */
class SwitchMatcher
{
  public:
    /**
     * @param devices the number of devices
     * @param pairs the pairs
     */
    SwitchMatcher(uint32_t devices, const std::vector<ConcavePair>& pairs)
        : m_devices(devices),
          m_pairs(pairs),
          m_scale(
              std::ldexp(1, std::ilogb(std::ldexp(1, 60) / (2.0 * devices) / GetLargest(pairs))))
    {
    }

    /**
     * @param group switches with the same ports
     * @param circuits the circuits that each pair has on other switches
     * @return the pairs that one of these switches should join
     */
    std::vector<uint32_t> Match(const CircuitSwitchPorts::Group& group,
                                const std::vector<uint32_t>& circuits) const
    {
        std::vector<WeightedEdge> edges;
        std::vector<uint32_t> indices;
        for (uint32_t i = 0; i < m_pairs.size(); ++i)
        {
            const auto& [first, second] = m_pairs[i].ports;
            if (group.inputs[first] && group.inputs[second])
            {
                edges.push_back({first, second, GetWeight(i, circuits[i])});
                indices.push_back(i);
            }
        }
        std::vector<uint32_t> chosen;
        for (const uint32_t edge : FindMaxWeightMatching(m_devices, edges))
        {
            chosen.push_back(indices[edge]);
        }
        return chosen;
    }

    /**
     * @param chosen pairs
     * @param circuits the circuits that each pair has on other switches
     * @return the worth of one more circuit for each chosen pair
     */
    int64_t GetWeight(const std::vector<uint32_t>& chosen,
                      const std::vector<uint32_t>& circuits) const
    {
        int64_t weight = 0;
        for (const uint32_t i : chosen)
        {
            weight += GetWeight(i, circuits[i]);
        }
        return weight;
    }

  private:
    /**
     * @param pair the index of a pair
     * @param circuits the circuits that it has
     * @return the worth of one more
     */
    int64_t GetWeight(uint32_t pair, uint32_t circuits) const
    {
        return std::max(1LL, std::llround(m_pairs[pair].gains[circuits] * m_scale));
    }

    uint32_t m_devices;                      //!< Number of devices
    const std::vector<ConcavePair>& m_pairs; //!< The pairs
    double m_scale;                          //!< Makes gains whole
};

} // namespace

TypeId
DuplexCircuitAllocator::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lightpath::DuplexCircuitAllocator")
            .SetParent<CircuitSwitchAllocator>()
            .SetGroupName("Lightpath")
            .AddConstructor<DuplexCircuitAllocator>()
            .AddAttribute("Method",
                          "Whether switches are matched once, one after the other (Greedy), or "
                          "repeatedly until no matching improves (Iterated).",
                          EnumValue(DuplexCircuitAllocator::ITERATED),
                          MakeEnumAccessorFor<Method>(0, &DuplexCircuitAllocator::m_method),
                          MakeEnumChecker(DuplexCircuitAllocator::GREEDY,
                                          "Greedy",
                                          DuplexCircuitAllocator::ITERATED,
                                          "Iterated"));
    return tid;
}

CircuitAllocation
DuplexCircuitAllocator::DoAllocate(const TrafficMatrix& demand) const
{
    CheckDuplex(true);
    const CircuitSwitchPorts ports(GetGeometry());
    const std::vector<ConcavePair> pairs = ListPairs(demand, ports.GetNSwitches());
    const Matchings matchings = FindMatchings(ports, pairs);
    std::vector<uint32_t> circuits(pairs.size(), 0);
    CircuitPlan plan;
    for (uint32_t index = 0; index < matchings.size(); ++index)
    {
        for (const uint32_t i : matchings[index])
        {
            const auto& [first, second] = pairs[i].ports;
            plan.AddLane(first, second, {index, 0});
            plan.AddLane(second, first, {index, 0});
            ++circuits[i];
        }
    }
    CircuitAllocation result = Assess(std::move(plan), demand, 0);
    double total = 0;
    for (std::size_t i = 0; i < pairs.size(); ++i)
    {
        total += pairs[i].GetValue(circuits[i]);
    }
    result.objective = total / GetLargest(pairs);
    result.bound = std::max(result.objective, FindBound(ports, pairs) / GetLargest(pairs));
    return result;
}

DuplexCircuitAllocator::Matchings
DuplexCircuitAllocator::FindMatchings(const CircuitSwitchPorts& ports,
                                      const std::vector<ConcavePair>& pairs) const
{
    const SwitchMatcher matcher(ports.GetNDevices(), pairs);
    std::vector<const CircuitSwitchPorts::Group*> groups(ports.GetNSwitches(), nullptr);
    for (const auto& group : ports.GetGroups())
    {
        for (const uint32_t index : group.switches)
        {
            groups[index] = &group;
        }
    }
    std::vector<uint32_t> circuits(pairs.size(), 0);
    Matchings matchings(ports.GetNSwitches());
    bool isBetter = true;
    for (uint32_t round = 0; isBetter && (round == 0 || m_method == ITERATED); ++round)
    {
        isBetter = false;
        for (uint32_t index = 0; index < groups.size(); ++index)
        {
            if (!groups[index])
            {
                continue;
            }
            for (const uint32_t i : matchings[index])
            {
                --circuits[i];
            }
            auto matching = matcher.Match(*groups[index], circuits);
            if (matcher.GetWeight(matching, circuits) >
                matcher.GetWeight(matchings[index], circuits))
            {
                matchings[index] = std::move(matching);
                isBetter = true;
            }
            for (const uint32_t i : matchings[index])
            {
                ++circuits[i];
            }
        }
    }
    return matchings;
}

double
DuplexCircuitAllocator::FindBound(const CircuitSwitchPorts& ports,
                                  const std::vector<ConcavePair>& pairs)
{
    const SwitchMatcher matcher(ports.GetNDevices(), pairs);
    const std::vector<uint32_t> none(pairs.size(), 0);
    double undiscounted = 0;
    for (const auto& group : ports.GetGroups())
    {
        for (const uint32_t i : matcher.Match(group, none))
        {
            undiscounted += static_cast<double>(group.switches.size()) * pairs[i].gains.front();
        }
    }
    // Half of a flow in which each pair stands in both directions is a fractional matching
    std::vector<ConcavePair> both = pairs;
    for (const ConcavePair& pair : pairs)
    {
        both.push_back({{pair.ports.second, pair.ports.first}, pair.gains});
    }
    const std::vector<uint32_t> nothing(both.size(), 0);
    const auto flow = FindConcaveFlow(ports.GetInputs(), ports.GetOutputs(), both, nothing);
    double fractional = 0;
    for (std::size_t i = 0; i < both.size(); ++i)
    {
        fractional += both[i].GetValue(flow[i]) / 2;
    }
    return std::min(undiscounted, fractional);
}

} // namespace lightpath
} // namespace ns3
