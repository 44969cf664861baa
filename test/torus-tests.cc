/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collective-cases.h"
#include "expect-error.h"
#include "helper/mltrain/link-graph-description.h"
#include "interconnect-job.h"
#include "method-case.h"
#include "model/base/wire-format.h"
#include "model/collective/circuit-timer.h"
#include "model/collective/torus-schedule.h"
#include "model/fabric/torus-geometry.h"
#include "planner-tests.h"
#include "stage-tests.h"

#include "ns3/fabric-description.h"
#include "ns3/fixed-planner.h"
#include "ns3/link-graph-channel.h"
#include "ns3/planning-problem.h"
#include "ns3/server-helper.h"
#include "ns3/torus-helper.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <set>
#include <string>

using namespace ns3;
using namespace ns3::lightpath;

/**
 * @ingroup lightpath-tests
 * @brief Tests of tori of cubes and circuit switches.
 */
class TorusTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /**
     * Each circuit switch carries a permutation of the cubes, each cube has 96 optical links and
     * 144 others, and a twist is another cube.
     *
     * @param shape the shape
     * @param isTwisted whether the torus is twisted
     */
    void TestSwitches(const std::string& shape, bool isTwisted)
    {
        const auto sizes = TorusGeometry::ParseShape(shape);
        const TorusGeometry geometry(sizes, isTwisted);
        const TorusGeometry plain(sizes, false);
        const uint32_t cubes = geometry.GetNCubes();
        NS_TEST_ASSERT_MSG_EQ(cubes * 64, geometry.GetNPorts(), "whole cubes");
        std::vector<uint32_t> inside(cubes, 0);
        std::vector<uint32_t> optical(cubes, 0);
        std::map<uint32_t, std::vector<std::pair<uint32_t, uint32_t>>> circuits;
        for (uint32_t port = 0; port < geometry.GetNPorts(); ++port)
        {
            NS_TEST_ASSERT_MSG_EQ(geometry.GetPort(geometry.GetPlace(port)), port, "place");
            for (uint32_t axis = 0; axis < 3; ++axis)
            {
                const uint32_t next = geometry.GetNext(port, axis);
                const uint32_t number = geometry.GetSwitch(port, axis);
                const uint32_t from = geometry.GetCube(port);
                const uint32_t to = geometry.GetCube(next);
                if (number == TorusGeometry::NONE)
                {
                    NS_TEST_ASSERT_MSG_EQ(from, to, "inside a cube");
                    ++inside[from];
                    continue;
                }
                NS_TEST_ASSERT_MSG_EQ(number / 16, axis, "a switch for its axis");
                ++optical[from];
                ++optical[to];
                circuits[number].emplace_back(from, to);
                NS_TEST_ASSERT_MSG_EQ(geometry.GetCircuits(number)[from], to, "its circuit");
            }
        }
        NS_TEST_EXPECT_MSG_EQ(circuits.size(), 48, "circuit switches");
        bool differs = false;
        for (const auto& [number, pairs] : circuits)
        {
            std::set<uint32_t> ins;
            std::set<uint32_t> outs;
            for (const auto& [from, to] : pairs)
            {
                ins.insert(from);
                outs.insert(to);
            }
            NS_TEST_EXPECT_MSG_EQ(ins.size(), cubes, "each cube once at switch " << number);
            NS_TEST_EXPECT_MSG_EQ(outs.size(), cubes, "and once as the other end");
            differs = differs || geometry.GetCircuits(number) != plain.GetCircuits(number);
        }
        NS_TEST_EXPECT_MSG_EQ(differs, isTwisted, "a twist joins other cubes");
        NS_TEST_EXPECT_MSG_EQ((optical == std::vector<uint32_t>(cubes, 96)), true, "optical links");
        NS_TEST_EXPECT_MSG_EQ((inside == std::vector<uint32_t>(cubes, 144)), true, "other links");
    }

    /**
     * Routes of a uniform all-to-all, spread over all shortest ones.
     *
     * @param shape the shape
     * @param isTwisted whether the torus is twisted
     * @param diameter the largest number of links between two nodes
     * @param mean the mean number of links, a node and itself included
     * @param rate the rate at which all nodes can send, in rates of a link
     */
    void TestRoutes(const std::string& shape,
                    bool isTwisted,
                    double diameter,
                    double mean,
                    double rate)
    {
        const auto sizes = TorusGeometry::ParseShape(shape);
        const uint32_t n = TorusGeometry(sizes, isTwisted).GetNPorts();
        auto fabric = MakeTorus(shape, isTwisted);
        const LinkGraph graph = fabric.GetGraph(n);
        const LinkLimits links = LinkGraphDescription::GetLinks(fabric, graph);
        // All nodes are alike: if one sends, links of one direction carry together what each of
        // them carries if all send. Small tori do not rely on it.
        const uint32_t senders = n <= MOST_SENDERS ? n : 1;
        const auto& all = graph.GetLinks();
        std::vector<double> loads(all.size(), 0);
        double farthest = 0;
        for (uint32_t from = 0; from < senders; ++from)
        {
            for (uint32_t to = 0; to < n; ++to)
            {
                if (from == to)
                {
                    continue;
                }
                const auto& way = links.getWay(from, to);
                farthest = std::max(farthest, way.delay / (DELAY_NS * 1e-9));
                for (const auto& [link, part] : way.parts)
                {
                    loads[link] += part;
                }
            }
        }
        double sum = 0;
        double most = 0;
        std::array<double, 6> ofDirection{};
        for (uint32_t link = 0; link < loads.size(); ++link)
        {
            sum += loads[link];
            most = std::max(most, loads[link]);
            // Links are in the order of ports and axes, up and down
            ofDirection[link % 6] += loads[link];
        }
        if (senders == 1)
        {
            most = *std::max_element(ofDirection.begin(), ofDirection.end());
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(farthest, diameter, 1e-9, "diameter of " << shape);
        NS_TEST_EXPECT_MSG_EQ_TOL(sum / senders / n, mean, 5e-4, "mean number of links");
        NS_TEST_EXPECT_MSG_EQ_TOL(n / most, rate, 5e-5, "rate");
    }

    /**
     * A simulated all-to-all takes V / (r b), V the bytes of a node, its own included.
     *
     * @param shape the shape
     * @param isTwisted whether the torus is twisted
     * @param rate the rate r at which nodes can send, in rates of a link
     */
    void TestAllToAll(const std::string& shape, bool isTwisted, double rate)
    {
        const auto sizes = TorusGeometry::ParseShape(shape);
        const uint32_t n = TorusGeometry(sizes, isTwisted).GetNPorts();
        constexpr uint64_t chunk = 1000000;
        const auto fabric = MakeTorus(shape, isTwisted);
        RankProgram program;
        program.AddTask(Collective(CollectiveKind::ALL_TO_ALL, chunk * n));
        const TrainingPlan plan = Adopt(fabric, std::vector<RankProgram>(n, program));
        const double seconds = Simulate(fabric, plan, 1).front().GetSeconds();
        const double wanted = n * (chunk + FRAME_HEADER_BYTES) / (rate * 1e9);
        NS_TEST_EXPECT_MSG_EQ_TOL(seconds, wanted, 1e-4 * wanted, "all-to-all on " << shape);
        NS_TEST_EXPECT_MSG_EQ_TOL(plan.predictedSeconds, seconds, 0.01 * seconds, "its price");
    }

    /**
     * An all-reduce over equal axes takes (1 - 1/N) S / (m b), with the header and the delay of
     * each of its steps, to a tick.
     *
     * @param shape the shape
     */
    void TestAllReduce(const std::string& shape)
    {
        const auto sizes = TorusGeometry::ParseShape(shape);
        const uint32_t n = TorusGeometry(sizes, false).GetNPorts();
        const auto fabric = MakeTorus(shape, false);
        RankProgram program;
        const uint64_t chunk = 60000;
        program.AddTask(Collective(CollectiveKind::ALL_REDUCE, chunk * n));
        const TrainingPlan plan = Adopt(fabric, std::vector<RankProgram>(n, program));
        const auto& options = plan.programs[0]->GetTasks()[0].options;
        NS_TEST_EXPECT_MSG_EQ((options.algorithm == CollectiveAlgorithm::TORUS), true, "axes");
        NS_TEST_EXPECT_MSG_EQ((options.axes.sizes == sizes), true, "all of them");
        const uint64_t steps = 2 * 3 * (sizes[0] / 2);
        const Time wanted =
            NanoSeconds(chunk * (n - 1) / 3) + steps * NanoSeconds(FRAME_HEADER_BYTES + DELAY_NS);
        NS_TEST_EXPECT_MSG_EQ(Simulate(fabric, plan, 1).front(), wanted, "simulation");
        NS_TEST_EXPECT_MSG_EQ_TOL(plan.predictedSeconds,
                                  wanted.GetSeconds(),
                                  1e-3 * wanted.GetSeconds(),
                                  "price");
    }

    /// 1 GiB over 64 nodes at 45 GB/s takes 7.83 ms, and 7.05 ms at 50 GB/s.
    void TestGibibyte()
    {
        const RankAxes axes{{4, 4, 4}, {true, true, true}};
        const TorusSchedule sum(CollectiveKind::ALL_REDUCE, 64, 1 << 30, axes);
        NS_TEST_EXPECT_MSG_EQ(sum.GetNSteps(), 12, "twice half of each axis");
        NS_TEST_EXPECT_MSG_EQ_TOL(sum.GetCircuitSeconds({0, 45e9}) * 1e3, 7.83, 5e-3, "45 GB/s");
        NS_TEST_EXPECT_MSG_EQ_TOL(sum.GetCircuitSeconds({0, 50e9}) * 1e3, 7.05, 5e-3, "50 GB/s");
        NS_TEST_EXPECT_MSG_EQ_TOL(sum.GetCircuitSeconds({1e-6, 45e9}) -
                                      sum.GetCircuitSeconds({0, 45e9}),
                                  12e-6,
                                  1e-9,
                                  "latencies");
        NS_TEST_EXPECT_MSG_EQ_TOL(sum.GetSeconds(0, 6 * 45e9) * 1e3, 7.83, 5e-3, "all links");
        // A machine of 4096 nodes sends 1.106 PB/s
        const LinkGraph graph = TorusHelper().GetGraph(4096);
        double rate = 0;
        for (const auto& link : graph.GetLinks())
        {
            rate += static_cast<double>(link.rate.GetBitRate()) / 8;
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(rate, 1.106e15, 5e11, "bytes per second");
    }

    /// The closed form on circuits is exact where all axes are rings, and else a bound.
    void TestForms()
    {
        const LinkCost link{3e-6, 25e9};
        for (const uint32_t n : {2, 6, 8, 12, 16, 24, 36, 48})
        {
            for (const uint64_t bytes : {uint64_t{3600} * n, uint64_t{3600000} * n})
            {
                for (const auto& what : MakeTorusCases(n, bytes))
                {
                    const double exact = CircuitTimer::GetSeconds(*what.schedule, link);
                    const double form = what.schedule->GetCircuitSeconds(link);
                    const auto& axes = what.options.axes;
                    bool isExact = true;
                    for (uint32_t axis = 0; axis < RankAxes::MOST; ++axis)
                    {
                        isExact = isExact && (axes.isRing[axis] || axes.sizes[axis] < 3);
                    }
                    NS_TEST_ASSERT_MSG_LT_OR_EQ(exact, form * (1 + 1e-9), what.name);
                    NS_TEST_ASSERT_MSG_LT_OR_EQ(form,
                                                exact * (isExact ? 1 + 1e-9 : 1.5),
                                                what.name);
                    NS_TEST_ASSERT_MSG_GT_OR_EQ(what.schedule->GetSeconds(0, 1) * (1 + 1e-9),
                                                what.schedule->GetBusFactor() * bytes * 0.999,
                                                what.name);
                }
            }
        }
    }

    /**
     * On unequal rings an all-reduce takes little longer than its bytes on all links.
     *
     * @param x the ranks of the first axis
     * @param y those of the second one
     * @param z those of the third one
     * @param most the longest time, in relation to that of the bytes
     */
    void TestBound(uint32_t x, uint32_t y, uint32_t z, double most)
    {
        const uint32_t n = x * y * z;
        const uint64_t bytes = uint64_t{600000} * n;
        const TorusSchedule sum(CollectiveKind::ALL_REDUCE,
                                n,
                                bytes,
                                {{x, y, z}, {true, true, true}});
        const double least = (1 - 1.0 / n) * bytes / 3;
        const double ratio = sum.GetCircuitSeconds({0, 1}) / least;
        NS_TEST_EXPECT_MSG_GT_OR_EQ(ratio, 1 - 1e-4, "6 links");
        NS_TEST_EXPECT_MSG_LT_OR_EQ(ratio, most, "of equal loads");
        const TorusSchedule brief(CollectiveKind::ALL_REDUCE,
                                  n,
                                  n,
                                  {{x, y, z}, {true, true, true}});
        NS_TEST_EXPECT_MSG_EQ(brief.GetNSteps(), 2 * (x / 2 + y / 2 + z / 2), "fewest steps");
    }

    /**
     * Simulations take as long as the price says, within 5 %.
     *
     * @param gpus the number of GPUs
     * @param tensor the parts of an operator
     * @param stages the stages
     */
    void TestPrices(uint32_t gpus, uint32_t tensor, uint32_t stages)
    {
        TorusHelper fabric;
        fabric.DisableFlowControl();
        PlanningProblem problem =
            MakeStageProblem("gpt2-xl:layers=4,hidden=512,heads=8,feedForward=2048,vocabulary=1024",
                             gpus,
                             2 * gpus);
        problem.fabric = FabricDescription::Create(fabric)->GetLimits(gpus);
        const auto planner = CreateObject<FixedPlanner>();
        planner->SetAttribute("TensorParallel", UintegerValue(tensor));
        planner->SetAttribute("PipelineParallel", UintegerValue(stages));
        planner->SetAttribute("Microbatch", UintegerValue(1));
        const TrainingPlan plan = planner->Plan(problem);
        const double simulated = Simulate(fabric, plan, 3).back().GetSeconds();
        NS_TEST_EXPECT_MSG_EQ_TOL(plan.predictedSeconds, simulated, 0.05 * simulated, "seconds");
    }

    /// Groups sum along the axes that their ranks are on.
    void TestAxes()
    {
        const auto getAxes = [](const std::string& shape, const std::vector<uint32_t>& ports) {
            const auto fabric = MakeTorus(shape, false);
            const auto sizes = TorusGeometry::ParseShape(shape);
            std::vector<RankProgram> programs(sizes[0] * sizes[1] * sizes[2]);
            Task task = Collective(CollectiveKind::ALL_REDUCE, 1000);
            for (const uint32_t port : ports)
            {
                programs[port].AddTask(task);
            }
            TrainingPlan plan = MakePlan(programs);
            plan.groups.assign(1, RankGroups());
            plan.groups[0].Add(ports);
            PlanningProblem problem;
            problem.fabric = FabricDescription::Create(fabric)->GetLimits(
                static_cast<uint32_t>(programs.size()));
            problem.gpus = static_cast<uint32_t>(programs.size());
            plan = Planner::Adopt(plan, problem);
            const auto& axes = plan.programs[ports[0]]->GetTasks()[0].options.axes;
            std::string text;
            for (uint32_t axis = 0; axis < RankAxes::MOST; ++axis)
            {
                text += std::to_string(axes.sizes[axis]) + (axes.isRing[axis] ? "r " : " ");
            }
            return text;
        };
        NS_TEST_EXPECT_MSG_EQ(getAxes("4x4x4", {0, 1, 2, 3}), "4r 1 1 ", "a ring");
        NS_TEST_EXPECT_MSG_EQ(getAxes("4x4x4", {0, 1, 2, 3, 4, 5, 6, 7}), "4r 2 1 ", "two rings");
        NS_TEST_EXPECT_MSG_EQ(getAxes("4x4x4", {0, 4, 8, 12, 16, 20, 24, 28}), "4r 2 1 ", "y, z");
        NS_TEST_EXPECT_MSG_EQ(getAxes("2x2x4", {0, 1, 2, 3}), "2 2 1 ", "lines");
        NS_TEST_EXPECT_MSG_EQ(getAxes("4x4x4", {0, 5, 10}), "1 1 1 ", "no neighbours");
    }

    /// Below servers there is a torus for each rail, along whose axes GPUs of one rail sum.
    void TestServers()
    {
        ServerHelper servers(std::make_unique<TorusHelper>(MakeTorus("4x4x4", false)));
        servers.SetServers(2, DataRate("800Gbps"), NanoSeconds(DELAY_NS));
        servers.SetAttach(Attach::RAIL, 2);
        servers.SetBandwidth(DataRate("48Gbps"));
        constexpr uint32_t n = 64;
        constexpr uint64_t chunk = 60000;
        const auto adopt = [&](uint32_t groups, uint64_t bytes) {
            RankProgram program;
            program.AddTask(Collective(CollectiveKind::ALL_REDUCE, bytes));
            TrainingPlan plan = MakePlan(std::vector<RankProgram>(2 * n, program));
            plan.groups.assign(1, RankGroups());
            for (uint32_t group = 0; group < groups; ++group)
            {
                std::vector<uint32_t> members;
                for (uint32_t rank = group; rank < 2 * n; rank += groups)
                {
                    members.push_back(rank);
                }
                plan.groups[0].Add(members);
            }
            PlanningProblem problem;
            problem.fabric = FabricDescription::Create(servers)->GetLimits(2 * n);
            problem.gpus = 2 * n;
            return Planner::Adopt(plan, problem);
        };
        // A share for each axis, with the header and the delay of each step
        const double across =
            1e-9 * (chunk * (n - 1) / 3. + 2 * 3 * 2 * (FRAME_HEADER_BYTES + DELAY_NS));
        TrainingPlan plan = adopt(2, chunk * n);
        const CollectiveOptions* options = &plan.programs[0]->GetTasks()[0].options;
        NS_TEST_EXPECT_MSG_EQ((options->across == CollectiveAlgorithm::TORUS), true, "axes");
        NS_TEST_EXPECT_MSG_EQ(options->axes.GetNPlaces(), n, "all servers");
        NS_TEST_EXPECT_MSG_EQ_TOL(plan.predictedSeconds, across, 1e-3 * across, "a rail each");
        // Both GPUs of a server sum first, and each half goes over one rail
        plan = adopt(1, 2 * chunk * n);
        options = &plan.programs[0]->GetTasks()[0].options;
        NS_TEST_EXPECT_MSG_EQ((options->across == CollectiveAlgorithm::TORUS), true, "axes");
        const double inside = 2e-9 * (chunk * n / 100. + FRAME_HEADER_BYTES / 100. + DELAY_NS);
        NS_TEST_EXPECT_MSG_EQ_TOL(plan.predictedSeconds,
                                  across + inside,
                                  1e-3 * across,
                                  "in two levels");
    }

    /// Messages go round a circuit switch that fails, until it works again.
    void TestFailure()
    {
        const auto fabric = MakeTorus("4x4x4", false);
        NS_TEST_EXPECT_MSG_EQ(fabric.CheckComponent("switch:ocs-2-0", 64), "", "a switch");
        EXPECT_PART(fabric.CheckComponent("switch:ocs-3-0", 64),
                    "such as switch:ocs-0-0, and link");
        NodeContainer nodes;
        nodes.Create(64);
        const auto devices = fabric.Install(nodes);
        const auto channel = DynamicCast<LinkGraphChannel>(FabricHelper::GetChannel(devices));
        const auto getTime = [&](uint32_t from, uint32_t to) {
            const Time begin = Simulator::Now();
            Time end;
            const auto receiver = DynamicCast<FabricNetDevice>(devices.Get(to));
            receiver->SetReceiveCallback(
                [&end](Ptr<NetDevice>, Ptr<const Packet>, uint16_t, const Address&) {
                    end = Simulator::Now();
                    return true;
                });
            devices.Get(from)->Send(Create<Packet>(1000), devices.Get(to)->GetAddress(), 0x88b5);
            Simulator::Run();
            return (end - begin).GetNanoSeconds();
        };
        // Port 48 is at the place 0, 0, 3: one link from port 0. Five routes of three links avoid
        // it, the other way round and by a step along another axis
        const int64_t one = getTime(48, 0);
        constexpr int64_t routes = 5;
        const int64_t round = (one - DELAY_NS + routes - 1) / routes + 3 * int64_t{DELAY_NS};
        channel->SetFailed("switch:ocs-2-0", true);
        NS_TEST_EXPECT_MSG_EQ(getTime(48, 0), round, "round it");
        NS_TEST_EXPECT_MSG_EQ(getTime(49, 1), one, "another switch");
        channel->SetFailed("link:gpu-48:gpu-0", true);
        channel->SetFailed("switch:ocs-2-0", false);
        NS_TEST_EXPECT_MSG_EQ(getTime(48, 0), round, "the link still fails");
        channel->SetFailed("link:gpu-48:gpu-0", false);
        NS_TEST_EXPECT_MSG_EQ(getTime(48, 0), one, "works again");
        Simulator::Destroy();
    }

    /// 64 cubes use 128 ports of each of 48 circuit switches.
    void TestBill()
    {
        const TorusHelper fabric;
        const auto bill = FabricDescription::Create(fabric)->GetBill(4096);
        NS_TEST_EXPECT_MSG_EQ(bill.GetCount("circuit-switch-port"), 48 * 128, "ports");
        // 360 Gb/s are 200 and 1.6 times 100
        NS_TEST_EXPECT_MSG_EQ(bill.GetCount("transceiver-200g"), 64 * 96, "transceivers");
        NS_TEST_EXPECT_MSG_EQ_TOL(bill.GetCount("transceiver-100g"), 1.6 * 64 * 96, 1e-6, "rest");
        NS_TEST_EXPECT_MSG_EQ_TOL(bill.GetCount("scale-up-link-200g"),
                                  64 * 144 * 1.8,
                                  1e-6,
                                  "electrical links of 360 Gb/s");
        NS_TEST_EXPECT_MSG_EQ(
            FabricDescription::Create(fabric)->GetBill(16).GetCount("circuit-switch-port"),
            0,
            "in a cube");
    }

    /// One sentence refuses each invalid setting.
    void TestTorusRefusals()
    {
        TorusHelper fabric;
        NS_TEST_EXPECT_MSG_EQ(fabric.Check(64), "", "a cube");
        NS_TEST_EXPECT_MSG_EQ(fabric.Check(16), "", "2x2x4");
        NS_TEST_EXPECT_MSG_EQ(fabric.Check(24), "", "2x3x4");
        EXPECT_PART(fabric.Check(80), "There is no torus of 80 nodes: it takes whole cubes of 64");
        fabric.SetTwisted(true);
        EXPECT_PART(fabric.Check(64), "A torus of 4x4x4 cannot be twisted");
        NS_TEST_EXPECT_MSG_EQ(fabric.Check(128), "", "4x4x8");
        EXPECT_PART(fabric.Check(16), "A torus of 2x2x4 cannot be twisted");
        fabric.SetShape("4x8x16");
        EXPECT_PART(fabric.Check(512), "cannot be twisted: that takes n x n x 2n or n x 2n x 2n");
        fabric.SetTwisted(false);
        EXPECT_PART(fabric.Check(64), "A torus of 4x8x16 has 512 nodes, and not 64");
        fabric.SetShape("4x4x6");
        EXPECT_PART(fabric.Check(96), "its sizes must be multiples of 4");
        for (const char* text : {"4x4", "4x4x", "4x4x4x4", "axbxc", "4x-4x4", "4x4x12345"})
        {
            EXPECT_PART(GetError([&] { fabric.SetShape(text); }), "is not the shape of a torus");
        }
        fabric.SetShape("");
        fabric.SetBandwidth(DataRate("5bps"));
        EXPECT_PART(fabric.Check(64), "A node of 5 bit/s cannot have 6 links");
        EXPECT_PART(GetError([] {
                        const RankAxes axes{{4, 4, 2}, {true, true, false}};
                        TorusSchedule(CollectiveKind::ALL_REDUCE, 64, 1000, axes);
                    }),
                    "A group of 64 ranks cannot sum on a torus of 32 places");
    }

  private:
    static constexpr uint32_t DELAY_NS = 100;     //!< Delay of a link
    static constexpr uint32_t MOST_SENDERS = 256; //!< Nodes of which all send

    /**
     * @param shape the shape
     * @param isTwisted whether the torus is twisted
     * @return a torus, on whose links a byte takes 1 ns
     */
    static TorusHelper MakeTorus(const std::string& shape, bool isTwisted)
    {
        TorusHelper fabric;
        fabric.SetShape(shape);
        fabric.SetTwisted(isTwisted);
        fabric.SetBandwidth(DataRate("48Gbps"));
        fabric.SetDelay(NanoSeconds(DELAY_NS));
        fabric.DisableFlowControl();
        return fabric;
    }
};

/// Registers the test cases
static const SuiteCases g_torusTests(
    "lightpath-torus",
    {MakeCases("switches",
               &TorusTests::TestSwitches,
               {{"4x4x4", false},
                {"4x4x8", false},
                {"4x4x8", true},
                {"8x4x4", true},
                {"4x8x8", true},
                {"8x8x16", true},
                {"12x12x24", true},
                {"16x16x16", false}}),
     MakeCases("routes",
               &TorusTests::TestRoutes,
               {{"4x4x4", false, 6, 3, 2},
                {"4x4x8", false, 8, 4, 1},
                {"4x4x8", true, 6, 3.4375, 1.7455},
                {"8x4x4", true, 6, 3.4375, 1.7455},
                {"4x8x8", false, 10, 5, 1},
                {"4x8x8", true, 6, 4.3125, 1.3913},
                {"8x8x8", false, 12, 6, 1},
                {"4x8x16", false, 14, 7, 0.5},
                {"4x4x32", false, 20, 10, 0.25},
                {"8x8x16", false, 16, 8, 0.5},
                {"8x8x16", true, 12, 6.9688, 0.8610},
                {"8x16x16", true, 12, 8.7188, 0.6882},
                {"12x12x24", true, 18, 10.479, 0.5726}}),
     MakeCases("all-to-all",
               &TorusTests::TestAllToAll,
               {{"4x4x4", false, 2}, {"4x4x8", false, 1}, {"4x4x8", true, 6 / 3.4375}}),
     MakeCases("all-reduce", &TorusTests::TestAllReduce, {{"4x4x4"}, {"8x8x8"}}),
     MakeCases("bound",
               &TorusTests::TestBound,
               {{4, 4, 8, 1.09}, {4, 8, 8, 1.11}, {4, 8, 16, 1.2}, {8, 8, 16, 1.12}}),
     MakeCases("prices",
               &TorusTests::TestPrices,
               {{64, 1, 1}, {64, 4, 1}, {64, 4, 2}, {16, 2, 2}, {16, 8, 1}}),
     {MakeCase("a gibibyte", &TorusTests::TestGibibyte),
      MakeCase("closed forms", &TorusTests::TestForms),
      MakeCase("axes of groups", &TorusTests::TestAxes),
      MakeCase("below servers", &TorusTests::TestServers),
      MakeCase("failed switch", &TorusTests::TestFailure),
      MakeCase("bill", &TorusTests::TestBill),
      MakeCase("refusals", &TorusTests::TestTorusRefusals)}});
