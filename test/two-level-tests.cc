/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collective-cases.h"
#include "expect-error.h"
#include "method-case.h"

using namespace ns3;
using namespace ns3::lightpath;

/**
 * @ingroup lightpath-tests
 * @brief The test cases of servers.
 */
class TwoLevelTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /**
     * Compares the closed forms for two kinds of links with a walk over the steps, and with the
     * published formula at one point.
     */
    void TestServerClosedForm()
    {
        const LinkCost inside{2e-6, 300e9};
        const LinkCost outside{9e-6, 25e9};
        for (const std::string name :
             {"all-reduce", "reduce-scatter", "all-gather", "all-to-all", "send-recv"})
        {
            const auto kind = CollectiveSchedule::GetKind(name);
            for (const uint32_t n : {2, 3, 4, 6, 8, 12, 15})
            {
                for (uint32_t local = 1; local <= n; ++local)
                {
                    if (n % local != 0)
                    {
                        continue;
                    }
                    const auto schedule =
                        CollectiveSchedule::Create(kind, n, uint64_t{n} * 1000000, local);
                    NS_TEST_ASSERT_MSG_EQ(schedule->GetNLocal(), local, "ranks of a server");
                    const double walk = Walk(*schedule, inside, outside);
                    NS_TEST_ASSERT_MSG_EQ_TOL(schedule->GetServerSeconds(inside, outside),
                                              walk,
                                              1e-9 * walk,
                                              name << ", " << n << " ranks, " << local << " local");
                    const double same = Walk(*schedule, outside, outside);
                    if (kind == CollectiveKind::ALL_TO_ALL)
                    {
                        continue; // whose ranks send at a rate in all on one kind of links
                    }
                    NS_TEST_ASSERT_MSG_EQ_TOL(schedule->GetSeconds(9e-6, 25e9),
                                              same,
                                              1e-9 * same,
                                              name << " on links of one kind");
                }
            }
        }
        // 2 servers of 4, 80 MB: 6 (1 us + 20 MB / 100 GB/s) + 2 (5 us + 10 MB / 10 GB/s)
        const auto reduce = CollectiveSchedule::Create(CollectiveKind::ALL_REDUCE, 8, 80000000, 4);
        NS_TEST_ASSERT_MSG_EQ_TOL(reduce->GetServerSeconds({1e-6, 100e9}, {5e-6, 10e9}),
                                  6 * 201e-6 + 2 * 1005e-6,
                                  1e-12,
                                  "the published formula");
        NS_TEST_ASSERT_MSG_EQ(CollectiveSchedule::Create(CollectiveKind::ALL_REDUCE, 8, 0, 4)
                                  ->GetServerSeconds(inside, outside),
                              0,
                              "nothing to send");
        for (const uint32_t local : {0, 3, 16})
        {
            const std::string error = GetError(
                [local]() { CollectiveSchedule::Create(CollectiveKind::ALL_REDUCE, 8, 1, local); });
            EXPECT_PART(error, "must divide the group");
        }
    }

    /// Compares every algorithm inside servers and across them with a walk, and with formulas.
    void TestLevelClosedForm()
    {
        const LinkCost inside{2e-6, 300e9};
        const LinkCost outside{9e-6, 25e9};
        for (const uint32_t n : {4, 6, 8, 12, 15, 24})
        {
            for (const std::string name :
                 {"all-reduce", "reduce-scatter", "all-gather", "all-to-all"})
            {
                const auto kind = CollectiveSchedule::GetKind(name);
                for (const auto& what : MakeLevelCases(kind, n, uint64_t{n} * 5040000))
                {
                    const double walk = Walk(*what.schedule, inside, outside);
                    const double closed = what.schedule->GetServerSeconds(inside, outside);
                    if (what.Uses(CollectiveAlgorithm::DOUBLE_TREE) ||
                        what.Uses(CollectiveAlgorithm::LINE))
                    {
                        NS_TEST_ASSERT_MSG_LT_OR_EQ(walk, closed * (1 + 1e-9), what.name);
                        continue;
                    }
                    NS_TEST_ASSERT_MSG_EQ_TOL(closed, walk, 1e-9 * walk, what.name);
                }
            }
        }
        for (const auto& [n, local] : std::vector<std::pair<uint32_t, uint32_t>>{{4, 2},
                                                                                 {6, 2},
                                                                                 {6, 3},
                                                                                 {9, 3},
                                                                                 {16, 8},
                                                                                 {24, 8},
                                                                                 {40, 8}})
        {
            // The slower of both kinds of links decides
            const auto rings =
                CollectiveSchedule::Create(CollectiveKind::ALL_REDUCE,
                                           n,
                                           uint64_t{n} * 5040000,
                                           {local, CollectiveAlgorithm::SERVER_RINGS});
            for (const double rate : {5e9, 300e9})
            {
                const double walk = Walk(*rings, {2e-6, 100e9}, {9e-6, rate});
                NS_TEST_ASSERT_MSG_EQ_TOL(rings->GetServerSeconds({2e-6, 100e9}, {9e-6, rate}),
                                          walk,
                                          1e-9 * walk,
                                          n << " ranks, " << local << " in a server");
            }
        }
        TryLevelPoints();
    }

  private:
    /// The formulas at one point each: 4 servers of 4 ranks, 16 MB.
    void TryLevelPoints()
    {
        using A = CollectiveAlgorithm;
        const auto get = [](CollectiveKind kind, A insideServers, A across) {
            return CollectiveSchedule::Create(kind,
                                              16,
                                              16000000,
                                              {4, A::TWO_LEVEL, 1, insideServers, across})
                ->GetServerSeconds({1e-6, 100e9}, {5e-6, 10e9});
        };
        // Whole buffers take 160 us inside and 1600 us across
        NS_TEST_EXPECT_MSG_EQ_TOL(get(CollectiveKind::ALL_TO_ALL, A::DIRECT, A::DIRECT),
                                  1e-6 + 120e-6 + 5e-6 + 1200e-6,
                                  1e-12,
                                  "alpha1 + (g - 1) S / (g B1) + alpha2 + (p - 1) S / (p B2)");
        NS_TEST_EXPECT_MSG_EQ_TOL(get(CollectiveKind::ALL_TO_ALL, A::DIRECT, A::PAIRWISE),
                                  1e-6 + 120e-6 + 3 * (5e-6 + 400e-6),
                                  1e-12,
                                  "one server after the other");
        NS_TEST_EXPECT_MSG_EQ_TOL(get(CollectiveKind::ALL_REDUCE, A::DIRECT, A::IN_NETWORK),
                                  2 * (1e-6 + 120e-6) + 5e-6 + 400e-6,
                                  1e-12,
                                  "a network averages a part of each server");
        NS_TEST_EXPECT_MSG_EQ_TOL(get(CollectiveKind::ALL_REDUCE, A::IN_NETWORK, A::RING),
                                  1e-6 + 160e-6 + 6 * (5e-6 + 100e-6) + 1e-6 + 120e-6,
                                  1e-12,
                                  "the switch of a server sums whole buffers");
        NS_TEST_EXPECT_MSG_EQ_TOL(get(CollectiveKind::ALL_REDUCE, A::RING, A::HALVING_DOUBLING),
                                  6 * (1e-6 + 40e-6) + 4 * 5e-6 + 2 * 300e-6,
                                  1e-12,
                                  "2 log2 p alpha2 + 2 (p - 1) S / (n B2)");
        // 30 steps of 3 messages of 250 kB inside servers, and one to the next server
        const auto rings = CollectiveSchedule::Create(CollectiveKind::ALL_REDUCE,
                                                      16,
                                                      16000000,
                                                      {4, A::SERVER_RINGS});
        NS_TEST_EXPECT_MSG_EQ_TOL(rings->GetServerSeconds({1e-6, 100e9}, {5e-6, 10e9}),
                                  30 * (5e-6 + 25e-6),
                                  1e-12,
                                  "2 (n - 1) (alpha2 + S / (g n B2))");
        // A buffer that is not divided evenly: S / n itself
        const auto odd =
            CollectiveSchedule::Create(CollectiveKind::ALL_TO_ALL, 4, 7, {2, A::TWO_LEVEL});
        NS_TEST_EXPECT_MSG_EQ_TOL(odd->GetSeconds(1, 1), 2 + 7.0, 1e-12, "odd size");
    }

    /**
     * Walk over the steps: a rank begins a step once all earlier messages to it have come in, and
     * sends inside its server and to other servers at the same time.
     *
     * @param schedule the schedule
     * @param inside the links inside a server
     * @param outside the links between servers
     * @return the last end, in seconds
     */
    static double Walk(const CollectiveSchedule& schedule,
                       const LinkCost& inside,
                       const LinkCost& outside)
    {
        const uint32_t n = schedule.GetNRanks();
        std::vector<double> ready(n, 0);
        std::vector<Transfer> sends;
        for (uint32_t step = 0; step < schedule.GetNSteps(); ++step)
        {
            std::vector<double> next = ready;
            for (uint32_t rank = 0; rank < n; ++rank)
            {
                double ends[2] = {ready[rank], ready[rank]};
                schedule.GetSends(rank, step, sends);
                for (const auto& send : sends)
                {
                    const bool local = send.peer == rank ? send.isInside
                                                         : rank / schedule.GetNLocal() ==
                                                               send.peer / schedule.GetNLocal();
                    const LinkCost& link = local ? inside : outside;
                    ends[local] += send.bytes / link.rate;
                    next[send.peer] = std::max(next[send.peer], ends[local] + link.latency);
                }
            }
            ready = next;
        }
        return *std::max_element(ready.begin(), ready.end());
    }
};

/// Registers the test cases
static const SuiteCases g_twoLevelCases(
    "lightpath-collective",
    {{MakeCase("Closed forms for servers equal a walk over the steps",
               &TwoLevelTests::TestServerClosedForm),
      MakeCase("Closed forms of two levels by all algorithms equal a walk and formulas",
               &TwoLevelTests::TestLevelClosedForm)}});
