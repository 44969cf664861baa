/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CONTEXT_EXCHANGE_H
#define CONTEXT_EXCHANGE_H

#include "pass-writer.h"
#include "staged-model.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Writes the operators of a GPU that has a share of the tokens of each sample, and the
 * exchange of keys and values by which its queries meet the tokens of the other shares.
 *
 * With c shares, of b bytes of keys and values each (Operator::contextBytes), each GPU sends
 * (c - 1) b bytes in the forward pass and 2 (c - 1) b bytes in the backward pass of an operator.
 *
 * In a ring (Liu et al., "Ring attention with blockwise transformers for near-infinite context",
 * 2023) a GPU passes the keys and values that it works on to the next GPU: the operator is cut into
 * c blocks of equal time, and block i waits for the i-th message. Two messages are in memory: one
 * is on its way while a block is computed. In the backward pass the gradients of keys and values
 * follow them, summed up on the way, and come home with the last message. Causal attention takes
 * each GPU as long as any other, since the tokens of a sample are cut into 2 c pieces, of which GPU
 * i has pieces i and 2 c - 1 - i.
 *
 * Or an all-gather brings all keys and values to each GPU before the operator, in both passes, and
 * a reduce-scatter sums their gradients after it (Llama Team, "The Llama 3 herd of models", 2024).
 */
class ContextExchange
{
  public:
    /**
     * @param model the model as it is cut up; it must outlive this object
     * @param writer where tasks are written; it must outlive this object
     */
    ContextExchange(const StagedModel& model, PassWriter& writer);

    /**
     * Write an operator, which exchanges nothing unless it has keys and values.
     *
     * @param backward whether a backward pass computes it, or computes it again
     * @param op its index
     * @param after the tasks that it waits for
     * @return the task after which its result is ready
     */
    uint32_t Write(bool backward, uint32_t op, std::vector<uint32_t> after);

  private:
    /**
     * @param op an operator that exchanges keys and values
     * @param bytes the bytes of those of one GPU
     * @param seconds the time of the operator on those of one GPU, seconds
     * @param after the tasks that it waits for
     * @return the task after which its result is ready
     */
    uint32_t WriteRing(const Operator& op,
                       uint64_t bytes,
                       double seconds,
                       const std::vector<uint32_t>& after);

    /**
     * @param op an operator
     * @param kind a collective of the GPUs that share the tokens
     * @param end the end of its name
     * @param bytes its bytes
     * @param after the tasks that it waits for
     * @return its task
     */
    uint32_t AddCollective(const Operator& op,
                           CollectiveKind kind,
                           const std::string& end,
                           uint64_t bytes,
                           const std::vector<uint32_t>& after);

    const StagedModel& m_model; //!< The model as it is cut up
    PassWriter& m_writer;       //!< Where tasks are written
    uint32_t m_shares;          //!< Shares of the tokens of a sample
    Pass m_pass{Pass::FORWARD}; //!< The pass of the current operator
    uint32_t m_nCollectives{0}; //!< Number of collectives so far
};

} // namespace lightpath
} // namespace ns3

#endif /* CONTEXT_EXCHANGE_H */
