/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TIMELINE_ESTIMATE_H
#define TIMELINE_ESTIMATE_H

#include "timeline-settings.h"

#include "ns3/collective-schedule.h"
#include "ns3/rank-program.h"

#include <cstdint>
#include <map>
#include <tuple>

namespace ns3
{
namespace lightpath
{

class TrainingJob;
struct Task;

/**
 * @ingroup lightpath
 * @brief Estimates from the plan of a job how many entries its timeline has.
 */
class TimelineEstimate
{
  public:
    /**
     * @param job the job, whose ranks are installed
     * @param settings what is shown
     */
    TimelineEstimate(const TrainingJob& job, const TimelineSettings& settings);

    /**
     * @param details details of the timeline: bits of TimelineSettings::Detail
     * @return the number of entries with these details
     */
    double GetRecords(uint8_t details) const;

  private:
    /// Numbers of one iteration of a rank.
    struct Counts
    {
        double tasks{0};    //!< Entries of tasks and waits
        double messages{0}; //!< Messages that it sends
        double bytes{0};    //!< Bytes of these
    };

    /// A sort of collective operation, and the number of its ranks.
    using Sort = std::tuple<CollectiveKind, uint32_t, uint64_t, CollectiveOptions>;

    /**
     * @param job the job
     * @param rank a rank
     * @return its numbers
     */
    Counts Count(const TrainingJob& job, uint32_t rank);

    /**
     * Add the messages of a collective task.
     *
     * @param task the task
     * @param ranks the number of ranks in its group
     * @param position the position of the rank in it
     * @param [in,out] counts the numbers of the rank
     */
    void AddCollective(const Task& task, uint32_t ranks, uint32_t position, Counts& counts);

    std::map<Sort, Counts> m_sorts; //!< Messages of each sort of collective operation
    Counts m_counts;                //!< The numbers of all ranks in the window
    double m_frames{0};             //!< Frames in the window
};

} // namespace lightpath
} // namespace ns3

#endif /* TIMELINE_ESTIMATE_H */
