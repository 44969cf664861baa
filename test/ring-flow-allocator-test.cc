/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "control-test-cases.h"
#include "control-waves-tests.h"
#include "linear-program.h"
#include "method-case.h"
#include "model/control/ring/ring-min-cost-flow-allocator.h"

#include "ns3/enum.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <string>
#include <utility>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/// The class under test.
using Allocator = RingMinCostFlowAllocator;

/**
 * @param geometry the ring
 * @param demand the bytes to be carried
 * @param directions which directions lightpaths take
 * @return what RingMinCostFlowAllocator grants
 */
CircuitAllocation
AllocateFlow(const RingGeometry& geometry,
             const TrafficMatrix& demand,
             Allocator::Directions directions)
{
    const auto allocator = CreateObject<Allocator>();
    allocator->SetAttribute("Directions", EnumValue(directions));
    allocator->SetGeometry(geometry);
    return allocator->Allocate(demand);
}

/**
 * @brief The released program, with a circulation for each direction, for several rings at once.
 */
class FlowProgram
{
  public:
    /**
     * Add a ring to the program.
     *
     * @param geometry the ring
     * @param demand the bytes to be carried
     * @param directions which directions lightpaths take
     * @param lanes the lanes of a segment if they must be whole, 0 if shares of 1 are to be found
     */
    void Add(const RingGeometry& geometry,
             const TrafficMatrix& demand,
             Allocator::Directions directions,
             uint32_t lanes)
    {
        m_instances.emplace_back();
        AddDirection(geometry, demand, directions, lanes, RingDirection::CLOCKWISE);
        AddDirection(geometry, demand, directions, lanes, RingDirection::COUNTERCLOCKWISE);
    }

    /// Find the best for all rings.
    void Solve()
    {
        m_program.Maximise();
    }

    /**
     * @param instance the number of a ring, counted from 0
     * @return the sum of shares or lanes, each over the normalised demand
     */
    double GetObjective(std::size_t instance) const
    {
        double sum = 0;
        for (const auto& [variable, profit] : m_instances[instance])
        {
            sum += profit * m_program.GetValue(variable);
        }
        return sum;
    }

  private:
    /**
     * @param geometry the ring
     * @param source the node that sends
     * @param destination the node that receives
     * @param direction a direction
     * @return true if there is a lane between them in this direction
     */
    static bool HasLane(const RingGeometry& geometry,
                        uint32_t source,
                        uint32_t destination,
                        RingDirection direction)
    {
        bool found = false;
        for (uint32_t lane = 0; lane < geometry.GetCapacity(); ++lane)
        {
            const uint32_t fibre =
                geometry.GetFirstFibre(direction) + lane / geometry.GetNWavelengths();
            const Lane which{fibre, lane % geometry.GetNWavelengths()};
            found = found || geometry.HasEnds(source, destination, which);
        }
        return found && geometry.IsUsable(source, destination, direction);
    }

    /**
     * @param geometry the ring
     * @param source a node
     * @param destination another node
     * @param directions which directions lightpaths take
     * @return the direction of the pair's lightpath
     */
    static RingDirection Route(const RingGeometry& geometry,
                               uint32_t source,
                               uint32_t destination,
                               Allocator::Directions directions)
    {
        const auto one = RingDirection::CLOCKWISE;
        const auto two = RingDirection::COUNTERCLOCKWISE;
        if (directions == Allocator::CLOCKWISE)
        {
            return one;
        }
        const uint32_t clockwise = geometry.GetHops(source, destination, one);
        const uint32_t other = geometry.GetHops(source, destination, two);
        const bool isTurn = source % (geometry.GetNNodes() / 2) % 2 == 0;
        const auto wanted = clockwise < other || (clockwise == other && isTurn) ? one : two;
        return HasLane(geometry, source, destination, wanted) ? wanted : wanted == one ? two : one;
    }

