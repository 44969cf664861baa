/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "expect-error.h"
#include "helper/allocation-report.h"

#include "ns3/circuit-switch-channel.h"
#include "ns3/node-container.h"
#include "ns3/simulator.h"
#include "ns3/sip-ocs-helper.h"
#include "ns3/sip-ring-helper.h"
#include "ns3/string.h"
#include "ns3/test.h"

#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/**
 * @ingroup lightpath-tests
 * @brief A schedule of one slot: the circuit from 0 to 1 on switch 0 as long as its bytes take.
 */
class OneSlotScheduler : public CircuitScheduler
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::lightpath::tests::OneSlotScheduler")
                                .SetParent<CircuitScheduler>()
                                .SetGroupName("Lightpath")
                                .AddConstructor<OneSlotScheduler>();
        return tid;
    }

  private:
    CircuitSchedule DoSchedule(const TrafficMatrix& demand) const override
    {
        CircuitSchedule schedule;
        ScheduleSlot slot;
        slot.plan.AddLane(0, 1, {0, 0});
        slot.duration = GetServiceTime(demand.Get(0, 1), 1);
        schedule.slots.push_back(slot);
        return schedule;
    }
};

} // namespace

/**
 * @ingroup lightpath-tests
 * @brief Allocators and schedulers are chosen by name, and know the fabric.
 */
class AlgorithmTestCase : public TestCase
{
  public:
    AlgorithmTestCase()
        : TestCase("Allocators and schedulers by name")
    {
    }

  private:
    void DoRun() override
    {
        OneSlotScheduler::GetTypeId(); // makes its name known
        for (const std::string fabric : {"sip-ring", "sip-ocs"})
        {
            CheckNames(fabric);
        }
        CheckScheduler();
        CheckRefusals();
        CheckPorts();
        Simulator::Destroy();
    }

    /**
     * @param fabric the name of a fabric
     */
    void CheckNames(const std::string& fabric)
    {
        const auto helper = FabricHelper::Create(fabric);
        auto& circuits = dynamic_cast<CircuitFabricHelper&>(*helper);
        const auto algorithms = circuits.GetAlgorithms();
        NS_TEST_ASSERT_MSG_EQ(algorithms.empty(), false, fabric);
        NS_TEST_EXPECT_MSG_EQ(circuits.CreateAllocator(4)->GetInstanceTypeId().GetName(),
                              algorithms.front().type,
                              "the first is the fabric's own");
        std::set<std::string> names;
        for (const auto& algorithm : algorithms)
        {
            names.insert(algorithm.name);
            const std::string fault = GetError([&]() { circuits.SetAlgorithm(algorithm.name); });
            NS_TEST_EXPECT_MSG_EQ(fault, "", algorithm.name);
            if (!fault.empty())
            {
                continue;
            }
            NodeContainer nodes;
            nodes.Create(4);
            const auto devices = helper->Install(nodes);
            const auto type = circuits.HasScheduler()
                                  ? circuits.CreateScheduler(devices)->GetInstanceTypeId()
                                  : circuits.CreateAllocator(devices)->GetInstanceTypeId();
            NS_TEST_EXPECT_MSG_EQ(type.GetName(), algorithm.type, algorithm.name);
            NS_TEST_EXPECT_MSG_EQ(algorithm.objective.empty(), false, algorithm.name);
        }
        NS_TEST_EXPECT_MSG_EQ(names.size(), algorithms.size(), "names are unique");
    }

