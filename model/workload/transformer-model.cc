/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "transformer-model.h"

#include "transformer-block.h"

namespace ns3
{
namespace lightpath
{

namespace
{

/**
 * @param shape the size of a model
 * @return the style of its blocks as far as it follows from the size
 */
TransformerStyle
MakeStyle(const TransformerShape& shape)
{
    TransformerStyle style;
    style.width = shape.width;
    style.heads = shape.heads;
    style.feedForward = shape.feedForward;
    return style;
}

/**
 * Add a layer that looks up tokens, adds positions and drops some elements.
 *
 * @param builder the model to add to
 * @param shape its size
 * @param name name of the layer
 * @param tables parameters of the tables that are added, such as those of positions
 * @param norm true for a layer normalisation before the dropout
 * @param[out] table the index of the operator that looks up tokens
 * @return the index of the operator whose output is that of the layer
 */
uint32_t
AddEmbedding(TrainingGraphBuilder& builder,
             const TransformerShape& shape,
             const std::string& name,
             uint64_t tables,
             bool norm,
             uint32_t& table)
{
    const uint64_t elements = shape.sequence * shape.width;
    builder.BeginLayer(name);
    table = builder.Add("tokens",
                        builder.GetFormulas().Lookup(shape.sequence, shape.width, shape.vocabulary),
                        TensorSplit::ROW,
                        {});
    uint32_t last = builder.Add("positions",
                                builder.GetFormulas().AddTables(elements, tables),
                                TensorSplit::SEQUENCE,
                                {table});
    if (norm)
    {
        last = builder.Add("norm",
                           builder.GetFormulas().LayerNorm(shape.sequence, shape.width),
                           TensorSplit::SEQUENCE,
                           {last});
    }
    return builder.Add("dropout",
                       builder.GetFormulas().Dropout(elements),
                       TensorSplit::SEQUENCE,
                       {last});
}

/**
 * Add the product with the table of embeddings and the loss.
 *
 * @param builder the model to add to
 * @param shape its size
 * @param rows number of predictions
 * @param biases number of biases
 * @param input the index of the operator whose output is read
 * @param table the index of the operator that looks up tokens
 */
void
AddPrediction(TrainingGraphBuilder& builder,
              const TransformerShape& shape,
              uint64_t rows,
              uint64_t biases,
              uint32_t input,
              uint32_t table)
{
    const uint32_t logits =
        builder.Add("logits",
                    builder.GetFormulas().Matmul(rows, shape.width, shape.vocabulary, biases),
                    TensorSplit::COLUMN,
                    {input});
    builder.Tie(logits, table);
    builder.Add("loss",
                builder.GetFormulas().CrossEntropy(rows, shape.vocabulary),
                TensorSplit::SHARDED,
                {logits});
}

/**
 * Add the heads of an encoder: the masked tokens and, on the first token, the next sentence.
 *
 * @param builder the model to add to
 * @param shape its size
 * @param input the index of the operator whose output is read
 * @param table the index of the operator that looks up tokens
 */
void
AddEncoderHeads(TrainingGraphBuilder& builder,
                const TransformerShape& shape,
                uint32_t input,
                uint32_t table)
{
    const uint64_t width = shape.width;
    const uint64_t rows = shape.predictions;
    constexpr auto SPLIT = TensorSplit::REPLICATED;
    builder.BeginLayer("head");
    const uint32_t gather =
        builder.Add("gather",
                    builder.GetFormulas().Gather(rows + 1, width, shape.sequence),
                    SPLIT,
                    {input});
    const uint64_t rowBytes = builder.GetOutputBytes(gather) / (rows + 1);

    const uint32_t pooler = builder.Add("pooler",
                                        builder.GetFormulas().Matmul(1, width, width, width),
                                        SPLIT,
                                        {{gather, rowBytes}});
    const uint32_t tanh = builder.Add("tanh", builder.GetFormulas().Gelu(width), SPLIT, {pooler});
    const uint32_t sentence =
        builder.Add("sentence", builder.GetFormulas().Matmul(1, width, 2, 2), SPLIT, {tanh});
    builder.Add("sentence-loss", builder.GetFormulas().CrossEntropy(1, 2), SPLIT, {sentence});

    const uint32_t transform = builder.Add("transform",
                                           builder.GetFormulas().Matmul(rows, width, width, width),
                                           SPLIT,
                                           {{gather, rows * rowBytes}});
    const uint32_t gelu =
        builder.Add("gelu", builder.GetFormulas().Gelu(rows * width), SPLIT, {transform});
    const uint32_t norm =
        builder.Add("norm", builder.GetFormulas().LayerNorm(rows, width), SPLIT, {gelu});
    AddPrediction(builder, shape, rows, shape.vocabulary, norm, table);
}

} // namespace

OperatorGraph
TransformerModel::BuildEncoder(const TransformerShape& shape)
{
    TrainingGraphBuilder builder(shape.name, "sequence", shape.training);
    TransformerStyle style = MakeStyle(shape);
    style.normFirst = false;
    TransformerBlock block(builder, style);
    constexpr uint64_t SEGMENTS = 2; // rows of the table that tells the two sentences apart
    uint32_t table = 0;
    uint32_t last = AddEmbedding(builder,
                                 shape,
                                 "embedding",
                                 (shape.positions + SEGMENTS) * shape.width,
                                 true,
                                 table);
    for (uint32_t layer = 1; layer <= shape.layers; ++layer)
    {
        builder.BeginLayer("layer" + std::to_string(layer));
        last = block.AddSelfAttention(last, shape.sequence);
        last = block.AddFeedForward(last, shape.sequence);
    }
    AddEncoderHeads(builder, shape, last, table);
    return builder.Build();
}

OperatorGraph
TransformerModel::BuildDecoder(const TransformerShape& shape)
{
    TrainingGraphBuilder builder(shape.name, "sequence", shape.training);
    TransformerBlock block(builder, MakeStyle(shape));
    uint32_t table = 0;
    uint32_t last =
        AddEmbedding(builder, shape, "embedding", shape.positions * shape.width, false, table);
    for (uint32_t layer = 1; layer <= shape.layers; ++layer)
    {
        builder.BeginLayer("layer" + std::to_string(layer));
        last = block.AddSelfAttention(last, shape.sequence);
        last = block.AddFeedForward(last, shape.sequence);
    }
    builder.BeginLayer("head");
    last = builder.Add("norm",
                       builder.GetFormulas().LayerNorm(shape.sequence, shape.width),
                       TensorSplit::SEQUENCE,
                       {last});
    AddPrediction(builder, shape, shape.sequence, 0, last, table);
    return builder.Build();
}

OperatorGraph
TransformerModel::BuildTranslator(const TransformerShape& shape)
{
    TrainingGraphBuilder builder(shape.name, "sentence pair", shape.training);
    TransformerStyle style = MakeStyle(shape);
    style.attentionBias = false;
    style.relu = true;
    TransformerBlock block(builder, style);
    const OperatorCosts norm = builder.GetFormulas().LayerNorm(shape.sequence, shape.width);
    uint32_t table = 0;
    uint32_t last = AddEmbedding(builder, shape, "source", 0, false, table);
    for (uint32_t layer = 1; layer <= shape.layers; ++layer)
    {
        builder.BeginLayer("encoder" + std::to_string(layer));
        last = block.AddSelfAttention(last, shape.sequence);
        last = block.AddFeedForward(last, shape.sequence);
    }
    const uint32_t memory = builder.Add("norm", norm, TensorSplit::SEQUENCE, {last});

    uint32_t target = 0;
    last = AddEmbedding(builder, shape, "target", 0, false, target);
    builder.Tie(target, table);
    for (uint32_t layer = 1; layer <= shape.layers; ++layer)
    {
        builder.BeginLayer("decoder" + std::to_string(layer));
        last = block.AddSelfAttention(last, shape.sequence);
        last = block.AddCrossAttention(last, shape.sequence, memory, shape.sequence, layer == 1);
        last = block.AddFeedForward(last, shape.sequence);
    }
    builder.BeginLayer("head");
    last = builder.Add("norm", norm, TensorSplit::SEQUENCE, {last});
    AddPrediction(builder, shape, shape.sequence, 0, last, table);
    return builder.Build();
}

} // namespace lightpath
} // namespace ns3
