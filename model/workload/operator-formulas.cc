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

constexpr uint64_t MASK = 1;   //!< Bytes of an element of a mask
constexpr uint64_t SINGLE = 4; //!< Bytes of an index or of a number in single precision

/**
 * @param costs the operator
 * @param precision the width of the numbers that it and its gradients work on
 */
void
SetPrecision(OperatorCosts& costs, Precision precision)
{
    for (auto* op : {&costs.forward, &costs.backward, &costs.weightGradient})
    {
        op->precision = precision;
    }
}

/**
 * Let an operator keep data for its backward pass, which reads them.
 *
 * @param costs the operator
 * @param bytes the bytes of these data
 */
void
Keep(OperatorCosts& costs, uint64_t bytes)
{
    costs.forward.savedBytes += bytes;
    costs.backward.readBytes += bytes;
}

/**
 * Let an operator write a mask that its backward pass reads.
 *
 * @param costs the operator
 * @param elements number of elements of the mask
 */
void
KeepMask(OperatorCosts& costs, uint64_t elements)
{
    costs.forward.writtenBytes += MASK * elements;
    Keep(costs, MASK * elements);
}

} // namespace

uint64_t
ConvolutionShape::GetOutputSize() const
{
    const uint64_t zeros = padding == SAME ? kernel / 2 : padding;
    return (inputSize + 2 * zeros - kernel) / stride + 1;
}

OperatorFormulas::OperatorFormulas(Precision precision)
    : m_precision(precision),
      m_word(precision == Precision::HALF ? 2 : 4)
{
}

uint64_t
OperatorFormulas::GetWordBytes() const
{
    return m_word;
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
    SetPrecision(costs, m_precision);
    for (auto* op : {&costs.forward, &costs.backward, &costs.weightGradient})
    {
        op->multiplyAdds = multiplyAdds;
        op->flops = 2 * multiplyAdds;
    }
    costs.forward.readBytes = m_word * inputs;
    costs.forward.writtenBytes = m_word * outputs;
    costs.forward.inputBytes = m_word * inputs;
    costs.forward.outputBytes = m_word * outputs;
    costs.forward.savedBytes = m_word * inputs;
    costs.backward.readBytes = m_word * outputs;
    costs.backward.writtenBytes = m_word * inputs;
    costs.weightGradient.readBytes = m_word * (inputs + outputs);
    SetParameters(costs, parameters);
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
    const uint64_t factors = m_word * inner * (heads * rows + groups * columns);
    const uint64_t product = m_word * heads * rows * columns;
    OperatorCosts costs;
    costs.forward.kind = OperatorKind::ATTENTION;
    SetPrecision(costs, m_precision);
    costs.forward.multiplyAdds = multiplyAdds;
    costs.forward.flops = 2 * multiplyAdds;
    costs.forward.readBytes = factors;
    costs.forward.writtenBytes = product;
    costs.forward.inputBytes = factors;
    costs.forward.outputBytes = product;
    costs.backward.multiplyAdds = 2 * multiplyAdds;
    costs.backward.flops = 4 * multiplyAdds;
    // The gradient of each factor is a product of the output's gradient and the other factor
    costs.backward.readBytes = 2 * product;
    costs.backward.writtenBytes = factors;
    Keep(costs, factors);
    return costs;
}

OperatorCosts
OperatorFormulas::FusedAttention(uint64_t heads,
                                 uint64_t groups,
                                 uint64_t rows,
                                 uint64_t width,
                                 uint64_t columns) const
{
    const uint64_t product = heads * rows * width * columns;
    const uint64_t result = m_word * heads * rows * width;
    const uint64_t factors = result + 2 * m_word * groups * columns * width;
    const uint64_t sums = SINGLE * heads * rows;
    OperatorCosts costs;
    costs.forward.kind = OperatorKind::ATTENTION;
    SetPrecision(costs, m_precision);
    costs.forward.multiplyAdds = 2 * product;
    costs.forward.flops = 4 * product;
    costs.forward.readBytes = factors;
    costs.forward.writtenBytes = result + sums;
    costs.forward.inputBytes = factors;
    costs.forward.outputBytes = result;
    costs.backward.multiplyAdds = 5 * product;
    costs.backward.flops = 10 * product;
    // The result and its gradient
    costs.backward.readBytes = 2 * result;
    costs.backward.writtenBytes = factors;
    Keep(costs, factors + sums);
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
    OperatorCosts costs = MakeMap(OperatorKind::NORMALIZATION, rows * width, 8);
    Keep(costs, m_word * rows * width);
    costs.backward.flops *= 2;
    costs.backward.readBytes *= 2;
    SetParameters(costs, 2 * width);
    return costs;
}

OperatorCosts
OperatorFormulas::RmsNorm(uint64_t rows, uint64_t width) const
{
    OperatorCosts costs = MakeMap(OperatorKind::NORMALIZATION, rows * width, 5);
    Keep(costs, m_word * rows * width);
    costs.backward.flops *= 2;
    costs.backward.readBytes *= 2;
    SetParameters(costs, width);
    return costs;
}

