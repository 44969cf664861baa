/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collective-cases.h"
#include "expect-error.h"
#include "method-case.h"
#include "model/planner/place/server-collectives.h"
#include "stage-tests.h"

#include "ns3/electrical-switch-helper.h"
#include "ns3/fabric-description.h"
#include "ns3/fixed-planner.h"
#include "ns3/planning-problem.h"
#include "ns3/server-helper.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <memory>
#include <string>

using namespace ns3;
using namespace ns3::lightpath;

/**
 * @ingroup lightpath-tests
 * @brief The test cases of servers.
 */
class TwoLevelTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /**
     * Compares the closed forms for two kinds of links with a walk over the steps, and with the
     * published formula at one point.
     */
    void TestServerClosedForm()
    {
        const LinkCost inside{2e-6, 300e9};
        const LinkCost outside{9e-6, 25e9};
        for (const std::string name :
             {"all-reduce", "reduce-scatter", "all-gather", "all-to-all", "send-recv"})
        {
            const auto kind = CollectiveSchedule::GetKind(name);
            for (const uint32_t n : {2, 3, 4, 6, 8, 12, 15})
            {
                for (uint32_t local = 1; local <= n; ++local)
                {
                    if (n % local != 0)
                    {
                        continue;
                    }
                    const auto schedule =
                        CollectiveSchedule::Create(kind, n, uint64_t{n} * 1000000, local);
                    NS_TEST_ASSERT_MSG_EQ(schedule->GetNLocal(), local, "ranks of a server");
                    const double walk = Walk(*schedule, inside, outside);
                    NS_TEST_ASSERT_MSG_EQ_TOL(schedule->GetServerSeconds(inside, outside),
                                              walk,
                                              1e-9 * walk,
                                              name << ", " << n << " ranks, " << local << " local");
                    const double same = Walk(*schedule, outside, outside);
                    if (kind == CollectiveKind::ALL_TO_ALL)
                    {
                        continue; // whose ranks send at a rate in all on one kind of links
                    }
                    NS_TEST_ASSERT_MSG_EQ_TOL(schedule->GetSeconds(9e-6, 25e9),
                                              same,
                                              1e-9 * same,
                                              name << " on links of one kind");
                }
            }
        }
        // 2 servers of 4, 80 MB: 6 (1 us + 20 MB / 100 GB/s) + 2 (5 us + 10 MB / 10 GB/s)
        const auto reduce = CollectiveSchedule::Create(CollectiveKind::ALL_REDUCE, 8, 80000000, 4);
        NS_TEST_ASSERT_MSG_EQ_TOL(reduce->GetServerSeconds({1e-6, 100e9}, {5e-6, 10e9}),
                                  6 * 201e-6 + 2 * 1005e-6,
                                  1e-12,
                                  "the published formula");
        NS_TEST_ASSERT_MSG_EQ(CollectiveSchedule::Create(CollectiveKind::ALL_REDUCE, 8, 0, 4)
                                  ->GetServerSeconds(inside, outside),
                              0,
                              "nothing to send");
        for (const uint32_t local : {0, 3, 16})
        {
            const std::string error = GetError(
                [local]() { CollectiveSchedule::Create(CollectiveKind::ALL_REDUCE, 8, 1, local); });
            EXPECT_PART(error, "must divide the group");
        }
    }

    /// Compares every algorithm inside servers and across them with a walk, and with formulas.
    void TestLevelClosedForm()
    {
        const LinkCost inside{2e-6, 300e9};
        const LinkCost outside{9e-6, 25e9};
        for (const uint32_t n : {4, 6, 8, 12, 15, 24})
        {
            for (const std::string name :
                 {"all-reduce", "reduce-scatter", "all-gather", "all-to-all"})
            {
                const auto kind = CollectiveSchedule::GetKind(name);
                for (const auto& what : MakeLevelCases(kind, n, uint64_t{n} * 5040000))
                {
                    const double walk = Walk(*what.schedule, inside, outside);
                    const double closed = what.schedule->GetServerSeconds(inside, outside);
                    if (what.Uses(CollectiveAlgorithm::DOUBLE_TREE) ||
                        what.Uses(CollectiveAlgorithm::LINE))
                    {
                        NS_TEST_ASSERT_MSG_LT_OR_EQ(walk, closed * (1 + 1e-9), what.name);
                        continue;
                    }
                    NS_TEST_ASSERT_MSG_EQ_TOL(closed, walk, 1e-9 * walk, what.name);
                }
            }
        }
        for (const auto& [n, local] : std::vector<std::pair<uint32_t, uint32_t>>{{4, 2},
                                                                                 {6, 2},
                                                                                 {6, 3},
                                                                                 {9, 3},
                                                                                 {16, 8},
                                                                                 {24, 8},
                                                                                 {40, 8}})
        {
            // The slower of both kinds of links decides
            const auto rings =
                CollectiveSchedule::Create(CollectiveKind::ALL_REDUCE,
                                           n,
                                           uint64_t{n} * 5040000,
                                           {local, CollectiveAlgorithm::SERVER_RINGS});
            for (const double rate : {5e9, 300e9})
            {
                const double walk = Walk(*rings, {2e-6, 100e9}, {9e-6, rate});
                NS_TEST_ASSERT_MSG_EQ_TOL(rings->GetServerSeconds({2e-6, 100e9}, {9e-6, rate}),
                                          walk,
                                          1e-9 * walk,
                                          n << " ranks, " << local << " in a server");
            }
        }
        TryLevelPoints();
    }

    /// The way that is taken on servers is the fastest of all, by their closed forms.
    void TestFastest()
    {
        using A = CollectiveAlgorithm;
        const auto get = [](uint32_t ranks, uint64_t bytes, const FabricLimits& fabric) {
            return ServerCollectives::GetFastest(fabric,
                                                 CollectiveKind::ALL_REDUCE,
                                                 ranks,
                                                 bytes,
                                                 {8},
                                                 {A::SERVER_RINGS});
        };
        for (const bool reduces : {false, true})
        {
            for (const double latency : {0.0, 1e-6, 30e-6})
            {
                for (const uint64_t bytes : {1000, 1 << 20, 80 << 20, 2000 << 20})
                {
                    for (const uint32_t ranks : {16, 32, 64})
                    {
                        const FabricLimits fabric = MakeServers(latency, reduces);
                        const double least = FindLeast(ranks, bytes, fabric);
                        const double got =
                            GetSeconds(ranks, bytes, get(ranks, bytes, fabric), fabric);
                        NS_TEST_EXPECT_MSG_EQ_TOL(got, least, 2e-3 * least, "the fastest");
                    }
                }
            }
        }
        // Two servers of H100: 30 steps of a 128th of 8 GiB at 50 GB/s
        const auto large = get(16, uint64_t{8} << 30, MakeServers(0, true));
        NS_TEST_EXPECT_MSG_EQ((large.algorithm == A::SERVER_RINGS), true, "rings through servers");
        NS_TEST_EXPECT_MSG_EQ_TOL(GetSeconds(16, uint64_t{8} << 30, large, MakeServers(0, true)),
                                  40.265e-3,
                                  1e-6,
                                  "400 GB/s on the bus");
        // Hashed routes have the algorithms of a switch: no plan knows which flows meet
        FabricLimits hashed = MakeServers(1e-6, false);
        hashed.links.isHashed = true;
        hashed.links.getWay = [way = LinkLimits::Way()](uint32_t, uint32_t) -> const auto& {
            return way;
        };
        const auto same = get(32, 1 << 20, MakeServers(1e-6, false));
        NS_TEST_EXPECT_MSG_EQ((get(32, 1 << 20, hashed) == same), true, "hashed routes");
        NS_TEST_EXPECT_MSG_EQ((same.across == A::DIRECT), true, "direct messages across");
        // In two levels direct messages beat a switch that sums whole buffers
        const auto levels = ServerCollectives::GetFastest(MakeServers(1e-6, true),
                                                          CollectiveKind::ALL_REDUCE,
                                                          16,
                                                          80 << 20,
                                                          {8},
                                                          {});
        NS_TEST_EXPECT_MSG_EQ((levels.inside == A::DIRECT), true, "no sum in the switch");
        // What is asked for stays
        const CollectiveOptions asked(8, A::AUTOMATIC, 1, A::IN_NETWORK, A::RING);
        const auto kept = ServerCollectives::GetFastest(MakeServers(1e-6, true),
                                                        CollectiveKind::ALL_REDUCE,
                                                        16,
                                                        80 << 20,
                                                        asked,
                                                        {A::SERVER_RINGS});
        NS_TEST_EXPECT_MSG_EQ((kept == asked), true, "algorithms that are given");
    }

    /// Groups in one server use all links of a mesh, and both directions of a whole ring.
    void TestLinks()
    {
        using A = CollectiveAlgorithm;
        const auto get = [](uint32_t parts, const std::string& kind) {
            ServerHelper servers(std::make_unique<ElectricalSwitchHelper>());
            servers.SetServers(8, DataRate("700Gbps"), NanoSeconds(100));
            servers.SetKind(kind);
            PlanningProblem problem =
                MakeStageProblem("transformer:layers=2,hidden=128,heads=8,feedForward=256,"
                                 "sequence=64,vocabulary=256,positions=64",
                                 16,
                                 16);
            problem.fabric = FabricDescription::Create(servers)->GetLimits(16);
            problem.placement = "linear";
            const auto planner = CreateObject<FixedPlanner>();
            planner->SetAttribute("TensorParallel", UintegerValue(parts));
            const TrainingPlan plan = planner->TryPlan(problem);
            const auto& tasks = plan.programs[0]->GetTasks();
            return std::find_if(tasks.begin(),
                                tasks.end(),
                                [](const Task& task) {
                                    return task.kind == TaskKind::COLLECTIVE &&
                                           task.group == TENSOR_GROUP;
                                })
                ->options;
        };
        for (const uint32_t parts : {4, 8})
        {
            NS_TEST_EXPECT_MSG_EQ(
                (get(parts, ServerHelper::MESH) == CollectiveOptions(1, A::DIRECT)),
                true,
                "mesh");
            NS_TEST_EXPECT_MSG_EQ((get(parts, ServerHelper::SWITCH) == CollectiveOptions()),
                                  true,
                                  "switch");
        }
        const CollectiveOptions both(1, A::MULTI_RING, 2);
        NS_TEST_EXPECT_MSG_EQ((get(8, ServerHelper::RING) == both), true, "ring");
        NS_TEST_EXPECT_MSG_EQ((get(4, ServerHelper::RING) == CollectiveOptions()), true, "half");
    }

  private:
    /**
     * @param latency the latency of messages, s
     * @param reduces whether the switch of a server sums
     * @return servers of 8 GPUs with 450 GB/s inside, and a port of 50 GB/s each
     */
    static FabricLimits MakeServers(double latency, bool reduces)
    {
        FabricLimits fabric;
        fabric.servers.layout = ServerLayout::Create(Attach::GPU, 8);
        fabric.servers.bitRate = 3.6e12;
        fabric.servers.latency = latency;
        fabric.servers.reduces = reduces;
        fabric.bitRate = 400e9;
        fabric.latency = latency;
        fabric.isShared = true;
        return fabric;
    }

    /**
     * @param ranks the number of ranks
     * @param bytes the size of the buffer
     * @param options how it is carried out
     * @param fabric the servers
     * @return the closed form of an all-reduce, s
     */
    static double GetSeconds(uint32_t ranks,
                             uint64_t bytes,
                             const CollectiveOptions& options,
                             const FabricLimits& fabric)
    {
        return CollectiveSchedule::Create(CollectiveKind::ALL_REDUCE, ranks, bytes, options)
            ->GetServerSeconds({fabric.servers.latency, fabric.servers.bitRate / 8},
                               {fabric.latency, fabric.bitRate / 8});
    }

    /**
     * @param ranks the number of ranks
     * @param bytes the size of the buffer
     * @param fabric the servers
     * @return the least time of all ways, s
     */
    static double FindLeast(uint32_t ranks, uint64_t bytes, const FabricLimits& fabric)
    {
        using A = CollectiveAlgorithm;
        double least = GetSeconds(ranks, bytes, {8, A::SERVER_RINGS}, fabric);
        for (const auto inside : {A::RING, A::HALVING_DOUBLING, A::DIRECT, A::IN_NETWORK})
        {
            for (const auto across : {A::RING, A::HALVING_DOUBLING, A::DIRECT})
            {
                if (inside != A::IN_NETWORK || fabric.servers.reduces)
                {
                    const CollectiveOptions options(8, A::TWO_LEVEL, 1, inside, across);
                    least = std::min(least, GetSeconds(ranks, bytes, options, fabric));
                }
            }
        }
        return least;
    }

    /// The formulas at one point each: 4 servers of 4 ranks, 16 MB.
    void TryLevelPoints()
    {
        using A = CollectiveAlgorithm;
        const auto get = [](CollectiveKind kind, A insideServers, A across) {
            return CollectiveSchedule::Create(kind,
                                              16,
                                              16000000,
                                              {4, A::TWO_LEVEL, 1, insideServers, across})
                ->GetServerSeconds({1e-6, 100e9}, {5e-6, 10e9});
        };
        // Whole buffers take 160 us inside and 1600 us across
        NS_TEST_EXPECT_MSG_EQ_TOL(get(CollectiveKind::ALL_TO_ALL, A::DIRECT, A::DIRECT),
                                  1e-6 + 120e-6 + 5e-6 + 1200e-6,
                                  1e-12,
                                  "alpha1 + (g - 1) S / (g B1) + alpha2 + (p - 1) S / (p B2)");
        NS_TEST_EXPECT_MSG_EQ_TOL(get(CollectiveKind::ALL_TO_ALL, A::DIRECT, A::PAIRWISE),
                                  1e-6 + 120e-6 + 3 * (5e-6 + 400e-6),
                                  1e-12,
                                  "one server after the other");
        NS_TEST_EXPECT_MSG_EQ_TOL(get(CollectiveKind::ALL_REDUCE, A::DIRECT, A::IN_NETWORK),
                                  2 * (1e-6 + 120e-6) + 5e-6 + 400e-6,
                                  1e-12,
                                  "a network averages a part of each server");
        NS_TEST_EXPECT_MSG_EQ_TOL(get(CollectiveKind::ALL_REDUCE, A::IN_NETWORK, A::RING),
                                  1e-6 + 160e-6 + 6 * (5e-6 + 100e-6) + 1e-6 + 120e-6,
                                  1e-12,
                                  "the switch of a server sums whole buffers");
        NS_TEST_EXPECT_MSG_EQ_TOL(get(CollectiveKind::ALL_REDUCE, A::RING, A::HALVING_DOUBLING),
                                  6 * (1e-6 + 40e-6) + 4 * 5e-6 + 2 * 300e-6,
                                  1e-12,
                                  "2 log2 p alpha2 + 2 (p - 1) S / (n B2)");
        // 30 steps of 3 messages of 250 kB inside servers, and one to the next server
        const auto rings = CollectiveSchedule::Create(CollectiveKind::ALL_REDUCE,
                                                      16,
                                                      16000000,
                                                      {4, A::SERVER_RINGS});
        NS_TEST_EXPECT_MSG_EQ_TOL(rings->GetServerSeconds({1e-6, 100e9}, {5e-6, 10e9}),
                                  30 * (5e-6 + 25e-6),
                                  1e-12,
                                  "2 (n - 1) (alpha2 + S / (g n B2))");
        // A buffer that is not divided evenly: S / n itself
        const auto odd =
            CollectiveSchedule::Create(CollectiveKind::ALL_TO_ALL, 4, 7, {2, A::TWO_LEVEL});
        NS_TEST_EXPECT_MSG_EQ_TOL(odd->GetSeconds(1, 1), 2 + 7.0, 1e-12, "odd size");
    }

    /**
     * Walk over the steps: a rank begins a step once all earlier messages to it have come in, and
     * sends inside its server and to other servers at the same time.
     *
     * @param schedule the schedule
     * @param inside the links inside a server
     * @param outside the links between servers
     * @return the last end, in seconds
     */
    static double Walk(const CollectiveSchedule& schedule,
                       const LinkCost& inside,
                       const LinkCost& outside)
    {
        const uint32_t n = schedule.GetNRanks();
        std::vector<double> ready(n, 0);
        std::vector<Transfer> sends;
        for (uint32_t step = 0; step < schedule.GetNSteps(); ++step)
        {
            std::vector<double> next = ready;
            for (uint32_t rank = 0; rank < n; ++rank)
            {
                double ends[2] = {ready[rank], ready[rank]};
                schedule.GetSends(rank, step, sends);
                for (const auto& send : sends)
                {
                    const bool local = send.peer == rank ? send.isInside
                                                         : rank / schedule.GetNLocal() ==
                                                               send.peer / schedule.GetNLocal();
                    const LinkCost& link = local ? inside : outside;
                    ends[local] += send.bytes / link.rate;
                    next[send.peer] = std::max(next[send.peer], ends[local] + link.latency);
                }
            }
            ready = next;
        }
        return *std::max_element(ready.begin(), ready.end());
    }
};

/// Registers the test cases
static const SuiteCases g_twoLevelCases(
    "lightpath-collective",
    {{MakeCase("Closed forms for servers equal a walk over the steps",
               &TwoLevelTests::TestServerClosedForm),
      MakeCase("Closed forms of two levels by all algorithms equal a walk and formulas",
               &TwoLevelTests::TestLevelClosedForm),
      MakeCase("The fastest way through servers", &TwoLevelTests::TestFastest),
      MakeCase("Servers without a switch", &TwoLevelTests::TestLinks)}});
