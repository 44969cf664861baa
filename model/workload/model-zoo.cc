/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "model-zoo.h"

#include "model-file.h"
#include "model/base/nearest-name.h"
#include "zoo-entry.h"

#include <map>
#include <stdexcept>

namespace ns3
{
namespace lightpath
{

namespace
{

/**
 * @return the models of all kinds by name
 */
const std::map<std::string, ZooEntry>&
GetEntries()
{
    static const std::map<std::string, ZooEntry> entries = [] {
        std::map<std::string, ZooEntry> all;
        for (const auto& kind : {ZooEntry::GetTransformers(),
                                 ZooEntry::GetConvolutionalNetworks(),
                                 ZooEntry::GetRecommendationModels()})
        {
            for (const auto& entry : kind)
            {
                all.emplace(entry.options.GetModel(), entry);
            }
        }
        return all;
    }();
    return entries;
}

/**
 * @param name the name of a model, with or without options
 * @return the model, with these options
 */
ZooEntry
GetEntry(const std::string& name)
{
    const auto parts = ModelFile::Split(name);
    const bool isFile = ModelFile::IsName(parts.first);
    const auto found = GetEntries().find(parts.first);
    if (!isFile && found == GetEntries().end())
    {
        std::vector<std::string> known;
        for (const auto& entry : GetEntries())
        {
            known.push_back(entry.first);
        }
        throw std::invalid_argument("There is no model \"" + parts.first +
                                    "\": " + ListKnown(parts.first, known));
    }
    ZooEntry entry = isFile ? ModelFile::Read(parts.first, GetEntry) : found->second;
    entry.options.Parse(parts.second);
    return entry;
}

} // namespace

std::vector<std::string>
ModelZoo::GetNames()
{
    std::vector<std::string> names;
    for (const auto& entry : GetEntries())
    {
        names.push_back(entry.first);
    }
    return names;
}

ModelOptions
ModelZoo::GetOptions(const std::string& name)
{
    return GetEntry(name).options;
}

std::string
ModelZoo::GetDescription(const std::string& name)
{
    return GetEntry(name).description;
}

OperatorGraph
ModelZoo::Create(const std::string& name)
{
    const ZooEntry entry = GetEntry(name);
    return entry.build(entry.options);
}

OperatorGraph
ModelZoo::CreateInference(const std::string& name, const InferenceStep& step)
{
    const ZooEntry entry = GetEntry(name);
    if (!entry.infer)
    {
        throw std::invalid_argument("Model \"" + name +
                                    "\" cannot generate tokens: inference needs a decoder");
    }
    return entry.infer(entry.options, step);
}

} // namespace lightpath
} // namespace ns3
