/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "training-graph-builder.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace ns3
{
namespace lightpath
{

namespace
{

/// Bytes of a number in single precision.
constexpr uint32_t SINGLE_BYTES = 4;

/**
 * Make a backward operator.
 *
 * @param costs its costs
 * @param forward the forward operator that it belongs to
 * @param suffix the end of its name, behind the name of the forward operator
 * @return the operator
 */
Operator
MakeBackward(const Operator& costs, const Operator& forward, const char* suffix)
{
    Operator op = costs;
    op.name = forward.name + suffix;
    op.kind = forward.kind;
    op.pass = Pass::BACKWARD;
    op.split = forward.split;
    op.layer = forward.layer;
    op.forward = forward.forward;
    op.experts = forward.experts;
    op.choice = forward.choice;
    op.inputBytes = costs.inputBytes > 0 ? costs.inputBytes : forward.outputBytes;
    return op;
}

} // namespace

TrainingGraphBuilder::Source::Source(uint32_t from, uint64_t part)
    : op(from),
      bytes(part)
{
}

TrainingGraphBuilder::TrainingGraphBuilder(std::string name,
                                           std::string sample,
                                           const TrainingOptions& options)
    : m_name(std::move(name)),
      m_sample(std::move(sample)),
      m_options(options),
      m_formulas(options.precision,
                 options.parameters == Precision::FP8
                     ? 1
                     : OperatorFormulas::GetWordBytes(options.precision))
{
}

const OperatorFormulas&
TrainingGraphBuilder::GetFormulas() const
{
    return m_formulas;
}

uint32_t
TrainingGraphBuilder::GetGradientBytes() const
{
    return std::max(OperatorFormulas::GetWordBytes(m_options.precision),
                    OperatorFormulas::GetWordBytes(m_options.gradients));
}

uint32_t
TrainingGraphBuilder::GetOptimizerBytes() const
{
    const uint32_t moments = m_options.optimizer == Optimizer::ADAM       ? 2
                             : m_options.optimizer == Optimizer::MOMENTUM ? 1
                                                                          : 0;
    const uint32_t master = m_formulas.GetWordBytes() < SINGLE_BYTES ? 1 : 0;
    return SINGLE_BYTES * (moments + master);
}

void
TrainingGraphBuilder::BeginLayer(const std::string& name)
{
    m_layerName = name;
    ++m_nLayers;
}

uint32_t
TrainingGraphBuilder::Add(const std::string& name,
                          const OperatorCosts& costs,
                          TensorSplit split,
                          const std::vector<Source>& sources)
{
    const auto index = static_cast<uint32_t>(m_nodes.size());
    if (m_nLayers == 0)
    {
        throw std::invalid_argument("Operator " + name + " of model " + m_name +
                                    " has no layer: begin one before adding operators");
    }
    Node node;
    node.costs = costs;
    node.sources = sources;
    Operator& op = node.costs.forward;
    op.name = m_layerName + "." + name;
    op.pass = Pass::FORWARD;
    op.split = split;
    op.layer = m_nLayers - 1;
    op.forward = index;
    for (const auto& source : sources)
    {
        if (source.op >= index)
        {
            throw std::invalid_argument("Operator " + op.name + " of model " + m_name +
                                        " reads operator " + std::to_string(source.op) +
                                        ", but only the " + std::to_string(index) +
                                        " before it can be read");
        }
        Node& from = m_nodes[source.op];
        from.readers.push_back(index);
        from.bytesRead += source.bytes > 0 ? source.bytes : from.costs.forward.outputBytes;
    }
    m_nodes.push_back(std::move(node));
    return index;
}

uint64_t
TrainingGraphBuilder::GetOutputBytes(uint32_t index) const
{
    return m_nodes.at(index).costs.forward.outputBytes;
}

void
TrainingGraphBuilder::Tie(uint32_t user, uint32_t owner)
{
    if (user >= m_nodes.size() || owner >= user ||
        m_nodes[user].costs.forward.parameters < m_nodes[owner].costs.forward.parameters)
    {
        throw std::invalid_argument("Operator " + std::to_string(user) + " of model " + m_name +
                                    " cannot use the parameters of operator " +
                                    std::to_string(owner) +
                                    ": it must come later and need as many or more of them");
    }
    const uint64_t parameters = m_nodes[owner].costs.forward.parameters;
    OperatorCosts& costs = m_nodes[user].costs;
    costs.forward.parameters -= parameters;
    (costs.apart ? costs.weightGradient : costs.backward).parameters -= parameters;
    SumGradients(user, owner);
}

void
TrainingGraphBuilder::SumGradients(uint32_t user, uint32_t owner)
{
    m_nodes.at(owner).users.push_back(user);
}

OperatorGraph
TrainingGraphBuilder::Build() const
{
    OperatorGraph graph(m_name, m_sample);
    graph.parameterBytes = m_formulas.GetParameterBytes();
    graph.gradientBytes = GetGradientBytes();
    graph.optimizerBytes = GetOptimizerBytes();
    AddForward(graph, true);
    std::vector<Gradients> gradients(m_nodes.size());
    for (auto index = static_cast<uint32_t>(m_nodes.size()); index-- > 0;)
    {
        AddBackward(graph, index, gradients);
    }
    for (auto index = static_cast<uint32_t>(m_nodes.size()); index-- > 0;)
    {
        if (m_nodes[index].costs.forward.parameters > 0)
        {
            AddUpdate(graph, index, gradients[index].parameters);
        }
    }
    return graph;
}

OperatorGraph
TrainingGraphBuilder::BuildForward() const
{
    OperatorGraph graph(m_name, m_sample);
    graph.parameterBytes = m_formulas.GetParameterBytes();
    graph.gradientBytes = 0;
    graph.optimizerBytes = 0;
    AddForward(graph, false);
    return graph;
}

void
TrainingGraphBuilder::AddForward(OperatorGraph& graph, bool isTraining) const
{
    for (const auto& node : m_nodes)
    {
        Operator op = node.costs.forward;
        op.savedBytes = isTraining ? op.savedBytes : 0;
        // Kernels for inference cast and sort what they read
        op.movedBytes = isTraining ? op.movedBytes : 0;
        const uint32_t index = graph.AddOperator(std::move(op));
        for (const auto& source : node.sources)
        {
            graph.AddEdge(source.op, index);
        }
    }
}

bool
TrainingGraphBuilder::IsSummed(const Node& node)
{
    return node.bytesRead > node.costs.forward.outputBytes;
}

void
TrainingGraphBuilder::AddBackward(OperatorGraph& graph,
                                  uint32_t index,
                                  std::vector<Gradients>& gradients) const
{
    const Node& node = m_nodes[index];
    const Operator& forward = node.costs.forward;
    std::vector<uint32_t> outputGradients;
    for (const auto reader : node.readers)
    {
        outputGradients.push_back(gradients[reader].input);
        if (IsSummed(node))
        {
            break; // the sum is complete at the first reader
        }
    }

    std::vector<uint32_t> added;
    if (!node.costs.apart || !node.sources.empty())
    {
        const char* suffix = node.costs.apart ? ".input-gradient" : ".backward";
        Operator op = MakeBackward(node.costs.backward, forward, suffix);
        if (!node.sources.empty())
        {
            // All terms of a sum have the same gradient
            const bool sum = forward.kind == OperatorKind::ELEMENTWISE && node.sources.size() > 1;
            const uint64_t bytes = sum ? forward.outputBytes : forward.inputBytes;
            op.outputBytes = op.outputBytes > 0 ? op.outputBytes : bytes;
        }
        const std::vector<uint32_t> sums = AddSums(index, gradients, op);
        added.push_back(graph.AddOperator(op));
        for (const auto sum : sums)
        {
            graph.AddEdge(sum, added.back());
        }
        gradients[index] = {added.back(), added.back()};
    }
    if (node.costs.apart)
    {
        Operator op = MakeBackward(node.costs.weightGradient, forward, ".weight-gradient");
        // The product adds to the sum over the microbatches. One of tied parameters has none to
        // count, but makes a gradient of them.
        op.parameterBytes =
            2 * GetGradientBytes() * (op.parameterBytes / m_formulas.GetWordBytes());
        added.push_back(graph.AddOperator(std::move(op)));
        gradients[index].parameters = added.back();
    }
    for (const auto op : added)
    {
        for (const auto gradient : outputGradients)
        {
            graph.AddEdge(gradient, op);
        }
        // The gradient of a result that nothing reads comes first, and waits for the result; the
        // gradient of parameters needs the data that its operator has kept
        if (node.readers.empty() || op == gradients[index].parameters)
        {
            graph.AddEdge(index, op);
        }
    }
    for (const auto user : node.users)
    {
        graph.AddEdge(gradients[user].parameters, gradients[index].parameters);
    }
}

std::vector<uint32_t>
TrainingGraphBuilder::AddSums(uint32_t index,
                              const std::vector<Gradients>& gradients,
                              Operator& op) const
{
    std::vector<uint32_t> sums;
    for (const auto& source : m_nodes[index].sources)
    {
        const Node& from = m_nodes[source.op];
        if (!IsSummed(from) || from.readers.back() == index)
        {
            continue;
        }
        const auto next = std::upper_bound(from.readers.begin(), from.readers.end(), index);
        sums.push_back(gradients[*next].input);
        const uint64_t bytes = from.costs.forward.outputBytes;
        op.flops += bytes / m_formulas.GetWordBytes();
        op.readBytes += 2 * bytes;
        op.writtenBytes += bytes;
    }
    return sums;
}

void
TrainingGraphBuilder::AddUpdate(OperatorGraph& graph, uint32_t index, uint32_t gradient) const
{
    const Operator& forward = m_nodes[index].costs.forward;
    Operator op;
    op.name = forward.name + ".update";
    op.kind = OperatorKind::OPTIMIZER;
    op.pass = Pass::UPDATE;
    op.split = forward.split;
    op.layer = forward.layer;
    op.forward = index;
    op.experts = forward.experts;
    op.choice = forward.choice;
    op.parameters = forward.parameters;
    op.precision = Precision::SINGLE;
    // In single precision the copy that the operators read is the only one
    const uint64_t word = m_formulas.GetWordBytes();
    const uint64_t copiesRead = word < SINGLE_BYTES ? 0 : 1;
    const uint64_t read = GetGradientBytes() + copiesRead * word + GetOptimizerBytes();
    const uint64_t written = m_formulas.GetParameterBytes() + GetOptimizerBytes();
    op.sparse = forward.sparse;
    if (forward.sparse)
    {
        // Besides its input, the indices, a lookup reads rows
        const uint64_t elements = (forward.readBytes - forward.inputBytes) / word;
        op.readBytes = read * elements + forward.inputBytes;
        op.writtenBytes = written * elements;
    }
    else
    {
        op.parameterBytes = (read + written) * forward.parameters;
    }
    graph.AddEdge(gradient, graph.AddOperator(std::move(op)));
}

} // namespace lightpath
} // namespace ns3
