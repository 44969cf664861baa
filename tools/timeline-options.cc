/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "timeline-options.h"

#include "option-values.h"
#include "output-files.h"

#include "ns3/training-helper.h"

#include <algorithm>
#include <iostream>
#include <stdexcept>

using namespace ns3;
using namespace ns3::lightpath;

void
TimelineOptions::AddTo(ProgramOptions& options)
{
    options.AddValue("timeline",
                     "File for a timeline of the simulation, for ui.perfetto.dev: .json, or the "
                     "smaller .pftrace",
                     "",
                     [this](const std::string& text) {
                         Require(TimelineHelper::CheckName(text));
                         CheckWritable(text);
                         CheckWritable(text + ".part");
                         m_file = text;
                     });
    options.AddValue("timelineRanks",
                     "Ranks that the timeline shows, like 0-7,12; default: all",
                     "",
                     [this](const std::string& text) { ReadRanks(text); });
    options.AddValue("timelineWindow",
                     "Beginning and end of the timeline in simulated time, like 10ms,20ms",
                     "",
                     [this](const std::string& text) { ReadWindow(text); });
    options.AddValue(
        "timelineDetails",
        "Details beyond tasks, waits, circuits and faults: counters, messages, frames, "
        "several with commas, or none; default: those that fit into an eighth of "
        "--timelineSize",
        "",
        [this](const std::string& text) {
            const auto names = text == "none" ? std::vector<std::string>() : SplitList(text);
            m_details.emplace(names.begin(), names.end());
            Require(TimelineHelper::CheckDetails(*m_details));
        });
    options.AddValue("timelineSize",
                     "Largest size of the timeline",
                     "32MiB",
                     [this](const std::string& text) { m_maxBytes = ParseBytes(text); });
}

void
TimelineOptions::ReadRanks(const std::string& text)
{
    constexpr int64_t MOST = 1000000;
    for (const auto& range : SplitList(text))
    {
        const auto dash = range.find('-');
        const auto first = ParseNumber("timelineRanks", range.substr(0, dash), 0, MOST);
        const auto last = dash == std::string::npos
                              ? first
                              : ParseNumber("timelineRanks", range.substr(dash + 1), 0, MOST);
        if (last < first)
        {
            throw std::invalid_argument(
                "--timelineRanks=" + text + " has the range " + range +
                ", which ends before it begins: write the lower rank first");
        }
        for (int64_t rank = first; rank <= last; ++rank)
        {
            m_ranks.insert(static_cast<uint32_t>(rank));
        }
    }
}

void
TimelineOptions::ReadWindow(const std::string& text)
{
    const auto times = SplitList(text);
    if (times.size() != 2)
    {
        throw std::invalid_argument("--timelineWindow=" + text +
                                    " is not a window of time: write its beginning and its end, "
                                    "like 10ms,20ms");
    }
    m_begin = ParseTime(times[0]);
    m_end = ParseTime(times[1]);
    if (m_end <= m_begin)
    {
        throw std::invalid_argument("--timelineWindow=" + text +
                                    " is empty: its end must be later than its beginning");
    }
}

void
TimelineOptions::Check(bool isSimulated) const
{
    if (!m_file.empty() && !isSimulated)
    {
        throw std::invalid_argument("--timeline shows a simulation, and --planOnly simulates "
                                    "nothing: leave out one of them");
    }
    const bool isGiven = !m_ranks.empty() || m_end.IsStrictlyPositive() || m_details;
    if (m_file.empty() && isGiven)
    {
        throw std::invalid_argument("--timelineRanks, --timelineWindow and --timelineDetails "
                                    "belong to --timeline, which is missing");
    }
}

std::unique_ptr<TimelineHelper>
TimelineOptions::Install(const ApplicationContainer& applications, const std::string& fabric) const
{
    if (m_file.empty())
    {
        return nullptr;
    }
    std::string name = m_file;
    if (!fabric.empty())
    {
        std::string part = "-" + fabric;
        std::replace(part.begin(), part.end(), ':', '-');
        name.insert(name.rfind('.'), part);
    }
    CheckWritable(name);
    // Where the file is written until it is whole
    CheckWritable(name + ".part");
    auto timeline = std::make_unique<TimelineHelper>(name);
    timeline->SetRanks(m_ranks);
    if (m_end.IsStrictlyPositive())
    {
        timeline->SetWindow(m_begin, m_end);
    }
    if (m_details)
    {
        timeline->SetDetails(*m_details);
    }
    if (m_maxBytes > 0)
    {
        timeline->SetMaxBytes(m_maxBytes);
    }
    const auto job = TrainingHelper::GetJob(applications);
    const std::string refusal = timeline->Check(job);
    if (!refusal.empty())
    {
        *m_refusal = m_refusal->empty() ? name + " is not written: " + refusal : *m_refusal;
        return nullptr;
    }
    timeline->Install(job);
    return timeline;
}

void
TimelineOptions::CheckWritten() const
{
    if (!m_refusal->empty())
    {
        throw std::runtime_error(*m_refusal);
    }
}

void
TimelineOptions::Finish(TimelineHelper* timeline, bool quiet)
{
    if (timeline == nullptr)
    {
        return;
    }
    timeline->Close();
    const auto leftOut = timeline->GetLeftOut();
    if (!leftOut.empty() && !quiet)
    {
        std::cout << "timeline: without " << JoinList(leftOut, " and ")
                  << ", which --timelineSize has no room for: choose --timelineRanks or "
                     "--timelineWindow\n";
    }
    if (timeline->IsCut())
    {
        std::cerr << "The timeline ends before the simulation, as it has reached --timelineSize\n";
    }
}
