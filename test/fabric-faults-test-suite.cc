/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "expect-error.h"
#include "fabric-fault-tests.h"
#include "fabric-fixture.h"
#include "fabric-parts.h"
#include "method-case.h"

#include "ns3/circuit-switch-channel.h"
#include "ns3/double.h"
#include "ns3/mrr-ring-channel.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <functional>

using namespace ns3;
using namespace ns3::lightpath;

/**
 * @ingroup lightpath-tests
 * @brief Tests of failures in fabrics of circuits.
 */
class FabricFaultsTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /**
     * Sinks of traces that let components fail or configure plans.
     *
     * Frames as in FaultSequenceTestCase, of 20000 and 1000 bytes.
     */
    void TestFaultSink()
    {
        const auto frameSink = [this](const std::string& trace, uint32_t count) {
            return [this, trace, count](OpticalChannel* fabric, OpticalNetDevice* device) {
                device->TraceConnectWithoutContext(
                    trace,
                    Callback<void, Ptr<const Packet>>([this, fabric, count](Ptr<const Packet>) {
                        if (++m_calls == count)
                        {
                            fabric->SetFailed("switch:0", true);
                        }
                    }));
            };
        };
        // The second frame has one lane from 10000 ns on
        Run("PhyTxEnd", frameSink("PhyTxEnd", 1), {}, {10000, 11000});
        Run("PhyTxBegin", frameSink("PhyTxBegin", 2), {}, {10000, 11000});

        const CircuitPlan last = MakePlan(0, 1, {{2, 0}});
        const auto breakBoth = [](Ptr<OpticalChannel> fabric) {
            fabric->SetFailed("switch:0", true);
            fabric->SetFailed("switch:1", true);
        };
        // 12000 bytes on one lane from 7000 ns on
        Run("LightpathDown",
            [last](OpticalChannel* fabric, OpticalNetDevice* device) {
                device->TraceConnectWithoutContext(
                    "LightpathDown",
                    Callback<void, uint32_t>(
                        [fabric, last](uint32_t) { fabric->Configure(last); }));
            },
            breakBoth,
            {19000, 20000});
        // 12000 bytes on two lanes from 7000 ns on
        Run(
            "Fault",
            [](OpticalChannel* fabric, OpticalNetDevice*) {
                fabric->TraceConnectWithoutContext(
                    "Fault",
                    Callback<void, const std::string&, bool>([fabric](const std::string&, bool) {
                        fabric->Configure(MakePlan(0, 1, {{1, 0}, {2, 0}}));
                    }));
            },
            [](Ptr<OpticalChannel> fabric) { fabric->SetFailed("switch:0", true); },
            {13000, 13500});
        Run(
            "Dark",
            [this, last](OpticalChannel* fabric, OpticalNetDevice*) {
                fabric->TraceConnectWithoutContext(
                    "Dark",
                    Callback<void, const CircuitPlan&>(
                        [fabric, last](const CircuitPlan&) { fabric->Configure(last); }));
                fabric->TraceConnectWithoutContext(
                    "Light",
                    Callback<void, const CircuitPlan&>([this, last](const CircuitPlan& plan) {
                        NS_TEST_EXPECT_MSG_EQ((plan == last), true, "one plan has light");
                        ++m_calls;
                    }));
            },
            [](Ptr<OpticalChannel> fabric) {
                fabric->Configure(MakePlan(0, 1, {{1, 0}}));
            },
            {19000, 20000});
        NS_TEST_EXPECT_MSG_EQ(m_calls, 1, "light once");
    }

    /// Bits already sent arrive, over the paths that they were sent on.
    void TestFaultPropagation()
    {
        // One hop takes 4896.72 ns: 1000 m x 1.468 / 299792458 m/s; the other way is seven
        const Lane shortWay{0, 0};
        const Lane longWay{1, 0};
        const auto fail = [](const std::string& component) {
            return [component](Ptr<OpticalChannel> ring) { ring->SetFailed(component, true); };
        };
        const auto change = [](Lane lane) {
            return [lane](Ptr<OpticalChannel> ring) { ring->Configure(MakePlan(0, 1, {lane})); };
        };
        // 1000 bytes end at 1000 ns
        RunFaultPropagation(shortWay,
                            1500,
                            fail("segment:0"),
                            1000 + 4896.72,
                            "fails behind the frame");
        RunFaultPropagation(shortWay,
                            1000,
                            fail("segment:0"),
                            1000 + 4896.72,
                            "fails as the frame ends");
        RunFaultPropagation(shortWay,
                            1000,
                            change(longWay),
                            1000 + 4896.72,
                            "no bit goes the long way");
        RunFaultPropagation(longWay, 0, change(shortWay), 1000 + 4896.72, "nor before");
        RunFaultPropagation(longWay,
                            1000,
                            change(shortWay),
                            1000 + 34277.07,
                            "all bits go the long way");
        RunFaultPropagation(longWay,
                            1,
                            change(shortWay),
                            1 + 34277.07,
                            "the first byte goes the long way");
        RunFaultPropagation(shortWay,
                            999,
                            change(longWay),
                            1000 + 34277.07,
                            "the last byte goes the long way");
    }

    /// A fibre fails that no lightpath begins on, but that nodes convert to.
    void TestConvertedLanesFault()
    {
        const auto ring = MakeChannel<MrrRingChannel>(
            {{"NFibres", "2"}, {"NWavelengths", "1"}, {"WavelengthMode", "LoadOnly"}});
        FabricFixture fixture(ring, 3);
        const CircuitPlan plan =
            MakeCircuits({{0, 2, {0, 0}}, {1, 0, {0, 0}}, {2, 1, {0, 0}}, {2, 1, {3, 0}}});
        ring->Configure(plan);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(ring->GetLive().GetNLanes(), 4, "two lanes in each segment");
        ring->SetFailed("fibre:1", true);
        const CircuitPlan left = MakeCircuits({{0, 2, {0, 0}}, {2, 1, {3, 0}}});
        NS_TEST_EXPECT_MSG_EQ((ring->GetPlan() == left), true, "one lane in each segment");
        NS_TEST_EXPECT_MSG_EQ((ring->GetLive() == left), true, "at once");
        NS_TEST_EXPECT_MSG_EQ(ring->Check(left), "", "which the ring can carry");
        EXPECT_PART(ring->Check(plan), "exceeds the 1 lanes clockwise");
    }

  private:
    /**
     * @param name the name of the trace
     * @param connect connects the sink
     * @param event the event at 4000 ns
     * @param expected when the frames arrive, in ns
     */
    void Run(const std::string& name,
             const std::function<void(OpticalChannel*, OpticalNetDevice*)>& connect,
             const std::function<void(Ptr<OpticalChannel>)>& event,
             const std::vector<int64_t>& expected)
    {
        m_calls = 0;
        const auto fabric =
            MakeChannel<CircuitSwitchChannel>({{"NSwitches", "3"}, {"FibreLength", "0"}});
        SetTimes(fabric);
        FabricFixture fixture(fabric, 2);
        fabric->Configure(MakePlan(0, 1, {{0, 0}, {1, 0}}));
        // No Ptr: the traces would then hold what holds them
        connect(PeekPointer(fabric), PeekPointer(fixture.devices[0]));
        fixture.sources[0]->Send(1, 20000);
        Simulator::Schedule(NanoSeconds(1), [&]() { fixture.sources[0]->Send(1, 1000); });
        if (event)
        {
            Simulator::Schedule(NanoSeconds(4000), [&]() { event(fabric); });
        }
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(fixture.received[1].size(), 2, "each frame once, " << name);
        for (uint32_t frame = 0; frame < 2; ++frame)
        {
            NS_TEST_EXPECT_MSG_EQ(fixture.received[1][frame],
                                  NanoSeconds(expected[frame]),
                                  "frame " << frame << ", " << name);
        }
    }

    /**
     * @param lane the first lane from 0 to 1
     * @param time the time of the event, in ns
     * @param event the event
     * @param expected when a frame of 1000 bytes arrives, in ns
     * @param name the name of the check
     */
    void RunFaultPropagation(Lane lane,
                             int64_t time,
                             const std::function<void(Ptr<OpticalChannel>)>& event,
                             double expected,
                             const std::string& name)
    {
        const auto ring = MakeChannel<MrrRingChannel>({{"NFibres", "1"}, {"NodeDistance", "1000"}});
        SetTimes(ring);
        ring->SetAttribute("SwitchingDelay", TimeValue(Time(0)));
        FabricFixture fixture(ring, 8);
        ring->Configure(MakePlan(0, 1, {lane}));
        // Scheduled before the end of the frame, so that it comes first where they coincide
        Simulator::Schedule(NanoSeconds(time), [&]() { event(ring); });
        fixture.sources[0]->Send(1, 1000);
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(fixture.received[1].size(), 1, name);
        NS_TEST_EXPECT_MSG_EQ_TOL(fixture.received[1][0].GetNanoSeconds(), expected, 1, name);
    }

    uint32_t m_calls{0}; //!< Calls of the sink
};

/// Registers the test cases
static const SuiteCases g_fabricFaultsCases(
    "lightpath-fabric-faults",
    {{MakeCase("Sinks of traces that let components fail or configure plans",
               &FabricFaultsTests::TestFaultSink),
      MakeCase("What has been sent arrives, over its own paths",
               &FabricFaultsTests::TestFaultPropagation),
      MakeCase("A fibre fails to which nodes changed",
               &FabricFaultsTests::TestConvertedLanesFault)}});
