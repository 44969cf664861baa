/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "expect-error.h"
#include "expert-tests.h"
#include "method-case.h"
#include "model/planner/write/plan-builder.h"
#include "model/training/run/drawn-loads.h"
#include "planner-tests.h"
#include "stage-tests.h"

#include "ns3/boolean.h"
#include "ns3/electrical-switch-helper.h"
#include "ns3/fabric-description.h"
#include "ns3/model-zoo.h"
#include "ns3/node-container.h"
#include "ns3/plan-folder.h"
#include "ns3/planning-problem.h"
#include "ns3/server-helper.h"
#include "ns3/simulator.h"
#include "ns3/training-application.h"
#include "ns3/training-helper.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/// Numbers of several ranks or experts.
using Numbers = std::vector<double>;

/// The times and bytes of a job.
struct Outcome
{
    Numbers seconds;                                       //!< Time of each iteration
    std::vector<std::map<uint32_t, uint64_t>> received;    //!< Bytes for each rank, by iteration
    std::vector<std::map<uint32_t, double>> computing;     //!< Time of a rank, by iteration
    std::map<std::pair<uint32_t, uint32_t>, uint64_t> all; //!< Bytes of exchanges, by pair
};

/**
 * @ingroup lightpath-tests
 * @param outcome where to count
 * @param rank the sender
 * @param peer the receiver
 * @param tag the tag of the message
 * @param bytes its size
 */
void
Count(Outcome* outcome, uint32_t rank, uint32_t peer, uint64_t tag, uint64_t bytes)
{
    const MessageTag decoded = MessageTag::Decode(tag);
    if (decoded.group == EXPERT_GROUP)
    {
        outcome->received.resize(
            std::max<std::size_t>(outcome->received.size(), decoded.iteration + 1));
        outcome->received[decoded.iteration][peer] += bytes;
        outcome->all[{rank, peer}] += bytes;
    }
}

/**
 * @ingroup lightpath-tests
 * @param plan a plan
 * @param fabric a fabric
 * @param iterations the number of iterations
 * @param stream the stream of random numbers
 * @return what a job does
 */
Outcome
CarryOut(const TrainingPlan& plan,
         const InterconnectHelper& fabric,
         uint32_t iterations,
         int64_t stream)
{
    NodeContainer nodes;
    nodes.Create(plan.programs.size());
    TrainingHelper training;
    training.SetJobAttribute("Iterations", UintegerValue(iterations));
    training.SetTransportAttribute("FrameSize", UintegerValue(0));
    training.SetServerAttribute("FrameSize", UintegerValue(0));
    const auto applications = training.Install(plan, fabric, fabric.Install(nodes));
    TrainingHelper::AssignStreams(applications, stream);
    Outcome outcome;
    for (uint32_t rank = 0; rank < applications.GetN(); ++rank)
    {
        applications.Get(rank)->TraceConnectWithoutContext("MessageSent",
                                                           MakeBoundCallback(&Count, &outcome));
    }
    Simulator::Run();
    outcome.computing.resize(iterations);
    for (uint32_t i = 0; i < iterations; ++i)
    {
        Time begin = Time::Max();
        Time end;
        for (uint32_t rank = 0; rank < applications.GetN(); ++rank)
        {
            const auto application = DynamicCast<TrainingApplication>(applications.Get(rank));
            const IterationRecord& record = application->GetRecords().at(i);
            begin = std::min(begin, record.begin);
            end = std::max(end, record.end);
            outcome.computing[i][rank] = record.compute.GetSeconds();
        }
        outcome.seconds.push_back((end - begin).GetSeconds());
    }
    Simulator::Destroy();
    return outcome;
}

} // namespace

/**
 * @ingroup lightpath-tests
 * @brief The tests of tokens that are spread unevenly over experts, or sent to servers once.
 */
class ExpertLoadTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /// Compares loads with numbers worked out by hand, and the statistics of draws with theirs.
    void TestLoads()
    {
        const RoutedLayer four{0, 4, 1};
        const Numbers scores{0.1, 2, -1, 1};
        ExpertLoad load = ExpertLoad::Parse("zipf:1");
        // 1, 1/2, 1/3 and 1/4 of 25/12
        ExpectLoads(load.Get(four, scores, 4), {0.64, 1.92, 0.48, 0.96});
        ExpectLoads(load.Get(four, scores, 2), {1.28, 0.72});
        load.capacity = 1.25;
        ExpectLoads(load.Get(four, scores, 4), {0.64, 1.25, 0.48, 0.96});
        ExpectLoads(load.Get(four, scores, 2), {0.945, 0.72});
        // A token of two experts gives each of them half of its copies at most: 8/9, 1/9 and 1/36
        // of 37/36 share what is left of the first one
        load = ExpertLoad::Parse("zipf:3");
        const double rest = 1.0 / 8 + 1.0 / 27 + 1.0 / 64;
        ExpectLoads(load.Get({0, 4, 2}, scores, 4),
                    {2.0 / 27 / rest, 2, 2.0 / 64 / rest, 2.0 / 8 / rest});
        load = ExpertLoad::Parse("log-normal:0.5");
        const double sum = std::exp(0.05) + std::exp(1) + std::exp(-0.5) + std::exp(0.5);
        ExpectLoads(load.Get(four, scores, 4),
                    {4 * std::exp(0.05) / sum,
                     4 * std::exp(1) / sum,
                     4 * std::exp(-0.5) / sum,
                     4 * std::exp(0.5) / sum});
        load = ExpertLoad();
        NS_TEST_EXPECT_MSG_EQ(load.IsEven(), true, "Even");
        load.capacity = 0.75;
        NS_TEST_EXPECT_MSG_EQ(load.IsEven(), false, "A quarter is dropped");
        ExpectLoads(load.Get(four, {}, 2), {0.75, 0.75});
        CheckStatistics();
        EXPECT_PART(GetError([]() { ExpertLoad::Parse("zipf"); }), "like zipf:1.2");
        EXPECT_PART(GetError([]() { ExpertLoad::Parse("pareto:2"); }), "cannot be 'pareto:2'");
        EXPECT_PART(GetError([]() { ExpertLoad::Parse("zipf:-1"); }), "from 0 to 10");
        load.correlation = 2;
        EXPECT_PART(GetError([&]() { load.Check(); }), "correlation of the load of experts");
    }

    /**
     * Compares the time and the messages of simulated iterations, and the planner's price, with
     * the times that the loads of a Zipf distribution give.
     */
    void TestSimulation()
    {
        CheckIterations("even", 0, {75000, 75000, 75000, 75000});
        CheckIterations("zipf:1", 0, {36000, 48000, 72000, 144000});
        CheckIterations("zipf:1", 1.25, {36000, 48000, 72000, 93750});
        CheckIterations("even", 0.5, {37500, 37500, 37500, 37500});

        // Other numbers make other experts popular; a correlation of 1 leaves them so
        const TrainingPlan plan = MakePlan("zipf:1", 0, 0);
        const Outcome one = CarryOut(plan, MakeSwitch(), 8, 5);
        NS_TEST_EXPECT_MSG_EQ((one.received == CarryOut(plan, MakeSwitch(), 8, 5).received),
                              true,
                              "The same stream");
        NS_TEST_EXPECT_MSG_EQ((one.received == CarryOut(plan, MakeSwitch(), 8, 6).received),
                              false,
                              "Another stream");
        NS_TEST_EXPECT_MSG_EQ(
            std::equal(one.received.begin() + 1, one.received.end(), one.received.begin()),
            false,
            "Each iteration is drawn");
        const Outcome fixed = CarryOut(MakePlan("zipf:1", 0, 1), MakeSwitch(), 8, 5);
        NS_TEST_EXPECT_MSG_EQ(
            std::equal(fixed.received.begin() + 1, fixed.received.end(), fixed.received.begin()),
            true,
            "The first draw stays");
    }

    /// Simulates tokens that go to each server once, and counts what servers send each other.
    void TestOnce()
    {
        // Samples of 32 tokens of 128 bytes, 2 samples a GPU, 4 layers, 4 exchanges in each
        constexpr uint64_t row = 2 * 32 * 128;
        CheckOnce("", row * 3 / 4, 0);
        CheckOnce(",expertGroups=2,topGroups=1", row / 2, 0);
        // Uneven loads change nothing between two servers of equal loads: 2 x 4 experts of 8
        CheckOnce("", row * 3 / 4, 0.5);
        const PlanningProblem problem = MakeOnceProblem("");
        Strategy strategy = MakeExpertStrategy(8, 8);
        strategy.oncePerServer = true;
        PlanningProblem flat = problem;
        flat.fabric = FabricDescription::Create(MakeSwitch())->GetLimits(8);
        EXPECT_PART(GetError([&]() { PlanBuilder(flat).Build(strategy); }), "it needs servers");
        strategy.expertParallel = 1;
        EXPECT_PART(GetError([&]() { PlanBuilder(problem).Build(strategy); }),
                    "ExpertParallel of 2 or more");
    }

    /// Uses of uneven loads that are refused.
    void TestRefusal()
    {
        const TrainingPlan plan = MakePlan("zipf:1", 0, 0);
        EXPECT_PART(GetError([&]() { PlanFolder folder(plan); }),
                    "only a plan with an even load of experts can be folded");
        PlanningProblem problem = MakeProblem("zipf:1", 0, 0);
        EXPECT_PART(GetError([&]() { Planner::Create("sip-ml")->TryPlan(problem); }),
                    "needs the planner fixed, megatron or search");
        problem.graph = MakeGraph(0);
        EXPECT_PART(GetError([&]() { Planner::Create("fixed")->TryPlan(problem); }),
                    "has no experts whose load could be uneven");
        const std::string model = "transformer:layers=1,hidden=8,heads=1,experts=8,topK=4,";
        EXPECT_PART(GetError([&]() { ModelZoo::Create(model + "expertGroups=4,topGroups=1"); }),
                    "cannot choose 4 of 8 experts in 1 of 4 groups");
        EXPECT_PART(GetError([&]() { ModelZoo::Create(model + "expertGroups=3,topGroups=3"); }),
                    "expertGroups must divide experts");
    }

  private:
    /**
     * @param loads loads
     * @param expected the numbers that they should be
     */
    void ExpectLoads(const ExpertLoad::Loads& loads, const Numbers& expected)
    {
        NS_TEST_ASSERT_MSG_EQ(loads->size(), expected.size(), "Ranks");
        for (std::size_t i = 0; i < expected.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ_TOL((*loads)[i], expected[i], 1e-12, "Rank " << i);
        }
    }

    /// Compare the statistics of drawn loads with those of their distribution.
    void CheckStatistics()
    {
        // The largest of 64 normal numbers is 2.35 on average, and the mean of exp(0.24 x) is
        // exp(0.24^2 / 2)
        ExpertLoad load = ExpertLoad::Parse("log-normal:0.24");
        const auto typical = load.GetTypical({0, 64, 1}, 64).front();
        NS_TEST_EXPECT_MSG_EQ_TOL(*std::max_element(typical->begin(), typical->end()),
                                  std::exp(0.24 * 2.35 - 0.24 * 0.24 / 2),
                                  0.04,
                                  "The largest of 64 loads");
        // The logarithm of the ratio of two loads has the variance 2 spread^2 and the correlation
        // of the scores
        TrainingPlan plan;
        Task task = MakeCompute(1);
        task.routed = {3, 2, 1};
        plan.programs = {MakeChain({task}), MakeChain({task})};
        plan.strategy.expertParallel = 2;
        plan.groups.resize(EXPERT_GROUP + 1);
        plan.groups[EXPERT_GROUP].Add({0, 1});
        plan.expertLoad = ExpertLoad::Parse("log-normal:0.3");
        plan.expertLoad.correlation = 0.9;
        DrawnLoads drawn(plan);
        drawn.AssignStreams(11);
        Numbers logs;
        constexpr uint32_t n = 20000;
        for (uint32_t i = 0; i < n; ++i)
        {
            const double ofOne = drawn.GetSeconds(task, 0, i);
            const double ofOther = drawn.GetSeconds(task, 1, i);
            NS_TEST_ASSERT_MSG_EQ_TOL(ofOne + ofOther, 2, 1e-12, "All tokens");
            logs.push_back(std::log(ofOne / ofOther));
            drawn.Forget(i);
        }
        const double squares = std::inner_product(logs.begin(), logs.end(), logs.begin(), 0.0);
        const double pairs = std::inner_product(logs.begin() + 1, logs.end(), logs.begin(), 0.0);
        NS_TEST_EXPECT_MSG_EQ_TOL(squares / n, 2 * 0.3 * 0.3, 0.02, "Variance");
        NS_TEST_EXPECT_MSG_EQ_TOL(pairs / squares, 0.9, 0.02, "Correlation");
    }

    /**
     * @param experts the number of experts of the operator in the middle
     * @return a chain of three operators and their gradients, 1 ms and 100 kB a sample each
     */
    static OperatorGraph MakeGraph(uint32_t experts)
    {
        OperatorGraph graph("chain");
        for (uint32_t i = 0; i < 6; ++i)
        {
            const bool isForward = i < 3;
            Operator op = MakeToyOperator((isForward ? "f" : "b") + std::to_string(i),
                                          isForward ? Pass::FORWARD : Pass::BACKWARD,
                                          1000,
                                          100000);
            op.inputBytes = 100000;
            op.forward = isForward ? i : 5 - i;
            op.experts = op.forward == 1 ? experts : 0;
            op.choice.perToken = op.experts > 0 ? 1 : 0;
            graph.AddOperator(op);
            if (i > 0)
            {
                graph.AddEdge(i - 1, i);
            }
        }
        return graph;
    }

    /**
     * @param text the load of experts
     * @param capacity its capacity
     * @param correlation its correlation
     * @return the problem of a chain on four GPUs
     */
    static PlanningProblem MakeProblem(const std::string& text, double capacity, double correlation)
    {
        PlanningProblem problem = MakeToyProblem(MakeGraph(4), 4, 12);
        problem.fabric = FabricDescription::Create(MakeSwitch())->GetLimits(4);
        problem.expertLoad = ExpertLoad::Parse(text);
        problem.expertLoad.capacity = capacity;
        problem.expertLoad.correlation = correlation;
        return problem;
    }

    /**
     * @param text the load of experts
     * @param capacity its capacity
     * @param correlation its correlation
     * @return the plan of a chain on four GPUs that share out four experts
     */
    static TrainingPlan MakePlan(const std::string& text, double capacity, double correlation)
    {
        const auto planner = CreateObject<FixedPlanner>();
        planner->SetAttribute("ExpertParallel", UintegerValue(4));
        return planner->TryPlan(MakeProblem(text, capacity, correlation));
    }

    /**
     * @return a switch with 1 byte/ns a GPU and no delay
     */
    static ElectricalSwitchHelper MakeSwitch()
    {
        ElectricalSwitchHelper fabric;
        fabric.SetBandwidth(DataRate("8Gbps"));
        fabric.SetDelay(Time(0));
        fabric.DisableFlowControl();
        return fabric;
    }

    /**
     * Compare simulated iterations, and their price, with the sum of what the slowest rank does.
     *
     * @param text the load of experts
     * @param capacity its capacity
     * @param chunks the bytes from a GPU to each other one with experts, in ascending order
     */
    void CheckIterations(const std::string& text, double capacity, const Numbers& chunks)
    {
        // Four operators of 3 ms, two more of experts in proportion to their load, and four
        // exchanges with three others at 1 byte/ns
        const double seconds =
            4 * 3e-3 + 2 * 3e-3 * chunks.back() / 75000 + 4 * 3 * chunks.back() * 1e-9;
        const TrainingPlan plan = MakePlan(text, capacity, 0);
        NS_TEST_EXPECT_MSG_EQ_TOL(plan.predictedSeconds, seconds, 1e-4 * seconds, "Price, " + text);
        for (const int64_t stream : {3, 4, 7})
        {
            const Outcome one = CarryOut(plan, MakeSwitch(), 1, stream);
            NS_TEST_EXPECT_MSG_EQ_TOL(one.seconds.front(), seconds, 1e-4 * seconds, text);
        }
        const Outcome outcome = CarryOut(plan, MakeSwitch(), 4, 3);
        const double all = std::accumulate(chunks.begin(), chunks.end(), 0.0);
        for (uint32_t i = 0; i < 4; ++i)
        {
            // Twice there, from three GPUs, and twice back, the chunks of the three others
            Numbers received;
            Numbers computing;
            for (uint32_t rank = 0; rank < 4; ++rank)
            {
                received.push_back(static_cast<double>(outcome.received.at(i).at(rank)));
                computing.push_back(outcome.computing.at(i).at(rank));
            }
            std::sort(received.begin(), received.end());
            std::sort(computing.begin(), computing.end());
            for (std::size_t k = 0; k < 4; ++k)
            {
                NS_TEST_EXPECT_MSG_EQ(received[k],
                                      2 * 3 * chunks[k] + 2 * (all - chunks[k]),
                                      text << ", bytes of " << k);
                NS_TEST_EXPECT_MSG_EQ_TOL(computing[k],
                                          4 * 3e-3 + 2 * 3e-3 * chunks[k] / 75000,
                                          1e-8,
                                          text << ", time of " << k);
            }
        }
    }

    /**
     * @param options options of the model
     * @return the problem of a small mixture of experts on 8 GPUs in servers of 4
     */
    static PlanningProblem MakeOnceProblem(const std::string& options)
    {
        PlanningProblem problem = MakeStageProblem(
            "transformer:layers=4,hidden=64,heads=8,feedForward=128,sequence=32,vocabulary=256,"
            "experts=8,topK=2" +
                options,
            8,
            16);
        problem.fabric = FabricDescription::Create(*MakeServers())->GetLimits(8);
        return problem;
    }

    /**
     * @return servers of four GPUs
     */
    static std::unique_ptr<InterconnectHelper> MakeServers()
    {
        auto servers =
            std::make_unique<ServerHelper>(std::make_unique<ElectricalSwitchHelper>(MakeSwitch()));
        servers->SetServers(4, DataRate("80Gbps"), NanoSeconds(100));
        servers->SetAttach(Attach::GPU);
        return servers;
    }

    /**
     * @param options options of the model
     * @param bytes the bytes that a GPU sends to the other server in an exchange
     * @param spread the spread of the load of experts
     */
    void CheckOnce(const std::string& options, uint64_t bytes, double spread)
    {
        PlanningProblem problem = MakeOnceProblem(options);
        problem.expertLoad.distribution =
            spread > 0 ? LoadDistribution::LOG_NORMAL : LoadDistribution::EVEN;
        problem.expertLoad.spread = spread;
        const auto planner = CreateObject<FixedPlanner>();
        planner->SetAttribute("ExpertParallel", UintegerValue(8));
        planner->SetAttribute("OncePerServer", BooleanValue(true));
        const TrainingPlan plan = planner->TryPlan(problem);
        NS_TEST_EXPECT_MSG_EQ(plan.strategy.oncePerServer, true, "Attribute");
        const Outcome outcome = CarryOut(plan, *MakeServers(), 1, 1);
        uint64_t across = 0;
        uint64_t crossing = 0;
        for (const auto& [pair, sent] : outcome.all)
        {
            const bool isAcross = pair.first / 4 != pair.second / 4;
            across += isAcross ? sent : 0;
            crossing += isAcross && pair.first % 4 != pair.second % 4 ? sent : 0;
        }
        NS_TEST_EXPECT_MSG_EQ(crossing, 0, "GPUs at the same place alone");
        const auto expected = static_cast<double>(8 * 16 * bytes);
        NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(across),
                                  expected,
                                  (spread > 0 ? 64 : 0),
                                  "Between servers" << options);
    }
};

/// Registers the test cases
static const SuiteCases g_expertLoadCases(
    "lightpath-planner-experts",
    {{MakeCase("Loads of experts follow their distribution", &ExpertLoadTests::TestLoads),
      MakeCase("Uneven experts slow an iteration down by the slowest rank",
               &ExpertLoadTests::TestSimulation),
      MakeCase("Simulated tokens go to servers once", &ExpertLoadTests::TestOnce),
      MakeCase("Uneven experts are refused where they cannot be", &ExpertLoadTests::TestRefusal)}});
