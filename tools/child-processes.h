/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_CHILD_PROCESSES_H
#define LIGHTPATH_CHILD_PROCESSES_H

#include "process-pool.h"

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

/**
 * @ingroup lightpath
 * @brief Does pieces of work by functions in processes of their own, some at a time, as there is
 * one simulator in a process only.
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
    /**
     * Refuse the end of a process that was not able to do its work.
     *
     * @param piece the number of its piece of work
     * @param outcome how it ended
     */
    static void Check(std::size_t piece, const ProcessPool::Outcome& outcome);

    std::size_t m_jobs; //!< Most processes at a time
};

#endif /* LIGHTPATH_CHILD_PROCESSES_H */
