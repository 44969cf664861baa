/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "expect-error.h"
#include "partition-tests.h"

#include "ns3/circuit-shares.h"
#include "ns3/phase-segments.h"

#include <algorithm>
#include <functional>
#include <limits>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/**
 * @ingroup lightpath-tests
 * Try all shares.
 *
 * @param demands the demands
 * @param ports the ports that are left
 * @param objective what is minimised
 * @param from the first demand that has no share yet
 * @return the least time for circuits of 8 bit/s, infinite if there are no such shares
 */
double
TryShares(const std::vector<CircuitUse>& demands,
          uint32_t ports,
          CircuitShares::Objective objective,
          std::size_t from = 0)
{
    if (from == demands.size())
    {
        return 0;
    }
    if (demands[from].bytes == 0)
    {
        return TryShares(demands, ports, objective, from + 1);
    }
    double best = std::numeric_limits<double>::infinity();
    for (uint32_t x = 1; x * demands[from].ports <= ports; ++x)
    {
        const double rest =
            TryShares(demands, ports - x * demands[from].ports, objective, from + 1);
        const double own = demands[from].bytes / x;
        best = std::min(best, objective == CircuitShares::SUM ? own + rest : std::max(own, rest));
    }
    return best;
}

/**
 * @ingroup lightpath-tests
 * @brief Shares are as good as the best of all.
 */
class CircuitSharesTest : public TestCase
{
  public:
    CircuitSharesTest()
        : TestCase("shares of circuits against all shares")
    {
    }

  private:
    void DoRun() override
    {
        const auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(51);
        uint32_t refused = 0;
        for (uint32_t run = 0; run < 500; ++run)
        {
            std::vector<CircuitUse> demands(random->GetInteger(1, 5));
            const uint32_t mostPorts = random->GetInteger(1, 3);
            for (auto& demand : demands)
            {
                demand.bytes = random->GetInteger(0, 4) == 0 ? 0 : random->GetInteger(1, 100);
                demand.ports =
                    random->GetInteger(0, 1) == 0 ? mostPorts : random->GetInteger(1, mostPorts);
            }
            const uint32_t ports = random->GetInteger(1, 14);
            for (const auto objective : {CircuitShares::SUM, CircuitShares::SLOWEST})
            {
                const double best = TryShares(demands, ports, objective);
                if (best == std::numeric_limits<double>::infinity())
                {
                    ++refused;
                    const auto error =
                        GetError([&]() { CircuitShares::Get(demands, ports, objective); });
                    NS_TEST_ASSERT_MSG_EQ(Contains(error, "must have fewer peers or more ports"),
                                          true,
                                          error);
                    continue;
                }
                const auto shares = CircuitShares::Get(demands, ports, objective);
                uint32_t used = 0;
                for (std::size_t k = 0; k < demands.size(); ++k)
                {
                    used += shares[k] * demands[k].ports;
                    NS_TEST_ASSERT_MSG_EQ((shares[k] > 0), (demands[k].bytes > 0), "run " << run);
                }
                NS_TEST_ASSERT_MSG_EQ((used <= ports), true, "ports used in run " << run);
                NS_TEST_ASSERT_MSG_EQ_TOL(CircuitShares::GetSeconds(demands, shares, 8, objective),
                                          best,
                                          1e-9,
                                          "run " << run << ", objective " << objective);
            }
        }
        NS_TEST_ASSERT_MSG_GT(refused, 50, "demands that need more ports");
        NS_TEST_ASSERT_MSG_LT(refused, 400, "demands that need more ports");
        for (const auto& demand : {CircuitUse{-1, 1}, CircuitUse{1, 0}})
        {
            const auto error = GetError([&]() { CircuitShares::Get({demand}, 4); });
            NS_TEST_EXPECT_MSG_EQ(Contains(error, "cannot be served"), true, error);
        }
    }
};

/**
 * @ingroup lightpath-tests
 * @brief Segments are as good as the best of all.
 */
class PhaseSegmentsTest : public TestCase
{
  public:
    PhaseSegmentsTest()
        : TestCase("segments of phases against all segments")
    {
    }

