/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef REPORT_PAGE_H
#define REPORT_PAGE_H

#include "csv-table.h"
#include "network-tables.h"

#include "ns3/training-plan.h"
#include "ns3/training-report.h"

#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{
namespace lightpath
{

class CriticalPath;
class TrainingJob;
class UtilisationMeter;

/**
 * @ingroup lightpath
 * @brief A page in HTML on one training job or on several, which needs no other file and no
 * network.
 *
 * The page has its numbers as tables of comma-separated values, and a script that draws them.
 * Tables of large jobs are folded: ranks with equal times share a row (see also NetworkTables).
 */
class ReportPage
{
  public:
    ReportPage();

    /**
     * Add a line to the description of the run.
     *
     * @param name what it tells; Title and Summary stand above all others
     * @param value the text
     */
    void AddFact(const std::string& name, const std::string& value);

    /**
     * Add a job that has been simulated, before the simulation is destroyed. It is named by the
     * fabric of its report.
     *
     * @param job the job
     * @param report its report
     * @param meter has measured the networks; null if nothing has
     * @param path the critical path of an iteration; null if it is not known
     */
    void Add(TrainingJob& job,
             const TrainingReport& report,
             const UtilisationMeter* meter,
             const CriticalPath* path);

    /**
     * Write the page.
     *
     * @param os where to write
     * @param reports the reports of the jobs, in the order in which they were added
     */
    void Write(std::ostream& os, const std::vector<TrainingReport>& reports) const;

    /// Most rows of ranks; if more ranks differ, neighbours share the means.
    static constexpr uint32_t MAX_RANK_ROWS = 1024;
    /// Most parts of a critical path.
    static constexpr uint32_t MAX_PATH_PARTS = 2000;

  private:
    /**
     * @param run the name of the job
     * @param report its report
     */
    void AddRanks(const std::string& run, const TrainingReport& report);

    /**
     * @param run the name of the job
     * @param path its critical path
     */
    void AddPath(const std::string& run, const CriticalPath& path);

    /**
     * @param run the name of the job
     * @param plan its plan
     * @param report its report
     */
    void AddPrediction(const std::string& run,
                       const TrainingPlan& plan,
                       const TrainingReport& report);

    std::vector<std::pair<std::string, std::string>> m_facts; //!< The description of the run
    std::vector<std::pair<std::string, std::string>> m_plans; //!< The plans of the jobs
    std::vector<std::string> m_runs;                          //!< Names of the jobs
    CsvTable m_ranks;                                         //!< Parts of an iteration by rank
    CsvTable m_path;                                          //!< Parts of critical paths
    CsvTable m_pathSums;                                      //!< Sums of these by kind
    CsvTable m_prediction;                                    //!< Predicted and simulated times
    CsvTable m_groups;                                        //!< Predicted communication
    NetworkTables m_networks;                                 //!< Traffic and utilisation
};

} // namespace lightpath
} // namespace ns3

#endif /* REPORT_PAGE_H */
