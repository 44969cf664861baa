/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "circuit-transport.h"
#include "collective-progress.h"
#include "model/base/wire-format.h"
#include "rank-messages.h"
#include "ring-forward.h"
#include "training-application.h"
#include "training-job.h"

#include "ns3/fabric-channel.h"
#include "ns3/optical-net-device.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

/**
 * @file
 * @ingroup lightpath
 * The present state of the messages of a RingForward, and their return.
 */

namespace ns3
{
namespace lightpath
{

RingForward::Work
RingForward::GetWork(const Member& member) const
{
    const int64_t now = Simulator::Now().GetTimeStep();
    return member.free > now ? Work(member.free - now) * member.bitRate - member.carry : 0;
}

uint64_t
RingForward::GetBacklog(uint32_t lightpath)
{
    Advance();
    return static_cast<uint64_t>((GetWork(m_members[lightpath]) + m_unit - 1) / m_unit);
}

bool
RingForward::IsIdle()
{
    return !m_isBorrowing && std::none_of(m_operations.begin(),
                                          m_operations.end(),
                                          [](const auto& operation) { return operation.schedule; });
}

uint64_t
RingForward::GetReceived(uint32_t position)
{
    Advance();
    return m_members[position].received;
}

void
RingForward::Report()
{
    Advance();
}

void
RingForward::Tell(const Member& member,
                  const Operation& operation,
                  const Message& message,
                  const Detail& detail,
                  bool isBack) const
{
    // Of a message that is given back, only what has happened until now
    const Time begun = isBack && detail.begin > Simulator::Now().GetTimeStep()
                           ? Time::Max()
                           : TimeStep(detail.begin);
    const Time end = TimeStep(message.arrival - member.delay);
    const Time ended = isBack && end > Simulator::Now() ? Time::Max() : end;
    const std::size_t next = (&member - m_members.data() + 1) % m_members.size();
    m_job.GetRanks()[member.rank]->NoteComputed({member.rank,
                                                 m_members[next].rank,
                                                 operation.tag + detail.step,
                                                 message.bytes - operation.headers,
                                                 TimeStep(detail.sent),
                                                 begun,
                                                 ended,
                                                 isBack ? Time::Max() : TimeStep(message.arrival)});
    if (begun != Time::Max())
    {
        member.device->NoteComputed(member.next, message.bytes, begun, ended);
    }
}

void
RingForward::Settle(uint32_t lightpath)
{
    Advance();
    Member& member = m_members[lightpath];
    // All frames that have not ended wait, but for the first of them
    const int64_t now = Simulator::Now().GetTimeStep();
    uint64_t begun = member.sentBytes;
    uint64_t underway = 0;
    for (std::size_t i = member.out.GetSize(); i > 0; --i)
    {
        const Message& message = member.out.Get(i - 1);
        if (message.arrival - member.delay <= now)
        {
            break;
        }
        begun -= message.bytes;
        underway = message.bytes;
    }
    begun += underway;
    member.transport->CountLent(begun - std::exchange(member.countedBytes, begun));
}

void
RingForward::GiveBack()
{
    if (!m_isLent)
    {
        return;
    }
    Subtract();
    m_wake.Remove();
    std::vector<RingQueue<Message>> queues(m_members.size());
    std::vector<RingQueue<Detail>> details(m_members.size());
    std::vector<Work> works(m_members.size());
    std::vector<uint64_t> bitRates(m_members.size());
    for (uint32_t position = 0; position < m_members.size(); ++position)
    {
        Member& member = m_members[position];
        Settle(position);
        works[position] = GetWork(member);
        bitRates[position] = member.bitRate;
        std::swap(queues[position], member.out);
        std::swap(details[position], member.details);
        // The transport counts what it sends itself
        member.sentBytes = member.countedBytes;
    }
    const std::vector<Operation> operations = std::exchange(m_operations, {});
    Return();
    for (const Operation& operation : operations)
    {
        if (operation.schedule)
        {
            GiveBackParts(operation);
        }
    }
    for (uint32_t position = 0; position < m_members.size(); ++position)
    {
        GiveBackMessages(position,
                         queues[position],
                         details[position],
                         works[position],
                         bitRates[position],
                         operations);
    }
}

void
RingForward::GiveBackParts(const Operation& operation)
{
    if (operation.nBegun < m_members.size())
    {
        m_refused[operation.tag] = m_members.size() - operation.nBegun;
    }
    Carry(operation.tag, operation.schedule);
    for (uint32_t position = 0; position < m_members.size(); ++position)
    {
        const Part& part = operation.parts[position];
        if (part.isDone)
        {
            continue;
        }
        const auto& application = m_job.GetRanks()[m_members[position].rank];
        if (part.task != NONE && part.received == operation.nSteps)
        {
            // It is about to end at this instant
            Simulator::ScheduleWithContext(m_members[position].node,
                                           Time(0),
                                           &TrainingApplication::EndForwarded,
                                           application,
                                           part.task,
                                           operation.tag);
            continue;
        }
        const CollectiveProgress progress(part.task,
                                          operation.tag,
                                          position,
                                          m_ranks,
                                          operation.schedule,
                                          part.received);
        application->GetMessages().TakeOver(operation.tag, progress, part.task != NONE);
    }
}

void
RingForward::GiveBackMessages(uint32_t position,
                              const RingQueue<Message>& queue,
                              const RingQueue<Detail>& details,
                              Work work,
                              uint64_t bitRate,
                              const std::vector<Operation>& operations)
{
    const Member& member = m_members[position];
    const int64_t now = Simulator::Now().GetTimeStep();
    // Which step a message belongs to follows from the steps that have arrived
    const uint32_t next = (position + 1) % m_members.size();
    std::vector<uint32_t> steps;
    for (const Operation& operation : operations)
    {
        const Part& part = operation.parts[next];
        steps.push_back(operation.schedule ? part.received + part.onTheWay : 0);
    }
    bool isFirst = true;
    SourceFrame underway;
    uint64_t behind = 0;
    for (std::size_t i = 0; i < queue.GetSize(); ++i)
    {
        const Message& message = queue.Get(i);
        const Operation& operation = operations[message.operation];
        if (member.isTraced)
        {
            Tell(member, operation, message, details.Get(i), true);
        }
        const uint32_t step = steps[message.operation]++;
        const uint64_t bytes =
            operation.schedule->GetChunkBytes(operation.schedule->GetChunk(position, step));
        const SourceFrame frame = member.transport->MakeFrame(operation.tag + step, bytes);
        if (message.arrival - member.delay <= now)
        {
            DynamicCast<FabricChannel>(member.device->GetChannel())
                ->Deliver({nullptr, frame, message.bytes},
                          member.device->GetPort(),
                          member.next,
                          TimeStep(message.arrival - now));
        }
        else if (std::exchange(isFirst, false))
        {
            underway = frame;
        }
        else
        {
            member.transport->TakeOver(member.next, operation.tag + step, bytes);
            behind += message.bytes;
        }
    }
    if (!isFirst)
    {
        const Work unsent = work - Work(behind) * m_unit;
        // A frame begins with what the last tick of the one before it has left over
        const Work sent = Work(underway.bytes + ETHERNET_HEADER_BYTES) * m_unit - unsent;
        member.device->ResumeFrame(member.next, underway, unsent, sent >= bitRate);
    }
}

} // namespace lightpath
} // namespace ns3
