/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "method-case.h"

#include "ns3/model-zoo.h"

#include <functional>
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
 * @param beginning the beginning of the names of the operators
 * @param value a cost of an operator
 * @return the sum of it over these forward operators
 */
uint64_t
Sum(const OperatorGraph& graph,
    const std::string& beginning,
    const std::function<uint64_t(const Operator&)>& value)
{
    uint64_t sum = 0;
    for (const auto& op : graph.GetOperators())
    {
        if (op.pass == Pass::FORWARD && op.name.compare(0, beginning.size(), beginning) == 0)
        {
            sum += value(op);
        }
    }
    return sum;
}

/**
 * @ingroup lightpath-tests
 * @param graph a model
 * @param beginning the beginning of the names of the operators
 * @return the parameters of these forward operators
 */
uint64_t
GetParameters(const OperatorGraph& graph, const std::string& beginning)
{
    return Sum(graph, beginning, [](const Operator& op) { return op.parameters; });
}

/**
 * @ingroup lightpath-tests
 * @param graph a model
 * @param beginning the beginning of the names of the operators
 * @return the operations of the matrix products of these forward operators, per sample
 */
uint64_t
GetProductFlops(const OperatorGraph& graph, const std::string& beginning)
{
    return Sum(graph, beginning, [](const Operator& op) { return 2 * op.multiplyAdds; });
}

/**
 * @ingroup lightpath-tests
 * @param graph a model
 * @param name the name of an operator
 * @return the operator; one without a name if there is none
 */
Operator
GetOperator(const OperatorGraph& graph, const std::string& name)
{
    for (const auto& op : graph.GetOperators())
    {
        if (op.name == name)
        {
            return op;
        }
    }
    return Operator();
}

/// The size of a decoder.
struct Size
{
    const char* name;    //!< Name in the zoo
    uint64_t layers;     //!< Layers
    uint64_t hidden;     //!< Elements of a token's activation
    uint64_t heads;      //!< Attention heads
    uint64_t sequence;   //!< Tokens of a sequence
    const char* rounded; //!< Published parameters, in billions
};

/**
 * @ingroup lightpath-tests
 * @return the sizes of Narayanan et al. (SC'21), Table 1, with the vocabulary of 51200 tokens
 */
std::vector<Size>
GetScalingSizes()
{
    return {{"sc21-1.7b", 24, 2304, 24, 2048, "1.7"},
            {"sc21-3.6b", 30, 3072, 32, 2048, "3.6"},
            {"sc21-7.5b", 36, 4096, 32, 2048, "7.5"},
            {"sc21-18.4b", 40, 6144, 48, 2048, "18.4"},
            {"sc21-39.1b", 48, 8192, 64, 2048, "39.1"},
            {"sc21-76.1b", 60, 10240, 80, 2048, "76.1"},
            {"sc21-145.6b", 80, 12288, 96, 2048, "145.6"},
            {"sc21-310.1b", 96, 16384, 128, 2048, "310.1"},
            {"sc21-529.6b", 105, 20480, 128, 2048, "529.6"},
            {"sc21-1008b", 128, 25600, 160, 2048, "1008.0"}};
}

} // namespace

/**
 * @ingroup lightpath-tests
 * @brief The test cases of the sizes of the transformers of the zoo.
 */
class TransformerZooTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /// Check parameters and operations of the transformers against published numbers.
    void TestTotals();

    /// Check the decoders of the scaling study of SC'21 against its formulas.
    void TestScaling();

    /// Check what layers keep for the backward pass against Korthikanti et al. (2022).
    void TestActivations();

  private:
    /// Check models whose parameters are published to the last one.
    void CheckExact();

    /// Check the models of the measurements with Megatron-LM, whose parameters are rounded.
    void CheckRounded();

    /// Check the parts of the mixture of experts.
    void CheckMixtral();

    /**
     * Check the second layer of a model.
     *
     * @param size its size
     */
    void CheckFormulas(const Size& size);

    /// Check the bytes in single precision.
    void CheckSingle();
};

void
TransformerZooTests::TestTotals()
{
    CheckExact();
    CheckRounded();
    CheckMixtral();
}

