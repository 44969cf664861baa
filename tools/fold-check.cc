/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fold-check.h"

#include "model/plan/program-traffic.h"
#include "model/planner/price/folded-circuits.h"
#include "train-options.h"

#include "ns3/fabric-description.h"
#include "ns3/interconnect-helper.h"
#include "ns3/plan-folder.h"
#include "ns3/planning-problem.h"
#include "ns3/training-plan.h"

#include <stdexcept>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/**
 * Refuses messages that GPUs hand to others of their server, as few GPUs do so in another order.
 *
 * @param plan the full plan
 * @param folder the folded plan
 * @param layout the servers of the full plan
 */
void
CheckRails(const TrainingPlan& plan, const PlanFolder& folder, const ServerLayout& layout)
{
    for (const uint32_t rank : layout.hasRails ? folder.GetRanks() : std::vector<uint32_t>())
    {
        ProgramTraffic traffic(*plan.programs[rank], plan.protocols, ProgramTraffic::ALL_PHASES);
        for (const auto& [place, bytes] : traffic.GetPeers(plan.groups, rank))
        {
            const uint32_t peer = plan.groups[place.first].GetMembers(rank)[place.second];
            if (bytes > 0 && !layout.AreInside(rank, peer) &&
                layout.GetWay(rank, peer).relay != rank)
            {
                throw std::invalid_argument(
                    "GPU " + std::to_string(rank) + " reaches GPU " + std::to_string(peer) +
                    " over the card of another GPU: on rails only a plan whose messages stay on "
                    "theirs can be folded; --attach=gpu has no rails");
            }
        }
    }
}

} // namespace

void
FoldCheck::CheckOptions(const TrainOptions& options, const std::vector<std::string>& fabrics)
{
    if (options.speeds.AreGiven())
    {
        throw std::invalid_argument("--fold lets a few GPUs stand for all, so that none can be "
                                    "slower than others: leave out --slow and --computeNoise, or "
                                    "--fold");
    }
    if (options.losesFrames)
    {
        throw std::invalid_argument("--fold lets a few GPUs stand for all, so that none can lose "
                                    "frames of its own: leave out --physicalLayer=errors, or "
                                    "--fold");
    }
    if (options.turns.IsSet())
    {
        throw std::invalid_argument("--fold lets a few GPUs stand for all, whose circuits turn in "
                                    "other ways: leave out --reconfigure, or --fold");
    }
    for (const auto& name : fabrics)
    {
        const auto transport = options.transport.GetFor(name);
        if (transport.UsesRelays() ||
            transport.UsesSockets(*options.MakeFabric(name, options.gpus, 1)))
        {
            throw std::invalid_argument("--fold belongs to --transport=circuit, as no connection "
                                        "of a few GPUs stands for those of all");
        }
    }
}

void
FoldCheck::CheckPlan(const TrainOptions& options,
                     const std::string& name,
                     const TrainingPlan& plan,
                     const PlanFolder& folder)
{
    const auto getLimits = [&](uint32_t serverGpus, uint32_t gpus) {
        const auto fabric = options.MakeFabric(name, options.gpus, serverGpus);
        const std::string refusal = fabric->Check(gpus);
        if (!refusal.empty())
        {
            throw std::invalid_argument("--fold simulates " + std::to_string(gpus) + " of " +
                                        std::to_string(options.gpus) +
                                        " GPUs, which do not stand alone here: " + refusal);
        }
        return FabricDescription::Create(*fabric)->GetLimits(gpus);
    };
    const FabricLimits full = getLimits(options.servers.GetGpus(), options.gpus);
    const FabricLimits folded = getLimits(folder.GetServerGpus(), folder.GetPlan().programs.size());
    CheckRails(plan, folder, full.servers.layout);
    if (!full.servers.HasSwitch())
    {
        throw std::invalid_argument("--fold lets a few GPUs stand for all, but in a server without "
                                    "a switch each has links of its own to others: give "
                                    "--serverKind=switch, or leave out --fold");
    }
    const bool hasCircuits = !full.allocators.empty() && full.laneRate > 0 && full.grid.rows == 0;
    if (hasCircuits && (options.circuits.DecidesOnce() || full.phaseCircuits))
    {
        FoldedCircuits::Check(plan, full, folder, folded);
        return;
    }
    const bool averagesAlike = full.averagedBits > 0 && full.averagedBits == folded.averagedBits &&
                               full.latency == folded.latency;
    if (full.servers.layout.portGpus > 1 || (name != "electrical" && !averagesAlike))
    {
        throw std::invalid_argument("--fold belongs to fabrics that treat all GPUs alike, or give "
                                    "each pair of them a circuit that stays, and not to " +
                                    name + " as it is set here, where each has a place of its own");
    }
}
