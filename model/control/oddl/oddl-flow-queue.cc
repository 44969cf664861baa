/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "oddl-flow-queue.h"

#include "oddl-unit.h"

#include "ns3/abort.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace lightpath
{

OddlFlowQueue::OddlFlowQueue(OddlUnit& unit)
    : m_unit(unit),
      m_grid(*unit.m_grid),
      m_router(m_grid, unit.m_settings.relayPolicy)
{
}

void
OddlFlowQueue::SetReady(uint32_t destination)
{
    Outgoing& outgoing = m_outgoing.Get(destination);
    outgoing.isActive = true;
    outgoing.ready = m_unit.m_agenda.Now();
}

void
OddlFlowQueue::SetIdle(uint32_t destination)
{
    m_outgoing.Get(destination).isActive = false;
}

bool
OddlFlowQueue::Enqueue(uint32_t destination)
{
    Outgoing& outgoing = m_outgoing.Get(destination);
    outgoing.place = ++m_lastPlace;
    const auto hop = m_router.Find(m_unit.m_port, destination);
    if (!hop)
    {
        Refuse(destination, outgoing);
        return false;
    }
    if (outgoing.isStuck)
    {
        outgoing.isStuck = false;
        m_unit.m_grid->NoteStuck(false);
    }
    outgoing.hop = *hop;
    m_pending[hop->direction].push_back(destination);
    return true;
}

void
OddlFlowQueue::Refuse(uint32_t destination, Outgoing& outgoing)
{
    NS_ABORT_MSG_IF(m_unit.m_settings.relayPolicy == OddlSettings::FORBID &&
                        m_grid.AreApart(m_unit.m_port, destination),
                    m_router.Explain(m_unit.m_port, destination));
    m_stuck.push_back(destination);
    if (!outgoing.isStuck)
    {
        outgoing.isStuck = true;
        m_unit.m_grid->NoteStuck(true);
        m_unit.NoteRefused(destination, m_router.Explain(m_unit.m_port, destination));
    }
}

bool
OddlFlowQueue::Take(const WssGrid::Transceiver& transmitter,
                    OddlTransmitter* sender,
                    OddlFlow& flow)
{
    // Behind the first destinations there may be one that this transmitter can reach as the only
    // one, where others have failed
    auto& pending = m_pending[transmitter.direction];
    const auto next = std::find_if(pending.begin(), pending.end(), [&](uint32_t destination) {
        return m_grid.CanReach(m_unit.m_port,
                               m_outgoing.Find(destination)->hop.port,
                               transmitter.direction,
                               transmitter.index);
    });
    if (next == pending.end())
    {
        return false;
    }
    flow.destination = *next;
    pending.erase(next);
    Outgoing& outgoing = m_outgoing.Get(flow.destination);
    outgoing.sender = sender;
    flow.number = ++m_lastFlow;
    flow.hop = outgoing.hop.port;
    flow.bytes = m_unit.GetBacklog(flow.destination);
    flow.ready = outgoing.ready;
    return true;
}

bool
OddlFlowQueue::Divert()
{
    // The order of the other flows keeps ports apart that send to all others in turn, so that few
    // wait for each other's receiver
    auto& pending = m_pending[WssGrid::ROW];
    for (auto last = pending.end(); last != pending.begin();)
    {
        const uint32_t destination = *--last;
        const auto corner = m_grid.AreApart(m_unit.m_port, destination)
                                ? m_router.FindCorner(m_unit.m_port, destination, WssGrid::COLUMN)
                                : std::nullopt;
        if (corner)
        {
            m_outgoing.Get(destination).hop = *corner;
            pending.erase(last);
            m_pending[WssGrid::COLUMN].push_back(destination);
            return true;
        }
    }
    return false;
}

bool
OddlFlowQueue::Release(uint32_t destination)
{
    Outgoing& outgoing = m_outgoing.Get(destination);
    outgoing.sender = nullptr;
    return outgoing.isActive;
}

std::deque<uint32_t>
OddlFlowQueue::Clear()
{
    std::deque<uint32_t> waiting = std::exchange(m_stuck, {});
    for (auto& pending : m_pending)
    {
        waiting.insert(waiting.end(), pending.begin(), pending.end());
        pending.clear();
    }
    // Whichever switch is set first, destinations keep their turns
    std::stable_sort(waiting.begin(), waiting.end(), [this](uint32_t a, uint32_t b) {
        return m_outgoing.Find(a)->place < m_outgoing.Find(b)->place;
    });
    return waiting;
}

OddlTransmitter*
OddlFlowQueue::GetSender(uint32_t destination) const
{
    const Outgoing* const outgoing = m_outgoing.Find(destination);
    return outgoing ? outgoing->sender : nullptr;
}

std::string
OddlFlowQueue::GetRefusal(uint32_t destination) const
{
    const Outgoing* const outgoing = m_outgoing.Find(destination);
    return outgoing && outgoing->isStuck ? m_router.Explain(m_unit.m_port, destination) : "";
}

} // namespace lightpath
} // namespace ns3
