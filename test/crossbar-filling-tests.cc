/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "expect-error.h"
#include "fabric-fixture.h"
#include "method-case.h"

#include "ns3/crossbar-channel.h"
#include "ns3/electrical-switch-helper.h"
#include "ns3/fabric-description.h"
#include "ns3/planning-problem.h"
#include "ns3/random-variable-stream.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

using namespace ns3;
using namespace ns3::lightpath;

/**
 * @ingroup lightpath-tests
 * @brief The test cases of random flows over the electrical switch, and of its helper.
 */
class CrossbarFillingTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /**
     * Rates of random flows are those of progressive filling.
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
            const auto fabric = CreateObject<CrossbarChannel>();
            m_rate = 1000000000 * random->GetInteger(1, 3);
            fabric->SetAttribute("LinkRate", DataRateValue(DataRate(m_rate)));
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
                    if (!brief)
                    {
                        rest.emplace(source, destination);
                    }
                }
            }
            m_nFlows += flows.size();
            Simulator::Schedule(NanoSeconds(1), [&]() { Check(fabric, flows); });
            // The brief ones have ended by now: 100 bytes at no less than an eighth of 1 Gb/s
            Simulator::Schedule(MicroSeconds(20), [&]() { Check(fabric, rest); });
            Simulator::Stop(MicroSeconds(21));
            Simulator::Run();
            Simulator::Destroy();
        }
        NS_TEST_EXPECT_MSG_GT(m_nFlows, 200, "flows");
    }

    /// The limits of the switch, and a refusal of its helper.
    void TestHelper()
    {
        ElectricalSwitchHelper helper;
        FabricLimits limits = FabricDescription::Create(helper)->GetLimits(6);
        NS_TEST_EXPECT_MSG_EQ(limits.HasServers(), false, "no servers");
        NS_TEST_EXPECT_MSG_EQ(limits.latency, 0, "no delay");
        helper.SetDelay(NanoSeconds(700));
        helper.SetBandwidth(DataRate("8Gbps"));
        limits = FabricDescription::Create(helper)->GetLimits(6);
        NS_TEST_EXPECT_MSG_EQ(limits.bitRate, 8e9, "rate");
        NS_TEST_EXPECT_MSG_EQ_TOL(limits.latency, 700e-9, 1e-15, "delay");
        EXPECT_PART(GetAbort([&]() { helper.SetDelay(NanoSeconds(-1)); }), "must be 0 or more");
    }

  private:
    /// Sources and destinations of flows.
    using Flows = std::set<std::pair<uint32_t, uint32_t>>;

    /// One direction of a link: the port, true for receiving.
    using Link = std::pair<uint32_t, bool>;

    /**
     * @param flow a flow
     * @return the links that it passes through
     */
    static std::vector<Link> GetLinks(const std::pair<uint32_t, uint32_t>& flow)
    {
        return {Link(flow.first, false), Link(flow.second, true)};
    }

    /**
     * @param flows the flows
     * @return their rates in bit/s
     */
    std::map<std::pair<uint32_t, uint32_t>, double> Fill(Flows flows) const
    {
        std::map<std::pair<uint32_t, uint32_t>, double> rates;
        std::map<Link, double> used;
        double level = 0;
        while (!flows.empty())
        {
            std::map<Link, uint32_t> open;
            for (const auto& flow : flows)
            {
                for (const auto& link : GetLinks(flow))
                {
                    ++open[link];
                }
            }
            double step = INFINITY;
            for (const auto& entry : open)
            {
                const auto rate = static_cast<double>(m_rate);
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
                for (const auto& link : GetLinks(flow))
                {
                    full = full || used[link] > static_cast<double>(m_rate) - 1e-3;
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
     */
    void Check(Ptr<CrossbarChannel> fabric, const Flows& flows)
    {
        for (const auto& entry : Fill(flows))
        {
            const double share =
                fabric->GetRate(entry.first.first, entry.first.second).GetBitRate();
            // Shares are rounded down to whole bit/s, and the rest goes to other flows
            NS_TEST_EXPECT_MSG_EQ_TOL(share,
                                      entry.second,
                                      20,
                                      "flow " << entry.first.first << " to " << entry.first.second);
        }
    }

    uint64_t m_rate{0};   //!< Rate of a link, bit/s
    uint32_t m_nFlows{0}; //!< Flows tried
};

/// Registers the test cases
static const SuiteCases g_crossbarFillingCases(
    "lightpath-fabric-crossbar",
    {{MakeCase("Random flows share as by water filling", &CrossbarFillingTests::TestFilling),
      MakeCase("The helper tells planners of the switch", &CrossbarFillingTests::TestHelper)}});
