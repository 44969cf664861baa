/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "circuit-switch-oracle.h"
#include "control-test-cases.h"
#include "method-case.h"

#include "ns3/simulator.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <set>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/**
 * @ingroup lightpath-tests
 * @param random the source of random numbers
 * @param devices the number of devices
 * @return a demand of 14 pairs at most, some of which are equal
 */
TrafficMatrix
MakeSmallDemand(std::mt19937& random, uint32_t devices)
{
    const uint32_t most = random() % 3 == 0 ? 3 : 1000;
    const uint32_t drawn = random();
    return MakeRandom(random, devices, 1 + drawn % (random() % 2 ? 6 : 14), most);
}

/**
 * @ingroup lightpath-tests
 * @brief How near an allocator comes to the optimum.
 */
struct Score
{
    double sum{0};     //!< Objective over optimum, summed up
    uint32_t count{0}; //!< Number of optima above 0

    /**
     * @param objective the objective reached
     * @param best the optimum
     */
    void Add(double objective, double best)
    {
        if (best > 0)
        {
            sum += objective / best;
            ++count;
        }
    }

    /**
     * @return the mean of objective over optimum
     */
    double GetMean() const
    {
        return sum / count;
    }
};

/**
 * @ingroup lightpath-tests
 * @brief An allocator, and the test's computation of the objective that it maximises.
 */
struct Contender
{
    std::string type;      //!< Type of the allocator
    std::string attribute; //!< An attribute of it
    std::string value;     //!< The value of the attribute
    bool isAlwaysExact;    //!< Whether it is exact on all switches
    bool isExact;          //!< Whether it is exact if all switches have the same ports
    double least;          //!< The least mean of objective over optimum where it is not exact

    /// The worth of circuits for a search.
    std::function<SwitchSearch::Worth(const SwitchSearch&)> makeWorth;
};

/**
 * @ingroup lightpath-tests
 * @param search a search
 * @return the smallest share of circuits to relative demand
 */
SwitchSearch::Worth
MakeShare(const SwitchSearch& search)
{
    const std::vector<double> bytes = search.GetBytes();
    return [bytes](const std::vector<uint32_t>& circuits) {
        const double most = *std::max_element(bytes.begin(), bytes.end());
        double share = std::numeric_limits<double>::infinity();
        for (std::size_t i = 0; i < bytes.size(); ++i)
        {
            share = std::min(share, circuits[i] * most / bytes[i]);
        }
        return share;
    };
}

/**
 * @ingroup lightpath-tests
 * @param search a search
 * @return the sum of demands, halved by each circuit
 */
SwitchSearch::Worth
MakeHalving(const SwitchSearch& search)
{
    return search.MakeSum(
        [](double bytes, uint32_t circuit) { return bytes / static_cast<double>(1 << circuit); });
}

} // namespace

/**
 * @ingroup lightpath-tests
 * @brief The test cases of all allocators of circuit switches with random demands and failures.
 */
class CircuitSwitchRandomTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /// Compares all allocators with the best of all possible circuits.
    void TestSwitchRandom()
    {
        std::mt19937 random(5);
        std::vector<Contender> contenders;
        for (uint32_t run = 0; run < 210; ++run)
        {
            const uint32_t devices = 3 + random() % 4;
            const uint32_t switches = 1 + random() % 4;
            const bool isAlike = run % 3 == 0;
            const auto channel = MakeSwitches(devices, switches, false);
            if (!isAlike)
            {
                Damage(random, channel);
            }
            const TrafficMatrix demand = MakeSmallDemand(random, devices);
            const SwitchSearch search(channel->GetGeometry(), demand);
            contenders = GetContenders();
            for (const Contender& contender : contenders)
            {
                Judge(contender, demand, channel, search, isAlike);
            }
        }
        for (const Contender& contender : contenders)
        {
            const Score& score = m_scores[contender.type + contender.value];
            NS_TEST_EXPECT_MSG_GT(score.count, 50, "Enough to compare " << contender.type);
            NS_TEST_EXPECT_MSG_GT(score.GetMean(),
                                  contender.least,
                                  contender.type << " " << contender.value);
        }
        Simulator::Destroy();
    }

    /// Finds random circuits again, which fill switches with different ports.
    void TestPlantedCircuits()
    {
        std::mt19937 random(12);
        const auto allocator = MakeAllocator("CircuitSwitchMaxMinAllocator");
        double found = 0;
        const uint32_t runs = 150;
        for (uint32_t run = 0; run < runs; ++run)
        {
            const uint32_t devices = 5 + random() % 8;
            const auto channel = MakeSwitches(devices, 2 + random() % 5, false);
            Damage(random, channel);
            allocator->SetGeometry(channel->GetGeometry());
            const TrafficMatrix demand = Plant(random, channel->GetGeometry());
            // Each pair can have a circuit for each of its bytes
            const auto planted = static_cast<double>(demand.GetMax());
            const CircuitAllocation result = allocator->Allocate(demand);
            NS_TEST_EXPECT_MSG_EQ(channel->Check(result.plan), "", "Run " << run);
            NS_TEST_EXPECT_MSG_GT(result.bound, planted * (1 - 1e-12), "Run " << run);
            found += result.fairness >= planted * (1 - 1e-12) ? 1 : 0;
        }
        NS_TEST_EXPECT_MSG_GT(found / runs, 0.99, "Nearly all");
        Simulator::Destroy();
    }

  private:
    /**
     * @return the allocators
     */
    static std::vector<Contender> GetContenders();

    /**
     * Judge the grant of one allocator.
     *
     * @param contender the allocator
     * @param demand the bytes to be carried
     * @param channel the switches
     * @param search the possible circuits
     * @param isAlike whether all switches have the same ports
     */
    void Judge(const Contender& contender,
               const TrafficMatrix& demand,
               Ptr<CircuitSwitchChannel> channel,
               const SwitchSearch& search,
               bool isAlike);

    /**
     * @param random the source of random numbers
     * @param geometry the switches
     * @return a demand of one byte for each circuit of a plan that leaves no switch room for
     *         another
     */
    static TrafficMatrix Plant(std::mt19937& random, const CircuitSwitchGeometry& geometry)
    {
        TrafficMatrix demand(geometry.GetNDevices());
        for (uint32_t index = 0; index < geometry.GetNSwitches(); ++index)
        {
            std::vector<PortPair> pairs;
            for (uint32_t source = 0; source < geometry.GetNDevices(); ++source)
            {
                for (uint32_t destination = 0; destination < geometry.GetNDevices(); ++destination)
                {
                    if (geometry.CanJoin(source, destination, index))
                    {
                        pairs.emplace_back(source, destination);
                    }
                }
            }
            std::shuffle(pairs.begin(), pairs.end(), random);
            std::set<uint32_t> inputs;
            std::set<uint32_t> outputs;
            for (const auto& [source, destination] : pairs)
            {
                if (inputs.count(source) + outputs.count(destination) == 0)
                {
                    inputs.insert(source);
                    outputs.insert(destination);
                    demand.Add(source, destination, 1);
                }
            }
        }
        return demand;
    }

    std::map<std::string, Score> m_scores; //!< Scores by type and value of the attribute
};

