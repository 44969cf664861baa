/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "operator-graph-writer.h"

#include "operator-document.h"
#include "operator-fields.h"

#include <nlohmann/json.hpp>
#include <stdexcept>

namespace ns3
{
namespace lightpath
{

namespace
{

/**
 * Refuse an operator that could not be read again.
 *
 * @param graph a graph
 * @param index the index of the operator
 */
void
Check(const OperatorGraph& graph, uint32_t index)
{
    const Operator& op = graph.GetOperators()[index];
    const Operator& forward = graph.GetOperators()[op.forward];
    const std::string what = "Operator " + op.name + " of model " + graph.GetName();
    if (forward.pass != Pass::FORWARD || (op.pass == Pass::FORWARD && op.forward != index))
    {
        throw std::invalid_argument(what + " cannot be written: it belongs to operator " +
                                    forward.name +
                                    ", but must belong to one of the forward pass, and if it is "
                                    "of the forward pass itself, to itself");
    }
    if (index > 0 && graph.GetOperators()[index - 1].pass > op.pass)
    {
        throw std::invalid_argument(what +
                                    " cannot be written: it is behind one of a later pass, " +
                                    "but forward, backward and update must follow one another");
    }
    if (op.layer != forward.layer || op.split != forward.split || op.experts != forward.experts)
    {
        throw std::invalid_argument(what + " cannot be written: it must have the layer, the " +
                                    "split and the experts of its forward operator " +
                                    forward.name);
    }
    if (op.experts > OperatorDocument::MAX_EXPERTS)
    {
        throw std::invalid_argument(what + " cannot be written: its experts must be at most " +
                                    std::to_string(OperatorDocument::MAX_EXPERTS));
    }
    if (op.layer >= OperatorDocument::MAX_OPERATORS)
    {
        throw std::invalid_argument(what + " cannot be written: its layer must be below " +
                                    std::to_string(OperatorDocument::MAX_OPERATORS));
    }
    for (const auto& cost : OperatorFields::GetCosts())
    {
        if (op.*cost.value > OperatorDocument::MAX_COST)
        {
            throw std::invalid_argument(what + " cannot be written: its " + cost.key +
                                        " must be at most 2^53");
        }
    }
}

/**
 * Refuse a graph whose name and numbers could not be read again.
 *
 * @param graph the graph
 */
void
CheckWhole(const OperatorGraph& graph)
{
    const uint32_t most = OperatorDocument::MAX_NUMBER_BYTES;
    if (graph.GetOperators().empty())
    {
        throw std::invalid_argument("Model " + graph.GetName() +
                                    " cannot be written: it must have an operator at least");
    }
    if (graph.parameterBytes == 0 || graph.gradientBytes == 0 || graph.parameterBytes > most ||
        graph.gradientBytes > most || graph.optimizerBytes > most)
    {
        throw std::invalid_argument("Model " + graph.GetName() +
                                    " cannot be written: a parameter and a gradient must have 1 " +
                                    "to 64 bytes, and the optimiser at most 64 for each");
    }
}

/**
 * @param text the name of something
 * @return the name, unless it could not be read again
 */
std::string
GetText(const std::string& text)
{
    static const std::string writer = "A graph to be written";
    const nlohmann::ordered_json json = text;
    return JsonValue(json, writer, "/name").GetText();
}

/**
 * @param graph a graph
 * @param index the index of an operator
 * @return what is to be written of it
 */
nlohmann::ordered_json
GetJson(const OperatorGraph& graph, uint32_t index)
{
    const Operator& op = graph.GetOperators()[index];
    const Operator usual;
    const auto word = [](const std::vector<std::string>& words, auto value) {
        return words.at(static_cast<std::size_t>(value));
    };
    nlohmann::ordered_json json;
    json["name"] = GetText(op.name);
    json["kind"] = word(OperatorFields::GetKinds(), op.kind);
    if (op.pass == Pass::FORWARD)
    {
        json["layer"] = op.layer;
        if (op.split != usual.split)
        {
            json["split"] = word(OperatorFields::GetSplits(), op.split);
        }
        if (op.experts > 0)
        {
            json["experts"] = op.experts;
        }
    }
    else
    {
        json["pass"] = word(OperatorFields::GetPasses(), op.pass);
        json["forward"] = graph.GetOperators()[op.forward].name;
    }
    if (op.precision != usual.precision)
    {
        json["precision"] = word(OperatorFields::GetPrecisions(), op.precision);
    }
    if (op.selective)
    {
        json["selective"] = true;
    }
    if (op.sparse)
    {
        json["sparse"] = true;
    }
    for (const auto& cost : OperatorFields::GetCosts())
    {
        if (op.*cost.value > 0)
        {
            json[cost.key] = op.*cost.value;
        }
    }
    return json;
}

/**
 * @param json what to write
 * @return its text, on one line
 */
std::string
Dump(const nlohmann::ordered_json& json)
{
    try
    {
        return json.dump();
    }
    catch (const nlohmann::json::exception& error)
    {
        throw std::invalid_argument("A name cannot be written: it must be text in UTF-8");
    }
}

} // namespace

void
OperatorGraphWriter::Write(const OperatorGraph& graph, std::ostream& output)
{
    CheckWhole(graph);
    const auto& operators = graph.GetOperators();
    output << "{\n\"format\": \"" << OperatorDocument::FORMAT << "\",\n\"version\": 1,\n"
           << "\"name\": " << Dump(GetText(graph.GetName())) << ",\n"
           << "\"sample\": " << Dump(GetText(graph.GetSample())) << ",\n"
           << "\"parameterBytes\": " << graph.parameterBytes << ",\n"
           << "\"gradientBytes\": " << graph.gradientBytes << ",\n"
           << "\"optimizerBytes\": " << graph.optimizerBytes << ",\n"
           << "\"operators\": [";
    for (uint32_t index = 0; index < operators.size(); ++index)
    {
        Check(graph, index);
        output << (index > 0 ? "," : "") << "\n" << Dump(GetJson(graph, index));
    }
    output << "\n],\n\"edges\": [";
    bool isFirst = true;
    for (uint32_t index = 0; index < operators.size(); ++index)
    {
        for (const auto successor : graph.GetSuccessors(index))
        {
            output << (isFirst ? "" : ",") << "\n"
                   << Dump({operators[index].name, operators[successor].name});
            isFirst = false;
        }
    }
    output << "\n]\n}\n";
}

} // namespace lightpath
} // namespace ns3
