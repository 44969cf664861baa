/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "rotor-dispatcher.h"

#include "balanced-discipline.h"

#include "ns3/log.h"
#include "ns3/pointer.h"
#include "ns3/rotor-channel.h"
#include "ns3/simulator.h"

#include <algorithm>

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
    m_turn.Cancel();
    m_senders.clear();
    m_discipline = nullptr;
    m_channel = nullptr;
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
    if (!m_channel && channel)
    {
        // The channel owns this object: a Ptr would keep both alive
        m_channel = PeekPointer(channel);
        const auto ports = static_cast<uint32_t>(channel->GetNDevices());
        m_senders.assign(ports, nullptr);
        m_queues = RotorQueues(ports);
        if (!m_discipline)
        {
            m_discipline = CreateObject<BalancedDiscipline>();
        }
    }
    Object::NotifyNewAggregate();
}

void
RotorDispatcher::SetSender(uint32_t port, RotorSender* sender)
{
    NS_LOG_FUNCTION(this << port << sender);
    if (port < m_senders.size())
    {
        m_senders[port] = sender;
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
        Wait(Simulator::Now());
    }
}

Time
RotorDispatcher::GetNextTurn(Time since) const
{
    Time next = Time::Max();
    for (uint32_t uplink = 0; uplink < m_channel->GetSchedule().GetNUplinks(); ++uplink)
    {
        next = std::min(next, m_channel->GetNextLight(uplink, since));
    }
    return next;
}

void
RotorDispatcher::Wait(Time since)
{
    m_turn =
        Simulator::Schedule(GetNextTurn(since) - Simulator::Now(), &RotorDispatcher::Turn, this);
}

uint32_t
RotorDispatcher::GetNext(uint32_t port, uint32_t destination)
{
    const Time now = Simulator::Now();
    if (now >= m_routesEnd)
    {
        m_routesEnd = GetNextTurn(now + TimeStep(1));
        const PeriodicSchedule& schedule = m_channel->GetSchedule();
        std::vector<std::pair<uint32_t, uint32_t>> circuits;
        for (uint32_t uplink = 0; uplink < schedule.GetNUplinks(); ++uplink)
        {
            // No message goes onto an uplink that is about to go dark
            if (m_channel->GetNextLight(uplink, now + TimeStep(1)) == m_routesEnd)
            {
                continue;
            }
            const uint32_t slot = m_channel->GetSlot(uplink, now);
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
    const Time now = Simulator::Now();
    const PeriodicSchedule& schedule = m_channel->GetSchedule();
    m_contacts.clear();
    uint32_t first = UINT32_MAX;
    for (uint32_t uplink = 0; uplink < schedule.GetNUplinks(); ++uplink)
    {
        if (m_channel->GetNextLight(uplink, now) != now)
        {
            continue;
        }
        const uint32_t slot = m_channel->GetSlot(uplink, now);
        first = std::min(first, slot);
        for (uint32_t port = 0; port < m_senders.size(); ++port)
        {
            const uint32_t peer = schedule.GetPeer(slot, port, uplink);
            if (peer != port && m_senders[port] && m_senders[peer])
            {
                m_contacts.push_back({port, peer});
            }
        }
    }
    const Time light = m_channel->GetSlotTime() - m_channel->GetDarkTime();
    m_discipline->Decide(first, m_contacts, m_channel->GetBytes(light), m_queues, m_grants);
    NS_LOG_LOGIC(m_contacts.size() << " pairs meet, and " << m_grants.size()
                                   << " parts of messages go through other ports");
    for (const auto& grant : m_grants)
    {
        m_senders[grant.source]->Grant(grant);
    }
    if (m_discipline->GetShortMessage() > 0)
    {
        for (RotorSender* const sender : m_senders)
        {
            if (sender)
            {
                sender->Reroute();
            }
        }
    }
    for (const auto& contact : m_contacts)
    {
        m_senders[contact.source]->Meet(contact.peer);
    }
    Wait(now + TimeStep(1));
}

} // namespace lightpath
} // namespace ns3
