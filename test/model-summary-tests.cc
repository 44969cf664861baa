/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "expect-error.h"
#include "method-case.h"
#include "model/workload/model-summary.h"

#include "ns3/model-zoo.h"

#include <sstream>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::lightpath;

/**
 * @ingroup lightpath-tests
 * @brief Check the rows and totals of summaries against values calculated by hand.
 */
class ModelSummaryTestCase : public TestCase
{
  public:
    ModelSummaryTestCase()
        : TestCase("summaries of models")
    {
    }

  private:
    void DoRun() override;

    /**
     * Check the rows of a summary.
     *
     * @param model the name of the model
     * @param rows names of the rows, and how many layers each of them stands for
     */
    void CheckRows(const std::string& model,
                   const std::vector<std::pair<std::string, uint32_t>>& rows);

    /// Check the totals of ResNet-50.
    void CheckResnet();

    /// Check the rows and totals of BERT-large.
    void CheckBert();

    /// Check layers that differ in little, and names without layers.
    void CheckSmall();
};

void
ModelSummaryTestCase::DoRun()
{
    CheckRows("resnet50",
              {{"stem", 1},
               {"stage2.block1", 1},
               {"stage2.block2-3", 2},
               {"stage3.block1", 1},
               {"stage3.block2-4", 3},
               {"stage4.block1", 1},
               {"stage4.block2-6", 5},
               {"stage5.block1", 1},
               {"stage5.block2", 1},
               {"stage5.block3", 1}, // keeps its output, which the pooling does not
               {"head", 1}});
    CheckRows("bert-large", {{"embedding", 1}, {"layer1-24", 24}, {"head", 1}});
    CheckRows("bert-large:layers=1", {{"embedding", 1}, {"layer1", 1}, {"head", 1}});
    CheckRows("dlrm", {{"embedding", 1}, {"bottom", 1}, {"top", 1}});
    CheckResnet();
    CheckBert();
    CheckSmall();
    const OperatorGraph graph = ModelZoo::Create("dlrm");
    const ModelSummary::Totals totals = ModelSummary(graph).GetTotals();
    NS_TEST_EXPECT_MSG_EQ(totals.sparse, 22776869248, "Parameters of tables");
    NS_TEST_EXPECT_MSG_EQ(totals.stateBytes,
                          4 * totals.parameters + 4 * (totals.parameters - totals.sparse),
                          "No gradient of a whole table");
}

void
ModelSummaryTestCase::CheckRows(const std::string& model,
                                const std::vector<std::pair<std::string, uint32_t>>& rows)
{
    const OperatorGraph graph = ModelZoo::Create(model);
    const ModelSummary summary(graph);
    const auto& layers = summary.GetLayers();
    NS_TEST_ASSERT_MSG_EQ(layers.size(), rows.size(), model);
    uint64_t parameters = 0;
    uint64_t multiplyAdds = 0;
    uint64_t saved = 0;
    for (std::size_t row = 0; row < rows.size(); ++row)
    {
        NS_TEST_EXPECT_MSG_EQ(layers[row].name, rows[row].first, model);
        NS_TEST_EXPECT_MSG_EQ(layers[row].count, rows[row].second, rows[row].first);
        parameters += layers[row].count * layers[row].parameters;
        multiplyAdds += layers[row].count * layers[row].multiplyAdds;
        saved += layers[row].count * layers[row].savedBytes;
    }
    NS_TEST_EXPECT_MSG_EQ(parameters, graph.GetParameters(), model);
    NS_TEST_EXPECT_MSG_EQ(multiplyAdds, graph.GetForwardMultiplyAdds(), model);
    NS_TEST_EXPECT_MSG_EQ(saved, summary.GetTotals().savedBytes, model);
}

