/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "expect-error.h"
#include "method-case.h"
#include "model/planner/build/plan-builder.h"
#include "planner-tests.h"
#include "stage-tests.h"

#include "ns3/enum.h"
#include "ns3/fixed-planner.h"
#include "ns3/plan-folder.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <map>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/// A transformer of 8 layers of which the first and the last are embedding and head.
const std::string SMALL =
    "gpt2-xl:layers=6,hidden=96,heads=6,feedForward=384,vocabulary=768,sequence=64";

} // namespace

/**
 * @ingroup lightpath-tests
 * @brief The test cases of stage advice.
 */
class StageAdviceTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /// Cuts layers by hand.
    void TestGivenCut()
    {
        const PlanningProblem problem = MakeStageProblem(SMALL, 4, 4);
        Try(problem, 4, 1, {1, 2, 7});
        Try(problem, 4, 1, {3, 4, 5});
        Try(problem, 2, 2, {2, 3, 7});
        const auto planner = CreateObject<FixedPlanner>();
        planner->SetAttribute("PipelineParallel", UintegerValue(4));
        const auto expect = [&](const std::string& cuts, const std::string& part) {
            planner->SetAttribute("Cuts", StringValue(cuts));
            const std::string error = GetError([&]() { planner->TryPlan(problem); });
            NS_TEST_EXPECT_MSG_EQ(Contains(error, part) && error.empty() == part.empty(),
                                  true,
                                  cuts << ": " << error);
        };
        expect("1,2,7", "");
        expect("", "");
        expect("1,2", "layers 1,2 do not cut the 8 layers");
        expect("1,2,3,4", "must be 3 of them");
        expect("2,1,3", "ascending order");
        expect("1,1,3", "ascending order");
        expect("0,1,3", "from layer 1 to 7");
        expect("1,2,8", "from layer 1 to 7");
        expect("1,,3", "\"\" is no layer");
        expect("1,2,3,", "\"\" is no layer");
        expect("1,x,3", "\"x\" is no layer");
        expect("1,99999999999,3", "is no layer");
    }

    /// Looks at degrees that are no powers of two.
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
            const PlanningProblem problem = MakeStageProblem(
                "gpt2-xl:layers=6,hidden=420,heads=84,feedForward=1680,vocabulary=840,sequence=60",
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

    /// Looks at how collectives are to be carried out.
    void TestStageAlgorithm()
    {
        const PlanningProblem problem = MakeStageProblem(SMALL, 12, 12);
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
        NS_TEST_EXPECT_MSG_EQ(Contains(error, "4 replicas is not carried out by one ring"),
                              true,
                              error);
    }

    /// Checks the constraints and the nearest changes that refusals name.
    void TestStageAdvice()
    {
        m_problem = MakeStageProblem(SMALL, 12, 24);
        using Settings = std::map<std::string, uint32_t>;
        const std::string ways = "the nearest way to which is ";
        Expect({}, "", {});
        // 12 GPUs are no multiple of 5: 10 are, and 4 or 6 divides them
        Expect({{"TensorParallel", 5}},
               "Divisibility",
               ways + "10 GPUs, or TensorParallel times "
                      "PipelineParallel = 4");
        Expect({{"TensorParallel", 3}, {"DataParallel", 2}}, "Divisibility", "DataParallel=4");
        Expect({{"TensorParallel", 3}, {"DataParallel", 4}}, "", "");
        Expect({{"Microbatch", 4}}, "Divisibility", ways + "Microbatch=2");
        Expect({{"Microbatch", 2}}, "", "");
        m_problem.globalBatch = 20;
        Expect({}, "Divisibility", ways + "a global batch of 24, or DataParallel=10 on 10 GPUs");
        m_problem.globalBatch = 24;
        Expect({{"TensorParallel", 6}}, "", "");
        // 6 heads; with the same GPUs and batch 6 GPUs have one each
        Expect({{"TensorParallel", 12}},
               "Divisibility: the 6 parts (attention heads) of operator layer1.",
               ways + "TensorParallel=6 and DataParallel=2");
        // 8 layers
        Expect({{"PipelineParallel", 12}},
               "Divisibility",
               ways + "PipelineParallel=6 and DataParallel=2");
        Expect({{"PipelineParallel", 6}, {"DataParallel", 2}}, "", "");
        const Settings parts{{"PipelineParallel", 3}, {"VirtualStages", 3}, {"Microbatch", 1}};
        Expect(parts, "Divisibility", ways + "VirtualStages=2");
        const Settings chunks{{"PipelineParallel", 3}, {"VirtualStages", 2}, {"Microbatch", 3}};
        Expect(chunks, "Divisibility", ways + "Microbatch=2");
        Expect({{"PipelineParallel", 3}, {"VirtualStages", 2}, {"Microbatch", 2}}, "", "");
        for (const uint32_t zero : {2, 3})
        {
            Expect({{"PipelineParallel", 3}, {"ZeroStage", zero}},
                   "ZeroStage is " + std::to_string(zero),
                   "it must be 0 or 1");
        }
        m_problem.gpus = 60;
        m_problem.globalBatch = 60;
        Expect({{"TensorParallel", 5}},
               "Divisibility: the ",
               ways + "TensorParallel=4 and DataParallel=15");
        Expect({{"TensorParallel", 4}, {"DataParallel", 15}}, "", "");
        m_problem.gpus = 12;
        m_problem.globalBatch = 24;
        CheckBuilder();
        CheckDegree();
        CheckMemory();
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
     * @param tensor how its collectives within a replica are to be carried out
     * @param data how those over the replicas are
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

    /**
     * Look at strategies that no planner has looked at before.
     */
    void CheckBuilder()
    {
        const auto expect = [&](uint32_t replicas, uint32_t microbatches, const std::string& part) {
            Strategy strategy;
            strategy.dataParallel = replicas;
            strategy.tensorParallel = 3;
            strategy.microbatches = microbatches;
            const std::string error = GetError([&]() { PlanBuilder(m_problem).Build(strategy); });
            NS_TEST_EXPECT_MSG_EQ(error.empty(), part.empty(), error);
            NS_TEST_EXPECT_MSG_EQ(Contains(error, part), true, error << " does not say " << part);
        };
        expect(4, 3, "");
        expect(0, 3, "The strategy has 0 replicas: there must be 1 at least");
        expect(4, 0, "The strategy has 0 microbatches: there must be 1 at least");
        expect(3,
               3,
               "Divisibility: 3 replicas of 3 GPUs each do not make 12 GPUs, the nearest "
               "way to which is DataParallel=4");
        expect(4,
               4,
               "Divisibility: a global batch of 24 cannot be cut evenly into 4 microbatches "
               "of each of 4 replicas, the nearest way to which is a global batch of 16");
    }

    /**
     * @param settings values of attributes of a FixedPlanner
     * @return the planner
     */
    static Ptr<FixedPlanner> MakePlanner(const std::map<std::string, uint32_t>& settings)
    {
        const auto planner = CreateObject<FixedPlanner>();
        for (const auto& setting : settings)
        {
            planner->SetAttribute(setting.first, UintegerValue(setting.second));
        }
        return planner;
    }

    /**
     * @param settings values of attributes of a FixedPlanner
     * @param constraint what the sentence names first; empty if there is a plan
     * @param advice what else it says
     */
    void Expect(const std::map<std::string, uint32_t>& settings,
                const std::string& constraint,
                const std::string& advice)
    {
        const auto planner = MakePlanner(settings);
        const std::string error = GetError([&]() { planner->TryPlan(m_problem); });
        NS_TEST_EXPECT_MSG_EQ(error.empty(), constraint.empty(), error);
        NS_TEST_EXPECT_MSG_EQ(error.find(constraint), 0, error);
        NS_TEST_EXPECT_MSG_EQ(Contains(error, advice), true, error << " does not say " << advice);
    }

    /**
     * Look at a fabric of few circuits.
     */
    void CheckDegree()
    {
        m_problem.fabric.degree = 3;
        const std::map<std::string, uint32_t> all{{"TensorParallel", 2},
                                                  {"PipelineParallel", 2},
                                                  {"Microbatch", 2}};
        Expect(all, "", "");
        m_problem.fabric.degree = 2;
        Expect(all,
               "Degree: the plan lets a GPU have 3 peers (1 within a replica, 1 over replicas, 1 "
               "between stages, 1 first and last stage), but the fabric gives it circuits to 2",
               "combine fewer kinds of parallelism");
        Expect({{"TensorParallel", 2}, {"Microbatch", 2}}, "", "");
        m_problem.fabric.degree = 1;
        Expect({{"Microbatch", 2}}, "", "");
        m_problem.fabric.degree = 0;
    }

    /**
     * Look at GPUs with little memory, on which sharing out more and more makes a plan fit.
     */
    void CheckMemory()
    {
        // Activations count for little: one sample at a time, with all recomputed
        const auto getBytes = [&](uint32_t zero) { return MakePlan(zero).memoryBytes; };
        std::vector<uint64_t> bytes;
        for (uint32_t zero = 0; zero <= 3; ++zero)
        {
            bytes.push_back(getBytes(zero));
            NS_TEST_EXPECT_MSG_EQ((zero == 0 || bytes[zero] < bytes[zero - 1]),
                                  true,
                                  "Stage " << zero << " needs less");
        }
        for (uint32_t zero = 1; zero <= 3; ++zero)
        {
            m_problem.accelerator.memoryBytes = bytes[zero];
            const std::string error = GetError([&]() { MakePlan(zero - 1); });
            NS_TEST_EXPECT_MSG_EQ(error.rfind("Memory: the plan needs ", 0), 0, error);
        }
        m_problem.accelerator.memoryBytes = UINT64_MAX;
    }

    /**
     * @param zero what is shared out
     * @return a plan of 12 replicas with full recomputation
     */
    TrainingPlan MakePlan(uint32_t zero) const
    {
        const auto planner = MakePlanner({{"ZeroStage", zero}, {"Microbatch", 1}});
        planner->SetAttribute("BucketBytes", UintegerValue(1000));
        planner->SetAttribute("Recomputation", StringValue("Full"));
        return planner->TryPlan(m_problem);
    }

    PlanningProblem m_problem; //!< The problem
};

/// Registers the test cases
static const SuiteCases g_stageAdviceCases(
    "lightpath-planner-stages",
    {{MakeCase("Stages begin with the layers that cuts name", &StageAdviceTests::TestGivenCut),
      MakeCase("Degrees need not be powers of two", &StageAdviceTests::TestOddDegree),
      MakeCase("Collectives are carried out as the strategy says",
               &StageAdviceTests::TestStageAlgorithm),
      MakeCase("A refusal names the constraint and the nearest change, which helps",
               &StageAdviceTests::TestStageAdvice)}});
