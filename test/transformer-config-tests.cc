/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "expect-error.h"
#include "method-case.h"
#include "model/workload/hub-config.h"
#include "model/workload/transformer-model.h"
#include "workload-file-tests.h"

#include "ns3/model-zoo.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <sstream>
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
 * @param end the end of the names of the operators
 * @param value a cost of an operator
 * @return the sum of it over these operators
 */
uint64_t
SumOf(const OperatorGraph& graph,
      const std::string& end,
      const std::function<uint64_t(const Operator&)>& value)
{
    uint64_t sum = 0;
    for (const auto& op : graph.GetOperators())
    {
        if (op.name.size() >= end.size() &&
            op.name.compare(op.name.size() - end.size(), end.size(), end) == 0)
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
GetOwn(const OperatorGraph& graph, const std::string& beginning)
{
    uint64_t sum = 0;
    for (const auto& op : graph.GetOperators())
    {
        const bool counts =
            op.pass == Pass::FORWARD && op.name.compare(0, beginning.size(), beginning) == 0;
        sum += counts ? op.parameters : 0;
    }
    return sum;
}

/**
 * @ingroup lightpath-tests
 * @param graph a model
 * @param topK experts that each token is given to
 * @return the parameters that a token meets
 */
uint64_t
GetActive(const OperatorGraph& graph, uint64_t topK)
{
    uint64_t sum = 0;
    for (const auto& op : graph.GetOperators())
    {
        if (op.pass == Pass::FORWARD)
        {
            sum += op.experts > 0 ? op.parameters / op.experts * topK : op.parameters;
        }
    }
    return sum;
}

/**
 * @ingroup lightpath-tests
 * @param name the name of an operator
 * @param graph a model
 * @return the operator
 */
const Operator&
Get(const OperatorGraph& graph, const std::string& name)
{
    for (const auto& op : graph.GetOperators())
    {
        if (op.name == name)
        {
            return op;
        }
    }
    throw std::invalid_argument("There is no operator " + name);
}

} // namespace

/**
 * @ingroup lightpath-tests
 * @brief The test cases of the transformers of today and of the files published with weights.
 */
class TransformerConfigTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /// Check the parameters of the models, and those that a token meets.
    void TestTotals();

    /// Check the layers that read images, and those that differ from layer to layer.
    void TestParts();

    /// Check latent and causal attention.
    void TestAttention();

    /// Check which tensors have 8 bits.
    void TestScaled();

    /// Check that files give the models of the zoo, and the refusals.
    void TestFiles();

    /// Check the parameters of the families that files may have.
    void TestFamilies();

  private:
    /// Check what faulty files are refused with.
    void CheckErrors();
};

void
TransformerConfigTests::TestTotals()
{
    // Computed from the published shapes by the formula of a decoder's parameters; those of MPT
    // are published to the last one
    const std::map<std::string, uint64_t> totals = {
        {"llama-2-7b", 6738415616},        {"llama-2-13b", 13015864320},
        {"llama-2-70b", 68976648192},      {"llama-3-70b", 70553706496},
        {"llama-3.1-405b", 405853388800},  {"mistral-7b", 7241732096},
        {"qwen2.5-72b", 72706203648},      {"phi-3-mini", 3821079552},
        {"phi-3-medium", 13960238080},     {"nemotron-4-15b", 15628775424},
        {"nemotron-4-340b", 341029195776}, {"palm-540b", 540356474880},
        {"gpt-neox-20b", 20554567680},     {"opt-175b", 174604468224},
        {"bloom-176b", 176247271424},      {"falcon-180b", 178557088768},
        {"gpt3-13b", 12858214400},         {"mpt-7b", 6658859008},
        {"mpt-13b", 12853954560},          {"mpt-30b", 29975214080},
        {"mpt-70b", 64862437376},          {"vit-l16", 304326632},
        {"vit-22b", 21756691432},
    };
    for (const auto& total : totals)
    {
        NS_TEST_EXPECT_MSG_EQ(ModelZoo::Create(total.first).GetParameters(),
                              total.second,
                              total.first);
    }

    /// A mixture of experts.
    struct Row
    {
        const char* name; //!< Its name, with options
        uint64_t total;   //!< Parameters
        uint64_t topK;    //!< Experts that a token is given to
        double active;    //!< Parameters that a token meets, 10^9
    };

    const std::vector<Row> rows = {
        {"mixtral-8x22b", 140620634112, 2, 39.15},
        {"mixtral-8x22b:vocabulary=32768", 140630071296, 2, 39.16},
        {"dbrx", 131596523520, 4, 36.47},
        {"grok-1", 315684820992, 2, 83.76},
        {"deepseek-v2", 235741434880, 6, 21.38},
        {"deepseek-v3:futureTokens=0", 671026419200, 8, 37.55},
        {"kimi-k2", 1026408232448, 8, 32.86},
        {"qwen3-235b-a22b", 235093634560, 8, 22.19},
        {"qwen3-30b-a3b", 30532122624, 8, 3.35},
        {"gpt-oss-120b", 116829156672, 4, 5.71},
        {"llama-4-scout", 107769861120, 1, 17.17},
        {"llama-4-maverick", 400711848960, 1, 17.18},
    };
    for (const auto& row : rows)
    {
        const OperatorGraph graph = ModelZoo::Create(row.name);
        NS_TEST_EXPECT_MSG_EQ(graph.GetParameters(), row.total, row.name);
        NS_TEST_EXPECT_MSG_EQ_TOL(1e-9 * GetActive(graph, row.topK), row.active, 0.005, row.name);
    }
    // Billions of parameters as published
    for (const auto& size : std::map<std::string, double>{{"mcore-1.7b", 1.7},
                                                          {"mcore-7.1b", 7.1},
                                                          {"mcore-16b", 16},
                                                          {"mcore-32b", 32},
                                                          {"mcore-70b", 70},
                                                          {"mcore-119b", 119},
                                                          {"mcore-177b", 177},
                                                          {"mcore-314b", 314},
                                                          {"mcore-462b", 462}})
    {
        // 1.754 is published as 1.7
        const double half = size.second < 10 ? 0.055 : 0.5;
        NS_TEST_EXPECT_MSG_EQ_TOL(1e-9 * ModelZoo::Create(size.first).GetParameters(),
                                  size.second,
                                  half,
                                  size.first);
    }
}

