/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "operator-graph-writer.h"

#include "operator-document.h"
#include "operator-fields.h"
#include "operator-graph-reader.h"

#include <nlohmann/json.hpp>

namespace ns3
{
namespace lightpath
{

namespace
{

/// A value in JSON.
using Json = nlohmann::ordered_json;

/**
 * @param graph a graph
 * @param index the index of an operator
 * @return the operator in JSON
 */
Json
GetJson(const OperatorGraph& graph, uint32_t index)
{
    const Operator& op = graph.GetOperators()[index];
    const Operator usual;
    const auto word = [](const std::vector<std::string>& words, auto value) {
        return words.at(static_cast<std::size_t>(value));
    };
    Json json;
    json["name"] = op.name;
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
        if (op.choice.perToken > 0)
        {
            json["expertsPerToken"] = op.choice.perToken;
        }
        if (op.choice.groups > 1)
        {
            json["expertGroups"] = op.choice.groups;
            json["groupsPerToken"] = op.choice.topGroups;
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

} // namespace

void
OperatorGraphWriter::Write(const OperatorGraph& graph, std::ostream& output)
{
    OperatorGraphReader::CheckCosts(graph, graph.GetName());
    const auto& operators = graph.GetOperators();
    output << "{\n\"format\": \"" << OperatorDocument::FORMAT << "\",\n\"version\": 1,\n"
           << "\"name\": " << Json(graph.GetName()) << ",\n"
           << "\"sample\": " << Json(graph.GetSample()) << ",\n"
           << "\"tokens\": " << graph.sampleTokens << ",\n"
           << "\"parameterBytes\": " << graph.parameterBytes << ",\n"
           << "\"gradientBytes\": " << graph.gradientBytes << ",\n"
           << "\"optimizerBytes\": " << graph.optimizerBytes << ",\n"
           << "\"operators\": [";
    for (uint32_t index = 0; index < operators.size(); ++index)
    {
        output << (index > 0 ? "," : "") << "\n" << GetJson(graph, index);
    }
    output << "\n],\n\"edges\": [";
    bool isFirst = true;
    for (uint32_t index = 0; index < operators.size(); ++index)
    {
        for (const auto successor : graph.GetSuccessors(index))
        {
            output << (isFirst ? "" : ",") << "\n"
                   << Json{operators[index].name, operators[successor].name};
            isFirst = false;
        }
    }
    output << "\n]\n}\n";
}

} // namespace lightpath
} // namespace ns3
