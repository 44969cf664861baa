/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "operator-graph-reader.h"

#include "forward-graph.h"
#include "model/base/json-document.h"
#include "operator-document.h"
#include "operator-fields.h"
#include "operator-order.h"

#include <algorithm>
#include <stdexcept>
#include <tuple>

namespace ns3
{
namespace lightpath
{

namespace
{

/// An edge of a document.
using Edge = OperatorDocument::Edge;
/// An operator of a document.
using Entry = OperatorDocument::Entry;

/// The largest sum of a cost over all operators.
constexpr uint64_t MAX_SUM = uint64_t(1) << 63;

/// The most operators of a cycle that a sentence names.
constexpr std::size_t MAX_NAMED = 8;

/**
 * Refuse a reference to an operator that the document does not have.
 *
 * @tparam R the type of the referrer
 * @param document the document
 * @param id the index of the name
 * @param referrer the operator or the edge that refers to it
 * @param subject the name of the referrer in the sentence
 */
template <typename R>
void
CheckExists(const OperatorDocument& document,
            uint32_t id,
            const R& referrer,
            const std::string& subject)
{
    if (document.places[id] == OperatorDocument::NONE)
    {
        document.Fail(referrer,
                      subject + " names " + document.Quote(id) + ", but there is no such operator");
    }
}

/**
 * Check the forward operator of each operator, and give operators its layer, its split and its
 * experts.
 *
 * @param document the document
 */
void
CheckForward(OperatorDocument& document)
{
    for (auto& entry : document.operators)
    {
        const std::string subject = "operator " + document.Quote(entry.id);
        for (const auto owner : entry.owners)
        {
            CheckExists(document, owner, entry, subject);
        }
        if (entry.forward == OperatorDocument::NONE)
        {
            continue;
        }
        CheckExists(document, entry.forward, entry, subject);
        if (entry.op.pass == Pass::FORWARD)
        {
            if (entry.forward != entry.id)
            {
                document.Fail(entry,
                              subject + " is of the forward pass, but names another one as "
                                        "\"forward\": it must name none");
            }
            continue;
        }
        const Entry& forward = document.operators[document.places[entry.forward]];
        if (forward.op.pass != Pass::FORWARD)
        {
            document.Fail(entry,
                          subject + " names " + document.Quote(entry.forward) +
                              " as \"forward\", which must be an operator of the forward pass");
        }
        const auto differs = [&](const char* key, uint32_t own, uint32_t of) {
            return OperatorDocument::States(entry, key) && own != of;
        };
        if (differs("layer", entry.op.layer, forward.op.layer) ||
            differs("split",
                    static_cast<uint32_t>(entry.op.split),
                    static_cast<uint32_t>(forward.op.split)) ||
            differs("experts", entry.op.experts, forward.op.experts))
        {
            document.Fail(entry,
                          subject +
                              " must have the layer, the split and the experts of its forward "
                              "operator " +
                              document.Quote(entry.forward) + ", or state none");
        }
        entry.op.layer = forward.op.layer;
        entry.op.split = forward.op.split;
        entry.op.experts = forward.op.experts;
        entry.op.choice = forward.op.choice;
    }
}

/**
 * Check that the edges lead from one operator to another one of the same pass or a later one.
 *
 * @param document the document; its edges are sorted
 */
void
CheckEdges(OperatorDocument& document)
{
    auto& edges = document.edges;
    for (const auto& edge : edges)
    {
        CheckExists(document, edge.from, edge, "an edge");
        CheckExists(document, edge.to, edge, "an edge");
        if (document.operators[document.places[edge.from]].op.pass >
            document.operators[document.places[edge.to]].op.pass)
        {
            document.Fail(edge,
                          "the edge from " + document.Quote(edge.from) + " to " +
                              document.Quote(edge.to) +
                              " leads to an earlier pass: forward, backward and update follow one "
                              "another");
        }
    }
    std::stable_sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) {
        return std::tie(a.from, a.to) < std::tie(b.from, b.to);
    });
    for (std::size_t i = 1; i < edges.size(); ++i)
    {
        if (edges[i].from == edges[i - 1].from && edges[i].to == edges[i - 1].to)
        {
            document.Fail(edges[i],
                          "the edge from " + document.Quote(edges[i].from) + " to " +
                              document.Quote(edges[i].to) + " is at /edges/" +
                              std::to_string(edges[i - 1].place) + " already");
        }
    }
}

/**
 * Check that the backward pass waits for the forward pass: as there are no cycles, it does if each
 * of its operators waits for another one.
 *
 * @param document the document
 */
void
CheckBackward(const OperatorDocument& document)
{
    std::vector<bool> waits(document.operators.size());
    for (const auto& edge : document.edges)
    {
        waits[document.places[edge.to]] = true;
    }
    for (std::size_t place = 0; place < waits.size(); ++place)
    {
        const Entry& entry = document.operators[place];
        if (entry.op.pass == Pass::BACKWARD && !waits[place])
        {
            document.Fail(entry,
                          "operator " + document.Quote(entry.id) +
                              " of the backward pass waits for no other: an edge from the last "
                              "operator of the forward pass, or from another gradient, must lead "
                              "to it");
        }
    }
}

/**
 * @param document the document
 * @return the indices of its operators in topological order, pass after pass
 */
std::vector<uint32_t>
Sort(const OperatorDocument& document)
{
    // Operators by pass, and otherwise in the order of the document
    const auto& operators = document.operators;
    const auto count = static_cast<uint32_t>(operators.size());
    std::vector<uint32_t> byPass(count);
    for (uint32_t place = 0; place < count; ++place)
    {
        byPass[place] = place;
    }
    std::stable_sort(byPass.begin(), byPass.end(), [&](uint32_t a, uint32_t b) {
        return operators[a].op.pass < operators[b].op.pass;
    });
    std::vector<uint32_t> positions(count);
    for (uint32_t position = 0; position < count; ++position)
    {
        positions[byPass[position]] = position;
    }

    OperatorOrder order(count);
    for (const auto& edge : document.edges)
    {
        order.Add(positions[document.places[edge.from]], positions[document.places[edge.to]]);
    }
    for (uint32_t place = 0; place < count; ++place)
    {
        for (const auto owner : operators[place].owners)
        {
            order.Add(positions[document.places[owner]], positions[place]);
        }
    }
    std::vector<uint32_t> sorted = order.Sort();
    if (sorted.size() < count)
    {
        const auto cycle = order.FindCycle();
        std::string names;
        for (std::size_t i = 0; i < cycle.size() && i < MAX_NAMED; ++i)
        {
            names += document.Quote(operators[byPass[cycle[i]]].id) + " -> ";
        }
        names += cycle.size() > MAX_NAMED ? "... -> " : "";
        const Entry& first = operators[byPass[cycle.front()]];
        document.Fail(first,
                      "operators wait for each other: " + names + document.Quote(first.id) +
                          "; edges must not form a cycle");
    }
    for (auto& position : sorted)
    {
        position = byPass[position];
    }
    return sorted;
}

/**
 * @param document a document with operators of all passes
 * @param order the indices of its operators in topological order
 * @return the graph
 */
OperatorGraph
Build(const OperatorDocument& document, const std::vector<uint32_t>& order)
{
    OperatorGraph graph(document.name, document.sample);
    graph.parameterBytes = document.parameterBytes;
    graph.gradientBytes = document.gradientBytes;
    graph.optimizerBytes = document.optimizerBytes;
    std::vector<uint32_t> positions(order.size());
    for (uint32_t position = 0; position < order.size(); ++position)
    {
        positions[order[position]] = position;
    }
    for (const auto place : order)
    {
        const Entry& entry = document.operators[place];
        Operator op = entry.op;
        op.forward =
            positions[entry.op.pass == Pass::FORWARD ? place : document.places[entry.forward]];
        graph.AddOperator(std::move(op));
    }
    // In ascending order, so that each one is added at the end
    std::vector<std::pair<uint32_t, uint32_t>> edges;
    edges.reserve(document.edges.size());
    for (const auto& edge : document.edges)
    {
        edges.emplace_back(positions[document.places[edge.from]],
                           positions[document.places[edge.to]]);
    }
    std::sort(edges.begin(), edges.end());
    for (const auto& edge : edges)
    {
        graph.AddEdge(edge.first, edge.second);
    }
    return graph;
}

} // namespace

