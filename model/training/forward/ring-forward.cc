/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ring-forward.h"

#include "model/base/ring-strides.h"
#include "model/base/wire-format.h"
#include "model/collective/collective-progress.h"
#include "model/training/run/rank-messages.h"

#include "ns3/circuit-transport.h"
#include "ns3/fabric-channel.h"
#include "ns3/node.h"
#include "ns3/optical-net-device.h"
#include "ns3/simulator.h"
#include "ns3/training-application.h"
#include "ns3/training-job.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace lightpath
{

RingForward::RingForward(TrainingJob& job, const std::vector<uint32_t>& members, uint32_t nRings)
    : m_job(job),
      m_nRings(nRings),
      m_members(members.size()),
      m_lightpaths(members.size() * nRings),
      m_inputs(members.size() * nRings),
      m_ranks(members),
      m_unit(8 * static_cast<uint64_t>(Seconds(1).GetTimeStep()))
{
    const uint32_t n = members.size();
    const auto strides = RingStrides::Choose(n, nRings);
    NS_ASSERT_MSG(strides.size() == nRings, "There are as many rings");
    for (uint32_t position = 0; position < n; ++position)
    {
        m_members[position].rank = members[position];
        m_members[position].node = job.GetRanks()[members[position]]->GetNode()->GetId();
    }
    for (uint32_t ring = 0; ring < nRings; ++ring)
    {
        uint32_t position = 0;
        for (uint32_t place = 0; place < n; ++place)
        {
            const uint32_t number = position * nRings + ring;
            Lightpath& lightpath = m_lightpaths[number];
            lightpath.from = position;
            lightpath.place = place;
            lightpath.firstFrame = ring * n;
            const auto transport = job.GetRanks()[members[position]]->GetTransport();
            position = (position + strides[ring]) % n;
            lightpath.to = position;
            m_inputs[position * nRings + ring] = number;
            lightpath.transport = transport->FindCircuit(members[position], 1);
            if (lightpath.transport)
            {
                lightpath.device = lightpath.transport->GetDevice();
                lightpath.next = lightpath.transport->GetPort(members[position]);
            }
        }
    }
}

RingForward::~RingForward()
{
    m_wake.Cancel();
    Return();
}

RingForward::Answer
RingForward::Begin(uint64_t tag,
                   const std::shared_ptr<const RingSchedule>& schedule,
                   uint32_t position,
                   uint32_t task,
                   Time scheduled)
{
    if (m_streamed && m_streamed->Computes(tag))
    {
        return m_streamed->Begin(tag, position, task) ? Answer::DONE : Answer::UNDERWAY;
    }
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
    if (index == NONE && Stream(tag, schedule))
    {
        return m_streamed->Begin(tag, position, task) ? Answer::DONE : Answer::UNDERWAY;
    }
    if (index == NONE)
    {
        m_refused[tag] = m_members.size() - 1;
        return Answer::REFUSED;
    }
    const int64_t now = Simulator::Now().GetTimeStep();
    Advance(now);
    // Of what happens now, what was scheduled first comes first
    for (uint32_t first = FindFirst(position, now + 1);
         first != NONE && now - m_lightpaths[first].delay < scheduled.GetTimeStep();
         first = FindFirst(position, now + 1))
    {
        TakeFirst(first);
    }
    Operation& operation = m_operations[index];
    Part& part = operation.parts[position];
    part.task = task;
    ++operation.nBegun;
    const uint32_t nSends = std::min(part.received + 1, operation.nSteps);
    for (uint32_t step = 0; step < nSends; ++step)
    {
        for (uint32_t ring = 0; ring < m_nRings; ++ring)
        {
            const uint32_t number = position * m_nRings + ring;
            Send(number, index, step, now);
            if (step == 0)
            {
                Lightpath& lightpath = m_lightpaths[number];
                lightpath.transport->NoteLent(lightpath.next, TimeStep(lightpath.begin - now));
            }
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
    // Operations that share links go on to do so until all have ended
    if (!MakeFrames(operation) || (m_streamed && m_streamed->IsBusy()) || (!m_isLent && !Borrow()))
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
    const int64_t now = Simulator::Now().GetTimeStep();
    for (uint32_t number = 0; number < m_lightpaths.size(); ++number)
    {
        Lightpath& lightpath = m_lightpaths[number];
        const auto lent = lightpath.device->Lend(lightpath.next, *this, number);
        if (lent.bitRate == 0)
        {
            m_isBorrowing = false;
            Return();
            return false;
        }
        lightpath.bitRate = lent.bitRate;
        lightpath.delay = lent.delay.GetTimeStep();
        lightpath.free = now;
        lightpath.carry = static_cast<uint64_t>(lent.carry);
        lightpath.recentBytes = 0;
        // A new sink brings messages back
        lightpath.isTraced = IsTraced(lightpath);
        // Of messages that arrive at once on different rings, the order depends on when they began
        lightpath.hasDetails = lightpath.isTraced || m_nRings > 1;
    }
    for (Member& member : m_members)
    {
        member.until = now;
    }
    m_isBorrowing = false;
    m_advanced = now;
    return true;
}

bool
RingForward::IsTraced(const Lightpath& lightpath) const
{
    return m_job.GetRanks()[m_ranks[lightpath.from]]->TracesComputed() ||
           lightpath.device->TracesComputed();
}

void
RingForward::Return()
{
    m_isLent = false;
    for (Lightpath& lightpath : m_lightpaths)
    {
        if (lightpath.bitRate > 0)
        {
            lightpath.bitRate = 0;
            const bool endsNow = lightpath.free == Simulator::Now().GetTimeStep();
            lightpath.device->TakeBack(lightpath.next, endsNow ? lightpath.carry : 0);
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
    for (Lightpath& lightpath : m_lightpaths)
    {
        if (lightpath.unsubtracted > 0)
        {
            m_job.GetRanks()[m_ranks[lightpath.from]]->GetMessages().Subtract(
                m_ranks[lightpath.to],
                std::exchange(lightpath.unsubtracted, 0));
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
    if (m_nRings > 1)
    {
        Merge(limit);
        return;
    }
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
    const uint32_t input = GetInput(position);
    const auto& in = m_lightpaths[input].out;
    uint32_t taken = 0;
    while (!in.IsEmpty() && in.GetFirst().arrival < limit && taken < most)
    {
        TakeFirst(input);
        ++taken;
    }
    return taken > 0;
}

void
RingForward::TakeFirst(uint32_t number)
{
    Lightpath& lightpath = m_lightpaths[number];
    const Message message = lightpath.out.GetFirst();
    lightpath.out.Pop();
    Operation& operation = m_operations[message.operation];
    if (lightpath.hasDetails)
    {
        if (lightpath.isTraced)
        {
            Tell(lightpath, operation, message, lightpath.details.GetFirst(), false);
        }
        lightpath.details.Pop();
    }
    const uint32_t to = lightpath.to;
    ++m_members[to].received;
    Part& part = operation.parts[to];
    // Messages of later steps may come on one ring before those of this step on another
    if (m_nRings > 1 && (++operation.taken[number] != part.received + 1 || --part.missing > 0))
    {
        return;
    }
    do
    {
        CompleteStep(to, message.operation, message.arrival);
        for (uint32_t ring = 0; m_nRings > 1 && ring < m_nRings; ++ring)
        {
            part.missing += operation.taken[GetInput(to, ring)] == part.received ? 1 : 0;
        }
    } while (m_nRings > 1 && part.missing == 0);
}

void
RingForward::CompleteStep(uint32_t position, uint32_t index, int64_t now)
{
    Part& part = m_operations[index].parts[position];
    ++part.received;
    // A member that has begun sends its messages of the next step
    if (part.task != NONE && part.received < m_operations[index].nSteps)
    {
        for (uint32_t ring = 0; ring < m_nRings; ++ring)
        {
            Send(position * m_nRings + ring, index, part.received, now);
        }
    }
}

void
RingForward::Send(uint32_t number, uint32_t index, uint32_t step, int64_t now)
{
    Operation& operation = m_operations[index];
    Lightpath& lightpath = m_lightpaths[number];
    const uint32_t bytes = operation.GetFrame(lightpath, step);
    Append(lightpath, bytes, now);
    lightpath.out.Push({lightpath.free + lightpath.delay, index, bytes});
    if (lightpath.hasDetails)
    {
        lightpath.details.Push({now, lightpath.begin, step});
    }
    lightpath.unsubtracted += bytes - operation.headers;
    if (step + 1 == operation.nSteps)
    {
        ++operation.nLast;
        ScheduleEnd(number, index);
    }
}

void
RingForward::Append(Lightpath& lightpath, uint32_t bytes, int64_t now) const
{
    const bool isIdle = now > lightpath.free;
    lightpath.begin = isIdle ? now : lightpath.free;
    const uint64_t carry = isIdle ? 0 : lightpath.carry;
    if (carry > 0 || bytes != lightpath.recentBytes)
    {
        // The bits of all frames since the lightpath was idle, rounded up to whole ticks
        const Work work = Work(bytes) * m_unit - carry;
        const Work ticks = work >> 64 == 0
                               ? Work((static_cast<uint64_t>(work) - 1) / lightpath.bitRate + 1)
                               : (work - 1) / lightpath.bitRate + 1;
        lightpath.carry = static_cast<uint64_t>(ticks * lightpath.bitRate - work);
        lightpath.free = lightpath.begin + static_cast<int64_t>(ticks);
        if (carry == 0)
        {
            lightpath.recentBytes = bytes;
            lightpath.recentTicks = static_cast<int64_t>(ticks);
            lightpath.recentCarry = lightpath.carry;
        }
    }
    else
    {
        lightpath.carry = lightpath.recentCarry;
        lightpath.free = lightpath.begin + lightpath.recentTicks;
    }
    lightpath.sentBytes += bytes;
}

void
RingForward::ScheduleEnd(uint32_t number, uint32_t index)
{
    const Lightpath& lightpath = m_lightpaths[number];
    const uint32_t next = lightpath.to;
    const Time delay = TimeStep(lightpath.free + lightpath.delay) - Simulator::Now();
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
    const int64_t now = Simulator::Now().GetTimeStep();
    if (m_nRings > 1)
    {
        Advance(now);
        MergeAt(position, now + 1);
    }
    else
    {
        // Nothing can come between the messages that arrive until now
        Drain(position, now + 1, UINT32_MAX);
    }
    Operation& operation = m_operations[index];
    Part& part = operation.parts[position];
    // Another ring may bring the last message
    if (part.task == NONE || part.isDone || (m_nRings > 1 && part.received < operation.nSteps))
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

} // namespace lightpath
} // namespace ns3
