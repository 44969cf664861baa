/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "turn-collectives.h"

#include "model/collective/turn-schedule.h"
#include "model/planner/price/cost-model.h"
#include "server-collectives.h"

#include "ns3/planning-problem.h"
#include "ns3/training-plan.h"
#include "ns3/turn-clock.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <stdexcept>
#include <utility>

namespace ns3
{
namespace lightpath
{

namespace
{

/// Operations that take less than this share of an iteration altogether keep their ways.
constexpr double LEAST_SHARE = 1e-3;

/**
 * @param plan a plan
 * @return the most tasks that a rank has of each way to carry them out; looked up only
 */
std::map<const TurnSequence*, uint32_t>
CountUses(const TrainingPlan& plan)
{
    std::map<const TurnSequence*, uint32_t> most;
    std::set<const RankProgram*> known;
    for (const auto& program : plan.programs)
    {
        std::map<const TurnSequence*, uint32_t> counts;
        if (known.insert(program.get()).second)
        {
            for (const Task& task : program->GetTasks())
            {
                ++counts[task.options.turns.get()];
            }
        }
        for (const auto& [way, count] : counts)
        {
            most[way] = std::max(most[way], count);
        }
    }
    return most;
}

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

TurnCollectives::TurnCollectives(std::string method, uint32_t headers)
    : m_method(std::move(method)),
      m_headers(headers)
{
}

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

TurnCollectives::Group
TurnCollectives::GetGroup(const TrainingPlan& plan, uint32_t kind, const ServerLayout& layout)
{
    std::optional<Group> common;
    for (uint32_t rank = 0; rank < plan.programs.size(); ++rank)
    {
        const auto& members = plan.groups[kind].GetMembers(rank);
        // A first member that leads a group speaks for it
        if (members.empty() || members.front() != rank)
        {
            continue;
        }
        std::vector<uint32_t> places;
        for (const uint32_t member : members)
        {
            places.push_back(plan.placement.GetPort(member));
        }
        const Group group{static_cast<uint32_t>(places.size()),
                          ServerCollectives::GetLocal(layout, places)};
        common = common.value_or(group);
        std::set<std::pair<uint32_t, uint32_t>> ports;
        std::set<uint32_t> servers;
        bool isOneRail = true;
        for (uint32_t i = 0; i < places.size(); ++i)
        {
            const uint32_t rail = layout.GetRail(places[i]);
            ports.emplace(rail, layout.GetPort(places[i]));
            servers.insert(layout.GetServer(places[i]));
            isOneRail = isOneRail && rail == layout.GetRail(places[i % group.local]);
        }
        const bool areApart = !layout.HasServers() || servers.size() * group.local == places.size();
        if (!isOneRail || !areApart || ports.size() < places.size() || group.size != common->size ||
            group.local != common->local)
        {
            return {};
        }
    }
    return common.value_or(Group());
}

TurnCollectives::Ways&
TurnCollectives::Find(const FabricLimits& limits, const Key& key)
{
    const auto [found, isNew] = m_known.try_emplace(key);
    Ways& ways = found->second;
    if (!isNew)
    {
        return ways;
    }
    const auto& [kind, ports, local, bytes] = key;
    const auto problem = GetProblem(limits, kind, ports, bytes, m_headers);
    if (m_method != "best")
    {
        ways.use = std::make_shared<const TurnSequence>(
            TurnMethods::Solve(m_method, problem, m_carrier).sequence);
        return ways;
    }
    // Ways that turn alike and take as long are the same
    std::map<std::pair<Time, std::vector<std::vector<uint32_t>>>, Way> known;
    for (const auto& row : TurnMethods::GetRows())
    {
        auto sequence = row.isPart ? std::nullopt : row.method->Solve(problem, m_carrier);
        if (sequence)
        {
            std::vector<std::vector<uint32_t>> topologies;
            for (const TurnPhase& phase : sequence->phases)
            {
                topologies.push_back(phase.shifts);
            }
            Way& way = known[{TurnClock::GetTime(problem, *sequence), topologies}];
            way = way ? way : std::make_shared<const TurnSequence>(std::move(*sequence));
            ways.ofMethods.emplace(row.name, way);
        }
    }
    ways.use = known.begin()->second;
    ways.least = known.begin()->first.first.GetSeconds();
    ways.toTry.emplace_back();
    for (const auto& [name, way] : known)
    {
        if (name.first <= known.begin()->first.first + problem.delay)
        {
            ways.toTry.push_back(way);
        }
    }
    return ways;
}

std::size_t
TurnCollectives::Apply(const FabricLimits& limits, TrainingPlan& plan)
{
    std::vector<Group> groups;
    for (uint32_t kind = 0; kind < plan.groups.size(); ++kind)
    {
        groups.push_back(GetGroup(plan, kind, limits.servers.layout));
    }
    m_used.clear();
    const auto mayTurn = [&](const Task& task) {
        const Group group = task.kind == TaskKind::COLLECTIVE ? groups[task.group] : Group();
        const bool isDivided = plan.protocols.GetWireBytes(task.bytes) % std::max(group.size, 1U);
        return group.size > group.local && task.bytes > 0 &&
               task.collective != CollectiveKind::SEND_RECV && !task.options.routing &&
               !task.isAlgorithmGiven && (task.routed.experts == 0 || plan.expertLoad.IsEven()) &&
               (group.local == 1 || task.collective != CollectiveKind::ALL_TO_ALL || !isDivided);
    };
    plan.ChangeTasks(mayTurn, [&](Task& task) {
        const Group group = groups[task.group];
        const uint64_t bytes = plan.protocols.GetWireBytes(task.bytes);
        const bool isExchange = task.collective == CollectiveKind::ALL_TO_ALL;
        const Key key{task.collective,
                      group.size / group.local,
                      group.local,
                      isExchange ? bytes : (bytes + group.local - 1) / group.local};
        m_used.insert(key);
        task.options.local = group.local;
        task.options.turns = Find(limits, key).use;
    });
    plan.turnCircuits = true;
    return m_used.size();
}

double
TurnCollectives::Price(const FabricLimits& limits, TrainingPlan& plan, double limit)
{
    Apply(limits, plan);
    try
    {
        return CostModel(limits).Price(plan, limit).seconds;
    }
    catch (const PricingError&)
    {
        return std::numeric_limits<double>::infinity();
    }
}

std::vector<TurnCollectives::Choice>
TurnCollectives::GetStarts() const
{
    std::vector<Choice> starts(2);
    for (const Key& key : m_used)
    {
        starts[0][key] = m_known.at(key).use;
        starts[1][key] = nullptr;
    }
    for (const auto& row : TurnMethods::GetRows())
    {
        Choice start = starts[0];
        for (auto& [key, way] : start)
        {
            const auto& ways = m_known.at(key).ofMethods;
            const auto found = ways.find(row.name);
            way = found != ways.end() ? found->second : way;
        }
        if (std::find(starts.begin(), starts.end(), start) == starts.end())
        {
            starts.push_back(std::move(start));
        }
    }
    return starts;
}

void
TurnCollectives::Refine(const FabricLimits& limits, TrainingPlan& plan)
{
    if (m_method != "best" || Apply(limits, plan) == 0)
    {
        return;
    }
    const auto uses = CountUses(plan);
    std::map<Key, uint32_t> counts;
    for (const Key& key : m_used)
    {
        counts[key] = uses.at(m_known.at(key).use.get());
    }
    const auto starts = GetStarts();
    double least = std::numeric_limits<double>::infinity();
    Choice best = starts.front();
    const auto compare = [&](const Choice& ways) {
        for (const auto& [key, way] : ways)
        {
            m_known.at(key).use = way;
        }
        const double price = Price(limits, plan, least);
        if (price < least)
        {
            least = price;
            best = ways;
        }
    };
    std::for_each(starts.begin(), starts.end(), compare);
    // Then one operation after the other
    for (const auto& [key, count] : counts)
    {
        const Ways& known = m_known.at(key);
        const double seconds = (known.least + limits.switchingSeconds) * count;
        for (const Way& way : seconds < LEAST_SHARE * least ? std::vector<Way>() : known.toTry)
        {
            Choice ways = best;
            if (std::exchange(ways[key], way) != way)
            {
                compare(ways);
            }
        }
    }
    for (const auto& [key, way] : best)
    {
        m_known.at(key).use = way;
    }
    Apply(limits, plan);
}

void
TurnCollectives::Clear(TrainingPlan& plan)
{
    plan.ChangeTasks([](const Task& task) { return task.options.turns != nullptr; },
                     [](Task& task) { task.options.turns = nullptr; });
}

} // namespace lightpath
} // namespace ns3
