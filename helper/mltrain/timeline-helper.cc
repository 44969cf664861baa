/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "timeline-helper.h"

#include "model/observation/timeline-writer.h"
#include "model/observation/timeline.h"
#include "helper/optical/refusal.h"
#include "training-helper.h"

#include "ns3/abort.h"

#include <map>

namespace ns3
{
namespace lightpath
{

namespace
{

/// The details of a timeline by name.
const std::map<std::string, TimelineSettings::Detail> TIMELINE_DETAILS{
    {"counters", TimelineSettings::COUNTERS},
    {"frames", TimelineSettings::FRAMES},
    {"messages", TimelineSettings::MESSAGES}};

} // namespace

TimelineHelper::TimelineHelper(const std::string& file)
    : m_file(file),
      m_settings(std::make_unique<TimelineSettings>())
{
    const std::string refusal = CheckName(file);
    NS_ABORT_MSG_UNLESS(refusal.empty(), refusal);
}

TimelineHelper::~TimelineHelper() = default;

std::string
TimelineHelper::CheckName(const std::string& file)
{
    return GetRefusal([&file] { TimelineWriter::Create(file, 0); });
}

void
TimelineHelper::SetRanks(const std::set<uint32_t>& ranks)
{
    m_settings->ranks = ranks;
}

void
TimelineHelper::SetWindow(Time begin, Time end)
{
    m_settings->begin = begin;
    m_settings->end = end;
}

void
TimelineHelper::SetDetails(const std::set<std::string>& details)
{
    const std::string refusal = CheckDetails(details);
    NS_ABORT_MSG_UNLESS(refusal.empty(), refusal);
    uint8_t bits = 0;
    for (const auto& detail : details)
    {
        bits |= TIMELINE_DETAILS.at(detail);
    }
    m_settings->details = bits;
}

std::string
TimelineHelper::CheckDetails(const std::set<std::string>& details)
{
    std::vector<std::string> known;
    for (const auto& detail : TIMELINE_DETAILS)
    {
        known.push_back(detail.first);
    }
    for (const auto& detail : details)
    {
        const std::string refusal = CheckKnown("detail", detail, known, " of timelines");
        if (!refusal.empty())
        {
            return refusal;
        }
    }
    return "";
}

void
TimelineHelper::SetMaxBytes(uint64_t bytes)
{
    m_settings->maxBytes = bytes;
}

std::string
TimelineHelper::Check(Ptr<TrainingJob> job) const
{
    TimelineSettings settings = *m_settings;
    return Timeline::Choose(*job, m_file, settings);
}

void
TimelineHelper::Install(Ptr<TrainingJob> job)
{
    TimelineSettings settings = *m_settings;
    std::string refusal = Timeline::Choose(*job, m_file, settings);
    NS_ABORT_MSG_UNLESS(refusal.empty(), refusal);
    if (!m_timeline)
    {
        m_timeline = CreateObject<Timeline>();
        refusal = GetRefusal([&] { m_timeline->Open(m_file, settings); });
        NS_ABORT_MSG_UNLESS(refusal.empty(), refusal);
    }
    m_timeline->Add(job, settings);
    m_leftOut |= m_settings->details ? 0 : TimelineSettings::ALL_DETAILS & ~*settings.details;
}

void
TimelineHelper::Install(const ApplicationContainer& applications)
{
    Install(TrainingHelper::GetJob(applications));
}

void
TimelineHelper::Close()
{
    if (m_timeline)
    {
        m_timeline->Close();
    }
}

std::vector<std::string>
TimelineHelper::GetLeftOut() const
{
    std::vector<std::string> names;
    for (const auto& [name, detail] : TIMELINE_DETAILS)
    {
        if ((m_leftOut & detail) != 0)
        {
            names.push_back(name);
        }
    }
    return names;
}

bool
TimelineHelper::IsCut() const
{
    return m_timeline && m_timeline->IsCut();
}

} // namespace lightpath
} // namespace ns3
