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

#include "ns3/boolean.h"
#include "ns3/circuit-switch-channel.h"
#include "ns3/mrr-ring-channel.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <functional>

using namespace ns3;
using namespace ns3::lightpath;

/**
 * @ingroup lightpath-tests
 * @brief The test cases of plans that fabrics refuse.
 */
class FabricCheckTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /// Plans that a ring carries with wavelength conversion and without.
    void TestLoadOnlyCheck()
    {
        // All arcs clockwise from i to i + 2: each segment is on two of them, and each arc overlaps
        // the next. Without conversion an odd cycle of arcs needs three wavelengths.
        for (const uint32_t nodes : {3U, 5U})
        {
            NS_TEST_EXPECT_MSG_EQ(GetConflict(nodes, "LoadOnly", 2), "", "conversion");
            EXPECT_PART(GetConflict(nodes, "LoadOnly", 1),
                        "exceeds the 1 lanes "
                        "clockwise in segment");
            for (uint32_t choice = 0; choice < 1U << nodes; ++choice)
            {
                const std::string conflict = GetConflict(nodes, "Continuity", 2, choice);
                EXPECT_PART(conflict, "a lane of a segment carries one");
            }
        }
        NS_TEST_EXPECT_MSG_EQ(GetConflict(4, "Continuity", 2, 0b1010), "", "an even cycle");

        const auto ring = MakeRing("LoadOnly", 2);
        FabricFixture fixture(ring, 3);
        NS_TEST_EXPECT_MSG_EQ(ring->Check(MakeCircuits({{0, 1, {0, 0}}, {0, 2, {0, 0}}})),
                              "The lightpaths from node 0 to node 1 and to node 2 both use "
                              "wavelength 0 of fibre 0; a node adds each lane to one lightpath",
                              "one lane of a source for two destinations");
        CircuitPlan both =
            MakeCircuits({{0, 2, {1, 0}}, {0, 2, {1, 1}}, {2, 1, {1, 0}}, {2, 0, {0, 0}}});
        NS_TEST_EXPECT_MSG_EQ(ring->Check(both), "", "each direction has its own load");
        both.AddLane(2, 0, {1, 0});
        both.RemoveLane(2, 1, {1, 0});
        both.AddLane(2, 1, {1, 1});
        NS_TEST_EXPECT_MSG_EQ(ring->Check(both), "", "segments 1 and 2 are full");
        both.AddLane(1, 2, {1, 0});
        NS_TEST_EXPECT_MSG_EQ(ring->Check(both),
                              "The lightpath from node 1 to node 2 exceeds the 2 lanes "
                              "counterclockwise in segment 2 with the lightpaths before it",
                              "more than the capacity");
    }

    /// Plans that duplex switches, and switches with few ports, can carry.
    void TestSwitchPortsCheck()
    {
        const auto switches =
            MakeChannel<CircuitSwitchChannel>({{"NSwitches", "2"}, {"Duplex", "true"}});
        FabricFixture fixture(switches, 4);
        CircuitPlan plan = MakeCircuits({{0, 1, {0, 0}}});
        const std::string lacks = " on switch 0 lacks the one back, which duplex switches join "
                                  "with it";
        NS_TEST_EXPECT_MSG_EQ(switches->Check(plan),
                              "The circuit from port 0 to port 1" + lacks,
                              "one way");
        plan.AddLane(1, 0, {1, 0});
        NS_TEST_EXPECT_MSG_EQ(switches->Check(plan),
                              "The circuit from port 0 to port 1" + lacks,
                              "back through another switch");
        plan.AddLane(0, 1, {1, 0});
        plan.AddLane(1, 0, {0, 0});
        plan.AddLane(2, 3, {1, 0});
        plan.AddLane(3, 2, {1, 0});
        NS_TEST_EXPECT_MSG_EQ(switches->Check(plan), "", "there and back");
        switches->SetNPorts(1, 3);
        NS_TEST_EXPECT_MSG_EQ(switches->Check(plan),
                              "The circuit from port 2 to port 3 uses switch 1, where a port of "
                              "them has failed or does not exist",
                              "device 3 has no port of switch 1");
        NS_TEST_EXPECT_MSG_EQ(switches->HasPath(2, 3), true, "through switch 0");
        switches->SetFailed("output:0:2", true);
        NS_TEST_EXPECT_MSG_EQ(switches->HasPath(2, 3), false, "no way back to device 2");
        Expect([switches]() { switches->SetNPorts(2, 1); }, "There is no switch 2: the last one");
        Expect([switches]() { switches->SetFailed("port:1:3", true); }, "3 must be less than 3");
        Expect([switches]() { switches->SetFailed("segment:1", true); },
               "Circuit switches have no component 'segment:1'");
        Expect([switches]() { CreateObject<OpticalNetDevice>()->Attach(switches); },
               "Device 4 cannot be added to switches that are in use");
        const CircuitPlan one = MakeCircuits({{0, 1, {0, 0}}, {1, 0, {0, 0}}});
        switches->Configure(one);
        switches->SetFailed("switch:0", true);
        Expect([switches]() { switches->SetNPorts(0, 1); }, "must be set before the first plan");
        Expect(
            [switches]() {
                switches->SetAttribute("NSwitches", UintegerValue(3));
                switches->GetGeometry();
            },
            "must be set before devices are attached");

        const auto ring = CreateObject<MrrRingChannel>();
        Expect([ring]() { ring->SetFailed("segment:0", true); }, "A ring needs 2 nodes at least");
        FabricFixture onRing(ring, 3);
        ring->SetFailed("segment:0", true);
        Expect([ring]() { CreateObject<OpticalNetDevice>()->Attach(ring); },
               "Node 3 cannot be added to a ring that is in use");
        Expect(
            [ring]() {
                ring->SetAttribute("WavelengthMode", StringValue("LoadOnly"));
                ring->GetGeometry();
            },
            "must be set before devices are attached");
    }

  private:
    /**
     * @param mode the value of WavelengthMode
     * @param wavelengths the number of wavelengths
     * @return a ring of one fibre in each direction, without devices
     */
    static Ptr<MrrRingChannel> MakeRing(const std::string& mode, uint32_t wavelengths)
    {
        const auto ring = MakeChannel<MrrRingChannel>({{"NFibres", "1"}, {"WavelengthMode", mode}});
        ring->SetAttribute("NWavelengths", UintegerValue(wavelengths));
        return ring;
    }

    /**
     * @param nodes the number of nodes
     * @param mode the value of WavelengthMode
     * @param wavelengths the number of wavelengths
     * @param choice the wavelength of each source, one bit each
     * @return the conflict in the plan of all clockwise arcs over two segments
     */
    static std::string GetConflict(uint32_t nodes,
                                   const std::string& mode,
                                   uint32_t wavelengths,
                                   uint32_t choice = 0)
    {
        const auto ring = MakeRing(mode, wavelengths);
        FabricFixture fixture(ring, nodes);
        CircuitPlan plan;
        for (uint32_t source = 0; source < nodes; ++source)
        {
            plan.AddLane(source, (source + 2) % nodes, {0, choice >> source & 1});
        }
        const std::string conflict = ring->Check(plan);
        Simulator::Destroy();
        return conflict;
    }

    /**
     * @param call a call that ends the program
     * @param part a part of its sentence
     */
    void Expect(const std::function<void()>& call, const std::string& part)
    {
        EXPECT_ABORT(part, call);
    }
};

/// Registers the test cases
static const SuiteCases g_fabricCheckCases(
    "lightpath-fabric-faults",
    {{MakeCase("Plans that a ring carries with wavelength conversion and without",
               &FabricCheckTests::TestLoadOnlyCheck),
      MakeCase("Plans that duplex switches and switches with few ports carry",
               &FabricCheckTests::TestSwitchPortsCheck)}});
