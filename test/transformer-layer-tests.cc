/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "expect-error.h"
#include "method-case.h"
#include "model/workload/transformer-model.h"
#include "model/workload/transformer-style.h"
#include "workload-file-tests.h"

#include "ns3/model-zoo.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/**
 * @ingroup lightpath-tests
 * @param graph a model
 * @param name the name of an operator
 * @return its index; the number of operators if there is none
 */
uint32_t
FindOperator(const OperatorGraph& graph, const std::string& name)
{
    const auto& operators = graph.GetOperators();
    return std::find_if(operators.begin(),
                        operators.end(),
                        [&](const Operator& op) { return op.name == name; }) -
           operators.begin();
}

/**
 * @ingroup lightpath-tests
 * @param graph a model
 * @param index the index of an operator
 * @return the names of the operators that it reads
 */
std::vector<std::string>
GetSources(const OperatorGraph& graph, uint32_t index)
{
    std::vector<std::string> names;
    for (const auto source : graph.GetPredecessors(index))
    {
        names.push_back(graph.GetOperators()[source].name);
    }
    return names;
}

} // namespace

/**
 * @ingroup lightpath-tests
 * @brief The test cases of the layers and options of transformers.
 */
class TransformerLayerTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /// Check layers with grouped-query attention, gated feed-forward blocks and experts by hand.
    void TestStyle();

    /// Check that named transformers are sizes of the general one, and the refusals.
    void TestOptions();

    /// Check that the graph of a transformer grows linearly in its layers.
    void TestGrowth();

  private:
    /// The expected properties of an operator of the second layer.
    struct Expected
    {
        const char* name;       //!< Its name, behind that of the layer
        TensorSplit split;      //!< How it is split
        uint64_t multiplyAdds;  //!< Multiply-adds
        uint64_t parameters;    //!< Parameters
        uint64_t inputBytes;    //!< Bytes of the input
        uint64_t outputBytes;   //!< Bytes of the output
        uint64_t savedBytes;    //!< Bytes kept for the backward pass
        uint64_t gradientBytes; //!< Bytes of the gradient of the input
    };

    /**
     * Check operators of the second layer of a model.
     *
     * @param graph the model
     * @param table what is expected of them
     */
    void Check(const OperatorGraph& graph, const std::vector<Expected>& table);

    /// Check the layers of Llama.
    void CheckLlama();

    /// Check a layer with experts.
    void CheckExperts();

    /// Check the memory traffic of the operators that only some transformers have.
    void CheckTraffic();

    /// Check a fused attention against the operators that it replaces.
    void CheckFused();

    /// Check which models have which options.
    void CheckDeclared();

    /// Check impossible shapes.
    void CheckErrors();

    /**
     * @param graph a graph
     * @return the number of its operators and of its edges
     */
    static std::pair<uint64_t, uint64_t> Count(const OperatorGraph& graph);
};

void
TransformerLayerTests::TestStyle()
{
    CheckLlama();
    CheckExperts();
    CheckTraffic();
    CheckFused();
}

void
TransformerLayerTests::Check(const OperatorGraph& graph, const std::vector<Expected>& table)
{
    const auto& operators = graph.GetOperators();
    for (const auto& row : table)
    {
        const uint32_t index = FindOperator(graph, std::string("layer2.") + row.name);
        NS_TEST_ASSERT_MSG_LT(index, operators.size(), "No " << row.name);
        const Operator& op = operators[index];
        NS_TEST_EXPECT_MSG_EQ((op.split == row.split), true, "Split of " << row.name);
        NS_TEST_EXPECT_MSG_EQ(op.multiplyAdds, row.multiplyAdds, "Products of " << row.name);
        NS_TEST_EXPECT_MSG_EQ(op.parameters, row.parameters, "Parameters of " << row.name);
        NS_TEST_EXPECT_MSG_EQ(op.inputBytes, row.inputBytes, "Input of " << row.name);
        NS_TEST_EXPECT_MSG_EQ(op.outputBytes, row.outputBytes, "Output of " << row.name);
        NS_TEST_EXPECT_MSG_EQ(op.savedBytes, row.savedBytes, "Kept by " << row.name);
        const bool apart = op.kind == OperatorKind::MATMUL;
        const uint32_t gradient =
            FindOperator(graph, op.name + (apart ? ".input-gradient" : ".backward"));
        NS_TEST_ASSERT_MSG_LT(gradient, operators.size(), "No gradient of " << row.name);
        NS_TEST_EXPECT_MSG_EQ(operators[gradient].outputBytes,
                              row.gradientBytes,
                              "Gradient of " << row.name);
    }
}

