/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_RUN_WATCH_H
#define LIGHTPATH_RUN_WATCH_H

#include "run-meter.h"

#include <cstdint>
#include <string>

/**
 * @ingroup lightpath
 * @brief A line of a terminal that tells what the program is doing, until the object goes.
 */
class ProgressLine
{
  public:
    /**
     * @param isShown whether to print anything, which needs a terminal on the standard error
     */
    explicit ProgressLine(bool isShown);

    ~ProgressLine();

    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;

    /**
     * @param text the line, which takes the place of the one before
     */
    void Show(const std::string& text) const;

  private:
    bool m_isShown; //!< Whether to print anything
};

/**
 * @ingroup lightpath
 * @brief Watches a simulation by the wall clock: shows how far it is, and stops it when its time is
 * up.
 *
 * It looks whenever the scheduler of UseScheduler() has taken some thousands of events, and adds
 * none of its own. One simulation is watched at a time.
 */
class RunWatch
{
  public:
    /// Have simulations use a scheduler that lets them be watched; before the first of them.
    static void UseScheduler();

    /**
     * @param name the name of the simulation
     * @param iterations the training iterations in all
     * @param limit the longest time in seconds; 0 for no limit
     * @param isShown whether to show how far it is
     */
    RunWatch(const std::string& name, uint32_t iterations, double limit, bool isShown);

    ~RunWatch();

    RunWatch(const RunWatch&) = delete;
    RunWatch& operator=(const RunWatch&) = delete;

    /**
     * @param iteration the number of iterations that have ended
     */
    void EndIteration(uint32_t iteration);

    /// Look at the clock.
    void Look();

  private:
    RunMeter m_meter;      //!< The wall clock
    ProgressLine m_line;   //!< Where to show how far the simulation is
    std::string m_name;    //!< Name of the simulation
    uint32_t m_iterations; //!< Iterations in all
    uint32_t m_ended{0};   //!< Iterations that have ended
    double m_limit;        //!< The longest time, seconds; 0 for no limit
    double m_shown{0};     //!< When the line was shown last, seconds
};

#endif /* LIGHTPATH_RUN_WATCH_H */
