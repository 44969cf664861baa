/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "expect-error.h"
#include "method-case.h"
#include "model/planner/sip-ml/piece-placement.h"
#include "model/planner/sip-ml/replica-writer.h"
#include "model/planner/write/replica-layout.h"
#include "planner-tests.h"

#include <algorithm>
#include <limits>
#include <set>
#include <tuple>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/// The time quantum of all tests: an operator of 41 us has 4 pieces.
constexpr double QUANTUM = 10e-6;

/**
 * @ingroup lightpath-tests
 * @param graph a graph, of which one sample is computed
 * @param gpus the number of GPUs
 * @param quantum the time quantum
 * @return its pieces on the toy accelerator
 */
OperatorPieces
MakePieces(const OperatorGraph& graph, uint32_t gpus, double quantum = QUANTUM)
{
    return OperatorPieces(graph, GradientMap(graph), MakeToyAccelerator(), 1, gpus, quantum);
}

/**
 * @ingroup lightpath-tests
 * @param gpus the number of GPUs
 * @param distance the distance limit
 * @return limits with a fast fabric and much memory
 */
PiecePlacement::Limits
MakeLimits(uint32_t gpus, uint32_t distance = UINT32_MAX)
{
    PiecePlacement::Limits limits;
    limits.gpus = gpus;
    limits.distance = distance;
    limits.memoryBytes = 1 << 30;
    limits.rate = 1e9;
    return limits;
}

/**
 * @ingroup lightpath-tests
 * Place a graph of forward operators.
 *
 * @param graph the graph
 * @param limits the limits
 * @return the GPUs of all pieces
 */
std::vector<uint32_t>
Place(const OperatorGraph& graph, const PiecePlacement::Limits& limits)
{
    const GradientMap gradients(graph);
    const OperatorPieces pieces = MakePieces(graph, limits.gpus);
    PiecePlacement placement(pieces, gradients, limits);
    placement.Place(std::numeric_limits<double>::infinity());
    std::vector<uint32_t> gpus;
    for (uint32_t piece = 0; piece < pieces.GetNPieces(); ++piece)
    {
        gpus.push_back(placement.GetGpu(piece));
    }
    return gpus;
}

/**
 * @ingroup lightpath-tests
 * @param microseconds times of operators
 * @return a graph of these forward operators, without edges
 */
OperatorGraph
MakeRow(const std::vector<uint64_t>& microseconds)
{
    OperatorGraph graph("row");
    for (const auto time : microseconds)
    {
        graph.AddOperator(MakeToyOperator("op" + std::to_string(graph.GetOperators().size()),
                                          Pass::FORWARD,
                                          time,
                                          8));
    }
    return graph;
}

} // namespace

/**
 * @ingroup lightpath-tests
 * @brief The test cases of the split and the placement of operators.
 */
class PlacementTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /// Counts the pieces of operators and their reads.
    void TestOperatorPieces()
    {
        const OperatorGraph row = MakeRow({0, 5, 11, 19, 21, 39, 41, 79, 81, 5000});
        Expect(MakePieces(row, 8), {1, 1, 1, 1, 2, 2, 4, 4, 8, 8});
        Expect(MakePieces(row, 6), {1, 1, 1, 1, 2, 2, 4, 4, 6, 6});
        Expect(MakePieces(row, 1), {1, 1, 1, 1, 1, 1, 1, 1, 1, 1});
        Expect(MakePieces(row, 8, 0), {8, 8, 8, 8, 8, 8, 8, 8, 8, 8});
        NS_TEST_EXPECT_MSG_EQ_TOL(MakePieces(row, 8).GetSeconds(8), 81e-6 / 8, 1e-12, "Time");

        // The update has as many pieces as what makes its gradient, however short it is
        OperatorGraph graph = MakeRow({41});
        Operator op = MakeToyOperator("back", Pass::BACKWARD, 81);
        op.parameters = 1003;
        graph.AddEdge(0, graph.AddOperator(op));
        op = MakeToyOperator("update", Pass::UPDATE, 1);
        op.parameters = 1003;
        graph.AddEdge(1, graph.AddOperator(op));
        const OperatorPieces pieces = MakePieces(graph, 8);
        Expect(pieces, {4, 8, 8});
        uint64_t sum = 0;
        for (uint32_t piece = 0; piece < 8; ++piece)
        {
            sum += pieces.GetShare(2, 1003, piece);
            NS_TEST_EXPECT_MSG_EQ_TOL(pieces.GetShare(2, 1003, piece), 1003 / 8.0, 1, "Even");
        }
        NS_TEST_EXPECT_MSG_EQ(sum, 1003, "Nothing is lost");
        TrySources();
        TryContractions();
    }

    /// Compares placements with what was worked out by hand.
    void TestPlacementByHand()
    {
        // 4, 2 and 4 pieces of 10 us each. With one neighbour the windows of the last operator
        // are 1-2 and 3-0; without limit its pieces take the GPUs that are free first.
        OperatorGraph graph = MakeRow({44, 22, 44});
        graph.AddEdge(0, 1);
        graph.AddEdge(1, 2);
        ExpectPlacementByHand(Place(graph, MakeLimits(4, 1)), {0, 1, 2, 3, 1, 3, 2, 1, 0, 3});
        ExpectPlacementByHand(Place(graph, MakeLimits(4)), {0, 1, 2, 3, 1, 3, 2, 0, 3, 1});

        // Sources on GPUs 0 and 3 reach 0 and 1 within 2; sources on 1 and 3 reach only 3
        graph = MakeRow({10, 15, 12, 11, 1, 1});
        graph.AddEdge(0, 4);
        graph.AddEdge(3, 4);
        graph.AddEdge(1, 5);
        graph.AddEdge(3, 5);
        ExpectPlacementByHand(Place(graph, MakeLimits(4, 2)), {0, 1, 2, 3, 0, 3});

        // Sources on 0, 5 and 9 of 10 GPUs: the gap from 0 to 5 is the widest, so that they stand
        // between 5 and 0, and reach 0 and 1 within 6. GPU 8 is free first, but 9 away from 9.
        graph = MakeRow({18, 17, 16, 16, 16, 16, 16, 16, 15, 16, 1});
        graph.AddEdge(0, 10);
        graph.AddEdge(5, 10);
        graph.AddEdge(9, 10);
        ExpectPlacementByHand(Place(graph, MakeLimits(10, 6)), {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 1});
        // Within 4 nobody is reached by all; the GPU free first keeps to the number of peers
        ExpectPlacementByHand(Place(graph, MakeLimits(10, 4)), {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 8});

        // With one peer only, GPU 3 sends to GPU 0, which is not next to it, for the first reader;
        // the second one may not go to GPU 4 then, though that is in its window and free first
        graph = MakeRow({10, 12, 12, 15, 11, 12, 1, 1});
        graph.AddEdge(0, 6);
        graph.AddEdge(3, 6);
        graph.AddEdge(3, 7);
        ExpectPlacementByHand(Place(graph, MakeLimits(6, 1)), {0, 1, 2, 3, 4, 5, 0, 3});

        // Four sources for one piece, of which its GPU may have two only
        graph = MakeRow({44, 1});
        graph.AddEdge(0, 1);
        ExpectPlacementByHand(Place(graph, MakeLimits(4, 3)), {0, 1, 2, 3, 3});
        const std::string error = GetError([&]() { Place(graph, MakeLimits(4, 2)); });
        NS_TEST_EXPECT_MSG_EQ(Contains(error, "operator op1") && Contains(error, "4 GPUs") &&
                                  Contains(error, "only 2"),
                              true,
                              error);
        TryMemory();
    }

    /// Places random graphs and checks the invariants of placements.
    void TestRandomPlacement()
    {
        const auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(4);
        uint32_t nLimited = 0;
        uint32_t nRefused = 0;
        for (uint32_t round = 0; round < 150; ++round)
        {
            const uint32_t gpus = random->GetInteger(2, 12);
            const uint32_t distance = random->GetInteger(1, gpus);
            const OperatorGraph graph = MakeRandomGraph(random->GetInteger(2, 12), random);
            const GradientMap gradients(graph);
            const OperatorPieces pieces = MakePieces(graph, gpus);
            PiecePlacement placement(pieces, gradients, MakeLimits(gpus, distance));
            const std::string error =
                GetError([&]() { placement.Place(std::numeric_limits<double>::infinity()); });
            if (!error.empty())
            {
                NS_TEST_EXPECT_MSG_LT(distance, gpus - 1, "Refused without need: " << error);
                NS_TEST_EXPECT_MSG_EQ(Contains(error, "Degree: no GPU can read"), true, error);
                ++nRefused;
                continue;
            }
            nLimited += distance < gpus - 1 ? 1 : 0;
            CheckMessages(graph, pieces, placement);
            CheckPlan(pieces, gradients, placement, gpus, distance);
        }
        NS_TEST_EXPECT_MSG_GT(nLimited, 20, "Many graphs are placed within a limit");
        NS_TEST_EXPECT_MSG_GT(nRefused, 0, "Some cannot be");
    }

  private:
    /**
     * Each piece of a matrix product reads all of its input; other pieces read overlapping parts.
     */
    void TryContractions()
    {
        OperatorGraph graph = MakeRow({41});
        Operator op = MakeToyOperator("product", Pass::FORWARD, 41, 8);
        op.kind = OperatorKind::MATMUL;
        op.parameters = 8;
        graph.AddEdge(0, graph.AddOperator(op));
        graph.AddEdge(1, graph.AddOperator(MakeToyOperator("activation", Pass::FORWARD, 41, 8)));
        graph.AddEdge(2, graph.AddOperator(MakeToyOperator("gradient", Pass::BACKWARD, 41, 8)));
        op = MakeToyOperator("product.weight-gradient", Pass::BACKWARD, 41);
        op.kind = OperatorKind::MATMUL;
        op.parameters = 8;
        op.forward = 1;
        graph.AddEdge(3, graph.AddOperator(op));
        op.name = "product.input-gradient";
        op.parameters = 0;
        op.outputBytes = 8;
        graph.AddEdge(3, graph.AddOperator(op));
        const OperatorPieces pieces = MakePieces(graph, 4);
        const std::vector<std::pair<std::pair<uint32_t, uint32_t>, uint32_t>> expected{{{0, 1}, 4},
                                                                                       {{1, 2}, 1},
                                                                                       {{2, 3}, 1},
                                                                                       {{3, 4}, 1},
                                                                                       {{3, 5}, 4}};
        for (const auto& [edge, count] : expected)
        {
            const auto range = pieces.GetSources(edge.first, edge.second, 2);
            NS_TEST_EXPECT_MSG_EQ(range.end - range.begin, count, "read by " << edge.second);
        }
    }

    /**
     * Compare the reads of pieces with the published rule, for powers of two.
     */
    void TrySources()
    {
        // 1, 2, 4 and 8 pieces
        const OperatorGraph row = MakeRow({11, 21, 41, 81});
        const OperatorPieces pieces = MakePieces(row, 8);
        for (uint32_t u = 0; u < 4; ++u)
        {
            for (uint32_t v = 0; v < 4; ++v)
            {
                const uint32_t a = 1 << u;
                const uint32_t c = 1 << v;
                for (uint32_t i = 0; i < c; ++i)
                {
                    const auto range = pieces.GetSources(u, v, i);
                    const uint32_t first = pieces.GetPieces(u).begin;
                    const uint32_t begin = a >= c ? i * (a / c) : i / (c / a);
                    const uint32_t end = a >= c ? begin + a / c : begin + 1;
                    NS_TEST_EXPECT_MSG_EQ(range.begin - first, begin, a << " to " << c);
                    NS_TEST_EXPECT_MSG_EQ(range.end - first, end, a << " to " << c);
                }
            }
        }
        // 6 pieces read by 4: a piece and a half each
        const OperatorGraph uneven = MakeRow({81, 41});
        const OperatorPieces six = MakePieces(uneven, 6);
        const std::vector<std::pair<uint32_t, uint32_t>> expected{{0, 2}, {1, 3}, {3, 5}, {4, 6}};
        for (uint32_t i = 0; i < 4; ++i)
        {
            const auto range = six.GetSources(0, 1, i);
            NS_TEST_EXPECT_MSG_EQ(range.begin, expected[i].first, "First of piece " << i);
            NS_TEST_EXPECT_MSG_EQ(range.end, expected[i].second, "Last of piece " << i);
        }
    }

    /**
     * @param pieces some pieces
     * @param counts their number by operator
     */
    void Expect(const OperatorPieces& pieces, const std::vector<uint32_t>& counts)
    {
        for (uint32_t op = 0; op < counts.size(); ++op)
        {
            const auto range = pieces.GetPieces(op);
            NS_TEST_EXPECT_MSG_EQ(range.end - range.begin, counts[op], "Operator " << op);
        }
    }

    /// GPUs by piece
    using Gpus = std::vector<uint32_t>;

    /**
     * Fill the memory of GPUs.
     */
    void TryMemory()
    {
        // GPU 0 is free first each time, but has room for one piece of 60 bytes only
        OperatorGraph graph("memory");
        for (const uint64_t time : {1, 9, 1, 1, 1})
        {
            Operator op = MakeToyOperator("op" + std::to_string(graph.GetOperators().size()),
                                          Pass::FORWARD,
                                          time);
            op.savedBytes = time == 1 ? 60 : 10;
            graph.AddOperator(op);
        }
        PiecePlacement::Limits limits = MakeLimits(2);
        limits.memoryBytes = 100;
        const GradientMap gradients(graph);
        const OperatorPieces pieces = MakePieces(graph, 2);
        PiecePlacement placement(pieces, gradients, limits);
        NS_TEST_EXPECT_MSG_EQ(placement.GetLeastMemoryBytes(), 125, "Half of all");
        placement.Place(1);
        const Gpus expected{0, 1, 1, 0, 0};
        for (uint32_t piece = 0; piece < expected.size(); ++piece)
        {
            NS_TEST_EXPECT_MSG_EQ(placement.GetGpu(piece), expected[piece], "Piece " << piece);
        }
        NS_TEST_EXPECT_MSG_EQ(placement.GetMemoryBytes(), 180, "No room, but placed");
    }

    /**
     * @param found a placement
     * @param expected the placement worked out by hand
     */
    void ExpectPlacementByHand(const Gpus& found, const Gpus& expected)
    {
        NS_TEST_ASSERT_MSG_EQ(found.size(), expected.size(), "Number of pieces");
        for (std::size_t piece = 0; piece < found.size(); ++piece)
        {
            NS_TEST_EXPECT_MSG_EQ(found[piece], expected[piece], "Piece " << piece);
        }
    }

    /**
     * Compare the messages with the needs of the pieces by the edges of the graph.
     *
     * @param graph the graph
     * @param pieces its pieces
     * @param placement their placement
     */
    void CheckMessages(const OperatorGraph& graph,
                       const OperatorPieces& pieces,
                       const PiecePlacement& placement)
    {
        const auto& operators = graph.GetOperators();
        std::set<std::tuple<uint32_t, uint32_t, uint64_t>> needed;
        for (uint32_t v = 0; v < operators.size(); ++v)
        {
            const auto readers = pieces.GetPieces(v);
            for (const auto u : graph.GetPredecessors(v))
            {
                const auto read = pieces.GetPieces(u);
                const uint32_t a = read.end - read.begin;
                const uint32_t c = readers.end - readers.begin;
                const bool saved = operators[u].pass != operators[v].pass;
                const uint64_t bytes = saved ? operators[u].savedBytes : operators[u].outputBytes;
                for (uint32_t i = 0; i < c; ++i)
                {
                    for (uint32_t j = 0; j < a; ++j)
                    {
                        // They overlap if neither ends before the other begins
                        const bool isRead = i * a < (j + 1) * c && j * c < (i + 1) * a;
                        const uint32_t gpu = placement.GetGpu(readers.begin + i);
                        if (isRead && placement.GetGpu(read.begin + j) != gpu)
                        {
                            const uint64_t share = bytes * (j + 1) / a - bytes * j / a;
                            needed.insert({read.begin + j, gpu, std::max<uint64_t>(share, 1)});
                        }
                        NS_TEST_EXPECT_MSG_EQ((operators[v].pass == Pass::UPDATE && isRead &&
                                               placement.GetGpu(read.begin + j) != gpu),
                                              false,
                                              "Updates run where their gradients are made");
                    }
                }
            }
        }
        std::set<std::tuple<uint32_t, uint32_t, uint64_t>> found;
        const PieceMessages& messages = placement.GetMessages();
        for (const auto& bundle : messages.GetBundles())
        {
            for (uint32_t piece = bundle.pieces.begin; piece < bundle.pieces.end; ++piece)
            {
                found.insert({piece, bundle.destination, messages.GetBytes(bundle, piece)});
            }
        }
        NS_TEST_EXPECT_MSG_EQ((found == needed), true, "Messages are what is needed");
    }

    /**
     * Write the programs, and look at peers and times.
     *
     * @param pieces the pieces
     * @param gradients the gradients of their graph
     * @param placement their placement
     * @param gpus the number of GPUs
     * @param distance the distance limit
     */
    void CheckPlan(const OperatorPieces& pieces,
                   const GradientMap& gradients,
                   const PiecePlacement& placement,
                   uint32_t gpus,
                   uint32_t distance)
    {
        const uint32_t replicas = 2;
        PiecePlacement::Limits limits;
        limits.gpus = gpus;
        limits.replicas = replicas;
        limits.distance = distance;
        for (const auto route : {CollectiveAlgorithm::LINE, CollectiveAlgorithm::MULTI_RING})
        {
            TrainingPlan relayed;
            ReplicaWriter writer(pieces, gradients, placement, limits, 2000, route);
            ReplicaLayout::Apply(writer.Write(), replicas, relayed);
            relayed.Check();
            NS_TEST_EXPECT_MSG_LT_OR_EQ(relayed.GetTraffic().GetDegree(), 3, "Neighbours alone");
        }
        TrainingPlan plan;
        const auto programs = ReplicaWriter(pieces, gradients, placement, limits, 2000).Write();
        ReplicaLayout::Apply(programs, replicas, plan);
        plan.Check();
        const TrafficMatrix traffic = plan.GetTraffic();
        for (uint32_t rank = 0; rank < replicas * gpus; ++rank)
        {
            uint32_t peers = 0;
            for (const auto& entry : traffic.GetRow(rank))
            {
                const bool isMine = entry.first / gpus == rank / gpus;
                peers += isMine ? 1 : 0;
                NS_TEST_EXPECT_MSG_EQ(isMine || entry.first == (rank + gpus) % (2 * gpus),
                                      true,
                                      "Other replicas get gradients only");
            }
            NS_TEST_EXPECT_MSG_LT_OR_EQ(peers, distance, "Peers of rank " << rank);
        }
        NS_TEST_EXPECT_MSG_LT_OR_EQ(traffic.GetDegree(), distance + 1, "Both ways");

        double computing = 0;
        double expected = 0;
        for (const auto& program : programs)
        {
            computing += program->GetComputeSeconds();
        }
        for (uint32_t op = 0; op < pieces.GetGraph().GetOperators().size(); ++op)
        {
            expected += pieces.GetGraph().GetOperators()[op].flops * 1e-9;
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(computing, expected, 1e-12, "Each piece is computed once");
    }
};

/// Registers the test cases
static const SuiteCases g_placementCases(
    "lightpath-planner",
    {{MakeCase("Operators are split by their time, and pieces read what overlaps",
               &PlacementTests::TestOperatorPieces),
      MakeCase("Pieces go to the GPU of their window that is free first",
               &PlacementTests::TestPlacementByHand),
      MakeCase("Placements of random graphs keep to the limit and lose no data",
               &PlacementTests::TestRandomPlacement)}});
