/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "streamed-ring.h"

#include "model/training/run/rank-messages.h"

#include "ns3/fabric-channel.h"
#include "ns3/message-tag.h"
#include "ns3/training-application.h"
#include "ns3/training-job.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace lightpath
{

StreamedRing::StreamedRing(TrainingJob& job,
                           const std::vector<uint32_t>& ranks,
                           const std::vector<RingLightpath>& lightpaths,
                           std::map<uint64_t, uint32_t>& refused)
    : m_job(job),
      m_ranks(ranks),
      m_lightpaths(lightpaths),
      m_refused(refused),
      m_streams(DynamicCast<FabricChannel>(lightpaths.front().device->GetChannel())->GetStreams()),
      m_members(ranks.size())
{
    for (uint32_t position = 0; m_streams && position < ranks.size(); ++position)
    {
        m_members[position].place = lightpaths[position].place;
        m_members[position].listener = m_streams->AddReceiver(*this, lightpaths[position].to);
    }
}

StreamedRing::~StreamedRing()
{
    if (m_streams)
    {
        m_streams->RemoveReceiver(*this);
    }
}

bool
StreamedRing::IsOpen() const
{
    // Applications tell of messages themselves
    return m_streams && !m_job.GetLedger() &&
           std::none_of(m_ranks.begin(), m_ranks.end(), [this](uint32_t rank) {
               const TrainingApplication& application = *m_job.GetRanks()[rank];
               return application.TracesComputed() || application.TracesMessages();
           });
}

bool
StreamedRing::IsBusy() const
{
    return std::any_of(m_operations.begin(), m_operations.end(), [](const auto& operation) {
        return operation.schedule;
    });
}

void
StreamedRing::Add(const RingOperation& operation)
{
    const auto place = std::find_if(m_operations.begin(), m_operations.end(), [](const auto& each) {
        return !each.schedule;
    });
    if (place == m_operations.end())
    {
        m_operations.push_back(operation);
    }
    else
    {
        *place = operation;
    }
}

bool
StreamedRing::Begin(uint64_t tag, uint32_t position, uint32_t task)
{
    RingOperation& operation = *Find(tag);
    RingPart& part = operation.parts[position];
    part.task = task;
    ++operation.nBegun;
    const uint32_t nSends = std::min(part.received + 1, operation.nSteps);
    const bool isDone = part.received == operation.nSteps;
    // Messages that cannot be streamed give all operations back, but this part if it is done
    if (isDone)
    {
        EndPart(operation, part);
    }
    for (uint32_t step = 0; step < nSends; ++step)
    {
        Send(operation, position, step);
    }
    return isDone;
}

bool
StreamedRing::Arrive(uint32_t position, uint64_t tag)
{
    const uint64_t first = MessageTag::GetFirst(tag);
    RingOperation* const operation = Find(first);
    if (!operation)
    {
        return false;
    }
    ++m_members[position].received;
    const uint32_t task = Receive(*operation, MessageTag::GetStep(tag), position);
    if (task != RingPart::NONE)
    {
        m_job.GetRanks()[m_ranks[position]]->EndForwarded(task, first);
    }
    return true;
}

uint32_t
StreamedRing::Receive(uint64_t tag, uint32_t step, uint32_t position)
{
    return Receive(*Find(tag), step, position);
}

uint32_t
StreamedRing::Receive(RingOperation& operation, uint32_t step, uint32_t position)
{
    RingPart& part = operation.parts[position];
    if (step != part.received)
    {
        // A message before it has been lost and is sent again
        m_ahead.emplace(operation.tag + step, position);
        return RingPart::NONE;
    }
    do
    {
        ++part.received;
        if (part.task != RingPart::NONE && part.received < operation.nSteps)
        {
            Send(operation, position, part.received);
        }
    } while (!m_ahead.empty() && m_ahead.erase({operation.tag + part.received, position}) > 0);
    if (part.task == RingPart::NONE || part.received < operation.nSteps)
    {
        return RingPart::NONE;
    }
    const uint32_t task = part.task;
    EndPart(operation, part);
    return task;
}

void
StreamedRing::Send(const RingOperation& operation, uint32_t position, uint32_t step)
{
    Member& member = m_members[position];
    // All lightpaths are of one ring
    const uint32_t bytes = operation.GetFrame(member.place, 0, step);
    if (member.stream == FrameStreams::NONE || !m_streams->IsBorrowed(member.stream))
    {
        const RingLightpath& lightpath = m_lightpaths[position];
        member.stream = lightpath.transport->BorrowStream(lightpath.next);
    }
    if (member.stream == FrameStreams::NONE)
    {
        const RingLightpath& lightpath = m_lightpaths[position];
        lightpath.transport->Send(m_ranks[lightpath.to],
                                  operation.tag + step,
                                  bytes - operation.headers);
        return;
    }
    m_streams->Send(member.stream, {operation.tag + step, bytes, member.listener});
}

void
StreamedRing::EndPart(RingOperation& operation, RingPart& part) const
{
    part.isDone = true;
    if (++operation.nDone == m_members.size())
    {
        operation.schedule = nullptr;
    }
}

CollectiveProgress::Messages
StreamedRing::FindAhead(const RingOperation& operation, uint32_t position) const
{
    const RingPart& part = operation.parts[position];
    CollectiveProgress::Messages ahead;
    for (uint32_t step = 0; part.task == RingPart::NONE && step < part.received; ++step)
    {
        ahead[step] = 1;
    }
    for (const auto& [tag, receiver] : m_ahead)
    {
        if (receiver == position && MessageTag::GetFirst(tag) == operation.tag)
        {
            ahead[MessageTag::GetStep(tag)] = 1;
        }
    }
    return ahead;
}

void
StreamedRing::GiveBack()
{
    if (m_operations.empty())
    {
        return;
    }
    m_returned = std::exchange(m_operations, {});
    for (const RingOperation& operation : m_returned)
    {
        if (operation.schedule && operation.nBegun < m_members.size())
        {
            m_refused[operation.tag] = m_members.size() - operation.nBegun;
        }
        for (uint32_t position = 0; operation.schedule && position < m_members.size(); ++position)
        {
            const RingPart& part = operation.parts[position];
            RankMessages& messages = m_job.GetRanks()[m_ranks[position]]->GetMessages();
            const CollectiveProgress::Messages ahead = FindAhead(operation, position);
            if (part.task == RingPart::NONE)
            {
                messages.TakeEarly(operation.tag, ahead);
            }
            else if (!part.isDone)
            {
                messages.TakeOver(operation.tag,
                                  {part.task,
                                   operation.tag,
                                   position,
                                   m_ranks,
                                   operation.schedule,
                                   part.received,
                                   ahead});
            }
        }
    }
    m_ahead.clear();
}

} // namespace lightpath
} // namespace ns3
