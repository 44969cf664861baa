/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "transformer-model.h"

#include "training-graph-builder.h"
#include "transformer-block.h"

#include <optional>
#include <stdexcept>
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

    /// Add a classifier of images.
    void AddClassifier();

    /// Add a transformer that predicts the noise of images.
    void AddDiffuser();

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
     * Add a layer that projects the patches of an image and adds their positions.
     *
     * @return the index of the operator whose output is that of the layer
     */
    uint32_t AddPatches();

    /**
     * Add a layer that embeds the step of the noise and the class of an image.
     *
     * @return the index of the operator whose output is the vector of conditions
     */
    uint32_t AddConditions();

    /**
     * Add the layers that predict more tokens than the next one.
     *
     * @param input the index of the operator whose output is that of the last layer before the head
     * @param table the index of the operator that looks up tokens
     * @param logits the index of the operator that makes the logits
     */
    void AddFutureTokens(uint32_t input, uint32_t table, uint32_t logits);

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
     * @param tokens the number of its tokens
     * @return the index of the operator whose output is that of the stack
     */
    uint32_t AddFinalNorm(uint32_t input, uint64_t tokens);

    /**
     * Add the heads of an encoder: the masked tokens and, on the first token, the next sentence.
     *
     * @param input the index of the operator whose output is read
     * @param table the index of the operator that looks up tokens
     */
    void AddEncoderHeads(uint32_t input, uint32_t table);

    /**
     * Add the product with the table of the output and the loss, or the softmax of inference.
     *
     * @param rows number of predictions
     * @param biases number of biases
     * @param input the index of the operator whose output is read
     * @param owner the index of the operator that has the parameters, unless the product does
     * @return the index of the product
     */
    uint32_t AddPrediction(uint64_t rows,
                           uint64_t biases,
                           uint32_t input,
                           std::optional<uint32_t> owner);

    /**
     * @param table the index of the operator that looks up tokens
     * @return the owner of the parameters of the product with the table of the output
     */
    std::optional<uint32_t> GetOwner(uint32_t table) const;

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
    if (m_shape.coding == TransformerPositions::TABLE)
    {
        OperatorCosts costs = formulas.AddTables(elements, tables * m_shape.width);
        if (m_shape.inference)
        {
            // Of a long table, few rows are read
            costs.forward.parameterBytes = 0;
            costs.forward.readBytes += formulas.GetWordBytes() * elements;
        }
        last = m_builder.Add("positions", costs, TensorSplit::SEQUENCE, {last});
    }
    if (m_shape.embeddingNorm || (encoder && !m_shape.normFirst))
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
    for (uint64_t layer = 1; layer <= m_shape.layers; ++layer)
    {
        m_builder.BeginLayer(name + std::to_string(layer));
        input = m_block.AddLayer(input, m_shape.sequence, layer);
    }
    return input;
}

uint32_t
TransformerWriter::AddFinalNorm(uint32_t input, uint64_t tokens)
{
    return m_shape.normFirst ? m_block.AddNorm("norm", input, tokens) : input;
}

std::optional<uint32_t>
TransformerWriter::GetOwner(uint32_t table) const
{
    return m_shape.tied ? std::make_optional(table) : std::nullopt;
}

uint32_t
TransformerWriter::AddPrediction(uint64_t rows,
                                 uint64_t biases,
                                 uint32_t input,
                                 std::optional<uint32_t> owner)
{
    const OperatorFormulas& formulas = m_builder.GetFormulas();
    const uint32_t logits =
        m_builder.Add("logits",
                      formulas.GetWide().Matmul(rows, m_shape.width, m_shape.vocabulary, biases),
                      TensorSplit::COLUMN,
                      {input});
    if (owner)
    {
        m_builder.Tie(logits, *owner);
    }
    const uint64_t classes = m_shape.vocabulary;
    m_builder.Add(m_shape.inference ? "softmax" : "loss",
                  m_shape.inference ? formulas.Softmax(rows * classes)
                                    : formulas.CrossEntropy(rows, classes, m_shape.fusedLoss),
                  TensorSplit::SHARDED,
                  {logits});
    return logits;
}

void
TransformerWriter::AddEncoderHeads(uint32_t input, uint32_t table)
{
    constexpr auto SPLIT = TensorSplit::REPLICATED;
    const OperatorFormulas formulas = m_builder.GetFormulas().GetWide();
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
    AddPrediction(rows, m_shape.vocabulary, norm, GetOwner(table));
}