OperatorGraph
OperatorGraphReader::Read(std::istream& input, const std::string& name)
{
    OperatorDocument document(input, name);
    CheckForward(document);
    CheckEdges(document);
    const std::vector<uint32_t> order = Sort(document);
    CheckBackward(document);
    OperatorGraph graph =
        document.isForward ? ForwardGraph::Build(document, order) : Build(document, order);
    graph.sampleTokens = document.sampleTokens;
    CheckCosts(graph, name);
    return graph;
}

OperatorGraph
OperatorGraphReader::ReadFile(const std::string& name)
{
    std::ifstream file = JsonDocument::Open(name);
    return Read(file, name);
}

void
OperatorGraphReader::CheckCosts(const OperatorGraph& graph, const std::string& name)
{
    for (const auto& cost : OperatorFields::GetCosts())
    {
        uint64_t sum = 0;
        for (const auto& op : graph.GetOperators())
        {
            const uint64_t value = op.*cost.value;
            if (value > OperatorDocument::MAX_COST)
            {
                throw std::invalid_argument(name + ": the \"" + cost.key + "\" of operator " +
                                            JsonValue::Quote(op.name) + " must not exceed 2^53");
            }
            if (value > MAX_SUM - sum)
            {
                throw std::invalid_argument(name + ": the \"" + cost.key +
                                            "\" of all operators together must not exceed 2^63");
            }
            sum += value;
        }
    }
}

} // namespace lightpath
} // namespace ns3