  private:
    void DoRun() override
    {
        const auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(52);
        uint32_t several = 0;
        uint32_t wrapped = 0;
        for (uint32_t run = 0; run < 260; ++run)
        {
            const uint32_t kinds = random->GetInteger(1, 3);
            std::vector<PhaseSegments::Phase> phases(random->GetInteger(1, 6));
            for (auto& phase : phases)
            {
                phase.slackSeconds = random->GetInteger(0, 3);
                for (uint32_t kind = 0; kind < kinds; ++kind)
                {
                    phase.bytes.push_back(random->GetInteger(0, 1) * random->GetInteger(0, 40));
                }
            }
            PhaseSegments::Settings settings;
            settings.bitRate = 8;
            settings.circuits = random->GetInteger(kinds, 6);
            settings.switchingSeconds = random->GetInteger(0, 12);
            settings.isCyclic = random->GetInteger(0, 2) > 0;
            settings.objective =
                random->GetInteger(0, 1) == 0 ? CircuitShares::SUM : CircuitShares::SLOWEST;
            const auto result = PhaseSegments::Get(phases, settings);
            NS_TEST_ASSERT_MSG_EQ_TOL(result.seconds,
                                      TryCuts(phases, settings),
                                      1e-9,
                                      "run " << run);
            double sum = 0;
            uint32_t covered = 0;
            for (const auto& segment : result.segments)
            {
                sum += segment.seconds + segment.darkSeconds;
                covered += segment.phases;
                wrapped += segment.first + segment.phases > phases.size() ? 1 : 0;
            }
            several += result.segments.size() > 1 ? 1 : 0;
            NS_TEST_ASSERT_MSG_EQ_TOL(sum, result.seconds, 1e-9, "sum of the segments");
            NS_TEST_ASSERT_MSG_EQ(covered, phases.size(), "phases in segments");
        }
        NS_TEST_ASSERT_MSG_GT(several, 50, "instances with several segments");
        NS_TEST_ASSERT_MSG_GT(wrapped, 10, "segments beyond the end of the iteration");
        CheckRefusals();
    }

    /**
     * @param phases the phases
     * @param settings what they run on
     * @return the least time of all ways to cut them
     */
    static double TryCuts(const std::vector<PhaseSegments::Phase>& phases,
                          const PhaseSegments::Settings& settings)
    {
        const auto count = static_cast<uint32_t>(phases.size());
        double best = std::numeric_limits<double>::infinity();
        // A bit for each phase that circuits are switched before
        for (uint32_t cuts = 0; cuts < (1U << count); ++cuts)
        {
            if (!settings.isCyclic && cuts % 2 == 0)
            {
                continue; // The first phase begins a segment
            }
            uint32_t start = 0;
            while (cuts > 0 && (cuts >> start) % 2 == 0)
            {
                ++start;
            }
            double seconds = 0;
            std::vector<CircuitUse> demands(phases[0].bytes.size());
            for (uint32_t i = 0; i < count; ++i)
            {
                const auto& phase = phases[(start + i) % count];
                const bool isCut = (cuts >> ((start + i) % count)) % 2 == 1;
                if (isCut && (settings.isCyclic || i > 0))
                {
                    seconds += std::max(0.0, settings.switchingSeconds - phase.slackSeconds);
                }
                if (isCut && i > 0)
                {
                    seconds += TryShares(demands, settings.circuits, settings.objective);
                    demands.assign(demands.size(), CircuitUse());
                }
                for (std::size_t kind = 0; kind < demands.size(); ++kind)
                {
                    demands[kind].bytes += phase.bytes[kind];
                }
            }
            best =
                std::min(best, seconds + TryShares(demands, settings.circuits, settings.objective));
        }
        return best;
    }

    /**
     * Check that what cannot be carried out is refused in a sentence.
     */
    void CheckRefusals()
    {
        PhaseSegments::Settings settings;
        settings.bitRate = 8;
        const auto refuse = [&](const std::string& sentence,
                                const std::vector<PhaseSegments::Phase>& phases) {
            const auto error = GetError([&]() { PhaseSegments::Get(phases, settings); });
            NS_TEST_EXPECT_MSG_EQ(Contains(error, sentence), true, error);
        };
        refuse("one phase at least", {});
        refuse("Phase 1 has bytes of 2 kinds, but phase 0 of 1", {{{1}, 0}, {{1, 2}, 0}});
        refuse("Phase 1 needs 2 ports, but a GPU has 1", {{{0, 1}, 0}, {{1, 1}, 0}});
        settings.bitRate = 0;
        refuse("the rate must be positive", {{{1}, 0}});
    }
};

} // namespace

std::vector<TestCase*>
MakeCircuitSharesTests()
{
    return {new CircuitSharesTest};
}

std::vector<TestCase*>
MakePhaseSegmentsTests()
{
    return {new PhaseSegmentsTest};
}