void
TransformerConfigTests::TestParts()
{
    const OperatorGraph graph = ModelZoo::Create("deepseek-v3:layers=5");
    NS_TEST_EXPECT_MSG_EQ(GetOwn(graph, "layer2.attention.") - 7168, 187107328, "Attention");
    NS_TEST_EXPECT_MSG_EQ(GetOwn(graph, "layer3.feed-forward.") - 7168, 396361728, "Dense");
    NS_TEST_EXPECT_MSG_EQ(GetOwn(graph, "layer4.feed-forward.shared"), 44040192, "Shared expert");
    NS_TEST_EXPECT_MSG_EQ(GetOwn(graph, "layer4.feed-forward.expansion") +
                              GetOwn(graph, "layer4.feed-forward.projection"),
                          256 * 44040192ULL,
                          "Experts");
    NS_TEST_EXPECT_MSG_EQ(GetOwn(graph, "layer4.feed-forward.router"), 7169 * 256, "Router");
    // One more layer, a product of the normalised token and embedding, a last normalisation
    NS_TEST_EXPECT_MSG_EQ(GetOwn(graph, "future1."),
                          GetOwn(graph, "layer5.") + 2 * 7168 * 7168 + 3 * 7168,
                          "The layer that predicts one more token");
    NS_TEST_EXPECT_MSG_EQ_TOL(1e-9 * GetOwn(graph, "future1."), 11.61, 0.005, "Published: 11.5");
    NS_TEST_EXPECT_MSG_EQ(GetOwn(ModelZoo::Create("deepseek-v2:layers=2"), "layer2.attention.") -
                              5120,
                          149227520,
                          "Attention of V2");
    NS_TEST_EXPECT_MSG_EQ(GetOwn(ModelZoo::Create("kimi-k2:layers=2"), "layer2.attention.") - 7168,
                          101124096,
                          "Attention of K2");

    // Every second layer has experts
    const OperatorGraph maverick = ModelZoo::Create("llama-4-maverick:layers=4");
    NS_TEST_EXPECT_MSG_EQ(GetOwn(maverick, "layer3.feed-forward.router"), 0, "Dense layer");
    NS_TEST_EXPECT_MSG_EQ(GetOwn(maverick, "layer4.feed-forward.router"), 128 * 5120, "Experts");

    // Blocks beside each other read the same input, by one normalisation or two
    for (const auto* name : {"palm-540b:layers=2", "falcon-180b:layers=2"})
    {
        const OperatorGraph parallel = ModelZoo::Create(name);
        const uint64_t expected = name[0] == 'p' ? 1 : 2;
        const uint64_t norms =
            SumOf(parallel, ".norm", [](const Operator& op) { return op.layer == 1 ? 1 : 0; });
        NS_TEST_EXPECT_MSG_EQ(norms, expected, name);
        NS_TEST_EXPECT_MSG_EQ(SumOf(parallel, "-norm", [](const Operator&) { return uint64_t(1); }),
                              0,
                              name);
    }

    // 48 layers of 12 h^2 are the 21 743 million that are published; heads and tables are more
    const OperatorGraph large = ModelZoo::Create("vit-22b");
    uint64_t products = 0;
    for (const auto* end : {"qkv", "attention.projection", "expansion", "feed-forward.projection"})
    {
        products += SumOf(large, end, [](const Operator& op) { return op.multiplyAdds / 256; });
    }
    NS_TEST_EXPECT_MSG_EQ(products, 48ULL * 12 * 6144 * 6144, "Layers of ViT-22B");
    // Of the published 675 129 632, 256 x 1152 are a table of positions that is not trained
    const OperatorGraph diffuser = ModelZoo::Create("dit-xl2");
    NS_TEST_EXPECT_MSG_EQ(diffuser.GetParameters(), 675129632 - 256 * 1152, "DiT-XL/2");
    NS_TEST_EXPECT_MSG_EQ_TOL(1e-9 * diffuser.GetForwardMultiplyAdds(), 118.6, 0.1, "Published");
    NS_TEST_EXPECT_MSG_EQ(diffuser.GetSample(), "image", "Sample");
    const uint64_t conditions = GetOwn(diffuser, "layer5.attention.conditions") +
                                GetOwn(diffuser, "layer5.feed-forward.conditions");
    NS_TEST_EXPECT_MSG_EQ(conditions, 6 * 1152 * 1153, "adaLN");
    NS_TEST_EXPECT_MSG_EQ_TOL(1.0 * conditions / GetOwn(diffuser, "layer5."), 0.33, 0.005, "Third");
}