void
TransformerLayerTests::CheckLlama()
{
    // 10 tokens of 24 elements, 6 heads of 4 of which 3 each share one of 2, blocks 7 wide
    const OperatorGraph graph = ModelZoo::Create(
        "llama-3-8b:layers=2,hidden=24,heads=6,kvHeads=2,feedForward=7,sequence=10,vocabulary=50");
    constexpr uint64_t H = 2 * 10 * 24; // bytes of all tokens
    constexpr uint64_t K = 2 * 10 * 8;  // bytes of all keys, or of all values
    constexpr uint64_t S = 2 * 6 * 100; // bytes of all scores
    constexpr uint64_t F = 2 * 10 * 7;  // bytes inside a feed-forward block
    Check(graph,
          {{"attention.norm", TensorSplit::SEQUENCE, 0, 24, H, H, H, H},
           {"attention.qkv", TensorSplit::COLUMN, 9600, 24 * 40, H, H + 2 * K, H, H},
           {"attention.rotation", TensorSplit::SHARDED, 0, 0, H + K, H + K, 0, H + K},
           {"attention.scores", TensorSplit::SHARDED, 2400, 0, H + K, S, H + K, H + K},
           {"attention.softmax", TensorSplit::SHARDED, 0, 0, S, S, 0, S},
           {"attention.context", TensorSplit::SHARDED, 2400, 0, S + K, H, S + K, S + K},
           {"attention.projection", TensorSplit::ROW, 5760, 576, H, H, H, H},
           {"attention.add", TensorSplit::SEQUENCE, 0, 0, 2 * H, H, 0, H},
           {"feed-forward.expansion", TensorSplit::COLUMN, 3360, 24 * 14, H, 2 * F, H, H},
           {"feed-forward.gate", TensorSplit::SHARDED, 0, 0, 2 * F, F, 2 * F, 2 * F},
           {"feed-forward.projection", TensorSplit::ROW, 1680, 7 * 24, F, H, F, F}});
    NS_TEST_EXPECT_MSG_EQ(
        (GetSources(graph, FindOperator(graph, "layer2.attention.context")) ==
         std::vector<std::string>{"layer2.attention.qkv", "layer2.attention.softmax"}),
        true,
        "Values are not rotated");
    const auto& operators = graph.GetOperators();
    NS_TEST_EXPECT_MSG_EQ(operators[FindOperator(graph, "head.logits")].parameters,
                          50 * 24,
                          "The output has a table of its own");
    NS_TEST_EXPECT_MSG_EQ(graph.GetParameters(),
                          2 * (24 + 24 * 40 + 576 + 24 + 24 * 14 + 7 * 24) + 2 * 50 * 24 + 24,
                          "No biases, no table of positions");
    for (const auto& op : operators)
    {
        NS_TEST_EXPECT_MSG_EQ((op.name.find("dropout") == std::string::npos), true, op.name);
    }
}

