/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "onnx-shapes.h"

#include <algorithm>
#include <cmath>

/**
 * @file
 * @ingroup lightpath
 * The operators of OnnxShapes that join tensors, or choose or add ranges of elements.
 */

namespace ns3
{
namespace lightpath
{

namespace
{

/// A range of one dimension.
struct Chosen
{
    int64_t begin{0};  //!< Index of the first element
    int64_t step{1};   //!< Step to the next one
    uint64_t count{0}; //!< Number of elements
};

/**
 * @param call a choice of ranges
 * @param size the size of a dimension
 * @param begin the index that the range begins at
 * @param end the index that it ends before
 * @param step the step
 * @return the range
 */
Chosen
ChooseRange(const OnnxCall& call, uint64_t size, int64_t begin, int64_t end, int64_t step)
{
    call.Require(step != 0 && step != INT64_MIN, "a step must not be 0");
    const auto limit = static_cast<int64_t>(size);
    const auto clamp = [limit, step](int64_t index) {
        const int64_t place = index < 0 ? index + limit : index;
        return step > 0 ? std::max<int64_t>(0, std::min(limit, place))
                        : std::max<int64_t>(-1, std::min(limit - 1, place));
    };
    Chosen range;
    range.begin = clamp(begin);
    range.step = step;
    const int64_t room = step > 0 ? clamp(end) - range.begin : range.begin - clamp(end);
    const int64_t stride = step > 0 ? step : -step;
    range.count = room > 0 ? static_cast<uint64_t>((room - 1) / stride) + 1 : 0;
    return range;
}

} // namespace

void
OnnxShapes::Concatenate(OnnxCall& call)
{
    OnnxCall::Shape shape = call.GetShape(0, 1);
    const std::size_t axis = call.GetAxis(call.GetInteger("axis", 1), shape.size());
    bool isKnown = shape.size() == 1;
    std::vector<double> numbers;
    shape[axis] = 0;
    for (std::size_t i = 0; i < call.GetNInputs(); ++i)
    {
        OnnxCall::Shape part = call.GetShape(i, 1);
        call.Require(part.size() == shape.size(),
                     "its inputs must have the same number of dimensions");
        shape[axis] += part[axis];
        part[axis] = shape[axis];
        call.Require(part == shape, "its inputs must differ in one dimension only");
        isKnown = isKnown && call.GetInput(i).numbers && shape[axis] <= OnnxGraph::MAX_NUMBERS;
        if (isKnown)
        {
            const auto& more = *call.GetInput(i).numbers;
            numbers.insert(numbers.end(), more.begin(), more.end());
        }
    }
    OnnxTensor& output = call.AddOutput(call.GetInput(0).type, shape);
    if (isKnown)
    {
        output.numbers = std::move(numbers);
    }
}

void
OnnxShapes::Split(OnnxCall& call)
{
    const OnnxTensor& input = call.GetInput(0);
    const std::size_t axis = call.GetAxis(call.GetInteger("axis", 0), input.shape.size());
    const std::size_t nParts = call.GetNode().outputs.size();
    auto parts = call.FindList("split", 1).value_or(std::vector<int64_t>());
    if (parts.empty() && nParts > 0)
    {
        const auto part = static_cast<int64_t>((input.shape[axis] + nParts - 1) / nParts);
        parts.assign(nParts, part);
        parts.back() =
            static_cast<int64_t>(input.shape[axis]) - part * (static_cast<int64_t>(nParts) - 1);
    }
    call.Require(parts.size() == nParts, "it needs a part for each of its outputs");
    uint64_t begin = 0;
    for (const auto part : parts)
    {
        OnnxCall::Shape shape = input.shape;
        shape[axis] = call.ToSize(part);
        call.Require(shape[axis] <= input.shape[axis] - begin, "its parts exceed its input");
        CopyChosen(input, call.AddOutput(input.type, shape), [axis, begin](auto place) {
            place[axis] += begin;
            return place;
        });
        begin += shape[axis];
    }
}

void
OnnxShapes::Slice(OnnxCall& call)
{
    const OnnxTensor& input = call.GetInput(0);
    const std::size_t rank = input.shape.size();
    const auto begins = call.FindList("starts", 1);
    const auto ends = call.FindList("ends", 2);
    call.Require(begins && ends && begins->size() == ends->size() && begins->size() <= rank,
                 "it needs a begin and an end for each range");
    std::vector<int64_t> axes(begins->size());
    for (std::size_t i = 0; i < axes.size(); ++i)
    {
        axes[i] = static_cast<int64_t>(i);
    }
    axes = call.FindList("axes", 3).value_or(axes);
    const auto steps = call.FindList("steps", 4).value_or(std::vector<int64_t>(begins->size(), 1));
    call.Require(axes.size() == begins->size() && steps.size() == begins->size(),
                 "it needs a dimension and a step for each range");
    std::vector<Chosen> ranges(rank);
    OnnxCall::Shape shape = input.shape;
    for (std::size_t i = 0; i < axes.size(); ++i)
    {
        const std::size_t axis = call.GetAxis(axes[i], rank);
        ranges[axis] = ChooseRange(call, input.shape[axis], begins->at(i), ends->at(i), steps[i]);
        shape[axis] = ranges[axis].count;
    }
    CopyChosen(input, call.AddOutput(input.type, shape), [&ranges](auto place) {
        for (std::size_t axis = 0; axis < place.size(); ++axis)
        {
            const auto index = static_cast<int64_t>(place[axis]);
            place[axis] = static_cast<uint64_t>(ranges[axis].begin + index * ranges[axis].step);
        }
        return place;
    });
}

void
OnnxShapes::Gather(OnnxCall& call)
{
    const OnnxTensor& input = call.GetInput(0);
    const OnnxTensor& indices = call.GetInput(1);
    const std::size_t axis = call.GetAxis(call.GetInteger("axis", 0), input.shape.size());
    OnnxCall::Shape shape(input.shape.begin(), input.shape.begin() + axis);
    shape.insert(shape.end(), indices.shape.begin(), indices.shape.end());
    shape.insert(shape.end(), input.shape.begin() + axis + 1, input.shape.end());
    OnnxTensor& output = call.AddOutput(input.type, shape);
    if (input.shape.size() != 1 || !input.numbers || !indices.numbers)
    {
        return;
    }
    output.numbers.emplace();
    for (const auto index : call.GetNumbers(1))
    {
        output.numbers->push_back(input.numbers->at(call.GetAxis(index, input.shape[0])));
    }
}

void
OnnxShapes::GatherElements(OnnxCall& call)
{
    call.AddOutput(call.GetInput(0).type, call.GetShape(1));
}

void
OnnxShapes::Tile(OnnxCall& call)
{
    OnnxCall::Shape shape = call.GetShape(0);
    const auto repeats = call.GetNumbers(1);
    call.Require(repeats.size() == shape.size(), "it needs a number for each dimension");
    for (std::size_t i = 0; i < shape.size(); ++i)
    {
        shape[i] = call.Multiply(shape[i], call.ToSize(repeats[i]));
    }
    call.AddOutput(call.GetInput(0).type, shape);
}

void
OnnxShapes::Pad(OnnxCall& call)
{
    OnnxCall::Shape shape = call.GetShape(0);
    const auto pads = call.FindList("pads", 1);
    const auto list = call.FindList("axes", 3);
    std::vector<int64_t> axes = list.value_or(std::vector<int64_t>());
    for (std::size_t i = 0; !list && i < shape.size(); ++i)
    {
        axes.push_back(static_cast<int64_t>(i));
    }
    call.Require(pads && pads->size() == 2 * axes.size(),
                 "it needs two numbers for each dimension");
    constexpr int64_t most = OnnxGraph::MAX_ELEMENTS;
    for (std::size_t i = 0; i < axes.size(); ++i)
    {
        const int64_t begin = pads->at(i);
        const int64_t end = pads->at(axes.size() + i);
        call.Require(begin >= -most && begin <= most && end >= -most && end <= most,
                     "it adds more than 2^46 elements");
        uint64_t& size = shape[call.GetAxis(axes[i], shape.size())];
        call.Require(size <= OnnxGraph::MAX_ELEMENTS, "a dimension has more than 2^46 elements");
        size = call.ToSize(static_cast<int64_t>(size) + begin + end);
    }
    call.AddOutput(call.GetInput(0).type, shape);
}

void
OnnxShapes::Range(OnnxCall& call)
{
    double limits[3];
    for (std::size_t i = 0; i < 3; ++i)
    {
        const OnnxTensor& input = call.GetInput(i);
        call.Require(input.numbers && input.numbers->size() == 1,
                     "its limits and its step must be known numbers");
        limits[i] = input.numbers->front();
    }
    const double count = std::ceil((limits[1] - limits[0]) / limits[2]);
    call.Require(count <= static_cast<double>(OnnxGraph::MAX_ELEMENTS),
                 "it has more than 2^46 elements, or its step is 0");
    OnnxTensor& output =
        call.AddOutput(call.GetInput(0).type, {count > 0 ? static_cast<uint64_t>(count) : 0});
    if (output.elements <= OnnxGraph::MAX_NUMBERS)
    {
        output.numbers.emplace();
        for (uint64_t i = 0; i < output.elements; ++i)
        {
            output.numbers->push_back(limits[0] + static_cast<double>(i) * limits[2]);
        }
    }
}

void
OnnxShapes::GetShape(OnnxCall& call)
{
    const OnnxCall::Shape& shape = call.GetShape(0);
    if (call.GetNode().type == "Size")
    {
        call.AddOutput(ONNX_INT64, {}).numbers = {static_cast<double>(call.GetInput(0).elements)};
        return;
    }
    const auto rank = static_cast<int64_t>(shape.size());
    const Chosen range = ChooseRange(call,
                                     shape.size(),
                                     call.GetInteger("start", 0),
                                     call.GetInteger("end", rank),
                                     1);
    OnnxTensor& output = call.AddOutput(ONNX_INT64, {range.count});
    output.numbers.emplace();
    for (uint64_t i = 0; i < range.count; ++i)
    {
        output.numbers->push_back(
            static_cast<double>(shape[static_cast<std::size_t>(range.begin) + i]));
    }
}

} // namespace lightpath
} // namespace ns3
