/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "expect-error.h"
#include "fabric-fixture.h"
#include "fabric-parts.h"
#include "method-case.h"

#include "ns3/boolean.h"
#include "ns3/circuit-switch-channel.h"
#include "ns3/double.h"
#include "ns3/mrr-ring-channel.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

using namespace ns3;
using namespace ns3::lightpath;

/**
 * @ingroup lightpath-tests
 * @brief Tests of the fabrics of circuits.
 */
class FabricCircuitsTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /**
     * A message over a circuit that goes dark in the middle.
     *
     * One byte takes 1 ns on the first circuit and 0.5 ns on the second, which has two lanes. The
     * circuits change at 10 us and are dark for 3 us.
     *
     * @param frames the number of frames of 100 bytes, or 1 for one frame of 20000 bytes
     * @param cut "Resume" or "Finish"
     * @param expected the end of the message in ns
     */
    void TestDarkCircuit(uint32_t frames, const std::string& cut, int64_t expected)
    {
        const auto fabric = MakeChannel<CircuitSwitchChannel>({{"NSwitches", "3"},
                                                               {"LaneRate", "8Gbps"},
                                                               {"InitialSwitching", "false"},
                                                               {"SwitchingDelay", "3us"},
                                                               {"FrameCut", cut},
                                                               {"FibreLength", "0"}});
        FabricFixture fixture(fabric, 2);
        fabric->Configure(MakeCircuits({{0, 1, {0, 0}}}));
        CircuitPlan after = MakeCircuits({{0, 1, {1, 0}}, {0, 1, {2, 0}}});
        uint32_t up = 0;
        uint32_t down = 0;
        fixture.devices[0]->TraceConnectWithoutContext(
            "LightpathUp",
            Callback<void, uint32_t>([&up](uint32_t) { ++up; }));
        fixture.devices[0]->TraceConnectWithoutContext(
            "LightpathDown",
            Callback<void, uint32_t>([&down](uint32_t) { ++down; }));
        fixture.sources[0]->Send(1, 20000 / frames, frames);
        Simulator::Schedule(NanoSeconds(10050), &OpticalChannel::Configure, fabric, after);
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(fixture.received[1].size(), frames, "no frame is lost");
        NS_TEST_EXPECT_MSG_EQ(fixture.received[1].back(), NanoSeconds(expected), "the end");
        NS_TEST_EXPECT_MSG_EQ(fabric->GetDarkTime(), MicroSeconds(3), "the darkness");
        NS_TEST_EXPECT_MSG_EQ(fabric->GetNReconfigurations(), 2, "reconfigurations");
        NS_TEST_EXPECT_MSG_EQ(up, 1, "lightpaths that came up again");
        NS_TEST_EXPECT_MSG_EQ(down, 1, "lightpaths that went down");
    }

    /**
     * If only changing lanes are dark, all other lanes go on.
     *
     * @param partial true for PartialPause, false for GlobalPause
     * @param kept the end of a message on a circuit that stays, in ns
     * @param narrowed the end of a message on a circuit that loses one of two lanes, in ns
     */
    void TestPartialPause(bool partial, int64_t kept, int64_t narrowed)
    {
        const auto fabric =
            MakeChannel<CircuitSwitchChannel>({{"NSwitches", "2"},
                                               {"LaneRate", "8Gbps"},
                                               {"InitialSwitching", "false"},
                                               {"SwitchingDelay", "3us"},
                                               {"PauseMode", partial ? "Partial" : "Global"},
                                               {"FibreLength", "0"}});
        FabricFixture fixture(fabric, 4);
        const CircuitPlan before = MakeCircuits({{0, 1, {0, 0}}, {2, 3, {0, 0}}, {2, 3, {1, 0}}});
        fabric->Configure(before);
        const CircuitPlan after = MakeCircuits({{0, 1, {0, 0}}, {2, 3, {0, 0}}, {2, 1, {1, 0}}});
        fixture.sources[0]->Send(1, 20000);
        fixture.sources[2]->Send(3, 40000);
        Simulator::Schedule(MicroSeconds(10), &OpticalChannel::Configure, fabric, after);
        Simulator::Schedule(MicroSeconds(50), &OpticalChannel::Configure, fabric, after);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(fixture.received[1].at(0), NanoSeconds(kept), "unchanged circuit");
        NS_TEST_EXPECT_MSG_EQ(fixture.received[3].at(0), NanoSeconds(narrowed), "one lane less");
        NS_TEST_EXPECT_MSG_EQ(fabric->GetNReconfigurations(), 2, "an unchanged plan is no change");
    }

    /// A plan that is replaced while circuits are switched.
    void TestSupersededPlan()
    {
        const auto fabric = MakeChannel<CircuitSwitchChannel>(
            {{"LaneRate", "8Gbps"}, {"SwitchingDelay", "3us"}, {"FibreLength", "0"}});
        FabricFixture fixture(fabric, 3);
        const CircuitPlan first = MakeCircuits({{0, 1, {0, 0}}});
        CircuitPlan second = MakeCircuits({{0, 2, {0, 0}}});
        fabric->Configure(first);
        fixture.sources[0]->Send(1, 100);
        fixture.sources[0]->Send(2, 100);
        Simulator::Schedule(MicroSeconds(2), &OpticalChannel::Configure, fabric, second);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(fixture.received[1].size(), 0, "the first plan was never carried");
        NS_TEST_EXPECT_MSG_EQ(fixture.received[2].at(0), NanoSeconds(5100), "2 + 3 us + 100 bytes");
        NS_TEST_EXPECT_MSG_EQ(fabric->GetDarkTime(), MicroSeconds(5), "one darkness");
    }

    /**
     * A frame arrives with the last of its bits, whatever paths they took.
     *
     * @param bytes the size of the frame
     * @param expected when it arrives, in ns
     */
    void TestPathChange(uint32_t bytes, double expected)
    {
        const auto ring = MakeChannel<MrrRingChannel>({{"LaneRate", "8Gbps"},
                                                       {"InitialSwitching", "false"},
                                                       {"SwitchingDelay", "500ns"},
                                                       {"NodeDistance", "1000"}});
        FabricFixture fixture(ring, 8);
        CircuitPlan around = MakeCircuits({{0, 1, {5, 0}}});
        ring->Configure(around);
        CircuitPlan straight = MakeCircuits({{0, 1, {0, 0}}});
        // Scheduled before the end of the frame, so that it comes first where they coincide
        Simulator::Schedule(NanoSeconds(1000), &OpticalChannel::Configure, ring, straight);
        fixture.sources[0]->Send(1, bytes);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ_TOL(fixture.received[1].at(0).GetNanoSeconds(),
                                  expected,
                                  1,
                                  "the arrival");
    }

    /// Wavelengths, arcs, delays and failures of a ring.
    void TestRingChannel()
    {
        const auto ring = MakeChannel<MrrRingChannel>({{"NFibres", "2"},
                                                       {"NWavelengths", "3"},
                                                       {"LaneRate", "8Gbps"},
                                                       {"InitialSwitching", "false"},
                                                       {"NodeDistance", "1000"}});
        FabricFixture fixture(ring, 5);

        CircuitPlan plan = MakeCircuits({{0, 2, {1, 2}}, {2, 4, {1, 2}}, {4, 0, {1, 2}}});
        plan.AddLane(0, 2, {3, 2}); // counterclockwise: segments 2, 3, 4
        plan.AddLane(2, 0, {2, 2}); // counterclockwise: segments 0, 1
        NS_TEST_EXPECT_MSG_EQ(ring->Check(plan), "", "arcs without a common segment");
        plan.AddLane(3, 0, {1, 2});
        NS_TEST_EXPECT_MSG_EQ(ring->Check(plan),
                              "The lightpaths from node 2 to node 4 and from node 3 to node 0 both "
                              "use wavelength 2 of fibre 1 in segment 3; a lane of a segment "
                              "carries one lightpath",
                              "arcs with a common segment");
        ExpectConflict(ring, {}, {0, 1, {4, 0}}, "but the ring has 4 fibres with 3 wavelengths");
        ExpectConflict(ring, {}, {0, 1, {0, 3}}, "but the ring has 4 fibres with 3 wavelengths");
        ExpectConflict(ring, {}, {0, 5, {0, 0}}, "but the fabric has 5 ports");
        ExpectConflict(ring, {}, {3, 3, {0, 0}}, "from port 3 to itself");

        // 1 km of fibre takes 4896.72 ns: 1000 x 1.468 / 299792458
        const CircuitPlan two = MakeCircuits({{0, 2, {0, 0}}, {0, 2, {2, 0}}});
        ring->Configure(two);
        fixture.sources[0]->Send(2, 3000);
        ScheduleFault(ring, MicroSeconds(1), "segment:3:ccw");
        Simulator::Run();
        // 2000 bytes on two lanes until 1000 ns, the last of which arrive over three segments; then
        // 1000 on the clockwise lane until 2000 ns, which arrive before over two segments
        NS_TEST_EXPECT_MSG_EQ_TOL(fixture.received[2].at(0).GetNanoSeconds(),
                                  1000 + 14690.16,
                                  1,
                                  "the lane on the failed segment is lost, the other goes on");
        fixture.sources[0]->Send(2, 2000);
        const int64_t start = Simulator::Now().GetNanoSeconds();
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ_TOL(fixture.received[2].at(1).GetNanoSeconds() - start,
                                  2000 + 9793.44,
                                  1,
                                  "the next frame has the clockwise lane only");
        NS_TEST_EXPECT_MSG_EQ(ring->GetPlan().GetNLanes(), 1, "lanes left in the plan");
        NS_TEST_EXPECT_MSG_EQ_TOL(ring->GetPathDelay(0, 2, {2, 0}).GetNanoSeconds(),
                                  14690.16,
                                  1,
                                  "three segments counterclockwise");
        const std::string failed = ring->Check(two);
        EXPECT_PART(failed, "crosses segment 3 on fibre 2");
        ring->SetFailed("segment:3:ccw", false);
        NS_TEST_EXPECT_MSG_EQ(ring->Check(two), "", "mended");
    }

    /// Each switch joins inputs to outputs one to one.
    void TestCircuitSwitchCheck()
    {
        const auto switches = MakeChannel<CircuitSwitchChannel>({{"NSwitches", "2"}});
        FabricFixture fixture(switches, 4);
        const CircuitPlan plan =
            MakeCircuits({{0, 1, {0, 0}}, {1, 0, {0, 0}}, {0, 1, {1, 0}}, {2, 3, {1, 0}}});
        NS_TEST_EXPECT_MSG_EQ(switches->Check(plan), "", "two permutations");
        ExpectConflict(switches, plan, {0, 2, {0, 0}}, "both use the input of port 0 on switch 0");
        ExpectConflict(switches, plan, {3, 1, {0, 0}}, "both use the output of port 1 on switch 0");
        ExpectConflict(switches, plan, {3, 2, {2, 0}}, "but there are 2 switches");
        ExpectConflict(switches, plan, {3, 2, {1, 1}}, "with lane 0 only");
        ExpectConflict(switches, plan, {0, 1, {1, 0}}, "twice; each lane may stand in it once");

        CircuitPlan conflict = plan;
        conflict.AddLane(0, 2, {0, 0});
        EXPECT_ABORT("both use the input of port 0",
                     [switches, conflict]() { switches->Configure(conflict); });
    }

  private:
    /**
     * Expect that a fabric cannot carry a plan with one more lane.
     *
     * @param fabric the fabric
     * @param plan a plan that it can carry
     * @param more the lane
     * @param part a part of the sentence that says so
     */
    void ExpectConflict(Ptr<OpticalChannel> fabric,
                        CircuitPlan plan,
                        const Circuit& more,
                        const std::string& part)
    {
        plan.AddLane(more.source, more.destination, more.lane);
        EXPECT_PART(fabric->Check(plan), part);
    }
};