void
ModelSummaryTestCase::CheckResnet()
{
    const OperatorGraph graph = ModelZoo::Create("resnet50");
    const ModelSummary summary(graph);
    const ModelSummary::Totals& totals = summary.GetTotals();
    NS_TEST_EXPECT_MSG_EQ(totals.parameters, 25557032, "Parameters");
    NS_TEST_EXPECT_MSG_EQ(totals.sparse, 0, "All gradients are dense");
    NS_TEST_EXPECT_MSG_EQ(totals.multiplyAdds, 4089184256, "Multiply-adds");
    // Weights, gradients and, in single precision, master copy and moment
    NS_TEST_EXPECT_MSG_EQ(totals.stateBytes, 25557032 * (2 + 2 + 8), "State");
    NS_TEST_EXPECT_MSG_EQ(totals.selectiveBytes, totals.savedBytes, "Nothing is selective");

    // The products; batch normalisation 10, rectifiers 1, sums 1 and poolings for each element
    const uint64_t convolutions = 11113984;
    const uint64_t outputs =
        256 * 56 * 56 * 3 + 512 * 28 * 28 * 4 + 1024 * 14 * 14 * 6 + 2048 * 7 * 7 * 3;
    const uint64_t shortcuts = 256 * 56 * 56 + 512 * 28 * 28 + 1024 * 14 * 14 + 2048 * 7 * 7;
    const uint64_t rectified = convolutions - shortcuts;
    const uint64_t pools = 9 * 64 * 56 * 56 + 2048 * 7 * 7;
    NS_TEST_EXPECT_MSG_EQ(totals.forwardFlops,
                          2 * 4089184256 + 10 * convolutions + rectified + outputs + pools +
                              5 * 1000,
                          "Operations of the forward pass");
    // The last block's output is kept by the head if at all; pixels, normalisation, rectifier and
    // mask by the stem; the classifier's input and the probabilities by the head
    const uint64_t stem = 2 * (3 * 224 * 224 + 2 * 64 * 112 * 112) + 64 * 56 * 56;
    const uint64_t head = 2 * 2048 + 4 * 1000;
    NS_TEST_EXPECT_MSG_EQ(totals.fullBytes,
                          stem + 2 * (64 * 56 * 56 + outputs - 2048 * 7 * 7) + head,
                          "Each block keeps its input");
    NS_TEST_EXPECT_MSG_EQ(summary.GetLayers().front().outputBytes, 2 * 64 * 56 * 56, "Stem");
    NS_TEST_EXPECT_MSG_EQ(summary.GetLayers().back().outputBytes, 0, "None reads the loss");
    // Two gradients for each product, but for the first convolution no gradient of its input
    const double products = 4 * 4089184256.0 - 2 * 118013952;
    NS_TEST_EXPECT_MSG_EQ_TOL(totals.backwardFlops, products, 0.02 * products, "Backward pass");
    NS_TEST_EXPECT_MSG_EQ((totals.backwardFlops > products), true, "It has more than products");
}

void
ModelSummaryTestCase::CheckBert()
{
    const OperatorGraph graph = ModelZoo::Create("bert-large");
    const ModelSummary summary(graph);
    const uint64_t hidden = 512 * 1024;
    const uint64_t scores = 16 * 512 * 512;
    const auto& layer = summary.GetLayers()[1];
    NS_TEST_EXPECT_MSG_EQ(layer.operators.size(), 13, "Operators of a layer");
    NS_TEST_EXPECT_MSG_EQ(layer.parameters, 12596224, "Parameters of a layer");
    NS_TEST_EXPECT_MSG_EQ(2 * layer.multiplyAdds,
                          24 * hidden * 1024 + 4 * hidden * 512,
                          "Operations of the products of a layer");
    NS_TEST_EXPECT_MSG_EQ(layer.outputBytes, 2 * hidden, "Output of a layer");
    NS_TEST_EXPECT_MSG_EQ(layer.savedBytes, 34 * hidden + 5 * scores, "Kept by a layer");
    const ModelSummary::Totals& totals = summary.GetTotals();
    NS_TEST_EXPECT_MSG_EQ(totals.parameters, 336226108, "Parameters");
    NS_TEST_EXPECT_MSG_EQ(totals.stateBytes, 336226108ULL * (2 + 4 + 12), "State");
    NS_TEST_EXPECT_MSG_EQ(totals.savedBytes - totals.selectiveBytes,
                          24 * 5 * scores,
                          "Selective recomputation keeps 34 times the hidden activation");
    NS_TEST_EXPECT_MSG_EQ(totals.savedBytes - totals.fullBytes,
                          24 * (34 * hidden + 5 * scores - 2 * hidden),
                          "Full recomputation keeps the input of a layer");

    std::ostringstream text;
    summary.PrintLayers(text);
    summary.PrintTotals(text);
    for (const auto* part : {"layer1-24 x 24", " 12.60 M ", " 6.98 G ", " 1.00 MiB ", "336226108"})
    {
        EXPECT_PART(text.str(), part);
    }
    std::ostringstream operators;
    summary.PrintOperators(operators);
    EXPECT_PART(operators.str(), "layer1.attention.softmax");
    NS_TEST_EXPECT_MSG_EQ(Contains(operators.str(), "layer2."), false, "No layer that is alike");
    EXPECT_PART(operators.str(), " selective\n");
}

