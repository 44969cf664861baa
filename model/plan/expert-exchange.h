/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef EXPERT_EXCHANGE_H
#define EXPERT_EXCHANGE_H

#include "rank-groups.h"
#include "rank-program.h"

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Which tasks are the all-to-alls of experts, whose demand circuits may follow.
 */
struct ExpertExchange
{
    /**
     * @param task a task
     * @return true if it is an all-to-all of experts
     */
    static bool Is(const Task& task)
    {
        return task.kind == TaskKind::COLLECTIVE && task.group == EXPERT_GROUP &&
               task.collective == CollectiveKind::ALL_TO_ALL;
    }

    /**
     * @param task an all-to-all of experts
     * @return true if its demand is not known before it begins: the gate has just spread the tokens
     */
    static bool NeedsGate(const Task& task)
    {
        return task.pass == Pass::FORWARD && task.routed.experts > 0 && task.options.routing &&
               !task.options.routing->isReturn;
    }
};

} // namespace lightpath
} // namespace ns3

#endif /* EXPERT_EXCHANGE_H */
