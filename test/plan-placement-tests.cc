/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "expect-error.h"
#include "method-case.h"
#include "model/planner/place/axis-order.h"
#include "model/planner/place/grid-collectives.h"
#include "model/planner/price/cost-model.h"
#include "model/planner/price/ring-pace.h"
#include "placement-fixture.h"
#include "planner-job.h"
#include "planner-tests.h"

#include "ns3/electrical-switch-helper.h"
#include "ns3/fabric-description.h"
#include "ns3/fixed-planner.h"
#include "ns3/oddl-helper.h"
#include "ns3/planning-problem.h"
#include "ns3/server-helper.h"
#include "ns3/sip-ring-helper.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <memory>
#include <sstream>
#include <tuple>

using namespace ns3;
using namespace ns3::lightpath;

/**
 * @ingroup lightpath-tests
 * @brief The test cases of placements of ranks.
 */
class PlanPlacementTests : public PlacementFixture
{
  public:
    using PlacementFixture::PlacementFixture;

    /// Reads placements, good and bad ones.
    void TestRead()
    {
        NS_TEST_EXPECT_MSG_EQ(Placement().GetPort(7), 7, "Linear");
        NS_TEST_EXPECT_MSG_EQ(Placement({0, 1, 2}).IsLinear(), true, "Linear, too");
        std::istringstream text("2, 0 # the first two\n\n1,3\n");
        const Placement placement = Placement::Read(text, "file");
        NS_TEST_EXPECT_MSG_EQ((placement.GetPorts() == std::vector<uint32_t>{2, 0, 1, 3}),
                              true,
                              "As written");
        NS_TEST_EXPECT_MSG_EQ(placement.GetName(), "file", "Where it comes from");
        for (const auto& [bad, part] : std::vector<std::pair<std::string, std::string>>{
                 {"0 1 1", "rank 2 has port 1, which another rank has"},
                 {"0 3 1", "each port from 0 to 2 once, but rank 1 has port 3"},
                 {"0 -1", "\"-\" is no port"},
                 {"0 1234567890", "is no port"},
                 {"# nothing", "names no ports"}})
        {
            std::istringstream is(bad);
            const std::string error = GetError([&]() { Placement::Read(is, "file"); });
            NS_TEST_EXPECT_MSG_EQ(Contains(error, part), true, error);
        }
        PlanningProblem problem = MakeProblem(4, 8);
        for (const auto& [rule, part] : std::vector<std::pair<std::string, std::string>>{
                 {"dp,dp", "names tp, dp and pp once"},
                 {"tp/2,dp,pp", "names tp, dp and pp once"},
                 {"dp/0,tp,dp", "names tp, dp and pp once"},
                 {"dp,tp,pp,tp", "names tp, dp and pp once"},
                 {"tp,pp", "leaves out dp, along which the plan has 4 members"},
                 {"dp/3,tp,dp", "blocks of 3 along dp, which do not divide its 4 members"},
                 {"dp,tp,p", "names tp, dp and pp once"},
                 {"tp,cp,dp,cp", "names tp, dp and pp once"},
                 {"nowhere", "There is no placement 'nowhere'"}})
        {
            problem.placement = rule;
            const std::string error =
                GetError([&]() { CreateObject<FixedPlanner>()->TryPlan(problem); });
            NS_TEST_EXPECT_MSG_EQ(Contains(error, part), true, error);
        }
        TrainingPlan plan;
        plan.programs.resize(2, MakeChain({MakeCompute(1)}));
        plan.placement = Placement({1, 2, 0});
        const std::string error = GetError([&]() { plan.Check(); });
        NS_TEST_EXPECT_MSG_EQ(Contains(error, "for 3 ranks, but the plan has 2"), true, error);
    }

