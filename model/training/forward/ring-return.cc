/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "model/base/wire-format.h"
#include "model/collective/collective-progress.h"
#include "model/training/run/rank-messages.h"
#include "ring-forward.h"

#include "ns3/circuit-transport.h"
#include "ns3/fabric-channel.h"
#include "ns3/optical-net-device.h"
#include "ns3/simulator.h"
#include "ns3/training-application.h"
#include "ns3/training-job.h"

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
RingForward::GetWork(const Lightpath& lightpath) const
{
    const int64_t now = Simulator::Now().GetTimeStep();
    return lightpath.free > now ? Work(lightpath.free - now) * lightpath.bitRate - lightpath.carry
                                : 0;
}

uint64_t
RingForward::GetBacklog(uint32_t lightpath)
{
    Advance();
    return static_cast<uint64_t>((GetWork(m_lightpaths[lightpath]) + m_unit - 1) / m_unit);
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
    return m_members[position].received + (m_streamed ? m_streamed->GetReceived(position) : 0);
}

void
RingForward::Report()
{
    Advance();
}

void
RingForward::Tell(const Lightpath& lightpath,
                  const Operation& operation,
                  const Message& message,
                  const Detail& detail,
                  bool isBack) const
{
    // Of a message that is given back, only what has happened until now
    const Time begun = isBack && detail.begin > Simulator::Now().GetTimeStep()
                           ? Time::Max()
                           : TimeStep(detail.begin);
    const Time end = TimeStep(message.arrival - lightpath.delay);
    const Time ended = isBack && end > Simulator::Now() ? Time::Max() : end;
    const uint32_t rank = m_ranks[lightpath.from];
    m_job.GetRanks()[rank]->NoteComputed({rank,
                                          m_ranks[lightpath.to],
                                          operation.tag + detail.step,
                                          message.bytes - operation.headers,
                                          TimeStep(detail.sent),
                                          begun,
                                          ended,
                                          isBack ? Time::Max() : TimeStep(message.arrival)});
    if (begun != Time::Max())
    {
        lightpath.device->NoteComputed(lightpath.next, message.bytes, begun, ended);
    }
}

void
RingForward::Settle(uint32_t number)
{
    Advance();
    Lightpath& lightpath = m_lightpaths[number];
    // All frames that have not ended wait, but for the first of them
    const int64_t now = Simulator::Now().GetTimeStep();
    uint64_t begun = lightpath.sentBytes;
    uint64_t underway = 0;
    for (std::size_t i = lightpath.out.GetSize(); i > 0; --i)
    {
        const Message& message = lightpath.out.Get(i - 1);
        if (message.arrival - lightpath.delay <= now)
        {
            break;
        }
        begun -= message.bytes;
        underway = message.bytes;
    }
    begun += underway;
    lightpath.transport->CountLent(begun - std::exchange(lightpath.countedBytes, begun));
}

void
RingForward::GiveBackAll()
{
    GiveBack();
    if (m_streamed)
    {
        m_streamed->GiveBack();
    }
}

void
RingForward::GiveBack(uint32_t lightpath)
{
    m_isShared = CanStream();
    GiveBack();
    m_isShared = false;
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
    const uint32_t n = m_lightpaths.size();
    std::vector<RingQueue<Message>> queues(n);
    std::vector<RingQueue<Detail>> details(n);
    std::vector<Work> works(n);
    std::vector<uint64_t> bitRates(n);
    for (uint32_t number = 0; number < n; ++number)
    {
        Lightpath& lightpath = m_lightpaths[number];
        Settle(number);
        works[number] = GetWork(lightpath);
        bitRates[number] = lightpath.bitRate;
        std::swap(queues[number], lightpath.out);
        std::swap(details[number], lightpath.details);
        // The transport counts what it sends itself
        lightpath.sentBytes = lightpath.countedBytes;
    }
    const std::vector<Operation> operations = std::exchange(m_operations, {});
    Return();
    for (const Operation& operation : operations)
    {
        if (operation.schedule)
        {
            m_isShared ? StreamParts(operation) : GiveBackParts(operation);
        }
    }
    for (uint32_t number = 0; number < n; ++number)
    {
        GiveBackMessages(number,
                         queues[number],
                         details[number],
                         works[number],
                         bitRates[number],
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
        const CollectiveProgress::Messages ahead = FindAhead(operation, position);
        if (part.task == NONE)
        {
            application->GetMessages().TakeEarly(operation.tag, ahead);
            continue;
        }
        application->GetMessages().TakeOver(operation.tag,
                                            {part.task,
                                             operation.tag,
                                             position,
                                             m_ranks,
                                             operation.schedule,
                                             part.received,
                                             ahead});
    }
}

CollectiveProgress::Messages
RingForward::FindAhead(const Operation& operation, uint32_t position) const
{
    const Part& part = operation.parts[position];
    CollectiveProgress::Messages ahead;
    for (uint32_t ring = 0; ring < m_nRings; ++ring)
    {
        const uint32_t taken =
            m_nRings > 1 ? operation.taken[GetInput(position, ring)] : part.received;
        for (uint32_t step = part.task == NONE ? 0 : part.received; step < taken; ++step)
        {
            ++ahead[step];
        }
    }
    return ahead;
}

void
RingForward::GiveBackMessages(uint32_t number,
                              const RingQueue<Message>& queue,
                              const RingQueue<Detail>& details,
                              Work work,
                              uint64_t bitRate,
                              const std::vector<Operation>& operations)
{
    const Lightpath& lightpath = m_lightpaths[number];
    const int64_t now = Simulator::Now().GetTimeStep();
    // Which step a message belongs to follows from the steps that have arrived
    std::vector<uint32_t> steps;
    for (const Operation& operation : operations)
    {
        const Part& part = operation.parts[operation.schedule ? lightpath.to : 0];
        const uint32_t taken = m_nRings > 1 ? operation.taken[number] : part.received;
        steps.push_back(taken);
    }
    bool isFirst = true;
    SourceFrame underway;
    uint64_t behind = 0;
    for (std::size_t i = 0; i < queue.GetSize(); ++i)
    {
        const Message& message = queue.Get(i);
        const Operation& operation = operations[message.operation];
        if (lightpath.isTraced)
        {
            Tell(lightpath, operation, message, details.Get(i), true);
        }
        const uint32_t step = steps[message.operation]++;
        const uint64_t bytes = message.bytes - operation.headers;
        const SourceFrame frame = lightpath.transport->MakeFrame(operation.tag + step, bytes);
        if (message.arrival - lightpath.delay <= now)
        {
            DynamicCast<FabricChannel>(lightpath.device->GetChannel())
                ->Deliver({nullptr, frame, message.bytes},
                          lightpath.device->GetPort(),
                          lightpath.next,
                          TimeStep(message.arrival - now));
        }
        else if (std::exchange(isFirst, false))
        {
            underway = frame;
        }
        else
        {
            lightpath.transport->TakeOver(lightpath.next, operation.tag + step, bytes);
            behind += message.bytes;
        }
    }
    if (!isFirst)
    {
        const Work unsent = work - Work(behind) * m_unit;
        // A frame begins with what the last tick of the one before it has left over
        const Work sent = Work(underway.bytes + ETHERNET_HEADER_BYTES) * m_unit - unsent;
        lightpath.device->ResumeFrame(lightpath.next, underway, unsent, sent >= bitRate);
    }
}

} // namespace lightpath
} // namespace ns3
