/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TRAINING_PROGRESS_H
#define TRAINING_PROGRESS_H

#include "ns3/event-id.h"
#include "ns3/nstime.h"
#include "ns3/training-job.h"

#include <chrono>
#include <cstdint>
#include <ostream>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Prints how far a job is while the simulation runs.
 *
 * It looks at the clock in events of its own, whose distance in simulated time follows the pace of
 * the simulation, so that there are some in each second.
 */
class TrainingProgress : public SimpleRefCount<TrainingProgress>
{
  public:
    /**
     * @param job the job, which keeps this object
     * @param os where to print
     * @param seconds the time between two lines, by the clock
     */
    static void Watch(Ptr<TrainingJob> job, std::ostream& os, double seconds);

  private:
    /**
     * @param nIterations the iterations of the job
     * @param os where to print
     * @param seconds the time between two lines, by the clock
     */
    TrainingProgress(uint32_t nIterations, std::ostream& os, double seconds);

    /// @param iteration the number of iterations that have ended
    void EndIteration(uint32_t iteration);

    /// Look at the clock, print a line if it is time, and look again later.
    void Look();

    /// Print a line.
    void Print() const;

    /// Look no more.
    void End();

    /// @param sentence why the job has failed
    void Fail(std::string sentence);

    using Clock = std::chrono::steady_clock; //!< The clock

    /// @param since a time of the clock @return the seconds since then
    static double GetSeconds(Clock::time_point since);

    uint32_t m_nIterations;    //!< Iterations of the job
    uint32_t m_ended{0};       //!< Iterations that have ended
    std::ostream& m_os;        //!< Where to print
    double m_interval;         //!< Time between two lines, seconds
    Time m_step;               //!< Simulated time until the next look
    Clock::time_point m_begin; //!< When this object was made
    Clock::time_point m_shown; //!< When a line was printed last
    Clock::time_point m_last;  //!< When it looked last
    EventId m_event;           //!< The next look
};

} // namespace lightpath
} // namespace ns3

#endif /* TRAINING_PROGRESS_H */
