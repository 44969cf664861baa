/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "report-options.h"

#include "model/base/count-noun.h"
#include "output-files.h"

#include <filesystem>
#include <sstream>
#include <stdexcept>

using namespace ns3;
using namespace ns3::lightpath;

void
ReportOptions::AddTo(ProgramOptions& options)
{
    options.AddValue("report",
                     "File for a page on the run, FILE.html, with charts and all numbers",
                     "",
                     [this](const std::string& text) {
                         if (std::filesystem::path(text).extension() != ".html")
                         {
                             throw std::invalid_argument("--report=" + text +
                                                         " is a page in HTML: give it a name that "
                                                         "ends with .html");
                         }
                         CheckWritable(text);
                         m_file = text;
                         m_page = std::make_shared<ReportPageHelper>();
                     });
}

void
ReportOptions::Check(bool isSimulated) const
{
    if (m_page && !isSimulated)
    {
        throw std::invalid_argument("--report shows simulated iterations, and --planOnly simulates "
                                    "none: leave out one of them");
    }
}

void
ReportOptions::Watch(const ApplicationContainer& applications) const
{
    if (m_page)
    {
        m_page->Watch(applications);
    }
}

void
ReportOptions::Add(const TrainingReport& report) const
{
    if (m_page)
    {
        m_page->Add(report);
    }
}

void
ReportOptions::Write(const ProgramOptions& options,
                     const std::string& version,
                     const std::vector<TrainingReport>& reports) const
{
    if (!m_page)
    {
        return;
    }
    std::vector<std::string> names;
    std::vector<TrainingReport> simulated;
    for (const auto& report : reports)
    {
        if (report.refusal.empty())
        {
            names.push_back(report.fabric);
            simulated.push_back(report);
        }
    }
    std::ostringstream rate;
    rate << simulated.front().bandwidth / 1e9 << " Gb/s";
    const std::string gpus = options.GetValue("gpus") + " x " + options.GetValue("accelerator");
    m_page->AddFact("Title", options.GetValue("model") + " on " + gpus);
    m_page->AddFact("Summary",
                    CountNoun(simulated.front().iterations, "iteration") + " of " +
                        options.GetValue("batch") + " samples on " + JoinList(names));
    m_page->AddFact("Model", options.GetValue("model"));
    m_page->AddFact("GPUs", gpus);
    m_page->AddFact("Global batch", options.GetValue("batch") + " samples");
    m_page->AddFact("Rate of a GPU", rate.str());
    m_page->AddFact("Planner", options.GetValue("planner"));
    m_page->AddFact("Command", options.GetCommand());
    m_page->AddFact("Version", version);
    for (const auto& report : reports)
    {
        if (!report.refusal.empty())
        {
            m_page->AddFact(report.fabric, "refused: " + report.refusal);
        }
    }
    m_page->SetReports(simulated);
    WriteFile(m_file, [this](std::ostream& os) { m_page->Write(os); });
}
