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
#include <optional>
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
 * With latent attention (DeepSeek-AI 2024) one product makes the vectors of low rank that queries,
 * and keys with values, are expanded from; every GPU of a tensor-parallel group computes it for
 * its tokens. The rotated part of the keys passes along with the latter.
 *
 * In a layer with experts a router picks some of them for each token (Shazeer et al. 2017), the
 * same number of tokens for each expert: "dispatch" copies a token once for each expert that is to
 * work on it, the products of all experts are one operator, and "combine" sums the results of the
 * experts for a token, weighted by the router. The operators between the two have experts
 * (Operator::experts), which replicas can share out. A tensor-parallel group splits every expert as
 * it splits a feed-forward block; it therefore sums the rows of all copies of a token. Shared
 * experts are one feed-forward block that all tokens pass.
 *
 * Blocks of a diffusion transformer scale and shift what they read, and scale what they add, by
 * vectors that a product makes of the conditions of the image (adaLN, Peebles and Xie 2023).
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
     * Add a layer: a block of self-attention and a feed-forward block.
     *
     * @param input the index of the operator whose output the layer reads
     * @param sequence tokens of the sequence
     * @param layer the number of the layer, from 1 on
     * @return the index of the operator whose output is that of the layer
     */
    uint32_t AddLayer(uint32_t input, uint64_t sequence, uint64_t layer);

    /**
     * Let the layers that follow be modulated.
     *
     * @param conditions the index of the operator whose output is the vector of conditions, as wide
     *        as the activation of a token
     */
    void SetConditions(uint32_t conditions);

    /**
     * Add a product that makes vectors of the conditions.
     *
     * @param name its name, unique within its layer
     * @param vectors number of vectors, each as wide as the activation of a token
     * @return its index
     */
    uint32_t AddConditions(const std::string& name, uint64_t vectors);

    /**
     * Scale and shift the activations of tokens.
     *
     * @param name its name, unique within its layer
     * @param input the index of the operator whose output it reads
     * @param vectors the index of the operator whose output has the vectors
     * @param terms number of vectors: 1 to scale, 2 to scale and shift
     * @param sequence tokens of the sequence
     * @return its index
     */
    uint32_t AddModulation(const std::string& name,
                           uint32_t input,
                           uint32_t vectors,
                           uint64_t terms,
                           uint64_t sequence);

    /**
     * Add a block in which each token attends to the tokens of its own sequence.
     *
     * @param input the index of the operator whose output the block reads
     * @param sequence tokens of the sequence
     * @param layer the number of its layer, from 1 on
     * @return the index of the operator whose output is that of the block
     */
    uint32_t AddSelfAttention(uint32_t input, uint64_t sequence, uint64_t layer);

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
     * @param layer the number of its layer, from 1 on
     * @return the index of the operator whose output is that of the block
     */
    uint32_t AddFeedForward(uint32_t input, uint64_t sequence, uint64_t layer);

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
    using Source = TrainingGraphBuilder::Source; //!< A read of the output of an operator

    /// The matrix products of a feed-forward block.
    struct Products
    {
        std::string prefix;  //!< The beginning of their names
        uint64_t inner{0};   //!< The width between them
        uint64_t experts{0}; //!< Number of experts; 0 for none
    };

    /// The sources of an attention.
    struct AttentionSources
    {
        Source queries; //!< Of the queries
        Source keys;    //!< Of the keys
        Source values;  //!< Of the values
    };

    /**
     * @param experts the number of experts, 0 for none
     * @param [in,out] costs the costs of an operator, which gets these experts
     */
    void SetExperts(uint64_t experts, OperatorCosts& costs) const;

    /**
     * Add the matrix products of a feed-forward block, or of all experts, and the operators
     * between.
     *
     * @param input the index of the operator whose output they read
     * @param rows rows of that output
     * @param products the products
     * @return the index of the last product
     */
    uint32_t AddProducts(uint32_t input, uint64_t rows, const Products& products);

    /**
     * Add the activation function between the products of a feed-forward block.
     *
     * @param input the index of the operator whose output it reads
     * @param rows rows of that output
     * @param products the products
     * @return its index
     */
    uint32_t AddActivation(uint32_t input, uint64_t rows, const Products& products);

    /**
     * Add the branch of a feed-forward block.
     *
     * @param input the index of the operator whose output the branch reads
     * @param sequence tokens of the sequence
     * @param layer the number of its layer, from 1 on
     * @return the index of the operator whose output is that of the branch
     */
    uint32_t AddFeedForwardBranch(uint32_t input, uint64_t sequence, uint64_t layer);

    /**
     * Add the branch of a block of self-attention.
     *
     * @param input the index of the operator whose output the branch reads
     * @param sequence tokens of the sequence
     * @param layer the number of its layer, from 1 on
     * @return the index of the operator whose output is that of the branch
     */
    uint32_t AddSelfAttentionBranch(uint32_t input, uint64_t sequence, uint64_t layer);

    /**
     * Add the projections to queries, keys and values.
     *
     * @param input the index of the operator whose output they read
     * @param sequence tokens of the sequence
     * @return the sources of an attention
     */
    AttentionSources AddProjections(uint32_t input, uint64_t sequence);

    /**
     * Add the expansions of a latent attention; of keys and values only unless they are absorbed.
     *
     * @param input the index of the operator whose output they read
     * @param sequence tokens of the sequence
     * @return the sources of an attention
     */
    AttentionSources AddLatent(uint32_t input, uint64_t sequence);

    /**
     * Add the branch of a block of linear attention, whose state costs about as much as a window of
     * twice as many tokens as a key has elements.
     *
     * @param input the index of the operator whose output the branch reads
     * @param sequence tokens of the sequence
     * @return the index of the operator whose output is that of the branch
     */
    uint32_t AddLinearAttention(uint32_t input, uint64_t sequence);

    /**
     * Add a layer whose blocks read the same input.
     *
     * @param input the index of the operator whose output the layer reads
     * @param sequence tokens of the sequence
     * @param layer the number of the layer, from 1 on
     * @return the index of the operator whose output is that of the layer
     */
    uint32_t AddParallelLayer(uint32_t input, uint64_t sequence, uint64_t layer);

    /**
     * Add the experts that all tokens pass, and the sum with the result of the others.
     *
     * @param input the index of the operator whose output they read
     * @param routed the index of the operator whose output is that of the other experts
     * @param sequence tokens of the sequence
     * @return the index of the sum
     */
    uint32_t AddSharedExperts(uint32_t input, uint32_t routed, uint64_t sequence);

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
     * @param sources its sources
     * @param sequence tokens that attend
     * @param memorySequence tokens that are attended to
     * @param pairs the pairs of tokens that are multiplied
     * @param contextBytes bytes of keys and values (Operator::contextBytes)
     * @return the index of the output projection
     */
    uint32_t AddAttention(const std::string& prefix,
                          const AttentionSources& sources,
                          uint64_t sequence,
                          uint64_t memorySequence,
                          uint64_t pairs,
                          uint64_t contextBytes);

    /**
     * Add an attention that multiplies queries with the cache of a latent attention as it is.
     *
     * @param sources the queries, and the new part of the cache
     * @param sequence tokens that attend
     * @param layer the number of its layer, from 1 on
     * @return the index of the output projection
     */
    uint32_t AddAbsorbedAttention(const AttentionSources& sources,
                                  uint64_t sequence,
                                  uint64_t layer);

    /**
     * Add the output projection of an attention.
     *
     * @param prefix the beginning of the names of the block's operators
     * @param context the index of the operator whose output it reads
     * @param sequence tokens of the sequence
     * @return its index
     */
    uint32_t AddOutput(const std::string& prefix, uint32_t context, uint64_t sequence);

    /**
     * @param tokens tokens that are attended to
     * @return the bytes of their keys and values
     */
    uint64_t GetContextBytes(uint64_t tokens) const;

    /**
     * @param layer the number of a layer, from 1 on
     * @return the bytes that its cache of a sequence takes
     */
    uint64_t GetCacheBytes(uint64_t layer) const;

    /**
     * Add an attention in one operator.
     *
     * @param prefix the beginning of the names of the block's operators
     * @param sources its sources
     * @param sequence tokens that attend
     * @param memorySequence tokens that are attended to
     * @param pairs the pairs of tokens that are multiplied
     * @param contextBytes bytes of keys and values (Operator::contextBytes)
     * @return the index of the operator
     */
    uint32_t AddFusedAttention(const std::string& prefix,
                               const AttentionSources& sources,
                               uint64_t sequence,
                               uint64_t memorySequence,
                               uint64_t pairs,
                               uint64_t contextBytes);

    /**
     * Add an attention in an operator for each step.
     *
     * @param prefix the beginning of the names of the block's operators
     * @param sources its sources
     * @param sequence tokens that attend
     * @param memorySequence tokens that are attended to
     * @return the index of the operator whose output is the context
     */
    uint32_t AddUnfusedAttention(const std::string& prefix,
                                 const AttentionSources& sources,
                                 uint64_t sequence,
                                 uint64_t memorySequence);

    /**
     * @param outputs elements that a projection of the attention makes of a token
     * @return its number of biases
     */
    uint64_t GetBiases(uint64_t outputs) const;

    TrainingGraphBuilder& m_builder;      //!< The model
    TransformerShape m_shape;             //!< The size and the style of the blocks
    std::optional<uint32_t> m_conditions; //!< The operator that makes the vector of conditions
    uint32_t m_vectors{0};                //!< The operator that makes the vectors of the block
};

} // namespace lightpath
} // namespace ns3

#endif /* TRANSFORMER_BLOCK_H */
