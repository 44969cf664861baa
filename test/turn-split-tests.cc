/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "method-case.h"

#include "ns3/turn-methods.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

using namespace ns3;
using namespace ns3::lightpath;

/**
 * @ingroup lightpath-tests
 * @brief Compares the best method with what messages that are split over switches in any way (SWOT)
 * take at least.
 */
class TurnSplitTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /**
     * Checks points of the map of 16 and 128 ports.
     *
     * @param planes the number of planes
     * @param most how much longer the best method may take for an all-to-all
     */
    void TestBound(uint32_t planes, double most)
    {
        uint32_t nBelow = 0;
        for (const uint32_t n : {16U, 128U})
        {
            TurnCarrier carrier;
            for (const auto kind :
                 {TurnKind::ALL_REDUCE, TurnKind::ALL_GATHER, TurnKind::ALL_TO_ALL})
            {
                for (uint32_t point = 0; point < 80; ++point)
                {
                    TurnProblem problem;
                    problem.kind = kind;
                    problem.ports = n;
                    problem.bytes = uint64_t{1024} << 2 * (point % 10);
                    problem.planes = planes;
                    problem.laneRate = 400000000000 / planes;
                    problem.delay = NanoSeconds(std::llround(std::pow(10, 1 + point / 10)));
                    problem.latency = MicroSeconds(1);
                    const double best =
                        TurnMethods::Solve("best", problem, carrier).time.GetSeconds();
                    const double bound = GetBound(problem);
                    nBelow += bound < 0.9999 * best;
                    NS_TEST_EXPECT_MSG_LT_OR_EQ(
                        best,
                        bound * (kind == TurnKind::ALL_TO_ALL ? most : 1.0001),
                        n << " ports, " << problem.bytes << " bytes, " << problem.delay);
                }
            }
        }
        NS_TEST_EXPECT_MSG_GT(nBelow, 0, "The bound is near");
    }

  private:
    /**
     * @param problem an operation among as many ports as a power of two
     * @return the least time with splits, seconds
     */
    static double GetBound(const TurnProblem& problem)
    {
        const uint32_t n = problem.ports;
        const double chunk = static_cast<double>(problem.GetChunkBytes()) * 8 /
                             static_cast<double>(problem.laneRate * problem.planes);
        const bool isExchange = problem.kind == TurnKind::ALL_TO_ALL;
        std::vector<double> steps;
        for (uint32_t width = 1; width < n; width *= 2)
        {
            steps.push_back(chunk * (isExchange ? n / 2 : width));
            if (problem.kind == TurnKind::ALL_REDUCE)
            {
                steps.push_back(steps.back());
            }
        }
        const double s = problem.planes;
        const double delay = problem.delay.GetSeconds();
        const double latency = problem.latency.GetSeconds();
        const double inOrder = GetStepsBound(steps, s, delay) + steps.size() * latency;
        const double turns = std::max(0.0, n - 1 - s) * delay + (n - 1) * latency;
        return isExchange ? std::min(inOrder, (n - 1) * chunk + turns / s) : inOrder;
    }

    /**
     * Of steps that wait for each other, each is served by a number of planes, which turn before
     * each step that they serve but the first. The least time over all of these numbers, also
     * fractions, is where they go with the roots of the steps.
     *
     * @param steps the times of the steps on all planes, seconds
     * @param planes the number of planes
     * @param delay the time to turn, seconds
     * @return the least time, without latencies, seconds
     */
    static double GetStepsBound(const std::vector<double>& steps, double planes, double delay)
    {
        const double all = std::accumulate(steps.begin(), steps.end(), 0.0);
        const auto [least, most] = std::minmax_element(steps.begin(), steps.end());
        double low = 0.5 / std::sqrt(*most);
        double high = 2 * planes / std::sqrt(*least);
        double busy = all;
        for (uint32_t round = 0; round < 200; ++round)
        {
            const double factor = (low + high) / 2;
            double served = -planes;
            double spread = 0;
            for (const double step : steps)
            {
                const double count = std::clamp(factor * std::sqrt(step), 1.0, planes);
                served += count;
                spread += planes * step / count;
            }
            busy = all + delay * std::max(served, 0.0) / planes;
            (busy < spread ? low : high) = factor;
        }
        return busy;
    }
};

/// Registers the test cases
static const SuiteCases g_turnSplitCases("lightpath-turn-methods",
                                         {MakeCases("Turn methods: splits by planes, and bound",
                                                    &TurnSplitTests::TestBound,
                                                    {{2, 1.05}, {4, 1.09}})});
