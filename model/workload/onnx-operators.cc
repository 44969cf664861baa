/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "onnx-operators.h"

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

using Costs = std::optional<OperatorCosts>;

/**
 * @param call a node
 * @return the elements of the activations that it reads
 */
uint64_t
CountActivations(const OnnxCall& call)
{
    uint64_t elements = 0;
    for (std::size_t i = 0; i < call.GetNInputs(); ++i)
    {
        const OnnxTensor* input = call.FindInput(i);
        elements += input && input->IsFloat() && !input->isConstant ? input->elements : 0;
    }
    return elements;
}

/**
 * @param call a node
 * @return the elements of the parameters that it reads
 */
uint64_t
CountParameters(const OnnxCall& call)
{
    uint64_t elements = 0;
    for (std::size_t i = 0; i < call.GetNInputs(); ++i)
    {
        const OnnxTensor* input = call.FindInput(i);
        elements += input && !input->parameters.empty() ? input->elements : 0;
    }
    return elements;
}

/**
 * @param call a node
 * @param shape a shape
 * @return the product of its sizes
 */
uint64_t
MultiplyAll(const OnnxCall& call, const OnnxCall::Shape& shape)
{
    uint64_t product = 1;
    for (const auto size : shape)
    {
        product = call.Multiply(product, size);
    }
    return product;
}

/// @return nothing: the operator names elements in another way
Costs
CostView(const OnnxCall&, const OperatorFormulas&)
{
    return std::nullopt;
}

/**
 * @param call a product
 * @param formulas formulas of costs
 * @param kind the kind of its computation
 * @param multiplyAdds its multiply-adds
 * @return its costs
 */
Costs
CostProduct(const OnnxCall& call,
            const OperatorFormulas& formulas,
            OperatorKind kind,
            uint64_t multiplyAdds)
{
    const uint64_t outputs = call.GetOutput().elements;
    if (!call.GetInput(0).isConstant && !call.GetInput(1).isConstant)
    {
        return formulas.ProductOfActivations(multiplyAdds, CountActivations(call), outputs);
    }
    const OnnxTensor& weights = call.GetInput(call.GetInput(0).isConstant ? 0 : 1);
    const uint64_t constants = weights.parameters.empty() ? weights.elements : 0;
    return formulas.MakeProduct(kind,
                                multiplyAdds,
                                CountActivations(call),
                                outputs,
                                CountParameters(call) + constants);
}

Costs
CostMatmul(const OnnxCall& call, const OperatorFormulas& formulas)
{
    return CostProduct(call,
                       formulas,
                       OperatorKind::MATMUL,
                       call.Multiply(call.GetOutput().elements, call.GetShape(0, 1).back()));
}

Costs
CostGemm(const OnnxCall& call, const OperatorFormulas& formulas)
{
    const uint64_t inner = call.GetShape(0, 2)[call.GetInteger("transA", 0) != 0 ? 0 : 1];
    return CostProduct(call,
                       formulas,
                       OperatorKind::MATMUL,
                       call.Multiply(call.GetOutput().elements, inner));
}

Costs
CostEinsum(const OnnxCall& call, const OperatorFormulas& formulas)
{
    const OnnxShapes::Sum sum = OnnxShapes::GetSum(call);
    // Each combination of indices is one multiply-add
    uint64_t multiplyAdds = call.GetInput(0).elements;
    for (std::size_t i = 0; i < sum.right.size(); ++i)
    {
        if (sum.left.find(sum.right[i]) == std::string::npos)
        {
            multiplyAdds = call.Multiply(multiplyAdds, call.GetShape(1)[i]);
        }
    }
    return CostProduct(call, formulas, OperatorKind::MATMUL, multiplyAdds);
}

Costs
CostConvolution(const OnnxCall& call, const OperatorFormulas& formulas)
{
    const bool isTransposed = call.GetNode().type == "ConvTranspose";
    // Each element of the output (transposed: of the input) meets the kernel once
    const uint64_t places = isTransposed ? call.GetInput(0).elements : call.GetOutput().elements;
    const uint64_t reach =
        call.Multiply(call.GetShape(1)[1], MultiplyAll(call, OnnxShapes::GetKernel(call)));
    return CostProduct(call, formulas, OperatorKind::CONVOLUTION, call.Multiply(places, reach));
}

