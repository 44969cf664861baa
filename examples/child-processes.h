/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_CHILD_PROCESSES_H
#define LIGHTPATH_CHILD_PROCESSES_H

#include <cstddef>
#include <functional>
#include <string>
#include <sys/types.h>
#include <vector>

/**
 * @ingroup lightpath
 * @brief Does pieces of work in processes of their own, some at a time, as there is one simulator
 * in a process only.
 */
class ChildProcesses
{
  public:
    /// Does the piece of work of this number and returns its result.
    using Work = std::function<std::string(std::size_t)>;

    /// Gets the number of a piece of work that has ended and the number of those that have.
    using Progress = std::function<void(std::size_t, std::size_t)>;

    /**
     * @param jobs the most processes at a time
     */
    explicit ChildProcesses(std::size_t jobs);

    /**
     * Do all pieces of work, the ones with small numbers first. A process that is not able to do
     * its work ends in std::runtime_error here, which says what it said.
     *
     * @param n the number of pieces
     * @param work does one of them
     * @param progress is called when one has ended
     * @return the results in the order of the pieces
     */
    std::vector<std::string> Run(std::size_t n, const Work& work, const Progress& progress);

  private:
    /// A process that works.
    struct Child
    {
        pid_t process{0};     //!< Its number
        int output{-1};       //!< Where its result is read
        std::size_t piece{0}; //!< The piece of work that it does
    };

    /**
     * Start a process.
     *
     * @param piece the piece of work that it is to do
     * @param work does it
     */
    void Start(std::size_t piece, const Work& work);

    /**
     * Read what there is to read, and wait until there is something.
     *
     * @param [in,out] results the results so far
     * @return the index of a process that has closed its output, or the number of processes
     */
    std::size_t Read(std::vector<std::string>& results);

    /**
     * Wait for the end of a process that has closed its output, and forget it.
     *
     * @param index its index
     * @param result what it wrote
     */
    void Finish(std::size_t index, const std::string& result);

    /// End all processes.
    void Stop();

    std::size_t m_jobs;            //!< Most processes at a time
    std::vector<Child> m_children; //!< The processes that work
};

#endif /* LIGHTPATH_CHILD_PROCESSES_H */
