/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "model-file.h"

#include "hub-config.h"
#include "model/base/json-document.h"
#include "operator-document.h"
#include "operator-graph-reader.h"
#include "transformer-entry.h"

#include <algorithm>
#include <stdexcept>

namespace ns3
{
namespace lightpath
{

namespace
{

/// The format of a document that names a model of the zoo and its options.
const char* const FORMAT = "lightpath-model";

/// The end of the name of a file.
const char* const JSON = ".json";

/// The end of the name of a file that must be converted.
const char* const ONNX = ".onnx";

/**
 * @param name a name
 * @param ending how it may end
 * @return whether it does
 */
bool
EndsWith(const std::string& name, const std::string& ending)
{
    return name.size() >= ending.size() &&
           name.compare(name.size() - ending.size(), ending.size(), ending) == 0;
}

/**
 * Apply a value, and name its place if it is refused.
 *
 * @param value the value
 * @param action applies it
 */
void
Try(const JsonValue& value, const std::function<void()>& action)
{
    std::string error;
    try
    {
        action();
    }
    catch (const std::invalid_argument& refusal)
    {
        error = refusal.what();
    }
    if (!error.empty())
    {
        value.Fail(error);
    }
}

/**
 * @param name the name of a file with a model of the zoo and its options
 * @param lookup finds a model of the zoo
 * @return the model with its options
 */
ZooEntry
ReadModel(const std::string& name, const ModelFile::Lookup& lookup)
{
    std::ifstream file = JsonDocument::Open(name);
    const JsonDocument document(file,
                                name,
                                FORMAT,
                                {"model", "options"},
                                [](const std::string&, const JsonValue&) {});
    const JsonValue model = document.GetRoot().Get("model");
    if (ModelFile::IsName(model.GetText()))
    {
        model.Fail("a model of the zoo must be named here, not another file");
    }
    ZooEntry entry;
    Try(model, [&]() { entry = lookup(model.GetText()); });
    if (const auto options = document.GetRoot().Find("options"))
    {
        options->ForEachMember([&](const std::string& key, const JsonValue& value) {
            const std::string text =
                value.IsText() ? value.GetText()
                               : std::to_string(value.GetWhole(0, OperatorDocument::MAX_COST));
            Try(value, [&]() { entry.options.Set(key, text); });
        });
    }
    return entry;
}

} // namespace

bool
ModelFile::IsName(const std::string& name)
{
    return EndsWith(name, JSON) || EndsWith(name, ONNX);
}

std::pair<std::string, std::string>
ModelFile::Split(const std::string& name)
{
    auto colon = std::string::npos;
    if (!IsName(name))
    {
        // The name of a file may have colons
        for (const std::string ending : {JSON, ONNX})
        {
            const auto end = name.find(ending + ":");
            colon = end == std::string::npos ? colon : std::min(colon, end + ending.size());
        }
        colon = colon == std::string::npos ? name.find(':') : colon;
    }
    return colon == std::string::npos
               ? std::make_pair(name, std::string())
               : std::make_pair(name.substr(0, colon), name.substr(colon + 1));
}

ZooEntry
ModelFile::Read(const std::string& name, const Lookup& lookup)
{
    if (EndsWith(name, ONNX))
    {
        const std::string json = name.substr(0, name.size() - std::string(ONNX).size()) + JSON;
        throw std::invalid_argument(name +
                                    " is an ONNX graph: convert it by utils/onnx-operators.py " +
                                    name + " " + json + ", and give " + json + " as the model");
    }
    std::ifstream file = JsonDocument::Open(name);
    const std::string format = JsonDocument::FindText(file, name, "format");
    if (format == FORMAT)
    {
        ZooEntry entry = ReadModel(name, lookup);
        entry.build = [name, build = entry.build](const ModelOptions& options) {
            try
            {
                return build(options);
            }
            catch (const std::invalid_argument& error)
            {
                throw std::invalid_argument(name + ": " + error.what());
            }
        };
        return entry;
    }
    if (!format.empty() && format != OperatorDocument::FORMAT)
    {
        throw std::invalid_argument(name + " has the format " + JsonValue::Quote(format) +
                                    ", but a model must have " + OperatorDocument::FORMAT + " or " +
                                    FORMAT);
    }
    if (format.empty())
    {
        std::ifstream config = JsonDocument::Open(name);
        if (!JsonDocument::FindText(config, name, HubConfig::TYPE).empty())
        {
            config = JsonDocument::Open(name);
            return TransformerEntry::Make(HubConfig::Read(config, name), "transformer of a file");
        }
    }
    ZooEntry entry;
    entry.options = ModelOptions(name);
    entry.description = "operator graph of a file";
    entry.build = [name](const ModelOptions&) { return OperatorGraphReader::ReadFile(name); };
    return entry;
}

} // namespace lightpath
} // namespace ns3
