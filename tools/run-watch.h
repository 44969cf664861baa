/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_RUN_WATCH_H
#define LIGHTPATH_RUN_WATCH_H

#include "program-options.h"

#include "ns3/search-planner.h"

#include <chrono>
#include <cstdint>
#include <string>

/**
 * @ingroup lightpath
 * @brief Tells how far the program is, until the object goes: on a terminal by a line that changes,
 * and elsewhere, if asked for, by a line now and then, on the standard error.
 */
class ProgressLine
{
  public:
    /**
     * Add the option that asks for lines.
     *
     * @param [out] options the options of the program
     */
    static void AddOption(ProgramOptions& options);

    /**
     * @param isShown whether to print anything
     */
    explicit ProgressLine(bool isShown);

    ~ProgressLine();

    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;

    /**
     * @return whether it is time for another line
     */
    bool IsDue() const;

    /**
     * @param text the line, which takes the place of the one before on a terminal
     */
    void Show(const std::string& text);

    /**
     * @return the seconds since this object was made
     */
    double GetSeconds() const;

    /**
     * @param share the share of the work that is done
     * @return the share, and the time that is left at the pace so far
     */
    std::string Describe(double share) const;

  private:
    std::chrono::steady_clock::time_point m_begin; //!< When this object was made
    bool m_isMoving;                               //!< Whether the line changes on a terminal
    double m_interval;                             //!< Seconds between two lines; 0 for no lines
    double m_shown{0};                             //!< When a line was shown last, seconds
};

/**
 * @ingroup lightpath
 * @brief Watches a planner: shows how much of its search is done.
 */
class PlanWatch
{
  public:
    /**
     * @param name the name of the work
     * @param planner the planner
     * @param isShown whether to show how far it is
     */
    PlanWatch(const std::string& name, ns3::Ptr<ns3::lightpath::Planner> planner, bool isShown);

    ~PlanWatch();

    PlanWatch(const PlanWatch&) = delete;
    PlanWatch& operator=(const PlanWatch&) = delete;

  private:
    /**
     * @param evaluations the evaluations that were spent
     * @param most those that may be spent
     */
    void Look(uint64_t evaluations, uint64_t most);

    ProgressLine m_line;                              //!< Where to show how far it is
    std::string m_name;                               //!< Name of the work
    ns3::Ptr<ns3::lightpath::SearchPlanner> m_search; //!< The planner if it searches, or null
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
     * @param seconds the time that an iteration is expected to take, until one has ended
     */
    void SetExpected(double seconds);

    /**
     * @param events the events after which the simulation is stopped, by thousands; 0 for no limit
     */
    void SetMostEvents(uint64_t events);

    /**
     * @param iteration the number of iterations that have ended
     */
    void EndIteration(uint32_t iteration);

    /// Look at the clock.
    void Look();

  private:
    /**
     * @return the share of the simulation that is done
     */
    double GetShare() const;

    ProgressLine m_line;   //!< Where to show how far the simulation is
    std::string m_name;    //!< Name of the simulation
    uint32_t m_iterations; //!< Iterations in all
    uint32_t m_ended{0};   //!< Iterations that have ended
    double m_limit;        //!< The longest time, seconds; 0 for no limit
    uint64_t m_most{0};    //!< The most events; 0 for no limit
    double m_expected{0};  //!< Time of an iteration, seconds; 0 if it is not known
    double m_end{0};       //!< When the last iteration ended, simulated seconds
};

#endif /* LIGHTPATH_RUN_WATCH_H */
