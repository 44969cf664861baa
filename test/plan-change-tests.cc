/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "controller-fixture.h"
#include "fabric-parts.h"
#include "method-case.h"
#include "model/control/plan-change.h"

#include "ns3/boolean.h"
#include "ns3/mrr-ring-channel.h"

#include <algorithm>

using namespace ns3;
using namespace ns3::lightpath;

/**
 * @ingroup lightpath-tests
 * @brief The test cases of changes from one plan to another.
 */
class PlanChangeTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /// Switch after switch changes its circuits, while the others carry light.
    void TestFibreByFibre()
    {
        constexpr uint32_t ports = 5;
        constexpr uint32_t switches = 4;
        constexpr int64_t delay = 1000;
        constexpr int64_t interval = 20000;
        ControllerFixture run(ports, switches, NanoSeconds(delay));
        run.channel->SetAttribute("PauseMode", StringValue("Partial"));
        run.controller->SetAttribute("FibreByFibre", BooleanValue(true));
        run.controller->SetAttribute("Trigger", StringValue("Periodic"));
        run.controller->SetAttribute("DecisionInterval", TimeValue(NanoSeconds(interval)));
        CircuitPlan third = ControllerFixture::GetShift(ports, 2, {0, 1, 3});
        for (uint32_t port = 0; port < ports; ++port)
        {
            third.AddLane(port, (port + 1) % ports, {2, 0});
        }
        run.controller->SetAllocator(CreateObject<PlansInTurn>(
            ports,
            std::vector<CircuitPlan>{ControllerFixture::GetShift(ports, 1, {0, 1, 2, 3}),
                                     ControllerFixture::GetShift(ports, 2, {0, 1, 2, 3}),
                                     third}));
        const TrafficMatrix demand = ControllerFixture::GetDemand(ports, {1, 2}, 100000 * 1000);
        run.Send(demand, 1000);
        run.controller->Start(demand);
        // Bytes in each ns: all lanes, or those of all switches but one
        const int64_t second = delay + interval;
        const int64_t last = second + switches * delay + interval;
        const auto expected = [=](int64_t time) -> uint64_t {
            const int64_t lit = std::max<int64_t>(time - delay, 0) * switches;
            const int64_t steps = std::clamp<int64_t>(time - second, 0, switches * delay) +
                                  std::clamp<int64_t>(time - last, 0, delay);
            return (lit - steps) * ports;
        };
        for (int64_t time = 0; time < last + 2 * delay; time += 250)
        {
            Simulator::Schedule(NanoSeconds(time), [&, time]() {
                NS_TEST_EXPECT_MSG_EQ(demand.GetTotal() - run.controller->GetBacklog().GetTotal(),
                                      expected(time),
                                      "bytes sent at " << time << " ns");
            });
        }
        Simulator::Stop(NanoSeconds(last + 2 * delay));
        Simulator::Run();
        // All at once first, then four steps, then the one switch that changes
        NS_TEST_ASSERT_MSG_EQ(run.light.size(), 1 + switches + 1, "changes");
        for (uint32_t step = 0; step < switches; ++step)
        {
            NS_TEST_EXPECT_MSG_EQ(run.light[1 + step],
                                  NanoSeconds(second + (step + 1) * delay),
                                  "light of switch " << step);
        }
        NS_TEST_EXPECT_MSG_EQ(run.light.back(), NanoSeconds(last + delay), "a single step");
        NS_TEST_EXPECT_MSG_EQ((run.channel->GetPlan() == third), true, "the plan");
        run.controller->Stop();
        Simulator::Destroy();
    }

    /// A step that the fabric cannot carry on its own is taken with the next one.
    void TestDuplexSteps()
    {
        // Both directions of a pair are on the same switch, so that each step is feasible
        ControllerFixture run(4, 2, NanoSeconds(100), true);
        run.channel->SetAttribute("PauseMode", StringValue("Partial"));
        run.controller->SetAttribute("FibreByFibre", BooleanValue(true));
        CircuitPlan pairs;
        CircuitPlan others;
        for (const uint32_t circuitSwitch : {0U, 1U})
        {
            for (const auto& [a, b] : std::vector<PortPair>{{0, 1}, {1, 0}, {2, 3}, {3, 2}})
            {
                pairs.AddLane(a, b, {circuitSwitch, 0});
                others.AddLane(a, 3 - b, {circuitSwitch, 0});
            }
        }
        run.controller->SetAllocator(
            CreateObject<PlansInTurn>(4, std::vector<CircuitPlan>{pairs, others}));
        const TrafficMatrix demand = ControllerFixture::GetDemand(4, {1}, 1000);
        run.controller->Start(demand);
        Simulator::Schedule(NanoSeconds(1000), [&]() { run.controller->Start(demand); });
        Simulator::Schedule(NanoSeconds(1050), [&]() {
            const CircuitPlan& mixed = run.channel->GetPlan();
            NS_TEST_EXPECT_MSG_EQ(mixed.GetLanes(0, 2).size(), 1, "new on switch 0");
            NS_TEST_EXPECT_MSG_EQ(mixed.GetLanes(0, 1).size(), 1, "old on switch 1");
            NS_TEST_EXPECT_MSG_EQ(mixed.GetNLanes(), 8, "all ports in use");
        });
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(run.light.size(), 3, "two steps after the first plan");
        NS_TEST_EXPECT_MSG_EQ(run.light.back(), NanoSeconds(1200), "their time");
        Simulator::Destroy();
        CheckConversion();
    }

    /// A channel goes back to the plan that it carries while frames are finished.
    void TestDrainReturn()
    {
        const CircuitPlan one = ControllerFixture::GetShift(3, 1, {0});
        const CircuitPlan two = ControllerFixture::GetShift(3, 2, {0});
        ControllerFixture run(3, 1, NanoSeconds(500));
        run.channel->SetAttribute("FrameCut", StringValue("Finish"));
        run.Send(ControllerFixture::GetDemand(3, {1}, 10000), 1000);
        run.channel->Configure(one);
        // Light from 500 on; the third frame ends at 3500
        Simulator::Schedule(NanoSeconds(2600), [&]() { run.channel->Configure(two); });
        Simulator::Schedule(NanoSeconds(3400), [&]() { run.channel->Configure(one); });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(run.dark.size(), 1, "no other darkness");
        NS_TEST_EXPECT_MSG_EQ(run.channel->GetDarkTime(), NanoSeconds(500), "its time");
        NS_TEST_EXPECT_MSG_EQ(run.channel->IsChanging(), false, "nothing is switched");
        for (const auto& times : run.fabric.received)
        {
            NS_TEST_ASSERT_MSG_EQ(times.size(), 10, "frames");
            NS_TEST_EXPECT_MSG_EQ(times.back(), NanoSeconds(10500), "without a gap");
        }
        Simulator::Destroy();
    }

  private:
    /// Where nodes convert wavelengths, any two lanes of a segment stand for its two.
    void CheckConversion()
    {
        const auto ring = MakeChannel<MrrRingChannel>({{"NFibres", "2"},
                                                       {"NWavelengths", "1"},
                                                       {"WavelengthMode", "LoadOnly"},
                                                       {"PauseMode", "Partial"}});
        FabricFixture fabric(ring, 4);
        CircuitPlan first = MakeCircuits({{1, 3, {1, 0}}, {0, 2, {1, 0}}});
        const CircuitPlan second = MakeCircuits({{1, 3, {0, 0}}, {0, 2, {0, 0}}});
        uint32_t ends = 0;
        PlanChange change;
        change.SetChannel(ring);
        change.SetCallback(Callback<void>([&ends]() { ++ends; }));
        change.Begin(first, true);
        Simulator::Run();
        change.Begin(second, true);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(ends, 2, "both changes end");
        NS_TEST_EXPECT_MSG_EQ(change.GetNSteps(), 1, "both fibres at once, for want of lanes");
        NS_TEST_EXPECT_MSG_EQ((ring->GetPlan() == second), true, "the plan");
        change.SetChannel(nullptr);
    }
};

/// Registers the test cases
static const SuiteCases g_planChangeCases(
    "lightpath-controller",
    {{MakeCase("Circuits change switch by switch", &PlanChangeTests::TestFibreByFibre),
      MakeCase("Steps of duplex switches, and of a ring that converts wavelengths",
               &PlanChangeTests::TestDuplexSteps),
      MakeCase("Return to the live plan while frames are finished",
               &PlanChangeTests::TestDrainReturn)}});
