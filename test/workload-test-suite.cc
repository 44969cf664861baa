/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "expect-error.h"
#include "method-case.h"

#include "ns3/model-zoo.h"
#include "ns3/operator-graph.h"

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
 * @param text a text
 * @param beginning the beginning to look for
 * @return true if the text begins with it
 */
bool
BeginsWith(const std::string& text, const std::string& beginning)
{
    return text.compare(0, beginning.size(), beginning) == 0;
}

/**
 * @ingroup lightpath-tests
 * @param graph a model
 * @param name the name of an operator
 * @return its index; the number of operators if there is none
 */
uint32_t
Find(const OperatorGraph& graph, const std::string& name)
{
    const auto& operators = graph.GetOperators();
    uint32_t index = 0;
    while (index < operators.size() && operators[index].name != name)
    {
        ++index;
    }
    return index;
}

/**
 * @ingroup lightpath-tests
 * @brief Sums over forward operators.
 */
struct Totals
{
    uint64_t parameters{0};   //!< Parameters
    uint64_t multiplyAdds{0}; //!< Multiply-adds, per sample
    uint64_t savedBytes{0};   //!< Bytes kept for the backward pass, per sample
    uint64_t splitBytes{0};   //!< Those of them that a tensor-parallel group splits
    uint32_t operators{0};    //!< Number of operators
};

/**
 * @ingroup lightpath-tests
 * @param graph a model
 * @param beginning what the names of the operators begin with
 * @return the sums over these forward operators
 */
Totals
GetTotals(const OperatorGraph& graph, const std::string& beginning)
{
    Totals totals;
    for (const auto& op : graph.GetOperators())
    {
        if (op.pass != Pass::FORWARD || !BeginsWith(op.name, beginning))
        {
            continue;
        }
        const bool split = op.split == TensorSplit::ROW || op.split == TensorSplit::SHARDED;
        totals.parameters += op.parameters;
        totals.multiplyAdds += op.multiplyAdds;
        totals.savedBytes += op.savedBytes;
        totals.splitBytes += split ? op.savedBytes : 0;
        ++totals.operators;
    }
    return totals;
}

} // namespace

/**
 * @ingroup lightpath-tests
 * @brief Test suite of the models and accelerators.
 */
class WorkloadTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /// Check that an operator graph keeps its order and refuses what would break it.
    void TestOperatorGraph();

    /// Check the zoo's names and the published sizes of its models.
    void TestModelZooTotals();

    /// Check the layers of transformers: granularity, splits and kept activations.
    void TestTransformerLayer();

  private:
    /// Check ResNet-50 by stage.
    void CheckResnet();

    /// Check the data that ResNet-50 keeps for the backward pass.
    void CheckResnetSaved();

    /// Check BERT-large.
    void CheckBert();

    /// Check the big transformer for translation.
    void CheckTranslator();
};

void
WorkloadTests::TestOperatorGraph()
{
    OperatorGraph graph("model", "image");
    NS_TEST_EXPECT_MSG_EQ(graph.GetNLayers(), 0, "No layers without operators");
    for (const auto* name : {"a", "b", "c"})
    {
        Operator op;
        op.name = name;
        op.layer = name[0] - 'a';
        op.parameters = 10;
        op.multiplyAdds = 100;
        op.pass = name[0] == 'c' ? Pass::BACKWARD : Pass::FORWARD;
        graph.AddOperator(op);
    }
    graph.AddEdge(1, 2);
    graph.AddEdge(0, 2);
    graph.AddEdge(0, 1);
    graph.AddEdge(0, 2);
    NS_TEST_EXPECT_MSG_EQ(graph.GetName(), "model", "Name");
    NS_TEST_EXPECT_MSG_EQ(graph.GetSample(), "image", "Sample");
    NS_TEST_EXPECT_MSG_EQ((graph.GetPredecessors(2) == std::vector<uint32_t>{0, 1}),
                          true,
                          "Predecessors in ascending order, once each");
    NS_TEST_EXPECT_MSG_EQ((graph.GetSuccessors(0) == std::vector<uint32_t>{1, 2}),
                          true,
                          "Successors in ascending order, once each");
    NS_TEST_EXPECT_MSG_EQ(graph.GetParameters(), 20, "Parameters of forward operators only");
    NS_TEST_EXPECT_MSG_EQ(graph.GetForwardMultiplyAdds(), 200, "Forward operators only");
    NS_TEST_EXPECT_MSG_EQ(graph.GetNLayers(), 3, "Layers");

    Operator twin;
    twin.name = "b";
    EXPECT_PART(GetError([&]() { graph.AddOperator(twin); }), "operator b ");
    Operator early;
    early.name = "early";
    early.forward = 4;
    NS_TEST_EXPECT_MSG_NE(GetError([&]() { graph.AddOperator(early); }),
                          "",
                          "A forward operator comes first");
    NS_TEST_EXPECT_MSG_EQ(graph.GetOperators().size(), 3, "Nothing was added");
    const std::vector<std::pair<uint32_t, uint32_t>> wrong = {{1, 0}, {1, 1}, {2, 3}};
    for (const auto& edge : wrong)
    {
        EXPECT_PART(GetError([&]() { graph.AddEdge(edge.first, edge.second); }), "higher one");
    }
}

