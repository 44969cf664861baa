/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "onnx-shapes.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>
#include <stdexcept>

/**
 * @file
 * @ingroup lightpath
 * The operators of OnnxShapes that name elements in another way, and constants.
 */

namespace ns3
{
namespace lightpath
{

namespace
{

/**
 * Give a tensor the elements of another one, in the same sequence.
 *
 * @param from a tensor
 * @param [out] to the other
 */
void
CopyNumbers(const OnnxTensor& from, OnnxTensor& to)
{
    if (from.numbers && from.elements == to.elements)
    {
        to.numbers = from.numbers;
    }
}

/**
 * @param call a node with a list of dimensions
 * @param list the list
 * @param rank the number of dimensions that they are among
 * @return the dimensions
 */
std::set<std::size_t>
GetAxes(const OnnxCall& call, const std::vector<int64_t>& list, std::size_t rank)
{
    std::set<std::size_t> axes;
    for (const auto axis : list)
    {
        axes.insert(call.GetAxis(axis, rank));
    }
    return axes;
}

} // namespace

void
OnnxShapes::CopyChosen(const OnnxTensor& from, OnnxTensor& to, const Choice& find)
{
    if (!from.numbers || to.elements > OnnxGraph::MAX_NUMBERS)
    {
        return;
    }
    to.numbers.emplace(to.elements);
    for (uint64_t i = 0; i < to.elements; ++i)
    {
        OnnxCall::Shape place(to.shape.size());
        uint64_t rest = i;
        for (std::size_t axis = to.shape.size(); axis-- > 0;)
        {
            place[axis] = rest % to.shape[axis];
            rest /= to.shape[axis];
        }
        const OnnxCall::Shape source = find(place);
        uint64_t index = 0;
        for (std::size_t axis = 0; axis < from.shape.size(); ++axis)
        {
            index = index * from.shape[axis] + source[axis];
        }
        (*to.numbers)[i] = from.numbers->at(index);
    }
}

void
OnnxShapes::Reshape(OnnxCall& call)
{
    const OnnxTensor& input = call.GetInput(0);
    const auto list = call.FindList("shape", 1);
    call.Require(list.has_value(), "it has no shape");
    const bool allowsZero = call.GetInteger("allowzero", 0) != 0;
    OnnxCall::Shape shape;
    std::size_t open = list->size();
    uint64_t elements = 1;
    for (std::size_t i = 0; i < list->size(); ++i)
    {
        const int64_t size = list->at(i);
        if (size == -1)
        {
            call.Require(open == list->size(), "only one size of its shape can be -1");
            open = i;
            shape.push_back(1);
            continue;
        }
        call.Require(size != 0 || allowsZero || i < input.shape.size(),
                     "its shape takes a size from a dimension that its input does not have");
        shape.push_back(size == 0 && !allowsZero ? input.shape[i] : call.ToSize(size));
        elements = call.Multiply(elements, shape.back());
    }
    if (open < list->size() && elements > 0)
    {
        shape[open] = input.elements / elements;
        elements *= shape[open];
    }
    call.Require(elements == input.elements,
                 "its input has " + std::to_string(input.elements) +
                     " elements, which do not fit "
                     "its shape of " +
                     std::to_string(elements) +
                     ": the export is for other sizes than those of the inputs; give options of "
                     "the model such as sequence=N, or export it again");
    CopyNumbers(input, call.AddOutput(input.type, shape));
}

void
OnnxShapes::Flatten(OnnxCall& call)
{
    const OnnxTensor& input = call.GetInput(0);
    const int64_t axis = call.GetInteger("axis", 1);
    const auto rank = static_cast<int64_t>(input.shape.size());
    call.Require(axis >= -rank && axis <= rank, "it has no such dimension");
    OnnxCall::Shape shape = {1, 1};
    for (int64_t i = 0; i < rank; ++i)
    {
        uint64_t& part = shape[i < (axis < 0 ? axis + rank : axis) ? 0 : 1];
        part = call.Multiply(part, input.shape[i]);
    }
    call.AddOutput(input.type, shape);
}

void
OnnxShapes::Squeeze(OnnxCall& call)
{
    const OnnxTensor& input = call.GetInput(0);
    const auto list = call.FindList("axes", 1);
    const auto axes = GetAxes(call, list.value_or(std::vector<int64_t>()), input.shape.size());
    OnnxCall::Shape shape;
    for (std::size_t i = 0; i < input.shape.size(); ++i)
    {
        call.Require(!axes.count(i) || input.shape[i] == 1, "only dimensions of size 1 can go");
        if (list ? !axes.count(i) : input.shape[i] != 1)
        {
            shape.push_back(input.shape[i]);
        }
    }
    CopyNumbers(input, call.AddOutput(input.type, shape));
}

void
OnnxShapes::Unsqueeze(OnnxCall& call)
{
    const OnnxTensor& input = call.GetInput(0);
    const auto list = call.FindList("axes", 1);
    call.Require(list.has_value(), "it has no axes");
    const std::size_t rank = input.shape.size() + list->size();
    const auto axes = GetAxes(call, *list, rank);
    call.Require(axes.size() == list->size() && rank <= OnnxGraph::MAX_RANK,
                 "its axes must differ, and be few");
    OnnxCall::Shape shape;
    auto next = input.shape.begin();
    for (std::size_t i = 0; i < rank; ++i)
    {
        shape.push_back(axes.count(i) ? 1 : *next++);
    }
    CopyNumbers(input, call.AddOutput(input.type, shape));
}

void
OnnxShapes::Transpose(OnnxCall& call)
{
    const OnnxTensor& input = call.GetInput(0);
    const std::size_t rank = input.shape.size();
    auto order = call.GetSizes("perm", rank, 0);
    if (!call.GetNode().attributes.count("perm"))
    {
        for (std::size_t i = 0; i < rank; ++i)
        {
            order[i] = rank - 1 - i;
        }
    }
    OnnxCall::Shape shape;
    for (const auto axis : order)
    {
        call.Require(axis < rank && std::count(order.begin(), order.end(), axis) == 1,
                     "\"perm\" must name each dimension once");
        shape.push_back(input.shape[axis]);
    }
    CopyChosen(input, call.AddOutput(input.type, shape), [&order](const auto& place) {
        OnnxCall::Shape source(place.size());
        for (std::size_t i = 0; i < place.size(); ++i)
        {
            source[order[i]] = place[i];
        }
        return source;
    });
}

void
OnnxShapes::Constant(OnnxCall& call)
{
    const auto& attributes = call.GetNode().attributes;
    call.Require(attributes.size() == 1, "it must have one value, which is no sparse tensor");
    const auto& [name, value] = *attributes.begin();
    if (value.tensor)
    {
        call.AddOutput(value.tensor->type, value.tensor->shape).numbers = value.tensor->numbers;
    }
    else if (name == "value_int")
    {
        call.AddOutput(ONNX_INT64, {}).numbers = {static_cast<double>(value.integer)};
    }
    else if (name == "value_float")
    {
        call.AddOutput(ONNX_FLOAT, {}).numbers = {value.number};
    }
    else if (name == "value_ints")
    {
        call.AddOutput(ONNX_INT64, {value.integers.size()})
            .numbers.emplace(value.integers.begin(), value.integers.end());
    }
    else if (name == "value_floats")
    {
        call.AddOutput(ONNX_FLOAT, {value.numbers.size()}).numbers = value.numbers;
    }
    else
    {
        call.Fail("its value is of another kind than tensors and numbers");
    }
}

void
OnnxShapes::Fill(OnnxCall& call)
{
    OnnxCall::Shape shape;
    for (const auto size : call.GetNumbers(0))
    {
        shape.push_back(call.ToSize(size));
    }
    const auto value = call.GetNode().attributes.find("value");
    uint64_t type = ONNX_FLOAT;
    double number = 0;
    if (value != call.GetNode().attributes.end() && value->second.tensor)
    {
        type = value->second.tensor->type;
        const auto& numbers = value->second.tensor->numbers;
        number = numbers && !numbers->empty() ? numbers->front() : 0;
    }
    OnnxTensor& output = call.AddOutput(type, shape);
    if (output.elements <= OnnxGraph::MAX_NUMBERS)
    {
        output.numbers.emplace(output.elements, number);
    }
}

void
OnnxShapes::Expand(OnnxCall& call)
{
    const OnnxTensor& input = call.GetInput(0);
    OnnxCall::Shape wanted;
    for (const auto size : call.GetNumbers(1))
    {
        wanted.push_back(call.ToSize(size));
    }
    OnnxTensor& output = call.AddOutput(input.type, GetCommonShape(call, input.shape, wanted));
    const std::size_t more = output.shape.size() - input.shape.size();
    CopyChosen(input, output, [&input, more](const auto& place) {
        OnnxCall::Shape source(place.begin() + more, place.end());
        for (std::size_t i = 0; i < source.size(); ++i)
        {
            source[i] = input.shape[i] == 1 ? 0 : source[i];
        }
        return source;
    });
}

void
OnnxShapes::Cast(OnnxCall& call)
{
    const OnnxTensor& input = call.GetInput(0);
    const bool isLike = call.GetNode().type == "CastLike";
    const uint64_t type =
        isLike ? call.GetInput(1).type : static_cast<uint64_t>(call.GetInteger("to", ONNX_FLOAT));
    OnnxTensor& output = call.AddOutput(type, input.shape);
    CopyNumbers(input, output);
    if (output.numbers && !output.IsFloat())
    {
        for (auto& number : *output.numbers)
        {
            number = std::trunc(number);
        }
    }
}

void
OnnxShapes::Shuffle(OnnxCall& call)
{
    OnnxCall::Shape shape = call.GetShape(0, 4);
    const auto block = static_cast<uint64_t>(std::max<int64_t>(1, call.GetInteger("blocksize", 1)));
    const bool isDeep = call.GetNode().type == "SpaceToDepth";
    const uint64_t area = call.Multiply(block, block);
    for (std::size_t i = 1; i < 4; ++i)
    {
        const uint64_t factor = i == 1 ? area : block;
        const bool grows = (i == 1) == isDeep;
        call.Require(grows || shape[i] % factor == 0,
                     "dimension " + std::to_string(i) + " is not divisible by its block size");
        shape[i] = grows ? call.Multiply(shape[i], factor) : shape[i] / factor;
    }
    call.AddOutput(call.GetInput(0).type, shape);
}

} // namespace lightpath
} // namespace ns3
