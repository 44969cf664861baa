/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "transformer-block.h"

#include <algorithm>
#include <cmath>
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

void
TransformerBlock::SetConditions(uint32_t conditions)
{
    m_conditions = conditions;
}

uint32_t
TransformerBlock::AddConditions(const std::string& name, uint64_t vectors)
{
    const uint64_t outputs = vectors * m_shape.width;
    const OperatorFormulas formulas = m_builder.GetFormulas().GetWide();
    const uint32_t smooth = m_builder.Add(name + ".silu",
                                          formulas.Gelu(m_shape.width),
                                          TensorSplit::REPLICATED,
                                          {*m_conditions});
    return m_builder.Add(name,
                         formulas.Matmul(1, m_shape.width, outputs, outputs),
                         TensorSplit::REPLICATED,
                         {smooth});
}

uint32_t
TransformerBlock::AddModulation(const std::string& name,
                                uint32_t input,
                                uint32_t vectors,
                                uint64_t terms,
                                uint64_t sequence)
{
    const OperatorFormulas& formulas = m_builder.GetFormulas();
    return m_builder.Add(name,
                         formulas.Modulation(sequence * m_shape.width, terms, m_shape.width),
                         TensorSplit::SEQUENCE,
                         {input, Source(vectors, formulas.GetWordBytes() * terms * m_shape.width)});
}

uint32_t
TransformerBlock::AddLayer(uint32_t input, uint64_t sequence, uint64_t layer)
{
    if (m_shape.order != TransformerOrder::SERIAL)
    {
        return AddParallelLayer(input, sequence, layer);
    }
    input = AddSelfAttention(input, sequence, layer);
    return AddFeedForward(input, sequence, layer);
}

uint32_t
TransformerBlock::AddParallelLayer(uint32_t input, uint64_t sequence, uint64_t layer)
{
    const uint32_t first = Open("attention", input, sequence);
    const uint32_t second = m_shape.order == TransformerOrder::TWO_NORMS
                                ? Open("feed-forward", input, sequence)
                                : first;
    const uint32_t attention = AddSelfAttentionBranch(first, sequence, layer);
    const uint32_t feedForward = AddFeedForwardBranch(second, sequence, layer);
    const uint32_t sum = Close("attention", attention, input, sequence);
    return Close("feed-forward", feedForward, sum, sequence);
}

uint32_t
TransformerBlock::AddFeedForward(uint32_t input, uint64_t sequence, uint64_t layer)
{
    const std::string prefix = "feed-forward";
    uint32_t branch = Open(prefix, input, sequence);
    branch = AddFeedForwardBranch(branch, sequence, layer);
    return Close(prefix, branch, input, sequence);
}

uint32_t
TransformerBlock::AddFeedForwardBranch(uint32_t input, uint64_t sequence, uint64_t layer)
{
    if (m_shape.HasExperts(layer))
    {
        const uint32_t routed = AddExperts(input, sequence);
        return m_shape.sharedExperts > 0 ? AddSharedExperts(input, routed, sequence) : routed;
    }
    const uint64_t inner = m_shape.experts > 1 ? m_shape.denseFeedForward : m_shape.feedForward;
    return AddProducts(input, sequence, {"feed-forward.", inner, 0});
}

uint32_t
TransformerBlock::AddActivation(uint32_t input, uint64_t rows, const Products& products)
{
    const OperatorFormulas& formulas = m_builder.GetFormulas();
    const uint64_t elements = rows * products.inner;
    std::string name = "gelu";
    OperatorCosts costs = formulas.Gelu(elements);
    switch (m_shape.activation)
    {
    case TransformerActivation::GELU:
        break;
    case TransformerActivation::GATED:
        name = "gate";
        costs = formulas.Gate(elements);
        break;
    case TransformerActivation::RELU:
        name = "relu";
        costs = m_shape.dropout ? formulas.ReluDropout(elements) : formulas.Relu(elements);
        break;
    case TransformerActivation::SQUARED:
        name = "squared-relu";
        costs = formulas.SquaredRelu(elements);
        break;
    }
    SetExperts(products.experts, costs);
    return m_builder.Add(products.prefix + name, costs, TensorSplit::SHARDED, {input});
}

