/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collective-cases.h"
#include "expect-error.h"
#include "method-case.h"
#include "model/collective/circuit-timer.h"
#include "training-fixture.h"

#include <cmath>

using namespace ns3;
using namespace ns3::lightpath;

/**
 * @ingroup lightpath-tests
 * @brief The test cases of dedicated circuits and of closed forms.
 */
class CollectiveCircuitTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /**
     * On a circuit from each rank to each of its peers, every schedule takes the time of its
     * closed form to a tick.
     *
     * A byte takes 1 ns and the headers of a message 34 ns. The permutation of each distance
     * between ranks has a switch of its own.
     */
    void TestCollectiveCircuit()
    {
        for (uint32_t n = 2; n <= 33; ++n)
        {
            // Never a multiple of n; then one of n and of the numbers of chunks
            for (const auto& what : MakeCases(n, 60 * n + 1))
            {
                Try(what);
            }
            if (n == 4 || n == 6 || n == 7 || n == 32 || n == 33)
            {
                for (const auto& what : MakeCases(n, 900 * n))
                {
                    Try(what);
                }
                TryTree(n, 1000001);
            }
        }
    }

    /**
     * Compares the closed forms of all algorithms with a walk over the messages, on circuits and
     * for ranks with a total rate, and with the published formulas at one point each.
     */
    void TestAlgorithmForm();

    /**
     * On all grids of up to 8 rows and columns, with circuits of half of the rate of a rank, large
     * buffers take no longer than their bytes at this rate.
     */
    void TestGridBound()
    {
        for (uint32_t n = 4; n <= 64; ++n)
        {
            for (uint32_t columns = 2; columns <= 8; ++columns)
            {
                if (n % columns != 0 || n / columns < 2 || n / columns > 8)
                {
                    continue;
                }
                for (const auto kind : {CollectiveKind::ALL_REDUCE, CollectiveKind::ALL_GATHER})
                {
                    const GridSchedule grid(kind, n, uint64_t{n} << 30, columns);
                    const double bound = grid.GetBusFactor() * grid.GetBytes();
                    NS_TEST_ASSERT_MSG_EQ_TOL(grid.GetCircuitSeconds({0, 0.5}),
                                              bound,
                                              1e-3 * bound,
                                              columns << " columns of " << n << " ranks");
                }
            }
        }
    }

  private:
    /**
     * Try two trees with many chunks.
     *
     * @param n the number of ranks
     * @param bytes the size of the buffer
     */
    void TryTree(uint32_t n, uint64_t bytes)
    {
        const CollectiveOptions options(1, CollectiveAlgorithm::DOUBLE_TREE);
        const auto tree = CollectiveSchedule::Create(CollectiveKind::ALL_REDUCE, n, bytes, options);
        NS_TEST_ASSERT_MSG_GT(tree->GetNSteps(), 10, "many chunks");
        Try({tree, CollectiveKind::ALL_REDUCE, options, "trees with many chunks"});
    }

    /**
     * @param n the number of ranks
     * @param bytes the size of the buffer
     * @return the schedules to simulate
     */
    static std::vector<ScheduleCase> MakeCases(uint32_t n, uint64_t bytes)
    {
        auto cases = MakeScheduleCases(n, bytes, false);
        const auto isSame = [](const ScheduleCase& what) {
            // Of rings and direct messages, each half is like the all-reduce
            const bool isHalf = (what.kind == CollectiveKind::REDUCE_SCATTER ||
                                 what.kind == CollectiveKind::ALL_GATHER) &&
                                what.options.algorithm != CollectiveAlgorithm::HALVING_DOUBLING &&
                                what.options.algorithm != CollectiveAlgorithm::TWO_LEVEL &&
                                what.options.algorithm != CollectiveAlgorithm::GRID;
            const bool isLarge = what.options.algorithm == CollectiveAlgorithm::MULTI_RING &&
                                 what.schedule->GetNRanks() > 20 && what.schedule->GetNPeers() > 2;
            // Circuits average nothing
            return isHalf || isLarge || what.Uses(CollectiveAlgorithm::IN_NETWORK) ||
                   what.options.algorithm == CollectiveAlgorithm::AUTOMATIC ||
                   Contains(what.name, "two trees");
        };
        cases.erase(std::remove_if(cases.begin(), cases.end(), isSame), cases.end());
        return cases;
    }

    /**
     * Carry out a schedule of the library's choice in a simulation.
     *
     * @param what the schedule
     * @param [out] latency the latency of a message, in seconds
     * @return the time that it takes
     */
    static Time Simulate(const ScheduleCase& what, double& latency);

    /**
     * Compare a simulation, the sum over all messages and the closed form.
     *
     * @param what the schedule
     */
    void Try(const ScheduleCase& what);

    /// The published formulas at one point each.
    void TryPoints();

    /**
     * Walk over the messages of a rank that leave one after the other, at its total rate.
     *
     * @param schedule the schedule
     * @param link the latency and the rate
     * @return the last end, in seconds
     */
    static double Walk(const CollectiveSchedule& schedule, const LinkCost& link)
    {
        std::vector<double> ready(schedule.GetNRanks(), 0);
        std::vector<double> sent(schedule.GetNRanks(), 0);
        std::vector<Transfer> sends;
        for (uint32_t step = 0; step < schedule.GetNSteps(); ++step)
        {
            std::vector<double> next = ready;
            for (uint32_t rank = 0; rank < schedule.GetNRanks(); ++rank)
            {
                schedule.GetSends(rank, step, sends);
                sent[rank] = std::max(sent[rank], ready[rank]);
                for (const auto& send : sends)
                {
                    sent[rank] += send.bytes / link.rate;
                    next[send.peer] = std::max(next[send.peer], sent[rank] + link.latency);
                }
            }
            ready = next;
        }
        return *std::max_element(ready.begin(), ready.end());
    }

    /**
     * @param kind the operation
     * @param algorithm the algorithm
     * @param n the number of ranks
     * @param rings the number of rings
     * @return the schedule of 48 MB
     */
    static std::shared_ptr<const CollectiveSchedule> Make(const std::string& kind,
                                                          const std::string& algorithm,
                                                          uint32_t n,
                                                          uint32_t rings = 1)
    {
        return CollectiveSchedule::Create(CollectiveSchedule::GetKind(kind),
                                          n,
                                          48000000,
                                          {1, CollectiveSchedule::GetAlgorithm(algorithm), rings});
    }
};