void
TransformerWriter::AddEncoder()
{
    uint32_t table = 0;
    uint32_t last = AddEmbedding("embedding", table);
    last = AddLayers("layer", last);
    m_builder.BeginLayer("head");
    AddEncoderHeads(AddFinalNorm(last, m_shape.sequence), table);
}

void
TransformerWriter::AddDecoder()
{
    uint32_t table = 0;
    uint32_t last = AddEmbedding("embedding", table);
    last = AddLayers("layer", last);
    m_builder.BeginLayer("head");
    uint64_t rows = m_shape.sequence;
    if (m_shape.inference && rows > 1)
    {
        // The last token alone predicts the next one
        rows = 1;
        last = m_builder.Add("last-token",
                             m_builder.GetFormulas().Gather(1, m_shape.width, m_shape.sequence),
                             TensorSplit::SEQUENCE,
                             {last});
    }
    const uint64_t biases = m_shape.outputBiases ? m_shape.vocabulary : 0;
    const uint32_t logits = AddPrediction(rows, biases, AddFinalNorm(last, rows), GetOwner(table));
    AddFutureTokens(last, table, logits);
}

void
TransformerWriter::AddFutureTokens(uint32_t input, uint32_t table, uint32_t logits)
{
    const OperatorFormulas& formulas = m_builder.GetFormulas();
    const uint64_t sequence = m_shape.sequence;
    for (uint64_t future = 1; future <= m_shape.futureTokens; ++future)
    {
        m_builder.BeginLayer("future" + std::to_string(future));
        const uint32_t tokens =
            m_builder.Add("tokens",
                          formulas.Lookup(sequence, m_shape.width, m_shape.vocabulary),
                          TensorSplit::ROW,
                          {});
        m_builder.Tie(tokens, table);
        const uint32_t hidden = m_block.AddNorm("hidden-norm", input, sequence);
        const uint32_t embedded = m_block.AddNorm("token-norm", tokens, sequence);
        input = m_builder.Add("merge",
                              formulas.Matmul(sequence, 2 * m_shape.width, m_shape.width, 0),
                              TensorSplit::SEQUENCE,
                              {hidden, embedded});
        input = m_block.AddLayer(input, sequence, m_shape.layers + future);
        AddPrediction(sequence, 0, AddFinalNorm(input, sequence), GetOwner(table).value_or(logits));
    }
}

uint32_t
TransformerWriter::AddPatches()
{
    const OperatorFormulas formulas = m_builder.GetFormulas().GetWide();
    const uint64_t tables = m_shape.positions + (m_shape.classToken ? 1 : 0);
    const uint64_t patches = m_shape.sequence - (m_shape.classToken ? 1 : 0);
    m_builder.BeginLayer("embedding");
    const uint32_t projection =
        m_builder.Add("patches",
                      formulas.Matmul(patches, m_shape.patch, m_shape.width, m_shape.width),
                      TensorSplit::SEQUENCE,
                      {});
    return m_builder.Add(
        "positions",
        formulas.AddTables(m_shape.sequence * m_shape.width, tables * m_shape.width),
        TensorSplit::SEQUENCE,
        {projection});
}

void
TransformerWriter::AddClassifier()
{
    constexpr auto SPLIT = TensorSplit::REPLICATED;
    const OperatorFormulas formulas = m_builder.GetFormulas().GetWide();
    const uint64_t width = m_shape.width;
    const uint32_t last = AddLayers("layer", AddPatches());
    m_builder.BeginLayer("head");
    const uint32_t pool =
        m_builder.Add("pool",
                      m_shape.classToken ? formulas.Gather(1, width, m_shape.sequence)
                                         : formulas.AveragePool(m_shape.sequence * width, width),
                      SPLIT,
                      {AddFinalNorm(last, m_shape.sequence)});
    const uint64_t classes = m_shape.vocabulary;
    const uint32_t logits =
        m_builder.Add("logits", formulas.Matmul(1, width, classes, classes), SPLIT, {pool});
    m_builder.Add("loss", formulas.CrossEntropy(1, classes), SPLIT, {logits});
}

