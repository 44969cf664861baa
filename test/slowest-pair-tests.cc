/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "expect-error.h"
#include "method-case.h"
#include "model/control/switches/slowest-pair-allocator.h"

#include "ns3/string.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/// Bytes of each pair of devices, both directions together.
using PairBytes = std::map<PortPair, uint64_t>;

/**
 * @ingroup lightpath-tests
 * @param geometry the switches
 * @param demand the bytes to be carried
 * @param whenFull what happens when a device has no ports left
 * @return what the allocator grants
 */
CircuitAllocation
ServeSlowest(const CircuitSwitchGeometry& geometry,
             const TrafficMatrix& demand,
             const std::string& whenFull = "Skip")
{
    const auto allocator = CreateObject<SlowestPairAllocator>();
    allocator->SetAttribute("WhenFull", StringValue(whenFull));
    allocator->SetGeometry(geometry);
    return allocator->Allocate(demand);
}

/**
 * @ingroup lightpath-tests
 * @param devices the number of devices
 * @param bytes the bytes from each device to each other one
 * @return the demand
 */
TrafficMatrix
MakeUniform(uint32_t devices, uint64_t bytes)
{
    TrafficMatrix demand(devices);
    for (uint32_t source = 0; source < devices; ++source)
    {
        for (uint32_t destination = 0; destination < devices; ++destination)
        {
            if (source != destination)
            {
                demand.Add(source, destination, bytes);
            }
        }
    }
    return demand;
}

/**
 * @ingroup lightpath-tests
 * @brief The best of all numbers of circuits that devices have ports for.
 */
struct BestCircuits
{
    /**
     * @param devices the number of devices
     * @param circuits the circuits of a device
     * @param pairs the demand
     */
    BestCircuits(uint32_t devices, uint32_t circuits, const PairBytes& pairs)
        : m_pairs(pairs.begin(), pairs.end()),
          m_free(devices, circuits)
    {
        for (const auto& pair : m_pairs)
        {
            m_most = std::max(m_most, pair.second);
        }
        Search(0, 1e300, 0);
    }

    double share{0};   //!< The largest smallest ratio of circuits to relative demand
    uint64_t bytes{0}; //!< The most bytes of pairs with a circuit

  private:
    /**
     * Try all circuits of a pair and of those after it.
     *
     * @param pair the pair
     * @param smallest the smallest ratio of those before it
     * @param served their bytes with a circuit
     */
    void Search(std::size_t pair, double smallest, uint64_t served)
    {
        if (pair == m_pairs.size())
        {
            share = std::max(share, smallest);
            bytes = std::max(bytes, served);
            return;
        }
        const auto [ports, demand] = m_pairs[pair];
        const uint32_t most = std::min(m_free[ports.first], m_free[ports.second]);
        for (uint32_t n = 0; n <= most; ++n)
        {
            m_free[ports.first] -= n;
            m_free[ports.second] -= n;
            Search(pair + 1,
                   std::min(smallest, n / static_cast<double>(demand) * m_most),
                   served + (n > 0 ? demand : 0));
            m_free[ports.first] += n;
            m_free[ports.second] += n;
        }
    }

    std::vector<std::pair<PortPair, uint64_t>> m_pairs; //!< The demand
    std::vector<uint32_t> m_free;                       //!< Circuits left, by device
    uint64_t m_most{0};                                 //!< The largest demand
};

} // namespace

/**
 * @ingroup lightpath-tests
 * @brief The test cases of circuits for the slowest pair.
 */
class SlowestPairTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /// Checks that the only peer of a device gets all of its circuits.
    void TestPairs()
    {
        TrafficMatrix demand(8);
        for (uint32_t device = 0; device < 8; device += 2)
        {
            demand.Add(device, device + 1, 100 + device);
        }
        const auto result = ServeSlowest(CircuitSwitchGeometry(8, 6), demand);
        for (uint32_t device = 0; device < 8; device += 2)
        {
            const auto there = result.plan.GetLanes(device, device + 1).size();
            const auto back = result.plan.GetLanes(device + 1, device).size();
            NS_TEST_EXPECT_MSG_EQ(there, 6, "Both directions of a pair count");
            NS_TEST_EXPECT_MSG_EQ(back, 6, "A circuit leads both ways");
        }
        NS_TEST_EXPECT_MSG_EQ(result.objective, 6, "Of the largest demand");
        NS_TEST_EXPECT_MSG_EQ(result.GetGap(), 0, "No device has a circuit left");
    }

    /**
     * Checks that equal demands get as many circuits each.
     *
     * @param devices the number of devices
     * @param each the circuits of a pair
     */
    void TestUniformDemand(uint32_t devices, uint32_t each)
    {
        const CircuitSwitchGeometry geometry(devices, each * (devices - 1));
        const TrafficMatrix demand = MakeUniform(devices, 7000);
        const auto result = ServeSlowest(geometry, demand);
        for (uint32_t source = 0; source < devices; ++source)
        {
            for (const auto& entry : demand.GetRow(source))
            {
                const auto lanes = result.plan.GetLanes(source, entry.first).size();
                NS_TEST_EXPECT_MSG_EQ(lanes, each, "D / (q B) is the time of all pairs");
            }
        }
        NS_TEST_EXPECT_MSG_EQ(result.objective, each, "q circuits");
        NS_TEST_EXPECT_MSG_EQ(geometry.FindConflict(result.plan), "", "The plan fits");
    }

    /// Checks that pairs without a port stay without a circuit, by both rules.
    void TestFull()
    {
        // 0 has three peers and two circuits, which 40 and 30 get; 2 and 3 have no other peer but 0
        TrafficMatrix demand(6);
        demand.Add(0, 1, 40);
        demand.Add(2, 0, 30);
        demand.Add(0, 3, 20);
        demand.Add(4, 5, 10);
        const CircuitSwitchGeometry geometry(6, 2);
        const auto skip = ServeSlowest(geometry, demand);
        NS_TEST_EXPECT_MSG_EQ(skip.plan.GetLanes(0, 1).size(), 1, "The largest");
        NS_TEST_EXPECT_MSG_EQ(skip.plan.GetLanes(0, 2).size(), 1, "The second");
        NS_TEST_EXPECT_MSG_EQ(skip.plan.GetLanes(0, 3).size(), 0, "0 is full");
        NS_TEST_EXPECT_MSG_EQ(skip.plan.GetLanes(4, 5).size(), 2, "4 and 5 are not");
        NS_TEST_EXPECT_MSG_EQ(skip.unserved.size(), 1, "One direction of one pair is demanded");
        NS_TEST_EXPECT_MSG_EQ(skip.objective, 0, "A pair has no circuit");
        const auto stop = ServeSlowest(geometry, demand, "Stop");
        NS_TEST_EXPECT_MSG_EQ(stop.plan.GetLanes(0, 2).size(), 1, "As before");
        NS_TEST_EXPECT_MSG_EQ(stop.plan.GetLanes(4, 5).size(), 0, "0 to 3 has stopped the rule");
    }

    /// Checks that equal demands share out circuits that do not suffice for all.
    void TestEqualDemand()
    {
        const auto result = ServeSlowest(CircuitSwitchGeometry(4, 2), MakeUniform(4, 10));
        for (uint32_t device = 0; device < 4; ++device)
        {
            uint32_t lanes = 0;
            for (uint32_t peer = 0; peer < 4; ++peer)
            {
                lanes += peer != device ? result.plan.GetLanes(device, peer).size() : 0;
            }
            NS_TEST_EXPECT_MSG_EQ(lanes, 2, "No device is left without a circuit");
        }
        NS_TEST_EXPECT_MSG_EQ(result.unserved.size(), 4, "Two pairs, both directions");
    }

    /// Checks that no device is left out, with fewer circuits than peers and unequal demands.
    void TestMostPorts()
    {
        TrafficMatrix demand(8);
        for (uint32_t source = 0; source < 8; ++source)
        {
            for (uint32_t destination = 0; destination < 8; ++destination)
            {
                if (source != destination)
                {
                    demand.Add(source, destination, 1000 / (destination + 1));
                }
            }
        }
        const auto allocator = CreateObject<SlowestPairAllocator>();
        allocator->SetGeometry(CircuitSwitchGeometry(8, 6));
        auto result = allocator->Allocate(demand);
        // The first seven serve each other: 7 x 6 / 2 pairs
        NS_TEST_EXPECT_MSG_EQ(result.plan.GetNLanes(), 42, "The last device has no circuit");
        NS_TEST_EXPECT_MSG_EQ(result.unserved.size(), 14, "Its pairs");
        allocator->SetAttribute("FirstCircuit", StringValue("Ports"));
        result = allocator->Allocate(demand);
        NS_TEST_EXPECT_MSG_EQ(result.plan.GetNLanes(), 48, "All ports");
        NS_TEST_EXPECT_MSG_EQ(result.unserved.size(), 8, "One peer of each device");
    }

    /**
     * Checks the rule by all numbers of circuits that devices have ports for.
     *
     * @param devices the number of devices
     * @param circuits the circuits of a device
     */
    void TestExhaustively(uint32_t devices, uint32_t circuits)
    {
        std::mt19937 random(devices * 10 + circuits);
        double worst = 1;
        for (uint32_t run = 0; run < 50; ++run)
        {
            TrafficMatrix demand(devices);
            PairBytes pairs;
            for (uint32_t source = 0; source < devices; ++source)
            {
                for (uint32_t destination = 0; destination < devices; ++destination)
                {
                    const uint64_t bytes = random() % (run % 2 == 0 ? 4 : 1000);
                    if (source != destination && bytes > 0)
                    {
                        demand.Add(source, destination, bytes);
                        pairs[std::minmax(source, destination)] += bytes;
                    }
                }
            }
            if (pairs.empty())
            {
                continue;
            }
            const BestCircuits best(devices, circuits, pairs);
            const CircuitSwitchGeometry geometry(devices, circuits);
            const auto result = ServeSlowest(geometry, demand);
            NS_TEST_EXPECT_MSG_EQ(geometry.FindConflict(result.plan), "", "Run " << run);
            NS_TEST_EXPECT_MSG_EQ_TOL(result.objective, best.share, 1e-9, "Run " << run);
            NS_TEST_EXPECT_MSG_EQ_TOL(result.bound, best.share, 1e-9, "Run " << run);
            const auto stop = ServeSlowest(geometry, demand, "Stop");
            NS_TEST_EXPECT_MSG_EQ_TOL(stop.objective, best.share, 1e-9, "Run " << run);
            uint64_t served = 0;
            for (const auto& [ports, bytes] : pairs)
            {
                const auto lanes = result.plan.GetLanes(ports.first, ports.second).size();
                served += lanes > 0 ? bytes : 0;
            }
            worst = std::min(worst, static_cast<double>(served) / best.bytes);
        }
        // Half is what the largest first always reaches
        const double least = circuits + 1 < devices ? 0.7 : 0.999;
        NS_TEST_EXPECT_MSG_GT(worst, least, "Bytes on circuits");
    }

    /// Checks switches with failures, and of the wrong kind.
    void TestFailures()
    {
        CircuitSwitchGeometry geometry(4, 3);
        geometry.SetFailed("input:0:1", true);
        geometry.SetFailed("switch:2", true);
        const TrafficMatrix demand = MakeUniform(4, 10);
        const auto result = ServeSlowest(geometry, demand);
        NS_TEST_EXPECT_MSG_EQ(geometry.FindConflict(result.plan), "", "Only intact components");
        NS_TEST_EXPECT_MSG_EQ(result.plan.GetLanes(0, 1).size(), 1, "The first pair");
        NS_TEST_EXPECT_MSG_EQ(result.plan.GetLanes(1, 2).size(), 0, "1 has one circuit");
        NS_TEST_EXPECT_MSG_EQ(result.plan.GetLanes(2, 3).size(), 1, "2 has two");
        geometry.SetDuplex(true);
        EXPECT_PART(GetError([&] { ServeSlowest(geometry, demand); }),
                    "cannot decide on duplex switches");
    }
};

/// Registers the test cases
static const SuiteCases g_slowestPairCases(
    "lightpath-control-switches",
    {{MakeCase("Slowest pair first: pairs", &SlowestPairTests::TestPairs)},
     MakeCases("Slowest pair first: equal demands",
               &SlowestPairTests::TestUniformDemand,
               {{4, 2}, {3, 3}, {7, 1}, {8, 2}}),
     {MakeCase("Slowest pair first: full devices", &SlowestPairTests::TestFull),
      MakeCase("Slowest pair first: too few circuits", &SlowestPairTests::TestEqualDemand),
      MakeCase("Slowest pair first: unequal demands", &SlowestPairTests::TestMostPorts)},
     MakeCases("Slowest pair first: all numbers of circuits",
               &SlowestPairTests::TestExhaustively,
               {{3, 1}, {3, 5}, {4, 2}, {4, 3}, {4, 6}, {5, 2}, {5, 4}}),
     {MakeCase("Slowest pair first: failures", &SlowestPairTests::TestFailures)}});
