/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "method-case.h"
#include "model/planner/price/flow-network.h"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <limits>
#include <random>
#include <vector>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/// Rate of a link, bytes/s
constexpr double FLOW_RATE = 8;

/**
 * @param paths its paths
 * @param link its link
 * @param bytes bytes of a step on each path, and on the link
 * @param steps number of steps
 * @return the steps of a collective operation
 */
FlowNetwork::Shape
MakeShape(const std::vector<uint32_t>& paths, uint32_t link, double bytes, double steps)
{
    FlowNetwork::Shape shape;
    for (const uint32_t path : paths)
    {
        shape.paths.push_back({path, bytes});
    }
    shape.links.push_back({link, bytes});
    shape.steps = steps;
    return shape;
}

/**
 * @ingroup lightpath-tests
 * @brief Messages on paths whose links are shared anew, all of them, whenever one ends.
 */
struct WholeSharing
{
    /// A message.
    struct Message
    {
        double left;  //!< Bytes left
        uint64_t tag; //!< Tag
    };

    std::vector<double> rates;                        //!< Rates of the links
    std::vector<std::vector<FlowNetwork::Use>> paths; //!< Links of the paths
    std::vector<std::deque<Message>> messages;        //!< Messages of the paths, in order

    /**
     * @return the rate of each path, by raising all that carry a message until a link is full
     */
    std::vector<double> GetSpeeds() const
    {
        std::vector<double> speeds(paths.size(), -1);
        while (true)
        {
            double level = std::numeric_limits<double>::infinity();
            uint32_t full = 0;
            for (uint32_t link = 0; link < rates.size(); ++link)
            {
                double left = rates[link];
                double open = 0;
                for (std::size_t path = 0; path < paths.size(); ++path)
                {
                    for (const auto& use : paths[path])
                    {
                        const bool isOn = use.index == link && !messages[path].empty();
                        open += isOn && speeds[path] < 0 ? use.bytes : 0;
                        left -= isOn && speeds[path] >= 0 ? speeds[path] * use.bytes : 0;
                    }
                }
                if (open > 0 && left / open < level)
                {
                    level = left / open;
                    full = link;
                }
            }
            if (level == std::numeric_limits<double>::infinity())
            {
                return speeds;
            }
            for (std::size_t path = 0; path < paths.size(); ++path)
            {
                const bool isOn =
                    std::any_of(paths[path].begin(), paths[path].end(), [full](const auto& use) {
                        return use.index == full;
                    });
                speeds[path] =
                    isOn && !messages[path].empty() && speeds[path] < 0 ? level : speeds[path];
            }
        }
    }

    /**
     * Go on to the next end.
     *
     * @param [in,out] now the time in seconds
     * @return the tags of the messages that end, in ascending order
     */
    std::vector<uint64_t> Proceed(double& now)
    {
        const auto speeds = GetSpeeds();
        double step = std::numeric_limits<double>::infinity();
        for (std::size_t path = 0; path < paths.size(); ++path)
        {
            step = messages[path].empty()
                       ? step
                       : std::min(step, messages[path].front().left / speeds[path]);
        }
        std::vector<uint64_t> tags;
        for (std::size_t path = 0; path < paths.size(); ++path)
        {
            if (messages[path].empty())
            {
                continue;
            }
            messages[path].front().left -= step * speeds[path];
            if (messages[path].front().left < 1e-9)
            {
                tags.push_back(messages[path].front().tag);
                messages[path].pop_front();
            }
        }
        now += step;
        std::sort(tags.begin(), tags.end());
        return tags;
    }
};

} // namespace

/**
 * @ingroup lightpath-tests
 * @brief Messages and collective operations that share links and paths.
 */
class FlowNetworkTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /**
     * @param network a network
     * @param seconds when the next flow ends
     * @param tags the flows that end then
     */
    void ExpectEnd(FlowNetwork& network, double seconds, const std::vector<uint64_t>& tags)
    {
        NS_TEST_EXPECT_MSG_EQ_TOL(network.GetNext(), seconds, 1e-9, "end");
        std::vector<uint64_t> ended;
        network.End(seconds, ended);
        NS_TEST_EXPECT_MSG_EQ((ended == tags), true, "who ends at " << seconds << " s");
    }

    /// On one path of 8 bytes/s steps of 6 and of 2 bytes take turns, so that both take 1 s.
    void TestTurns()
    {
        FlowNetwork network;
        const uint32_t link = network.AddLink(FLOW_RATE);
        const uint32_t path = network.AddPath({{link, 1}});
        const auto large = MakeShape({path}, link, 6, 1);
        const auto small = MakeShape({path}, link, 2, 1);
        network.Begin(large, 1);
        network.Begin(small, 2);
        network.Share(0);
        ExpectEnd(network, 1, {1, 2});
    }

    /// Steps that a message on another path holds up take no turns: 18 bytes share the link evenly
    /// with a message and take 18 / 4 s.
    void TestHeldUp()
    {
        FlowNetwork network;
        const uint32_t link = network.AddLink(FLOW_RATE);
        const uint32_t apart = network.AddLink(1e-3);
        const uint32_t common = network.AddPath({{link, 1}});
        const uint32_t held = network.AddPath({{apart, 1}});
        const uint32_t other = network.AddPath({{link, 1}});
        const auto large = MakeShape({common}, link, 6, 3);
        const auto small = MakeShape({common, held}, link, 2, 1);
        network.Send(held, 1000, 3);
        network.Begin(large, 1);
        network.Begin(small, 2);
        network.Send(other, 1000, 4);
        network.Share(0);
        ExpectEnd(network, 4.5, {1});
    }

    /// Messages that are drawn, some of them cancelled, end as if all links were shared at each
    /// end.
    void TestDrawn()
    {
        std::mt19937 random(20261129);
        const auto draw = [&random](uint32_t least, uint32_t most) {
            return std::uniform_int_distribution<uint32_t>(least, most)(random);
        };
        for (uint32_t job = 0; job < 200; ++job)
        {
            FlowNetwork network;
            WholeSharing whole;
            for (uint32_t link = 0, n = draw(1, 6); link < n; ++link)
            {
                whole.rates.push_back(draw(1, 9));
                network.AddLink(whole.rates.back());
            }
            for (uint32_t path = 0, n = draw(1, 8); path < n; ++path)
            {
                std::vector<FlowNetwork::Use> links;
                for (uint32_t link = 0; link < whole.rates.size(); ++link)
                {
                    if (draw(0, 2) == 0 || (links.empty() && link + 1 == whole.rates.size()))
                    {
                        links.push_back({link, 1.0 * draw(1, 2)});
                    }
                }
                network.AddPath(links);
                whole.paths.push_back(links);
            }
            whole.messages.resize(whole.paths.size());
            double now = 0;
            uint64_t tag = 0;
            uint32_t nLeft = 40;
            while (nLeft > 0 || std::any_of(whole.messages.begin(),
                                            whole.messages.end(),
                                            [](const auto& queue) { return !queue.empty(); }))
            {
                for (uint32_t n = std::min(nLeft, draw(1, 4)); n > 0; --n, --nLeft)
                {
                    const uint32_t path = draw(0, whole.paths.size() - 1);
                    const double bytes = draw(1, 50);
                    network.Send(path, bytes, ++tag);
                    whole.messages[path].push_back({bytes, tag});
                }
                auto& last = whole.messages[draw(0, whole.paths.size() - 1)];
                if (last.size() > 1 && draw(0, 3) == 0)
                {
                    network.Cancel(&last - whole.messages.data(), last.back().tag);
                    last.pop_back();
                }
                network.Share(now);
                const double next = network.GetNext();
                const auto expected = whole.Proceed(now);
                NS_TEST_ASSERT_MSG_EQ_TOL(next, now, 1e-9, "End in job " << job);
                std::vector<uint64_t> tags;
                network.End(next, tags);
                std::sort(tags.begin(), tags.end());
                NS_TEST_ASSERT_MSG_EQ((tags == expected), true, "Messages in job " << job);
            }
        }
    }
};

/// Registers the test cases
static const SuiteCases g_flowNetworkCases(
    "lightpath-planner",
    {{MakeCase("Steps of operations on one path", &FlowNetworkTests::TestTurns),
      MakeCase("Steps that a message holds up", &FlowNetworkTests::TestHeldUp),
      MakeCase("Messages that are drawn", &FlowNetworkTests::TestDrawn)}});
