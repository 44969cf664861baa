/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "expect-error.h"
#include "expert-tests.h"
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
 * @ingroup lightpath-tests
 * @param advice changes with commas and "and" between them
 * @param [in,out] settings what is changed
 */
void
Follow(const std::string& advice, Settings& settings)
{
    for (const auto& list : Split(advice, " and "))
    {
        for (const auto& change : Split(list, ", "))
        {
            const auto parts = Split(change, "=");
            settings[parts[0]] = parts.size() > 1 ? parts[1] : "true";
        }
    }
}

/**
 * @ingroup lightpath-tests
 * @param problem a problem
 * @param settings the settings of a planner
 * @return why there is no plan; empty if there is one
 */
std::string
Refuse(const PlanningProblem& problem, const Settings& settings)
{
    const auto planner = CreateObject<FixedPlanner>();
    for (const auto& [name, value] : settings)
    {
        planner->SetAttribute(name, StringValue(value));
    }
    return GetError([&]() { planner->Plan(problem); });
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
 * @brief Follows all advice on plans that do not fit into memory.
 */
class MemoryAdviceTestCase : public TestCase
{
  public:
    MemoryAdviceTestCase()
        : TestCase("Whatever is advised on memory fits")
    {
    }

  private:
    void DoRun() override
    {
        const std::vector<Settings> bases{
            {{"Microbatch", "2"}},
            {{"TensorParallel", "2"}, {"Microbatch", "4"}},
            {{"PipelineParallel", "2"}, {"Microbatch", "2"}},
            {{"TensorParallel", "3"}, {"PipelineParallel", "2"}, {"Microbatch", "1"}},
            {{"PipelineParallel", "2"}, {"VirtualStages", "2"}, {"Microbatch", "1"}}};
        for (const auto& base : bases)
        {
            Try(MakeStageProblem(SMALL, 12, 48), base);
        }
        Try(MakeExpertProblem(8, 32), {{"Microbatch", "2"}});
        Try(MakeExpertProblem(8, 32), {{"ExpertParallel", "2"}, {"Microbatch", "1"}});
        NS_TEST_EXPECT_MSG_GT(m_nChanges, 40, "Changes");
        NS_TEST_EXPECT_MSG_GT(m_nGpus, 5, "More GPUs");
        const std::set<std::string> all{"ExpertParallel",
                                        "Microbatch",
                                        "PipelineParallel",
                                        "Recomputation",
                                        "SequenceParallel",
                                        "TensorParallel",
                                        "ZeroStage"};
        NS_TEST_EXPECT_MSG_EQ((m_names == all), true, "All kinds of changes");
    }

    /**
     * @param problem a problem
     * @param base settings for which there is a plan if there is enough memory
     */
    void Try(PlanningProblem problem, const Settings& base)
    {
        NS_TEST_EXPECT_MSG_EQ(Refuse(problem, base), "", "There is enough memory");
        for (uint64_t bytes = uint64_t{1} << 24; bytes > 50000; bytes -= bytes / 3)
        {
            problem.accelerator.memoryBytes = bytes;
            const std::string error = Refuse(problem, base);
            if (error.empty())
            {
                continue;
            }
            NS_TEST_EXPECT_MSG_EQ(error.rfind("Memory: ", 0), 0, error);
            const auto changes = Split(error, "fit with ");
            const auto gpus = Split(error, "but it would on ");
            NS_TEST_EXPECT_MSG_EQ(
                (changes.size() + gpus.size() == 3 || Contains(error, "nor would more GPUs")),
                true,
                error);
            for (std::size_t i = 0;
                 changes.size() > 1 && i < Split(changes[1], ", or with ").size();
                 ++i)
            {
                Settings settings = base;
                const std::string change = Split(changes[1], ", or with ")[i];
                Follow(change, settings);
                NS_TEST_EXPECT_MSG_EQ(Refuse(problem, settings), "", change);
                ++m_nChanges;
                for (const auto& one : Split(change, " and "))
                {
                    m_names.insert(Split(one, "=")[0]);
                }
            }
            if (gpus.size() > 1)
            {
                const auto split = Split(gpus[1], " GPUs with ");
                PlanningProblem larger = problem;
                larger.gpus = static_cast<uint32_t>(std::stoul(split[0]));
                Settings settings;
                Follow(split[1], settings);
                NS_TEST_EXPECT_MSG_EQ(Refuse(larger, settings), "", gpus[1]);
                NS_TEST_EXPECT_MSG_GT(larger.gpus + 1, problem.gpus, "Not fewer GPUs");
                ++m_nGpus;
            }
        }
    }

    uint32_t m_nChanges{0};        //!< Number of changes that were followed
    uint32_t m_nGpus{0};           //!< Number of times that more GPUs were used
    std::set<std::string> m_names; //!< Settings that were changed
};

/**
 * @ingroup lightpath-tests
 * @brief Follows all advice on plans with more peers than there are circuits.
 */
class DegreeAdviceTestCase : public TestCase
{
  public:
    DegreeAdviceTestCase()
        : TestCase("Whatever is advised on peers can be carried")
    {
    }

  private:
    void DoRun() override
    {
        PlanningProblem problem = MakeStageProblem(SMALL, 12, 48);
        const std::vector<Settings> bases{
            {{"TensorParallel", "2"}},
            {{"PipelineParallel", "3"}, {"Microbatch", "2"}},
            {{"TensorParallel", "2"}, {"PipelineParallel", "2"}, {"Microbatch", "2"}},
            {{"DataAlgorithm", "DoubleTree"}},
            {{"DataAlgorithm", "MultiRing"}, {"DataRings", "2"}},
            {{"TensorParallel", "3"}, {"TensorAlgorithm", "Direct"}, {"DataAlgorithm", "Direct"}},
            {{"TensorParallel", "2"}, {"PipelineParallel", "2"}, {"DataAlgorithm", "Direct"}}};
        for (const auto& base : bases)
        {
            Try(problem, base);
        }
        Try(MakeExpertProblem(8, 16), {{"ExpertParallel", "8"}});
        Try(MakeExpertProblem(8, 16), {{"ExpertParallel", "4"}, {"TensorParallel", "2"}});
        NS_TEST_EXPECT_MSG_GT(m_nFollowed, 12, "Advice");

        PlanningProblem experts = MakeExpertProblem(8, 16);
        experts.fabric.degree = 3;
        const std::string many = Refuse(experts, {{"ExpertParallel", "8"}});
        NS_TEST_EXPECT_MSG_EQ(Contains(many, "7 for expert parallelism"), true, many);
        NS_TEST_EXPECT_MSG_EQ(Contains(many, "a plan with ExpertParallel=2"), true, many);

        // One lane for each GPU, though its degree is not known
        problem.fabric.allocators.push_back(CreateObject<OneLaneAllocator>(12));
        const std::string error = Refuse(problem, {{"TensorParallel", "2"}});
        NS_TEST_EXPECT_MSG_EQ(error.rfind("Degree: ", 0), 0, error);
        NS_TEST_EXPECT_MSG_EQ(Contains(error, "12 pairs would get none"), true, error);
        NS_TEST_EXPECT_MSG_EQ(Contains(error, "with DataParallel=12, TensorParallel=1"),
                              true,
                              error);
        NS_TEST_EXPECT_MSG_EQ(Refuse(problem, {}), "", "One ring");
    }

    /**
     * @param problem a problem
     * @param base settings for which there is a plan if there are enough circuits
     */
    void Try(PlanningProblem problem, const Settings& base)
    {
        NS_TEST_EXPECT_MSG_EQ(Refuse(problem, base), "", "There are enough circuits");
        for (const uint32_t degree : {1, 2, 3})
        {
            problem.fabric.degree = degree;
            const std::string error = Refuse(problem, base);
            if (error.empty())
            {
                continue;
            }
            NS_TEST_EXPECT_MSG_EQ(error.rfind("Degree: ", 0), 0, error);
            const auto advice = Split(error, "it could carry a plan with ");
            NS_TEST_EXPECT_MSG_EQ(advice.size(), 2, error);
            if (advice.size() < 2)
            {
                continue;
            }
            Settings settings = base;
            Follow(advice[1], settings);
            for (const std::string name : {"Tensor", "Data"})
            {
                if (settings[name + "Algorithm"] != "MultiRing")
                {
                    settings[name + "Rings"] = "1";
                }
                settings.try_emplace(name + "Algorithm", "Automatic");
            }
            for (auto setting = settings.begin(); setting != settings.end();)
            {
                setting = setting->second.empty() ? settings.erase(setting) : std::next(setting);
            }
            NS_TEST_EXPECT_MSG_EQ(Refuse(problem, settings), "", advice[1]);
            ++m_nFollowed;
        }
    }

    uint32_t m_nFollowed{0}; //!< Number of times that advice was followed
};

/**
 * @ingroup lightpath-tests
 * @brief Compares the nearest numbers that divide evenly with those found by looking at all.
 */
class SplitAdviceTestCase : public TestCase
{
  public:
    SplitAdviceTestCase()
        : TestCase("The nearest numbers that divide evenly are those found by looking at all")
    {
    }

  private:
    void DoRun() override
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
};

std::vector<TestCase*>
MakePlanAdviceTests()
{
    return {new MemoryAdviceTestCase, new DegreeAdviceTestCase, new SplitAdviceTestCase};
}
