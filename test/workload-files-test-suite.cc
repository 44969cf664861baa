/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "expect-error.h"
#include "method-case.h"
#include "model/workload/operator-graph-reader.h"
#include "model/workload/operator-graph-writer.h"
#include "model/workload/training-graph-builder.h"
#include "workload-file-tests.h"

#include "ns3/model-zoo.h"

#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <tuple>

using namespace ns3;
using namespace ns3::lightpath;

OperatorGraph
ReadGraph(const std::string& text)
{
    std::istringstream input(text);
    return OperatorGraphReader::Read(input, "graph.json");
}

std::string
WriteGraph(const OperatorGraph& graph)
{
    std::ostringstream text;
    OperatorGraphWriter::Write(graph, text);
    return text.str();
}

namespace
{

/**
 * @param op an operator
 * @return all of its members
 */
auto
GetMembers(const Operator& op)
{
    return std::tie(op.name,
                    op.kind,
                    op.pass,
                    op.split,
                    op.precision,
                    op.selective,
                    op.sparse,
                    op.layer,
                    op.forward,
                    op.experts,
                    op.choice.perToken,
                    op.choice.groups,
                    op.choice.topGroups,
                    op.multiplyAdds,
                    op.flops,
                    op.readBytes,
                    op.writtenBytes,
                    op.inputBytes,
                    op.outputBytes,
                    op.savedBytes,
                    op.parameters,
                    op.parameterBytes,
                    op.indivisible);
}

} // namespace

std::string
GetDifferentOperator(const OperatorGraph& one, const OperatorGraph& other)
{
    if (one.GetOperators().size() != other.GetOperators().size())
    {
        return "number of operators";
    }
    for (uint32_t index = 0; index < one.GetOperators().size(); ++index)
    {
        const Operator& op = one.GetOperators()[index];
        if (GetMembers(op) != GetMembers(other.GetOperators()[index]))
        {
            return "operator " + op.name;
        }
        if (one.GetSuccessors(index) != other.GetSuccessors(index) ||
            one.GetPredecessors(index) != other.GetPredecessors(index))
        {
            return "edges of " + op.name;
        }
    }
    return "";
}

namespace
{

/**
 * @param one a graph
 * @param other another graph
 * @return the first difference; empty if they are equal
 */
std::string
GetDifference(const OperatorGraph& one, const OperatorGraph& other)
{
    if (one.GetName() != other.GetName() || one.GetSample() != other.GetSample())
    {
        return "name";
    }
    if (one.parameterBytes != other.parameterBytes || one.gradientBytes != other.gradientBytes ||
        one.optimizerBytes != other.optimizerBytes)
    {
        return "bytes of parameters";
    }
    return GetDifferentOperator(one, other);
}

/**
 * @param name the name of a file
 * @param text its text
 * @return the name
 */
std::string
WriteFile(const std::string& name, const std::string& text)
{
    std::ofstream(name) << text;
    return name;
}

} // namespace

/**
 * @ingroup lightpath-tests
 * @brief Test suite of the files of models and times.
 */
class WorkloadFilesTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /// Check that graphs are the same after they were written and read.
    void TestGraphRoundTrip();

    /// Check that operators and keys may have any order.
    void TestGraphOrder();

    /**
     * Check graphs that are made from the forward pass of a file against those that
     * TrainingGraphBuilder makes from the formulas of the same operators.
     */
    void TestForwardGraph();

    /// Check models that are named by a file.
    void TestModelFile();

  private:
    /// Check two matrix products, stated by a few numbers.
    void CheckProducts();

    /// Check one operator of each kind, shared parameters and reads of a part.
    void CheckKinds();

    /// Check parameters of several operators, and gradients that nothing needs.
    void CheckShared();
};

