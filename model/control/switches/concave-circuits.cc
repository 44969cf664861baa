/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "concave-circuits.h"

#include <algorithm>
#include <random>
#include <utility>

namespace ns3
{
namespace lightpath
{

ConcaveCircuits::ConcaveCircuits(const CircuitSwitchPorts& ports, std::vector<ConcavePair> pairs)
    : m_ports(ports),
      m_pairs(std::move(pairs)),
      m_circuits(ports.GetGroups().size(), std::vector<uint32_t>(m_pairs.size(), 0))
{
    if (m_ports.GetGroups().empty())
    {
        return;
    }
    for (ConcavePair& pair : m_pairs)
    {
        const std::size_t most = m_ports.CountJoining(pair.ports.first, pair.ports.second);
        pair.gains.resize(std::min(pair.gains.size(), most));
    }
    Relax();
}

double
ConcaveCircuits::GetBound() const
{
    return m_bound;
}

CircuitPlan
ConcaveCircuits::MakePlan(const TrafficMatrix& demand, bool fill)
{
    if (m_circuits.size() > 1)
    {
        Search();
    }
    std::vector<PortPair> pairs;
    for (const ConcavePair& pair : m_pairs)
    {
        pairs.push_back(pair.ports);
    }
    CircuitPlacement placement(m_ports);
    for (std::size_t group = 0; group < m_circuits.size(); ++group)
    {
        placement.PlaceGroup(m_ports.GetGroups()[group], pairs, m_circuits[group]);
    }
    if (fill)
    {
        const std::vector<uint32_t> circuits = Count(m_circuits);
        std::vector<CircuitDemand> demands = CircuitDemand::List(demand);
        for (std::size_t i = 0; i < demands.size(); ++i)
        {
            demands[i].circuits = circuits[i];
        }
        placement.Fill(demands);
    }
    return placement.GetPlan();
}

double
ConcaveCircuits::GetValue(const CircuitPlan& plan) const
{
    std::vector<uint32_t> circuits;
    for (const ConcavePair& pair : m_pairs)
    {
        circuits.push_back(plan.GetLanes(pair.ports.first, pair.ports.second).size());
    }
    return Sum(circuits);
}

void
ConcaveCircuits::Relax()
{
    const std::vector<uint32_t> none(m_pairs.size(), 0);
    const auto circuits = FindConcaveFlow(m_ports.GetInputs(), m_ports.GetOutputs(), m_pairs, none);
    m_bound = Sum(circuits);
    if (m_circuits.size() == 1)
    {
        m_circuits.front() = circuits;
    }
}

void
ConcaveCircuits::Search()
{
    // Climb to a first optimum; then disturb the gains, climb again, and keep the best
    Circuits circuits = m_circuits;
    double best = Ascend(circuits);
    m_circuits = circuits;
    std::mt19937 random(1);
    const uint64_t rounds =
        std::min<uint64_t>(100, EFFORT / (m_circuits.size() * (m_pairs.size() + 1)));
    for (uint64_t round = 0; round < rounds && best < m_bound; ++round)
    {
        // From a little, which only decides between equals, to nearly all
        const double strength = round % 4 == 0 ? 1e-6 : 0.3 * (round % 4);
        std::vector<ConcavePair> disturbed = m_pairs;
        for (ConcavePair& pair : disturbed)
        {
            const double factor = 1 - strength * static_cast<double>(random() % 1024) / 1024;
            for (double& gain : pair.gains)
            {
                gain *= factor;
            }
        }
        circuits = m_circuits;
        const std::size_t first = random() % circuits.size();
        for (std::size_t i = 0; i < circuits.size(); ++i)
        {
            Improve((first + i) % circuits.size(), disturbed, circuits);
        }
        const double value = Ascend(circuits);
        if (value >= best)
        {
            best = value;
            m_circuits = circuits;
        }
    }
}

void
ConcaveCircuits::Improve(std::size_t group,
                         const std::vector<ConcavePair>& pairs,
                         Circuits& circuits) const
{
    const auto& [switches, inputs, outputs] = m_ports.GetGroups()[group];
    const uint32_t size = switches.size();
    std::vector<uint32_t> mostInputs;
    std::vector<uint32_t> mostOutputs;
    for (uint32_t device = 0; device < m_ports.GetNDevices(); ++device)
    {
        mostInputs.push_back(inputs[device] ? size : 0);
        mostOutputs.push_back(outputs[device] ? size : 0);
    }
    // Without its own circuits, the group is offered the gains that the others have left
    std::fill(circuits[group].begin(), circuits[group].end(), 0);
    circuits[group] = FindConcaveFlow(mostInputs, mostOutputs, pairs, Count(circuits));
}

double
ConcaveCircuits::Ascend(Circuits& circuits) const
{
    double value = Sum(Count(circuits));
    std::size_t unchanged = 0;
    for (std::size_t group = 0; unchanged < circuits.size(); group = (group + 1) % circuits.size())
    {
        Circuits next = circuits;
        Improve(group, m_pairs, next);
        const double improved = Sum(Count(next));
        // Steps as small as the errors of rounding would not end
        if (improved > value * (1 + 1e-12))
        {
            value = improved;
            circuits = std::move(next);
            unchanged = 0;
        }
        else
        {
            ++unchanged;
        }
    }
    return value;
}

std::vector<uint32_t>
ConcaveCircuits::Count(const Circuits& circuits) const
{
    std::vector<uint32_t> sum(m_pairs.size(), 0);
    for (const auto& group : circuits)
    {
        for (std::size_t i = 0; i < sum.size(); ++i)
        {
            sum[i] += group[i];
        }
    }
    return sum;
}

double
ConcaveCircuits::Sum(const std::vector<uint32_t>& circuits) const
{
    double value = 0;
    for (std::size_t i = 0; i < m_pairs.size(); ++i)
    {
        value += m_pairs[i].GetValue(circuits[i]);
    }
    return value;
}

} // namespace lightpath
} // namespace ns3
