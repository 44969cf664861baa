/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "expect-error.h"
#include "method-case.h"
#include "model/collective/routed-schedule.h"

#include "ns3/collective-schedule.h"

#include <cmath>
#include <memory>
#include <numeric>
#include <vector>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/**
 * @ingroup lightpath-tests
 * @param routing the tokens
 * @param local the ranks of a server; 1 for direct messages
 * @return the options of an all-to-all that carries them
 */
CollectiveOptions
MakeOptions(const TokenRouting& routing, uint32_t local)
{
    CollectiveOptions options(local,
                              local > 1 ? CollectiveAlgorithm::TWO_LEVEL
                                        : CollectiveAlgorithm::AUTOMATIC);
    options.routing = std::make_shared<TokenRouting>(routing);
    return options;
}

/**
 * @ingroup lightpath-tests
 * @param routing the tokens
 * @param ranks the number of ranks
 * @param bytes the size of the buffer
 * @param local the ranks of a server
 * @return the schedule of an all-to-all that carries them
 */
std::shared_ptr<const CollectiveSchedule>
MakeRouted(const TokenRouting& routing, uint32_t ranks, uint64_t bytes, uint32_t local)
{
    return CollectiveSchedule::Create(CollectiveKind::ALL_TO_ALL,
                                      ranks,
                                      bytes,
                                      MakeOptions(routing, local));
}

/**
 * @ingroup lightpath-tests
 * @param schedule a schedule
 * @param rank a rank
 * @param step a step
 * @return the bytes that it sends to each rank
 */
std::vector<uint64_t>
GetSent(const CollectiveSchedule& schedule, uint32_t rank, uint32_t step)
{
    std::vector<uint64_t> bytes(schedule.GetNRanks(), 0);
    std::vector<Transfer> transfers;
    schedule.GetSends(rank, step, transfers);
    for (const auto& transfer : transfers)
    {
        bytes[transfer.peer] += transfer.bytes;
    }
    return bytes;
}

} // namespace

/**
 * @ingroup lightpath-tests
 * @brief The tests of the messages that carry tokens to experts and back.
 */
class TokenRoutingTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /// Compares the messages of uneven tokens with numbers worked out by hand.
    void TestMessages()
    {
        TokenRouting routing;
        routing.loads = {1.5, 0.5, 1.25, 0.75};
        using Bytes = std::vector<uint64_t>;
        const auto there = MakeRouted(routing, 4, 4000, 1);
        NS_TEST_EXPECT_MSG_EQ((GetSent(*there, 0, 0) == Bytes{0, 500, 1250, 750}), true, "Of 0");
        NS_TEST_EXPECT_MSG_EQ((GetSent(*there, 2, 0) == Bytes{1500, 500, 0, 750}), true, "Of 2");
        // Rank 0 receives 3 x 1500 bytes
        NS_TEST_EXPECT_MSG_EQ_TOL(there->GetSeconds(1e-6, 1e9), 5.5e-6, 1e-12, "There");
        NS_TEST_EXPECT_MSG_EQ_TOL(there->GetCircuitSeconds({1e-6, 1e9}), 2.5e-6, 1e-12, "Circuits");
        routing.isReturn = true;
        const auto back = MakeRouted(routing, 4, 4000, 1);
        NS_TEST_EXPECT_MSG_EQ((GetSent(*back, 0, 0) == Bytes{0, 1500, 1500, 1500}), true, "Back");
        NS_TEST_EXPECT_MSG_EQ((GetSent(*back, 3, 0) == Bytes{750, 750, 750, 0}), true, "Back");
        NS_TEST_EXPECT_MSG_EQ_TOL(back->GetSeconds(1e-6, 1e9), 5.5e-6, 1e-12, "Back");

        // Two servers of two: first 2000 bytes for each server, then those of two ranks for each
        const auto servers = MakeRouted(routing, 4, 4000, 2);
        NS_TEST_EXPECT_MSG_EQ((GetSent(*servers, 0, 0) == Bytes{0, 3000, 0, 0}), true, "Inside");
        NS_TEST_EXPECT_MSG_EQ((GetSent(*servers, 0, 1) == Bytes{0, 0, 2000, 0}), true, "Across");
        routing.isReturn = false;
        const auto first = MakeRouted(routing, 4, 4000, 2);
        NS_TEST_EXPECT_MSG_EQ((GetSent(*first, 1, 0) == Bytes{0, 0, 0, 2000}), true, "Across");
        NS_TEST_EXPECT_MSG_EQ((GetSent(*first, 1, 1) == Bytes{3000, 0, 0, 0}), true, "Inside");
        NS_TEST_EXPECT_MSG_EQ_TOL(first->GetServerSeconds({1e-6, 10e9}, {2e-6, 1e9}),
                                  2e-6 + 2e-6 + 1e-6 + 0.3e-6,
                                  1e-12,
                                  "Two levels");
        CheckEnds();
        const auto make = [&](CollectiveAlgorithm algorithm, CollectiveKind kind) {
            CollectiveOptions options = MakeOptions(routing, 1);
            options.algorithm = algorithm;
            return GetError([&]() { CollectiveSchedule::Create(kind, 4, 100, options); });
        };
        EXPECT_PART(make(CollectiveAlgorithm::BRUCK, CollectiveKind::ALL_TO_ALL),
                    "all-to-all of direct messages");
        EXPECT_PART(make(CollectiveAlgorithm::DIRECT, CollectiveKind::ALL_GATHER),
                    "all-to-all of direct messages");
        EXPECT_PART(GetError([&]() { MakeRouted(routing, 8, 100, 1); }),
                    "8 ranks have 4 loads: each rank needs one");
    }

    /// Compares the bytes of tokens that go to servers once with published numbers and formulas.
    void TestServers()
    {
        // 4096 tokens of 7168 bytes, 8 experts in 4 of 8 groups, 8 servers of 8: copies for 3.5
        // other servers, and all copies but those of the own GPU inside
        constexpr uint64_t row = 4096 * 7168;
        TokenRouting routing;
        routing.perToken = 8;
        routing.groups = 8;
        routing.topGroups = 4;
        const auto limited = MakeRouted(routing, 64, 8 * row, 8);
        CheckSums(*limited, 7 * row / 2, 7 * row);
        routing.isReturn = true;
        const auto back = MakeRouted(routing, 64, 8 * row, 8);
        std::vector<uint64_t> sent = GetSent(*back, 3, 1);
        NS_TEST_EXPECT_MSG_EQ(std::accumulate(sent.begin(), sent.end(), uint64_t{0}),
                              7 * row / 2,
                              "Results go back to servers once");
        // Without a limit 5.25 of 8 servers: 8 (1 - (7 / 8)^8)
        routing.groups = 1;
        const double all = RoutedSchedule::GetServersOfToken(routing, 8);
        NS_TEST_EXPECT_MSG_EQ_TOL(all, 5.2511, 1e-4, "Servers of a token");
        sent = GetSent(*MakeRouted(routing, 64, 8 * row, 8), 3, 1);
        NS_TEST_EXPECT_MSG_EQ_TOL(
            static_cast<double>(std::accumulate(sent.begin(), sent.end(), uint64_t{0})),
            all * 7 / 8 * row,
            7,
            "No limit");
        // Each of 4 servers has two groups; each of 8 groups has two of 16 servers
        routing.groups = 8;
        routing.topGroups = 3;
        NS_TEST_EXPECT_MSG_EQ(RoutedSchedule::GetServersOfToken(routing, 4), 3, "Few servers");
        NS_TEST_EXPECT_MSG_EQ_TOL(RoutedSchedule::GetServersOfToken(routing, 16),
                                  6 * (1 - std::pow(5.0 / 6, 8)),
                                  1e-12,
                                  "Many servers");
        // A random choice of 8 of 16 experts reaches as many of 2 servers as counted here
        routing.groups = 1;
        routing.perToken = 2;
        NS_TEST_EXPECT_MSG_EQ_TOL(RoutedSchedule::GetServersOfToken(routing, 2), 1.5, 1e-12, "2");
    }

  private:
    /// Check that both ends of all messages agree, and that totals are their sums.
    void CheckEnds()
    {
        TokenRouting routing;
        routing.loads = {1.7, 0.3, 1.21, 0.13, 1.51, 0.49, 2.11, 0.55};
        std::vector<Transfer> transfers;
        for (const uint32_t local : {1, 2, 4})
        {
            for (const bool isReturn : {false, true})
            {
                routing.isReturn = isReturn;
                routing.perToken = local > 1 ? 3 : 0;
                const auto schedule = MakeRouted(routing, 8, 99991, local);
                std::vector<std::vector<uint64_t>> totals(8, std::vector<uint64_t>(8, 0));
                for (uint32_t step = 0; step < schedule->GetNSteps(); ++step)
                {
                    for (uint32_t rank = 0; rank < 8; ++rank)
                    {
                        std::vector<uint64_t> got(8, 0);
                        schedule->GetReceives(rank, step, transfers);
                        for (const auto& transfer : transfers)
                        {
                            got[transfer.peer] = transfer.bytes;
                        }
                        for (uint32_t peer = 0; peer < 8; ++peer)
                        {
                            const uint64_t sent = GetSent(*schedule, peer, step)[rank];
                            NS_TEST_EXPECT_MSG_EQ(got[peer], sent, peer << " to " << rank);
                            totals[peer][rank] += sent;
                        }
                    }
                }
                for (uint32_t rank = 0; rank < 8; ++rank)
                {
                    schedule->GetTotals(rank, transfers);
                    for (const auto& transfer : transfers)
                    {
                        totals[rank][transfer.peer] -= transfer.bytes;
                    }
                    NS_TEST_EXPECT_MSG_EQ((totals[rank] == std::vector<uint64_t>(8, 0)),
                                          true,
                                          "Totals of " << rank);
                }
            }
        }
    }

    /**
     * @param schedule a schedule of two levels, to experts
     * @param across the bytes that each rank sends to other servers
     * @param inside the bytes that it sends inside its server
     */
    void CheckSums(const CollectiveSchedule& schedule, uint64_t across, uint64_t inside)
    {
        for (const uint32_t rank : {0, 21, 63})
        {
            for (uint32_t step = 0; step < 2; ++step)
            {
                const auto sent = GetSent(schedule, rank, step);
                NS_TEST_EXPECT_MSG_EQ(std::accumulate(sent.begin(), sent.end(), uint64_t{0}),
                                      (step == 0 ? across : inside),
                                      "Rank " << rank << ", step " << step);
            }
        }
    }
};

/// Registers the test cases
static const SuiteCases g_tokenRoutingCases(
    "lightpath-planner-experts",
    {{MakeCase("Uneven tokens make messages as worked out by hand",
               &TokenRoutingTests::TestMessages),
      MakeCase("Tokens go to servers once, as published", &TokenRoutingTests::TestServers)}});
