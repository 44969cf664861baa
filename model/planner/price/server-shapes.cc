/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "server-shapes.h"

#include "model/plan/program-traffic.h"

#include <algorithm>
#include <cmath>
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

/// Sums of an iteration that are followed; more wait as long on average.
constexpr double MOST_SUMS = 100;

/// A tensor-parallel group whose messages queue with those of others.
struct QueuedGroup
{
    double ready{0};    //!< When it has the next message, seconds
    uint32_t nSteps{0}; //!< Messages that have been sent

    /// @return whether this group is served after another one
    bool operator<(const QueuedGroup& other) const
    {
        return ready > other.ready;
    }
};

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
    double sent = 0;
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
                shape.latency = std::max(shape.latency, m_paths.GetServerLatency(way, bytes));
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
            sent += share * static_cast<double>(transfer.bytes);
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
    for (const auto link : links)
    {
        // Groups on ports of their own share links fairly, and stay in step
        const bool isQueued = kind == TENSOR_GROUP && classes.size() == 1 &&
                              m_paths.GetLayout().portGpus > 1 && own[link] > 0;
        shape.links.push_back({link,
                               isQueued ? GetQueuedSeconds(classes.front(),
                                                           own[link] / servers.GetRate(link),
                                                           loads[link] / own[link],
                                                           sent * steps,
                                                           steps) *
                                              servers.GetRate(link)
                                        : loads[link]});
    }
    return shape;
}

double
ServerShapes::GetQueuedSeconds(uint32_t number,
                               double seconds,
                               double nGroups,
                               double sent,
                               uint32_t steps)
{
    // The bytes that a rank sends to tensor-parallel groups in an iteration
    auto& bytes = m_tensorBytes[number];
    const uint32_t rank = m_classes.GetRepresentative(number);
    const RankProgram& program = *m_plan.programs[rank];
    if (bytes == 0)
    {
        for (const auto& [peer, size] :
             ProgramTraffic(program, m_plan.protocols).GetPeers(m_plan.groups, rank))
        {
            bytes += peer.first == TENSOR_GROUP ? static_cast<double>(size) : 0;
        }
    }
    const double all = std::max(bytes / sent, 1.0);
    const double compute = EXPOSED_PART * program.GetComputeSeconds() / all;
    const auto sums = static_cast<uint32_t>(std::min(all, MOST_SUMS));
    // All groups begin together. The port sends the messages in the order in which they come
    std::vector<QueuedGroup> queue(static_cast<std::size_t>(std::lround(nGroups)));
    const auto count = static_cast<double>(queue.size());
    double now = 0;
    double waited = 0;
    while (!queue.empty())
    {
        std::pop_heap(queue.begin(), queue.end());
        QueuedGroup& group = queue.back();
        now = std::max(now, group.ready) + seconds;
        waited += now - group.ready;
        group.ready = now;
        if (++group.nSteps % steps == 0)
        {
            group.ready += compute;
        }
        group.nSteps < sums* steps ? std::push_heap(queue.begin(), queue.end()) : queue.pop_back();
    }
    return waited / (count * sums * steps);
}

} // namespace lightpath
} // namespace ns3
