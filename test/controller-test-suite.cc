/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "controller-fixture.h"
#include "expect-error.h"
#include "method-case.h"

#include "ns3/boolean.h"
#include "ns3/circuit-fabric-helper.h"
#include "ns3/node-container.h"

using namespace ns3;
using namespace ns3::lightpath;

/**
 * @ingroup lightpath-tests
 * @brief Periodic decisions on a demand that one plan serves carry as much as a single one.
 */
class SteadyDemandTestCase : public TestCase
{
  public:
    /**
     * @param fabric the name of the fabric
     * @param pauseMode what is dark: "Global" or "Partial"
     * @param source the demand source
     */
    SteadyDemandTestCase(const std::string& fabric,
                         const std::string& pauseMode,
                         const std::string& source)
        : TestCase("Steady demand: " + fabric + ", " + pauseMode + ", " + source),
          m_fabric(fabric),
          m_pauseMode(pauseMode),
          m_source(source)
    {
    }

  private:
    /**
     * @param trigger the trigger
     * @param [out] dark the time of darkness
     * @return the bytes that have been sent
     */
    uint64_t Simulate(const std::string& trigger, Time& dark)
    {
        const auto helper = FabricHelper::Create(m_fabric);
        helper->SetChannelAttribute("PauseMode", StringValue(m_pauseMode));
        helper->SetChannelAttribute("SwitchingDelay", StringValue("20us"));
        auto& circuits = dynamic_cast<CircuitFabricHelper&>(*helper);
        circuits.SetControllerAttribute("Trigger", StringValue(trigger));
        circuits.SetControllerAttribute("DemandSource", StringValue(m_source));
        NodeContainer nodes;
        nodes.Create(6);
        const auto devices = helper->Install(nodes);
        const auto controller = helper->CreateController(devices);
        constexpr uint64_t bytes = uint64_t{1} << 33;
        const TrafficMatrix demand = ControllerFixture::GetDemand(6, {1, 5}, bytes);
        std::vector<std::unique_ptr<SizedFrames>> sources;
        for (uint32_t port = 0; port < 6; ++port)
        {
            const auto device = DynamicCast<OpticalNetDevice>(devices.Get(port));
            sources.push_back(std::make_unique<SizedFrames>(device));
            for (const uint32_t hop : {1U, 5U})
            {
                sources.back()->Send((port + hop) % 6, 1 << 20, bytes >> 20);
            }
        }
        controller->Start(demand);
        Simulator::Stop(MilliSeconds(3));
        Simulator::Run();
        dark = controller->GetChannel()->GetDarkTime();
        const uint64_t left = controller->GetBacklog().GetTotal();
        const auto channel = controller->GetChannel();
        const double rate = static_cast<double>(channel->GetLaneRate().GetBitRate()) / 8 *
                            channel->GetPlan().GetNLanes();
        NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(demand.GetTotal() - left),
                                  rate * (3e-3 - dark.GetSeconds()),
                                  1e-6 * rate * 3e-3,
                                  "bytes of all lanes while there is light");
        controller->Stop();
        Simulator::Destroy();
        return demand.GetTotal() - left;
    }

    void DoRun() override
    {
        Time darkOnce;
        Time dark;
        const uint64_t once = Simulate("Once", darkOnce);
        const uint64_t periodic = Simulate("Periodic", dark);
        const double lit = 1 - (dark - darkOnce).GetSeconds() / 3e-3;
        NS_TEST_EXPECT_MSG_EQ(darkOnce, MicroSeconds(20), "one darkness");
        NS_TEST_EXPECT_MSG_GT(periodic, 0.99 * lit * once, "but for its darkness");
        NS_TEST_EXPECT_MSG_EQ(dark, darkOnce, "no plan changes, so nothing is dark");
    }

    std::string m_fabric;    //!< Name of the fabric
    std::string m_pauseMode; //!< What is dark
    std::string m_source;    //!< Demand source
};

/**
 * @ingroup lightpath-tests
 * @brief Tests of circuit control in time.
 */
class ControllerTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /**
     * Periodic decisions that change all circuits come at the times of their closed form.
     *
     * @param frameCut the treatment of a frame that is being sent: "Resume" or "Finish"
     * @param pauseMode what is dark: "Global" or "Partial"
     * @param decisionTime the time of a decision in ns
     */
    void TestDutyCycle(const std::string& frameCut,
                       const std::string& pauseMode,
                       int64_t decisionTime)
    {
        constexpr int64_t interval = 10007;
        constexpr int64_t delay = 2003;
        constexpr uint32_t frame = 1009;
        constexpr uint32_t cycles = 50;
        ControllerFixture run(4, 1, NanoSeconds(delay));
        run.channel->SetAttribute("FrameCut", StringValue(frameCut));
        run.channel->SetAttribute("PauseMode", StringValue(pauseMode));
        run.controller->SetAttribute("Trigger", StringValue("Periodic"));
        run.controller->SetAttribute("DecisionInterval", TimeValue(NanoSeconds(interval)));
        run.controller->SetAttribute("DecisionTime", TimeValue(NanoSeconds(decisionTime)));
        run.controller->SetAllocator(CreateObject<PlansInTurn>(
            4,
            std::vector<CircuitPlan>{ControllerFixture::GetShift(4, 1, {0}),
                                     ControllerFixture::GetShift(4, 3, {0})}));
        const TrafficMatrix demand =
            ControllerFixture::GetDemand(4, {1, 3}, uint64_t{frame} * 10000);
        run.Send(demand, frame);
        run.controller->Start(demand);
        // A frame that is finished first keeps its circuit lit; all frames begin with the light
        const int64_t lit = interval + decisionTime;
        const int64_t drain = frameCut == "Finish" ? (frame - lit % frame) % frame : 0;
        const int64_t period = lit + drain + delay;
        Simulator::Stop(NanoSeconds(decisionTime + cycles * period - drain - 1));
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(run.light.size(), cycles, "reconfigurations");
        NS_TEST_ASSERT_MSG_EQ(run.decided.size(), cycles, "decisions");
        for (int64_t cycle = 0; cycle < cycles; ++cycle)
        {
            const Time light = NanoSeconds(decisionTime + delay + cycle * period);
            NS_TEST_EXPECT_MSG_EQ(run.light[cycle], light, "light of cycle " << cycle);
            NS_TEST_EXPECT_MSG_EQ(run.dark[cycle], light - NanoSeconds(delay), "its darkness");
            const int64_t drained = cycle > 0 ? drain : 0;
            NS_TEST_EXPECT_MSG_EQ(run.decided[cycle],
                                  light - NanoSeconds(delay + drained),
                                  "its decision");
        }
        NS_TEST_EXPECT_MSG_EQ(run.channel->GetDarkTime(), NanoSeconds(cycles * delay), "darkness");
        run.controller->Stop();
        Simulator::Destroy();
    }

    /// The former circuits serve on while a decision is made for the demand at its beginning.
    void TestDecisionTime()
    {
        const TrafficMatrix one = ControllerFixture::GetDemand(3, {1}, 5000);
        const TrafficMatrix two = ControllerFixture::GetDemand(3, {2}, 7000);
        ControllerFixture run(3, 1, NanoSeconds(500));
        run.controller->SetAttribute("Trigger", StringValue("Phase"));
        run.controller->SetAttribute("DecisionTime", TimeValue(NanoSeconds(2000)));
        run.Send(one, 5000);
        run.Send(two, 7000);
        run.controller->NotifyPhase(one);
        run.controller->Start(two);
        // Light from 2500 on; the phase ends the service at 6000 + 2000, after all 5000 bytes
        Simulator::Schedule(NanoSeconds(6000), [&]() { run.controller->NotifyPhase(two); });
        // A demand that is announced during its own decision needs no second one
        Simulator::Schedule(NanoSeconds(7000), [&]() { run.controller->NotifyPhase(two); });
        // An announcement takes the place of another
        Simulator::Schedule(NanoSeconds(20000), [&]() { run.controller->NotifyPhase(one); });
        Simulator::Schedule(NanoSeconds(21000), [&]() { run.controller->NotifyPhase(two); });
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(run.decided.size(), 3, "decisions");
        NS_TEST_EXPECT_MSG_EQ(run.decided[0], NanoSeconds(2000), "the first is charged, too");
        NS_TEST_EXPECT_MSG_EQ((run.demands[0] == one), true, "and is for the phase");
        NS_TEST_EXPECT_MSG_EQ(run.decided[1], NanoSeconds(8000), "the second");
        NS_TEST_EXPECT_MSG_EQ(run.decided[2], NanoSeconds(23000), "the one that changes nothing");
        NS_TEST_ASSERT_MSG_EQ(run.light.size(), 2, "changes");
        NS_TEST_EXPECT_MSG_EQ(run.fabric.received[1].at(0), NanoSeconds(7500), "while it decides");
        NS_TEST_EXPECT_MSG_EQ(run.fabric.received[2].at(1),
                              NanoSeconds(15500),
                              "8000 + 500 + 7000");
        Simulator::Destroy();

        // The computation takes some time on any machine
        ControllerFixture measured(3, 1, NanoSeconds(500));
        measured.controller->SetAttribute("MeasureDecisionTime", BooleanValue(true));
        measured.controller->Start(one);
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(measured.light.size(), 1, "light");
        NS_TEST_EXPECT_MSG_GT(measured.light[0], NanoSeconds(500), "later than the switching");
        Simulator::Destroy();
    }

    /// A controller that is stopped keeps no simulation going, neither by a decision nor by an
    /// interval.
    void TestControllerStop()
    {
        for (const char* name : {"DecisionInterval", "DecisionTime"})
        {
            ControllerFixture run(4, 1, NanoSeconds(500));
            run.controller->SetAttribute("Trigger", StringValue("Periodic"));
            run.controller->SetAttribute(name, TimeValue(Seconds(5)));
            run.controller->SetAllocator(CreateObject<PlansInTurn>(
                4,
                std::vector<CircuitPlan>{ControllerFixture::GetShift(4, 1, {0})}));
            run.controller->Start(ControllerFixture::GetDemand(4, {1}, 1000));
            // A fault brings a decision in place of the one under way or to come
            Simulator::Schedule(MicroSeconds(1),
                                [&run]() { run.channel->SetFailed("switch:0", true); });
            Simulator::Schedule(MicroSeconds(2), [&run]() { run.controller->Stop(); });
            Simulator::Run();
            NS_TEST_EXPECT_MSG_EQ(Simulator::Now(), MicroSeconds(2), name);
            Simulator::Destroy();
        }
    }

    /// The slots of schedules are carried out one after the other.
    void TestControllerSchedule()
    {
        TrafficMatrix demand = ControllerFixture::GetDemand(4, {1}, 3000);
        for (uint32_t port = 0; port < 4; ++port)
        {
            demand.Add(port, (port + 2) % 4, 5000);
        }
        ControllerFixture run(4, 1, NanoSeconds(500));
        const auto scheduler = Prepare(run, false);
        Time makespan;
        run.controller->TraceConnectWithoutContext(
            "Schedule",
            Callback<void, const TrafficMatrix&, const CircuitSchedule&>(
                [&](const TrafficMatrix&, const CircuitSchedule& schedule) {
                    makespan = schedule.makespan;
                }));
        run.Send(demand, 1000);
        run.controller->Start(demand);
        // It waits for bytes at intervals, from the end of the schedule on
        Simulator::Schedule(NanoSeconds(25000), [&]() { run.Send(demand, 1000); });
        Simulator::Stop(NanoSeconds(80000));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(makespan, NanoSeconds(9000), "the makespan");
        NS_TEST_ASSERT_MSG_EQ(run.GetNReceived(), 2 * 32, "all frames, twice");
        for (const auto& times : run.fabric.received)
        {
            NS_TEST_EXPECT_MSG_EQ(times.at(7), makespan, "served in exactly the makespan");
            // Four of five frames go while the circuits of the last slot are still up
            NS_TEST_EXPECT_MSG_EQ(times.at(15), NanoSeconds(29000 + 4000 + 1000), "once more");
        }
        NS_TEST_EXPECT_MSG_EQ(scheduler->calls, 2, "decisions");
        NS_TEST_EXPECT_MSG_EQ(run.controller->IsPeriodic(), true, "others may follow");
        run.controller->Stop();
        Simulator::Destroy();

        CheckRepetition();
    }

    /**
     * A fault brings a decision, whatever the trigger.
     *
     * @param trigger the trigger
     */
    void TestControllerReplan(const std::string& trigger)
    {
        ControllerFixture run(2, 3, NanoSeconds(500));
        run.controller->SetAttribute("Trigger", StringValue(trigger));
        run.controller->SetAttribute("DecisionInterval", TimeValue(NanoSeconds(1000000)));
        run.controller->SetAttribute("DecisionTime", TimeValue(NanoSeconds(300)));
        std::vector<CircuitPlan> plans(3);
        for (const uint32_t index : {0U, 1U, 2U})
        {
            plans[index].AddLane(0, 1, {2 * index % 3, 0});
        }
        run.controller->SetAllocator(CreateObject<PlansInTurn>(2, plans));
        TrafficMatrix demand(2);
        demand.Add(0, 1, 10000);
        run.Send(demand, 10000);
        run.controller->Start(demand);
        Simulator::Schedule(NanoSeconds(2800), [&]() {
            // 2000 bytes have been sent; two of three switches fail, one of which is in use
            run.channel->SetFailed("switch:0", true);
            run.channel->SetFailed("switch:1", true);
        });
        Simulator::Schedule(NanoSeconds(20000), [&]() {
            // Nothing waits: the last demand served stands for it
            run.channel->SetFailed("switch:1", false);
            run.channel->SetFailed("switch:2", true);
        });
        Simulator::Stop(NanoSeconds(100000));
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(run.decided.size(), 3, "one decision for faults of one instant");
        NS_TEST_EXPECT_MSG_EQ(run.decided[1], NanoSeconds(3100), "begun at once");
        NS_TEST_ASSERT_MSG_EQ(run.fabric.received[1].size(), 1, "the frame");
        NS_TEST_EXPECT_MSG_EQ(run.fabric.received[1][0],
                              NanoSeconds(2800 + 300 + 500 + 8000),
                              "decision, darkness, and the bytes that were left");
        NS_TEST_EXPECT_MSG_EQ(run.decided[2], NanoSeconds(20300), "without any bytes");
        NS_TEST_EXPECT_MSG_EQ(run.channel->GetPlan().GetLanes(0, 1).size(), 1, "a new circuit");
        run.controller->Stop();
        Simulator::Destroy();

        ControllerFixture still(2, 2, NanoSeconds(500));
        still.controller->SetAttribute("ReplanOnFault", BooleanValue(false));
        still.controller->Start(demand);
        Simulator::Schedule(NanoSeconds(900),
                            [&]() { still.channel->SetFailed("switch:0", true); });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(still.decided.size(), 1, "no decision if none is wanted");
        Simulator::Destroy();
    }

    /// Attributes that do not fit together, and demands that need no decision.
    void TestControllerMisuse()
    {
        const TrafficMatrix demand = ControllerFixture::GetDemand(3, {1}, 1000);
        const auto refusal = [&demand](const std::function<void(ControllerFixture&)>& prepare) {
            return GetAbort([&]() {
                ControllerFixture run(3, 1, NanoSeconds(500));
                run.controller->SetAttribute("DecisionInterval", TimeValue(Time(0)));
                prepare(run);
                run.controller->Start(demand);
            });
        };
        NS_TEST_EXPECT_MSG_EQ(refusal([](ControllerFixture&) {}), "", "once needs no interval");
        const std::string interval = refusal([](ControllerFixture& run) {
            run.controller->SetAttribute("Trigger", StringValue("Periodic"));
        });
        NS_TEST_EXPECT_MSG_EQ(Contains(interval, "the Trigger Periodic needs a DecisionInterval"),
                              true,
                              interval);
        const std::string scheduler = refusal([](ControllerFixture& run) {
            run.controller->SetScheduler(
                CreateObject<OneSchedule>(std::vector<ScheduleSlot>(), false));
        });
        NS_TEST_EXPECT_MSG_EQ(Contains(scheduler, "with a scheduler needs a DecisionInterval"),
                              true,
                              scheduler);
        const std::string steps = refusal([](ControllerFixture& run) {
            run.controller->SetAttribute("FibreByFibre", BooleanValue(true));
        });
        NS_TEST_EXPECT_MSG_EQ(Contains(steps, "FibreByFibre needs a channel with the PauseMode"),
                              true,
                              steps);
        const std::string none =
            refusal([](ControllerFixture& run) { run.controller->SetAllocator(nullptr); });
        NS_TEST_EXPECT_MSG_EQ(Contains(none, "needs a channel, and an allocator"), true, none);
        Simulator::Destroy();
    }

  private:
    /**
     * @return a schedule for 3000 bytes to the next device and 5000 to the one after it
     */
    static std::vector<ScheduleSlot> GetSlots()
    {
        return {{ControllerFixture::GetShift(4, 1, {0}), NanoSeconds(3000)},
                {ControllerFixture::GetShift(4, 2, {0}), NanoSeconds(5000)}};
    }

    /**
     * @param run the controller to prepare
     * @param cyclic whether the schedule is repeated
     * @return the scheduler
     */
    static Ptr<OneSchedule> Prepare(ControllerFixture& run, bool cyclic)
    {
        const auto scheduler = CreateObject<OneSchedule>(GetSlots(), cyclic);
        scheduler->SetPlanes(std::make_shared<CircuitSwitchGeometry>(run.channel->GetGeometry()));
        scheduler->SetTiming(DataRate("8Gbps"), NanoSeconds(500));
        run.controller->SetScheduler(scheduler);
        run.controller->SetAttribute("DecisionInterval", TimeValue(NanoSeconds(10000)));
        return scheduler;
    }

    /// Waiting bytes are served at once, and cyclic schedules are repeated.
    void CheckRepetition()
    {
        const TrafficMatrix demand = ControllerFixture::GetDemand(4, {1, 2}, 15000);
        for (const bool cyclic : {false, true})
        {
            ControllerFixture run(4, 1, NanoSeconds(500));
            const auto scheduler = Prepare(run, cyclic);
            run.Send(demand, 1000);
            run.controller->Start(demand);
            NS_TEST_EXPECT_MSG_EQ(run.controller->GetUnserved().size(),
                                  (cyclic ? 0 : 8),
                                  "pairs that one round does not serve");
            Simulator::Stop(NanoSeconds(6 * 9000 - 1));
            Simulator::Run();
            NS_TEST_ASSERT_MSG_EQ(run.light.size(), (cyclic ? 12 : 10), "slots");
            for (std::size_t slot = 0; slot < run.light.size(); ++slot)
            {
                const uint64_t begin = slot / 2 * 9000 + slot % 2 * 3500 + 500;
                NS_TEST_EXPECT_MSG_EQ(run.light[slot], NanoSeconds(begin), "light of a slot");
            }
            NS_TEST_EXPECT_MSG_EQ(run.GetLastReceived(),
                                  NanoSeconds(4 * 9000 + 3500),
                                  "the fifth slot of 3000 bytes");
            NS_TEST_EXPECT_MSG_EQ(scheduler->calls, (cyclic ? 1 : 5), "decisions");
            NS_TEST_EXPECT_MSG_EQ(run.controller->IsPeriodic(), !cyclic, "others may follow");
            run.controller->Stop();
            Simulator::Destroy();
        }
    }
};

