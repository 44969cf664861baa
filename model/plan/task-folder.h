/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TASK_FOLDER_H
#define TASK_FOLDER_H

#include "rank-program.h"

#include <cstdint>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Folds tasks between ranks that do the same (PlanFolder).
 */
class TaskFolder
{
  public:
    /**
     * Make the chunks of a collective between ranks of a stage even. Refuses, by
     * std::invalid_argument, a task that cannot be folded.
     *
     * @param members the number of these ranks
     * @param wholeServers whether all GPUs of a server are kept, which may do different things
     * @param [in,out] task the task
     */
    static void Fold(uint32_t members, bool wholeServers, Task& task);

  private:
    /**
     * @param algorithm an algorithm
     * @param members the number of ranks
     * @param isExchange whether it carries out an all-to-all
     * @return true if each member sends at any time as much as any other member, and gets as much,
     *         from one peer or from all of them alike
     */
    static bool IsEven(CollectiveAlgorithm algorithm, uint32_t members, bool isExchange);

    /**
     * @param members the number of ranks
     * @param wholeServers whether members of one server may do different things
     * @param task a collective
     * @return true if all members do the same
     */
    static bool AreAlike(uint32_t members, bool wholeServers, const Task& task);
};

} // namespace lightpath
} // namespace ns3

#endif /* TASK_FOLDER_H */