Time
CollectiveCircuitTests::Simulate(const ScheduleCase& what, double& latency)
{
    const uint32_t n = what.schedule->GetNRanks();
    RankProgram program;
    Task task = Collective(what.kind, what.schedule->GetBytes());
    task.options = what.options;
    program.AddTask(task);
    TrainingRun run(MakePlan(std::vector<RankProgram>(n, program)), n);
    run.channel->SetAttribute("FibreLength", DoubleValue(10));
    std::vector<Transfer> totals;
    for (uint32_t rank = 0; rank < n; ++rank)
    {
        what.schedule->GetTotals(rank, totals);
        for (const auto& total : totals)
        {
            const Lane lane{(total.peer + n - rank) % n, 0};
            run.circuits.AddLane(rank, total.peer, lane);
            latency = run.channel->GetPathDelay(rank, total.peer, lane).GetSeconds();
        }
    }
    run.Run();
    Time time;
    for (uint32_t rank = 0; rank < n; ++rank)
    {
        time = std::max(time, run.GetRecord(rank).end - run.GetRecord(rank).begin);
    }
    Simulator::Destroy();
    return time;
}

void
CollectiveCircuitTests::Try(const ScheduleCase& what)
{
    constexpr double RATE = 1e9;
    const auto& schedule = *what.schedule;
    double latency = 1e-7;
    const int64_t simulated = Simulate(what, latency).GetNanoSeconds();
    const double exact = 1e9 * CircuitTimer::GetSeconds(schedule, {latency, RATE}, HEADERS);
    NS_TEST_ASSERT_MSG_EQ(simulated, std::llround(exact), what.name);
    const double closed = 1e9 * schedule.GetCircuitSeconds({latency + HEADERS / RATE, RATE});
    const int64_t ticks = std::llround(closed);
    const uint32_t n = schedule.GetNRanks();
    const bool isTree = what.Uses(CollectiveAlgorithm::DOUBLE_TREE);
    const bool isGrid = what.options.algorithm == CollectiveAlgorithm::GRID;
    const bool isLevel = what.options.algorithm == CollectiveAlgorithm::TWO_LEVEL;
    const bool isRings = what.options.algorithm == CollectiveAlgorithm::SERVER_RINGS;
    const uint32_t local = schedule.GetNLocal();
    const uint32_t halves = !isLevel ? n
                            : what.options.inside == CollectiveAlgorithm::HALVING_DOUBLING
                                ? local
                                : n / local;
    const bool isUneven =
        schedule.GetBytes() % (isGrid    ? 2 * n
                               : isRings ? local * n
                                         : n) !=
            0 &&
        (isGrid || isRings || what.options.algorithm == CollectiveAlgorithm::PAIRWISE ||
         what.options.algorithm == CollectiveAlgorithm::BRUCK ||
         ((what.options.algorithm == CollectiveAlgorithm::LINE || isLevel) &&
          what.kind == CollectiveKind::ALL_TO_ALL) ||
         (what.Uses(CollectiveAlgorithm::HALVING_DOUBLING) && (halves & (halves - 1)) != 0));
    if (!isTree && !isUneven)
    {
        NS_TEST_ASSERT_MSG_EQ(simulated, ticks, "closed form: " << what.name);
        return;
    }
    NS_TEST_ASSERT_MSG_LT_OR_EQ(simulated, ticks, "bound: " << what.name);
    const bool isFar =
        isGrid || isLevel || isRings || what.options.algorithm == CollectiveAlgorithm::BRUCK;
    if (isUneven && !isFar)
    {
        NS_TEST_ASSERT_MSG_LT_OR_EQ(ticks,
                                    simulated + schedule.GetNSteps(),
                                    "bound: " << what.name);
    }
}

