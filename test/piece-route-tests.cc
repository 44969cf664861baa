/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "expect-error.h"
#include "method-case.h"
#include "model/planner/sip-ml/piece-routes.h"
#include "planner-job.h"
#include "planner-tests.h"

#include "ns3/collective-schedule.h"
#include "ns3/enum.h"
#include "ns3/fabric-description.h"
#include "ns3/planning-problem.h"
#include "ns3/sip-ml-planner.h"
#include "ns3/sip-ring-helper.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

using namespace ns3;
using namespace ns3::lightpath;

/**
 * @ingroup lightpath-tests
 * @brief The test cases of the ways that results of pieces take to other GPUs.
 */
class PieceRouteTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /// Follows all results, and counts how many of them each link carries.
    void TestWays()
    {
        for (uint32_t gpus = 3; gpus <= 9; ++gpus)
        {
            const OperatorGraph graph = MakeGraph(2);
            const GradientMap gradients(graph);
            const OperatorPieces pieces = Split(graph, gradients, gpus);
            PiecePlacement placement(pieces, gradients, MakeLimits(gpus));
            placement.Place(std::numeric_limits<double>::infinity());
            for (const auto route : {DIRECT, LINE, RINGS})
            {
                const PieceRoutes routes(placement, gpus, route);
                Follow(placement, routes);
                Count(routes, gpus, route);
            }
        }
    }

    /// More messages than operation numbers are refused.
    void TestMost()
    {
        // Results of 4096 pieces go to 4095 other GPUs each, twice
        const OperatorGraph graph = MakeGraph(2);
        const GradientMap gradients(graph);
        const OperatorPieces pieces = Split(graph, gradients, 4096);
        PiecePlacement placement(pieces, gradients, MakeLimits(4096));
        const std::string refusal =
            GetError([&] { placement.Place(std::numeric_limits<double>::infinity()); });
        NS_TEST_EXPECT_MSG_EQ(refusal,
                              "A replica of 4096 GPUs has more than 16777216 messages",
                              "Refused");
    }

    /**
     * Plans and simulates two operators, of which the second one reads all of the first one, in
     * groups of 8 GPUs.
     *
     * @param gpus the number of GPUs of the ring
     * @param best the way that should be found
     */
    void TestRing(uint32_t gpus, const std::string& best)
    {
        SipRingHelper ring;
        ring.SetBandwidth(DataRate("2000Gbps"));
        ring.DisableFlowControl();
        PlanningProblem problem = MakeToyProblem(MakeGraph(1), gpus, gpus / 8);
        problem.fabric = FabricDescription::Create(ring)->GetLimits(gpus);
        double least = std::numeric_limits<double>::infinity();
        // A result of 1 MB takes 8 us on all 40 lanes of one direction, and a piece 10 us
        const std::map<std::string, double> steps{{"Direct", 0},
                                                  {"Line", 7},
                                                  {"MultiRing", gpus == 8 ? 4 : 0}};
        for (const auto& [name, count] : steps)
        {
            const TrainingPlan plan = Plan(problem, name);
            least = std::min(least, plan.predictedSeconds);
            const double seconds = RunPlan(ring, plan, 3, true).GetSteadySeconds();
            NS_TEST_EXPECT_MSG_EQ_TOL(plan.predictedSeconds, seconds, 0.01 * seconds, name);
            if (count > 0)
            {
                const double expected = 20e-6 + count * (8e-6 + problem.fabric.latency);
                NS_TEST_EXPECT_MSG_EQ_TOL(seconds, expected, 1e-3 * expected, name);
            }
        }
        const TrainingPlan plan = Plan(problem, "Automatic");
        NS_TEST_EXPECT_MSG_EQ_TOL(plan.predictedSeconds, least, 1e-9 * least, "The least price");
        NS_TEST_EXPECT_MSG_EQ(CollectiveSchedule::GetName(plan.strategy.tensorAlgorithm),
                              best,
                              gpus << " GPUs");
        // As the closed form of the all-gather has it
        const auto gather =
            CollectiveSchedule::Create(CollectiveKind::ALL_GATHER, 8, 8000000, {1, LINE});
        NS_TEST_EXPECT_MSG_EQ_TOL(Plan(problem, "Line").predictedSeconds - 20e-6,
                                  gather->GetCircuitSeconds({problem.fabric.latency, 125e9}),
                                  1e-3 * least,
                                  "Closed form");
    }

  private:
    static constexpr auto DIRECT = CollectiveAlgorithm::DIRECT;    //!< A message for each reader
    static constexpr auto LINE = CollectiveAlgorithm::LINE;        //!< Along a line
    static constexpr auto RINGS = CollectiveAlgorithm::MULTI_RING; //!< Both ways round a ring

    /**
     * @param layers the number of operators before the last one
     * @return operators in a chain, of 80 us, with results of 8 MB
     */
    static OperatorGraph MakeGraph(uint32_t layers)
    {
        OperatorGraph graph("chain");
        for (uint32_t layer = 0; layer <= layers; ++layer)
        {
            Operator op = MakeToyOperator("op" + std::to_string(layer),
                                          Pass::FORWARD,
                                          80,
                                          layer < layers ? 8000000 : 0);
            op.forward = layer;
            const uint32_t index = graph.AddOperator(op);
            if (layer > 0)
            {
                graph.AddEdge(index - 1, index);
            }
        }
        return graph;
    }

    /**
     * @param graph operators
     * @param gradients their gradients
     * @param gpus the number of GPUs
     * @return pieces of the operators on all GPUs, each of which reads all pieces of a result
     */
    static OperatorPieces Split(const OperatorGraph& graph,
                                const GradientMap& gradients,
                                uint32_t gpus)
    {
        return OperatorPieces(graph,
                              gradients,
                              MakeToyProblem(graph, gpus, 1).accelerator,
                              1,
                              gpus,
                              0,
                              1,
                              OperatorPieces::PARAMETER);
    }

    /**
     * @param gpus the number of GPUs
     * @return limits for them
     */
    static PiecePlacement::Limits MakeLimits(uint32_t gpus)
    {
        PiecePlacement::Limits limits;
        limits.gpus = gpus;
        limits.memoryBytes = UINT64_MAX;
        limits.rate = 1e9;
        return limits;
    }

    /**
     * Each message is carried from its piece to its reader.
     *
     * @param placement the placement
     * @param routes the ways of its messages
     */
    void Follow(const PiecePlacement& placement, const PieceRoutes& routes)
    {
        const auto& hops = routes.GetHops();
        std::vector<uint32_t> before(hops.size(), PieceRoutes::NONE);
        for (uint32_t hop = 0; hop < hops.size(); ++hop)
        {
            if (hops[hop].next != PieceRoutes::NONE)
            {
                NS_TEST_ASSERT_MSG_EQ(hops[hops[hop].next].source, hops[hop].destination, "On");
                before[hops[hop].next] = hop;
            }
        }
        const PieceMessages& messages = placement.GetMessages();
        for (const auto& bundle : messages.GetBundles())
        {
            for (uint32_t piece = bundle.pieces.begin; piece < bundle.pieces.end; ++piece)
            {
                const uint64_t bytes = messages.GetBytes(bundle, piece);
                uint32_t hop = routes.GetLast(bundle.first + piece - bundle.pieces.begin);
                NS_TEST_ASSERT_MSG_EQ(hops.at(hop).destination, bundle.destination, "Reader");
                for (; before[hop] != PieceRoutes::NONE; hop = before[hop])
                {
                    NS_TEST_ASSERT_MSG_EQ(hops[hop].piece, piece, "The same result");
                    NS_TEST_ASSERT_MSG_EQ(hops[hop].bytes, bytes, "All of it");
                }
                const auto first = routes.GetFirst(piece);
                NS_TEST_ASSERT_MSG_EQ(std::count(first.begin(), first.end(), hop), 1, "From here");
                NS_TEST_ASSERT_MSG_EQ(hops[hop].source, placement.GetGpu(piece), "From its piece");
            }
        }
    }

    /**
     * Compare the numbers of results on links with those of an all-gather.
     *
     * @param routes the ways of two all-gathers
     * @param gpus the number of GPUs
     * @param route their kind
     */
    void Count(const PieceRoutes& routes, uint32_t gpus, CollectiveAlgorithm route)
    {
        std::map<std::pair<uint32_t, uint32_t>, uint32_t> counts;
        for (const auto& hop : routes.GetHops())
        {
            ++counts[{hop.source, hop.destination}];
        }
        NS_TEST_ASSERT_MSG_EQ(routes.GetHops().size(), 2 * gpus * (gpus - 1), "Each gets all");
        for (const auto& [link, count] : counts)
        {
            const auto [source, destination] = link;
            const bool isUp = destination == source + 1;
            const bool isDown = source == destination + 1;
            switch (route)
            {
            case DIRECT:
                NS_TEST_ASSERT_MSG_EQ(count, 2, "A message for each pair");
                break;
            case LINE:
                NS_TEST_ASSERT_MSG_EQ((isUp || isDown), true, "Neighbours on a line");
                NS_TEST_ASSERT_MSG_EQ(count, 2 * (isUp ? source + 1 : gpus - source), "Behind it");
                break;
            default:
                const uint32_t ahead = (destination + gpus - source) % gpus;
                NS_TEST_ASSERT_MSG_EQ((ahead == 1 || ahead == gpus - 1), true, "On a ring");
                NS_TEST_ASSERT_MSG_EQ(count, gpus - 1, "Half of the others, twice");
            }
        }
    }

    /**
     * @param problem a problem in groups of 8 GPUs
     * @param route the value of SipMlPlanner::Route
     * @return the plan
     */
    static TrainingPlan Plan(const PlanningProblem& problem, const std::string& route)
    {
        const auto planner = CreateObject<SipMlPlanner>();
        planner->SetAttribute("DataParallel", UintegerValue(problem.gpus / 8));
        planner->SetAttribute("SplitMode", EnumValue(OperatorPieces::PARAMETER));
        planner->SetAttribute("Route", StringValue(route));
        return planner->Plan(problem);
    }
};

/// Registers the test cases
static const SuiteCases g_pieceRouteCases(
    "lightpath-planner",
    {{MakeCase("Results of pieces reach their readers over as few links as on a line or ring",
               &PieceRouteTests::TestWays),
      MakeCase("More messages than operations have numbers are refused",
               &PieceRouteTests::TestMost),
      MakeCase("A group on a ring of its own goes round it",
               &PieceRouteTests::TestRing,
               8,
               "multi-ring"),
      MakeCase("A group on a part of a ring is a line", &PieceRouteTests::TestRing, 16, "line")}});
