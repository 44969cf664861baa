/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TIMELINE_HELPER_H
#define TIMELINE_HELPER_H

#include "ns3/application-container.h"
#include "ns3/nstime.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace ns3
{
namespace lightpath
{

class Timeline;
class TrainingJob;
struct TimelineSettings;

/**
 * @ingroup lightpath
 * @brief Writes a timeline of training jobs to a file for ui.perfetto.dev.
 *
 * The file is complete after Simulator::Destroy(), after Close(), or at the end of the window. All
 * settings come before Install().
 */
class TimelineHelper
{
  public:
    /**
     * A name with an unknown ending ends the program with a sentence.
     *
     * @param file the name of the file, whose ending tells the format: .json for JSON, which Chrome
     *        reads as well; .pftrace or .perfetto-trace for protocol buffers, which are smaller
     */
    explicit TimelineHelper(const std::string& file);

    ~TimelineHelper();

    TimelineHelper(const TimelineHelper&) = delete;
    TimelineHelper& operator=(const TimelineHelper&) = delete;

    /**
     * @param file the name of a file
     * @return empty if its ending tells a format; otherwise a sentence that lists the known endings
     */
    static std::string CheckName(const std::string& file);

    /**
     * Show some ranks only, with the messages between them and the lightpaths from them.
     *
     * @param ranks the ranks; empty for all
     */
    void SetRanks(const std::set<uint32_t>& ranks);

    /**
     * Show a part of the simulation only.
     *
     * @param begin the beginning of this window
     * @param end its end
     */
    void SetWindow(Time begin, Time end);

    /**
     * Choose details, in place of those that fit into an eighth of the largest size. A timeline
     * always shows tasks, waits, phases, the switching of circuits and faults.
     *
     * @param details "counters" (rates of lightpaths and lanes in use), "messages"
     *        (an arrow from each message sent to its arrival, and the bytes under way) and "frames"
     * (frames or bursts on each lightpath); another word ends the program with a sentence
     */
    void SetDetails(const std::set<std::string>& details);

    /**
     * @param details names of details
     * @return empty if all are known; otherwise a sentence that lists the known ones
     */
    static std::string CheckDetails(const std::set<std::string>& details);

    /**
     * Set the size of the file that is refused if the plan of a job lets expect more. A file that
     * reaches it nevertheless ends there.
     *
     * @param bytes the size in bytes; by default 32 MiB
     */
    void SetMaxBytes(uint64_t bytes);

    /**
     * @param job a job whose ranks are installed
     * @return empty if Install() accepts it; otherwise the sentence that says why not
     */
    std::string Check(Ptr<TrainingJob> job) const;

    /**
     * Put a job, and the fabrics that it runs on, on the timeline; before the simulation. What
     * Check() refuses, and a file that cannot be written, end the program with a sentence.
     *
     * @param job the job, whose ranks are installed
     */
    void Install(Ptr<TrainingJob> job);

    /**
     * Put a job on the timeline.
     *
     * @param applications the applications that TrainingHelper::Install() returned
     */
    void Install(const ApplicationContainer& applications);

    /**
     * Complete the file now; nothing if that has been done, or without a job. Throws
     * std::runtime_error if the file cannot be written.
     */
    void Close();

    /**
     * @return the details that are left out, as the file would become too large; known after
     *         Install()
     */
    std::vector<std::string> GetLeftOut() const;

    /**
     * @return true if the timeline has ended early, as the file has reached its largest size
     */
    bool IsCut() const;

  private:
    std::string m_file;                           //!< Name of the file
    std::unique_ptr<TimelineSettings> m_settings; //!< What is shown
    Ptr<Timeline> m_timeline;                     //!< The timeline; null before the first job
    uint8_t m_leftOut{0};                         //!< Details that are left out
};

} // namespace lightpath
} // namespace ns3

#endif /* TIMELINE_HELPER_H */