void
TransformerLayerTests::CheckExperts()
{
    // 10 tokens of 24 elements, each to 3 of 5 experts that are 7 wide
    const OperatorGraph graph = ModelZoo::Create(
        "mixtral-8x7b:layers=2,hidden=24,heads=6,kvHeads=2,feedForward=7,sequence=10,vocabulary=50,"
        "experts=5,topK=3");
    constexpr uint64_t H = 2 * 10 * 24; // bytes of all tokens
    constexpr uint64_t F = 2 * 10 * 7;  // bytes inside an expert, of all tokens
    constexpr uint64_t I = 4 * 10 * 3;  // bytes of the indices of the chosen experts
    constexpr uint64_t W = 2 * 10 * 3;  // bytes of their weights
    constexpr uint64_t E = 2 * 10 * 5;  // bytes of the scores of all experts
    constexpr auto SEQUENCE = TensorSplit::SEQUENCE;
    Check(graph,
          {{"feed-forward.router", SEQUENCE, 1200, 24 * 5, H, E, H, H},
           {"feed-forward.route", SEQUENCE, 0, 0, E, I + W, E, E},
           {"feed-forward.dispatch", SEQUENCE, 0, 0, H, 3 * H, I, H},
           {"feed-forward.expansion", TensorSplit::COLUMN, 10080, 1680, 3 * H, 6 * F, 3 * H, 3 * H},
           {"feed-forward.gate", TensorSplit::SHARDED, 0, 0, 6 * F, 3 * F, 6 * F, 6 * F},
           {"feed-forward.projection", TensorSplit::ROW, 5040, 840, 3 * F, 3 * H, 3 * F, 3 * F},
           {"feed-forward.combine", SEQUENCE, 0, 0, 3 * H + W, H, 3 * H + W, 3 * H + W}});
    const std::map<std::string, std::vector<std::string>> sources = {
        {"router", {"norm"}},
        {"dispatch", {"norm", "route"}},
        {"expansion", {"dispatch"}},
        {"combine", {"route", "projection"}}};
    for (const auto& row : sources)
    {
        std::vector<std::string> names;
        for (const auto& name : row.second)
        {
            names.push_back("layer2.feed-forward." + name);
        }
        const uint32_t index = FindOperator(graph, "layer2.feed-forward." + row.first);
        NS_TEST_EXPECT_MSG_EQ((GetSources(graph, index) == names), true, row.first);
    }
}

void
TransformerLayerTests::CheckFused()
{
    const std::string name = "transformer:layers=2,hidden=24,heads=6,kvHeads=3,feedForward=7,"
                             "sequence=10,vocabulary=50,positions=10";
    const OperatorGraph apart = ModelZoo::Create(name);
    const OperatorGraph graph = ModelZoo::Create(name + ",attention=fused");
    NS_TEST_EXPECT_MSG_EQ(graph.GetParameters(), apart.GetParameters(), "The same parameters");
    NS_TEST_EXPECT_MSG_EQ(graph.GetForwardMultiplyAdds(),
                          apart.GetForwardMultiplyAdds(),
                          "The same products");
    // 10 tokens, 6 heads of 4 elements on 3 keys and values of 4 elements, in 2 bytes; sums in 4
    const Operator& fused = graph.GetOperators()[FindOperator(graph, "layer2.attention.fused")];
    NS_TEST_EXPECT_MSG_EQ(fused.readBytes, 2 * 10 * (24 + 12 + 12), "Queries, keys, values");
    NS_TEST_EXPECT_MSG_EQ(fused.writtenBytes, 2 * 10 * 24 + 4 * 10 * 6, "Context, sums");
    NS_TEST_EXPECT_MSG_EQ(fused.savedBytes, fused.readBytes + 4 * 10 * 6, "No scores");
    NS_TEST_EXPECT_MSG_EQ(fused.multiplyAdds, 2 * 6 * 10 * 4 * 10, "Two products");
    const Operator& backward =
        graph.GetOperators()[FindOperator(graph, "layer2.attention.fused.backward")];
    NS_TEST_EXPECT_MSG_EQ(backward.multiplyAdds, 5 * 6 * 10 * 4 * 10, "Five products");
    NS_TEST_EXPECT_MSG_EQ(backward.writtenBytes, fused.readBytes, "Gradients");
    NS_TEST_EXPECT_MSG_EQ(GetSources(graph, FindOperator(graph, "layer2.attention.fused")).size(),
                          1,
                          "One projection makes all that it reads");
}

