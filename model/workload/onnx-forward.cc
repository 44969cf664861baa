/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "onnx-forward.h"

#include "json-value.h"
#include "onnx-operators.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace ns3
{
namespace lightpath
{

namespace
{

/// An operator whose result another one reads
using Source = TrainingGraphBuilder::Source;

/// The most bytes and operations of all operators: sums of a few times as many have 64 bits.
constexpr uint64_t MAX_TOTAL = uint64_t(1) << 58;

/// The longest name that is kept.
constexpr std::size_t MAX_NAME = 200;

/**
 * Turn the costs of all samples into those of one, rounded up.
 *
 * @param op the costs
 * @param samples the samples
 */
void
Divide(Operator& op, uint64_t samples)
{
    for (auto* cost : {&op.multiplyAdds,
                       &op.flops,
                       &op.readBytes,
                       &op.writtenBytes,
                       &op.inputBytes,
                       &op.outputBytes,
                       &op.savedBytes})
    {
        *cost = (*cost + samples - 1) / samples;
    }
}

/**
 * Take its costs from a gradient that nothing needs.
 *
 * @param op the operator that would compute it
 */
void
TakeCosts(Operator& op)
{
    const Precision precision = op.precision;
    op = Operator();
    op.precision = precision;
}

} // namespace

OnnxForward::OnnxForward(const OnnxGraph& graph, const OperatorFormulas& formulas, uint64_t samples)
    : m_graph(graph),
      m_formulas(formulas),
      m_samples(samples)
{
}

uint64_t
OnnxForward::GetSize(uint32_t parameter) const
{
    return OnnxGraph::CountElements(m_graph.constants.at(parameter).shape);
}

void
OnnxForward::AddConstants()
{
    uint64_t all = 0;
    for (uint32_t i = 0; i < m_graph.constants.size(); ++i)
    {
        const OnnxConstant& constant = m_graph.constants[i];
        OnnxTensor tensor;
        tensor.type = constant.type;
        tensor.shape = constant.shape;
        tensor.elements = GetSize(i);
        tensor.numbers = constant.numbers;
        tensor.isConstant = true;
        if (tensor.IsFloat() && !tensor.shape.empty())
        {
            // A tensor without dimensions is a setting, such as an exponent
            tensor.parameters.push_back(i);
            all += tensor.elements;
        }
        if (all > OnnxGraph::MAX_ELEMENTS)
        {
            throw std::invalid_argument("it has more than 2^46 parameters");
        }
        m_tensors[constant.name] = std::move(tensor);
    }
}

void
OnnxForward::AddInputs(const SizeOf& sizeOf)
{
    for (const auto& input : m_graph.inputs)
    {
        if (!input.isShaped)
        {
            throw std::invalid_argument("input " + JsonValue::Quote(input.name) +
                                        " has no shape: export the model with the shapes of its "
                                        "inputs, of which dimensions may be open");
        }
        OnnxTensor tensor;
        tensor.type = input.type;
        for (const auto& dimension : input.shape)
        {
            tensor.shape.push_back(dimension.size > 0 ? dimension.size : sizeOf(dimension.symbol));
        }
        tensor.elements = OnnxGraph::CountElements(tensor.shape);
        m_tensors[input.name] = std::move(tensor);
    }
}

std::vector<const OnnxTensor*>
OnnxForward::GetInputs(const OnnxNode& node) const
{
    std::vector<const OnnxTensor*> inputs;
    for (const auto& name : node.inputs)
    {
        const auto found = m_tensors.find(name);
        if (!name.empty() && found == m_tensors.end())
        {
            OnnxCall(node, {}, 0)
                .Fail("it reads " + JsonValue::Quote(name) +
                      ", which no node before it writes: sort the nodes topologically, and write "
                      "all tensors that they need");
        }
        inputs.push_back(name.empty() ? nullptr : &found->second);
    }
    while (!inputs.empty() && !inputs.back())
    {
        inputs.pop_back();
    }
    return inputs;
}

std::vector<OnnxStep>
OnnxForward::Run(const SizeOf& sizeOf)
{
    AddConstants();
    AddInputs(sizeOf);
    for (const auto& node : m_graph.nodes)
    {
        RunNode(node);
    }
    return std::move(m_steps);
}

void
OnnxForward::RunNode(const OnnxNode& node)
{
    const std::vector<const OnnxTensor*> inputs = GetInputs(node);
    OnnxCall call(node, inputs, m_graph.version);
    const OnnxOperator& op = OnnxOperator::Find(call);
    op.infer(call);
    const bool isConstant = std::all_of(inputs.begin(), inputs.end(), [](const auto* input) {
        return !input || input->isConstant;
    });
    // The value of a shape is known, but not the same for all batches
    std::vector<const OnnxTensor*> sources;
    for (std::size_t i = 0; i < inputs.size() && i < op.nTrained; ++i)
    {
        if (inputs[i])
        {
            sources.push_back(inputs[i]);
        }
    }
    auto& outputs = call.GetOutputs();
    const bool isFloat = !outputs.empty() && outputs[0].IsFloat();
    const auto costs = isConstant || !isFloat ? std::nullopt : op.cost(call, m_formulas);
    if (costs)
    {
        AddStep(call, *costs, sources);
    }
    for (std::size_t i = 0; i < outputs.size() && i < node.outputs.size(); ++i)
    {
        OnnxTensor& output = outputs[i];
        output.isConstant = isConstant || (output.numbers && !output.IsFloat());
        for (const auto* source : sources)
        {
            if (isConstant)
            {
                output.parameters.insert(output.parameters.end(),
                                         source->parameters.begin(),
                                         source->parameters.end());
            }
            else if (!costs && output.IsFloat() && source->IsFloat() && !source->isConstant)
            {
                output.producer = source->producer;
                output.isTrained = source->isTrained;
            }
        }
        std::sort(output.parameters.begin(), output.parameters.end());
        output.parameters.erase(std::unique(output.parameters.begin(), output.parameters.end()),
                                output.parameters.end());
        if (costs)
        {
            output.producer = static_cast<uint32_t>(m_steps.size()) - 1;
            output.isTrained = m_steps.back().isTrained;
        }
    }
    for (std::size_t i = 0; i < outputs.size() && i < node.outputs.size(); ++i)
    {
        if (!node.outputs[i].empty())
        {
            m_tensors[node.outputs[i]] = std::move(outputs[i]);
        }
    }
}

void
OnnxForward::AddSource(const OnnxTensor& tensor, std::vector<Source>& sources) const
{
    if (tensor.producer == OnnxTensor::NONE)
    {
        return;
    }
    // A view of a part reads this part
    const bool isPart = tensor.elements < m_outputs[tensor.producer];
    const uint64_t bytes =
        isPart ? (m_formulas.GetWordBytes() * tensor.elements + m_samples - 1) / m_samples : 0;
    for (auto& source : sources)
    {
        if (source.op == tensor.producer)
        {
            const uint64_t whole = m_steps[tensor.producer].costs.forward.outputBytes;
            const bool isWhole = source.bytes == 0 || bytes == 0 || source.bytes + bytes >= whole;
            source.bytes = isWhole ? 0 : source.bytes + bytes;
            return;
        }
    }
    sources.emplace_back(tensor.producer, bytes);
}

void
OnnxForward::AddStep(const OnnxCall& call,
                     const OperatorCosts& costs,
                     const std::vector<const OnnxTensor*>& inputs)
{
    const uint64_t elements = call.GetOutput().elements;
    call.Require(elements > 0, "its result is empty: no dimension of an input may be 0");
    AddUp(call, costs);
    OnnxStep step;
    step.name = MakeName(call.GetNode());
    step.costs = costs;
    std::set<uint32_t> parameters;
    for (const auto* input : inputs)
    {
        parameters.insert(input->parameters.begin(), input->parameters.end());
        step.isTrained = step.isTrained || input->isTrained;
        AddSource(*input, step.sources);
    }
    step.parameters.assign(parameters.begin(), parameters.end());
    if (step.parameters.empty())
    {
        TakeCosts(step.costs.weightGradient);
    }
    step.isTrained = step.isTrained || !step.parameters.empty();
    if (!step.isTrained)
    {
        TakeCosts(step.costs.backward);
        step.costs.forward.savedBytes = 0;
    }
    for (auto* op : {&step.costs.forward, &step.costs.backward, &step.costs.weightGradient})
    {
        Divide(*op, m_samples);
    }
    m_steps.push_back(std::move(step));
    m_outputs.push_back(elements);
}

std::string
OnnxForward::MakeName(const OnnxNode& node)
{
    const bool isUsable = !node.name.empty() && node.name.size() <= MAX_NAME &&
                          std::all_of(node.name.begin(), node.name.end(), [](unsigned char c) {
                              return c > ' ' && c <= '~';
                          });
    const std::string name = isUsable ? node.name : node.type;
    const std::string number = "#" + std::to_string(m_steps.size());
    const std::string unique =
        isUsable && !m_names.count(name) ? name : name.substr(0, MAX_NAME) + number;
    m_names.insert(unique);
    return unique;
}

void
OnnxForward::AddUp(const OnnxCall& call, const OperatorCosts& costs)
{
    for (const auto* op : {&costs.forward, &costs.backward, &costs.weightGradient})
    {
        m_total += op->flops + op->readBytes + op->writtenBytes + op->parameterBytes;
    }
    call.Require(m_total <= MAX_TOTAL,
                 "it and all nodes before it cost more than 2^58 operations and bytes");
}

} // namespace lightpath
} // namespace ns3
