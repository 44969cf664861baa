/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "method-case.h"
#include "model/planner/price/cost-model.h"
#include "model/planner/search/choice-pricer.h"
#include "model/planner/search/plan-choice.h"
#include "model/planner/search/plan-constraint.h"
#include "model/planner/write/plan-builder.h"
#include "planner-job.h"
#include "search-tests.h"

#include "ns3/double.h"
#include "ns3/electrical-switch-helper.h"
#include "ns3/fabric-description.h"
#include "ns3/fixed-planner.h"
#include "ns3/model-zoo.h"
#include "ns3/oddl-helper.h"
#include "ns3/planning-problem.h"
#include "ns3/search-planner.h"
#include "ns3/sip-ml-planner.h"
#include "ns3/sip-ring-helper.h"
#include "ns3/uinteger.h"

#include <map>
#include <string>
#include <tuple>
#include <utility>

using namespace ns3;
using namespace ns3::lightpath;

/**
 * @ingroup lightpath-tests
 * @brief The tests of the search for plans.
 */
class SearchPlannerTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /// Compares the search with other planners, with itself, and with a smaller budget.
    void TestStart()
    {
        PlanningProblem problem = MakeProblem("bert-large:layers=4", "A100", 8, 64);
        problem.fabric = MakeSwitchLimits(8, 4, 1e-5);
        problem.fabric.bitRate = 4e11;
        problem.fabric.laneRate = 1e11;
        const auto planner = CreateObject<SearchPlanner>();
        planner->SetAttribute("MaxEvaluations", UintegerValue(120));
        planner->SetAttribute("LeastGain", DoubleValue(0));
        const TrainingPlan plan = planner->Plan(problem);
        const double seconds = plan.cost.seconds;
        NS_TEST_EXPECT_MSG_LT_OR_EQ(seconds,
                                    CreateObject<SipMlPlanner>()->Plan(problem).cost.seconds,
                                    "SiP-ML");
        for (const uint32_t tensor : {1, 2, 4, 8})
        {
            const auto fixed = CreateObject<FixedPlanner>();
            fixed->SetAttribute("TensorParallel", UintegerValue(tensor));
            NS_TEST_EXPECT_MSG_LT_OR_EQ(seconds, fixed->Plan(problem).cost.seconds, tensor);
        }
        const auto progress = planner->GetProgress();
        NS_TEST_ASSERT_MSG_EQ(progress.empty(), false, "There was some");
        for (std::size_t i = 1; i < progress.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_LT_OR_EQ(progress[i].bestSeconds,
                                        progress[i - 1].bestSeconds,
                                        "Better");
            NS_TEST_EXPECT_MSG_GT_OR_EQ(progress[i].evaluations,
                                        progress[i - 1].evaluations,
                                        "Later");
        }
        // The plan is priced anew, message by message
        NS_TEST_EXPECT_MSG_EQ_TOL(progress.back().bestSeconds, seconds, 1e-4 * seconds, "The plan");
        NS_TEST_EXPECT_MSG_EQ(plan.alternatives.front().seconds, seconds, "The best one first");
        TryAgain(problem, plan);
        TryGains(problem, plan);
    }

    /// Of plans within 0.5 % of the best one, the simplest one is taken by default.
    void TestSimplicity()
    {
        PlanningProblem problem = MakeProblem("resnet50", "A100", 8, 256, ElectricalSwitchHelper());
        const auto planner = CreateObject<SearchPlanner>();
        planner->SetAttribute("LeastGain", DoubleValue(0));
        const TrainingPlan fastest = planner->Plan(problem);
        const TrainingPlan plan = CreateObject<SearchPlanner>()->Plan(problem);
        NS_TEST_EXPECT_MSG_LT(plan.strategy.zeroStage, fastest.strategy.zeroStage, "Less ZeRO");
        NS_TEST_EXPECT_MSG_LT_OR_EQ(plan.cost.seconds, fastest.cost.seconds * 1.005, "As fast");
        NS_TEST_EXPECT_MSG_EQ(plan.alternatives.front().seconds, plan.cost.seconds, "First");
        NS_TEST_EXPECT_MSG_LT_OR_EQ(plan.lowerBoundSeconds, fastest.cost.seconds, "Certified");
        for (uint32_t zero = 0; zero < plan.strategy.zeroStage; ++zero)
        {
            const auto fixed = CreateObject<FixedPlanner>();
            fixed->SetAttribute("ZeroStage", UintegerValue(zero));
            NS_TEST_EXPECT_MSG_GT(fixed->Plan(problem).cost.seconds,
                                  fastest.cost.seconds * 1.005,
                                  "ZeRO-" << zero << " is slower");
        }
    }

    /// A grid of switches is turned where that is faster, unless somebody has set it.
    void TestGrid()
    {
        OddlHelper grid;
        PlanningProblem problem = MakeProblem("bert-large:layers=2", "A100", 8, 8, grid);
        // Messages over 2 ports leave their row and column on 2 x 4, and neither on 4 x 2
        Strategy strategy;
        strategy.dataParallel = 4;
        strategy.tensorParallel = 2;
        strategy.dataAlgorithm = CollectiveAlgorithm::RING;
        TrainingPlan turned = PlanBuilder(problem).Build(strategy);
        std::tie(turned.gridRows, turned.gridColumns) = std::make_pair(4, 2);
        grid.SetGrid(4, 2);
        const double seconds = CostModel(problem.fabric).Price(turned).seconds;
        NS_TEST_EXPECT_MSG_EQ(
            CostModel(FabricDescription::Create(grid)->GetLimits(8)).Price(turned).seconds,
            seconds,
            "the price of the grid that it asks for");
        turned.gridRows = 0;
        NS_TEST_EXPECT_MSG_GT(CostModel(problem.fabric).Price(turned).seconds, seconds, "2 x 4");
        // On each grid, plans have the collectives that suit it
        SearchBudget budget(100, 0);
        ChoicePricer pricer(problem, budget, [](const TrainingPlan&) {});
        const auto fixed = CreateObject<FixedPlanner>();
        fixed->SetAttribute("TensorParallel", UintegerValue(2));
        PlanningProblem set = problem;
        set.placement = "linear";
        PlanChoice choice;
        for (const auto& shape : problem.fabric.grids)
        {
            OddlHelper only;
            only.SetGrid(shape.rows, shape.columns);
            set.fabric = FabricDescription::Create(only)->GetLimits(8);
            const TrainingPlan plan = fixed->Plan(set);
            choice.strategy = plan.strategy;
            NS_TEST_EXPECT_MSG_EQ_TOL(pricer.Price(choice, 1, CostModel::FEW_FOLLOWED),
                                      plan.cost.seconds,
                                      1e-9 * plan.cost.seconds,
                                      shape.rows << " rows");
            ++choice.grid;
        }
        const auto planner = CreateObject<SearchPlanner>();
        planner->SetAttribute("MaxEvaluations", UintegerValue(60));
        TrainingPlan plan = planner->Plan(problem);
        NS_TEST_EXPECT_MSG_EQ(plan.gridRows * plan.gridColumns, 8, "a place for each");
        NS_TEST_EXPECT_MSG_EQ(plan.alternatives.front().seconds, plan.cost.seconds, "the first");
        std::swap(plan.gridRows, plan.gridColumns);
        NS_TEST_EXPECT_MSG_LT_OR_EQ(plan.cost.seconds * (1 - 1e-9),
                                    CostModel(problem.fabric).Price(plan).seconds,
                                    "the other grid");
        problem.fabric = FabricDescription::Create(grid)->GetLimits(8);
        NS_TEST_EXPECT_MSG_EQ(planner->Plan(problem).gridRows, 0, "Its rows are set");
    }

    /// The search finds the better of two grids, without somebody setting it.
    void TestTurnedGrid()
    {
        PlanningProblem problem = MakeProblem("gpt3-175b:layers=2", "H100", 8, 8);
        OddlHelper grid;
        grid.SetBandwidth(DataRate("100Gbps"));
        const auto planner = CreateObject<SearchPlanner>();
        planner->SetAttribute("MaxEvaluations", UintegerValue(200));
        problem.fabric = FabricDescription::Create(grid)->GetLimits(8);
        const TrainingPlan plan = planner->Plan(problem);
        std::map<uint32_t, double> seconds;
        for (const uint32_t rows : {2, 4})
        {
            grid.SetGrid(rows, 0);
            problem.fabric = FabricDescription::Create(grid)->GetLimits(8);
            seconds[rows] = planner->Plan(problem).cost.seconds;
        }
        NS_TEST_EXPECT_MSG_LT(seconds[4], 0.9 * seconds[2], "4 x 2 is better than the default");
        NS_TEST_EXPECT_MSG_EQ(plan.gridRows, 4, "and found");
        NS_TEST_EXPECT_MSG_LT_OR_EQ(plan.cost.seconds, seconds[4] * 1.005, "as if it were set");
    }

    /// A search reports that its budget has ended it.
    void TestCut()
    {
        PlanningProblem problem = MakeProblem("bert-large:layers=2", "A100", 8, 8, SipRingHelper());
        const auto planner = CreateObject<SearchPlanner>();
        planner->SetAttribute("MaxEvaluations", UintegerValue(10));
        planner->Plan(problem);
        NS_TEST_EXPECT_MSG_EQ(planner->IsCut(), true, "After 10 evaluations");
        problem.gpus = 1;
        problem.fabric = FabricDescription::Create(SipRingHelper())->GetLimits(1);
        const TrainingPlan alone = planner->Plan(problem);
        NS_TEST_EXPECT_MSG_EQ_TOL(alone.cost.seconds,
                                  alone.lowerBoundSeconds,
                                  1e-8 * alone.cost.seconds,
                                  "The bound");
        NS_TEST_EXPECT_MSG_EQ(planner->IsCut(), false, "Nothing is better than the bound");
        SearchBudget budget(10, 0);
        budget.Charge(10);
        NS_TEST_EXPECT_MSG_EQ(budget.HasRoom(), false, "All 10 are spent");
        NS_TEST_EXPECT_MSG_EQ(budget.Extend(2), 2, "More");
        NS_TEST_EXPECT_MSG_EQ(budget.HasRoom(2), true, "12 less 10");
        NS_TEST_EXPECT_MSG_EQ(budget.HasRoom(3), false, "12 less 10");
        SearchBudget most(UINT64_MAX, 0);
        NS_TEST_EXPECT_MSG_EQ(most.Extend(2), 0, "There is no more");
        NS_TEST_EXPECT_MSG_EQ(most.HasRoom(), true, "As before");
    }

    /// Searches on a ring, where one peer gets half of the rate and places differ.
    void TestRing()
    {
        SipRingHelper ring;
        ring.SetBandwidth(DataRate("500Gbps"));
        PlanningProblem problem =
            MakeProblem("bert-large:layers=2,gradients=half", "A100", 8, 8, ring);
        // Of the other direction a pair gets at most what seven segments leave of it
        NS_TEST_EXPECT_MSG_EQ_TOL(problem.fabric.peerBitRate,
                                  problem.fabric.bitRate / 2 * 8 / 7,
                                  1,
                                  "One of two directions");
        const PlanBuilder builder(problem);
        Strategy strategy;
        strategy.dataParallel = 8;
        const TrainingPlan two = builder.Build(strategy);
        NS_TEST_EXPECT_MSG_EQ(two.GetTraffic().GetDegree(), 2, "One ring each way");
        strategy.dataAlgorithm = CollectiveAlgorithm::RING;
        const TrainingPlan one = builder.Build(strategy);
        NS_TEST_EXPECT_MSG_EQ(one.GetTraffic().GetDegree(), 1, "One ring");
        NS_TEST_EXPECT_MSG_LT(GetExposed(problem, two), GetExposed(problem, one), "Both ways");
        problem.fabric.peerBitRate = 0;
        strategy.dataAlgorithm = CollectiveAlgorithm::AUTOMATIC;
        NS_TEST_EXPECT_MSG_EQ(PlanBuilder(problem).Build(strategy).GetTraffic().GetDegree(),
                              1,
                              "As all of the rate goes to one peer");
        TryPlaces(problem);
    }

    /// With few evaluations, compares the search with data parallelism alone, and placements.
    void TestFew()
    {
        SipRingHelper ring;
        ring.SetBandwidth(DataRate("1000Gbps"));
        PlanningProblem problem = MakeProblem("mixtral-8x7b:layers=2", "H100", 16, 16, ring);
        const auto planner = CreateObject<SearchPlanner>();
        planner->SetAttribute("MaxEvaluations", UintegerValue(100));
        // The bounds of many plans that share out experts are far below their times
        const double seconds = planner->Plan(problem).cost.seconds;
        for (const uint32_t zero : {0, 1})
        {
            const auto fixed = CreateObject<FixedPlanner>();
            fixed->SetAttribute("ZeroStage", UintegerValue(zero));
            NS_TEST_EXPECT_MSG_LT_OR_EQ(seconds,
                                        fixed->Plan(problem).cost.seconds * 1.005,
                                        "ZeRO-" << zero);
        }
        // Where ranks stand is sought for on top of the budget
        ring.SetBandwidth(DataRate("250Gbps"));
        problem.graph = ModelZoo::Create("bert-large:sequence=128,layers=4");
        problem.accelerator = Accelerator::Create("A100");
        problem.globalBatch = 64;
        problem.fabric = FabricDescription::Create(ring)->GetLimits(16);
        PlanningProblem linear = problem;
        linear.placement = "linear";
        for (const uint64_t evaluations : {200, 500})
        {
            planner->SetAttribute("MaxEvaluations", UintegerValue(evaluations));
            NS_TEST_EXPECT_MSG_LT_OR_EQ(planner->Plan(problem).cost.seconds,
                                        planner->Plan(linear).cost.seconds * 1.001,
                                        evaluations << " evaluations");
        }
    }

    /// Finds the best plan near the second best one, far from the best one.
    void TestNear()
    {
        SipRingHelper ring;
        ring.SetBandwidth(DataRate("400Gbps"));
        PlanningProblem problem =
            MakeProblem("mixtral-8x7b:layers=8,attention=fused", "H100", 32, 64, ring);
        const auto fixed = CreateObject<FixedPlanner>();
        fixed->SetAttribute("PipelineParallel", UintegerValue(8));
        fixed->SetAttribute("Microbatch", UintegerValue(1));
        TrainingPlan stages = fixed->Plan(problem);
        stages.phaseCircuits = true;
        NS_TEST_EXPECT_MSG_LT_OR_EQ(CreateObject<SearchPlanner>()->Plan(problem).cost.seconds,
                                    CostModel(problem.fabric).Price(stages).seconds * 1.005,
                                    "8 stages");
    }

    /// Asks for plans that do not exist.
    void TestRefusal()
    {
        PlanningProblem problem = MakeProblem("bert-large:layers=6", "A100", 4, 16);
        problem.fabric = MakeSwitchLimits(4, 4, 1e-5);
        const auto planner = CreateObject<SearchPlanner>();
        planner->SetAttribute("MaxEvaluations", UintegerValue(0));
        ExpectSentence(problem, planner, "before its budget of 0 evaluations was used up");
        planner->SetAttribute("MaxEvaluations", UintegerValue(50));
        planner->SetAttribute("TimeBudget", TimeValue(NanoSeconds(1)));
        ExpectSentence(problem, planner, "s was used up: use a longer TimeBudget");
        planner->SetAttribute("TimeBudget", TimeValue(Seconds(0)));
        problem.accelerator.memoryBytes = 1 << 28;
        ExpectSentence(problem, planner, "Memory: no strategy fits into the memory of 4 GPUs");
        ExpectSentence(problem, planner, "the accelerator A100 has 0.25 GiB: use more GPUs");
        TryDivision();
    }

  private:
    /**
     * Search again, and with fewer evaluations.
     *
     * @param problem the problem
     * @param plan its plan
     */
    void TryAgain(const PlanningProblem& problem, const TrainingPlan& plan)
    {
        const auto planner = CreateObject<SearchPlanner>();
        planner->SetAttribute("MaxEvaluations", UintegerValue(120));
        planner->SetAttribute("LeastGain", DoubleValue(0));
        const TrainingPlan again = planner->Plan(problem);
        NS_TEST_EXPECT_MSG_EQ(again.cost.seconds, plan.cost.seconds, "The same");
        NS_TEST_EXPECT_MSG_EQ((again.strategy == plan.strategy), true, "The same");
        const bool isSame = again.circuitWeights == plan.circuitWeights;
        NS_TEST_EXPECT_MSG_EQ(isSame, true, "The same");
        NS_TEST_EXPECT_MSG_EQ(again.lowerBoundSeconds, plan.lowerBoundSeconds, "The same");
        NS_TEST_EXPECT_MSG_EQ(again.alternatives.size(), plan.alternatives.size(), "The same");
        planner->SetAttribute("MaxEvaluations", UintegerValue(20));
        const TrainingPlan small = planner->Plan(problem);
        NS_TEST_EXPECT_MSG_GT_OR_EQ(small.cost.seconds, plan.cost.seconds, "Not better");
        NS_TEST_EXPECT_MSG_LT_OR_EQ(small.lowerBoundSeconds, plan.cost.seconds, "Certified");
    }

    /**
     * Ask for the constraints that bind the plan.
     *
     * @param problem the problem
     * @param plan its plan
     */
    void TryGains(PlanningProblem problem, const TrainingPlan& plan)
    {
        const auto gains = PlanConstraint(problem).GetGains(plan);
        NS_TEST_ASSERT_MSG_EQ(gains.size(), 5, "Constraints");
        NS_TEST_EXPECT_MSG_EQ(gains.front().name, "compute", "BERT on fast links computes");
        for (std::size_t i = 1; i < gains.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_GT_OR_EQ(gains[i].seconds, gains[i - 1].seconds, "In order");
            NS_TEST_EXPECT_MSG_LT_OR_EQ(gains[i].seconds, plan.cost.seconds, "No loss");
        }
        problem.fabric.bitRate = 4e8;
        problem.fabric.laneRate = 1e8;
        const auto slow =
            PlanConstraint(problem).GetGains(CreateObject<SearchPlanner>()->Plan(problem));
        NS_TEST_EXPECT_MSG_EQ(slow.front().name, "bandwidth", "At a thousandth of the rate");
    }

    /**
     * Price a plan in all orders of its axes.
     *
     * @param problem the problem
     */
    void TryPlaces(const PlanningProblem& problem)
    {
        Strategy strategy;
        strategy.dataParallel = 4;
        strategy.tensorParallel = 2;
        const TrainingPlan plan = PlanBuilder(problem).Build(strategy);
        const double seconds = CostModel(problem.fabric).Price(plan).seconds;
        for (uint32_t order = 0; order < PlanChoice::N_ORDERS; ++order)
        {
            TrainingPlan placed = plan;
            placed.placement = Placement(PlanChoice::GetGpus(strategy, order));
            placed.Check();
            NS_TEST_EXPECT_MSG_EQ(placed.GetTraffic().GetTotal(),
                                  plan.GetTraffic().GetTotal(),
                                  "Order " << order);
            NS_TEST_EXPECT_MSG_GT_OR_EQ(CostModel(problem.fabric).Price(placed).seconds,
                                        plan.programs[0]->GetComputeSeconds(),
                                        "Order " << order);
        }
        // One step around the ring changes nothing but which of equal ways light takes
        TrainingPlan turned = plan;
        turned.placement = Placement({1, 2, 3, 4, 5, 6, 7, 0});
        NS_TEST_EXPECT_MSG_EQ_TOL(CostModel(problem.fabric).Price(turned).seconds,
                                  seconds,
                                  1e-3 * seconds,
                                  "The ring is the same from each GPU");
    }

    /**
     * @param problem a problem
     * @param plan a plan of it
     * @return the time that it communicates without computing, in seconds
     */
    static double GetExposed(const PlanningProblem& problem, const TrainingPlan& plan)
    {
        return CostModel(problem.fabric).Price(plan).waitingSeconds;
    }

    /**
     * Ask for plans of a batch that cannot be divided.
     */
    void TryDivision()
    {
        const auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(2);
        // 11 GPUs divide neither the bytes nor the batch nor the 2 layers
        PlanningProblem problem = MakeToyProblem(MakeRandomChain(2, random), 11, 4);
        problem.fabric = MakeSwitchLimits(11, 1, 0);
        const auto planner = CreateObject<SearchPlanner>();
        planner->SetAttribute("MaxEvaluations", UintegerValue(1));
        problem.accelerator.memoryBytes = 1;
        ExpectSentence(problem, planner, "use a global batch that is a multiple of 11");
    }

    /**
     * @param problem a problem
     * @param planner the search
     * @param text a part of the expected sentence
     */
    void ExpectSentence(const PlanningProblem& problem,
                        Ptr<SearchPlanner> planner,
                        const std::string& text)
    {
        std::string said;
        try
        {
            planner->TryPlan(problem);
        }
        catch (const std::invalid_argument& error)
        {
            said = error.what();
        }
        NS_TEST_EXPECT_MSG_NE(said.find(text), std::string::npos, said);
    }
};

/// Registers the test cases
static const SuiteCases g_searchPlannerCases(
    "lightpath-planner-search",
    {{MakeCase("The search is never worse than where it starts from, and repeats itself",
               &SearchPlannerTests::TestStart),
      MakeCase("The search prefers the simpler of two plans that are nearly as fast",
               &SearchPlannerTests::TestSimplicity),
      MakeCase("The search turns a grid where that is faster", &SearchPlannerTests::TestGrid),
      MakeCase("The search finds the better of two grids", &SearchPlannerTests::TestTurnedGrid),
      MakeCase("A search that its budget ends says so", &SearchPlannerTests::TestCut),
      MakeCase("Two rings use both directions of a ring, and placed plans are priced",
               &SearchPlannerTests::TestRing),
      MakeCase("With few evaluations the search is as good as data parallelism, and as with linear "
               "placement",
               &SearchPlannerTests::TestFew),
      MakeCase("One step from the second best plan leads to the best",
               &SearchPlannerTests::TestNear),
      MakeCase("The search says which constraint leaves no plan, and what would do",
               &SearchPlannerTests::TestRefusal)}});
