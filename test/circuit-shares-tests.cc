/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "method-case.h"
#include "model/control/ring/ring-max-min-allocator.h"
#include "model/control/switches/circuit-switch-max-min-allocator.h"
#include "model/planner/search/circuit-shares.h"

#include "ns3/random-variable-stream.h"
#include "ns3/training-plan.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <memory>
#include <numeric>
#include <string>

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
 * @param from the first demand that has no share yet
 * @return the least time for circuits of 8 bit/s, infinite if there are no such shares
 */
double
TryShares(const std::vector<CircuitUse>& demands, uint32_t ports, std::size_t from = 0)
{
    if (from == demands.size())
    {
        return 0;
    }
    if (demands[from].bytes == 0)
    {
        return TryShares(demands, ports, from + 1);
    }
    double best = std::numeric_limits<double>::infinity();
    for (uint32_t x = 1; x * demands[from].ports <= ports; ++x)
    {
        best = std::min(best,
                        demands[from].bytes / x +
                            TryShares(demands, ports - x * demands[from].ports, from + 1));
    }
    return best;
}

/**
 * @ingroup lightpath-tests
 * @brief Shares are as good as the best of all shares.
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
            const double best = TryShares(demands, ports);
            const bool isEnough = CircuitShares::GetMinPorts(demands) <= ports;
            NS_TEST_ASSERT_MSG_EQ(isEnough,
                                  (best < std::numeric_limits<double>::infinity()),
                                  "run " << run);
            if (!isEnough)
            {
                ++refused;
                continue;
            }
            const auto shares = CircuitShares::Get(demands, ports);
            uint32_t used = 0;
            double seconds = 0;
            for (std::size_t k = 0; k < demands.size(); ++k)
            {
                used += shares[k] * demands[k].ports;
                seconds += demands[k].bytes > 0 ? demands[k].bytes / shares[k] : 0;
                NS_TEST_ASSERT_MSG_EQ((shares[k] > 0), (demands[k].bytes > 0), "run " << run);
            }
            NS_TEST_ASSERT_MSG_EQ((used <= ports), true, "ports used in run " << run);
            NS_TEST_ASSERT_MSG_EQ_TOL(seconds, best, 1e-9, "run " << run);
        }
        NS_TEST_ASSERT_MSG_GT(refused, 25, "demands that need more ports");
        NS_TEST_ASSERT_MSG_LT(refused, 200, "demands that need more ports");
    }
};

/**
 * @param ranks the number of ranks, a power of two
 * @return a plan in which they halve a buffer of 1000 bytes each again and again
 */
TrainingPlan
MakeHalvingPlan(uint32_t ranks)
{
    Task task;
    task.kind = TaskKind::COLLECTIVE;
    task.collective = CollectiveKind::REDUCE_SCATTER;
    task.options.algorithm = CollectiveAlgorithm::HALVING_DOUBLING;
    task.bytes = ranks * 1000;
    const auto program = std::make_shared<RankProgram>();
    program->AddTask(task);
    TrainingPlan plan;
    plan.programs.assign(ranks, program);
    plan.groups.resize(N_GROUP_KINDS);
    std::vector<uint32_t> members(ranks);
    std::iota(members.begin(), members.end(), 0);
    plan.groups[task.group].Add(members);
    return plan;
}

/**
 * @param plan a plan whose messages follow each other
 * @param circuits the circuits
 * @return the time of the slowest rank at a byte a circuit and second
 */
double
GetSequenceSeconds(const TrainingPlan& plan, const CircuitPlan& circuits)
{
    const TrafficMatrix traffic = plan.GetTraffic();
    double slowest = 0;
    for (uint32_t rank = 0; rank < plan.programs.size(); ++rank)
    {
        double seconds = 0;
        for (const auto& [peer, bytes] : traffic.GetRow(rank))
        {
            seconds += static_cast<double>(bytes) / circuits.GetLanes(rank, peer).size();
        }
        slowest = std::max(slowest, seconds);
    }
    return slowest;
}

