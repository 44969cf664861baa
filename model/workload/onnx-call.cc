/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "onnx-call.h"

#include "json-value.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace ns3
{
namespace lightpath
{

namespace
{

/// The largest integer of shapes and indices: sums of two have 64 bits.
constexpr double MAX_INTEGER = 4611686018427387904.0;

/// The largest cost of an operator.
constexpr uint64_t MAX_COUNT = uint64_t(1) << 50;

} // namespace

bool
OnnxTensor::IsFloat() const
{
    return type == ONNX_FLOAT || type == ONNX_DOUBLE || type == ONNX_HALF || type >= ONNX_BFLOAT16;
}

OnnxCall::OnnxCall(const OnnxNode& node, std::vector<const OnnxTensor*> inputs, uint64_t version)
    : m_node(node),
      m_inputs(std::move(inputs)),
      m_version(version)
{
}

std::string
OnnxCall::Format(const Shape& shape)
{
    std::string text;
    for (const auto size : shape)
    {
        text += (text.empty() ? "" : " x ") + std::to_string(size);
    }
    return text.empty() ? "1" : text;
}

void
OnnxCall::Fail(const std::string& fault) const
{
    const std::string& name =
        !m_node.name.empty() || m_node.outputs.empty() ? m_node.name : m_node.outputs[0];
    throw std::invalid_argument("node " + JsonValue::Quote(name) + " (" +
                                JsonValue::Escape(m_node.type) + "): " + fault);
}

void
OnnxCall::Require(bool condition, const std::string& fault) const
{
    if (!condition)
    {
        Fail(fault);
    }
}

const OnnxNode&
OnnxCall::GetNode() const
{
    return m_node;
}

uint64_t
OnnxCall::GetVersion() const
{
    return m_version;
}

std::size_t
OnnxCall::GetNInputs() const
{
    return m_inputs.size();
}

const OnnxTensor*
OnnxCall::FindInput(std::size_t index) const
{
    return index < m_inputs.size() ? m_inputs[index] : nullptr;
}

const OnnxTensor&
OnnxCall::GetInput(std::size_t index) const
{
    const OnnxTensor* input = FindInput(index);
    Require(input, "it needs " + std::to_string(index + 1) + " or more inputs");
    return *input;
}

const OnnxCall::Shape&
OnnxCall::GetShape(std::size_t index, std::size_t rank) const
{
    const Shape& shape = GetInput(index).shape;
    Require(shape.size() >= rank,
            "input " + std::to_string(index + 1) + " has " + std::to_string(shape.size()) +
                " dimensions, but must have " + std::to_string(rank) + " or more");
    return shape;
}

std::vector<int64_t>
OnnxCall::GetNumbers(std::size_t index) const
{
    const OnnxTensor& input = GetInput(index);
    Require(input.numbers.has_value(),
            "its shape depends on the values of input " + std::to_string(index + 1) +
                ", which are not known: export the model with constants there, or for fixed sizes");
    std::vector<int64_t> numbers;
    for (const double number : *input.numbers)
    {
        const double known = std::isnan(number) ? 0 : number;
        numbers.push_back(
            static_cast<int64_t>(std::max(-MAX_INTEGER, std::min(MAX_INTEGER, known))));
    }
    return numbers;
}

int64_t
OnnxCall::GetInteger(const std::string& attribute, int64_t usual) const
{
    const auto found = m_node.attributes.find(attribute);
    return found == m_node.attributes.end() ? usual : found->second.integer;
}

std::string
OnnxCall::GetText(const std::string& attribute) const
{
    const auto found = m_node.attributes.find(attribute);
    return found == m_node.attributes.end() ? "" : found->second.text;
}

OnnxCall::Shape
OnnxCall::GetSizes(const std::string& attribute, std::size_t size, uint64_t usual) const
{
    const auto found = m_node.attributes.find(attribute);
    if (found == m_node.attributes.end() || found->second.integers.empty())
    {
        return Shape(size, usual);
    }
    const auto& list = found->second.integers;
    Require(list.size() == size,
            "\"" + attribute + "\" has " + std::to_string(list.size()) +
                " numbers, but there must be " + std::to_string(size));
    Shape sizes;
    for (const auto number : list)
    {
        Require(number >= 0 && static_cast<uint64_t>(number) <= OnnxGraph::MAX_ELEMENTS,
                "\"" + attribute + "\" has the number " + std::to_string(number) +
                    ", but it must be 0 to 2^46");
        sizes.push_back(static_cast<uint64_t>(number));
    }
    return sizes;
}

std::optional<std::vector<int64_t>>
OnnxCall::FindList(const std::string& attribute, std::size_t index) const
{
    const auto found = m_node.attributes.find(attribute);
    if (found != m_node.attributes.end())
    {
        return found->second.integers;
    }
    if (FindInput(index))
    {
        return GetNumbers(index);
    }
    return std::nullopt;
}

std::size_t
OnnxCall::GetAxis(int64_t axis, std::size_t rank) const
{
    const auto size = static_cast<int64_t>(rank);
    Require(axis >= -size && axis < size,
            "dimension " + std::to_string(axis) + " is none of " + std::to_string(rank));
    return static_cast<std::size_t>(axis < 0 ? axis + size : axis);
}

uint64_t
OnnxCall::Multiply(uint64_t a, uint64_t b) const
{
    Require(a == 0 || b <= MAX_COUNT / a, "it costs more than 2^50 operations");
    return a * b;
}

uint64_t
OnnxCall::ToSize(int64_t size) const
{
    Require(size >= 0,
            "a size of its result is " + std::to_string(size) + ": it must be 0 or more");
    return static_cast<uint64_t>(size);
}

OnnxTensor&
OnnxCall::AddOutput(uint64_t type, Shape shape)
{
    Require(shape.size() <= OnnxGraph::MAX_RANK,
            "its result has more than " + std::to_string(OnnxGraph::MAX_RANK) + " dimensions");
    OnnxTensor output;
    output.type = type;
    try
    {
        output.elements = OnnxGraph::CountElements(shape);
    }
    catch (const std::invalid_argument& error)
    {
        Fail(error.what());
    }
    output.shape = std::move(shape);
    m_outputs.push_back(std::move(output));
    return m_outputs.back();
}

std::vector<OnnxTensor>&
OnnxCall::GetOutputs()
{
    return m_outputs;
}

const OnnxTensor&
OnnxCall::GetOutput() const
{
    return m_outputs.at(0);
}

} // namespace lightpath
} // namespace ns3
