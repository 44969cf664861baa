/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "report-page-helper.h"

#include "model/base/whole-files.h"
#include "ns3/critical-path.h"
#include "ns3/job-recorder.h"
#include "model/observation/report-page.h"
#include "model/observation/utilisation-meter.h"
#include "helper/optical/refusal.h"
#include "training-helper.h"

#include "ns3/abort.h"

#include <optional>

namespace ns3
{
namespace lightpath
{

ReportPageHelper::ReportPageHelper()
    : m_page(std::make_unique<ReportPage>())
{
}

ReportPageHelper::~ReportPageHelper() = default;

void
ReportPageHelper::AddFact(const std::string& name, const std::string& value)
{
    m_page->AddFact(name, value);
}

void
ReportPageHelper::Watch(const ApplicationContainer& applications)
{
    m_applications = applications;
    m_meter = std::make_unique<UtilisationMeter>();
    m_meter->InstallAll();
    m_recorder.reset();
    if (applications.GetN() <= MAX_PATH_RANKS)
    {
        m_recorder = std::make_unique<JobRecorder>(TrainingHelper::GetJob(applications));
    }
}

void
ReportPageHelper::Add(const TrainingReport& report)
{
    NS_ABORT_MSG_IF(m_applications.GetN() == 0,
                    "ReportPageHelper::Add() adds the job that Watch() was called for: call it "
                    "before the simulation");
    std::optional<CriticalPath> path;
    if (m_recorder && m_recorder->GetIteration())
    {
        path.emplace(*m_recorder);
    }
    m_page->Add(*TrainingHelper::GetJob(m_applications),
                report,
                m_meter.get(),
                path ? &*path : nullptr);
    m_reports.push_back(report);
    m_applications = ApplicationContainer();
}

void
ReportPageHelper::SetReports(const std::vector<TrainingReport>& reports)
{
    m_reports = reports;
}

void
ReportPageHelper::Write(std::ostream& os) const
{
    m_page->Write(os, m_reports);
}

void
ReportPageHelper::Write(const std::string& name) const
{
    const std::string refusal = GetRefusal([this, &name] {
        WholeFiles files;
        files.Write(name, [this](std::ostream& os) { Write(os); });
        files.Finish();
    });
    NS_ABORT_MSG_UNLESS(refusal.empty(), refusal);
}

} // namespace lightpath
} // namespace ns3
