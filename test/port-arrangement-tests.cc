/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "method-case.h"
#include "model/planner/place/axis-order.h"
#include "model/planner/place/plan-placer.h"
#include "model/planner/place/port-arrangement.h"
#include "placement-fixture.h"
#include "planner-tests.h"

#include "ns3/fixed-planner.h"
#include "ns3/planning-problem.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::lightpath;

/**
 * @ingroup lightpath-tests
 * @brief The test cases of arrangements of ranks on ports, against exhaustive search and closed
 * forms.
 */
class PortArrangementTests : public PlacementFixture
{
  public:
    using PlacementFixture::PlacementFixture;

    /// Places ranks by orders of axes that were worked out by hand.
    void TestOrders()
    {
        Strategy strategy;
        strategy.tensorParallel = 2;
        strategy.dataParallel = 3;
        strategy.pipelineParallel = 2;
        // Rank 11 is part 1 of replica 2 in stage 1
        NS_TEST_EXPECT_MSG_EQ(AxisOrder::Parse("linear").Place(strategy).IsLinear(), true, "So");
        NS_TEST_EXPECT_MSG_EQ(AxisOrder::Parse("dp,pp,tp").Place(strategy).GetPort(10), 5, "");
        NS_TEST_EXPECT_MSG_EQ(AxisOrder::Parse("dp,pp,tp").Place(strategy).GetPort(11), 11, "");
        NS_TEST_EXPECT_MSG_EQ(AxisOrder::Parse("pp,tp,dp").Place(strategy).GetPort(5), 10, "");
        NS_TEST_EXPECT_MSG_EQ(AxisOrder::Parse("dp:folded,tp,pp").Place(strategy).GetPort(4),
                              1,
                              "Replica 2 is next to replica 0");
        // 6 orders of three axes, of which only that of replicas can be folded
        NS_TEST_EXPECT_MSG_EQ(AxisOrder::PlaceAll(strategy, false).size(), 12, "All orders");
        NS_TEST_EXPECT_MSG_EQ(AxisOrder::PlaceAll(strategy, true).size(), 12, "No blocks");
        strategy.dataParallel = 4;
        strategy.expertParallel = 2;
        strategy.pipelineParallel = 1;
        const Placement placement = AxisOrder::Parse("dp,ep,tp,pp").Place(strategy);
        NS_TEST_EXPECT_MSG_EQ(placement.GetPort(2), 2, "Part 0 of replica 1, expert place 1");
        NS_TEST_EXPECT_MSG_EQ(placement.GetPort(4), 1, "Part 0 of replica 2, expert place 0");
        NS_TEST_EXPECT_MSG_EQ(placement.GetName(), "dp,ep,tp", "There is one stage only");
        // Part p of replica d: blocks of two replicas, then parts, then blocks
        strategy.expertParallel = 1;
        const AxisOrder blocks = AxisOrder::Parse("dp/2,tp:folded,dp,pp");
        const std::vector<uint32_t> expected{0, 2, 1, 3, 4, 6, 5, 7};
        NS_TEST_EXPECT_MSG_EQ((blocks.Place(strategy).GetPorts() == expected), true, "Blocks");
        NS_TEST_EXPECT_MSG_EQ(blocks.Place(strategy).GetName(), "dp/2,tp,dp", "Two are not folded");
        // Two orders, each with replicas folded or not, and the one in blocks
        NS_TEST_EXPECT_MSG_EQ(AxisOrder::PlaceAll(strategy, false).size(), 4, "No blocks");
        NS_TEST_EXPECT_MSG_EQ(AxisOrder::PlaceAll(strategy, true).size(), 5, "With blocks");
        // Each axis, and block, is folded once, or no longer; those with one member change nothing
        std::set<std::string> names;
        strategy.tensorParallel = 3;
        strategy.dataParallel = 9;
        for (const auto& order : AxisOrder::Parse("dp/3,tp,dp:folded,pp").GetRefolded())
        {
            names.insert(order.Place(strategy).GetName());
        }
        const std::set<std::string> refolded{"dp/3,tp,dp:folded",
                                             "dp/3:folded,tp,dp:folded",
                                             "dp/3,tp:folded,dp:folded",
                                             "dp/3,tp,dp"};
        NS_TEST_EXPECT_MSG_EQ((names == refolded), true, "One change each");
    }