void
TransformerConfigTests::TestAttention()
{
    // The pairs of tokens, counted one by one
    TransformerShape shape;
    shape.attention = TransformerAttention::CAUSAL;
    for (const uint64_t window : {0, 1, 3, 10, 11})
    {
        shape.window = window;
        for (const uint64_t layer : {1, 2, 3})
        {
            uint64_t pairs = 0;
            shape.windowPeriod = 3;
            for (uint64_t query = 0; query < 10; ++query)
            {
                for (uint64_t key = 0; key <= query; ++key)
                {
                    pairs += window == 0 || layer == 3 || query - key < window ? 1 : 0;
                }
            }
            NS_TEST_EXPECT_MSG_EQ(shape.GetPairs(layer, 10, 10), pairs, "Window of " << window);
            // In no layer, as in the first of three; and in all layers, as in the third of three
            const uint64_t first = shape.GetPairs(1, 10, 10);
            const uint64_t third = shape.GetPairs(3, 10, 10);
            shape.windowPeriod = 0;
            NS_TEST_EXPECT_MSG_EQ(shape.GetPairs(layer, 10, 10), first, "All layers have it");
            shape.windowPeriod = 1;
            NS_TEST_EXPECT_MSG_EQ(shape.GetPairs(layer, 10, 10), third, "No layer has it");
        }
    }

    // FLOP for a token of a sequence of 8192: 2.524e12 if the half of the pairs count
    const auto flops = [](const std::string& name, double tokens) {
        const OperatorGraph graph = ModelZoo::Create(name);
        return 6.0 * graph.GetForwardMultiplyAdds() / tokens;
    };
    NS_TEST_EXPECT_MSG_EQ_TOL(flops("llama-3.1-405b", 8192), 2.524e12, 1e9, "Causal");
    NS_TEST_EXPECT_MSG_EQ_TOL(flops("llama-3.1-405b:attention=fused", 8192), 2.625e12, 1e9, "All");
    NS_TEST_EXPECT_MSG_EQ_TOL(flops("deepseek-v3:futureTokens=0", 4096), 250e9, 0.5e9, "V3");
    NS_TEST_EXPECT_MSG_EQ_TOL(flops("deepseek-v3", 4096), 260.5e9, 2e9, "Two tokens");

    // 10 tokens of width 24, 6 heads: queries of 4 + 2 from a rank of 12, keys from one of 8,
    // values of 5
    const OperatorGraph graph = ModelZoo::Create(
        "transformer:layers=1,hidden=24,heads=6,headWidth=4,queryRank=12,keyRank=8,rotaryWidth=2,"
        "valueWidth=5,sequence=10,positions=0,rotary=yes,biases=no,attention=causal,dropout=no");
    const std::string layer = "layer1.attention.";
    NS_TEST_EXPECT_MSG_EQ(Get(graph, layer + "compression").parameters, 24 * (12 + 8 + 2), "Ranks");
    NS_TEST_EXPECT_MSG_EQ(Get(graph, layer + "queries").parameters, 12 * 6 * 6, "Queries");
    NS_TEST_EXPECT_MSG_EQ(Get(graph, layer + "keys-values").parameters, 8 * 6 * 9, "Keys, values");
    NS_TEST_EXPECT_MSG_EQ(Get(graph, layer + "keys-values").inputBytes, 2 * 10 * 10, "Passed on");
    NS_TEST_EXPECT_MSG_EQ(Get(graph, layer + "projection").parameters, 6 * 5 * 24, "Output");
    const Operator& fused = Get(graph, layer + "fused");
    NS_TEST_EXPECT_MSG_EQ(fused.multiplyAdds, 6 * 55 * (6 + 5), "Half of the pairs");
    NS_TEST_EXPECT_MSG_EQ(fused.inputBytes, 2 * 10 * 6 * (6 + 6 + 5), "Queries, keys, values");
    NS_TEST_EXPECT_MSG_EQ(fused.outputBytes, 2 * 10 * 6 * 5, "Context");
    NS_TEST_EXPECT_MSG_EQ(Get(graph, layer + "fused.backward").multiplyAdds,
                          6 * 55 * (3 * 6 + 2 * 5),
                          "Scores anew, and four gradients");
    NS_TEST_EXPECT_MSG_EQ(Get(graph, layer + "keys-values").outputBytes +
                              Get(graph, layer + "rotation").outputBytes,
                          fused.inputBytes,
                          "All that is read is written");

    // A sink for each head, whatever the operators of the attention
    const std::string sinks = "gpt-oss-120b:layers=2,experts=4,window=0,attention=";
    const OperatorGraph unfused = ModelZoo::Create(sinks + "unfused");
    NS_TEST_EXPECT_MSG_EQ(GetOwn(unfused, "layer2.attention.softmax"), 64, "Sinks");
    NS_TEST_EXPECT_MSG_EQ(unfused.GetParameters(),
                          ModelZoo::Create(sinks + "fused").GetParameters(),
                          "Parameters");
}

