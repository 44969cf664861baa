/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIGHTPATH_TURN_CASES_H
#define LIGHTPATH_TURN_CASES_H

#include "collective-cases.h"
#include "model/collective/turn-schedule.h"

#include "ns3/turn-methods.h"

#include <memory>
#include <string>
#include <vector>

/**
 * @ingroup lightpath-tests
 * @param n the number of ranks
 * @param bytes the size of the buffer
 * @return the schedules of all methods that find topologies, for all operations, with one to four
 *         planes and delays that suit few and many of them
 */
inline std::vector<ScheduleCase>
MakeTurnCases(uint32_t n, uint64_t bytes)
{
    using namespace ns3::lightpath;
    std::vector<ScheduleCase> cases;
    TurnCarrier carrier;
    for (const auto kind : {CollectiveKind::ALL_REDUCE,
                            CollectiveKind::REDUCE_SCATTER,
                            CollectiveKind::ALL_GATHER,
                            CollectiveKind::ALL_TO_ALL})
    {
        for (uint32_t each = 0; each < 4 * TurnMethods::GetRows().size(); ++each)
        {
            const auto& row = TurnMethods::GetRows()[each / 4];
            TurnProblem problem;
            problem.kind = TurnSchedule::GetTurnKind(kind);
            problem.bytes = bytes;
            problem.planes = 1 + each % 4;
            problem.delay = ns3::NanoSeconds(each % 2 == 0 ? 1 : 30);
            problem.latency = ns3::NanoSeconds(10);
            problem.listsItems = true;
            // Among all ranks, and across servers of two
            for (uint32_t local = 1; local <= 2 && n % local == 0 && n > local; ++local)
            {
                problem.ports = n / local;
                const uint64_t whole =
                    local > 1 && kind == CollectiveKind::ALL_TO_ALL ? bytes - bytes % n : bytes;
                if (auto sequence = row.method->Solve(problem, carrier))
                {
                    CollectiveOptions options(local);
                    options.turns = std::make_shared<const TurnSequence>(*sequence);
                    cases.push_back({CollectiveSchedule::Create(kind, n, whole, options),
                                     kind,
                                     options,
                                     row.name + " of " + std::to_string(n) + " ranks, " +
                                         std::to_string(local) + " a server, and " +
                                         std::to_string(problem.planes) + " planes"});
                }
            }
        }
    }
    return cases;
}

#endif /* LIGHTPATH_TURN_CASES_H */
