/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "expect-error.h"
#include "method-case.h"
#include "model/planner/write/plan-builder.h"
#include "planner-tests.h"
#include "stage-tests.h"

#include "ns3/enum.h"
#include "ns3/fixed-planner.h"
#include "ns3/plan-folder.h"
#include "ns3/planning-problem.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/// A transformer of 8 layers of which the first and the last are embedding and head.
const std::string SMALL_MODEL =
    "gpt2-xl:gradients=half,layers=6,hidden=96,heads=6,feedForward=384,vocabulary=768,sequence=64";

} // namespace

/**
 * @ingroup lightpath-tests
 * @brief The test cases of the settings of plans in stages.
 */
class StageSettingsTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /// Cuts layers by hand.
    void TestGivenCut()
    {
        const PlanningProblem problem = MakeStageProblem(SMALL_MODEL, 4, 4);
        Try(problem, 4, 1, {1, 2, 7});
        Try(problem, 4, 1, {3, 4, 5});
        Try(problem, 2, 2, {2, 3, 7});
        const auto planner = CreateObject<FixedPlanner>();
        planner->SetAttribute("PipelineParallel", UintegerValue(4));
        const auto expect = [&](const std::string& cuts, const std::vector<std::string>& parts) {
            planner->SetAttribute("Cuts", StringValue(cuts));
            NS_TEST_EXPECT_MSG_EQ(FindWrongError([&]() { planner->TryPlan(problem); }, parts),
                                  "",
                                  cuts);
        };
        expect("1,2,7", {});
        expect("", {});
        expect("1,2", {"layers 1,2 do not cut the 8 layers"});
        expect("1,2,3,4", {"must be 3 of them"});
        expect("2,1,3", {"ascending order"});
        expect("1,1,3", {"ascending order"});
        expect("0,1,3", {"from layer 1 to 7"});
        expect("1,2,8", {"from layer 1 to 7"});
        expect("1,,3", {"\"\" is no layer"});
        expect("1,2,3,", {"\"\" is no layer"});
        expect("1,x,3", {"\"x\" is no layer"});
        expect("1,99999999999,3", {"is no layer"});
        // The layer that predicts one more token shares the parameters of the head
        const PlanningProblem further = MakeStageProblem(
            "transformer:gradients=half,layers=6,hidden=96,heads=6,feedForward=384,vocabulary=768,"
            "sequence=64,tied=no,futureTokens=1",
            4,
            4);
        planner->SetAttribute("Cuts", StringValue("2,4,8"));
        NS_TEST_EXPECT_MSG_EQ(
            FindWrongError([&]() { planner->TryPlan(further); },
                           {"head", "share parameters", "in one part", "choose other Cuts"}),
            "",
            "A cut between both");
        // Cuts that are not given leave both in one part, though they take the most time
        planner->SetAttribute("Cuts", StringValue(""));
        for (const uint32_t stages : {3, 4})
        {
            planner->SetAttribute("PipelineParallel", UintegerValue(stages));
            const PlanningProblem slow = MakeStageProblem(
                "transformer:gradients=half,layers=6,hidden=96,heads=6,feedForward=384,"
                "vocabulary=76800,sequence=64,tied=no,futureTokens=1",
                stages,
                stages);
            const TrainingPlan whole = planner->Plan(slow);
            NS_TEST_EXPECT_MSG_EQ(whole.programs.size(), stages, "Head and future layer together");
        }
    }

    /// Checks degrees that are no powers of two.
    void TestOddDegree()
    {
        // Tensor, pipeline, chunks, replicas, microbatches
        const std::vector<std::vector<uint32_t>> cases{{3, 1, 1, 1, 1},
                                                       {5, 1, 1, 3, 2},
                                                       {6, 2, 1, 1, 3},
                                                       {7, 3, 1, 2, 5},
                                                       {1, 3, 2, 5, 3},
                                                       {3, 2, 2, 7, 2},
                                                       {1, 6, 1, 1, 7},
                                                       {1, 7, 1, 1, 3},
                                                       {1, 1, 1, 12, 5},
                                                       {12, 1, 1, 3, 5}};
        for (const auto& numbers : cases)
        {
            const uint32_t gpus = numbers[0] * numbers[1] * numbers[3];
            const PlanningProblem problem =
                MakeStageProblem("gpt2-xl:gradients=half,layers=6,hidden=420,heads=84,feedForward="
                                 "1680,vocabulary=840,sequence=60",
                                 gpus,
                                 uint64_t{numbers[3]} * numbers[4]);
            for (const bool sequence : {false, true})
            {
                Strategy strategy;
                strategy.dataParallel = numbers[3];
                strategy.microbatches = numbers[4];
                strategy.zeroStage = 1;
                strategy.bucketBytes = 100000;
                strategy.tensorParallel = numbers[0];
                strategy.pipelineParallel = numbers[1];
                strategy.virtualStages = numbers[2];
                strategy.sequenceParallel = sequence && numbers[0] > 1;
                TrainingPlan plan = PlanBuilder(problem).Build(strategy);
                plan.Check();
                plan.circuitWeights.assign(plan.groups.size(), 0);
                plan.circuitWeights[1] = 1;
                uint64_t gradients = 0;
                for (const auto& use : plan.memory)
                {
                    gradients += use.gradients;
                }
                // Each of d replicas sends 2 (d - 1) / d of its gradients
                NS_TEST_EXPECT_MSG_EQ(plan.GetDemand().GetTotal() * numbers[3],
                                      2 * (numbers[3] - 1) * gradients,
                                      gpus << " GPUs");
                NS_TEST_EXPECT_MSG_EQ(plan.programs.size(), gpus, "All GPUs");
            }
        }
    }

    /// Checks the algorithms of collectives.
    void TestStageAlgorithm()
    {
        const PlanningProblem problem = MakeStageProblem(SMALL_MODEL, 12, 12);
        const auto planner = CreateObject<FixedPlanner>();
        planner->SetAttribute("TensorParallel", UintegerValue(3));
        CheckOptions(planner->Plan(problem), CollectiveOptions(), CollectiveOptions());
        planner->SetAttribute("TensorAlgorithm", StringValue("Ring"));
        planner->SetAttribute("DataAlgorithm", StringValue("Ring"));
        const TrainingPlan rings = planner->Plan(problem);
        const CollectiveOptions ring(1, CollectiveAlgorithm::RING);
        CheckOptions(rings, ring, ring);
        NS_TEST_EXPECT_MSG_EQ(PlanFolder(rings).GetPlan().programs.size(), 4, "Rings are folded");

        Strategy strategy;
        strategy.tensorParallel = 3;
        strategy.dataParallel = 4;
        strategy.dataAlgorithm = CollectiveAlgorithm::MULTI_RING;
        strategy.dataRings = 2;
        const TrainingPlan plan = PlanBuilder(problem).Build(strategy);
        CheckOptions(plan,
                     CollectiveOptions(),
                     CollectiveOptions(1, CollectiveAlgorithm::MULTI_RING, 2));
        const std::string error = GetError([&]() { PlanFolder folder(plan); });
        NS_TEST_EXPECT_MSG_EQ(Contains(error, "4 replicas is not carried out by an algorithm"),
                              true,
                              error);
    }

  private:
    /**
     * @param problem the problem
     * @param stages the number of stages
     * @param chunks the number of parts of each stage
     * @param cuts the first layers of the parts but the first
     */
    void Try(const PlanningProblem& problem,
             uint32_t stages,
             uint32_t chunks,
             const std::vector<uint32_t>& cuts)
    {
        Strategy strategy;
        strategy.pipelineParallel = stages;
        strategy.virtualStages = chunks;
        strategy.dataParallel = 4 / stages;
        strategy.microbatches = stages;
        strategy.cuts = cuts;
        const TrainingPlan plan = PlanBuilder(problem).Build(strategy);
        plan.Check();
        std::vector<double> seconds(stages, 0);
        for (const auto& op : problem.graph.GetOperators())
        {
            const auto part = std::upper_bound(cuts.begin(), cuts.end(), op.layer) - cuts.begin();
            seconds[part % stages] +=
                op.pass == Pass::UPDATE ? 0 : stages * problem.accelerator.GetSeconds(op, 1 * 1);
        }
        for (uint32_t stage = 0; stage < stages; ++stage)
        {
            double planned = 0;
            for (const auto& task : plan.programs[stage * 4 / stages]->GetTasks())
            {
                planned += task.pass == Pass::UPDATE ? 0 : task.seconds;
            }
            NS_TEST_EXPECT_MSG_EQ_TOL(planned, seconds[stage], 1e-12, "Stage " << stage);
        }
    }

    /**
     * @param plan a plan
     * @param tensor the options of its collectives within a replica
     * @param data the options of its collectives over the replicas
     */
    void CheckOptions(const TrainingPlan& plan,
                      const CollectiveOptions& tensor,
                      const CollectiveOptions& data)
    {
        uint32_t counts[2] = {0, 0};
        for (const auto& task : plan.programs[0]->GetTasks())
        {
            if (task.kind == TaskKind::COLLECTIVE)
            {
                NS_TEST_ASSERT_MSG_LT(task.group, 2, "There is no pipeline");
                ++counts[task.group];
                NS_TEST_EXPECT_MSG_EQ((task.options == (task.group == 0 ? tensor : data)),
                                      true,
                                      task.name);
            }
        }
        NS_TEST_EXPECT_MSG_GT(std::min(counts[0], counts[1]), 0, "There are both");
    }
};

/// Registers the test cases
static const SuiteCases g_stageSettingsCases(
    "lightpath-planner-stages",
    {{MakeCase("Stages begin with the layers that cuts name", &StageSettingsTests::TestGivenCut),
      MakeCase("Degrees need not be powers of two", &StageSettingsTests::TestOddDegree),
      MakeCase("Collectives are carried out as the strategy says",
               &StageSettingsTests::TestStageAlgorithm)}});
