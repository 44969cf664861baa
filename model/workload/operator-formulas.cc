/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "operator-formulas.h"

namespace ns3
{
namespace lightpath
{

namespace
{

/// Bytes of an element of a mask.
constexpr uint64_t MASK = 1;

/// Factors that a scaling factor is for.
constexpr uint64_t SCALED = 128;

/// Factors of 4 bits that a scaling factor of a byte is for.
constexpr uint64_t BLOCK = 16;

} // namespace

uint64_t
ConvolutionShape::GetOutputSize() const
{
    const uint64_t zeros = padding == SAME ? kernel / 2 : padding;
    return (inputSize + 2 * zeros - kernel) / stride + 1;
}

OperatorFormulas::OperatorFormulas(Precision precision, uint32_t parameterBytes)
    : m_precision(precision == Precision::FP8 || precision == Precision::NVFP4 ? Precision::HALF
                                                                               : precision),
      m_factors(precision),
      m_word(GetWordBytes(precision)),
      m_parameterWord(parameterBytes > 0 ? parameterBytes : GetWordBytes(precision))
{
}

uint32_t
OperatorFormulas::GetWordBytes(Precision precision)
{
    return precision == Precision::SINGLE || precision == Precision::FP32 ? 4 : 2;
}

uint64_t
OperatorFormulas::GetWordBytes() const
{
    return m_word;
}

uint32_t
OperatorFormulas::GetParameterBytes() const
{
    return m_parameterWord;
}

uint64_t
OperatorFormulas::GetScaledBytes(uint64_t elements)
{
    return elements + SINGLE * ((elements + SCALED - 1) / SCALED);
}

uint64_t
OperatorFormulas::GetFactorBytes(uint64_t elements) const
{
    switch (m_factors)
    {
    case Precision::FP8:
        return GetScaledBytes(elements);
    case Precision::NVFP4:
        return (elements + 1) / 2 + (elements + BLOCK - 1) / BLOCK;
    default:
        return m_word * elements;
    }
}

OperatorFormulas
OperatorFormulas::GetWide() const
{
    return OperatorFormulas(m_precision);
}

void
OperatorFormulas::SetPrecision(OperatorCosts& costs, Precision precision)
{
    for (auto* op : {&costs.forward, &costs.backward, &costs.weightGradient})
    {
        op->precision = precision;
    }
}

void
OperatorFormulas::Keep(OperatorCosts& costs, uint64_t bytes)
{
    costs.forward.savedBytes += bytes;
    costs.backward.readBytes += bytes;
}

void
OperatorFormulas::KeepMask(OperatorCosts& costs, uint64_t elements)
{
    costs.forward.writtenBytes += MASK * elements;
    Keep(costs, MASK * elements);
}

OperatorCosts
OperatorFormulas::MakeMap(OperatorKind kind, uint64_t elements, uint64_t flops) const
{
    OperatorCosts costs;
    costs.forward.kind = kind;
    SetPrecision(costs, m_precision);
    costs.forward.flops = flops * elements;
    costs.forward.readBytes = m_word * elements;
    costs.forward.writtenBytes = m_word * elements;
    costs.forward.inputBytes = m_word * elements;
    costs.forward.outputBytes = m_word * elements;
    costs.backward.flops = flops * elements;
    costs.backward.readBytes = m_word * elements;
    costs.backward.writtenBytes = m_word * elements;
    return costs;
}

void
OperatorFormulas::SetParameters(OperatorCosts& costs, uint64_t parameters) const
{
    costs.forward.parameters = parameters;
    costs.forward.parameterBytes = m_word * parameters;
    costs.backward.parameterBytes = m_word * parameters;
    if (costs.apart)
    {
        costs.weightGradient.parameters = parameters;
        costs.weightGradient.parameterBytes = m_word * parameters;
    }
    else
    {
        costs.backward.parameters = parameters;
        costs.backward.parameterBytes += m_word * parameters;
    }
}

OperatorCosts
OperatorFormulas::MakeProduct(OperatorKind kind,
                              uint64_t multiplyAdds,
                              uint64_t inputs,
                              uint64_t outputs,
                              uint64_t parameters) const
{
    OperatorCosts costs;
    costs.apart = true;
    costs.forward.kind = kind;
    const bool isScaled = m_factors != m_precision && kind == OperatorKind::MATMUL;
    SetPrecision(costs, isScaled ? m_factors : m_precision);
    const uint64_t inputBytes = isScaled ? GetFactorBytes(inputs) : m_word * inputs;
    const uint64_t gradientBytes = isScaled ? GetFactorBytes(outputs) : m_word * outputs;
    for (auto* op : {&costs.forward, &costs.backward, &costs.weightGradient})
    {
        op->multiplyAdds = multiplyAdds;
        op->flops = 2 * multiplyAdds;
    }
    costs.forward.readBytes = inputBytes;
    costs.forward.writtenBytes = m_word * outputs;
    costs.forward.inputBytes = m_word * inputs;
    costs.forward.outputBytes = m_word * outputs;
    costs.forward.savedBytes = inputBytes;
    costs.backward.readBytes = gradientBytes;
    costs.backward.writtenBytes = m_word * inputs;
    costs.weightGradient.readBytes = inputBytes + gradientBytes;
    SetParameters(costs, parameters);
    if (isScaled)
    {
        // A cast reads the input once and writes it in the orders of both products that read it;
        // the backward pass casts the gradient of the result in the same way
        costs.forward.movedBytes = m_word * inputs + 2 * inputBytes;
        costs.backward.movedBytes = m_word * outputs + 2 * gradientBytes;
        costs.forward.parameterBytes = m_parameterWord * parameters;
        costs.backward.parameterBytes = m_parameterWord * parameters;
    }
    return costs;
}

OperatorCosts
OperatorFormulas::Matmul(uint64_t rows,
                         uint64_t inner,
                         uint64_t columns,
                         uint64_t biases,
                         uint64_t sets) const
{
    return MakeProduct(OperatorKind::MATMUL,
                       rows * inner * columns,
                       rows * inner,
                       rows * columns,
                       sets * (inner * columns + biases));
}

OperatorCosts
OperatorFormulas::Convolution(const ConvolutionShape& shape) const
{
    const uint64_t outputs = shape.outputChannels * shape.GetOutputSize() * shape.GetOutputSize();
    const uint64_t reach = shape.inputChannels / shape.groups * shape.kernel * shape.kernel;
    return MakeProduct(OperatorKind::CONVOLUTION,
                       outputs * reach,
                       shape.inputChannels * shape.inputSize * shape.inputSize,
                       outputs,
                       shape.outputChannels * (reach + (shape.biased ? 1 : 0)));
}

OperatorCosts
OperatorFormulas::Attention(uint64_t heads, uint64_t rows, uint64_t inner, uint64_t columns) const
{
    return GroupedAttention(heads, heads, rows, inner, columns);
}

OperatorCosts
OperatorFormulas::GroupedAttention(uint64_t heads,
                                   uint64_t groups,
                                   uint64_t rows,
                                   uint64_t inner,
                                   uint64_t columns) const
{
    const uint64_t multiplyAdds = heads * rows * inner * columns;
    const uint64_t factorBytes = m_word * inner * (heads * rows + groups * columns);
    const uint64_t productBytes = m_word * heads * rows * columns;
    OperatorCosts costs;
    costs.forward.kind = OperatorKind::ATTENTION;
    SetPrecision(costs, m_precision);
    costs.forward.multiplyAdds = multiplyAdds;
    costs.forward.flops = 2 * multiplyAdds;
    costs.forward.readBytes = factorBytes;
    costs.forward.writtenBytes = productBytes;
    costs.forward.inputBytes = factorBytes;
    costs.forward.outputBytes = productBytes;
    costs.backward.multiplyAdds = 2 * multiplyAdds;
    costs.backward.flops = 4 * multiplyAdds;
    // The gradient of each factor is a product of the output's gradient and the other factor
    costs.backward.readBytes = 2 * productBytes;
    costs.backward.writtenBytes = factorBytes;
    Keep(costs, factorBytes);
    return costs;
}

OperatorCosts
OperatorFormulas::FusedAttention(const AttentionShape& shape) const
{
    const uint64_t products = shape.heads * shape.pairs;
    const uint64_t result = m_word * shape.heads * shape.rows * shape.valueWidth;
    const uint64_t factors =
        m_word * (shape.heads * shape.rows * shape.width +
                  shape.groups * shape.columns * (shape.width + shape.valueWidth));
    const uint64_t sums = SINGLE * shape.heads * shape.rows;
    OperatorCosts costs;
    costs.forward.kind = OperatorKind::ATTENTION;
    SetPrecision(costs, m_precision);
    costs.forward.multiplyAdds = products * (shape.width + shape.valueWidth);
    costs.forward.flops = 2 * costs.forward.multiplyAdds;
    costs.forward.readBytes = factors;
    costs.forward.writtenBytes = result + sums;
    costs.forward.inputBytes = factors;
    costs.forward.outputBytes = result;
    costs.backward.multiplyAdds = products * (3 * shape.width + 2 * shape.valueWidth);
    costs.backward.flops = 2 * costs.backward.multiplyAdds;
    // The result and its gradient
    costs.backward.readBytes = 2 * result;
    costs.backward.writtenBytes = factors;
    Keep(costs, factors + sums);
    SetParameters(costs, shape.parameters);
    return costs;
}

OperatorCosts
OperatorFormulas::Rotation(uint64_t elements) const
{
    // Four products and two sums for each two elements; the angles are the same for all samples
    return MakeMap(OperatorKind::ELEMENTWISE, elements, 3);
}

OperatorCosts
OperatorFormulas::BatchNorm(uint64_t elements, uint64_t channels) const
{
    OperatorCosts costs = MakeMap(OperatorKind::NORMALIZATION, elements, 10);
    costs.forward.readBytes *= 2;
    costs.backward.readBytes *= 2;
    Keep(costs, m_word * elements);
    SetParameters(costs, 2 * channels);
    return costs;
}

OperatorCosts
OperatorFormulas::ResponseNorm(uint64_t elements, uint64_t window) const
{
    // Squares, their sum, scale and offset, the power, the product
    OperatorCosts costs = MakeMap(OperatorKind::NORMALIZATION, elements, window + 4);
    Keep(costs, 2 * m_word * elements);
    costs.backward.flops *= 2;
    return costs;
}

OperatorCosts
OperatorFormulas::LayerNorm(uint64_t rows, uint64_t width) const
{
    return Norm(rows, width, false, 2 * width);
}

OperatorCosts
OperatorFormulas::RmsNorm(uint64_t rows, uint64_t width) const
{
    return Norm(rows, width, true, width);
}

OperatorCosts
OperatorFormulas::Norm(uint64_t rows, uint64_t width, bool isRms, uint64_t parameters) const
{
    OperatorCosts costs = MakeMap(OperatorKind::NORMALIZATION, rows * width, isRms ? 5 : 8);
    Keep(costs, m_word * rows * width);
    costs.backward.flops *= 2;
    costs.backward.readBytes *= 2;
    SetParameters(costs, parameters);
    return costs;
}

OperatorCosts
OperatorFormulas::Softmax(uint64_t elements, uint64_t parameters) const
{
    OperatorCosts costs = MakeMap(OperatorKind::SOFTMAX, elements, 5);
    Keep(costs, m_word * elements);
    SetParameters(costs, parameters);
    return costs;
}

OperatorCosts
OperatorFormulas::Gelu(uint64_t elements) const
{
    OperatorCosts costs = MakeMap(OperatorKind::ELEMENTWISE, elements, 8);
    Keep(costs, m_word * elements);
    return costs;
}

OperatorCosts
OperatorFormulas::Gate(uint64_t elements) const
{
    OperatorCosts costs = Gelu(elements);
    // The product, and in the backward pass one with each factor
    costs.forward.flops += elements;
    costs.backward.flops += 2 * elements;
    costs.forward.readBytes += m_word * elements;
    costs.forward.inputBytes += m_word * elements;
    costs.backward.writtenBytes += m_word * elements;
    Keep(costs, m_word * elements);
    return costs;
}

OperatorCosts
OperatorFormulas::Relu(uint64_t elements) const
{
    OperatorCosts costs = MakeMap(OperatorKind::ELEMENTWISE, elements, 1);
    costs.backward.readBytes += m_word * elements;
    return costs;
}

OperatorCosts
OperatorFormulas::SquaredRelu(uint64_t elements) const
{
    OperatorCosts costs = MakeMap(OperatorKind::ELEMENTWISE, elements, 2);
    Keep(costs, m_word * elements);
    return costs;
}

OperatorCosts
OperatorFormulas::Modulation(uint64_t elements, uint64_t terms, uint64_t width) const
{
    OperatorCosts costs = MakeMap(OperatorKind::ELEMENTWISE, elements, terms);
    const uint64_t vectors = m_word * terms * width;
    costs.forward.readBytes += vectors;
    costs.forward.inputBytes += vectors;
    // The gradients of the vectors are sums over all rows
    costs.backward.flops += terms * elements;
    costs.backward.writtenBytes += vectors;
    Keep(costs, m_word * elements + vectors);
    return costs;
}

OperatorCosts
OperatorFormulas::ReluDropout(uint64_t elements) const
{
    OperatorCosts costs = MakeMap(OperatorKind::ELEMENTWISE, elements, 2);
    KeepMask(costs, elements);
    return costs;
}

OperatorCosts
OperatorFormulas::Dropout(uint64_t elements) const
{
    OperatorCosts costs = MakeMap(OperatorKind::ELEMENTWISE, elements, 1);
    KeepMask(costs, elements);
    return costs;
}

OperatorCosts
OperatorFormulas::DropoutAdd(uint64_t elements) const
{
    OperatorCosts costs = Dropout(elements);
    costs.forward.flops += elements;
    costs.forward.readBytes += m_word * elements;
    costs.forward.inputBytes += m_word * elements;
    return costs;
}

OperatorCosts
OperatorFormulas::Add(uint64_t elements) const
{
    OperatorCosts costs = MakeMap(OperatorKind::ELEMENTWISE, elements, 1);
    costs.forward.readBytes *= 2;
    costs.forward.inputBytes *= 2;
    costs.backward = Operator();
    SetPrecision(costs, m_precision);
    return costs;
}

OperatorCosts
OperatorFormulas::MaxPool(uint64_t inputs, uint64_t outputs, uint64_t window) const
{
    OperatorCosts costs = AveragePool(inputs, outputs);
    costs.forward.flops = window * outputs;
    KeepMask(costs, outputs);
    return costs;
}

OperatorCosts
OperatorFormulas::AveragePool(uint64_t inputs, uint64_t outputs) const
{
    OperatorCosts costs = MakeMap(OperatorKind::POOLING, inputs, 1);
    costs.forward.writtenBytes = m_word * outputs;
    costs.forward.outputBytes = m_word * outputs;
    costs.backward.readBytes = m_word * outputs;
    return costs;
}

} // namespace lightpath
} // namespace ns3
