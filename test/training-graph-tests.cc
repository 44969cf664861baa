/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "expect-error.h"
#include "method-case.h"
#include "model/workload/training-graph-builder.h"

#include "ns3/model-zoo.h"

#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::lightpath;

/**
 * @ingroup lightpath-tests
 * @brief Check the invariants of the graph of any model.
 */
class TrainingGraphInvariantsTestCase : public TestCase
{
  public:
    /**
     * @param model the name of a model, with options
     */
    explicit TrainingGraphInvariantsTestCase(const std::string& model)
        : TestCase("graph of " + model),
          m_graph(ModelZoo::Create(model + (model.find(':') == std::string::npos ? ":" : ",") +
                                   "gradients=half,precision=half,optimizer=adam"))
    {
    }

  private:
    void DoRun() override;

    /**
     * @param index the index of an operator
     * @return the operators that it depends on and itself, by index
     */
    std::vector<bool> GetAncestors(uint32_t index) const;

    /**
     * Check the backward and update operators of a forward operator.
     *
     * @param index its index
     */
    void CheckDerived(uint32_t index);

    /**
     * Check that gradients flow against the edges of the forward pass.
     *
     * @param index the index of a forward operator
     */
    void CheckMirror(uint32_t index);

    /**
     * @param index the index of a forward operator
     * @return the backward operators that belong to it
     */
    std::vector<uint32_t> GetBackward(uint32_t index) const;

    OperatorGraph m_graph; //!< The graph
};

void
TrainingGraphInvariantsTestCase::DoRun()
{
    const auto& operators = m_graph.GetOperators();
    uint64_t gradients = 0;
    uint64_t updated = 0;
    Pass pass = Pass::FORWARD;
    for (uint32_t index = 0; index < operators.size(); ++index)
    {
        const Operator& op = operators[index];
        NS_TEST_EXPECT_MSG_EQ((op.pass >= pass), true, "The passes follow one another");
        pass = op.pass;
        gradients += op.pass == Pass::BACKWARD ? op.parameters : 0;
        updated += op.pass == Pass::UPDATE ? op.parameters : 0;
        for (const auto successor : m_graph.GetSuccessors(index))
        {
            NS_TEST_EXPECT_MSG_GT(successor, index, "Topological order");
            NS_TEST_EXPECT_MSG_EQ((operators[successor].pass >= op.pass), true, "Order of passes");
        }
        NS_TEST_EXPECT_MSG_EQ((operators[op.forward].pass == Pass::FORWARD), true, op.name);
        NS_TEST_EXPECT_MSG_EQ((operators[op.forward].split == op.split), true, op.name);
        NS_TEST_EXPECT_MSG_EQ(operators[op.forward].layer, op.layer, op.name);
        if (op.pass == Pass::FORWARD)
        {
            NS_TEST_EXPECT_MSG_EQ(op.forward, index, op.name);
            CheckDerived(index);
            CheckMirror(index);
        }
    }
    NS_TEST_EXPECT_MSG_EQ(gradients, m_graph.GetParameters(), "One gradient for a parameter");
    NS_TEST_EXPECT_MSG_EQ(updated, m_graph.GetParameters(), "One update for a parameter");
    NS_TEST_EXPECT_MSG_EQ(m_graph.gradientBytes, 2, "Gradients in half precision");
    NS_TEST_EXPECT_MSG_EQ(m_graph.GetStateBytes(),
                          2 + 2 + 3 * 4,
                          "Weight, gradient, state of Adam");
}

std::vector<uint32_t>
TrainingGraphInvariantsTestCase::GetBackward(uint32_t index) const
{
    const auto& operators = m_graph.GetOperators();
    std::vector<uint32_t> backward;
    for (uint32_t other = 0; other < operators.size(); ++other)
    {
        if (operators[other].pass == Pass::BACKWARD && operators[other].forward == index)
        {
            backward.push_back(other);
        }
    }
    return backward;
}

