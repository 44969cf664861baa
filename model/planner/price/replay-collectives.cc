/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "plan-replay.h"

#include <algorithm>
#include <tuple>
#include <utility>

/**
 * @file
 * @ingroup lightpath
 * The collectives of a PlanReplay, and the turns of its circuits.
 */

namespace ns3
{
namespace lightpath
{

void
PlanReplay::Join(uint32_t task)
{
    if (m_isExact)
    {
        Schedule(m_now + GetLaunch(task), EventKind::LAUNCHED, task);
        return;
    }
    const uint32_t index = m_partners.GetPartner(task);
    const auto& operation = m_partners.GetOperations()[index];
    Progress& progress = m_progress[index];
    // A collective begins with its last member
    if (++progress.arrived < operation.classes.size())
    {
        if (m_turns)
        {
            return;
        }
        // The messages of its first step go in front of later ones on the same paths
        for (const auto& use : m_shapes.GetFirst(m_partners.GetClass(task), GetTask(task)))
        {
            m_network.Send(use.index, use.bytes, EARLY | index);
        }
        return;
    }
    progress.arrived = 0;
    progress.part = 0;
    if (progress.parts == nullptr)
    {
        progress.parts = m_turns ? &m_turns->GetParts(index)
                                 : &m_shapes.Get(operation.set, operation.classes, GetTask(task));
    }
    if (progress.parts->empty())
    {
        m_ended.insert(m_ended.end(), operation.tasks.begin(), operation.tasks.end());
    }
    else if (const double launch =
                 std::max(GetLaunch(task),
                          m_exchanges ? m_exchanges->GetBegin(operation) - m_now : 0);
             launch > 0)
    {
        Schedule(m_now + launch, EventKind::LAUNCHED, index);
    }
    else
    {
        Collect(index);
    }
}

void
PlanReplay::CollectOnGrid(uint32_t task)
{
    const Task& what = GetTask(task);
    const uint32_t rank = m_partners.GetClass(task);
    m_meter.Note(rank, what.group, true, m_now);
    // Members may be an iteration ahead of others
    m_grid.Join(rank,
                what,
                uint64_t{m_ranks[rank].iteration} << 32 | m_partners.GetPartner(task),
                task);
}

void
PlanReplay::Collect(uint32_t operation)
{
    const auto& what = m_partners.GetOperations()[operation];
    for (const auto task : what.tasks)
    {
        const uint32_t number = m_partners.GetClass(task);
        m_meter.Note(number, GetTask(task).group, true, m_now);
        if (what.tasks.size() > 1 && !m_turns)
        {
            // The shape of the first part holds what is left of early messages
            for (const auto& use : m_shapes.GetFirst(number, GetTask(task)))
            {
                m_network.Cancel(use.index, EARLY | operation);
            }
        }
    }
    const uint32_t item = m_turns ? m_turns->GetItem(operation) : PlanTurns::NONE;
    if (item != PlanTurns::NONE)
    {
        Held asked{operation, false, 0, UINT32_MAX};
        for (const auto task : what.tasks)
        {
            const Rank& rank = m_ranks[m_partners.GetClass(task)];
            asked.iteration = rank.iteration;
            asked.place = std::min(asked.place, task - rank.first);
        }
        m_asking.push_back(asked);
        return;
    }
    BeginPart(operation);
}

void
PlanReplay::BeginPart(uint32_t operation)
{
    const Progress& progress = m_progress[operation];
    if (m_turns && m_turns->GetItem(operation) != PlanTurns::NONE)
    {
        m_held.push_back({operation, false, 0, 0, progress.request});
        return;
    }
    m_network.Begin((*progress.parts)[progress.part], COLLECTIVE | operation);
}

void
PlanReplay::Continue(uint32_t operation)
{
    Progress& progress = m_progress[operation];
    const uint32_t item = m_turns ? m_turns->GetItem(operation) : PlanTurns::NONE;
    if (item != PlanTurns::NONE)
    {
        m_turns->End(item, progress.request, progress.part);
    }
    if (++progress.part < progress.parts->size())
    {
        BeginPart(operation);
        return;
    }
    if (m_exchanges)
    {
        m_exchanges->End(m_partners.GetOperations()[operation], m_now);
    }
    for (const auto task : m_partners.GetOperations()[operation].tasks)
    {
        m_meter.Note(m_partners.GetClass(task), GetTask(task).group, false, m_now);
        m_ended.push_back(task);
    }
}

void
PlanReplay::TakeTurns()
{
    if (!m_turns)
    {
        return;
    }
    // Of one instant, messages ask first, and what comes first in programs
    std::stable_sort(m_asking.begin(), m_asking.end(), [](const Held& some, const Held& other) {
        return std::make_tuple(some.iteration, !some.isSend, some.place) <
               std::make_tuple(other.iteration, !other.isSend, other.place);
    });
    for (Held& asked : m_asking)
    {
        const uint32_t item =
            asked.isSend ? m_turns->GetSendItem(asked.index) : m_turns->GetItem(asked.index);
        asked.request = m_turns->Begin(item, asked.iteration);
        if (!asked.isSend)
        {
            m_progress[asked.index].request = asked.request;
        }
        m_held.push_back(asked);
    }
    m_asking.clear();
    if (m_turns->Settle(m_now))
    {
        Schedule(m_now + m_fabric.switchingSeconds, EventKind::LIT, 0);
    }
    std::vector<Held> held;
    for (const Held& some : m_held)
    {
        const uint32_t item =
            some.isSend ? m_turns->GetSendItem(some.index) : m_turns->GetItem(some.index);
        const uint32_t part = some.isSend ? 0 : m_progress[some.index].part;
        if (!m_turns->IsLit(item, some.request, part, m_now))
        {
            held.push_back(some);
        }
        else if (some.isSend)
        {
            const PlanPaths::Path& path = *m_ways[some.index];
            m_sent[some.index].push_back(some.request);
            m_network.Send(path.index,
                           m_paths.GetBusyBytes(path, GetTask(some.index).bytes),
                           some.index);
        }
        else
        {
            m_network.Begin((*m_progress[some.index].parts)[part], COLLECTIVE | some.index);
        }
    }
    m_held = std::move(held);
}

} // namespace lightpath
} // namespace ns3
