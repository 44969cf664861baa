/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "server-shapes.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <unordered_map>

namespace ns3
{
namespace lightpath
{

namespace
{

/// The part of computing that waits for sums: forwards, and backwards the gradients of inputs.
constexpr double EXPOSED_PART = 2.0 / 3;

/// Sums of an iteration that are followed; later ones wait as long on average.
constexpr uint32_t MOST_SUMS = 100;

/// A tensor-parallel group whose messages queue with those of other groups.
struct QueuedGroup
{
    double ready{0};     //!< When it has the next message, seconds
    uint32_t nVisits{0}; //!< Number of times that it has sent

    /**
     * @param other another group
     * @return whether this one is served later
     */
    bool operator<(const QueuedGroup& other) const
    {
        return ready > other.ready;
    }
};

/// A step of a ring from a rank to the next.
struct RingHop
{
    uint32_t next{0};  //!< The next rank
    double seconds{0}; //!< How long its busiest link carries a message
    double latency{0}; //!< Time of a message besides
};

/**
 * A message is sent when the rank has sent the one before and has got it from the rank before. So
 * the steps take as long as the longest way on which each step either stays at a hop, for the time
 * of a message, or goes on to the next one, for the latency besides: all steps at the slowest hop,
 * or along successive hops.
 *
 * @param hops the hops of all rings, by rank
 * @param steps the number of steps
 * @param longest the time of a message on the slowest hop, seconds
 * @return the time of a step besides that, seconds
 */
double
GetRingLatency(const std::map<uint32_t, RingHop>& hops, uint32_t steps, double longest)
{
    constexpr double SLOWEST = 1 - 1e-9;
    double most = 0;
    std::set<uint32_t> seen;
    for (const auto& [rank, hop] : hops)
    {
        // The hops of a ring one after the other
        std::vector<double> seconds;
        for (uint32_t at = rank; hops.count(at) > 0 && seen.insert(at).second;)
        {
            const RingHop& here = hops.at(at);
            seconds.push_back(here.seconds + here.latency);
            const bool isSlowest = here.seconds >= SLOWEST * longest;
            most = std::max(most, isSlowest ? steps * longest + here.latency : 0);
            at = here.next;
        }
        if (seconds.empty())
        {
            continue;
        }
        const std::size_t n = seconds.size();
        const double around = std::accumulate(seconds.begin(), seconds.end(), 0.0);
        double run = std::accumulate(seconds.begin(), seconds.begin() + steps % n, 0.0);
        for (std::size_t begin = 0; begin < n; ++begin)
        {
            most = std::max(most, static_cast<double>(steps / n) * around + run);
            run += seconds[(begin + steps % n) % n] - seconds[begin];
        }
    }
    return std::max(most / steps - longest, 0.0);
}

} // namespace

ServerShapes::ServerShapes(const TrainingPlan& plan, const RankClasses& classes, PlanPaths& paths)
    : m_plan(plan),
      m_classes(classes),
      m_paths(paths)
{
}

FlowNetwork::Shape
ServerShapes::Make(uint32_t kind,
                   const std::vector<uint32_t>& classes,
                   const GetTransfers& sends,
                   const GetTransfers& receives,
                   double share,
                   uint32_t steps)
{
    ServerLinks& servers = *m_paths.GetServers();
    const RankGroups& groups = m_plan.groups[kind];
    FlowNetwork::Shape shape;
    std::unordered_map<uint32_t, double> loads; // looked up only
    std::vector<Transfer> transfers;
    ServerLinks::Way way;
    const auto find = [&](uint32_t from, uint32_t to, bool isInside) {
        from == to ? servers.GetAverageWay(from, isInside, way) : servers.GetWay(from, to, way);
    };
    std::unordered_map<uint32_t, double> own; // of the group of the first class; looked up only
    const auto& first = groups.GetMembers(m_classes.GetRepresentative(classes.front()));
    uint32_t busiest = FlowNetwork::NONE;
    double longest = 0;
    for (const auto number : classes)
    {
        for (const auto rank : m_classes.GetRanks(number))
        {
            const auto& members = groups.GetMembers(rank);
            const bool isOwn = members.front() == first.front();
            sends(rank, transfers);
            for (const auto& transfer : transfers)
            {
                find(rank, members[transfer.peer], transfer.isInside);
                const double bytes =
                    m_paths.GetFrameBytes(share * static_cast<double>(transfer.bytes));
                for (const auto& use : way.links)
                {
                    double& load = loads[use.index];
                    load += use.bytes * bytes;
                    own[use.index] += isOwn ? use.bytes * bytes : 0;
                    if (load / servers.GetRate(use.index) > longest)
                    {
                        longest = load / servers.GetRate(use.index);
                        busiest = use.index;
                    }
                }
            }
        }
    }
    const ServerLayout& layout = m_paths.GetLayout();
    const uint32_t representative = m_classes.GetRepresentative(classes.front());
    sends(representative, transfers);
    const bool isRing = transfers.size() == 1 && steps + 1 >= first.size();
    // A step takes as long as the message that arrives last
    double last = 0;
    std::map<uint32_t, RingHop> hops;
    for (const auto number : classes)
    {
        for (const auto rank : m_classes.GetRanks(number))
        {
            sends(rank, transfers);
            for (const auto& transfer : transfers)
            {
                RingHop hop;
                hop.next = groups.GetMembers(rank)[transfer.peer];
                find(rank, hop.next, transfer.isInside);
                const auto bytes = share * static_cast<double>(transfer.bytes);
                hop.latency = m_paths.GetServerLatency(way, m_paths.GetFrameBytes(bytes));
                for (const auto& use : way.links)
                {
                    const double seconds = loads[use.index] / servers.GetRate(use.index);
                    hop.seconds = std::max(hop.seconds, seconds);
                }
                last = std::max(last, hop.seconds + hop.latency);
                if (isRing && transfers.size() == 1)
                {
                    hops[rank] = hop;
                }
            }
        }
    }
    shape.latency = isRing ? GetRingLatency(hops, steps, longest) : std::max(last - longest, 0.0);
    std::set<uint32_t> links;
    const auto note = [&links, &way] {
        for (const auto& use : way.links)
        {
            links.insert(use.index);
        }
    };
    for (const auto number : classes)
    {
        const uint32_t rank = m_classes.GetRepresentative(number);
        const auto& members = groups.GetMembers(rank);
        sends(rank, transfers);
        for (const auto& transfer : transfers)
        {
            find(rank, members[transfer.peer], transfer.isInside);
            note();
            // The switch of a server averages: its messages take no path between ranks
            if (!transfer.isInside)
            {
                FlowNetwork::Add(
                    shape.paths,
                    m_paths.GetPathOf(rank, members[transfer.peer]).index,
                    m_paths.GetFrameBytes(share * static_cast<double>(transfer.bytes)));
            }
        }
        receives(rank, transfers);
        for (const auto& transfer : transfers)
        {
            find(members[transfer.peer], rank, transfer.isInside);
            note();
        }
    }
    if (!links.empty())
    {
        links.insert(busiest);
    }
    // Along a ring, the members in a server hand on their messages faster than its port sends them
    const auto together =
        isRing ? std::count_if(first.begin(),
                               first.end(),
                               [&](uint32_t rank) {
                                   return layout.GetRail(rank) == layout.GetRail(representative) &&
                                          layout.GetPort(rank) == layout.GetPort(representative);
                               })
               : 1;
    for (const auto link : links)
    {
        // Groups on ports of their own share links fairly, and stay in step
        const bool isQueued = kind == TENSOR_GROUP && classes.size() == 1 &&
                              m_paths.GetLayout().portGpus > 1 && own[link] > 0;
        shape.links.push_back({link,
                               isQueued ? GetQueuedSeconds(classes.front(),
                                                           own[link] / servers.GetRate(link),
                                                           loads[link] / own[link],
                                                           steps,
                                                           together) *
                                              servers.GetRate(link)
                                        : loads[link]});
    }
    return shape;
}

double
ServerShapes::GetQueuedSeconds(uint32_t number,
                               double seconds,
                               double nGroups,
                               uint32_t steps,
                               uint32_t together)
{
    const uint32_t visits = (steps + together - 1) / together;
    const RankProgram& program = *m_plan.programs[m_classes.GetRepresentative(number)];
    auto& all = m_nSums[number];
    if (all == 0)
    {
        const auto& tasks = program.GetTasks();
        all = std::count_if(tasks.begin(), tasks.end(), [](const Task& task) {
            return task.kind == TaskKind::COLLECTIVE && task.group == TENSOR_GROUP;
        });
    }
    const double compute = EXPOSED_PART * program.GetComputeSeconds() / all;
    const uint32_t most = std::min(all, MOST_SUMS) * visits;
    // All groups begin together. The port sends the messages in the order in which they come
    std::vector<QueuedGroup> queue(static_cast<std::size_t>(std::lround(nGroups)));
    const auto count = static_cast<double>(queue.size());
    double now = 0;
    double waited = 0;
    while (!queue.empty())
    {
        std::pop_heap(queue.begin(), queue.end());
        QueuedGroup& group = queue.back();
        now = std::max(now, group.ready) + seconds * together;
        waited += now - group.ready;
        group.ready = now;
        if (++group.nVisits % visits == 0)
        {
            group.ready += compute;
        }
        if (group.nVisits < most)
        {
            std::push_heap(queue.begin(), queue.end());
        }
        else
        {
            queue.pop_back();
        }
    }
    return waited / (count * most * together);
}

} // namespace lightpath
} // namespace ns3