void
CollectiveCircuitTests::TestAlgorithmForm()
{
    const LinkCost link{3e-6, 25e9};
    for (uint32_t n = 2; n <= 33; ++n)
    {
        auto cases = MakeScheduleCases(n, uint64_t{3600} * n, true);
        const auto grids = MakeGridCases(n, uint64_t{3600} * n);
        cases.insert(cases.end(), grids.begin(), grids.end());
        for (const auto& what : cases)
        {
            const double circuits = what.schedule->GetCircuitSeconds(link);
            const double shared = what.schedule->GetSeconds(link.latency, link.rate);
            const double exact = CircuitTimer::GetSeconds(*what.schedule, link);
            const double walk = Walk(*what.schedule, link);
            if (what.Uses(CollectiveAlgorithm::DOUBLE_TREE))
            {
                NS_TEST_ASSERT_MSG_LT_OR_EQ(exact, circuits * (1 + 1e-9), what.name);
                NS_TEST_ASSERT_MSG_LT_OR_EQ(walk, shared * (1 + 1e-9), what.name);
                continue;
            }
            const uint64_t parts = uint64_t{n} * what.options.local;
            if (what.options.algorithm == CollectiveAlgorithm::SERVER_RINGS &&
                what.schedule->GetBytes() % parts != 0)
            {
                NS_TEST_ASSERT_MSG_LT_OR_EQ(exact, circuits * (1 + 1e-9), what.name);
                continue;
            }
            NS_TEST_ASSERT_MSG_EQ_TOL(circuits, exact, 1e-9 * exact, "circuits: " << what.name);
            if (what.Uses(CollectiveAlgorithm::LINE))
            {
                // Of two messages of a step, the walk sends one before the other
                NS_TEST_ASSERT_MSG_LT_OR_EQ(walk, shared * (1 + 1e-9), what.name);
                continue;
            }
            NS_TEST_ASSERT_MSG_EQ_TOL(shared, walk, 1e-9 * walk, "one rate: " << what.name);
        }
        // With many chunks the bounds of the trees are near
        const DoubleTreeSchedule tree(n, 1 << 24, 255);
        const double walk = Walk(tree, {0, 25e9});
        const double shared = tree.GetSeconds(0, 25e9);
        NS_TEST_ASSERT_MSG_LT_OR_EQ(walk, shared * (1 + 1e-9), n << " ranks");
        NS_TEST_ASSERT_MSG_GT(walk, (n > 8 ? 0.8 : 0.45) * shared, n << " ranks");
    }
    TryPoints();
}