void
WorkloadFilesTests::TestGraphRoundTrip()
{
    for (const auto& name : ModelZoo::GetNames())
    {
        const OperatorGraph graph = ModelZoo::Create(name);
        const std::string text = WriteGraph(graph);
        const OperatorGraph copy = ReadGraph(text);
        NS_TEST_EXPECT_MSG_EQ(GetDifference(graph, copy), "", name);
        NS_TEST_EXPECT_MSG_EQ((WriteGraph(copy) == text), true, "Bytes of " << name);
    }

    // Numbers above 2^53 could not be read again
    const OperatorGraph large = ModelZoo::Create("megatron-1b:hidden=3000000,layers=1");
    NS_TEST_EXPECT_MSG_EQ(Contains(GetError([&large]() { WriteGraph(large); }), "exceed 2^53"),
                          true,
                          "large numbers");

    // Each member with a value that is not the usual one, and a name with all kinds of characters
    OperatorGraph graph("a \"model\" \\ \xc3\xa9", "row");
    graph.parameterBytes = 3;
    graph.gradientBytes = 64;
    graph.optimizerBytes = 0;
    Operator op;
    op.name = "first [1], {2}";
    op.kind = OperatorKind::POOLING;
    op.split = TensorSplit::SEQUENCE;
    op.precision = Precision::SINGLE;
    op.selective = true;
    op.sparse = true;
    op.layer = 7;
    op.experts = 1000000;
    op.choice = {6, 5, 4};
    op.multiplyAdds = 1;
    op.flops = uint64_t(1) << 53;
    op.readBytes = 3;
    op.writtenBytes = 4;
    op.inputBytes = 5;
    op.outputBytes = 6;
    op.savedBytes = 7;
    op.parameters = 8;
    op.parameterBytes = 9;
    op.indivisible = 10;
    graph.AddOperator(op);
    for (const auto pass : {Pass::BACKWARD, Pass::UPDATE})
    {
        op.name += " again";
        op.pass = pass;
        graph.AddEdge(0, graph.AddOperator(op));
    }
    NS_TEST_EXPECT_MSG_EQ(GetDifference(graph, ReadGraph(WriteGraph(graph))), "", "All members");
}

void
WorkloadFilesTests::TestGraphOrder()
{
    const OperatorGraph graph = ReadGraph(R"({
        "edges": [["b", "b'"], ["b", "free'"], ["a", "b"], ["b'", "a'"], ["a'", "a!"]],
        "operators": [
            {"pass": "update", "forward": "a", "name": "a!"},
            {"name": "a'", "kind": "matmul", "pass": "backward", "forward": "a"},
            {"name": "free'", "kind": "loss", "pass": "backward", "forward": "b"},
            {"name": "b", "kind": "loss", "layer": 1, "split": "sharded", "flops": 2e3},
            {"name": "b'", "kind": "loss", "pass": "backward", "forward": "b"},
            {"name": "c", "kind": "elementwise"},
            {"name": "a", "kind": "matmul"}],
        "name": "m", "version": 1, "format": "lightpath-operator-graph"})");
    const std::vector<std::string> order = {"c", "a", "b", "free'", "b'", "a'", "a!"};
    NS_TEST_ASSERT_MSG_EQ(graph.GetOperators().size(), order.size(), "Operators");
    for (uint32_t index = 0; index < order.size(); ++index)
    {
        NS_TEST_EXPECT_MSG_EQ(graph.GetOperators()[index].name, order[index], "Order");
    }
    const auto& operators = graph.GetOperators();
    NS_TEST_EXPECT_MSG_EQ(graph.GetSample(), "sample", "The usual name of a sample");
    NS_TEST_EXPECT_MSG_EQ(operators[2].flops, 2000, "A whole number with an exponent");
    NS_TEST_EXPECT_MSG_EQ(operators[4].forward, 2, "b' belongs to b");
    NS_TEST_EXPECT_MSG_EQ(operators[4].layer, 1, "b' has the layer of b");
    NS_TEST_EXPECT_MSG_EQ((operators[4].split == TensorSplit::SHARDED), true, "And its split");
    NS_TEST_EXPECT_MSG_EQ((operators[6].kind == OperatorKind::OPTIMIZER), true, "An update");
    NS_TEST_EXPECT_MSG_EQ((graph.GetSuccessors(2) == std::vector<uint32_t>{3, 4}),
                          true,
                          "b to free' and b'");
}

