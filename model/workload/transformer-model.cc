/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "transformer-model.h"

#include "training-graph-builder.h"
#include "transformer-block.h"

#include <string>

namespace ns3
{
namespace lightpath
{

namespace
{

/**
 * @brief Adds the parts of a transformer to a model.
 */
class TransformerWriter
{
  public:
    /**
     * @param builder the model to add to; it must outlive this object
     * @param shape its size and its style
     */
    TransformerWriter(TrainingGraphBuilder& builder, const TransformerShape& shape)
        : m_builder(builder),
          m_shape(shape),
          m_block(builder, shape)
    {
    }

    /// Add an encoder.
    void AddEncoder();

    /// Add a decoder.
    void AddDecoder();

    /// Add an encoder and a decoder.
    void AddTranslator();

  private:
    /**
     * Add a layer that looks up tokens, adds positions and drops some elements.
     *
     * @param name name of the layer
     * @param[out] table the index of the operator that looks up tokens
     * @return the index of the operator whose output is that of the layer
     */
    uint32_t AddEmbedding(const std::string& name, uint32_t& table);

    /**
     * Add layers of self-attention and feed-forward.
     *
     * @param name the beginning of the names of the layers
     * @param input the index of the operator whose output is read
     * @return the index of the operator whose output is that of the last layer
     */
    uint32_t AddLayers(const std::string& name, uint32_t input);

    /**
     * Add the normalisation that a stack ends with, if blocks begin with theirs.
     *
     * @param input the index of the operator whose output is read
     * @return the index of the operator whose output is that of the stack
     */
    uint32_t AddFinalNorm(uint32_t input);

    /**
     * Add the heads of an encoder: the masked tokens and, on the first token, the next sentence.
     *
     * @param input the index of the operator whose output is read
     * @param table the index of the operator that looks up tokens
     */
    void AddEncoderHeads(uint32_t input, uint32_t table);

    /**
     * Add the product with the table of the output and the loss.
     *
     * @param rows number of predictions
     * @param biases number of biases
     * @param input the index of the operator whose output is read
     * @param table the index of the operator that looks up tokens
     */
    void AddPrediction(uint64_t rows, uint64_t biases, uint32_t input, uint32_t table);

