/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "planner-tests.h"

#include "ns3/boolean.h"
#include "ns3/circuit-switch-geometry.h"
#include "ns3/circuit-switch-max-min-allocator.h"
#include "ns3/cost-model.h"
#include "ns3/fixed-planner.h"
#include "ns3/model-zoo.h"
#include "ns3/plan-builder.h"
#include "ns3/plan-choice.h"
#include "ns3/plan-constraint.h"
#include "ns3/search-planner.h"
#include "ns3/sip-ml-planner.h"
#include "ns3/sip-ring-helper.h"
#include "ns3/strategy-space.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <string>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/**
 * @ingroup lightpath-tests
 * @param layers the number of layers
 * @param random where times and sizes come from
 * @return a chain of layers with one forward operator each, every second one split by input and the
 *         others by output, and their backward operators and updates
 */
OperatorGraph
MakeRandomChain(uint32_t layers, Ptr<UniformRandomVariable> random)
{
    OperatorGraph graph("chain");
    const auto draw = [&random](uint32_t from, uint32_t to) {
        return random->GetInteger(from, to);
    };
    std::vector<uint64_t> parameters;
    const uint64_t width = 1680 * draw(1, 4); // bytes that all numbers up to 8 divide
    for (uint32_t layer = 0; layer < layers; ++layer)
    {
        Operator op =
            MakeToyOperator("f" + std::to_string(layer), Pass::FORWARD, draw(1, 30), width);
        op.layer = layer;
        op.forward = layer;
        op.inputBytes = width;
        op.savedBytes = width;
        op.split = layer % 2 == 0 ? TensorSplit::COLUMN : TensorSplit::ROW;
        parameters.push_back(840 * draw(0, 20));
        graph.AddOperator(op);
        if (layer > 0)
        {
            graph.AddEdge(layer - 1, layer);
        }
    }
    std::vector<uint32_t> backward(layers);
    for (uint32_t layer = layers; layer-- > 0;)
    {
        Operator op = graph.GetOperators()[layer];
        op.name = "b" + std::to_string(layer);
        op.pass = Pass::BACKWARD;
        op.flops *= 2;
        op.savedBytes = 0;
        op.parameters = parameters[layer];
        backward[layer] = graph.AddOperator(op);
        graph.AddEdge(layer + 1 < layers ? backward[layer + 1] : layer, backward[layer]);
    }
    for (uint32_t layer = layers; layer-- > 0;)
    {
        Operator op = MakeToyOperator("u" + std::to_string(layer), Pass::UPDATE, 1);
        op.layer = layer;
        op.forward = layer;
        op.split = graph.GetOperators()[layer].split;
        op.parameters = parameters[layer];
        if (op.parameters > 0)
        {
            graph.AddEdge(backward[layer], graph.AddOperator(op));
        }
    }
    return graph;
}

/**
 * @ingroup lightpath-tests
 * @param gpus the number of GPUs
 * @param circuits the circuits of a GPU
 * @param delay the time to switch them, in seconds
 * @return a fabric of parallel circuit switches
 */
FabricLimits
MakeSwitches(uint32_t gpus, uint32_t circuits, double delay)
{
    FabricLimits fabric;
    fabric.bitRate = 8e9;
    fabric.circuits = circuits;
    fabric.degree = circuits;
    fabric.laneRate = fabric.bitRate / circuits;
    fabric.latency = 1e-7;
    fabric.switchingSeconds = delay;
    fabric.canSwitch = true;
    if (gpus > 1)
    {
        const auto allocator = CreateObject<CircuitSwitchMaxMinAllocator>();
        allocator->SetGeometry(CircuitSwitchGeometry(gpus, circuits));
        fabric.allocators.push_back(allocator);
    }
    return fabric;
}

/**
 * @ingroup lightpath-tests
 * @brief The best of all plans of a problem, found by trying each one.
 */
class ExhaustivePlans
{
  public:
    /**
     * @param problem the problem; it must outlive this object
     */
    explicit ExhaustivePlans(const PlanningProblem& problem)
        : m_problem(problem)
    {
    }

    /**
     * @return the shortest predicted time of all strategies, cuts, circuits, phases and orders of
     *         axes, in seconds; infinite if there is no plan
     */
    double GetBest()
    {
        for (const auto& strategy : StrategySpace(m_problem).GetStrategies())
        {
            TryCuts(strategy);
        }
        return m_best;
    }