std::vector<bool>
TrainingGraphInvariantsTestCase::GetAncestors(uint32_t index) const
{
    std::vector<bool> ancestors(m_graph.GetOperators().size());
    ancestors[index] = true;
    for (uint32_t other = index + 1; other-- > 0;)
    {
        if (ancestors[other])
        {
            for (const auto predecessor : m_graph.GetPredecessors(other))
            {
                ancestors[predecessor] = true;
            }
        }
    }
    return ancestors;
}

void
TrainingGraphInvariantsTestCase::CheckDerived(uint32_t index)
{
    const auto& operators = m_graph.GetOperators();
    const Operator& forward = operators[index];
    const bool product =
        forward.kind == OperatorKind::MATMUL || forward.kind == OperatorKind::CONVOLUTION;
    const bool first = m_graph.GetPredecessors(index).empty();
    const std::vector<uint32_t> backward = GetBackward(index);
    NS_TEST_EXPECT_MSG_EQ(backward.size(),
                          (product && !first ? 2 : 1),
                          "Backward operators of " << forward.name);
    uint64_t flops = 0;
    uint64_t multiplyAdds = 0;
    for (const auto other : backward)
    {
        NS_TEST_EXPECT_MSG_EQ((operators[other].kind == forward.kind), true, forward.name);
        NS_TEST_EXPECT_MSG_EQ(operators[other].inputBytes, forward.outputBytes, forward.name);
        NS_TEST_EXPECT_MSG_EQ(operators[other].savedBytes, 0, forward.name);
        multiplyAdds += operators[other].multiplyAdds;
        flops += operators[other].flops;
    }
    if (Contains(forward.name, ".fused"))
    {
        // Five products for two: three as wide as queries, which a latent attention has wider than
        // values by a half
        NS_TEST_EXPECT_MSG_EQ((2 * multiplyAdds >= 5 * forward.multiplyAdds &&
                               10 * multiplyAdds <= 26 * forward.multiplyAdds),
                              true,
                              "Multiply-adds of the gradients of " << forward.name);
    }
    else
    {
        NS_TEST_EXPECT_MSG_EQ(multiplyAdds,
                              (product && first ? 1 : 2) * forward.multiplyAdds,
                              "Multiply-adds of the gradients of " << forward.name);
    }
    NS_TEST_EXPECT_MSG_EQ((flops >= 2 * multiplyAdds), true, forward.name);
    NS_TEST_EXPECT_MSG_EQ((forward.flops >= 2 * forward.multiplyAdds), true, forward.name);

    uint32_t updates = 0;
    for (uint32_t other = index + 1; other < operators.size(); ++other)
    {
        if (operators[other].pass != Pass::UPDATE || operators[other].forward != index)
        {
            continue;
        }
        ++updates;
        NS_TEST_EXPECT_MSG_EQ(operators[other].parameters, forward.parameters, forward.name);
        NS_TEST_EXPECT_MSG_EQ(operators[other].sparse, forward.sparse, forward.name);
        NS_TEST_EXPECT_MSG_EQ(operators[other].parameterBytes,
                              (forward.sparse ? 0 : 28 * forward.parameters),
                              "Gradient, weight, and master weight and moments twice");
        NS_TEST_EXPECT_MSG_EQ((operators[other].kind == OperatorKind::OPTIMIZER), true, "Kind");
        NS_TEST_EXPECT_MSG_EQ(
            (m_graph.GetPredecessors(other) == std::vector<uint32_t>{backward.back()}),
            true,
            "An update needs the gradient of " << forward.name);
        NS_TEST_EXPECT_MSG_EQ(operators[backward.back()].parameters,
                              forward.parameters,
                              "Gradient of the parameters of " << forward.name);
    }
    NS_TEST_EXPECT_MSG_EQ(updates, (forward.parameters > 0 ? 1 : 0), forward.name);
}

