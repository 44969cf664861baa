/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "expect-error.h"
#include "method-case.h"
#include "model/planner/search/series-parallel-tree.h"
#include "model/planner/search/stage-cuts.h"
#include "model/planner/search/stage-partitioner.h"
#include "partition-tests.h"
#include "planner-tests.h"

#include "ns3/model-zoo.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/**
 * @ingroup lightpath-tests
 * @param graph a graph
 * @return the number of its down-sets, found by trying all sets of nodes
 */
uint64_t
CountSets(const StageGraph& graph)
{
    const auto nodes = static_cast<uint32_t>(graph.GetNodes().size());
    uint64_t count = 0;
    for (uint32_t set = 0; set < (1U << nodes); ++set)
    {
        bool isDown = true;
        for (uint32_t node = 0; node < nodes; ++node)
        {
            for (const auto from : graph.GetPredecessors(node))
            {
                isDown = isDown && ((set >> node) % 2 == 0 || (set >> from) % 2 == 1);
            }
        }
        count += isDown ? 1 : 0;
    }
    return count;
}

/**
 * @ingroup lightpath-tests
 * @brief The test cases of the graphs that stages are made of.
 */
class StageGraphTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /// Trees of graphs count their down-sets, and what they merge costs no more than they say.
    void TestSeriesParallel()
    {
        const auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(43);
        uint32_t cores = 0;
        uint32_t merged = 0;
        for (uint32_t run = 0; run < 150; ++run)
        {
            const bool isSeriesParallel = run % 2 == 0;
            const uint32_t nodes = random->GetInteger(1, 10);
            StageGraph graph = MakeSeriesParallelGraph(random, nodes);
            for (uint32_t edge = isSeriesParallel || nodes < 2 ? 0 : 3; edge > 0; --edge)
            {
                const uint32_t from = random->GetInteger(0, nodes - 2);
                graph.AddEdge(from, random->GetInteger(from + 1, nodes - 1));
            }
            const SeriesParallelTree tree(graph);
            NS_TEST_ASSERT_MSG_EQ((tree.IsSeriesParallel() || !isSeriesParallel),
                                  true,
                                  "run " << run);
            NS_TEST_ASSERT_MSG_EQ(tree.GetCore().empty(), tree.IsSeriesParallel(), "core");
            cores += tree.IsSeriesParallel() ? 0 : 1;
            const uint64_t count = CountSets(graph);
            NS_TEST_ASSERT_MSG_EQ(tree.CountDownSets(2000), count, "run " << run);
            NS_TEST_ASSERT_MSG_GT(tree.CountDownSets(count - 1), count - 1, "run " << run);
            NS_TEST_ASSERT_MSG_EQ(StagePartitioner(graph).GetNDownSets(), count, "run " << run);

            const auto groups = tree.Contract(nodes + 1);
            const StageGraph blocks = graph.Merge(groups);
            double seconds = 0;
            std::vector<uint32_t> sizes(blocks.GetNodes().size(), 0);
            for (const auto group : groups)
            {
                ++sizes[group];
            }
            for (uint32_t block = 0; block < sizes.size(); ++block)
            {
                seconds += sizes[block] > 1 ? blocks.GetNodes()[block].seconds : 0;
            }
            merged += sizes.size() < nodes ? 1 : 0;
            NS_TEST_ASSERT_MSG_EQ((CountSets(blocks) <= nodes + 1 || !tree.IsSeriesParallel()),
                                  true,
                                  "run " << run);
            CheckMerged(graph, blocks, seconds, run);
            const double grain = random->GetInteger(0, 30);
            CheckMerged(graph,
                        graph.Merge(SeriesParallelTree::MergeChains(graph, grain)),
                        grain,
                        run);
        }
        NS_TEST_ASSERT_MSG_GT(cores, 20, "graphs with a core");
        NS_TEST_ASSERT_MSG_GT(merged, 20, "graphs with merged blocks");
    }

    /// Merged nodes add up, and what is no graph is refused.
    void TestMerge()
    {
        StageGraph graph;
        for (const double value : {1, 10, 100, 1000})
        {
            graph.AddNode({value, 2 * value, 3 * value, 4 * value, 5 * value});
        }
        graph.AddEdge(0, 1);
        graph.AddEdge(0, 2);
        graph.AddEdge(1, 2);
        graph.AddEdge(2, 3);
        const StageGraph merged = graph.Merge({0, 1, 1, 2});
        const StageNode& node = merged.GetNodes().at(1);
        NS_TEST_EXPECT_MSG_EQ(node.seconds, 110, "time");
        NS_TEST_EXPECT_MSG_EQ(node.outputBytes, 200, "what others read");
        NS_TEST_EXPECT_MSG_EQ(node.parameterBytes, 330, "gradients");
        NS_TEST_EXPECT_MSG_EQ(node.stateBytes, 440, "state");
        NS_TEST_EXPECT_MSG_EQ(node.keptBytes, 550, "what is kept");
        NS_TEST_EXPECT_MSG_EQ((merged.GetSuccessors(0) == std::vector<uint32_t>{1}), true, "edges");
        NS_TEST_EXPECT_MSG_EQ((merged.GetPredecessors(2) == std::vector<uint32_t>{1}),
                              true,
                              "edges");
        const auto refuse = [&](const std::string& sentence, const std::function<void()>& call) {
            const std::string error = GetError(call);
            NS_TEST_EXPECT_MSG_EQ(Contains(error, sentence), true, error);
        };
        refuse("edge from node 1 to node 0", [&]() { graph.Merge({1, 0, 2, 3}); });
        refuse("edge from node 3 to node 4 of 4", [&]() { graph.AddEdge(3, 4); });
        refuse("Node 4 of a graph of stages has the cost -1", [&]() {
            graph.AddNode({0, 0, -1, 0, 0});
        });
    }

    /// The graphs of models have their costs, and few down-sets.
    void TestModelStages()
    {
        const Accelerator gpu = Accelerator::Create("A100");
        for (const std::string name : {"resnet50", "bert-large"})
        {
            const OperatorGraph model = ModelZoo::Create(name);
            double seconds = 0;
            for (const auto& op : model.GetOperators())
            {
                seconds += op.pass == Pass::UPDATE ? 0 : gpu.GetSeconds(op, 4);
            }
            for (const auto grain : {StageGraph::OPERATORS, StageGraph::LAYERS})
            {
                const StageGraph graph = StageGraph::Create(model, gpu, 4, grain);
                double sum = 0;
                for (const auto& node : graph.GetNodes())
                {
                    sum += node.seconds;
                }
                NS_TEST_EXPECT_MSG_EQ_TOL(sum, seconds, 1e-9 * seconds, name);
                const SeriesParallelTree tree(graph);
                NS_TEST_EXPECT_MSG_EQ(tree.IsSeriesParallel(), true, name);
                NS_TEST_EXPECT_MSG_LT(tree.CountDownSets(1000), 400, name);
                const StageGraph few = graph.Merge(tree.Contract(100));
                StagePartitioner::Settings settings;
                settings.gpus = 8;
                settings.byteRate = 1e15;
                const auto partition = StagePartitioner(few).Get(settings);
                NS_TEST_EXPECT_MSG_GT_OR_EQ(partition.seconds, seconds / 8, name);
                NS_TEST_EXPECT_MSG_LT(partition.seconds, seconds / 4, name);
            }
        }
    }

    /// Cuts of layers are as good as the best of all.
    void TestStageCuts()
    {
        const auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(44);
        uint32_t found = 0;
        uint32_t refused = 0;
        uint32_t bound = 0;
        for (uint32_t run = 0; run < 250; ++run)
        {
            const uint32_t layers = random->GetInteger(2, 8);
            auto problem = MakeToyProblem(MakeLayers(random, layers), 8, 8);
            Strategy strategy;
            strategy.pipelineParallel = random->GetInteger(1, 4);
            strategy.microbatches = 1U << random->GetInteger(0, 2);
            const double samples = 8.0 / strategy.microbatches;
            const double rate = random->GetInteger(0, 1) == 0 ? 0 : 2e9;
            const StageCuts search(problem);
            const auto best = TryCuts(problem, strategy.pipelineParallel, samples, rate);
            if (best.first == std::numeric_limits<double>::infinity())
            {
                ++refused;
                const auto error = GetError([&]() { search.Get(strategy, rate); });
                NS_TEST_ASSERT_MSG_EQ(Contains(error, "cannot be cut into"), true, error);
                continue;
            }
            ++found;
            const auto result = search.Get(strategy, rate);
            NS_TEST_ASSERT_MSG_EQ_TOL(result.seconds, best.first, 1e-12, "run " << run);
            NS_TEST_ASSERT_MSG_EQ_TOL(result.messageSeconds, best.second, 1e-12, "run " << run);
            NS_TEST_ASSERT_MSG_EQ(result.cuts.size() + 1, strategy.pipelineParallel, "parts");
            const auto priced = Price(problem, result.cuts, samples, rate);
            NS_TEST_ASSERT_MSG_EQ_TOL(priced.first, best.first, 1e-12, "cuts of run " << run);
            NS_TEST_ASSERT_MSG_EQ_TOL(priced.second, best.second, 1e-12, "cuts of run " << run);
            const auto alone = Price(problem, result.cuts, samples, 1e30);
            bound += alone.first < best.first - 1e-12 ? 1 : 0;
        }
        NS_TEST_ASSERT_MSG_GT(found, 120, "models with cuts");
        NS_TEST_ASSERT_MSG_GT(refused, 20, "models without");
        NS_TEST_ASSERT_MSG_GT(bound, 20, "models whose messages are slower than computing");
        Strategy strategy;
        strategy.microbatches = 9;
        const auto problem = MakeToyProblem(MakeLayers(random, 4), 8, 8);
        const auto error = GetError([&]() { StageCuts(problem).Get(strategy); });
        NS_TEST_EXPECT_MSG_EQ(Contains(error, "must have a sample"), true, error);
    }

  private:
    /**
     * Check what merging nodes costs.
     *
     * @param graph a graph
     * @param merged the same with merged nodes
     * @param most the time that the slowest stage may take longer, s
     * @param run the number of the graph
     */
    void CheckMerged(const StageGraph& graph, const StageGraph& merged, double most, uint32_t run)
    {
        StagePartitioner::Settings settings;
        settings.gpus = 3;
        settings.useAll = false;
        const double before = StagePartitioner(graph).Get(settings).seconds;
        const double after = StagePartitioner(merged).Get(settings).seconds;
        NS_TEST_ASSERT_MSG_EQ((after >= before - 1e-9 && after <= before + most + 1e-9),
                              true,
                              "run " << run << ": " << before << ", " << after);
    }

    /**
     * @param random a source of random numbers
     * @param layers the number of layers
     * @return layers of one or two operators each with results that one of the next two layers
     *         reads
     */
    static OperatorGraph MakeLayers(Ptr<UniformRandomVariable> random, uint32_t layers)
    {
        OperatorGraph graph("layers");
        std::vector<uint32_t> forward;
        for (uint32_t layer = 0; layer < layers; ++layer)
        {
            for (uint32_t count = random->GetInteger(1, 2); count > 0; --count)
            {
                const auto index = static_cast<uint32_t>(forward.size());
                const uint32_t bytes = random->GetInteger(1, 20) * 1000;
                Operator op = MakeToyOperator("f" + std::to_string(index),
                                              Pass::FORWARD,
                                              random->GetInteger(0, 20),
                                              bytes);
                op.layer = layer;
                op.forward = index;
                forward.push_back(graph.AddOperator(op));
                for (uint32_t from = 0; from < index; ++from)
                {
                    const uint32_t distance = layer - graph.GetOperators()[from].layer;
                    const bool isRead = distance < 2
                                            ? random->GetInteger(0, 2) > 0
                                            : distance == 2 && random->GetInteger(0, 5) == 0;
                    if (isRead || from + 1 == index)
                    {
                        graph.AddEdge(from, index);
                    }
                }
            }
        }
        const auto count = static_cast<uint32_t>(forward.size());
        for (uint32_t i = count; i-- > 0;)
        {
            const uint32_t bytes = random->GetInteger(1, 20) * 1000;
            Operator op = MakeToyOperator("b" + std::to_string(i),
                                          Pass::BACKWARD,
                                          random->GetInteger(0, 30),
                                          bytes);
            op.layer = graph.GetOperators()[i].layer;
            op.forward = i;
            const uint32_t index = graph.AddOperator(op);
            graph.AddEdge(i, index);
            for (const auto to : graph.GetSuccessors(i))
            {
                if (graph.GetOperators()[to].pass == Pass::FORWARD)
                {
                    graph.AddEdge(2 * count - 1 - to, index);
                }
            }
        }
        return graph;
    }

    /**
     * @param problem a problem
     * @param cuts the first layer of each part but the first
     * @param samples the samples of a microbatch
     * @param rate the rate between parts, bit/s; 0 for that of the fabric
     * @return the time of the slowest part and of all messages, s; infinite if the parts are no
     *         chain
     */
    static std::pair<double, double> Price(const PlanningProblem& problem,
                                           const std::vector<uint32_t>& cuts,
                                           double samples,
                                           double rate)
    {
        const auto& operators = problem.graph.GetOperators();
        const auto getPart = [&](uint32_t op) {
            return static_cast<uint32_t>(
                std::upper_bound(cuts.begin(), cuts.end(), operators[op].layer) - cuts.begin());
        };
        std::vector<double> compute(cuts.size() + 1, 0);
        std::vector<double> sent(cuts.size() + 1, 0);
        std::vector<double> received(cuts.size() + 1, 0);
        double all = 0;
        for (uint32_t op = 0; op < operators.size(); ++op)
        {
            const uint32_t part = getPart(op);
            compute[part] += problem.accelerator.GetSeconds(operators[op], samples);
            uint32_t other = part;
            for (const auto to : problem.graph.GetSuccessors(op))
            {
                if (operators[to].pass == operators[op].pass && getPart(to) != part)
                {
                    const uint32_t distance =
                        std::max(getPart(to), part) - std::min(getPart(to), part);
                    if (distance > 1)
                    {
                        const double never = std::numeric_limits<double>::infinity();
                        return {never, never};
                    }
                    other = getPart(to);
                }
            }
            if (other != part)
            {
                const double seconds = 8.0 * samples *
                                       static_cast<double>(operators[op].outputBytes) /
                                       (rate > 0 ? rate : problem.fabric.bitRate);
                sent[part] += seconds;
                received[other] += seconds;
                all += seconds;
            }
        }
        double slowest = 0;
        for (std::size_t part = 0; part < compute.size(); ++part)
        {
            slowest = std::max({slowest, compute[part], sent[part], received[part]});
        }
        return {slowest, all};
    }

    /**
     * @param problem a problem
     * @param parts the number of parts
     * @param samples the samples of a microbatch
     * @param rate the rate between parts, bit/s
     * @return the least time of the slowest part of all cuts, and the least time of all messages of
     *         such cuts, s
     */
    static std::pair<double, double> TryCuts(const PlanningProblem& problem,
                                             uint32_t parts,
                                             double samples,
                                             double rate)
    {
        const uint32_t layers = problem.graph.GetNLayers();
        const double never = std::numeric_limits<double>::infinity();
        std::pair<double, double> best{never, never};
        for (uint32_t set = 0; set < (1U << (layers - 1)); ++set)
        {
            std::vector<uint32_t> cuts;
            for (uint32_t layer = 1; layer < layers; ++layer)
            {
                if ((set >> (layer - 1)) % 2 == 1)
                {
                    cuts.push_back(layer);
                }
            }
            if (cuts.size() + 1 != parts)
            {
                continue;
            }
            const auto price = Price(problem, cuts, samples, rate);
            const bool isEqual = std::abs(price.first - best.first) < 1e-12;
            if (isEqual ? price.second < best.second : price.first < best.first)
            {
                best = price;
            }
        }
        return best;
    }
};

} // namespace

std::vector<TestCase*>
MakeStageGraphTests()
{
    return {
        MakeCase("series-parallel trees of random graphs", &StageGraphTests::TestSeriesParallel),
        MakeCase("merged nodes of graphs of stages", &StageGraphTests::TestMerge),
        MakeCase("graphs of stages of models", &StageGraphTests::TestModelStages)};
}

std::vector<TestCase*>
MakeStageCutsTests()
{
    return {MakeCase("cuts of layers against all cuts", &StageGraphTests::TestStageCuts)};
}
