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

    const TrainingPlan& m_plan;   //!< The plan
    const FabricLimits& m_fabric; //!< The fabric
    PlanCircuits m_circuits;      //!< The circuits that it gets
    uint32_t m_nPhases;           //!< Phases with circuits of their own; 1 if there is one setting
    uint32_t m_phase{0};          //!< The present one

    /// What each program sends in it, as far as it has been summed up; looked up only
    std::map<const RankProgram*, ProgramTraffic> m_traffic;
};

} // namespace lightpath
} // namespace ns3

#endif /* FOLDED_CIRCUITS_H */
