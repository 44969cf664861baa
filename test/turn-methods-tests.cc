/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "expect-error.h"
#include "method-case.h"
#include "model/control/turns/every-step-turns.h"
#include "model/control/turns/plane-turns.h"
#include "model/control/turns/static-turns.h"
#include "model/control/turns/subring-turns.h"
#include "model/control/turns/ternary-turns.h"

#include "ns3/random-variable-stream.h"
#include "ns3/turn-clock.h"
#include "ns3/turn-methods.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::lightpath;

/**
 * @ingroup lightpath-tests
 * @brief The test cases of methods that turn circuits inside collective operations.
 *
 * On one plane a byte takes 1 ns, so that times in the closed forms are numbers of bytes.
 */
class TurnMethodTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /**
     * Checks the closed forms of rings, and of Bruck's steps over subrings (Bridge), at powers of
     * two of ports.
     *
     * @param levels the logarithm of the number n of ports
     * @param delay the time to turn, ns
     */
    void TestSubrings(uint32_t levels, uint32_t delay)
    {
        const uint32_t n = 1U << levels;
        const auto exchange = MakeProblem(TurnKind::ALL_TO_ALL, n, 1, delay);
        auto gather = exchange;
        gather.kind = TurnKind::ALL_GATHER;
        NS_TEST_EXPECT_MSG_EQ(GetTime(StaticTurns(), exchange),
                              NanoSeconds((n - 1) * ALPHA + n * (n - 1) / 2 * CHUNK),
                              "All-to-all round a ring");
        NS_TEST_EXPECT_MSG_EQ(GetTime(StaticTurns(), gather),
                              NanoSeconds((n - 1) * (ALPHA + CHUNK)),
                              "All-gather round a ring");
        // Steps i to j over rings of 2^(j - i + 1): the least sum over all ways to cut the steps
        uint64_t least = UINT64_MAX;
        uint64_t leastGather = UINT64_MAX;
        for (uint32_t cuts = 0; cuts < 1U << (levels - 1); ++cuts)
        {
            uint64_t sum = 0;
            uint64_t sumGather = (n - 1) * CHUNK;
            for (uint32_t step = 0, size = 2; step < levels; ++step, size *= 2)
            {
                if (step + 1 == levels || (cuts >> step & 1) != 0)
                {
                    sum += (size - 1) * (ALPHA + n / 2 * CHUNK);
                    sumGather += (size - 1) * ALPHA;
                    sum += step + 1 == levels ? 0 : delay;
                    sumGather += step + 1 == levels ? 0 : delay;
                    size = 1;
                }
            }
            least = std::min(least, sum);
            leastGather = std::min(leastGather, sumGather);
        }
        NS_TEST_EXPECT_MSG_EQ(GetTime(SubringTurns(), exchange), NanoSeconds(least), "Exchange");
        NS_TEST_EXPECT_MSG_EQ(GetTime(SubringTurns(), gather), NanoSeconds(leastGather), "Gather");
        gather.kind = TurnKind::ALL_REDUCE;
        NS_TEST_EXPECT_MSG_EQ(GetTime(SubringTurns(), gather),
                              NanoSeconds(2 * leastGather),
                              "A sum and a gathering, without a turn between them");
    }

    /**
     * Checks balanced ternary exchange (ReTri) at powers of three: ceil(log3 n) steps of a third of
     * the chunks each way, where Bruck takes ceil(log2 n).
     *
     * @param steps the logarithm to base three of the number n of ports
     * @param ofBruck the steps of Bruck
     */
    void TestTernary(uint32_t steps, uint32_t ofBruck)
    {
        uint32_t n = 1;
        for (uint32_t step = 0; step < steps; ++step)
        {
            n *= 3;
        }
        constexpr uint32_t delay = 5000;
        auto problem = MakeProblem(TurnKind::ALL_TO_ALL, n, 2, delay);
        NS_TEST_EXPECT_MSG_EQ(TurnSteps(n, 3, true).GetNSteps(), steps, "Ternary");
        NS_TEST_EXPECT_MSG_EQ(TurnSteps(n, 2).GetNSteps(), ofBruck, "Binary");
        NS_TEST_EXPECT_MSG_EQ(GetTime(TernaryTurns(), problem),
                              NanoSeconds(steps * (ALPHA + n / 3 * CHUNK) + (steps - 1) * delay),
                              "T = sum of delay, latency and bytes over the rate");
        problem.kind = TurnKind::ALL_GATHER;
        NS_TEST_EXPECT_MSG_EQ(
            GetTime(TernaryTurns(), problem),
            NanoSeconds(steps * ALPHA + (n - 1) / 2 * CHUNK + (steps - 1) * delay),
            "Each step triples what a port has");
        for (uint32_t ports = 2; ports <= 100; ++ports)
        {
            uint32_t ceiling = 0;
            for (uint32_t reach = 1; reach < ports; reach *= 3)
            {
                ++ceiling;
            }
            NS_TEST_ASSERT_MSG_EQ(TurnSteps(ports, 3, true).GetNSteps(), ceiling, ports);
        }
    }

    /// Checks planes in turn: with two, a step takes twice as long and hides a turn of the other.
    void TestPlanes()
    {
        constexpr uint32_t levels = 5;
        constexpr uint32_t n = 1 << levels;
        for (const uint32_t delay : {0U, 2000U, 16000U, 50000U})
        {
            const auto problem = MakeProblem(TurnKind::ALL_TO_ALL, n, 2, delay);
            // A plane turns while the other one sends; every second step waits for its plane
            const uint64_t step = n / 2 * CHUNK + ALPHA;
            const uint64_t exposed = delay > step ? delay - step : 0;
            NS_TEST_EXPECT_MSG_EQ(GetTime(PlaneTurns(), problem),
                                  NanoSeconds(levels * step + (levels - 1) / 2 * exposed),
                                  "Planes in turn, delay " << delay);
        }
    }

    /**
     * Checks when it is worth a turn (When light bends, arXiv 2510.08072): if the delay is less
     * than the dilation and the congestion that it saves. Of four ports round a ring the second
     * step of Bruck goes one hop too far, with half of the buffer.
     */
    void TestBreakEven()
    {
        constexpr uint64_t saved = ALPHA + 2 * CHUNK;
        for (const uint32_t delay : {saved - 1, saved + 1})
        {
            const auto problem = MakeProblem(TurnKind::ALL_TO_ALL, 4, 1, delay);
            TurnCarrier carrier;
            const auto sequence = SharedTurns().Solve(problem, carrier);
            NS_TEST_EXPECT_MSG_EQ(sequence->phases.size(), (delay < saved ? 2 : 1), delay);
            NS_TEST_EXPECT_MSG_EQ(TurnClock::GetTime(problem, *sequence),
                                  NanoSeconds(2 * saved + std::min<uint64_t>(delay, saved)),
                                  "Two steps, and a turn or another hop");
        }
    }

    /// Checks what works claim of their methods, in the settings of doc/field.rst.
    void TestClaims()
    {
        // ReTri: up to 10 times faster than static, 2.1 times than reconfigurable Bruck
        constexpr uint32_t most = 1024;
        auto problem = MakeProblem(TurnKind::ALL_TO_ALL, most, 2, 100);
        problem.laneRate = 200000000000;
        problem.latency = MicroSeconds(1);
        problem.bytes = most;
        NS_TEST_EXPECT_MSG_EQ_TOL(GetRatio(StaticTurns(), TernaryTurns(), problem),
                                  8.1,
                                  0.1,
                                  "Ring");
        problem.ports = 81;
        problem.bytes = 81000000;
        auto single = problem;
        single.planes = 1;
        const double ternary = GetTime(TernaryTurns(), problem).GetSeconds();
        NS_TEST_EXPECT_MSG_EQ_TOL(GetBruckTime(problem).GetSeconds() / ternary,
                                  1.12,
                                  0.01,
                                  "Two circuits");
        NS_TEST_EXPECT_MSG_EQ_TOL(GetBruckTime(single).GetSeconds() / ternary,
                                  2.24,
                                  0.01,
                                  "One of them");
        // Bridge: all-to-all 3 to 10 times faster at a delay of milliseconds
        problem.planes = 1;
        problem.laneRate = 400000000000;
        problem.delay = MilliSeconds(1);
        problem.bytes = 1 << 30;
        problem.ports = 16;
        NS_TEST_EXPECT_MSG_EQ_TOL(GetRatio(StaticTurns(), SubringTurns(), problem),
                                  3.51,
                                  0.01,
                                  "16");
        problem.ports = 64;
        NS_TEST_EXPECT_MSG_EQ_TOL(GetRatio(StaticTurns(), SubringTurns(), problem),
                                  9.74,
                                  0.01,
                                  "64");
        // PCCL: up to 3 times on 128 GPUs
        problem.ports = 128;
        problem.planes = 2;
        problem.laneRate = 200000000000;
        problem.delay = NanoSeconds(10);
        problem.kind = TurnKind::ALL_REDUCE;
        problem.bytes = 1024;
        NS_TEST_EXPECT_MSG_EQ_TOL(GetRatio(StaticTurns(), SharedTurns(), problem),
                                  3.96,
                                  0.01,
                                  "128");
    }

    /// Checks peers in turn: as many at a time as there are planes.
    void TestPeers()
    {
        const auto problem = MakeProblem(TurnKind::ALL_TO_ALL, 9, 4, 0);
        NS_TEST_EXPECT_MSG_EQ(GetTime(EveryStepTurns(), problem),
                              NanoSeconds(2 * (ALPHA + CHUNK)),
                              "Four peers, and four more");
        NS_TEST_EXPECT_MSG_EQ(TurnClock::GetIdealTime(problem),
                              NanoSeconds(ALPHA + 8 * CHUNK / 4),
                              "All at once");
    }

    /// Compares dynamic programming with all ways to share topologies, for 200 random problems.
    void TestExhaustive()
    {
        const auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(42);
        const SharedTurns method;
        uint32_t nShared = 0;
        for (uint32_t round = 0; round < 200; ++round)
        {
            const uint32_t n = random->GetInteger(2, 8);
            TurnCarrier carrier;
            auto problem = MakeProblem(TurnKind::ALL_TO_ALL,
                                       n,
                                       random->GetInteger(1, 2),
                                       random->GetInteger(0, 4000));
            problem.pausesAll = true;
            const bool isGather = random->GetInteger(0, 3) == 0;
            problem.kind = isGather ? TurnKind::ALL_GATHER : problem.kind;
            const TurnSteps steps = isGather ? TurnSteps(n, 2) : DrawSteps(n, random);
            problem.planes = steps.GetNSteps() > 4 ? 1 : problem.planes;
            const TurnSequence found = method.Share(problem, carrier, steps);
            TurnSequence some;
            Time least = Time::Max();
            TryAll(problem, carrier, steps, 0, some, least);
            NS_TEST_ASSERT_MSG_EQ(TurnClock::GetTime(problem, found), least, "Round " << round);
            nShared += found.phases.size() > 1 && found.phases.size() < steps.GetNSteps();
            // Where only some circuits pause, it is no slower
            problem.pausesAll = false;
            NS_TEST_ASSERT_MSG_LT_OR_EQ(TurnClock::GetTime(problem, found), least, "Partly dark");
        }
        NS_TEST_EXPECT_MSG_GT(nShared, 10, "Many share some topologies, and not all");
    }

    /// Compares the best method with all others and with an ideal switch, for 500 random problems.
    void TestBest()
    {
        const auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(43);
        TurnCarrier carrier;
        for (uint32_t round = 0; round < 500; ++round)
        {
            TurnProblem problem = MakeProblem(static_cast<TurnKind>(random->GetInteger(0, 3)),
                                              random->GetInteger(2, 64),
                                              random->GetInteger(1, 8),
                                              1U << random->GetInteger(0, 24));
            problem.bytes = uint64_t{problem.ports} << random->GetInteger(0, 20);
            const auto best = TurnMethods::Solve("best", problem, carrier);
            for (const char* other : {"static", "every-step"})
            {
                NS_TEST_ASSERT_MSG_LT_OR_EQ(best.time,
                                            TurnMethods::Solve(other, problem, carrier).time,
                                            "Round " << round << ", " << other);
            }
            NS_TEST_ASSERT_MSG_GT_OR_EQ(best.time,
                                        TurnClock::GetIdealTime(problem),
                                        "Round " << round);
        }
    }

    /**
     * Checks that no static topology beats the bound of powers of adjacency: at most d^h ports are
     * h hops away over d circuits, so that chunks go at least so many hops (arXiv 2602.10468).
     */
    void TestMooreBound()
    {
        TurnCarrier carrier;
        for (const uint32_t n : {5U, 16U, 27U, 60U})
        {
            for (const uint32_t planes : {1U, 2U, 3U, 4U})
            {
                const auto problem = MakeProblem(TurnKind::ALL_TO_ALL, n, planes, 0);
                uint64_t hops = 0;
                uint32_t dilation = 0;
                for (uint64_t left = n - 1, shell = planes; left > 0; shell *= planes)
                {
                    const uint64_t count = std::min(left, shell);
                    hops += ++dilation * count;
                    left -= count;
                }
                const Time bound = NanoSeconds(dilation * ALPHA + hops * CHUNK / planes);
                const Time time = GetTime(StaticTurns(), problem);
                NS_TEST_EXPECT_MSG_GT_OR_EQ(time, bound, n << " ports, " << planes << " planes");
                if (planes == 1)
                {
                    NS_TEST_EXPECT_MSG_EQ(time, bound, "A ring attains it");
                }
            }
        }
    }

    /// Checks the sentences for names that are none, and for problems that a method is not for.
    void TestRefusals()
    {
        TurnCarrier carrier;
        const auto problem = MakeProblem(TurnKind::ALL_TO_ALL, 8, 1, 0);
        const auto solve = [&](const std::string& name) {
            return TurnMethods::Solve(name, problem, carrier);
        };
        EXPECT_PART(GetError([&] { solve("spiral"); }),
                    "There is no way \"spiral\" to turn circuits: known are static,");
        EXPECT_PART(GetError([&] { solve("planes"); }),
                    "\"planes\" to turn circuits needs more than one circuit");
    }

  private:
    static constexpr uint64_t ALPHA = 700;  //!< Latency of a message, ns
    static constexpr uint64_t CHUNK = 1000; //!< Bytes of a chunk

    /**
     * @param kind the operation
     * @param n the number of ports
     * @param planes the number of planes
     * @param delay the time to turn, ns
     * @return the problem
     */
    static TurnProblem MakeProblem(TurnKind kind, uint32_t n, uint32_t planes, uint32_t delay)
    {
        TurnProblem problem;
        problem.kind = kind;
        problem.ports = n;
        problem.bytes = n * CHUNK;
        problem.planes = planes;
        problem.laneRate = 8000000000;
        problem.delay = NanoSeconds(delay);
        problem.latency = NanoSeconds(ALPHA);
        return problem;
    }

    /**
     * @param method a method
     * @param problem a problem
     * @return how long its solution takes
     */
    static Time GetTime(const TurnMethod& method, const TurnProblem& problem)
    {
        TurnCarrier carrier;
        return TurnClock::GetTime(problem, *method.Solve(problem, carrier));
    }

    /**
     * @param slow a method
     * @param fast another one
     * @param problem a problem
     * @return how many times faster the second one is
     */
    static double GetRatio(const TurnMethod& slow,
                           const TurnMethod& fast,
                           const TurnProblem& problem)
    {
        return GetTime(slow, problem).GetSeconds() / GetTime(fast, problem).GetSeconds();
    }

    /**
     * @param problem an all-to-all
     * @return the time of Bruck's algorithm that turns all planes at every step
     */
    static Time GetBruckTime(const TurnProblem& problem)
    {
        TurnCarrier carrier;
        const TurnSteps steps(problem.ports, 2);
        TurnSequence sequence;
        for (uint32_t step = 0; step < steps.GetNSteps(); ++step)
        {
            const std::vector<uint32_t> shifts(problem.planes, 1U << step);
            sequence.phases.push_back(
                {shifts, carrier.Carry(steps, false, step, step, shifts, false)});
        }
        return TurnClock::GetTime(problem, sequence);
    }

    /**
     * @param n the number of ports
     * @param random draws
     * @return an algorithm of up to 6 steps by way of any ports
     */
    static TurnSteps DrawSteps(uint32_t n, Ptr<UniformRandomVariable> random)
    {
        std::vector<std::vector<uint32_t>> places(1, std::vector<uint32_t>(n, 0));
        for (uint32_t step = random->GetInteger(1, 6); step > 0; --step)
        {
            places.push_back(places.back());
            // All that move do so by the same shift, and in the last step to where they are to be
            const uint32_t shift = random->GetInteger(1, n - 1);
            for (uint32_t t = 0; t < n; ++t)
            {
                uint32_t& place = places.back()[t];
                place = random->GetInteger(0, 1) == 0 ? place : (place + shift) % n;
                place = step == 1 ? t : place;
            }
        }
        places.erase(std::unique(places.begin(), places.end()), places.end());
        return {INT64_MAX, places};
    }

    /**
     * Try all ways to share topologies.
     *
     * @param problem the problem
     * @param carrier carries steps
     * @param steps the algorithm
     * @param first the first step that is left
     * @param some the topologies before it
     * @param [in,out] least the least time so far
     */
    static void TryAll(const TurnProblem& problem,
                       TurnCarrier& carrier,
                       const TurnSteps& steps,
                       uint32_t first,
                       TurnSequence& some,
                       Time& least)
    {
        if (first == steps.GetNSteps())
        {
            least = std::min(least, TurnClock::GetTime(problem, some));
            return;
        }
        const bool isGather = problem.kind == TurnKind::ALL_GATHER;
        for (uint32_t last = first; last < steps.GetNSteps(); ++last)
        {
            for (const auto& shifts :
                 SharedTurns().GetTopologies(steps, first, last, problem.planes))
            {
                if (auto rounds = carrier.Carry(steps, isGather, first, last, shifts, false))
                {
                    some.phases.push_back({shifts, rounds});
                    TryAll(problem, carrier, steps, last + 1, some, least);
                    some.phases.pop_back();
                }
            }
        }
    }
};

