/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "timeline.h"

#include "fabric-timeline.h"
#include "job-timeline.h"
#include "timeline-estimate.h"
#include "timeline-tracks.h"

#include "ns3/abort.h"
#include "ns3/node.h"
#include "ns3/optical-net-device.h"
#include "ns3/simulator.h"

#include <cmath>
#include <iomanip>
#include <sstream>
#include <stdexcept>

namespace ns3
{
namespace lightpath
{

NS_OBJECT_ENSURE_REGISTERED(Timeline);

namespace
{

/// Details that nobody asked for take at most this part of the largest size, so as to cost little.
constexpr uint64_t DEFAULT_PART = 8;

/**
 * Complete the file of a timeline at the end of the simulation.
 *
 * @param timeline the timeline
 */
void
CloseTimeline(Ptr<Timeline> timeline)
{
    try
    {
        timeline->Close();
    }
    catch (const std::runtime_error& error)
    {
        NS_ABORT_MSG(error.what());
    }
}

} // namespace

TypeId
Timeline::GetTypeId()
{
    static TypeId tid = TypeId("ns3::lightpath::Timeline")
                            .SetParent<Object>()
                            .SetGroupName("Lightpath")
                            .AddConstructor<Timeline>();
    return tid;
}

Timeline::Timeline() = default;

Timeline::~Timeline() = default;

std::string
Timeline::Choose(const TrainingJob& job, const std::string& file, TimelineSettings& settings)
{
    const std::size_t ranks = job.GetPlan().programs.size();
    if (!settings.ranks.empty() && *settings.ranks.rbegin() >= ranks)
    {
        return "The timeline is to show rank " + std::to_string(*settings.ranks.rbegin()) +
               ", but the last of the job is rank " + std::to_string(ranks - 1);
    }
    if (settings.begin.IsStrictlyNegative() || settings.end <= settings.begin)
    {
        std::ostringstream sentence;
        sentence << "The window of the timeline from " << settings.begin.As(Time::S) << " to "
                 << settings.end.As(Time::S)
                 << " is empty: it must end after it begins, not before the simulation";
        return sentence.str();
    }
    const TimelineEstimate estimate(job, settings);
    const double recordBytes = TimelineWriter::Create(file, 0)->GetRecordBytes();
    const auto fits = [&](uint8_t details, uint64_t bytes) {
        return estimate.GetRecords(details) * recordBytes <= static_cast<double>(bytes);
    };
    uint8_t details = settings.details.value_or(TimelineSettings::ALL_DETAILS);
    // The finest details are left out first
    for (uint8_t detail = TimelineSettings::FRAMES; !settings.details && detail > 0; detail /= 2)
    {
        details = fits(details, settings.maxBytes / DEFAULT_PART)
                      ? details
                      : static_cast<uint8_t>(details & ~detail);
    }
    if (!fits(details, settings.maxBytes))
    {
        std::ostringstream sentence;
        const auto toMegabytes = [](double bytes) { return std::ceil(bytes / 1e4) / 100; };
        sentence << std::fixed << std::setprecision(2) << "The timeline would take about "
                 << toMegabytes(estimate.GetRecords(details) * recordBytes)
                 << " MB, more than its largest size of "
                 << toMegabytes(static_cast<double>(settings.maxBytes))
                 << " MB: choose fewer ranks or details, a shorter window or a larger size";
        return sentence.str();
    }
    settings.details = details;
    return "";
}

void
Timeline::Open(const std::string& file, const TimelineSettings& settings)
{
    m_tracks =
        std::make_unique<TimelineTracks>(file, settings.begin, settings.end, settings.maxBytes);
    Simulator::ScheduleDestroy(&CloseTimeline, Ptr<Timeline>(this));
}

void
Timeline::Add(Ptr<TrainingJob> job, const TimelineSettings& settings)
{
    const std::string number = m_jobs.empty() ? "" : " " + std::to_string(m_jobs.size() + 1);
    m_jobs.push_back(std::make_unique<JobTimeline>(*m_tracks, job, "job" + number, settings));
    std::set<uint32_t> nodes;
    std::vector<Ptr<FabricChannel>> channels;
    for (const auto& rank : job->GetRanks())
    {
        if (!settings.ranks.empty() && settings.ranks.count(rank->GetRank()) == 0)
        {
            continue;
        }
        const auto node = rank->GetNode();
        nodes.insert(node->GetId());
        for (uint32_t i = 0; i < node->GetNDevices(); ++i)
        {
            const auto device = DynamicCast<OpticalNetDevice>(node->GetDevice(i));
            const auto channel =
                device ? DynamicCast<FabricChannel>(device->GetChannel()) : nullptr;
            if (channel && m_channels.insert(channel->GetId()).second)
            {
                channels.push_back(channel);
            }
        }
    }
    for (const auto& channel : channels)
    {
        const std::string name =
            "fabric " + std::to_string(m_fabrics.size() + 1) + ": " + channel->GetFabricName();
        m_fabrics.push_back(
            std::make_unique<FabricTimeline>(*m_tracks, channel, name, nodes, settings));
    }
}

void
Timeline::Close()
{
    for (const auto& job : m_jobs)
    {
        job->Close();
    }
    m_tracks->Close();
}

bool
Timeline::IsCut() const
{
    return m_tracks->IsCut();
}

} // namespace lightpath
} // namespace ns3
