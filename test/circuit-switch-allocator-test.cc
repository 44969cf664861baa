/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "control-test-cases.h"
#include "expect-error.h"
#include "method-case.h"
#include "model/control/switches/circuit-switch-max-min-allocator.h"

#include "ns3/boolean.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <sstream>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/**
 * @ingroup lightpath-tests
 * @param ports the number of ports
 * @param switches the number of switches
 * @param fill whether ports left over are used
 * @param demand the bytes to be carried
 * @return what the allocator grants
 */
CircuitAllocation
AllocateCircuits(uint32_t ports, uint32_t switches, bool fill, const TrafficMatrix& demand)
{
    Ptr<CircuitSwitchMaxMinAllocator> allocator = CreateObject<CircuitSwitchMaxMinAllocator>();
    allocator->SetAttribute("FillLeftover", BooleanValue(fill));
    allocator->SetGeometry(CircuitSwitchGeometry(ports, switches));
    return allocator->Allocate(demand);
}

/**
 * @ingroup lightpath-tests
 * @param plan a plan
 * @param ports the number of ports
 * @param switches the number of switches
 * @return the fault of the plan; empty if each switch joins inputs to outputs one to one
 */
std::string
FindCircuitError(const CircuitPlan& plan, uint32_t ports, uint32_t switches)
{
    std::ostringstream error;
    std::set<std::pair<uint32_t, uint32_t>> inputs;
    std::set<std::pair<uint32_t, uint32_t>> outputs;
    for (const auto& [pair, lanes] : plan.GetLightpaths())
    {
        for (const Lane& lane : lanes)
        {
            const bool fits = pair.first < ports && pair.second < ports &&
                              pair.first != pair.second && lane.fibre < switches &&
                              lane.wavelength == 0;
            if (!fits || !inputs.insert({lane.fibre, pair.first}).second ||
                !outputs.insert({lane.fibre, pair.second}).second)
            {
                error << pair.first << " to " << pair.second << " on " << lane.fibre << "; ";
            }
        }
    }
    return error.str();
}

/**
 * @ingroup lightpath-tests
 * @param plan a plan
 * @param demand the demand that it is for
 * @param switches the number of switches
 * @return true if a demanded pair could have one more circuit
 */
bool
HasRoom(const CircuitPlan& plan, const TrafficMatrix& demand, uint32_t switches)
{
    std::map<uint32_t, std::size_t> sent;
    std::map<uint32_t, std::size_t> received;
    for (const auto& [pair, lanes] : plan.GetLightpaths())
    {
        sent[pair.first] += lanes.size();
        received[pair.second] += lanes.size();
    }
    bool found = false;
    for (uint32_t source = 0; source < demand.GetSize(); ++source)
    {
        for (const auto& entry : demand.GetRow(source))
        {
            found = found || (sent[source] < switches && received[entry.first] < switches);
        }
    }
    return found;
}

/**
 * @ingroup lightpath-tests
 * @brief Tries all numbers of circuits for a demand.
 */
class CircuitSearch
{
  public:
    /**
     * @param demand the bytes to be carried
     * @param switches the number of switches
     */
    CircuitSearch(const TrafficMatrix& demand, uint32_t switches)
        : m_switches(switches),
          m_most(static_cast<double>(demand.GetMax())),
          m_sent(demand.GetSize(), 0),
          m_received(demand.GetSize(), 0)
    {
        for (uint32_t source = 0; source < demand.GetSize(); ++source)
        {
            for (const auto& [destination, bytes] : demand.GetRow(source))
            {
                m_pairs.push_back({{source, destination}, bytes});
            }
        }
    }

    /**
     * @param first the first pair that has no circuits yet
     * @param share the smallest share of the pairs before it
     * @return the largest smallest share that is possible, 0 if a pair must go without
     */
    double Run(std::size_t first, double share)
    {
        if (first == m_pairs.size())
        {
            return share;
        }
        const auto [pair, bytes] = m_pairs[first];
        double best = 0;
        for (uint32_t circuits = 1; circuits <= m_switches; ++circuits)
        {
            m_sent[pair.first] += circuits;
            m_received[pair.second] += circuits;
            if (m_sent[pair.first] <= m_switches && m_received[pair.second] <= m_switches)
            {
                const double own = circuits * m_most / static_cast<double>(bytes);
                best = std::max(best, Run(first + 1, std::min(share, own)));
            }
            m_sent[pair.first] -= circuits;
            m_received[pair.second] -= circuits;
        }
        return best;
    }