    /// Where lightpaths reach a quarter of a ring, the automatic placement is as good as any order.
    void TestReach()
    {
        SipRingHelper ring;
        ring.SetBandwidth(DataRate("2000Gbps"));
        PlanningProblem problem = ::MakeProblem("gpt3-13b:layers=4", "H100", 64, 64, ring);
        // Updates that wait for all sums would hide a part of what an order gains
        problem.gradientNorm = false;
        const auto planner = CreateObject<FixedPlanner>();
        // Rings both ways round gain less from an order
        planner->SetAttribute("DataAlgorithm", StringValue("Ring"));
        planner->SetAttribute("TensorAlgorithm", StringValue("Ring"));
        for (const auto& [tensor, stages] : {std::pair(8U, 2U), std::pair(2U, 4U)})
        {
            planner->SetAttribute("TensorParallel", UintegerValue(tensor));
            planner->SetAttribute("PipelineParallel", UintegerValue(stages));
            std::vector<std::string> axes{"dp", "pp", "tp"};
            double least = std::numeric_limits<double>::infinity();
            double unfolded = least;
            do
            {
                for (uint32_t set = 0; set < 8; ++set)
                {
                    problem.placement.clear();
                    for (uint32_t i = 0; i < 3; ++i)
                    {
                        problem.placement +=
                            (i > 0 ? "," : "") + axes[i] + ((set >> i & 1) != 0 ? ":folded" : "");
                    }
                    double seconds = std::numeric_limits<double>::infinity();
                    const std::string error =
                        GetError([&]() { seconds = planner->TryPlan(problem).predictedSeconds; });
                    least = std::min(least, seconds);
                    unfolded = set == 0 ? std::min(unfolded, seconds) : unfolded;
                }
            } while (std::next_permutation(axes.begin(), axes.end()));
            problem.placement = "automatic";
            const double found = planner->TryPlan(problem).predictedSeconds;
            NS_TEST_EXPECT_MSG_LT_OR_EQ(found, least * 1.001, stages << " stages");
            NS_TEST_EXPECT_MSG_LT(found, unfolded * 0.98, stages << " stages, without folding");
        }
    }

    /// Without tensor traffic, groups of replicas within a short reach of each other are folded,
    /// and as fast as rings that close the long way round.
    void TestFolded()
    {
        PlanningProblem problem = MakeProblem(24, 48);
        const auto planner = Planner::Create("sip-ml");
        planner->SetAttribute("DataParallel", UintegerValue(6));
        planner->SetAttribute("SplitMode", StringValue("Overlap"));
        SipRingHelper ring;
        ring.SetBandwidth(DataRate("250Gbps"));
        ring.SetAllocatorAttribute("MaxDistance", UintegerValue(2));
        problem.fabric = FabricDescription::Create(ring)->GetLimits(24);
        // Of all orders, those with neighbouring replicas in folded order alone are within reach
        uint32_t nWithin = 0;
        for (const std::string order : {"dp,tp",
                                        "tp,dp",
                                        "tp:folded,dp",
                                        "tp,dp:folded",
                                        "dp:folded,tp",
                                        "dp:folded,tp:folded",
                                        "dp/2,tp,dp",
                                        "dp/3:folded,tp,dp",
                                        "tp/2,dp:folded,tp"})
        {
            problem.placement = order + ",pp";
            const bool isWithin = GetError([&]() { planner->TryPlan(problem); }).empty();
            const bool isFolded = order.rfind("dp:folded,", 0) == 0;
            NS_TEST_EXPECT_MSG_EQ(isWithin, isFolded, order);
            nWithin += isWithin ? 1 : 0;
        }
        NS_TEST_EXPECT_MSG_EQ(nWithin, 2, "Groups may be folded");
        problem.placement = "automatic";
        const TrainingPlan folded = planner->TryPlan(problem);
        NS_TEST_EXPECT_MSG_EQ(folded.placement.GetName(), "dp:folded,tp", "It is found");
        // Without a limit, the shorter lightpaths win where times are equal
        ring.SetAllocatorAttribute("MaxDistance", UintegerValue(0));
        problem.fabric = FabricDescription::Create(ring)->GetLimits(24);
        NS_TEST_EXPECT_MSG_EQ((planner->TryPlan(problem).placement == folded.placement),
                              true,
                              "Not the long way round");
        problem.placement = "dp,tp,pp";
        NS_TEST_EXPECT_MSG_EQ_TOL(folded.predictedSeconds,
                                  planner->TryPlan(problem).predictedSeconds,
                                  1e-3 * folded.predictedSeconds,
                                  "As fast");
        problem.placement = "linear";
        NS_TEST_EXPECT_MSG_LT(folded.predictedSeconds,
                              0.9 * planner->TryPlan(problem).predictedSeconds,
                              "Replicas far apart");
    }

