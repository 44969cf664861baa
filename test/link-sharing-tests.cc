/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "linear-program.h"
#include "method-case.h"

#include "ns3/link-sharing.h"
#include "ns3/random-variable-stream.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <map>
#include <set>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/// A flow that notes its share.
struct NotingFlow : public LinkSharing::Flow
{
    void NotifyShare(uint64_t bitRate) override
    {
        noted = bitRate;
    }

    std::vector<LinkSharing::Use> uses; //!< Its links
    uint64_t noted{0};                  //!< The share that it was told last, bit/s
};

/// Links and flows.
struct SharedNetwork
{
    LinkSharing sharing;                 //!< Shares them
    std::vector<double> rates;           //!< Rates of the links, Gb/s
    std::deque<NotingFlow> flows;        //!< All flows
    std::vector<const NotingFlow*> live; //!< Those that are active
};

/**
 * Find the max-min fair shares of several networks by linear programs: again and again, the least
 * share that is not settled rises as far as it can, and flows that cannot rise further are settled.
 *
 * @param networks the networks
 * @return the share of each flow, Gb/s
 */
std::map<const NotingFlow*, double>
SolveShares(const std::deque<SharedNetwork>& networks)
{
    std::map<const NotingFlow*, double> shares;
    std::size_t nFlows = 0;
    for (const auto& network : networks)
    {
        nFlows += network.live.size();
    }
    // Far less than any two shares differ by, far more than the solver is wrong by
    constexpr double step = 1e-4;
    while (shares.size() < nFlows)
    {
        LinearProgram levels;
        LinearProgram rises;
        std::map<const NotingFlow*, uint32_t> variables;
        std::map<const NotingFlow*, uint32_t> riseVariables;
        std::vector<uint32_t> levelVariables;
        const auto addLinks = [&](LinearProgram& program) {
            for (const auto& network : networks)
            {
                std::vector<LinearProgram::Terms> terms(network.rates.size());
                for (const auto* const flow : network.live)
                {
                    for (const auto& use : flow->uses)
                    {
                        terms[use.link].emplace_back(variables.at(flow),
                                                     double(use.part) / LinkSharing::WHOLE);
                    }
                }
                for (std::size_t link = 0; link < terms.size(); ++link)
                {
                    program.AddAtMost(terms[link], network.rates[link]);
                }
            }
        };
        // The highest level of each network, whose flows that are settled keep their shares
        for (const auto& network : networks)
        {
            const uint32_t level = levels.AddVariable(1, 1000, false);
            levelVariables.push_back(level);
            for (const auto* const flow : network.live)
            {
                variables[flow] = levels.AddVariable(0, INFINITY, false);
                const auto found = shares.find(flow);
                if (found != shares.end())
                {
                    levels.AddEqual({{variables[flow], 1}}, found->second);
                }
                else
                {
                    levels.AddAtMost({{level, 1}, {variables[flow], -1}}, 0);
                }
            }
        }
        addLinks(levels);
        levels.Maximise();
        // Which flows can rise above it
        variables.clear();
        for (std::size_t i = 0; i < networks.size(); ++i)
        {
            for (const auto* const flow : networks[i].live)
            {
                variables[flow] = rises.AddVariable(0, INFINITY, false);
                const auto found = shares.find(flow);
                if (found != shares.end())
                {
                    rises.AddEqual({{variables[flow], 1}}, found->second);
                    continue;
                }
                riseVariables[flow] = rises.AddVariable(1, step, false);
                rises.AddAtMost({{riseVariables[flow], 1}, {variables[flow], -1}},
                                -levels.GetValue(levelVariables[i]) + 1e-9);
            }
        }
        addLinks(rises);
        rises.Maximise();
        for (std::size_t i = 0; i < networks.size(); ++i)
        {
            for (const auto* const flow : networks[i].live)
            {
                if (shares.count(flow) == 0 && rises.GetValue(riseVariables[flow]) < step / 2)
                {
                    shares[flow] = levels.GetValue(levelVariables[i]);
                }
            }
        }
    }
    return shares;
}

} // namespace

/**
 * @ingroup lightpath-tests
 * @brief Tests of the sharing of links among flows.
 */
class LinkSharingTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /**
     * Shares on random networks, on which flows begin and end, are those of linear programs.
     *
     * @param nNetworks the number of networks
     */
    void TestOptimum(uint32_t nNetworks)
    {
        if (!LinearProgram::HasSolver())
        {
            return;
        }
        const auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(1);
        std::deque<SharedNetwork> networks(nNetworks);
        for (auto& network : networks)
        {
            Fill(network, *random);
        }
        const auto shares = SolveShares(networks);
        double worst = 0;
        for (const auto& [flow, share] : shares)
        {
            NS_TEST_EXPECT_MSG_EQ(flow->noted, flow->GetShare(), "the share that it was told");
            worst = std::max(worst, std::abs(flow->noted / 1e9 - share) / share);
        }
        NS_TEST_EXPECT_MSG_LT(worst, 1e-6, "the largest difference from the solver");
        for (const auto& network : networks)
        {
            for (const auto& flow : network.flows)
            {
                NS_TEST_EXPECT_MSG_EQ((flow.IsActive() || flow.noted == 0), true, "ended");
            }
        }
    }

    /// Flows that do not meet others on a full link keep their shares, and are not told.
    void TestLocality()
    {
        LinkSharing sharing;
        for (const uint64_t rate : {8000, 8000, 16000, 8000})
        {
            sharing.AddLink(rate);
        }
        NotingFlow one;
        NotingFlow two;
        NotingFlow three;
        // Links 0 and 1 together do not fill link 2
        sharing.SetLinks(one, {{0}, {2}});
        sharing.SetLinks(two, {{1}, {2}});
        sharing.SetLinks(three, {{1}, {3}});
        sharing.Begin(one);
        sharing.Begin(two);
        NS_TEST_EXPECT_MSG_EQ(sharing.IsDirty(), false, "each had its share at once");
        NS_TEST_EXPECT_MSG_EQ((one.noted == 8000 && two.noted == 8000), true, "the whole rate");
        one.noted = 1;
        sharing.Begin(three);
        NS_TEST_EXPECT_MSG_EQ(sharing.IsDirty(), true, "two flows meet on link 1");
        sharing.Share();
        NS_TEST_EXPECT_MSG_EQ((two.noted == 4000 && three.noted == 4000), true, "halves");
        sharing.End(two);
        sharing.Share();
        NS_TEST_EXPECT_MSG_EQ(three.noted, 8000, "what the other left");
        NS_TEST_EXPECT_MSG_EQ(one.noted, 1, "not told of anything");
        sharing.End(one);
        sharing.End(three);
        NS_TEST_EXPECT_MSG_EQ(sharing.IsDirty(), false, "nobody is left");
    }

    /// A flow that is spread over two links gets what the slower of its parts allows.
    void TestParts()
    {
        LinkSharing sharing;
        sharing.AddLink(3000);
        sharing.AddLink(9000);
        NotingFlow spread;
        NotingFlow other;
        constexpr uint32_t third = LinkSharing::WHOLE / 3;
        sharing.SetLinks(spread, {{0, third}, {1, 2 * third}});
        sharing.SetLinks(other, {{0}});
        sharing.Begin(spread);
        NS_TEST_EXPECT_MSG_EQ(spread.noted, 9000, "a third of it fills link 0");
        sharing.Begin(other);
        sharing.Share();
        // A third of x and x fill 3000
        NS_TEST_EXPECT_MSG_EQ(spread.noted, 2250, "the fair share");
        NS_TEST_EXPECT_MSG_EQ(other.noted, 2250, "the fair share");
    }

  private:
    /**
     * Make a random network, on which flows begin and end.
     *
     * @param [out] network the network, empty before
     * @param random makes random numbers
     */
    static void Fill(SharedNetwork& network, UniformRandomVariable& random)
    {
        const uint32_t nLinks = random.GetInteger(2, 12);
        for (uint32_t link = 0; link < nLinks; ++link)
        {
            network.rates.push_back(random.GetInteger(1, 20));
            network.sharing.AddLink(static_cast<uint64_t>(network.rates.back() * 1e9));
        }
        const uint32_t nFlows = random.GetInteger(2, 16);
        for (uint32_t i = 0; i < nFlows; ++i)
        {
            NotingFlow& flow = network.flows.emplace_back();
            const uint32_t most = std::min(nLinks, 5U);
            std::set<uint32_t> links;
            while (links.size() < random.GetInteger(1, most))
            {
                links.insert(random.GetInteger(0, nLinks - 1));
            }
            for (const uint32_t link : links)
            {
                const uint32_t parts[] = {1, 1, 2, 3, 4};
                flow.uses.push_back({link, LinkSharing::WHOLE / parts[random.GetInteger(0, 4)]});
            }
            network.sharing.SetLinks(flow, flow.uses);
        }
        // Most begin, some of which end again
        for (uint32_t i = 0; i < 3 * nFlows; ++i)
        {
            NotingFlow& flow = network.flows[random.GetInteger(0, nFlows - 1)];
            flow.IsActive() ? network.sharing.End(flow) : network.sharing.Begin(flow);
            if (random.GetInteger(0, 2) == 0)
            {
                network.sharing.Share();
            }
        }
        network.sharing.Share();
        for (const auto& flow : network.flows)
        {
            if (flow.IsActive())
            {
                network.live.push_back(&flow);
            }
        }
    }
};

/// Registers the test cases
static const SuiteCases g_linkSharingCases(
    "lightpath-link-graph",
    {{MakeCase("Shares of random networks by GLPK", &LinkSharingTests::TestOptimum, 200),
      MakeCase("Flows that meet nobody", &LinkSharingTests::TestLocality),
      MakeCase("Flows in parts", &LinkSharingTests::TestParts)}});
