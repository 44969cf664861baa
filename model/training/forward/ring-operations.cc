/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ring-forward.h"

#include "ns3/circuit-transport.h"
#include "ns3/optical-net-device.h"
#include "ns3/simulator.h"
#include "ns3/training-application.h"
#include "ns3/training-job.h"

#include <algorithm>
#include <utility>

/**
 * @file
 * @ingroup lightpath
 * How a RingForward prepares operations, and carries out those whose lightpaths share links.
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

uint32_t
RingForward::Receive(uint64_t tag, uint32_t step, uint32_t position)
{
    return m_streamed->Receive(tag, step, position);
}

} // namespace lightpath
} // namespace ns3
