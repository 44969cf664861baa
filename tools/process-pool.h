/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_PROCESS_POOL_H
#define LIGHTPATH_PROCESS_POOL_H

#include <chrono>
#include <cstddef>
#include <functional>
#include <poll.h>
#include <string>
#include <sys/types.h>
#include <vector>

/**
 * @ingroup lightpath
 * @brief Does pieces of work in processes of their own, some at a time, and reads what they write.
 *
 * On Linux, a process that is left behind by the end of this one ends, too.
 */
class ProcessPool
{
  public:
    /// How a process ended.
    struct Outcome
    {
        std::string output;   //!< What it wrote to its output
        std::string errors;   //!< What it wrote to its output for errors
        int status{0};        //!< Its status, as of waitpid()
        bool timedOut{false}; //!< Whether it was ended for the time that it took
    };

    /// Does a piece of work in the new process: takes its number and where output and errors go,
    /// and returns the exit code.
    using Body = std::function<int(std::size_t, int, int)>;

    /// Takes the number of a piece of work that has ended and how it did.
    using Ended = std::function<void(std::size_t, const Outcome&)>;

    /// Is called several times a second and returns whether to go on.
    using Watch = std::function<bool()>;

    /**
     * @param jobs the most processes at a time
     */
    explicit ProcessPool(std::size_t jobs);

    /**
     * @param seconds the time after which a process is killed; 0 for none
     */
    void SetTimeout(double seconds);

    /**
     * @param watch is called while processes work
     */
    void SetWatch(const Watch& watch);

    /**
     * Do all pieces of work, the ones with small numbers first. What @p ended throws ends all
     * processes and comes out here; so does std::runtime_error if no process can be started.
     *
     * @param n the number of pieces
     * @param body does one of them
     * @param ended is called when one has ended
     * @return false if the watch had all processes ended
     */
    bool Run(std::size_t n, const Body& body, const Ended& ended);

  private:
    /// A clock that is never set.
    using Clock = std::chrono::steady_clock;

    /// A process that works.
    struct Child
    {
        pid_t process{0};        //!< Its number
        int output{-1};          //!< Where its output is read, below 0 once that is closed
        int errors{-1};          //!< Where its errors are read, likewise
        std::size_t piece{0};    //!< The piece of work that it does
        Clock::time_point begin; //!< When it was started
        Outcome outcome;         //!< What it has written so far
    };

    /**
     * Start a process.
     *
     * @param piece the piece of work that it is to do
     * @param body does it
     */
    void Start(std::size_t piece, const Body& body);

    /// Read what there is to read, and wait until there is something or a while has passed.
    void Read();

    /**
     * Read a part of what a process writes.
     *
     * @param [in,out] from where it is read; closed and -1 at its end
     * @param [in,out] text what was read so far
     */
    static void ReadPart(int& from, std::string& text);

    /// Kill the processes that have taken too long.
    void KillLate();

    /**
     * Wait for the end of the processes that have closed their outputs, and forget them.
     *
     * @param ended is called for each
     * @return their number
     */
    std::size_t Finish(const Ended& ended);

    /// End all processes, those that do not within a while by force.
    void Stop();

    /**
     * Send a signal to a process and, if it leads a group of its own, to the group.
     *
     * @param process the number of the process
     * @param signal the signal
     */
    static void Signal(pid_t process, int signal);

    std::size_t m_jobs;            //!< Most processes at a time
    double m_timeout{0};           //!< Most seconds of a process, 0 for any
    Watch m_watch;                 //!< Called while processes work
    std::vector<Child> m_children; //!< The processes that work
};

#endif /* LIGHTPATH_PROCESS_POOL_H */
