/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "operator-formulas.h"

/**
 * @file
 * @ingroup lightpath
 * The operators of OperatorFormulas that look up, copy or compare rows.
 */

namespace ns3
{
namespace lightpath
{

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
OperatorFormulas::SparseLookup(uint64_t rows,
                               uint64_t width,
                               uint64_t tableRows,
                               uint64_t sums) const
{
    OperatorCosts costs = MakeMap(OperatorKind::EMBEDDING, sums * width, 0);
    costs.forward.sparse = true;
    costs.forward.flops = (rows - sums) * width;
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
OperatorFormulas::CrossEntropy(uint64_t rows, uint64_t classes, bool isFused) const
{
    OperatorCosts costs = MakeMap(OperatorKind::LOSS, rows * classes, 5);
    costs.forward.outputBytes = SINGLE;
    if (isFused)
    {
        // The sum of the exponentials takes a pass of its own; the gradient is ready then
        costs.forward.flops += rows * classes;
        costs.forward.readBytes = 2 * m_word * rows * classes;
        costs.forward.savedBytes = m_word * rows * classes;
        costs.backward.flops = 0;
        costs.backward.readBytes = 0;
        costs.backward.writtenBytes = 0;
        return costs;
    }
    costs.forward.writtenBytes = SINGLE * rows * classes;
    costs.backward.flops = rows * classes;
    costs.backward.readBytes = 0;
    Keep(costs, SINGLE * rows * classes);
    return costs;
}

OperatorCosts
OperatorFormulas::SquaredError(uint64_t elements) const
{
    OperatorCosts costs = MakeMap(OperatorKind::LOSS, elements, 3);
    costs.forward.outputBytes = SINGLE;
    costs.backward.flops = elements;
    costs.backward.readBytes = 0;
    Keep(costs, m_word * elements);
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