    /**
     * @return the number of plans
     */
    uint64_t GetCount() const
    {
        return m_count;
    }

  private:
    /**
     * Try all cuts.
     *
     * @param strategy a strategy
     */
    void TryCuts(const Strategy& strategy)
    {
        TryBuild(strategy);
        const uint32_t parts = strategy.pipelineParallel * strategy.virtualStages;
        const uint32_t layers = m_problem.graph.GetNLayers();
        for (uint32_t mask = 0; parts > 1 && mask < 1U << (layers - 1); ++mask)
        {
            Strategy cut = strategy;
            for (uint32_t layer = 1; layer < layers; ++layer)
            {
                if ((mask >> (layer - 1) & 1) > 0)
                {
                    cut.cuts.push_back(layer);
                }
            }
            if (cut.cuts.size() + 1 == parts)
            {
                TryBuild(cut);
            }
        }
    }

    /**
     * Try all circuits, phases and orders of a strategy with its cuts.
     *
     * @param strategy the strategy
     */
    void TryBuild(const Strategy& strategy)
    {
        TrainingPlan plan;
        try
        {
            plan = PlanBuilder(m_problem).Build(strategy);
        }
        catch (const std::invalid_argument&)
        {
            return;
        }
        std::vector<uint64_t> bytes;
        for (std::size_t kind = 0; kind < plan.groups.size(); ++kind)
        {
            plan.circuitWeights.assign(plan.groups.size(), 0);
            plan.circuitWeights[kind] = 1;
            bytes.push_back(plan.GetDemand().GetMax());
        }
        std::vector<uint32_t> circuits(bytes.size(), 0);
        for (const bool phases : {false, true})
        {
            plan.phaseCircuits = phases;
            plan.circuitWeights.clear();
            TryPrice(plan);
            TrySplits(plan, bytes, circuits, 0);
        }
    }

    /**
     * Try all numbers of circuits by kind of group.
     *
     * @param plan the plan
     * @param bytes the bytes of the largest pair, by kind
     * @param circuits the circuits of the kinds before
     * @param kind the kind
     */
    void TrySplits(TrainingPlan& plan,
                   const std::vector<uint64_t>& bytes,
                   std::vector<uint32_t>& circuits,
                   std::size_t kind)
    {
        if (kind == bytes.size())
        {
            plan.circuitWeights.assign(bytes.size(), 1);
            for (std::size_t i = 0; i < bytes.size(); ++i)
            {
                plan.circuitWeights[i] =
                    bytes[i] > 0 ? 1e6 * circuits[i] / static_cast<double>(bytes[i]) : 1;
            }
            TryPrice(plan);
            return;
        }
        const uint32_t used = std::accumulate(circuits.begin(), circuits.begin() + kind, 0U);
        const uint32_t most = bytes[kind] > 0 ? m_problem.fabric.circuits : used;
        for (uint32_t n = bytes[kind] > 0 ? 1 : 0; used + n <= most; ++n)
        {
            circuits[kind] = n;
            TrySplits(plan, bytes, circuits, kind + 1);
        }
    }

    /**
     * Price a plan, if the fabric carries it.
     *
     * @param plan the plan
     */
    void TryPrice(const TrainingPlan& plan)
    {
        try
        {
            ++m_count;
            const double seconds = CostModel(m_problem.fabric).Price(plan, m_best).seconds;
            if (seconds < m_best && IsCarried(plan))
            {
                m_best = seconds;
            }
        }
        catch (const std::invalid_argument&)
        {
            return;
        }
    }

    /**
     * @param plan a plan
     * @return true if all pairs with traffic get a circuit
     */
    bool IsCarried(const TrainingPlan& plan) const
    {
        const auto demands = plan.phaseCircuits ? plan.GetPhaseDemands()
                                                : std::vector<TrafficMatrix>{plan.GetDemand()};
        return std::all_of(demands.begin(), demands.end(), [this](const TrafficMatrix& demand) {
            return demand.GetDegree() <= m_problem.fabric.degree &&
                   m_problem.fabric.allocators.front()->Allocate(demand).unserved.empty();
        });
    }

    const PlanningProblem& m_problem;                       //!< The problem
    double m_best{std::numeric_limits<double>::infinity()}; //!< Shortest time, seconds
    uint64_t m_count{0};                                    //!< Plans tried
};

