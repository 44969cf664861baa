/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "expect-error.h"
#include "expert-tests.h"
#include "method-case.h"
#include "model/planner/write/plan-builder.h"
#include "stage-tests.h"

#include "ns3/circuit-allocator.h"
#include "ns3/fabric-description.h"
#include "ns3/fixed-planner.h"
#include "ns3/oddl-helper.h"
#include "ns3/planning-problem.h"
#include "ns3/search-planner.h"
#include "ns3/server-helper.h"
#include "ns3/sip-ring-helper.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <map>
#include <set>
#include <sstream>

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
 * @brief The test cases of refusals of plans.
 */
class PlanRefusalTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /// Degrees that do not divide evenly are refused with the rule that they break.
    void TestDivisibility()
    {
        PlanningProblem problem = MakeStageProblem(SMALL, 12, 24);
        const auto expect = [&](const Settings& settings, const std::vector<std::string>& parts) {
            NS_TEST_EXPECT_MSG_EQ(FindWrongError([&]() { Plan(problem, settings); }, parts),
                                  "",
                                  problem.gpus << " GPUs");
        };
        expect({}, {});
        expect({{"TensorParallel", "3"}, {"DataParallel", "4"}}, {});
        expect({{"TensorParallel", "5"}},
               {"Divisibility: 2 replicas of 5 GPUs each do not make 12 GPUs: DataParallel times"});
        expect({{"TensorParallel", "3"}, {"DataParallel", "2"}}, {"2 replicas of 3 GPUs each"});
        expect({{"Microbatch", "2"}}, {});
        expect({{"Microbatch", "4"}},
               {"Divisibility: the 2 samples of a replica cannot be cut evenly into microbatches "
                "of 4: they must be a multiple of Microbatch"});
        expect({{"TensorParallel", "6"}}, {});
        expect({{"TensorParallel", "12"}},
               {"Divisibility: the 6 parts (attention heads) of operator layer1.", "one at least"});
        expect({{"PipelineParallel", "6"}, {"DataParallel", "2"}}, {});
        expect({{"PipelineParallel", "12"}}, {"Divisibility: the 8 layers", "into 12 parts"});
        // 2^32 parts do not fit into 32 bits
        expect({{"PipelineParallel", "2"}, {"VirtualStages", "2147483648"}},
               {"Divisibility: the 8 layers", "into 4294967296 parts"});
        const Settings chunks{{"PipelineParallel", "3"}, {"VirtualStages", "2"}};
        Settings uneven = chunks;
        uneven["Microbatch"] = "3";
        expect(uneven, {"Divisibility: ", "2 microbatches", "multiple of PipelineParallel"});
        uneven["Microbatch"] = "2";
        expect(uneven, {});
        for (const std::string zero : {"2", "3"})
        {
            expect({{"PipelineParallel", "3"}, {"ZeroStage", zero}},
                   {"ZeroStage is " + zero, "it must be 0 or 1"});
        }
        problem.globalBatch = 20;
        expect({}, {"Divisibility: a global batch of 20", "12 replicas", "of DataParallel"});
        problem.globalBatch = 12 * 65537;
        expect({{"Microbatch", "1"}}, {"65537 microbatches of 1", "Microbatch must be larger"});
        problem.gpus = 60;
        problem.globalBatch = 60;
        expect({{"TensorParallel", "5"}}, {"Divisibility: the ", "TensorParallel must divide"});
    }

    /// A strategy that a script makes is refused like one that attributes ask for.
    void TestStrategy()
    {
        const PlanningProblem problem = MakeStageProblem(SMALL, 12, 24);
        const auto expect =
            [&](uint32_t replicas, uint32_t microbatches, const std::vector<std::string>& parts) {
                Strategy strategy;
                strategy.dataParallel = replicas;
                strategy.tensorParallel = 3;
                strategy.microbatches = microbatches;
                const auto build = [&]() { PlanBuilder(problem).Build(strategy); };
                NS_TEST_EXPECT_MSG_EQ(FindWrongError(build, parts), "", replicas << " replicas");
            };
        expect(4, 3, {});
        expect(0, 3, {"The strategy has 0 replicas: there must be 1 at least"});
        expect(4, 0, {"The strategy has 0 microbatches: there must be 1 at least"});
        expect(3, 3, {"Divisibility: 3 replicas of 3 GPUs each do not make 12 GPUs"});
        expect(4, 4, {"Divisibility: the 6 samples of a replica", "evenly into 4 microbatches"});
    }

    /// A plan that does not fit into memory is refused with a setting that makes it smaller.
    void TestMemory()
    {
        const std::vector<Settings> bases{
            {{"Microbatch", "2"}},
            {{"TensorParallel", "2"}, {"Microbatch", "4"}},
            {{"PipelineParallel", "2"}, {"Microbatch", "2"}},
            {{"TensorParallel", "3"}, {"PipelineParallel", "2"}, {"Microbatch", "1"}},
            {{"PipelineParallel", "2"}, {"VirtualStages", "2"}, {"Microbatch", "1"}}};
        for (auto settings : bases)
        {
            settings["BucketBytes"] = "1000";
            Follow(MakeStageProblem(SMALL, 12, 48), settings);
        }
        Follow(MakeExpertProblem(8, 32), {{"Microbatch", "2"}, {"BucketBytes", "1000"}});
        const std::set<std::string> all{"Microbatch",
                                        "Recomputation",
                                        "TensorParallel",
                                        "VirtualStages",
                                        "ZeroStage"};
        NS_TEST_EXPECT_MSG_EQ((m_names == all), true, "All kinds of remedies");
    }

    /// A plan with too many peers is refused with the peers of each kind of group.
    void TestDegree()
    {
        PlanningProblem problem = MakeStageProblem(SMALL, 12, 48);
        Expect(problem,
               6,
               {{"TensorParallel", "2"}, {"DataAlgorithm", "Direct"}},
               "6 peers (1 within a replica, 5 over replicas)",
               "use DataAlgorithm=Ring");
        Expect(problem,
               3,
               {{"TensorParallel", "3"}, {"TensorAlgorithm", "Direct"}},
               "3 peers (2 within a replica, 1 over replicas)",
               "use TensorAlgorithm=Ring");
        Expect(problem,
               3,
               {{"TensorParallel", "2"}, {"PipelineParallel", "2"}, {"Microbatch", "2"}},
               "3 peers (1 within a replica, 1 over replicas, 1 between stages, 1 first and last "
               "stage)",
               "combine fewer kinds of parallelism");
        Expect(problem,
               3,
               {{"PipelineParallel", "3"}, {"Microbatch", "2"}},
               "2 between stages",
               "use PipelineParallel=2 at most");
        Expect(MakeExpertProblem(8, 16),
               7,
               {{"ExpertParallel", "8"}},
               "7 between experts",
               "use a smaller ExpertParallel");
        // With circuits for each phase, the phase with most peers counts
        problem.fabric.phaseCircuits = true;
        Expect(problem,
               5,
               {{"TensorParallel", "2"}, {"DataAlgorithm", "Direct"}},
               "5 peers (1 within a replica, 5 over replicas)",
               "use DataAlgorithm=Ring");
        problem.fabric.phaseCircuits = false;

        // One lane for each GPU, though its degree is not known
        problem.fabric.allocators.push_back(CreateObject<OneLaneAllocator>(12));
        const auto pairs = [&]() { Plan(problem, {{"TensorParallel", "2"}}); };
        NS_TEST_EXPECT_MSG_EQ(FindWrongError(pairs, {"Degree: ", "12 pairs would get none"}),
                              "",
                              "Two peers");
        NS_TEST_EXPECT_MSG_EQ(GetError([&]() { Plan(problem, {}); }), "", "One ring");
        problem.fabric.degree = 1;
        problem.fabric.ServeInTurn();
        NS_TEST_EXPECT_MSG_EQ(GetError(pairs), "", "Pairs in turn");
    }

    /// On a grid without corners that forward, GPUs send within rows and columns only.
    void TestPaths()
    {
        OddlHelper grid;
        grid.SetUnitAttribute("RelayPolicy", StringValue("Forbid"));
        PlanningProblem problem = MakeStageProblem(SMALL, 12, 24);
        problem.fabric = FabricDescription::Create(grid)->GetLimits(12);
        const auto plan = [&problem](Settings settings) {
            settings["DataAlgorithm"] = "Ring";
            return Plan(problem, settings);
        };
        const auto ring = [&]() { plan({}); };
        NS_TEST_EXPECT_MSG_EQ(GetError(ring), "", "a ring that is placed along rows and columns");
        problem.placement = "linear";
        NS_TEST_EXPECT_MSG_EQ(
            FindWrongError(ring,
                           {"GPU 3 would send to GPU 4, but they share no row and no column"}),
            "",
            "a ring through 3 rows of 4");
        const Settings stages{{"PipelineParallel", "3"}, {"Microbatch", "2"}};
        NS_TEST_EXPECT_MSG_EQ(GetError([&]() { plan(stages); }), "", "stages in rows");
        const TrafficMatrix traffic = CreateObject<SearchPlanner>()->TryPlan(problem).GetTraffic();
        for (uint32_t source = 0; source < 12; ++source)
        {
            for (const auto& [destination, bytes] : traffic.GetRow(source))
            {
                const bool isNear = source / 4 == destination / 4 || source % 4 == destination % 4;
                NS_TEST_EXPECT_MSG_EQ(isNear, true, source << " to " << destination);
            }
        }
    }

    /// Checks that circuits follow the operations of a plan from a file only where the fabric can.
    void TestAdopt()
    {
        PlanningProblem problem = MakeStageProblem(SMALL, 16, 32);
        ServerHelper rails(InterconnectHelper::Create("photonic-rails"));
        rails.SetAttach(Attach::RAIL);
        problem.fabric = FabricDescription::Create(rails)->GetLimits(16);
        const TrainingPlan plan = Plan(problem, {{"DataAlgorithm", "Ring"}});
        NS_TEST_EXPECT_MSG_EQ(plan.turnCircuits, true, "On rails");
        problem.fabric =
            FabricDescription::Create(*InterconnectHelper::Create("sip-ring"))->GetLimits(16);
        NS_TEST_EXPECT_MSG_EQ(Planner::Adopt(plan, problem).turnCircuits, false, "On a ring");
    }

  private:
    /**
     * Follow one remedy after the other until no setting can be followed.
     *
     * @param problem a problem with enough memory
     * @param settings settings for which there is a plan
     */
    void Follow(PlanningProblem problem, Settings settings)
    {
        const uint64_t enough = problem.accelerator.memoryBytes;
        const std::string mark = "too little: use ";
        for (uint32_t step = 0; step < 6; ++step)
        {
            problem.accelerator.memoryBytes = enough;
            const uint64_t needed = Plan(problem, settings).memoryBytes;
            const auto plan = [&]() { Plan(problem, settings); };
            problem.accelerator.memoryBytes = needed;
            NS_TEST_EXPECT_MSG_EQ(GetError(plan), "", "It just fits");
            problem.accelerator.memoryBytes = needed - 1;
            const std::string error = GetError(plan);
            NS_TEST_ASSERT_MSG_EQ(FindWrongError(plan, {"Memory: the plan needs ", mark}), "", "");
            std::string remedy = error.substr(error.find(mark) + mark.size());
            if (remedy == "a larger TensorParallel or PipelineParallel")
            {
                m_names.insert("TensorParallel");
                return;
            }
            remedy = remedy == "a smaller Microbatch" ? "Microbatch=1" : remedy;
            std::istringstream words(remedy);
            for (std::string word; words >> word;)
            {
                const auto at = word.find('=');
                if (at != std::string::npos)
                {
                    settings[word.substr(0, at)] = word.substr(at + 1);
                    m_names.insert(word.substr(0, at));
                }
            }
            NS_TEST_EXPECT_MSG_EQ(GetError(plan), "", remedy);
        }
    }

    /**
     * @param problem a problem
     * @param degree the least number of peers that the plan needs
     * @param settings settings of the plan
     * @param peers the sentence on the peers
     * @param remedy the remedy, which is followed if it names a value
     */
    void Expect(PlanningProblem problem,
                uint32_t degree,
                Settings settings,
                const std::string& peers,
                const std::string& remedy)
    {
        const auto plan = [&]() { Plan(problem, settings); };
        problem.fabric.degree = degree;
        NS_TEST_EXPECT_MSG_EQ(GetError(plan), "", "There are enough circuits");
        --problem.fabric.degree;
        const std::vector<std::string> parts{"Degree: the plan lets a GPU have ",
                                             peers,
                                             " at most: " + remedy};
        NS_TEST_EXPECT_MSG_EQ(FindWrongError(plan, parts), "", remedy);
        const auto at = remedy.find("=Ring");
        if (at != std::string::npos)
        {
            settings[remedy.substr(4, at - 4)] = "Ring";
            NS_TEST_EXPECT_MSG_EQ(GetError(plan), "", remedy);
        }
    }

    std::set<std::string> m_names; //!< Settings that were named
};

/// Registers the test cases
static const SuiteCases g_planRefusalCases(
    "lightpath-planner-stages",
    {{MakeCase("A refusal names the rule of divisibility that is broken",
               &PlanRefusalTests::TestDivisibility),
      MakeCase("A strategy that divides nothing evenly is refused",
               &PlanRefusalTests::TestStrategy),
      MakeCase("A refusal on memory names a setting that helps", &PlanRefusalTests::TestMemory),
      MakeCase("A refusal on peers names their number and a setting that helps",
               &PlanRefusalTests::TestDegree),
      MakeCase("Plans keep to rows and columns where no corner forwards",
               &PlanRefusalTests::TestPaths),
      MakeCase("Circuits follow the operations of a plan from a file where they can",
               &PlanRefusalTests::TestAdopt)}});