void
TransformerBlock::SetExperts(uint64_t experts, OperatorCosts& costs) const
{
    costs.forward.experts = static_cast<uint32_t>(experts);
    if (experts > 0)
    {
        costs.forward.choice = {static_cast<uint32_t>(m_shape.topK),
                                static_cast<uint32_t>(m_shape.expertGroups),
                                static_cast<uint32_t>(m_shape.topGroups)};
    }
}

uint32_t
TransformerBlock::AddProducts(uint32_t input, uint64_t rows, const Products& products)
{
    const OperatorFormulas& formulas = m_builder.GetFormulas();
    const uint64_t width = m_shape.width;
    const bool gated = m_shape.activation == TransformerActivation::GATED;
    const uint64_t columns = gated ? 2 * products.inner : products.inner;
    const bool biases = m_shape.biases != TransformerBiases::NONE &&
                        m_shape.biases != TransformerBiases::QUERIES &&
                        m_shape.biases != TransformerBiases::ATTENTION;
    const uint64_t sets = std::max<uint64_t>(products.experts, 1);
    OperatorCosts expansion = formulas.Matmul(rows, width, columns, biases ? columns : 0, sets);
    OperatorCosts projection =
        formulas.Matmul(rows, products.inner, width, biases ? width : 0, sets);
    SetExperts(products.experts, expansion);
    SetExperts(products.experts, projection);
    if (products.experts > 0 && m_shape.inference && m_shape.inference->sequences > 0)
    {
        // Few tokens need the parameters of few experts: a token leaves an expert out with the
        // probability that none of its choices is this one
        const double left = 1 - 1.0 * m_shape.topK / products.experts;
        const double tokens = 1.0 * rows / m_shape.topK * m_shape.inference->sequences;
        const double used = 1 - std::pow(left, tokens);
        for (auto* product : {&expansion.forward, &projection.forward})
        {
            product->parameterBytes =
                static_cast<uint64_t>(std::llround(product->parameterBytes * used));
        }
    }
    if (products.experts > 0 && m_shape.scaledDispatch)
    {
        // Tokens come with 8 bits, and so do the gradients of the results; what leaves does not
        const uint64_t scaled = OperatorFormulas::GetScaledBytes(rows * width);
        expansion.backward.outputBytes = expansion.forward.inputBytes;
        expansion.forward.inputBytes = scaled;
        projection.backward.inputBytes = scaled;
        projection.weightGradient.inputBytes = scaled;
    }
    if (products.experts > 0)
    {
        // Tokens come from each GPU in the order of the experts, and are sorted by expert alone;
        // results are sorted back, and so are gradients
        const uint64_t sorted = 2 * formulas.GetWordBytes() * rows * width;
        for (auto* product : {&expansion, &projection})
        {
            product->forward.movedBytes += sorted;
            product->backward.movedBytes += sorted;
        }
    }
    uint32_t last =
        m_builder.Add(products.prefix + "expansion", expansion, TensorSplit::COLUMN, {input});
    last = AddActivation(last, rows, products);
    return m_builder.Add(products.prefix + "projection", projection, TensorSplit::ROW, {last});
}

uint32_t
TransformerBlock::AddSharedExperts(uint32_t input, uint32_t routed, uint64_t sequence)
{
    const OperatorFormulas& formulas = m_builder.GetFormulas();
    std::vector<Source> sources{
        routed,
        AddProducts(input, sequence, {"feed-forward.shared-", m_shape.GetSharedWidth(), 0})};
    if (m_shape.sharedGate)
    {
        sources.emplace_back(m_builder.Add("feed-forward.shared-weight",
                                           formulas.Matmul(sequence, m_shape.width, 1, 0),
                                           TensorSplit::SEQUENCE,
                                           {input}));
    }
    return m_builder.Add("feed-forward.shared-add",
                         formulas.Add(sequence * m_shape.width),
                         TensorSplit::SEQUENCE,
                         sources);
}