void
TransformerLayerTests::CheckTraffic()
{
    /// Bytes that an operator moves.
    struct Traffic
    {
        const char* name;         //!< Name of the operator
        OperatorCosts costs;      //!< The operator
        uint64_t read;            //!< Forward, read
        uint64_t written;         //!< Forward, written
        uint64_t backwardRead;    //!< Backward, read
        uint64_t backwardWritten; //!< Backward, written
    };

    const OperatorFormulas formulas;
    const std::vector<Traffic> table = {
        {"root mean square", formulas.RmsNorm(5, 20), 200, 200, 800, 200},
        {"rotation", formulas.Rotation(100), 200, 200, 200, 200},
        {"gate", formulas.Gate(100), 400, 200, 600, 400},
        // Factors of 6 x (5 x 4) and 2 x (4 x 5), products of 6 x (5 x 5)
        {"scores", formulas.GroupedAttention(6, 2, 5, 4, 5), 320, 300, 920, 320},
        // 5 tokens, 8 scores of which 2 are chosen
        {"route", formulas.Route(5, 8, 2), 80, 80 + 10 * 6, 20 + 80, 80},
        // 5 tokens of 20 elements from 2 rows and weights each
        {"combine", formulas.Combine(5, 20, 2), 420, 200, 200 + 420, 420},
    };
    for (const auto& row : table)
    {
        const Operator& backward = row.costs.backward;
        NS_TEST_EXPECT_MSG_EQ(row.costs.forward.readBytes, row.read, row.name);
        NS_TEST_EXPECT_MSG_EQ(row.costs.forward.writtenBytes, row.written, row.name);
        NS_TEST_EXPECT_MSG_EQ(backward.readBytes, row.backwardRead, row.name);
        NS_TEST_EXPECT_MSG_EQ(backward.writtenBytes, row.backwardWritten, row.name);
    }
    const OperatorCosts sets = formulas.Matmul(10, 20, 30, 30, 4);
    NS_TEST_EXPECT_MSG_EQ(sets.forward.multiplyAdds, 10 * 20 * 30, "Each row meets one set");
    NS_TEST_EXPECT_MSG_EQ(sets.forward.parameterBytes, 2 * 4 * 630, "All sets are read");
    NS_TEST_EXPECT_MSG_EQ(sets.weightGradient.parameters, 4 * 630, "All sets have gradients");
}

void
TransformerLayerTests::TestOptions()
{
    const std::string llama = "norm=rms,activation=gated,biases=no,dropout=no,rotary=yes,tied=no,"
                              "hidden=4096,heads=32,positions=0,layers=2,";
    const std::map<std::string, std::string> models = {
        {"gpt2-xl:layers=2", "hidden=1600,heads=25,feedForward=6400,layers=2"},
        {"bert-base",
         "kind=encoder,normFirst=no,sequence=512,positions=512,vocabulary=30522,"
         "predictions=80"},
        {"transformer-big",
         "kind=translator,activation=relu,biases=feedForward,layers=6,hidden=1024,heads=16,"
         "feedForward=4096,sequence=30,positions=0,vocabulary=33708"},
        {"llama-7b:layers=2", llama + "feedForward=11008,sequence=2048,vocabulary=32000"},
        {"llama-3-8b:layers=2",
         llama + "kvHeads=8,feedForward=14336,sequence=8192,vocabulary=128256"},
        {"mixtral-8x7b:layers=2",
         llama + "kvHeads=8,feedForward=14336,sequence=4096,vocabulary=32000,experts=8,topK=2"}};
    for (const auto& model : models)
    {
        NS_TEST_EXPECT_MSG_EQ(GetDifferentOperator(ModelZoo::Create(model.first),
                                                   ModelZoo::Create("transformer:" + model.second)),
                              "",
                              model.first << " is a size of the general transformer");
    }
    NS_TEST_EXPECT_MSG_NE(
        GetDifferentOperator(ModelZoo::Create("gpt2-355m"), ModelZoo::Create("gpt2-355m:heads=8")),
        "",
        "Heads make a difference");
    NS_TEST_EXPECT_MSG_EQ(GetDifferentOperator(ModelZoo::Create("transformer:layers=1"),
                                               ModelZoo::Create("transformer:layers=1,kvHeads=12")),
                          "",
                          "As many heads of keys as of queries unless stated");
    CheckDeclared();
    CheckErrors();
}

