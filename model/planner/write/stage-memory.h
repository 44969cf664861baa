/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef STAGE_MEMORY_H
#define STAGE_MEMORY_H

#include "staged-model.h"

#include "ns3/training-plan.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief The memory that each GPU of a stage needs.
 *
 * Activations count for the microbatches under way at the fullest moment of the schedule.
 * Recomputed operators keep only the results that they read of other operators; the other
 * activations of their layer exist during its backward pass only. With shared-out optimiser state,
 * each replica holds its share. ShardedState counts shared-out gradients and parameters,
 * StagedModel::GetGradientBytes() sparse ones.
 *
 * The workspace is what a backward pass needs besides, at its fullest moment: the gradients of
 * activations that it makes, less the activations that it has freed by then. A loss overwrites what
 * it has kept if that has the size of its gradient.
 *
 * Where gradients are wider than parameters, kernels add them up in place, and PyTorch is handed a
 * tensor of 16 bits in place of each of them. Transformer Engine keeps one of each shape for ever
 * (get_dummy_wgrad() in transformer_engine/pytorch/module/base.py, since version 2.3), which
 * Megatron Core uses as well (megatron/core/tensor_parallel/layers.py). These are workspace, too,
 * unless replicas share out gradients: then a whole bucket is a gradient already.
 */
class StageMemory
{
  public:
    /**
     * @param model the model as it is cut up; it must outlive this object
     */
    explicit StageMemory(const StagedModel& model);

    /**
     * @param stage a stage
     * @return the memory
     */
    MemoryUse GetUse(uint32_t stage) const;

  private:
    /// Activations that the forward pass of one microbatch through a part keeps, in bytes.
    struct Kept
    {
        uint64_t bytes{0};     //!< Until its backward pass
        uint64_t late{0};      //!< From then on, until the gradients that are put off are made
        uint64_t working{0};   //!< Recomputed for one layer during its backward pass, at most
        uint64_t workspace{0}; //!< The most that the backward pass needs beyond all of these
    };

    /**
     * @param part a part
     * @return the activations that it keeps
     */
    Kept GetKept(uint32_t part) const;

    /**
     * Follow the backward pass of a part through its operators.
     *
     * @param part a part
     * @param kept the activations that it keeps
     * @return the bytes that it needs beyond them at its fullest moment
     */
    uint64_t GetWorkspace(uint32_t part, const Kept& kept) const;

    /**
     * @param op the index of an operator
     * @return the bytes of its result on a GPU, of a microbatch
     */
    uint64_t GetResultBytes(uint32_t op) const;

    /**
     * @param op the index of a backward operator
     * @return the bytes that a tensor-parallel group gathers for it alone
     */
    uint64_t GetGatheredBytes(uint32_t op) const;

    /**
     * @param update an update
     * @return true if a product makes gradients of its parameters
     */
    bool IsOfProduct(uint32_t update) const;

    /**
     * @param stage a stage
     * @return the bytes of tensors in place of gradients that are added up elsewhere
     */
    uint64_t GetPlaceholderBytes(uint32_t stage) const;

    /**
     * Find when gradients and activations are free, in the order of the backward pass.
     */
    void FindLastUses();

    const StagedModel& m_model;           //!< The model
    std::vector<uint32_t> m_lastBackward; //!< By forward operator, the last one of its gradients
    std::vector<uint64_t> m_freed;        //!< By operator, bytes of gradients that it reads last
    std::vector<Kept> m_kept;             //!< By part
};

} // namespace lightpath
} // namespace ns3

#endif /* STAGE_MEMORY_H */
