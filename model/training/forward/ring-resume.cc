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
#include "ns3/message-tag.h"
#include "ns3/optical-net-device.h"
#include "ns3/simulator.h"
#include "ns3/training-application.h"
#include "ns3/training-job.h"

#include <algorithm>
#include <utility>

/**
 * @file
 * @ingroup lightpath
 * How a RingForward prepares operations, and resumes those that are carried out by messages.
 */

namespace ns3
{
namespace lightpath
{

RingForward::Operation
RingForward::Make(uint64_t tag, const std::shared_ptr<const RingSchedule>& schedule)
{
    Operation operation;
    operation.schedule = schedule;
    operation.tag = tag;
    operation.number = ++m_nOperations;
    operation.nSteps = schedule->GetNSteps();
    operation.firstChunk = schedule->GetChunk(0, 0);
    operation.parts.resize(m_members.size());
    if (m_nRings > 1)
    {
        operation.taken.resize(m_lightpaths.size());
        for (Part& part : operation.parts)
        {
            part.missing = m_nRings;
        }
    }
    return operation;
}

bool
RingForward::FindLeast(Operation& operation) const
{
    uint64_t mostRate = 0;
    for (const Lightpath& lightpath : m_lightpaths)
    {
        mostRate = std::max(mostRate, lightpath.bitRate);
    }
    const uint64_t least = *std::min_element(operation.frames.begin(), operation.frames.end());
    operation.least = static_cast<int64_t>(Work(least) * m_unit / mostRate);
    return operation.least > 0;
}

bool
RingForward::MakeFrames(Operation& operation)
{
    const uint32_t n = m_members.size();
    operation.frames.resize(m_lightpaths.size());
    uint64_t most = 0;
    // Each member begins with a chunk of its own on each ring
    std::vector<Transfer> transfers;
    for (uint32_t position = 0; position < n; ++position)
    {
        operation.schedule->GetSends(position, 0, transfers);
        if (transfers.size() < m_nRings)
        {
            return false;
        }
        for (uint32_t ring = 0; ring < m_nRings; ++ring)
        {
            const Lightpath& lightpath = m_lightpaths[position * m_nRings + ring];
            const uint32_t chunk = (lightpath.place + operation.firstChunk) % n;
            operation.frames[lightpath.firstFrame + chunk] = transfers[ring].bytes;
            most = std::max(most, transfers[ring].bytes);
        }
    }
    for (const Lightpath& lightpath : m_lightpaths)
    {
        const bool isSeen = m_job.GetRanks()[m_ranks[lightpath.from]]->TracesMessages();
        const uint64_t frame = lightpath.transport && !isSeen
                                   ? lightpath.transport->GetUntracedFrame(lightpath.next, most)
                                   : 0;
        if (frame == 0 || (m_isLent && lightpath.device->LooksAtFrames()))
        {
            GiveBack();
            return false;
        }
        operation.headers = static_cast<uint32_t>(frame - most);
    }
    for (uint32_t& frame : operation.frames)
    {
        frame += operation.headers;
    }
    return true;
}

bool
RingForward::CanStream()
{
    if (m_nRings > 1)
    {
        return false;
    }
    if (!m_streamed)
    {
        m_streamed = std::make_unique<StreamedRing>(m_job, m_ranks, m_lightpaths, m_refused);
    }
    return m_streamed->IsOpen();
}

bool
RingForward::Stream(uint64_t tag, const std::shared_ptr<const RingSchedule>& schedule)
{
    const bool hasCircuits = std::all_of(m_lightpaths.begin(),
                                         m_lightpaths.end(),
                                         [](const auto& lightpath) { return lightpath.transport; });
    Operation operation = Make(tag, schedule);
    if (!hasCircuits || !CanStream() || !MakeFrames(operation))
    {
        return false;
    }
    m_streamed->Add(operation);
    return true;
}

void
RingForward::StreamParts(Operation operation)
{
    for (uint32_t position = 0; position < m_members.size(); ++position)
    {
        Part& part = operation.parts[position];
        if (part.task != NONE && !part.isDone && part.received == operation.nSteps)
        {
            // It is about to end at this instant
            Simulator::ScheduleWithContext(m_members[position].node,
                                           Time(0),
                                           &TrainingApplication::EndForwarded,
                                           m_job.GetRanks()[m_members[position].rank],
                                           part.task,
                                           operation.tag);
            part.isDone = true;
            ++operation.nDone;
        }
    }
    m_streamed->Add(operation);
}

void
RingForward::Carry(uint64_t tag, const std::shared_ptr<const RingSchedule>& schedule)
{
    // A fabric that has never lent the lightpaths may have to act upon frames that are given up.
    // Where rings meet, it is not known on which one a member waits
    if (!m_wasLent || m_nRings > 1)
    {
        return;
    }
    // Forget those that all members have done
    const auto isOver = [this](const Carried& carried) {
        return m_refused.count(carried.tag) == 0 &&
               std::none_of(m_ranks.begin(), m_ranks.end(), [&](uint32_t rank) {
                   return m_job.GetRanks()[rank]->GetMessages().FindCollective(carried.tag);
               });
    };
    m_carried.erase(std::remove_if(m_carried.begin(), m_carried.end(), isOver), m_carried.end());
    m_carried.push_back({schedule, tag, GetHopChanges(), GetRepeatedBytes()});
}

uint64_t
RingForward::GetHopChanges() const
{
    const auto channel = m_lightpaths.front().device->GetChannel();
    return DynamicCast<FabricChannel>(channel)->GetNHopChanges();
}

uint64_t
RingForward::GetRepeatedBytes() const
{
    uint64_t bytes = 0;
    for (const Lightpath& lightpath : m_lightpaths)
    {
        bytes += lightpath.transport->GetStatistics().repeatedBytes;
    }
    return bytes;
}

void
RingForward::ScheduleResume(uint32_t step)
{
    constexpr uint32_t EACH = 8;
    if ((std::exchange(m_isRecent, false) || step % EACH == EACH - 1) && !m_carried.empty() &&
        !m_isLent && m_resume.IsExpired())
    {
        // Frames that end at the present tick have done so by then
        m_resume = Simulator::Schedule(TimeStep(1), &RingForward::Resume, this);
    }
}

void
RingForward::Resume()
{
    std::vector<Operation> operations;
    if (m_isLent || !FindCarried(operations) ||
        !std::all_of(m_lightpaths.begin(), m_lightpaths.end(), [this](const auto& lightpath) {
            // Sinks have been told already of the messages that are sent
            return !IsTraced(lightpath) && lightpath.transport->CanSurrender(lightpath.next);
        }))
    {
        return;
    }
    std::vector<Frames> frames;
    for (const Lightpath& lightpath : m_lightpaths)
    {
        frames.push_back(lightpath.transport->Surrender(lightpath.next));
    }
    bool isKnown = true;
    for (uint32_t position = 0; isKnown && position < m_members.size(); ++position)
    {
        isKnown = FindOnTheWay(position, frames[position], operations);
    }
    if (!isKnown || !Borrow())
    {
        for (uint32_t position = 0; position < m_members.size(); ++position)
        {
            Restore(m_lightpaths[position], frames[position]);
        }
        return;
    }
    m_operations = std::move(operations);
    m_carried.clear();
    for (const Operation& operation : m_operations)
    {
        for (const uint32_t rank : m_ranks)
        {
            m_job.GetRanks()[rank]->GetMessages().Surrender(operation.tag);
        }
    }
    for (uint32_t position = 0; position < m_members.size(); ++position)
    {
        Put(position, frames[position]);
    }
    if (!std::all_of(m_operations.begin(), m_operations.end(), [this](Operation& operation) {
            return FindLeast(operation);
        }))
    {
        GiveBack();
        m_carried.clear();
        return;
    }
    ScheduleWake();
}

bool
RingForward::FindCarried(std::vector<Operation>& operations)
{
    const uint64_t hopChanges = GetHopChanges();
    const uint64_t repeatedBytes = GetRepeatedBytes();
    for (const Carried& carried : m_carried)
    {
        Operation operation = Make(carried.tag, carried.schedule);
        // Frames on other ways, or sent again, may come later than those behind them
        if (carried.hopChanges != hopChanges || carried.repeatedBytes != repeatedBytes ||
            m_refused.count(carried.tag) > 0 || !FindParts(operation) || !MakeFrames(operation))
        {
            return false;
        }
        operations.push_back(std::move(operation));
    }
    return !operations.empty();
}

bool
RingForward::FindParts(Operation& operation) const
{
    operation.nBegun = m_members.size();
    for (uint32_t position = 0; position < m_members.size(); ++position)
    {
        const CollectiveProgress* const progress =
            m_job.GetRanks()[m_ranks[position]]->GetMessages().FindCollective(operation.tag);
        if (progress && !progress->IsInOrder())
        {
            return false;
        }
        Part& part = operation.parts[position];
        part.task = progress ? progress->GetTask() : 0;
        part.received = progress ? progress->GetStep() : operation.nSteps;
        part.isDone = !progress;
        operation.nDone += part.isDone ? 1 : 0;
        operation.nLast += part.received + 1 >= operation.nSteps ? 1 : 0;
    }
    return operation.nDone < m_members.size();
}

bool
RingForward::FindOnTheWay(uint32_t position,
                          const Frames& frames,
                          std::vector<Operation>& operations) const
{
    std::vector<uint64_t> tags;
    if (frames.underway.frame.bytes > 0)
    {
        tags.push_back(frames.underway.frame.messageTag);
    }
    for (const MessagePiece& message : frames.behind)
    {
        tags.push_back(message.tag);
    }
    std::size_t nFound = 0;
    const uint32_t next = (position + 1) % m_members.size();
    for (Operation& operation : operations)
    {
        const auto isOurs = [&operation](uint64_t tag) {
            return MessageTag::IsCollective(tag) && MessageTag::GetFirst(tag) == operation.tag;
        };
        const uint32_t sent = std::min(operation.parts[position].received + 1, operation.nSteps);
        const uint32_t waiting = std::count_if(tags.begin(), tags.end(), isOurs);
        Part& part = operation.parts[next];
        if (sent < part.received + waiting)
        {
            return false;
        }
        part.onTheWay = sent - part.received - waiting;
        uint32_t step = part.received + part.onTheWay;
        for (const uint64_t tag : tags)
        {
            if (isOurs(tag) && MessageTag::GetStep(tag) != step++)
            {
                return false;
            }
        }
        nFound += waiting;
    }
    return nFound == tags.size() && frames.underway.frame.repeats == 0;
}

void
RingForward::Put(uint32_t position, const Frames& frames)
{
    Lightpath& lightpath = m_lightpaths[position];
    const int64_t now = Simulator::Now().GetTimeStep();
    const auto push = [&](uint64_t tag, uint32_t bytes) {
        const uint32_t index = Find(MessageTag::GetFirst(tag));
        lightpath.out.Push({lightpath.free + lightpath.delay, index, bytes});
        if (MessageTag::GetStep(tag) + 1 == m_operations[index].nSteps)
        {
            ScheduleEnd(position, index);
        }
    };
    const OpticalTransmitter::Underway& underway = frames.underway;
    if (underway.frame.bytes > 0)
    {
        const uint32_t bytes = underway.frame.bytes + ETHERNET_HEADER_BYTES;
        const Work ticks = underway.unsent > 0 ? (underway.unsent - 1) / lightpath.bitRate + 1 : 0;
        lightpath.begin = now;
        lightpath.free = now + static_cast<int64_t>(ticks);
        lightpath.carry = static_cast<uint64_t>(ticks * lightpath.bitRate - underway.unsent);
        lightpath.sentBytes += bytes;
        // The transport has counted it as it began
        lightpath.countedBytes += bytes;
        push(underway.frame.messageTag, bytes);
    }
    for (const MessagePiece& message : frames.behind)
    {
        const Operation& operation = m_operations[Find(MessageTag::GetFirst(message.tag))];
        const auto bytes = static_cast<uint32_t>(message.bytes + operation.headers);
        Append(lightpath, bytes, now);
        push(message.tag, bytes);
    }
}

void
RingForward::Restore(const Lightpath& lightpath, const Frames& frames) const
{
    for (const MessagePiece& message : frames.behind)
    {
        lightpath.transport->TakeOver(lightpath.next, message.tag, message.bytes);
    }
    const OpticalTransmitter::Underway& underway = frames.underway;
    if (underway.frame.bytes > 0)
    {
        lightpath.device->ResumeFrame(lightpath.next,
                                      underway.frame,
                                      underway.unsent,
                                      underway.hasBegun);
    }
}

uint32_t
RingForward::Receive(uint64_t tag, uint32_t step, uint32_t position)
{
    Advance();
    const uint32_t index = Find(tag);
    if (index == NONE)
    {
        return m_streamed->Receive(tag, step, position);
    }
    Operation& operation = m_operations[index];
    Part& part = operation.parts[position];
    NS_ASSERT_MSG(part.onTheWay > 0, "No other message comes as a frame");
    --part.onTheWay;
    if (++part.received == operation.nSteps)
    {
        const uint32_t task = part.task;
        EndPart(operation, part);
        return task;
    }
    Send(position, index, part.received, Simulator::Now().GetTimeStep());
    ScheduleWake(GetBound(operation, position));
    return NONE;
}

} // namespace lightpath
} // namespace ns3
