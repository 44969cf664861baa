/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collective-tests.h"
#include "expect-error.h"
#include "method-case.h"

#include "ns3/collective-schedule.h"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <utility>
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

    /**
     * Looks at what all schedules have in common: sends match receives, the totals are the sums
     * of the steps, and all steps together move the published number of bytes.
     */
    void TestScheduleBytes();

    /**
     * Compares the closed forms with a walk over the steps of the schedule, and with the
     * published formulas at one point each.
     */
    void TestClosedForm();

  private:
    /**
     * @param kind the operation
     * @param n the number of ranks
     * @param bytes the size of the buffer
     * @param local the number of ranks in a row that share a server
     */
    void Try(CollectiveKind kind, uint32_t n, uint64_t bytes, uint32_t local);

    /**
     * Walk over the steps: a rank begins a step once all that was sent to it in the step before has
     * come in and its own messages are out, sends at the rate in all, and each message takes the
     * latency besides.
     *
     * @param schedule the schedule
     * @param latency the latency in seconds
     * @param rate the rate in bytes/s
     * @return the last end, in seconds
     */
    static double Walk(const CollectiveSchedule& schedule, double latency, double rate);
};

void
CollectiveTests::Try(CollectiveKind kind, uint32_t n, uint64_t bytes, uint32_t local)
{
    const auto schedule = CollectiveSchedule::Create(kind, n, bytes, local);
    NS_TEST_ASSERT_MSG_EQ(schedule->GetNRanks(), n, "ranks");
    NS_TEST_ASSERT_MSG_EQ(schedule->GetBytes(), bytes, "bytes");
    using Message = std::tuple<uint32_t, uint32_t, uint32_t, uint64_t>;
    std::vector<Message> sent;
    std::vector<Message> received;
    std::map<std::pair<uint32_t, uint32_t>, uint64_t> totals;
    uint64_t sum = 0;
    std::vector<Transfer> transfers{{9, 9}};
    for (uint32_t rank = 0; rank < n; ++rank)
    {
        for (uint32_t step = 0; step < schedule->GetNSteps(); ++step)
        {
            schedule->GetSends(rank, step, transfers);
            for (const auto& transfer : transfers)
            {
                sent.emplace_back(step, rank, transfer.peer, transfer.bytes);
                totals[{rank, transfer.peer}] += transfer.bytes;
                sum += transfer.bytes;
            }
            schedule->GetReceives(rank, step, transfers);
            for (const auto& transfer : transfers)
            {
                received.emplace_back(step, transfer.peer, rank, transfer.bytes);
            }
        }
    }
    std::sort(sent.begin(), sent.end());
    std::sort(received.begin(), received.end());
    NS_TEST_ASSERT_MSG_EQ((sent == received), true, "sends match receives");
    for (uint32_t rank = 0; rank < n; ++rank)
    {
        schedule->GetTotals(rank, transfers);
        for (const auto& transfer : transfers)
        {
            const uint64_t total = totals[{rank, transfer.peer}];
            NS_TEST_ASSERT_MSG_EQ(transfer.bytes, total, "total of a pair");
            totals.erase({rank, transfer.peer});
        }
    }
    NS_TEST_ASSERT_MSG_EQ(totals.size(), 0, "each pair has a total");
    // Over all ranks the bus factor holds to the byte: n times factor times S
    uint64_t expected = n * bytes;
    if (n == 1)
    {
        expected = 0;
    }
    else if (kind == CollectiveKind::ALL_REDUCE)
    {
        expected = 2 * (n - 1) * bytes;
    }
    else if (kind != CollectiveKind::SEND_RECV)
    {
        expected = (n - 1) * bytes;
    }
    NS_TEST_ASSERT_MSG_EQ(sum, expected, "bytes of all ranks");
    if (n > 1)
    {
        NS_TEST_ASSERT_MSG_EQ_TOL(n * schedule->GetBusFactor() * static_cast<double>(bytes),
                                  static_cast<double>(expected),
                                  1e-12 * expected,
                                  "bus factor");
    }
}