void
TransformerLayerTests::CheckDeclared()
{
    const std::vector<std::string> names =
        {"bert-base", "bert-large", "gpt2-xl", "llama-4-scout", "mixtral-8x7b", "transformer"};
    const std::map<std::string, std::vector<std::string>> options = {
        {"kvHeads", {"llama-4-scout", "mixtral-8x7b", "transformer"}},
        {"experts", {"llama-4-scout", "mixtral-8x7b", "transformer"}},
        {"topK", {"llama-4-scout", "mixtral-8x7b", "transformer"}},
        {"dispatch", {"llama-4-scout", "mixtral-8x7b", "transformer"}},
        {"sharedExperts", {"llama-4-scout", "transformer"}},
        {"predictions", {"bert-base", "bert-large", "transformer"}},
        {"kind", {"transformer"}}};
    for (const auto& option : options)
    {
        std::vector<std::string> models;
        for (const auto& name : names)
        {
            const ModelOptions declared = ModelZoo::GetOptions(name);
            for (const auto& known : declared.GetOptions())
            {
                if (known.name == option.first)
                {
                    models.push_back(name);
                }
            }
        }
        NS_TEST_EXPECT_MSG_EQ((models == option.second), true, "Models with " << option.first);
    }
}

void
TransformerLayerTests::CheckErrors()
{
    const std::string latent =
        "transformer:keyRank=8,headWidth=4,rotaryWidth=2,valueWidth=5,positions=0,";
    const std::map<std::string, std::string> refused = {
        {"gpt2-xl:heads=24", "24 heads: their number must divide the width"},
        {"llama-3-8b:kvHeads=5", "kvHeads must divide heads"},
        {"llama-3-8b:kvHeads=64", "kvHeads must divide heads"},
        {"mixtral-8x7b:topK=9", "9 of 8 experts"},
        {"mixtral-8x7b:experts=1", "2 of 1 experts"},
        {"transformer:topK=2", "2 of 1 experts"},
        {"gpt3-175b:sequence=2049", "positions for 2048 tokens"},
        {"bert-large:predictions=513", "cannot predict 513"},
        {"bert-large:predictions=0", "cannot predict 0"},
        {"transformer:predictions=1", "is no encoder"},
        {"transformer:rotary=yes", "rotary positions and a table"},
        {"transformer:rotary=yes,positions=0,hidden=36,heads=12", "heads of 3 elements"},
        {"gpt2-xl:layers=10001", "10001 layers"},
        {"llama-7b:sequence=1000000000", "too large"},
        {"llama-7b:sequence=1000000000,hidden=1000000000,vocabulary=1000000000,"
         "feedForward=1000000000,layers=10000",
         "too large"},
        {"transformer:hidden=1000000000,heads=1,feedForward=1,vocabulary=1,sequence=1,positions=0",
         "too large"},
        {"mixtral-8x7b:experts=1000000000,sequence=1", "too large"},
        {"transformer:experts=4,denseLayers=1", "whose feed-forward blocks have no width"},
        {"bert-large:attention=causal", "attention cannot be causal"},
        {"transformer:patch=16", "if and only if it reads images"},
        {"transformer:kind=diffuser", "if and only if it reads images"},
        {"transformer:rotary=alibi", "rotary positions and a table"},
        {"gpt2-xl:layers=0", "must be a whole number"},
        {"gpt2-xl:kvHeads=5", "has no option \"kvHeads\""},
        {"transformer:kind=classifier,patch=1000000000,sequence=1000000,hidden=10000,heads=100,"
         "positions=0,layers=1",
         "too large"},
        {"transformer:window=3", "window must be 0 unless attention is causal"},
        {"mistral-7b:attention=fused", "window must be 0 unless attention is causal"},
        {"transformer:kind=encoder,predictions=1,futureTokens=1", "futureTokens must be 0"},
        {"transformer:classToken=yes", "classToken must be no"},
        {"transformer:queryRank=8", "keyRank must be above 0, or"},
        {"transformer:rotaryWidth=8", "keyRank must be above 0, or"},
        {"transformer:valueWidth=8", "keyRank must be above 0, or"},
        {"transformer:keyRank=512,positions=0,rotary=yes,biases=no",
         "headWidth, valueWidth and rotaryWidth must be above 0"},
        {latent + "biases=no", "rotary must be yes"},
        {latent + "biases=no,rotary=yes,kvHeads=4", "kvHeads must be 0"},
        {latent + "biases=no,rotary=yes,headNorm=yes", "headNorm must be no"},
        {latent + "biases=no,rotary=yes,kind=translator", "kind cannot be translator"},
        {latent + "biases=queries,rotary=yes", "biases must be no, feedForward or output"},
        {latent + "rotary=yes", "biases must be no, feedForward or output"}};
    for (const auto& row : refused)
    {
        const std::string error = GetError([&]() { ModelZoo::Create(row.first); });
        EXPECT_PART(error, row.second);
    }
    // Accepted models near the limits
    for (const auto* name : {"gpt3-175b:sequence=2048",
                             "llama-7b:sequence=1000000",
                             "bert-large:predictions=512",
                             "mistral-7b:attention=fused,window=0",
                             "llama-3-8b:kvHeads=32"})
    {
        NS_TEST_EXPECT_MSG_EQ(GetError([&]() { ModelZoo::Create(name); }), "", name);
    }
    NS_TEST_EXPECT_MSG_NE(GetError([]() { TransformerModel::Build(TransformerShape()); }),
                          "",
                          "A shape without a size");
    TransformerShape shape = TransformerStyle::Make("llama");
    shape.layers = 1;
    shape.width = 8;
    shape.heads = 1;
    shape.feedForward = 8;
    shape.sequence = 4;
    shape.vocabulary = 10;
    NS_TEST_EXPECT_MSG_EQ(GetError([&]() { shape.Check(); }), "", "A small shape");
    shape.expertPeriod = 0;
    EXPECT_PART(GetError([&]() { shape.Check(); }), "expertPeriod must be above 0");
}

