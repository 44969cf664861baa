/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PHASE_COUNTER_H
#define PHASE_COUNTER_H

#include <cstdint>
#include <deque>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Tracks the phase and the iteration that a training job has reached.
 *
 * A phase is over once all its communication tasks have ended on all ranks. The next phase follows;
 * after the last phase, the first one of the next iteration. A phase without any task is left out.
 * Ranks may be ahead by any number of phases and iterations.
 */
class PhaseCounter
{
  public:
    /**
     * @param tasks the number of communication tasks of all ranks in each phase of an iteration
     */
    explicit PhaseCounter(std::vector<uint64_t> tasks = {});

    /**
     * Note that a task has ended.
     *
     * @param iteration its iteration, from 0
     * @param phase its phase
     * @return true if the job has reached another phase
     */
    bool End(uint32_t iteration, uint32_t phase);

    /**
     * @return the iteration that has been reached, from 0
     */
    uint32_t GetIteration() const;

    /**
     * @return the phase that has been reached
     */
    uint32_t GetPhase() const;

  private:
    std::vector<uint64_t> m_tasks;            //!< Tasks of an iteration by phase
    std::deque<std::vector<uint64_t>> m_left; //!< Tasks that have not ended, by iteration and phase
    uint32_t m_iteration{0};                  //!< The iteration, the first one of m_left
    uint32_t m_phase{0};                      //!< The phase
};

} // namespace lightpath
} // namespace ns3

#endif /* PHASE_COUNTER_H */
