/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FOLDED_CIRCUITS_H
#define FOLDED_CIRCUITS_H

#include "model/plan/program-traffic.h"
#include "plan-circuits.h"

#include "ns3/plan-folder.h"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Whether the ranks of a folded plan (PlanFolder) have the circuits of those that they stand
 * for.
 *
 * On a fabric with circuits a rank gets its rate to each peer from an allocator, and its delay from
 * its place. If all ranks of the full plan have the same number of peers as the rank that stands
 * for them, at the same rates and delays, then messages take as long: pairs with circuits of their
 * own share nothing.
 *
 * Circuits that follow operations (FabricLimits::turnCircuits) have ports in common, and wait for
 * each other. If each rank keeps to its port, has one peer in each collective operation, and has
 * the same one in two of them where the rank that stands for it does, then its port has the
 * requests of that rank's port, in the order of the same program, and so has the port at the other
 * end: all turn, and wait, at the same time.
 */
class FoldedCircuits
{
  public:
    /**
     * Throw std::invalid_argument if a rank has other circuits than the one that stands for it.
     *
     * @param plan the full plan
     * @param fabric the fabric between its ranks
     * @param folder the folded plan
     * @param folded the fabric between the folded ranks
     */
    static void Check(const TrainingPlan& plan,
                      const FabricLimits& fabric,
                      const PlanFolder& folder,
                      const FabricLimits& folded);

  private:
    /// The circuit to a peer: the kinds of groups that use it, its rate in bytes/s, its latency in
    /// seconds.
    using Circuit = std::tuple<std::set<uint32_t>, double, double>;

    /// Kinds of groups by peer, or by rank that sends.
    using Kinds = std::map<uint32_t, std::set<uint32_t>>;

    /**
     * @param plan a plan
     * @param fabric the fabric between its ranks
     */
    FoldedCircuits(const TrainingPlan& plan, const FabricLimits& fabric);

    /**
     * @param phase the phase to look at, if there are several settings
     */
    void SetPhase(uint32_t phase);

    /**
     * @param rank a rank
     * @return its circuits in this phase, in ascending order
     */
    std::vector<Circuit> Get(uint32_t rank);

    /**
     * Refuse circuits of a rank that follow operations in which few ports do not stand for all.
     *
     * @param rank the rank
     * @param kinds the kinds of groups in which it sends to each peer
     */
    void CheckTurns(uint32_t rank, const Kinds& kinds);

    /**
     * Refuse a rank that has several peers in collective operations of a group.
     *
     * @param name the rank in words
     * @param kinds the kinds of groups in which it sends to, or receives from, each peer
     * @param collectives the kinds with collective operations
     */
    static void CheckPeers(const std::string& name,
                           const Kinds& kinds,
                           const std::set<uint32_t>& collectives);

    /**
     * Refuse ranks whose circuits follow operations, and which receive from others in another way
     * than those that stand for them, after all ranks of both plans have been looked at.
     *
     * @param full the full plan
     * @param few the folded plan
     * @param ofPorts the port of the folded plan that stands for each port of the full one
     */
    static void CheckSources(const FoldedCircuits& full,
                             const FoldedCircuits& few,
                             const std::vector<uint32_t>& ofPorts);

    const TrainingPlan& m_plan;   //!< The plan
    const FabricLimits& m_fabric; //!< The fabric
    PlanCircuits m_circuits;      //!< The circuits that it gets
    uint32_t m_nPhases;           //!< Phases with circuits of their own; 1 if there is one setting
    uint32_t m_phase{0};          //!< The present one

    /// Traffic of each program in the present phase, summed up on demand; looked up only
    std::map<const RankProgram*, ProgramTraffic> m_traffic;

    /// The kinds of groups with collective operations of each program; looked up only
    std::map<const RankProgram*, std::set<uint32_t>> m_collectives;

    std::vector<Kinds> m_sources; //!< What ranks receive, if circuits follow operations
};

} // namespace lightpath
} // namespace ns3

#endif /* FOLDED_CIRCUITS_H */
