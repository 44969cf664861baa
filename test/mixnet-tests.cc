/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "expect-error.h"
#include "method-case.h"
#include "model/training/run/drawn-loads.h"
#include "stage-tests.h"
#include "training-fixture.h"

#include "ns3/bill-of-materials.h"
#include "ns3/circuit-fabric-helper.h"
#include "ns3/fabric-description.h"
#include "ns3/fabric-helper.h"
#include "ns3/fixed-planner.h"
#include "ns3/mixnet-helper.h"
#include "ns3/planning-problem.h"
#include "ns3/server-helper.h"
#include "ns3/sip-ocs-helper.h"
#include "ns3/transport-statistics.h"

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/// Bytes of Ethernet and message header of a message.
constexpr uint64_t MIXNET_HEADERS = 34;

/// Time of attention in either pass, s.
constexpr double ATTENTION_TIME = 2e-3;

/// Time of experts with an even share of the tokens in either pass, s.
constexpr double EXPERT_TIME = 1e-3;

/**
 * @ingroup lightpath-tests
 * @param programs the program of each rank
 * @param groups the ranks of each group that shares out experts
 * @return the plan
 */
TrainingPlan
MakeExpertPlan(const std::vector<RankProgram>& programs,
               const std::vector<std::vector<uint32_t>>& groups)
{
    TrainingPlan plan = MakePlan(programs);
    plan.groups.resize(N_GROUP_KINDS);
    for (const auto& group : groups)
    {
        plan.groups[EXPERT_GROUP].Add(group);
    }
    plan.strategy.expertParallel = groups.front().size();
    return plan;
}

/**
 * @ingroup lightpath-tests
 * @param number its number
 * @param bytes the size of the buffer
 * @return an all-to-all with equal messages
 */
Task
MakeExchange(uint32_t number, uint64_t bytes)
{
    Task task = Collective(CollectiveKind::ALL_TO_ALL, bytes);
    task.group = EXPERT_GROUP;
    task.operation = number;
    return task;
}

/**
 * @ingroup lightpath-tests
 * @param nodes the nodes of a region
 * @param circuits the circuits of a node
 * @return a MixNet with one electrical card a node; a byte takes 1 ns on a card, without delay
 */
std::unique_ptr<MixNetHelper>
MakeMixNet(uint32_t nodes, uint32_t circuits)
{
    auto fabric = std::make_unique<MixNetHelper>();
    fabric->SetCards(circuits, 1);
    fabric->SetRegion(nodes);
    fabric->SetBandwidth(DataRate(uint64_t{8000000000} * (circuits + 1)));
    auto& optical = dynamic_cast<SipOcsHelper&>(fabric->GetOptical());
    optical.SetWavelengthRate(DataRate("8Gbps"));
    optical.SetChannelAttribute("FibreLength", DoubleValue(0));
    optical.SetChannelAttribute("InitialSwitching", BooleanValue(false));
    optical.SetChannelAttribute("PauseMode", StringValue("Global"));
    return fabric;
}

/**
 * @ingroup lightpath-tests
 * @brief A job on a MixNet.
 */
struct MixNetRun
{
    /**
     * @param fabric the MixNet, or servers on it
     * @param plan the plan
     * @param iterations the number of iterations
     * @param training installs the job
     */
    MixNetRun(const InterconnectHelper& fabric,
              const TrainingPlan& plan,
              uint32_t iterations = 1,
              TrainingHelper training = TrainingHelper())
    {
        NodeContainer nodes(plan.programs.size());
        const NetDeviceContainer devices = fabric.Install(nodes);
        training.SetTransportAttribute("FrameSize", UintegerValue(0));
        training.SetHybridAttribute("FrameSize", UintegerValue(0));
        training.SetServerAttribute("FrameSize", UintegerValue(0));
        training.SetJobAttribute("Iterations", UintegerValue(iterations));
        const Time begin = Simulator::Now();
        applications = training.Install(plan, fabric, devices);
        TrainingHelper::AssignStreams(applications, 5);
        Simulator::Run();
        for (uint32_t rank = 0; rank < applications.GetN(); ++rank)
        {
            const auto application = DynamicCast<TrainingApplication>(applications.Get(rank));
            statistics.Add(application->GetTransport()->GetStatistics());
            for (const auto& record : application->GetRecords())
            {
                end = std::max(end, record.end - begin);
            }
        }
    }