void
TransformerConfigTests::TestScaled()
{
    // 10 tokens of width 256 for 2 of 4 experts
    const std::string name = "mixtral-8x7b:layers=1,hidden=256,heads=2,kvHeads=2,feedForward=512,"
                             "experts=4,sequence=10,vocabulary=100,attention=causal";
    const OperatorGraph half = ModelZoo::Create(name);
    const OperatorGraph scaled = ModelZoo::Create(name + ",precision=fp8,dispatch=fp8");
    const std::string layer = "layer1.";
    const auto factors = [](uint64_t elements) { return elements + 4 * elements / 128; };
    for (const auto* product : {"attention.qkv", "feed-forward.expansion", "attention.projection"})
    {
        const Operator& one = Get(half, layer + product);
        const Operator& other = Get(scaled, layer + product);
        NS_TEST_EXPECT_MSG_EQ((other.precision == Precision::FP8), true, product);
        NS_TEST_EXPECT_MSG_EQ(other.savedBytes, factors(one.savedBytes / 2), product);
        NS_TEST_EXPECT_MSG_EQ(other.readBytes, factors(one.readBytes / 2), product);
        NS_TEST_EXPECT_MSG_EQ(other.outputBytes, one.outputBytes, product);
        const Operator& weights = Get(scaled, layer + product + ".weight-gradient");
        NS_TEST_EXPECT_MSG_EQ((weights.precision == Precision::FP8), true, product);
        // Gradients are added to a sum of 4 bytes, which is read and written
        NS_TEST_EXPECT_MSG_EQ(weights.parameterBytes, 8 * other.parameters, product);
        // Inputs and gradients of results are read with 16 bits and written with 8 twice; tokens
        // and their gradients, 256 wide, are sorted by expert before and back
        const uint64_t sorted = other.experts > 0 ? 2 * 2 * 2 * 10 * 256 : 0;
        NS_TEST_EXPECT_MSG_EQ(other.movedBytes,
                              one.savedBytes + 2 * factors(one.savedBytes / 2) + sorted,
                              product);
        NS_TEST_EXPECT_MSG_EQ(one.movedBytes, sorted, product);
        NS_TEST_EXPECT_MSG_EQ(Get(scaled, layer + product + ".input-gradient").movedBytes,
                              one.outputBytes + 2 * factors(one.outputBytes / 2) + sorted,
                              product);
    }
    for (const auto* other :
         {"layer1.attention.fused", "layer1.feed-forward.router", "head.logits"})
    {
        NS_TEST_EXPECT_MSG_EQ((Get(scaled, other).precision == Precision::HALF), true, other);
        NS_TEST_EXPECT_MSG_EQ(Get(scaled, other).savedBytes, Get(half, other).savedBytes, other);
    }
    // Copies of tokens travel with 8 bits, their results with 16; gradients as well
    const uint64_t tokens = 2 * 10 * 256;
    const std::string experts = layer + "feed-forward.";
    NS_TEST_EXPECT_MSG_EQ(Get(half, experts + "dispatch").outputBytes, 2 * tokens, "To experts");
    NS_TEST_EXPECT_MSG_EQ(Get(scaled, experts + "dispatch").outputBytes, factors(tokens), "FP8");
    NS_TEST_EXPECT_MSG_EQ(Get(scaled, experts + "projection").outputBytes, 2 * tokens, "Back");
    NS_TEST_EXPECT_MSG_EQ(Get(scaled, experts + "combine.backward").outputBytes,
                          factors(tokens) + 2 * 2 * 10,
                          "Gradients to experts, and those of the weights");
    NS_TEST_EXPECT_MSG_EQ(Get(scaled, experts + "projection.input-gradient").inputBytes,
                          factors(tokens),
                          "Gradients that experts read");
    NS_TEST_EXPECT_MSG_EQ(Get(scaled, experts + "expansion.input-gradient").outputBytes,
                          2 * tokens,
                          "Gradients from experts");

    NS_TEST_EXPECT_MSG_EQ(scaled.parameterBytes, 2, "Parameters");
    const OperatorGraph narrow = ModelZoo::Create(name + ",precision=fp8,parameters=fp8");
    NS_TEST_EXPECT_MSG_EQ(narrow.parameterBytes, 1, "Parameters");
    NS_TEST_EXPECT_MSG_EQ(narrow.optimizerBytes, 12, "Master copy and moments");
    NS_TEST_EXPECT_MSG_EQ(Get(narrow, "layer1.attention.qkv").parameterBytes,
                          Get(narrow, "layer1.attention.qkv").parameters,
                          "Parameters");
    EXPECT_PART(GetError([&]() { ModelZoo::Create(name + ",parameters=fp8"); }),
                "parameters=fp8 needs precision=fp8");
    EXPECT_PART(GetError([]() { ModelZoo::Create("resnet50:precision=fp8"); }),
                "must be one of half, single, fp32");
    NS_TEST_EXPECT_MSG_EQ(ModelZoo::Create("gpt2-355m:precision=fp32").parameterBytes, 4, "FP32");

    // 16 factors of 4 bits share a byte
    const OperatorGraph four = ModelZoo::Create(name + ",precision=nvfp4");
    const Operator& product = Get(four, layer + "feed-forward.expansion");
    NS_TEST_EXPECT_MSG_EQ((product.precision == Precision::NVFP4), true, "Factors");
    NS_TEST_EXPECT_MSG_EQ(product.savedBytes, tokens / 2 + tokens / 16, "Factors");
    NS_TEST_EXPECT_MSG_EQ(product.outputBytes, 2 * 2 * 10 * 2 * 512, "Results");
    NS_TEST_EXPECT_MSG_EQ(four.parameterBytes, 2, "Parameters");
    NS_TEST_EXPECT_MSG_EQ((Get(four, "head.logits").precision == Precision::HALF), true, "Output");
}