Costs
CostBatchNorm(const OnnxCall& call, const OperatorFormulas& formulas)
{
    return formulas.BatchNorm(call.GetInput(0).elements, call.GetShape(0, 2)[1]);
}

Costs
CostLayerNorm(const OnnxCall& call, const OperatorFormulas& formulas)
{
    const OnnxCall::Shape& shape = call.GetShape(0, 1);
    const std::size_t axis = call.GetAxis(call.GetInteger("axis", -1), shape.size());
    const uint64_t width = MultiplyAll(call, {shape.begin() + axis, shape.end()});
    const bool isRms = call.GetNode().type != "LayerNormalization";
    return formulas.Norm(call.GetInput(0).elements / std::max<uint64_t>(1, width),
                         width,
                         isRms,
                         CountParameters(call));
}

Costs
CostResponseNorm(const OnnxCall& call, const OperatorFormulas& formulas)
{
    const auto window = static_cast<uint64_t>(std::max<int64_t>(0, call.GetInteger("size", 1)));
    call.Multiply(call.GetInput(0).elements, window + 4);
    return formulas.ResponseNorm(call.GetInput(0).elements, window);
}

Costs
CostSoftmax(const OnnxCall& call, const OperatorFormulas& formulas)
{
    return formulas.Softmax(call.GetInput(0).elements);
}

Costs
CostPool(const OnnxCall& call, const OperatorFormulas& formulas)
{
    const uint64_t inputs = call.GetInput(0).elements;
    const uint64_t outputs = call.GetOutput().elements;
    const std::string& type = call.GetNode().type;
    const bool isWhole = type.rfind("Global", 0) == 0;
    const uint64_t window = isWhole ? inputs / std::max<uint64_t>(1, outputs)
                                    : MultiplyAll(call, OnnxShapes::GetKernel(call));
    const uint64_t flops = call.Multiply(window, outputs);
    if (type.find("Max") != std::string::npos)
    {
        return formulas.MaxPool(inputs, outputs, window);
    }
    OperatorCosts costs = formulas.AveragePool(inputs, outputs);
    costs.forward.flops = flops;
    return costs;
}

Costs
CostLoss(const OnnxCall& call, const OperatorFormulas& formulas)
{
    const uint64_t classes = call.GetShape(0, 2)[1];
    return formulas.CrossEntropy(call.GetInput(0).elements / std::max<uint64_t>(1, classes),
                                 classes);
}

Costs
CostRectifier(const OnnxCall& call, const OperatorFormulas& formulas)
{
    return formulas.Relu(call.GetOutput().elements);
}

Costs
CostSmooth(const OnnxCall& call, const OperatorFormulas& formulas)
{
    return formulas.Gelu(call.GetOutput().elements);
}

Costs
CostDropout(const OnnxCall& call, const OperatorFormulas& formulas)
{
    return formulas.Dropout(call.GetOutput().elements);
}

/// @return the costs of a sum of several tensors, whose gradients are that of the sum
Costs
CostSum(const OnnxCall& call, const OperatorFormulas& formulas)
{
    const uint64_t outputs = call.GetOutput().elements;
    const uint64_t parameters = CountParameters(call);
    const uint64_t terms = std::max<std::size_t>(1, call.GetNInputs() - 1);
    OperatorCosts costs = formulas.Elementwise(CountActivations(call),
                                               outputs,
                                               call.Multiply(terms, outputs),
                                               0,
                                               parameters);
    costs.backward.writtenBytes = 0;
    if (parameters == 0)
    {
        costs.backward.readBytes = 0;
        costs.backward.flops = 0;
    }
    return costs;
}

