/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "method-case.h"
#include "model/planner/search/stage-cuts.h"
#include "planner-tests.h"

#include "ns3/planning-problem.h"
#include "ns3/random-variable-stream.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/**
 * @ingroup lightpath-tests
 * @brief Cuts of layers are as good as the best of all cuts.
 */
class StageCutsTest : public TestCase
{
  public:
    StageCutsTest()
        : TestCase("cuts of layers against all cuts")
    {
    }

  private:
    void DoRun() override
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
            problem.fabric.bitRate = random->GetInteger(0, 1) == 0 ? 8e9 : 2e9;
            const auto cuts = StageCuts(problem).Get(strategy);
            const auto best = TryCuts(problem, strategy.pipelineParallel, samples);
            if (best.first == std::numeric_limits<double>::infinity())
            {
                ++refused;
                NS_TEST_ASSERT_MSG_EQ(cuts.empty(), true, "run " << run);
                continue;
            }
            ++found;
            NS_TEST_ASSERT_MSG_EQ(cuts.size() + 1, strategy.pipelineParallel, "parts");
            const auto priced = Price(problem, cuts, samples);
            NS_TEST_ASSERT_MSG_EQ_TOL(priced.first, best.first, 1e-12, "cuts of run " << run);
            NS_TEST_ASSERT_MSG_EQ_TOL(priced.second, best.second, 1e-12, "cuts of run " << run);
            problem.fabric.bitRate = 1e30;
            const auto alone = Price(problem, cuts, samples);
            bound += alone.first < best.first - 1e-12 ? 1 : 0;
        }
        NS_TEST_ASSERT_MSG_GT(found, 120, "models with cuts");
        NS_TEST_ASSERT_MSG_GT(refused, 20, "models without");
        NS_TEST_ASSERT_MSG_GT(bound, 20, "models whose messages are slower than computing");
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
     * @return the time of the slowest part and of all messages, s; infinite if the parts are no
     *         chain
     */
    static std::pair<double, double> Price(const PlanningProblem& problem,
                                           const std::vector<uint32_t>& cuts,
                                           double samples)
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
                                       problem.fabric.bitRate;
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
     * @return the least time of the slowest part of all cuts, and the least time of all messages of
     *         such cuts, s
     */
    static std::pair<double, double> TryCuts(const PlanningProblem& problem,
                                             uint32_t parts,
                                             double samples)
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
            const auto price = Price(problem, cuts, samples);
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

/// Registers the test cases
static const SuiteCases g_stageCutsCases("lightpath-stage-cuts", {{new StageCutsTest}});
