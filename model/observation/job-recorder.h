/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef JOB_RECORDER_H
#define JOB_RECORDER_H

#include "job-record.h"

#include "ns3/nstime.h"
#include "ns3/ptr.h"
#include "ns3/training-job.h"

#include <cstdint>
#include <memory>
#include <optional>

namespace ns3
{
namespace lightpath
{

class TransmissionWatch;
struct ComputedMessage;
struct TaskEvent;

/**
 * @ingroup lightpath
 * @brief Records when the tasks of an iteration of a training job begin and end, and when its
 * messages are handed over, sent and received, for a CriticalPath.
 *
 * It listens to trace sources of the applications and of the fabrics, and changes nothing. It takes
 * 64 bytes a message and 24 a task of the iteration, and of what ranks that are ahead do of the
 * next one meanwhile.
 */
class JobRecorder
{
  public:
    /**
     * Record a job that is installed and has not begun. The recorder must live as long as the job
     * runs.
     *
     * @param job the job
     * @param iteration the iteration, from 0; by default the last of the job
     */
    explicit JobRecorder(Ptr<TrainingJob> job, std::optional<uint32_t> iteration = std::nullopt);

    ~JobRecorder();

    JobRecorder(const JobRecorder&) = delete;
    JobRecorder& operator=(const JobRecorder&) = delete;

    /**
     * @return the job
     */
    Ptr<TrainingJob> GetJob() const;

    /**
     * @return the iteration that is recorded; none if not all ranks have ended it
     */
    std::optional<uint32_t> GetIteration() const;

    /**
     * @return the times
     */
    const JobRecord& GetRecord() const;

  private:
    /**
     * @param iteration an iteration
     * @return true if it is recorded
     */
    bool IsRecorded(uint32_t iteration) const;

    /**
     * @param event a task
     * @param time the member of its times that is now
     */
    void Note(const TaskEvent& event, Time JobRecord::TaskTimes::*time);

    /**
     * Note that a message is handed over.
     *
     * @param rank the rank that sends it
     * @param peer the rank that it is for
     * @param tag its tag
     * @param bytes its size in bytes
     */
    void NoteSent(uint32_t rank, uint32_t peer, uint64_t tag, uint64_t bytes);

    /**
     * Note that a message has arrived.
     *
     * @param rank the rank that receives it
     * @param peer the rank that sent it
     * @param tag its tag
     * @param bytes its size in bytes
     */
    void NoteReceived(uint32_t rank, uint32_t peer, uint64_t tag, uint64_t bytes);

    /**
     * Note a message that has been computed.
     *
     * @param message the message
     */
    void NoteComputed(const ComputedMessage& message);

    /**
     * Record a message.
     *
     * @param message the message, as far as it is known
     * @return where it is recorded; nowhere if its iteration is not recorded
     */
    JobRecord::MessageRef Record(const JobRecord::Message& message);

    /**
     * Note the beginning of a phase.
     *
     * @param iteration the iteration, from 0
     * @param phase the phase, from 0
     */
    void NotePhase(uint32_t iteration, uint32_t phase);

    /**
     * Note the end of an iteration on all ranks.
     *
     * @param ended the number of iterations that all ranks have ended
     */
    void NoteIteration(uint32_t ended);

    Ptr<TrainingJob> m_job;                     //!< The job
    uint32_t m_chosen;                          //!< The iteration to be recorded
    uint32_t m_ended{0};                        //!< Iterations that all ranks have ended
    std::unique_ptr<JobRecord> m_record;        //!< The times
    std::unique_ptr<TransmissionWatch> m_watch; //!< Follows messages through fabrics
};

} // namespace lightpath
} // namespace ns3

#endif /* JOB_RECORDER_H */
