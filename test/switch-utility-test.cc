/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "circuit-switch-oracle.h"
#include "control-test-cases.h"
#include "linear-program.h"
#include "method-case.h"

#include "ns3/circuit-switch-allocator.h"
#include "ns3/string.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/**
 * @ingroup lightpath-tests
 * @param geometry the switches
 * @param demand the bytes to be carried
 * @param type the type of the allocator, without its namespace
 * @param attribute the name of an attribute; empty for none
 * @param value the value of the attribute
 * @return what the allocator grants
 */
CircuitAllocation
AllocateOn(const CircuitSwitchGeometry& geometry,
           const TrafficMatrix& demand,
           const std::string& type,
           const std::string& attribute = "",
           const std::string& value = "")
{
    const auto allocator = MakeAllocator(type, attribute, value);
    allocator->SetGeometry(geometry);
    return allocator->Allocate(demand);
}

/**
 * @ingroup lightpath-tests
 * @param devices the number of devices
 * @param pairs source, destination and bytes
 * @return the demand
 */
TrafficMatrix
MakeDemand(uint32_t devices, const std::vector<std::tuple<uint32_t, uint32_t, uint64_t>>& pairs)
{
    TrafficMatrix demand(devices);
    for (const auto& [source, destination, bytes] : pairs)
    {
        demand.Add(source, destination, bytes);
    }
    return demand;
}

/// The type and an attribute of each allocator.
const std::vector<std::vector<std::string>> KINDS{
    {"CircuitSwitchMaxMinAllocator", "", ""},
    {"MaxDemandAllocator", "", ""},
    {"GreedyHalvingAllocator", "", ""},
    {"ConcaveUtilityAllocator", "Utility", "Halving"},
    {"ConcaveUtilityAllocator", "Utility", "Logarithmic"},
    {"ConcaveUtilityAllocator", "Utility", "Distinct"}};

} // namespace

/**
 * @ingroup lightpath-tests
 * @brief The test cases of the allocators for circuits of one direction that add up utilities.
 */
class SwitchUtilityTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /// Checks MaxDemandAllocator by demands whose largest sum is known.
    void TestMaxDemand()
    {
        // Each switch takes the same shift, as far as each circuit counts
        const TrafficMatrix shifts = MakeShifts(6, {{1, 7}, {2, 3}});
        const std::string type = "MaxDemandAllocator";
        CircuitAllocation result = AllocateOn(CircuitSwitchGeometry(6, 3), shifts, type);
        NS_TEST_EXPECT_MSG_EQ(result.objective, 18, "6 circuits on each switch");
        NS_TEST_EXPECT_MSG_EQ(result.bound, 18, "Exact");
        NS_TEST_EXPECT_MSG_EQ(result.plan.GetLanes(5, 0).size(), 3, "On all switches");
        NS_TEST_EXPECT_MSG_EQ(result.unserved.size(), 6, "The other shift goes without");
        for (const std::string fill : {"true", "false"})
        {
            const auto allocator = MakeAllocator("ConcaveUtilityAllocator", "Utility", "Distinct");
            allocator->SetAttribute("FillLeftover", StringValue(fill));
            allocator->SetGeometry(CircuitSwitchGeometry(6, 3));
            result = allocator->Allocate(shifts);
            NS_TEST_EXPECT_MSG_EQ_TOL(result.objective, 60.0 / 7, 1e-12, "Each pair once");
            NS_TEST_EXPECT_MSG_EQ(result.bound, result.objective, "Exact");
            const std::size_t more = fill == "true" ? 2 : 1;
            NS_TEST_EXPECT_MSG_EQ(result.plan.GetLanes(2, 3).size(), more, "The smaller share");
            NS_TEST_EXPECT_MSG_EQ(result.plan.GetLanes(2, 4).size(), 1, "The larger share");
        }
        // The largest demand stands in the way of two others
        const TrafficMatrix demand = MakeDemand(4, {{0, 1, 10}, {0, 2, 9}, {3, 1, 9}});
        result = AllocateOn(CircuitSwitchGeometry(4, 1), demand, type);
        NS_TEST_EXPECT_MSG_EQ_TOL(result.objective, 1.8, 1e-12, "9 and 9");
        const std::vector<PortPair> unserved{{0, 1}};
        NS_TEST_EXPECT_MSG_EQ((result.unserved == unserved), true, "In the way");
        CircuitSwitchGeometry geometry(4, 2);
        geometry.SetFailed("input:0:3", true);
        result = AllocateOn(geometry, demand, type);
        NS_TEST_EXPECT_MSG_EQ_TOL(result.objective, 2.8, 1e-12, "10, then 9 and 9");
        NS_TEST_EXPECT_MSG_EQ(result.bound, result.objective, "Exact whatever has failed");
    }

    /// Checks GreedyHalvingAllocator by demands whose circuits are known, and by a plain loop.
    void TestGreedyHalving()
    {
        const std::string type = "GreedyHalvingAllocator";
        // 8, 4 and then 3 before 2
        TrafficMatrix demand = MakeDemand(3, {{0, 1, 8}, {0, 2, 3}});
        CircuitAllocation result = AllocateOn(CircuitSwitchGeometry(3, 3), demand, type);
        NS_TEST_EXPECT_MSG_EQ(result.plan.GetLanes(0, 1).size(), 2, "8 and 4");
        NS_TEST_EXPECT_MSG_EQ(result.objective, 15.0 / 8, "8, 4 and 3");
        NS_TEST_EXPECT_MSG_EQ(result.bound, 15.0 / 8, "No better sum");
        // Half of the first is the second: the first of equals
        demand = MakeDemand(3, {{0, 1, 8}, {0, 2, 4}});
        result = AllocateOn(CircuitSwitchGeometry(3, 2), demand, type);
        NS_TEST_EXPECT_MSG_EQ(result.plan.GetLanes(0, 1).size(), 2, "The first of equals");
        // One byte in 2^63 decides, and halves of odd numbers of bytes are not rounded
        demand = MakeDemand(3, {{0, 1, uint64_t{1} << 63}, {0, 2, (uint64_t{1} << 62) + 1}});
        result = AllocateOn(CircuitSwitchGeometry(3, 2), demand, type);
        NS_TEST_EXPECT_MSG_EQ(result.plan.GetLanes(0, 2).size(), 1, "One byte more");
        demand = MakeDemand(3, {{0, 1, 2}, {0, 2, 5}});
        result = AllocateOn(CircuitSwitchGeometry(3, 2), demand, type);
        NS_TEST_EXPECT_MSG_EQ(result.plan.GetLanes(0, 2).size(), 2, "5 / 2 is more than 2");
        // The largest first is not the best
        demand = MakeDemand(4, {{0, 1, 10}, {0, 2, 9}, {3, 1, 9}});
        result = AllocateOn(CircuitSwitchGeometry(4, 1), demand, type);
        NS_TEST_EXPECT_MSG_EQ(result.objective, 1, "10");
        NS_TEST_EXPECT_MSG_EQ_TOL(result.bound, 1.8, 1e-12, "9 and 9");
        NS_TEST_EXPECT_MSG_EQ_TOL(result.GetGap(), 1 - 1 / 1.8, 1e-12, "The difference");
        std::mt19937 random(8);
        for (uint32_t run = 0; run < 100; ++run)
        {
            const uint32_t devices = 2 + random() % 9;
            const uint32_t switches = 1 + random() % 6;
            demand = MakeRandom(random, devices, 1 + random() % 30, run % 2 ? 6 : 1000);
            result = AllocateOn(CircuitSwitchGeometry(devices, switches), demand, type);
            for (const auto& [pair, circuits] : Loop(demand, switches))
            {
                NS_TEST_EXPECT_MSG_EQ(result.plan.GetLanes(pair.first, pair.second).size(),
                                      circuits,
                                      "Run " << run);
            }
        }
    }

    /// Checks ConcaveUtilityAllocator by utilities computed by hand, and by GLPK.
    void TestConcaveUtility()
    {
        const std::string type = "ConcaveUtilityAllocator";
        const CircuitSwitchGeometry geometry(3, 3);
        const TrafficMatrix demand = MakeDemand(3, {{0, 1, 8}, {0, 2, 3}});
        CircuitAllocation result = AllocateOn(geometry, demand, type, "Utility", "Halving");
        NS_TEST_EXPECT_MSG_EQ(result.objective, 15.0 / 8, "8 + 4 and 3");
        NS_TEST_EXPECT_MSG_EQ(result.bound, result.objective, "Exact");
        // 8 ln(4 / 3) is more than 3 ln(2)
        result = AllocateOn(geometry, demand, type, "Utility", "Logarithmic");
        NS_TEST_EXPECT_MSG_EQ_TOL(result.objective, std::log(4.0), 1e-12, "Three circuits of 8");
        NS_TEST_EXPECT_MSG_EQ(result.bound, result.objective, "Exact");
        for (uint32_t run = 0; LinearProgram::HasSolver() && run < 6; ++run)
        {
            Compare(run);
        }
    }

    /// Checks the common properties of all allocators.
    void TestSwitchCommon()
    {
        for (const auto& kind : KINDS)
        {
            const auto allocate = [&kind](const CircuitSwitchGeometry& geometry,
                                          const TrafficMatrix& demand) {
                return AllocateOn(geometry, demand, kind[0], kind[1], kind[2]);
            };
            const std::string name = kind[0] + kind[2];
            CircuitAllocation result = allocate(CircuitSwitchGeometry(5, 3), TrafficMatrix(5));
            NS_TEST_EXPECT_MSG_EQ(result.plan.GetNLanes(), 0, name);
            NS_TEST_EXPECT_MSG_EQ(result.objective, 0, name);
            NS_TEST_EXPECT_MSG_EQ(result.bound, 0, name);
            NS_TEST_EXPECT_MSG_EQ(result.unserved.empty(), true, name);
            // Without a switch nothing is served; a switch less is still exact
            CircuitSwitchGeometry geometry(4, 2);
            geometry.SetFailed("switch:0", true);
            result = allocate(geometry, MakeShifts(4, {{1, 5}}));
            const std::vector<Lane> second{{1, 0}};
            NS_TEST_EXPECT_MSG_EQ((result.plan.GetLanes(3, 0) == second), true, name);
            NS_TEST_EXPECT_MSG_EQ(result.plan.GetNLanes(), 4, name);
            NS_TEST_EXPECT_MSG_EQ(result.bound, result.objective, name);
            geometry.SetFailed("switch:1", true);
            result = allocate(geometry, MakeShifts(4, {{1, 5}}));
            NS_TEST_EXPECT_MSG_EQ(result.plan.GetNLanes(), 0, name);
            NS_TEST_EXPECT_MSG_EQ(result.unserved.size(), 4, name);
            NS_TEST_EXPECT_MSG_EQ(result.bound, 0, name);
            if (kind[0] == "MaxDemandAllocator" || kind[2] == "Logarithmic")
            {
                continue;
            }
            // Demands of 1 between all devices are n - 1 shifts; others of degree Q take Q switches
            result = allocate(CircuitSwitchGeometry(9, 8), MakeAllToAll(9));
            NS_TEST_EXPECT_MSG_EQ(result.fairness, 1, name);
            NS_TEST_EXPECT_MSG_EQ(result.plan.GetNLanes(), 72, name);
            // Two halves may be as good as a whole
            std::mt19937 random(9);
            for (uint32_t run = 0; kind[2] != "Halving" && run < 20; ++run)
            {
                const uint32_t devices = 3 + random() % 20;
                const TrafficMatrix demand = MakeRandom(random, devices, 3 * devices, 1);
                TrafficMatrix unit(devices);
                for (uint32_t source = 0; source < devices; ++source)
                {
                    for (const auto& entry : demand.GetRow(source))
                    {
                        unit.Add(source, entry.first, 1);
                    }
                }
                result = allocate(CircuitSwitchGeometry(devices, unit.GetDegree()), unit);
                NS_TEST_EXPECT_MSG_EQ(result.unserved.empty(), true, name << " " << run);
            }
        }
    }

    /// Checks max-min shares on switches whose ports differ.
    void TestMaxMinPorts()
    {
        const std::string type = "CircuitSwitchMaxMinAllocator";
        // Switch 0 serves devices 0 to 2 only: 0 has two circuits for 3 on switches 1 and 2
        CircuitSwitchGeometry geometry(4, 3);
        geometry.SetNPorts(0, 3);
        TrafficMatrix demand = MakeDemand(4, {{0, 3, 20}, {0, 1, 10}});
        CircuitAllocation result = AllocateOn(geometry, demand, type);
        const std::vector<Lane> lanes{{1, 0}, {2, 0}};
        NS_TEST_EXPECT_MSG_EQ((result.plan.GetLanes(0, 3) == lanes), true, "Not on switch 0");
        NS_TEST_EXPECT_MSG_EQ(result.fairness, 2, "2 of 1 and 1 of 0.5");
        NS_TEST_EXPECT_MSG_EQ(result.bound, 2, "The ports of device 0");
        // No switch joins 0 to 3
        geometry.SetFailed("input:1:0", true);
        geometry.SetFailed("output:2:3", true);
        result = AllocateOn(geometry, demand, type);
        const std::vector<PortPair> unserved{{0, 3}};
        NS_TEST_EXPECT_MSG_EQ((result.unserved == unserved), true, "Named");
        NS_TEST_EXPECT_MSG_EQ(result.plan.GetLanes(0, 1).size(), 2, "Switches 0 and 2");
        NS_TEST_EXPECT_MSG_EQ(result.bound, 0, "No plan serves all");
        // Ports alone allow one circuit each, but both pairs find only switch 0 and its input 0
        geometry = CircuitSwitchGeometry(4, 2);
        geometry.SetFailed("output:1:1", true);
        geometry.SetFailed("output:1:2", true);
        demand = MakeDemand(4, {{0, 1, 20}, {0, 2, 10}});
        result = AllocateOn(geometry, demand, type);
        NS_TEST_EXPECT_MSG_EQ(result.plan.GetLanes(0, 1).size(), 1, "The larger demand");
        NS_TEST_EXPECT_MSG_EQ(result.unserved.size(), 1, "The other one");
        NS_TEST_EXPECT_MSG_EQ(result.fairness, 0, "A pair is unserved");
        NS_TEST_EXPECT_MSG_EQ(result.bound, 1, "One circuit each, by numbers");
    }

  private:
    /**
     * @param demand the bytes to be carried, less than 2^40
     * @param switches the number of switches
     * @return the circuits of each pair, by looking for the largest demand again and again
     */
    static std::map<PortPair, uint32_t> Loop(const TrafficMatrix& demand, uint32_t switches)
    {
        std::map<PortPair, double> keys;
        std::map<PortPair, uint32_t> circuits;
        for (uint32_t source = 0; source < demand.GetSize(); ++source)
        {
            for (const auto& [destination, bytes] : demand.GetRow(source))
            {
                keys[{source, destination}] = bytes;
                circuits[{source, destination}] = 0;
            }
        }
        std::vector<uint32_t> sent(demand.GetSize(), 0);
        std::vector<uint32_t> received(demand.GetSize(), 0);
        while (!keys.empty())
        {
            const auto largest =
                std::max_element(keys.begin(), keys.end(), [](const auto& a, const auto& b) {
                    return a.second < b.second;
                });
            const auto [source, destination] = largest->first;
            if (sent[source] == switches || received[destination] == switches)
            {
                keys.erase(largest);
                continue;
            }
            ++sent[source];
            ++received[destination];
            ++circuits[largest->first];
            largest->second /= 2;
        }
        return circuits;
    }

    /**
     * Compare a full demand of 8 devices with a linear program.
     *
     * @param run the number of the demand
     */
    void Compare(uint32_t run)
    {
        std::mt19937 random(run);
        const TrafficMatrix demand = MakeRandom(random, 8, 200, 1000);
        const uint32_t switches = 2 + run;
        LinearProgram program;
        std::vector<LinearProgram::Terms> sent(8);
        std::vector<LinearProgram::Terms> received(8);
        for (uint32_t source = 0; source < 8; ++source)
        {
            for (const auto& [destination, bytes] : demand.GetRow(source))
            {
                for (uint32_t circuit = 0; circuit < switches; ++circuit)
                {
                    const double ratio = static_cast<double>(bytes) / demand.GetMax();
                    const double gain = run % 2
                                            ? ratio * std::log((circuit + 2.0) / (circuit + 1.0))
                                            : ratio / (1 << circuit);
                    const uint32_t unit = program.AddVariable(gain, 1, false);
                    sent[source].emplace_back(unit, 1);
                    received[destination].emplace_back(unit, 1);
                }
            }
        }
        for (uint32_t device = 0; device < 8; ++device)
        {
            program.AddAtMost(sent[device], switches);
            program.AddAtMost(received[device], switches);
        }
        const CircuitAllocation result = AllocateOn(CircuitSwitchGeometry(8, switches),
                                                    demand,
                                                    "ConcaveUtilityAllocator",
                                                    "Utility",
                                                    run % 2 ? "Logarithmic" : "Halving");
        NS_TEST_EXPECT_MSG_EQ_TOL(result.objective, program.Maximise(), 1e-9, "Run " << run);
        NS_TEST_EXPECT_MSG_EQ(result.bound, result.objective, "Run " << run);
    }
};

/// Registers the test cases
static const SuiteCases g_switchUtilityCases(
    "lightpath-control-switches",
    {{MakeCase("Circuit switches: the largest demand", &SwitchUtilityTests::TestMaxDemand),
      MakeCase("Circuit switches: descending demand, halved by each circuit",
               &SwitchUtilityTests::TestGreedyHalving),
      MakeCase("Circuit switches: the largest sum of concave utilities",
               &SwitchUtilityTests::TestConcaveUtility),
      MakeCase("Circuit switches: nothing demanded, failures, and as many peers as switches",
               &SwitchUtilityTests::TestSwitchCommon),
      MakeCase("Circuit switches: shares where ports are missing",
               &SwitchUtilityTests::TestMaxMinPorts)}});
