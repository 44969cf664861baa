/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "expect-error.h"
#include "method-case.h"
#include "model/workload/dlrm-model.h"
#include "model/workload/operator-formulas.h"

#include "ns3/model-zoo.h"

#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/**
 * @ingroup lightpath-tests
 * @brief Sums over the operators of a recommendation model.
 */
struct RecommendationTotals
{
    uint64_t sparse{0};    //!< Parameters of tables
    uint64_t bottom{0};    //!< Parameters of the bottom perceptron
    uint64_t top{0};       //!< Parameters of the top perceptron
    uint64_t tables{0};    //!< Number of tables
    uint64_t exchanged{0}; //!< Bytes that the lookups hand on, per sample
};

/**
 * @ingroup lightpath-tests
 * @param graph a model
 * @return the sums over its forward operators
 */
RecommendationTotals
GetTotals(const OperatorGraph& graph)
{
    RecommendationTotals totals;
    for (const auto& op : graph.GetOperators())
    {
        if (op.pass != Pass::FORWARD)
        {
            continue;
        }
        if (op.sparse)
        {
            totals.sparse += op.parameters;
            totals.exchanged += op.outputBytes;
            ++totals.tables;
        }
        else
        {
            (Contains(op.name, "bottom.") ? totals.bottom : totals.top) += op.parameters;
        }
    }
    return totals;
}

/**
 * @ingroup lightpath-tests
 * @param graph a model
 * @param name the name of an operator
 * @return the operator; one without a name if there is none
 */
Operator
Find(const OperatorGraph& graph, const std::string& name)
{
    for (const auto& op : graph.GetOperators())
    {
        if (op.name == name)
        {
            return op;
        }
    }
    return {};
}

} // namespace

/**
 * @ingroup lightpath-tests
 * @brief The test cases of the recommendation models of the zoo.
 */
class RecommendationZooTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /// Check the recommendation models of the zoo against their published sizes.
    void TestDlrmSize();

    /// Check that lookups, their gradients and updates move what a sample looks up and no more.
    void TestSparseLookup();

    /// Check that recommendation models whose parts do not fit together are refused.
    void TestDlrmErrors();
};