void
TransformerZooTests::CheckExact()
{
    /// A model as published; 0 for unpublished figures.
    struct Row
    {
        const char* name;         //!< Its name
        uint64_t parameters;      //!< Parameters
        uint64_t layerParameters; //!< Parameters of a layer
        double layerGflop;        //!< Operations of a layer for a sequence, in 10^9
        double layerDigit;        //!< The last digit of that
        double gflop;             //!< Operations for a sequence, in 10^9
        double digit;             //!< The last digit of that
    };

    // BERT has its heads besides: 2 * 768 + 2 for the next sentence, a product, a normalisation
    // and a bias for each token of the vocabulary for the masked ones
    const uint64_t baseHeads = 2 * 768 + 2 + 768 * 768 + 768 + 2 * 768 + 30522;
    const std::vector<Row> rows = {
        {"bert-base", 109482240 + baseHeads, 7087872, 0, 0, 0, 0},
        {"bert-large", 336226108, 12596224, 13.959, 0.001, 0, 0},
        {"gpt2-355m", 354823168, 12596224, 0, 0, 0, 0},
        {"gpt2-xl", 1557611200, 30740800, 69.625, 0.001, 3507, 1},
        {"megatron-2.5b", 2490408960, 0, 0, 0, 0, 0},
        {"megatron-8.3b", 8317040640, 113286144, 244.81, 0.01, 17949, 1},
        {"gpt3-175b", 174615846912, 1812099072, 7627.9, 0.1, 734852, 1},
        {"llama-7b", 6738415616, 202383360, 897.65, 0.01, 29262, 1},
        {"llama-3-8b", 8030261248, 0, 0, 0, 0, 0},
        {"mixtral-8x7b", 46702792704, 0, 0, 0, 0, 0},
    };
    for (const auto& row : rows)
    {
        const OperatorGraph graph = ModelZoo::Create(row.name);
        NS_TEST_EXPECT_MSG_EQ(graph.GetParameters(), row.parameters, row.name);
        if (row.layerParameters > 0)
        {
            NS_TEST_EXPECT_MSG_EQ(GetParameters(graph, "layer2."), row.layerParameters, row.name);
        }
        if (row.layerGflop > 0)
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(1e-9 * GetProductFlops(graph, "layer2."),
                                      row.layerGflop,
                                      row.layerDigit / 2,
                                      "GFLOP of a layer of " << row.name);
        }
        if (row.gflop > 0)
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(2e-9 * graph.GetForwardMultiplyAdds(),
                                      row.gflop,
                                      row.digit / 2,
                                      "GFLOP of " << row.name);
        }
    }
    const OperatorGraph head = ModelZoo::Create("bert-large:predictions=512");
    NS_TEST_EXPECT_MSG_EQ_TOL(1e-9 * GetProductFlops(head, "head"), 33.1, 0.05, "All tokens");
    const OperatorGraph shorter = ModelZoo::Create("bert-large:sequence=128");
    NS_TEST_EXPECT_MSG_EQ_TOL(1e-9 * GetProductFlops(shorter, "layer1."), 3.288, 0.0005, "Short");
    NS_TEST_EXPECT_MSG_EQ_TOL(1e-9 * GetProductFlops(shorter, "layer"), 78.9, 0.05, "Short");
}

void
TransformerZooTests::CheckRounded()
{
    // Billions of parameters
    const std::map<std::string, double> published = {{"megatron-1.2b", 1.2},
                                                     {"megatron-2.5b", 2.5},
                                                     {"megatron-4.2b", 4.2},
                                                     {"megatron-8.3b", 8.3},
                                                     {"megatron-22b", 22}};
    for (const auto& model : published)
    {
        const double digit = model.second > 10 ? 1 : 0.1;
        NS_TEST_EXPECT_MSG_EQ_TOL(1e-9 * ModelZoo::Create(model.first).GetParameters(),
                                  model.second,
                                  digit / 2,
                                  model.first);
    }
    NS_TEST_EXPECT_MSG_EQ_TOL(1e-9 * ModelZoo::Create("megatron-1b").GetParameters(),
                              1.16,
                              0.005,
                              "24 layers of 1920");
    NS_TEST_EXPECT_MSG_EQ_TOL(1e-9 * ModelZoo::Create("megatron-8b").GetParameters(),
                              8.67,
                              0.005,
                              "42 layers of 4096");
    for (const auto& size :
         std::map<std::string, std::pair<uint64_t, uint64_t>>{{"megatron-2b", {30, 2304}},
                                                              {"megatron-4b", {36, 3072}}})
    {
        const uint64_t layers = size.second.first;
        const uint64_t h = size.second.second;
        NS_TEST_EXPECT_MSG_EQ(ModelZoo::Create(size.first).GetParameters(),
                              layers * (12 * h * h + 13 * h) + (51200 + 1024) * h + 2 * h,
                              size.first);
    }
}

