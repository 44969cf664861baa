/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TRANSFORMER_BLOCK_H
#define TRANSFORMER_BLOCK_H

#include "training-graph-builder.h"
#include "transformer-shape.h"

#include <cstdint>
#include <string>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Adds the blocks of transformer layers to a model: attention and feed-forward.
 *
 * Each block is a residual branch with its dropout, sum and normalisation. A tensor-parallel group
 * shares it as in Megatron-LM (Shoeybi et al. 2019): the projections to queries, keys and values
 * and the first feed-forward product are split by column, the operators between are sharded,
 * the output projection and the second feed-forward product are split by row, and all others work
 * on each token by itself.
 *
 * The two projections of a gated feed-forward block are one product of twice the width, as those to
 * queries, keys and values are one product. Selective recomputation (Korthikanti et al. 2022)
 * starts from queries, keys and values, and computes the scores, their softmax and dropout and the
 * context anew. A fused attention is one operator, which keeps nothing that selective recomputation
 * could drop.
 *
 * In a layer with experts a router picks some of them for each token (Shazeer et al. 2017), the
 * same number of tokens for each expert: "dispatch" copies a token once for each expert that is to
 * work on it, the products of all experts are one operator, and "combine" sums the results of the
 * experts for a token, weighted by the router. The operators between the two have experts
 * (Operator::experts), which replicas can share out. A tensor-parallel group splits every expert as
 * it splits a feed-forward block; it therefore sums the rows of all copies of a token.
 */
class TransformerBlock
{
  public:
    /**
     * @param builder the model to add to; it must outlive this object
     * @param shape the size and the style of the blocks
     */
    TransformerBlock(TrainingGraphBuilder& builder, const TransformerShape& shape);

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
     * Add a block of matrix products with an activation function between them, or with experts that
     * are such blocks.
     *
     * @param input the index of the operator whose output the block reads
     * @param sequence tokens of the sequence
     * @return the index of the operator whose output is that of the block
     */
    uint32_t AddFeedForward(uint32_t input, uint64_t sequence);

    /**
     * Add a normalisation.
     *
     * @param name its name, unique within its layer
     * @param input the index of the operator whose output it reads
     * @param tokens number of tokens
     * @param split how a tensor-parallel group shares it
     * @return its index
     */
    uint32_t AddNorm(const std::string& name,
                     uint32_t input,
                     uint64_t tokens,
                     TensorSplit split = TensorSplit::SEQUENCE);

  private:
    /**
     * Add the matrix products of a feed-forward block, or of all experts, and the operators
     * between.
     *
     * @param input the index of the operator whose output they read
     * @param rows rows of that output
     * @return the index of the last product
     */
    uint32_t AddProducts(uint32_t input, uint64_t rows);

    /**
     * Add a router, its experts, and the operators that bring tokens to them and back.
     *
     * @param input the index of the operator whose output the router and the experts read
     * @param sequence tokens of the sequence
     * @return the index of the operator whose output is the sum for each token
     */
    uint32_t AddExperts(uint32_t input, uint64_t sequence);

    /**
     * Add the normalisation at the beginning of a block, if it has one there.
     *
     * @param prefix the beginning of the names of the block's operators
     * @param input the index of the operator whose output the block reads
     * @param sequence tokens of the sequence
     * @return the index of the operator whose output the branch reads
     */
    uint32_t Open(const std::string& prefix, uint32_t input, uint64_t sequence);

    /**
     * Add the sum with the residual, and the normalisation at the end of a block, if it has one
     * there.
     *
     * @param prefix the beginning of the names of the block's operators
     * @param branch the index of the operator whose output is that of the branch
     * @param input the index of the operator whose output the block reads
     * @param sequence tokens of the sequence
     * @return the index of the operator whose output is that of the block
     */
    uint32_t Close(const std::string& prefix, uint32_t branch, uint32_t input, uint64_t sequence);

    /**
     * Add an attention from the scores to the output projection.
     *
     * @param prefix the beginning of the names of the block's operators
     * @param queries the source of the queries
     * @param keys the source of the keys
     * @param values the source of the values
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
     * Add an attention in one operator.
     *
     * @param prefix the beginning of the names of the block's operators
     * @param sources the sources of the queries, the keys and the values
     * @param sequence tokens that attend
     * @param memorySequence tokens that are attended to
     * @return the index of the operator
     */
    uint32_t AddFusedAttention(const std::string& prefix,
                               const std::vector<TrainingGraphBuilder::Source>& sources,
                               uint64_t sequence,
                               uint64_t memorySequence);

    /**
     * @param outputs elements that a projection of the attention makes of a token
     * @return its number of biases
     */
    uint64_t GetBiases(uint64_t outputs) const;

    TrainingGraphBuilder& m_builder; //!< The model
    TransformerShape m_shape;        //!< The size and the style of the blocks
};

} // namespace lightpath
} // namespace ns3

#endif /* TRANSFORMER_BLOCK_H */
