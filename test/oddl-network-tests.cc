/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "method-case.h"
#include "oddl-fixture.h"

#include "ns3/boolean.h"
#include "ns3/test.h"
#include "ns3/uinteger.h"

#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/**
 * @ingroup lightpath-tests
 * @brief Control messages of ODDL take as long without a protocol stack as over UDP.
 */
class OddlNetworkTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /**
     * All flows are granted, opened and ended at equal times over both networks.
     *
     * @param rows the rows of the grid
     * @param columns its columns
     * @param mean the mean time between two frames, in nanoseconds
     * @param rate the rate of the links for control messages
     * @param seed the seed of the frames
     */
    void TestEqual(uint32_t rows, uint32_t columns, uint32_t mean, std::string rate, uint32_t seed)
    {
        const auto star = Simulate(rows, columns, mean, rate, seed, false);
        const auto udp = Simulate(rows, columns, mean, rate, seed, true);
        NS_TEST_ASSERT_MSG_GT(star.size(), 150, "Flows");
        NS_TEST_ASSERT_MSG_EQ(star.size(), udp.size(), "As many flows");
        for (std::size_t i = 0; i < star.size(); ++i)
        {
            NS_TEST_ASSERT_MSG_EQ(star[i], udp[i], "Event " << i);
        }
    }

  private:
    /**
     * Send frames at random times.
     *
     * @param rows the rows of the grid
     * @param columns its columns
     * @param mean the mean time between two frames, in nanoseconds
     * @param rate the rate of the links for control messages
     * @param seed the seed of the frames
     * @param usesUdp whether control messages are packets
     * @return the flows that ended, with their times
     */
    std::vector<std::string> Simulate(uint32_t rows,
                                      uint32_t columns,
                                      uint32_t mean,
                                      const std::string& rate,
                                      uint32_t seed,
                                      bool usesUdp)
    {
        const auto helper = MakeOddl(rows, columns);
        OddlControlNetwork network;
        network.usesUdp = usesUdp;
        network.rate = DataRate(rate);
        helper->SetControlNetwork(network);
        std::mt19937 random(seed);
        helper->SetInitiallySet(random() % 2 == 0);
        helper->SetChannelAttribute("SettingTime", TimeValue(MicroSeconds(50)));
        helper->SetUnitAttribute("LookAhead", TimeValue(NanoSeconds(random() % 2 * 700)));
        helper->SetUnitAttribute("MaxRequests", UintegerValue(1 + random() % 3));
        helper->SetUnitAttribute("Reliable", BooleanValue(random() % 2 == 0));
        const uint32_t ports = rows * columns;
        OddlFixture fixture(*helper, ports);
        std::vector<std::string> events;
        for (uint32_t port = 0; port < ports; ++port)
        {
            fixture.units[port]->TraceConnectWithoutContext(
                "FlowDone",
                Callback<void, const OddlFlow&>([&events, port](const OddlFlow& flow) {
                    std::ostringstream text;
                    text << Simulator::Now() << " " << port << ":" << flow.number << " to "
                         << flow.destination << " by " << flow.hop << " granted " << flow.granted
                         << " opened " << flow.opened << " ended " << flow.ended;
                    events.push_back(text.str());
                }));
        }
        // Behind the start of the job: what meets at the switch at one instant has no order of its
        // own
        uint64_t time = 300000;
        for (uint32_t frame = 0; frame < 600; ++frame)
        {
            time += random() % (2 * mean);
            const uint32_t source = random() % ports;
            const uint32_t destination = (source + 1 + random() % (ports - 1)) % ports;
            const uint32_t bytes = 100 + random() % 2000;
            Simulator::Schedule(NanoSeconds(time), [&fixture, source, destination, frame, bytes]() {
                fixture.frames[source]->Send(destination, frame, bytes);
            });
        }
        Simulator::Run();
        Simulator::Destroy();
        return events;
    }
};

} // namespace

/// Registers the test cases
static const SuiteCases g_oddlNetworkCases(
    "lightpath-oddl",
    {MakeCases("Control messages without a stack and over UDP",
               &OddlNetworkTests::TestEqual,
               {{4, 4, 50, "100Gbps", 1},
                {4, 4, 500, "100Gbps", 2},
                {2, 8, 60, "10Gbps", 3},
                {1, 16, 50, "1Gbps", 4},
                {3, 3, 5, "100Gbps", 5},
                {16, 1, 1, "1Gbps", 6}})});