void
TransformerZooTests::CheckMixtral()
{
    const OperatorGraph graph = ModelZoo::Create("mixtral-8x7b");
    NS_TEST_EXPECT_MSG_EQ(GetParameters(graph, "layer9.attention.qkv") +
                              GetParameters(graph, "layer9.attention.projection"),
                          41943040,
                          "Attention");
    NS_TEST_EXPECT_MSG_EQ(GetParameters(graph, "layer9.feed-forward.router"), 32768, "Router");
    const uint64_t experts = GetParameters(graph, "layer9.feed-forward.expansion") +
                             GetParameters(graph, "layer9.feed-forward.projection");
    NS_TEST_EXPECT_MSG_EQ(experts, 8 * 176160768ULL, "Experts");
    NS_TEST_EXPECT_MSG_EQ(graph.GetParameters() - 32 * experts / 8 * (8 - 2),
                          12879925248,
                          "Parameters that a token passes");
    const std::map<std::string, double> parts = {{"attention.qkv", 206},
                                                 {"attention.scores", 275 / 2.0},
                                                 {"attention.context", 275 / 2.0},
                                                 {"attention.projection", 137},
                                                 {"feed-forward.expansion", 2 * 1443 * 2 / 3.0},
                                                 {"feed-forward.projection", 2 * 1443 / 3.0}};
    for (const auto& part : parts)
    {
        NS_TEST_EXPECT_MSG_EQ_TOL(1e-9 * GetProductFlops(graph, "layer1." + part.first),
                                  part.second,
                                  0.5,
                                  "GFLOP of " << part.first);
    }
}

void
TransformerZooTests::TestScaling()
{
    constexpr uint64_t VOCABULARY = 51200;
    for (const auto& size : GetScalingSizes())
    {
        const OperatorGraph graph = ModelZoo::Create(size.name);
        const uint64_t l = size.layers;
        const uint64_t h = size.hidden;
        const uint64_t s = size.sequence;
        // 12 L h^2 (1 + 13 / (12 h) + (V + s) / (12 L h)); the last normalisation is not in it
        const uint64_t parameters = 12 * l * h * h + 13 * l * h + (VOCABULARY + s) * h;
        NS_TEST_EXPECT_MSG_EQ(graph.GetParameters(), parameters + 2 * h, size.name);
        NS_TEST_EXPECT_MSG_EQ_TOL(1e-9 * graph.GetParameters(),
                                  std::stod(size.rounded),
                                  0.05,
                                  "Published parameters of " << size.name);

        uint64_t products = 0;
        for (const auto& op : graph.GetOperators())
        {
            NS_TEST_EXPECT_MSG_EQ((op.multiplyAdds == 0 || op.pass != Pass::UPDATE),
                                  true,
                                  "Products belong to the passes");
            products += 2 * op.multiplyAdds;
        }
        // 72 B s L h^2 (1 + s / (6 h) + V / (12 L h)) for a batch of one
        NS_TEST_EXPECT_MSG_EQ(products,
                              72 * s * l * h * h + 12 * s * s * l * h + 6 * s * h * VOCABULARY,
                              "Operations of an iteration of " << size.name);
        // 96 B s L h^2 (1 + s / (6 h) + V / (16 L h)) with the layers computed twice
        NS_TEST_EXPECT_MSG_EQ(products + GetProductFlops(graph, "layer"),
                              96 * s * l * h * h + 16 * s * s * l * h + 6 * s * h * VOCABULARY,
                              "Operations with recomputation of " << size.name);
    }
}

void
TransformerZooTests::TestActivations()
{
    std::vector<Size> sizes = GetScalingSizes();
    sizes.push_back({"megatron-22b", 48, 6144, 64, 2048, "22"});
    sizes.push_back({"gpt3-175b", 96, 12288, 96, 2048, "175"});
    sizes.push_back({"megatron-8.3b", 72, 3072, 32, 1024, "8.3"});
    for (const auto& size : sizes)
    {
        CheckFormulas(size);
    }

    /// MiB of a layer for a sequence.
    struct Row
    {
        const char* name; //!< Model
        double whole;     //!< On one GPU
        double tensor;    //!< On each of 8 tensor-parallel GPUs
        double selective; //!< With sequence parallelism and selective recomputation too
    };

    const std::vector<Row> rows = {{"megatron-22b", 1688, 316, 51},
                                   {"gpt3-175b", 2736, 552, 102},
                                   {"sc21-529.6b", 3920, 840, 170},
                                   {"sc21-1008b", 4900, 1050, 212.5}};
    for (const auto& row : rows)
    {
        const OperatorGraph graph = ModelZoo::Create(row.name);
        const auto mebibytes = [&](double replicatedShare, bool selective) {
            double bytes = 0;
            for (const auto& op : graph.GetOperators())
            {
                const bool split = op.split == TensorSplit::ROW || op.split == TensorSplit::SHARDED;
                const bool counts =
                    op.name.compare(0, 7, "layer2.") == 0 && !(selective && op.selective);
                bytes += counts ? op.savedBytes * (split ? 1 / 8.0 : replicatedShare) : 0;
                // Queries, keys and values
                bytes += selective && op.name == "layer2.attention.qkv" ? op.outputBytes / 8.0 : 0;
            }
            return bytes / (1 << 20);
        };
        const uint64_t whole =
            Sum(graph, "layer2.", [](const Operator& op) { return op.savedBytes; });
        NS_TEST_EXPECT_MSG_EQ(whole, row.whole * (1 << 20), row.name);
        NS_TEST_EXPECT_MSG_EQ(mebibytes(1, false), row.tensor, row.name);
        NS_TEST_EXPECT_MSG_EQ(mebibytes(1 / 8.0, true), row.selective, row.name);
    }
    CheckSingle();
}

