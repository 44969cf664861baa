/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SHARDED_STATE_H
#define SHARDED_STATE_H

#include "staged-model.h"

#include <cstdint>
#include <set>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief The gradients and parameters that the replicas of a model share out, and those that a GPU
 * has whole for a while (Rajbhandari et al., ZeRO, 2020, stages 2 and 3).
 *
 * A pass consists of steps: runs of operators of one layer. With stage 3 a GPU has the parameters
 * of the layers of this step and the next one whole, and its share of all others. With stages 2
 * and 3 it has its share of all gradients and two whole buckets: the one that is being filled, and
 * the one before, which is being summed. Gradients of parameters that each GPU of a tensor-parallel
 * group makes from its own tokens are summed last, and are whole until then.
 */
class ShardedState
{
  public:
    /**
     * Refuse, by std::invalid_argument, state that cannot be shared out.
     *
     * @param strategy the strategy
     */
    static void Check(const Strategy& strategy);

    /**
     * @param model the model as it is cut up, in one stage; it must outlive this object
     */
    explicit ShardedState(const StagedModel& model);

    /**
     * @param layer a layer
     * @return the bytes of the parameters that its operators use, on each GPU of a tensor-parallel
     *         group
     */
    uint64_t GetLayerBytes(uint32_t layer) const;

    /**
     * @return the layers of the steps of a microbatch, forward and backward, without those that
     *         have no parameters
     */
    const std::vector<uint32_t>& GetSteps() const;

    /**
     * @return the most bytes of parameters that a GPU has at one time with stage 3
     */
    uint64_t GetParameterBytes() const;

    /**
     * @return the most bytes of gradients that a GPU has at one time with stage 2 or 3
     */
    uint64_t GetGradientBytes() const;

  private:
    /**
     * @return the most bytes of gradients that are not summed yet, or are being summed
     */
    uint64_t GetBucketBytes() const;

    /**
     * @param update the index of an update
     * @return the operators that make its gradients, including operators that pass theirs on to
     *         another one with the same parameters
     */
    std::set<uint32_t> GetMakers(uint32_t update) const;

    /**
     * @param update the index of an update
     * @return true if its gradients are summed over the tensor-parallel group first
     */
    bool IsLate(uint32_t update) const;

    const StagedModel& m_model;    //!< The model
    std::vector<uint64_t> m_bytes; //!< Bytes of the parameters that each layer uses
    std::vector<uint32_t> m_steps; //!< Layers of the steps of a microbatch
};

} // namespace lightpath
} // namespace ns3

#endif /* SHARDED_STATE_H */
