/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "expect-error.h"
#include "expert-tests.h"
#include "fabric-parts.h"
#include "method-case.h"
#include "model/planner/write/plan-builder.h"
#include "planner-tests.h"
#include "stage-tests.h"

#include "ns3/fabric-description.h"
#include "ns3/fabric-helper.h"
#include "ns3/node-container.h"
#include "ns3/planning-problem.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/training-helper.h"
#include "ns3/training-plan.h"
#include "ns3/training-report.h"
#include "ns3/uinteger.h"

#include <algorithm>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/**
 * @ingroup lightpath-tests
 * @param plan a plan
 * @param kind a kind of group
 * @return the bytes that all ranks send in groups of this kind
 */
uint64_t
GetKindTraffic(TrainingPlan plan, uint32_t kind)
{
    plan.circuitWeights.assign(plan.groups.size(), 0);
    plan.circuitWeights[kind] = 1;
    return plan.GetDemand().GetTotal();
}

} // namespace

/**
 * @ingroup lightpath-tests
 * @brief The tests of GPUs that share the tokens of a sample, and of experts over any ranks.
 */
class ContextParallelTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /**
     * Compares the traffic of keys and values with the closed form: forward, a GPU sends its own
     * and those of all other GPUs but the next one, 2 e s k / (c t) bytes of each, and twice as
     * many backward; those of recomputed layers once more.
     */
    void TestTraffic()
    {
        const PlanningProblem problem = MakeExpertProblem(32, 16);
        for (const uint32_t c : {2, 4})
        {
            for (const uint32_t t : {1, 2})
            {
                for (const bool gathers : {false, true})
                {
                    for (const auto recomputation : {Recomputation::NONE, Recomputation::FULL})
                    {
                        Strategy strategy;
                        strategy.contextParallel = c;
                        strategy.tensorParallel = t;
                        strategy.pipelineParallel = 2;
                        strategy.dataParallel = 32 / strategy.GetGpus();
                        strategy.microbatches = 2;
                        strategy.contextGather = gathers;
                        strategy.recomputation = recomputation;
                        const TrainingPlan plan = PlanBuilder(problem).Build(strategy);
                        const uint64_t samples = 16 / strategy.dataParallel;
                        const uint64_t own =
                            2 * 2 * ExpertSizes::SEQUENCE * ExpertSizes::KEYS * samples / (c * t);
                        const uint64_t times = recomputation == Recomputation::FULL ? 4 : 3;
                        NS_TEST_EXPECT_MSG_EQ(GetKindTraffic(plan, CONTEXT_GROUP),
                                              32 / 2 * ExpertSizes::LAYERS * times * (c - 1) * own,
                                              strategy.GetName());
                        // All GPUs with the same part of the model sum their gradients
                        NS_TEST_EXPECT_MSG_EQ(plan.groups[DATA_GROUP].GetMembers(0).size(),
                                              c * strategy.dataParallel,
                                              strategy.GetName());
                    }
                }
            }
        }
    }

    /**
     * Compares the time of a layer of attention on a network with a closed form, to the tick: a
     * block and a message take the time of the longer one while the ring turns.
     */
    void TestTime()
    {
        // Microseconds of a block forward, and bytes of keys and values of a GPU
        TryTime(2, 4000, 100000);
        TryTime(2, 40, 1000000);
        TryTime(4, 8000, 100000);
    }

    /// Two GPUs that share two samples keep what each of two replicas keeps of one sample.
    void TestMemory()
    {
        const PlanningProblem problem = MakeExpertProblem(8, 16);
        const PlanBuilder builder(problem);
        for (const auto schedule : {PipelineScheduleKind::ONE_F_ONE_B,
                                    PipelineScheduleKind::ZB_H1,
                                    PipelineScheduleKind::DUALPIPE})
        {
            Strategy strategy = MakeExpertStrategy(4, 1, 1, 2);
            strategy.microbatches = 4;
            strategy.schedule = schedule;
            const auto replicas = builder.GetMemory(strategy);
            strategy.dataParallel = 2;
            strategy.contextParallel = 2;
            const auto shares = builder.GetMemory(strategy);
            for (uint32_t stage = 0; stage < 2; ++stage)
            {
                NS_TEST_EXPECT_MSG_EQ(shares[stage].activations,
                                      replicas[stage].activations,
                                      strategy.GetName() << ", stage " << stage);
            }
        }
    }

    /**
     * Compares the exchange of whole experts with a closed form: each GPU of a tensor-parallel
     * group sends the tokens that it has, to experts that it shares with e GPUs, and nobody gathers
     * them.
     */
    void TestWholeExperts()
    {
        const PlanningProblem problem = MakeExpertProblem(16, 16);
        for (const uint32_t t : {2, 4})
        {
            for (const uint32_t e : {2, 4, 8})
            {
                for (const uint32_t c : {1, 2})
                {
                    Strategy strategy;
                    strategy.tensorParallel = t;
                    strategy.contextParallel = c;
                    strategy.dataParallel = 16 / (t * c);
                    strategy.expertParallel = e;
                    strategy.sequenceParallel = true;
                    strategy.wholeExperts = true;
                    TryWholeExperts(problem, strategy);
                }
            }
        }
    }

    /// Tries degrees that do not fit together.
    void TestRefusal()
    {
        const PlanningProblem problem = MakeExpertProblem(8, 8);
        const auto expect = [&](const PlanningProblem& on,
                                const Strategy& strategy,
                                const std::vector<std::string>& parts) {
            NS_TEST_EXPECT_MSG_EQ(FindWrongError([&]() { PlanBuilder(on).Build(strategy); }, parts),
                                  "",
                                  strategy.GetName());
        };
        Strategy strategy = MakeExpertStrategy(4, 1);
        strategy.contextParallel = 2;
        expect(problem, strategy, {});
        strategy.contextParallel = 3;
        expect(problem, strategy, {"4 replicas of 3 GPUs", "must be the number of GPUs"});
        strategy.contextParallel = 0;
        expect(problem, strategy, {"0 GPUs that share a sample"});
        Strategy gathering = MakeExpertStrategy(8, 1);
        gathering.contextGather = true;
        expect(problem, gathering, {"ContextGather", "ContextParallel must be 2 or more"});
        strategy.contextParallel = 2;
        expect(MakeStageProblem("resnet50", 8, 8),
               strategy,
               {"no operator with keys and values", "ContextParallel must be 1"});
        expect(MakeStageProblem(
                   "gpt2-xl:gradients=half,layers=2,hidden=96,heads=6,feedForward=384,sequence=66",
                   8,
                   8),
               strategy,
               {"66 tokens", "2 x 2 equal pieces", "ContextParallel must divide half"});

        strategy = MakeExpertStrategy(2, 2, 4);
        strategy.wholeExperts = true;
        expect(problem, strategy, {"WholeExperts", "SequenceParallel"});
        strategy.sequenceParallel = true;
        expect(problem, strategy, {});
        strategy.expertParallel = 1;
        expect(problem, strategy, {"WholeExperts", "ExpertParallel of 2 or more"});
        strategy.expertParallel = 16;
        expect(problem, strategy, {"16", "8 ranks of a stage", "8 experts"});
    }

  private:
    /**
     * @param c the number of GPUs
     * @param microseconds the time of a block forward, half of that of a block backward, us
     * @param bytes the bytes of keys and values of a GPU
     */
    void TryTime(uint32_t c, uint64_t microseconds, uint64_t bytes)
    {
        OperatorGraph graph("attention");
        Operator op = MakeToyOperator("forward", Pass::FORWARD, c * microseconds * c, 8);
        op.contextBytes = c * bytes;
        graph.AddOperator(op);
        op = MakeToyOperator("backward", Pass::BACKWARD, 2 * c * microseconds * c, 8);
        graph.AddEdge(0, graph.AddOperator(op));
        PlanningProblem problem = MakeToyProblem(graph, c, 1);
        const auto fabric = FabricHelper::Create("electrical");
        fabric->SetBandwidth(DataRate("8Gbps"));
        problem.fabric = FabricDescription::Create(*fabric)->GetLimits(c);
        Strategy strategy;
        strategy.contextParallel = c;
        TrainingPlan plan = PlanBuilder(problem).Build(strategy);

        NodeContainer nodes;
        nodes.Create(c);
        const NetDeviceContainer devices = fabric->Install(nodes);
        TrainingHelper helper;
        helper.SetJobAttribute("Iterations", UintegerValue(1));
        helper.SetTransportAttribute("FrameSize", UintegerValue(0));
        const auto applications = helper.Install(plan, devices, fabric->CreateController(devices));
        Simulator::Run();
        const TrainingReport report(TrainingHelper::GetJob(applications),
                                    FabricHelper::GetChannel(devices));
        NS_TEST_ASSERT_MSG_EQ(report.iterationSeconds.size(), 1, "It ends");
        // 1 ns a byte
        const double message = (bytes + HEADERS) * 1e-9 + problem.fabric.latency;
        const double block = 1e-6 * microseconds;
        const double forward = (c - 1) * std::max(block, message) + block;
        // The last gradients come home after the last block, to which those before are ready
        const double backward = std::max(2 * block, message) + (c - 1) * 2 * block + message;
        NS_TEST_EXPECT_MSG_EQ_TOL(report.iterationSeconds[0],
                                  forward + backward,
                                  2e-9,
                                  c << " shares");
        Simulator::Destroy();
    }

    /**
     * @param problem a problem of 16 GPUs and 16 samples
     * @param strategy a strategy with whole experts
     */
    void TryWholeExperts(const PlanningProblem& problem, const Strategy& strategy)
    {
        const std::string name = strategy.GetName();
        const uint64_t e = strategy.expertParallel;
        const TrainingPlan plan = PlanBuilder(problem).Build(strategy);
        // Four exchanges of all chosen tokens, of which one of e parts stays
        const uint64_t tokens = ExpertSizes::SEQUENCE * 16;
        NS_TEST_EXPECT_MSG_EQ(GetKindTraffic(plan, EXPERT_GROUP),
                              4 * ExpertSizes::LAYERS * tokens * ExpertSizes::CHOICES *
                                  ExpertSizes::HIDDEN * 2 * (e - 1) / e,
                              name);
        // The gradients of the experts of a GPU are summed over 16 / e GPUs
        const uint64_t same = 16 / e;
        const uint64_t parameters = ExpertSizes::LAYERS * ExpertSizes::EXPERTS * 3 *
                                    ExpertSizes::HIDDEN * ExpertSizes::INNER / e;
        NS_TEST_EXPECT_MSG_EQ(GetKindTraffic(plan, EXPERT_DATA_GROUP),
                              16 * 2 * (same - 1) * parameters / same * problem.graph.gradientBytes,
                              name);
        for (const auto& task : plan.programs[0]->GetTasks())
        {
            const bool isSplit = task.kind == TaskKind::COLLECTIVE && task.group == TENSOR_GROUP &&
                                 task.name.find("feed-forward.exp") != std::string::npos;
            NS_TEST_EXPECT_MSG_EQ(isSplit, false, name << ": " << task.name);
        }
        // Successive ranks share out experts
        NS_TEST_EXPECT_MSG_EQ(plan.groups[EXPERT_GROUP].GetMembers(e)[1], e + 1, name);
    }
};

/// Registers the test cases
static const SuiteCases g_contextParallelCases(
    "lightpath-planner-experts",
    {{MakeCase("GPUs that share tokens exchange keys and values",
               &ContextParallelTests::TestTraffic),
      MakeCase("Shares of the tokens need their share of the memory",
               &ContextParallelTests::TestMemory),
      MakeCase("A ring of keys and values turns while attention works",
               &ContextParallelTests::TestTime),
      MakeCase("Whole experts are shared out over all GPUs of a stage",
               &ContextParallelTests::TestWholeExperts),
      MakeCase("Degrees of tokens and whole experts that do not fit",
               &ContextParallelTests::TestRefusal)}});