void
WorkloadFilesTests::TestForwardGraph()
{
    CheckProducts();
    CheckKinds();
    CheckShared();
}

void
WorkloadFilesTests::CheckProducts()
{
    // Single precision: 4 bytes for a number
    const OperatorGraph graph = ReadGraph(R"({
        "format": "lightpath-operator-graph", "version": 1, "name": "mlp", "sample": "image",
        "passes": "forward", "precision": "single", "optimizer": "momentum",
        "operators": [
            {"name": "hidden.product", "kind": "matmul", "split": "column", "multiplyAdds": 401408,
             "inputBytes": 3136, "outputBytes": 2048, "parameters": 401920},
            {"name": "output.product", "kind": "matmul", "split": "row", "layer": 1,
             "multiplyAdds": 5120, "outputBytes": 40, "parameters": 5130},
            {"name": "output.loss", "kind": "loss", "layer": 1, "flops": 50, "backwardFlops": 10,
             "writtenBytes": 40, "outputBytes": 4, "savedBytes": 40}],
        "edges": [["hidden.product", "output.product"], ["output.product", "output.loss"]]})");

    TrainingOptions options;
    options.precision = Precision::SINGLE;
    options.optimizer = Optimizer::MOMENTUM;
    TrainingGraphBuilder builder("mlp", "image", options);
    const OperatorFormulas& formulas = builder.GetFormulas();
    builder.BeginLayer("hidden");
    const uint32_t hidden =
        builder.Add("product", formulas.Matmul(1, 784, 512, 512), TensorSplit::COLUMN, {});
    builder.BeginLayer("output");
    const uint32_t output =
        builder.Add("product", formulas.Matmul(1, 512, 10, 10), TensorSplit::ROW, {hidden});
    builder.Add("loss", formulas.CrossEntropy(1, 10), TensorSplit::REPLICATED, {output});
    NS_TEST_EXPECT_MSG_EQ(GetDifference(builder.Build(), graph), "", "Two products");
    NS_TEST_EXPECT_MSG_EQ(GetDifference(graph, ReadGraph(WriteGraph(graph))), "", "All passes");
}

void
WorkloadFilesTests::CheckKinds()
{
    // Half precision, 6 tokens of 8 elements, 2 heads, 20 words
    const OperatorGraph graph = ReadGraph(R"({
        "format": "lightpath-operator-graph", "version": 1, "name": "m", "passes": "forward",
        "operators": [
            {"name": "l.table", "kind": "embedding", "inputBytes": 24, "readBytes": 120,
             "outputBytes": 96, "savedBytes": 24, "parameters": 160, "backwardFlops": 48,
             "backwardReadBytes": 216, "backwardWrittenBytes": 96},
            {"name": "l.qkv", "kind": "matmul", "multiplyAdds": 1152, "outputBytes": 288,
             "parameters": 216},
            {"name": "l.scores", "kind": "attention", "multiplyAdds": 288, "outputBytes": 144},
            {"name": "l.softmax", "kind": "softmax", "flops": 360, "outputBytes": 144},
            {"name": "l.context", "kind": "attention", "multiplyAdds": 288, "outputBytes": 96},
            {"name": "l.gelu", "kind": "elementwise", "flops": 384, "outputBytes": 96,
             "savedBytes": 96},
            {"name": "l.norm", "kind": "normalization", "flops": 384, "outputBytes": 96,
             "parameters": 16, "backwardFlops": 768, "backwardReadBytes": 384},
            {"name": "l.logits", "kind": "matmul", "multiplyAdds": 960, "outputBytes": 240,
             "tied": "l.table", "parameters": 180},
            {"name": "l.loss", "kind": "loss", "flops": 600, "backwardFlops": 120,
             "writtenBytes": 480, "outputBytes": 4, "savedBytes": 480}],
        "edges": [["l.table", "l.qkv"], ["l.qkv", "l.scores", 192], ["l.scores", "l.softmax"],
                  ["l.qkv", "l.context", 96], ["l.softmax", "l.context"],
                  ["l.context", "l.gelu"], ["l.gelu", "l.norm"], ["l.norm", "l.logits"],
                  ["l.logits", "l.loss"]]})");

    constexpr auto SPLIT = TensorSplit::REPLICATED;
    TrainingGraphBuilder builder("m", "sample");
    const OperatorFormulas& formulas = builder.GetFormulas();
    builder.BeginLayer("l");
    const uint32_t table = builder.Add("table", formulas.Lookup(6, 8, 20), SPLIT, {});
    const uint32_t qkv = builder.Add("qkv", formulas.Matmul(6, 8, 24, 24), SPLIT, {table});
    const uint32_t scores =
        builder.Add("scores", formulas.Attention(2, 6, 4, 6), SPLIT, {{qkv, 192}});
    const uint32_t softmax = builder.Add("softmax", formulas.Softmax(72), SPLIT, {scores});
    const uint32_t context =
        builder.Add("context", formulas.Attention(2, 6, 6, 4), SPLIT, {{qkv, 96}, softmax});
    const uint32_t gelu = builder.Add("gelu", formulas.Gelu(48), SPLIT, {context});
    const uint32_t norm = builder.Add("norm", formulas.LayerNorm(6, 8), SPLIT, {gelu});
    const uint32_t logits = builder.Add("logits", formulas.Matmul(6, 8, 20, 20), SPLIT, {norm});
    builder.Tie(logits, table);
    builder.Add("loss", formulas.CrossEntropy(6, 20), SPLIT, {logits});
    NS_TEST_EXPECT_MSG_EQ(GetDifference(builder.Build(), graph), "", "Operators of each kind");
}

