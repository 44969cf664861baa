/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "onnx-shapes.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>

namespace ns3
{
namespace lightpath
{

namespace
{

/**
 * @param call an operator on each element
 * @param a an element
 * @param b another element
 * @return the result; NaN if it is not needed by any shape
 */
double
Compute(const OnnxCall& call, double a, double b)
{
    static const std::map<std::string, std::function<double(double, double)>> functions = {
        {"Add", [](double x, double y) { return x + y; }},
        {"Sub", [](double x, double y) { return x - y; }},
        {"Mul", [](double x, double y) { return x * y; }},
        {"Div", [](double x, double y) { return x / y; }},
        {"Mod", [](double x, double y) { return x - y * std::floor(x / y); }},
        {"Max", [](double x, double y) { return std::max(x, y); }},
        {"Min", [](double x, double y) { return std::min(x, y); }},
        {"Pow", [](double x, double y) { return std::pow(x, y); }},
        {"Equal", [](double x, double y) { return x == y ? 1.0 : 0.0; }},
        {"Greater", [](double x, double y) { return x > y ? 1.0 : 0.0; }},
        {"Less", [](double x, double y) { return x < y ? 1.0 : 0.0; }},
        {"GreaterOrEqual", [](double x, double y) { return x >= y ? 1.0 : 0.0; }},
        {"LessOrEqual", [](double x, double y) { return x <= y ? 1.0 : 0.0; }},
        {"And", [](double x, double y) { return x != 0 && y != 0 ? 1.0 : 0.0; }},
        {"Or", [](double x, double y) { return x != 0 || y != 0 ? 1.0 : 0.0; }}};
    const auto found = functions.find(call.GetNode().type);
    const double result = found == functions.end() ? std::nan("") : found->second(a, b);
    const bool isInteger = !call.GetInput(0).IsFloat();
    return isInteger ? std::trunc(result) : result;
}

/**
 * @param shape a shape
 * @param common a shape that it is repeated to
 * @param index the index of an element of the latter
 * @return the index of the element of the former
 */
uint64_t
GetSourceIndex(const OnnxCall::Shape& shape, const OnnxCall::Shape& common, uint64_t index)
{
    uint64_t source = 0;
    uint64_t step = 1;
    for (std::size_t i = 0; i < common.size(); ++i)
    {
        const uint64_t place = index % common[common.size() - 1 - i];
        index /= common[common.size() - 1 - i];
        if (i < shape.size())
        {
            const uint64_t size = shape[shape.size() - 1 - i];
            source += size == 1 ? 0 : place * step;
            step *= size;
        }
    }
    return source;
}

/**
 * @param call a reduction
 * @param axes the dimensions that it is over
 * @param keeps whether they remain, with size 1
 * @return the shape of the result
 */
OnnxCall::Shape
RemoveAxes(const OnnxCall& call, const std::set<std::size_t>& axes, bool keeps)
{
    OnnxCall::Shape shape;
    const OnnxCall::Shape& input = call.GetShape(0);
    for (std::size_t i = 0; i < input.size(); ++i)
    {
        if (!axes.count(i))
        {
            shape.push_back(input[i]);
        }
        else if (keeps)
        {
            shape.push_back(1);
        }
    }
    return shape;
}

} // namespace

OnnxCall::Shape
OnnxShapes::GetCommonShape(const OnnxCall& call, const OnnxCall::Shape& a, const OnnxCall::Shape& b)
{
    OnnxCall::Shape common(std::max(a.size(), b.size()), 1);
    for (std::size_t i = 0; i < common.size(); ++i)
    {
        const uint64_t x = i < a.size() ? a[a.size() - 1 - i] : 1;
        const uint64_t y = i < b.size() ? b[b.size() - 1 - i] : 1;
        call.Require(x == y || x == 1 || y == 1,
                     "shapes " + OnnxCall::Format(a) + " and " + OnnxCall::Format(b) +
                         " do not go together: if a dimension is open, give its size as an option "
                         "of the model");
        common[common.size() - 1 - i] = x == 1 ? y : x;
    }
    return common;
}

void
OnnxShapes::Same(OnnxCall& call)
{
    call.AddOutput(call.GetInput(0).type, call.GetShape(0));
}

void
OnnxShapes::Broadcast(OnnxCall& call)
{
    OnnxCall::Shape shape = call.GetShape(0);
    bool isKnown = call.GetNInputs() <= 2;
    for (std::size_t i = 0; i < call.GetNInputs(); ++i)
    {
        shape = GetCommonShape(call, shape, call.GetShape(i));
        isKnown = isKnown && call.GetInput(i).numbers;
    }
    OnnxTensor& output = call.AddOutput(call.GetInput(0).type, shape);
    if (!isKnown || output.elements > OnnxGraph::MAX_NUMBERS)
    {
        return;
    }
    const OnnxTensor& left = call.GetInput(0);
    const OnnxTensor& right = call.GetInput(call.GetNInputs() - 1);
    output.numbers.emplace(output.elements);
    for (uint64_t i = 0; i < output.elements; ++i)
    {
        (*output.numbers)[i] = Compute(call,
                                       (*left.numbers)[GetSourceIndex(left.shape, shape, i)],
                                       (*right.numbers)[GetSourceIndex(right.shape, shape, i)]);
    }
}

void
OnnxShapes::Compare(OnnxCall& call)
{
    Broadcast(call);
    call.GetOutputs()[0].type = ONNX_BOOL;
}

void
OnnxShapes::Where(OnnxCall& call)
{
    OnnxCall::Shape shape = GetCommonShape(call, call.GetShape(1), call.GetShape(2));
    shape = GetCommonShape(call, shape, call.GetShape(0));
    OnnxTensor& output = call.AddOutput(call.GetInput(1).type, shape);
    const OnnxTensor& choice = call.GetInput(0);
    if (choice.numbers && call.GetInput(1).numbers && call.GetInput(2).numbers &&
        output.elements <= OnnxGraph::MAX_NUMBERS)
    {
        output.numbers.emplace(output.elements);
        for (uint64_t i = 0; i < output.elements; ++i)
        {
            const bool isFirst = (*choice.numbers)[GetSourceIndex(choice.shape, shape, i)] != 0;
            const OnnxTensor& from = call.GetInput(isFirst ? 1 : 2);
            (*output.numbers)[i] = (*from.numbers)[GetSourceIndex(from.shape, shape, i)];
        }
    }
}

void
OnnxShapes::Matmul(OnnxCall& call)
{
    OnnxCall::Shape left = call.GetShape(0, 1);
    OnnxCall::Shape right = call.GetShape(1, 1);
    const bool isRow = left.size() == 1;
    const bool isColumn = right.size() == 1;
    if (isRow)
    {
        left.insert(left.begin(), 1);
    }
    if (isColumn)
    {
        right.push_back(1);
    }
    call.Require(left.back() == right[right.size() - 2],
                 "factors of the shapes " + OnnxCall::Format(left) + " and " +
                     OnnxCall::Format(right) +
                     " cannot be multiplied: the export is faulty, or an option of the model gives "
                     "a dimension another size than the weights need");
    OnnxCall::Shape shape =
        GetCommonShape(call, {left.begin(), left.end() - 2}, {right.begin(), right.end() - 2});
    if (!isRow)
    {
        shape.push_back(left[left.size() - 2]);
    }
    if (!isColumn)
    {
        shape.push_back(right.back());
    }
    call.AddOutput(call.GetInput(0).type, shape);
}

void
OnnxShapes::Gemm(OnnxCall& call)
{
    OnnxCall::Shape left = call.GetShape(0, 2);
    OnnxCall::Shape right = call.GetShape(1, 2);
    if (call.GetInteger("transA", 0) != 0)
    {
        std::reverse(left.begin(), left.end());
    }
    if (call.GetInteger("transB", 0) != 0)
    {
        std::reverse(right.begin(), right.end());
    }
    call.Require(left.size() == 2 && right.size() == 2 && left[1] == right[0],
                 "factors of the shapes " + OnnxCall::Format(left) + " and " +
                     OnnxCall::Format(right) + " cannot be multiplied: both must be matrices");
    const OnnxCall::Shape shape = {left[0], right[1]};
    call.Require(!call.FindInput(2) || GetCommonShape(call, shape, call.GetShape(2)) == shape,
                 "its bias is larger than the product");
    call.AddOutput(call.GetInput(0).type, shape);
}

OnnxShapes::Sum
OnnxShapes::GetSum(const OnnxCall& call)
{
    std::string text = call.GetText("equation");
    text.erase(std::remove(text.begin(), text.end(), ' '), text.end());
    const auto comma = text.find(',');
    const auto arrow = text.find("->");
    call.Require(comma != std::string::npos && arrow != std::string::npos && comma < arrow,
                 "an equation must have two factors and a result, as in \"bij,bjk->bik\"");
    const Sum sum = {text.substr(0, comma),
                     text.substr(comma + 1, arrow - comma - 1),
                     text.substr(arrow + 2)};
    for (const auto& part : {sum.left, sum.right, sum.result})
    {
        const std::set<char> letters(part.begin(), part.end());
        call.Require(letters.size() == part.size() &&
                         std::all_of(part.begin(),
                                     part.end(),
                                     [](unsigned char c) { return std::isalpha(c) != 0; }),
                     "each index of a factor must be another letter: write sums of other kinds as "
                     "products of matrices");
    }
    return sum;
}

void
OnnxShapes::Einsum(OnnxCall& call)
{
    const Sum sum = GetSum(call);
    call.Require(call.GetNInputs() == 2, "it must have two inputs");
    std::map<char, uint64_t> sizes;
    for (std::size_t input = 0; input < 2; ++input)
    {
        const std::string& letters = input == 0 ? sum.left : sum.right;
        const OnnxCall::Shape& shape = call.GetShape(input);
        call.Require(shape.size() == letters.size(),
                     "input " + std::to_string(input + 1) + " needs " +
                         std::to_string(letters.size()) + " dimensions");
        for (std::size_t i = 0; i < letters.size(); ++i)
        {
            const auto found = sizes.emplace(letters[i], shape[i]).first;
            call.Require(found->second == shape[i],
                         std::string("index ") + letters[i] + " has two sizes");
        }
    }
    OnnxCall::Shape shape;
    for (const char letter : sum.result)
    {
        call.Require(sizes.count(letter) > 0, std::string("index ") + letter + " has no size");
        shape.push_back(sizes[letter]);
    }
    call.AddOutput(call.GetInput(0).type, shape);
}

void
OnnxShapes::Reduce(OnnxCall& call)
{
    const std::size_t rank = call.GetShape(0).size();
    const auto list = call.FindList("axes", 1);
    std::set<std::size_t> axes;
    for (const auto axis : list.value_or(std::vector<int64_t>()))
    {
        axes.insert(call.GetAxis(axis, rank));
    }
    for (std::size_t i = 0; axes.size() < rank && (!list || list->empty()) && i < rank; ++i)
    {
        axes.insert(i);
    }
    if (list && list->empty() && call.GetInteger("noop_with_empty_axes", 0) != 0)
    {
        axes.clear();
    }
    const OnnxTensor& input = call.GetInput(0);
    OnnxTensor& output =
        call.AddOutput(input.type, RemoveAxes(call, axes, call.GetInteger("keepdims", 1) != 0));
    if (input.numbers && output.elements == 1 && call.GetNode().type == "ReduceProd")
    {
        double product = 1;
        for (const double number : *input.numbers)
        {
            product *= number;
        }
        output.numbers = std::vector<double>{product};
    }
}

void
OnnxShapes::ArgMax(OnnxCall& call)
{
    const std::size_t axis = call.GetAxis(call.GetInteger("axis", 0), call.GetShape(0).size());
    call.AddOutput(ONNX_INT64, RemoveAxes(call, {axis}, call.GetInteger("keepdims", 1) != 0));
}

void
OnnxShapes::Loss(OnnxCall& call)
{
    OnnxCall::Shape shape = call.GetShape(0, 2);
    const OnnxCall::Shape scores = shape;
    shape.erase(shape.begin() + 1);
    if (call.GetText("reduction") != "none")
    {
        shape.clear();
    }
    call.AddOutput(call.GetInput(0).type, shape);
    call.AddOutput(call.GetInput(0).type, scores);
}

} // namespace lightpath
} // namespace ns3