void
WorkloadTests::TestModelZooTotals()
{
    const std::vector<std::string> names = ModelZoo::GetNames();
    NS_TEST_EXPECT_MSG_EQ(std::is_sorted(names.begin(), names.end()), true, "Ascending order");
    for (const auto* name : {"alexnet", "bert-large", "dlrm", "gpt2-xl", "resnet50", "vgg16"})
    {
        NS_TEST_EXPECT_MSG_EQ(std::count(names.begin(), names.end(), name), 1, name);
    }
    for (const auto& name : names)
    {
        NS_TEST_EXPECT_MSG_EQ(ModelZoo::Create(name).GetName(), name, "Name of the graph");
        EXPECT_PART(GetError([]() { ModelZoo::Create("lenet"); }), name);
    }
    CheckResnet();
    CheckResnetSaved();
    CheckBert();
    CheckTranslator();
}

void
WorkloadTests::CheckResnet()
{
    const OperatorGraph graph = ModelZoo::Create("resnet50");
    NS_TEST_EXPECT_MSG_EQ(graph.GetSample(), "image", "Sample");
    NS_TEST_EXPECT_MSG_EQ(graph.GetParameters(), 25557032, "Parameters");
    NS_TEST_EXPECT_MSG_EQ(graph.GetForwardMultiplyAdds(), 4089184256, "Multiply-adds");
    NS_TEST_EXPECT_MSG_EQ(graph.GetNLayers(), 18, "Stem, 16 blocks, classifier");

    /// A stage as published.
    struct Stage
    {
        const char* name;        //!< Beginning of the names of its operators
        uint64_t parameters;     //!< Parameters
        double megaMultiplyAdds; //!< Millions of multiply-adds
    };

    const std::vector<Stage> stages = {{"stem", 9536, 118.01},
                                       {"stage2", 215808, 667.94},
                                       {"stage3", 1219584, 1027.60},
                                       {"stage4", 7098368, 1464.34},
                                       {"stage5", 14964736, 809.24},
                                       {"head", 2049000, 2.05}};
    for (const auto& stage : stages)
    {
        const Totals totals = GetTotals(graph, stage.name);
        NS_TEST_EXPECT_MSG_EQ(totals.parameters, stage.parameters, stage.name);
        NS_TEST_EXPECT_MSG_EQ_TOL(totals.multiplyAdds / 1e6,
                                  stage.megaMultiplyAdds,
                                  0.005,
                                  stage.name);
    }
    uint32_t convolutions = 0;
    uint64_t outputs = 0;
    for (const auto& op : graph.GetOperators())
    {
        NS_TEST_EXPECT_MSG_EQ((op.split == TensorSplit::REPLICATED), true, op.name);
        if (op.pass == Pass::FORWARD && op.kind == OperatorKind::CONVOLUTION)
        {
            ++convolutions;
            outputs += op.outputBytes / 2;
        }
    }
    NS_TEST_EXPECT_MSG_EQ(convolutions, 53, "Convolutions");
    NS_TEST_EXPECT_MSG_EQ(outputs, 11113984, "Elements that convolutions write for an image");
    const auto& operators = graph.GetOperators();
    NS_TEST_EXPECT_MSG_EQ_TOL(operators[Find(graph, "stage2.block1.conv2")].multiplyAdds / 1e6,
                              115.61,
                              0.005,
                              "3x3 convolution of the first block");
    NS_TEST_EXPECT_MSG_EQ_TOL(operators[Find(graph, "stage3.block1.conv1")].multiplyAdds / 1e6,
                              102.76,
                              0.005,
                              "Version 1.5 has the stride in the 3x3 convolution");
}