void
WorkloadFilesTests::CheckShared()
{
    const OperatorGraph graph = ReadGraph(R"({
        "format": "lightpath-operator-graph", "version": 1, "name": "m", "passes": "forward",
        "optimizer": "sgd",
        "operators": [
            {"name": "a", "kind": "matmul", "multiplyAdds": 20, "outputBytes": 10, "parameters": 20},
            {"name": "b", "kind": "matmul", "multiplyAdds": 6, "outputBytes": 6, "parameters": 6},
            {"name": "c", "kind": "matmul", "multiplyAdds": 30, "outputBytes": 4, "savedBytes": 0,
             "parameters": 30, "tied": ["a", "b"], "tiedParameters": 18},
            {"name": "d", "kind": "matmul", "multiplyAdds": 9, "outputBytes": 4,
             "parameterBytes": 18, "backwardFlops": 0}],
        "edges": [["a", "b"], ["a", "c"], ["b", "c"], ["c", "d"]]})");
    std::map<std::string, Operator> operators;
    std::map<std::string, uint64_t> updated;
    std::set<std::string> before;
    for (uint32_t i = 0; i < graph.GetOperators().size(); ++i)
    {
        const Operator& op = graph.GetOperators()[i];
        operators[op.name] = op;
        if (op.pass == Pass::UPDATE)
        {
            updated[op.name] = op.parameters;
        }
        for (const auto from : graph.GetPredecessors(i))
        {
            before.insert(graph.GetOperators()[from].name + " " + op.name);
        }
    }
    NS_TEST_EXPECT_MSG_EQ(graph.optimizerBytes, 4, "A master copy alone");
    // 12 of the 30 parameters of c are its own, and 18 those of a and b
    NS_TEST_EXPECT_MSG_EQ(
        (updated ==
         std::map<std::string, uint64_t>{{"a.update", 20}, {"b.update", 6}, {"c.update", 12}}),
        true,
        "Updates");
    for (const auto* owner : {"a", "b"})
    {
        const std::string sum = std::string("c.weight-gradient ") + owner + ".weight-gradient";
        NS_TEST_EXPECT_MSG_EQ(before.count(sum), 1, sum);
    }
    const Operator& shared = operators["c.weight-gradient"];
    NS_TEST_EXPECT_MSG_EQ(shared.parameterBytes, 2 * 2 * 30, "Sum of gradients of all");
    NS_TEST_EXPECT_MSG_EQ(shared.readBytes, 4 + 10 + 6, "The input, which others keep");
    const Operator& none = operators["d.weight-gradient"];
    NS_TEST_EXPECT_MSG_EQ(none.flops + none.multiplyAdds + none.readBytes, 0, "No parameters");
    const Operator& unneeded = operators["d.input-gradient"];
    NS_TEST_EXPECT_MSG_EQ(unneeded.multiplyAdds + unneeded.parameterBytes, 0, "No gradient");
}

