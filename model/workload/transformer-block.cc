/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "transformer-block.h"

#include <string>
#include <vector>

namespace ns3
{
namespace lightpath
{

TransformerBlock::TransformerBlock(TrainingGraphBuilder& builder, const TransformerShape& shape)
    : m_builder(builder),
      m_shape(shape)
{
    shape.Check();
}

uint32_t
TransformerBlock::AddSelfAttention(uint32_t input, uint64_t sequence)
{
    using Source = TrainingGraphBuilder::Source;
    const std::string prefix = "attention";
    const OperatorFormulas& formulas = m_builder.GetFormulas();
    const uint64_t width = m_shape.width;
    const uint64_t keyWidth = m_shape.GetKvHeads() * m_shape.GetHeadWidth();
    const uint64_t outputs = width + 2 * keyWidth;
    const uint64_t tokenBytes = formulas.GetWordBytes() * sequence;
    const uint32_t branch = Open(prefix, input, sequence);
    const uint32_t projection =
        m_builder.Add(prefix + ".qkv",
                      formulas.Matmul(sequence, width, outputs, GetBiases(outputs)),
                      TensorSplit::COLUMN,
                      {branch});
    uint32_t rotated = projection;
    if (m_shape.rotary)
    {
        rotated = m_builder.Add(prefix + ".rotation",
                                formulas.Rotation(sequence * (width + keyWidth)),
                                TensorSplit::SHARDED,
                                {Source(projection, tokenBytes * (width + keyWidth))});
    }
    const uint32_t output = AddAttention(prefix,
                                         Source(rotated, tokenBytes * width),
                                         Source(rotated, tokenBytes * keyWidth),
                                         Source(projection, tokenBytes * keyWidth),
                                         sequence,
                                         sequence);
    return Close(prefix, output, input, sequence);
}

uint32_t
TransformerBlock::AddCrossAttention(uint32_t input,
                                    uint64_t sequence,
                                    uint32_t memory,
                                    uint64_t memorySequence,
                                    bool keepsMemory)
{
    using Source = TrainingGraphBuilder::Source;
    const std::string prefix = "cross-attention";
    const OperatorFormulas& formulas = m_builder.GetFormulas();
    const uint64_t width = m_shape.width;
    const uint64_t keyWidth = m_shape.GetKvHeads() * m_shape.GetHeadWidth();
    const uint32_t branch = Open(prefix, input, sequence);
    const uint32_t queries =
        m_builder.Add(prefix + ".q",
                      formulas.Matmul(sequence, width, width, GetBiases(width)),
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
    const uint32_t output = AddAttention(prefix, queries, part, part, sequence, memorySequence);
    return Close(prefix, output, input, sequence);
}

uint32_t
TransformerBlock::AddFeedForward(uint32_t input, uint64_t sequence)
{
    const std::string prefix = "feed-forward";
    const uint32_t branch = Open(prefix, input, sequence);
    const uint32_t output =
        m_shape.experts > 1 ? AddExperts(branch, sequence) : AddProducts(branch, sequence);
    return Close(prefix, output, input, sequence);
}

uint32_t
TransformerBlock::AddProducts(uint32_t input, uint64_t rows)
{
    const OperatorFormulas& formulas = m_builder.GetFormulas();
    const uint64_t width = m_shape.width;
    const uint64_t inner = m_shape.feedForward;
    const bool gated = m_shape.activation == TransformerActivation::GATED;
    const uint64_t columns = gated ? 2 * inner : inner;
    const bool biases = m_shape.biases != TransformerBiases::NONE;
    std::string name = "gelu";
    OperatorCosts activation = formulas.Gelu(rows * inner);
    if (gated)
    {
        name = "gate";
        activation = formulas.Gate(rows * inner);
    }
    else if (m_shape.activation == TransformerActivation::RELU)
    {
        name = "relu";
        activation =
            m_shape.dropout ? formulas.ReluDropout(rows * inner) : formulas.Relu(rows * inner);
    }
    const auto add =
        [&](const std::string& suffix, OperatorCosts costs, TensorSplit split, uint32_t source) {
            costs.forward.experts =
                m_shape.experts > 1 ? static_cast<uint32_t>(m_shape.experts) : 0;
            return m_builder.Add("feed-forward." + suffix, costs, split, {source});
        };
    uint32_t last =
        add("expansion",
            formulas.Matmul(rows, width, columns, biases ? columns : 0, m_shape.experts),
            TensorSplit::COLUMN,
            input);
    last = add(name, activation, TensorSplit::SHARDED, last);
    return add("projection",
               formulas.Matmul(rows, inner, width, biases ? width : 0, m_shape.experts),
               TensorSplit::ROW,
               last);
}

uint32_t
TransformerBlock::AddExperts(uint32_t input, uint64_t sequence)
{
    using Source = TrainingGraphBuilder::Source;
    const std::string prefix = "feed-forward";
    const OperatorFormulas& formulas = m_builder.GetFormulas();
    const uint64_t rows = sequence * m_shape.topK;
    const uint32_t scores =
        m_builder.Add(prefix + ".router",
                      formulas.Matmul(sequence, m_shape.width, m_shape.experts, 0),
                      TensorSplit::SEQUENCE,
                      {input});
    const uint32_t route = m_builder.Add(prefix + ".route",
                                         formulas.Route(sequence, m_shape.experts, m_shape.topK),
                                         TensorSplit::SEQUENCE,
                                         {scores});
    const uint64_t weights = formulas.GetWordBytes() * rows;
    const uint64_t indices = m_builder.GetOutputBytes(route) - weights;
    const uint32_t dispatch = m_builder.Add(prefix + ".dispatch",
                                            formulas.Gather(rows, m_shape.width, sequence),
                                            TensorSplit::SEQUENCE,
                                            {input, Source(route, indices)});
    const uint32_t output = AddProducts(dispatch, rows);
    return m_builder.Add(prefix + ".combine",
                         formulas.Combine(sequence, m_shape.width, m_shape.topK),
                         TensorSplit::SEQUENCE,
                         {output, Source(route, weights)});
}

uint32_t
TransformerBlock::Open(const std::string& prefix, uint32_t input, uint64_t sequence)
{
    return m_shape.normFirst ? AddNorm(prefix + ".norm", input, sequence) : input;
}

uint32_t
TransformerBlock::Close(const std::string& prefix,
                        uint32_t branch,
                        uint32_t input,
                        uint64_t sequence)
{
    const OperatorFormulas& formulas = m_builder.GetFormulas();
    const uint64_t elements = sequence * m_shape.width;
    const uint32_t sum = m_shape.dropout ? m_builder.Add(prefix + ".dropout-add",
                                                         formulas.DropoutAdd(elements),
                                                         TensorSplit::SEQUENCE,
                                                         {branch, input})
                                         : m_builder.Add(prefix + ".add",
                                                         formulas.Add(elements),
                                                         TensorSplit::SEQUENCE,
                                                         {branch, input});
    return m_shape.normFirst ? sum : AddNorm(prefix + ".norm", sum, sequence);
}

uint32_t
TransformerBlock::AddNorm(const std::string& name,
                          uint32_t input,
                          uint64_t tokens,
                          TensorSplit split)
{
    return m_builder.Add(name,
                         m_shape.norm == TransformerNorm::LAYER
                             ? m_builder.GetFormulas().LayerNorm(tokens, m_shape.width)
                             : m_builder.GetFormulas().RmsNorm(tokens, m_shape.width),
                         split,
                         {input});
}

uint32_t
TransformerBlock::AddAttention(const std::string& prefix,
                               const TrainingGraphBuilder::Source& queries,
                               const TrainingGraphBuilder::Source& keys,
                               const TrainingGraphBuilder::Source& values,
                               uint64_t sequence,
                               uint64_t memorySequence)
{
    const OperatorFormulas& formulas = m_builder.GetFormulas();
    const uint64_t heads = m_shape.heads;
    const uint64_t groups = m_shape.GetKvHeads();
    const uint64_t headWidth = m_shape.GetHeadWidth();
    const uint64_t elements = heads * sequence * memorySequence;
    const uint64_t elementBytes = formulas.GetWordBytes() * elements;
    const uint64_t keyBytes = formulas.GetWordBytes() * memorySequence * groups * headWidth;
    const OperatorCosts output =
        formulas.Matmul(sequence, m_shape.width, m_shape.width, GetBiases(m_shape.width));
    if (m_shape.fused)
    {
        const uint32_t context =
            AddFusedAttention(prefix, {queries, keys, values}, sequence, memorySequence);
        return m_builder.Add(prefix + ".projection", output, TensorSplit::ROW, {context});
    }
    std::vector<TrainingGraphBuilder::Source> factors{queries};
    if (keys.op == queries.op)
    {
        factors[0].bytes += keys.bytes;
    }
    else
    {
        factors.push_back(keys);
    }
    const auto add = [&](const std::string& name,
                         OperatorCosts costs,
                         uint64_t savedBytes,
                         uint64_t contextBytes,
                         const std::vector<TrainingGraphBuilder::Source>& sources) {
        costs.forward.selective = true;
        costs.forward.savedBytes = savedBytes;
        costs.forward.indivisible = groups;
        costs.forward.contextBytes = contextBytes;
        return m_builder.Add(prefix + name, costs, TensorSplit::SHARDED, sources);
    };
    const OperatorCosts first =
        formulas.GroupedAttention(heads, groups, sequence, headWidth, memorySequence);
    const OperatorCosts second =
        formulas.GroupedAttention(heads, groups, sequence, memorySequence, headWidth);
    uint32_t last = add(".scores", first, first.forward.savedBytes, keyBytes, factors);
    // Without a dropout the softmax and the context keep the same data
    const uint64_t softmaxBytes = m_shape.dropout ? elementBytes : 0;
    last = add(".softmax", formulas.Softmax(elements), softmaxBytes, 0, {last});
    if (m_shape.dropout)
    {
        const OperatorCosts dropout = formulas.Dropout(elements);
        last = add(".dropout", dropout, dropout.forward.savedBytes, 0, {last});
    }
    last = add(".context", second, second.forward.savedBytes, keyBytes, {last, values});
    return m_builder.Add(prefix + ".projection", output, TensorSplit::ROW, {last});
}

uint32_t
TransformerBlock::AddFusedAttention(const std::string& prefix,
                                    const std::vector<TrainingGraphBuilder::Source>& sources,
                                    uint64_t sequence,
                                    uint64_t memorySequence)
{
    std::vector<TrainingGraphBuilder::Source> factors;
    for (const auto& source : sources)
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
    OperatorCosts costs = m_builder.GetFormulas().FusedAttention(m_shape.heads,
                                                                 m_shape.GetKvHeads(),
                                                                 sequence,
                                                                 m_shape.GetHeadWidth(),
                                                                 memorySequence);
    costs.forward.indivisible = m_shape.GetKvHeads();
    costs.forward.contextBytes = 2 * m_builder.GetFormulas().GetWordBytes() * memorySequence *
                                 m_shape.GetKvHeads() * m_shape.GetHeadWidth();
    return m_builder.Add(prefix + ".fused", costs, TensorSplit::SHARDED, factors);
}

uint64_t
TransformerBlock::GetBiases(uint64_t outputs) const
{
    return m_shape.biases == TransformerBiases::ALL ? outputs : 0;
}

} // namespace lightpath
} // namespace ns3
