/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_CRITICAL_PATH_OPTIONS_H
#define LIGHTPATH_CRITICAL_PATH_OPTIONS_H

#include "program-options.h"

#include "ns3/critical-path.h"
#include "ns3/job-recorder.h"

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

/**
 * @ingroup lightpath
 * @brief The option that finds the critical path of the last iteration on each fabric.
 */
class CriticalPathOptions
{
  public:
    /**
     * @param [out] options the options of the program, to which this one is added
     */
    void AddTo(ProgramOptions& options);

    /**
     * Refuse to look for a path where nothing is simulated.
     *
     * @param planOnly whether nothing is simulated
     */
    void Check(bool planOnly) const;

    /**
     * @param job a job that is installed
     * @return its recorder; null if no path is asked for
     */
    std::unique_ptr<ns3::lightpath::JobRecorder> Record(
        ns3::Ptr<ns3::lightpath::TrainingJob> job) const;

    /**
     * Find the path of a job that has run, if its last iteration has ended.
     *
     * @param fabric the name of its fabric
     * @param recorder its recorder, or null
     */
    void Find(const std::string& fabric, const ns3::lightpath::JobRecorder* recorder) const;

    /**
     * @param os where to print the paths
     */
    void Print(std::ostream& os) const;

    /**
     * @param [in,out] runs the reports as JSON, one for each path
     */
    void AddTo(nlohmann::ordered_json& runs) const;

  private:
    /// The paths by fabric, each of which has one if the last iteration has ended.
    using Paths = std::vector<std::pair<std::string, std::optional<ns3::lightpath::CriticalPath>>>;

    bool m_isAsked{false};                                     //!< Find the paths
    std::shared_ptr<Paths> m_paths{std::make_shared<Paths>()}; //!< The paths
};

#endif /* LIGHTPATH_CRITICAL_PATH_OPTIONS_H */
