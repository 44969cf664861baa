/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "method-case.h"
#include "model/control/schedule/heavy-scheduler.h"
#include "model/control/schedule/matching-slicer.h"
#include "model/control/schedule/spectra-solver.h"

#include "ns3/random-variable-stream.h"

#include <algorithm>
#include <cmath>
#include <vector>

using namespace ns3;
using namespace ns3::lightpath;

/**
 * @ingroup lightpath-tests
 * @brief The test cases of one demand over parallel switches, and of few heavy matchings.
 */
class SpectraTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /// Checks that all send the same to all: each switch has as many matchings, as the bound says.
    void TestUniform()
    {
        constexpr int64_t load = 1000;
        for (const uint32_t n : {5U, 9U, 13U})
        {
            ServiceTimeMatrix times(n);
            for (uint32_t source = 0; source < n; ++source)
            {
                for (uint32_t other = 1; other < n; ++other)
                {
                    times.Add(source, (source + other) % n, load);
                }
            }
            for (const int64_t delay : {0, 10, 5000})
            {
                for (const uint32_t switches : {1U, 2U, 4U})
                {
                    const auto schedule = SpectraSolver::Solve(times, switches, delay);
                    const int64_t expected = (n - 1) / switches * (load + delay);
                    NS_TEST_EXPECT_MSG_EQ(SpectraSolver::GetTime(schedule, delay),
                                          expected,
                                          n << " ports, " << switches << " switches");
                    NS_TEST_EXPECT_MSG_EQ(SpectraSolver::GetBound(times, switches, delay),
                                          expected,
                                          "The bound is met");
                }
            }
        }
    }

    /// Checks random demands: all is served, no sooner than the bound and little
    /// later.
    void TestRandom()
    {
        const auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(45);
        double sum = 0;
        double most = 0;
        constexpr uint32_t rounds = 300;
        for (uint32_t round = 0; round < rounds; ++round)
        {
            const ServiceTimeMatrix times = Draw(random);
            const uint32_t switches = random->GetInteger(1, 6);
            const int64_t delay = 1 << random->GetInteger(0, 14);
            const auto schedule = SpectraSolver::Solve(times, switches, delay);
            ServiceTimeMatrix left = times;
            for (const auto& matchings : schedule)
            {
                for (const auto& matching : matchings)
                {
                    for (uint32_t source = 0; source < times.GetSize(); ++source)
                    {
                        left.Serve(source, matching.peers[source], matching.steps);
                    }
                }
            }
            NS_TEST_ASSERT_MSG_EQ(left.GetMaxLineSum(), 0, "All is served, round " << round);
            const int64_t time = SpectraSolver::GetTime(schedule, delay);
            const int64_t bound = SpectraSolver::GetBound(times, switches, delay);
            NS_TEST_ASSERT_MSG_GT_OR_EQ(time, bound, "Round " << round);
            sum += static_cast<double>(time) / bound;
            most = std::max(most, static_cast<double>(time) / bound);
        }
        // The gap, which is printed if it grows
        NS_TEST_EXPECT_MSG_LT(sum / rounds, MEAN_GAP, "Mean time over the bound");
        NS_TEST_EXPECT_MSG_LT(most, MOST_GAP, "Largest time over the bound");
    }

    /**
     * Checks a demand of experts whose loads differ (Zipf, 0.5) on 32 ports and four switches with
     * a delay of half a message: against switches that are all set alike, and against the bound.
     */
    void TestExperts()
    {
        constexpr uint32_t n = 32;
        constexpr uint32_t switches = 4;
        constexpr int64_t delay = 10000;
        ServiceTimeMatrix times(n);
        for (uint32_t source = 0; source < n; ++source)
        {
            for (uint32_t destination = 0; destination < n; ++destination)
            {
                const double load = 2 * delay * std::pow(1.0 + destination * 7 % n, -0.5);
                times.Add(source, destination, source == destination ? 0 : std::lround(load));
            }
        }
        const auto getAlike = [](const std::vector<TimedMatching>& matchings) {
            double time = 0;
            for (const auto& matching : matchings)
            {
                time += delay + static_cast<double>(matching.steps) / switches;
            }
            return time;
        };
        std::vector<TimedMatching> slices;
        MatchingSlicer slicer(times);
        slicer.SetThreshold(1);
        while (auto slice = slicer.Slice())
        {
            slices.push_back(*slice);
        }
        const auto schedule = SpectraSolver::Solve(times, switches, delay);
        const auto time = static_cast<double>(SpectraSolver::GetTime(schedule, delay));
        const auto heavy = HeavyScheduler::Decompose(times);
        NS_TEST_EXPECT_MSG_EQ_TOL(getAlike(heavy) / time, GAIN, 0.01, "Switches set alike");
        NS_TEST_EXPECT_MSG_GT(getAlike(slices), getAlike(heavy), "Birkhoff turns too often");
        NS_TEST_EXPECT_MSG_LT(time / SpectraSolver::GetBound(times, switches, delay),
                              1.05,
                              "Bound");
        NS_TEST_EXPECT_MSG_EQ(heavy.size(), n - 1, "As many as a port has peers");
        NS_TEST_EXPECT_MSG_EQ(slices.size(), 930, "Batches in pieces");
    }

    /// Checks that few matchings serve each pair in one piece, where a Birkhoff decomposition cuts
    /// it.
    void TestHeavy()
    {
        const auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(46);
        std::size_t few = 0;
        std::size_t many = 0;
        for (uint32_t round = 0; round < 200; ++round)
        {
            const ServiceTimeMatrix times = Draw(random);
            const auto matchings = HeavyScheduler::Decompose(times);
            NS_TEST_ASSERT_MSG_EQ(matchings.size(), times.GetDegree(), "As few as there can be");
            ServiceTimeMatrix left = times;
            for (const auto& matching : matchings)
            {
                for (uint32_t source = 0; source < times.GetSize(); ++source)
                {
                    const uint32_t peer = matching.peers[source];
                    const int64_t steps = left.Get(source, peer);
                    NS_TEST_ASSERT_MSG_EQ(left.Serve(source, peer, matching.steps),
                                          steps,
                                          "In one piece");
                }
            }
            NS_TEST_ASSERT_MSG_EQ(left.GetMaxLineSum(), 0, "All is served");
            few += matchings.size();
            MatchingSlicer slicer(times);
            slicer.SetThreshold(1);
            while (slicer.Slice())
            {
                ++many;
            }
        }
        NS_TEST_EXPECT_MSG_GT(many, 2 * few, "Birkhoff takes more");
    }

  private:
    static constexpr double MEAN_GAP = 1.15; //!< Mean of the time over the bound
    static constexpr double GAIN = 1.94;     //!< Of switches that turn on their own
    static constexpr double MOST_GAP = 1.6;  //!< The same, at most

    /**
     * @param random draws
     * @return a demand of up to 12 ports, with few heavy pairs and many light ones
     */
    static ServiceTimeMatrix Draw(Ptr<UniformRandomVariable> random)
    {
        const uint32_t n = random->GetInteger(2, 12);
        ServiceTimeMatrix times(n);
        times.Add(0, 1, random->GetInteger(1, 1000));
        for (uint32_t source = 0; source < n; ++source)
        {
            for (uint32_t destination = 0; destination < n; ++destination)
            {
                if (source != destination && random->GetInteger(0, 2) > 0)
                {
                    const bool isHeavy = random->GetInteger(0, 4) == 0;
                    times.Add(source, destination, random->GetInteger(1, isHeavy ? 10000 : 1000));
                }
            }
        }
        return times;
    }
};

/// Registers the test cases
static const SuiteCases g_spectraCases(
    "lightpath-turn-methods",
    {{MakeCase("Spectra: all to all", &SpectraTests::TestUniform),
      MakeCase("Spectra: random demands", &SpectraTests::TestRandom),
      MakeCase("Spectra: experts", &SpectraTests::TestExperts),
      MakeCase("Heavy matchings: random demands", &SpectraTests::TestHeavy)}});