    ~MixNetRun()
    {
        Simulator::Destroy();
    }

    MixNetRun(const MixNetRun&) = delete;
    MixNetRun& operator=(const MixNetRun&) = delete;

    ApplicationContainer applications; //!< The job
    TransportStatistics statistics;    //!< Of all ranks
    Time end;                          //!< End of its last iteration
};

} // namespace

/**
 * @ingroup lightpath-tests
 * @brief The test cases of MixNet, and of other hybrids that are settings of it.
 */
class MixNetTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /**
     * Checks the time of an all-to-all with equal messages, D / (q B) with q circuits for each
     * pair.
     *
     * @param nodes the number of nodes
     * @param each the circuits of a pair
     */
    void TestUniform(uint32_t nodes, uint32_t each)
    {
        const auto fabric = MakeMixNet(nodes, each * (nodes - 1));
        const uint64_t bytes = 6000 - MIXNET_HEADERS;
        const MixNetRun run(*fabric, MakeUniformPlan(nodes, {All(nodes)}, bytes));
        NS_TEST_EXPECT_MSG_EQ(run.end, NanoSeconds(6000 / each), "All messages at the same time");
        NS_TEST_EXPECT_MSG_EQ(run.statistics.electricalMessages, 0, "All have circuits");
        NS_TEST_EXPECT_MSG_EQ(run.statistics.opticalBytes, nodes * (nodes - 1) * bytes, "Light");
    }

    /// Checks that what circuits do not suffice for goes over the electrical network.
    void TestRest()
    {
        // A ring of circuits, and two pairs without
        const MixNetRun run(*MakeMixNet(4, 2), MakeUniformPlan(4, {All(4)}, 1000 - MIXNET_HEADERS));
        NS_TEST_EXPECT_MSG_EQ(run.statistics.electricalMessages, 4, "Two pairs, both ways");
        NS_TEST_EXPECT_MSG_EQ(run.statistics.opticalMessages, 8, "Four pairs");
        NS_TEST_EXPECT_MSG_EQ(run.end, NanoSeconds(1000), "At the same time");
    }

    /// Checks that regions have circuits of their own, and none to other regions.
    void TestRegions()
    {
        const uint64_t bytes = 1000 - MIXNET_HEADERS;
        // Groups inside regions of two; each pair gets both circuits
        const MixNetRun apart(*MakeMixNet(2, 2), MakeUniformPlan(5, {{0, 1}, {2, 3}}, bytes));
        NS_TEST_EXPECT_MSG_EQ(apart.end, NanoSeconds(500), "Two circuits");
        NS_TEST_EXPECT_MSG_EQ(apart.statistics.electricalMessages, 0, "All inside regions");
        const MixNetRun across(*MakeMixNet(2, 2), MakeUniformPlan(4, {{1, 2}, {0, 3}}, bytes));
        NS_TEST_EXPECT_MSG_EQ(across.statistics.opticalMessages, 0, "All between regions");
        NS_TEST_EXPECT_MSG_EQ(across.end, NanoSeconds(1000), "One card");
        // Ranks 0 and 1 are in a region with 2 and 3, who do not go on together with them
        const MixNetRun both(*MakeMixNet(4, 2), MakeUniformPlan(4, {{0, 1}, {2, 3}}, bytes));
        NS_TEST_EXPECT_MSG_EQ(both.end, NanoSeconds(500), "Circuits for both groups");
    }

    /// Checks servers, whose GPUs share the circuits of their server.
    void TestServers()
    {
        auto servers = std::make_unique<ServerHelper>(MakeMixNet(2, 2));
        servers->SetServers(2, DataRate("8000Gbps"));
        servers->SetAttach(Attach::SERVER);
        servers->SetBandwidth(DataRate("12Gbps"));
        const uint64_t bytes = 1000 - MIXNET_HEADERS;
        const MixNetRun run(*servers, MakeUniformPlan(4, {{0, 2}, {1, 3}}, bytes));
        NS_TEST_EXPECT_MSG_EQ(run.end, NanoSeconds(1000), "Two messages on two circuits");
        NS_TEST_EXPECT_MSG_EQ(run.statistics.opticalMessages, 4, "Both ways");
    }

    /**
     * Checks that a node without others in its region has no circuits: its messages go
     * electrically.
     *
     * @param nodes the number of nodes, of which the last is alone
     * @param region the nodes of a region
     */
    void TestAlone(uint32_t nodes, uint32_t region)
    {
        constexpr uint64_t bytes = 1000 - MIXNET_HEADERS;
        std::vector<RankProgram> programs(nodes);
        programs.front().AddTask(Message(TaskKind::SEND, nodes - 1, 1, bytes));
        programs.back().AddTask(Message(TaskKind::RECEIVE, 0, 1, bytes));
        const auto fabric = MakeMixNet(region, 1);
        const auto limits = FabricDescription::Create(*fabric)->GetLimits(nodes);
        NS_TEST_ASSERT_MSG_EQ(limits.allocators.size(), 1, "One decides on all circuits");
        TrafficMatrix demand(nodes);
        demand.Add(0, nodes - 1, bytes);
        NS_TEST_EXPECT_MSG_EQ(limits.allocators.front()->Allocate(demand).unserved.size(),
                              1,
                              "No circuit");
        NS_TEST_EXPECT_MSG_GT(FabricDescription::Create(*fabric)->GetBill(nodes).GetCounts().size(),
                              0,
                              "Bill");
        const MixNetRun run(*fabric, MakePlan(programs));
        NS_TEST_EXPECT_MSG_EQ(run.end, NanoSeconds(1000), "A card of 1 byte/ns");
        NS_TEST_EXPECT_MSG_EQ(run.statistics.electricalMessages, 1, "Electrically");
    }

    /**
     * Checks the price of even experts over four servers of two GPUs.
     *
     * @param region the servers of a region
     */
    void TestPrice(uint32_t region)
    {
        constexpr uint32_t ranks = 8;
        PlanningProblem problem =
            MakeStageProblem("mixtral-8x7b:layers=2,sequence=512", ranks, 4 * ranks);
        auto mixnet = std::make_unique<MixNetHelper>();
        mixnet->SetRegion(region);
        mixnet->SetCards(6, 2);
        ServerHelper servers(std::move(mixnet));
        servers.SetServers(2, DataRate("3600Gbps"));
        servers.SetAttach(Attach::SERVER);
        servers.SetBandwidth(DataRate("400Gbps"));
        problem.fabric = FabricDescription::Create(servers)->GetLimits(ranks);
        const auto planner = CreateObject<FixedPlanner>();
        planner->SetAttribute("ExpertParallel", UintegerValue(ranks));
        const TrainingPlan plan = planner->Plan(problem);
        const Time two = MixNetRun(servers, plan, 2).end;
        const double simulated = (MixNetRun(servers, plan, 3).end - two).GetSeconds();
        NS_TEST_EXPECT_MSG_EQ_TOL(plan.predictedSeconds,
                                  simulated,
                                  0.05 * simulated,
                                  "Region of " << region);
    }

    /**
     * Checks how the price of skewed experts grows with the switching delay, once that is longer
     * than experts and attention compute: circuits change in the forward pass of each layer, and in
     * the backward pass between layers.
     *
     * @param layers the number of layers
     */
    void TestDarkPrice(uint32_t layers)
    {
        constexpr uint32_t ranks = 8;
        std::vector<double> seconds;
        for (const double delay : {1.0, 2.0})
        {
            PlanningProblem problem =
                MakeStageProblem("mixtral-8x7b:sequence=512,layers=" + std::to_string(layers),
                                 ranks,
                                 4 * ranks);
            problem.expertLoad.distribution = LoadDistribution::ZIPF;
            problem.expertLoad.spread = 0.5;
            auto mixnet = std::make_unique<MixNetHelper>();
            mixnet->SetRegion(4);
            mixnet->SetCards(4, 4);
            dynamic_cast<SipOcsHelper&>(mixnet->GetOptical())
                .SetChannelAttribute("SwitchingDelay", TimeValue(Seconds(delay)));
            ServerHelper servers(std::move(mixnet));
            servers.SetServers(2, DataRate("3600Gbps"));
            servers.SetAttach(Attach::SERVER);
            problem.fabric = FabricDescription::Create(servers)->GetLimits(ranks);
            const auto planner = CreateObject<FixedPlanner>();
            planner->SetAttribute("ExpertParallel", UintegerValue(ranks));
            seconds.push_back(planner->Plan(problem).predictedSeconds);
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(seconds[1] - seconds[0],
                                  2 * layers - 1,
                                  1e-6,
                                  "A second more for each change");
    }

    /**
     * Checks how an iteration grows with the switching delay. The tokens of each layer all go to
     * one rank, which is drawn.
     *
     * @param milliseconds the switching delay, ms
     * @param waits whether the first all-to-all of a layer waits for its circuits
     */
    void TestDelay(double milliseconds, bool waits)
    {
        constexpr uint32_t ranks = 4;
        constexpr uint32_t layers = 3;
        constexpr uint32_t iterations = 4;
        const double delay = milliseconds * 1e-3;
        const TrainingPlan plan = MakeSkewedPlan(ranks, layers);
        const auto fabric = MakeMixNet(ranks, ranks - 1);
        fabric->SetFirstWaits(waits);
        fabric->GetOptical().SetChannelAttribute("SwitchingDelay", TimeValue(Seconds(delay)));
        const MixNetRun run(*fabric, plan, iterations);
        // The rank that the last circuits are for; at first all pairs have one
        uint32_t hot = ranks;
        double seconds = 0;
        uint32_t changes = 0;
        DrawnLoads loads(plan);
        loads.AssignStreams(5);
        for (uint32_t iteration = 0; iteration < iterations; ++iteration)
        {
            std::vector<uint32_t> ofLayers;
            for (uint32_t step = 0; step < 2 * layers; ++step)
            {
                const bool isForward = step < layers;
                const uint32_t layer = isForward ? step : 2 * layers - 1 - step;
                if (isForward)
                {
                    ofLayers.push_back(FindHot(loads, layer, iteration, ranks));
                }
                const uint32_t next = ofLayers[layer];
                const double experts = GetExpertSeconds(loads, layer, iteration, next);
                seconds += ATTENTION_TIME + experts;
                if (next != hot)
                {
                    ++changes;
                    const double hidden = waits && isForward ? 0
                                          : isForward        ? experts
                                                             : ATTENTION_TIME;
                    seconds += std::max(0.0, delay - hidden);
                }
                hot = next;
            }
        }
        NS_TEST_EXPECT_MSG_GT(changes, iterations, "Circuits do change");
        // All messages together take less than that
        NS_TEST_EXPECT_MSG_EQ_TOL(run.end.GetSeconds(), seconds, 1e-4, "Delay " << milliseconds);
    }

    /**
     * Checks the mean rate of circuits that turn between two peers all the time, B (1 - delay / T),
     * as those of Helios and c-Through, and against a slower electrical network.
     *
     * @param period the time T from one reconfiguration to the next, us
     * @param delay the switching delay, us
     */
    void TestTurns(uint32_t period, uint32_t delay)
    {
        // By light at 1 byte/ns, or electrically at 1/4. One has half a turn more to get, so that
        // the circuit turns each time
        const uint64_t first = 1000000;
        const uint64_t second = first + uint64_t{500} * (period - delay);
        const double seconds = static_cast<double>(first + second) * 1e-9;
        const double turning = SendToTwo(period, delay, {first, second}, false);
        const double share = 1 - static_cast<double>(delay) / period;
        NS_TEST_EXPECT_MSG_EQ_TOL(turning, seconds / share, 1.5e-6 * period, "B (1 - delay / T)");
        const double electrical = SendToTwo(period, delay, {first, second}, true);
        NS_TEST_EXPECT_MSG_EQ_TOL(electrical, 4 * seconds, 1e-6, "A quarter of the rate");
        // Break-even at T = delay Bc / (Bc - Be) = 4/3 delay
        const bool isFaster = turning < electrical;
        const bool shouldBe = 3 * period > 4 * delay;
        NS_TEST_EXPECT_MSG_EQ(isFaster, shouldBe, "Break-even");
    }

    /// Checks settings that do not fit, and the bill.
    void TestSettings()
    {
        auto fabric = MakeMixNet(4, 3);
        fabric->SetCards(0, 1);
        EXPECT_PART(fabric->Check(4), "0 cards of a node on the circuit switch");
        MixNetHelper mixnet;
        mixnet.SetBandwidth(DataRate("3200Gbps"));
        // Two regions, of 8 nodes and of 2, of cards of 400 Gb/s
        const BillOfMaterials bill = FabricDescription::Create(mixnet)->GetBill(10);
        NS_TEST_EXPECT_MSG_EQ(bill.GetCount("nic-400g"), 80, "8 cards a node");
        NS_TEST_EXPECT_MSG_EQ(bill.GetCount("circuit-switch-port"), 60, "6 ports a node");
        NS_TEST_EXPECT_MSG_EQ(bill.GetCount("switch-port-400g"), 20, "2 ports a node");
        NS_TEST_EXPECT_MSG_EQ(bill.GetCount("micro-ring"), 0, "Pluggable transceivers");
        NS_TEST_EXPECT_MSG_EQ(mixnet.GetBandwidth(), DataRate("3200Gbps"), "Of all cards");
        NS_TEST_EXPECT_MSG_EQ(mixnet.GetElectrical().GetBandwidth(), DataRate("800Gbps"), "Two");
    }

  private:
    /**
     * @param n the number of ranks
     * @return all of them
     */
    static std::vector<uint32_t> All(uint32_t n)
    {
        std::vector<uint32_t> ranks;
        for (uint32_t rank = 0; rank < n; ++rank)
        {
            ranks.push_back(rank);
        }
        return ranks;
    }

    /**
     * @param n the number of ranks
     * @param groups the groups that exchange messages
     * @param bytes the size of a message
     * @return a plan of one exchange
     */
    static TrainingPlan MakeUniformPlan(uint32_t n,
                                        const std::vector<std::vector<uint32_t>>& groups,
                                        uint64_t bytes)
    {
        std::vector<RankProgram> programs(n);
        for (const auto& group : groups)
        {
            for (const uint32_t rank : group)
            {
                programs[rank].AddTask(MakeExchange(0, bytes * group.size()));
            }
        }
        return MakeExpertPlan(programs, groups);
    }

    /**
     * @param ranks the number of ranks, each with an expert
     * @param layers the number of layers
     * @return a plan whose tokens of a layer go to one rank
     */
    static TrainingPlan MakeSkewedPlan(uint32_t ranks, uint32_t layers)
    {
        RankProgram program;
        std::vector<uint32_t> after;
        uint32_t operation = 0;
        for (uint32_t step = 0; step < 2 * layers; ++step)
        {
            const bool isForward = step < layers;
            const RoutedLayer routed{isForward ? step : 2 * layers - 1 - step, ranks, 1};
            after = {program.AddTask(Compute(ATTENTION_TIME), after)};
            for (const bool isReturn : {false, true})
            {
                Task exchange = MakeExchange(operation++, 400);
                exchange.pass = isForward ? Pass::FORWARD : Pass::BACKWARD;
                exchange.routed = routed;
                TokenRouting routing;
                routing.isReturn = isReturn;
                exchange.options.routing = std::make_shared<TokenRouting>(routing);
                after = {program.AddTask(exchange, after)};
                if (!isReturn)
                {
                    Task experts = Compute(EXPERT_TIME);
                    experts.routed = routed;
                    after = {program.AddTask(experts, after)};
                }
            }
        }
        TrainingPlan plan = MakeExpertPlan(std::vector<RankProgram>(ranks, program), {All(ranks)});
        plan.expertLoad = ExpertLoad::Parse("zipf:10");
        return plan;
    }

    /**
     * @param loads the loads of experts
     * @param layer a layer
     * @param iteration an iteration
     * @param rank a rank
     * @return the time of its experts
     */
    static double GetExpertSeconds(DrawnLoads& loads,
                                   uint32_t layer,
                                   uint32_t iteration,
                                   uint32_t rank)
    {
        Task experts = Compute(EXPERT_TIME);
        experts.routed = {layer, 4, 1};
        return loads.GetSeconds(experts, rank, iteration);
    }

    /**
     * @param loads the loads of experts
     * @param layer a layer
     * @param iteration an iteration
     * @param ranks the number of ranks
     * @return the rank that all tokens go to
     */
    static uint32_t FindHot(DrawnLoads& loads, uint32_t layer, uint32_t iteration, uint32_t ranks)
    {
        uint32_t hot = 0;
        for (uint32_t rank = 0; rank < ranks; ++rank)
        {
            hot = GetExpertSeconds(loads, layer, iteration, rank) > 2 * EXPERT_TIME ? rank : hot;
        }
        return hot;
    }

    /**
     * Send messages from one rank to two others, which one circuit serves in turn.
     *
     * @param period the time from one reconfiguration to the next, us
     * @param delay the switching delay, us
     * @param sizes the bytes for each of them
     * @param isElectrical whether all messages go electrically
     * @return the time that it takes, s
     */
    static double SendToTwo(uint32_t period,
                            uint32_t delay,
                            const std::array<uint64_t, 2>& sizes,
                            bool isElectrical)
    {
        std::vector<RankProgram> programs(3);
        for (const uint32_t peer : {1, 2})
        {
            const uint64_t bytes = sizes[peer - 1];
            programs[0].AddTask(Message(TaskKind::SEND, peer, peer, bytes));
            programs[peer].AddTask(Message(TaskKind::RECEIVE, 0, peer, bytes));
        }
        const auto fabric = MakeMixNet(3, 1);
        fabric->GetElectrical().SetBandwidth(DataRate("2Gbps"));
        auto& optical = dynamic_cast<SipOcsHelper&>(fabric->GetOptical());
        optical.SetChannelAttribute("SwitchingDelay", TimeValue(MicroSeconds(delay)));
        optical.SetDuplex(true);
        optical.SetAllocator("ns3::lightpath::DuplexCircuitAllocator");
        optical.SetControllerAttribute("Trigger", StringValue("Periodic"));
        optical.SetControllerAttribute("DemandSource", StringValue("Backlog"));
        optical.SetControllerAttribute("DecisionInterval", TimeValue(MicroSeconds(period - delay)));
        TrainingHelper training;
        training.SetHybridAttribute(isElectrical ? "SmallMessage" : "BulkMessage",
                                    UintegerValue(isElectrical ? sizes[1] : 1));
        return MixNetRun(*fabric, MakePlan(programs), 1, training).end.GetSeconds();
    }
};