void
ModelSummaryTestCase::CheckSmall()
{
    OperatorGraph graph("model", "sample");
    const std::vector<std::string> names = {"in", "a9.x", "a10.x", "a11.x", "b.x", "c.y", "p", "q"};
    const std::vector<uint32_t> layers = {0, 1, 2, 3, 4, 5, 7, 7}; // the seventh is empty
    for (uint32_t index = 0; index < names.size(); ++index)
    {
        Operator op;
        op.name = names[index];
        op.layer = layers[index];
        op.forward = index;
        op.outputBytes = 10;
        op.savedBytes = index == 0 ? 7 : 3;
        graph.AddOperator(op);
    }
    for (uint32_t index = 1; index < names.size(); ++index)
    {
        graph.AddEdge(index - 1, index);
    }
    graph.AddEdge(0, 2);
    const ModelSummary summary(graph);
    std::string rows;
    for (const auto& layer : summary.GetLayers())
    {
        rows += layer.name + " x " + std::to_string(layer.count) + "\n";
    }
    NS_TEST_EXPECT_MSG_EQ(rows, "in x 1\na9 to b x 4\nc x 1\nlayer 8 x 1\n", "Rows");
    NS_TEST_EXPECT_MSG_EQ(summary.GetTotals().savedBytes, 7 + 7 * 3, "Kept");
    // The first and the last layer keep theirs, the others the outputs of 0, 1, 2, 3 and 4, once
    NS_TEST_EXPECT_MSG_EQ(summary.GetTotals().fullBytes, 7 + 2 * 3 + 5 * 10, "Inputs of layers");

    NS_TEST_EXPECT_MSG_EQ(ModelSummary::FormatCount(999), "999", "No prefix");
    NS_TEST_EXPECT_MSG_EQ(ModelSummary::FormatCount(1000), "1.00 K", "Thousand");
    NS_TEST_EXPECT_MSG_EQ(ModelSummary::FormatCount(999994), "999.99 K", "Below a million");
    NS_TEST_EXPECT_MSG_EQ(ModelSummary::FormatCount(999996), "1.00 M", "Rounded to a million");
    NS_TEST_EXPECT_MSG_EQ(ModelSummary::FormatCount(12, "FLOP"), "12 FLOP", "Unit");
    NS_TEST_EXPECT_MSG_EQ(ModelSummary::FormatCount(4089184256, "MAC"), "4.09 GMAC", "Both");
    NS_TEST_EXPECT_MSG_EQ(ModelSummary::FormatBytes(1023), "1023 B", "Bytes");
    NS_TEST_EXPECT_MSG_EQ(ModelSummary::FormatBytes(1536), "1.50 KiB", "Kibibytes");
    NS_TEST_EXPECT_MSG_EQ(ModelSummary::FormatBytes(UINT64_MAX), "16.00 EiB", "The most");
}

/// Registers the test cases
static const SuiteCases g_modelSummaryCases("lightpath-workload", {{new ModelSummaryTestCase}});
