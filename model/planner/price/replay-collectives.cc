/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "plan-replay.h"

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>

/**
 * @file
 * @ingroup lightpath
 * The collectives and messages of a PlanReplay, the phases and turns of its circuits, and what
 * is said of a replay that does not come to its end.
 */

namespace ns3
{
namespace lightpath
{

void
PlanReplay::FollowPhases()
{
    const auto set = [this](uint32_t setting, bool isLit) {
        m_messages ? m_messages->Switch(setting) : m_paths.Light(setting, isLit);
    };
    // Carriers that follow messages know themselves for how long circuits are dark
    m_switch.emplace(m_paths.GetCircuits(),
                     m_partners.GetNCommunications(),
                     m_messages ? 0 : m_fabric.switchingSeconds,
                     set);
    m_messages ? m_messages->Light(m_switch->GetSetting())
               : m_paths.Light(m_switch->GetSetting(), true);
}

void
PlanReplay::Join(uint32_t task)
{
    if (m_messages)
    {
        // Operations without a launch go before the messages that follow
        const double launch = std::max(GetLaunch(task), GetDark(m_partners.GetPartner(task)));
        launch > 0 ? Schedule(m_now + launch, EventKind::LAUNCHED, task) : CollectExactly(task);
        return;
    }
    const uint32_t index = m_partners.GetPartner(task);
    const auto& operation = m_partners.GetOperations()[index];
    Progress& progress = m_progress[index];
    // A collective begins with its last member
    if (++progress.arrived < operation.classes.size())
    {
        if (m_turns || m_paths.ChangesSides())
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
    progress.next = 0;
    if (progress.parts == nullptr || m_paths.ChangesSides())
    {
        progress.parts = m_turns ? &m_turns->GetParts(index)
                                 : &m_shapes.Get(operation.set, operation.classes, GetTask(task));
    }
    if (progress.parts->empty())
    {
        m_ended.insert(m_ended.end(), operation.tasks.begin(), operation.tasks.end());
    }
    else if (const double launch = std::max(GetLaunch(task), GetDark(index)); launch > 0)
    {
        Schedule(m_now + launch, EventKind::LAUNCHED, index);
    }
    else
    {
        Collect(index);
    }
}

double
PlanReplay::GetDark(uint32_t operation) const
{
    return m_exchanges ? m_exchanges->GetBegin(m_partners.GetOperations()[operation]) - m_now : 0;
}

void
PlanReplay::CollectExactly(uint32_t task)
{
    const Task& what = GetTask(task);
    const uint32_t rank = m_partners.GetClass(task);
    m_meter.Note(rank, what.group, true, m_now);
    // Members may be an iteration ahead of others
    const RankGroups& groups = m_plan.groups[what.group];
    const auto& members = groups.GetMembers(rank);
    auto& schedule = m_schedules[{what.collective, members.size(), what.bytes, what.options}];
    if (!schedule)
    {
        schedule = CollectiveSchedule::Create(what.collective,
                                              static_cast<uint32_t>(members.size()),
                                              m_plan.protocols.GetWireBytes(what.bytes),
                                              what.options);
    }
    const uint32_t iteration = m_ranks[rank].iteration;
    m_messages->Join(uint64_t{iteration} << 32 | m_partners.GetPartner(task),
                     schedule,
                     members,
                     groups.GetPosition(rank),
                     task - m_ranks[rank].first,
                     iteration,
                     task);
}

void
PlanReplay::Send(uint32_t task)
{
    const Task& send = GetTask(task);
    const uint32_t rank = m_partners.GetClass(task);
    if ((m_ways[task] == nullptr || m_paths.ChangesSides()) && !m_messages)
    {
        m_ways[task] = &m_paths.GetPath(rank, send.group, send.peer);
    }
    m_meter.Note(rank, send.group, true, m_now);
    if (m_messages)
    {
        const uint32_t peer = m_plan.groups[send.group].GetMembers(rank)[send.peer];
        m_messages->Send(rank,
                         peer,
                         send.bytes,
                         task - m_ranks[rank].first,
                         m_ranks[rank].iteration,
                         task);
        return;
    }
    const uint32_t item = m_turns ? m_turns->GetSendItem(task) : PlanTurns::NONE;
    if (item != PlanTurns::NONE)
    {
        m_asking.push_back({task, true, m_ranks[rank].iteration, task - m_ranks[rank].first});
    }
    m_network.Send(item != PlanTurns::NONE ? m_turns->GetPath(task) : m_ways[task]->index,
                   m_paths.GetBusyBytes(*m_ways[task], send.bytes),
                   task);
}

void
PlanReplay::EndExactly(uint32_t task)
{
    const uint32_t number = m_partners.GetClass(task);
    m_messages->End(number, task - m_ranks[number].first, m_ranks[number].iteration);
    m_ended.push_back(task);
    // Circuits change for the next exchange once all members have ended this one
    const uint32_t index = m_partners.GetPartner(task);
    const auto& operation = m_partners.GetOperations()[index];
    if (m_exchanges && ++m_progress[index].arrived == operation.tasks.size())
    {
        m_progress[index].arrived = 0;
        m_exchanges->End(operation, m_now);
    }
}

void
PlanReplay::SendFlow(uint32_t source, uint32_t destination, double bytes, uint32_t number)
{
    const auto [found, isNew] = m_flows.emplace(std::make_pair(source, destination),
                                                static_cast<uint32_t>(m_flowPaths.size()));
    if (isNew)
    {
        const bool isInside = m_fabric.servers.layout.AreInside(source, destination);
        m_flowPaths.push_back(isInside || !m_fabric.beside.network
                                  ? m_paths.GetPathOf(source, destination)
                                  : m_paths.GetPathBeside(source, destination));
        m_flowPaths.back().isInside = isInside;
    }
    m_network.Send(m_flowPaths[found->second].index,
                   m_paths.GetFrameBytes(bytes),
                   FLOW | uint64_t{found->second} << PART_SHIFT | number);
}

PlanCost
PlanReplay::MakeCutCost(double seconds, bool isLong) const
{
    PlanCost cost;
    cost.seconds = seconds;
    if (isLong)
    {
        // Tasks under way are half done on average. Later iterations do not wait for switches that
        // are set at first
        const double end = m_nEnded[0] == m_ranks.size() ? m_lastEnd : (m_lastEnd + m_now) / 2;
        cost.seconds = end - m_messages->GetFirstSeconds();
    }
    cost.events = CountEvents();
    cost.isExact = m_messages && !isLong;
    cost.groups.resize(m_plan.groups.size());
    return cost;
}

PricingError
PlanReplay::MakeError() const
{
    std::size_t nLeft = 0;
    for (const auto& rank : m_ranks)
    {
        nLeft += rank.nLeft;
    }
    return PricingError("one GPU of each kind, which stands for all of its kind, comes to a "
                        "standstill with " +
                        std::to_string(nLeft) + " tasks left");
}

void
PlanReplay::Collect(uint32_t operation)
{
    const auto& what = m_partners.GetOperations()[operation];
    for (const auto task : what.tasks)
    {
        const uint32_t number = m_partners.GetClass(task);
        m_meter.Note(number, GetTask(task).group, true, m_now);
        if (what.tasks.size() > 1 && !m_turns && !m_paths.ChangesSides())
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
    BeginNext(operation);
}

void
PlanReplay::BeginNext(uint32_t operation)
{
    Progress& progress = m_progress[operation];
    const uint32_t item = m_turns ? m_turns->GetItem(operation) : PlanTurns::NONE;
    const uint32_t first = progress.next;
    progress.next = item != PlanTurns::NONE ? m_turns->GetNext(item, first) : first + 1;
    progress.nLeft = progress.next - first;
    if (item == PlanTurns::NONE)
    {
        m_network.Begin((*progress.parts)[first], COLLECTIVE | operation);
        return;
    }
    for (uint32_t part = first; part < progress.next; ++part)
    {
        m_held.push_back({operation, false, 0, 0, progress.request, part});
    }
}

void
PlanReplay::Continue(uint32_t operation, uint32_t part)
{
    Progress& progress = m_progress[operation];
    const bool isLast = --progress.nLeft == 0;
    const uint32_t item = m_turns ? m_turns->GetItem(operation) : PlanTurns::NONE;
    if (item != PlanTurns::NONE)
    {
        const auto isOver = [operation, part](const Held& held) {
            return held.index == operation && held.part == part;
        };
        m_dim.erase(std::remove_if(m_dim.begin(), m_dim.end(), isOver), m_dim.end());
        m_turns->End(item, progress.request, part, isLast);
    }
    if (!isLast)
    {
        return;
    }
    if (progress.next < progress.parts->size())
    {
        BeginNext(operation);
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
    if (m_messages)
    {
        m_messages->Settle();
    }
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
        asked.request = m_turns->Begin(GetItem(asked), asked.iteration);
        if (asked.isSend)
        {
            m_sent[asked.index].push_back(asked.request);
            continue;
        }
        m_progress[asked.index].request = asked.request;
        BeginNext(asked.index);
    }
    m_asking.clear();
    if (m_turns->Settle(m_now))
    {
        Schedule(m_now + m_fabric.switchingSeconds, EventKind::LIT, 0);
    }
    m_nLooks += m_dim.size() + m_held.size();
    // Further planes carry light for what goes on
    std::vector<Held> dim = std::exchange(m_dim, {});
    std::for_each(dim.begin(), dim.end(), [this](const Held& each) {
        const auto planes = m_turns->GetPlanes(GetItem(each), each.request, each.part, m_now);
        m_turns->Light((*m_progress[each.index].parts)[each.part], planes);
        if (!planes.AreAllLit())
        {
            m_dim.push_back(each);
        }
    });
    const auto goesOn = [this](const Held& held) { return GoOn(held); };
    m_held.erase(std::remove_if(m_held.begin(), m_held.end(), goesOn), m_held.end());
}

bool
PlanReplay::GoOn(const Held& held)
{
    const auto planes = m_turns->GetPlanes(GetItem(held), held.request, held.part, m_now);
    if (planes.lit == 0 && planes.asked > 0)
    {
        return false;
    }
    const auto& part = (*m_progress[held.index].parts)[held.part];
    if (!planes.AreAllLit())
    {
        m_dim.push_back(held);
    }
    m_turns->Light(part, planes);
    m_network.Begin(part, COLLECTIVE | uint64_t{held.part} << PART_SHIFT | held.index);
    return true;
}

} // namespace lightpath
} // namespace ns3
