/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "onnx-reader.h"

#include "json-value.h"
#include "model/base/mapped-file.h"
#include "onnx-forward.h"

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ns3
{
namespace lightpath
{

namespace
{

/// The option for all open dimensions but the batch.
const char* const SEQUENCE = "sequence";

/// The option for the samples of a batch.
const char* const SAMPLES = "samples";

/// The dimensions of a batch of images.
constexpr std::size_t IMAGE_RANK = 4;

/**
 * @param graph a graph
 * @return the first dimension of its first input
 */
OnnxDimension
GetBatch(const OnnxGraph& graph)
{
    if (graph.inputs.empty() || graph.inputs[0].shape.empty())
    {
        return {1, ""};
    }
    return graph.inputs[0].shape[0];
}

/**
 * @param graph a graph
 * @return whether its first input is one of tokens
 */
bool
HasTokens(const OnnxGraph& graph)
{
    return !graph.inputs.empty() && graph.inputs[0].shape.size() == 2 &&
           (graph.inputs[0].type == ONNX_INT64 || graph.inputs[0].type == ONNX_INT32);
}

/**
 * @param graph a graph
 * @return the name of one sample
 */
std::string
GetSampleName(const OnnxGraph& graph)
{
    const bool isImage = !graph.inputs.empty() && graph.inputs[0].shape.size() == IMAGE_RANK;
    return HasTokens(graph) ? "sequence" : isImage ? "image" : "sample";
}

/**
 * Declare the options of a model.
 *
 * @param graph the graph
 * @param [in,out] options the options that each model has
 */
void
DeclareOptions(const OnnxGraph& graph, ModelOptions& options)
{
    const OnnxDimension batch = GetBatch(graph);
    options.Declare(SAMPLES,
                    batch.size > 0 ? batch.size : 1,
                    "samples of a batch, in the first dimension of the first input");
    std::set<std::string> symbols = {batch.symbol, SEQUENCE};
    bool isOpen = false;
    for (const auto& input : graph.inputs)
    {
        for (const auto& dimension : input.shape)
        {
            const std::string& symbol = dimension.symbol;
            isOpen = isOpen || (dimension.size == 0 && symbol != batch.symbol);
            if (dimension.size == 0 && symbols.insert(symbol).second)
            {
                options.Declare(symbol, 0, "size of this dimension; 0 for that of sequence", 0);
            }
        }
    }
    if (isOpen)
    {
        options.Declare(SEQUENCE, 0, "size of each other open dimension, such as tokens", 0);
    }
}

/**
 * @param options the options of a model
 * @param name the name of an option
 * @return its number; 0 without it
 */
uint64_t
FindNumber(const ModelOptions& options, const std::string& name)
{
    const auto& all = options.GetOptions();
    const bool isThere = std::any_of(all.begin(), all.end(), [&name](const auto& option) {
        return option.name == name;
    });
    return isThere ? options.GetNumber(name) : 0;
}

/**
 * Find out which operators keep data for their backward pass that no other one keeps.
 *
 * @param steps the operators
 */
void
ShareKeptData(std::vector<OnnxStep>& steps)
{
    std::vector<bool> isKept(steps.size(), false);
    for (auto& step : steps)
    {
        Operator& op = step.costs.forward;
        const bool keepsInput = step.costs.apart || op.kind == OperatorKind::NORMALIZATION;
        if (!keepsInput || step.sources.size() != 1)
        {
            continue;
        }
        const uint32_t from = step.sources[0].op;
        op.savedBytes = isKept[from] ? 0 : op.savedBytes;
        isKept[from] = isKept[from] || step.sources[0].bytes == 0;
    }
    for (std::size_t i = 0; i < steps.size(); ++i)
    {
        Operator& op = steps[i].costs.forward;
        const bool needsOutput = op.kind == OperatorKind::ELEMENTWISE &&
                                 steps[i].costs.backward.readBytes > op.outputBytes;
        // A rectifier needs its output, unless an operator that reads it keeps it already
        if (needsOutput && op.savedBytes == 0 && !isKept[i])
        {
            op.savedBytes = op.outputBytes;
        }
    }
}

/**
 * Find the layers of a model.
 *
 * @param steps the operators, one or more
 * @return for each operator, whether a layer begins with it
 */
std::vector<bool>
FindLayers(const std::vector<OnnxStep>& steps)
{
    // How many tensors with gradients lead from before an operator to it or beyond
    std::vector<std::size_t> last(steps.size());
    for (std::size_t i = 0; i < steps.size(); ++i)
    {
        last[i] = i;
        for (const auto& source : steps[i].sources)
        {
            last[source.op] = i;
        }
    }
    std::vector<int64_t> changes(steps.size() + 1, 0);
    for (std::size_t i = 0; i < steps.size(); ++i)
    {
        if (steps[i].isTrained && last[i] > i)
        {
            ++changes[i + 1];
            --changes[last[i] + 1];
        }
    }
    std::vector<bool> begins(steps.size(), false);
    std::size_t candidate = 0;
    int64_t live = 0;
    for (std::size_t i = 0; i < steps.size(); ++i)
    {
        live += changes[i];
        candidate = live == 1 ? i : candidate;
        if (steps[i].costs.apart && !steps[i].parameters.empty())
        {
            begins[candidate] = true;
        }
    }
    begins[0] = true;
    return begins;
}

/**
 * @brief Adds the operators of an ONNX graph to a model.
 */
class OnnxModel
{
  public:
    /**
     * @param forward the graph
     * @param builder the model
     */
    OnnxModel(const OnnxForward& forward, TrainingGraphBuilder& builder)
        : m_forward(forward),
          m_builder(builder)
    {
    }

    /**
     * @param steps the operators
     */
    void Add(std::vector<OnnxStep>& steps)
    {
        const std::vector<bool> begins = FindLayers(steps);
        uint32_t layer = 0;
        for (std::size_t i = 0; i < steps.size(); ++i)
        {
            if (begins[i])
            {
                m_builder.BeginLayer("layer" + std::to_string(layer++));
            }
            AddOperator(steps[i]);
        }
    }

  private:
    /**
     * Add an operator, which has the parameters that no operator before it uses.
     *
     * @param step the operator
     */
    void AddOperator(OnnxStep& step)
    {
        const uint32_t index = m_nOperators++;
        uint64_t parameters = 0;
        std::set<uint32_t> owners;
        for (const auto parameter : step.parameters)
        {
            const auto [owner, isNew] = m_owners.emplace(parameter, index);
            parameters += isNew ? m_forward.GetSize(parameter) : 0;
            if (!isNew)
            {
                owners.insert(owner->second);
            }
        }
        OperatorCosts& costs = step.costs;
        costs.forward.parameters = parameters;
        (costs.apart ? costs.weightGradient : costs.backward).parameters = parameters;
        m_builder.Add(step.name, costs, TensorSplit::REPLICATED, step.sources);
        for (const auto owner : owners)
        {
            m_builder.SumGradients(index, owner);
        }
    }

    const OnnxForward& m_forward;                    //!< The graph
    TrainingGraphBuilder& m_builder;                 //!< The model
    uint32_t m_nOperators{0};                        //!< Operators so far
    std::unordered_map<uint32_t, uint32_t> m_owners; //!< The operators that have parameters
};

/**
 * @param graph the graph
 * @param options the options of the model
 * @return the graph of a training iteration
 */
OperatorGraph
BuildModel(const OnnxGraph& graph, const ModelOptions& options)
{
    TrainingGraphBuilder builder(options.GetModel(),
                                 GetSampleName(graph),
                                 ZooEntry::GetTrainingOptions(options));
    const OnnxDimension batch = GetBatch(graph);
    const uint64_t samples = options.GetNumber(SAMPLES);
    const auto sizeOf = [&](const std::string& symbol) {
        const uint64_t own = symbol == batch.symbol ? samples : FindNumber(options, symbol);
        const uint64_t size = own > 0 ? own : FindNumber(options, SEQUENCE);
        if (size == 0)
        {
            throw std::invalid_argument("dimension " + JsonValue::Quote(symbol) +
                                        " of an input is open: give its size as an option of the "
                                        "model, such as " +
                                        options.GetModel() + ":" + SEQUENCE + "=512");
        }
        return size;
    };
    OnnxForward forward(graph, builder.GetFormulas(), samples);
    std::vector<OnnxStep> steps = forward.Run(sizeOf);
    if (steps.empty())
    {
        throw std::invalid_argument("no node computes anything from an input");
    }
    ShareKeptData(steps);
    OnnxModel(forward, builder).Add(steps);
    OperatorGraph model = builder.Build();
    if (HasTokens(graph))
    {
        const OnnxDimension& tokens = graph.inputs[0].shape[1];
        model.sampleTokens = tokens.size > 0 ? tokens.size : sizeOf(tokens.symbol);
    }
    return model;
}

/**
 * @tparam T the type of a result
 * @param name the name of a file
 * @param action reads it
 * @return the result; a refusal begins with the name of the file
 */
template <class T>
T
NameRefusals(const std::string& name, const std::function<T()>& action)
{
    try
    {
        return action();
    }
    catch (const std::invalid_argument& error)
    {
        throw std::invalid_argument(name + ": " + error.what());
    }
}

} // namespace

ZooEntry
OnnxReader::ReadFile(const std::string& name)
{
    return Read(MappedFile(name).GetText(), name);
}

ZooEntry
OnnxReader::Read(std::string_view text, const std::string& name)
{
    const auto graph = std::make_shared<const OnnxGraph>(
        NameRefusals<OnnxGraph>(name, [text]() { return OnnxGraph::Parse(text); }));
    ZooEntry entry;
    entry.options = ZooEntry::MakeOptions(name, "adam");
    DeclareOptions(*graph, entry.options);
    entry.description = "ONNX graph of a file";
    entry.build = [graph, name](const ModelOptions& options) {
        return NameRefusals<OperatorGraph>(name, [&]() { return BuildModel(*graph, options); });
    };
    return entry;
}

} // namespace lightpath
} // namespace ns3
