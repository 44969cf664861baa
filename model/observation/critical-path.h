/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CRITICAL_PATH_H
#define CRITICAL_PATH_H

#include "ns3/nstime.h"

#include <cstddef>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{
namespace lightpath
{

class JobRecorder;

/**
 * @ingroup lightpath
 * @brief The chain of tasks and messages that decides how long an iteration of a training job
 * takes.
 *
 * The iteration lasts from the end of the one before on the last rank, or from the start of the
 * job, to its own end on the last rank (TrainingReport). The path is followed backward from there:
 * whatever ended last has a cause, which ended when it began, until the iteration begins. So each
 * segment begins where the one before ends, and the lengths add up to the iteration, to the tick.
 */
class CriticalPath
{
  public:
    /// The kinds of segments.
    enum class Kind : uint8_t
    {
        COMPUTE,      //!< A task of a GPU
        LAUNCH,       //!< The launch of a collective operation
        TRANSMISSION, //!< A message that is being sent
        PROPAGATION,  //!< A message whose last bit has been sent
        TRANSFER,     //!< A message on a way whose parts are not told apart
        CIRCUIT,      //!< A message that waits for a circuit
        DARKNESS,     //!< A message that waits while circuits are switched
        UNKNOWN,      //!< Time that has no recorded cause
    };

    /// A part of the path. All but compute tasks and launches belong to a message.
    struct Segment
    {
        /**
         * @return the kind that it counts for in GetSums()
         */
        std::string GetKindName() const;

        Time begin;               //!< When it begins
        Time end;                 //!< When it ends; the next segment begins then
        Kind kind{Kind::COMPUTE}; //!< What it is spent on
        uint32_t group{0};        //!< GroupKind of the task; of no meaning for a compute task
        uint32_t rank{0};         //!< The rank that computes, or the sender of the message
        uint32_t peer{0};         //!< The receiver of the message; otherwise the rank
        std::string name;         //!< Name of the task
        uint64_t bytes{0};        //!< Size of the message, or of all, in bytes; otherwise 0
        uint32_t messages{0};     //!< Number of messages: above 1 only in GetMerged()
    };

    /// Parts of the iteration: name, and time.
    using Sums = std::vector<std::pair<std::string, Time>>;

    /**
     * Find the path of the iteration that was recorded. Throws std::invalid_argument with one
     * sentence if it has not ended on all ranks.
     *
     * @param recorder has recorded the job
     */
    explicit CriticalPath(const JobRecorder& recorder);

    /**
     * @return the iteration, from 0
     */
    uint32_t GetIteration() const;

    /**
     * @return when the iteration began
     */
    Time GetBegin() const;

    /**
     * @return when the iteration ended
     */
    Time GetEnd() const;

    /**
     * @return the segments in the order of time, none of which has the length zero
     */
    const std::vector<Segment>& GetSegments() const;

    /**
     * @return the segments for a person: consecutive ones of one task that count for the same kind
     *         are one, with the first sender and the last receiver
     */
    std::vector<Segment> GetMerged() const;

    /**
     * @return the times that add up to the iteration: compute, communication by kind of parallelism
     *         (as TrainingReport::exposedSeconds), circuits, darkness, launch, unknown; without
     * those that are zero
     */
    Sums GetSums() const;

    /**
     * Print the share of each kind, and the longest segments.
     *
     * @param os where to print
     */
    void Print(std::ostream& os) const;

    /**
     * @return the path as JSON: iteration, beginSeconds, endSeconds, seconds by kind, and segments
     *         (merged), each with kind, name, rank, beginSeconds, seconds and, for messages, peer,
     *         bytes and their number
     */
    nlohmann::ordered_json GetJson() const;

  private:
    uint32_t m_iteration{0};         //!< The iteration
    Time m_begin;                    //!< When it began
    Time m_end;                      //!< When it ended
    std::vector<Segment> m_segments; //!< The path
};

} // namespace lightpath
} // namespace ns3

#endif /* CRITICAL_PATH_H */