/**
 * @ingroup lightpath-tests
 * @param random where it comes from
 * @return a random problem of up to 8 GPUs and 6 layers
 */
PlanningProblem
MakeRandomProblem(Ptr<UniformRandomVariable> random)
{
    const uint32_t gpus = 2 * random->GetInteger(1, 4);
    static const double delays[] = {0, 1e-5, 1e-3};
    PlanningProblem problem =
        MakeToyProblem(MakeRandomChain(random->GetInteger(2, 4), random), gpus, gpus);
    problem.fabric = MakeSwitches(gpus, random->GetInteger(1, 4), delays[random->GetInteger(0, 2)]);
    return problem;
}

} // namespace

/**
 * @ingroup lightpath-tests
 * @brief Compares the search with all plans of small problems.
 */
class SearchExhaustiveTestCase : public TestCase
{
  public:
    SearchExhaustiveTestCase()
        : TestCase("The search comes near the best of all plans, and its bound is below it")
    {
    }

  private:
    void DoRun() override
    {
        const auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(1);
        double sum = 0;
        double worst = 0;
        uint32_t count = 0;
        for (uint32_t round = 0; count < 100 && round < 300; ++round)
        {
            const PlanningProblem problem = MakeRandomProblem(random);
            const double best = ExhaustivePlans(problem).GetBest();
            const auto planner = CreateObject<SearchPlanner>();
            planner->SetAttribute("MaxEvaluations", UintegerValue(90));
            planner->SetAttribute("OtherPlanners", BooleanValue(false));
            if (best == std::numeric_limits<double>::infinity())
            {
                ExpectNone(problem, planner);
                continue;
            }
            const TrainingPlan plan = planner->Plan(problem);
            const double excess = std::max(plan.cost.seconds / best - 1, 0.0);
            NS_TEST_EXPECT_MSG_LT_OR_EQ(plan.lowerBoundSeconds,
                                        best * (1 + 1e-9),
                                        "round " << round << ": no plan is below the bound");
            NS_TEST_EXPECT_MSG_LT_OR_EQ(plan.lowerBoundSeconds,
                                        plan.cost.seconds * (1 + 1e-9),
                                        "round " << round);
            NS_TEST_EXPECT_MSG_LT_OR_EQ(excess, 0.1, "round " << round << ": at worst");
            sum += excess;
            worst = std::max(worst, excess);
            ++count;
        }
        NS_TEST_EXPECT_MSG_EQ(count, 100, "Problems that have a plan");
        NS_TEST_EXPECT_MSG_LT_OR_EQ(sum / count, 0.02, "On average; at worst " << worst);
    }

    /**
     * Expect the search to find no plan either.
     *
     * @param problem a problem that no strategy gives a plan for
     * @param planner the search
     */
    void ExpectNone(const PlanningProblem& problem, Ptr<SearchPlanner> planner)
    {
        try
        {
            planner->Plan(problem);
            NS_TEST_EXPECT_MSG_EQ(true, false, "There is none");
        }
        catch (const std::invalid_argument& error)
        {
            NS_TEST_EXPECT_MSG_EQ(std::string(error.what()).empty(), false, "A reason");
        }
    }
};

/**
 * @ingroup lightpath-tests
 * @brief Compares the search with other planners, with itself, and with a smaller budget.
 */
class SearchStartTestCase : public TestCase
{
  public:
    SearchStartTestCase()
        : TestCase("The search is never worse than where it starts from, and repeats itself")
    {
    }

  private:
    void DoRun() override
    {
        PlanningProblem problem;
        problem.graph = ModelZoo::Create("bert-large:layers=4");
        problem.accelerator = Accelerator::Create("A100");
        problem.gpus = 8;
        problem.globalBatch = 64;
        problem.fabric = MakeSwitches(8, 4, 1e-5);
        problem.fabric.bitRate = 4e11;
        problem.fabric.laneRate = 1e11;
        const auto planner = CreateObject<SearchPlanner>();
        planner->SetAttribute("MaxEvaluations", UintegerValue(120));
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
        NS_TEST_EXPECT_MSG_EQ(progress.back().bestSeconds, seconds, "The plan");
        NS_TEST_EXPECT_MSG_EQ(plan.alternatives.front().seconds, seconds, "The best one first");
        TryAgain(problem, plan);
        TryGains(problem, plan);
    }

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
        const TrainingPlan again = planner->Plan(problem);
        NS_TEST_EXPECT_MSG_EQ(again.cost.seconds, plan.cost.seconds, "The same");
        NS_TEST_EXPECT_MSG_EQ(PlanChoice::IsSame(again.strategy, plan.strategy), true, "The same");
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
     * Ask what binds the plan.
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
};

