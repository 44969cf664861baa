/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PLAN_VARIANTS_H
#define PLAN_VARIANTS_H

#include "stage-cuts.h"

#include "ns3/planner.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Variants of a strategy: other algorithms of its collectives, and other cuts of its layers.
 */
class PlanVariants
{
  public:
    /**
     * @param problem the problem; it must outlive this object
     */
    explicit PlanVariants(const PlanningProblem& problem);

    /**
     * @return whether it matters which rank is on which GPU: whether the fabric gives neighbours
     *         other circuits than GPUs that are far apart
     */
    bool DoPlacesDiffer() const;

    /**
     * Two rings, one each way round, where a GPU cannot send all of its rate to one peer.
     *
     * @param strategy a strategy
     * @return the strategy with two rings for groups of more than 2 members, if that differs and
     *         the fabric gives a GPU as many peers; then the strategy itself
     */
    std::vector<Strategy> GetRings(const Strategy& strategy) const;

    /**
     * The fastest algorithms by CollectiveChooser, for the size of a bucket of gradients and of
     * what tensor parallelism sums, as if each of both had the fabric to itself; and two rings.
     *
     * @param strategy a strategy
     * @return the strategy with each of them, the fastest first, data parallelism before tensor
     *         parallelism; where ranks stand in servers, with other algorithms inside and across
     */
    std::vector<Strategy> GetAlgorithms(const Strategy& strategy) const;

    /**
     * Of other schedules of the same pipeline, those with several parts a stage are left out. If a
     * schedule needs more microbatches, it gets the fewest that suffice.
     *
     * @param strategy a strategy
     * @return the strategies with other schedules
     */
    std::vector<Strategy> GetSchedules(const Strategy& strategy) const;

    /**
     * @param strategy a strategy
     * @return it with the cuts of StageCuts; without cuts if there is one stage or virtual stages
     */
    Strategy GetCut(const Strategy& strategy) const;

  private:
    /**
     * @param strategy a strategy
     * @return true if its microbatches suit its schedule
     */
    static bool IsPossible(const Strategy& strategy);

    /**
     * @param problem a problem
     * @return the result of DoPlacesDiffer()
     */
    static bool FindPlacesDiffer(const PlanningProblem& problem);

    /**
     * @param strategy a strategy
     * @return it with each algorithm inside servers, and with each one across them
     */
    std::vector<Strategy> GetLevels(const Strategy& strategy) const;

    /**
     * @param strategy a strategy
     * @param isData whether data parallelism is meant, or tensor parallelism
     * @return the bytes of a collective of it
     */
    uint64_t GetBytes(const Strategy& strategy, bool isData) const;

    /**
     * Add a strategy with another algorithm, unless it is there already.
     *
     * @param strategy the strategy
     * @param isData whether data parallelism gets it, or tensor parallelism
     * @param options the algorithm and its rings
     * @param [in,out] strategies the strategies
     */
    static void Add(Strategy strategy,
                    bool isData,
                    const CollectiveOptions& options,
                    std::vector<Strategy>& strategies);

    const PlanningProblem& m_problem; //!< The problem
    StageCuts m_cuts;                 //!< Cuts layers
    bool m_doPlacesDiffer;            //!< Whether it matters which rank is where
    uint64_t m_gradientBytes{0};      //!< Bytes of all gradients
    uint64_t m_sumBytes{0};           //!< Most bytes that tensor parallelism sums for a sample
};

} // namespace lightpath
} // namespace ns3

#endif /* PLAN_VARIANTS_H */
