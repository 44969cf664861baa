/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef STAGE_CUTS_H
#define STAGE_CUTS_H

#include "ns3/planner.h"
#include "ns3/training-plan.h"

#include <cstdint>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Finds where to cut the layers of a model into the stages of a pipeline, with regard to
 * what the stages send to each other.
 *
 * For each microbatch a stage computes, receives activations from the stage before and gradients
 * from the stage behind, and sends as many; these three overlap, and the longest of them is the
 * time of the stage. The cuts make the slowest stage as fast as possible, and of such cuts they are
 * those with the fewest bytes between stages. Both are exact, by dynamic programming in O(p L^2)
 * for p parts and L layers. A part never reads anything but its own and the next parts' results, as
 * LayerPartition asks for. With virtual stages this holds of the parts that stages consist of.
 */
class StageCuts
{
  public:
    /**
     * @param problem the model, the GPUs and the fabric; it must outlive this object
     */
    explicit StageCuts(const PlanningProblem& problem);

    /**
     * @param strategy the degrees of parallelism and the microbatches, each of which has a sample
     * @return the best cuts for Strategy::cuts; none if there are fewer layers than parts
     */
    std::vector<uint32_t> Get(const Strategy& strategy) const;

  private:
    /// Costs of the layers with one strategy.
    struct Costs
    {
        std::vector<double> seconds;  //!< Computing time of the layers before each layer, s
        std::vector<double> forward;  //!< Time of the activations across each cut, s
        std::vector<double> backward; //!< Time of the gradients across each cut, s
    };

    /// Key of the times of layers: GPUs that share operators, samples and experts, whether experts
    /// are whole, sequence parallelism, recomputation and samples.
    using Key = std::tuple<uint32_t, uint32_t, uint32_t, bool, bool, Recomputation, uint64_t>;

    /**
     * @param strategy a strategy
     * @param samples the samples of a microbatch
     * @return the computing time of the layers before each layer, s
     */
    const std::vector<double>& GetLayerSeconds(const Strategy& strategy, uint64_t samples) const;

    /**
     * @param strategy a strategy
     * @return the costs
     */
    Costs GetCosts(const Strategy& strategy) const;

    /**
     * @param costs the costs
     * @param first the first layer of a part
     * @param end the layer behind it
     * @return the time of the part, s
     */
    static double GetSeconds(const Costs& costs, uint32_t first, uint32_t end);

    const PlanningProblem& m_problem; //!< The problem
    std::vector<uint64_t> m_forward;  //!< Bytes of activations across each cut, for a sample
    std::vector<uint64_t> m_backward; //!< Bytes of gradients across each cut, for a sample
    mutable std::map<Key, std::vector<double>> m_seconds; //!< Results of GetLayerSeconds()
    std::vector<uint32_t> m_reach; //!< The last layer that reads results from before each cut
};

} // namespace lightpath
} // namespace ns3

#endif /* STAGE_CUTS_H */
