/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fold-check.h"

#include "helper/mltrain/folded-links.h"
#include "helper/mltrain/folded-rails.h"
#include "model/control/rotor/rotor-discipline.h"
#include "model/plan/program-traffic.h"
#include "model/planner/price/folded-circuits.h"
#include "train-options.h"

#include "ns3/enum.h"
#include "ns3/fabric-description.h"
#include "ns3/hybrid-helper.h"
#include "ns3/interconnect-helper.h"
#include "ns3/link-graph-channel.h"
#include "ns3/link-graph-helper.h"
#include "ns3/plan-folder.h"
#include "ns3/planning-problem.h"
#include "ns3/rotor-helper.h"
#include "ns3/server-helper.h"
#include "ns3/training-plan.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
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

/**
 * @param fabric an interconnect
 * @return the network of switches and links between its servers; null if it is of another kind
 */
const LinkGraphHelper*
FindNetwork(const InterconnectHelper& fabric)
{
    const auto* const servers = dynamic_cast<const ServerHelper*>(&fabric);
    const auto* const network =
        dynamic_cast<const LinkGraphHelper*>(servers ? &servers->GetOutside() : &fabric);
    const bool hasSwitches = network && network->GetKind() != LinkGraphHelper::TOPOOPT &&
                             network->GetKind() != LinkGraphHelper::TORUS;
    return hasSwitches ? network : nullptr;
}

/**
 * Refuses a network of switches and links with several rails, or with other routes than all.
 *
 * @param network the network
 * @param layout the servers below it
 */
void
CheckNetwork(const LinkGraphHelper& network, const ServerLayout& layout)
{
    if (layout.hasRails)
    {
        throw std::invalid_argument("--fold keeps the GPUs that stand for all at their ports of "
                                    "one network of links, and --attach=rail has several: give "
                                    "--attach=gpu, or leave out --fold");
    }
    EnumValue routing(LinkGraphChannel::ECMP);
    network.GetSetting("Routing", routing);
    if (routing.Get() != LinkGraphChannel::SPRAY)
    {
        throw std::invalid_argument("--fold lets a few GPUs stand for all, but routes that follow "
                                    "a hash or the load differ from pair to pair: give "
                                    "--routing=spray, or leave out --fold");
    }
}

/**
 * Refuses sums by messages to all others beside other messages if few GPUs are kept: these send one
 * after the other what all send to different ones at the same time.
 *
 * @param folder the folded plan
 * @return the folded plan
 */
PlanFolder
CheckSums(PlanFolder folder)
{
    const TrainingPlan& plan = folder.GetPlan();
    if (plan.foldsExactly)
    {
        return folder;
    }
    const std::set<std::shared_ptr<const RankProgram>> programs(plan.programs.begin(),
                                                                plan.programs.end());
    const bool sums = std::any_of(programs.begin(), programs.end(), [](const auto& program) {
        const auto& tasks = program->GetTasks();
        return std::any_of(tasks.begin(), tasks.end(), [](const Task& task) {
            const CollectiveAlgorithm across =
                task.options.algorithm == CollectiveAlgorithm::TWO_LEVEL ? task.options.across
                                                                         : task.options.algorithm;
            return task.IsSum() && across == CollectiveAlgorithm::DIRECT;
        });
    });
    if (sums)
    {
        throw std::invalid_argument("--fold lets a few GPUs stand for all, which share their links "
                                    "otherwise where sums go to all others at once beside other "
                                    "messages: give another --allReduce, or leave out --fold");
    }
    return folder;
}

/**
 * Refuses fabrics that differ from rail to rail, or depend on how many GPUs a plan has.
 *
 * @param servers the servers and the interconnect of a rail
 */