/**
 * @ingroup lightpath-tests
 * @brief Circuits that are set once for halving and doubling are shared out for steps in sequence.
 */
class SequenceSharesTest : public TestCase
{
  public:
    /**
     * @param ranks the number of ranks, a power of two
     * @param circuits the circuits of each
     */
    SequenceSharesTest(uint32_t ranks, uint32_t circuits)
        : TestCase("circuits for steps in sequence, " + std::to_string(ranks) + " ranks, " +
                   std::to_string(circuits) + " circuits"),
          m_ranks(ranks),
          m_circuits(circuits)
    {
    }

  private:
    void DoRun() override
    {
        const TrainingPlan plan = MakeHalvingPlan(m_ranks);
        const auto allocator = CreateObject<CircuitSwitchMaxMinAllocator>();
        allocator->SetGeometry(CircuitSwitchGeometry(m_ranks, m_circuits));
        const CircuitPlan circuits = allocator->Allocate(plan.GetDemand()).plan;
        std::vector<CircuitUse> demands;
        for (uint32_t bytes = m_ranks / 2 * 1000; bytes >= 1000; bytes /= 2)
        {
            CircuitUse& demand = demands.emplace_back();
            demand.bytes = bytes;
            demand.ports = 1;
        }
        const double best = TryShares(demands, m_circuits);
        const double slowest = GetSequenceSeconds(plan, circuits);
        // Circuits are whole: shares by the root of the bytes are not the best of all numbers
        NS_TEST_EXPECT_MSG_LT(slowest, 1.032 * best, "Time of all steps");
        NS_TEST_EXPECT_MSG_GT(slowest, 0.999 * best, "Nothing is faster than the best");
    }

    uint32_t m_ranks;    //!< Ranks
    uint32_t m_circuits; //!< Circuits of each
};

/**
 * @ingroup lightpath-tests
 * @brief Lanes of a ring that are set once are shared out for steps in sequence, too.
 */
class RingSequenceTest : public TestCase
{
  public:
    RingSequenceTest()
        : TestCase("lanes of a ring for steps in sequence")
    {
    }

  private:
    void DoRun() override
    {
        const TrainingPlan plan = MakeHalvingPlan(8);
        double before = std::numeric_limits<double>::infinity();
        for (const uint32_t lanes : {20, 40, 80, 160, 320})
        {
            const auto allocator = CreateObject<RingMaxMinAllocator>();
            allocator->SetGeometry(RingGeometry(8, 1, lanes));
            const auto get = [&](const TrafficMatrix& demand) {
                return GetSequenceSeconds(plan, allocator->Allocate(demand).plan);
            };
            const double seconds = get(plan.GetDemand());
            NS_TEST_EXPECT_MSG_LT(seconds, get(plan.GetTraffic()), "not by the bytes");
            NS_TEST_EXPECT_MSG_LT(seconds, before, "more lanes");
            // Steps of 4, 2 and 1 kB go 4, 2 and 1 segments, all of which have two lanes for each
            // of the lanes: the sum of b / c with the sum of c h given (Cauchy-Schwarz)
            NS_TEST_EXPECT_MSG_GT(seconds, 0.999 * 7 * 7 * 1000 / (2 * lanes), "the least time");
            before = seconds;
        }
    }
};

/**
 * @ingroup lightpath-tests
 * @return the test cases
 */
std::vector<TestCase*>
MakeShareTests()
{
    std::vector<TestCase*> cases{new CircuitSharesTest, new RingSequenceTest};
    for (const uint32_t ranks : {8, 16, 32})
    {
        for (uint32_t circuits = 5; circuits <= 24; ++circuits)
        {
            cases.push_back(new SequenceSharesTest(ranks, circuits));
        }
    }
    return cases;
}

} // namespace

/// Registers the test cases
static const SuiteCases g_circuitSharesCases("lightpath-stage-cuts", {MakeShareTests()});
