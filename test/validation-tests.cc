/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "method-case.h"

#include "ns3/model-zoo.h"
#include "ns3/validation.h"

#include <nlohmann/json.hpp>
#include <string>
#include <tuple>

using namespace ns3;
using namespace ns3::lightpath;

/**
 * @ingroup lightpath-tests
 * @brief The test cases of errors of simulated times.
 */
class ValidationTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /// Check the kinds and precisions of models.
    void TestKinds();

    /// Check what is said with many runs and with few.
    void TestSentences();
};

void
ValidationTests::TestKinds()
{
    Strategy sharded;
    sharded.zeroStage = 3;
    Strategy split = sharded;
    split.tensorParallel = 2;
    const auto expect =
        [this](const OperatorGraph& graph, const Strategy& strategy, const std::string& kind) {
            const auto found = Validation::ForTraining(graph, strategy, "none");
            NS_TEST_EXPECT_MSG_EQ(found.work + " " + found.precision, kind, graph.GetName());
            NS_TEST_EXPECT_MSG_EQ(found.IsKnown(), false, "No accelerator has this name");
        };
    expect(ModelZoo::Create("llama-3-8b"), Strategy(), "dense half");
    expect(ModelZoo::Create("llama-3-8b"), sharded, "FSDP half");
    expect(ModelZoo::Create("llama-3-8b"), split, "dense half");
    expect(ModelZoo::Create("llama-3-8b:precision=fp8"), Strategy(), "dense FP8");
    // Other products are in half precision
    expect(ModelZoo::Create("llama-3-8b:precision=nvfp4"), Strategy(), "dense NVFP4");
    expect(ModelZoo::Create("bert-large:precision=single"), Strategy(), "dense single");
    expect(ModelZoo::Create("llama-3-8b:sequence=131072"), sharded, "long context half");
    expect(ModelZoo::Create("mixtral-8x7b"), Strategy(), "MoE half");
    expect(ModelZoo::Create("resnet50"), Strategy(), "convolutional half");
    expect(ModelZoo::Create("dlrm"), Strategy(), "recommendation single");
    expect(OperatorGraph(), Strategy(), "other FP32");
}

void
ValidationTests::TestSentences()
{
    const Validation known{"dense", "half", "H100", 12, 2, 0.0312, 0.1149};
    NS_TEST_EXPECT_MSG_EQ(known.GetText(), "+- 11 %", "Beside a time");
    NS_TEST_EXPECT_MSG_EQ(known.Describe(),
                          "times are +- 11 %: of 12 published runs of dense jobs in half precision "
                          "on H100, on electrical networks and kept out of the fits, 90 % are "
                          "within it, half within 3.1 %",
                          "Sentence");
    NS_TEST_EXPECT_MSG_EQ(known.GetJson().at("error90"), 0.1149, "JSON");
    const Validation narrow{"dense", "half", "H100", 12, 1, 0.0312, 0.1149};
    NS_TEST_EXPECT_MSG_EQ(narrow.Describe(),
                          "times are +- 11 %: of 12 published runs of dense jobs in half precision "
                          "on H100, all of one model, on electrical networks and kept out of the "
                          "fits, 90 % are within it, half within 3.1 %",
                          "Runs of one model");
    const Validation alone = Validation::ForCollectives();
    NS_TEST_EXPECT_MSG_EQ(alone.Describe(),
                          "times are not validated: no published run of a collective operation "
                          "with these latencies is kept out of the fits",
                          "Operations without a job");
    NS_TEST_EXPECT_MSG_EQ(alone.GetJson().at("error90").is_null(), true, "JSON");
    NS_TEST_EXPECT_MSG_EQ(Validation().Describe(),
                          "times are not validated: no published run of such a job is known",
                          "Times that are given");
    const std::string begin = "times are not validated: ";
    const std::string end = " of MoE jobs in FP8 on H100 ";
    for (const auto& [runs, count, verb] : {std::make_tuple(0U, "no published run", "is"),
                                            std::make_tuple(1U, "only 1 published run", "is"),
                                            std::make_tuple(2U, "only 2 published runs", "are")})
    {
        const Validation few{"MoE", "FP8", "H100", runs, 1, 0.01, 0.01};
        NS_TEST_EXPECT_MSG_EQ(few.GetText(), "not validated", "Too few runs");
        NS_TEST_EXPECT_MSG_EQ(few.Describe(),
                              begin + count + end + verb + " kept out of the fits",
                              "Sentence");
        NS_TEST_EXPECT_MSG_EQ(few.GetJson().at("medianError").is_null(), true, "JSON");
    }
}

/// Registers the test cases
static const SuiteCases g_validationCases(
    "lightpath-workload",
    {{MakeCase("kinds of validated jobs", &ValidationTests::TestKinds),
      MakeCase("errors of times", &ValidationTests::TestSentences)}});
