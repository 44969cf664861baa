/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "timeline-estimate.h"

#include "ns3/socket-transport.h"
#include "ns3/training-application.h"
#include "ns3/training-job.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <vector>

namespace ns3
{
namespace lightpath
{

TimelineEstimate::TimelineEstimate(const TrainingJob& job, const TimelineSettings& settings)
{
    // Ranks that share a program do the same
    std::map<const RankProgram*, Counts> programs;
    const TrainingPlan& plan = job.GetPlan();
    for (uint32_t rank = 0; rank < plan.programs.size(); ++rank)
    {
        if (!settings.ranks.empty() && settings.ranks.count(rank) == 0)
        {
            continue;
        }
        const auto [entry, isNew] = programs.emplace(plan.programs[rank].get(), Counts());
        if (isNew)
        {
            entry->second = Count(job, rank);
        }
        m_counts.tasks += entry->second.tasks;
        m_counts.messages += entry->second.messages;
        m_counts.bytes += entry->second.bytes;
    }
    double iterations = job.GetNIterations();
    const double window = (settings.end - settings.begin).GetSeconds();
    if (plan.predictedSeconds > 0)
    {
        iterations = std::min(iterations, window / plan.predictedSeconds);
    }
    m_counts.tasks *= iterations;
    m_counts.messages *= iterations;
    m_counts.bytes *= iterations;
    UintegerValue frameSize;
    const auto transport = job.GetRanks().front()->GetTransport();
    if (DynamicCast<SocketTransport>(transport))
    {
        // Of a common size, and with as many acknowledgements
        frameSize.Set(750);
    }
    else
    {
        transport->GetAttributeFailSafe("FrameSize", frameSize);
    }
    m_frames = m_counts.messages;
    if (frameSize.Get() > 0)
    {
        m_frames += m_counts.bytes / static_cast<double>(frameSize.Get());
    }
}

double
TimelineEstimate::GetRecords(uint8_t details) const
{
    const auto count = [details](TimelineSettings::Detail detail, double records) {
        return (details & detail) != 0 ? records : 0;
    };
    // How often counters change depends on the simulation
    return m_counts.tasks + count(TimelineSettings::MESSAGES, 2 * m_counts.messages) +
           count(TimelineSettings::FRAMES, 2 * m_frames);
}

TimelineEstimate::Counts
TimelineEstimate::Count(const TrainingJob& job, uint32_t rank)
{
    Counts counts;
    for (const auto& task : job.GetPlan().programs[rank]->GetTasks())
    {
        // A communication task may end a wait
        counts.tasks += task.kind == TaskKind::COMPUTE ? 2 : 4;
        if (task.kind == TaskKind::SEND)
        {
            ++counts.messages;
            counts.bytes += static_cast<double>(task.bytes);
        }
        else if (task.kind == TaskKind::COLLECTIVE)
        {
            counts.tasks += 2;
            const auto& groups = job.GetPlan().groups.at(task.group);
            AddCollective(task,
                          static_cast<uint32_t>(groups.GetMembers(rank).size()),
                          groups.GetPosition(rank),
                          counts);
        }
    }
    return counts;
}

void
TimelineEstimate::AddCollective(const Task& task, uint32_t ranks, uint32_t position, Counts& counts)
{
    const auto [entry, isNew] =
        m_sorts.emplace(Sort(task.collective, ranks, task.bytes, task.options), Counts());
    if (isNew)
    {
        const auto schedule =
            CollectiveSchedule::Create(task.collective, ranks, task.bytes, task.options);
        std::vector<Transfer> sends;
        for (uint32_t step = 0; step < schedule->GetNSteps(); ++step)
        {
            schedule->GetSends(position, step, sends);
            entry->second.messages += static_cast<double>(sends.size());
            for (const auto& send : sends)
            {
                entry->second.bytes += static_cast<double>(send.bytes);
            }
        }
    }
    counts.messages += entry->second.messages;
    counts.bytes += entry->second.bytes;
}

} // namespace lightpath
} // namespace ns3
