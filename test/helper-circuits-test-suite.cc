/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "expect-error.h"
#include "method-case.h"

#include "ns3/circuit-switch-allocator.h"
#include "ns3/circuit-switch-channel.h"
#include "ns3/electrical-switch-helper.h"
#include "ns3/fabric-description.h"
#include "ns3/node-container.h"
#include "ns3/simulator.h"
#include "ns3/sip-ocs-helper.h"
#include "ns3/sip-ring-helper.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <set>
#include <tuple>

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
        CheckRotors();
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
            NS_TEST_EXPECT_MSG_EQ(circuits.CheckAlgorithm(algorithm.name), "", algorithm.name);
            circuits.SetAlgorithm(algorithm.name);
            NodeContainer nodes(4);
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
        NodeContainer nodes(4);
        const auto devices = helper.Install(nodes);
        helper.SetScheduler("ns3::lightpath::tests::OneSlotScheduler");
        NS_TEST_EXPECT_MSG_EQ(FabricDescription::Create(helper)->GetLimits(4).allocators.empty(),
                              true,
                              "nothing to ask");
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

    /// Unknown and unsuitable names.
    void CheckRefusals()
    {
        SipRingHelper ring;
        SipOcsHelper ocs;
        NodeContainer nodes(4);
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
        };
        for (const auto& [call, part] : wrong)
        {
            EXPECT_ABORT(part, call);
        }
        for (const auto& [sentence, part] : std::vector<std::pair<std::string, std::string>>{
                 {ring.CheckComponent("segment:4:cw", 4), "4 must be less than 4"},
                 {ring.CheckComponent("switch:0", 4), "A ring has no component 'switch:0'"},
                 {ocs.CheckComponent("switch:20", 4), "20 must be less than 20"},
                 {ElectricalSwitchHelper().CheckComponent("switch:0", 4), "can fail"}})
        {
            EXPECT_PART(sentence, part);
        }
        NS_TEST_EXPECT_MSG_EQ(ring.CheckComponent("segment:3:cw", 4), "", "a segment that exists");
        NS_TEST_EXPECT_MSG_EQ(ocs.CheckComponent("port:19:3", 4), "", "a port that exists");
    }

    /// Rotors whose turns are too long for their slots are refused before any is made.
    void CheckRotors()
    {
        SipOcsHelper helper;
        helper.SetAlgorithm("rotor");
        helper.SetChannelAttribute("PauseMode", StringValue("Partial"));
        helper.SetChannelAttribute("SwitchingDelay", StringValue("6us"));
        NodeContainer nodes(4);
        const auto devices = helper.Install(nodes);
        const std::string refusal = helper.CheckController(4);
        EXPECT_PART(refusal, "20 rotors cannot turn one after the other");
        EXPECT_PART(refusal, "SlotTime must be longer than +114us");
        EXPECT_ABORT("SlotTime must be longer than", [&]() { helper.CreateController(devices); });
        helper.SetSchedulerAttribute("SlotTime", StringValue("115us"));
        NS_TEST_EXPECT_MSG_EQ(helper.CheckController(4), "", "(115 + 6) / 20 is above 6");
    }

    /// Switches with ports for some nodes only.
    void CheckPorts()
    {
        SipOcsHelper helper;
        helper.SetNSwitches(2);
        helper.SetNPorts(1, 3);
        NodeContainer nodes(4);
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
        NS_TEST_EXPECT_MSG_EQ(GetAbort([&]() { helper.CreateAllocator(4); }).empty(),
                              false,
                              "a switch that does not exist");
    }
};

/**
 * @ingroup lightpath-tests
 * @brief The fibres and ports of switches that fabrics consist of.
 */
class FabricPlantTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /**
     * A fabric of 16 ports.
     *
     * @param name its name
     * @param fibres the number of its fibres, or links, in one direction
     * @param ports the number of ports of its switches
     */
    void TestPlant(const std::string& name, uint64_t fibres, uint64_t ports)
    {
        const auto helper = FabricHelper::Create(name);
        if (name == "sip-ring")
        {
            helper->SetChannelAttribute("NFibres", UintegerValue(2));
        }
        const auto devices = helper->Install(NodeContainer(16));
        const FabricPlant plant = FabricHelper::GetChannel(devices)->GetPlant();
        NS_TEST_EXPECT_MSG_EQ(plant.nFibres, fibres, "fibres of " << name);
        NS_TEST_EXPECT_MSG_EQ(plant.nSwitchPorts, ports, "ports of " << name);
        Simulator::Destroy();
    }

    /// A job of one GPU asks for them as well.
    void TestOne()
    {
        for (const std::string name : {"electrical", "sip-ocs", "sip-ring", "oddl"})
        {
            const auto devices = FabricHelper::Create(name)->Install(NodeContainer(1));
            NS_TEST_EXPECT_MSG_GT(FabricHelper::GetChannel(devices)->GetPlant().nFibres, 0, name);
            Simulator::Destroy();
        }
    }
};

/// Registers the test cases
static const SuiteCases g_helperCircuitsCases(
    "lightpath-helper-circuits",
    {{new AlgorithmTestCase()},
     // A link each way; with 20 switches; two fibres each way to each neighbour; a row and a column
     // each; 2 leaves with 8 links down and 8 to spines; 8 switches with 2 ports
     MakeCases("Fibres and ports",
               &FabricPlantTests::TestPlant,
               {{"electrical", 32, 16},
                {"sip-ocs", 640, 320},
                {"sip-ring", 64, 0},
                {"oddl", 64, 32},
                {"leaf-spine-flows", 64, 48},
                {"rail-only", 32, 16}}),
     {MakeCase("Fibres of a fabric with one GPU", &FabricPlantTests::TestOne)}});