    /// Compares the pace of rings with paces that were worked out by hand.
    void TestPace()
    {
        using Ring = std::vector<RingPace::Hop>;
        const Ring alike(4, {3, 1});
        NS_TEST_EXPECT_MSG_EQ_TOL(RingPace::GetSeconds(alike, 6), 24, 1e-9, "All alike");
        NS_TEST_EXPECT_MSG_EQ_TOL(RingPace::GetStepSeconds(alike), 4, 1e-9, "All alike");
        // A message passes the long way once in four steps
        const Ring distant{{3, 1}, {3, 1}, {3, 1}, {3, 9}};
        NS_TEST_EXPECT_MSG_EQ_TOL(RingPace::GetStepSeconds(distant), 6, 1e-9, "One far apart");
        const Ring slow{{3, 1}, {3, 1}, {3, 1}, {9, 1}};
        NS_TEST_EXPECT_MSG_EQ_TOL(RingPace::GetStepSeconds(slow), 9, 1e-9, "It never pauses");
        // Two members take turns: what the one sends late, the other sends early
        NS_TEST_EXPECT_MSG_EQ_TOL(RingPace::GetSeconds({{3, 0}, {1, 0}}, 2),
                                  4,
                                  1e-9,
                                  "Two members");
        NS_TEST_EXPECT_MSG_EQ_TOL(RingPace::GetSeconds({{1, 0}, {3, 0}}, 2), 4, 1e-9, "Turned");
        // The longest chain has four slow steps, then in the next operation three and the fast one
        NS_TEST_EXPECT_MSG_EQ_TOL(RingPace::GetSeconds({{10, 0}, {10, 0}, {4, 0}}, 4),
                                  37,
                                  1e-9,
                                  "Three members");
    }

    /// Places one plan in many ways, and asks for its traffic, price and time in simulation.
    void TestPorts()
    {
        PlanningProblem problem = MakeProblem(GPUS, 2 * GPUS);
        const auto planner = CreateObject<FixedPlanner>();
        planner->SetAttribute("TensorParallel", UintegerValue(2));
        problem.placement = "linear";
        const TrainingPlan plan = planner->Plan(problem);
        const TrafficMatrix traffic = plan.GetTraffic();
        const double linear = Simulate(plan);
        NS_TEST_EXPECT_MSG_EQ_TOL(plan.predictedSeconds, linear, 0.02 * linear, "Linear");
        for (const auto& ports : std::vector<std::vector<uint32_t>>{{3, 4, 5, 6, 7, 0, 1, 2},
                                                                    {7, 6, 5, 4, 3, 2, 1, 0},
                                                                    {5, 2, 7, 0, 1, 4, 6, 3}})
        {
            TrainingPlan placed = plan;
            placed.placement = Placement(ports);
            placed.Check();
            const TrafficMatrix moved = placed.GetTraffic();
            for (uint32_t rank = 0; rank < GPUS; ++rank)
            {
                for (const auto& [other, bytes] : traffic.GetRow(rank))
                {
                    NS_TEST_EXPECT_MSG_EQ(moved.Get(ports[rank], ports[other]), bytes, "Moved");
                }
            }
            NS_TEST_EXPECT_MSG_EQ(moved.GetTotal(), traffic.GetTotal(), "Nothing else");
            const TrainingPlan onPorts = placed.OnPorts();
            onPorts.Check();
            NS_TEST_EXPECT_MSG_EQ((onPorts.GetTraffic() == moved), true, "With other numbers");
            const double price = CostModel(problem.fabric).Price(placed).seconds;
            const double simulated = Simulate(placed);
            NS_TEST_EXPECT_MSG_EQ_TOL(price, simulated, 0.02 * simulated, "Price and simulation");
            if (ports[0] != 5)
            {
                NS_TEST_EXPECT_MSG_EQ_TOL(simulated, linear, 1e-3 * linear, "Turned, or mirrored");
            }
            else
            {
                NS_TEST_EXPECT_MSG_GT(simulated, 1.01 * linear, "Scattered");
            }
        }
    }

