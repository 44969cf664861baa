/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "expect-error.h"
#include "method-case.h"
#include "model/faults/fault-history.h"
#include "model/faults/scale-up-domain.h"

#include "ns3/test.h"

#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <sstream>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/**
 * @ingroup lightpath-tests
 * @brief Nodes that jobs can use while others are faulty, by closed forms and by trying all faults.
 */
class AvailabilityTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /**
     * Compares the jobs of a fabric with the largest sets of jobs, for all faults of a few nodes.
     *
     * @param name the name of the fabric, whose nodes have one GPU
     * @param nNodes the number of nodes
     * @param jobNodes the nodes of a job
     */
    void TestAllFaults(const std::string& name, uint32_t nNodes, uint32_t jobNodes)
    {
        const auto fabric = ScaleUpDomain::Create(name, 1);
        for (const double faulty : {0.0, 0.0231, 0.5, 1.0})
        {
            std::vector<double> probabilities(nNodes + 1);
            for (uint32_t mask = 0; mask < 1U << nNodes; ++mask)
            {
                std::vector<bool> isFaulty(nNodes);
                double probability = 1;
                for (uint32_t node = 0; node < nNodes; ++node)
                {
                    isFaulty[node] = (mask >> node & 1) == 1;
                    probability *= isFaulty[node] ? faulty : 1 - faulty;
                }
                const uint32_t jobs = Search(name, isFaulty, jobNodes);
                NS_TEST_ASSERT_MSG_EQ(fabric->CountJobs(isFaulty, jobNodes), jobs, mask);
                probabilities[jobs] += probability;
            }
            CheckDistribution(fabric->GetJobs(nNodes, jobNodes, faulty), probabilities);
        }
    }

    /**
     * Compares the waste of groups around switches with its closed form, the mean of the healthy
     * nodes that are left over.
     *
     * @param name the name of the fabric
     * @param group nodes of a group
     * @param jobNodes nodes of a job
     * @param faulty the share of nodes that are faulty
     * @param percent the waste, by the closed form evaluated elsewhere, per cent
     */
    void TestWaste(const std::string& name,
                   uint32_t group,
                   uint32_t jobNodes,
                   double faulty,
                   double percent)
    {
        const uint32_t nNodes = 20 * group;
        const auto jobs = ScaleUpDomain::Create(name, 8)->GetJobs(nNodes, jobNodes, faulty);
        const double waste = 1 - faulty - jobs.GetMean() * jobNodes / nNodes;
        NS_TEST_EXPECT_MSG_EQ_TOL(100 * waste, percent, 0.005, "Waste");
        double left = 0;
        double choose = 1;
        for (uint32_t k = 0; k <= group; ++k)
        {
            left += choose * std::pow(faulty, k) * std::pow(1 - faulty, group - k) *
                    ((group - k) % jobNodes);
            choose = choose * (group - k) / (k + 1);
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(waste, left / group, 1e-12, "Closed form");
    }

    /**
     * Compares the share of 64 cubes of 16 hosts that slices can use with binomial sums.
     *
     * @param cubes cubes of a slice
     * @param host the probability that a host works
     * @param switched the share with circuit switches
     * @param fixed the share if slices are blocks of neighbours
     */
    void TestGoodput(uint32_t cubes, double host, double switched, double fixed)
    {
        const uint32_t hosts = 64 * 16;
        const uint32_t job = cubes * 16;
        const auto get = [&](const std::string& name) {
            const auto jobs = ScaleUpDomain::Create(name, 4)->GetJobs(hosts, job, 1 - host);
            return jobs.GetMean() * job / hosts;
        };
        NS_TEST_EXPECT_MSG_EQ_TOL(get("cubes"), switched, 0.0005, "Circuit switches");
        NS_TEST_EXPECT_MSG_EQ_TOL(get("blocks"), fixed, 0.0005, "Neighbours");
    }

    /// The slices that TPU v4 offers: one of 2048 chips and one of 3072, with high probability.
    void TestGuarantee()
    {
        const auto cubes = ScaleUpDomain::Create("cubes", 4);
        for (const double host : {0.99, 0.995, 0.999})
        {
            const auto half = cubes->GetJobs(1024, 512, 1 - host);
            NS_TEST_EXPECT_MSG_EQ(half.GetGuaranteed(0.97), 1, "2048 chips, " << host);
            const auto most = cubes->GetJobs(1024, 768, 1 - host);
            NS_TEST_EXPECT_MSG_EQ(most.GetGuaranteed(0.97), 1, "3072 chips, " << host);
        }
        NS_TEST_EXPECT_MSG_EQ(cubes->GetJobs(1024, 1024, 0.001).GetGuaranteed(0.97), 0, "All");
    }

    /// The least number of cubes that keeps some is that of the binomial distribution.
    void TestSpares()
    {
        const auto cubes = ScaleUpDomain::Create("cubes", 4);
        for (const uint32_t wanted : {1U, 8U, 48U})
        {
            const double healthy = std::pow(0.995, 16);
            uint32_t most = wanted;
            const auto isEnough = [&] {
                double sum = 0;
                for (uint32_t k = wanted; k <= most; ++k)
                {
                    double term = std::pow(healthy, k) * std::pow(1 - healthy, most - k);
                    for (uint32_t i = 0; i < most - k; ++i)
                    {
                        term *= double(most - i) / (i + 1);
                    }
                    sum += term;
                }
                return sum >= 0.99;
            };
            while (!isEnough())
            {
                ++most;
            }
            NS_TEST_EXPECT_MSG_EQ(cubes->FindNodes(wanted, 16, 0.005, 0.99), 16 * most, wanted);
        }
        NS_TEST_EXPECT_MSG_EQ(ScaleUpDomain::Create("line:2", 8)->FindNodes(3, 4, 0, 1),
                              12,
                              "Line");
        EXPECT_PART(GetError([&] { cubes->FindNodes(2, 16, 1, 0.5); }), "nodes are too few");
    }

    /// A trace becomes the intervals that it describes, with faults that overlap.
    void TestTrace()
    {
        const auto history = Read(R"([
            {"node_id": "a", "event_time": 1, "event_type": "fault_start", "fault_type": {}},
            {"node_id": "b", "event_time": 2, "event_type": "fault_start"},
            {"node_id": "a", "event_time": 2, "event_type": "fault_start"},
            {"node_id": "a", "event_time": 3, "event_type": "fault_end"},
            {"node_id": "a", "event_time": 5.5, "event_type": "fault_end"},
            {"node_id": "b", "event_time": 8, "event_type": "fault_end"}])");
        std::string text;
        history.ForEachInterval({2, 0, 1}, [&text](const auto& isFaulty, double days) {
            for (const bool isDown : isFaulty)
            {
                text += isDown ? 'x' : '.';
            }
            std::ostringstream number;
            number << days;
            text += number.str() + " ";
        });
        NS_TEST_EXPECT_MSG_EQ(text, "...1 ..x1 x.x1 x.x2.5 x..2.5 ", "Intervals");
        NS_TEST_EXPECT_MSG_EQ_TOL(history.GetFaultyShare(), 10.5 / 24, 1e-12, "Faulty");
        NS_TEST_EXPECT_MSG_EQ(history.CountFaults(), 3, "Faults");
        NS_TEST_EXPECT_MSG_EQ(history.GetDays(), 8, "Days");
    }

    /// Texts that are no traces are refused by what is wrong, and where.
    void TestRefusedTraces()
    {
        const std::string begin = R"([{"node_id": "a", "event_time": 2, "event_type": )";
        const std::string start = begin + R"("fault_start"})";
        const std::map<std::string, std::string> cases{
            {"", "t.json is empty: it must be a document [{\"node_id\": \"a\""},
            {"{}", "t.json: a document must be a list, like [{"},
            {"3", "t.json: a document must be a list, like [{"},
            {"[]", "t.json covers no time"},
            {"[1]", "t.json: /0"},
            {"[[1]]", "t.json: /0"},
            {R"([{"event_time": 2}])", "node_id"},
            {begin + "\"fault\"}]", "t.json: /0/event_type"},
            {begin + "\"fault_end\"}]", "t.json: /0/event_type: must not be fault_end"},
            {start + R"(, {"node_id": "a", "event_time": 1, "event_type": "fault_end"}])",
             "t.json: /1/event_time: must not be before"},
            {start + R"(, {"node_id": "a", "event_time": -1, "event_type": "fault_end"}])",
             "t.json: /1/event_time"},
            {start + R"(, {"node_id": "b", "event_time": 3, "event_type": "fault_start"},
                         {"node_id": "c", "event_time": 3, "event_type": "fault_start"},
                         {"node_id": "d", "event_time": 3, "event_type": "fault_start"}])",
             "t.json: /3/node_id: is the id of one node too many: the fabric has 3 nodes"}};
        for (const auto& [text, sentence] : cases)
        {
            EXPECT_PART(GetError([&text = text] { Read(text); }), sentence);
        }
    }

    /// Faults that are drawn have the statistics that were asked for.
    void TestDraw()
    {
        FaultStatistics statistics;
        const uint32_t nNodes = 4000;
        const auto history = FaultHistory::Draw(nNodes, 1000, statistics, 1);
        const double cycle = 1000 / statistics.perThousandNodeDays + statistics.repairMeanDays;
        // Standard errors of 16,000 faults: 0.8 % of their number, and 5 % of times whose standard
        // deviation is 6.4 of their mean
        NS_TEST_EXPECT_MSG_EQ_TOL(history.CountFaults(), 4e6 / cycle, 3e2, "Faults");
        NS_TEST_EXPECT_MSG_EQ_TOL(history.GetFaultyShare(),
                                  statistics.repairMeanDays / cycle,
                                  0.0035,
                                  "Faulty");
        const auto early = FaultHistory::Draw(nNodes, 0.01, statistics, 1).GetFaultyShare();
        NS_TEST_EXPECT_MSG_EQ_TOL(early, statistics.repairMeanDays / cycle, 0.007, "At first");
        // Repairs that all take equally long
        statistics.repairMedianDays = statistics.repairMeanDays;
        const auto even = FaultHistory::Draw(nNodes, 1000, statistics, 2);
        NS_TEST_EXPECT_MSG_EQ_TOL(even.GetFaultyShare(),
                                  statistics.repairMeanDays / cycle,
                                  0.0006,
                                  "Even");
        statistics.repairMeanDays = 1;
        const std::string error = GetError([&] { FaultHistory::Draw(1, 1, statistics, 1); });
        EXPECT_PART(error, "must be at least its median, 5.535000 days");
        statistics.perThousandNodeDays = 0;
        EXPECT_PART(GetError([&] { FaultHistory::Draw(1, 1, statistics, 1); }), "above 0");
    }

    /// Places are permutations, differ between draws, and are the same for the same seed.
    void TestPlaces()
    {
        const auto history = FaultHistory::Draw(50, 1, {}, 1);
        const auto places = history.DrawPlaces(3, 0);
        NS_TEST_EXPECT_MSG_EQ((places == history.DrawPlaces(3, 0)), true, "Same");
        NS_TEST_EXPECT_MSG_EQ((places == history.DrawPlaces(3, 1)), false, "Other draw");
        NS_TEST_EXPECT_MSG_EQ((places == history.DrawPlaces(4, 0)), false, "Other seed");
        std::vector<bool> isTaken(50);
        for (const auto place : places)
        {
            isTaken.at(place) = true;
        }
        NS_TEST_EXPECT_MSG_EQ(std::count(isTaken.begin(), isTaken.end(), true), 50, "Permutation");
    }

    /// Unknown fabrics are refused.
    void TestNames()
    {
        for (const std::string name : {"",
                                       "ring",
                                       "line",
                                       "line:0",
                                       "line:-1",
                                       "line:17",
                                       "line:2x",
                                       "switch:8",
                                       "nvl72:2",
                                       "group",
                                       "cubes:",
                                       "group:5000000000"})
        {
            EXPECT_PART(GetError([&name] { ScaleUpDomain::Create(name, 1); }),
                        "There is no fabric '" + name + "': the known ones are switch");
        }
        EXPECT_PART(GetError([] { ScaleUpDomain::Create("nvl72", 16); }),
                    "'nvl72' has parts of 72 GPUs, which nodes of 16 GPUs do not make up");
    }

  private:
    /**
     * @param text a trace of three nodes
     * @return its faults
     */
    static FaultHistory Read(const std::string& text)
    {
        std::istringstream input(text);
        return FaultHistory::Read(input, "t.json", 3);
    }

    /**
     * Find the nodes that a job can have with others, by following links.
     *
     * @param name the name of a fabric
     * @param isFaulty which nodes are faulty
     * @param jobNodes nodes of a job
     * @return the most jobs
     */
    static uint32_t Search(const std::string& name,
                           const std::vector<bool>& isFaulty,
                           uint32_t jobNodes)
    {
        const auto nNodes = static_cast<uint32_t>(isFaulty.size());
        const std::string kind = name.substr(0, name.find(':'));
        const uint32_t number =
            kind.size() < name.size() ? std::stoul(name.substr(kind.size() + 1)) : jobNodes;
        if (kind == "cubes")
        {
            uint32_t cubes = 0;
            for (uint32_t cube = 0; (cube + 1) * number <= nNodes; ++cube)
            {
                uint32_t healthy = 0;
                for (uint32_t node = cube * number; node < (cube + 1) * number; ++node)
                {
                    healthy += isFaulty[node] ? 0 : 1;
                }
                cubes += healthy == number ? 1 : 0;
            }
            return jobNodes < number ? cubes * (number / jobNodes)
                                     : cubes / ((jobNodes + number - 1) / number);
        }
        std::vector<uint32_t> component(nNodes);
        std::iota(component.begin(), component.end(), 0);
        for (bool changes = true; changes;)
        {
            changes = false;
            for (uint32_t a = 0; a < nNodes; ++a)
            {
                for (uint32_t b = 0; b < a; ++b)
                {
                    const bool isNear =
                        kind == "switch" ||
                        (kind == "line" ? a - b <= number : a / number == b / number);
                    if (!isFaulty[a] && !isFaulty[b] && isNear && component[a] != component[b])
                    {
                        changes = true;
                        component[a] = component[b] = std::min(component[a], component[b]);
                    }
                }
            }
        }
        std::map<uint32_t, uint32_t> sizes;
        for (uint32_t node = 0; node < nNodes; ++node)
        {
            sizes[component[node]] += isFaulty[node] ? 0 : 1;
        }
        return std::accumulate(sizes.begin(), sizes.end(), 0U, [=](uint32_t sum, const auto& size) {
            return sum + size.second / jobNodes;
        });
    }

    /**
     * Compare a distribution with probabilities.
     *
     * @param jobs the distribution
     * @param probabilities the probabilities by number of jobs
     */
    void CheckDistribution(const JobDistribution& jobs, const std::vector<double>& probabilities)
    {
        double mean = 0;
        double atLeast = 1;
        for (uint32_t i = 0; i < probabilities.size(); ++i)
        {
            mean += i * probabilities[i];
            // Just below and above the probability of at least i jobs
            if (probabilities[i] > 1e-6)
            {
                NS_TEST_EXPECT_MSG_EQ(jobs.GetGuaranteed(atLeast * (1 - 1e-7)), i, "Guaranteed");
            }
            atLeast -= probabilities[i];
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(jobs.GetMean(), mean, 1e-9, "Mean");
    }
};

} // namespace