void
CollectiveTests::TestScheduleBytes()
{
    for (const auto kind : KINDS)
    {
        for (const uint32_t n : RANKS)
        {
            for (const uint64_t bytes : SIZES)
            {
                Try(kind, n, bytes, 1);
                Try(kind, n, bytes, n);
                Try(kind, 3 * n, bytes, n);
                Try(kind, 4 * n, bytes, n);
            }
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
    NS_TEST_ASSERT_MSG_EQ(
        CollectiveSchedule::Create(CollectiveKind::SEND_RECV, 8, 5)->GetBusFactor(),
        1,
        "bus factor of send-recv");
}

double
CollectiveTests::Walk(const CollectiveSchedule& schedule, double latency, double rate)
{
    const uint32_t n = schedule.GetNRanks();
    std::vector<double> ready(n, 0);
    std::vector<Transfer> sends;
    for (uint32_t step = 0; step < schedule.GetNSteps(); ++step)
    {
        std::vector<double> next = ready;
        for (uint32_t rank = 0; rank < n; ++rank)
        {
            schedule.GetSends(rank, step, sends);
            double end = ready[rank];
            for (const auto& send : sends)
            {
                end += static_cast<double>(send.bytes) / rate;
                next[send.peer] = std::max(next[send.peer], end + latency);
            }
        }
        ready = next;
    }
    return *std::max_element(ready.begin(), ready.end());
}

void
CollectiveTests::TestClosedForm()
{
    const double latency = 3e-6;
    const double rate = 25e9;
    for (const auto kind : KINDS)
    {
        for (const uint32_t n : RANKS)
        {
            const auto schedule = CollectiveSchedule::Create(kind, n, uint64_t{n} * 1000000);
            const double seconds = schedule->GetSeconds(latency, rate);
            NS_TEST_ASSERT_MSG_EQ_TOL(seconds,
                                      Walk(*schedule, latency, rate),
                                      1e-9 * seconds,
                                      "operation " << static_cast<int>(kind) << ", " << n
                                                   << " ranks");
            const auto nothing = CollectiveSchedule::Create(kind, n, 0);
            NS_TEST_ASSERT_MSG_EQ(nothing->GetNSteps(), 0, "nothing to send");
            NS_TEST_ASSERT_MSG_EQ(nothing->GetSeconds(latency, rate), 0, "nothing to send");
        }
    }
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
 * @brief Looks up operations by name and tries what does not exist.
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
    NS_TEST_ASSERT_MSG_EQ(Contains(error, "\"allreduce\""), true, error);
    for (std::size_t i = 0; i < names.size(); ++i)
    {
        NS_TEST_ASSERT_MSG_EQ((CollectiveSchedule::GetKind(names[i]) == KINDS[i]), true, names[i]);
        NS_TEST_ASSERT_MSG_EQ(Contains(error, names[i]), true, "lists " << names[i]);
    }
    const std::string none =
        GetError([]() { CollectiveSchedule::Create(CollectiveKind::ALL_REDUCE, 0, 1); });
    NS_TEST_ASSERT_MSG_EQ(Contains(none, "at least 1 rank"), true, none);
    const std::string beyond =
        GetError([]() { CollectiveSchedule::Create(static_cast<CollectiveKind>(9), 2, 1); });
    NS_TEST_ASSERT_MSG_EQ(Contains(beyond, "number 9"), true, beyond);
}

/// Registers the test cases
static const SuiteCases g_collectiveCases(
    "lightpath-collective",
    {{MakeCase("Sends match receives and add up to the published volume",
               &CollectiveTests::TestScheduleBytes),
      MakeCase("Closed forms equal a walk over the steps", &CollectiveTests::TestClosedForm),
      new CollectiveNameTestCase}});
