/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "expect-error.h"
#include "fabric-fixture.h"
#include "helper/mltrain/link-graph-description.h"
#include "interconnect-job.h"
#include "method-case.h"
#include "model/base/wire-format.h"
#include "model/control/graph/topology-finder.h"
#include "model/plan/plan-demand.h"
#include "model/planner/network-alternation.h"
#include "planner-tests.h"
#include "stage-tests.h"

#include "ns3/accelerator.h"
#include "ns3/fabric-description.h"
#include "ns3/fixed-planner.h"
#include "ns3/link-graph-channel.h"
#include "ns3/planning-problem.h"
#include "ns3/search-planner.h"
#include "ns3/topo-opt-helper.h"
#include "ns3/training-plan.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::lightpath;

/**
 * @ingroup lightpath-tests
 * @brief Tests of jobs on TopoOpt.
 */
class TopoOptTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /**
     * An all-reduce of all ranks uses all links of a GPU at once: it takes 2 (n - 1) / n S / (d b),
     * with the header and the delay of each of its steps.
     *
     * @param n the number of GPUs
     * @param degree the links d of a GPU
     */
    void TestAllReduce(uint32_t n, uint32_t degree)
    {
        constexpr uint64_t chunk = 5000;
        const auto fabric = MakeTopoOpt(degree);
        RankProgram program;
        program.AddTask(Collective(CollectiveKind::ALL_REDUCE, chunk * n * degree));
        const TrainingPlan plan = Adopt(fabric, std::vector<RankProgram>(n, program));
        const auto& options = plan.programs[0]->GetTasks()[0].options;
        NS_TEST_EXPECT_MSG_EQ(options.rings, degree, "a ring for each link");
        const Time wanted =
            (2 * (n - 1)) * (NanoSeconds(chunk + FRAME_HEADER_BYTES) + NanoSeconds(DELAY_NS));
        NS_TEST_EXPECT_MSG_EQ_TOL(plan.predictedSeconds, wanted.GetSeconds(), 1e-12, "price");
        NS_TEST_EXPECT_MSG_EQ(Simulate(fabric, plan, 1).front(), wanted, "simulation");
    }

    /// GPUs forward messages between pairs without a link, over the fewest strides.
    void TestForwarding()
    {
        // Strides 1, 5, 11 and 15 of 16: a step of 2 takes two links, one of 8 four
        for (const auto& [peer, hops] :
             std::vector<std::pair<uint32_t, uint32_t>>{{5, 1}, {2, 2}, {8, 4}})
        {
            const auto fabric = MakeTopoOpt(4);
            std::vector<RankProgram> programs(16);
            programs[0].AddTask(Message(TaskKind::SEND, peer, 0, 1000));
            programs[peer].AddTask(Message(TaskKind::RECEIVE, 0, 0, 1000));
            for (auto& program : programs)
            {
                // Sums take nearly all, and so all links; they begin later
                program.AddTask(Compute(1));
                program.AddTask(Collective(CollectiveKind::ALL_REDUCE, 64000000),
                                {static_cast<uint32_t>(program.GetTasks().size()) - 1});
            }
            TrainingPlan plan = Adopt(fabric, programs);
            const LinkLimits links =
                FabricDescription::Create(fabric)->GetLimits(16).GetFor(plan).links;
            const auto& way = links.getWay(0, peer);
            NS_TEST_EXPECT_MSG_EQ_TOL(way.delay,
                                      hops * DELAY_NS * 1e-9,
                                      1e-15,
                                      "links to " << peer);
            double parts = 0;
            for (const auto& part : way.parts)
            {
                parts += part.second;
            }
            NS_TEST_EXPECT_MSG_EQ_TOL(parts, hops, 1e-6, "each link once, whatever the routes");
        }
    }

    /// Pairs with many other messages have links of their own; sums keep a ring.
    void TestPairs()
    {
        const auto fabric = MakeTopoOpt(4);
        std::vector<RankProgram> programs(8);
        for (uint32_t rank = 0; rank < 8; ++rank)
        {
            const uint32_t peer = (rank + 4) % 8;
            programs[rank].AddTask(Message(TaskKind::SEND, peer, rank, 3000000));
            programs[rank].AddTask(Message(TaskKind::RECEIVE, peer, peer, 3000000));
            programs[rank].AddTask(Collective(CollectiveKind::ALL_REDUCE, 800), {0, 1});
        }
        const TrainingPlan plan = Adopt(fabric, programs);
        const LinkGraph graph = TopoOptDescription(fabric).GetGraphFor(plan);
        NS_TEST_EXPECT_MSG_EQ(plan.linkSplit.sums, 1, "one of the rates");
        NS_TEST_EXPECT_MSG_EQ(plan.linkSplit.others, 3, "the others");
        NS_TEST_EXPECT_MSG_EQ(graph.GetLinks().size(), 16, "a ring, and a link to the other side");
        // Three links between the two, and a ring that follows
        const Time messages =
            NanoSeconds(DELAY_NS) + NanoSeconds((3000000 + FRAME_HEADER_BYTES) / 3);
        const Time sum = 14 * NanoSeconds(100 + FRAME_HEADER_BYTES + DELAY_NS);
        const Time simulated = Simulate(fabric, plan, 1).front();
        NS_TEST_EXPECT_MSG_EQ_TOL(simulated.GetDouble(),
                                  (messages + sum).GetDouble(),
                                  NanoSeconds(1).GetDouble(),
                                  "three times the rate of a link");
        NS_TEST_EXPECT_MSG_EQ_TOL(plan.predictedSeconds, simulated.GetSeconds(), 1e-8, "price");
    }

    /// An optical switch sets the links at the beginning of the job, during which all is dark.
    void TestSwitchingDelay()
    {
        auto fabric = MakeTopoOpt(4);
        RankProgram program;
        program.AddTask(Collective(CollectiveKind::ALL_REDUCE, 1200000));
        const TrainingPlan plan = Adopt(fabric, std::vector<RankProgram>(12, program));
        const auto panel = Simulate(fabric, plan, 2);
        fabric.SetSwitchingDelay(MilliSeconds(10));
        const auto light = Simulate(fabric, plan, 2);
        NS_TEST_EXPECT_MSG_EQ(panel[0], panel[1], "set before");
        NS_TEST_EXPECT_MSG_EQ(light[0], panel[0] + MilliSeconds(10), "the first iteration waits");
        NS_TEST_EXPECT_MSG_EQ(light[1], panel[1], "the second does not");
    }

    /**
     * Simulations take as long as the price says, within 5 %.
     *
     * @param tensor the parts of an operator
     * @param stages the stages
     * @param degree the links of a GPU
     */
    void TestPrices(uint32_t tensor, uint32_t stages, uint32_t degree)
    {
        auto fabric = MakeTopoOpt(degree);
        fabric.SetBandwidth(DataRate("400Gbps"));
        const auto planner = CreateObject<FixedPlanner>();
        planner->SetAttribute("TensorParallel", UintegerValue(tensor));
        planner->SetAttribute("PipelineParallel", UintegerValue(stages));
        planner->SetAttribute("Microbatch", UintegerValue(1));
        const TrainingPlan plan = planner->Plan(MakeProblem(fabric));
        const double simulated = Simulate(fabric, plan, 3).back().GetSeconds();
        NS_TEST_EXPECT_MSG_EQ_TOL(plan.predictedSeconds, simulated, 0.05 * simulated, "seconds");
        // No network of another split has a lower price, each as one that a user gives
        const TopologyFinder finder(degree, DataRate(400000000000 / degree), NanoSeconds(DELAY_NS));
        double least = std::numeric_limits<double>::infinity();
        for (const auto& topology : finder.FindAll(8, PlanDemand::Get(plan)))
        {
            const TrainingPlan other = Carry(topology.graph, fabric, plan);
            least = std::min(least, other.predictedSeconds);
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(plan.predictedSeconds, least, 1e-9 * least, "the least price");
    }

    /**
     * A bare all-to-all takes the time of max-min fair flows on four rings, which a solver of its
     * own has computed, and that of the same network as a user gives it.
     *
     * @param n the number of GPUs
     * @param strides the strides of the rings
     * @param microseconds the time
     */
    void TestExchange(uint32_t n, const std::string& strides, double microseconds)
    {
        TopoOptHelper fabric = MakeTopoOpt(4);
        fabric.SetBandwidth(DataRate("400Gbps"));
        fabric.SetDelay(Time(0));
        RankProgram program;
        program.AddTask(Collective(CollectiveKind::ALL_TO_ALL, n * 100000));
        const TrainingPlan bare = MakePlan(std::vector<RankProgram>(n, program));
        const Time simulated = Simulate(fabric, bare, 1).front();
        NS_TEST_EXPECT_MSG_EQ_TOL(simulated.GetDouble() / 1e3, microseconds, 0.011, "us");
        const LinkGraph rings = MakeRings(n, strides, DataRate("100Gbps"), Time(0));
        LinkGraphHelper given;
        given.SetBandwidth(DataRate("400Gbps"));
        given.SetGraph(rings);
        given.DisableFlowControl();
        NS_TEST_EXPECT_MSG_EQ(simulated, Simulate(given, bare, 1).front(), "rings by hand");
        NS_TEST_EXPECT_MSG_EQ(Adopt(fabric, std::vector<RankProgram>(n, program)).linkSplit.common,
                              4,
                              "rings of all");
    }

    /**
     * The all-to-alls of a DLRM on 16 A100 with links of 100 Gb/s choose rings, and take the time
     * of the same rings as a user gives them.
     *
     * @param degree the links d of a GPU
     * @param strides the strides of the rings
     * @param milliseconds the iteration that was simulated on a network of links from a file
     */
    void TestRecommendation(uint32_t degree, const std::string& strides, double milliseconds)
    {
        TopoOptHelper fabric;
        fabric.SetDegree(degree);
        fabric.SetBandwidth(DataRate(degree * 100000000000ULL));
        PlanningProblem problem = MakeStageProblem("dlrm:columns=shared", 16, 32768);
        problem.accelerator = Accelerator::Create("A100");
        problem.fabric = FabricDescription::Create(fabric)->GetLimits(16);
        const auto planner = CreateObject<FixedPlanner>();
        planner->SetAttribute("DataParallel", UintegerValue(16));
        planner->SetAttribute("ExpertParallel", UintegerValue(16));
        const TrainingPlan plan = planner->Plan(problem);
        NS_TEST_EXPECT_MSG_EQ(plan.linkSplit.sums, degree, "rings alone");
        NS_TEST_EXPECT_MSG_EQ_TOL(plan.predictedSeconds * 1e3,
                                  milliseconds,
                                  0.002 * milliseconds,
                                  "the time of a simulation");
        const LinkGraph rings = MakeRings(16, strides, DataRate("100Gbps"), NanoSeconds(500));
        const double byHand = Carry(rings, fabric, plan).predictedSeconds;
        NS_TEST_EXPECT_MSG_EQ_TOL(plan.predictedSeconds, byHand, 1e-9 * byHand, "rings by hand");
    }

    /// The result of alternating is the best of all rounds, and the same each time.
    void TestAlternation()
    {
        auto fabric = MakeTopoOpt(3);
        for (const char* rate : {"30Gbps", "300Gbps"})
        {
            fabric.SetBandwidth(DataRate(rate));
            const PlanningProblem problem = MakeProblem(fabric);
            const auto planner = CreateObject<SearchPlanner>();
            planner->SetAttribute("MaxEvaluations", UintegerValue(150));
            NetworkAlternation alternation(problem, [planner](const PlanningProblem& fixed) {
                return planner->TryPlan(fixed);
            });
            const TrainingPlan plan = alternation.Run();
            const auto& rounds = alternation.GetRounds();
            NS_TEST_ASSERT_MSG_GT(rounds.size(), 0, "at least a round");
            NS_TEST_EXPECT_MSG_EQ_TOL(plan.predictedSeconds,
                                      *std::min_element(rounds.begin(), rounds.end()),
                                      1e-9 * rounds.front(),
                                      "the best round, no worse than the first");
            const TrainingPlan again = planner->TryPlan(problem);
            NS_TEST_EXPECT_MSG_EQ(again.predictedSeconds, plan.predictedSeconds, "the same price");
            NS_TEST_EXPECT_MSG_EQ((again.strategy == plan.strategy), true, "and strategy");
            const double simulated = Simulate(fabric, plan, 3).back().GetSeconds();
            NS_TEST_EXPECT_MSG_EQ_TOL(plan.predictedSeconds,
                                      simulated,
                                      0.05 * simulated,
                                      "simulation at " << rate);
            NS_TEST_EXPECT_MSG_EQ((plan.lowerBoundSeconds <= plan.predictedSeconds), true, "bound");
        }
    }

    /// A frame goes on over the links of a network that replaces another, and waits in darkness.
    void TestReplacement()
    {
        const auto channel = MakeChannel<LinkGraphChannel>({});
        channel->SetGraph(LinkGraph::CreateRing(6, DataRate("8Gbps"), NanoSeconds(100)));
        FabricFixture fixture(channel, 6);
        fixture.sources[0]->Send(2, 3000);
        Simulator::Schedule(NanoSeconds(1000), [channel] {
            channel->SetGraph(LinkGraph::CreateMesh(6, DataRate("16Gbps"), NanoSeconds(50)));
            channel->Darken(NanoSeconds(500));
        });
        Simulator::Schedule(NanoSeconds(1200), [this, channel] {
            NS_TEST_EXPECT_MSG_EQ(channel->IsLinkUp(3), false, "dark");
        });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(channel->IsLinkUp(3), true, "light");
        // 1000 bytes on the ring, 2000 at twice the rate after the darkness
        NS_TEST_EXPECT_MSG_EQ(fixture.received[2].at(0), NanoSeconds(2550), "no byte twice");
        channel->SetFailed("link:gpu-0:gpu-1", true);
        EXPECT_PART(GetAbort([channel] {
                        channel->SetGraph(
                            LinkGraph::CreateRing(6, DataRate("8Gbps"), NanoSeconds(100)));
                    }),
                    "cannot be replaced while a part of it has failed");
    }

    /// One sentence refuses each invalid setting.
    void TestTopoOptRefusals()
    {
        auto fabric = MakeTopoOpt(0);
        EXPECT_PART(fabric.Check(4), "cannot have 0 links: it needs at least 1");
        fabric.SetDegree(2);
        NS_TEST_EXPECT_MSG_EQ(fabric.Check(4), "", "2 links");
        EXPECT_PART(fabric.CheckComponent("switch:spine-0", 4), "There is no component");
        NS_TEST_EXPECT_MSG_EQ(fabric.CheckComponent("link:gpu-1:gpu-3", 4), "", "a job may set it");
        fabric.SetSwitchingDelay(Seconds(-1));
        EXPECT_PART(fabric.Check(4), "cannot be dark for -1.0");
        fabric.SetSwitchingDelay(Seconds(0));
        fabric.SetBandwidth(DataRate("1bps"));
        EXPECT_PART(fabric.Check(4), "A node of 1 bit/s cannot have 2 links");
    }

  private:
    static constexpr uint32_t DELAY_NS = 100; //!< Delay of a link

    /**
     * @param degree the links of a GPU
     * @return TopoOpt, on whose links a byte takes 1 ns
     */
    static TopoOptHelper MakeTopoOpt(uint32_t degree)
    {
        TopoOptHelper fabric;
        fabric.SetDegree(degree);
        fabric.SetBandwidth(DataRate(std::max(degree, 1U) * 8000000000ULL));
        fabric.SetDelay(NanoSeconds(DELAY_NS));
        fabric.DisableFlowControl();
        return fabric;
    }

    /**
     * @param n the number of GPUs
     * @param strides the strides of rings of all
     * @param rate the rate of a link
     * @param delay the delay of a link
     * @return the network
     */
    static LinkGraph MakeRings(uint32_t n, const std::string& strides, DataRate rate, Time delay)
    {
        LinkGraph graph(n);
        graph.SetPortsForward(true);
        for (uint32_t port = 0; port < n; ++port)
        {
            std::istringstream words(strides);
            for (uint32_t stride; words >> stride;)
            {
                graph.AddLink(port, (port + stride) % n, rate, delay);
            }
        }
        return graph;
    }

    /**
     * @param graph a network
     * @param fabric the fabric that a plan is for
     * @param plan the plan
     * @return the plan for the network, as a user gives it
     */
    static TrainingPlan Carry(const LinkGraph& graph,
                              const TopoOptHelper& fabric,
                              const TrainingPlan& plan)
    {
        LinkGraphHelper given;
        given.SetBandwidth(fabric.GetBandwidth());
        given.SetGraph(graph);
        PlanningProblem problem;
        problem.fabric = FabricDescription::Create(given)->GetLimits(graph.GetNPorts());
        problem.accelerator.memoryBytes = UINT64_MAX;
        return Planner::Adopt(plan, problem);
    }

    /**
     * @param fabric the fabric
     * @return a small model on 8 GPUs
     */
    static PlanningProblem MakeProblem(const TopoOptHelper& fabric)
    {
        constexpr uint32_t gpus = 8;
        PlanningProblem problem =
            MakeStageProblem("gpt2-xl:layers=4,hidden=256,heads=8,feedForward=1024,vocabulary=1024",
                             gpus,
                             2 * gpus);
        problem.fabric = FabricDescription::Create(fabric)->GetLimits(gpus);
        return problem;
    }
};

