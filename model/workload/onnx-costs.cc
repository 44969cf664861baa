/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "onnx-costs.h"

#include "onnx-shapes.h"

#include <algorithm>
#include <string>

namespace ns3
{
namespace lightpath
{

namespace
{

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

/**
 * @param call a product
 * @param formulas formulas of costs
 * @param kind the kind of its computation
 * @param multiplyAdds its multiply-adds
 * @return its costs
 */
OnnxCosts::Costs
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

} // namespace

OnnxCosts::Costs
OnnxCosts::View(const OnnxCall&, const OperatorFormulas&)
{
    return std::nullopt;
}

OnnxCosts::Costs
OnnxCosts::Matmul(const OnnxCall& call, const OperatorFormulas& formulas)
{
    return CostProduct(call,
                       formulas,
                       OperatorKind::MATMUL,
                       call.Multiply(call.GetOutput().elements, call.GetShape(0, 1).back()));
}

OnnxCosts::Costs
OnnxCosts::Gemm(const OnnxCall& call, const OperatorFormulas& formulas)
{
    const uint64_t inner = call.GetShape(0, 2)[call.GetInteger("transA", 0) != 0 ? 0 : 1];
    return CostProduct(call,
                       formulas,
                       OperatorKind::MATMUL,
                       call.Multiply(call.GetOutput().elements, inner));
}

OnnxCosts::Costs
OnnxCosts::Einsum(const OnnxCall& call, const OperatorFormulas& formulas)
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

OnnxCosts::Costs
OnnxCosts::Convolution(const OnnxCall& call, const OperatorFormulas& formulas)
{
    const bool isTransposed = call.GetNode().type == "ConvTranspose";
    // Each element of the output (transposed: of the input) meets the kernel once
    const uint64_t places = isTransposed ? call.GetInput(0).elements : call.GetOutput().elements;
    const uint64_t reach =
        call.Multiply(call.GetShape(1)[1], MultiplyAll(call, OnnxShapes::GetKernel(call)));
    return CostProduct(call, formulas, OperatorKind::CONVOLUTION, call.Multiply(places, reach));
}

OnnxCosts::Costs
OnnxCosts::BatchNorm(const OnnxCall& call, const OperatorFormulas& formulas)
{
    return formulas.BatchNorm(call.GetInput(0).elements, call.GetShape(0, 2)[1]);
}

OnnxCosts::Costs
OnnxCosts::LayerNorm(const OnnxCall& call, const OperatorFormulas& formulas)
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

OnnxCosts::Costs
OnnxCosts::ResponseNorm(const OnnxCall& call, const OperatorFormulas& formulas)
{
    const auto window = static_cast<uint64_t>(std::max<int64_t>(0, call.GetInteger("size", 1)));
    call.Multiply(call.GetInput(0).elements, window + 4);
    return formulas.ResponseNorm(call.GetInput(0).elements, window);
}

OnnxCosts::Costs
OnnxCosts::Softmax(const OnnxCall& call, const OperatorFormulas& formulas)
{
    return formulas.Softmax(call.GetInput(0).elements);
}

OnnxCosts::Costs
OnnxCosts::Pool(const OnnxCall& call, const OperatorFormulas& formulas)
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

OnnxCosts::Costs
OnnxCosts::Loss(const OnnxCall& call, const OperatorFormulas& formulas)
{
    const uint64_t classes = call.GetShape(0, 2)[1];
    return formulas.CrossEntropy(call.GetInput(0).elements / std::max<uint64_t>(1, classes),
                                 classes);
}

OnnxCosts::Costs
OnnxCosts::Rectifier(const OnnxCall& call, const OperatorFormulas& formulas)
{
    return formulas.Relu(call.GetOutput().elements);
}

OnnxCosts::Costs
OnnxCosts::Smooth(const OnnxCall& call, const OperatorFormulas& formulas)
{
    return formulas.Gelu(call.GetOutput().elements);
}

OnnxCosts::Costs
OnnxCosts::Dropout(const OnnxCall& call, const OperatorFormulas& formulas)
{
    return formulas.Dropout(call.GetOutput().elements);
}

OnnxCosts::Costs
OnnxCosts::Sum(const OnnxCall& call, const OperatorFormulas& formulas)
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

OnnxCosts::Costs
OnnxCosts::Factors(const OnnxCall& call, const OperatorFormulas& formulas)
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

OnnxCosts::Costs
OnnxCosts::Reduction(const OnnxCall& call, const OperatorFormulas& formulas)
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

OnnxCosts::Costs
OnnxCosts::Copy(const OnnxCall& call, const OperatorFormulas& formulas)
{
    return formulas.Elementwise(CountActivations(call), call.GetOutput().elements, 0, 0, 0);
}

OnnxCosts::Costs
OnnxCosts::Resize(const OnnxCall& call, const OperatorFormulas& formulas)
{
    // A weighted sum of two neighbours in each dimension of the image
    constexpr uint64_t FLOPS = 4;
    const uint64_t outputs = call.GetOutput().elements;
    return formulas.Elementwise(call.GetInput(0).elements, outputs, FLOPS * outputs, 0, 0);
}

OnnxCosts::Costs
OnnxCosts::Concatenation(const OnnxCall& call, const OperatorFormulas& formulas)
{
    return formulas.Concatenation(call.GetOutput().elements);
}

OnnxCosts::Costs
OnnxCosts::Gather(const OnnxCall& call, const OperatorFormulas& formulas)
{
    const OnnxTensor& input = call.GetInput(0);
    const uint64_t rows = call.GetInput(1).elements;
    const std::size_t axis = call.GetAxis(call.GetInteger("axis", 0), input.shape.size());
    const uint64_t all = input.shape[axis];
    const uint64_t width = input.elements / std::max<uint64_t>(1, all);
    return input.isConstant ? formulas.Lookup(rows, width, all) : formulas.Gather(rows, width, all);
}

} // namespace lightpath
} // namespace ns3
