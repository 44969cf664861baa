/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "expect-error.h"
#include "expert-tests.h"
#include "method-case.h"
#include "model/planner/split-advice.h"
#include "planner-tests.h"
#include "stage-tests.h"

#include "ns3/circuit-allocator.h"
#include "ns3/fixed-planner.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <map>
#include <set>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/// A transformer of 8 layers of which the first and the last are embedding and head.
const std::string SMALL =
    "gpt2-xl:layers=6,hidden=96,heads=6,feedForward=384,vocabulary=768,sequence=64";

/// Values of attributes of a FixedPlanner, by name.
using Settings = std::map<std::string, std::string>;

/**
 * @ingroup lightpath-tests
 * @param text some text
 * @param mark what parts it
 * @return the parts
 */
std::vector<std::string>
Split(const std::string& text, const std::string& mark)
{
    std::vector<std::string> parts;
    std::size_t begin = 0;
    for (auto end = text.find(mark); end != std::string::npos; end = text.find(mark, begin))
    {
        parts.push_back(text.substr(begin, end - begin));
        begin = end + mark.size();
    }
    parts.push_back(text.substr(begin));
    return parts;
}

/**
 * @param remedy a setting, as in "ZeroStage=1"
 * @param [in,out] settings values of attributes, which get it
 */
void
Follow(const std::string& remedy, Settings& settings)
{
    const auto parts = Split(remedy, "=");
    settings[parts.at(0)] = parts.at(1);
}

/**
 * @param problem a problem
 * @param settings values of attributes of a FixedPlanner
 * @return its plan
 */
TrainingPlan
Plan(const PlanningProblem& problem, const Settings& settings)
{
    const auto planner = CreateObject<FixedPlanner>();
    for (const auto& [name, value] : settings)
    {
        planner->SetAttribute(name, StringValue(value));
    }
    return planner->TryPlan(problem);
}

/**
 * @param problem a problem
 * @param settings values of attributes of a FixedPlanner
 * @return why it has no plan; empty if it has one
 */
std::string
Refuse(const PlanningProblem& problem, const Settings& settings)
{
    return GetError([&]() { Plan(problem, settings); });
}

/**
 * @ingroup lightpath-tests
 * @brief Gives each GPU one lane, to the peer with the lowest index.
 */
class OneLaneAllocator : public CircuitAllocator
{
  public:
    /**
     * @param ports the number of GPUs
     */
    explicit OneLaneAllocator(uint32_t ports)
        : m_ports(ports)
    {
    }

    uint32_t GetNPorts() const override
    {
        return m_ports;
    }

  private:
    CircuitAllocation DoAllocate(const TrafficMatrix& demand) const override
    {
        CircuitPlan plan;
        for (uint32_t source = 0; source < m_ports; ++source)
        {
            if (!demand.GetRow(source).empty())
            {
                plan.AddLane(source, demand.GetRow(source).begin()->first, {source, 0});
            }
        }
        return Assess(plan, demand, 1);
    }

    uint32_t m_ports; //!< Number of GPUs
};

} // namespace

/**
 * @ingroup lightpath-tests
 * @brief The test cases of what refusals of plans advise.
 */
class PlanAdviceTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /// A plan that does not fit into memory is refused with a setting that makes it smaller.
    void TestMemoryRefusal()
    {
        const std::vector<Settings> bases{
            {{"Microbatch", "2"}},
            {{"TensorParallel", "2"}, {"Microbatch", "4"}},
            {{"PipelineParallel", "2"}, {"Microbatch", "2"}},
            {{"TensorParallel", "3"}, {"PipelineParallel", "2"}, {"Microbatch", "1"}},
            {{"PipelineParallel", "2"}, {"VirtualStages", "2"}, {"Microbatch", "1"}}};
        for (const auto& base : bases)
        {
            Settings settings = base;
            settings["BucketBytes"] = "1000";
            Try(MakeStageProblem(SMALL, 12, 48), settings);
        }
        Try(MakeExpertProblem(8, 32), {{"Microbatch", "2"}, {"BucketBytes", "1000"}});
        const std::set<std::string> all{"Microbatch",
                                        "Recomputation",
                                        "TensorParallel",
                                        "ZeroStage"};
        NS_TEST_EXPECT_MSG_EQ((m_names == all), true, "All kinds of remedies");
    }

    /// A plan with too many peers is refused with the peers of each kind of group.
    void TestDegreeRefusal()
    {
        PlanningProblem problem = MakeStageProblem(SMALL, 12, 48);
        Expect(problem,
               3,
               {{"TensorParallel", "2"}, {"DataAlgorithm", "Direct"}},
               "6 peers (1 within a replica, 5 over replicas)",
               "use DataAlgorithm=Ring");
        Expect(problem,
               2,
               {{"TensorParallel", "3"}, {"TensorAlgorithm", "Direct"}},
               "3 peers (2 within a replica, 1 over replicas)",
               "use TensorAlgorithm=Ring");
        Expect(problem,
               1,
               {{"TensorParallel", "2"}, {"PipelineParallel", "2"}, {"Microbatch", "2"}},
               "3 peers (1 within a replica, 1 over replicas, 1 between stages, 1 first and last "
               "stage)",
               "combine fewer kinds of parallelism");
        Expect(problem,
               1,
               {{"PipelineParallel", "3"}, {"Microbatch", "2"}},
               "2 between stages",
               "use PipelineParallel=2 at most");
        Expect(MakeExpertProblem(8, 16),
               3,
               {{"ExpertParallel", "8"}},
               "7 between experts",
               "use a smaller ExpertParallel");

        // One lane for each GPU, though its degree is not known
        problem.fabric.allocators.push_back(CreateObject<OneLaneAllocator>(12));
        const std::string error = Refuse(problem, {{"TensorParallel", "2"}});
        NS_TEST_EXPECT_MSG_EQ(error.rfind("Degree: ", 0), 0, error);
        NS_TEST_EXPECT_MSG_EQ(Contains(error, "12 pairs would get none"), true, error);
        NS_TEST_EXPECT_MSG_EQ(Refuse(problem, {}), "", "One ring");
        problem.fabric.degree = 1;
        problem.fabric.ServeInTurn();
        NS_TEST_EXPECT_MSG_EQ(Refuse(problem, {{"TensorParallel", "2"}}), "", "Pairs in turn");
    }

    /// Compares the nearest numbers that divide evenly with those found by looking at all.
    void TestSplitAdvice()
    {
        for (uint64_t number = 1; number <= 60; ++number)
        {
            for (uint64_t wanted = 0; wanted <= 70; ++wanted)
            {
                const auto find = [&](const auto& fits) {
                    uint64_t best = 0;
                    const auto miss = [&](uint64_t some) {
                        return some > wanted ? some - wanted : wanted - some;
                    };
                    for (uint64_t some = 1; some <= 200; ++some)
                    {
                        if (fits(some) && (best == 0 || miss(some) < miss(best)))
                        {
                            best = some;
                        }
                    }
                    return best;
                };
                const auto isOdd = [](uint64_t some) { return some % 2 == 1 && some > 1; };
                NS_TEST_EXPECT_MSG_EQ(SplitAdvice::GetDivisor(number, wanted),
                                      find([&](uint64_t some) { return number % some == 0; }),
                                      number << " " << wanted);
                NS_TEST_EXPECT_MSG_EQ(
                    SplitAdvice::GetDivisor(number, wanted, isOdd),
                    find([&](uint64_t some) { return number % some == 0 && isOdd(some); }),
                    number << " " << wanted);
                NS_TEST_EXPECT_MSG_EQ(SplitAdvice::GetMultiple(number, wanted),
                                      find([&](uint64_t some) { return some % number == 0; }),
                                      number << " " << wanted);
            }
        }
        for (uint32_t gpus = 1; gpus <= 30; ++gpus)
        {
            for (uint32_t parts = 1; parts <= 12; ++parts)
            {
                TryGpus(gpus, parts);
            }
        }
    }

  private:
    /**
     * Follow one remedy after the other until the plan fits or no setting can be followed.
     *
     * @param problem a problem
     * @param settings settings for which there is a plan if there is enough memory
     */
    void Try(PlanningProblem problem, Settings settings)
    {
        NS_TEST_EXPECT_MSG_EQ(Refuse(problem, settings), "", "There is enough memory");
        const uint64_t enough = problem.accelerator.memoryBytes;
        for (uint32_t step = 0; step < 6; ++step)
        {
            problem.accelerator.memoryBytes = enough;
            const uint64_t needed = Plan(problem, settings).memoryBytes;
            problem.accelerator.memoryBytes = needed;
            NS_TEST_EXPECT_MSG_EQ(Refuse(problem, settings), "", "It just fits");
            problem.accelerator.memoryBytes = needed - 1;
            const std::string error = Refuse(problem, settings);
            NS_TEST_ASSERT_MSG_EQ(error.rfind("Memory: the plan needs ", 0), 0, error);
            const std::string remedy = Split(error, "too little: use ").back();
            if (remedy == "a larger TensorParallel or PipelineParallel")
            {
                m_names.insert("TensorParallel");
                return;
            }
            if (remedy == "a smaller Microbatch")
            {
                settings["Microbatch"] = "1";
                m_names.insert("Microbatch");
            }
            else
            {
                Follow(remedy, settings);
                m_names.insert(Split(remedy, "=")[0]);
            }
            NS_TEST_EXPECT_MSG_EQ(Refuse(problem, settings), "", remedy);
        }
    }

    /**
     * @param problem a problem
     * @param degree the peers that the fabric gives a GPU circuits to
     * @param settings settings for which there is a plan if there are enough circuits
     * @param peers the sentence on the peers
     * @param remedy the remedy, which is followed if it names a value
     */
    void Expect(PlanningProblem problem,
                uint32_t degree,
                Settings settings,
                const std::string& peers,
                const std::string& remedy)
    {
        NS_TEST_EXPECT_MSG_EQ(Refuse(problem, settings), "", "There are enough circuits");
        problem.fabric.degree = degree;
        const std::string error = Refuse(problem, settings);
        NS_TEST_EXPECT_MSG_EQ(error.rfind("Degree: the plan lets a GPU have ", 0), 0, error);
        NS_TEST_EXPECT_MSG_EQ(Contains(error, peers), true, error);
        NS_TEST_EXPECT_MSG_EQ(Split(error, " at most: ").back(), remedy, error);
        if (Contains(remedy, "=Ring"))
        {
            Follow(Split(remedy, "use ").back(), settings);
            NS_TEST_EXPECT_MSG_EQ(Refuse(problem, settings), "", remedy);
        }
    }

    /**
     * Follow the advice on replicas that do not make all GPUs.
     *
     * @param gpus the number of GPUs
     * @param parts the GPUs of a replica
     */
    void TryGpus(uint32_t gpus, uint32_t parts)
    {
        PlanningProblem problem;
        problem.gpus = gpus;
        const std::string advice = SplitAdvice::GetGpus(problem, parts);
        const auto ways = Split(advice, ", or TensorParallel times PipelineParallel = ");
        if (ways.size() == 1)
        {
            const uint64_t replicas = std::stoul(Split(advice, "=")[1]);
            NS_TEST_EXPECT_MSG_EQ(replicas * parts, gpus, advice);
            return;
        }
        NS_TEST_EXPECT_MSG_EQ(std::stoul(ways[0]) % parts, 0, advice);
        NS_TEST_EXPECT_MSG_GT(std::stoul(ways[0]), 0, advice);
        NS_TEST_EXPECT_MSG_EQ(gpus % std::stoul(ways[1]), 0, advice);
    }

    std::set<std::string> m_names; //!< Settings that were named
};

/// Registers the test cases
static const SuiteCases g_planAdviceCases(
    "lightpath-planner-stages",
    {{MakeCase("A refusal on memory names a setting that helps",
               &PlanAdviceTests::TestMemoryRefusal),
      MakeCase("A refusal on peers names their number and a setting that helps",
               &PlanAdviceTests::TestDegreeRefusal),
      MakeCase("The nearest numbers that divide evenly are those found by looking at all",
               &PlanAdviceTests::TestSplitAdvice)}});