/// @return the costs of an operation whose gradients need its factors
Costs
CostFactors(const OnnxCall& call, const OperatorFormulas& formulas)
{
    const uint64_t inputs = CountActivations(call);
    const uint64_t outputs = call.GetOutput().elements;
    const uint64_t parameters = CountParameters(call);
    uint64_t nActivations = 0;
    for (std::size_t i = 0; i < call.GetNInputs(); ++i)
    {
        nActivations += call.FindInput(i) && !call.FindInput(i)->isConstant ? 1 : 0;
    }
    const bool hasFactors = nActivations > 1 || parameters > 0;
    OperatorCosts costs =
        formulas.Elementwise(inputs, outputs, outputs, hasFactors ? inputs : 0, parameters);
    costs.backward.flops = (hasFactors ? 2 : 1) * outputs;
    return costs;
}

Costs
CostReduction(const OnnxCall& call, const OperatorFormulas& formulas)
{
    const uint64_t inputs = CountActivations(call);
    const std::string& type = call.GetNode().type;
    const bool isLinear = type == "ReduceSum" || type == "ReduceMean" || type == "CumSum";
    return formulas.Elementwise(inputs,
                                call.GetOutput().elements,
                                inputs,
                                isLinear ? 0 : inputs,
                                0);
}

Costs
CostCopy(const OnnxCall& call, const OperatorFormulas& formulas)
{
    return formulas.Elementwise(CountActivations(call), call.GetOutput().elements, 0, 0, 0);
}

Costs
CostResize(const OnnxCall& call, const OperatorFormulas& formulas)
{
    // A weighted sum of two neighbours in each dimension of the image
    constexpr uint64_t FLOPS = 4;
    const uint64_t outputs = call.GetOutput().elements;
    return formulas.Elementwise(call.GetInput(0).elements, outputs, FLOPS * outputs, 0, 0);
}

Costs
CostConcatenation(const OnnxCall& call, const OperatorFormulas& formulas)
{
    return formulas.Concatenation(call.GetOutput().elements);
}

Costs
CostGather(const OnnxCall& call, const OperatorFormulas& formulas)
{
    const OnnxTensor& input = call.GetInput(0);
    const uint64_t rows = call.GetInput(1).elements;
    const std::size_t axis = call.GetAxis(call.GetInteger("axis", 0), input.shape.size());
    const uint64_t all = input.shape[axis];
    const uint64_t width = input.elements / std::max<uint64_t>(1, all);
    return input.isConstant ? formulas.Lookup(rows, width, all) : formulas.Gather(rows, width, all);
}

using Table = std::map<std::string, OnnxOperator>;

/// @param table where to add products, poolings, normalisations and reductions
void
AddLayers(Table& table)
{
    table["MatMul"] = {&OnnxShapes::Matmul, &CostMatmul};
    table["Gemm"] = {&OnnxShapes::Gemm, &CostGemm};
    table["Einsum"] = {&OnnxShapes::Einsum, &CostEinsum};
    table["Conv"] = {&OnnxShapes::Convolution, &CostConvolution};
    table["ConvTranspose"] = {&OnnxShapes::TransposedConvolution, &CostConvolution};
    for (const auto* name : {"MaxPool", "AveragePool", "LpPool"})
    {
        table[name] = {&OnnxShapes::Pool, &CostPool};
    }
    for (const auto* name : {"GlobalMaxPool", "GlobalAveragePool", "GlobalLpPool"})
    {
        table[name] = {&OnnxShapes::GlobalPool, &CostPool};
    }
    // The statistics of a batch are no parameters
    table["BatchNormalization"] = {&OnnxShapes::Same, &CostBatchNorm, 3};
    table["InstanceNormalization"] = {&OnnxShapes::Same, &CostBatchNorm};
    table["GroupNormalization"] = {&OnnxShapes::Same, &CostBatchNorm};
    table["LayerNormalization"] = {&OnnxShapes::Same, &CostLayerNorm};
    table["RMSNormalization"] = {&OnnxShapes::Same, &CostLayerNorm};
    table["SimplifiedLayerNormalization"] = {&OnnxShapes::Same, &CostLayerNorm};
    table["LRN"] = {&OnnxShapes::Same, &CostResponseNorm};
    table["Softmax"] = {&OnnxShapes::Same, &CostSoftmax};
    table["LogSoftmax"] = {&OnnxShapes::Same, &CostSoftmax};
    table["SoftmaxCrossEntropyLoss"] = {&OnnxShapes::Loss, &CostLoss};
    table["NegativeLogLikelihoodLoss"] = {&OnnxShapes::Loss, &CostLoss};
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
        table[name] = {&OnnxShapes::Reduce, &CostReduction};
    }
    table["CumSum"] = {&OnnxShapes::Same, &CostReduction};
}

