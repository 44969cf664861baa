/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "method-case.h"

#include "ns3/iteration-work.h"
#include "ns3/model-zoo.h"

#include <nlohmann/json.hpp>

using namespace ns3;
using namespace ns3::lightpath;

/**
 * @ingroup lightpath-tests
 * @brief The tests of the work of an iteration.
 */
class IterationWorkTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /**
     * Compares the floating-point operations of a transformer with the formula of Narayanan et al.
     * (SC 2021), which counts all pairs of tokens: 24 b s l h^2 (1 + s / 6 h) + 2 b s h V forward,
     * and twice that backward; full recomputation carries out the layers once more.
     */
    void TestFormula()
    {
        const double b = 512;
        const double s = 1024;
        const double l = 24;
        const double h = 2048;
        const double v = 51200;
        const OperatorGraph graph = ModelZoo::Create(
            "gpt2-xl:layers=24,hidden=2048,heads=16,feedForward=8192,vocabulary=51200");
        const Accelerator accelerator = Accelerator::Create("A100");
        Strategy strategy;
        IterationWork work = IterationWork::Count(graph, strategy, 512, 8, accelerator);
        const double layers = 24 * b * s * l * h * h * (1 + s / (6 * h));
        const double head = 2 * b * s * h * v;
        NS_TEST_EXPECT_MSG_EQ_TOL(work.modelFlops / (3 * (layers + head)), 1, 1e-3, "Model");
        NS_TEST_EXPECT_MSG_EQ_TOL(work.hardwareFlops / work.modelFlops, 1, 1e-12, "Same");
        strategy.recomputation = Recomputation::FULL;
        work = IterationWork::Count(graph, strategy, 512, 8, accelerator);
        NS_TEST_EXPECT_MSG_EQ_TOL(work.modelFlops / (3 * (layers + head)), 1, 1e-3, "Model");
        NS_TEST_EXPECT_MSG_EQ_TOL((work.hardwareFlops - work.modelFlops) / layers,
                                  1,
                                  1e-3,
                                  "Each layer once more");
        // 8 GPUs of 312 TFLOP/s
        const auto rates = work.GetJson(100);
        NS_TEST_EXPECT_MSG_EQ_TOL(rates["tokensPerSecondPerGpu"].get<double>(),
                                  b * s / 800,
                                  1e-9,
                                  "Tokens");
        NS_TEST_EXPECT_MSG_EQ_TOL(rates["modelFlopsUtilization"].get<double>(),
                                  work.modelFlops / (100 * 8 * 312e12),
                                  1e-9,
                                  "MFU");
    }

    /// Compares the peaks that utilisation is relative to with those of data sheets.
    void TestPrecisions()
    {
        /// A model and the peak that it is measured by.
        struct Row
        {
            const char* model;       //!< The model
            const char* accelerator; //!< The accelerator
            double peak;             //!< The peak, FLOP/s
        };

        for (const auto& row : {Row{"transformer:layers=1,precision=fp8", "H100", 1979e12},
                                Row{"transformer:layers=1,precision=half", "H100", 989.4e12},
                                Row{"transformer:layers=1,precision=single", "H100", 494.7e12},
                                Row{"transformer:layers=1,precision=fp32", "H100", 66.9e12},
                                Row{"dlrm-uniform:rows=1000", "B200", 1125e12}})
        {
            const IterationWork work = IterationWork::Count(ModelZoo::Create(row.model),
                                                            Strategy(),
                                                            64,
                                                            8,
                                                            Accelerator::Create(row.accelerator));
            NS_TEST_EXPECT_MSG_EQ_TOL(work.GetJson(10)["modelFlopsUtilization"].get<double>() /
                                          (work.modelFlops / (10 * 8 * row.peak)),
                                      1,
                                      1e-12,
                                      row.model);
        }
    }

    /// Looks at a model whose samples have no tokens, and at fused attention.
    void TestKinds()
    {
        const Accelerator accelerator = Accelerator::Create("A100");
        const IterationWork images =
            IterationWork::Count(ModelZoo::Create("resnet50"), Strategy(), 256, 1, accelerator);
        NS_TEST_EXPECT_MSG_EQ(images.GetJson(1).contains("tokensPerSecond"), false, "Images");
        NS_TEST_EXPECT_MSG_EQ(images.Describe(0.5).rfind("512 images/s, ", 0), 0, "Images");

        // Scores and context are two products forward; backward four, and the scores once more
        OperatorGraph graph("attention");
        Operator op;
        op.name = "forward";
        op.multiplyAdds = 2000;
        graph.AddOperator(op);
        op.name = "backward";
        op.pass = Pass::BACKWARD;
        op.multiplyAdds = 5000;
        graph.AddOperator(op);
        const IterationWork work = IterationWork::Count(graph, Strategy(), 1, 1, accelerator);
        NS_TEST_EXPECT_MSG_EQ(work.modelFlops, 12000, "Model");
        NS_TEST_EXPECT_MSG_EQ(work.hardwareFlops, 14000, "Hardware");
    }

    /// Leaves out the tokens that experts drop.
    void TestDropped()
    {
        const Accelerator accelerator = Accelerator::Create("A100");
        // A product without experts, and the same with four of them, of which a token has one
        OperatorGraph graph("experts");
        Operator op;
        op.name = "dense";
        op.multiplyAdds = 1000;
        graph.AddOperator(op);
        op.name = "experts";
        op.experts = 4;
        op.choice.perToken = 1;
        graph.AddOperator(op);
        const auto count = [&](const ExpertLoad& load) {
            return IterationWork::Count(graph, Strategy(), 1, 1, accelerator, load);
        };
        ExpertLoad load;
        load.capacity = 1;
        NS_TEST_EXPECT_MSG_EQ(count(load).modelFlops, 4000, "All fit");
        NS_TEST_EXPECT_MSG_EQ(count(load).GetJson(1).contains("droppedTokenShare"), false, "None");
        load.capacity = 0.25;
        IterationWork work = count(load);
        NS_TEST_EXPECT_MSG_EQ(work.modelFlops, 2500, "A quarter of the second product");
        NS_TEST_EXPECT_MSG_EQ(work.hardwareFlops, 2500, "A quarter of the second product");
        NS_TEST_EXPECT_MSG_EQ(work.GetJson(1)["droppedTokenShare"].get<double>(), 0.75, "Dropped");
        // In every order the loads are 48/25, 24/25, 16/25 and 12/25 of an even share
        load = ExpertLoad::Parse("zipf:1");
        load.capacity = 1;
        work = count(load);
        NS_TEST_EXPECT_MSG_EQ_TOL(work.droppedShare, 23. / 100, 1e-9, "What exceeds an even share");
        NS_TEST_EXPECT_MSG_EQ_TOL(work.modelFlops, 2 * (1000 + 770), 1e-6, "The rest");
    }
};

/// Registers the test cases
static const SuiteCases g_iterationWorkCases(
    "lightpath-plan-work",
    {{MakeCase("Floating-point operations follow the published formula",
               &IterationWorkTests::TestFormula),
      MakeCase("Utilisation by the peak of the precision", &IterationWorkTests::TestPrecisions),
      MakeCase("Samples without tokens, and fused attention", &IterationWorkTests::TestKinds),
      MakeCase("Experts drop tokens", &IterationWorkTests::TestDropped)}});
