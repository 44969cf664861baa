/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "transformer-block.h"

#include <stdexcept>

namespace ns3
{
namespace lightpath
{

TransformerBlock::TransformerBlock(TrainingGraphBuilder& builder, const TransformerStyle& style)
    : m_builder(builder),
      m_style(style)
{
    if (style.heads == 0 || style.width % style.heads != 0)
    {
        throw std::invalid_argument("A transformer of width " + std::to_string(style.width) +
                                    " cannot have " + std::to_string(style.heads) +
                                    " heads: their number must divide the width");
    }
}

uint32_t
TransformerBlock::AddSelfAttention(uint32_t input, uint64_t sequence)
{
    const std::string prefix = "attention";
    const uint64_t bytes = m_builder.GetFormulas().GetWordBytes() * sequence * m_style.width;
    const uint32_t branch = Open(prefix, input, sequence);
    const uint32_t projection = m_builder.Add(
        prefix + ".qkv",
        m_builder.GetFormulas().Matmul(sequence, m_style.width, 3 * m_style.width, GetBiases(3)),
        TensorSplit::COLUMN,
        {branch});
    const TrainingGraphBuilder::Source part(projection, bytes);
    const uint32_t output = AddAttention(prefix, part, part, part, sequence, sequence);
    return Close(prefix, output, input, sequence);
}

uint32_t
TransformerBlock::AddCrossAttention(uint32_t input,
                                    uint64_t sequence,
                                    uint32_t memory,
                                    uint64_t memorySequence,
                                    bool keepsMemory)
{
    const std::string prefix = "cross-attention";
    const uint64_t width = m_style.width;
    const uint32_t branch = Open(prefix, input, sequence);
    const uint32_t queries =
        m_builder.Add(prefix + ".q",
                      m_builder.GetFormulas().Matmul(sequence, width, width, GetBiases(1)),
                      TensorSplit::COLUMN,
                      {branch});
    OperatorCosts costs =
        m_builder.GetFormulas().Matmul(memorySequence, width, 2 * width, GetBiases(2));
    if (!keepsMemory)
    {
        costs.forward.savedBytes = 0;
    }
    const uint32_t projection = m_builder.Add(prefix + ".kv", costs, TensorSplit::COLUMN, {memory});
    const TrainingGraphBuilder::Source part(projection,
                                            m_builder.GetFormulas().GetWordBytes() *
                                                memorySequence * width);
    const uint32_t output = AddAttention(prefix, queries, part, part, sequence, memorySequence);
    return Close(prefix, output, input, sequence);
}

uint32_t
TransformerBlock::AddFeedForward(uint32_t input, uint64_t sequence)
{
    const std::string prefix = "feed-forward";
    const uint64_t inner = m_style.feedForward;
    const uint32_t branch = Open(prefix, input, sequence);
    const uint32_t first =
        m_builder.Add(prefix + ".expansion",
                      m_builder.GetFormulas().Matmul(sequence, m_style.width, inner, inner),
                      TensorSplit::COLUMN,
                      {branch});
    const uint32_t activation =
        m_style.relu ? m_builder.Add(prefix + ".relu",
                                     m_builder.GetFormulas().ReluDropout(sequence * inner),
                                     TensorSplit::SHARDED,
                                     {first})
                     : m_builder.Add(prefix + ".gelu",
                                     m_builder.GetFormulas().Gelu(sequence * inner),
                                     TensorSplit::SHARDED,
                                     {first});
    const uint32_t second =
        m_builder.Add(prefix + ".projection",
                      m_builder.GetFormulas().Matmul(sequence, inner, m_style.width, m_style.width),
                      TensorSplit::ROW,
                      {activation});
    return Close(prefix, second, input, sequence);
}

uint32_t
TransformerBlock::Open(const std::string& prefix, uint32_t input, uint64_t sequence)
{
    if (!m_style.normFirst)
    {
        return input;
    }
    return m_builder.Add(prefix + ".norm",
                         m_builder.GetFormulas().LayerNorm(sequence, m_style.width),
                         TensorSplit::SEQUENCE,
                         {input});
}

uint32_t
TransformerBlock::Close(const std::string& prefix,
                        uint32_t branch,
                        uint32_t input,
                        uint64_t sequence)
{
    const uint32_t sum = m_builder.Add(prefix + ".dropout-add",
                                       m_builder.GetFormulas().DropoutAdd(sequence * m_style.width),
                                       TensorSplit::SEQUENCE,
                                       {branch, input});
    if (m_style.normFirst)
    {
        return sum;
    }
    return m_builder.Add(prefix + ".norm",
                         m_builder.GetFormulas().LayerNorm(sequence, m_style.width),
                         TensorSplit::SEQUENCE,
                         {sum});
}

uint32_t
TransformerBlock::AddAttention(const std::string& prefix,
                               const TrainingGraphBuilder::Source& queries,
                               const TrainingGraphBuilder::Source& keys,
                               const TrainingGraphBuilder::Source& values,
                               uint64_t sequence,
                               uint64_t memorySequence)
{
    const uint64_t heads = m_style.heads;
    const uint64_t headWidth = m_style.width / heads;
    const uint64_t scoresElements = heads * sequence * memorySequence;
    std::vector<TrainingGraphBuilder::Source> factors{queries};
    if (keys.op == queries.op)
    {
        factors[0].bytes += keys.bytes;
    }
    else
    {
        factors.push_back(keys);
    }
    const auto selective = [](OperatorCosts costs) {
        costs.forward.selective = true;
        return costs;
    };
    const uint32_t scores = m_builder.Add(
        prefix + ".scores",
        selective(m_builder.GetFormulas().Attention(heads, sequence, headWidth, memorySequence)),
        TensorSplit::SHARDED,
        factors);
    const uint32_t softmax =
        m_builder.Add(prefix + ".softmax",
                      selective(m_builder.GetFormulas().Softmax(scoresElements)),
                      TensorSplit::SHARDED,
                      {scores});
    const uint32_t dropout =
        m_builder.Add(prefix + ".dropout",
                      selective(m_builder.GetFormulas().Dropout(scoresElements)),
                      TensorSplit::SHARDED,
                      {softmax});
    const uint32_t context = m_builder.Add(
        prefix + ".context",
        selective(m_builder.GetFormulas().Attention(heads, sequence, memorySequence, headWidth)),
        TensorSplit::SHARDED,
        {dropout, values});
    return m_builder.Add(
        prefix + ".projection",
        m_builder.GetFormulas().Matmul(sequence, m_style.width, m_style.width, GetBiases(1)),
        TensorSplit::ROW,
        {context});
}

uint64_t
TransformerBlock::GetBiases(uint64_t biases) const
{
    return m_style.attentionBias ? biases * m_style.width : 0;
}

} // namespace lightpath
} // namespace ns3
