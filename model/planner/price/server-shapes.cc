/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "server-shapes.h"

#include "model/plan/program-traffic.h"

#include <algorithm>
#include <set>
#include <unordered_map>

namespace ns3
{
namespace lightpath
{

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
                   double share)
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
        const double load = kind == TENSOR_GROUP && classes.size() == 1
                                ? GetSpreadLoad(classes.front(), link, own[link], loads[link], sent)
                                : loads[link];
        shape.links.push_back({link, load});
    }
    return shape;
}

double
ServerShapes::GetSpreadLoad(uint32_t number, uint32_t link, double own, double all, double sent)
{
    if (!(own > 0) || !(all > own) || !(sent > 0))
    {
        return all;
    }
    // The bytes that a rank sends to tensor-parallel groups in an iteration, by links of this kind
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
    const double seconds = bytes / sent / m_paths.GetServers()->GetRate(link);
    const double alone = seconds * own;
    return own * std::max(alone, seconds * all - program.GetComputeSeconds()) / alone;
}

} // namespace lightpath
} // namespace ns3
