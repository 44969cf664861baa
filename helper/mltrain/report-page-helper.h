/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef REPORT_PAGE_HELPER_H
#define REPORT_PAGE_HELPER_H

#include "ns3/application-container.h"
#include "ns3/training-report.h"

#include <cstdint>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

namespace ns3
{
namespace lightpath
{

class JobRecorder;
class ReportPage;
class UtilisationMeter;

/**
 * @ingroup lightpath
 * @brief Writes a page in HTML on a training job, or on several that are simulated one after the
 * other:
 *
 *     ReportPageHelper page;
 *     page.AddFact("Title", "My job");
 *     page.Watch(applications);
 *     Simulator::Run();
 *     page.Add(TrainingReport(TrainingHelper::GetJob(applications)));
 *     page.Write("run.html");
 *
 * The helper must live until the simulations are destroyed.
 */
class ReportPageHelper
{
  public:
    ReportPageHelper();
    ~ReportPageHelper();

    /**
     * Add a line to the description of the run.
     *
     * @param name what it tells, like "Model"; "Title" for the title of the page, and "Summary" for
     *        the sentence below it
     * @param value the text
     */
    void AddFact(const std::string& name, const std::string& value);

    /**
     * Measure the networks of a job, and record what is on the critical path of its last iteration,
     * if it has at most MAX_PATH_RANKS ranks. One job is watched at a time, and it has not begun.
     *
     * @param applications the applications of the job, as TrainingHelper::Install() returned them
     */
    void Watch(const ApplicationContainer& applications);

    /**
     * Add the job that is watched, after its simulation and before Simulator::Destroy().
     *
     * @param report its report, which names it by its fabric
     */
    void Add(const TrainingReport& report);

    /**
     * Replace the reports by later versions of them, such as with costs.
     *
     * @param reports the reports in the order of Add()
     */
    void SetReports(const std::vector<TrainingReport>& reports);

    /**
     * @param os where to write the page
     */
    void Write(std::ostream& os) const;

    /**
     * Write the page to a file. A file that cannot be written ends the program with a sentence.
     *
     * @param name the name of the file
     */
    void Write(const std::string& name) const;

    static constexpr uint32_t MAX_PATH_RANKS = 128; //!< Most ranks of a job whose path is recorded

  private:
    std::unique_ptr<ReportPage> m_page;        //!< The page
    std::unique_ptr<UtilisationMeter> m_meter; //!< Measures the networks of the job
    std::unique_ptr<JobRecorder> m_recorder;   //!< Records the job, or null
    ApplicationContainer m_applications;       //!< The applications of the job
    std::vector<TrainingReport> m_reports;     //!< The reports
};

} // namespace lightpath
} // namespace ns3

#endif /* REPORT_PAGE_HELPER_H */