void
WorkloadTests::CheckResnetSaved()
{
    // Inputs of convolutions, each kept once although the shortcut of a block may read it too
    uint64_t elements = 3 * 224 * 224;
    uint64_t input = 64 * 56 * 56;
    uint64_t size = 56;
    uint64_t width = 64;
    for (const uint32_t blocks : {3, 4, 6, 3})
    {
        for (uint32_t block = 0; block < blocks; ++block)
        {
            const uint64_t inputSize = block == 0 && width > 64 ? 2 * size : size;
            elements += input + width * inputSize * inputSize + width * size * size;
            input = 4 * width * size * size;
        }
        size /= 2;
        width *= 2;
    }
    uint64_t convolutions = 0;
    uint64_t norms = 0;
    const OperatorGraph graph = ModelZoo::Create("resnet50");
    for (const auto& op : graph.GetOperators())
    {
        convolutions += op.kind == OperatorKind::CONVOLUTION ? op.savedBytes : 0;
        norms += op.kind == OperatorKind::NORMALIZATION ? op.savedBytes : 0;
    }
    NS_TEST_EXPECT_MSG_EQ(convolutions, 2 * elements, "Inputs of convolutions");
    NS_TEST_EXPECT_MSG_EQ(norms, 2 * 11113984, "Inputs of normalisations");
}

void
WorkloadTests::CheckBert()
{
    const OperatorGraph graph = ModelZoo::Create("bert-large");
    const uint64_t encoder = 335141888; // with the pooler, without the heads of the pre-training
    NS_TEST_EXPECT_MSG_EQ(graph.GetSample(), "sequence", "Sample");
    NS_TEST_EXPECT_MSG_EQ(GetTotals(graph, "embedding").parameters +
                              GetTotals(graph, "layer").parameters +
                              GetTotals(graph, "head.pooler").parameters,
                          encoder,
                          "Parameters without heads");
    NS_TEST_EXPECT_MSG_EQ(graph.GetNLayers(), 26, "Embedding, 24 layers, heads");
    NS_TEST_EXPECT_MSG_EQ_TOL(2e-9 * GetTotals(graph, "layer").multiplyAdds,
                              335.0,
                              0.05,
                              "GFLOP of the layers");
    NS_TEST_EXPECT_MSG_EQ_TOL(2e-9 * GetTotals(graph, "head").multiplyAdds,
                              5.2,
                              0.05,
                              "GFLOP of the heads for 80 predictions");
    const std::map<std::string, double> parts = {{"attention.qkv", 3.22},
                                                 {"attention.scores", 1.07 / 2},
                                                 {"attention.context", 1.07 / 2},
                                                 {"attention.projection", 1.07},
                                                 {"feed-forward.expansion", 8.59 / 2},
                                                 {"feed-forward.projection", 8.59 / 2}};
    for (const auto& part : parts)
    {
        NS_TEST_EXPECT_MSG_EQ_TOL(2e-9 * GetTotals(graph, "layer1." + part.first).multiplyAdds,
                                  part.second,
                                  0.005,
                                  "GFLOP of " << part.first);
    }
}