void
TransformerZooTests::CheckFormulas(const Size& size)
{
    const OperatorGraph graph = ModelZoo::Create(size.name);
    const uint64_t hidden = size.sequence * size.hidden;
    const uint64_t scores = size.heads * size.sequence * size.sequence;
    NS_TEST_EXPECT_MSG_EQ(Sum(graph, "layer2.", [](const Operator& op) { return op.savedBytes; }),
                          34 * hidden + 5 * scores,
                          "s h (34 + 5 a s / h) of " << size.name);
    NS_TEST_EXPECT_MSG_EQ(
        Sum(graph, "layer2.", [](const Operator& op) { return op.selective ? 0 : op.savedBytes; }) +
            Sum(graph, "layer2.attention.qkv", [](const Operator& op) { return op.outputBytes; }),
        34 * hidden,
        "34 s h with selective recomputation of " << size.name);
    NS_TEST_EXPECT_MSG_EQ(
        Sum(graph,
            "layer2.",
            [](const Operator& op) { return op.selective ? 2 * op.multiplyAdds : 0; }),
        4 * hidden * size.sequence,
        "Selective recomputation multiplies scores and context anew in " << size.name);
}

void
TransformerZooTests::CheckSingle()
{
    const OperatorGraph half = ModelZoo::Create("gpt2-xl:layers=2");
    const OperatorGraph single = ModelZoo::Create("gpt2-xl:layers=2,precision=single");
    const auto saved = [](const Operator& op) { return op.savedBytes; };
    const uint64_t hidden = 1024 * 1600;
    const uint64_t scores = 25 * 1024 * 1024;
    NS_TEST_EXPECT_MSG_EQ(Sum(single, "layer2.", saved),
                          (34 + 32) * hidden + (5 + 4) * scores,
                          "All words double, of 2 hidden and 1 scores masks none does");
    NS_TEST_EXPECT_MSG_EQ(single.GetParameters(), half.GetParameters(), "Parameters");
    NS_TEST_EXPECT_MSG_EQ(single.parameterBytes, 4, "Bytes of a parameter");
    NS_TEST_EXPECT_MSG_EQ(half.parameterBytes, 2, "Bytes of a parameter");
    const OperatorGraph experts = ModelZoo::Create("mixtral-8x7b:layers=1,precision=single");
    const OperatorGraph halfExperts = ModelZoo::Create("mixtral-8x7b:layers=1");
    for (const auto* name : {"attention.rotation", "attention.scores", "feed-forward.gate"})
    {
        const Operator op = GetOperator(experts, std::string("layer1.") + name);
        const Operator other = GetOperator(halfExperts, op.name);
        NS_TEST_EXPECT_MSG_EQ((op.precision == Precision::SINGLE), true, name);
        NS_TEST_EXPECT_MSG_GT(other.readBytes, 0, name);
        NS_TEST_EXPECT_MSG_EQ(op.readBytes, 2 * other.readBytes, name);
        NS_TEST_EXPECT_MSG_EQ(op.outputBytes, 2 * other.outputBytes, name);
        NS_TEST_EXPECT_MSG_EQ(op.savedBytes, 2 * other.savedBytes, name);
    }
}

/// Registers the test cases
static const SuiteCases g_transformerZooCases(
    "lightpath-workload",
    {{MakeCase("published sizes of transformers", &TransformerZooTests::TestTotals),
      MakeCase("formulas of parameters and operations of decoders",
               &TransformerZooTests::TestScaling),
      MakeCase("activations of the layers of decoders", &TransformerZooTests::TestActivations)}});