/**
 * @ingroup lightpath-tests
 * @return the test cases of this file
 */
static std::vector<TestCase*>
ListCases()
{
    std::vector<TestCase*> cases;
    for (const std::string frameCut : {"Resume", "Finish"})
    {
        for (const std::string pauseMode : {"Global", "Partial"})
        {
            cases.push_back(
                MakeCase("Duty cycle", &ControllerTests::TestDutyCycle, frameCut, pauseMode, 0));
        }
        cases.push_back(
            MakeCase("Duty cycle", &ControllerTests::TestDutyCycle, frameCut, "Global", 3001));
    }
    for (const std::string fabric : {"sip-ocs", "sip-ring"})
    {
        for (const std::string source : {"Planned", "Backlog"})
        {
            cases.push_back(new SteadyDemandTestCase(fabric, "Global", source));
            cases.push_back(new SteadyDemandTestCase(fabric, "Partial", source));
        }
    }
    cases.push_back(MakeCase("The time that decisions take", &ControllerTests::TestDecisionTime));
    cases.push_back(
        MakeCase("Schedules of two permutations", &ControllerTests::TestControllerSchedule));
    cases.push_back(
        MakeCase("Decisions after faults", &ControllerTests::TestControllerReplan, "Once"));
    cases.push_back(
        MakeCase("Decisions after faults", &ControllerTests::TestControllerReplan, "Periodic"));
    cases.push_back(MakeCase("A controller stops", &ControllerTests::TestControllerStop));
    cases.push_back(MakeCase("Refusals of a controller", &ControllerTests::TestControllerMisuse));
    return cases;
}

/// Registers the test cases
static const SuiteCases g_controllerCases("lightpath-controller", {ListCases()});
