/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef STRATEGY_BOUND_H
#define STRATEGY_BOUND_H

#include "ns3/planner.h"
#include "ns3/training-plan.h"

#include <cstdint>
#include <map>
#include <memory>
#include <tuple>
#include <vector>

namespace ns3
{
namespace lightpath
{

class GradientMap;
class LayerTimes;
struct PipelineLimits;

/**
 * @ingroup lightpath
 * @brief Lower bounds on the time of an iteration, without a plan: for all plans of a strategy,
 * wherever its layers are cut and its ranks and circuits are placed, and for all plans of a
 * problem.
 *
 * The bound of a strategy is the greatest bound of a stage, at the cuts where it is least. "Lower
 * bounds" in the manual's chapter on planning defines the symbols and derives the bound of a stage.
 */
class StrategyBound
{
  public:
    /**
     * @param problem the problem; it must outlive this object
     */
    explicit StrategyBound(const PlanningProblem& problem);

    ~StrategyBound();

    /**
     * The strategy must divide evenly and suit the model; a strategy that PlanBuilder refuses may
     * get any bound. Cuts count with virtual stages only: the bound holds for these cuts, or for
     * even parts if there are none. Values that depend only on the split of operators and on the
     * microbatch are kept for the next call.
     *
     * @param strategy a strategy
     * @return a time that no plan of it beats, seconds
     */
    double GetSeconds(const Strategy& strategy) const;

    /**
     * A lower bound for any plan that computes the batch with D replicas, where D divides the GPUs
     * and the batch, whichever part of each operator a GPU computes. The K = N / D GPUs of a
     * replica share its work. An operator that is split by samples or by share takes at least as
     * long in all as the whole operator on one GPU, since each piece has its own launch and ramp.
     * An iteration is no shorter than the sums of gradients, of which each GPU has a K-th on
     * average. With K = 1 it is no shorter than the longest chain of forward operators of one
     * sample, followed by half of the sums: a reduce-scatter. Experts may be shared out over any
     * number of replicas that divides D and the number of experts. With K > 1 chains of operators
     * bound nothing, since GPUs begin iterations on their own. The result is the least bound over
     * all D.
     *
     * @return the time that no plan of the problem beats, seconds
     */
    double GetAllSeconds() const;

    /**
     * @param replicas the number D of replicas, which divides the GPUs and the batch
     * @return the bound of GetAllSeconds() for all plans with this number, seconds
     */
    double GetReplicasSeconds(uint32_t replicas) const;

    /**
     * Check whether the stages fit at no cuts. A stage holds parameters, gradients, optimiser
     * state, and the data that microbatches under way keep of each layer. The first stage takes as
     * many layers as fit, then the second one, and so on. With virtual stages, the memory of all
     * GPUs together is compared.
     *
     * @param strategy a strategy
     * @return true if it exceeds the memory wherever the layers are cut
     */
    bool ExceedsMemory(const Strategy& strategy) const;

    /**
     * @param fabric a fabric
     * @param strategy a strategy
     * @return true if the fabric may let circuits follow operations, and plans of the strategy may
     *         have more peers than circuits otherwise
     */
    static bool MayTurn(const FabricLimits& fabric, const Strategy& strategy);

  private:
    /// Key of the times of layers: tensor and sequence parallelism, recomputation, context
    /// parallelism, expert parallelism, whole or not, and then replicas, schedule, samples.
    using Key = std::tuple<uint32_t,
                           bool,
                           Recomputation,
                           uint32_t,
                           uint32_t,
                           bool,
                           uint32_t,
                           PipelineScheduleKind,
                           uint64_t>;

    /**
     * @param strategy a strategy
     * @return the samples of its microbatches
     */
    uint64_t GetSamples(const Strategy& strategy) const;

    /**
     * @param strategy a strategy
     * @param samples the samples of a microbatch, or 0 for the values that do not depend on them
     * @return the times of its layers
     */
    const LayerTimes& GetTimes(const Strategy& strategy, uint64_t samples) const;

    /**
     * @param strategy a strategy
     * @return the time of the updates of the layers before each one, seconds
     */
    const std::vector<double>& GetUpdates(const Strategy& strategy) const;

    /**
     * @param strategy a strategy
     * @return the terms that the bounds on its stages share
     */
    PipelineLimits GetLimits(const Strategy& strategy) const;

    /**
     * @param limits the terms that the bounds on stages share
     * @return the bound with parts that may be cut anywhere and virtual stages, seconds
     */
    static double GetPartsSeconds(const PipelineLimits& limits);

    /**
     * @param limits the terms that the bounds on stages share
     * @return the mean of the work of the stages, in any order, seconds
     */
    static double GetWorkSeconds(const PipelineLimits& limits);

    /**
     * @param strategy a strategy
     * @param from the first layer of a stage
     * @param to the first layer behind it
     * @param microbatches the microbatches under way
     * @return the least number of bytes on each GPU of the stage
     */
    double GetBytes(const Strategy& strategy,
                    uint32_t from,
                    uint32_t to,
                    double microbatches) const;

    /**
     * @param strategy a strategy that shares out gradients over the replicas
     * @return the least time of the sums of gradients of all microbatches, and with stage 3 of
     *         gathering parameters, seconds. Gradients that are summed over the tensor-parallel
     *         group first count once.
     */
    double GetSharedOutSeconds(const Strategy& strategy) const;

    /**
     * @param replicas the number D of replicas
     * @return a lower bound on the time of all sums of gradients, if one GPU had the gradients of
     *         all parameters, seconds
     */
    double GetSumSeconds(uint32_t replicas) const;

    const PlanningProblem& m_problem;               //!< The problem
    std::unique_ptr<const GradientMap> m_gradients; //!< The gradients of the model
    mutable std::map<Key, std::unique_ptr<const LayerTimes>> m_times; //!< Times found so far
    /// Times of updates found so far, by tensor parallelism, replicas, context parallelism, sharers
    /// of experts, whole or not, and shares of the state
    mutable std::map<std::tuple<uint32_t, uint32_t, uint32_t, uint32_t, bool, uint32_t>,
                     std::vector<double>>
        m_updates;
};

} // namespace lightpath
} // namespace ns3

#endif /* STRATEGY_BOUND_H */
