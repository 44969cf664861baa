/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "rotor-dispatcher.h"

#include "balanced-discipline.h"
#include "model/base/simulator-agenda.h"
#include "rotor-port.h"

#include "ns3/log.h"
#include "ns3/pointer.h"
#include "ns3/rotor-channel.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace ns3
{
namespace lightpath
{

NS_LOG_COMPONENT_DEFINE("RotorDispatcher");

NS_OBJECT_ENSURE_REGISTERED(RotorDispatcher);

TypeId
RotorDispatcher::GetTypeId()
{
    static TypeId tid = TypeId("ns3::lightpath::RotorDispatcher")
                            .SetParent<Object>()
                            .SetGroupName("Lightpath")
                            .AddConstructor<RotorDispatcher>()
                            .AddAttribute("Discipline",
                                          "Decides what goes through other ports.",
                                          PointerValue(),
                                          MakePointerAccessor(&RotorDispatcher::m_discipline),
                                          MakePointerChecker<RotorDiscipline>());
    return tid;
}

RotorDispatcher::RotorDispatcher()
{
    NS_LOG_FUNCTION(this);
}

RotorDispatcher::~RotorDispatcher()
{
    NS_LOG_FUNCTION(this);
}

void
RotorDispatcher::DoDispose()
{
    NS_LOG_FUNCTION(this);
    if (m_turn)
    {
        m_turn->Cancel();
    }
    m_ports.clear();
    m_discipline = nullptr;
    Object::DoDispose();
}

Ptr<RotorDispatcher>
RotorDispatcher::Get(Ptr<RotorChannel> channel)
{
    auto dispatcher = channel->GetObject<RotorDispatcher>();
    if (!dispatcher)
    {
        dispatcher = CreateObject<RotorDispatcher>();
        channel->AggregateObject(dispatcher);
    }
    return dispatcher;
}

void
RotorDispatcher::NotifyNewAggregate()
{
    NS_LOG_FUNCTION(this);
    const auto channel = GetObject<RotorChannel>();
    if (!m_agenda && channel)
    {
        Begin(SimulatorAgenda::Get(), channel->GetClock());
    }
    Object::NotifyNewAggregate();
}

void
RotorDispatcher::Begin(Agenda& agenda, const RotorClock& clock)
{
    NS_LOG_FUNCTION(this);
    m_agenda = &agenda;
    m_clock = clock;
    m_ports.assign(clock.schedule->GetNPorts(), nullptr);
    m_queues = RotorQueues(clock.schedule->GetNPorts());
    if (!m_discipline)
    {
        m_discipline = CreateObject<BalancedDiscipline>();
    }
}

void
RotorDispatcher::SetPort(uint32_t number, RotorPort* port)
{
    NS_LOG_FUNCTION(this << number << port);
    if (number < m_ports.size())
    {
        m_ports[number] = port;
    }
}

void
RotorDispatcher::Note(uint32_t port,
                      uint32_t destination,
                      bool isOwn,
                      uint64_t added,
                      uint64_t taken)
{
    (isOwn ? m_queues.own : m_queues.stored)[port][destination] += added - taken;
    NoteShort(added, taken);
}

void
RotorDispatcher::NoteShort(uint64_t added, uint64_t taken)
{
    m_bytes += added - taken;
    if (added > 0 && !m_isWaiting)
    {
        m_isWaiting = true;
        Wait(m_agenda->Now());
    }
}

void
RotorDispatcher::Wait(int64_t since)
{
    m_turn = m_agenda->At(m_clock.GetNextTurn(since), [this]() { Turn(); });
}

uint32_t
RotorDispatcher::GetNext(uint32_t port, uint32_t destination)
{
    const int64_t now = m_agenda->Now();
    if (now >= m_routesEnd)
    {
        m_routesEnd = m_clock.GetNextTurn(now + 1);
        const PeriodicSchedule& schedule = *m_clock.schedule;
        std::vector<std::pair<uint32_t, uint32_t>> circuits;
        for (uint32_t uplink = 0; uplink < schedule.GetNUplinks(); ++uplink)
        {
            // No message goes onto an uplink that is about to go dark
            if (m_clock.GetNextLight(uplink, now + 1) == m_routesEnd)
            {
                continue;
            }
            const uint32_t slot = m_clock.GetSlot(uplink, now);
            for (uint32_t source = 0; source < schedule.GetNPorts(); ++source)
            {
                const uint32_t peer = schedule.GetPeer(slot, source, uplink);
                if (peer != source)
                {
                    circuits.emplace_back(source, peer);
                }
            }
        }
        m_routes.Begin(schedule.GetNPorts(), circuits);
    }
    return m_routes.GetNext(port, destination);
}

void
RotorDispatcher::Turn()
{
    NS_LOG_FUNCTION(this);
    if (m_bytes == 0)
    {
        m_isWaiting = false;
        return;
    }
    const int64_t now = m_agenda->Now();
    const PeriodicSchedule& schedule = *m_clock.schedule;
    m_contacts.clear();
    uint32_t first = UINT32_MAX;
    for (uint32_t uplink = 0; uplink < schedule.GetNUplinks(); ++uplink)
    {
        if (m_clock.GetNextLight(uplink, now) != now)
        {
            continue;
        }
        const uint32_t slot = m_clock.GetSlot(uplink, now);
        first = std::min(first, slot);
        for (uint32_t port = 0; port < m_ports.size(); ++port)
        {
            const uint32_t peer = schedule.GetPeer(slot, port, uplink);
            if (peer != port && m_ports[port] && m_ports[peer])
            {
                m_contacts.push_back({port, peer});
            }
        }
    }
    const uint64_t capacity = m_clock.GetBytes(m_clock.GetLight());
    m_discipline->Decide(first, m_contacts, capacity, m_queues, m_grants);
    NS_LOG_LOGIC(m_contacts.size() << " pairs meet, and " << m_grants.size()
                                   << " parts of messages go through other ports");
    for (const auto& grant : m_grants)
    {
        m_ports[grant.source]->Grant(grant);
    }
    if (m_discipline->GetShortMessage() > 0)
    {
        for (RotorPort* const port : m_ports)
        {
            if (port)
            {
                port->Reroute();
            }
        }
    }
    for (const auto& contact : m_contacts)
    {
        m_ports[contact.source]->Meet(contact.peer);
    }
    Wait(now + 1);
}

} // namespace lightpath
} // namespace ns3