/// Registers the test cases
static const SuiteCases g_availabilityCases(
    "lightpath-availability",
    {MakeCases("All faults",
               &AvailabilityTests::TestAllFaults,
               {{"switch", 11, 3},
                {"blocks", 11, 3},
                {"group:5", 12, 2},
                {"group:5", 12, 4},
                {"cubes:2", 12, 4},
                {"cubes:4", 12, 2},
                {"cubes:4", 12, 5},
                {"line:1", 12, 3},
                {"line:2", 12, 4},
                {"line:3", 12, 2},
                {"line:16", 9, 1}}),
     MakeCases("Waste",
               &AvailabilityTests::TestWaste,
               {{"nvl72", 9, 4, 0.02315, 9.57},
                {"blocks", 4, 4, 0.02315, 6.63},
                {"nvl72", 9, 4, 0, 100.0 / 9}}),
     MakeCases("Goodput",
               &AvailabilityTests::TestGoodput,
               {{1, 0.99, 0.851, 0.851},   {4, 0.99, 0.828, 0.526},   {8, 0.99, 0.796, 0.276},
                {16, 0.99, 0.747, 0.076},  {32, 0.99, 0.500, 0.006},  {48, 0.99, 0.742, 0},
                {64, 0.99, 0, 0},          {1, 0.995, 0.923, 0.923},  {4, 0.995, 0.900, 0.726},
                {8, 0.995, 0.869, 0.526},  {16, 0.995, 0.751, 0.277}, {32, 0.995, 0.503, 0.077},
                {48, 0.995, 0.75, 0.016},  {64, 0.995, 0.006, 0.006}, {1, 0.999, 0.984, 0.984},
                {4, 0.999, 0.960, 0.938},  {8, 0.999, 0.920, 0.880},  {16, 0.999, 0.840, 0.774},
                {32, 0.999, 0.679, 0.599}, {48, 0.999, 0.750, 0.348}, {64, 0.999, 0.359, 0.359}}),
     {MakeCase("Guaranteed slices", &AvailabilityTests::TestGuarantee),
      MakeCase("Spares", &AvailabilityTests::TestSpares),
      MakeCase("Trace", &AvailabilityTests::TestTrace),
      MakeCase("Refused traces", &AvailabilityTests::TestRefusedTraces),
      MakeCase("Drawn faults", &AvailabilityTests::TestDraw),
      MakeCase("Places", &AvailabilityTests::TestPlaces),
      MakeCase("Names", &AvailabilityTests::TestNames)}});