  private:
    uint32_t m_switches;                                //!< Number of switches
    double m_most;                                      //!< The largest demand
    std::vector<std::pair<PortPair, uint64_t>> m_pairs; //!< The demanded pairs
    std::vector<uint32_t> m_sent;                       //!< Circuits by source
    std::vector<uint32_t> m_received;                   //!< Circuits by destination
};

} // namespace

/**
 * @ingroup lightpath-tests
 * @brief The test cases of CircuitSwitchMaxMinAllocator.
 */
class CircuitSwitchAllocatorTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /// Checks demands whose largest share is known.
    void TestVector()
    {
        CircuitAllocation result = AllocateCircuits(4, 3, false, MakeAllToAll(4));
        NS_TEST_EXPECT_MSG_EQ(result.fairness, 1, "Three peers on three switches");
        NS_TEST_EXPECT_MSG_EQ(result.bound, 1, "This is exact");
        NS_TEST_EXPECT_MSG_EQ(FindCircuitError(result.plan, 4, 3), "", "Permutations");
        result = AllocateCircuits(4, 2, false, MakeAllToAll(4));
        NS_TEST_EXPECT_MSG_EQ(result.fairness, 0, "Three peers on two switches");
        NS_TEST_EXPECT_MSG_EQ(result.bound, 0, "No plan serves all");
        NS_TEST_EXPECT_MSG_GT(result.unserved.size(), 3, "At most 8 of 12 pairs have a circuit");
        NS_TEST_EXPECT_MSG_EQ(result.unserved.size() + result.plan.GetLightpaths().size(),
                              12,
                              "Every pair is either served or named");
        result = AllocateCircuits(4, 3, false, MakeShifts(4, {{1, 7}}));
        NS_TEST_EXPECT_MSG_EQ(result.fairness, 3, "One peer on three switches");
        NS_TEST_EXPECT_MSG_EQ(result.plan.GetNLanes(), 12, "All ports are used");
        // Four and one circuits of five; a sixth would only help if it were two
        result = AllocateCircuits(8, 5, false, MakeShifts(8, {{1, 400}, {2, 100}}));
        NS_TEST_EXPECT_MSG_EQ(result.fairness, 4, "4 / 1 and 1 / 0.25");
        NS_TEST_EXPECT_MSG_EQ(FindCircuitError(result.plan, 8, 5), "", "Permutations");
        result = AllocateCircuits(3, 2, true, TrafficMatrix(3));
        NS_TEST_EXPECT_MSG_EQ(result.fairness, 0, "Nothing is demanded");
        NS_TEST_EXPECT_MSG_EQ(result.plan.GetNLanes(), 0, "Nothing is granted");
    }

    /// Checks numbers of bytes that only exact arithmetic can tell apart.
    void TestPrecision()
    {
        // With one byte more than half, two circuits for the half would need two for the rest
        const uint64_t half = uint64_t{1} << 62;
        TrafficMatrix demand(3);
        demand.Add(0, 1, 2 * half);
        demand.Add(0, 2, half);
        CircuitAllocation result = AllocateCircuits(3, 3, false, demand);
        NS_TEST_EXPECT_MSG_EQ(result.plan.GetLanes(0, 1).size(), 2, "Twice the demand");
        NS_TEST_EXPECT_MSG_EQ(result.plan.GetLanes(0, 2).size(), 1, "Half the demand");
        demand.Add(0, 2, 1);
        result = AllocateCircuits(3, 3, false, demand);
        NS_TEST_EXPECT_MSG_EQ(result.plan.GetLanes(0, 2).size(), 1, "The smaller share counts");
        NS_TEST_EXPECT_MSG_EQ_TOL(result.fairness, 2, 1e-15, "One in 2^62 less than two");
    }

    /// Compares the share with that of an exhaustive search.
    void TestExhaustive()
    {
        std::mt19937 random(1);
        for (uint32_t run = 0; run < 400; ++run)
        {
            const uint32_t ports = 3 + run % 2;
            const uint32_t switches = 1 + random() % 3;
            const TrafficMatrix demand = MakeRandom(random, ports, 1 + random() % 7, 5);
            const CircuitAllocation result = AllocateCircuits(ports, switches, run % 3, demand);
            const double best = CircuitSearch(demand, switches).Run(0, 1e9);
            NS_TEST_EXPECT_MSG_EQ_TOL(result.fairness, best, 1e-9, "Run " << run);
            NS_TEST_EXPECT_MSG_EQ_TOL(result.bound, best, 1e-9, "Run " << run);
            NS_TEST_EXPECT_MSG_EQ(FindCircuitError(result.plan, ports, switches), "", run);
        }
    }

    /// Checks that sums of random permutations, which fill all ports, are taken apart.
    void TestDecomposition()
    {
        std::mt19937 random(2);
        for (const auto& [ports, switches] :
             std::vector<std::pair<uint32_t, uint32_t>>{{4, 3}, {9, 5}, {33, 20}, {128, 70}})
        {
            TrafficMatrix demand(ports);
            for (uint32_t index = 0; index < switches; ++index)
            {
                // Neighbours in a random order of the ports never are the same port
                std::vector<uint32_t> order(ports);
                std::iota(order.begin(), order.end(), 0);
                std::shuffle(order.begin(), order.end(), random);
                for (uint32_t i = 0; i < ports; ++i)
                {
                    demand.Add(order[i], order[(i + 1) % ports], 1000);
                }
            }
            const CircuitAllocation result = AllocateCircuits(ports, switches, false, demand);
            NS_TEST_EXPECT_MSG_EQ(result.fairness, demand.GetMax() / 1000, "Circuits as demanded");
            NS_TEST_EXPECT_MSG_EQ(result.plan.GetNLanes(), ports * switches, "All ports are used");
            NS_TEST_EXPECT_MSG_EQ(FindCircuitError(result.plan, ports, switches), "", ports);
        }
    }

    /// Checks the use of ports that the max-min leaves over.
    void TestFill()
    {
        // Port 0 is full with two circuits for each of its pairs; port 1 has room for another
        TrafficMatrix demand(4);
        demand.Add(0, 1, 90);
        demand.Add(0, 2, 80);
        demand.Add(3, 1, 10);
        CircuitAllocation result = AllocateCircuits(4, 4, false, demand);
        NS_TEST_EXPECT_MSG_EQ(result.plan.GetLanes(0, 1).size(), 2, "Share 2");
        NS_TEST_EXPECT_MSG_EQ(result.plan.GetLanes(0, 2).size(), 2, "At least share 2");
        NS_TEST_EXPECT_MSG_EQ(result.plan.GetLanes(3, 1).size(), 1, "At least share 2");
        result = AllocateCircuits(4, 4, true, demand);
        NS_TEST_EXPECT_MSG_EQ(result.plan.GetLanes(0, 1).size(), 2, "Port 0 is full");
        NS_TEST_EXPECT_MSG_EQ(result.plan.GetLanes(0, 2).size(), 2, "Port 0 is full");
        NS_TEST_EXPECT_MSG_EQ(result.plan.GetLanes(3, 1).size(), 2, "Port 1 was not");
        // Port 3 holds the share at 2; port 0 has two more circuits for its smallest share
        demand = TrafficMatrix(6);
        demand.Add(0, 1, 100);
        demand.Add(0, 2, 30);
        demand.Add(3, 4, 100);
        demand.Add(3, 5, 100);
        result = AllocateCircuits(6, 5, true, demand);
        NS_TEST_EXPECT_MSG_EQ(result.plan.GetLanes(0, 1).size(), 4, "Share 2, 3 and then 4");
        NS_TEST_EXPECT_MSG_EQ(result.plan.GetLanes(0, 2).size(), 1, "Share 3.3");
        NS_TEST_EXPECT_MSG_EQ(result.plan.GetLanes(3, 4).size(), 3, "The first of equals");
        std::mt19937 random(3);
        for (uint32_t run = 0; run < 100; ++run)
        {
            const uint32_t ports = 2 + random() % 20;
            const uint32_t switches = 1 + random() % 8;
            demand = MakeRandom(random, ports, 1 + random() % 60, 100);
            const CircuitAllocation bare = AllocateCircuits(ports, switches, false, demand);
            const CircuitAllocation full = AllocateCircuits(ports, switches, true, demand);
            NS_TEST_EXPECT_MSG_EQ(FindCircuitError(full.plan, ports, switches), "", run);
            NS_TEST_EXPECT_MSG_EQ(HasRoom(full.plan, demand, switches), false, "Run " << run);
            NS_TEST_EXPECT_MSG_EQ(full.fairness, bare.fairness, "Run " << run);
            NS_TEST_EXPECT_MSG_EQ((full.unserved == bare.unserved), true, "Run " << run);
            for (const auto& [pair, lanes] : bare.plan.GetLightpaths())
            {
                NS_TEST_EXPECT_MSG_GT(full.plan.GetLanes(pair.first, pair.second).size(),
                                      lanes.size() - 1,
                                      "Nobody loses a circuit");
            }
            const CircuitAllocation again = AllocateCircuits(ports, switches, true, demand);
            NS_TEST_EXPECT_MSG_EQ((again.plan == full.plan), true, "The same answer again");
        }
    }

    /// Checks which pairs are served if a port has more peers than there are switches.
    void TestDegree()
    {
        TrafficMatrix demand(5);
        demand.Add(0, 1, 10);
        demand.Add(0, 2, 30);
        demand.Add(3, 2, 20);
        demand.Add(3, 4, 5);
        CircuitAllocation result = AllocateCircuits(5, 1, true, demand);
        const std::vector<PortPair> unserved{{0, 1}, {3, 2}};
        NS_TEST_EXPECT_MSG_EQ((result.unserved == unserved), true, "Ports 0 and 2 are taken");
        NS_TEST_EXPECT_MSG_EQ(result.plan.GetLanes(0, 2).size(), 1, "The largest demand");
        NS_TEST_EXPECT_MSG_EQ(result.plan.GetLanes(3, 4).size(), 1, "What finds its ports free");
        NS_TEST_EXPECT_MSG_EQ(result.fairness, 0, "Pairs are unserved");
        NS_TEST_EXPECT_MSG_EQ(result.bound, 0, "No plan serves all");
        // Port 0 has five peers on four switches; the max-min goes on among the others
        demand = TrafficMatrix(7);
        for (uint32_t destination = 1; destination <= 5; ++destination)
        {
            demand.Add(0, destination, 100);
        }
        demand.Add(6, 5, 50);
        result = AllocateCircuits(7, 4, false, demand);
        const std::vector<PortPair> last{{0, 5}};
        NS_TEST_EXPECT_MSG_EQ((result.unserved == last), true, "The last of equals");
        NS_TEST_EXPECT_MSG_EQ(result.plan.GetLanes(6, 5).size(), 1, "At least share 1");
    }

    /// Checks the sentences with which wrong input is refused.
    void TestError()
    {
        Ptr<CircuitSwitchMaxMinAllocator> allocator = CreateObject<CircuitSwitchMaxMinAllocator>();
        std::string error = GetAbort([] { CircuitSwitchGeometry(1, 3); });
        NS_TEST_EXPECT_MSG_EQ(Contains(error, "not 1 and 3"), true, error);
        error = GetAbort([] { CircuitSwitchGeometry(4, 0); });
        NS_TEST_EXPECT_MSG_EQ(Contains(error, "2 devices and 1 switch"), true, error);
        allocator->SetGeometry(CircuitSwitchGeometry(8, 2));
        NS_TEST_EXPECT_MSG_EQ(allocator->GetNPorts(), 8, "As set");
        error = GetError([allocator] { allocator->Allocate(TrafficMatrix(4)); });
        NS_TEST_EXPECT_MSG_EQ(Contains(error, "demand of 4 ports"), true, error);
        NS_TEST_EXPECT_MSG_EQ(Contains(error, "fabric of 8 ports"), true, error);
    }
};

/// Registers the test cases
static const SuiteCases g_circuitSwitchAllocatorCases(
    "lightpath-control-switches",
    {{MakeCase("Circuit switches: known shares", &CircuitSwitchAllocatorTests::TestVector),
      MakeCase("Circuit switches: demands near the largest number",
               &CircuitSwitchAllocatorTests::TestPrecision),
      MakeCase("Circuit switches: the share is that of an exhaustive search",
               &CircuitSwitchAllocatorTests::TestExhaustive),
      MakeCase("Circuit switches: full ports are split into permutations",
               &CircuitSwitchAllocatorTests::TestDecomposition),
      MakeCase("Circuit switches: ports left over are used",
               &CircuitSwitchAllocatorTests::TestFill),
      MakeCase("Circuit switches: the largest demands are served first",
               &CircuitSwitchAllocatorTests::TestDegree),
      MakeCase("Circuit switches: wrong input is refused",
               &CircuitSwitchAllocatorTests::TestError)}});
