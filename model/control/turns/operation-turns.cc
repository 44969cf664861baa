/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "operation-turns.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace lightpath
{

OperationTurns::OperationTurns(CircuitTurns& turns, uint32_t ports, uint32_t iterations)
    : m_turns(turns),
      m_nIterations(iterations),
      m_agendas(ports)
{
}

uint32_t
OperationTurns::Add(Operation operation)
{
    auto& known = m_known[operation.stages];
    if (!known)
    {
        std::array<std::set<uint32_t>, 2> ports;
        for (const Stage& stage : *operation.stages)
        {
            for (const auto& circuit : stage)
            {
                ports[SENDS].insert(circuit.source);
                ports[RECEIVES].insert(circuit.destination);
            }
        }
        known = std::make_shared<const Ports>(
            Ports{std::vector<uint32_t>(ports[SENDS].begin(), ports[SENDS].end()),
                  std::vector<uint32_t>(ports[RECEIVES].begin(), ports[RECEIVES].end())});
    }
    m_ports.push_back(known);
    m_operations.push_back(std::move(operation));
    return static_cast<uint32_t>(m_operations.size() - 1);
}

void
OperationTurns::SetOrder(uint32_t port, Side side, std::vector<uint32_t> operations)
{
    m_agendas[port][side].order = std::move(operations);
    Refill(m_agendas[port][side]);
    m_touched.insert(port);
}

void
OperationTurns::Refill(Agenda& agenda) const
{
    while (agenda.next.empty() && !agenda.order.empty() && agenda.iteration < m_nIterations)
    {
        for (const uint32_t operation : agenda.order)
        {
            agenda.next.emplace_back(agenda.iteration, operation);
        }
        ++agenda.iteration;
    }
}

void
OperationTurns::Take(Agenda& agenda, const Key& key) const
{
    // A port may be an iteration ahead of its own agenda
    while (agenda.iteration <= key.first && agenda.iteration < m_nIterations)
    {
        for (const uint32_t operation : agenda.order)
        {
            agenda.next.emplace_back(agenda.iteration, operation);
        }
        ++agenda.iteration;
    }
    const auto place = std::find(agenda.next.begin(), agenda.next.end(), key);
    if (place != agenda.next.end())
    {
        agenda.next.erase(place);
    }
    Refill(agenda);
}

uint64_t
OperationTurns::Begin(uint32_t number, uint32_t iteration, const Operation& operation)
{
    const Key key{iteration, number};
    for (const Side side : {SENDS, RECEIVES})
    {
        for (const uint32_t port : GetPorts(number)[side])
        {
            Take(m_agendas[port][side], key);
            m_touched.insert(port);
        }
    }
    uint64_t first = 0;
    const auto& stages = *operation.stages;
    for (std::size_t stage = 0; stage < stages.size(); ++stage)
    {
        for (const auto& circuit : stages[stage])
        {
            const uint64_t request = m_turns.Request(circuit, operation.GetPlanes(stage));
            first = first == 0 ? request : first;
        }
    }
    return first;
}

void
OperationTurns::End(uint64_t request)
{
    if (const auto* const circuit = m_turns.Find(request))
    {
        m_touched.insert(circuit->source);
        m_touched.insert(circuit->destination);
        m_turns.End(request);
    }
}

void
OperationTurns::Settle()
{
    for (const uint32_t port : std::exchange(m_touched, {}))
    {
        Expect(port);
        // The port at the other end of what it receives next
        const auto& next = m_agendas[port][RECEIVES].next;
        if (next.empty())
        {
            continue;
        }
        for (const Stage& stage : *m_operations[next.front().second].stages)
        {
            const auto from = std::find_if(stage.begin(), stage.end(), [port](const auto& circuit) {
                return circuit.destination == port;
            });
            if (from != stage.end())
            {
                Expect(from->source);
                break;
            }
        }
    }
}

void
OperationTurns::Expect(uint32_t source)
{
    const auto& next = m_agendas[source][SENDS].next;
    if (next.empty())
    {
        return;
    }
    const Operation& operation = m_operations[next.front().second];
    const auto& stages = *operation.stages;
    // The first stage of each plane
    std::set<uint32_t> known;
    const std::size_t last = operation.planes.empty()
                                 ? std::min<std::size_t>(stages.size(), operation.groups)
                                 : stages.size();
    for (std::size_t i = 0; i < last && known.size() < m_turns.GetNPlanes(); ++i)
    {
        if (!known.insert(operation.GetPlanes(i).first).second)
        {
            continue;
        }
        const auto circuit = std::lower_bound(
            stages[i].begin(),
            stages[i].end(),
            source,
            [](const CircuitTurns::Circuit& some, uint32_t port) { return some.source < port; });
        if (circuit == stages[i].end() || circuit->source != source)
        {
            continue;
        }
        const auto& other = m_agendas[circuit->destination][RECEIVES].next;
        if (!other.empty() && other.front() == next.front())
        {
            m_turns.Expect(*circuit, operation.GetPlanes(i));
        }
    }
}

} // namespace lightpath
} // namespace ns3
