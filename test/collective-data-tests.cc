/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collective-tests.h"
#include "method-case.h"

#include "ns3/collective-schedule.h"

#include <set>
#include <vector>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/// Contributions that each rank holds of each chunk: [rank][chunk] is a set of ranks
using Holdings = std::vector<std::vector<std::multiset<uint32_t>>>;

} // namespace

/**
 * @ingroup lightpath-tests
 * @brief The test cases of where the data end.
 */
class CollectiveDataTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /**
     * Carries out the ring schedules on sets of contributions and looks at what each rank ends
     * with. Which chunk a message holds follows the published order; the schedule must send its
     * size.
     */
    void TestRingData();

    /**
     * Carries out the direct schedules: each rank ends with one chunk of each other rank, or
     * with the buffer of the rank before.
     */
    void TestDirectData();

  private:
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

void
CollectiveDataTests::RunRound(const CollectiveSchedule& schedule,
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
CollectiveDataTests::TestRingData()
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

void
CollectiveDataTests::TestDirectData()
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

/// Registers the test cases
static const SuiteCases g_collectiveDataCases(
    "lightpath-collective",
    {{MakeCase("Ring schedules leave each rank with the right data",
               &CollectiveDataTests::TestRingData),
      MakeCase("Direct schedules send each message to the right rank",
               &CollectiveDataTests::TestDirectData)}});
