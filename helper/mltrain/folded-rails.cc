/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "folded-rails.h"

#include "model/plan/program-traffic.h"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{
namespace lightpath
{

namespace
{

/// Where a rank sends to over its rail: server and kind of group, in ascending order.
using Outside = std::vector<std::pair<uint32_t, uint32_t>>;

} // namespace

PlanFolder
FoldedRails::Fold(const TrainingPlan& plan, const ServerLayout& layout)
{
    const auto gpus = static_cast<uint32_t>(plan.programs.size());
    PlanFolder folder(plan, layout.gpus, gpus);
    if (folder.GetServerGpus() >= layout.gpus)
    {
        throw std::invalid_argument("All " + std::to_string(layout.gpus) +
                                    " GPUs of a server are kept: a few rails stand for all only if "
                                    "more than two GPUs of a server do the same");
    }
    const auto& ranks = folder.GetRanks();
    std::map<const RankProgram*, ProgramTraffic> traffic; // looked up only
    std::map<uint32_t, Outside> ofKept;                   // by folded rank; looked up only
    const auto find = [&](uint32_t rank) {
        const RankProgram& program = *plan.programs[rank];
        auto& ofProgram =
            traffic.try_emplace(&program, program, plan.protocols, ProgramTraffic::ALL_PHASES)
                .first->second;
        Outside outside;
        for (const auto& [place, bytes] : ofProgram.GetPeers(plan.groups, rank))
        {
            const uint32_t peer = plan.groups[place.first].GetMembers(rank)[place.second];
            if (bytes == 0 || layout.AreInside(rank, peer))
            {
                continue;
            }
            if (layout.GetRail(rank) != layout.GetRail(peer))
            {
                throw std::invalid_argument(
                    "GPU " + std::to_string(rank) + " reaches GPU " + std::to_string(peer) +
                    " over the card of another GPU: on rails only a plan whose messages stay on "
                    "theirs can be folded; --attach=gpu has no rails");
            }
            if (ranks[folder.FindFolded(rank)] == rank &&
                ranks[folder.FindTwin(rank, peer, place.first)] != peer)
            {
                throw std::invalid_argument("GPU " + std::to_string(peer) +
                                            " would be left out of its rail: only a plan whose "
                                            "groups lie evenly in the servers can be folded");
            }
            outside.emplace_back(layout.GetServer(peer), place.first);
        }
        std::sort(outside.begin(), outside.end());
        return outside;
    };
    for (uint32_t rank = 0; rank < gpus; ++rank)
    {
        const uint32_t folded = folder.FindFolded(rank);
        const auto [kept, isNew] = ofKept.try_emplace(folded);
        if (isNew)
        {
            kept->second = find(ranks[folded]);
        }
        if (ranks[folded] != rank && find(rank) != kept->second)
        {
            throw std::invalid_argument("GPU " + std::to_string(rank) +
                                        " has other messages for other servers than GPU " +
                                        std::to_string(ranks[folded]) +
                                        ": only rails that all carry the same can be folded");
        }
    }
    return folder;
}

} // namespace lightpath
} // namespace ns3
