/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dlrm-model.h"

#include <stdexcept>

namespace ns3
{
namespace lightpath
{

namespace
{

/// All operators but the lookups work on each sample by itself, as other models do on each token.
constexpr auto TABLE_SPLIT = TensorSplit::SEQUENCE;

/**
 * Refuse, by std::invalid_argument, a model whose parts do not fit together.
 *
 * @param shape its size
 */
void
Check(const DlrmShape& shape)
{
    if (shape.bottom.empty() || shape.top.empty() || shape.top.back() != 1)
    {
        throw std::invalid_argument("Model " + shape.name +
                                    " needs a bottom perceptron and a top one that ends in 1");
    }
    if (!shape.hots.empty() && shape.hots.size() != shape.tables.size())
    {
        throw std::invalid_argument("Model " + shape.name + " has lookups of " +
                                    std::to_string(shape.hots.size()) + " tables, but " +
                                    std::to_string(shape.tables.size()) + " tables");
    }
    if (shape.dotInteraction && shape.bottom.back() != shape.width)
    {
        throw std::invalid_argument("The bottom perceptron of model " + shape.name + " ends in " +
                                    std::to_string(shape.bottom.back()) +
                                    " elements: dot products with rows of " +
                                    std::to_string(shape.width) + " need as many");
    }
}

} // namespace

OperatorGraph
DlrmModel::Build(const DlrmShape& shape)
{
    Check(shape);
    TrainingGraphBuilder builder(shape.name, "sample", shape.training);
    const OperatorFormulas& formulas = builder.GetFormulas();
    builder.BeginLayer("embedding");
    std::vector<TrainingGraphBuilder::Source> vectors = AddLookups(builder, shape);
    builder.BeginLayer("bottom");
    vectors.emplace_back(
        AddPerceptron(builder, {}, shape.features, shape.bottom, shape.bottom.size()));
    builder.BeginLayer("top");
    const uint64_t elements = shape.tables.size() * shape.width + shape.bottom.back();
    const OperatorCosts interaction =
        shape.dotInteraction ? formulas.DotInteraction(shape.tables.size() + 1, shape.width)
                             : formulas.Concatenation(elements);
    const uint32_t met =
        AddCrossNetwork(builder,
                        builder.Add("interaction", interaction, TABLE_SPLIT, vectors),
                        shape);
    const uint32_t logit = AddPerceptron(builder,
                                         {met},
                                         builder.GetOutputBytes(met) / formulas.GetWordBytes(),
                                         shape.top,
                                         shape.top.size() - 1);
    builder.Add("loss", formulas.CrossEntropy(1, 1), TABLE_SPLIT, {logit});
    return builder.Build();
}

std::vector<TrainingGraphBuilder::Source>
DlrmModel::AddLookups(TrainingGraphBuilder& builder, const DlrmShape& shape)
{
    const OperatorFormulas& formulas = builder.GetFormulas();
    std::vector<TrainingGraphBuilder::Source> vectors;
    uint64_t allRows = 0;
    uint64_t allLookups = 0;
    for (std::size_t table = 0; table < shape.tables.size(); ++table)
    {
        const uint64_t lookups = shape.hots.empty() ? shape.lookups : shape.hots[table];
        allRows += shape.tables[table];
        allLookups += lookups;
        if (!shape.sharesColumns)
        {
            vectors.emplace_back(
                builder.Add("table" + std::to_string(table + 1),
                            formulas.SparseLookup(lookups, shape.width, shape.tables[table]),
                            TensorSplit::ROW,
                            {}));
        }
    }
    if (shape.sharesColumns)
    {
        OperatorCosts costs =
            formulas.SparseLookup(allLookups, shape.width, allRows, shape.tables.size());
        // Each sample needs all columns
        costs.forward.experts = static_cast<uint32_t>(shape.width);
        costs.forward.choice.perToken = costs.forward.experts;
        vectors.emplace_back(builder.Add("tables", costs, TensorSplit::ROW, {}));
    }
    return vectors;
}

uint32_t
DlrmModel::AddCrossNetwork(TrainingGraphBuilder& builder, uint32_t input, const DlrmShape& shape)
{
    const OperatorFormulas& formulas = builder.GetFormulas();
    const uint64_t elements = builder.GetOutputBytes(input) / formulas.GetWordBytes();
    uint32_t last = input;
    for (uint64_t layer = 1; layer <= shape.crossLayers; ++layer)
    {
        const std::string name = "cross" + std::to_string(layer);
        const uint32_t inner = builder.Add(name + ".compression",
                                           formulas.Matmul(1, elements, shape.crossRank, 0),
                                           TABLE_SPLIT,
                                           {last});
        const uint32_t outer = builder.Add(name + ".expansion",
                                           formulas.Matmul(1, shape.crossRank, elements, elements),
                                           TABLE_SPLIT,
                                           {inner});
        const uint32_t product = builder.Add(name + ".product",
                                             formulas.Modulation(elements, 1, elements),
                                             TABLE_SPLIT,
                                             {outer, input});
        last = builder.Add(name + ".add", formulas.Add(elements), TABLE_SPLIT, {product, last});
    }
    return last;
}

uint32_t
DlrmModel::AddPerceptron(TrainingGraphBuilder& builder,
                         const std::vector<TrainingGraphBuilder::Source>& sources,
                         uint64_t inputs,
                         const std::vector<uint64_t>& widths,
                         std::size_t rectified)
{
    std::vector<TrainingGraphBuilder::Source> read = sources;
    for (std::size_t index = 0; index < widths.size(); ++index)
    {
        const std::string number = std::to_string(index + 1);
        const uint64_t outputs = widths[index];
        read.assign(1,
                    builder.Add("matmul" + number,
                                builder.GetFormulas().Matmul(1, inputs, outputs, outputs),
                                TABLE_SPLIT,
                                read));
        if (index < rectified)
        {
            read.assign(1,
                        builder.Add("relu" + number,
                                    builder.GetFormulas().Relu(outputs),
                                    TABLE_SPLIT,
                                    read));
        }
        inputs = outputs;
    }
    return read.front().op;
}

} // namespace lightpath
} // namespace ns3