void
TrainingGraphInvariantsTestCase::CheckMirror(uint32_t index)
{
    const auto& operators = m_graph.GetOperators();
    for (const auto own : GetBackward(index))
    {
        const std::vector<bool> ancestors = GetAncestors(own);
        for (const auto reader : m_graph.GetSuccessors(index))
        {
            if (operators[reader].pass == Pass::FORWARD)
            {
                NS_TEST_EXPECT_MSG_EQ(ancestors[GetBackward(reader).front()],
                                      true,
                                      operators[own].name << " needs the gradient of "
                                                          << operators[reader].name);
            }
        }
    }
    NS_TEST_EXPECT_MSG_EQ(GetAncestors(GetBackward(index).back())[index],
                          true,
                          "The gradient needs what was kept by " << operators[index].name);
    if (operators[index].kind != OperatorKind::LOSS)
    {
        NS_TEST_EXPECT_MSG_GT(m_graph.GetSuccessors(index).size(), 0, "Dead end");
    }
}

/**
 * @ingroup lightpath-tests
 * @brief The test cases of the derivation of backward and update operators.
 */
class TrainingGraphTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /// Check the memory traffic of operators against counts of what a kernel reads and writes.
    void TestOperatorFormulas();

    /// Check by hand the gradients of outputs read several times and of shared parameters.
    void TestTrainingGraphBuilder();

  private:
    /// Check the sum of the gradients of a residual connection.
    void CheckSum();

    /// Check parameters that two operators use.
    void CheckTie();

    /// Check that the backward pass waits for the last operator, whatever its kind.
    void CheckLast();

    /// Check the refusals.
    void CheckErrors();

    /**
     * @param graph a graph
     * @param name the name of an operator of it
     * @return its index
     */
    static uint32_t Find(const OperatorGraph& graph, const std::string& name);
};