OperatorCosts
OperatorFormulas::Softmax(uint64_t elements) const
{
    OperatorCosts costs = MakeMap(OperatorKind::SOFTMAX, elements, 5);
    Keep(costs, m_word * elements);
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

OperatorCosts
OperatorFormulas::Lookup(uint64_t rows, uint64_t width, uint64_t tableRows) const
{
    OperatorCosts costs = MakeMap(OperatorKind::EMBEDDING, rows * width, 0);
    costs.forward.inputBytes = SINGLE * rows;
    costs.forward.readBytes += SINGLE * rows;
    Keep(costs, SINGLE * rows);
    // Rows of the gradient are read, added to and written
    costs.backward.flops = rows * width;
    costs.backward.readBytes += m_word * rows * width;
    SetParameters(costs, tableRows * width);
    // The rows that are read count as activations
    costs.forward.parameterBytes = 0;
    costs.backward.parameterBytes = m_word * tableRows * width;
    return costs;
}

OperatorCosts
OperatorFormulas::SparseLookup(uint64_t rows, uint64_t width, uint64_t tableRows) const
{
    OperatorCosts costs = MakeMap(OperatorKind::EMBEDDING, width, 0);
    costs.forward.sparse = true;
    costs.forward.flops = (rows - 1) * width;
    costs.forward.inputBytes = SINGLE * rows;
    costs.forward.readBytes = (m_word * width + SINGLE) * rows;
    Keep(costs, SINGLE * rows);
    costs.backward.sparse = true;
    costs.backward.writtenBytes = (m_word * width + SINGLE) * rows;
    SetParameters(costs, tableRows * width);
    // Rows, and their gradients, count as activations
    costs.forward.parameterBytes = 0;
    costs.backward.parameterBytes = 0;
    return costs;
}

OperatorCosts
OperatorFormulas::DotInteraction(uint64_t vectors, uint64_t width) const
{
    OperatorCosts costs = Attention(1, vectors, width, vectors);
    const uint64_t inputs = m_word * vectors * width;
    const uint64_t outputs = m_word * (vectors * (vectors - 1) / 2 + width);
    // Both factors are the same vectors
    costs.forward.readBytes = inputs;
    costs.forward.inputBytes = inputs;
    costs.forward.savedBytes = inputs;
    costs.forward.writtenBytes = outputs;
    costs.forward.outputBytes = outputs;
    costs.backward.readBytes = outputs + inputs;
    costs.backward.writtenBytes = inputs;
    return costs;
}

OperatorCosts
OperatorFormulas::Concatenation(uint64_t elements) const
{
    OperatorCosts costs = MakeMap(OperatorKind::ELEMENTWISE, elements, 0);
    costs.backward = Operator();
    SetPrecision(costs, m_precision);
    return costs;
}

OperatorCosts
OperatorFormulas::AddTables(uint64_t elements, uint64_t parameters) const
{
    OperatorCosts costs = MakeMap(OperatorKind::EMBEDDING, elements, 1);
    // The gradient of the activation is the gradient of the sum
    costs.backward.writtenBytes = 0;
    SetParameters(costs, parameters);
    costs.backward.parameterBytes = m_word * parameters;
    return costs;
}

OperatorCosts
OperatorFormulas::Gather(uint64_t rows, uint64_t width, uint64_t inputRows) const
{
    OperatorCosts costs = MakeMap(OperatorKind::EMBEDDING, rows * width, 0);
    costs.forward.inputBytes = m_word * inputRows * width;
    costs.forward.readBytes += SINGLE * rows;
    Keep(costs, SINGLE * rows);
    costs.backward.writtenBytes = m_word * inputRows * width;
    return costs;
}

OperatorCosts
OperatorFormulas::CrossEntropy(uint64_t rows, uint64_t classes) const
{
    OperatorCosts costs = MakeMap(OperatorKind::LOSS, rows * classes, 5);
    costs.forward.writtenBytes = SINGLE * rows * classes;
    costs.forward.outputBytes = SINGLE;
    costs.backward.flops = rows * classes;
    costs.backward.readBytes = 0;
    Keep(costs, SINGLE * rows * classes);
    return costs;
}

OperatorCosts
OperatorFormulas::Route(uint64_t rows, uint64_t experts, uint64_t choices) const
{
    OperatorCosts costs = MakeMap(OperatorKind::SOFTMAX, rows * experts, 5);
    // One comparison of each score for each choice
    costs.forward.flops += rows * experts * choices;
    costs.forward.outputBytes = (m_word + SINGLE) * rows * choices;
    costs.forward.writtenBytes += costs.forward.outputBytes;
    costs.backward.readBytes = m_word * rows * choices;
    Keep(costs, m_word * rows * experts);
    return costs;
}

OperatorCosts
OperatorFormulas::Combine(uint64_t rows, uint64_t width, uint64_t choices) const
{
    const uint64_t inputs = rows * choices * (width + 1);
    OperatorCosts costs = MakeMap(OperatorKind::EMBEDDING, rows * width, 2 * choices);
    costs.forward.readBytes = m_word * inputs;
    costs.forward.inputBytes = m_word * inputs;
    // A product for the gradient of a row, a product and a sum for that of its weight
    costs.backward.flops = 3 * rows * width * choices;
    costs.backward.writtenBytes = m_word * inputs;
    Keep(costs, m_word * inputs);
    return costs;
}

} // namespace lightpath
} // namespace ns3
