/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TURN_COLLECTIVES_H
#define TURN_COLLECTIVES_H

#include "ns3/collective-schedule.h"
#include "ns3/turn-methods.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace ns3
{
namespace lightpath
{

struct FabricLimits;
struct ServerLayout;
class TrainingPlan;

/**
 * @ingroup lightpath
 * @brief Finds topologies for collective operations on a fabric of circuit switches.
 */
class TurnCollectives
{
  public:
    /**
     * @param limits the fabric; std::invalid_argument, with a sentence, if its circuits cannot
     *        follow operations
     * @param kind the operation; std::invalid_argument for send-recv
     * @param ranks the number of ranks, each with a port of its own
     * @param bytes the size of the buffer in bytes
     * @param headers the bytes that are sent with each message besides its own
     * @return the problem
     */
    static TurnProblem GetProblem(const FabricLimits& limits,
                                  CollectiveKind kind,
                                  uint32_t ranks,
                                  uint64_t bytes,
                                  uint32_t headers);

    /**
     * Give topologies to the operations of a job, by the sizes of each. Those stay as they are
     * whose ranks do not all have a port of one fabric of their own, or whose tokens are routed.
     *
     * @param method the name of a method, or "best"
     * @param limits the fabric
     * @param headers the bytes that are sent with each message besides its own
     * @param [in,out] plan the plan, whose circuits then follow operations
     * @return the number of operations of different kinds and sizes that have topologies
     */
    static std::size_t Apply(const std::string& method,
                             const FabricLimits& limits,
                             uint32_t headers,
                             TrainingPlan& plan);

  private:
    /**
     * @param plan a plan
     * @param kind a kind of group
     * @param layout the servers
     * @return the ranks of each group of the kind, if all have as many and each rank has a port of
     *         its own on the fabric that all ranks of its group share; otherwise 0
     */
    static uint32_t GetGroupSize(const TrainingPlan& plan,
                                 uint32_t kind,
                                 const ServerLayout& layout);
};

} // namespace lightpath
} // namespace ns3

#endif /* TURN_COLLECTIVES_H */
