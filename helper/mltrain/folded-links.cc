/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "folded-links.h"

#include "model/fabric/leaf-routes.h"
#include "model/plan/program-traffic.h"

#include "ns3/link-sharing.h"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <string>

namespace ns3
{
namespace lightpath
{

namespace
{

/// Rates in units of bit/s / LinkSharing::WHOLE.
__extension__ typedef unsigned __int128 Parts;

/**
 * @param pairs pairs, of which those with the same first rank follow each other
 * @param isSender whether the first rank sends
 * @param [in,out] routes the ways between ports
 * @param nLinks the number of links
 * @return the most that all first ranks can put on each link
 */
std::vector<Parts>
SumMost(const std::vector<std::pair<uint32_t, uint32_t>>& pairs,
        bool isSender,
        LeafRoutes& routes,
        std::size_t nLinks)
{
    std::vector<Parts> sums(nLinks);
    std::vector<uint32_t> most(nLinks);
    std::vector<uint32_t> touched;
    for (std::size_t i = 0; i < pairs.size(); ++i)
    {
        const auto& [own, peer] = pairs[i];
        for (const auto& use :
             (isSender ? routes.GetWay(own, peer) : routes.GetWay(peer, own)).uses)
        {
            if (most[use.link] == 0)
            {
                touched.push_back(use.link);
            }
            most[use.link] = std::max(most[use.link], use.part);
        }
        if (i + 1 < pairs.size() && pairs[i + 1].first == own)
        {
            continue;
        }
        const uint64_t rate =
            (isSender ? routes.GetUp(own) : routes.GetDown(own)).rate.GetBitRate();
        for (const uint32_t link : touched)
        {
            sums[link] += Parts(rate) * most[link];
            most[link] = 0;
        }
        touched.clear();
    }
    return sums;
}

} // namespace

std::vector<FoldedLinks::Pair>
FoldedLinks::CheckDelays(const TrainingPlan& plan,
                         const ServerLayout& layout,
                         const PlanFolder& folder,
                         LeafRoutes& routes)
{
    const auto& ranks = folder.GetRanks();
    std::map<const RankProgram*, ProgramTraffic> traffic; // looked up only
    std::vector<Pair> pairs;
    for (uint32_t rank = 0; rank < plan.programs.size(); ++rank)
    {
        const RankProgram& program = *plan.programs[rank];
        auto& ofProgram = traffic.try_emplace(&program, program, plan.protocols).first->second;
        const uint32_t folded = folder.FindFolded(rank);
        for (const auto& [place, bytes] : ofProgram.GetPeers(plan.groups, rank))
        {
            const uint32_t peer = plan.groups[place.first].GetMembers(rank)[place.second];
            if (bytes == 0 || peer == rank || (layout.HasServers() && layout.AreInside(rank, peer)))
            {
                continue;
            }
            const auto isAlike = [&](uint32_t from, uint32_t to) {
                return routes.GetWay(from, to).exists &&
                       routes.GetDelay(from, to) == routes.GetDelay(rank, peer);
            };
            // As the sender sees it, and as the receiver does
            const uint32_t to = folder.FindTwin(rank, peer, place.first);
            const uint32_t from = folder.FindTwin(peer, rank, place.first);
            const uint32_t receiver = folder.FindFolded(peer);
            if (to == folded)
            {
                throw std::invalid_argument("GPU " + std::to_string(rank) +
                                            " would stand for GPU " + std::to_string(peer) +
                                            ", to which it sends: on a network of links only a "
                                            "plan whose replicas sum around rings can be folded "
                                            "with dualpipe");
            }
            if (!isAlike(ranks[folded], ranks[to]) || !isAlike(ranks[from], ranks[receiver]))
            {
                throw std::invalid_argument(
                    "GPU " + std::to_string(rank) + " has another delay to GPU " +
                    std::to_string(peer) +
                    " than the GPUs that would stand for them: on a network of links only a plan "
                    "that gives all GPUs of a stage ways of the same length, as leaves of one "
                    "server do, can be folded");
            }
            pairs.emplace_back(rank, peer);
        }
    }
    return pairs;
}

void
FoldedLinks::CheckRates(const LinkGraph& graph, LeafRoutes& routes, std::vector<Pair> pairs)
{
    const auto& links = graph.GetLinks();
    const auto ofSenders = SumMost(pairs, true, routes, links.size());
    for (auto& pair : pairs)
    {
        std::swap(pair.first, pair.second);
    }
    std::sort(pairs.begin(), pairs.end());
    const auto ofReceivers = SumMost(pairs, false, routes, links.size());
    for (std::size_t i = 0; i < links.size(); ++i)
    {
        if (std::min(ofSenders[i], ofReceivers[i]) >
            Parts(links[i].rate.GetBitRate()) * LinkSharing::WHOLE)
        {
            throw std::invalid_argument(
                "The link from " + graph.GetName(links[i].from) + " to " +
                graph.GetName(links[i].to) +
                " may hold back GPUs, of which few would send: only on a network whose links "
                "between switches carry all that GPUs send, without oversubscription, can a plan "
                "be folded");
        }
    }
}

PlanFolder
FoldedLinks::Fold(const TrainingPlan& plan,
                  const ServerLayout& layout,
                  const LinkGraphHelper& network)
{
    if (!plan.placement.IsLinear())
    {
        throw std::invalid_argument("The plan has the placement " + plan.placement.GetName() +
                                    ": on a network of links only a plan with the placement "
                                    "linear can be folded");
    }
    const auto gpus = static_cast<uint32_t>(plan.programs.size());
    const LinkGraph graph = network.GetGraph(gpus);
    const auto leaves = network.HasLeaves() ? network.GetLeaves(gpus) : LinkGraphHelper::Leaves();
    // A pod of a fat tree has as many leaves as each of them has links up
    const uint32_t ofLeaf = leaves.nodes * leaves.rails;
    std::string refusal;
    for (const bool wholeServers : {false, true})
    {
        for (const uint32_t kept : {1U, ofLeaf, ofLeaf * leaves.up})
        {
            const bool isLeaf = kept > layout.gpus && kept < gpus;
            if ((kept > 1 && !isLeaf) || (wholeServers && layout.gpus == 1))
            {
                continue;
            }
            try
            {
                PlanFolder folder(plan, layout.gpus, kept, 2, wholeServers);
                Check(plan, layout, graph, folder);
                const bool isGain =
                    folder.GetRanks().size() < gpus && folder.GetPlan().foldsExactly;
                if (!wholeServers || isGain)
                {
                    return folder;
                }
            }
            catch (const std::invalid_argument& error)
            {
                // The refusal of servers that are all alike is the plainest one
                refusal = refusal.empty() ? error.what() : refusal;
            }
        }
    }
    throw std::invalid_argument(refusal);
}

void
FoldedLinks::Check(const TrainingPlan& plan,
                   const ServerLayout& layout,
                   const LinkGraph& graph,
                   const PlanFolder& folder)
{
    if (!LeafRoutes::Suits(graph))
    {
        throw std::invalid_argument("The network has GPUs with several links or links to others: "
                                    "only on a network in which each GPU has one link to a switch "
                                    "can a plan be folded");
    }
    LeafRoutes routes(graph);
    CheckRates(graph, routes, CheckDelays(plan, layout, folder, routes));
}

} // namespace lightpath
} // namespace ns3
