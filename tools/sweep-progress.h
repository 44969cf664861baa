/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_SWEEP_PROGRESS_H
#define LIGHTPATH_SWEEP_PROGRESS_H

#include <chrono>
#include <cstddef>

/**
 * @ingroup lightpath
 * @brief Shows on a terminal how far a sweep is, and how long the rest may take.
 */
class SweepProgress
{
  public:
    /**
     * @param isShown whether to show it if the standard error is a terminal
     */
    explicit SweepProgress(bool isShown);

    /// Leaves the terminal as it was.
    ~SweepProgress();

    SweepProgress(const SweepProgress&) = delete;
    SweepProgress& operator=(const SweepProgress&) = delete;

    /**
     * @param done the number of runs that have ended
     * @param all the number of runs
     */
    void Show(std::size_t done, std::size_t all) const;

  private:
    bool m_isShown;                                //!< Whether there is a terminal to show it on
    std::chrono::steady_clock::time_point m_begin; //!< When the sweep began
};

#endif /* LIGHTPATH_SWEEP_PROGRESS_H */
