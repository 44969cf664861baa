/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "circuit-switch-oracle.h"
#include "control-test-cases.h"
#include "expect-error.h"
#include "method-case.h"
#include "model/control/switches/duplex-circuit-allocator.h"

#include "ns3/simulator.h"

#include <set>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/**
 * @ingroup lightpath-tests
 * @param devices the number of devices
 * @param switches the number of switches
 * @return duplex switches
 */
CircuitSwitchGeometry
MakeDuplex(uint32_t devices, uint32_t switches)
{
    CircuitSwitchGeometry geometry(devices, switches);
    geometry.SetDuplex(true);
    return geometry;
}

/**
 * @ingroup lightpath-tests
 * @param geometry the switches
 * @param demand the bytes to be carried
 * @param method the value of the attribute Method
 * @return what DuplexCircuitAllocator grants
 */
CircuitAllocation
AllocateDuplex(const CircuitSwitchGeometry& geometry,
               const TrafficMatrix& demand,
               const std::string& method)
{
    const auto allocator = MakeAllocator("DuplexCircuitAllocator", "Method", method);
    allocator->SetGeometry(geometry);
    return allocator->Allocate(demand);
}

} // namespace

/**
 * @ingroup lightpath-tests
 * @brief The test cases of DuplexCircuitAllocator.
 */
class DuplexCircuitTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /// Checks duplex circuits that are known.
    void TestVector()
    {
        // A triangle: one switch joins two of three devices; as a fraction it could join 3/2 pairs
        TrafficMatrix demand(3);
        demand.Add(0, 1, 4);
        demand.Add(1, 0, 6);
        demand.Add(1, 2, 9);
        demand.Add(2, 0, 8);
        CircuitAllocation result = AllocateDuplex(MakeDuplex(3, 1), demand, "Greedy");
        NS_TEST_EXPECT_MSG_EQ(result.plan.GetNLanes(), 2, "There and back");
        NS_TEST_EXPECT_MSG_EQ(result.plan.GetLanes(0, 1).size(), 1, "4 + 6 bytes");
        NS_TEST_EXPECT_MSG_EQ(result.objective, 1, "10 of 10");
        NS_TEST_EXPECT_MSG_EQ(result.bound, 1, "One switch is exact");
        const std::vector<PortPair> unserved{{1, 2}, {2, 0}};
        NS_TEST_EXPECT_MSG_EQ((result.unserved == unserved), true, "By direction");
        // Two switches of three ports have room for 2 circuits, though each device has 2 ports
        result = AllocateDuplex(MakeDuplex(3, 2), demand, "Greedy");
        NS_TEST_EXPECT_MSG_EQ_TOL(result.objective, 1.9, 1e-12, "10 and 9 of 10");
        NS_TEST_EXPECT_MSG_EQ(result.bound, 2, "10 on each switch");
        result = AllocateDuplex(MakeDuplex(3, 3), demand, "Greedy");
        NS_TEST_EXPECT_MSG_EQ_TOL(result.objective, 2.7, 1e-12, "Each pair once");
        NS_TEST_EXPECT_MSG_EQ(result.unserved.empty(), true, "All are served");
        // On a path both ends are worth more than the middle, until they are halved
        demand = TrafficMatrix(4);
        demand.Add(0, 1, 10);
        demand.Add(2, 1, 12);
        demand.Add(2, 3, 10);
        result = AllocateDuplex(MakeDuplex(4, 2), demand, "Greedy");
        NS_TEST_EXPECT_MSG_EQ_TOL(result.objective, 32.0 / 12, 1e-12, "20, then 12");
        result = AllocateDuplex(MakeDuplex(5, 4), TrafficMatrix(5), "Iterated");
        NS_TEST_EXPECT_MSG_EQ(result.plan.GetNLanes(), 0, "Nothing is demanded");
        NS_TEST_EXPECT_MSG_EQ(result.objective, 0, "Nothing is gained");
        NS_TEST_EXPECT_MSG_EQ(result.bound, 0, "Nothing can be gained");
        NS_TEST_EXPECT_MSG_EQ(result.unserved.empty(), true, "Nobody is unserved");
    }

    /// Checks that failed ports of either direction carry no duplex circuit.
    void TestFailure()
    {
        TrafficMatrix demand(4);
        demand.Add(0, 1, 10);
        demand.Add(2, 3, 1);
        CircuitSwitchGeometry geometry = MakeDuplex(4, 3);
        geometry.SetFailed("output:0:0", true);
        geometry.SetFailed("switch:1", true);
        CircuitAllocation result = AllocateDuplex(geometry, demand, "Iterated");
        const std::vector<Lane> last{{2, 0}};
        NS_TEST_EXPECT_MSG_EQ((result.plan.GetLanes(0, 1) == last),
                              true,
                              "Nothing comes back on 0");
        NS_TEST_EXPECT_MSG_EQ((result.plan.GetLanes(1, 0) == last), true, "There and back");
        NS_TEST_EXPECT_MSG_EQ(result.plan.GetLanes(3, 2).size(), 2, "Switches 0 and 2");
        NS_TEST_EXPECT_MSG_EQ_TOL(result.objective, 1.15, 1e-12, "1 and 0.1 + 0.05");
        NS_TEST_EXPECT_MSG_EQ_TOL(result.bound, 1.15, 1e-12, "The ports of each device");
        geometry.SetFailed("port:2:1", true);
        result = AllocateDuplex(geometry, demand, "Iterated");
        const std::vector<PortPair> unserved{{0, 1}};
        NS_TEST_EXPECT_MSG_EQ((result.unserved == unserved), true, "No switch joins them");
    }

    /// Compares duplex circuits with the best of all possible ones.
    void TestRandom()
    {
        std::mt19937 random(6);
        double greedySum = 0;
        double iteratedSum = 0;
        uint32_t count = 0;
        for (uint32_t run = 0; run < 250; ++run)
        {
            const uint32_t devices = 3 + random() % 4;
            const uint32_t switches = 1 + random() % 4;
            const auto channel = MakeSwitches(devices, switches, true);
            if (run % 2 == 1)
            {
                Damage(random, channel);
            }
            const TrafficMatrix demand =
                MakeRandom(random, devices, 1 + random() % 12, run % 5 == 0 ? 2 : 1000);
            const SwitchSearch search(channel->GetGeometry(), demand);
            const double best = search.Maximise(search.MakeSum([](double bytes, uint32_t circuit) {
                return bytes / static_cast<double>(1 << circuit);
            }));
            const double greedy = Judge(channel, demand, "Greedy", best);
            const double iterated = Judge(channel, demand, "Iterated", best);
            NS_TEST_EXPECT_MSG_GT(iterated, greedy * (1 - 1e-12) - 1e-12, "Only what is better");
            if (switches == 1)
            {
                NS_TEST_EXPECT_MSG_EQ_TOL(greedy, best, 1e-9 * best, "Exact");
            }
            else if (best > 0)
            {
                greedySum += greedy / best;
                iteratedSum += iterated / best;
                ++count;
            }
        }
        NS_TEST_EXPECT_MSG_GT(greedySum / count, 0.99, "On average of " << count);
        NS_TEST_EXPECT_MSG_GT(iteratedSum / count, 0.99, "On average of " << count);
        Simulator::Destroy();
    }

    /// Checks that allocators refuse switches of the other kind.
    void TestError()
    {
        const auto allocate = [](const std::string& type, const CircuitSwitchGeometry& geometry) {
            const auto allocator = MakeAllocator(type);
            allocator->SetGeometry(geometry);
            return GetError([&] { allocator->Allocate(TrafficMatrix(4)); });
        };
        for (const std::string type : {"CircuitSwitchMaxMinAllocator",
                                       "MaxDemandAllocator",
                                       "GreedyHalvingAllocator",
                                       "ConcaveUtilityAllocator"})
        {
            const std::string error = allocate(type, MakeDuplex(4, 2));
            NS_TEST_EXPECT_MSG_EQ(Contains(error, type + " cannot decide on duplex switches"),
                                  true,
                                  error);
            NS_TEST_EXPECT_MSG_EQ(Contains(error, "use a ns3::lightpath::DuplexCircuitAllocator"),
                                  true,
                                  error);
            NS_TEST_EXPECT_MSG_EQ(allocate(type, CircuitSwitchGeometry(4, 2)), "", type);
        }
        const std::string error = allocate("DuplexCircuitAllocator", CircuitSwitchGeometry(4, 2));
        NS_TEST_EXPECT_MSG_EQ(Contains(error, "DuplexCircuitAllocator needs duplex switches"),
                              true,
                              error);
        NS_TEST_EXPECT_MSG_EQ(allocate("DuplexCircuitAllocator", MakeDuplex(4, 2)), "", "Its kind");
    }

  private:
    /**
     * @param channel the switches
     * @param demand the bytes to be carried
     * @param method the value of the attribute Method
     * @param best the largest objective of all circuits
     * @return the objective
     */
    double Judge(Ptr<CircuitSwitchChannel> channel,
                 const TrafficMatrix& demand,
                 const std::string& method,
                 double best)
    {
        const CircuitAllocation result = AllocateDuplex(channel->GetGeometry(), demand, method);
        NS_TEST_EXPECT_MSG_EQ(channel->Check(result.plan), "", method);
        NS_TEST_EXPECT_MSG_EQ(FindRoom(channel->GetGeometry(), demand, result.plan), "", method);
        NS_TEST_EXPECT_MSG_LT(result.objective, best * (1 + 1e-9) + 1e-12, method);
        NS_TEST_EXPECT_MSG_GT(result.bound, best * (1 - 1e-9) - 1e-12, method);
        const CircuitAllocation again = AllocateDuplex(channel->GetGeometry(), demand, method);
        NS_TEST_EXPECT_MSG_EQ((again.plan == result.plan), true, "The same answer again");
        return result.objective;
    }
};

/// Registers the test cases
static const SuiteCases g_duplexCircuitCases(
    "lightpath-control-switches",
    {{MakeCase("Duplex circuits: known demands", &DuplexCircuitTests::TestVector),
      MakeCase("Duplex circuits: failures are respected", &DuplexCircuitTests::TestFailure),
      MakeCase("Duplex circuits: the best of all possible circuits",
               &DuplexCircuitTests::TestRandom),
      MakeCase("Duplex circuits: switches of the other kind are refused",
               &DuplexCircuitTests::TestError)}});