    /// A scheduler follows the fabric, and an allocator replaces it again.
    void CheckScheduler()
    {
        SipOcsHelper helper;
        helper.SetNSwitches(2);
        helper.SetBandwidth(DataRate("200Gbps"));
        helper.SetChannelAttribute("SwitchingDelay", StringValue("7us"));
        NodeContainer nodes;
        nodes.Create(4);
        const auto devices = helper.Install(nodes);
        helper.SetScheduler("ns3::lightpath::tests::OneSlotScheduler");
        NS_TEST_EXPECT_MSG_EQ(helper.GetLimits(4).allocators.empty(), true, "nothing to ask");
        const auto scheduler = helper.CreateScheduler(devices);
        const auto channel = DynamicCast<OpticalChannel>(FabricHelper::GetChannel(devices));
        NS_TEST_EXPECT_MSG_EQ(scheduler->GetPlanes().GetNPorts(), 4, "devices");
        NS_TEST_EXPECT_MSG_EQ(scheduler->GetPlanes().GetNPlanes(), 2, "switches");
        TrafficMatrix demand(4);
        demand.Add(0, 1, 12500);
        NS_TEST_EXPECT_MSG_EQ(scheduler->Schedule(demand).makespan,
                              MicroSeconds(8),
                              "7 us of darkness, and 1 us for 100 kbit at 100 Gb/s");
        NS_TEST_EXPECT_MSG_EQ(scheduler->GetPlanes().FindLane(2, 0, 1).has_value(),
                              true,
                              "it works");
        channel->SetFailed("input:1:2", true);
        NS_TEST_EXPECT_MSG_EQ(scheduler->GetPlanes().FindLane(2, 0, 1).has_value(),
                              false,
                              "it has failed");
        const auto controller = helper.CreateController(devices);
        NS_TEST_EXPECT_MSG_EQ((controller->GetScheduler() != nullptr), true, "a scheduler decides");
        NS_TEST_EXPECT_MSG_EQ((controller->GetAllocator() == nullptr), true, "and nothing else");
        helper.SetAlgorithm("max-min");
        NS_TEST_EXPECT_MSG_EQ(helper.HasScheduler(), false, "an allocator replaces it");
        const auto other = helper.CreateController(devices);
        NS_TEST_EXPECT_MSG_EQ((other->GetAllocator() != nullptr), true, "an allocator decides");
    }

    /// What does not exist or does not fit.
    void CheckRefusals()
    {
        SipRingHelper ring;
        SipOcsHelper ocs;
        NodeContainer nodes;
        nodes.Create(4);
        const auto devices = ring.Install(nodes);
        const std::vector<std::pair<std::function<void()>, std::string>> wrong = {
            {[&]() { ring.SetAlgorithm("solstice"); },
             "There is no allocator 'solstice' for this fabric: the known ones are max-min"},
            {[&]() { ocs.SetScheduler("ns3::lightpath::RingMaxMinAllocator"); },
             "There is no circuit scheduler 'ns3::lightpath::RingMaxMinAllocator'"},
            {[&]() { ocs.SetScheduler("ns3::lightpath::CircuitScheduler"); },
             "There is no circuit scheduler"},
            {[&]() { ocs.SetSchedulerAttribute("X", StringValue("1")); }, "SetScheduler() first"},
            {[&]() { ring.CreateScheduler(devices); }, "There is no scheduler for the fabric"},
            {[&]() {
                 ring.SetScheduler("ns3::lightpath::tests::OneSlotScheduler");
                 ring.CreateScheduler(devices);
             },
             "OneSlotScheduler does not know this fabric"},
            {[&]() { ring.CheckComponent("segment:4:cw", 4); }, "segment"},
            {[&]() { ring.CheckComponent("switch:0", 4); }, "switch:0"},
            {[&]() { ocs.CheckComponent("switch:20", 4); }, "20"},
        };
        for (const auto& [call, part] : wrong)
        {
            const std::string sentence = GetError(call);
            NS_TEST_EXPECT_MSG_EQ(Contains(sentence, part), true, part << ": " << sentence);
        }
        NS_TEST_EXPECT_MSG_EQ(GetError([&]() { ring.CheckComponent("segment:3:cw", 4); }),
                              "",
                              "a segment that exists");
        NS_TEST_EXPECT_MSG_EQ(GetError([&]() { ocs.CheckComponent("port:19:3", 4); }),
                              "",
                              "a port that exists");
    }

