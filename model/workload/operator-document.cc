/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "operator-document.h"

#include "operator-fields.h"

#include <stdexcept>

namespace ns3
{
namespace lightpath
{

OperatorDocument::OperatorDocument(const std::string& name)
    : JsonDocument(name,
                   FORMAT,
                   {{"name", VALUE},
                    {"sample", VALUE},
                    {"passes", VALUE},
                    {"parameterBytes", VALUE},
                    {"gradientBytes", VALUE},
                    {"optimizerBytes", VALUE},
                    {"precision", VALUE},
                    {"gradients", VALUE},
                    {"optimizer", VALUE},
                    {"operators", OBJECTS},
                    {"edges", LISTS}}),
      m_known({"name",
               "kind",
               "pass",
               "split",
               "precision",
               "selective",
               "sparse",
               "layer",
               "forward",
               "experts",
               "tied",
               "backwardFlops",
               "backwardReadBytes",
               "backwardWrittenBytes"})
{
    for (const auto& cost : OperatorFields::GetCosts())
    {
        m_known.push_back(cost.key);
    }
}

const JsonSource&
OperatorDocument::GetSource() const
{
    return m_source;
}

std::string
OperatorDocument::Quote(uint32_t id) const
{
    return JsonSource::Quote(m_names[id]);
}

uint32_t
OperatorDocument::Find(const std::string& name) const
{
    const auto found = m_ids.find(name);
    return found == m_ids.end() ? NONE : found->second;
}

void
OperatorDocument::CheckPasses() const
{
    if (isForward && m_bytesLine > 0)
    {
        m_source.Fail(m_bytesLine,
                      "with \"passes\": \"forward\" the bytes of parameters, gradients and "
                      "optimiser follow from \"precision\", \"gradients\" and \"optimizer\"");
    }
    if (!isForward && m_trainingLine > 0)
    {
        m_source.Fail(m_trainingLine,
                      "\"precision\", \"gradients\" and \"optimizer\" of the whole model need "
                      "\"passes\": \"forward\"; else there are \"parameterBytes\", "
                      "\"gradientBytes\" and \"optimizerBytes\"");
    }
    if (name.empty())
    {
        throw std::invalid_argument(m_source.GetName() +
                                    " has no \"name\": it must be that of the model");
    }
    if (operators.empty())
    {
        throw std::invalid_argument(m_source.GetName() +
                                    " has no operators: there must be one at least");
    }
    for (const auto& entry : operators)
    {
        if (isForward && (entry.op.pass != Pass::FORWARD || entry.forward != NONE))
        {
            m_source.Fail(entry.line,
                          "operator " + Quote(entry.id) +
                              " must be of the forward pass, as all are with \"passes\": "
                              "\"forward\", and name no forward operator");
        }
        if (!isForward && (entry.owner != NONE || (entry.stated & (FLOPS | READ | WRITTEN)) != 0))
        {
            m_source.Fail(entry.line,
                          "operator " + Quote(entry.id) +
                              " must not have \"tied\" or a key that begins with \"backward\": "
                              "these need \"passes\": \"forward\"");
        }
    }
    for (const auto& edge : edges)
    {
        if (!isForward && edge.bytes > 0)
        {
            m_source.Fail(edge.line,
                          "an edge must be two names, like [\"a\", \"b\"]: bytes need \"passes\": "
                          "\"forward\"");
        }
    }
}

void
OperatorDocument::TakeValue(const JsonValue& value)
{
    const auto bytes = [&](uint64_t least) {
        m_bytesLine = value.line;
        return static_cast<uint32_t>(m_source.GetWhole(value, least, MAX_NUMBER_BYTES));
    };
    const auto precision = [&]() {
        m_trainingLine = value.line;
        return Precision(m_source.GetWord(value, OperatorFields::GetPrecisions()));
    };
    if (value.key == "name")
    {
        name = m_source.GetText(value);
    }
    else if (value.key == "sample")
    {
        sample = m_source.GetText(value);
    }
    else if (value.key == "passes")
    {
        isForward = m_source.GetWord(value, {"all", "forward"}) == 1;
    }
    else if (value.key == "parameterBytes")
    {
        parameterBytes = bytes(1);
    }
    else if (value.key == "gradientBytes")
    {
        gradientBytes = bytes(1);
    }
    else if (value.key == "optimizerBytes")
    {
        optimizerBytes = bytes(0);
    }
    else if (value.key == "precision")
    {
        training.precision = precision();
    }
    else if (value.key == "gradients")
    {
        training.gradients = precision();
    }
    else
    {
        m_trainingLine = value.line;
        training.optimizer = Optimizer(m_source.GetWord(value, {"adam", "momentum"}));
    }
}

void
OperatorDocument::TakeRecord(const std::string& key, const JsonRecord& record)
{
    if (key == "operators")
    {
        TakeOperator(record);
    }
    else
    {
        TakeEdge(record);
    }
}

uint32_t
OperatorDocument::GetName(const JsonValue& value)
{
    const std::string& text = m_source.GetText(value);
    const auto found = m_ids.find(text);
    if (found != m_ids.end())
    {
        return found->second;
    }
    const auto id = static_cast<uint32_t>(m_names.size());
    if (id == MAX_OPERATORS)
    {
        m_source.Fail(value.line,
                      "a graph must have at most " + std::to_string(MAX_OPERATORS) + " operators");
    }
    m_ids.emplace(text, id);
    m_names.push_back(text);
    places.push_back(NONE);
    return id;
}

void
OperatorDocument::TakeOperator(const JsonRecord& record)
{
    const JsonValue* named = record.Find("name");
    if (named == nullptr)
    {
        m_source.Fail(record.line,
                      "operator " + std::to_string(operators.size() + 1) + " has no \"name\"");
    }
    Entry entry;
    entry.line = record.line;
    entry.id = GetName(*named);
    entry.op.name = named->text;
    if (places[entry.id] != NONE)
    {
        m_source.Fail(record.line,
                      "there is an operator " + Quote(entry.id) + " in line " +
                          std::to_string(operators[places[entry.id]].line) +
                          " already: names must differ");
    }
    for (const auto& value : record.values)
    {
        TakeMember(value, entry);
    }
    if (entry.op.pass == Pass::UPDATE && (entry.stated & KIND) == 0)
    {
        entry.op.kind = OperatorKind::OPTIMIZER;
    }
    else if ((entry.stated & KIND) == 0)
    {
        m_source.Fail(record.line, "operator " + Quote(entry.id) + " has no \"kind\"");
    }
    if (entry.op.pass != Pass::FORWARD && entry.forward == NONE)
    {
        m_source.Fail(record.line,
                      "operator " + Quote(entry.id) +
                          " has no \"forward\": it must name the forward operator that it belongs "
                          "to");
    }
    places[entry.id] = static_cast<uint32_t>(operators.size());
    operators.push_back(entry);
}

void
OperatorDocument::TakeMember(const JsonValue& value, Entry& entry)
{
    const auto& costs = OperatorFields::GetCosts();
    for (std::size_t index = 0; index < costs.size(); ++index)
    {
        if (costs[index].key == value.key)
        {
            entry.op.*costs[index].value = m_source.GetWhole(value, 0, MAX_COST);
            entry.stated |= 1 << index;
            return;
        }
    }
    const std::string& key = value.key;
    Operator& op = entry.op;
    if (key == "kind")
    {
        op.kind = OperatorKind(m_source.GetWord(value, OperatorFields::GetKinds()));
        entry.stated |= KIND;
    }
    else if (key == "pass")
    {
        op.pass = Pass(m_source.GetWord(value, OperatorFields::GetPasses()));
    }
    else if (key == "split")
    {
        op.split = TensorSplit(m_source.GetWord(value, OperatorFields::GetSplits()));
        entry.stated |= SPLIT;
    }
    else if (key == "precision")
    {
        op.precision = Precision(m_source.GetWord(value, OperatorFields::GetPrecisions()));
        entry.stated |= PRECISION;
    }
    else if (key == "selective")
    {
        op.selective = m_source.GetBoolean(value);
    }
    else if (key == "sparse")
    {
        op.sparse = m_source.GetBoolean(value);
    }
    else if (key == "layer")
    {
        op.layer = static_cast<uint32_t>(m_source.GetWhole(value, 0, MAX_OPERATORS - 1));
        entry.stated |= LAYER;
    }
    else if (key == "forward")
    {
        entry.forward = GetName(value);
    }
    else if (key == "experts")
    {
        op.experts = static_cast<uint32_t>(m_source.GetWhole(value, 1, MAX_EXPERTS));
        entry.stated |= EXPERTS;
    }
    else if (key == "tied")
    {
        entry.owner = GetName(value);
    }
    else if (key == "backwardFlops")
    {
        entry.backwardFlops = m_source.GetWhole(value, 0, MAX_COST);
        entry.stated |= FLOPS;
    }
    else if (key == "backwardReadBytes")
    {
        entry.backwardReadBytes = m_source.GetWhole(value, 0, MAX_COST);
        entry.stated |= READ;
    }
    else if (key == "backwardWrittenBytes")
    {
        entry.backwardWrittenBytes = m_source.GetWhole(value, 0, MAX_COST);
        entry.stated |= WRITTEN;
    }
    else if (key != "name")
    {
        m_source.FailKey(value.line, key, m_known);
    }
}

void
OperatorDocument::TakeEdge(const JsonRecord& record)
{
    const auto& values = record.values;
    if (values.size() < 2 || values.size() > 3)
    {
        m_source.Fail(record.line,
                      "an edge has " + std::to_string(values.size()) +
                          " elements, but must be like [\"a\", \"b\"], from the operator that "
                          "writes to the one that reads");
    }
    if (edges.size() == MAX_EDGES)
    {
        m_source.Fail(record.line,
                      "a graph must have at most " + std::to_string(MAX_EDGES) + " edges");
    }
    Edge edge;
    edge.line = record.line;
    edge.from = GetName(values[0]);
    edge.to = GetName(values[1]);
    edge.bytes = values.size() > 2 ? m_source.GetWhole(values[2], 1, MAX_COST) : 0;
    edges.push_back(edge);
}

} // namespace lightpath
} // namespace ns3
