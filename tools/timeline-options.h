/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_TIMELINE_OPTIONS_H
#define LIGHTPATH_TIMELINE_OPTIONS_H

#include "program-options.h"

#include "ns3/application-container.h"
#include "ns3/timeline-helper.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>

/**
 * @ingroup lightpath
 * @brief The options of the timeline of a simulation.
 */
class TimelineOptions
{
  public:
    /**
     * @param [out] options the options of the program, to which these are added
     */
    void AddTo(ProgramOptions& options);

    /**
     * Refuse options that do not fit together.
     *
     * @param isSimulated whether there is a simulation
     */
    void Check(bool isSimulated) const;

    /**
     * Write the timeline of a job, if the options ask for it. One that would be too large is not
     * written, for which CheckWritten() gives the reason.
     *
     * @param applications the applications of the job
     * @param fabric the name of the fabric, which becomes part of the name of the file; empty if
     *        there is one fabric only
     * @return the timeline, to be given to Finish(); null for none
     */
    std::unique_ptr<ns3::lightpath::TimelineHelper> Install(
        const ns3::ApplicationContainer& applications,
        const std::string& fabric) const;

    /**
     * Complete the file of a timeline, and tell what it lacks.
     *
     * @param timeline the timeline, or null
     * @param quiet whether to tell nothing
     */
    static void Finish(ns3::lightpath::TimelineHelper* timeline, bool quiet);

    /// Refuse, by std::runtime_error, a timeline that was asked for and is not written.
    void CheckWritten() const;

  private:
    /**
     * @param text ranks and ranges of ranks, like 0-7,12
     */
    void ReadRanks(const std::string& text);

    /**
     * @param text beginning and end of the window, like 10ms,20ms
     */
    void ReadWindow(const std::string& text);

    std::string m_file;         //!< Name of the file; empty for no timeline
    std::set<uint32_t> m_ranks; //!< The ranks; empty for all
    ns3::Time m_begin;          //!< Beginning of the window
    ns3::Time m_end;            //!< Its end; zero for the end of the simulation
    /// Names of details; by default those that fit
    std::optional<std::set<std::string>> m_details;
    uint64_t m_maxBytes{0}; //!< Largest size of the file; 0 for the default
    /// Why the first timeline is not written that is not, in all copies; empty if all are
    std::shared_ptr<std::string> m_refusal{std::make_shared<std::string>()};
};

#endif /* LIGHTPATH_TIMELINE_OPTIONS_H */
