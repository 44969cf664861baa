/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "expect-error.h"

#include "ns3/collective-schedule.h"
#include "ns3/test.h"

#include <algorithm>
#include <map>
#include <set>
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

/// Numbers of ranks to try
const std::vector<uint32_t> RANKS{1, 2, 3, 5, 8};

/// Sizes to try, of which most are no multiple of the number of ranks
const std::vector<uint64_t> SIZES{0, 1, 2, 3, 7, 8, 1000, 1001, 12345678901ULL};

/// Contributions that each rank holds of each chunk: [rank][chunk] is a set of ranks
using Holdings = std::vector<std::vector<std::multiset<uint32_t>>>;

/**
 * @ingroup lightpath-tests
 * @param bytes the size S of a buffer
 * @param n the number of its chunks
 * @param chunk a chunk
 * @return its size by the rule floor(S (c + 1) / n) - floor(S c / n)
 */
uint64_t
GetChunkSize(uint64_t bytes, uint32_t n, uint32_t chunk)
{
    return bytes * (chunk + 1) / n - bytes * chunk / n;
}

} // namespace

/**
 * @ingroup lightpath-tests
 * @brief Carries out the ring schedules on sets of contributions and looks at what each rank ends
 * with. Which chunk a message holds follows the published order; the schedule must send its size.
 */
class RingDataTestCase : public TestCase
{
  public:
    RingDataTestCase();

  private:
    void DoRun() override;

    /**
     * Carry out the steps of one round on all ranks at once.
     *
     * @param schedule the schedule
     * @param firstStep the step of the schedule that the round begins with
     * @param ahead 0 if rank r begins with chunk r, 1 if it begins with chunk r + 1
     * @param add true to add what comes in to what is there, false to replace it
     * @param [in,out] held what each rank holds
     */
    void RunRound(const CollectiveSchedule& schedule,
                  uint32_t firstStep,
                  uint32_t ahead,
                  bool add,
                  Holdings& held);
};

RingDataTestCase::RingDataTestCase()
    : TestCase("Ring schedules leave each rank with the right data")
{
}

void
RingDataTestCase::RunRound(const CollectiveSchedule& schedule,
                           uint32_t firstStep,
                           uint32_t ahead,
                           bool add,
                           Holdings& held)
{
    const uint32_t n = schedule.GetNRanks();
    for (uint32_t t = 0; t + 1 < n; ++t)
    {
        const Holdings before = held;
        for (uint32_t rank = 0; rank < n; ++rank)
        {
            const uint32_t chunk = (rank + ahead + n - t) % n;
            const uint64_t size = GetChunkSize(schedule.GetBytes(), n, chunk);
            std::vector<Transfer> sends;
            schedule.GetSends(rank, firstStep + t, sends);
            NS_TEST_ASSERT_MSG_EQ(sends.size(), (size > 0 ? 1U : 0U), "one message unless empty");
            if (size == 0)
            {
                continue;
            }
            NS_TEST_ASSERT_MSG_EQ(sends[0].bytes, size, "size of chunk " << chunk);
            NS_TEST_ASSERT_MSG_EQ(sends[0].peer, (rank + 1) % n, "sends to the next rank");
            auto& target = held[sends[0].peer][chunk];
            const auto& data = before[rank][chunk];
            if (!add)
            {
                target.clear();
            }
            target.insert(data.begin(), data.end());
        }
    }
}

void
RingDataTestCase::DoRun()
{
    for (const uint32_t n : RANKS)
    {
        for (const uint64_t bytes : SIZES)
        {
            if (bytes == 0)
            {
                continue;
            }
            std::multiset<uint32_t> all;
            Holdings own(n, std::vector<std::multiset<uint32_t>>(n));
            for (uint32_t rank = 0; rank < n; ++rank)
            {
                all.insert(rank);
                for (auto& chunk : own[rank])
                {
                    chunk.insert(rank);
                }
            }
            const auto reduce = CollectiveSchedule::Create(CollectiveKind::ALL_REDUCE, n, bytes);
            const auto scatter =
                CollectiveSchedule::Create(CollectiveKind::REDUCE_SCATTER, n, bytes);
            const auto gather = CollectiveSchedule::Create(CollectiveKind::ALL_GATHER, n, bytes);
            NS_TEST_ASSERT_MSG_EQ(reduce->GetNSteps(), 2 * (n - 1), "steps of all-reduce");
            NS_TEST_ASSERT_MSG_EQ(scatter->GetNSteps(), n - 1, "steps of reduce-scatter");
            NS_TEST_ASSERT_MSG_EQ(gather->GetNSteps(), n - 1, "steps of all-gather");

            Holdings reduced = own;
            RunRound(*reduce, 0, 0, true, reduced);
            RunRound(*reduce, n - 1, 1, false, reduced);
            Holdings scattered = own;
            RunRound(*scatter, 0, 0, true, scattered);
            // The all-gather begins with one chunk on each rank, marked by its rank
            Holdings gathered(n, std::vector<std::multiset<uint32_t>>(n));
            for (uint32_t rank = 0; rank < n; ++rank)
            {
                gathered[rank][(rank + 1) % n].insert(rank);
            }
            RunRound(*gather, 0, 1, false, gathered);
            for (uint32_t rank = 0; rank < n; ++rank)
            {
                const uint32_t owned = (rank + 1) % n;
                if (GetChunkSize(bytes, n, owned) > 0)
                {
                    NS_TEST_ASSERT_MSG_EQ((scattered[rank][owned] == all), true, "scattered sum");
                }
                for (uint32_t chunk = 0; chunk < n; ++chunk)
                {
                    if (GetChunkSize(bytes, n, chunk) == 0)
                    {
                        continue;
                    }
                    NS_TEST_ASSERT_MSG_EQ((reduced[rank][chunk] == all),
                                          true,
                                          "chunk " << chunk << " of rank " << rank << " of " << n);
                    const std::multiset<uint32_t> origin{(chunk + n - 1) % n};
                    NS_TEST_ASSERT_MSG_EQ((gathered[rank][chunk] == origin), true, "gathered");
                }
            }
        }
    }
}