void
CollectiveCircuitTests::TryPoints()
{
    // 16 ranks, 48 MB: chunks of 3 MB, at 25 GB/s 120 us
    const auto at = [](const auto& schedule) { return schedule->GetSeconds(1e-5, 25e9); };
    NS_TEST_EXPECT_MSG_EQ_TOL(at(Make("all-reduce", "halving-doubling", 16)),
                              2 * (4e-5 + 15 * 120e-6),
                              1e-12,
                              "2 log2 n alpha + 2 (n - 1) / n S / B");
    NS_TEST_EXPECT_MSG_EQ_TOL(at(Make("all-reduce", "halving-doubling", 12)),
                              2 * (4e-5 + 11 * 160e-6),
                              1e-12,
                              "2 ceil(log2 n) alpha + 2 (n - 1) / n S / B");
    NS_TEST_EXPECT_MSG_EQ_TOL(at(Make("all-reduce", "multi-ring", 16, 4)),
                              30 * 130e-6,
                              1e-12,
                              "2 (n - 1) (alpha + S / (n B))");
    NS_TEST_EXPECT_MSG_EQ_TOL(at(Make("all-to-all", "pairwise", 16)), 15 * 130e-6, 1e-12, "pairs");
    NS_TEST_EXPECT_MSG_EQ_TOL(at(Make("all-to-all", "bruck", 16)),
                              4e-5 + 32 * 120e-6,
                              1e-12,
                              "log2 n alpha + (n / 2) log2(n) m / B");
    // The last rank gets 15 chunks over one circuit, and 64 chunks pass the middle each way
    const LinkCost circuit{1e-5, 25e9};
    NS_TEST_EXPECT_MSG_EQ_TOL(Make("all-gather", "line", 16)->GetCircuitSeconds(circuit),
                              15 * 130e-6,
                              1e-12,
                              "(n - 1) (alpha + S / (n b))");
    NS_TEST_EXPECT_MSG_EQ_TOL(Make("all-to-all", "line", 16)->GetCircuitSeconds(circuit),
                              64 * 130e-6,
                              1e-12,
                              "n^2 / 4 (alpha + S / (n b))");
    NS_TEST_EXPECT_MSG_EQ_TOL(at(Make("all-to-all", "line", 3)),
                              2e-5 + 4 * 640e-6,
                              1e-12,
                              "2 alpha + 4 S / (n B)");
    NS_TEST_EXPECT_MSG_EQ_TOL(at(Make("all-gather", "direct", 16)),
                              1e-5 + 1800e-6,
                              1e-12,
                              "direct");
    // A ring of 3 ranks, one of whose circuits has half of the rate: it carries 4 chunks of 16 MB
    const double uneven = CircuitTimer::GetSeconds(*Make("all-reduce", "ring", 3),
                                                   [](uint32_t rank, uint32_t /* peer */) {
                                                       return LinkCost{0, rank == 1 ? 8e9 : 16e9};
                                                   });
    NS_TEST_EXPECT_MSG_EQ_TOL(uneven, 8e-3, 1e-12, "the slowest circuit is always busy");
    NS_TEST_EXPECT_MSG_EQ_TOL(
        Make("all-reduce", "halving-doubling", 16)->GetCircuitSeconds({1e-5, 25e9 / 4}),
        2 * (4e-5 + 15 * 480e-6),
        1e-12,
        "2 log2 n alpha + 2 (n - 1) / n S ports / B");
}

/// Registers the test cases
static const SuiteCases g_collectiveCircuitCases(
    "lightpath-collective",
    {{MakeCase("On dedicated circuits schedules take the time of their closed forms",
               &CollectiveCircuitTests::TestCollectiveCircuit),
      MakeCase("Closed forms of all algorithms equal a walk over the messages",
               &CollectiveCircuitTests::TestAlgorithmForm),
      MakeCase("Sums of large buffers use rows and columns of all grids all the time",
               &CollectiveCircuitTests::TestGridBound)}});
