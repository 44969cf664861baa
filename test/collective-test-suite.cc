/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "expect-error.h"
#include "method-case.h"

#include "ns3/collective-schedule.h"

#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/// All operations
const std::vector<CollectiveKind> KINDS{CollectiveKind::ALL_REDUCE,
                                        CollectiveKind::REDUCE_SCATTER,
                                        CollectiveKind::ALL_GATHER,
                                        CollectiveKind::ALL_TO_ALL,
                                        CollectiveKind::SEND_RECV};

} // namespace

/**
 * @ingroup lightpath-tests
 * @brief The suite of the folder collective.
 */
class CollectiveTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /// All ranks together send the published number of bytes, of any size.
    void TestBusFactor();

    /// Compares closed forms with the published formulas at one point each.
    void TestClosedForm();

    /// Direct messages go to the ranks behind the sender, one after the other.
    void TestOrder();
};

void
CollectiveTests::TestBusFactor()
{
    for (const double n : {2, 3, 8, 33})
    {
        const std::vector<double> factors{2 * (n - 1) / n,
                                          (n - 1) / n,
                                          (n - 1) / n,
                                          (n - 1) / n,
                                          1};
        for (std::size_t i = 0; i < KINDS.size(); ++i)
        {
            const auto schedule = CollectiveSchedule::Create(KINDS[i], n, 100);
            NS_TEST_ASSERT_MSG_EQ_TOL(schedule->GetBusFactor(), factors[i], 1e-12, i << ", " << n);
        }
    }
    // A buffer that S n does not fit into 64 bits for: 7 chunks of a quintillion each
    const auto large =
        CollectiveSchedule::Create(CollectiveKind::ALL_REDUCE, 7, 7000000000000000000ULL);
    std::vector<Transfer> sends;
    large->GetSends(6, 0, sends);
    NS_TEST_ASSERT_MSG_EQ(sends.at(0).bytes, 1000000000000000000ULL, "no overflow");
    NS_TEST_ASSERT_MSG_EQ(
        CollectiveSchedule::Create(CollectiveKind::ALL_TO_ALL, 1, 5)->GetBusFactor(),
        0,
        "bus factor of one rank");
}

void
CollectiveTests::TestOrder()
{
    // Chunks of 2, 2 and 3 bytes for ranks 0 to 2
    std::vector<Transfer> sends;
    CollectiveSchedule::Create(CollectiveKind::ALL_TO_ALL, 3, 7)->GetSends(1, 0, sends);
    NS_TEST_ASSERT_MSG_EQ(sends.size(), 2, "a message for each peer");
    NS_TEST_ASSERT_MSG_EQ(sends[0].peer, 2, "the next rank");
    NS_TEST_ASSERT_MSG_EQ(sends[0].bytes, 3, "its chunk");
    NS_TEST_ASSERT_MSG_EQ(sends[1].peer, 0, "the rank after it");
    NS_TEST_ASSERT_MSG_EQ(sends[1].bytes, 2, "its chunk");
}

void
CollectiveTests::TestClosedForm()
{
    // 8 ranks, 100 MB, 10 us, 12.5 GB/s: 14 steps of 10 us + 1 ms
    const auto at = [](CollectiveKind kind) {
        return CollectiveSchedule::Create(kind, 8, 100000000)->GetSeconds(1e-5, 12.5e9);
    };
    NS_TEST_ASSERT_MSG_EQ_TOL(at(CollectiveKind::ALL_REDUCE), 14.14e-3, 1e-12, "all-reduce");
    NS_TEST_ASSERT_MSG_EQ_TOL(at(CollectiveKind::REDUCE_SCATTER), 7.07e-3, 1e-12, "scatter");
    NS_TEST_ASSERT_MSG_EQ_TOL(at(CollectiveKind::ALL_GATHER), 7.07e-3, 1e-12, "gather");
    NS_TEST_ASSERT_MSG_EQ_TOL(at(CollectiveKind::ALL_TO_ALL), 7.01e-3, 1e-12, "all-to-all");
    NS_TEST_ASSERT_MSG_EQ_TOL(at(CollectiveKind::SEND_RECV), 8.01e-3, 1e-12, "send-recv");
    // No multiple of n: S / n itself
    NS_TEST_ASSERT_MSG_EQ_TOL(
        CollectiveSchedule::Create(CollectiveKind::ALL_REDUCE, 3, 100)->GetSeconds(1, 10),
        4 + 40.0 / 3,
        1e-12,
        "odd size");
}

/**
 * @ingroup lightpath-tests
 * @brief Looks up operations by name, also by names that do not exist.
 */
class CollectiveNameTestCase : public TestCase
{
  public:
    CollectiveNameTestCase();

  private:
    void DoRun() override;
};

CollectiveNameTestCase::CollectiveNameTestCase()
    : TestCase("Operations are found by name; unknown ones are refused")
{
}

void
CollectiveNameTestCase::DoRun()
{
    const std::vector<std::string> names{"all-reduce",
                                         "reduce-scatter",
                                         "all-gather",
                                         "all-to-all",
                                         "send-recv"};
    const std::string error = GetError([]() { CollectiveSchedule::GetKind("allreduce"); });
    EXPECT_PART(error, "\"allreduce\"");
    for (std::size_t i = 0; i < names.size(); ++i)
    {
        NS_TEST_ASSERT_MSG_EQ((CollectiveSchedule::GetKind(names[i]) == KINDS[i]), true, names[i]);
        EXPECT_PART(error, names[i]);
    }
    const std::string none =
        GetError([]() { CollectiveSchedule::Create(CollectiveKind::ALL_REDUCE, 0, 1); });
    EXPECT_PART(none, "at least 1 rank");
    const std::string beyond =
        GetError([]() { CollectiveSchedule::Create(static_cast<CollectiveKind>(9), 2, 1); });
    EXPECT_PART(beyond, "number 9");
}

/// Registers the test cases
static const SuiteCases g_collectiveCases(
    "lightpath-collective",
    {{MakeCase("All ranks send the published volume", &CollectiveTests::TestBusFactor),
      MakeCase("Closed forms have the published values", &CollectiveTests::TestClosedForm),
      MakeCase("Direct messages have an order", &CollectiveTests::TestOrder),
      new CollectiveNameTestCase}});
