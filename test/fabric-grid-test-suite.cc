/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "expect-error.h"
#include "fabric-fixture.h"
#include "fabric-parts.h"
#include "method-case.h"

#include "ns3/double.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"
#include "ns3/wavelength-map.h"
#include "ns3/wss-grid-channel.h"

#include <memory>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

constexpr auto ROW = WssGridChannel::ROW;       //!< The switch of a row
constexpr auto COLUMN = WssGridChannel::COLUMN; //!< The switch of a column

/**
 * @param rows the number of rows
 * @param columns the number of columns
 * @return a grid of 8 Gb/s, 1 byte a nanosecond, with a delay of 100 ns, 10 ns to tune and 5 to
 * lock
 */
Ptr<WssGridChannel>
MakeGrid(uint32_t rows, uint32_t columns)
{
    const auto grid = MakeChannel<WssGridChannel>({{"LaneRate", "8Gbps"},
                                                   {"TuningTime", "10ns"},
                                                   {"LockTime", "5ns"},
                                                   {"SettingTime", "1us"}});
    grid->SetAttribute("Rows", UintegerValue(rows));
    grid->SetAttribute("Columns", UintegerValue(columns));
    // Of an index of 1.468 and light of 299792458 m/s
    grid->SetAttribute("FibreLength", DoubleValue(50e-9 * 299792458 / 1.468));
    return grid;
}

/**
 * Tune a transmitter to another port, to send the frames for that port.
 *
 * @param grid the grid
 * @param source the port
 * @param destination the other port
 * @param direction the switch
 */
void
Join(Ptr<WssGridChannel> grid,
     uint32_t source,
     uint32_t destination,
     WssGridChannel::Direction direction)
{
    grid->Tune({source, direction, 0},
               grid->FindWavelength(source, destination, direction),
               destination);
}

} // namespace

/**
 * @ingroup lightpath-tests
 * @brief A grid of switches.
 */
class FabricGridTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /// The outputs of wavelength maps.
    void TestWavelengthMap()
    {
        WavelengthMap map(5);
        for (uint32_t input = 0; input < 5; ++input)
        {
            for (uint32_t wavelength = 0; wavelength < 5; ++wavelength)
            {
                const uint32_t output = map.GetOutput(input, wavelength);
                NS_TEST_EXPECT_MSG_EQ(output, (input + wavelength) % 5, "cyclic");
                NS_TEST_EXPECT_MSG_EQ(map.FindWavelength(input, output), wavelength, "inverse");
            }
        }
        NS_TEST_EXPECT_MSG_EQ(map.GetOutput(0, 5), WavelengthMap::NONE, "no such wavelength");
        map.SetOutput(1, 2, 4);
        map.SetOutput(1, 3, WavelengthMap::NONE);
        NS_TEST_EXPECT_MSG_EQ(map.GetOutput(1, 2), 4, "led elsewhere");
        NS_TEST_EXPECT_MSG_EQ(map.GetOutput(2, 2), 4, "as before");
        NS_TEST_EXPECT_MSG_EQ(map.FindWavelength(1, 4), 2, "led there");
        NS_TEST_EXPECT_MSG_EQ(map.FindWavelength(1, 3), WavelengthMap::NONE, "nothing leads there");
        map.Restrict({7, 7, 8, WavelengthMap::NONE, 7});
        NS_TEST_EXPECT_MSG_EQ(map.GetOutput(0, 1), 1, "of one part");
        NS_TEST_EXPECT_MSG_EQ(map.GetOutput(0, 2), WavelengthMap::NONE, "of two parts");
        NS_TEST_EXPECT_MSG_EQ(map.GetOutput(3, 0), WavelengthMap::NONE, "of no part");
        NS_TEST_EXPECT_MSG_EQ(map.FindWavelength(2, 3), WavelengthMap::NONE, "to no part");
        EXPECT_PART(GetAbort([&]() { map.SetOutput(5, 0, 0); }), "5 members");
    }

    /// A beam takes the time to tune, to lock, to send and to travel.
    void TestBeamTime()
    {
        const auto grid = MakeGrid(2, 3);
        FabricFixture fixture(grid, 6);
        fixture.sources[0]->Send(2, 1000);
        fixture.sources[0]->Send(3, 1000);
        Join(grid, 0, 2, ROW);
        Join(grid, 0, 3, COLUMN);
        // Half a frame, and the other half 100 ns later
        fixture.sources[4]->Send(1, 1000);
        Join(grid, 4, 1, COLUMN);
        Simulator::Schedule(NanoSeconds(515), [&]() { grid->Release({4, COLUMN, 0}); });
        Simulator::Schedule(NanoSeconds(600), [&]() { Join(grid, 4, 1, COLUMN); });
        Simulator::Run();
        Expect(fixture, 2, 10 + 5 + 1000 + 100);
        Expect(fixture, 3, 10 + 5 + 1000 + 100);
        Expect(fixture, 1, 600 + 15 + 500 + 100);
        NS_TEST_EXPECT_MSG_EQ(grid->GetNCollisions(), 0, "collisions");
    }

    /**
     * Badly controlled light of two ports meets on one receiver: only the frames that meet are
     * lost, and their senders are notified.
     */
    void TestCollision()
    {
        const auto grid = MakeGrid(1, 4);
        FabricFixture fixture(grid, 4);
        uint32_t collisions = 0;
        uint32_t drops = 0;
        grid->TraceConnectWithoutContext(
            "RxCollision",
            Callback<void, uint32_t, uint32_t, uint32_t>(
                [&](uint32_t receiver, uint32_t first, uint32_t second) {
                    ++collisions;
                    NS_TEST_EXPECT_MSG_EQ(receiver, 3, "the receiver");
                    NS_TEST_EXPECT_MSG_EQ(first, 0, "the light that was there");
                    NS_TEST_EXPECT_MSG_EQ(second, 1, "the light that came");
                }));
        fixture.devices[3]->TraceConnectWithoutContext(
            "PhyRxDrop",
            Callback<void, Ptr<const Packet>>([&](Ptr<const Packet>) { ++drops; }));
        // Frames of 100 ns from 15 ns on; the fourth of port 0 and the first of port 1 meet, and
        // those behind until port 1 ceases
        fixture.sources[0]->Send(3, 100, 8);
        fixture.sources[1]->Send(3, 100, 2);
        fixture.sources[2]->Send(1, 1000);
        Join(grid, 0, 3, ROW);
        Join(grid, 2, 1, ROW);
        Simulator::Schedule(NanoSeconds(340), [&]() { Join(grid, 1, 3, ROW); });
        Simulator::Schedule(NanoSeconds(560), [&]() { grid->Release({1, ROW, 0}); });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(collisions, 1, "times that light met");
        NS_TEST_EXPECT_MSG_EQ(grid->GetNCollisions(), 1, "as counted");
        NS_TEST_EXPECT_MSG_EQ(fixture.sources[0]->lost.size(), 3, "lost of port 0: 350 to 560 ns");
        NS_TEST_EXPECT_MSG_EQ(fixture.sources[1]->lost.size(), 2, "lost of port 1");
        NS_TEST_EXPECT_MSG_EQ(drops, 5, "dropped at the receiver");
        NS_TEST_EXPECT_MSG_EQ(fixture.received[3].size(), 5, "whole at the receiver");
        NS_TEST_EXPECT_MSG_EQ(fixture.received[1].size(), 1, "whole elsewhere");
    }

    /// Light that the map leads nowhere is lost and counted; light to a corner is forwarded.
    void TestLightPath()
    {
        const auto grid = MakeGrid(2, 2);
        FabricFixture fixture(grid, 4);
        uint32_t forwarded = 0;
        fixture.devices[1]->TraceConnectWithoutContext(
            "Forward",
            Callback<void, Ptr<const Packet>>([&](Ptr<const Packet>) { ++forwarded; }));
        std::vector<uint32_t> dropped(4, 0);
        for (uint32_t port = 0; port < 4; ++port)
        {
            fixture.devices[port]->TraceConnectWithoutContext(
                "PhyTxDrop",
                Callback<void, Ptr<const Packet>>([&dropped, port](Ptr<const Packet> frame) {
                    dropped[port] += frame->GetSize();
                }));
        }
        WavelengthMap map(2);
        map.Restrict({0, 1});
        grid->Configure(ROW, 1, map);
        NS_TEST_EXPECT_MSG_EQ(grid->CanReach(2, 3, ROW), false, "while the switch is set");
        // From 0 by the row to 1, and from there by the column to 3
        fixture.sources[0]->Send(3, 1000);
        grid->Tune({0, ROW, 0}, 1, 3);
        Simulator::Schedule(NanoSeconds(1116), [&]() {
            NS_TEST_EXPECT_MSG_EQ(fixture.devices[1]->GetBacklog(3), 1000, "for the destination");
            grid->Tune({1, COLUMN, 0}, 1, 3);
        });
        Simulator::Schedule(MicroSeconds(2), [&]() {
            NS_TEST_EXPECT_MSG_EQ(grid->CanReach(2, 3, ROW), false, "as the map says");
            fixture.sources[2]->Send(3, 1000);
            grid->Tune({2, ROW, 0}, 1, 3);
        });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(forwarded, 1, "frames forwarded");
        NS_TEST_ASSERT_MSG_EQ(fixture.received[3].size(), 1, "frames received");
        NS_TEST_EXPECT_MSG_EQ_TOL(fixture.received[3][0].GetNanoSeconds(), 2231, 2, "both ways");
        NS_TEST_EXPECT_MSG_EQ(grid->GetNLost(), 1, "beams that led nowhere");
        NS_TEST_EXPECT_MSG_EQ(fixture.sources[2]->lost.size(), 1, "their frames are lost");
        NS_TEST_EXPECT_MSG_EQ(dropped[2], 1000, "a frame whose light led nowhere");
        NS_TEST_EXPECT_MSG_EQ(dropped[0] + dropped[1], 0, "frames that were received");
    }

    /// Failed components carry no light; unknown components are refused.
    void TestGridFault()
    {
        const auto grid = MakeGrid(2, 3);
        FabricFixture fixture(grid, 6);
        for (const std::string name : {"row:0", "laser:0:row", "receiver:1:row", "laser:0:0:row"})
        {
            grid->SetFailed(name, true);
            NS_TEST_EXPECT_MSG_EQ(grid->CanReach(0, 1, ROW), false, name << " is out of use");
            NS_TEST_EXPECT_MSG_EQ(grid->CanReach(0, 3, COLUMN), true, "others work");
            grid->SetFailed(name, false);
            NS_TEST_EXPECT_MSG_EQ(grid->CanReach(0, 1, ROW), true, name << " works");
        }
        NS_TEST_EXPECT_MSG_EQ(grid->CanReach(0, 4, ROW), false, "in another row");
        // Sent in half, and the other half once the switch works
        fixture.sources[0]->Send(1, 1000);
        Join(grid, 0, 1, ROW);
        Simulator::Schedule(NanoSeconds(515), [&]() { grid->SetFailed("row:0", true); });
        Simulator::Schedule(NanoSeconds(1000), [&]() {
            grid->SetFailed("row:0", false);
            Join(grid, 0, 1, ROW);
        });
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(fixture.received[1].size(), 1, "frames received");
        NS_TEST_EXPECT_MSG_EQ_TOL(fixture.received[1][0].GetNanoSeconds(), 1615, 1, "resumed");
        for (const std::string name :
             {"row:2", "column:3", "laser:6:row", "laser:0:1:row", "switch:0"})
        {
            EXPECT_ABORT(name, [&]() { grid->SetFailed(name, true); });
        }
    }

  private:
    /**
     * Check the arrival of the only frame of a port.
     *
     * @param fixture the devices
     * @param port the port
     * @param nanoseconds the expected time
     */
    void Expect(const FabricFixture& fixture, uint32_t port, int64_t nanoseconds)
    {
        NS_TEST_ASSERT_MSG_EQ(fixture.received[port].size(), 1, "frames of port " << port);
        NS_TEST_EXPECT_MSG_EQ_TOL(fixture.received[port][0].GetNanoSeconds(),
                                  nanoseconds,
                                  1,
                                  "time at port " << port);
    }
};

/// Registers the test cases
static const SuiteCases g_fabricGridCases(
    "lightpath-fabric-grid",
    {{MakeCase("Cyclic maps, maps with other outputs and restricted ones",
               &FabricGridTests::TestWavelengthMap),
      MakeCase("Times of beams in a row, in a column, and of one that is put out",
               &FabricGridTests::TestBeamTime),
      MakeCase("Frames whose light meets other light are lost", &FabricGridTests::TestCollision),
      MakeCase("Light that leads nowhere, and frames that a corner forwards",
               &FabricGridTests::TestLightPath),
      MakeCase("Components of a grid that fail and are mended", &FabricGridTests::TestGridFault)}});
