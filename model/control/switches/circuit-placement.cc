/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "circuit-placement.h"

#include "model/control/fair-share.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <queue>
#include <random>
#include <tuple>
#include <utility>

namespace ns3
{
namespace lightpath
{

namespace
{

constexpr uint32_t NONE = BipartiteEdgeColouring::NONE;       //!< No circuit
constexpr uint32_t BLOCKED = BipartiteEdgeColouring::BLOCKED; //!< No port

constexpr uint64_t MOST_STEPS = 4000; //!< Most steps of the search

} // namespace

std::vector<CircuitDemand>
CircuitDemand::List(const TrafficMatrix& demand)
{
    std::vector<CircuitDemand> pairs;
    for (uint32_t source = 0; source < demand.GetSize(); ++source)
    {
        for (const auto& [destination, bytes] : demand.GetRow(source))
        {
            pairs.push_back({{source, destination}, bytes, 0});
        }
    }
    return pairs;
}

CircuitPlacement::CircuitPlacement(const CircuitSwitchPorts& ports)
    : m_ports(ports),
      m_colouring(ports.GetNDevices(), ports.GetNSwitches())
{
    // A port that is missing or has failed blocks its colour; so do switches outside all groups
    std::vector<bool> isUsed(ports.GetNSwitches(), false);
    const auto block = [this](uint32_t index, uint32_t device, bool input, bool output) {
        if (!input)
        {
            m_colouring.BlockLeft(device, index);
        }
        if (!output)
        {
            m_colouring.BlockRight(device, index);
        }
    };
    for (const auto& group : ports.GetGroups())
    {
        for (const uint32_t index : group.switches)
        {
            isUsed[index] = true;
            for (uint32_t device = 0; device < ports.GetNDevices(); ++device)
            {
                block(index, device, group.inputs[device], group.outputs[device]);
            }
        }
    }
    for (uint32_t index = 0; index < ports.GetNSwitches(); ++index)
    {
        for (uint32_t device = 0; !isUsed[index] && device < ports.GetNDevices(); ++device)
        {
            block(index, device, false, false);
        }
    }
}

bool
CircuitPlacement::Add(PortPair pair)
{
    return m_colouring.Add(pair.first, pair.second);
}

bool
CircuitPlacement::Place(const std::vector<CircuitDemand>& pairs)
{
    std::vector<std::pair<int64_t, std::size_t>> order;
    for (std::size_t i = 0; i < pairs.size(); ++i)
    {
        const auto& [ports, bytes, circuits] = pairs[i];
        const int64_t choice = m_ports.CountJoining(ports.first, ports.second);
        order.emplace_back(choice - circuits, i);
    }
    // Pairs that few more switches could join than they need come first. Where all switches are
    // alike, any order succeeds.
    if (m_ports.GetGroups().size() > 1)
    {
        std::sort(order.begin(), order.end());
    }
    std::deque<PortPair> waiting;
    for (const auto& entry : order)
    {
        const CircuitDemand& pair = pairs[entry.second];
        for (uint32_t circuit = 0; circuit < pair.circuits; ++circuit)
        {
            if (!Add(pair.ports))
            {
                waiting.push_back(pair.ports);
            }
        }
    }
    return Repair(std::move(waiting));
}

bool
CircuitPlacement::Repair(std::deque<PortPair> waiting)
{
    if (m_ports.GetGroups().size() <= 1)
    {
        return waiting.empty();
    }
    // No pair of devices wins always: a fixed sequence of random numbers decides between equals
    std::mt19937 random(1);
    std::map<std::tuple<PortPair, uint32_t>, uint64_t> tabu;
    for (uint64_t step = 0; !waiting.empty() && step < MOST_STEPS; ++step)
    {
        const PortPair pair = waiting.front();
        waiting.pop_front();
        if (Add(pair))
        {
            continue;
        }
        // Look for the switch where the circuit displaces the fewest others: at most two
        uint32_t fewest = 3;
        uint32_t best = NONE;
        uint32_t equals = 0;
        for (uint32_t index = 0; index < m_ports.GetNSwitches(); ++index)
        {
            const uint32_t right = m_colouring.GetRight(pair.first, index);
            const uint32_t left = m_colouring.GetLeft(pair.second, index);
            const auto barred = tabu.find({pair, index});
            if (right == BLOCKED || left == BLOCKED || right == pair.second ||
                (barred != tabu.end() && barred->second > step))
            {
                continue;
            }
            const uint32_t lost = (right == NONE ? 0 : 1) + (left == NONE ? 0 : 1);
            equals = lost < fewest ? 1 : equals + (lost == fewest ? 1 : 0);
            if (lost < fewest || (lost == fewest && random() % equals == 0))
            {
                fewest = lost;
                best = index;
            }
        }
        if (best == NONE)
        {
            waiting.push_back(pair);
            continue;
        }
        // Displaced circuits wait for another switch, and may not return to this one for a while
        for (const PortPair& gone : Replace(pair, best))
        {
            tabu[{gone, best}] = step + 2 + waiting.size() + random() % 8;
            waiting.push_back(gone);
        }
    }
    return waiting.empty();
}

std::vector<PortPair>
CircuitPlacement::Replace(PortPair pair, uint32_t index)
{
    std::vector<PortPair> gone;
    const uint32_t right = m_colouring.GetRight(pair.first, index);
    if (right != NONE)
    {
        gone.emplace_back(pair.first, right);
        m_colouring.Remove(pair.first, index);
    }
    const uint32_t left = m_colouring.GetLeft(pair.second, index);
    if (left != NONE)
    {
        gone.emplace_back(left, pair.second);
        m_colouring.Remove(left, index);
    }
    m_colouring.Set(pair.first, pair.second, index);
    return gone;
}

void
CircuitPlacement::PlaceGroup(const CircuitSwitchPorts::Group& group,
                             const std::vector<PortPair>& pairs,
                             const std::vector<uint32_t>& circuits)
{
    // Within a group all switches are alike: a colouring with as many colours exists (Koenig)
    BipartiteEdgeColouring colouring(m_ports.GetNDevices(), group.switches.size());
    for (std::size_t i = 0; i < pairs.size(); ++i)
    {
        for (uint32_t circuit = 0; circuit < circuits[i]; ++circuit)
        {
            colouring.Add(pairs[i].first, pairs[i].second);
        }
    }
    for (uint32_t source = 0; source < m_ports.GetNDevices(); ++source)
    {
        for (uint32_t colour = 0; colour < group.switches.size(); ++colour)
        {
            const uint32_t destination = colouring.GetRight(source, colour);
            if (destination != NONE)
            {
                m_colouring.Set(source, destination, group.switches[colour]);
            }
        }
    }
}

void
CircuitPlacement::Fill(std::vector<CircuitDemand>& pairs)
{
    const auto after = [&pairs](std::size_t a, std::size_t b) {
        const FairShare ofA{pairs[a].circuits, pairs[a].bytes};
        const FairShare ofB{pairs[b].circuits, pairs[b].bytes};
        return ofB < ofA || (!(ofA < ofB) && b < a);
    };
    std::vector<std::size_t> all(pairs.size());
    std::iota(all.begin(), all.end(), 0);
    std::priority_queue<std::size_t, std::vector<std::size_t>, decltype(after)> poorest(
        after,
        std::move(all));
    while (!poorest.empty())
    {
        const std::size_t i = poorest.top();
        poorest.pop();
        if (Add(pairs[i].ports))
        {
            ++pairs[i].circuits;
            poorest.push(i);
        }
    }
}

CircuitPlan
CircuitPlacement::GetPlan() const
{
    CircuitPlan plan;
    for (uint32_t source = 0; source < m_ports.GetNDevices(); ++source)
    {
        for (uint32_t index = 0; index < m_ports.GetNSwitches(); ++index)
        {
            const uint32_t destination = m_colouring.GetRight(source, index);
            if (destination != NONE && destination != BLOCKED)
            {
                plan.AddLane(source, destination, {index, 0});
            }
        }
    }
    return plan;
}

} // namespace lightpath
} // namespace ns3
