/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TASK_TABLE_H
#define TASK_TABLE_H

#include "ns3/assert.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief The tasks of operators or of results, by their number: a map of numbers that are dense.
 */
class TaskTable
{
  public:
    /// Stands for no task.
    static constexpr uint32_t NONE = UINT32_MAX;

    /**
     * @param number the number of an operator or a result
     * @param task its task from now on
     */
    void Set(uint32_t number, uint32_t task)
    {
        if (number >= m_tasks.size())
        {
            m_tasks.resize(number + 1, NONE);
        }
        m_tasks[number] = task;
    }

    /**
     * @param number the number of an operator or a result
     * @return its task, or NONE
     */
    uint32_t Find(uint32_t number) const
    {
        return number < m_tasks.size() ? m_tasks[number] : NONE;
    }

    /**
     * @param number the number of an operator or a result that has a task
     * @return the task
     */
    uint32_t Get(uint32_t number) const
    {
        NS_ASSERT_MSG(Find(number) != NONE, "Number " << number << " has no task");
        return m_tasks[number];
    }

    /**
     * @param number the number of an operator or a result, which has no task any more
     * @return true if it had one
     */
    bool Erase(uint32_t number)
    {
        return number < m_tasks.size() && std::exchange(m_tasks[number], NONE) != NONE;
    }

  private:
    std::vector<uint32_t> m_tasks; //!< The tasks, or NONE
};

} // namespace lightpath
} // namespace ns3

#endif /* TASK_TABLE_H */