    /// Looks for all orders of a ring on a line within two places: the folded one is the only one,
    /// turned or mirrored.
    void TestFolded()
    {
        const auto isNear = [](const std::vector<uint32_t>& ports) {
            for (std::size_t rank = 0; rank < ports.size(); ++rank)
            {
                const uint32_t a = ports[rank];
                const uint32_t b = ports[(rank + 1) % ports.size()];
                if (std::max(a, b) - std::min(a, b) > 2)
                {
                    return false;
                }
            }
            return true;
        };
        for (uint32_t n = 3; n < 9; ++n)
        {
            Strategy strategy;
            strategy.dataParallel = n;
            std::vector<uint32_t> folded(n);
            for (uint32_t rank = 0; rank < n; ++rank)
            {
                folded[rank] = AxisOrder::Parse("folded").Place(strategy).GetPort(rank);
            }
            std::set<std::vector<uint32_t>> expected;
            for (uint32_t turn = 0; turn < n; ++turn)
            {
                std::rotate(folded.begin(), folded.begin() + 1, folded.end());
                expected.insert(folded);
                expected.insert({folded.rbegin(), folded.rend()});
            }
            std::set<std::vector<uint32_t>> found;
            std::vector<uint32_t> ports = MakeLinear(n);
            do
            {
                if (isNear(ports))
                {
                    found.insert(ports);
                }
            } while (std::next_permutation(ports.begin(), ports.end()));
            NS_TEST_EXPECT_MSG_EQ((found == expected), true, n << " members");
        }
    }

    /// Compares arrangements within a reach with all possible ones, for random traffic.
    void TestReach()
    {
        const auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(19);
        uint32_t nWithin = 0;
        uint32_t nBeyond = 0;
        for (uint32_t i = 0; i < 40; ++i)
        {
            const uint32_t n = 5 + i % 4;
            FabricLimits fabric = MakeRing();
            fabric.reach = 1 + i % 3;
            TrafficMatrix traffic(n);
            for (uint32_t pairs = random->GetInteger(n / 2, 2 * n); pairs > 0; --pairs)
            {
                const uint32_t source = random->GetInteger(0, n - 1);
                const uint32_t other = (source + random->GetInteger(1, n - 1)) % n;
                traffic.Add(source, other, random->GetInteger(1, 100));
            }
            using Loads = std::tuple<uint64_t, double>;
            std::vector<uint32_t> ports = MakeLinear(n);
            Loads least{UINT64_MAX, 0};
            do
            {
                const Loads loads{GetLengths(traffic, ports, fabric.reach).second,
                                  GetMost(traffic, ports)};
                least = std::min(least, loads);
            } while (std::next_permutation(ports.begin() + 1, ports.end()));
            PortArrangement ring(traffic, fabric);
            const PortArrangement::Load load = ring.Improve(1'000'000);
            NS_TEST_EXPECT_MSG_EQ(load.beyond, std::get<0>(least), "Problem " << i);
            NS_TEST_EXPECT_MSG_EQ(load.most / 2.0, std::get<1>(least), "Problem " << i);
            NS_TEST_EXPECT_MSG_EQ(load.longest,
                                  GetLengths(traffic, ring.GetPorts(), fabric.reach).first,
                                  "What it says");
            ++(load.beyond > 0 ? nBeyond : nWithin);
        }
        NS_TEST_EXPECT_MSG_GT(nWithin, 5, "Some are within reach");
        NS_TEST_EXPECT_MSG_GT(nBeyond, 5, "Some are not");
    }

