/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "turn-collectives.h"

#include "model/collective/turn-schedule.h"

#include "ns3/planning-problem.h"

#include <cmath>
#include <stdexcept>

namespace ns3
{
namespace lightpath
{

namespace
{

/**
 * @param seconds a time in seconds
 * @return the nearest tick
 */
Time
GetNearest(double seconds)
{
    return TimeStep(std::llround(seconds * static_cast<double>(Seconds(1).GetTimeStep())));
}

} // namespace

TurnProblem
TurnCollectives::GetProblem(const FabricLimits& limits,
                            CollectiveKind kind,
                            uint32_t ranks,
                            uint64_t bytes,
                            uint32_t headers)
{
    if (!limits.canTurn && !limits.turnCircuits)
    {
        throw std::invalid_argument("Topologies in turn need circuit switches whose circuits can "
                                    "follow operations, such as sip-ocs");
    }
    TurnProblem problem;
    problem.kind = TurnSchedule::GetTurnKind(kind);
    problem.ports = ranks;
    problem.bytes = bytes;
    problem.planes = limits.circuits;
    problem.laneRate = static_cast<uint64_t>(limits.laneRate);
    problem.delay = GetNearest(limits.switchingSeconds);
    problem.latency = GetNearest(limits.latency);
    problem.headers = headers;
    problem.listsItems = true;
    return problem;
}

} // namespace lightpath
} // namespace ns3