    /// Lets all planners place their plans by rules, and simulates them.
    void TestPlanners()
    {
        for (const char* name : {"fixed", "sip-ml", "megatron", "search"})
        {
            const auto planner = Planner::Create(name);
            if (std::string(name) == "search")
            {
                planner->SetAttribute("MaxEvaluations", UintegerValue(60));
            }
            else if (std::string(name) != "megatron")
            {
                planner->SetAttribute("DataParallel", UintegerValue(4));
            }
            if (std::string(name) == "fixed")
            {
                planner->SetAttribute("TensorParallel", UintegerValue(2));
            }
            PlanningProblem problem = MakeProblem(GPUS, 2 * GPUS);
            problem.placement = "linear";
            const TrainingPlan linear = planner->Plan(problem);
            NS_TEST_EXPECT_MSG_EQ(linear.placement.IsLinear(), true, name);
            problem.placement = "dp,tp,pp";
            const TrainingPlan ordered = planner->Plan(problem);
            NS_TEST_EXPECT_MSG_EQ(
                (ordered.placement == AxisOrder::Parse("dp,tp,pp").Place(ordered.strategy)),
                true,
                name);
            problem.placement = PlanningProblem().placement;
            const TrainingPlan best = planner->Plan(problem);
            NS_TEST_EXPECT_MSG_LT_OR_EQ(best.predictedSeconds,
                                        1.001 * linear.predictedSeconds,
                                        name);
            if (best.strategy == linear.strategy)
            {
                const double seconds = Simulate(linear);
                NS_TEST_EXPECT_MSG_LT_OR_EQ(Simulate(best), 1.001 * seconds, name);
            }
        }
    }

    /// Places stages of replicas in servers and on a grid, and prices them.
    void TestOthers()
    {
        const auto planner = CreateObject<FixedPlanner>();
        planner->SetAttribute("PipelineParallel", UintegerValue(4));
        for (const bool isGrid : {false, true})
        {
            PlanningProblem problem = MakeProblem(GPUS, 4 * GPUS);
            ServerHelper servers(std::make_unique<ElectricalSwitchHelper>());
            servers.SetBandwidth(DataRate("10Gbps"));
            servers.SetServers(4, DataRate("1000Gbps"));
            servers.SetAttach(Attach::GPU);
            OddlHelper grid;
            grid.SetBandwidth(DataRate("10Gbps"));
            grid.SetGrid(2, GPUS / 2);
            problem.fabric = isGrid ? FabricDescription::Create(grid)->GetLimits(GPUS)
                                    : FabricDescription::Create(servers)->GetLimits(GPUS);
            problem.placement = "linear";
            const double linear = planner->Plan(problem).predictedSeconds;
            double least = linear;
            for (const char* order : {"tp,dp,pp", "dp,pp,tp", "pp,dp,tp", "pp:folded,dp,tp"})
            {
                problem.placement = order;
                least = std::min(least, planner->Plan(problem).predictedSeconds);
            }
            problem.placement = "automatic";
            const TrainingPlan best = planner->Plan(problem);
            NS_TEST_EXPECT_MSG_LT_OR_EQ(best.predictedSeconds, 1.01 * least, "Grid " << isGrid);
            const bool isBetter = best.predictedSeconds < linear;
            NS_TEST_EXPECT_MSG_EQ(best.placement.IsLinear(), !isBetter, "Grid " << isGrid);
        }
    }

    /// A placement that swaps rows and columns has the price of the turned grid.
    void TestGridPorts()
    {
        PlanningProblem problem = MakeProblem(GPUS, 2 * GPUS);
        problem.placement = "linear";
        OddlHelper wide;
        wide.SetGrid(2, GPUS / 2);
        OddlHelper high;
        high.SetGrid(GPUS / 2, 2);
        high.SetUnitAttribute("RelayPolicy", StringValue("YFirst"));
        problem.fabric = FabricDescription::Create(high)->GetLimits(GPUS);
        std::vector<uint32_t> ports(GPUS);
        for (uint32_t rank = 0; rank < GPUS; ++rank)
        {
            ports[rank] = rank % 2 * GPUS / 2 + rank / 2;
        }
        const auto planner = CreateObject<FixedPlanner>();
        for (const std::string algorithm : {"Ring", "HalvingDoubling", "Direct"})
        {
            planner->SetAttribute("DataAlgorithm", StringValue(algorithm));
            TrainingPlan plan = planner->Plan(problem);
            const FabricLimits limits = FabricDescription::Create(wide)->GetLimits(GPUS);
            const double linear = CostModel(limits).Price(plan).seconds;
            plan.placement = Placement(ports);
            const double seconds = CostModel(limits).Price(plan).seconds;
            NS_TEST_EXPECT_MSG_EQ_TOL(seconds, plan.cost.seconds, 1e-6 * seconds, algorithm);
            NS_TEST_EXPECT_MSG_EQ((algorithm == "Ring" && linear == seconds), false, "Same");
        }
    }

