/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TASK_COUNTS_H
#define TASK_COUNTS_H

#include "ns3/rank-program.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief The number of tasks that each task of some ranks waits for, in the iteration under way.
 *
 * Ranks with the same program mostly do the same at the same time, so the numbers of a task at
 * several ranks lie next to each other in memory.
 */
class TaskCounts
{
  public:
    /// The most ranks, whose numbers of a task fill a cache line.
    static constexpr uint32_t MOST = 16;

    /**
     * @param program the program of the ranks
     */
    explicit TaskCounts(std::shared_ptr<const RankProgram> program)
        : m_program(std::move(program))
    {
    }

    /**
     * @return true if no rank can be added, as there are MOST, or one has begun an iteration
     */
    bool IsClosed() const
    {
        return m_nRanks == MOST || !m_counts.empty();
    }

    /**
     * Add a rank, unless IsClosed().
     *
     * @return its place
     */
    uint32_t AddRank()
    {
        return m_nRanks++;
    }

    /**
     * Begin an iteration: no task is done.
     *
     * @param place the place of the rank
     */
    void Begin(uint32_t place)
    {
        const std::vector<uint32_t>& predecessors = m_program->GetNPredecessors();
        m_counts.resize(predecessors.size() * m_nRanks);
        for (std::size_t task = 0; task < predecessors.size(); ++task)
        {
            m_counts[task * m_nRanks + place] = predecessors[task];
        }
    }

    /**
     * Note that a task that another waits for is done.
     *
     * @param place the place of the rank
     * @param task the index of the task that waits
     * @return true if it waits for no more tasks
     */
    bool Complete(uint32_t place, uint32_t task)
    {
        return --m_counts[std::size_t{task} * m_nRanks + place] == 0;
    }

  private:
    std::shared_ptr<const RankProgram> m_program; //!< The program of the ranks
    uint32_t m_nRanks{0};                         //!< The number of ranks
    std::vector<uint32_t> m_counts;               //!< Tasks that are not done, by task and rank
};

} // namespace lightpath
} // namespace ns3

#endif /* TASK_COUNTS_H */