std::pair<uint64_t, uint64_t>
TransformerLayerTests::Count(const OperatorGraph& graph)
{
    uint64_t edges = 0;
    for (uint32_t index = 0; index < graph.GetOperators().size(); ++index)
    {
        edges += graph.GetSuccessors(index).size();
    }
    return {graph.GetOperators().size(), edges};
}

void
TransformerLayerTests::TestGrowth()
{
    const std::map<std::string, uint32_t> models = {{"gpt3-175b", 96},
                                                    {"mixtral-8x7b", 32},
                                                    {"transformer-big", 200}};
    for (const auto& model : models)
    {
        const std::string name = model.first + ":layers=";
        const auto two = Count(ModelZoo::Create(name + "2"));
        const auto three = Count(ModelZoo::Create(name + "3"));
        const auto all = Count(ModelZoo::Create(name + std::to_string(model.second)));
        const uint64_t more = model.second - 2;
        NS_TEST_EXPECT_MSG_GT(three.first, two.first, "A layer has operators");
        NS_TEST_EXPECT_MSG_EQ(all.first,
                              two.first + more * (three.first - two.first),
                              "Operators of " << name << model.second);
        NS_TEST_EXPECT_MSG_EQ(all.second,
                              two.second + more * (three.second - two.second),
                              "Edges of " << name << model.second);
    }
}

/// Registers the test cases
static const SuiteCases g_transformerLayerCases(
    "lightpath-workload",
    {{MakeCase("grouped-query attention, gated blocks and experts",
               &TransformerLayerTests::TestStyle),
      MakeCase("options of transformers", &TransformerLayerTests::TestOptions),
      MakeCase("operators and edges by layer", &TransformerLayerTests::TestGrowth)}});