static const SuiteCases g_topoOptTests(
    "lightpath-topoopt",
    {MakeCases("all-reduce",
               &TopoOptTests::TestAllReduce,
               {{12, 4}, {16, 4}, {16, 6}, {16, 8}, {32, 8}, {7, 3}, {5, 1}}),
     MakeCases("prices",
               &TopoOptTests::TestPrices,
               {{1, 1, 4}, {2, 1, 4}, {2, 2, 4}, {4, 2, 3}, {1, 4, 2}}),
     MakeCases("all-to-all",
               &TopoOptTests::TestExchange,
               {{12, "1 5 7 11", 40.01}, {16, "1 5 11 15", 76.96}, {10, "1 3 7 9", 30.01}}),
     MakeCases("DLRM",
               &TopoOptTests::TestRecommendation,
               {{4, "1 5 11 15", 4.590}, {8, "1 3 5 7 9 11 13 15", 2.539}}),
     {MakeCase("forwarding", &TopoOptTests::TestForwarding),
      MakeCase("links of pairs", &TopoOptTests::TestPairs),
      MakeCase("switching", &TopoOptTests::TestSwitchingDelay),
      MakeCase("replacement", &TopoOptTests::TestReplacement),
      MakeCase("alternation", &TopoOptTests::TestAlternation),
      MakeCase("refusals", &TopoOptTests::TestTopoOptRefusals)}});
