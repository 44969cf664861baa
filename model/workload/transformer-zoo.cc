/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "transformer-zoo.h"

#include "transformer-model.h"

namespace ns3
{
namespace lightpath
{

namespace
{

/**
 * Make the entry of a transformer.
 *
 * @param shape its usual size
 * @param description what it is
 * @param build what builds it
 * @return its entry
 */
ZooEntry
MakeEntry(const TransformerShape& shape,
          const std::string& description,
          OperatorGraph (*build)(const TransformerShape&))
{
    ZooEntry entry;
    entry.description = description;
    entry.options = ZooEntry::MakeOptions(shape.name, "adam");
    ModelOptions& options = entry.options;
    options.Declare("layers", shape.layers, "layers, of each stack");
    options.Declare("hidden", shape.width, "elements of a token's activation");
    options.Declare("heads", shape.heads, "attention heads");
    options.Declare("feedForward", shape.feedForward, "inner width of the feed-forward block");
    options.Declare("sequence", shape.sequence, "tokens of a sequence");
    options.Declare("vocabulary", shape.vocabulary, "size of the vocabulary");
    options.Declare("positions", shape.positions, "rows of the table of positions", 0);
    options.Declare("predictions", shape.predictions, "masked tokens of a sequence", 0);
    entry.build = [build](const ModelOptions& values) {
        TransformerShape actual;
        actual.name = values.GetModel();
        actual.layers = values.GetNumber("layers");
        actual.width = values.GetNumber("hidden");
        actual.heads = values.GetNumber("heads");
        actual.feedForward = values.GetNumber("feedForward");
        actual.sequence = values.GetNumber("sequence");
        actual.vocabulary = values.GetNumber("vocabulary");
        actual.positions = values.GetNumber("positions");
        actual.predictions = values.GetNumber("predictions");
        actual.training = ZooEntry::GetTrainingOptions(values);
        return build(actual);
    };
    return entry;
}

/**
 * BERT-large with the heads that it is trained with. Of a sequence of 512 tokens, up to 80 are
 * masked and have to be predicted.
 *
 * @return its shape
 */
TransformerShape
GetBertLarge()
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
    return shape;
}

/**
 * The largest GPT-2.
 *
 * @return its shape
 */
TransformerShape
GetGpt2Xl()
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
    return shape;
}

/**
 * The big transformer for translation, on sentence pairs of about the mean length of the English
 * and German sentences of WMT: 30 tokens on each side.
 *
 * @return its shape
 */
TransformerShape
GetTransformerBig()
{
    TransformerShape shape;
    shape.name = "transformer-big";
    shape.layers = 6;
    shape.width = 1024;
    shape.heads = 16;
    shape.feedForward = 4096;
    shape.sequence = 30;
    shape.vocabulary = 33708;
    return shape;
}

} // namespace

std::vector<ZooEntry>
TransformerZoo::GetEntries()
{
    return {
        MakeEntry(GetBertLarge(), "BERT-large with both heads", TransformerModel::BuildEncoder),
        MakeEntry(GetGpt2Xl(), "GPT-2 XL", TransformerModel::BuildDecoder),
        MakeEntry(GetTransformerBig(),
                  "Transformer (big) for translation",
                  TransformerModel::BuildTranslator),
    };
}

} // namespace lightpath
} // namespace ns3