void
RecommendationZooTests::TestDlrmSize()
{
    const OperatorGraph graph = ModelZoo::Create("dlrm");
    const RecommendationTotals totals = GetTotals(graph);
    NS_TEST_EXPECT_MSG_EQ(graph.GetSample(), "sample", "Sample");
    NS_TEST_EXPECT_MSG_EQ(totals.tables, 26, "Tables");
    NS_TEST_EXPECT_MSG_EQ(totals.sparse, 177944291 * 128ULL, "Rows");
    NS_TEST_EXPECT_MSG_EQ(totals.sparse, 22776869248, "Parameters of tables");
    NS_TEST_EXPECT_MSG_EQ(totals.bottom, 171392, "Bottom perceptron");
    NS_TEST_EXPECT_MSG_EQ(totals.top, 2197505, "Top perceptron");
    NS_TEST_EXPECT_MSG_EQ(graph.GetParameters(), 22776869248 + 171392 + 2197505, "Parameters");
    NS_TEST_EXPECT_MSG_EQ(graph.parameterBytes, 4, "Single precision");
    NS_TEST_EXPECT_MSG_EQ_TOL(4.0 * totals.sparse / 1073741824, 84.85, 0.005, "GiB of tables");
    NS_TEST_EXPECT_MSG_EQ_TOL(1e-6 * graph.gradientBytes * (totals.bottom + totals.top),
                              9.5,
                              0.05,
                              "Megabytes of dense gradients");
    NS_TEST_EXPECT_MSG_EQ(totals.exchanged, 26 * 128 * 4, "All-to-all of a sample");
    NS_TEST_EXPECT_MSG_EQ(GetTotals(ModelZoo::Create("dlrm:precision=half")).exchanged,
                          26 * 128 * 2,
                          "All-to-all of a sample in half precision");
    const OperatorGraph shared = ModelZoo::Create("dlrm:columns=shared");
    const RecommendationTotals ofShared = GetTotals(shared);
    NS_TEST_EXPECT_MSG_EQ(ofShared.tables, 1, "One lookup in all tables");
    NS_TEST_EXPECT_MSG_EQ(ofShared.exchanged, totals.exchanged, "All-to-all of a sample");
    NS_TEST_EXPECT_MSG_EQ(shared.GetParameters(), graph.GetParameters(), "Parameters");
    NS_TEST_EXPECT_MSG_EQ(Find(shared, "embedding.tables").experts, 128, "Columns");
    NS_TEST_EXPECT_MSG_EQ(Find(shared, "embedding.tables").readBytes,
                          26 * Find(graph, "embedding.table1").readBytes,
                          "Bytes of 26 lookups");
    const Operator met = Find(graph, "top.interaction");
    NS_TEST_EXPECT_MSG_EQ(Find(shared, "top.interaction").flops, met.flops, "The same products");
    NS_TEST_EXPECT_MSG_EQ(met.inputBytes, 4 * 27 * 128, "26 rows and the dense vector");
    NS_TEST_EXPECT_MSG_EQ(met.outputBytes, 4 * (351 + 128), "Pairs and the dense vector");
    NS_TEST_EXPECT_MSG_EQ(met.flops, 2 * 27 * 27 * 128, "The product of all with all");
    for (const auto& op : graph.GetOperators())
    {
        const auto split = op.sparse ? TensorSplit::ROW : TensorSplit::SEQUENCE;
        NS_TEST_EXPECT_MSG_EQ((op.split == split), true, op.name);
    }
    NS_TEST_EXPECT_MSG_EQ(graph.GetForwardMultiplyAdds(),
                          13 * 512 + 512 * 256 + 256 * 128 + 27 * 27 * 128 + 479 * 1024 +
                              1024 * 1024 + 1024 * 512 + 512 * 256 + 256,
                          "Multiply-adds");

    const OperatorGraph crossed = ModelZoo::Create("dlrm-dcnv2");
    const RecommendationTotals cross = GetTotals(crossed);
    NS_TEST_EXPECT_MSG_EQ(cross.sparse, 204184588 * 128ULL, "Rows");
    NS_TEST_EXPECT_MSG_EQ(cross.bottom, 171392, "Bottom perceptron");
    NS_TEST_EXPECT_MSG_EQ(cross.top, 10627200 + 5245953, "Cross network and top perceptron");
    NS_TEST_EXPECT_MSG_EQ(cross.exchanged, 26 * 128 * 4, "Rows of a table are summed");
    uint64_t lookedUp = 0;
    for (const auto& op : crossed.GetOperators())
    {
        lookedUp += op.sparse && op.pass == Pass::FORWARD ? op.inputBytes / 4 : 0;
    }
    NS_TEST_EXPECT_MSG_EQ(lookedUp, 214, "Rows that a sample looks up");

    const OperatorGraph uniform = ModelZoo::Create("dlrm-uniform");
    const RecommendationTotals large = GetTotals(uniform);
    NS_TEST_EXPECT_MSG_EQ(large.sparse, 64 * 10000000ULL * 128, "64 tables of 1e7 rows of 128");
    NS_TEST_EXPECT_MSG_EQ(large.bottom, 14 * 2048 + 7 * 2049 * 2048, "8 layers of 2048");
    NS_TEST_EXPECT_MSG_EQ(large.top,
                          (64 * 128 + 2048 + 1) * 4096 + 15 * 4097 * 4096 + 4097,
                          "16 layers of 4096 and the last one");
    const RecommendationTotals small = GetTotals(
        ModelZoo::Create("dlrm-uniform:tables=16,rows=1000,width=256,bottomLayers=4,"
                         "bottomWidth=1024,topLayers=8,topWidth=2048,features=16,lookups=3"));
    NS_TEST_EXPECT_MSG_EQ(small.sparse, 16 * 1000 * 256, "16 tables of 1000 rows of 256");
    NS_TEST_EXPECT_MSG_EQ(small.exchanged, 16 * 256 * 4, "Rows of a table are summed");
    NS_TEST_EXPECT_MSG_EQ(small.bottom, 17 * 1024 + 3 * 1025 * 1024, "4 layers of 1024");
    NS_TEST_EXPECT_MSG_EQ(small.top,
                          (16 * 256 + 1024 + 1) * 2048 + 7 * 2049 * 2048 + 2049,
                          "8 layers of 2048 and the last one");
}