/// Registers the test cases
static const SuiteCases g_fabricCircuitsCases(
    "lightpath-fabric-circuits",
    {MakeCases("Darkness in the middle of frames",
               &FabricCircuitsTests::TestDarkCircuit,
               {// 10050 bytes by 10050 ns, 3000 ns of darkness, 9950 bytes at 0.5 ns
                {1, "Resume", 10050 + 3000 + 4975},
                {200, "Resume", 10050 + 3000 + 4975},
                // The one frame ends at 20000 ns, before the darkness
                {1, "Finish", 20000},
                // The frame that has begun ends at 10100 ns; 9900 bytes are left
                {200, "Finish", 10100 + 3000 + 4950}}),
     // 20000 bytes at 1 ns; 20000 at 0.5 ns, 3000 in the darkness and 17000 at 1 ns
     MakeCases("Darkness of the lanes that change or of all",
               &FabricCircuitsTests::TestPartialPause,
               {{true, 20000, 30000}, {false, 23000, 33000}}),
     // 1000 bytes by 1000 ns arrive over seven segments (34277.07 ns), the rest over one
     MakeCases("A frame over two paths",
               &FabricCircuitsTests::TestPathChange,
               {{1000, 1000 + 34277.07}, {2000, 1000 + 34277.07}, {61000, 1500 + 60000 + 4896.72}}),
     {MakeCase("A plan replaced while circuits are switched",
               &FabricCircuitsTests::TestSupersededPlan),
      MakeCase("Wavelength reuse, path delays and failed segments of a ring",
               &FabricCircuitsTests::TestRingChannel),
      MakeCase("Plans that circuit switches cannot carry",
               &FabricCircuitsTests::TestCircuitSwitchCheck)}});
