/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "operator-document.h"

#include "model/base/json-document.h"
#include "operator-fields.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace ns3
{
namespace lightpath
{

OperatorDocument::OperatorDocument(std::istream& input, const std::string& name)
    : m_document(name)
{
    const JsonDocument document(input,
                                name,
                                FORMAT,
                                {"name",
                                 "sample",
                                 "tokens",
                                 "passes",
                                 "parameterBytes",
                                 "gradientBytes",
                                 "optimizerBytes",
                                 "precision",
                                 "gradients",
                                 "optimizer",
                                 "operators",
                                 "edges"},
                                [this](const std::string& key, const JsonValue& element) {
                                    if (key == "operators")
                                    {
                                        TakeOperator(element);
                                    }
                                    else if (key == "edges")
                                    {
                                        TakeEdge(element);
                                    }
                                });
    TakeModel(document.GetRoot());
    CheckPasses();
}

void
OperatorDocument::Fail(const Entry& entry, const std::string& sentence) const
{
    const auto index = static_cast<std::size_t>(&entry - operators.data());
    throw std::invalid_argument(
        JsonValue::GetPlace(m_document, "/operators/" + std::to_string(index)) + ": " + sentence);
}

void
OperatorDocument::Fail(const Edge& edge, const std::string& sentence) const
{
    throw std::invalid_argument(
        JsonValue::GetPlace(m_document, "/edges/" + std::to_string(edge.place)) + ": " + sentence);
}

std::string
OperatorDocument::Quote(uint32_t id) const
{
    return JsonValue::Quote(m_names[id]);
}

uint32_t
OperatorDocument::Find(const std::string& name) const
{
    const auto found = m_ids.find(name);
    return found == m_ids.end() ? NONE : found->second;
}

void
OperatorDocument::TakeModel(const JsonValue& root)
{
    for (const auto* list : {"operators", "edges"})
    {
        // Their elements have been taken: a list must be left
        if (const auto value = root.Find(list))
        {
            value->GetSize();
        }
    }
    const auto takeAny = [&](const char* key, const auto& read) {
        if (const auto value = root.Find(key))
        {
            read(*value);
        }
    };
    takeAny("passes", [&](const JsonValue& value) {
        isForward = value.GetWord({"all", "forward"}) == 1;
    });
    const auto take = [&](const char* key, bool isOfForward, const auto& read) {
        const auto value = root.Find(key);
        if (value && isOfForward != isForward)
        {
            value->Fail(isForward
                            ? "with \"passes\": \"forward\" the bytes of parameters, gradients "
                              "and optimiser follow from \"precision\", \"gradients\" and "
                              "\"optimizer\""
                            : "\"precision\", \"gradients\" and \"optimizer\" of the whole "
                              "model need \"passes\": \"forward\"; else there are "
                              "\"parameterBytes\", \"gradientBytes\" and \"optimizerBytes\"");
        }
        takeAny(key, read);
    };
    const auto takeBytes = [&](const char* key, uint64_t least, uint32_t& bytes) {
        take(key, false, [&](const JsonValue& value) {
            bytes = static_cast<uint32_t>(value.GetWhole(least, MAX_NUMBER_BYTES));
        });
    };
    const auto takePrecision = [&](const char* key, Precision& precision) {
        take(key, true, [&](const JsonValue& value) {
            // Operators with factors of 8 bits say so themselves
            precision = Precision(value.GetWord(OperatorFields::GetModelPrecisions()));
        });
    };
    takeBytes("parameterBytes", 1, parameterBytes);
    takeBytes("gradientBytes", 1, gradientBytes);
    takeBytes("optimizerBytes", 0, optimizerBytes);
    takePrecision("precision", training.precision);
    takePrecision("gradients", training.gradients);
    take("optimizer", true, [&](const JsonValue& value) {
        training.optimizer = Optimizer(value.GetWord({"adam", "momentum", "sgd"}));
    });
    name = root.Get("name").GetText();
    takeAny("tokens",
            [&](const JsonValue& value) { sampleTokens = value.GetWhole(0, MAX_TOKENS); });
    takeAny("sample", [&](const JsonValue& value) { sample = value.GetText(); });
    if (operators.empty())
    {
        throw std::invalid_argument(m_document + " has no operators: there must be one at least");
    }
}

void
OperatorDocument::CheckPasses() const
{
    for (const auto& entry : operators)
    {
        if (isForward && (entry.op.pass != Pass::FORWARD || entry.forward != NONE))
        {
            Fail(entry,
                 "operator " + Quote(entry.id) +
                     " must be of the forward pass, as all are with \"passes\": \"forward\", and "
                     "name no forward operator");
        }
        if (isForward)
        {
            continue;
        }
        for (const auto* key : {"tied",
                                "tiedParameters",
                                "backwardFlops",
                                "backwardReadBytes",
                                "backwardWrittenBytes"})
        {
            if (States(entry, key))
            {
                Fail(entry,
                     "operator " + Quote(entry.id) + " must not have \"" + key +
                         "\": it needs \"passes\": \"forward\"");
            }
        }
    }
    for (const auto& edge : edges)
    {
        if (!isForward && edge.bytes > 0)
        {
            Fail(edge,
                 "an edge must be two names, like [\"a\", \"b\"]: bytes need \"passes\": "
                 "\"forward\"");
        }
    }
}

uint32_t
OperatorDocument::GetId(const JsonValue& value)
{
    const std::string& text = value.GetText();
    const auto id = static_cast<uint32_t>(m_names.size());
    const auto added = m_ids.emplace(text, id);
    if (!added.second)
    {
        return added.first->second;
    }
    if (id == MAX_OPERATORS)
    {
        value.Fail("a graph must have at most " + std::to_string(MAX_OPERATORS) + " operators");
    }
    m_names.push_back(text);
    places.push_back(NONE);
    return id;
}

const std::vector<OperatorDocument::Member>&
OperatorDocument::GetMembers()
{
    using D = OperatorDocument;
    using V = JsonValue;
    static const std::vector<Member> members = []() {
        std::vector<Member> list{
            {"name",
             [](D& document, Entry& entry, const V& value) {
                 entry.id = document.GetId(value);
                 entry.op.name = value.GetText();
             }},
            {"kind",
             [](D&, Entry& entry, const V& value) {
                 entry.op.kind = OperatorKind(value.GetWord(OperatorFields::GetKinds()));
             }},
            {"pass",
             [](D&, Entry& entry, const V& value) {
                 entry.op.pass = Pass(value.GetWord(OperatorFields::GetPasses()));
             }},
            {"split",
             [](D&, Entry& entry, const V& value) {
                 entry.op.split = TensorSplit(value.GetWord(OperatorFields::GetSplits()));
             }},
            {"precision",
             [](D&, Entry& entry, const V& value) {
                 entry.op.precision = Precision(value.GetWord(OperatorFields::GetPrecisions()));
             }},
            {"selective",
             [](D&, Entry& entry, const V& value) { entry.op.selective = value.GetBoolean(); }},
            {"sparse",
             [](D&, Entry& entry, const V& value) { entry.op.sparse = value.GetBoolean(); }},
            {"layer",
             [](D&, Entry& entry, const V& value) {
                 entry.op.layer = static_cast<uint32_t>(value.GetWhole(0, MAX_OPERATORS - 1));
             }},
            {"forward",
             [](D& document, Entry& entry, const V& value) {
                 entry.forward = document.GetId(value);
             }},
            {"experts",
             [](D&, Entry& entry, const V& value) {
                 entry.op.experts = static_cast<uint32_t>(value.GetWhole(1, MAX_EXPERTS));
             }},
            {"tied",
             [](D& document, Entry& entry, const V& value) {
                 const std::size_t count = value.IsText() ? 0 : value.GetSize();
                 for (std::size_t i = 0; i < count; ++i)
                 {
                     entry.owners.push_back(document.GetId(value.GetElement(i)));
                 }
                 if (value.IsText())
                 {
                     entry.owners.push_back(document.GetId(value));
                 }
             }},
        };
        AddCosts(list);
        return list;
    }();
    return members;
}

void
OperatorDocument::AddCosts(std::vector<Member>& members)
{
    const std::vector<std::pair<std::string, uint32_t ExpertChoice::*>> choices{
        {"expertsPerToken", &ExpertChoice::perToken},
        {"expertGroups", &ExpertChoice::groups},
        {"groupsPerToken", &ExpertChoice::topGroups}};
    for (const auto& [key, choice] : choices)
    {
        const auto read = [choice =
                               choice](OperatorDocument&, Entry& entry, const JsonValue& value) {
            entry.op.choice.*choice = static_cast<uint32_t>(value.GetWhole(1, MAX_EXPERTS));
        };
        members.push_back({key, read});
    }
    for (const auto& cost : OperatorFields::GetCosts())
    {
        members.push_back(
            {cost.key, [&cost](OperatorDocument&, Entry& entry, const JsonValue& value) {
                 entry.op.*cost.value = value.GetWhole(0, MAX_COST);
             }});
    }
    const std::vector<std::pair<const char*, uint64_t Entry::*>> others{
        {"tiedParameters", &Entry::tiedParameters},
        {"backwardFlops", &Entry::backwardFlops},
        {"backwardReadBytes", &Entry::backwardReadBytes},
        {"backwardWrittenBytes", &Entry::backwardWrittenBytes}};
    for (const auto& [key, cost] : others)
    {
        members.push_back(
            {key, [cost = cost](OperatorDocument&, Entry& entry, const JsonValue& value) {
                 entry.*cost = value.GetWhole(0, MAX_COST);
             }});
    }
}

std::size_t
OperatorDocument::FindMember(const std::string& key)
{
    static const std::unordered_map<std::string, std::size_t> indices = []() {
        std::unordered_map<std::string, std::size_t> result;
        for (const auto& member : GetMembers())
        {
            result.emplace(member.key, result.size());
        }
        return result;
    }();
    const auto found = indices.find(key);
    return found == indices.end() ? indices.size() : found->second;
}

bool
OperatorDocument::States(const Entry& entry, const std::string& key)
{
    return entry.stated.test(FindMember(key));
}

void
OperatorDocument::TakeOperator(const JsonValue& value)
{
    const auto& members = GetMembers();
    value.Get("name");
    Entry entry;
    value.ForEachMember([&](const std::string& key, const JsonValue& member) {
        const std::size_t index = FindMember(key);
        if (index == members.size())
        {
            std::vector<std::string> known;
            for (const auto& each : members)
            {
                known.push_back(each.key);
            }
            value.CheckKeys(known);
        }
        members[index].take(*this, entry, member);
        entry.stated.set(index);
    });
    if (places[entry.id] != NONE)
    {
        value.Fail("there is an operator " + Quote(entry.id) + " at /operators/" +
                   std::to_string(places[entry.id]) + " already: names must differ");
    }
    if (entry.op.pass == Pass::UPDATE && !States(entry, "kind"))
    {
        entry.op.kind = OperatorKind::OPTIMIZER;
    }
    else if (!States(entry, "kind"))
    {
        value.Fail("operator " + Quote(entry.id) + " has no \"kind\"");
    }
    if (entry.op.pass != Pass::FORWARD && entry.forward == NONE)
    {
        value.Fail("operator " + Quote(entry.id) +
                   " has no \"forward\": it must name the forward operator that it belongs to");
    }
    places[entry.id] = static_cast<uint32_t>(operators.size());
    operators.push_back(std::move(entry));
}

void
OperatorDocument::TakeEdge(const JsonValue& value)
{
    const std::size_t size = value.GetSize();
    if (size < 2 || size > 3)
    {
        value.Fail("an edge has " + std::to_string(size) +
                   " elements, but must be like [\"a\", \"b\"], from the operator that writes to "
                   "the one that reads");
    }
    if (edges.size() == MAX_EDGES)
    {
        value.Fail("a graph must have at most " + std::to_string(MAX_EDGES) + " edges");
    }
    Edge edge;
    edge.place = static_cast<uint32_t>(edges.size());
    edge.from = GetId(value.GetElement(0));
    edge.to = GetId(value.GetElement(1));
    edge.bytes = size > 2 ? value.GetElement(2).GetWhole(1, MAX_COST) : 0;
    edges.push_back(edge);
}

} // namespace lightpath
} // namespace ns3
