/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TIMELINE_H
#define TIMELINE_H

#include "timeline-settings.h"

#include "ns3/object.h"
#include "ns3/training-job.h"

#include <memory>
#include <set>
#include <string>
#include <vector>

namespace ns3
{
namespace lightpath
{

class FabricTimeline;
class JobTimeline;
class TimelineTracks;

/**
 * @ingroup lightpath
 * @brief The timeline of the jobs of a simulation, and of the fabrics that they run on.
 */
class Timeline : public Object
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    Timeline();
    ~Timeline() override;

    /**
     * Choose the details of a job's timeline: by default those that fit into an eighth of the
     * file's largest size.
     *
     * @param job a job whose ranks are installed
     * @param file the name of the file
     * @param [in,out] settings what is shown; receives the details, if they are not given
     * @return empty if the timeline can be written; otherwise a sentence that says why not
     */
    static std::string Choose(const TrainingJob& job,
                              const std::string& file,
                              TimelineSettings& settings);

    /**
     * Create the file. Throws std::runtime_error if it cannot be written.
     *
     * @param file the name of the file
     * @param settings what is shown
     */
    void Open(const std::string& file, const TimelineSettings& settings);

    /**
     * Put a job on the timeline, and the fabrics that it runs on.
     *
     * @param job the job, whose ranks are installed
     * @param settings what is shown of it
     */
    void Add(Ptr<TrainingJob> job, const TimelineSettings& settings);

    /**
     * Complete the file; nothing if that has been done. Throws std::runtime_error if it cannot be
     * written.
     */
    void Close();

    /**
     * @return true if the timeline ends early, as the file has reached its largest size
     */
    bool IsCut() const;

  private:
    std::unique_ptr<TimelineTracks> m_tracks;               //!< The tracks
    std::vector<std::unique_ptr<JobTimeline>> m_jobs;       //!< The jobs
    std::vector<std::unique_ptr<FabricTimeline>> m_fabrics; //!< The fabrics
    std::set<uint32_t> m_channels;                          //!< Their channels
};

} // namespace lightpath
} // namespace ns3

#endif /* TIMELINE_H */