    /// Compares arrangements with all possible ones, for random traffic.
    void TestExhaustive()
    {
        const auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(17);
        uint32_t nReached = 0;
        for (uint32_t i = 0; i < 60; ++i)
        {
            const uint32_t n = 4 + i % 6;
            TrafficMatrix traffic(n);
            for (uint32_t pairs = random->GetInteger(n, 3 * n); pairs > 0; --pairs)
            {
                const uint32_t source = random->GetInteger(0, n - 1);
                const uint32_t other = (source + random->GetInteger(1, n - 1)) % n;
                traffic.Add(source, other, random->GetInteger(1, 100));
            }
            const double least = FindLeast(traffic);
            const FabricLimits fabric = MakeRing();
            PortArrangement ring(traffic, fabric);
            const PortArrangement::Load before = ring.Set({});
            NS_TEST_EXPECT_MSG_EQ(before.most / 2.0, GetMost(traffic, ring.GetPorts()), "Linear");
            const PortArrangement::Load load = ring.Improve(3'000'000);
            NS_TEST_EXPECT_MSG_EQ(load.most / 2.0, least, "Problem " << i << ", " << n << " ranks");
            NS_TEST_EXPECT_MSG_EQ(GetMost(traffic, ring.GetPorts()), least, "What it says");
            NS_TEST_EXPECT_MSG_LT_OR_EQ(ring.GetBound() / 2.0, least, "No less than the bound");
            nReached += ring.GetBound() / 2.0 >= least ? 1 : 0;
        }
        NS_TEST_EXPECT_MSG_GT(nReached, 5, "The bound can be reached");
    }

    /// Looks for placements whose load is known: rings of replicas, and a scrambled ring.
    void TestKnown()
    {
        // Replicas of 8 GPUs, of which those with the same part exchange gradients in a ring
        constexpr uint32_t n = 1024;
        TrafficMatrix rings(n);
        TrafficMatrix scrambled(n);
        for (uint32_t rank = 0; rank < n; ++rank)
        {
            rings.Add(rank, (rank + 8) % n, 1'000'000);
            scrambled.Add(rank * 77 % n, (rank + 1) * 77 % n, 1'000'000);
        }
        const FabricLimits fabric = MakeRing();
        PortArrangement ring(rings, fabric);
        Strategy strategy;
        strategy.tensorParallel = 8;
        strategy.dataParallel = n / 8;
        const uint64_t bound = ring.GetBound();
        NS_TEST_EXPECT_MSG_EQ(ring.Set({}).most, 8 * bound, "8 pairs on each segment");
        NS_TEST_EXPECT_MSG_EQ(
            ring.Set(AxisOrder::Parse("dp,tp,pp").Place(strategy).GetPorts()).most,
            bound,
            "One pair on each segment, in the way back as well");
        PortArrangement chaos(scrambled, fabric);
        const PortArrangement::Load before = chaos.Set({});
        NS_TEST_EXPECT_MSG_LT(chaos.Improve(30'000'000).most, before.most, "Exchanges help");
    }

    /// Compares arrangements on grids and in servers with all that there are, for random traffic.
    void TestSides()
    {
        const auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(18);
        for (uint32_t i = 0; i < 12; ++i)
        {
            const uint32_t n = 6 + i % 2;
            FabricLimits fabric;
            fabric.bitRate = 1e9;
            fabric.servers.bitRate = 4e9;
            fabric.servers.layout.gpus = 3;
            if (i % 4 > 1)
            {
                // 7 GPUs leave two places free
                fabric.servers = ServerLimits();
                fabric.grid = {3, n == 6 ? 2U : 3U, n, 1, 1e9, 2e9};
            }
            TrafficMatrix traffic(n);
            for (uint32_t pairs = 2 * n; pairs > 0; --pairs)
            {
                const uint32_t source = random->GetInteger(0, n - 1);
                const uint32_t other = (source + random->GetInteger(1, n - 1)) % n;
                traffic.Add(source, other, 4 * random->GetInteger(1, 100));
            }
            std::vector<uint32_t> ports = MakeLinear(n);
            double least = std::numeric_limits<double>::infinity();
            do
            {
                least = std::min(least, GetMostOfPorts(traffic, ports, fabric));
            } while (std::next_permutation(ports.begin(), ports.end()));
            PortArrangement arrangement(traffic, fabric);
            const PortArrangement::Load load = arrangement.Improve(1'000'000);
            NS_TEST_EXPECT_MSG_EQ(load.most / 2.0, least, "Problem " << i);
            NS_TEST_EXPECT_MSG_EQ(GetMostOfPorts(traffic, arrangement.GetPorts(), fabric),
                                  least,
                                  "What it says");
            NS_TEST_EXPECT_MSG_EQ(arrangement.GetBound(), 0, "A bound for rings alone");
        }
    }