std::vector<Contender>
CircuitSwitchRandomTests::GetContenders()
{
    const auto makeSum = [](const auto& gain) {
        return [gain](const SwitchSearch& search) { return search.MakeSum(gain); };
    };
    const auto repeated = [](double bytes, uint32_t) { return bytes; };
    const auto distinct = [](double bytes, uint32_t circuit) { return circuit == 0 ? bytes : 0; };
    const auto logarithm = [](double bytes, uint32_t circuit) {
        return bytes * (std::log(circuit + 2) - std::log(circuit + 1));
    };
    const std::string concave = "ConcaveUtilityAllocator";
    return {{"CircuitSwitchMaxMinAllocator", "FillLeftover", "true", false, true, 0.999, MakeShare},
            {"MaxDemandAllocator", "", "", true, true, 0.99, makeSum(repeated)},
            {"GreedyHalvingAllocator", "", "", false, false, 0.997, MakeHalving},
            {concave, "Utility", "Halving", false, true, 0.9999, MakeHalving},
            {concave, "Utility", "Logarithmic", false, true, 0.9999, makeSum(logarithm)},
            {concave, "Utility", "Distinct", false, true, 0.998, makeSum(distinct)}};
}

void
CircuitSwitchRandomTests::Judge(const Contender& contender,
                                const TrafficMatrix& demand,
                                Ptr<CircuitSwitchChannel> channel,
                                const SwitchSearch& search,
                                bool isAlike)
{
    const auto allocator = MakeAllocator(contender.type, contender.attribute, contender.value);
    allocator->SetGeometry(channel->GetGeometry());
    const CircuitAllocation result = allocator->Allocate(demand);
    const std::string name = contender.type + contender.value;
    const double best = search.Maximise(contender.makeWorth(search));
    const double slack = 1e-9 * best;
    NS_TEST_EXPECT_MSG_EQ(channel->Check(result.plan), "", name);
    NS_TEST_EXPECT_MSG_EQ(FindRoom(channel->GetGeometry(), demand, result.plan), "", name);
    NS_TEST_EXPECT_MSG_LT(result.objective, best + slack + 1e-12, name);
    NS_TEST_EXPECT_MSG_GT(result.bound, best - slack - 1e-12, name);
    if (contender.isAlwaysExact || (isAlike && contender.isExact))
    {
        NS_TEST_EXPECT_MSG_EQ_TOL(result.objective, best, slack, name);
        NS_TEST_EXPECT_MSG_EQ(result.bound, result.objective, name);
    }
    if (contender.isAlwaysExact || !isAlike || !contender.isExact)
    {
        m_scores[name].Add(result.objective, best);
    }
    std::size_t served = 0;
    for (const PortPair& pair : result.unserved)
    {
        NS_TEST_EXPECT_MSG_GT(demand.Get(pair.first, pair.second), 0, "A demanded pair");
        served += result.plan.GetLanes(pair.first, pair.second).size();
    }
    NS_TEST_EXPECT_MSG_EQ(served, 0, "Unserved pairs have no circuit");
    NS_TEST_EXPECT_MSG_EQ(result.unserved.size() + result.plan.GetLightpaths().size(),
                          search.GetBytes().size(),
                          "Every pair is either served or named");
    NS_TEST_EXPECT_MSG_EQ((allocator->Allocate(demand).plan == result.plan), true, "Once again");
}

/// Registers the test cases
static const SuiteCases g_circuitSwitchRandomCases(
    "lightpath-control-switches",
    {{MakeCase("Circuit switches: the best of all possible circuits",
               &CircuitSwitchRandomTests::TestSwitchRandom),
      MakeCase("Circuit switches: circuits that fill all ports are found again",
               &CircuitSwitchRandomTests::TestPlantedCircuits)}});