void
TrainingGraphTests::TestOperatorFormulas()
{
    /// Bytes that an operator moves, in hundreds.
    struct Traffic
    {
        const char* name;         //!< Name of the operator
        OperatorCosts costs;      //!< The operator
        uint64_t read;            //!< Forward, read
        uint64_t written;         //!< Forward, written
        uint64_t saved;           //!< Kept between the passes
        uint64_t backwardRead;    //!< Backward, read
        uint64_t backwardWritten; //!< Backward, written
    };

    // Activations of 2 bytes, masks of 1 byte, probabilities of 4 bytes
    const std::vector<Traffic> table = {
        {"batch norm", OperatorFormulas().BatchNorm(100, 5), 4, 2, 2, 6, 2},
        {"layer norm", OperatorFormulas().LayerNorm(5, 20), 2, 2, 2, 8, 2},
        {"softmax", OperatorFormulas().Softmax(100), 2, 2, 2, 4, 2},
        {"gelu", OperatorFormulas().Gelu(100), 2, 2, 2, 4, 2},
        {"relu", OperatorFormulas().Relu(100), 2, 2, 0, 4, 2},
        {"relu and dropout", OperatorFormulas().ReluDropout(100), 2, 3, 1, 3, 2},
        {"dropout", OperatorFormulas().Dropout(100), 2, 3, 1, 3, 2},
        {"dropout and sum", OperatorFormulas().DropoutAdd(100), 4, 3, 1, 3, 2},
        {"sum", OperatorFormulas().Add(100), 4, 2, 0, 0, 0},
        {"tables", OperatorFormulas().AddTables(100, 9), 2, 2, 0, 2, 0},
        {"loss", OperatorFormulas().CrossEntropy(5, 20), 2, 4, 4, 4, 2},
        {"average", OperatorFormulas().AveragePool(200, 50), 4, 1, 0, 1, 4},
        // Factors of 5 x 20 and 20 x 5 and products of 5 x 5, in each of 2 heads
        {"attention", OperatorFormulas().Attention(2, 5, 20, 5), 8, 1, 8, 10, 8},
    };
    for (const auto& row : table)
    {
        const Operator& forward = row.costs.forward;
        const Operator& backward = row.costs.backward;
        NS_TEST_EXPECT_MSG_EQ(forward.readBytes, 100 * row.read, row.name);
        NS_TEST_EXPECT_MSG_EQ(forward.writtenBytes, 100 * row.written, row.name);
        NS_TEST_EXPECT_MSG_EQ(forward.savedBytes, 100 * row.saved, row.name);
        NS_TEST_EXPECT_MSG_EQ(backward.readBytes, 100 * row.backwardRead, row.name);
        NS_TEST_EXPECT_MSG_EQ(backward.writtenBytes, 100 * row.backwardWritten, row.name);
    }

    // 5 of 30 rows of 20 elements, with an index of 4 bytes for each
    const OperatorCosts gather = OperatorFormulas().Gather(5, 20, 30);
    NS_TEST_EXPECT_MSG_EQ(gather.forward.readBytes, 5 * (2 * 20 + 4), "Rows and indices");
    NS_TEST_EXPECT_MSG_EQ(gather.forward.savedBytes, 5 * 4, "Indices");
    NS_TEST_EXPECT_MSG_EQ(gather.backward.writtenBytes, 30 * 2 * 20, "All rows of the gradient");
    const OperatorCosts lookup = OperatorFormulas().Lookup(5, 20, 30);
    NS_TEST_EXPECT_MSG_EQ(lookup.forward.readBytes, 5 * (2 * 20 + 4), "Rows and indices");
    NS_TEST_EXPECT_MSG_EQ(lookup.forward.parameterBytes, 0, "Not the whole table");
    NS_TEST_EXPECT_MSG_EQ(lookup.backward.parameterBytes, 2 * 600, "A dense gradient");
    const OperatorCosts pool = OperatorFormulas().MaxPool(400, 100, 9);
    NS_TEST_EXPECT_MSG_EQ(pool.forward.flops, 900, "Comparisons");
    NS_TEST_EXPECT_MSG_EQ(pool.forward.savedBytes, 100, "Positions of the maxima");
    const OperatorCosts norm = OperatorFormulas().LayerNorm(5, 20);
    NS_TEST_EXPECT_MSG_EQ(norm.forward.parameterBytes, 2 * 40, "Scale and offset");
    NS_TEST_EXPECT_MSG_EQ(norm.backward.parameterBytes, 4 * 40, "And their gradients");
}

uint32_t
TrainingGraphTests::Find(const OperatorGraph& graph, const std::string& name)
{
    uint32_t index = 0;
    while (graph.GetOperators().at(index).name != name)
    {
        ++index;
    }
    return index;
}

void
TrainingGraphTests::TestTrainingGraphBuilder()
{
    CheckSum();
    CheckTie();
    CheckLast();
    CheckErrors();
}