    /// Compares placements of plans and the bound with all possible placements.
    void TestBound()
    {
        for (const uint32_t tensor : {1, 2, 3, 4})
        {
            const uint32_t n = tensor == 3 ? 9 : 8;
            PlanningProblem problem =
                MakeProblem(n, 2 * n, tensor == 3 ? "heads=6,hidden=384" : "heads=8,hidden=256");
            const auto planner = CreateObject<FixedPlanner>();
            planner->SetAttribute("TensorParallel", UintegerValue(tensor));
            planner->SetAttribute("PipelineParallel", UintegerValue(tensor == 2 ? 2 : 1));
            TrainingPlan plan = planner->Plan(problem);
            const auto bytes = PlanPlacer::GetSegmentBytes(plan);
            plan.placement = Placement();
            const TrafficMatrix demand = plan.GetDemand();
            const double least = FindLeast(demand);
            NS_TEST_EXPECT_MSG_EQ_TOL(bytes.linear,
                                      GetMost(demand, MakeLinear(n)),
                                      1e-6 * least,
                                      "Linear, tensor " << tensor);
            NS_TEST_EXPECT_MSG_LT_OR_EQ(bytes.bound, least * (1 + 1e-6), "Tensor " << tensor);
            NS_TEST_EXPECT_MSG_GT(bytes.bound, 0.3 * least, "Tensor " << tensor);
            NS_TEST_EXPECT_MSG_LT_OR_EQ(bytes.placed, bytes.linear, "Tensor " << tensor);
        }
    }

  private:
    /**
     * @return limits of a ring, as far as arrangements know them
     */
    static FabricLimits MakeRing()
    {
        FabricLimits fabric;
        fabric.isRing = true;
        return fabric;
    }

    /**
     * @param traffic the bytes by source and destination rank
     * @param ports the port of each rank
     * @param fabric servers of 3 GPUs whose links are 4 times as fast, or a grid whose columns are
     *        twice as fast as its rows
     * @return the bytes on the fullest link, in those of the slower kind
     */
    static double GetMostOfPorts(const TrafficMatrix& traffic,
                                 const std::vector<uint32_t>& ports,
                                 const FabricLimits& fabric)
    {
        const uint32_t columns = fabric.grid.columns;
        std::map<std::tuple<uint32_t, bool, bool>, double> loads;
        const auto pass = [&](uint32_t from, uint32_t to, double bytes) {
            const bool isFast = columns > 0 ? from % columns == to % columns : from / 3 == to / 3;
            const double share = !isFast ? 1 : columns > 0 ? 0.5 : 0.25;
            loads[{from, isFast, false}] += share * bytes;
            loads[{to, isFast, true}] += share * bytes;
        };
        for (uint32_t rank = 0; rank < traffic.GetSize(); ++rank)
        {
            for (const auto& [other, bytes] : traffic.GetRow(rank))
            {
                const uint32_t from = ports[rank];
                const uint32_t to = ports[other];
                if (columns == 0 || from / columns == to / columns ||
                    from % columns == to % columns)
                {
                    pass(from, to, bytes);
                    continue;
                }
                // By way of the row of the source, unless there is no GPU at the corner
                uint32_t corner = from / columns * columns + to % columns;
                corner =
                    corner < fabric.grid.gpus ? corner : to / columns * columns + from % columns;
                pass(from, corner, bytes);
                pass(corner, to, bytes);
            }
        }
        double most = 0;
        for (const auto& [link, load] : loads)
        {
            most = std::max(most, load);
        }
        return most;
    }

