/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "plan-replay.h"

#include "model/planner/planning-deadline.h"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

namespace ns3
{
namespace lightpath
{

namespace
{

/// Times that differ by less are one instant, seconds
constexpr double REPLAY_INSTANT = 1e-12;

/// Looks at what waits for light that are as much work as an event; so is a share for a flow.
constexpr uint64_t LOOKS = 16;

/// Events of messages that are followed that are as much work as an event.
constexpr uint64_t CARRIED = 4;

} // namespace

PlanReplay::PlanReplay(const TrainingPlan& plan, const FabricLimits& fabric, uint64_t mostFollowed)
    : m_plan(plan),
      m_fabric(fabric),
      m_mostFollowed(mostFollowed),
      m_classes(plan, mostFollowed > 0),
      m_partners(plan, m_classes),
      m_meter(plan, m_classes),
      m_paths(plan, m_classes, fabric, m_network),
      m_shapes(plan, m_classes, m_paths),
      m_ranks(m_classes.GetN()),
      m_progress(m_partners.GetOperations().size()),
      m_arrived(m_partners.GetNTasks(), 0),
      m_isWaiting(m_partners.GetNTasks(), 0),
      m_ways(m_partners.GetNTasks(), nullptr)
{
    for (uint32_t number = 0; number < m_ranks.size(); ++number)
    {
        m_ranks[number].program = plan.programs[m_classes.GetRepresentative(number)].get();
        m_ranks[number].first = m_partners.GetFirst(number);
        m_ranks[number].nRanks = static_cast<double>(m_classes.GetRanks(number).size());
        m_nTasks += m_ranks[number].nRanks *
                    static_cast<double>(m_ranks[number].program->GetTasks().size());
    }
    // Followed messages may take their turns otherwise in each iteration
    m_nIterations = mostFollowed > 0 ? 3 : 2;
    if (mostFollowed > 0)
    {
        const auto send = [this](uint32_t source, uint32_t to, double bytes, uint32_t number) {
            SendFlow(source, to, bytes, number);
        };
        const auto done = [this](uint64_t tag) { Leave(static_cast<uint32_t>(tag)); };
        m_messages.emplace(plan, fabric, &m_paths.GetCircuits(), m_nIterations, send, done);
    }
    if (m_paths.GetCircuits().IsPhased())
    {
        FollowPhases();
    }
    if (plan.isTypical && fabric.exchangeSeconds > 0)
    {
        m_exchanges.emplace(m_partners, plan, m_classes, fabric);
    }
    if (m_paths.GetCircuits().AreTurned() && !m_messages)
    {
        m_turns.emplace(plan,
                        m_classes,
                        m_partners,
                        m_shapes,
                        m_paths,
                        m_network,
                        fabric,
                        m_nIterations);
    }
}

PlanCost
PlanReplay::Run(double limit, uint64_t mostEvents)
{
    // Without phases a single class repeats itself: one iteration is enough
    m_nEnded.assign(m_nIterations, 0);
    m_ends.assign(m_nIterations, 0);
    if (m_ranks.size() == 1 && AreAlike())
    {
        m_nIterations = 1;
    }
    // The time spent computing bounds the price before anything is known of communication
    double bound = 0;
    for (auto& rank : m_ranks)
    {
        BeginIteration(rank);
        bound = std::max(bound, rank.program->GetComputeSeconds());
    }
    Settle();
    TakeTurns();
    while (true)
    {
        // Idle GPUs take their next ready task
        for (auto* rank : m_touched)
        {
            rank->isTouched = false;
            Compute(*rank);
            bound = std::max(bound, GetBound(*rank));
        }
        m_touched.clear();
        // A plan that is surely slower than the limit needs no exact price
        const bool isLong =
            m_messages && m_messages->GetNEvents() / m_nIterations > m_mostFollowed / 2;
        if (isLong && m_nEnded[1] == m_ranks.size())
        {
            return MakeCost(GetSteadySeconds(2));
        }
        if (bound > limit || isLong)
        {
            return MakeCutCost(bound, isLong);
        }
        if (IsOver())
        {
            break;
        }
        CheckEvents(mostEvents);
        m_network.Share(m_now);
        // The next event is the end of a flow or an event of our own
        double next = m_network.GetNext();
        next = m_messages ? std::min(next, m_messages->GetNext()) : next;
        next = m_events.empty() ? next : std::min(next, m_events.top().seconds);
        if (next == std::numeric_limits<double>::infinity())
        {
            throw MakeError();
        }
        m_now = std::max(m_now, m_messages ? m_messages->GetTickAfter(next) : next);
        Happen();
    }
    return MakeCost(GetSteadySeconds(m_nIterations));
}

double
PlanReplay::GetSteadySeconds(uint32_t nEnded) const
{
    return nEnded > 1 ? (m_ends[nEnded - 1] - m_ends[0]) / (nEnded - 1) : m_ends[0];
}

bool
PlanReplay::IsOver()
{
    if (m_nEnded[0] == m_ranks.size() && m_nIterations > 1 && AreAlike())
    {
        // None has computed anything of the next iteration yet
        const bool isEven = std::none_of(m_ranks.begin(), m_ranks.end(), [this](const Rank& rank) {
            return rank.iteration != 1 || rank.begin < m_now;
        });
        m_nIterations = isEven ? 1 : m_nIterations;
    }
    return m_nEnded[m_nIterations - 1] == m_ranks.size();
}

double
PlanReplay::GetBound(const Rank& rank) const
{
    // Before the iterations that count nothing is known but what they compute
    const uint32_t last = m_nIterations - 1;
    if (rank.iteration != last || (last > 0 && m_nEnded[0] < m_ranks.size()))
    {
        return 0;
    }
    return last > 0 ? (m_now + rank.left - m_ends[0]) / last : m_now + rank.left;
}

void
PlanReplay::Happen()
{
    PlanningDeadline::Check(m_fabric.deadline);
    // Flows that end: steps of collectives go on, messages leave for their receiver
    m_network.End(m_now, m_tags);
    for (const auto tag : m_tags)
    {
        if (tag & FLOW)
        {
            const PlanPaths::Path& path = m_flowPaths[(tag & ~FLOW) >> PART_SHIFT];
            Schedule(m_now + path.latency,
                     path.isInside ? EventKind::REACHED : EventKind::CAME,
                     static_cast<uint32_t>(tag));
        }
        else if (tag & COLLECTIVE)
        {
            Continue(static_cast<uint32_t>(tag), static_cast<uint32_t>(tag >> PART_SHIFT));
        }
        else if (!(tag & EARLY))
        {
            Leave(static_cast<uint32_t>(tag));
        }
    }
    // Then the other events of this instant; each lets tasks begin that messages follow, as in a
    // simulation
    while (m_messages && m_messages->Proceed(m_now))
    {
        Settle();
    }
    while (!m_events.empty() && m_events.top().seconds <= m_now + REPLAY_INSTANT)
    {
        const Event event = m_events.top();
        m_events.pop();
        Handle(event);
    }
    Settle();
    TakeTurns();
    // All tasks of this instant have ended before circuits are switched
    if (m_switch && m_switch->Switch(m_nIterations))
    {
        Schedule(m_now + m_fabric.switchingSeconds, EventKind::LIT, m_switch->GetN());
    }
}

void
PlanReplay::Handle(const Event& event)
{
    switch (event.kind)
    {
    case EventKind::COMPUTED: {
        Rank& rank = m_ranks[m_partners.GetClass(event.index)];
        rank.isBusy = false;
        if (!std::exchange(rank.isTouched, true))
        {
            m_touched.push_back(&rank);
        }
        m_ended.push_back(event.index);
        break;
    }
    case EventKind::ARRIVED:
        Arrive(event.index);
        break;
    case EventKind::LAUNCHED:
        m_messages ? CollectExactly(event.index) : Collect(event.index);
        break;
    case EventKind::LIT:
        if (m_switch)
        {
            m_switch->Light(event.index);
        }
        break;
    case EventKind::TURNED: {
        auto& requests = m_sent[event.index];
        m_turns->End(m_turns->GetSendItem(event.index), requests.front(), 0, true);
        requests.pop_front();
        break;
    }
    case EventKind::REACHED:
        m_messages->ArriveInside(event.index);
        break;
    case EventKind::CAME:
        m_messages->Arrive(event.index);
        break;
    }
}

void
PlanReplay::BeginIteration(Rank& rank)
{
    rank.waiting = rank.program->GetNPredecessors();
    rank.nLeft = rank.waiting.size();
    rank.left = rank.program->GetComputeSeconds();
    rank.begin = m_now;
    for (uint32_t task = 0; task < rank.waiting.size(); ++task)
    {
        if (rank.waiting[task] == 0)
        {
            Begin(rank.first + task);
        }
    }
    // A class without tasks has ended all iterations
    if (rank.nLeft == 0)
    {
        rank.iteration = m_nIterations;
        for (auto& ended : m_nEnded)
        {
            ++ended;
        }
    }
}

void
PlanReplay::Begin(uint32_t task)
{
    Rank& rank = m_ranks[m_partners.GetClass(task)];
    switch (GetTask(task).kind)
    {
    case TaskKind::COMPUTE:
        rank.ready.push(task - rank.first);
        if (!std::exchange(rank.isTouched, true))
        {
            m_touched.push_back(&rank);
        }
        break;
    case TaskKind::SEND:
        Send(task);
        m_ended.push_back(task);
        break;
    case TaskKind::RECEIVE:
        // The message may have come before its receive was ready
        if (m_arrived[task] > 0)
        {
            --m_arrived[task];
            m_ended.push_back(task);
        }
        else
        {
            m_isWaiting[task] = 1;
        }
        break;
    case TaskKind::COLLECTIVE:
        Join(task);
        break;
    }
}

void
PlanReplay::Leave(uint32_t send)
{
    m_meter.Note(m_partners.GetClass(send), GetTask(send).group, false, m_now);
    const uint32_t receive = m_partners.GetPartner(send);
    if (m_turns && m_turns->GetSendItem(send) != PlanTurns::NONE)
    {
        const double latency = m_paths.GetLatency(*m_ways[send], GetTask(send).bytes);
        Schedule(m_now + latency, EventKind::TURNED, send);
    }
    if (GetTask(send).kind == TaskKind::COLLECTIVE)
    {
        EndExactly(send);
    }
    else if (m_messages && receive != TaskPartners::NONE)
    {
        Arrive(receive);
    }
    else if (receive != TaskPartners::NONE)
    {
        const double latency = m_paths.GetLatency(*m_ways[send], GetTask(send).bytes);
        Schedule(m_now + latency, EventKind::ARRIVED, receive);
    }
}

void
PlanReplay::Arrive(uint32_t receive)
{
    if (m_isWaiting[receive] != 0)
    {
        m_isWaiting[receive] = 0;
        m_ended.push_back(receive);
    }
    else
    {
        ++m_arrived[receive];
    }
}

void
PlanReplay::Settle()
{
    for (std::size_t next = 0; next < m_ended.size(); ++next)
    {
        const uint32_t task = m_ended[next];
        Rank& rank = m_ranks[m_partners.GetClass(task)];
        const Task& what = GetTask(task);
        if (m_switch && what.kind != TaskKind::COMPUTE)
        {
            m_switch->End(rank.iteration, what.phase);
        }
        // Successors that wait for nothing else begin at once; tasks that end thereby join this
        // list
        --rank.nLeft;
        if (rank.iteration == 0)
        {
            m_nEndedTasks += rank.nRanks;
            m_lastEnd = m_now;
        }
        for (const auto successor : rank.program->GetSuccessors(task - rank.first))
        {
            if (--rank.waiting[successor] == 0)
            {
                Begin(rank.first + successor);
            }
        }
        if (rank.nLeft == 0)
        {
            m_ends[rank.iteration] = std::max(m_ends[rank.iteration], m_now);
            ++m_nEnded[rank.iteration];
            if (++rank.iteration < m_nIterations)
            {
                BeginIteration(rank);
            }
        }
    }
    m_ended.clear();
    if (m_notedAt == 0 && m_notedTasks > 0 && m_nEndedTasks >= m_notedTasks)
    {
        m_notedAt = m_now;
    }
}

void
PlanReplay::Compute(Rank& rank)
{
    if (rank.isBusy || rank.ready.empty())
    {
        return;
    }
    const uint32_t task = rank.ready.top();
    rank.ready.pop();
    rank.isBusy = true;
    const double seconds = rank.program->GetTasks()[task].seconds;
    rank.left = std::max(rank.left - seconds, 0.0);
    // In a simulation tasks take whole ticks
    const double taken = m_messages ? Seconds(seconds).GetSeconds() : seconds;
    Schedule(m_now + taken, EventKind::COMPUTED, rank.first + task);
}

void
PlanReplay::Schedule(double seconds, EventKind kind, uint32_t index)
{
    const Event event{seconds, m_nEvents++, kind, index};
    m_messages ? m_messages->At(seconds, [this, event]() { Handle(event); }) : m_events.push(event);
}

const Task&
PlanReplay::GetTask(uint32_t task) const
{
    const Rank& rank = m_ranks[m_partners.GetClass(task)];
    return rank.program->GetTasks()[task - rank.first];
}

uint64_t
PlanReplay::CountEvents() const
{
    return m_nEvents + m_network.GetNShares() + m_nLooks / LOOKS +
           (m_messages ? m_messages->GetNEvents() / CARRIED : 0);
}

void
PlanReplay::CheckEvents(uint64_t most) const
{
    if (CountEvents() > most)
    {
        throw PricingError("it takes more than " + std::to_string(most) +
                           " events to price the plan");
    }
}

PlanCost
PlanReplay::MakeCost(double seconds) const
{
    PlanCost cost;
    cost.seconds = seconds;
    cost.events = CountEvents();
    cost.isExact = m_messages.has_value();
    cost.switchingSeconds = (m_switch ? m_switch->GetNLast() : 0) * m_fabric.switchingSeconds;
    for (uint32_t number = 0; number < m_ranks.size(); ++number)
    {
        const double share = 1.0 * m_classes.GetRanks(number).size() / m_plan.programs.size();
        cost.computeSeconds += share * m_ranks[number].program->GetComputeSeconds();
    }
    cost.waitingSeconds = std::max(seconds - cost.computeSeconds, 0.0);
    cost.groups = m_meter.GetCosts(m_paths, m_nIterations);
    return cost;
}

} // namespace lightpath
} // namespace ns3
