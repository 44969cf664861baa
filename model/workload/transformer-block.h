/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TRANSFORMER_BLOCK_H
#define TRANSFORMER_BLOCK_H

#include "training-graph-builder.h"

#include <cstdint>
#include <string>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief What the blocks of a transformer are like.
 */
struct TransformerStyle
{
    uint64_t width{0};       //!< Elements of a token's activation, the hidden size
    uint64_t heads{1};       //!< Attention heads
    uint64_t feedForward{0}; //!< Inner width of the feed-forward block
    bool normFirst{true};    //!< True if blocks begin with a layer normalisation, false if they end
    bool attentionBias{true}; //!< True if the projections of the attention have biases
    bool relu{false};         //!< True for a rectifier with dropout, false for GELU
};

/**
 * @ingroup lightpath
 * @brief Adds the blocks of transformer layers to a model: attention and feed-forward.
 *
 * Each block is a residual branch with its dropout, sum and layer normalisation. A tensor-parallel
 * group shares it as in Megatron-LM: the projections to queries, keys and values and the first
 * feed-forward product are split by column, what lies between is sharded, the output projection and
 * the second feed-forward product are split by row, and the rest is replicated.
 */
class TransformerBlock
{
  public:
    /**
     * @param builder the model to add to; it must outlive this object
     * @param style what the blocks are like
     */
    TransformerBlock(TrainingGraphBuilder& builder, const TransformerStyle& style);

    /**
     * Add a block in which each token attends to all tokens of its own sequence.
     *
     * @param input the index of the operator whose output the block reads
     * @param sequence tokens of the sequence
     * @return the index of the operator whose output is that of the block
     */
    uint32_t AddSelfAttention(uint32_t input, uint64_t sequence);

    /**
     * Add a block in which each token attends to all tokens of another sequence.
     *
     * @param input the index of the operator whose output the block reads
     * @param sequence tokens of the sequence
     * @param memory the index of the operator whose output is the other sequence
     * @param memorySequence tokens of the other sequence
     * @param keepsMemory true if this block is the one that keeps the other sequence for the
     *        backward passes of all blocks that read it
     * @return the index of the operator whose output is that of the block
     */
    uint32_t AddCrossAttention(uint32_t input,
                               uint64_t sequence,
                               uint32_t memory,
                               uint64_t memorySequence,
                               bool keepsMemory);

    /**
     * Add a block of two matrix products with an activation function between them.
     *
     * @param input the index of the operator whose output the block reads
     * @param sequence tokens of the sequence
     * @return the index of the operator whose output is that of the block
     */
    uint32_t AddFeedForward(uint32_t input, uint64_t sequence);

  private:
    /**
     * Add the layer normalisation that a block begins with, if it does.
     *
     * @param prefix what the names of the block's operators begin with
     * @param input the index of the operator whose output the block reads
     * @param sequence tokens of the sequence
     * @return the index of the operator whose output the branch reads
     */
    uint32_t Open(const std::string& prefix, uint32_t input, uint64_t sequence);

    /**
     * Add the sum with the residual, and the layer normalisation that a block ends with, if it
     * does.
     *
     * @param prefix what the names of the block's operators begin with
     * @param branch the index of the operator whose output is that of the branch
     * @param input the index of the operator whose output the block reads
     * @param sequence tokens of the sequence
     * @return the index of the operator whose output is that of the block
     */
    uint32_t Close(const std::string& prefix, uint32_t branch, uint32_t input, uint64_t sequence);

    /**
     * Add an attention from the scores to the output projection.
     *
     * @param prefix what the names of the block's operators begin with
     * @param queries where the queries come from
     * @param keys where the keys come from
     * @param values where the values come from
     * @param sequence tokens that attend
     * @param memorySequence tokens that are attended to
     * @return the index of the output projection
     */
    uint32_t AddAttention(const std::string& prefix,
                          const TrainingGraphBuilder::Source& queries,
                          const TrainingGraphBuilder::Source& keys,
                          const TrainingGraphBuilder::Source& values,
                          uint64_t sequence,
                          uint64_t memorySequence);

    /**
     * @param biases number of biases of a projection, in multiples of the width
     * @return that number of biases if the projections of the attention have any, otherwise 0
     */
    uint64_t GetBiases(uint64_t biases) const;

    TrainingGraphBuilder& m_builder; //!< The model
    TransformerStyle m_style;        //!< What the blocks are like
};

} // namespace lightpath
} // namespace ns3

#endif /* TRANSFORMER_BLOCK_H */
