/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TASK_COUNTS_H
#define TASK_COUNTS_H

#include "model/training/transport/message-table.h"

#include "ns3/message-tag.h"
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
 * @brief What each task of some ranks waits for, in the iteration under way: a number of tasks, and
 * the message that a receive task takes.
 *
 * Ranks with the same program mostly do the same at the same time, so what a task waits for at
 * several ranks lies together in memory. They also share the table of receive tasks.
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
        auto receives = std::make_shared<MessageTable<uint32_t>>();
        const std::vector<Task>& tasks = m_program->GetTasks();
        for (uint32_t task = 0; task < tasks.size(); ++task)
        {
            if (tasks[task].kind == TaskKind::RECEIVE)
            {
                receives->Add(tasks[task].peer,
                              GetKey(tasks[task].group, tasks[task].operation),
                              task);
            }
        }
        m_receives = std::move(receives);
    }

    /**
     * @return the same for other ranks
     */
    std::shared_ptr<TaskCounts> MakeNext() const
    {
        auto next = std::make_shared<TaskCounts>(*this);
        next->m_nRanks = 0;
        next->m_counts.clear();
        return next;
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
     * Begin an iteration: no task is done, and no message has come in.
     *
     * @param place the place of the rank
     */
    void Begin(uint32_t place)
    {
        const std::vector<uint32_t>& predecessors = m_program->GetNPredecessors();
        const std::vector<Task>& tasks = m_program->GetTasks();
        m_counts.resize(predecessors.size() * m_nRanks);
        for (std::size_t task = 0; task < predecessors.size(); ++task)
        {
            const uint32_t message = tasks[task].kind == TaskKind::RECEIVE ? MESSAGE : 0;
            m_counts[task * m_nRanks + place] = predecessors[task] | message;
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
        return (--m_counts[GetIndex(place, task)] & ~MESSAGE) == 0;
    }

    /**
     * @param group the kind of group of a message
     * @param operation its operation number
     * @param position the position of its sender in the group
     * @return the index of the receive task that takes it; null if there is none
     */
    const uint32_t* FindReceive(uint32_t group, uint32_t operation, uint32_t position) const
    {
        return m_receives->Find(position, GetKey(group, operation));
    }

    /**
     * Note that the message of a receive task has come in.
     *
     * @param place the place of the rank
     * @param task the index of the task
     * @return true if the task has begun: it waits for no task
     */
    bool TakeMessage(uint32_t place, uint32_t task)
    {
        return (m_counts[GetIndex(place, task)] &= ~MESSAGE) == 0;
    }

    /**
     * @param place the place of a rank that has begun an iteration
     * @param task the index of a receive task
     * @return true if its message has come in
     */
    bool HasMessage(uint32_t place, uint32_t task) const
    {
        return (m_counts[GetIndex(place, task)] & MESSAGE) == 0;
    }

    /**
     * @param place the place of a rank
     * @param task the index of a task
     * @return true if it is a receive task that only waits for its message
     */
    bool WaitsForMessage(uint32_t place, uint32_t task) const
    {
        return !m_counts.empty() && m_counts[GetIndex(place, task)] == MESSAGE;
    }

  private:
    /// Marks a receive task whose message has not come in.
    static constexpr uint32_t MESSAGE = uint32_t{1} << 31;

    /**
     * @param group the kind of group of a message
     * @param operation its operation number
     * @return its tag, whatever the iteration
     */
    static uint64_t GetKey(uint32_t group, uint32_t operation)
    {
        MessageTag tag;
        tag.group = group;
        tag.operation = operation;
        return tag.Encode();
    }

    /**
     * @param place the place of a rank
     * @param task the index of a task
     * @return the index in m_counts
     */
    std::size_t GetIndex(uint32_t place, uint32_t task) const
    {
        return std::size_t{task} * m_nRanks + place;
    }

    std::shared_ptr<const RankProgram> m_program; //!< The program of the ranks
    /// Receive tasks by the position of the sender in its group, and the tag without iteration
    std::shared_ptr<const MessageTable<uint32_t>> m_receives;
    uint32_t m_nRanks{0}; //!< The number of ranks
    /// Tasks that are not done, and MESSAGE, by task and rank
    std::vector<uint32_t> m_counts;
};

} // namespace lightpath
} // namespace ns3

#endif /* TASK_COUNTS_H */