void
TransformerConfigTests::TestFiles()
{
    // The files state the longest sequence; the zoo has that of the training
    const std::vector<std::pair<std::string, std::string>> models = {
        {"llama-2-13b", ""},
        {"llama-3.1-405b", "sequence=8192"},
        {"mistral-7b", "sequence=8192"},
        {"mixtral-8x22b", "sequence=4096"},
        {"qwen2.5-72b", "sequence=4096"},
        {"qwen3-235b-a22b", "sequence=4096"},
        {"deepseek-v2", "sequence=4096"},
        {"deepseek-v3", "sequence=4096"},
        {"gpt2-xl", "attention=unfused"},
        {"gpt-neox-20b", ""},
        {"opt-175b", ""},
        {"bloom-176b", ""},
        {"falcon-180b", ""},
    };
    for (const auto& model : models)
    {
        const std::string file = LIGHTPATH_DATA_DIR "/models/" + model.first + ".json";
        const OperatorGraph read = ModelZoo::Create(file + ":" + model.second);
        const OperatorGraph own = ModelZoo::Create(model.first);
        NS_TEST_EXPECT_MSG_EQ(GetDifferentOperator(read, own), "", model.first);
        NS_TEST_EXPECT_MSG_EQ(read.GetParameters(), own.GetParameters(), model.first);
        NS_TEST_EXPECT_MSG_EQ(read.GetName(), file, "Name");
    }
    CheckErrors();
}