void
TrainingGraphTests::CheckSum()
{
    constexpr auto SPLIT = TensorSplit::REPLICATED;
    uint32_t x = 0;
    const auto build = [&x](Precision gradients) {
        TrainingOptions options;
        options.gradients = gradients;
        TrainingGraphBuilder builder("model", "sample", options);
        builder.BeginLayer("l");
        x = builder.Add("x", OperatorFormulas().Matmul(10, 20, 30, 30), SPLIT, {});
        const uint32_t y = builder.Add("y", OperatorFormulas().Matmul(10, 30, 30, 0), SPLIT, {x});
        const uint32_t z = builder.Add("z", OperatorFormulas().Add(300), SPLIT, {y, x});
        builder.Add("loss", OperatorFormulas().CrossEntropy(10, 30), SPLIT, {z});
        return builder.Build();
    };
    const OperatorGraph graph = build(Precision::HALF);
    const OperatorGraph single = build(Precision::SINGLE);
    const auto& operators = graph.GetOperators();

    const uint32_t sum = Find(graph, "l.y.input-gradient");
    const uint32_t add = Find(graph, "l.z.backward");
    NS_TEST_EXPECT_MSG_EQ((graph.GetPredecessors(sum) == std::vector<uint32_t>{add}),
                          true,
                          "The first reader sums");
    NS_TEST_EXPECT_MSG_EQ(operators[sum].readBytes, 600 + 2 * 600, "Reads of gradient and sum");
    NS_TEST_EXPECT_MSG_EQ(operators[sum].writtenBytes, 600 + 600, "Writes of gradient and sum");
    NS_TEST_EXPECT_MSG_EQ(operators[sum].flops, 2 * 10 * 30 * 30 + 300, "Product and sum");
    NS_TEST_EXPECT_MSG_EQ(operators[sum].outputBytes, 600, "One gradient comes out");
    NS_TEST_EXPECT_MSG_EQ(operators[add].readBytes + operators[add].writtenBytes, 0, "No work");
    NS_TEST_EXPECT_MSG_EQ(operators[add].outputBytes, 600, "Hands on the gradient");

    const uint32_t weights = Find(graph, "l.x.weight-gradient");
    NS_TEST_EXPECT_MSG_EQ((graph.GetPredecessors(weights) == std::vector<uint32_t>{x, sum}),
                          true,
                          "The first layer needs what it has kept and the sum");
    NS_TEST_EXPECT_MSG_EQ(operators[weights].readBytes, 2 * (200 + 300), "Input and gradient");
    // The product reads and writes the sum over the microbatches
    NS_TEST_EXPECT_MSG_EQ(operators[weights].parameterBytes, 2 * 2 * 630, "Added up in half");
    NS_TEST_EXPECT_MSG_EQ(single.GetOperators()[weights].parameterBytes,
                          2 * 4 * 630,
                          "Added up in single precision");
    NS_TEST_EXPECT_MSG_EQ(operators[weights].outputBytes, 0, "Nothing is handed on");
    NS_TEST_EXPECT_MSG_EQ(graph.GetOperators().size(), 4 + 5 + 2, "Operators");
}

void
TrainingGraphTests::CheckTie()
{
    constexpr auto SPLIT = TensorSplit::REPLICATED;
    TrainingGraphBuilder builder("model", "sample");
    builder.BeginLayer("in");
    const uint32_t table = builder.Add("table", OperatorFormulas().Lookup(5, 8, 100), SPLIT, {});
    builder.BeginLayer("out");
    const uint32_t logits =
        builder.Add("logits", OperatorFormulas().Matmul(5, 8, 100, 100), SPLIT, {table});
    builder.Tie(logits, table);
    builder.Add("loss", OperatorFormulas().CrossEntropy(5, 100), SPLIT, {logits});
    const OperatorGraph graph = builder.Build();
    const auto& operators = graph.GetOperators();

    NS_TEST_EXPECT_MSG_EQ(graph.GetNLayers(), 2, "Layers");
    NS_TEST_EXPECT_MSG_EQ(graph.GetParameters(), 800 + 100, "Shared parameters count once");
    NS_TEST_EXPECT_MSG_EQ(operators[logits].parameters, 100, "The biases are its own");
    NS_TEST_EXPECT_MSG_EQ(operators[logits].parameterBytes, 2 * 900, "But all are read");
    NS_TEST_EXPECT_MSG_EQ(operators[Find(graph, "out.logits.update")].parameters, 100, "Biases");
    NS_TEST_EXPECT_MSG_EQ(operators[Find(graph, "out.logits.weight-gradient")].parameterBytes,
                          2 * 2 * 900,
                          "And their gradients are added up");
    const uint32_t gradient = Find(graph, "in.table.backward");
    const std::vector<uint32_t> needed = {table,
                                          Find(graph, "out.logits.input-gradient"),
                                          Find(graph, "out.logits.weight-gradient")};
    NS_TEST_EXPECT_MSG_EQ((graph.GetPredecessors(gradient) == needed),
                          true,
                          "The owner sums the gradients of the shared parameters");
}