/**
 * @ingroup lightpath-tests
 * @brief Carries out the direct schedules: each rank ends with one chunk of each other rank, or
 * with the buffer of the rank before.
 */
class DirectDataTestCase : public TestCase
{
  public:
    DirectDataTestCase();

  private:
    void DoRun() override;
};

DirectDataTestCase::DirectDataTestCase()
    : TestCase("Direct schedules send each message to the right rank")
{
}

void
DirectDataTestCase::DoRun()
{
    for (const uint32_t n : RANKS)
    {
        for (const uint64_t bytes : SIZES)
        {
            const bool empty = n == 1 || bytes == 0;
            const auto all = CollectiveSchedule::Create(CollectiveKind::ALL_TO_ALL, n, bytes);
            const auto next = CollectiveSchedule::Create(CollectiveKind::SEND_RECV, n, bytes);
            NS_TEST_ASSERT_MSG_EQ(all->GetNSteps(), (empty ? 0U : 1U), "steps of all-to-all");
            NS_TEST_ASSERT_MSG_EQ(next->GetNSteps(), (empty ? 0U : 1U), "steps of send-recv");
            for (uint32_t rank = 0; rank < n && !empty; ++rank)
            {
                std::vector<Transfer> sends;
                all->GetSends(rank, 0, sends);
                std::size_t position = 0;
                for (uint32_t distance = 1; distance < n; ++distance)
                {
                    const uint32_t peer = (rank + distance) % n;
                    const uint64_t size = GetChunkSize(bytes, n, peer);
                    if (size == 0)
                    {
                        continue;
                    }
                    NS_TEST_ASSERT_MSG_LT(position, sends.size(), "a message for each peer");
                    NS_TEST_ASSERT_MSG_EQ(sends[position].peer, peer, "order of the messages");
                    NS_TEST_ASSERT_MSG_EQ(sends[position].bytes, size, "size of the message");
                    ++position;
                }
                NS_TEST_ASSERT_MSG_EQ(position, sends.size(), "no other message");
                next->GetSends(rank, 0, sends);
                NS_TEST_ASSERT_MSG_EQ(sends.size(), 1, "one message");
                NS_TEST_ASSERT_MSG_EQ(sends[0].peer, (rank + 1) % n, "to the next rank");
                NS_TEST_ASSERT_MSG_EQ(sends[0].bytes, bytes, "the whole buffer");
            }
        }
    }
}

/**
 * @ingroup lightpath-tests
 * @brief Looks at what all schedules have in common: sends match receives, the totals are the sums
 * of the steps, and all steps together move the published number of bytes.
 */
class ScheduleBytesTestCase : public TestCase
{
  public:
    ScheduleBytesTestCase();

  private:
    void DoRun() override;

    /**
     * @param kind the operation
     * @param n the number of ranks
     * @param bytes the size of the buffer
     */
    void Try(CollectiveKind kind, uint32_t n, uint64_t bytes);
};

ScheduleBytesTestCase::ScheduleBytesTestCase()
    : TestCase("Sends match receives and add up to the published volume")
{
}

void
ScheduleBytesTestCase::Try(CollectiveKind kind, uint32_t n, uint64_t bytes)
{
    const auto schedule = CollectiveSchedule::Create(kind, n, bytes);
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
ScheduleBytesTestCase::DoRun()
{
    for (const auto kind : KINDS)
    {
        for (const uint32_t n : RANKS)
        {
            for (const uint64_t bytes : SIZES)
            {
                Try(kind, n, bytes);
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

/**
 * @ingroup lightpath-tests
 * @brief Compares the closed forms with a walk over the steps of the schedule, and with the
 * published formulas at one point each.
 */
class ClosedFormTestCase : public TestCase
{
  public:
    ClosedFormTestCase();

  private:
    void DoRun() override;

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

ClosedFormTestCase::ClosedFormTestCase()
    : TestCase("Closed forms equal a walk over the steps")
{
}

double
ClosedFormTestCase::Walk(const CollectiveSchedule& schedule, double latency, double rate)
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
ClosedFormTestCase::DoRun()
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

/**
 * @ingroup lightpath-tests
 * @brief The suite of the folder collective.
 */
class CollectiveTestSuite : public TestSuite
{
  public:
    CollectiveTestSuite();
};

CollectiveTestSuite::CollectiveTestSuite()
    : TestSuite("lightpath-collective", TestSuite::Type::UNIT)
{
    AddTestCase(new RingDataTestCase);
    AddTestCase(new DirectDataTestCase);
    AddTestCase(new ScheduleBytesTestCase);
    AddTestCase(new ClosedFormTestCase);
    AddTestCase(new CollectiveNameTestCase);
}

/// Registers the suite
static CollectiveTestSuite g_collectiveTestSuite;