    /// Switches with ports for some nodes only.
    void CheckPorts()
    {
        SipOcsHelper helper;
        helper.SetNSwitches(2);
        helper.SetNPorts(1, 3);
        NodeContainer nodes;
        nodes.Create(4);
        const auto devices = helper.Install(nodes);
        const auto channel = DynamicCast<CircuitSwitchChannel>(FabricHelper::GetChannel(devices));
        const auto allocator =
            DynamicCast<CircuitSwitchAllocator>(helper.CreateAllocator(nodes.GetN()));
        for (const auto* geometry : {&channel->GetGeometry(), &allocator->GetGeometry()})
        {
            NS_TEST_EXPECT_MSG_EQ(geometry->GetNPorts(0), 4, "all ports");
            NS_TEST_EXPECT_MSG_EQ(geometry->GetNPorts(1), 3, "three ports");
        }
        helper.SetNPorts(2, 3);
        NS_TEST_EXPECT_MSG_EQ(GetError([&]() { helper.CreateAllocator(4); }).empty(),
                              false,
                              "a switch that does not exist");
    }
};

/**
 * @ingroup lightpath-tests
 * @brief A report says what was decided, and refuses what the fabric cannot carry.
 */
class AllocationReportTestCase : public TestCase
{
  public:
    AllocationReportTestCase()
        : TestCase("Reports on decisions")
    {
    }

  private:
    void DoRun() override
    {
        CheckRing();
        CheckSchedule();
        Simulator::Destroy();
    }

    /// A ring of 4 nodes with 1 fibre of 2 wavelengths, worked out by hand.
    void CheckRing()
    {
        SipRingHelper helper;
        helper.SetNFibres(1);
        helper.SetBandwidth(DataRate("100Gbps"));
        NodeContainer nodes;
        nodes.Create(4);
        const auto channel =
            DynamicCast<OpticalChannel>(FabricHelper::GetChannel(helper.Install(nodes)));
        channel->SetFailed("segment:2:ccw", true);
        TrafficMatrix demand(4);
        demand.Add(0, 2, 1000000);
        demand.Add(1, 3, 500000);
        CircuitAllocation allocation;
        allocation.plan.AddLane(0, 2, {0, 1});
        allocation.unserved = {{1, 3}};
        allocation.objective = 0.5;
        allocation.bound = 2;
        const CircuitAlgorithm algorithm{"by-hand", "Hand", "what one likes"};
        const AllocationReport report(channel, demand, algorithm, allocation, 0.25);
        std::ostringstream table;
        report.PrintTable(table);
        for (const std::string part : {"by-hand",
                                       "2 among 4 ports, 1.5 MB, 1 peers",
                                       "served          1\n",
                                       "1: 1 to 3\n",
                                       "0.5: what one likes",
                                       "75.00 %",
                                       "2 of 14 wavelengths of segments",
                                       "250 ms"})
        {
            NS_TEST_EXPECT_MSG_EQ(Contains(table.str(), part), true, part << table.str());
        }
        const auto json = report.GetJson();
        NS_TEST_EXPECT_MSG_EQ(json.at("gapPercent").get<double>(), 75, "gap");
        NS_TEST_EXPECT_MSG_EQ(json.at("lanesUsed").get<int>(), 2, "two segments");
        NS_TEST_EXPECT_MSG_EQ(json.at("lanesTotal").get<int>(), 14, "of 2 x 4 x 2, 2 have failed");
        NS_TEST_EXPECT_MSG_EQ(json.at("lightpaths").dump(),
                              "[{\"source\":0,\"destination\":2,\"bytes\":1000000,"
                              "\"lanes\":[[0,1]]}]",
                              "lightpaths");
        allocation.plan.AddLane(1, 3, {0, 1});
        const std::string conflict = GetError(
            [&]() { AllocationReport(channel, demand, algorithm, allocation, 0.25).GetJson(); });
        NS_TEST_EXPECT_MSG_EQ(Contains(conflict, "Internal error: a Hand has made a plan"),
                              true,
                              conflict);
        allocation = CircuitAllocation();
        const AllocationReport none(channel, demand, algorithm, allocation, 0);
        NS_TEST_EXPECT_MSG_EQ(none.GetJson().at("bound").is_null(), true, "no bound");
    }

