/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "control-test-cases.h"
#include "method-case.h"
#include "ring-allocator-oracle.h"
#include "ring-fixture.h"
#include "ring-program.h"

#include <algorithm>
#include <cmath>

using namespace ns3;
using namespace ns3::lightpath;

/**
 * @ingroup lightpath-tests
 * @brief Compares shares and bounds of random demands on small rings with what GLPK finds.
 *
 * The optimum of the linear program, rounded down to a share that whole lanes can have, is the
 * optimum if it is reached. Only otherwise integer programs are solved.
 */
class RingOptimumTestCase : public TestCase
{
  public:
    /**
     * @param mode "Continuity" or "LoadOnly"
     * @param runs the number of random demands
     * @param seed the seed of the random numbers
     */
    RingOptimumTestCase(const std::string& mode, uint32_t runs, uint32_t seed)
        : TestCase("Random demands against GLPK: " + mode),
          m_mode(mode),
          m_runs(runs),
          m_random(seed)
    {
    }

  private:
    /**
     * @brief A random demand on a random ring, and its result.
     */
    struct Instance
    {
        RingGeometry geometry;    //!< The ring
        TrafficMatrix demand;     //!< The bytes to be carried
        uint32_t maxDistance;     //!< The most segments of a lightpath, 0 for no limit
        bool shorterOnly;         //!< Whether only the shorter sides may be used
        CircuitAllocation result; //!< What the allocator grants
        uint32_t share;           //!< The variable of the linear program
    };

    void DoRun() override
    {
        if (!LinearProgram::HasSolver())
        {
            return;
        }
        double sum = 0;
        uint32_t count = 0;
        for (uint32_t run = 0; run < m_runs; run += BATCH)
        {
            std::vector<Instance> batch;
            LinearProgram program;
            RingProgram relaxed(program, RingProgram::RELAXED);
            for (uint32_t i = 0; i < BATCH; ++i)
            {
                batch.push_back(Draw());
                Instance& last = batch.back();
                last.share =
                    relaxed.Add(last.geometry, last.demand, last.maxDistance, last.shorterOnly);
            }
            NS_TEST_ASSERT_MSG_EQ(std::isfinite(program.Maximise()), true, "GLPK solves it");
            for (const Instance& instance : batch)
            {
                const double optimum = Judge(instance, program.GetValue(instance.share));
                sum += optimum > 0 ? instance.result.fairness / optimum : 0;
                count += optimum > 0;
            }
        }
        NS_TEST_EXPECT_MSG_GT(2 * count, m_runs, "Most rings can serve all pairs");
        NS_TEST_EXPECT_MSG_GT(sum, 0.99 * count, "On average nearly the optimum");
    }

    /**
     * @return a random ring and what the allocator grants on it
     */
    Instance Draw()
    {
        const uint32_t nodes = 3 + m_random() % 5;
        const uint32_t fibres = 1 + m_random() % 2;
        const uint32_t waves = 1 + m_random() % (m_mode == "LoadOnly" ? 4 : 2);
        RingFixture fixture(nodes, fibres, waves, m_mode);
        fixture.Fail(m_random, m_random() % 2 == 0 ? m_random() % 4 : 0);
        const uint32_t entries = 1 + m_random() % (2 * nodes);
        const uint32_t most = m_random() % 3 == 0 ? 1 : m_random() % 2 == 0 ? 6 : 1000;
        const TrafficMatrix demand = MakeRandom(m_random, nodes, entries, most);
        const uint32_t maxDistance = m_random() % 4 == 0 ? 1 + m_random() % nodes : 0;
        const bool shorterOnly = m_random() % 4 == 0;
        fixture.allocator->SetAttribute("MaxDistance", UintegerValue(maxDistance));
        fixture.allocator->SetAttribute("Routing", StringValue(shorterOnly ? "Shorter" : "Split"));
        const CircuitAllocation result = fixture.Allocate(demand);
        NS_TEST_EXPECT_MSG_EQ(fixture.ring->Check(result.plan), "", "The ring carries the plan");
        return {fixture.ring->GetGeometry(), demand, maxDistance, shorterOnly, result, 0};
    }