void
WorkloadFilesTests::TestModelFile()
{
    const std::string options = "bert-large:layers=2,sequence=64,predictions=8,precision=single";
    const OperatorGraph graph = ModelZoo::Create(options);
    const std::string whole = WriteFile(CreateTempDirFilename("graph.json"), WriteGraph(graph));
    NS_TEST_EXPECT_MSG_EQ(GetDifference(ModelZoo::Create(whole), graph), "", "Graph");
    NS_TEST_EXPECT_MSG_EQ(ModelZoo::GetOptions(whole).GetOptions().size(), 0, "None");

    const std::string begin = R"({"version": 1, "format": "lightpath-model",)";
    const std::string model =
        WriteFile(CreateTempDirFilename("model.json"),
                  begin +
                      R"("options": {"layers": 2, "sequence": "64", "predictions": 8,
                                          "precision": "single"}, "model": "bert-large"})");
    NS_TEST_EXPECT_MSG_EQ(GetDifference(ModelZoo::Create(model), graph), "", "Options");
    NS_TEST_EXPECT_MSG_EQ(ModelZoo::GetOptions(model).GetNumber("layers"), 2, "Layers");

    const std::vector<std::pair<std::string, std::string>> wrong = {
        {begin + "\"model\": \"nothing\"}", ": /model: There is no model \"nothing\""},
        {begin + "\"model\": \"a.json\"}", ": /model: a model of the zoo must be named here"},
        {begin + "\"options\": {}}", ": the document has no \"model\""},
        {begin + R"("model": "bert-large", "options": {"layrs": 2}})",
         ": /options/layrs: Model \"bert-large\" has no option \"layrs\""},
        {begin + R"("model": "bert-large", "options": {"layers": 0.5}})",
         ": /options/layers is 0.5, but must be a whole number"},
        {begin + R"("model": "bert-large", "options": {"layers": 0}})",
         ": /options/layers: Option layers of model \"bert-large\" cannot be \"0\""},
        {begin + R"("model": "bert-large", "options": [2]})",
         ": /options is a list, but must be an object"},
        {R"({"format": "lightpath-profile", "version": 1})",
         " has the format \"lightpath-profile\", but a model must have"},
        {"[]", ": a document must be an object"},
    };
    for (const auto& each : wrong)
    {
        const std::string file = WriteFile(CreateTempDirFilename("wrong.json"), each.first);
        const std::string error = GetError([&]() { ModelZoo::Create(file); });
        EXPECT_PART(error, file + each.second);
    }
    NS_TEST_EXPECT_MSG_EQ(GetError([]() { ModelZoo::Create("/nowhere/x.json"); }),
                          "/nowhere/x.json does not exist",
                          "No file");
    NS_TEST_EXPECT_MSG_EQ(GetError([]() { OperatorGraphReader::ReadFile("/"); }),
                          "/ is a directory: it must be a file",
                          "A directory");
}

/// Registers the test cases
static const SuiteCases g_workloadFilesCases(
    "lightpath-workload-files",
    {{MakeCase("graphs that are written and read", &WorkloadFilesTests::TestGraphRoundTrip),
      MakeCase("operators in any order", &WorkloadFilesTests::TestGraphOrder),
      MakeCase("graphs from the forward pass", &WorkloadFilesTests::TestForwardGraph),
      MakeCase("files as models", &WorkloadFilesTests::TestModelFile)}});
