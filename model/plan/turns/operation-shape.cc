/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "operation-shape.h"

#include "model/collective/turn-schedule.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace ns3
{
namespace lightpath
{

OperationShape::OperationShape(uint32_t source, uint32_t destination)
    : m_counts{1},
      m_sources{source},
      m_destinations{destination}
{
    m_stages = std::make_shared<const std::vector<OperationTurns::Stage>>(
        1,
        OperationTurns::Stage{{source, destination}});
}

OperationShape::OperationShape(uint32_t members,
                               uint32_t ports,
                               const GetPorts& getPorts,
                               const GetSends& getSends)
    : m_ofReceivers(members)
{
    std::vector<Transfer> transfers;
    const auto add = [&](Loads& loads, uint32_t sender) {
        for (const auto& transfer : transfers)
        {
            const auto way =
                transfer.peer == sender ? std::nullopt : getPorts(sender, transfer.peer);
            if (way)
            {
                Load& load = loads[*way];
                load.messages.emplace_back(sender, transfer.peer);
                load.bytes += transfer.bytes;
            }
        }
    };
    Loads all;
    uint32_t nSteps = 0;
    for (uint32_t sender = 0; sender < members; ++sender)
    {
        nSteps = std::max(nSteps, getSends(sender, ALL_STEPS, transfers));
        add(all, sender);
    }
    for (const auto& load : all)
    {
        m_sources.insert(load.first.first);
        m_destinations.insert(load.first.second);
    }
    m_countsMessages = !IsMatching(all);
    if (!m_countsMessages)
    {
        AddStage(all);
        for (const auto& [pair, load] : all)
        {
            std::set<uint32_t> receivers;
            for (const auto& message : load.messages)
            {
                receivers.insert(message.second);
            }
            for (const uint32_t receiver : receivers)
            {
                m_ofReceivers[receiver].push_back(static_cast<uint32_t>(m_counts.size()));
            }
            m_counts.push_back(static_cast<uint32_t>(receivers.size()));
            m_bytes.push_back(load.bytes);
        }
    }
    for (uint32_t step = 0; m_countsMessages && step < nSteps; ++step)
    {
        Loads loads;
        for (uint32_t sender = 0; sender < members; ++sender)
        {
            getSends(sender, step, transfers);
            add(loads, sender);
        }
        AddStep(step, loads, ports);
    }
    if (all.empty())
    {
        m_list.clear();
    }
    m_stages = std::make_shared<const std::vector<OperationTurns::Stage>>(std::move(m_list));
}

OperationShape::OperationShape(uint32_t members,
                               uint32_t planes,
                               const GetPorts& getPorts,
                               const TurnSequence& sequence,
                               const CollectiveSchedule& schedule)
    : m_ofReceivers(members)
{
    const uint32_t local = members / sequence.ports;
    uint32_t step = 0;
    while (step < schedule.GetNSteps() &&
           TurnSchedule::FindPhase(schedule, step) == TurnSchedule::NO_PHASE)
    {
        ++step;
    }
    for (uint32_t phase = 0; phase < sequence.phases.size(); ++phase)
    {
        const auto& shifts = sequence.phases[phase].shifts;
        if (shifts.size() != planes)
        {
            throw std::invalid_argument("Topologies in turn of " + std::to_string(shifts.size()) +
                                        " planes are not for a fabric of " +
                                        std::to_string(planes));
        }
        const uint32_t first = step;
        while (step < schedule.GetNSteps() && TurnSchedule::FindPhase(schedule, step) == phase)
        {
            ++step;
        }
        for (uint32_t plane = 0; plane < planes; ++plane)
        {
            if (shifts[plane] != 0 &&
                AddPlane(schedule, first, step, shifts[plane] * local, getPorts))
            {
                m_planes.push_back({plane, planes});
            }
        }
    }
    m_stages = std::make_shared<const std::vector<OperationTurns::Stage>>(std::move(m_list));
}

bool
OperationShape::AddPlane(const CollectiveSchedule& schedule,
                         uint32_t first,
                         uint32_t last,
                         uint32_t shift,
                         const GetPorts& getPorts)
{
    const auto members = static_cast<uint32_t>(m_ofReceivers.size());
    Loads loads;
    std::size_t messages = 0;
    for (uint32_t sender = 0; sender < members; ++sender)
    {
        const uint32_t receiver = (sender + shift) % members;
        if (const auto ports = getPorts(sender, receiver))
        {
            loads[*ports].messages.emplace_back(sender, receiver);
            m_sources.insert(ports->first);
            m_destinations.insert(ports->second);
            ++messages;
        }
    }
    if (loads.empty())
    {
        return false;
    }
    if (!IsMatching(loads) || loads.size() < messages)
    {
        throw std::invalid_argument("Topologies in turn are for ranks that all have a port of the "
                                    "fabric of their own, not for cards that ranks share");
    }
    AddStage(loads);
    auto circuit = static_cast<uint32_t>(m_counts.size());
    m_counts.resize(m_counts.size() + loads.size(), 0);
    m_bytes.resize(m_counts.size(), 0);
    std::vector<Transfer> received;
    for (const auto& load : loads)
    {
        const uint32_t receiver = load.second.messages.front().second;
        for (uint32_t step = first; step < last; ++step)
        {
            schedule.GetReceives(receiver, step, received);
            for (const Transfer& each : received)
            {
                m_ofMessages.emplace(std::make_tuple(step, each.peer, receiver), circuit);
                ++m_counts[circuit];
                m_bytes[circuit] += each.bytes;
            }
        }
        ++circuit;
    }
    return true;
}

bool
OperationShape::IsCarried(const CircuitTurns& turns) const
{
    const auto& stages = *m_stages;
    const std::size_t count = m_planes.empty() ? turns.GetNPlanes() : stages.size();
    for (std::size_t i = 0; i < count; ++i)
    {
        const auto& stage = m_planes.empty() ? stages.front() : stages[i];
        const auto plane = m_planes.empty() ? static_cast<uint32_t>(i) : m_planes[i].first;
        const bool carries = std::all_of(stage.begin(), stage.end(), [&](const auto& circuit) {
            return turns.IsCarried(circuit, plane);
        });
        if (!carries)
        {
            return false;
        }
    }
    return true;
}

bool
OperationShape::IsMatching(const Loads& loads)
{
    std::set<uint32_t> sources;
    std::set<uint32_t> destinations;
    return std::all_of(loads.begin(), loads.end(), [&](const auto& load) {
        return sources.insert(load.first.first).second &&
               destinations.insert(load.first.second).second;
    });
}

void
OperationShape::AddStage(const Loads& loads)
{
    m_list.emplace_back();
    for (const auto& load : loads)
    {
        m_list.back().push_back({load.first.first, load.first.second});
    }
}

void
OperationShape::AddStep(uint32_t step, const Loads& loads, uint32_t ports)
{
    if (loads.empty())
    {
        return;
    }
    std::map<uint32_t, Loads> matchings;
    const bool isOne = IsMatching(loads);
    for (const auto& [pair, load] : loads)
    {
        const uint32_t distance = isOne ? 0 : (pair.second + ports - pair.first) % ports;
        matchings[distance].emplace(pair, load);
    }
    for (const auto& [distance, matching] : matchings)
    {
        const auto isSame = [](const auto& load, const CircuitTurns::Circuit& circuit) {
            return load.first.first == circuit.source && load.first.second == circuit.destination;
        };
        const bool goesOn = isOne && !m_list.empty() &&
                            std::equal(matching.begin(),
                                       matching.end(),
                                       m_list.back().begin(),
                                       m_list.back().end(),
                                       isSame);
        if (!goesOn)
        {
            AddStage(matching);
            m_counts.resize(m_counts.size() + matching.size(), 0);
            m_bytes.resize(m_counts.size(), 0);
        }
        Count(step, matching);
    }
}

void
OperationShape::Count(uint32_t step, const Loads& loads)
{
    auto circuit = static_cast<uint32_t>(m_counts.size() - loads.size());
    for (const auto& [pair, load] : loads)
    {
        for (const auto& [sender, receiver] : load.messages)
        {
            m_ofMessages.emplace(std::make_tuple(step, sender, receiver), circuit);
        }
        m_counts[circuit] += static_cast<uint32_t>(load.messages.size());
        m_bytes[circuit] += load.bytes;
        ++circuit;
    }
}

double
OperationShape::GetStageBytes() const
{
    double sum = 0;
    auto begin = m_bytes.begin();
    for (const auto& stage : *m_stages)
    {
        const auto end = begin + static_cast<std::ptrdiff_t>(stage.size());
        sum += static_cast<double>(*std::max_element(begin, end));
        begin = end;
    }
    return m_stages->empty() ? 0 : sum / static_cast<double>(m_stages->size());
}

std::vector<uint32_t>
OperationShape::FindCircuits(uint32_t step, uint32_t sender, uint32_t receiver) const
{
    std::vector<uint32_t> circuits;
    const auto [begin, end] = m_ofMessages.equal_range({step, sender, receiver});
    for (auto entry = begin; entry != end; ++entry)
    {
        circuits.push_back(entry->second);
    }
    return circuits;
}

} // namespace lightpath
} // namespace ns3
