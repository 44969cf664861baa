/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collective-tests.h"
#include "expect-error.h"
#include "method-case.h"
#include "model/collective/two-level-schedule.h"

#include "ns3/collective-schedule.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/// One round of a two-level schedule: each ring hands the chunks round once.
struct Round
{
    bool across{false}; //!< On the rings across the servers, not on those inside them
    uint32_t ahead{0};  //!< 0 if rank r of a ring begins with chunk r, 1 if with chunk r + 1
    bool add{false};    //!< What comes in is added, not put in the place of what is there
};

} // namespace

/**
 * @ingroup lightpath-tests
 * @brief The test cases of servers.
 */
class TwoLevelTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /**
     * Carries out two-level schedules on sets of contributions and looks at what each rank ends
     * with. A message must have the size of the chunks that it holds.
     */
    void TestTwoLevelData()
    {
        for (const uint32_t servers : {2, 3, 4})
        {
            for (const uint32_t local : {2, 3, 5})
            {
                for (const uint64_t bytes : SIZES)
                {
                    if (bytes == 0)
                    {
                        continue;
                    }
                    m_servers = servers;
                    m_local = local;
                    m_bytes = bytes;
                    TryReductions();
                    TryGathering();
                }
            }
        }
    }

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
            NS_TEST_ASSERT_MSG_EQ(Contains(error, "must divide the group"), true, error);
        }
    }

  private:
    /// Contributions to each part of each chunk: [rank][chunk][part] is a set of ranks
    using Holdings = std::vector<std::vector<std::vector<std::multiset<uint32_t>>>>;

    /**
     * @param chunk a chunk, one for each rank of a server
     * @param part a part of it, one for each server
     * @return the size of the part in bytes
     */
    uint64_t GetPartSize(uint32_t chunk, uint32_t part) const
    {
        return GetChunkSize(GetChunkSize(m_bytes, m_local, chunk), m_servers, part);
    }

    /// @return nothing held by any rank
    Holdings MakeNothing() const
    {
        return Holdings(m_servers * m_local,
                        std::vector<std::vector<std::multiset<uint32_t>>>(
                            m_local,
                            std::vector<std::multiset<uint32_t>>(m_servers)));
    }

    /**
     * Carry out a schedule.
     *
     * @param kind the operation
     * @param rounds its rounds
     * @param [in,out] held what each rank holds
     */
    void Run(CollectiveKind kind, const std::vector<Round>& rounds, Holdings& held)
    {
        const uint32_t n = m_servers * m_local;
        const auto schedule = CollectiveSchedule::Create(kind, n, m_bytes, m_local);
        uint32_t step = 0;
        for (const auto& round : rounds)
        {
            for (uint32_t t = 0; t + 1 < (round.across ? m_servers : m_local); ++t)
            {
                const Holdings before = held;
                for (uint32_t rank = 0; rank < n; ++rank)
                {
                    Send(*schedule, round, rank, t, step, before, held);
                }
                ++step;
            }
        }
        NS_TEST_ASSERT_MSG_EQ(schedule->GetNSteps(), step, "steps");
    }

    /**
     * Carry out one message.
     *
     * @param schedule the schedule
     * @param round the round
     * @param rank the rank that sends
     * @param t the step of the round
     * @param step the step of the schedule
     * @param before what each rank holds before the step
     * @param [out] held what each rank holds after the step
     */
    void Send(const CollectiveSchedule& schedule,
              const Round& round,
              uint32_t rank,
              uint32_t t,
              uint32_t step,
              const Holdings& before,
              Holdings& held)
    {
        const uint32_t server = rank / m_local;
        const uint32_t index = rank % m_local;
        uint32_t chunk = (index + round.ahead + m_local - t % m_local) % m_local;
        uint32_t firstPart = 0;
        uint32_t endPart = m_servers;
        uint32_t peer = server * m_local + (index + 1) % m_local;
        if (round.across)
        {
            chunk = (index + 1) % m_local;
            firstPart = (server + round.ahead + m_servers - t) % m_servers;
            endPart = firstPart + 1;
            peer = (server + 1) % m_servers * m_local + index;
        }
        uint64_t size = 0;
        for (uint32_t part = firstPart; part < endPart; ++part)
        {
            size += GetPartSize(chunk, part);
            auto& target = held[peer][chunk][part];
            const auto& data = before[rank][chunk][part];
            if (!round.add)
            {
                target.clear();
            }
            target.insert(data.begin(), data.end());
        }
        std::vector<Transfer> sends{{99, 99}};
        schedule.GetSends(rank, step, sends);
        NS_TEST_ASSERT_MSG_EQ(sends.size(), (size > 0 ? 1U : 0U), "one message unless empty");
        if (size > 0)
        {
            NS_TEST_ASSERT_MSG_EQ(sends[0].peer, peer, "peer of rank " << rank << " in " << step);
            NS_TEST_ASSERT_MSG_EQ(sends[0].bytes, size, "bytes of rank " << rank << " in " << step);
        }
    }

    /// All-reduce and reduce-scatter.
    void TryReductions()
    {
        const uint32_t n = m_servers * m_local;
        std::multiset<uint32_t> all;
        Holdings own = MakeNothing();
        for (uint32_t rank = 0; rank < n; ++rank)
        {
            all.insert(rank);
            for (auto& chunk : own[rank])
            {
                for (auto& part : chunk)
                {
                    part.insert(rank);
                }
            }
        }
        const Round scatter{false, 0, true};
        const Round scatterAcross{true, 0, true};
        Holdings reduced = own;
        Run(CollectiveKind::ALL_REDUCE,
            {scatter, scatterAcross, {true, 1, false}, {false, 1, false}},
            reduced);
        Holdings scattered = own;
        Run(CollectiveKind::REDUCE_SCATTER, {scatter, scatterAcross}, scattered);
        uint64_t owned = 0;
        for (uint32_t rank = 0; rank < n; ++rank)
        {
            for (const auto& chunk : reduced[rank])
            {
                for (const auto& part : chunk)
                {
                    NS_TEST_ASSERT_MSG_EQ((part == all), true, "all of it on rank " << rank);
                }
            }
            const uint32_t chunk = (rank % m_local + 1) % m_local;
            const uint32_t part = (rank / m_local + 1) % m_servers;
            NS_TEST_ASSERT_MSG_EQ((scattered[rank][chunk][part] == all), true, "its own part");
            owned += GetPartSize(chunk, part);
        }
        NS_TEST_ASSERT_MSG_EQ(owned, m_bytes, "each byte is on one rank");
    }

    /// All-gather.
    void TryGathering()
    {
        const uint32_t n = m_servers * m_local;
        Holdings gathered = MakeNothing();
        for (uint32_t rank = 0; rank < n; ++rank)
        {
            gathered[rank][(rank % m_local + 1) % m_local][(rank / m_local + 1) % m_servers].insert(
                rank);
        }
        Run(CollectiveKind::ALL_GATHER, {{true, 1, false}, {false, 1, false}}, gathered);
        for (uint32_t rank = 0; rank < n; ++rank)
        {
            for (uint32_t origin = 0; origin < n; ++origin)
            {
                const uint32_t chunk = (origin % m_local + 1) % m_local;
                const uint32_t part = (origin / m_local + 1) % m_servers;
                NS_TEST_ASSERT_MSG_EQ(
                    (gathered[rank][chunk][part] == std::multiset<uint32_t>{origin}),
                    true,
                    "data of rank " << origin << " on rank " << rank);
            }
        }
    }

    /**
     * Walk over the steps: a rank begins a step once all that was sent to it before has come in,
     * and has its messages inside its server and those to others leave beside each other.
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

    uint32_t m_servers{0}; //!< Number of servers
    uint32_t m_local{0};   //!< Ranks of a server
    uint64_t m_bytes{0};   //!< Size of the buffer
};

/// Registers the test cases
static const SuiteCases g_twoLevelCases(
    "lightpath-collective",
    {{MakeCase("Two-level schedules leave each rank with the right data",
               &TwoLevelTests::TestTwoLevelData),
      MakeCase("Closed forms for servers equal a walk over the steps",
               &TwoLevelTests::TestServerClosedForm)}});