/// @param table where to add the operators that compute each element
void
AddArithmetic(Table& table)
{
    table["Dropout"] = {&OnnxShapes::Same, &CostDropout, 1};
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
        table[name] = {&OnnxShapes::Same, &CostRectifier, 1};
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
        table[name] = {&OnnxShapes::Same, &CostSmooth};
    }
    for (const auto* name : {"Add", "Sub", "Sum", "Mean"})
    {
        table[name] = {&OnnxShapes::Broadcast, &CostSum};
    }
    for (const auto* name : {"Mul", "Div", "Max", "Min", "Mod", "PRelu"})
    {
        table[name] = {&OnnxShapes::Broadcast, &CostFactors};
    }
    table["Pow"] = {&OnnxShapes::Broadcast, &CostSmooth, 1};
    table["Resize"] = {&OnnxShapes::Resize, &CostResize, 1};
    table["Upsample"] = {&OnnxShapes::Resize, &CostResize, 1};
}

/// @param table where to add the operators that move elements, and those on integers
void
AddMoves(Table& table)
{
    table["Reshape"] = {&OnnxShapes::Reshape, &CostView};
    table["Flatten"] = {&OnnxShapes::Flatten, &CostView};
    table["Squeeze"] = {&OnnxShapes::Squeeze, &CostView};
    table["Unsqueeze"] = {&OnnxShapes::Unsqueeze, &CostView};
    table["Transpose"] = {&OnnxShapes::Transpose, &CostView};
    table["Split"] = {&OnnxShapes::Split, &CostView};
    table["Slice"] = {&OnnxShapes::Slice, &CostView};
    table["Expand"] = {&OnnxShapes::Expand, &CostView};
    table["Identity"] = {&OnnxShapes::Same, &CostView};
    table["Cast"] = {&OnnxShapes::Cast, &CostView};
    table["CastLike"] = {&OnnxShapes::Cast, &CostView};
    table["Shape"] = {&OnnxShapes::GetShape, &CostView};
    table["Size"] = {&OnnxShapes::GetShape, &CostView};
    table["Constant"] = {&OnnxShapes::Constant, &CostView};
    table["ConstantOfShape"] = {&OnnxShapes::Fill, &CostView};
    table["Range"] = {&OnnxShapes::Range, &CostView};
    table["ArgMax"] = {&OnnxShapes::ArgMax, &CostView};
    table["ArgMin"] = {&OnnxShapes::ArgMax, &CostView};
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
        table[name] = {&OnnxShapes::Compare, &CostView};
    }
    table["Concat"] = {&OnnxShapes::Concatenate, &CostConcatenation};
    table["Gather"] = {&OnnxShapes::Gather, &CostGather};
    table["GatherElements"] = {&OnnxShapes::GatherElements, &CostCopy};
    table["ScatterND"] = {&OnnxShapes::Same, &CostCopy};
    table["ScatterElements"] = {&OnnxShapes::Same, &CostCopy};
    table["Where"] = {&OnnxShapes::Where, &CostCopy};
    table["Trilu"] = {&OnnxShapes::Same, &CostCopy};
    table["Tile"] = {&OnnxShapes::Tile, &CostCopy};
    table["Pad"] = {&OnnxShapes::Pad, &CostCopy, 1};
    table["DepthToSpace"] = {&OnnxShapes::Shuffle, &CostCopy};
    table["SpaceToDepth"] = {&OnnxShapes::Shuffle, &CostCopy};
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
                  (node.domain.empty() ? "" : " of domain " + node.domain) +
                  ": export the model with the usual operators of ONNX, not fused, not quantised, "
                  "and without control flow");
    }
    return found->second;
}

} // namespace lightpath
} // namespace ns3
