/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "expect-error.h"
#include "fabric-fault-tests.h"
#include "method-case.h"

#include "ns3/circuit-switch-geometry.h"
#include "ns3/ring-geometry.h"

#include <functional>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/**
 * @param says whether a pair is connected
 * @param nodes the number of nodes
 * @return a word for each source, with a 1 for each destination that it is connected to
 */
std::string
MakeTable(const std::function<bool(uint32_t, uint32_t)>& says, uint32_t nodes)
{
    std::string table;
    for (uint32_t source = 0; source < nodes; ++source)
    {
        table += source > 0 ? " " : "";
        for (uint32_t destination = 0; destination < nodes; ++destination)
        {
            table += says(source, destination) ? '1' : '0';
        }
    }
    return table;
}

/**
 * @param ring a ring
 * @return its table of paths
 */
std::string
GetPaths(const RingGeometry& ring)
{
    return MakeTable([&ring](uint32_t i, uint32_t j) { return ring.HasPath(i, j); },
                     ring.GetNNodes());
}

/**
 * @param switches circuit switches
 * @return their table of paths
 */
std::string
GetPaths(const CircuitSwitchGeometry& switches)
{
    return MakeTable([&switches](uint32_t i, uint32_t j) { return switches.HasPath(i, j); },
                     switches.GetNDevices());
}

} // namespace

/**
 * @ingroup lightpath-tests
 * @brief The test cases of the geometries of fabrics and of their failures; the caller owns them.
 */
class FabricGeometryTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /// Names of components that do not exist.
    void TestComponentName()
    {
        RingGeometry ring(5, 2, 3);
        CircuitSwitchGeometry switches(4, 3);
        switches.SetNPorts(1, 2);
        const std::string ringForms = "': name one like segment:3:cw, segment:3:ccw, segment:3, "
                                      "fibre:2, micro-ring:5:2:7 (node, fibre, wavelength) or "
                                      "laser:5:7 (node, wavelength)";
        const std::string switchForms = "': name one like switch:3, port:3:5, input:3:5 or "
                                        "output:3:5 (switch, device)";
        for (const std::string name :
             {"",           ":",           "segment",       "segment:",        "segment::cw",
              "segment:-1", "segment:+1",  "segment: 1",    "segment:1:",      "segment:1:up",
              "segment:cw", "segment:1:2", "segment:1:cw:", "segment:1:cw:cw", "fibre:1:cw",
              "fibre:0x1",  "laser:1",     "laser:1:2:0",   "micro-ring:1:1",  "micro-ring:1:1:1:1",
              "Segment:1",  " segment:1",  "segment:1 ",    "segment:1.0",     "switch:0"})
        {
            NS_TEST_EXPECT_MSG_EQ(ring.TrySetFailed(name, true),
                                  "A ring has no component '" + name + ringForms,
                                  "the name of no component");
        }
        for (const std::string name : {"",
                                       ":",
                                       "switch",
                                       "switch:",
                                       "switch:0:",
                                       "switch:-1",
                                       "port:1",
                                       "port:1:1:1",
                                       "input:a:1",
                                       "input:1",
                                       "output:1:",
                                       "output:1",
                                       "segment:1",
                                       "outputs:1:1"})
        {
            NS_TEST_EXPECT_MSG_EQ(switches.TrySetFailed(name, true),
                                  "Circuit switches have no component '" + name + switchForms,
                                  "the name of no component");
        }
        const auto expectOutside = [this](auto& geometry,
                                          const std::string& name,
                                          const std::string& index,
                                          uint32_t size) {
            NS_TEST_EXPECT_MSG_EQ(geometry.TrySetFailed(name, true),
                                  "There is no '" + name + "': " + index + " must be less than " +
                                      std::to_string(size),
                                  "an index that is too large");
        };
        expectOutside(ring, "segment:5", "5", 5);
        expectOutside(ring, "segment:5:cw", "5", 5);
        expectOutside(ring, "segment:4294967296:ccw", "4294967296", 5);
        expectOutside(ring, "fibre:4", "4", 4);
        expectOutside(ring, "fibre:18446744073709551616", "18446744073709551616", 4);
        expectOutside(ring, "micro-ring:5:0:0", "5", 5);
        expectOutside(ring, "micro-ring:0:4:0", "4", 4);
        expectOutside(ring, "micro-ring:0:0:3", "3", 3);
        expectOutside(ring, "laser:5:0", "5", 5);
        expectOutside(ring, "laser:0:3", "3", 3);
        expectOutside(switches, "switch:3", "3", 3);
        expectOutside(switches, "port:3:0", "3", 3);
        expectOutside(switches, "port:0:4", "4", 4);
        expectOutside(switches, "input:1:2", "2", 2);
        expectOutside(switches, "output:1:99999999999999999999", "99999999999999999999", 2);
        NS_TEST_EXPECT_MSG_EQ(ring.HasFailures(), false, "a name that is refused breaks nothing");
        NS_TEST_EXPECT_MSG_EQ(switches.HasInput(1, 1), true, "nor on switches");
    }

    /// The pairs that each failed component of a ring cuts off, and its repair.
    void TestRingGeometry()
    {
        CheckSegments();
        CheckEnds();
        CheckPaths();
    }

    /// The pairs that each failed component of circuit switches cuts off, and its repair.
    void TestCircuitSwitchGeometry()
    {
        CircuitSwitchGeometry switches(3, 2);
        const std::string all = "011 101 110";
        Expect(switches, all, all, all);
        NS_TEST_EXPECT_MSG_EQ(switches.IsUniform(), true, "whole");
        switches.SetFailed("input:0:1", true);
        Expect(switches, "011 000 110", all, all);
        switches.SetFailed("output:0:1", true);
        Expect(switches, "001 000 100", all, all);
        switches.SetFailed("input:0:1", false);
        Expect(switches, "001 101 100", all, all);
        switches.SetFailed("port:0:1", false);
        NS_TEST_EXPECT_MSG_EQ(switches.IsUniform(), true, "a port is its input and its output");
        switches.SetFailed("port:1:2", true);
        Expect(switches, all, "010 100 000", all);
        switches.SetFailed("switch:0", true);
        Expect(switches, "000 000 000", "010 100 000", "010 100 000");
        switches.SetFailed("switch:0", true);
        switches.SetFailed("switch:0", false);
        switches.SetFailed("switch:0", false);
        Expect(switches, all, "010 100 000", all);
        switches.SetFailed("input:1:2", false);
        Expect(switches, all, "010 100 110", all);
        NS_TEST_EXPECT_MSG_EQ(switches.HasInput(1, 2), true, "its input is mended");
        NS_TEST_EXPECT_MSG_EQ(switches.HasOutput(1, 2), false, "its output is not");
        NS_TEST_EXPECT_MSG_EQ(switches.IsUniform(), false, "the output has failed");
        NS_TEST_EXPECT_MSG_EQ(switches.HasPath(3, 0), false, "there is no device 3");

        // A duplex circuit needs all four
        switches.SetDuplex(true);
        Expect(switches, all, "010 100 000", all);
        switches.SetFailed("input:0:0", true);
        Expect(switches, "000 001 010", "010 100 000", "010 101 010");

        CircuitSwitchGeometry few(3, 2);
        few.SetNPorts(0, 2);
        NS_TEST_EXPECT_MSG_EQ(few.GetNPorts(0), 2, "two ports");
        NS_TEST_EXPECT_MSG_EQ(few.IsUniform(), false, "device 2 has no port");
        Expect(few, "010 100 000", all, all);
        few.SetNPorts(1, 0);
        Expect(few, "010 100 000", "000 000 000", "010 100 000");
        few.SetNPorts(0, 7);
        NS_TEST_EXPECT_MSG_EQ(few.GetNPorts(0), 3, "a port for each device, the others unused");
        EXPECT_ABORT("There is no switch 2: the last one is 1", [&few]() { few.SetNPorts(2, 1); });
    }

  private:
    /// Segments, in each direction and in both.
    void CheckSegments()
    {
        RingGeometry ring(4, 1, 1);
        // Which pairs a lightpath in one direction can join
        const auto getArcs = [&ring](RingDirection direction) {
            return MakeTable(
                [&ring, direction](uint32_t i, uint32_t j) {
                    return i != j && ring.IsUsable(i, j, direction);
                },
                4);
        };
        const auto cw = RingDirection::CLOCKWISE;
        const auto ccw = RingDirection::COUNTERCLOCKWISE;
        ring.SetFailed("segment:1:cw", true);
        NS_TEST_EXPECT_MSG_EQ(getArcs(cw), "0100 0000 1101 1100", "no arc from 1 to 2, clockwise");
        NS_TEST_EXPECT_MSG_EQ(getArcs(ccw), "0111 1011 1101 1110", "all arcs");
        NS_TEST_EXPECT_MSG_EQ(GetPaths(ring), "0111 1011 1101 1110", "the other way round");
        ring.SetFailed("segment:3:ccw", true);
        NS_TEST_EXPECT_MSG_EQ(getArcs(ccw), "0000 1000 1100 1110", "no arc from 0 to 3");
        NS_TEST_EXPECT_MSG_EQ(GetPaths(ring), "0100 1000 1101 1110", "either way");
        ring.SetFailed("segment:1:cw", false);
        NS_TEST_EXPECT_MSG_EQ(getArcs(cw), "0111 1011 1101 1110", "mended");
        ring.SetFailed("segment:3", false);
        NS_TEST_EXPECT_MSG_EQ(ring.HasFailures(), false, "both directions are mended");
        ring.SetFailed("segment:2", true);
        ring.SetFailed("segment:2", true);
        NS_TEST_EXPECT_MSG_EQ(ring.IsFailed(2, cw) && ring.IsFailed(2, ccw), true, "both");
        ring.SetFailed("segment:2:cw", false);
        NS_TEST_EXPECT_MSG_EQ(ring.IsFailed(2, cw), false, "one direction is mended, at once");
        NS_TEST_EXPECT_MSG_EQ(ring.IsFailed(2, ccw), true, "the other is not");
        ring.SetFailed("segment:1", true);
        NS_TEST_EXPECT_MSG_EQ(GetPaths(ring),
                              "0101 1001 1101 1100",
                              "clockwise from 2, both ways from 0 and 1");
    }

    /// Fibres, micro-rings and lasers.
    void CheckEnds()
    {
        RingGeometry ring(3, 1, 2);
        // The pairs whose ends can use the lane
        const auto getEnds = [&ring](Lane lane) {
            return MakeTable(
                [&ring, lane](uint32_t i, uint32_t j) {
                    return i != j && ring.HasEnds(i, j, lane);
                },
                3);
        };
        const std::string all = "011 101 110";
        ring.SetFailed("micro-ring:1:0:1", true);
        NS_TEST_EXPECT_MSG_EQ(getEnds({0, 1}), "001 000 100", "neither from nor to node 1");
        NS_TEST_EXPECT_MSG_EQ(getEnds({0, 0}), all, "other wavelength");
        NS_TEST_EXPECT_MSG_EQ(getEnds({1, 1}), all, "other fibre");
        ring.SetFailed("laser:2:0", true);
        NS_TEST_EXPECT_MSG_EQ(getEnds({0, 0}), "011 101 000", "node 2 cannot send, fibre 0");
        NS_TEST_EXPECT_MSG_EQ(getEnds({1, 0}), "011 101 000", "node 2 cannot send, fibre 1");
        NS_TEST_EXPECT_MSG_EQ(getEnds({1, 1}), all, "other wavelength");
        ring.SetFailed("fibre:0", true);
        NS_TEST_EXPECT_MSG_EQ(ring.IsFibreFailed(0), true, "fibre 0");
        NS_TEST_EXPECT_MSG_EQ(ring.IsFibreFailed(1), false, "fibre 1");
        NS_TEST_EXPECT_MSG_EQ(getEnds({0, 0}), "000 000 000", "nothing on the fibre");
        NS_TEST_EXPECT_MSG_EQ(getEnds({1, 1}), all, "other fibre");
        NS_TEST_EXPECT_MSG_EQ(ring.GetCapacity(RingDirection::CLOCKWISE), 0, "no fibre left");
        NS_TEST_EXPECT_MSG_EQ(ring.GetCapacity(RingDirection::COUNTERCLOCKWISE), 2, "one fibre");
        ring.SetFailed("fibre:0", false);
        ring.SetFailed("laser:2:0", false);
        NS_TEST_EXPECT_MSG_EQ(getEnds({0, 1}), "001 000 100", "the micro-ring is not mended");
        NS_TEST_EXPECT_MSG_EQ(ring.HasFailures(), true, "the micro-ring");
        ring.SetFailed("micro-ring:1:0:1", false);
        ring.SetFailed("micro-ring:1:0:1", false);
        NS_TEST_EXPECT_MSG_EQ(getEnds({0, 1}), all, "mended");
        NS_TEST_EXPECT_MSG_EQ(ring.HasFailures(), false, "all is mended");
    }

    /// Paths that several failures leave.
    void CheckPaths()
    {
        RingGeometry ring(3, 1, 2);
        NS_TEST_EXPECT_MSG_EQ(GetPaths(ring), "011 101 110", "whole");
        NS_TEST_EXPECT_MSG_EQ(ring.HasPath(0, 3) || ring.HasPath(3, 0),
                              false,
                              "there is no node 3");
        ring.SetFailed("laser:0:0", true);
        NS_TEST_EXPECT_MSG_EQ(GetPaths(ring), "011 101 110", "by wavelength 1");
        ring.SetFailed("micro-ring:1:0:1", true);
        NS_TEST_EXPECT_MSG_EQ(GetPaths(ring), "011 101 110", "0 -> 1 by wavelength 1 of fibre 1");
        ring.SetFailed("segment:2:ccw", true);
        NS_TEST_EXPECT_MSG_EQ(GetPaths(ring), "001 101 110", "0 -> 1 has no arc for it");
        ring.SetFailed("segment:2:ccw", false);
        ring.SetFailed("laser:0:1", true);
        NS_TEST_EXPECT_MSG_EQ(GetPaths(ring), "000 101 110", "node 0 has no laser");
        ring.SetFailed("fibre:1", true);
        ring.SetFailed("micro-ring:2:0:0", true);
        NS_TEST_EXPECT_MSG_EQ(GetPaths(ring), "000 100 100", "1 -> 2 lost both wavelengths");
    }

    /**
     * @param switches two switches
     * @param first the pairs that switch 0 can join
     * @param second the pairs that switch 1 can join
     * @param either the pairs that one of them can join
     */
    void Expect(const CircuitSwitchGeometry& switches,
                const std::string& first,
                const std::string& second,
                const std::string& either)
    {
        const auto getTable = [&switches](uint32_t index) {
            return MakeTable(
                [&switches, index](uint32_t i, uint32_t j) {
                    return switches.CanJoin(i, j, index);
                },
                3);
        };
        NS_TEST_EXPECT_MSG_EQ(getTable(0), first, "switch 0");
        NS_TEST_EXPECT_MSG_EQ(getTable(1), second, "switch 1");
        NS_TEST_EXPECT_MSG_EQ(GetPaths(switches), either, "either");
    }
};

/// Registers the test cases
static const SuiteCases g_fabricGeometryCases(
    "lightpath-fabric-faults",
    {{MakeCase("Names of components that do not exist", &FabricGeometryTests::TestComponentName),
      MakeCase("What each component of a ring breaks", &FabricGeometryTests::TestRingGeometry),
      MakeCase("What each component of circuit switches breaks",
               &FabricGeometryTests::TestCircuitSwitchGeometry)}});