    TrainingGraphBuilder& m_builder; //!< The model
    TransformerShape m_shape;        //!< Its size and its style
    TransformerBlock m_block;        //!< Adds blocks
};

uint32_t
TransformerWriter::AddEmbedding(const std::string& name, uint32_t& table)
{
    constexpr uint64_t SEGMENTS = 2; // rows of the table that tells two sentences apart
    const OperatorFormulas& formulas = m_builder.GetFormulas();
    const uint64_t elements = m_shape.sequence * m_shape.width;
    const bool encoder = m_shape.kind == TransformerKind::ENCODER;
    const uint64_t tables = m_shape.positions + (encoder ? SEGMENTS : 0);
    m_builder.BeginLayer(name);
    table = m_builder.Add("tokens",
                          formulas.Lookup(m_shape.sequence, m_shape.width, m_shape.vocabulary),
                          TensorSplit::ROW,
                          {});
    uint32_t last = table;
    if (!m_shape.rotary || tables > 0)
    {
        last = m_builder.Add("positions",
                             formulas.AddTables(elements, tables * m_shape.width),
                             TensorSplit::SEQUENCE,
                             {last});
    }
    if (encoder && !m_shape.normFirst)
    {
        last = m_block.AddNorm("norm", last, m_shape.sequence);
    }
    if (m_shape.dropout)
    {
        last = m_builder.Add("dropout", formulas.Dropout(elements), TensorSplit::SEQUENCE, {last});
    }
    return last;
}

uint32_t
TransformerWriter::AddLayers(const std::string& name, uint32_t input)
{
    for (uint32_t layer = 1; layer <= m_shape.layers; ++layer)
    {
        m_builder.BeginLayer(name + std::to_string(layer));
        input = m_block.AddSelfAttention(input, m_shape.sequence);
        input = m_block.AddFeedForward(input, m_shape.sequence);
    }
    return input;
}

uint32_t
TransformerWriter::AddFinalNorm(uint32_t input)
{
    return m_shape.normFirst ? m_block.AddNorm("norm", input, m_shape.sequence) : input;
}

void
TransformerWriter::AddPrediction(uint64_t rows, uint64_t biases, uint32_t input, uint32_t table)
{
    const OperatorFormulas& formulas = m_builder.GetFormulas();
    const uint32_t logits =
        m_builder.Add("logits",
                      formulas.Matmul(rows, m_shape.width, m_shape.vocabulary, biases),
                      TensorSplit::COLUMN,
                      {input});
    if (m_shape.tied)
    {
        m_builder.Tie(logits, table);
    }
    m_builder.Add("loss",
                  formulas.CrossEntropy(rows, m_shape.vocabulary),
                  TensorSplit::SHARDED,
                  {logits});
}

void
TransformerWriter::AddEncoderHeads(uint32_t input, uint32_t table)
{
    constexpr auto SPLIT = TensorSplit::REPLICATED;
    const OperatorFormulas& formulas = m_builder.GetFormulas();
    const uint64_t width = m_shape.width;
    const uint64_t rows = m_shape.predictions;
    const uint32_t gather =
        m_builder.Add("gather", formulas.Gather(rows + 1, width, m_shape.sequence), SPLIT, {input});
    const uint64_t rowBytes = m_builder.GetOutputBytes(gather) / (rows + 1);

    const uint32_t pooler = m_builder.Add("pooler",
                                          formulas.Matmul(1, width, width, width),
                                          SPLIT,
                                          {{gather, rowBytes}});
    const uint32_t tanh = m_builder.Add("tanh", formulas.Gelu(width), SPLIT, {pooler});
    const uint32_t sentence =
        m_builder.Add("sentence", formulas.Matmul(1, width, 2, 2), SPLIT, {tanh});
    m_builder.Add("sentence-loss", formulas.CrossEntropy(1, 2), SPLIT, {sentence});

    const uint32_t transform = m_builder.Add("transform",
                                             formulas.Matmul(rows, width, width, width),
                                             SPLIT,
                                             {{gather, rows * rowBytes}});
    const uint32_t gelu = m_builder.Add("gelu", formulas.Gelu(rows * width), SPLIT, {transform});
    const uint32_t norm = m_block.AddNorm("transform-norm", gelu, rows, SPLIT);
    AddPrediction(rows, m_shape.vocabulary, norm, table);
}

void
TransformerWriter::AddEncoder()
{
    uint32_t table = 0;
    uint32_t last = AddEmbedding("embedding", table);
    last = AddLayers("layer", last);
    m_builder.BeginLayer("head");
    AddEncoderHeads(AddFinalNorm(last), table);
}

void
TransformerWriter::AddDecoder()
{
    uint32_t table = 0;
    uint32_t last = AddEmbedding("embedding", table);
    last = AddLayers("layer", last);
    m_builder.BeginLayer("head");
    AddPrediction(m_shape.sequence, 0, AddFinalNorm(last), table);
}

void
TransformerWriter::AddTranslator()
{
    uint32_t table = 0;
    uint32_t last = AddEmbedding("source", table);
    const uint32_t memory = AddFinalNorm(AddLayers("encoder", last));

    uint32_t target = 0;
    last = AddEmbedding("target", target);
    m_builder.Tie(target, table);
    const uint64_t sequence = m_shape.sequence;
    for (uint32_t layer = 1; layer <= m_shape.layers; ++layer)
    {
        m_builder.BeginLayer("decoder" + std::to_string(layer));
        last = m_block.AddSelfAttention(last, sequence);
        last = m_block.AddCrossAttention(last, sequence, memory, sequence, layer == 1);
        last = m_block.AddFeedForward(last, sequence);
    }
    m_builder.BeginLayer("head");
    AddPrediction(sequence, 0, AddFinalNorm(last), table);
}

} // namespace

OperatorGraph
TransformerModel::Build(const TransformerShape& shape)
{
    const bool translator = shape.kind == TransformerKind::TRANSLATOR;
    TrainingGraphBuilder builder(shape.name,
                                 translator ? "sentence pair" : "sequence",
                                 shape.training);
    TransformerWriter writer(builder, shape);
    switch (shape.kind)
    {
    case TransformerKind::ENCODER:
        writer.AddEncoder();
        break;
    case TransformerKind::DECODER:
        writer.AddDecoder();
        break;
    case TransformerKind::TRANSLATOR:
        writer.AddTranslator();
        break;
    }
    OperatorGraph graph = builder.Build();
    graph.sampleTokens = translator ? 0 : shape.sequence;
    return graph;
}

} // namespace lightpath
} // namespace ns3
