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
 * The operators of OnnxShapes on images.
 */

namespace ns3
{
namespace lightpath
{

namespace
{

/// The dimensions of samples and channels before those of an image.
constexpr std::size_t IMAGE_BEGIN = 2;

/// How a window moves over an image along one dimension.
struct Window
{
    uint64_t size{1};     //!< Elements of the image
    uint64_t reach{1};    //!< Elements from the first to the last one that the window covers
    uint64_t stride{1};   //!< Step of the window
    uint64_t begin{0};    //!< Elements that are added before the image
    uint64_t end{0};      //!< Elements that are added behind it
    bool isSame{false};   //!< Whether as many are added as give one place for each step
    bool isPacked{false}; //!< Whether none are added
    bool isWhole{false};  //!< Whether a last window may lie partly outside
};

/**
 * @param call a pooling or convolution
 * @param window how its window moves
 * @return the number of places of the window
 */
uint64_t
CountPlaces(const OnnxCall& call, const Window& window)
{
    call.Require(window.stride > 0, "its stride must be 1 or more");
    if (window.isSame)
    {
        return (window.size + window.stride - 1) / window.stride;
    }
    const uint64_t padded = window.size + (window.isPacked ? 0 : window.begin + window.end);
    call.Require(window.reach > 0 && padded >= window.reach,
                 "its kernel reaches over " + std::to_string(window.reach) + " of " +
                     std::to_string(padded) + " elements: its input must be larger");
    const uint64_t room = padded - window.reach;
    if (!window.isWhole)
    {
        return room / window.stride + 1;
    }
    const uint64_t places = (room + window.stride - 1) / window.stride + 1;
    // A window must not begin behind the image
    return (places - 1) * window.stride >= window.size + window.begin ? places - 1 : places;
}

/**
 * @param call a pooling or convolution
 * @return the sizes of its result but samples and channels
 */
OnnxCall::Shape
SlideWindow(const OnnxCall& call)
{
    const OnnxCall::Shape& input = call.GetShape(0, IMAGE_BEGIN + 1);
    const OnnxCall::Shape kernel = OnnxShapes::GetKernel(call);
    const std::size_t rank = input.size() - IMAGE_BEGIN;
    const auto strides = call.GetSizes("strides", rank, 1);
    const auto dilations = call.GetSizes("dilations", rank, 1);
    const auto pads = call.GetSizes("pads", 2 * rank, 0);
    const std::string automatic = call.GetText("auto_pad");
    OnnxCall::Shape sizes;
    for (std::size_t i = 0; i < rank; ++i)
    {
        Window window;
        window.size = input[IMAGE_BEGIN + i];
        window.reach = kernel[i] == 0 ? 0 : call.Multiply(dilations[i], kernel[i] - 1) + 1;
        window.stride = strides[i];
        window.begin = pads[i];
        window.end = pads[rank + i];
        window.isSame = automatic == "SAME_UPPER" || automatic == "SAME_LOWER";
        window.isPacked = automatic == "VALID";
        window.isWhole = call.GetInteger("ceil_mode", 0) != 0;
        sizes.push_back(CountPlaces(call, window));
    }
    return sizes;
}

} // namespace

OnnxCall::Shape
OnnxShapes::GetKernel(const OnnxCall& call)
{
    const OnnxCall::Shape& input = call.GetShape(0, IMAGE_BEGIN + 1);
    const std::size_t rank = input.size() - IMAGE_BEGIN;
    if (call.FindInput(1))
    {
        const OnnxCall::Shape& weights = call.GetShape(1, input.size());
        call.Require(weights.size() == input.size(),
                     "its weights have the shape " + OnnxCall::Format(weights) +
                         ", and its input " + OnnxCall::Format(input) +
                         ": both need the same number of dimensions");
        return {weights.begin() + IMAGE_BEGIN, weights.end()};
    }
    return call.GetSizes("kernel_shape", rank, 0);
}

void
OnnxShapes::Convolution(OnnxCall& call)
{
    const OnnxCall::Shape& input = call.GetShape(0, IMAGE_BEGIN + 1);
    const OnnxCall::Shape& weights = call.GetShape(1, IMAGE_BEGIN + 1);
    const int64_t groups = call.GetInteger("group", 1);
    call.Require(groups > 0 && weights[0] % static_cast<uint64_t>(groups) == 0 &&
                     input[1] / static_cast<uint64_t>(groups) == weights[1] &&
                     input[1] % static_cast<uint64_t>(groups) == 0,
                 "weights of the shape " + OnnxCall::Format(weights) + " in " +
                     std::to_string(groups) + " groups do not fit " + std::to_string(input[1]) +
                     " channels");
    OnnxCall::Shape shape = {input[0], weights[0]};
    const OnnxCall::Shape sizes = SlideWindow(call);
    shape.insert(shape.end(), sizes.begin(), sizes.end());
    call.AddOutput(call.GetInput(0).type, shape);
}

void
OnnxShapes::TransposedConvolution(OnnxCall& call)
{
    const OnnxCall::Shape& input = call.GetShape(0, IMAGE_BEGIN + 1);
    const OnnxCall::Shape& weights = call.GetShape(1, IMAGE_BEGIN + 1);
    const OnnxCall::Shape kernel = GetKernel(call);
    const std::size_t rank = kernel.size();
    const int64_t groups = call.GetInteger("group", 1);
    call.Require(groups > 0 && input[1] == weights[0],
                 "its weights are for " + std::to_string(weights[0]) +
                     " channels, but its input "
                     "has " +
                     std::to_string(input[1]));
    const auto strides = call.GetSizes("strides", rank, 1);
    const auto dilations = call.GetSizes("dilations", rank, 1);
    const auto pads = call.GetSizes("pads", 2 * rank, 0);
    const auto more = call.GetSizes("output_padding", rank, 0);
    const auto sizes = call.GetSizes("output_shape", rank, 0);
    const std::string automatic = call.GetText("auto_pad");
    OnnxCall::Shape shape = {input[0], call.Multiply(weights[1], static_cast<uint64_t>(groups))};
    for (std::size_t i = 0; i < rank; ++i)
    {
        const uint64_t size = input[IMAGE_BEGIN + i];
        call.Require(size > 0 && kernel[i] > 0, "its input and its kernel must not be empty");
        const uint64_t whole = call.Multiply(strides[i], size - 1) + more[i] +
                               call.Multiply(dilations[i], kernel[i] - 1) + 1;
        if (sizes[i] > 0)
        {
            shape.push_back(sizes[i]);
        }
        else if (automatic == "SAME_UPPER" || automatic == "SAME_LOWER")
        {
            shape.push_back(call.Multiply(strides[i], size));
        }
        else
        {
            call.Require(whole > pads[i] + pads[rank + i],
                         "its result is empty: its \"pads\" are "
                         "too large");
            shape.push_back(whole - pads[i] - pads[rank + i]);
        }
    }
    call.AddOutput(call.GetInput(0).type, shape);
}

void
OnnxShapes::Pool(OnnxCall& call)
{
    const OnnxCall::Shape& input = call.GetShape(0, IMAGE_BEGIN + 1);
    OnnxCall::Shape shape = {input[0], input[1]};
    const OnnxCall::Shape sizes = SlideWindow(call);
    shape.insert(shape.end(), sizes.begin(), sizes.end());
    call.AddOutput(call.GetInput(0).type, shape);
}

void
OnnxShapes::GlobalPool(OnnxCall& call)
{
    OnnxCall::Shape shape = call.GetShape(0, IMAGE_BEGIN);
    std::fill(shape.begin() + IMAGE_BEGIN, shape.end(), 1);
    call.AddOutput(call.GetInput(0).type, shape);
}

void
OnnxShapes::Resize(OnnxCall& call)
{
    // Inputs are "roi", "scales", "sizes" since version 11, and "scales" alone before
    constexpr uint64_t NEW = 11;
    const OnnxCall::Shape& input = call.GetShape(0);
    OnnxCall::Shape shape;
    const OnnxTensor* scales = call.FindInput(call.GetVersion() >= NEW ? 2 : 1);
    const auto attribute = call.GetNode().attributes.find("scales");
    std::vector<double> factors;
    if (attribute != call.GetNode().attributes.end())
    {
        factors = attribute->second.numbers;
    }
    else if (scales && scales->elements > 0)
    {
        call.Require(scales->numbers.has_value(),
                     "its scales are not known: export the model with "
                     "constants there");
        factors = *scales->numbers;
    }
    if (factors.empty())
    {
        for (const auto size : call.GetNumbers(3))
        {
            shape.push_back(static_cast<uint64_t>(std::max<int64_t>(0, size)));
        }
    }
    for (std::size_t i = 0; i < factors.size() && i < input.size(); ++i)
    {
        const double size = std::floor(static_cast<double>(input[i]) * factors[i]);
        call.Require(size >= 0 && size <= static_cast<double>(OnnxGraph::MAX_ELEMENTS),
                     "a scale must be above 0");
        shape.push_back(static_cast<uint64_t>(size));
    }
    call.Require(shape.size() == input.size(), "it needs a size or scale for each dimension");
    call.AddOutput(call.GetInput(0).type, shape);
}

} // namespace lightpath
} // namespace ns3