    /**
     * @param geometry the ring
     * @param demand the bytes to be carried
     * @param directions which directions lightpaths take
     * @param lanes the lanes of a segment if they must be whole, 0 if shares of 1 are to be found
     * @param direction the direction to add
     */
    void AddDirection(const RingGeometry& geometry,
                      const TrafficMatrix& demand,
                      Allocator::Directions directions,
                      uint32_t lanes,
                      RingDirection direction)
    {
        const uint32_t nodes = geometry.GetNNodes();
        uint32_t working = 0;
        for (uint32_t fibre = 0; fibre < geometry.GetNFibres(); ++fibre)
        {
            working += !geometry.IsFibreFailed(geometry.GetFirstFibre(direction) + fibre);
        }
        const double room = lanes > 0 ? lanes : double(working) / geometry.GetNFibres();
        std::vector<std::map<uint32_t, double>> balances(nodes);
        std::vector<LinearProgram::Terms> loads(nodes);
        const auto add = [&](uint32_t source, uint32_t destination, double profit) {
            const uint32_t variable = m_program.AddVariable(profit, room, lanes > 0);
            balances[source][variable] += 1;
            balances[destination][variable] -= 1;
            for (uint32_t node = source; node != destination;)
            {
                const bool isClockwise = direction == RingDirection::CLOCKWISE;
                const uint32_t next = (node + (isClockwise ? 1 : nodes - 1)) % nodes;
                loads[isClockwise ? node : next].emplace_back(variable, 1);
                node = next;
            }
            m_instances.back().emplace_back(variable, profit);
        };
        for (uint32_t source = 0; source < nodes; ++source)
        {
            const uint32_t next =
                (source + (direction == RingDirection::CLOCKWISE ? 1 : nodes - 1)) % nodes;
            add(source, next, 0);
            for (const auto& [destination, bytes] : demand.GetRow(source))
            {
                if (Route(geometry, source, destination, directions) == direction &&
                    HasLane(geometry, source, destination, direction))
                {
                    add(source, destination, double(demand.GetMax()) / double(bytes));
                }
            }
        }
        for (uint32_t node = 0; node < nodes; ++node)
        {
            m_program.AddEqual({balances[node].begin(), balances[node].end()}, 0);
            m_program.AddAtMost(loads[node], room);
        }
    }

    LinearProgram m_program; //!< All rings
    /// The variables of each ring and what they profit
    std::vector<std::vector<std::pair<uint32_t, double>>> m_instances;
};

} // namespace

/**
 * @ingroup lightpath-tests
 * @brief The test cases of RingMinCostFlowAllocator.
 */
class RingFlowAllocatorTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /// Checks demands for which the optimum is known.
    void TestVector()
    {
        for (const auto mode : {RingGeometry::CONTINUITY, RingGeometry::LOAD_ONLY})
        {
            RingGeometry four(4, 2, 4);
            four.SetWavelengthMode(mode);
            CircuitAllocation result = AllocateFlow(four, MakeAllToAll(4), Allocator::CLOCKWISE);
            NS_TEST_EXPECT_MSG_EQ_TOL(result.objective, 4, 1e-9, "All to neighbours");
            NS_TEST_EXPECT_MSG_EQ_TOL(result.bound, 4, 1e-8, "All to neighbours");
            NS_TEST_EXPECT_MSG_EQ(result.unserved.size(), 8, "All others are starved");
            NS_TEST_EXPECT_MSG_EQ(result.fairness, 0, "All others are starved");
            for (uint32_t node = 0; node < 4; ++node)
            {
                const std::size_t lanes = result.plan.GetLanes(node, (node + 1) % 4).size();
                NS_TEST_EXPECT_MSG_EQ(lanes, 8, "All lanes to the neighbour");
            }
            result = AllocateFlow(four, MakeAllToAll(4), Allocator::BOTH);
            NS_TEST_EXPECT_MSG_EQ_TOL(result.objective, 8, 1e-9, "As much the other way");
            RingGeometry eight(8, 1, 12);
            eight.SetWavelengthMode(mode);
            const TrafficMatrix shifts = MakeShifts(8, {{1, 6}, {2, 3}, {3, 2}});
            result = AllocateFlow(eight, shifts, Allocator::CLOCKWISE);
            NS_TEST_EXPECT_MSG_EQ_TOL(result.objective, 8, 1e-9, "Each hop is worth the same");
            NS_TEST_EXPECT_MSG_EQ_TOL(result.bound, 8, 1e-8, "Each hop is worth the same");
            // Three arcs of two thirds of the ring share its lanes in halves
            RingGeometry three(3, 1, 3);
            three.SetWavelengthMode(mode);
            result = AllocateFlow(three, MakeShifts(3, {{2, 1}}), Allocator::CLOCKWISE);
            const double lanes = mode == RingGeometry::CONTINUITY ? 3 : 4;
            NS_TEST_EXPECT_MSG_EQ_TOL(result.bound, 1.5, 1e-8, "Halves");
            NS_TEST_EXPECT_MSG_EQ_TOL(result.objective, lanes / 3, 1e-9, "Whole lanes");
            result = AllocateFlow(three, TrafficMatrix(3), Allocator::BOTH);
            NS_TEST_EXPECT_MSG_EQ(result.objective, 0, "Nothing is demanded");
            NS_TEST_EXPECT_MSG_EQ(result.plan.GetNLanes(), 0, "Nothing is demanded");
        }
        // Each of three lanes needs a wavelength of its own, and the one worth least goes without
        TrafficMatrix triple(3);
        triple.Add(0, 2, 4);
        triple.Add(1, 0, 6);
        triple.Add(2, 1, 3);
        const CircuitAllocation two =
            AllocateFlow(RingGeometry(3, 1, 2), triple, Allocator::CLOCKWISE);
        const std::vector<PortPair> dropped{{1, 0}};
        NS_TEST_EXPECT_MSG_EQ((two.unserved == dropped), true, "The largest demand");
        NS_TEST_EXPECT_MSG_EQ_TOL(two.objective, 1.75, 1e-9, "(6 / 4 + 6 / 3) / 2");
        NS_TEST_EXPECT_MSG_EQ_TOL(two.bound, 2.25, 1e-8, "(6 / 4 + 6 / 6 + 6 / 3) / 2");
        // A byte beside 2^62 of them
        TrafficMatrix uneven(5);
        uneven.Add(0, 3, uint64_t{1} << 62);
        uneven.Add(2, 4, 1);
        const CircuitAllocation result =
            AllocateFlow(RingGeometry(5, 1, 3), uneven, Allocator::CLOCKWISE);
        NS_TEST_EXPECT_MSG_EQ(result.plan.GetLanes(2, 4).size(), 3, "The small demand");
        NS_TEST_EXPECT_MSG_EQ_TOL(result.objective / result.bound, 1, 1e-8, "The optimum");
    }

    /// Compares random rings, with failures, with the released program.
    void TestRandom()
    {
        std::mt19937 random(41);
        for (uint32_t batch = 0; batch < 6; ++batch)
        {
            FlowProgram program;
            std::vector<double> bounds;
            for (uint32_t run = 0; run < 40; ++run)
            {
                bounds.push_back(AddRing(random, program));
            }
            if (LinearProgram::HasSolver())
            {
                program.Solve();
                for (std::size_t run = 0; run < bounds.size(); ++run)
                {
                    const double optimum = program.GetObjective(run);
                    NS_TEST_EXPECT_MSG_EQ_TOL(bounds[run],
                                              optimum,
                                              1e-6 * optimum + 1e-9,
                                              "Batch " << batch << ", run " << run);
                }
            }
        }
    }

    /// Compares whole lanes with the best whole lanes.
    void TestRounding()
    {
        if (!LinearProgram::HasSolver())
        {
            return;
        }
        std::mt19937 random(42);
        double sum = 0;
        const uint32_t runs = 45;
        for (uint32_t run = 0; run < runs; ++run)
        {
            const uint32_t nodes = 4 + random() % 5;
            const uint32_t lanes = 1 + random() % 7;
            const bool isOpen = run % 3 == 0;
            RingGeometry geometry(nodes, 1, lanes);
            geometry.SetWavelengthMode(RingGeometry::LOAD_ONLY);
            TrafficMatrix demand(nodes);
            for (uint32_t entry = 0; entry < 2 * nodes; ++entry)
            {
                const uint32_t source = random() % (nodes - 1);
                const uint32_t destination = source + 1 + random() % (nodes - 1 - source);
                const uint32_t shift = isOpen ? 2 : random() % nodes;
                demand.Add((source + shift) % nodes,
                           (destination + shift) % nodes,
                           1 + random() % 20);
            }
            const CircuitAllocation result = AllocateFlow(geometry, demand, Allocator::CLOCKWISE);
            FlowProgram program;
            program.Add(geometry, demand, Allocator::CLOCKWISE, lanes);
            program.Solve();
            const double best = program.GetObjective(0) / lanes;
            const double tolerance = isOpen ? 1e-6 * best : 0.1 * best;
            NS_TEST_EXPECT_MSG_EQ_TOL(result.objective, best, tolerance, "Run " << run);
            NS_TEST_EXPECT_MSG_LT(result.objective, best * (1 + 1e-6), "Run " << run);
            sum += result.objective / best;
        }
        NS_TEST_EXPECT_MSG_GT(sum / runs, 0.995, "On average");
    }

  private:
    /**
     * Check the allocation of one ring, and add the ring to a program.
     *
     * @param random where random numbers come from
     * @param program the program
     * @return the bound of the allocation
     */
    double AddRing(std::mt19937& random, FlowProgram& program)
    {
        const uint32_t nodes = 3 + random() % 6;
        const auto mode = random() % 3 > 0 ? RingGeometry::CONTINUITY : RingGeometry::LOAD_ONLY;
        const uint32_t wavelengths = 1 + random() % 6;
        RingUnderTest ring(nodes, 1 + random() % 3, wavelengths, mode);
        ring.Break(random, random() % 4);
        const auto directions = random() % 2 == 0 ? Allocator::CLOCKWISE : Allocator::BOTH;
        const RingGeometry& geometry = ring.channel->GetGeometry();
        const TrafficMatrix demand = MakeRandom(random, nodes, 3 * nodes, 100);
        const CircuitAllocation result = AllocateFlow(geometry, demand, directions);
        NS_TEST_EXPECT_MSG_EQ(ring.channel->Check(result.plan), "", "Failures are avoided");
        double objective = 0;
        std::size_t demanded = 0;
        for (uint32_t source = 0; source < nodes; ++source)
        {
            for (const auto& [destination, bytes] : demand.GetRow(source))
            {
                const std::size_t lanes = result.plan.GetLanes(source, destination).size();
                objective += double(lanes) * double(demand.GetMax()) / double(bytes);
                ++demanded;
            }
        }
        objective /= geometry.GetCapacity();
        NS_TEST_EXPECT_MSG_EQ_TOL(result.objective, objective, 1e-9, "Lanes over demand");
        NS_TEST_EXPECT_MSG_EQ((result.objective <= result.bound), true, "Bound");
        NS_TEST_EXPECT_MSG_EQ(result.unserved.size() + result.plan.GetLightpaths().size(),
                              demanded,
                              "Only demanded pairs have lanes");
        for (const auto& lightpath : result.plan.GetLightpaths())
        {
            for (const Lane& lane : lightpath.second)
            {
                NS_TEST_EXPECT_MSG_EQ(
                    (directions == Allocator::BOTH || lane.fibre < geometry.GetNFibres()),
                    true,
                    "Clockwise");
            }
        }
        program.Add(geometry, demand, directions, 0);
        return result.bound;
    }
};

/// Registers the test cases
static const SuiteCases g_ringFlowAllocatorCases(
    "lightpath-control-waves",
    {{MakeCase("Minimum-cost flow: known optima are reached", &RingFlowAllocatorTests::TestVector),
      MakeCase("Minimum-cost flow: the bound is the optimum of the linear program",
               &RingFlowAllocatorTests::TestRandom),
      MakeCase("Minimum-cost flow: whole lanes come close to the best",
               &RingFlowAllocatorTests::TestRounding)}});