void
CheckRepeats(const ServerHelper& servers)
{
    const auto* const network = dynamic_cast<const LinkGraphHelper*>(&servers.GetOutside());
    if (network && network->GetKind() == LinkGraphHelper::TOPOOPT)
    {
        throw std::invalid_argument("--fold lets a few rails stand for all, but the links of "
                                    "topoopt are laid for the plan of all GPUs: leave out --fold");
    }
    const auto* const hybrid = dynamic_cast<const HybridHelper*>(&servers.GetOutside());
    const auto* const rotors =
        dynamic_cast<const RotorHelper*>(hybrid ? &hybrid->GetOptical() : &servers.GetOutside());
    if (rotors && rotors->MakeDiscipline()->AssignStreams(0) > 0)
    {
        throw std::invalid_argument("--fold lets a few rails stand for all, but the discipline " +
                                    rotors->GetDiscipline() +
                                    " draws other ports at random on each: give another "
                                    "--discipline, or leave out --fold");
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
    if (options.circuits.HasFaults())
    {
        throw std::invalid_argument("--fold lets a few GPUs stand for all, so that nothing of one "
                                    "of them can fail: leave out --fail, or --fold");
    }
    if (options.turns.IsSet())
    {
        throw std::invalid_argument("--fold lets a few GPUs stand for all, whose circuits turn in "
                                    "other ways: leave out --reconfigure, or --fold");
    }
    for (const auto& name : fabrics)
    {
        const auto transport = options.transport.GetFor(name);
        const auto fabric = options.MakeFabric(name, options.gpus, options.servers.GetGpus());
        const auto* const servers = dynamic_cast<const ServerHelper*>(fabric.get());
        if (transport.UsesRelays() ||
            transport.UsesSockets(servers ? servers->GetOutside() : *fabric))
        {
            throw std::invalid_argument("--fold belongs to --transport=circuit, as no connection "
                                        "of a few GPUs stands for those of all");
        }
    }
}

PlanFolder
FoldCheck::Fold(const TrainOptions& options, const std::string& name, const TrainingPlan& plan)
{
    const auto gpus = static_cast<uint32_t>(options.gpus);
    const auto fabric = options.MakeFabric(name, options.gpus, options.servers.GetGpus());
    const FabricLimits full = FabricDescription::Create(*fabric)->GetLimits(gpus);
    const ServerLayout& layout = full.servers.layout;
    if (layout.portGpus > 1)
    {
        throw std::invalid_argument("--fold lets a few GPUs stand for all, so that none can share "
                                    "its card with others: give --attach=gpu, or leave out --fold");
    }
    if (!full.servers.HasSwitch())
    {
        throw std::invalid_argument("--fold lets a few GPUs stand for all, but in a server without "
                                    "a switch each has links of its own to others: give "
                                    "--serverKind=switch, or leave out --fold");
    }
    std::string refusal;
    const auto attempt = [&refusal](const auto& fold) {
        std::optional<PlanFolder> folder;
        try
        {
            folder = CheckSums(fold());
        }
        catch (const std::invalid_argument& error)
        {
            refusal = error.what();
        }
        return folder;
    };
    const auto keep = [&](uint32_t kept) {
        PlanFolder folder(plan, layout.gpus, 1, kept);
        CheckRails(plan, folder, layout);
        CheckAlike(options, name, plan, full, folder);
        return folder;
    };
    const auto* const network = FindNetwork(*fabric);
    auto folder = network ? attempt([&] {
        CheckNetwork(*network, layout);
        return FoldedLinks::Fold(plan, layout, *network);
    })
                          : attempt([&] { return keep(2); });
    if (!folder && !network && full.isRing)
    {
        // A next and a previous member, at the two sides of each
        folder = attempt([&] { return keep(3); });
    }
    if (!folder && layout.GetNRails() > 1)
    {
        folder = attempt([&] {
            CheckRepeats(dynamic_cast<const ServerHelper&>(*fabric));
            return FoldedRails::Fold(plan, layout);
        });
    }
    if (!folder && !network && layout.gpus > 1)
    {
        const std::string ofFew = refusal;
        folder = attempt([&] { return PlanFolder(plan, layout.gpus, 1, 2, true); });
        if (folder && folder->GetRanks().size() == plan.programs.size())
        {
            folder.reset();
        }
        if (folder)
        {
            folder = attempt([&] {
                CheckAlike(options, name, plan, full, *folder);
                return *folder;
            });
        }
        // Why few GPUs of a server cannot stand for it is what a user can change
        refusal = ofFew;
        if (folder && !folder->GetPlan().foldsExactly && options.fold != ::Fold::ON)
        {
            throw std::invalid_argument(
                std::to_string(folder->GetRanks().size()) +
                " GPUs that would stand for all share cards otherwise than all do: --fold=on lets "
                "them, for times that may be a few percent off");
        }
    }
    if (!folder)
    {
        throw std::invalid_argument(refusal);
    }
    return *folder;
}

void
FoldCheck::CheckAlike(const TrainOptions& options,
                      const std::string& name,
                      const TrainingPlan& plan,
                      FabricLimits full,
                      const PlanFolder& folder)
{
    const auto gpus = static_cast<uint32_t>(folder.GetPlan().programs.size());
    const auto fabric = options.MakeFabric(name, options.gpus, folder.GetServerGpus());
    const std::string refusal = fabric->Check(gpus);
    if (!refusal.empty())
    {
        throw std::invalid_argument("--fold simulates " + std::to_string(gpus) + " of " +
                                    std::to_string(options.gpus) +
                                    " GPUs, which do not stand alone here: " + refusal);
    }
    FabricLimits folded = FabricDescription::Create(*fabric)->GetLimits(gpus);
    if (plan.turnCircuits || full.turnCircuits)
    {
        full.TurnCircuits();
        folded.TurnCircuits();
        FoldedCircuits::Check(plan, full, folder, folded);
        return;
    }
    const bool hasCircuits = !full.allocators.empty() && full.laneRate > 0 && full.grid.rows == 0;
    if (hasCircuits && (options.circuits.DecidesOnce() || full.phaseCircuits))
    {
        FoldedCircuits::Check(plan, full, folder, folded);
        return;
    }
    const bool averagesAlike = full.averagedBits > 0 && full.averagedBits == folded.averagedBits &&
                               full.latency == folded.latency;
    if (name != "electrical" && !averagesAlike)
    {
        throw std::invalid_argument("--fold belongs to fabrics that treat all GPUs alike, or give "
                                    "each pair of them a circuit that stays, and not to " +
                                    name + " as it is set here, where each has a place of its own");
    }
}