/// Registers the test cases
static const SuiteCases g_mixNetCases(
    "lightpath-mixnet",
    {MakeCases("MixNet: equal messages",
               &MixNetTests::TestUniform,
               {{4, 1}, {4, 2}, {3, 3}, {8, 1}}),
     {MakeCase("MixNet: the rest goes electrically", &MixNetTests::TestRest),
      MakeCase("MixNet: regions", &MixNetTests::TestRegions),
      MakeCase("MixNet: servers", &MixNetTests::TestServers),
      MakeCase("MixNet: settings and bill", &MixNetTests::TestSettings)},
     MakeCases("MixNet: a node alone in its region",
               &MixNetTests::TestAlone,
               {{2, 1}, {3, 2}, {5, 1}, {9, 4}}),
     MakeCases("MixNet: price by servers of a region", &MixNetTests::TestPrice, {{4}, {2}}),
     MakeCases("MixNet: price of darkness by layers", &MixNetTests::TestDarkPrice, {{1}, {3}}),
     MakeCases("MixNet: iteration by switching delay (ms)",
               &MixNetTests::TestDelay,
               {{0.001, false},
                {1, false},
                {2, false},
                {3, false},
                {4, false},
                {6, false},
                {20, false},
                {0.001, true},
                {1, true},
                {6, true}}),
     MakeCases("MixNet: circuits that turn, as in Helios",
               &MixNetTests::TestTurns,
               {{20, 5}, {40, 10}, {26, 20}, {27, 20}, {40, 20}})});
