/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "expect-error.h"
#include "method-case.h"

#include "ns3/collective-schedule.h"

#include <algorithm>
#include <string>
#include <vector>

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

  private:
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
                    const bool local =
                        rank / schedule.GetNLocal() == send.peer / schedule.GetNLocal();
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
               &TwoLevelTests::TestServerClosedForm)}});
