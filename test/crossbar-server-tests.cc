/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "expect-error.h"
#include "fabric-fixture.h"
#include "fabric-parts.h"
#include "method-case.h"

#include "ns3/crossbar-channel.h"
#include "ns3/electrical-switch-helper.h"
#include "ns3/node-container.h"
#include "ns3/random-variable-stream.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/**
 * @ingroup lightpath-tests
 * @brief A switch with servers: 1 byte in a nanosecond and a delay of 700 ns between servers, 4
 * bytes in a nanosecond and a delay of 100 ns inside.
 *
 * @param size the number of ports of a server
 * @return the switch
 */
Ptr<CrossbarChannel>
MakeServers(uint32_t size)
{
    const auto fabric = MakeChannel<CrossbarChannel>({{"LinkRate", "8Gbps"},
                                                      {"Delay", "700ns"},
                                                      {"ServerRate", "32Gbps"},
                                                      {"ServerDelay", "100ns"}});
    fabric->SetAttribute("ServerSize", UintegerValue(size));
    return fabric;
}

} // namespace

/**
 * @ingroup lightpath-tests
 * @brief The test cases of the electrical switch with servers.
 */
class CrossbarServerTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /**
     * Messages inside a server and between servers take the rate and the delay of their links,
     * and do not slow each other down.
     *
     * Ports 0 and 1, and ports 2 and 3, form servers; port 4 is a server of its own.
     */
    void TestTimes()
    {
        FabricFixture fixture(MakeServers(2), 5);
        fixture.sources[0]->Send(1, 4000);
        fixture.sources[0]->Send(2, 4000);
        fixture.sources[3]->Send(2, 8000);
        fixture.sources[2]->Send(4, 5000);
        fixture.sources[4]->Send(1, 6000);
        Simulator::Run();
        const auto times = [&fixture](uint32_t port) {
            std::vector<int64_t> list;
            for (const auto& time : fixture.received[port])
            {
                list.push_back(time.GetNanoSeconds());
            }
            return list;
        };
        NS_TEST_EXPECT_MSG_EQ((times(1) == std::vector<int64_t>{1000 + 100, 6000 + 700}),
                              true,
                              "4000 bytes from inside, 6000 from outside");
        NS_TEST_EXPECT_MSG_EQ((times(2) == std::vector<int64_t>{2000 + 100, 4000 + 700}),
                              true,
                              "8000 bytes from inside, 4000 from outside");
        NS_TEST_EXPECT_MSG_EQ((times(4) == std::vector<int64_t>{5000 + 700}),
                              true,
                              "5000 bytes to the last, partial server");
    }

    /// Flows share the links inside a server among themselves, and so do those between servers.
    void TestShares()
    {
        const auto fabric = MakeServers(3);
        FabricFixture fixture(fabric, 7);
        // Port 0 sends twice inside, twice outside, and port 4 receives from three ports outside
        for (const uint32_t peer : {1, 2, 3, 4})
        {
            fixture.sources[0]->Send(peer, 100000000);
        }
        fixture.sources[1]->Send(4, 100000000);
        fixture.sources[6]->Send(4, 100000000);
        fixture.sources[5]->Send(4, 100000000);
        Simulator::Schedule(NanoSeconds(1), [this, fabric]() {
            const auto rate = [&fabric](uint32_t source, uint32_t destination) {
                return fabric->GetRate(source, destination).GetBitRate();
            };
            NS_TEST_EXPECT_MSG_EQ(rate(0, 1), 16000000000, "half of the server's rate");
            NS_TEST_EXPECT_MSG_EQ(rate(0, 2), 16000000000, "half of the server's rate");
            NS_TEST_EXPECT_MSG_EQ(rate(0, 4), 2666666666, "a third of the rate into port 4");
            NS_TEST_EXPECT_MSG_EQ(rate(1, 4), 2666666666, "a third of the rate into port 4");
            NS_TEST_EXPECT_MSG_EQ(rate(6, 4), 2666666666, "from a server of one port");
            NS_TEST_EXPECT_MSG_EQ(rate(0, 3), 5333333334, "what is left of the rate of port 0");
            NS_TEST_EXPECT_MSG_EQ(rate(5, 4), 32000000000, "alone inside its server");
        });
        Simulator::Stop(NanoSeconds(2));
        Simulator::Run();
    }

    /**
     * Rates on random servers are those of progressive filling.
     *
     * The oracle raises the rates of all flows at once, in real numbers, until a link is full,
     * fixes those that pass through it, and goes on with the others.
     */
    void TestFilling()
    {
        const auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(2);
        for (uint32_t round = 0; round < 40; ++round)
        {
            const uint32_t ports = random->GetInteger(2, 9);
            const uint32_t size = random->GetInteger(1, 5);
            const auto fabric = CreateObject<CrossbarChannel>();
            m_rate = 1000000000 * random->GetInteger(1, 3);
            m_serverRate = 700000000 * random->GetInteger(1, 9);
            fabric->SetAttribute("LinkRate", DataRateValue(DataRate(m_rate)));
            fabric->SetAttribute("ServerRate", DataRateValue(DataRate(m_serverRate)));
            fabric->SetAttribute("ServerSize", UintegerValue(size));
            FabricFixture fixture(fabric, ports);
            Flows flows;
            Flows rest;
            for (uint32_t i = 0; i < round + 2; ++i)
            {
                const uint32_t source = random->GetInteger(0, ports - 1);
                const uint32_t destination = random->GetInteger(0, ports - 1);
                if (source != destination && flows.emplace(source, destination).second)
                {
                    const bool brief = random->GetInteger(0, 1) == 0;
                    fixture.sources[source]->Send(destination, brief ? 100 : 1000000000);
                    m_nInside += source / size == destination / size ? 1 : 0;
                    if (!brief)
                    {
                        rest.emplace(source, destination);
                    }
                }
            }
            m_nFlows += flows.size();
            Simulator::Schedule(NanoSeconds(1), [&]() { Check(fabric, flows, size); });
            // The brief ones have ended by now: 100 bytes at no less than an eighth of 0.7 Gb/s
            Simulator::Schedule(MicroSeconds(20), [&]() { Check(fabric, rest, size); });
            Simulator::Stop(MicroSeconds(21));
            Simulator::Run();
            Simulator::Destroy();
        }
        NS_TEST_EXPECT_MSG_GT(m_nInside, 100, "flows inside servers");
        NS_TEST_EXPECT_MSG_GT(m_nFlows - m_nInside, 100, "flows between servers");
    }

    /// The settings and limits of servers, and the refusals of the helper and the switch.
    void TestHelper()
    {
        ElectricalSwitchHelper helper;
        FabricLimits limits = helper.GetLimits(6);
        NS_TEST_EXPECT_MSG_EQ(limits.servers.layout.gpus, 1, "no servers");
        NS_TEST_EXPECT_MSG_EQ(limits.latency, 0, "no delay");
        helper.SetServers(4, DataRate("32Gbps"), NanoSeconds(100));
        helper.SetDelay(NanoSeconds(700));
        helper.SetBandwidth(DataRate("8Gbps"));
        limits = helper.GetLimits(6);
        NS_TEST_EXPECT_MSG_EQ(limits.servers.layout.gpus, 4, "nodes of a server");
        NS_TEST_EXPECT_MSG_EQ(limits.servers.bitRate, 32e9, "rate inside");
        NS_TEST_EXPECT_MSG_EQ_TOL(limits.servers.latency, 100e-9, 1e-15, "delay inside");
        NS_TEST_EXPECT_MSG_EQ(limits.bitRate, 8e9, "rate between servers");
        NS_TEST_EXPECT_MSG_EQ_TOL(limits.latency, 700e-9, 1e-15, "delay between servers");

        NodeContainer nodes(6);
        const auto channel = FabricHelper::GetChannel(helper.Install(nodes));
        EXPECT_ABORT("before devices are attached",
                     [&]() { channel->SetAttribute("ServerSize", UintegerValue(2)); });
        Simulator::Destroy();

        for (const std::string& error :
             {GetAbort([&]() { helper.SetServers(0, DataRate("1Gbps")); }),
              GetAbort([&]() { helper.SetServers(4, DataRate(0)); }),
              GetAbort([&]() { helper.SetServers(4, DataRate("1Gbps"), NanoSeconds(-1)); })})
        {
            EXPECT_PART(error, "a server has 1 node at least");
        }
        EXPECT_ABORT("must be 0 or more", [&]() { helper.SetDelay(NanoSeconds(-1)); });
        NS_TEST_EXPECT_MSG_EQ(helper.GetLimits(6).servers.layout.gpus, 4, "as before");
    }

  private:
    /// Sources and destinations of flows.
    using Flows = std::set<std::pair<uint32_t, uint32_t>>;

    /// One direction of a link: the port, true for the link to its server, true for receiving.
    using Link = std::tuple<uint32_t, bool, bool>;

    /**
     * @param flow a flow
     * @param size the number of ports of a server
     * @return the links that it passes through
     */
    static std::vector<Link> GetLinks(const std::pair<uint32_t, uint32_t>& flow, uint32_t size)
    {
        const bool inside = flow.first / size == flow.second / size;
        return {Link(flow.first, inside, false), Link(flow.second, inside, true)};
    }

    /**
     * @param flows the flows
     * @param size the number of ports of a server
     * @return their rates in bit/s
     */
    std::map<std::pair<uint32_t, uint32_t>, double> Fill(Flows flows, uint32_t size) const
    {
        std::map<std::pair<uint32_t, uint32_t>, double> rates;
        std::map<Link, double> used;
        double level = 0;
        while (!flows.empty())
        {
            std::map<Link, uint32_t> open;
            for (const auto& flow : flows)
            {
                for (const auto& link : GetLinks(flow, size))
                {
                    ++open[link];
                }
            }
            double step = INFINITY;
            for (const auto& entry : open)
            {
                const double rate = std::get<1>(entry.first) ? m_serverRate : m_rate;
                step = std::min(step, (rate - used[entry.first]) / entry.second);
            }
            level += step;
            for (const auto& entry : open)
            {
                used[entry.first] += step * entry.second;
            }
            Flows left;
            for (const auto& flow : flows)
            {
                bool full = false;
                for (const auto& link : GetLinks(flow, size))
                {
                    const double rate = std::get<1>(link) ? m_serverRate : m_rate;
                    full = full || used[link] > rate - 1e-3;
                }
                if (full)
                {
                    rates[flow] = level;
                }
                else
                {
                    left.insert(flow);
                }
            }
            flows = left;
        }
        return rates;
    }

    /**
     * @param fabric the fabric
     * @param flows the flows that it has
     * @param size the number of ports of a server
     */
    void Check(Ptr<CrossbarChannel> fabric, const Flows& flows, uint32_t size)
    {
        for (const auto& entry : Fill(flows, size))
        {
            const double share =
                fabric->GetRate(entry.first.first, entry.first.second).GetBitRate();
            // Shares are rounded down to whole bit/s, and the rest goes to other flows
            NS_TEST_EXPECT_MSG_EQ_TOL(share,
                                      entry.second,
                                      20,
                                      "flow " << entry.first.first << " to " << entry.first.second
                                              << ", servers of " << size);
        }
    }

    uint64_t m_rate{0};       //!< Rate between servers, bit/s
    uint64_t m_serverRate{0}; //!< Rate inside servers, bit/s
    uint32_t m_nFlows{0};     //!< Flows tried
    uint32_t m_nInside{0};    //!< Those of them that are inside a server
};

/// Registers the test cases
static const SuiteCases g_crossbarServerCases(
    "lightpath-fabric-crossbar",
    {{MakeCase("Rates and delays inside servers and between them", &CrossbarServerTests::TestTimes),
      MakeCase("Shares inside servers and between them", &CrossbarServerTests::TestShares),
      MakeCase("Random flows inside servers and between them share as by water filling",
               &CrossbarServerTests::TestFilling),
      MakeCase("The helper sets servers and tells planners of them",
               &CrossbarServerTests::TestHelper)}});