/// Registers the test cases
static const SuiteCases g_turnMethodCases(
    "lightpath-turn-methods",
    {{MakeCase("Turn methods: planes in turn", &TurnMethodTests::TestPlanes),
      MakeCase("Turn methods: peers in turn", &TurnMethodTests::TestPeers),
      MakeCase("Turn methods: break-even", &TurnMethodTests::TestBreakEven),
      MakeCase("Turn methods: claims", &TurnMethodTests::TestClaims),
      MakeCase("Turn methods: exhaustive search", &TurnMethodTests::TestExhaustive),
      MakeCase("Turn methods: best of all", &TurnMethodTests::TestBest),
      MakeCase("Turn methods: bound of static topologies", &TurnMethodTests::TestMooreBound),
      MakeCase("Turn methods: refusals", &TurnMethodTests::TestRefusals)},
     MakeCases("Turn methods: subrings by levels and delay (ns)",
               &TurnMethodTests::TestSubrings,
               {{1, 100}, {3, 0}, {3, 3000}, {5, 100}, {5, 20000}, {5, 1000000}, {6, 60000}}),
     MakeCases("Turn methods: ternary by steps, and steps of Bruck",
               &TurnMethodTests::TestTernary,
               {{1, 2}, {2, 4}, {3, 5}, {4, 7}})});
