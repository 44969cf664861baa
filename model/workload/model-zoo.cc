/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "model-zoo.h"

#include "resnet-model.h"
#include "transformer-model.h"

#include <functional>
#include <map>
#include <stdexcept>

namespace ns3
{
namespace lightpath
{

namespace
{

/**
 * BERT-large with the heads that it is trained with. Of a sequence of 512 tokens, up to 80 are
 * masked and have to be predicted.
 *
 * @return its graph
 */
OperatorGraph
BuildBertLarge()
{
    TransformerShape shape;
    shape.name = "bert-large";
    shape.layers = 24;
    shape.width = 1024;
    shape.heads = 16;
    shape.feedForward = 4096;
    shape.sequence = 512;
    shape.vocabulary = 30522;
    shape.positions = 512;
    shape.predictions = 80;
    return TransformerModel::BuildEncoder(shape);
}

/**
 * The largest GPT-2.
 *
 * @return its graph
 */
OperatorGraph
BuildGpt2Xl()
{
    TransformerShape shape;
    shape.name = "gpt2-xl";
    shape.layers = 48;
    shape.width = 1600;
    shape.heads = 25;
    shape.feedForward = 6400;
    shape.sequence = 1024;
    shape.vocabulary = 50257;
    shape.positions = 1024;
    return TransformerModel::BuildDecoder(shape);
}

/**
 * ResNet-50, version 1.5.
 *
 * @return its graph
 */
OperatorGraph
BuildResnet50()
{
    return ResnetModel::Build("resnet50", {3, 4, 6, 3});
}

/**
 * The big transformer for translation, on sentence pairs of about the mean length of the English
 * and German sentences of WMT: 30 tokens on each side.
 *
 * @return its graph
 */
OperatorGraph
BuildTransformerBig()
{
    TransformerShape shape;
    shape.name = "transformer-big";
    shape.layers = 6;
    shape.width = 1024;
    shape.heads = 16;
    shape.feedForward = 4096;
    shape.sequence = 30;
    shape.vocabulary = 33708;
    return TransformerModel::BuildTranslator(shape);
}

/**
 * @return the functions that build a model, by its name
 */
const std::map<std::string, std::function<OperatorGraph()>>&
GetBuilders()
{
    static const std::map<std::string, std::function<OperatorGraph()>> builders = {
        {"bert-large", BuildBertLarge},
        {"gpt2-xl", BuildGpt2Xl},
        {"resnet50", BuildResnet50},
        {"transformer-big", BuildTransformerBig},
    };
    return builders;
}

} // namespace

std::vector<std::string>
ModelZoo::GetNames()
{
    std::vector<std::string> names;
    for (const auto& entry : GetBuilders())
    {
        names.push_back(entry.first);
    }
    return names;
}

OperatorGraph
ModelZoo::Create(const std::string& name)
{
    const auto found = GetBuilders().find(name);
    if (found == GetBuilders().end())
    {
        std::string known;
        for (const auto& entry : GetBuilders())
        {
            known += (known.empty() ? "" : ", ") + entry.first;
        }
        throw std::invalid_argument("There is no model \"" + name + "\"; known are " + known);
    }
    return found->second();
}

} // namespace lightpath
} // namespace ns3
