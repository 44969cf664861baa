/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PARAMETER_GATHER_H
#define PARAMETER_GATHER_H

#include "gradient-sync.h"
#include "sharded-state.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Writes the all-gathers of parameters that the replicas share out (Rajbhandari et al.,
 * ZeRO, 2020, stage 3) into the program of a rank.
 *
 * The parameters of a layer are gathered before its forward pass and again before its backward
 * pass. The gather of a step (ShardedState) begins together with the step before it, which frees
 * the parameters of the step before that: communication is one layer ahead of computation.
 */
class ParameterGather
{
  public:
    /**
     * @param model the model as it is cut up, in one stage; it must outlive this object
     * @param sync writes the collectives of the data-parallel group; it must outlive this object
     */
    ParameterGather(const StagedModel& model, GradientSync& sync);

    /// Begin a pass, which is the next one in the order of PipelineSchedule.
    void BeginPass();

    /**
     * Enter the layer of the next operator of the pass. If this begins a step, write the gather of
     * the step behind it.
     *
     * @param pass forward or backward
     * @param layer the layer of the operator
     */
    void Enter(Pass pass, uint32_t layer);

    /**
     * @param layer a layer
     * @param [in,out] after the tasks that an operator of the layer waits for; the gather of the
     *        layer is added
     */
    void AddTo(uint32_t layer, std::vector<uint32_t>& after) const;

    /**
     * Note a compute task of the current step.
     *
     * @param task its index
     */
    void Note(uint32_t task);

  private:
    /**
     * Write the gather of a step of the iteration, if there is one of this number.
     *
     * @param pass the current pass
     * @param step the number of the step
     * @param after the tasks that it waits for
     */
    void Write(Pass pass, uint32_t step, const std::vector<uint32_t>& after);

    ShardedState m_state;             //!< The steps of a microbatch
    GradientSync& m_sync;             //!< Writes the collectives
    uint32_t m_nSteps;                //!< Steps of the iteration
    uint32_t m_next{0};               //!< Number of the next step
    bool m_isBegun{false};            //!< Whether the pass has begun a step
    uint32_t m_layer{0};              //!< Layer of the current step
    uint32_t m_gather{0};             //!< Gather of the current step
    uint32_t m_ahead{0};              //!< Gather of the next step
    std::vector<uint32_t> m_computes; //!< Compute tasks of the current step
};

} // namespace lightpath
} // namespace ns3

#endif /* PARAMETER_GATHER_H */