    /// A schedule of two slots on 1 switch for 3 devices, worked out by hand.
    void CheckSchedule()
    {
        SipOcsHelper helper;
        helper.SetNSwitches(1);
        helper.SetBandwidth(DataRate("100Gbps"));
        NodeContainer nodes;
        nodes.Create(3);
        const auto channel =
            DynamicCast<OpticalChannel>(FabricHelper::GetChannel(helper.Install(nodes)));
        TrafficMatrix demand(3);
        demand.Add(0, 1, 1000);
        demand.Add(0, 2, 1000);
        CircuitSchedule schedule;
        schedule.slots.resize(2);
        schedule.slots[0].plan.AddLane(0, 1, {0, 0});
        schedule.slots[0].duration = MicroSeconds(2);
        schedule.slots[1].plan.AddLane(0, 2, {0, 0});
        schedule.slots[1].duration = MicroSeconds(1);
        schedule.makespan = MicroSeconds(5);
        schedule.bound = MicroSeconds(4);
        schedule.unserved = TrafficMatrix(3);
        const CircuitAlgorithm algorithm{"by-hand", "Hand", "time"};
        const AllocationReport report(channel, demand, algorithm, schedule, 1e-6);
        std::ostringstream table;
        report.PrintTable(table);
        for (const std::string part : {"slots           2\n",
                                       "objective       5 us: time\n",
                                       "bound           4 us\n",
                                       "gap             20.00 %\n",
                                       "bytes left      0\n",
                                       "unserved        0\n"})
        {
            NS_TEST_EXPECT_MSG_EQ(Contains(table.str(), part), true, part << table.str());
        }
        const auto json = report.GetJson();
        NS_TEST_EXPECT_MSG_EQ(json.at("slots").size(), 2, "slots");
        NS_TEST_EXPECT_MSG_EQ_TOL(json.at("slots")[0].at("durationSeconds").get<double>(),
                                  2e-6,
                                  1e-15,
                                  "duration");
        std::ostringstream svg;
        report.PrintChart(svg);
        NS_TEST_EXPECT_MSG_EQ(Contains(svg.str(), "0\u21921"), true, "the first slot");
        NS_TEST_EXPECT_MSG_EQ(Contains(svg.str(), "0\u21922"), false, "the first slot only");
        schedule.unserved.Add(0, 2, 10);
        const AllocationReport partial(channel, demand, algorithm, schedule, 1e-6);
        std::ostringstream rest;
        partial.PrintTable(rest);
        for (const std::string part :
             {"gap             unknown\n", "bytes left      10\n", "unserved        1: 0 to 2\n"})
        {
            NS_TEST_EXPECT_MSG_EQ(Contains(rest.str(), part), true, part << rest.str());
        }
        NS_TEST_EXPECT_MSG_EQ(partial.GetJson().at("gapPercent").is_null(), true, "no gap");
        schedule.slots[1].plan.AddLane(0, 1, {0, 0});
        NS_TEST_EXPECT_MSG_EQ(
            Contains(GetError([&]() {
                         AllocationReport(channel, demand, algorithm, schedule, 0).GetJson();
                     }),
                     "Internal error"),
            true,
            "two circuits from one input");
    }
};

/**
 * @ingroup lightpath-tests
 * @brief Tests of what helps to choose and judge decisions on circuits.
 */
class HelperCircuitsTestSuite : public TestSuite
{
  public:
    HelperCircuitsTestSuite()
        : TestSuite("lightpath-helper-circuits", Type::UNIT)
    {
        AddTestCase(new AlgorithmTestCase());
        AddTestCase(new AllocationReportTestCase());
    }
};

static HelperCircuitsTestSuite g_helperCircuitsTestSuite; //!< Registers the suite