void
TrainingGraphTests::CheckLast()
{
    constexpr auto SPLIT = TensorSplit::REPLICATED;
    TrainingGraphBuilder builder("model", "sample");
    builder.BeginLayer("l");
    const uint32_t first = builder.Add("a", OperatorFormulas().Matmul(1, 2, 3, 6), SPLIT, {});
    const uint32_t last = builder.Add("b", OperatorFormulas().Matmul(1, 3, 4, 12), SPLIT, {first});
    const OperatorGraph graph = builder.Build();
    for (const std::string name : {"l.b.input-gradient", "l.b.weight-gradient"})
    {
        NS_TEST_EXPECT_MSG_EQ(
            (graph.GetPredecessors(Find(graph, name)) == std::vector<uint32_t>{last}),
            true,
            name << " waits for the end of the forward pass");
    }
    const std::vector<uint32_t> needed = {first, Find(graph, "l.b.input-gradient")};
    NS_TEST_EXPECT_MSG_EQ((graph.GetPredecessors(Find(graph, "l.a.weight-gradient")) == needed),
                          true,
                          "Any other gradient waits for the one before it");
}

void
TrainingGraphTests::CheckErrors()
{
    constexpr auto SPLIT = TensorSplit::REPLICATED;
    TrainingGraphBuilder builder("model", "sample");
    const OperatorCosts small = OperatorFormulas().Matmul(1, 2, 3, 0);
    const OperatorCosts large = OperatorFormulas().Matmul(1, 3, 4, 0);
    EXPECT_PART(GetError([&]() { builder.Add("a", small, SPLIT, {}); }),
                "Operator a of model model has no layer");
    builder.BeginLayer("l");
    EXPECT_PART(GetError([&]() { builder.Add("a", small, SPLIT, {0}); }),
                "l.a of model model reads operator 0");
    builder.Add("a", small, SPLIT, {});
    builder.Add("b", large, SPLIT, {0});
    builder.Add("c", small, SPLIT, {1});
    NS_TEST_EXPECT_MSG_NE(GetError([&]() { builder.Tie(2, 1); }), "", "Too few parameters");
    NS_TEST_EXPECT_MSG_NE(GetError([&]() { builder.Tie(0, 2); }), "", "The owner comes first");
    NS_TEST_EXPECT_MSG_NE(GetError([&]() { builder.Tie(3, 0); }), "", "No such operator");
    builder.Add("a", small, SPLIT, {2});
    EXPECT_PART(GetError([&]() { builder.Build(); }), "operator l.a ");
}

/**
 * @ingroup lightpath-tests
 * @return the test cases of the derivation of backward and update operators; the caller owns them
 */
static std::vector<TestCase*>
MakeTrainingGraphTests()
{
    std::vector<TestCase*> cases{
        MakeCase("memory traffic of operators", &TrainingGraphTests::TestOperatorFormulas),
        MakeCase("sums of gradients and shared parameters",
                 &TrainingGraphTests::TestTrainingGraphBuilder)};
    std::vector<std::string> models{
        "transformer:layers=2,kind=encoder,predictions=9,norm=rms,experts=4,topK=3,tied=no",
        "transformer:layers=2,kind=encoder,predictions=9,normFirst=no,positions=0,rotary=yes",
        "transformer:layers=2,kind=translator,activation=relu,dropout=no,kvHeads=3,biases=no"};
    for (const auto& model : ModelZoo::GetNames())
    {
        // Two layers show what more of them repeat
        bool layers = false;
        const ModelOptions options = ModelZoo::GetOptions(model);
        for (const auto& option : options.GetOptions())
        {
            layers = layers || option.name == "layers";
        }
        models.push_back(model + ":optimizer=adam" + (layers ? ",layers=2" : ""));
    }
    for (const auto& model : models)
    {
        cases.push_back(new TrainingGraphInvariantsTestCase(model));
    }
    return cases;
}

/// Registers the test cases
static const SuiteCases g_trainingGraphCases("lightpath-workload", {MakeTrainingGraphTests()});