    /**
     * @param traffic the bytes by source and destination rank
     * @param ports the port of each rank
     * @return the bytes on the fullest segment of a ring
     */
    static double GetMost(const TrafficMatrix& traffic, const std::vector<uint32_t>& ports)
    {
        const uint32_t n = traffic.GetSize();
        std::vector<double> clockwise(n, 0);
        std::vector<double> back(n, 0);
        for (uint32_t rank = 0; rank < n; ++rank)
        {
            for (const auto& [other, bytes] : traffic.GetRow(rank))
            {
                const uint32_t hops = (ports[other] + n - ports[rank]) % n;
                const double share = 2 * hops == n ? 0.5 : 2 * hops < n ? 1 : 0;
                for (uint32_t hop = 0; hop < n; ++hop)
                {
                    const uint32_t segment = (ports[rank] + hop) % n;
                    (hop < hops ? clockwise : back)[segment] +=
                        static_cast<double>(bytes) * (hop < hops ? share : 1 - share);
                }
            }
        }
        return std::max(*std::max_element(clockwise.begin(), clockwise.end()),
                        *std::max_element(back.begin(), back.end()));
    }

    /**
     * @param traffic the bytes by source and destination rank
     * @param ports the port of each rank on a ring
     * @param reach the most segments of a lightpath
     * @return the segments of the longest lightpath, and those beyond the reach of all lightpaths
     */
    static std::pair<uint32_t, uint64_t> GetLengths(const TrafficMatrix& traffic,
                                                    const std::vector<uint32_t>& ports,
                                                    uint32_t reach)
    {
        const uint32_t n = traffic.GetSize();
        std::pair<uint32_t, uint64_t> lengths{0, 0};
        for (uint32_t rank = 0; rank < n; ++rank)
        {
            for (const auto& pair : traffic.GetRow(rank))
            {
                const uint32_t hops = (ports[pair.first] + n - ports[rank]) % n;
                const uint32_t length = std::min(hops, n - hops);
                lengths.first = std::max(lengths.first, length);
                lengths.second += length > reach ? length - reach : 0;
            }
        }
        return lengths;
    }

    /**
     * @param n a number of ranks
     * @return the port of each rank in the linear placement
     */
    static std::vector<uint32_t> MakeLinear(uint32_t n)
    {
        std::vector<uint32_t> ports(n);
        std::iota(ports.begin(), ports.end(), 0);
        return ports;
    }

    /**
     * @param traffic the bytes by source and destination rank
     * @return the bytes on the fullest segment of a ring with the best of all placements
     */
    static double FindLeast(const TrafficMatrix& traffic)
    {
        std::vector<uint32_t> ports = MakeLinear(traffic.GetSize());
        double least = std::numeric_limits<double>::infinity();
        do
        {
            // A turned ring is the same
            least = std::min(least, GetMost(traffic, ports));
        } while (std::next_permutation(ports.begin() + 1, ports.end()));
        return least;
    }
};

/// Registers the test cases
static const SuiteCases g_portArrangementCases(
    "lightpath-planner",
    {{MakeCase("Orders of axes put ranks where they say", &PortArrangementTests::TestOrders),
      MakeCase("On a line, the folded order alone is within two places",
               &PortArrangementTests::TestFolded),
      MakeCase("Exchanges find arrangements within reach", &PortArrangementTests::TestReach),
      MakeCase("Exchanges find the best of all arrangements of a few ranks",
               &PortArrangementTests::TestExhaustive),
      MakeCase("Exchanges find the best of a few ranks on grids and in servers",
               &PortArrangementTests::TestSides),
      MakeCase("No placement of a plan is below the bound", &PortArrangementTests::TestBound),
      MakeCase("Loads of large rings are known", &PortArrangementTests::TestKnown)}});
