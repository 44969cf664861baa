/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "circuit-transport.h"
#include "collective-progress.h"
#include "message-tag.h"
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
    return operation;
}

bool
RingForward::FindLeast(Operation& operation) const
{
    uint64_t mostRate = 0;
    for (const Member& member : m_members)
    {
        mostRate = std::max(mostRate, member.bitRate);
    }
    const uint64_t least = *std::min_element(operation.frames.begin(), operation.frames.end());
    operation.least = static_cast<int64_t>(Work(least) * m_unit / mostRate);
    return operation.least > 0;
}

bool
RingForward::MakeFrames(Operation& operation)
{
    const uint32_t n = m_members.size();
    const RingSchedule& schedule = *operation.schedule;
    uint64_t most = 0;
    for (uint32_t chunk = 0; chunk < n; ++chunk)
    {
        const uint64_t bytes = schedule.GetChunkBytes(chunk);
        if (bytes == 0)
        {
            return false;
        }
        most = std::max(most, bytes);
    }
    uint32_t headers = 0;
    for (const Member& member : m_members)
    {
        const uint64_t frame = member.transport && !m_job.GetRanks()[member.rank]->TracesMessages()
                                   ? member.transport->GetUntracedFrame(member.next, most)
                                   : 0;
        if (frame == 0 || (m_isLent && member.device->LooksAtFrames()))
        {
            GiveBack();
            return false;
        }
        headers = static_cast<uint32_t>(frame - most);
    }
    operation.headers = headers;
    operation.frames.resize(n);
    for (uint32_t chunk = 0; chunk < n; ++chunk)
    {
        operation.frames[chunk] = schedule.GetChunkBytes(chunk) + headers;
    }
    return true;
}

void
RingForward::Carry(uint64_t tag, const std::shared_ptr<const RingSchedule>& schedule)
{
    // A fabric that has never lent the lightpaths may have to act upon frames that are given up
    if (!m_wasLent)
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
    const auto channel = m_members.front().device->GetChannel();
    return DynamicCast<FabricChannel>(channel)->GetNHopChanges();
}

uint64_t
RingForward::GetRepeatedBytes() const
{
    uint64_t bytes = 0;
    for (const Member& member : m_members)
    {
        bytes += member.transport->GetStatistics().repeatedBytes;
    }
    return bytes;
}

void
RingForward::ScheduleResume()
{
    if (!m_carried.empty() && !m_isLent && !m_resume.IsRunning())
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
        !std::all_of(m_members.begin(), m_members.end(), [this](const Member& member) {
            // Sinks have been told already of the messages that are sent
            return !IsTraced(member) && member.transport->CanSurrender(member.next);
        }))
    {
        return;
    }
    std::vector<Frames> frames;
    for (const Member& member : m_members)
    {
        frames.push_back(member.transport->Surrender(member.next));
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
            Restore(m_members[position], frames[position]);
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
    Member& member = m_members[position];
    const int64_t now = Simulator::Now().GetTimeStep();
    const auto push = [&](uint64_t tag, uint32_t bytes) {
        const uint32_t index = Find(MessageTag::GetFirst(tag));
        member.out.Push({member.free + member.delay, index, bytes});
        if (MessageTag::GetStep(tag) + 1 == m_operations[index].nSteps)
        {
            ScheduleEnd(position, index);
        }
    };
    const OpticalTransmitter::Underway& underway = frames.underway;
    if (underway.frame.bytes > 0)
    {
        const uint32_t bytes = underway.frame.bytes + ETHERNET_HEADER_BYTES;
        const Work ticks = underway.unsent > 0 ? (underway.unsent - 1) / member.bitRate + 1 : 0;
        member.begin = now;
        member.free = now + static_cast<int64_t>(ticks);
        member.carry = static_cast<uint64_t>(ticks * member.bitRate - underway.unsent);
        member.sentBytes += bytes;
        // The transport has counted it as it began
        member.countedBytes += bytes;
        push(underway.frame.messageTag, bytes);
    }
    for (const MessagePiece& message : frames.behind)
    {
        const Operation& operation = m_operations[Find(MessageTag::GetFirst(message.tag))];
        const auto bytes = static_cast<uint32_t>(message.bytes + operation.headers);
        Append(member, bytes, now);
        push(message.tag, bytes);
    }
}

void
RingForward::Restore(const Member& member, const Frames& frames) const
{
    for (const MessagePiece& message : frames.behind)
    {
        member.transport->TakeOver(member.next, message.tag, message.bytes);
    }
    const OpticalTransmitter::Underway& underway = frames.underway;
    if (underway.frame.bytes > 0)
    {
        member.device->ResumeFrame(member.next, underway.frame, underway.unsent, underway.hasBegun);
    }
}

uint32_t
RingForward::Receive(uint64_t tag, uint32_t position)
{
    Advance();
    const uint32_t index = Find(tag);
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
