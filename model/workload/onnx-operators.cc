/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "onnx-operators.h"

#include "json-value.h"
#include "onnx-costs.h"
#include "onnx-shapes.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>

namespace ns3
{
namespace lightpath
{

namespace
{

/// Operators by name
using Table = std::map<std::string, OnnxOperator>;

/// @param table where to add products, poolings, normalisations and reductions
void
AddLayers(Table& table)
{
    table["MatMul"] = {&OnnxShapes::Matmul, &OnnxCosts::Matmul};
    table["Gemm"] = {&OnnxShapes::Gemm, &OnnxCosts::Gemm};
    table["Einsum"] = {&OnnxShapes::Einsum, &OnnxCosts::Einsum};
    table["Conv"] = {&OnnxShapes::Convolution, &OnnxCosts::Convolution};
    table["ConvTranspose"] = {&OnnxShapes::TransposedConvolution, &OnnxCosts::Convolution};
    for (const auto* name : {"MaxPool", "AveragePool", "LpPool"})
    {
        table[name] = {&OnnxShapes::Pool, &OnnxCosts::Pool};
    }
    for (const auto* name : {"GlobalMaxPool", "GlobalAveragePool", "GlobalLpPool"})
    {
        table[name] = {&OnnxShapes::GlobalPool, &OnnxCosts::Pool};
    }
    // The statistics of a batch are no parameters
    table["BatchNormalization"] = {&OnnxShapes::Same, &OnnxCosts::BatchNorm, 3};
    table["InstanceNormalization"] = {&OnnxShapes::Same, &OnnxCosts::BatchNorm};
    table["GroupNormalization"] = {&OnnxShapes::Same, &OnnxCosts::BatchNorm};
    table["LayerNormalization"] = {&OnnxShapes::Same, &OnnxCosts::LayerNorm};
    table["RMSNormalization"] = {&OnnxShapes::Same, &OnnxCosts::LayerNorm};
    table["SimplifiedLayerNormalization"] = {&OnnxShapes::Same, &OnnxCosts::LayerNorm};
    table["LRN"] = {&OnnxShapes::Same, &OnnxCosts::ResponseNorm};
    table["Softmax"] = {&OnnxShapes::Same, &OnnxCosts::Softmax};
    table["LogSoftmax"] = {&OnnxShapes::Same, &OnnxCosts::Softmax};
    table["SoftmaxCrossEntropyLoss"] = {&OnnxShapes::Loss, &OnnxCosts::Loss};
    table["NegativeLogLikelihoodLoss"] = {&OnnxShapes::Loss, &OnnxCosts::Loss};
    for (const auto* name : {"ReduceSum",
                             "ReduceMean",
                             "ReduceMax",
                             "ReduceMin",
                             "ReduceProd",
                             "ReduceL1",
                             "ReduceL2",
                             "ReduceLogSum",
                             "ReduceLogSumExp",
                             "ReduceSumSquare"})
    {
        table[name] = {&OnnxShapes::Reduce, &OnnxCosts::Reduction};
    }
    table["CumSum"] = {&OnnxShapes::Same, &OnnxCosts::Reduction};
}

/// @param table where to add the operators that compute each element
void
AddArithmetic(Table& table)
{
    table["Dropout"] = {&OnnxShapes::Same, &OnnxCosts::Dropout, 1};
    for (const auto* name : {"Relu",
                             "LeakyRelu",
                             "Clip",
                             "Abs",
                             "Neg",
                             "Floor",
                             "Ceil",
                             "Round",
                             "Sign",
                             "HardSigmoid",
                             "ThresholdedRelu",
                             "Shrink"})
    {
        table[name] = {&OnnxShapes::Same, &OnnxCosts::Rectifier, 1};
    }
    for (const auto* name : {"Sigmoid",
                             "Tanh",
                             "Gelu",
                             "FastGelu",
                             "Erf",
                             "Elu",
                             "Selu",
                             "Celu",
                             "HardSwish",
                             "Mish",
                             "Swish",
                             "Softplus",
                             "Softsign",
                             "Exp",
                             "Log",
                             "Sqrt",
                             "Reciprocal",
                             "Sin",
                             "Cos"})
    {
        table[name] = {&OnnxShapes::Same, &OnnxCosts::Smooth};
    }
    for (const auto* name : {"Add", "Sub", "Sum", "Mean"})
    {
        table[name] = {&OnnxShapes::Broadcast, &OnnxCosts::Sum};
    }
    for (const auto* name : {"Mul", "Div", "Max", "Min", "Mod", "PRelu"})
    {
        table[name] = {&OnnxShapes::Broadcast, &OnnxCosts::Factors};
    }
    table["Pow"] = {&OnnxShapes::Broadcast, &OnnxCosts::Smooth, 1};
    table["Resize"] = {&OnnxShapes::Resize, &OnnxCosts::Resize, 1};
    table["Upsample"] = {&OnnxShapes::Resize, &OnnxCosts::Resize, 1};
}

/// @param table where to add the operators that move elements, and those on integers
void
AddMoves(Table& table)
{
    table["Reshape"] = {&OnnxShapes::Reshape, &OnnxCosts::View};
    table["Flatten"] = {&OnnxShapes::Flatten, &OnnxCosts::View};
    table["Squeeze"] = {&OnnxShapes::Squeeze, &OnnxCosts::View};
    table["Unsqueeze"] = {&OnnxShapes::Unsqueeze, &OnnxCosts::View};
    table["Transpose"] = {&OnnxShapes::Transpose, &OnnxCosts::View};
    table["Split"] = {&OnnxShapes::Split, &OnnxCosts::View};
    table["Slice"] = {&OnnxShapes::Slice, &OnnxCosts::View};
    table["Expand"] = {&OnnxShapes::Expand, &OnnxCosts::View};
    table["Identity"] = {&OnnxShapes::Same, &OnnxCosts::View};
    table["Cast"] = {&OnnxShapes::Cast, &OnnxCosts::View};
    table["CastLike"] = {&OnnxShapes::Cast, &OnnxCosts::View};
    table["Shape"] = {&OnnxShapes::GetShape, &OnnxCosts::View};
    table["Size"] = {&OnnxShapes::GetShape, &OnnxCosts::View};
    table["Constant"] = {&OnnxShapes::Constant, &OnnxCosts::View};
    table["ConstantOfShape"] = {&OnnxShapes::Fill, &OnnxCosts::View};
    table["Range"] = {&OnnxShapes::Range, &OnnxCosts::View};
    table["ArgMax"] = {&OnnxShapes::ArgMax, &OnnxCosts::View};
    table["ArgMin"] = {&OnnxShapes::ArgMax, &OnnxCosts::View};
    for (const auto* name : {"Equal",
                             "Greater",
                             "Less",
                             "GreaterOrEqual",
                             "LessOrEqual",
                             "And",
                             "Or",
                             "Xor",
                             "Not",
                             "IsNaN",
                             "IsInf"})
    {
        table[name] = {&OnnxShapes::Compare, &OnnxCosts::View};
    }
    table["Concat"] = {&OnnxShapes::Concatenate, &OnnxCosts::Concatenation};
    table["Gather"] = {&OnnxShapes::Gather, &OnnxCosts::Gather};
    table["GatherElements"] = {&OnnxShapes::GatherElements, &OnnxCosts::Copy};
    table["ScatterND"] = {&OnnxShapes::Same, &OnnxCosts::Copy};
    table["ScatterElements"] = {&OnnxShapes::Same, &OnnxCosts::Copy};
    table["Where"] = {&OnnxShapes::Where, &OnnxCosts::Copy};
    table["Trilu"] = {&OnnxShapes::Same, &OnnxCosts::Copy};
    table["Tile"] = {&OnnxShapes::Tile, &OnnxCosts::Copy};
    table["Pad"] = {&OnnxShapes::Pad, &OnnxCosts::Copy, 1};
    table["DepthToSpace"] = {&OnnxShapes::Shuffle, &OnnxCosts::Copy};
    table["SpaceToDepth"] = {&OnnxShapes::Shuffle, &OnnxCosts::Copy};
}

} // namespace

const OnnxOperator&
OnnxOperator::Find(const OnnxCall& call)
{
    static const Table table = [] {
        Table all;
        AddLayers(all);
        AddArithmetic(all);
        AddMoves(all);
        return all;
    }();
    static const std::set<std::string> domains = {"", "ai.onnx", "com.microsoft"};
    // Operators of ONNX Runtime that are as those of ONNX
    static const std::set<std::string> guests = {"FastGelu",
                                                 "Gelu",
                                                 "SimplifiedLayerNormalization"};
    const OnnxNode& node = call.GetNode();
    const auto found = table.find(node.type);
    if (found == table.end() || !domains.count(node.domain) ||
        (node.domain == "com.microsoft" && !guests.count(node.type)))
    {
        call.Fail("there is no cost of this operator" +
                  (node.domain.empty() ? "" : " of domain " + JsonValue::Quote(node.domain)) +
                  ": export the model with the usual operators of ONNX, not fused, not quantised, "
                  "and without control flow");
    }
    return found->second;
}

} // namespace lightpath
} // namespace ns3