    /// Chooses how groups on a grid of 4 columns sum, and lets none of their messages pass a
    /// corner.
    void TestGridCollectives()
    {
        using A = CollectiveAlgorithm;
        const std::vector<std::tuple<std::vector<uint32_t>, A, uint32_t>> groups{
            {{4, 5, 6, 7}, A::HALVING_DOUBLING, 1},   // a row
            {{7, 5, 6}, A::HALVING_DOUBLING, 1},      // a part of it
            {{1, 5, 9, 13}, A::HALVING_DOUBLING, 1},  // a column
            {{0, 1, 2, 3, 4, 5, 6, 7}, A::GRID, 4},   // two rows
            {{0, 2, 8, 10, 12, 14}, A::GRID, 2},      // three rows, every other column
            {{3, 7, 11, 0, 4, 8}, A::GRID, 3},        // two columns
            {{2, 3, 4, 5}, A::AUTOMATIC, 1},          // the ends of two rows
            {{0, 1, 5, 4}, A::AUTOMATIC, 1},          // a ring around a square
            {{0, 1, 2, 3, 4, 5, 6}, A::AUTOMATIC, 1}, // a row and a part of the next one
            {{0, 1, 4, 5, 10, 11}, A::AUTOMATIC, 1},  // three pairs, one aside
            {{0}, A::AUTOMATIC, 1}};
        for (const auto& [ports, algorithm, local] : groups)
        {
            const CollectiveOptions options = GridCollectives::Get(4, ports, A::AUTOMATIC);
            NS_TEST_EXPECT_MSG_EQ((options == CollectiveOptions(local, algorithm)),
                                  true,
                                  ports.size() << " ports from " << ports[0]);
            const auto size = static_cast<uint32_t>(ports.size());
            const auto schedule =
                CollectiveSchedule::Create(CollectiveKind::ALL_REDUCE, size, 4096, options);
            std::vector<Transfer> totals;
            for (uint32_t i = 0; algorithm != A::AUTOMATIC && i < size; ++i)
            {
                schedule->GetTotals(i, totals);
                for (const auto& total : totals)
                {
                    const uint32_t other = ports[total.peer];
                    NS_TEST_EXPECT_MSG_EQ((ports[i] / 4 == other / 4 || ports[i] % 4 == other % 4),
                                          true,
                                          "A switch from " << ports[i] << " to " << other);
                }
            }
        }
        // A grid without corners carries the plan wherever its ranks are
        OddlHelper grid;
        grid.SetGrid(4, 4);
        grid.SetUnitAttribute("RelayPolicy", StringValue("Forbid"));
        PlanningProblem problem = MakeProblem(16, 32);
        problem.fabric = FabricDescription::Create(grid)->GetLimits(16);
        const auto planner = CreateObject<FixedPlanner>();
        planner->SetAttribute("TensorParallel", UintegerValue(2));
        for (const char* order : {"linear", "dp,tp,pp"})
        {
            problem.placement = order;
            NS_TEST_EXPECT_MSG_EQ(GetError([&]() { planner->TryPlan(problem); }), "", order);
        }
    }

  private:
    /// The number of GPUs of simulations.
    static constexpr uint32_t GPUS = 8;

    /**
     * @param plan a plan
     * @return the time of an iteration on a ring
     */
    static double Simulate(const TrainingPlan& plan)
    {
        SipRingHelper ring;
        ring.SetBandwidth(DataRate("250Gbps"));
        ring.DisableFlowControl();
        return RunPlan(ring, plan, 3, true).GetSteadySeconds();
    }
};

/// Registers the test cases
static const SuiteCases g_planPlacementCases(
    "lightpath-planner",
    {{MakeCase("Placements are read, and refused", &PlanPlacementTests::TestRead),
      MakeCase("An order is found whose pairs are within reach", &PlanPlacementTests::TestReach),
      MakeCase("Groups of replicas within reach are folded", &PlanPlacementTests::TestFolded),
      MakeCase("Rings with different rates have a common pace", &PlanPlacementTests::TestPace),
      MakeCase("Stages are placed in servers and on grids", &PlanPlacementTests::TestOthers),
      MakeCase("Traffic, price and simulation follow the placement",
               &PlanPlacementTests::TestPorts),
      MakeCase("Prices on a grid follow the placement", &PlanPlacementTests::TestGridPorts),
      MakeCase("Groups on a grid sum over rows and columns",
               &PlanPlacementTests::TestGridCollectives),
      MakeCase("All planners obey the rule", &PlanPlacementTests::TestPlanners)}});