void
TransformerConfigTests::TestFamilies()
{
    /// A file, and the parameters as published.
    struct Row
    {
        std::string type;              //!< The type of the model
        std::array<uint64_t, 6> sizes; //!< Width, layers, heads, those of keys, inner width, words
        std::string keys;              //!< Other keys, with single quotes
        uint64_t parameters;           //!< Parameters
    };

    // Qwen3-Next and GLM-4.5 are sums over their layers; what GLM-4.5 publishes has a copy of both
    // tables for the layer that predicts one token more
    const std::vector<Row> rows{
        {"phi3", {3072, 32, 32, 32, 8192, 32064}, "'sliding_window': 2047", 3821079552},
        {"phi3", {5120, 40, 40, 10, 17920, 100352}, "'sliding_window': null", 14659507200},
        {"gemma", {2048, 18, 8, 1, 16384, 256000}, "'head_dim': 256", 2506172416},
        {"gemma2",
         {3584, 42, 16, 8, 14336, 256000},
         "'head_dim': 256, 'hidden_activation': 'gelu_pytorch_tanh'",
         9241705984},
        {"gemma2", {2304, 26, 8, 4, 9216, 256000}, "'hidden_act': 'gelu_pytorch_tanh'", 2614341888},
        {"gemma3_text", {1152, 26, 4, 1, 6912, 262144}, "'sliding_window': 512", 999885952},
        {"glm4",
         {4096, 40, 32, 2, 13696, 151552},
         "'attention_bias': true, 'head_dim': 128",
         9400279040},
        {"glm", {4096, 40, 32, 2, 13696, 151552}, "'attention_bias': true", 9399951360},
        {"glm4_moe",
         {4096, 46, 96, 8, 10944, 151552},
         "'attention_bias': true, 'head_dim': 128, 'n_routed_experts': 128, 'n_shared_experts': 1, "
         "'num_experts_per_tok': 8, 'moe_intermediate_size': 1408, 'first_k_dense_replace': 1",
         106852251264},
        {"glm4_moe",
         {4096, 46, 96, 8, 10944, 151552},
         "'attention_bias': true, 'head_dim': 128, 'n_routed_experts': 128, 'n_shared_experts': 1, "
         "'num_experts_per_tok': 8, 'moe_intermediate_size': 1408, 'first_k_dense_replace': 1, "
         "'num_nextn_predict_layers': 1",
         109227310848},
        {"olmo2", {4096, 32, 32, 32, 11008, 100352}, "", 7298617344},
        {"cohere", {8192, 40, 64, 64, 22528, 256000}, "", 34980831232},
        {"cohere", {12288, 64, 96, 8, 33792, 256000}, "'use_qk_norm': true", 103810674688},
        {"cohere2", {4096, 32, 32, 8, 14336, 256000}, "'sliding_window': 4096", 8028033024},
        {"qwen2_moe",
         {2048, 24, 16, 16, 5632, 151936},
         "'num_experts': 60, 'num_experts_per_tok': 4, 'moe_intermediate_size': 1408, "
         "'shared_expert_intermediate_size': 5632, 'mlp_only_layers': []",
         14315784192},
        {"qwen3_next",
         {2048, 48, 16, 2, 5120, 151936},
         "'num_experts': 512, 'num_experts_per_tok': 10, 'moe_intermediate_size': 512, 'head_dim': "
         "256",
         79674391296},
        {"nemotron", {6144, 32, 48, 8, 24576, 256000}, "'hidden_act': 'relu2'", 15628775424},
        {"gpt_oss",
         {2880, 36, 64, 8, 2880, 201088},
         "'num_local_experts': 128, 'num_experts_per_tok': 4, 'attention_bias': true",
         116829156672},
        {"starcoder2",
         {4608, 32, 36, 4, 18432, 49152},
         "'sliding_window': 4096, 'use_bias': true",
         7173923840},
        {"starcoder2", {3072, 30, 24, 2, 12288, 49152}, "", 3030371328},
    };
    const auto check = [this](std::string text, const std::string& name, uint64_t parameters) {
        std::replace(text.begin(), text.end(), '\'', '"');
        std::istringstream input(text);
        const TransformerShape shape = HubConfig::Read(input, name);
        NS_TEST_EXPECT_MSG_EQ(TransformerModel::Build(shape).GetParameters(), parameters, name);
    };
    for (const auto& row : rows)
    {
        const auto key = [](const std::string& name, uint64_t value) {
            return ", '" + name + "': " + std::to_string(value);
        };
        check("{'model_type': '" + row.type + "', 'max_position_embeddings': 4096" +
                  key("hidden_size", row.sizes[0]) + key("num_hidden_layers", row.sizes[1]) +
                  key("num_attention_heads", row.sizes[2]) +
                  key("num_key_value_heads", row.sizes[3]) +
                  key("intermediate_size", row.sizes[4]) + key("vocab_size", row.sizes[5]) +
                  (row.keys.empty() ? "" : ", ") + row.keys + "}",
              row.type,
              row.parameters);
    }
    // Families with other keys, and texts of models that read images, too
    check("{'model_type': 'gptj', 'n_embd': 4096, 'n_layer': 28, 'n_head': 16, "
          "'n_positions': 2048, 'vocab_size': 50400, 'tie_word_embeddings': false}",
          "gptj",
          6050882784);
    check("{'model_type': 'mpt', 'd_model': 4096, 'n_heads': 32, 'n_layers': 32, "
          "'expansion_ratio': 4, 'max_seq_len': 2048, 'vocab_size': 50432, "
          "'attn_config': {'attn_type': 'multihead_attention', 'alibi': true}}",
          "mpt",
          6649286656);
    check("{'model_type': 'RefinedWebModel', 'hidden_size': 4544, 'n_layer': 32, 'n_head': 71, "
          "'multi_query': true, 'parallel_attn': true, 'bias': false, 'vocab_size': 65024}",
          "Falcon 7B",
          6921720704);
    check("{'model_type': 'RefinedWeb', 'hidden_size': 8192, 'n_layer': 60, 'n_head': 128, "
          "'n_head_kv': 8, 'parallel_attn': true, 'bias': false, 'vocab_size': 65024}",
          "Falcon 40B",
          41303293952);
    check("{'model_type': 'llama4', 'text_config': {'model_type': 'llama4_text', "
          "'hidden_size': 5120, 'num_hidden_layers': 48, 'num_local_experts': 16, "
          "'max_position_embeddings': 10485760}, 'vision_config': {'hidden_size': 1408}}",
          "llama4",
          107769861120);
    check("{'model_type': 'gemma3', 'text_config': {'model_type': 'gemma3_text', "
          "'hidden_size': 2560, 'intermediate_size': 10240, 'num_hidden_layers': 34}}",
          "gemma3",
          3880263168);
    check("{'model_type': 'kimi_k2', 'vocab_size': 163840, 'hidden_size': 7168, "
          "'intermediate_size': 18432, 'num_hidden_layers': 61, 'num_attention_heads': 64, "
          "'max_position_embeddings': 131072, 'first_k_dense_replace': 1, 'kv_lora_rank': 512, "
          "'q_lora_rank': 1536, 'qk_nope_head_dim': 128, 'qk_rope_head_dim': 64, "
          "'v_head_dim': 128, 'moe_intermediate_size': 2048, 'n_routed_experts': 384, "
          "'n_shared_experts': 1, 'num_experts_per_tok': 8, 'num_nextn_predict_layers': 0}",
          "kimi_k2",
          1026408232448);
}

