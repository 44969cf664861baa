/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "server-collectives.h"

#include "model/collective/algorithm-table.h"
#include "ring-collectives.h"
#include "torus-collectives.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>

namespace ns3
{
namespace lightpath
{

namespace
{

/// Times that differ by less than this part of them count as the same.
constexpr double ALIKE = 1e-3;

/// Most peers that one rank sends to directly across servers.
constexpr uint32_t MOST_PEERS = 64;

} // namespace

std::map<uint32_t, ServerCollectives::Group>
ServerCollectives::GetGroups(const FabricLimits& fabric, const TrainingPlan& plan)
{
    std::map<uint32_t, Group> chosen;
    for (uint32_t kind = 0; kind < plan.groups.size() && fabric.HasServers(); ++kind)
    {
        const auto algorithm =
            kind == TENSOR_GROUP ? plan.strategy.tensorAlgorithm : plan.strategy.dataAlgorithm;
        if (algorithm != CollectiveAlgorithm::AUTOMATIC && kind != EXPERT_GROUP)
        {
            continue;
        }
        // All groups of a kind do the same: in two levels only if all of them can
        for (uint32_t rank = 0; rank < plan.programs.size(); ++rank)
        {
            std::vector<uint32_t> places = plan.groups[kind].GetMembers(rank);
            if (places.empty() || places.front() != rank)
            {
                continue;
            }
            for (auto& place : places)
            {
                place = plan.placement.GetPort(place);
            }
            const auto size = static_cast<uint32_t>(places.size());
            const CollectiveOptions options = Get(fabric, plan, kind, places);
            const auto [found, isFirst] = chosen.try_emplace(kind, Group{size, options});
            if (!isFirst && (size != found->second.size || !(options == found->second.options)))
            {
                found->second.options = CollectiveOptions();
            }
        }
    }
    return chosen;
}

void
ServerCollectives::Choose(const FabricLimits& fabric, TrainingPlan& plan)
{
    using A = CollectiveAlgorithm;
    const auto chosen = GetGroups(fabric, plan);
    using Key = std::tuple<uint32_t, CollectiveKind, uint64_t, bool>;
    std::map<Key, CollectiveOptions> fastest;
    const auto get = [&](const Task& task) {
        const auto& [size, common] = chosen.at(task.group);
        CollectiveOptions options = common;
        if (task.IsSum())
        {
            const uint64_t bytes = plan.protocols.GetWireBytes(task.bytes);
            const Key key{task.group, task.collective, bytes, task.isAlgorithmGiven};
            const auto [found, isNew] = fastest.try_emplace(key);
            if (isNew)
            {
                found->second = GetFastest(fabric,
                                           task.collective,
                                           size,
                                           bytes,
                                           common,
                                           task.isAlgorithmGiven ? std::vector<A>()
                                                                 : std::vector<A>{A::SERVER_RINGS});
            }
            options = found->second;
        }
        if (task.isAlgorithmGiven && task.options.algorithm == A::SERVER_RINGS)
        {
            const bool hasLevels = common.local > 1 && common.local < size;
            options = hasLevels ? CollectiveOptions(common.local, A::SERVER_RINGS)
                                : CollectiveOptions(1, A::RING);
        }
        options.routing = task.options.routing;
        return options;
    };
    const auto isOther = [&](const Task& task) {
        // In two levels, or through servers, as far as groups are in several
        const bool isFlat =
            task.isAlgorithmGiven && task.options.algorithm != A::AUTOMATIC &&
            AlgorithmTable::GetRow(task.options.algorithm).needs != AlgorithmTable::Needs::SERVERS;
        return chosen.count(task.group) > 0 && task.kind == TaskKind::COLLECTIVE && !isFlat &&
               task.collective != CollectiveKind::SEND_RECV &&
               task.options.algorithm != A::IN_NETWORK && !(task.options == get(task));
    };
    plan.ChangeTasks(isOther, [&get](Task& task) { task.options = get(task); });
}

CollectiveOptions
ServerCollectives::GetFastest(const FabricLimits& fabric,
                              CollectiveKind kind,
                              uint32_t ranks,
                              uint64_t bytes,
                              const CollectiveOptions& options,
                              const std::vector<CollectiveAlgorithm>& others)
{
    using A = CollectiveAlgorithm;
    const ServerLimits& servers = fabric.servers;
    const uint32_t local = options.local;
    if (options.algorithm != A::AUTOMATIC || local < 2 || local >= ranks || servers.isRing ||
        bytes == 0)
    {
        return options;
    }
    const uint32_t nServers = ranks / local;
    std::vector<A> insides{options.inside};
    if (options.inside == A::AUTOMATIC)
    {
        insides.push_back(A::DIRECT);
        if (servers.reduces && local == servers.layout.gpus && kind != CollectiveKind::ALL_GATHER)
        {
            insides.push_back(A::IN_NETWORK);
        }
    }
    std::vector<A> acrosses{options.across};
    const bool isSwitch = fabric.isShared && fabric.leaf.gpus == 0 && fabric.grid.rows == 0 &&
                          (!fabric.links.getWay || fabric.links.isHashed) && !fabric.linksFor;
    if (options.across == A::AUTOMATIC && isSwitch)
    {
        if ((nServers & (nServers - 1)) == 0)
        {
            acrosses.push_back(A::HALVING_DOUBLING);
        }
        if (nServers <= MOST_PEERS)
        {
            acrosses.push_back(A::DIRECT);
        }
    }
    std::vector<CollectiveOptions> ways;
    for (const auto inside : insides)
    {
        for (const auto across : acrosses)
        {
            ways.emplace_back(local, A::AUTOMATIC, options.rings, inside, across);
            ways.back().axes = options.axes;
        }
    }
    const bool areFree = options.inside == A::AUTOMATIC && options.across == A::AUTOMATIC;
    for (const auto other : others)
    {
        // Rings of two GPUs change places in an odd number of servers: they would cross rails, and
        // GPUs would differ, so that no plan could be folded
        const bool isPossible = other == A::SERVER_RINGS
                                    ? local > 2 || nServers % 2 == 0
                                    : isSwitch && !servers.layout.hasRails && ranks <= MOST_PEERS;
        if (areFree && isPossible && AlgorithmTable::IsFor(other, kind))
        {
            ways.emplace_back(local, other);
        }
    }
    const auto getCost = [](double latency, double rate, double peerRate, uint32_t peers) {
        return LinkCost{latency, (peerRate > 0 ? std::min(rate, peers * peerRate) : rate) / 8};
    };
    CollectiveOptions best = options;
    double least = std::numeric_limits<double>::infinity();
    for (const auto& way : ways)
    {
        const auto schedule = CollectiveSchedule::Create(kind, ranks, bytes, way);
        const double seconds =
            schedule->GetServerSeconds(getCost(servers.latency,
                                               servers.bitRate,
                                               servers.pairBitRate,
                                               way.inside == A::DIRECT ? local - 1 : 1),
                                       getCost(fabric.latency,
                                               fabric.bitRate / servers.layout.portGpus,
                                               fabric.peerBitRate / servers.layout.portGpus,
                                               way.across == A::DIRECT ? nServers - 1 : way.rings));
        if (seconds < least * (1 - ALIKE))
        {
            least = seconds;
            best = way;
        }
    }
    return best;
}

CollectiveOptions
ServerCollectives::Get(const FabricLimits& fabric,
                       const TrainingPlan& plan,
                       uint32_t kind,
                       const std::vector<uint32_t>& places)
{
    using A = CollectiveAlgorithm;
    const ServerLayout& layout = fabric.servers.layout;
    const Strategy& strategy = plan.strategy;
    const auto size = static_cast<uint32_t>(places.size());
    const uint32_t local = GetLocal(layout, places);
    if (kind == EXPERT_GROUP)
    {
        const bool savesPeers = fabric.laneRate > 0 && layout.portGpus == 1 && !layout.hasRails;
        const bool isTwoStep =
            local > 1 && local < size &&
            (strategy.oncePerServer || savesPeers || (layout.hasRails && !layout.crossesRails));
        return isTwoStep ? CollectiveOptions(local, A::TWO_LEVEL) : CollectiveOptions(local);
    }
    CollectiveOptions options(local, A::AUTOMATIC, 1, strategy.insideAlgorithm);
    const bool canSum =
        options.inside == A::AUTOMATIC && fabric.servers.reduces && local == layout.gpus;
    if (local == size && options.inside == A::AUTOMATIC && size > 2 && !fabric.servers.HasSwitch())
    {
        // All links of a GPU to the others, or both directions of a whole ring
        const bool isWhole = size == layout.gpus;
        return !fabric.servers.isRing ? CollectiveOptions(1, A::DIRECT)
               : isWhole              ? CollectiveOptions(1, A::MULTI_RING, 2)
                                      : CollectiveOptions();
    }
    if (local == size)
    {
        options.inside = canSum ? A::IN_NETWORK : options.inside;
        // One level needs no word about servers unless their switch sums
        return options.inside == A::AUTOMATIC ? CollectiveOptions() : options;
    }
    options.across = strategy.acrossAlgorithm;
    const bool isAlone = strategy.pipelineParallel == 1 && strategy.expertParallel == 1;
    if (fabric.averagedBits > 0 && kind == DATA_GROUP && strategy.zeroStage == 0 &&
        CanAverage(fabric, places, local, static_cast<uint32_t>(plan.programs.size())))
    {
        options.inside = canSum ? A::IN_NETWORK : options.inside;
        options.across = A::IN_NETWORK;
    }
    else if (options.across == A::AUTOMATIC && fabric.links.isMesh)
    {
        options.across = A::DIRECT;
    }
    else if (options.across == A::AUTOMATIC && fabric.links.getWay && !fabric.links.isHashed)
    {
        std::vector<uint32_t> ports;
        for (uint32_t i = 0; i < size; i += local)
        {
            ports.push_back(layout.GetPort(places[i]));
        }
        const RankAxes axes =
            fabric.links.isTorus ? TorusCollectives::Find(fabric.links, ports) : RankAxes();
        if (axes.GetNPlaces() > 1)
        {
            options.across = A::TORUS;
            options.axes = axes;
            return options;
        }
        options.rings = RingCollectives::Count(fabric.links, ports);
        options.across = options.rings > 1 ? A::MULTI_RING : A::AUTOMATIC;
        return options;
    }
    else if (options.across == A::AUTOMATIC && kind == DATA_GROUP && isAlone && size / local > 2 &&
             fabric.peerBitRate > 0 && fabric.peerBitRate < fabric.bitRate && fabric.degree != 1)
    {
        options.across = A::MULTI_RING;
    }
    options.rings = options.across == A::MULTI_RING ? 2 : 1;
    return options;
}

uint32_t
ServerCollectives::GetLocal(const ServerLayout& layout, const std::vector<uint32_t>& places)
{
    const auto size = static_cast<uint32_t>(places.size());
    uint32_t local = 1;
    while (local < size && layout.AreInside(places[local], places[0]))
    {
        ++local;
    }
    std::set<uint32_t> servers;
    bool fits = size % local == 0;
    for (uint32_t i = 0; fits && i < size; ++i)
    {
        fits = layout.AreInside(places[i], places[i - i % local]) &&
               (i % local > 0 || servers.insert(layout.GetServer(places[i])).second);
    }
    return fits ? local : 1;
}

bool
ServerCollectives::CanAverage(const FabricLimits& fabric,
                              const std::vector<uint32_t>& places,
                              uint32_t local,
                              uint32_t nPlaces)
{
    const ServerLayout& layout = fabric.servers.layout;
    for (uint32_t index = 0; index < local; ++index)
    {
        std::set<std::pair<uint32_t, uint32_t>> ports;
        std::set<uint32_t> rails;
        for (std::size_t i = index; i < places.size(); i += local)
        {
            const uint32_t rail = layout.GetRail(places[i]);
            rails.insert(rail);
            ports.emplace(rail, layout.GetPort(places[i]));
        }
        if (rails.size() != 1 || ports.size() != layout.GetNPorts(nPlaces) ||
            ports.size() * local != places.size())
        {
            return false;
        }
    }
    return true;
}

void
ServerCollectives::CheckAveraged(const FabricLimits& fabric, const TrainingPlan& plan)
{
    const Task* const task =
        fabric.averagedBits > 0 && fabric.HasServers() ? FindNotAveraged(fabric, plan) : nullptr;
    if (task != nullptr)
    {
        const auto gpus = static_cast<uint32_t>(plan.programs.size());
        throw std::invalid_argument(
            "The fabric between servers averages what all of its " +
            std::to_string(fabric.servers.layout.GetNPorts(gpus)) +
            " ports send and carries nothing else, such as '" + task->name +
            "' of the plan: it takes gradients of groups with one GPU at each port, as with "
            "tensor parallelism inside servers that are attached by rail or server");
    }
}

const Task*
ServerCollectives::FindNotAveraged(const FabricLimits& fabric, const TrainingPlan& plan)
{
    // Tasks of a program that have the same peers
    using Key = std::tuple<TaskKind, uint32_t, uint32_t, CollectiveKind, CollectiveOptions>;
    std::map<const RankProgram*, std::map<Key, const Task*>> distinct; // looked up only
    for (uint32_t rank = 0; rank < plan.programs.size(); ++rank)
    {
        const RankProgram& program = *plan.programs[rank];
        const auto [found, isNew] = distinct.try_emplace(&program);
        auto& tasks = found->second;
        for (std::size_t i = 0; isNew && i < program.GetTasks().size(); ++i)
        {
            const Task& task = program.GetTasks()[i];
            tasks.try_emplace({task.kind, task.group, task.peer, task.collective, task.options},
                              &task);
        }
        for (const auto& [key, task] : tasks)
        {
            if (IsOutside(fabric, plan, rank, *task))
            {
                return task;
            }
        }
    }
    return nullptr;
}

bool
ServerCollectives::IsOutside(const FabricLimits& fabric,
                             const TrainingPlan& plan,
                             uint32_t rank,
                             const Task& task)
{
    const ServerLayout& layout = fabric.servers.layout;
    if (task.kind == TaskKind::COMPUTE || task.kind == TaskKind::RECEIVE)
    {
        return false;
    }
    const RankGroups& groups = plan.groups[task.group];
    std::vector<uint32_t> places = groups.GetMembers(rank);
    for (auto& place : places)
    {
        place = plan.placement.GetPort(place);
    }
    const uint32_t own = plan.placement.GetPort(rank);
    if (task.kind == TaskKind::SEND)
    {
        return !layout.AreInside(own, places[task.peer]);
    }
    const uint32_t position = groups.GetPosition(rank);
    std::vector<Transfer> totals;
    CollectiveSchedule::Create(task.collective,
                               static_cast<uint32_t>(places.size()),
                               task.bytes,
                               task.options)
        ->GetTotals(position, totals);
    return std::any_of(totals.begin(), totals.end(), [&](const Transfer& total) {
        return total.peer != position
                   ? !layout.AreInside(own, places[total.peer])
                   : !total.isInside && !CanAverage(fabric,
                                                    places,
                                                    task.options.local,
                                                    static_cast<uint32_t>(plan.programs.size()));
    });
}

} // namespace lightpath
} // namespace ns3