void
WorkloadTests::CheckTranslator()
{
    const OperatorGraph graph = ModelZoo::Create("transformer-big");
    const uint64_t layers = 6 * (12592128 + 16788480);
    NS_TEST_EXPECT_MSG_EQ(graph.GetSample(), "sentence pair", "Sample");
    NS_TEST_EXPECT_MSG_EQ(GetTotals(graph, "encoder1.").parameters, 12592128, "Encoder layer");
    NS_TEST_EXPECT_MSG_EQ(GetTotals(graph, "decoder6.").parameters, 16788480, "Decoder layer");
    NS_TEST_EXPECT_MSG_EQ(graph.GetParameters(),
                          layers + 33708 * 1024 + 2 * 2048,
                          "Layers, one table of embeddings, norms at the end of both stacks");
    NS_TEST_EXPECT_MSG_EQ_TOL(1e-6 * graph.GetParameters(), 210.80, 0.005, "Published total");
    NS_TEST_EXPECT_MSG_EQ(GetTotals(graph, "decoder1.").savedBytes -
                              GetTotals(graph, "decoder2.").savedBytes,
                          2 * 30 * 1024,
                          "The decoder keeps the output of the encoder once");
    // 2 FLOP per weight: 25.2, 33.6 and 69.0 MFLOP for a token of encoder, decoder and output
    const double attention = 18 * 4e-6 * 30 * 1024;
    NS_TEST_EXPECT_MSG_EQ_TOL(2e-6 * graph.GetForwardMultiplyAdds() / 30,
                              6 * 25.166 + 6 * 33.554 + 69.034 + attention,
                              0.01,
                              "MFLOP for a pair of tokens");
}

void
WorkloadTests::TestTransformerLayer()
{
    /// The size of a model.
    struct Size
    {
        const char* name;  //!< Its name
        uint64_t sequence; //!< Tokens
        uint64_t width;    //!< Hidden size
        uint64_t heads;    //!< Attention heads
    };

    const std::vector<Size> sizes = {{"bert-large", 512, 1024, 16}, {"gpt2-xl", 1024, 1600, 25}};
    for (const auto& size : sizes)
    {
        const OperatorGraph graph = ModelZoo::Create(size.name);
        const Totals layer = GetTotals(graph, "layer3.");
        const uint64_t hidden = size.sequence * size.width;
        const uint64_t scores = 5 * size.heads * size.sequence * size.sequence;
        NS_TEST_EXPECT_MSG_EQ(layer.operators, 13, "Operators of a layer");
        NS_TEST_EXPECT_MSG_EQ(layer.savedBytes, 34 * hidden + scores, "Activations of a layer");
        NS_TEST_EXPECT_MSG_EQ(layer.splitBytes,
                              24 * hidden + scores,
                              "Activations that a tensor-parallel group splits");
    }

    const std::map<std::string, TensorSplit> splits = {
        {"embedding.tokens", TensorSplit::ROW},
        {"layer1.attention.norm", TensorSplit::SEQUENCE},
        {"layer1.attention.qkv", TensorSplit::COLUMN},
        {"layer1.attention.scores", TensorSplit::SHARDED},
        {"layer1.attention.softmax", TensorSplit::SHARDED},
        {"layer1.attention.context", TensorSplit::SHARDED},
        {"layer1.attention.projection", TensorSplit::ROW},
        {"layer1.attention.dropout-add", TensorSplit::SEQUENCE},
        {"layer1.feed-forward.expansion", TensorSplit::COLUMN},
        {"layer1.feed-forward.gelu", TensorSplit::SHARDED},
        {"layer1.feed-forward.projection", TensorSplit::ROW},
        {"head.logits", TensorSplit::COLUMN},
        {"head.loss", TensorSplit::SHARDED}};
    for (const auto* name : {"bert-large", "gpt2-xl"})
    {
        const OperatorGraph graph = ModelZoo::Create(name);
        for (const auto& split : splits)
        {
            const uint32_t index = Find(graph, split.first);
            NS_TEST_ASSERT_MSG_LT(index, graph.GetOperators().size(), "No " << split.first);
            NS_TEST_EXPECT_MSG_EQ((graph.GetOperators()[index].split == split.second),
                                  true,
                                  "Split of " << split.first << " in " << name);
        }
    }
}

/// Registers the test cases
static const SuiteCases g_workloadCases(
    "lightpath-workload",
    {{MakeCase("operator graph", &WorkloadTests::TestOperatorGraph),
      MakeCase("parameters and multiply-adds of the models", &WorkloadTests::TestModelZooTotals),
      MakeCase("layers of transformers", &WorkloadTests::TestTransformerLayer)}});