    /**
     * @param instance a ring and what the allocator grants on it
     * @param relaxed the optimum of the linear program
     * @return the optimum
     */
    double Judge(const Instance& instance, double relaxed)
    {
        const CircuitAllocation& result = instance.result;
        NS_TEST_EXPECT_MSG_LT_OR_EQ(result.bound, relaxed * (1 + 1e-6) + 1e-9, "As tight as LP");
        double optimum = 0;
        const double most = instance.demand.GetMax();
        for (uint32_t source = 0; source < instance.demand.GetSize(); ++source)
        {
            for (const auto& [destination, bytes] : instance.demand.GetRow(source))
            {
                const double lanes = std::floor(relaxed * bytes / most + 1e-6);
                optimum = std::max(optimum, lanes * most / bytes);
            }
        }
        if (relaxed * (1 + 1e-6) < 1)
        {
            optimum = 0; // The largest demand has no lane of its own
        }
        // The optimum with counted lanes is a lower bound with lanes kept from end to end
        for (const auto form : {RingProgram::COUNTED, RingProgram::KEPT})
        {
            const bool isRuled = m_mode == "Continuity" || form == RingProgram::COUNTED;
            if (isRuled && result.fairness < optimum - 1e-6)
            {
                LinearProgram program;
                RingProgram(program, form)
                    .Add(instance.geometry,
                         instance.demand,
                         instance.maxDistance,
                         instance.shorterOnly);
                optimum = program.Maximise();
            }
        }
        if (std::isnan(optimum))
        {
            return 0; // GLPK has run out of time; most rings must be judged all the same
        }
        NS_TEST_EXPECT_MSG_LT_OR_EQ(result.fairness, optimum + 1e-6, "No more than the optimum");
        NS_TEST_EXPECT_MSG_GT(result.bound, optimum - 1e-6, "The bound holds");
        return optimum < 1e-6 ? 0 : optimum;
    }

    static constexpr uint32_t BATCH = 20; //!< Linear programs solved as one

    std::string m_mode;    //!< The wavelength mode
    uint32_t m_runs;       //!< Number of random demands
    std::mt19937 m_random; //!< Where random numbers come from
};

/**
 * @ingroup lightpath-tests
 * @brief Checks the bound of larger rings against the linear program.
 */
class RingRelaxationTestCase : public TestCase
{
  public:
    /**
     * @param nodes the number of nodes
     * @param reach the most segments on the shorter side of a pair
     */
    RingRelaxationTestCase(uint32_t nodes, uint32_t reach)
        : TestCase("The bound is that of the linear program on " + std::to_string(nodes) +
                   " nodes with pairs up to " + std::to_string(reach) + " apart"),
          m_nodes(nodes),
          m_reach(reach)
    {
    }

  private:
    void DoRun() override
    {
        if (!LinearProgram::HasSolver())
        {
            return;
        }
        std::mt19937 random(17);
        RingGeometry geometry(m_nodes, 5, 16);
        TrafficMatrix demand(m_nodes);
        for (uint32_t entry = 0; entry < 4 * m_nodes; ++entry)
        {
            const uint32_t source = random() % m_nodes;
            const uint32_t shift = 1 + random() % m_reach;
            const uint32_t peer = source + (random() % 2 == 0 ? shift : m_nodes - shift);
            demand.Add(source, peer % m_nodes, 1 + random() % 30);
        }
        LinearProgram program;
        RingProgram(program, RingProgram::RELAXED).Add(geometry, demand);
        const double relaxed = program.Maximise();
        NS_TEST_ASSERT_MSG_GT(relaxed, 1, "GLPK solves it");
        for (const auto mode : {RingGeometry::CONTINUITY, RingGeometry::LOAD_ONLY})
        {
            geometry.SetWavelengthMode(mode);
            const CircuitAllocation result = AllocateRing(geometry, demand);
            NS_TEST_EXPECT_MSG_LT_OR_EQ(result.bound, relaxed * (1 + 1e-6), "As tight as LP");
            NS_TEST_EXPECT_MSG_GT(result.fairness, 0, "All pairs are served");
            NS_TEST_EXPECT_MSG_GT(result.bound, result.fairness - 1e-12, "The bound holds");
        }
    }

    uint32_t m_nodes; //!< Number of nodes
    uint32_t m_reach; //!< Most segments on the shorter side
};

/// Registers the test cases
static const SuiteCases g_ringOptimumCases("lightpath-control-ring",
                                           {{new RingOptimumTestCase("LoadOnly", 200, 31),
                                             new RingOptimumTestCase("Continuity", 200, 32),
                                             new RingRelaxationTestCase(24, 11),
                                             new RingRelaxationTestCase(64, 8)}});
