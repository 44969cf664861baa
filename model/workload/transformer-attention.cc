/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "transformer-block.h"

#include <string>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup lightpath
 * The attention of TransformerBlock.
 */

namespace ns3
{
namespace lightpath
{

namespace
{

/**
 * Let an operator do the work of another one as well.
 *
 * @param costs the operator
 * @param other the other operator
 */
void
AddCosts(OperatorCosts& costs, const OperatorCosts& other)
{
    for (const auto& part : {std::make_pair(&costs.forward, &other.forward),
                             std::make_pair(&costs.backward, &other.backward)})
    {
        part.first->flops += part.second->flops;
        part.first->readBytes += part.second->readBytes;
        part.first->writtenBytes += part.second->writtenBytes;
        part.first->inputBytes += part.second->inputBytes;
        part.first->outputBytes += part.second->outputBytes;
    }
}

} // namespace

uint32_t
TransformerBlock::AddSelfAttention(uint32_t input, uint64_t sequence, uint64_t layer)
{
    const std::string prefix = "attention";
    uint32_t branch = Open(prefix, input, sequence);
    branch = AddSelfAttentionBranch(branch, sequence, layer);
    return Close(prefix, branch, input, sequence);
}

uint32_t
TransformerBlock::AddSelfAttentionBranch(uint32_t input, uint64_t sequence, uint64_t layer)
{
    if (m_shape.IsLinear(layer))
    {
        return AddLinearAttention(input, sequence);
    }
    const AttentionSources sources =
        m_shape.latent.keyRank > 0 ? AddLatent(input, sequence) : AddProjections(input, sequence);
    if (m_shape.IsAbsorbed())
    {
        return AddAbsorbedAttention(sources, sequence, layer);
    }
    const uint64_t context = m_shape.GetContext();
    const uint64_t keys = m_shape.GetReach(layer, sequence, context);
    return AddAttention("attention",
                        sources,
                        sequence,
                        keys,
                        m_shape.GetPairs(layer, sequence, context),
                        m_shape.inference ? GetCacheBytes(layer) : GetContextBytes(keys));
}

uint64_t
TransformerBlock::GetContextBytes(uint64_t tokens) const
{
    return m_builder.GetFormulas().GetWordBytes() * tokens * m_shape.GetKvHeads() *
           (m_shape.GetHeadWidth() + m_shape.GetValueWidth());
}

uint64_t
TransformerBlock::GetCacheBytes(uint64_t layer) const
{
    return m_builder.GetFormulas().GetWordBytes() * m_shape.GetCacheWidth() *
           m_shape.GetReach(layer, 1, m_shape.GetTokens());
}

uint32_t
TransformerBlock::AddAbsorbedAttention(const AttentionSources& sources,
                                       uint64_t sequence,
                                       uint64_t layer)
{
    const std::string prefix = "attention";
    const OperatorFormulas& formulas = m_builder.GetFormulas();
    const LatentAttention& latent = m_shape.latent;
    const uint64_t rows = sequence * m_shape.heads;
    const uint64_t word = formulas.GetWordBytes();
    const uint64_t plainWidth = m_shape.GetHeadWidth() - latent.rotaryWidth;
    // Each head has a product of its own
    const uint32_t queries =
        m_builder.Add(prefix + ".absorption",
                      formulas.Matmul(rows, plainWidth, latent.keyRank, 0, m_shape.heads),
                      TensorSplit::SHARDED,
                      {Source(sources.queries.op, word * rows * plainWidth)});
    AttentionShape shape;
    shape.heads = m_shape.heads;
    shape.groups = m_shape.GetLatentCopies();
    shape.rows = sequence;
    shape.columns = m_shape.GetReach(layer, sequence, m_shape.GetContext());
    shape.width = latent.keyRank + latent.rotaryWidth;
    shape.valueWidth = latent.keyRank;
    shape.pairs = m_shape.GetPairs(layer, sequence, m_shape.GetContext());
    OperatorCosts costs = formulas.FusedAttention(shape);
    // Values are read as a part of the keys
    const uint64_t valueBytes = word * shape.groups * shape.columns * shape.valueWidth;
    costs.forward.readBytes -= valueBytes;
    costs.forward.inputBytes -= valueBytes;
    costs.forward.indivisible = shape.groups;
    costs.forward.contextBytes = GetCacheBytes(layer);
    const uint32_t result = m_builder.Add(
        prefix + ".fused",
        costs,
        TensorSplit::SHARDED,
        {queries, Source(sources.queries.op, word * rows * latent.rotaryWidth), sources.keys});
    const uint32_t values =
        m_builder.Add(prefix + ".values",
                      formulas.Matmul(rows, latent.keyRank, latent.valueWidth, 0, m_shape.heads),
                      TensorSplit::SHARDED,
                      {result});
    return AddOutput(prefix, values, sequence);
}

TransformerBlock::AttentionSources
TransformerBlock::AddProjections(uint32_t input, uint64_t sequence)
{
    const std::string prefix = "attention";
    const OperatorFormulas& formulas = m_builder.GetFormulas();
    const uint64_t headWidth = m_shape.GetHeadWidth();
    const uint64_t queryWidth = m_shape.heads * headWidth;
    const uint64_t keyWidth = m_shape.GetKvHeads() * headWidth;
    const uint64_t gateWidth = m_shape.outputGate ? queryWidth : 0;
    const uint64_t outputs = queryWidth + 2 * keyWidth + gateWidth;
    const uint64_t tokenBytes = formulas.GetWordBytes() * sequence;
    const uint32_t projection =
        m_builder.Add(prefix + ".qkv",
                      formulas.Matmul(sequence, m_shape.width, outputs, GetBiases(outputs)),
                      TensorSplit::COLUMN,
                      {input});
    uint32_t last = projection;
    if (m_shape.headNorm)
    {
        // The heads may share the parameters, one set for queries and one for keys
        const uint64_t rows = sequence * (m_shape.heads + m_shape.GetKvHeads());
        const bool isRms = m_shape.norm == TransformerNorm::RMS;
        const uint64_t parameters = m_shape.ownHeadNorms ? queryWidth + keyWidth : 2 * headWidth;
        last = m_builder.Add(prefix + ".head-norm",
                             formulas.Norm(rows, headWidth, isRms, parameters),
                             TensorSplit::SHARDED,
                             {Source(last, tokenBytes * (queryWidth + keyWidth))});
    }
    if (m_shape.coding == TransformerPositions::ROTARY)
    {
        last = m_builder.Add(prefix + ".rotation",
                             formulas.Rotation(sequence * (queryWidth + keyWidth)),
                             TensorSplit::SHARDED,
                             {Source(last, tokenBytes * (queryWidth + keyWidth))});
    }
    return {Source(last, tokenBytes * queryWidth),
            Source(last, tokenBytes * keyWidth),
            Source(projection, tokenBytes * (keyWidth + gateWidth))};
}

uint32_t
TransformerBlock::AddLinearAttention(uint32_t input, uint64_t sequence)
{
    const std::string prefix = "attention";
    const OperatorFormulas& formulas = m_builder.GetFormulas();
    const LinearAttention& linear = m_shape.linear;
    const uint64_t word = formulas.GetWordBytes();
    const uint64_t values = linear.valueHeads * linear.valueWidth;
    const uint64_t channels = 2 * linear.keyHeads * linear.keyWidth + values;
    // Queries, keys and values; a gate of the result; two numbers for each head
    const uint32_t projection = m_builder.Add(
        prefix + ".qkv",
        formulas.Matmul(sequence, m_shape.width, channels + values + 2 * linear.valueHeads, 0),
        TensorSplit::COLUMN,
        {input});
    const uint32_t convolution =
        m_builder.Add(prefix + ".convolution",
                      formulas.Norm(sequence, channels, false, channels * linear.kernel),
                      TensorSplit::SHARDED,
                      {Source(projection, word * sequence * channels)});
    const uint64_t window = std::min(2 * linear.keyWidth, m_shape.GetContext());
    AttentionShape shape;
    shape.heads = linear.valueHeads;
    shape.groups = linear.keyHeads;
    shape.rows = sequence;
    shape.columns = sequence;
    shape.width = linear.keyWidth;
    shape.valueWidth = linear.valueWidth;
    shape.pairs = sequence * window;
    shape.parameters = 2 * linear.valueHeads;
    OperatorCosts costs = formulas.FusedAttention(shape);
    costs.forward.indivisible = linear.keyHeads;
    costs.forward.contextBytes = word * linear.valueHeads * linear.keyWidth * linear.valueWidth;
    const uint32_t state =
        m_builder.Add(prefix + ".state", costs, TensorSplit::SHARDED, {convolution});
    const uint32_t norm = m_builder.Add(
        prefix + ".state-norm",
        formulas.Norm(sequence * linear.valueHeads, linear.valueWidth, true, linear.valueWidth),
        TensorSplit::SHARDED,
        {state, Source(projection, word * sequence * values)});
    return m_builder.Add(prefix + ".projection",
                         formulas.Matmul(sequence, values, m_shape.width, 0),
                         TensorSplit::ROW,
                         {norm});
}

TransformerBlock::AttentionSources
TransformerBlock::AddLatent(uint32_t input, uint64_t sequence)
{
    const std::string prefix = "attention";
    const OperatorFormulas& formulas = m_builder.GetFormulas();
    const LatentAttention& latent = m_shape.latent;
    const uint64_t word = formulas.GetWordBytes();
    const uint64_t queryWidth = m_shape.heads * m_shape.GetHeadWidth();
    const uint64_t keyInputs = latent.keyRank + latent.rotaryWidth;
    // Each head has a key without the rotated part, and a value
    const uint64_t keyOutputs =
        m_shape.heads * (m_shape.GetHeadWidth() - latent.rotaryWidth + latent.valueWidth);
    const uint32_t compression =
        m_builder.Add(prefix + ".compression",
                      formulas.Matmul(sequence, m_shape.width, latent.queryRank + keyInputs, 0),
                      TensorSplit::SEQUENCE,
                      {input});
    uint32_t last = input;
    if (latent.queryRank > 0)
    {
        last = m_builder.Add(prefix + ".query-norm",
                             formulas.RmsNorm(sequence, latent.queryRank),
                             TensorSplit::SEQUENCE,
                             {Source(compression, word * sequence * latent.queryRank)});
    }
    const uint64_t queryInputs = latent.queryRank > 0 ? latent.queryRank : m_shape.width;
    last = m_builder.Add(prefix + ".queries",
                         formulas.Matmul(sequence, queryInputs, queryWidth, 0),
                         TensorSplit::COLUMN,
                         {last});
    const uint32_t queries = m_builder.Add(prefix + ".rotation",
                                           formulas.Rotation(sequence * queryWidth),
                                           TensorSplit::SHARDED,
                                           {last});

    // The normalisation of the keys rotates the other part on the way
    OperatorCosts norm = formulas.RmsNorm(sequence, latent.keyRank);
    AddCosts(norm, formulas.Rotation(sequence * latent.rotaryWidth));
    last = m_builder.Add(prefix + ".key-norm",
                         norm,
                         TensorSplit::SEQUENCE,
                         {Source(compression, word * sequence * keyInputs)});
    if (m_shape.IsAbsorbed())
    {
        return {Source(queries), Source(last), Source(last)};
    }
    OperatorCosts product = formulas.Matmul(sequence, latent.keyRank, keyOutputs, 0);
    // Each head gets a copy of the rotated part beside its own part of the keys
    const uint64_t copies = word * sequence * m_shape.heads * latent.rotaryWidth;
    product.forward.inputBytes = word * sequence * keyInputs;
    product.forward.writtenBytes += copies;
    product.forward.outputBytes += copies;
    const uint32_t keys =
        m_builder.Add(prefix + ".keys-values", product, TensorSplit::COLUMN, {last});
    const uint64_t valueBytes = word * sequence * m_shape.heads * latent.valueWidth;
    return {Source(queries),
            Source(keys, m_builder.GetOutputBytes(keys) - valueBytes),
            Source(keys, valueBytes)};
}

uint32_t
TransformerBlock::AddCrossAttention(uint32_t input,
                                    uint64_t sequence,
                                    uint32_t memory,
                                    uint64_t memorySequence,
                                    bool keepsMemory)
{
    const std::string prefix = "cross-attention";
    const OperatorFormulas& formulas = m_builder.GetFormulas();
    const uint64_t width = m_shape.width;
    const uint64_t queryWidth = m_shape.heads * m_shape.GetHeadWidth();
    const uint64_t keyWidth = m_shape.GetKvHeads() * m_shape.GetHeadWidth();
    const uint32_t branch = Open(prefix, input, sequence);
    const uint32_t queries =
        m_builder.Add(prefix + ".q",
                      formulas.Matmul(sequence, width, queryWidth, GetBiases(queryWidth)),
                      TensorSplit::COLUMN,
                      {branch});
    OperatorCosts costs =
        formulas.Matmul(memorySequence, width, 2 * keyWidth, GetBiases(2 * keyWidth));
    if (!keepsMemory)
    {
        costs.forward.savedBytes = 0;
    }
    const uint32_t projection = m_builder.Add(prefix + ".kv", costs, TensorSplit::COLUMN, {memory});
    const Source part(projection, formulas.GetWordBytes() * memorySequence * keyWidth);
    const uint32_t output =
        AddAttention(prefix,
                     {Source(queries, m_builder.GetOutputBytes(queries)), part, part},
                     sequence,
                     memorySequence,
                     sequence * memorySequence,
                     GetContextBytes(memorySequence));
    return Close(prefix, output, input, sequence);
}

uint32_t
TransformerBlock::AddAttention(const std::string& prefix,
                               const AttentionSources& sources,
                               uint64_t sequence,
                               uint64_t memorySequence,
                               uint64_t pairs,
                               uint64_t contextBytes)
{
    const uint32_t context =
        m_shape.attention == TransformerAttention::UNFUSED
            ? AddUnfusedAttention(prefix, sources, sequence, memorySequence)
            : AddFusedAttention(prefix, sources, sequence, memorySequence, pairs, contextBytes);
    return AddOutput(prefix, context, sequence);
}

uint32_t
TransformerBlock::AddOutput(const std::string& prefix, uint32_t context, uint64_t sequence)
{
    const bool biases = m_shape.biases == TransformerBiases::ALL ||
                        m_shape.biases == TransformerBiases::OUTPUT ||
                        m_shape.biases == TransformerBiases::ATTENTION;
    return m_builder.Add(prefix + ".projection",
                         m_builder.GetFormulas().Matmul(sequence,
                                                        m_shape.heads * m_shape.GetValueWidth(),
                                                        m_shape.width,
                                                        biases ? m_shape.width : 0),
                         TensorSplit::ROW,
                         {context});
}

uint32_t
TransformerBlock::AddUnfusedAttention(const std::string& prefix,
                                      const AttentionSources& sources,
                                      uint64_t sequence,
                                      uint64_t memorySequence)
{
    const OperatorFormulas& formulas = m_builder.GetFormulas();
    const uint64_t heads = m_shape.heads;
    const uint64_t groups = m_shape.GetKvHeads();
    const uint64_t elements = heads * sequence * memorySequence;
    const uint64_t elementBytes = formulas.GetWordBytes() * elements;
    std::vector<Source> factors{sources.queries};
    if (sources.keys.op == sources.queries.op)
    {
        factors[0].bytes += sources.keys.bytes;
    }
    else
    {
        factors.push_back(sources.keys);
    }
    const auto add = [&](const std::string& name,
                         OperatorCosts costs,
                         uint64_t savedBytes,
                         uint64_t contextBytes,
                         const std::vector<Source>& inputs) {
        costs.forward.selective = true;
        costs.forward.savedBytes = savedBytes;
        costs.forward.indivisible = groups;
        costs.forward.contextBytes = contextBytes;
        return m_builder.Add(prefix + name, costs, TensorSplit::SHARDED, inputs);
    };
    const uint64_t tokenBytes = formulas.GetWordBytes() * memorySequence * groups;
    const uint64_t keyBytes = tokenBytes * m_shape.GetHeadWidth();
    const uint64_t valueBytes = tokenBytes * m_shape.GetValueWidth();
    const OperatorCosts first =
        formulas.GroupedAttention(heads, groups, sequence, m_shape.GetHeadWidth(), memorySequence);
    const OperatorCosts second =
        formulas.GroupedAttention(heads, groups, sequence, memorySequence, m_shape.GetValueWidth());
    uint32_t last = add(".scores", first, first.forward.savedBytes, keyBytes, factors);
    // Without a dropout the softmax and the context keep the same data
    const uint64_t softmaxBytes = m_shape.dropout ? elementBytes : 0;
    const uint64_t sinks = m_shape.sinks ? heads : 0;
    last = add(".softmax", formulas.Softmax(elements, sinks), softmaxBytes, 0, {last});
    if (m_shape.dropout)
    {
        const OperatorCosts dropout = formulas.Dropout(elements);
        last = add(".dropout", dropout, dropout.forward.savedBytes, 0, {last});
    }
    return add(".context", second, second.forward.savedBytes, valueBytes, {last, sources.values});
}

uint32_t
TransformerBlock::AddFusedAttention(const std::string& prefix,
                                    const AttentionSources& sources,
                                    uint64_t sequence,
                                    uint64_t memorySequence,
                                    uint64_t pairs,
                                    uint64_t contextBytes)
{
    std::vector<Source> factors;
    for (const auto& source : {sources.queries, sources.keys, sources.values})
    {
        if (!factors.empty() && factors.back().op == source.op)
        {
            factors.back().bytes += source.bytes;
        }
        else
        {
            factors.push_back(source);
        }
    }
    AttentionShape shape;
    shape.heads = m_shape.heads;
    shape.groups = m_shape.GetKvHeads();
    shape.rows = sequence;
    shape.columns = memorySequence;
    shape.width = m_shape.GetHeadWidth();
    shape.valueWidth = m_shape.GetValueWidth();
    shape.pairs = pairs;
    shape.parameters = m_shape.sinks ? m_shape.heads : 0;
    OperatorCosts costs = m_builder.GetFormulas().FusedAttention(shape);
    costs.forward.indivisible = m_shape.GetKvHeads();
    costs.forward.contextBytes = contextBytes;
    return m_builder.Add(prefix + ".fused", costs, TensorSplit::SHARDED, factors);
}

uint64_t
TransformerBlock::GetBiases(uint64_t outputs) const
{
    return m_shape.biases == TransformerBiases::ALL ||
                   m_shape.biases == TransformerBiases::QUERIES ||
                   m_shape.biases == TransformerBiases::ATTENTION
               ? outputs
               : 0;
}

} // namespace lightpath
} // namespace ns3
