/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ring-forward.h"

#include "circuit-transport.h"
#include "collective-progress.h"
#include "model/base/wire-format.h"
#include "rank-messages.h"
#include "training-application.h"
#include "training-job.h"

#include "ns3/fabric-channel.h"
#include "ns3/node.h"
#include "ns3/optical-net-device.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace lightpath
{

RingForward::RingForward(TrainingJob& job, const std::vector<uint32_t>& members)
    : m_job(job),
      m_members(members.size()),
      m_ranks(members),
      m_unit(8 * static_cast<uint64_t>(Seconds(1).GetTimeStep()))
{
    for (uint32_t position = 0; position < members.size(); ++position)
    {
        Member& member = m_members[position];
        member.rank = members[position];
        const uint32_t next = members[(position + 1) % members.size()];
        const auto& application = job.GetRanks()[member.rank];
        member.node = application->GetNode()->GetId();
        member.transport = application->GetTransport()->FindCircuit(next, 1);
        if (member.transport)
        {
            member.device = member.transport->GetDevice();
            member.next = member.transport->GetPort(next);
        }
    }
}

RingForward::~RingForward()
{
    m_wake.Cancel();
    m_resume.Cancel();
    Return();
}

RingForward::Answer
RingForward::Begin(uint64_t tag,
                   const std::shared_ptr<const RingSchedule>& schedule,
                   uint32_t position,
                   uint32_t task,
                   Time scheduled)
{
    const auto refused = m_refused.find(tag);
    if (refused != m_refused.end())
    {
        // Each member comes once
        if (--refused->second == 0)
        {
            m_refused.erase(refused);
        }
        return Answer::REFUSED;
    }
    uint32_t index = Find(tag);
    if (index == NONE)
    {
        index = Add(tag, schedule);
    }
    if (index == NONE)
    {
        m_refused[tag] = m_members.size() - 1;
        Carry(tag, schedule);
        return Answer::REFUSED;
    }
    const int64_t now = Simulator::Now().GetTimeStep();
    Advance(now);
    // Of what happens now, what was scheduled first comes first
    const Member& before = m_members[GetBefore(position)];
    while (!before.out.IsEmpty() && before.out.GetFirst().arrival == now &&
           now - before.delay < scheduled.GetTimeStep())
    {
        TakeFirst(position);
    }
    Operation& operation = m_operations[index];
    Part& part = operation.parts[position];
    part.task = task;
    ++operation.nBegun;
    const uint32_t nSends = std::min(part.received + 1, operation.nSteps);
    for (uint32_t step = 0; step < nSends; ++step)
    {
        Send(position, index, step, now);
        if (step == 0)
        {
            Member& member = m_members[position];
            member.transport->NoteLent(member.next, TimeStep(member.begin - now));
        }
    }
    const bool isDone = part.received == operation.nSteps;
    if (isDone)
    {
        EndPart(operation, part);
    }
    if (operation.nBegun == m_members.size())
    {
        ScheduleWake();
    }
    return isDone ? Answer::DONE : Answer::UNDERWAY;
}

uint32_t
RingForward::Find(uint64_t tag) const
{
    for (uint32_t i = 0; i < m_operations.size(); ++i)
    {
        if (m_operations[i].schedule && m_operations[i].tag == tag)
        {
            return i;
        }
    }
    return NONE;
}

uint32_t
RingForward::Add(uint64_t tag, const std::shared_ptr<const RingSchedule>& schedule)
{
    Operation operation = Make(tag, schedule);
    if (!MakeFrames(operation) || (!m_isLent && !Borrow()))
    {
        return NONE;
    }
    if (!FindLeast(operation))
    {
        GiveBack();
        return NONE;
    }
    const auto place = std::find_if(m_operations.begin(), m_operations.end(), [](const auto& each) {
        return !each.schedule;
    });
    if (place == m_operations.end())
    {
        m_operations.push_back(std::move(operation));
        return m_operations.size() - 1;
    }
    *place = std::move(operation);
    return place - m_operations.begin();
}

bool
RingForward::Borrow()
{
    m_isLent = true;
    // Lightpaths of this ring may compete with each other: none must be recalled for the next
    m_isBorrowing = true;
    for (uint32_t position = 0; position < m_members.size(); ++position)
    {
        Member& member = m_members[position];
        const auto lent = member.device->Lend(member.next, *this, position);
        if (lent.bitRate == 0)
        {
            m_isBorrowing = false;
            Return();
            return false;
        }
        member.bitRate = lent.bitRate;
        member.delay = lent.delay.GetTimeStep();
        member.free = Simulator::Now().GetTimeStep();
        member.carry = static_cast<uint64_t>(lent.carry);
        member.recentBytes = 0;
        // A new sink brings messages back
        member.isTraced = IsTraced(member);
    }
    m_isBorrowing = false;
    m_advanced = Simulator::Now().GetTimeStep();
    m_wasLent = true;
    return true;
}

bool
RingForward::IsTraced(const Member& member) const
{
    return m_job.GetRanks()[member.rank]->TracesComputed() || member.device->TracesComputed();
}

void
RingForward::Return()
{
    m_isLent = false;
    for (Member& member : m_members)
    {
        if (member.bitRate > 0)
        {
            member.bitRate = 0;
            const bool endsNow = member.free == Simulator::Now().GetTimeStep();
            member.device->TakeBack(member.next, endsNow ? member.carry : 0);
        }
    }
}

void
RingForward::Advance()
{
    if (m_isLent)
    {
        Advance(Simulator::Now().GetTimeStep());
    }
}

void
RingForward::Subtract()
{
    Advance();
    for (uint32_t position = 0; position < m_members.size(); ++position)
    {
        Member& member = m_members[position];
        if (member.unsubtracted > 0)
        {
            m_job.GetRanks()[member.rank]->GetMessages().Subtract(
                m_ranks[(position + 1) % m_ranks.size()],
                std::exchange(member.unsubtracted, 0));
        }
    }
}

void
RingForward::Advance(int64_t limit)
{
    if (m_advanced >= limit)
    {
        return;
    }
    m_advanced = limit;
    // Rounds in which each member takes a few messages keep queues short
    constexpr uint32_t few = 32;
    bool isMoving = true;
    while (isMoving)
    {
        isMoving = false;
        for (uint32_t position = 0; position < m_members.size(); ++position)
        {
            isMoving = Drain(position, limit, few) || isMoving;
        }
    }
}

bool
RingForward::Drain(uint32_t position, int64_t limit, uint32_t most)
{
    const auto& in = m_members[GetBefore(position)].out;
    uint32_t taken = 0;
    while (!in.IsEmpty() && in.GetFirst().arrival < limit && taken < most)
    {
        TakeFirst(position);
        ++taken;
    }
    return taken > 0;
}

void
RingForward::TakeFirst(uint32_t position)
{
    Member& before = m_members[GetBefore(position)];
    const Message message = before.out.GetFirst();
    before.out.Pop();
    if (before.isTraced)
    {
        Tell(before, m_operations[message.operation], message, before.details.GetFirst(), false);
        before.details.Pop();
    }
    Part& part = m_operations[message.operation].parts[position];
    ++m_members[position].received;
    ++part.received;
    // A member that has begun sends its message of the next step
    if (part.task != NONE && part.received < m_operations[message.operation].nSteps)
    {
        Send(position, message.operation, part.received, message.arrival);
    }
}

void
RingForward::Send(uint32_t position, uint32_t index, uint32_t step, int64_t now)
{
    Operation& operation = m_operations[index];
    Member& member = m_members[position];
    const uint32_t n = m_members.size();
    // RingSchedule::GetChunk()
    const bool secondRound = step >= n - 1;
    uint32_t chunk = position + (secondRound ? 1 : operation.firstChunk);
    const uint32_t back = secondRound ? step - (n - 1) : step;
    chunk = chunk >= back ? chunk - back : chunk + n - back;
    chunk = chunk >= n ? chunk - n : chunk;
    const uint32_t bytes = operation.frames[chunk];
    Append(member, bytes, now);
    member.out.Push({member.free + member.delay, index, bytes});
    if (member.isTraced)
    {
        member.details.Push({now, member.begin, step});
    }
    member.unsubtracted += bytes - operation.headers;
    if (step + 1 == operation.nSteps)
    {
        ++operation.nLast;
        ScheduleEnd(position, index);
    }
}

void
RingForward::Append(Member& member, uint32_t bytes, int64_t now) const
{
    const bool isIdle = now > member.free;
    member.begin = isIdle ? now : member.free;
    const uint64_t carry = isIdle ? 0 : member.carry;
    if (carry > 0 || bytes != member.recentBytes)
    {
        // The bits of all frames since the lightpath was idle, rounded up to whole ticks
        const Work work = Work(bytes) * m_unit - carry;
        const Work ticks = work >> 64 == 0
                               ? Work((static_cast<uint64_t>(work) - 1) / member.bitRate + 1)
                               : (work - 1) / member.bitRate + 1;
        member.carry = static_cast<uint64_t>(ticks * member.bitRate - work);
        member.free = member.begin + static_cast<int64_t>(ticks);
        if (carry == 0)
        {
            member.recentBytes = bytes;
            member.recentTicks = static_cast<int64_t>(ticks);
            member.recentCarry = member.carry;
        }
    }
    else
    {
        member.carry = member.recentCarry;
        member.free = member.begin + member.recentTicks;
    }
    member.sentBytes += bytes;
}

void
RingForward::ScheduleEnd(uint32_t position, uint32_t index)
{
    const Member& member = m_members[position];
    const uint32_t next = position + 1 < m_members.size() ? position + 1 : 0;
    const Time delay = TimeStep(member.free + member.delay) - Simulator::Now();
    if (delay.IsStrictlyNegative())
    {
        // No bound wakes an operation that a member has yet to begin: it ends there as it begins
        NS_ASSERT_MSG(m_operations[index].parts[next].task == NONE, "The end comes in time");
        return;
    }
    Simulator::ScheduleWithContext(m_members[next].node,
                                   delay,
                                   &RingForward::End,
                                   this,
                                   next,
                                   index,
                                   m_operations[index].number);
}

void
RingForward::End(uint32_t position, uint32_t index, uint64_t number)
{
    // The operation may have been given back
    if (index >= m_operations.size() || !m_operations[index].schedule ||
        m_operations[index].number != number)
    {
        return;
    }
    // Nothing can come between the messages that arrive until now
    Drain(position, Simulator::Now().GetTimeStep() + 1, UINT32_MAX);
    Operation& operation = m_operations[index];
    Part& part = operation.parts[position];
    if (part.task == NONE || part.isDone)
    {
        return;
    }
    NS_ASSERT_MSG(part.received == operation.nSteps, "All messages have arrived");
    const uint32_t task = part.task;
    const uint64_t tag = operation.tag;
    EndPart(operation, part);
    m_job.GetRanks()[m_members[position].rank]->EndForwarded(task, tag);
}

void
RingForward::EndPart(Operation& operation, Part& part)
{
    part.isDone = true;
    if (++operation.nDone == m_members.size())
    {
        operation.schedule = nullptr;
    }
}

void
RingForward::ScheduleWake()
{
    int64_t bound = INT64_MAX;
    for (const Operation& operation : m_operations)
    {
        if (operation.schedule && operation.nBegun == m_members.size() &&
            operation.nLast < m_members.size())
        {
            bound = std::min(bound, GetBound(operation));
        }
    }
    ScheduleWake(bound);
}

void
RingForward::ScheduleWake(int64_t bound)
{
    if (bound == INT64_MAX || (m_wake.IsRunning() && m_wakeTick <= bound + 1))
    {
        return;
    }
    m_wake.Remove();
    m_wakeTick = bound + 1;
    m_wake = Simulator::Schedule(TimeStep(m_wakeTick) - Simulator::Now(), &RingForward::Wake, this);
}

void
RingForward::Wake()
{
    Advance(Simulator::Now().GetTimeStep());
    ScheduleWake();
}

int64_t
RingForward::GetBound(const Operation& operation) const
{
    const uint32_t last = operation.nSteps - 1;
    uint32_t most = 0;
    int64_t delay = INT64_MAX;
    int64_t bound = INT64_MAX;
    for (uint32_t position = 0; position < m_members.size(); ++position)
    {
        most = std::max(most, operation.parts[position].received);
        delay = std::min(delay, m_members[position].delay);
        bound = std::min(bound, GetBound(operation, position));
    }
    // Each message waits for the one before it, which comes from the member before
    return most < last ? std::max(bound, m_advanced + (last - most - 1) * (operation.least + delay))
                       : bound;
}

int64_t
RingForward::GetBound(const Operation& operation, uint32_t position) const
{
    const uint32_t last = operation.nSteps - 1;
    const Part& part = operation.parts[position];
    if (part.received >= last || part.onTheWay > 0)
    {
        return INT64_MAX;
    }
    // The next message for the member, which is on its way or has yet to be sent
    const Member& before = m_members[GetBefore(position)];
    int64_t arrival = std::max(m_advanced, before.free) + operation.least + before.delay;
    if (operation.parts[GetBefore(position)].received >= part.received)
    {
        const uint32_t index = &operation - m_operations.data();
        std::size_t place = 0;
        while (before.out.Get(place).operation != index)
        {
            ++place;
        }
        arrival = before.out.Get(place).arrival;
    }
    return arrival + (last - part.received - 1) * operation.least;
}

} // namespace lightpath
} // namespace ns3