uint32_t
TransformerBlock::AddExperts(uint32_t input, uint64_t sequence)
{
    const std::string prefix = "feed-forward";
    const OperatorFormulas& formulas = m_builder.GetFormulas();
    const uint64_t rows = sequence * m_shape.topK;
    const uint64_t biases = m_shape.routerBiases ? m_shape.experts : 0;
    const uint32_t scores =
        m_builder.Add(prefix + ".router",
                      formulas.GetWide().Matmul(sequence, m_shape.width, m_shape.experts, biases),
                      TensorSplit::SEQUENCE,
                      {input});
    const uint32_t route = m_builder.Add(prefix + ".route",
                                         formulas.Route(sequence, m_shape.experts, m_shape.topK),
                                         TensorSplit::SEQUENCE,
                                         {scores});
    const uint64_t weights = formulas.GetWordBytes() * rows;
    const uint64_t indices = m_builder.GetOutputBytes(route) - weights;
    OperatorCosts copies = formulas.Gather(rows, m_shape.width, sequence);
    OperatorCosts sums = formulas.Combine(sequence, m_shape.width, m_shape.topK);
    if (m_shape.scaledDispatch)
    {
        const uint64_t whole = copies.forward.outputBytes;
        const uint64_t scaled = OperatorFormulas::GetScaledBytes(rows * m_shape.width);
        copies.backward.inputBytes = whole;
        copies.forward.outputBytes = scaled;
        copies.forward.writtenBytes = copies.forward.writtenBytes - whole + scaled;
        sums.backward.outputBytes = sums.forward.inputBytes - whole + scaled;
        sums.backward.writtenBytes = sums.backward.writtenBytes - whole + scaled;
    }
    const uint32_t dispatch = m_builder.Add(prefix + ".dispatch",
                                            copies,
                                            TensorSplit::SEQUENCE,
                                            {input, Source(route, indices)});
    const uint32_t output =
        AddProducts(dispatch, rows, {"feed-forward.", m_shape.feedForward, m_shape.experts});
    return m_builder.Add(prefix + ".combine",
                         sums,
                         TensorSplit::SEQUENCE,
                         {output, Source(route, weights)});
}

uint32_t
TransformerBlock::Open(const std::string& prefix, uint32_t input, uint64_t sequence)
{
    if (!m_shape.normFirst)
    {
        return input;
    }
    const uint32_t norm = AddNorm(prefix + ".norm", input, sequence);
    if (!m_conditions)
    {
        return norm;
    }
    m_vectors = AddConditions(prefix + ".conditions", 3);
    return AddModulation(prefix + ".modulation", norm, m_vectors, 2, sequence);
}

uint32_t
TransformerBlock::Close(const std::string& prefix,
                        uint32_t branch,
                        uint32_t input,
                        uint64_t sequence)
{
    const OperatorFormulas& formulas = m_builder.GetFormulas();
    const uint64_t elements = sequence * m_shape.width;
    if (m_shape.postNorm)
    {
        branch = AddNorm(prefix + ".post-norm", branch, sequence);
    }
    if (m_conditions)
    {
        branch = AddModulation(prefix + ".scale", branch, m_vectors, 1, sequence);
    }
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
    const uint64_t sets = m_shape.norm == TransformerNorm::LAYER   ? 2
                          : m_shape.norm == TransformerNorm::PLAIN ? 0
                                                                   : 1;
    return m_builder.Add(name,
                         m_builder.GetFormulas().Norm(tokens,
                                                      m_shape.width,
                                                      m_shape.norm == TransformerNorm::RMS,
                                                      sets * m_shape.width),
                         split,
                         {input});
}

} // namespace lightpath
} // namespace ns3
