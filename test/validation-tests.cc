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
    const auto expect = [this](const std::string& model, bool isSharded, const std::string& kind) {
        const auto found = Validation::ForTraining(ModelZoo::Create(model), isSharded, "none");
        NS_TEST_EXPECT_MSG_EQ(found.work + " " + found.precision, kind, model);
        NS_TEST_EXPECT_MSG_EQ(found.IsKnown(), false, "No accelerator has this name");
    };
    expect("llama-3-8b", false, "dense half");
    expect("llama-3-8b", true, "FSDP half");
    expect("llama-3-8b:precision=fp8", false, "dense FP8");
    expect("llama-3-8b:sequence=131072", true, "long context half");
    expect("mixtral-8x7b", false, "MoE half");
    expect("resnet50", false, "convolutional half");
    expect("dlrm", false, "recommendation TF32");
}

void
ValidationTests::TestSentences()
{
    const Validation known{"dense", "half", "H100", 12, 0.0312, 0.1149};
    NS_TEST_EXPECT_MSG_EQ(known.GetText(), "+- 11 %", "Beside a time");
    NS_TEST_EXPECT_MSG_EQ(
        known.Describe(),
        "times are +- 11 %: 90 % of 12 published runs of dense jobs in half precision on "
        "H100 that no fit has seen are within it, half within 3.1 %",
        "Sentence");
    NS_TEST_EXPECT_MSG_EQ(known.GetJson().at("error90"), 0.1149, "JSON");
    const Validation few{"MoE", "FP8", "H100", 2, 0.01, 0.01};
    NS_TEST_EXPECT_MSG_EQ(few.GetText(), "not validated", "Two runs say nothing");
    NS_TEST_EXPECT_MSG_EQ(few.Describe(),
                          "times are not validated: there are only 2 published runs of MoE jobs in "
                          "FP8 on H100 that no fit has seen",
                          "Sentence");
    NS_TEST_EXPECT_MSG_EQ(few.GetJson().at("medianError").is_null(), true, "JSON");
}

/// Registers the test cases
static const SuiteCases g_validationCases(
    "lightpath-workload",
    {{MakeCase("kinds of validated jobs", &ValidationTests::TestKinds),
      MakeCase("errors of times", &ValidationTests::TestSentences)}});
