/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TURN_COLLECTIVES_H
#define TURN_COLLECTIVES_H

#include "model/control/turns/turn-methods.h"

#include "ns3/collective-schedule.h"

#include <cstdint>
#include <string>

namespace ns3
{
namespace lightpath
{

struct FabricLimits;

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
};

} // namespace lightpath
} // namespace ns3

#endif /* TURN_COLLECTIVES_H */
