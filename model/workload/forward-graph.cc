/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "forward-graph.h"

#include "operator-fields.h"
#include "training-graph-builder.h"

#include <algorithm>

namespace ns3
{
namespace lightpath
{

namespace
{

/// An operator of a document.
using Entry = OperatorDocument::Entry;
/// Where an operator reads from.
using Source = TrainingGraphBuilder::Source;

/// The most bytes that all operators read together, so that sums of gradients have 64 bits.
constexpr uint64_t MAX_READ = uint64_t(1) << 60;

/// The bytes by which the name of a gradient may exceed the name of its operator.
constexpr std::size_t SUFFIX_BYTES = 16;

/// The layer that the builder puts all operators into, before they get their own.
const char* const LAYER = "model";

/**
 * @param kind what an operator computes
 * @return true if its parameters have a separate gradient
 */
bool
IsApart(OperatorKind kind)
{
    return kind == OperatorKind::MATMUL || kind == OperatorKind::CONVOLUTION;
}

/**
 * Complete the members that an operator does not state.
 *
 * @param entry the operator
 * @param readBytes the bytes that it reads along its edges, per sample
 * @param training the numbers of the model
 * @param word the bytes of a parameter
 * @return the operator
 */
Operator
Complete(const Entry& entry, uint64_t readBytes, const TrainingOptions& training, uint64_t word)
{
    Operator op = entry.op;
    const auto complete = [&entry](const char* key, auto& member, auto value) {
        if (!OperatorDocument::States(entry, key))
        {
            member = value;
        }
    };
    complete("precision", op.precision, training.precision);
    complete("inputBytes", op.inputBytes, readBytes);
    complete("flops", op.flops, 2 * op.multiplyAdds);
    complete("readBytes", op.readBytes, op.inputBytes);
    complete("writtenBytes", op.writtenBytes, op.outputBytes);
    const bool keepsInput = IsApart(op.kind) || op.kind == OperatorKind::ATTENTION ||
                            op.kind == OperatorKind::NORMALIZATION;
    const uint64_t output = op.kind == OperatorKind::SOFTMAX ? op.outputBytes : 0;
    complete("savedBytes", op.savedBytes, keepsInput ? op.inputBytes : output);
    complete("parameterBytes",
             op.parameterBytes,
             op.kind == OperatorKind::EMBEDDING ? 0 : word * op.parameters);
    return op;
}

/**
 * @param entry a forward operator as it is stated
 * @param forward the operator, complete
 * @param word the bytes of a parameter
 * @return its costs and those of its gradients
 */
OperatorCosts
GetCosts(const Entry& entry, const Operator& forward, uint64_t word)
{
    OperatorCosts costs;
    costs.forward = forward;
    costs.apart = IsApart(forward.kind);
    const uint64_t factors = forward.kind == OperatorKind::ATTENTION ? 2 : 1;
    Operator& backward = costs.backward;
    backward.precision = forward.precision;
    backward.multiplyAdds = factors * forward.multiplyAdds;
    backward.flops = factors * forward.flops;
    backward.readBytes = forward.kind == OperatorKind::LOSS ? 0 : factors * forward.outputBytes;
    backward.writtenBytes = forward.inputBytes;
    backward.parameterBytes = forward.parameterBytes;
    Operator& weights = costs.weightGradient;
    weights.precision = forward.precision;
    if (!costs.apart)
    {
        backward.readBytes += forward.savedBytes;
    }
    else if (forward.parameters > 0)
    {
        weights.multiplyAdds = forward.multiplyAdds;
        weights.flops = forward.flops;
        // Another operator that reads the input, too, may be the one that keeps it
        weights.readBytes = forward.outputBytes + forward.inputBytes;
    }
    Operator& maker = costs.apart ? weights : backward;
    maker.parameters = forward.parameters;
    maker.sparse = forward.sparse;
    if (forward.parameters > 0)
    {
        const bool isTable = forward.kind == OperatorKind::EMBEDDING;
        maker.parameterBytes += isTable ? word * forward.parameters : forward.parameterBytes;
    }
    const auto replace = [&entry](const char* key, uint64_t& member, uint64_t value) {
        member = OperatorDocument::States(entry, key) ? value : member;
    };
    replace("backwardFlops", backward.flops, entry.backwardFlops);
    replace("backwardReadBytes", backward.readBytes, entry.backwardReadBytes);
    replace("backwardWrittenBytes", backward.writtenBytes, entry.backwardWrittenBytes);
    // A gradient that nothing needs multiplies nothing, and reads no parameters
    backward.multiplyAdds = std::min(backward.multiplyAdds, backward.flops / 2);
    if (costs.apart && backward.flops == 0)
    {
        backward.parameterBytes = 0;
    }
    return costs;
}

/**
 * @param document the document
 * @param entry an operator
 * @param sources the operators that it reads from
 * @param builder holds these operators
 * @return the bytes that it reads along its edges, per sample, at most 2^53 more than MAX_READ
 */
uint64_t
GetReadBytes(const OperatorDocument& document,
             const Entry& entry,
             const std::vector<Source>& sources,
             const TrainingGraphBuilder& builder)
{
    uint64_t bytes = 0;
    for (const auto& source : sources)
    {
        const uint64_t whole = builder.GetOutputBytes(source.op);
        if (source.bytes > whole)
        {
            document.Fail(entry,
                          "operator " + document.Quote(entry.id) + " reads " +
                              std::to_string(source.bytes) + " bytes of an operator that has " +
                              std::to_string(whole) + " \"outputBytes\"");
        }
        bytes += source.bytes > 0 ? source.bytes : whole;
        if (bytes > MAX_READ)
        {
            break; // refused by the caller, before a sum exceeds 64 bits
        }
    }
    return bytes;
}

/**
 * @param document the document
 * @param entry an operator
 * @return the parameters that it uses of other operators
 */
uint64_t
CountShared(const OperatorDocument& document, const Entry& entry)
{
    const bool isStated = OperatorDocument::States(entry, "tiedParameters");
    uint64_t theirs = 0;
    bool isChain = false;
    for (const auto owner : entry.owners)
    {
        const Entry& other = document.operators[document.places[owner]];
        theirs = std::min(theirs + other.op.parameters, MAX_READ);
        isChain = isChain || !other.owners.empty();
    }
    const uint64_t shared = isStated ? entry.tiedParameters : theirs;
    if (shared > theirs || shared > entry.op.parameters || (isChain && !isStated))
    {
        const std::string name = entry.owners.empty() ? "others" : document.Quote(entry.owners[0]);
        document.Fail(entry,
                      "operator " + document.Quote(entry.id) + " cannot use the parameters of " +
                          name +
                          ": it must have as many \"parameters\" or more, and the owner must "
                          "have its own, unless \"tiedParameters\" says how many it shares");
    }
    return shared;
}

/**
 * Refuse names that would collide with the names of gradients and updates.
 *
 * @param document the document
 * @param entry an operator
 */
void
CheckName(const OperatorDocument& document, const Entry& entry)
{
    if (entry.op.name.size() + SUFFIX_BYTES > JsonValue::MAX_TEXT)
    {
        document.Fail(entry,
                      "the name " + document.Quote(entry.id) + " has " +
                          std::to_string(entry.op.name.size()) +
                          " bytes, but must leave room for those of its gradients: " +
                          std::to_string(JsonValue::MAX_TEXT - SUFFIX_BYTES) + " at most");
    }
    for (const auto* suffix : {".backward", ".input-gradient", ".weight-gradient", ".update"})
    {
        const uint32_t id = document.Find(entry.op.name + suffix);
        if (id != OperatorDocument::NONE)
        {
            document.Fail(document.operators[document.places[id]],
                          "operator " + document.Quote(id) +
                              " has the name of a gradient or update of operator " +
                              document.Quote(entry.id) + ": it needs another one");
        }
    }
}

/**
 * Give the operators of a graph their own names and layers.
 *
 * @param built the graph, whose names begin with that of a layer
 * @param layers the layers of the forward operators
 * @return the graph
 */
OperatorGraph
Rename(const OperatorGraph& built, const std::vector<uint32_t>& layers)
{
    const std::size_t prefix = std::string(LAYER).size() + 1;
    OperatorGraph graph(built.GetName(), built.GetSample());
    graph.parameterBytes = built.parameterBytes;
    graph.gradientBytes = built.gradientBytes;
    graph.optimizerBytes = built.optimizerBytes;
    for (uint32_t index = 0; index < built.GetOperators().size(); ++index)
    {
        Operator op = built.GetOperators()[index];
        op.name.erase(0, prefix);
        op.layer = layers[op.forward];
        graph.AddOperator(std::move(op));
        for (const auto from : built.GetPredecessors(index))
        {
            graph.AddEdge(from, index);
        }
    }
    return graph;
}

} // namespace

OperatorGraph
ForwardGraph::Build(const OperatorDocument& document, const std::vector<uint32_t>& order)
{
    TrainingGraphBuilder builder(document.name, document.sample, document.training);
    builder.BeginLayer(LAYER);
    const uint64_t word = builder.GetFormulas().GetWordBytes();
    std::vector<uint32_t> positions(order.size());
    for (uint32_t position = 0; position < order.size(); ++position)
    {
        positions[order[position]] = position;
    }
    std::vector<std::vector<Source>> sources(order.size());
    for (const auto& edge : document.edges)
    {
        sources[document.places[edge.to]].emplace_back(positions[document.places[edge.from]],
                                                       edge.bytes);
    }
    std::vector<uint32_t> layers;
    uint64_t readByAll = 0;
    for (const auto place : order)
    {
        const Entry& entry = document.operators[place];
        CheckName(document, entry);
        const uint64_t readBytes = GetReadBytes(document, entry, sources[place], builder);
        readByAll += readBytes;
        if (readByAll > MAX_READ)
        {
            document.Fail(entry,
                          "the operators up to " + document.Quote(entry.id) +
                              " read more than 2^60 bytes of each other: all together must read "
                              "fewer");
        }
        const Operator op = Complete(entry, readBytes, document.training, word);
        OperatorCosts costs = GetCosts(entry, op, word);
        const uint64_t shared = CountShared(document, entry);
        costs.forward.parameters -= shared;
        (costs.apart ? costs.weightGradient : costs.backward).parameters -= shared;
        builder.Add(op.name, costs, op.split, sources[place]);
        layers.push_back(op.layer);
        for (const auto owner : entry.owners)
        {
            builder.SumGradients(positions[place], positions[document.places[owner]]);
        }
    }
    return Rename(builder.Build(), layers);
}

} // namespace lightpath
} // namespace ns3
