/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "turn-collectives.h"

#include "model/collective/turn-schedule.h"

#include "ns3/planning-problem.h"
#include "ns3/training-plan.h"

#include <cmath>
#include <map>
#include <memory>
#include <set>
#include <stdexcept>
#include <tuple>
#include <vector>

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

uint32_t
TurnCollectives::GetGroupSize(const TrainingPlan& plan, uint32_t kind, const ServerLayout& layout)
{
    std::set<std::size_t> sizes;
    for (uint32_t rank = 0; rank < plan.programs.size(); ++rank)
    {
        const auto& members = plan.groups[kind].GetMembers(rank);
        sizes.insert(members.size());
        // A first member that leads a group speaks for it
        if (members.empty() || members.front() != rank)
        {
            continue;
        }
        std::set<uint32_t> ports;
        std::set<uint32_t> rails;
        for (const uint32_t member : members)
        {
            const uint32_t place = plan.placement.GetPort(member);
            ports.insert(layout.GetPort(place));
            rails.insert(layout.GetRail(place));
        }
        if (ports.size() < members.size() || rails.size() > 1)
        {
            return 0;
        }
    }
    return sizes.size() == 1 ? static_cast<uint32_t>(*sizes.begin()) : 0;
}

std::size_t
TurnCollectives::Apply(const std::string& method,
                       const FabricLimits& limits,
                       uint32_t headers,
                       TrainingPlan& plan)
{
    std::vector<uint32_t> sizes;
    for (uint32_t kind = 0; kind < plan.groups.size(); ++kind)
    {
        sizes.push_back(GetGroupSize(plan, kind, limits.servers.layout));
    }
    TurnCarrier carrier;
    std::map<std::tuple<CollectiveKind, uint32_t, uint64_t>, std::shared_ptr<const TurnSequence>>
        known;
    plan.ChangeTasks(
        [&](const Task& task) {
            return task.kind == TaskKind::COLLECTIVE && sizes[task.group] > 1 &&
                   task.collective != CollectiveKind::SEND_RECV && !task.options.routing &&
                   !task.isAlgorithmGiven && (task.routed.experts == 0 || plan.expertLoad.IsEven());
        },
        [&](Task& task) {
            const uint32_t ranks = sizes[task.group];
            const uint64_t bytes = plan.protocols.GetWireBytes(task.bytes);
            auto& sequence = known[{task.collective, ranks, bytes}];
            if (!sequence)
            {
                const auto problem = GetProblem(limits, task.collective, ranks, bytes, headers);
                sequence = std::make_shared<const TurnSequence>(
                    TurnMethods::Solve(method, problem, carrier).sequence);
            }
            task.options.turns = sequence;
        });
    plan.turnCircuits = true;
    return known.size();
}

} // namespace lightpath
} // namespace ns3