/**
 * @ingroup lightpath-tests
 * @brief Searches on a ring, where one peer gets half of the rate and places differ.
 */
class SearchRingTestCase : public TestCase
{
  public:
    SearchRingTestCase()
        : TestCase("Two rings use both directions of a ring, and placed plans are priced")
    {
    }

  private:
    void DoRun() override
    {
        SipRingHelper ring;
        ring.SetBandwidth(DataRate("500Gbps"));
        PlanningProblem problem;
        problem.graph = ModelZoo::Create("bert-large:layers=2");
        problem.accelerator = Accelerator::Create("A100");
        problem.gpus = 8;
        problem.globalBatch = 8;
        problem.fabric = ring.GetLimits(8);
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
            placed.Place(PlanChoice::GetGpus(strategy, order));
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
        turned.Place({1, 2, 3, 4, 5, 6, 7, 0});
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
        return CostModel(problem.fabric).Price(plan).exposedSeconds;
    }
};

/**
 * @ingroup lightpath-tests
 * @brief Asks for plans that there are none of.
 */
class SearchRefusalTestCase : public TestCase
{
  public:
    SearchRefusalTestCase()
        : TestCase("The search says which constraint leaves no plan, and what would do")
    {
    }

  private:
    void DoRun() override
    {
        PlanningProblem problem;
        problem.graph = ModelZoo::Create("bert-large:layers=6");
        problem.accelerator = Accelerator::Create("A100");
        problem.gpus = 4;
        problem.globalBatch = 16;
        problem.fabric = MakeSwitches(4, 4, 1e-5);
        const auto planner = CreateObject<SearchPlanner>();
        planner->SetAttribute("MaxEvaluations", UintegerValue(0));
        ExpectSentence(problem, planner, "before its budget of 0 evaluations was used up");
        planner->SetAttribute("MaxEvaluations", UintegerValue(50));
        planner->SetAttribute("TimeBudget", TimeValue(NanoSeconds(1)));
        ExpectSentence(problem, planner, "a TimeBudget of about ");
        planner->SetAttribute("TimeBudget", TimeValue(Seconds(0)));
        problem.accelerator.memoryBytes = 1 << 28;
        ExpectSentence(problem, planner, "Memory: no strategy fits into the memory of 4 GPUs");
        ExpectSentence(problem, planner, "; what would fit is GPUs with ");
        ExpectSentence(problem, planner, " GPUs");
        TryDivision();
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
        problem.fabric = MakeSwitches(11, 1, 0);
        const auto planner = CreateObject<SearchPlanner>();
        planner->SetAttribute("MaxEvaluations", UintegerValue(1));
        problem.accelerator.memoryBytes = 1;
        ExpectSentence(problem, planner, "a global batch of 11 would do");
    }

    /**
     * @param problem a problem
     * @param planner the search
     * @param text what it is to say
     */
    void ExpectSentence(const PlanningProblem& problem,
                        Ptr<SearchPlanner> planner,
                        const std::string& text)
    {
        std::string said;
        try
        {
            planner->Plan(problem);
        }
        catch (const std::invalid_argument& error)
        {
            said = error.what();
        }
        NS_TEST_EXPECT_MSG_NE(said.find(text), std::string::npos, said);
    }
};

/**
 * @ingroup lightpath-tests
 * @brief The tests of the search for plans.
 */
class SearchPlannerTestSuite : public TestSuite
{
  public:
    SearchPlannerTestSuite()
        : TestSuite("lightpath-planner-search", TestSuite::Type::UNIT)
    {
        AddTestCase(new SearchExhaustiveTestCase());
        AddTestCase(new SearchStartTestCase());
        AddTestCase(new SearchRingTestCase());
        AddTestCase(new SearchRefusalTestCase());
    }
};

/// The one instance, which registers the suite
static SearchPlannerTestSuite g_searchPlannerTestSuite;
