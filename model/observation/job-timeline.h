/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef JOB_TIMELINE_H
#define JOB_TIMELINE_H

#include "timeline-settings.h"
#include "timeline-tracks.h"

#include "ns3/event-id.h"
#include "ns3/nstime.h"
#include "ns3/training-application.h"
#include "ns3/training-job.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Puts the tasks, waits, messages, phases and iterations of a job on a timeline.
 *
 * Each rank has a track for computation and waiting, which fill its time; as many tracks for
 * communication as it has tasks at one time; and a track for the messages that it sends and
 * receives. The tracks of the ranks of one server form a process; without servers, those of a rank.
 */
class JobTimeline
{
  public:
    /**
     * Connect to the trace sources of a job and of its ranks.
     *
     * @param tracks takes the timeline, and outlives the simulation
     * @param job the job, whose ranks are installed
     * @param name the name of the job
     * @param settings the ranks and details that are shown
     */
    JobTimeline(TimelineTracks& tracks,
                Ptr<TrainingJob> job,
                const std::string& name,
                const TimelineSettings& settings);

    JobTimeline(const JobTimeline&) = delete;
    JobTimeline& operator=(const JobTimeline&) = delete;

    /// Show all messages until now.
    void Close();

  private:
    /// A track for communication tasks.
    struct Lane
    {
        uint32_t track{0};      //!< The track
        uint32_t task{NO_TASK}; //!< Index of the task that is on it
    };

    /// The tracks of a rank.
    struct Rank
    {
        bool isShown{false};     //!< It is on the timeline
        uint32_t process{0};     //!< Its process
        uint32_t compute{0};     //!< Track of computation and waits
        uint32_t messages{0};    //!< Track of messages
        uint32_t iteration{0};   //!< Iteration of its latest task
        std::vector<Lane> lanes; //!< Tracks of communication tasks
    };

    /// A change of the bytes under way.
    struct Change
    {
        Time time;     //!< When
        int64_t bytes; //!< The bytes that are added
    };

    /// The index of no task.
    static constexpr uint32_t NO_TASK = UINT32_MAX;

    /**
     * Add the processes and tracks of the ranks.
     *
     * @param job the job
     * @param name the name of the job
     * @param settings the ranks and details that are shown
     */
    void AddRanks(const TrainingJob& job,
                  const std::string& name,
                  const TimelineSettings& settings);

    /**
     * Begin the slice of an iteration.
     *
     * @param iteration the iteration, from 0
     */
    void BeginIteration(uint32_t iteration);

    /**
     * @param event a communication task
     * @return the track that it is on, or the first one that is free
     */
    Lane& GetLane(const TaskEvent& event);

    /**
     * Note the beginning of a task.
     *
     * @param event the task
     */
    void NoteTaskBegin(const TaskEvent& event);

    /**
     * Note the end of a task.
     *
     * @param event the task
     */
    void NoteTaskEnd(const TaskEvent& event);

    /**
     * Note the beginning of the operation of a collective task.
     *
     * @param event the task
     */
    void NoteOperationBegin(const TaskEvent& event);

    /**
     * Note the end of the operation of a collective task.
     *
     * @param event the task
     */
    void NoteOperationEnd(const TaskEvent& event);

    /**
     * Note a message that is sent.
     *
     * @param rank the rank that sends it
     * @param peer the rank that it is for
     * @param tag its tag
     * @param bytes its size
     */
    void NoteSent(uint32_t rank, uint32_t peer, uint64_t tag, uint64_t bytes);

    /**
     * Note a message that has arrived.
     *
     * @param rank the rank that receives it
     * @param peer the rank that sent it
     * @param tag its tag
     * @param bytes its size
     */
    void NoteReceived(uint32_t rank, uint32_t peer, uint64_t tag, uint64_t bytes);

    /**
     * Note a message that has been computed.
     *
     * @param message the message
     */
    void NoteComputed(const ComputedMessage& message);

    /**
     * Begin the arrow of a message.
     *
     * @param message the message
     */
    void BeginArrow(const ComputedMessage& message);

    /**
     * End the arrow of a message.
     *
     * @param message the message
     */
    void EndArrow(const ComputedMessage& message);

    /**
     * @param message a message
     * @return the number of its arrow
     */
    uint64_t GetArrow(const ComputedMessage& message) const;

    /**
     * Note a change of the bytes under way.
     *
     * @param time when, not after now
     * @param bytes the bytes that are added
     */
    void AddUnderway(Time time, int64_t bytes);

    /**
     * Show the bytes under way.
     *
     * @param all also of this instant, in which others may follow
     */
    void ShowUnderway(bool all);

    /**
     * Note a wait of a rank.
     *
     * @param rank the rank
     * @param kind its WaitKind
     * @param begin when it began
     * @param end when it ended
     */
    void NoteWait(uint32_t rank, uint32_t kind, Time begin, Time end);

    /**
     * Note the beginning of a phase.
     *
     * @param iteration the iteration
     * @param phase the phase
     */
    void NotePhase(uint32_t iteration, uint32_t phase);

    /**
     * Note the end of an iteration on all ranks.
     *
     * @param iteration the number of iterations that have ended
     */
    void NoteIterationEnd(uint32_t iteration);

    /**
     * Note why the job has failed.
     *
     * @param sentence the reason
     */
    void NoteFailure(std::string sentence);

    /// Names of categories and arguments, by number.
    struct Names
    {
        uint32_t kinds[4]{};                  //!< The kinds of tasks
        uint32_t groups[N_GROUP_KINDS + 1]{}; //!< The kinds of groups, and another
        uint32_t waits[N_WAIT_KINDS]{};       //!< The kinds of waits
        uint32_t wait{0};                     //!< Category of waits
        uint32_t operation{0};                //!< Category of operations
        uint32_t message{0};                  //!< Category of messages
        uint32_t send{0};                     //!< A message that is sent
        uint32_t receive{0};                  //!< A message that arrives
        uint32_t iteration{0};                //!< Argument and category
        uint32_t phase{0};                    //!< Argument and category
        uint32_t group{0};                    //!< Argument
        uint32_t bytes{0};                    //!< Argument
        uint32_t source{0};                   //!< Argument
        uint32_t destination{0};              //!< Argument
        uint32_t failure{0};                  //!< Category
    };

    TimelineTracks& m_tracks;      //!< Takes the timeline
    Names m_names;                 //!< Numbers of names
    uint64_t m_salt{0};            //!< Sets the messages of the job apart from those of others
    bool m_showsMessages{false};   //!< Messages are shown
    std::vector<Rank> m_ranks;     //!< The ranks
    uint32_t m_nIterations{0};     //!< Iterations of the job
    uint32_t m_iterations{0};      //!< Track of iterations
    uint32_t m_phases{0};          //!< Track of phases
    uint32_t m_underway{0};        //!< Counter of bytes under way
    uint64_t m_bytes{0};           //!< Bytes under way, but for m_changes
    std::vector<Change> m_changes; //!< Changes of the bytes under way that are not shown
    EventId m_show;                //!< Shows them
};

} // namespace lightpath
} // namespace ns3

#endif /* JOB_TIMELINE_H */
