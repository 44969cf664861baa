/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_REPORT_OPTIONS_H
#define LIGHTPATH_REPORT_OPTIONS_H

#include "program-options.h"

#include "ns3/application-container.h"
#include "ns3/report-page-helper.h"
#include "ns3/training-report.h"

#include <memory>
#include <string>
#include <vector>

/**
 * @ingroup lightpath
 * @brief The option of the page on a run (ReportPageHelper). Copies share one page.
 */
class ReportOptions
{
  public:
    /**
     * @param [out] options the options of the program, to which these are added
     */
    void AddTo(ProgramOptions& options);

    /**
     * Refuse, by std::invalid_argument, a page on nothing.
     *
     * @param isSimulated whether iterations will be simulated
     */
    void Check(bool isSimulated) const;

    /**
     * Measure the networks of a job, if a page is asked for.
     *
     * @param applications the applications of the job
     */
    void Watch(const ns3::ApplicationContainer& applications) const;

    /**
     * Add the job that is watched, if a page is asked for.
     *
     * @param report its report
     */
    void Add(const ns3::lightpath::TrainingReport& report) const;

    /**
     * Write the page, if it is asked for.
     *
     * @param options the options of the program, which has parsed them
     * @param version the version of the program
     * @param reports the reports of the jobs, in the order of Add()
     */
    void Write(const ProgramOptions& options,
               const std::string& version,
               const std::vector<ns3::lightpath::TrainingReport>& reports) const;

  private:
    std::string m_file;                                       //!< Name of the file; empty for none
    std::shared_ptr<ns3::lightpath::ReportPageHelper> m_page; //!< The page; null for none
};

#endif /* LIGHTPATH_REPORT_OPTIONS_H */