void
RecommendationZooTests::TestSparseLookup()
{
    /// Bytes of a lookup of 3 rows of 128 elements and 3 indices, per sample.
    struct Traffic
    {
        const char* options;    //!< Numbers and optimiser
        uint64_t word;          //!< Bytes of an element
        uint64_t updateRead;    //!< Bytes that an update reads for an element
        uint64_t updateWritten; //!< Bytes that it writes
    };

    const std::vector<Traffic> table = {
        {"optimizer=sgd", 4, 4 + 4, 4},                       // gradient, weight
        {"optimizer=momentum", 4, 4 + 4 + 4, 4 + 4},          // and a moment
        {"precision=half,optimizer=adam", 2, 2 + 12, 2 + 12}, // master copy and moments
        {"precision=half,gradients=single,optimizer=sgd", 2, 4 + 4, 2 + 4},
    };
    for (const auto& row : table)
    {
        const OperatorGraph graph =
            ModelZoo::Create("dlrm-uniform:lookups=3,rows=1000000," + std::string(row.options));
        const Operator lookup = Find(graph, "embedding.table5");
        const Operator backward = Find(graph, "embedding.table5.backward");
        const Operator update = Find(graph, "embedding.table5.update");
        NS_TEST_EXPECT_MSG_EQ(lookup.readBytes, 3 * (128 * row.word + 4), row.options);
        NS_TEST_EXPECT_MSG_EQ(lookup.writtenBytes, 128 * row.word, row.options);
        NS_TEST_EXPECT_MSG_EQ(lookup.savedBytes, 3 * 4, row.options);
        NS_TEST_EXPECT_MSG_EQ(lookup.flops, 2 * 128, row.options);
        NS_TEST_EXPECT_MSG_EQ(backward.readBytes, 128 * row.word + 3 * 4, row.options);
        NS_TEST_EXPECT_MSG_EQ(backward.writtenBytes, 3 * (128 * row.word + 4), row.options);
        NS_TEST_EXPECT_MSG_EQ(update.readBytes, 3 * (128 * row.updateRead + 4), row.options);
        NS_TEST_EXPECT_MSG_EQ(update.writtenBytes, 3 * 128 * row.updateWritten, row.options);
        for (const auto& op : {lookup, backward, update})
        {
            NS_TEST_EXPECT_MSG_EQ(op.sparse, true, op.name);
            NS_TEST_EXPECT_MSG_EQ(op.parameters, 128000000, op.name);
            NS_TEST_EXPECT_MSG_EQ(op.parameterBytes, 0, op.name);
            NS_TEST_EXPECT_MSG_EQ((op.split == TensorSplit::ROW), true, op.name);
        }
    }
    const Operator dense = Find(ModelZoo::Create("dlrm"), "top.matmul1.update");
    NS_TEST_EXPECT_MSG_EQ(dense.sparse, false, "A perceptron is dense");
    NS_TEST_EXPECT_MSG_EQ(dense.readBytes, 0, "Its update is not per sample");
    NS_TEST_EXPECT_MSG_EQ(dense.parameterBytes, 12 * 480 * 1024, "Gradient, weight twice");
}

void
RecommendationZooTests::TestDlrmErrors()
{
    DlrmShape shape;
    shape.name = "model";
    shape.bottom = {16, 8};
    shape.tables = {10, 20};
    shape.width = 8;
    shape.top = {4, 1};
    NS_TEST_EXPECT_MSG_EQ(GetError([&]() { DlrmModel::Build(shape); }), "", "Fits together");
    shape.width = 16;
    EXPECT_PART(GetError([&]() { DlrmModel::Build(shape); }), "ends in 8");
    shape.dotInteraction = false;
    NS_TEST_EXPECT_MSG_EQ(DlrmModel::Build(shape).GetParameters(),
                          14 * 16 + 17 * 8 + 30 * 16 + (2 * 16 + 8 + 1) * 4 + 5,
                          "Vectors one behind the other may differ");
    shape.top = {4};
    EXPECT_PART(GetError([&]() { DlrmModel::Build(shape); }), "ends in 1");
    for (const auto* option : {"tables=4097", "width=65537", "topLayers=257", "rows=0"})
    {
        EXPECT_PART(
            GetError([option]() { ModelZoo::Create(std::string("dlrm-uniform:") + option); }),
            "of model \"dlrm-uniform\" cannot be");
    }
}

/// Registers the test cases
static const SuiteCases g_recommendationZooCases(
    "lightpath-workload",
    {{MakeCase("sizes of recommendation models", &RecommendationZooTests::TestDlrmSize),
      MakeCase("memory traffic of sparse lookups", &RecommendationZooTests::TestSparseLookup),
      MakeCase("recommendation models that are refused",
               &RecommendationZooTests::TestDlrmErrors)}});