uint32_t
TransformerWriter::AddConditions()
{
    constexpr auto SPLIT = TensorSplit::REPLICATED;
    constexpr uint64_t FREQUENCIES = 256; // sines and cosines of the step
    const OperatorFormulas formulas = m_builder.GetFormulas().GetWide();
    const uint64_t width = m_shape.width;
    m_builder.BeginLayer("conditions");
    uint32_t step =
        m_builder.Add("expansion", formulas.Matmul(1, FREQUENCIES, width, width), SPLIT, {});
    step = m_builder.Add("silu", formulas.Gelu(width), SPLIT, {step});
    step = m_builder.Add("projection", formulas.Matmul(1, width, width, width), SPLIT, {step});
    // One class more, for images without a class
    const uint32_t name =
        m_builder.Add("class", formulas.Lookup(1, width, m_shape.vocabulary + 1), SPLIT, {});
    return m_builder.Add("add", formulas.Add(width), SPLIT, {step, name});
}

void
TransformerWriter::AddDiffuser()
{
    const OperatorFormulas formulas = m_builder.GetFormulas().GetWide();
    // The noise and its variance
    const uint64_t outputs = 2 * m_shape.patch;
    m_block.SetConditions(AddConditions());
    uint32_t last = AddLayers("layer", AddPatches());
    m_builder.BeginLayer("head");
    last = AddFinalNorm(last, m_shape.sequence);
    const uint32_t vectors = m_block.AddConditions("conditions", 2);
    last = m_block.AddModulation("modulation", last, vectors, 2, m_shape.sequence);
    last = m_builder.Add("noise",
                         formulas.Matmul(m_shape.sequence, m_shape.width, outputs, outputs),
                         TensorSplit::SEQUENCE,
                         {last});
    m_builder.Add("loss",
                  formulas.SquaredError(m_shape.sequence * outputs),
                  TensorSplit::SEQUENCE,
                  {last});
}

void
TransformerWriter::AddTranslator()
{
    uint32_t table = 0;
    uint32_t last = AddEmbedding("source", table);
    const uint64_t sequence = m_shape.sequence;
    const uint32_t memory = AddFinalNorm(AddLayers("encoder", last), sequence);

    uint32_t target = 0;
    last = AddEmbedding("target", target);
    m_builder.Tie(target, table);
    for (uint64_t layer = 1; layer <= m_shape.layers; ++layer)
    {
        m_builder.BeginLayer("decoder" + std::to_string(layer));
        last = m_block.AddSelfAttention(last, sequence, layer);
        last = m_block.AddCrossAttention(last, sequence, memory, sequence, layer == 1);
        last = m_block.AddFeedForward(last, sequence, layer);
    }
    m_builder.BeginLayer("head");
    AddPrediction(sequence, 0, AddFinalNorm(last, sequence), GetOwner(table));
}

} // namespace

OperatorGraph
TransformerModel::Build(const TransformerShape& shape)
{
    const bool translator = shape.kind == TransformerKind::TRANSLATOR;
    TrainingGraphBuilder builder(shape.name,
                                 shape.IsVisual() ? "image"
                                 : translator     ? "sentence pair"
                                                  : "sequence",
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
    case TransformerKind::CLASSIFIER:
        writer.AddClassifier();
        break;
    case TransformerKind::DIFFUSER:
        writer.AddDiffuser();
        break;
    }
    OperatorGraph graph = builder.Build();
    graph.sampleTokens = graph.GetSample() == "sequence" ? shape.sequence : 0;
    return graph;
}

OperatorGraph
TransformerModel::BuildInference(TransformerShape shape, const InferenceStep& step)
{
    if (shape.kind != TransformerKind::DECODER || step.tokens == 0)
    {
        throw std::invalid_argument("Model \"" + shape.name + "\" cannot " +
                                    (step.tokens == 0
                                         ? "work on 0 new tokens: there must be 1 at least"
                                         : "generate tokens: inference needs a decoder"));
    }
    shape.inference = step;
    if (step.gpus > shape.GetKvHeads() && step.gpus % shape.GetKvHeads() == 0 &&
        shape.heads % step.gpus == 0)
    {
        // Each GPU projects and keeps the one head that its heads of queries share
        shape.kvHeads = step.gpus;
    }
    shape.sequence = step.tokens;
    shape.attention = TransformerAttention::CAUSAL;
    shape.dropout = false;
    shape.futureTokens = 0;
    TrainingGraphBuilder builder(shape.name, "sequence", shape.training);
    TransformerWriter(builder, shape).AddDecoder();
    OperatorGraph graph = builder.BuildForward();
    graph.sampleTokens = shape.sequence;
    return graph;
}

} // namespace lightpath
} // namespace ns3