void
TransformerConfigTests::CheckErrors()
{
    const auto read = [](const std::string& text) {
        std::istringstream input(text);
        return HubConfig::Read(input, "config.json");
    };
    const auto begin = [](const std::string& type) {
        return "{\"model_type\": \"" + type +
               "\", \"hidden_size\": 64, \"num_hidden_layers\": 2, "
               "\"num_attention_heads\": 4, \"intermediate_size\": 128, \"ffn_dim\": 128, "
               "\"vocab_size\": 100, \"max_position_embeddings\": 32";
    };
    const std::string llama = begin("llama");
    const std::string latent = ", \"qk_nope_head_dim\": 16, \"kv_lora_rank\": 8, "
                               "\"qk_rope_head_dim\": 8, \"v_head_dim\": 16, "
                               "\"n_routed_experts\": 4, \"num_experts_per_tok\": 2, "
                               "\"moe_intermediate_size\": 32";
    NS_TEST_EXPECT_MSG_EQ(read(begin("deepseek_v3") + latent + "}").expertPeriod, 1, "Experts");
    NS_TEST_EXPECT_MSG_EQ(read(begin("qwen2") + ", \"use_sliding_window\": true, "
                                                "\"max_window_layers\": 0, "
                                                "\"sliding_window\": 8}")
                              .window,
                          8,
                          "A window in all layers");
    NS_TEST_EXPECT_MSG_EQ(GetError([&]() { read(llama + ", \"other\": [1, {\"a\": 2}]}"); }),
                          "",
                          "Other keys");
    NS_TEST_EXPECT_MSG_EQ(read(llama + ", \"head_dim\": null}").GetHeadWidth(), 16, "No value");
    NS_TEST_EXPECT_MSG_EQ(read(llama + ", \"head_dim\": 32}").GetHeadWidth(), 32, "A value");
    NS_TEST_EXPECT_MSG_EQ(read(llama + ", \"tie_word_embeddings\": true}").tied, true, "Tied");
    // Biases of 4 x 64 numbers of attention, and of 2 x 128 and 64 numbers of the other block
    const uint64_t plain = TransformerModel::Build(read(llama + "}")).GetParameters();
    for (const auto& [keys, biases] : std::vector<std::pair<std::string, uint64_t>>{
             {", \"attention_bias\": true}", 256},
             {", \"mlp_bias\": true}", 320},
             {", \"attention_bias\": true, \"mlp_bias\": true}", 576}})
    {
        NS_TEST_EXPECT_MSG_EQ(TransformerModel::Build(read(llama + keys)).GetParameters(),
                              plain + 2 * biases,
                              keys);
    }
    const std::vector<std::pair<std::string, std::string>> faults = {
        {"", "config.json is empty: it must be a document {\"model_type\": \"llama\", ...}"},
        {"[1]", "config.json: a document must be an object, like {\"model_type\": \"llama\", ...}"},
        {"{\"model_type\": \"t5\"}",
         "/model_type is \"t5\", but must be one of RefinedWeb, RefinedWebModel, bloom, cohere"},
        {"{\"model_type\": \"llama\"}", "has no \"num_hidden_layers\""},
        {llama + ", \"num_key_value_heads\": 0}", "/num_key_value_heads is 0, but must be a whole"},
        {llama + ", \"attention_bias\": 1}", "/attention_bias is 1, but must be true or false"},
        {llama + ", \"hidden_size\": 64}", "has the key \"hidden_size\" twice"},
        {llama + ", \"hidden_act\": \"gelu\"}",
         "/hidden_act is \"gelu\", but must be one of silu, swish"},
        {begin("opt") + ", \"word_embed_proj_dim\": 32}",
         "/word_embed_proj_dim: there are no operators for this value: it must be hidden_size"},
        {begin("opt") + ", \"enable_bias\": false}",
         "/enable_bias: there are no operators for this value: it must be true"},
        {begin("opt") + ", \"layer_norm_elementwise_affine\": false}",
         "this value: it must be true"},
        {begin("opt") + ", \"_remove_final_layer_norm\": true}", "this value: it must be false"},
        {begin("opt") + ", \"activation_function\": \"gelu\"}", "but must be relu"},
        {begin("gpt_neox") + ", \"attention_bias\": false}", "it must be true"},
        {begin("gpt_neox") + ", \"hidden_act\": \"relu\"}", "but must be one of gelu, gelu_new"},
        {begin("falcon") + ", \"new_decoder_architecture\": true, \"num_ln_in_parallel_attn\": 1}",
         "/num_ln_in_parallel_attn: there are no operators for this value: it must be 2"},
        {begin("deepseek_v2") + ", \"attention_bias\": true}", "it must be false"},
        {begin("deepseek_v3") + latent + ", \"moe_layer_freq\": 2}", "this value: it must be 1"},
        {begin("qwen2") + ", \"use_sliding_window\": true}", "has no \"max_window_layers\""},
        {begin("qwen2") + ", \"use_sliding_window\": true, \"max_window_layers\": 2}",
         "/max_window_layers: there are no operators for this value: it must be 0 with "
         "use_sliding_window"},
        {"{\"model_type\": \"qwen3_moe\", \"mlp_only_layers\": [3]}", "must be an empty list"},
    };
    for (const auto& fault : faults)
    {
        EXPECT_PART(GetError([&]() { read(fault.first); }), fault.second);
    }
    const std::string file = LIGHTPATH_DATA_DIR "/models/gpt2-xl.json:";
    EXPECT_PART(GetError([&]() { ModelZoo::Create(file + "kvHeads=5"); }), "has no option");
    EXPECT_PART(GetError([&]() { ModelZoo::Create(file + "heads=7"); }), "divide the width");
    EXPECT_PART(GetError([&]() { ModelZoo::Create("none.json:layers=2"); }), "does not exist");
}

/// Registers the test cases
static const SuiteCases g_transformerConfigCases(
    "lightpath-workload",
    {{MakeCase("sizes of the transformers of today", &TransformerConfigTests::TestTotals),
      MakeCase("parts of the transformers of today", &TransformerConfigTests::TestParts),
      MakeCase("latent and causal attention", &TransformerConfigTests::TestAttention),
      MakeCase("products with 8 bits", &TransformerConfigTests::TestScaled),
      MakeCase("files that are published with weights", &TransformerConfigTests::TestFiles),
      MakeCase("families of published files", &TransformerConfigTests::TestFamilies)}});
