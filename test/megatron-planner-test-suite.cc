/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "method-case.h"

#include "ns3/megatron-planner.h"
#include "ns3/model-zoo.h"
#include "ns3/planning-problem.h"
#include "ns3/training-plan.h"
#include "ns3/uinteger.h"

#include <cstdint>
#include <stdexcept>
#include <string>

using namespace ns3;
using namespace ns3::lightpath;

/**
 * @ingroup lightpath-tests
 * @brief Compares the rule of thumb with the degrees of Narayanan et al. (SC 2021), table 1.
 */
class MegatronRuleTestCase : public TestCase
{
  public:
    MegatronRuleTestCase()
        : TestCase("The rule of thumb chooses the published degrees")
    {
    }

  private:
    void DoRun() override
    {
        Try(2304, 24, 24, 32, 512, 1, 1);
        Try(3072, 30, 32, 64, 512, 2, 1);
        Try(4096, 36, 32, 128, 512, 4, 1);
        Try(6144, 40, 48, 256, 1024, 8, 1);
        Try(8192, 48, 64, 512, 1536, 8, 2);
        Try(10240, 60, 80, 1024, 1792, 8, 4);
        Try(12288, 80, 96, 1536, 2304, 8, 8);
        Try(16384, 96, 128, 1920, 2160, 8, 16);
        Try(20480, 105, 128, 2520, 2520, 8, 35);
        Try(25600, 128, 160, 3072, 3072, 8, 64);
        PlanningProblem problem = MakeProblem(2304, 24, 24, 8, 64);
        const auto planner = CreateObject<MegatronPlanner>();
        const TrainingPlan plan = planner->Plan(problem);
        NS_TEST_EXPECT_MSG_EQ(plan.strategy.dataParallel, 8, "Replicas");
        NS_TEST_EXPECT_MSG_EQ(plan.programs.size(), 8, "Ranks");
        // As in Megatron Core: 40 million gradients of two bytes, or a million for each replica
        NS_TEST_EXPECT_MSG_EQ(plan.strategy.bucketBytes, 80000000, "Buckets of few replicas");
        const Strategy wide = planner->GetStrategy(MakeProblem(2304, 24, 24, 256, 1024));
        NS_TEST_EXPECT_MSG_EQ(wide.bucketBytes, 512000000, "Buckets of 256 replicas");
        planner->SetAttribute("BucketBytes", UintegerValue(1000));
        NS_TEST_EXPECT_MSG_EQ(planner->GetStrategy(problem).bucketBytes, 1000, "Set buckets");
        TryExperts();
        problem.accelerator.memoryBytes = uint64_t{8} << 30;
        problem.globalBatch = 1;
        problem.gpus = 2;
        ExpectError(*planner, problem, " GiB on each GPU");
        ExpectError(*planner, problem, "GiB too little: use more GPUs");
        problem.accelerator.memoryBytes = 1 << 20;
        ExpectError(*planner, problem, "Memory: with tensor");
        problem.globalBatch = 7;
        problem.graph = ModelZoo::Create("resnet50");
        problem.gpus = 1009;
        ExpectError(*planner, problem, "global batch");
    }

    /**
     * Of Mixtral's 46.7 billion parameters, 45.1 are those of experts. On 64 GPUs, eight of which
     * share these out, one stage has 7.2 billion with 6 bytes each, and 12 bytes of state for an
     * eighth of 5.6 billion of these: 52 GB and activations, beyond 64 % of 80 GiB. Two have half.
     */
    void TryExperts()
    {
        PlanningProblem problem = MakeProblem(2304, 24, 24, 64, 256);
        problem.graph = ModelZoo::Create("mixtral-8x7b");
        problem.accelerator = Accelerator::Create("H100");
        const Strategy strategy = CreateObject<MegatronPlanner>()->GetStrategy(problem);
        NS_TEST_EXPECT_MSG_EQ(strategy.tensorParallel, 1, "tensor");
        NS_TEST_EXPECT_MSG_EQ(strategy.pipelineParallel, 2, "stages");
        NS_TEST_EXPECT_MSG_EQ(strategy.dataParallel, 32, "replicas");
        NS_TEST_EXPECT_MSG_EQ(strategy.expertParallel, 8, "experts");
        NS_TEST_EXPECT_MSG_EQ(strategy.zeroStage, 1, "optimiser");
    }

    /**
     * @param planner a planner
     * @param problem a problem that it refuses
     * @param words a part of the sentence
     */
    void ExpectError(const MegatronPlanner& planner,
                     const PlanningProblem& problem,
                     const std::string& words)
    {
        std::string error;
        try
        {
            planner.GetStrategy(problem);
        }
        catch (const std::invalid_argument& refusal)
        {
            error = refusal.what();
        }
        NS_TEST_EXPECT_MSG_NE(error.find(words), std::string::npos, words << ": " << error);
    }

    /**
     * @param hidden the elements of a token's activation
     * @param layers the number of layers
     * @param heads the number of attention heads
     * @param gpus the number of GPUs
     * @param batch the global batch
     * @return a problem of the publication
     */
    PlanningProblem MakeProblem(uint32_t hidden,
                                uint32_t layers,
                                uint32_t heads,
                                uint32_t gpus,
                                uint64_t batch) const
    {
        PlanningProblem problem;
        problem.graph = ModelZoo::Create(
            "transformer:layers=" + std::to_string(layers) + ",hidden=" + std::to_string(hidden) +
            ",heads=" + std::to_string(heads) + ",feedForward=" + std::to_string(4 * hidden) +
            ",sequence=2048,positions=2048,vocabulary=51200,gradients=half");
        problem.accelerator = Accelerator::Create("A100");
        problem.fabric.bitRate = 1.6e12;
        problem.gpus = gpus;
        problem.globalBatch = batch;
        return problem;
    }

    /**
     * @param hidden the elements of a token's activation
     * @param layers the number of layers
     * @param heads the number of attention heads
     * @param gpus the number of GPUs
     * @param batch the global batch
     * @param tensor the published tensor parallelism
     * @param stages the published number of stages
     */
    void Try(uint32_t hidden,
             uint32_t layers,
             uint32_t heads,
             uint32_t gpus,
             uint64_t batch,
             uint32_t tensor,
             uint32_t stages)
    {
        const Strategy strategy = CreateObject<MegatronPlanner>()->GetStrategy(
            MakeProblem(hidden, layers, heads, gpus, batch));
        NS_TEST_EXPECT_MSG_EQ(strategy.tensorParallel, tensor, hidden << " tensor");
        NS_TEST_EXPECT_MSG_EQ(strategy.pipelineParallel, stages, hidden << " stages");
        NS_TEST_EXPECT_MSG_EQ(strategy.dataParallel, gpus / tensor / stages, hidden << " data");
    }
};

/// Registers the test cases
static const SuiteCases g_megatronPlannerCases("lightpath-planner-megatron",
                                               {{new MegatronRuleTestCase}});
