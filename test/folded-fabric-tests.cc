/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "expect-error.h"
#include "fold-tests.h"
#include "method-case.h"
#include "model/planner/price/folded-circuits.h"
#include "server-fixture.h"
#include "stage-tests.h"

#include "ns3/fabric-description.h"
#include "ns3/fixed-planner.h"
#include "ns3/opt-inc-helper.h"
#include "ns3/planning-problem.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/// Attributes of a FixedPlanner by name.
using Settings = std::vector<std::pair<std::string, std::string>>;

} // namespace

/**
 * @ingroup lightpath-tests
 * @brief Tests of folded plans with experts and shares of tokens on servers, and on optical
 * fabrics.
 *
 * The folded ranks begin and end each iteration at the same tick as the ranks that they represent.
 */
class FoldedFabricTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /**
     * Folds a mixture of experts on 32 GPUs in servers of 4.
     *
     * @param label the settings in words
     * @param settings the settings of the planner
     * @param reduces whether switches inside servers sum
     */
    void TestServers(std::string label, Settings settings, bool reduces)
    {
        // Rates that three peers share evenly, and seven
        const auto make = [reduces](uint32_t serverGpus) {
            auto servers = std::make_unique<ServerHelper>(MakeFabric("electrical"));
            servers->SetServers(serverGpus, DataRate("84Gbps"), NanoSeconds(INSIDE_DELAY));
            servers->SetBandwidth(DataRate("84Gbps"));
            servers->SetAttach(Attach::GPU);
            servers->SetReduces(reduces);
            return servers;
        };
        const std::string model =
            "transformer:layers=4,hidden=64,heads=8,feedForward=128,sequence=32,vocabulary=256,"
            "attention=causal,experts=8,topK=2,expertGroups=4,topGroups=2";
        PlanningProblem problem = MakeStageProblem(model, 32, 64);
        problem.fabric = FabricDescription::Create(*make(4))->GetLimits(32);
        const TrainingPlan plan = MakePlan(problem, settings);
        const PlanFolder folder(plan, 4);
        NS_TEST_EXPECT_MSG_LT(folder.GetPlan().programs.size(), 32, label);
        Compare(label, plan, *make(4), folder, *make(folder.GetServerGpus()));
    }

    /**
     * Folds plans on fabrics whose circuits are the same for all GPUs.
     *
     * @param name the name of the fabric
     * @param gpus the number of GPUs
     * @param settings the settings of the planner
     */
    void TestCircuits(std::string name, uint32_t gpus, Settings settings)
    {
        PlanningProblem problem = MakeProblem(name, gpus);
        const TrainingPlan plan = MakePlan(problem, settings);
        const PlanFolder folder(plan);
        const auto folded = static_cast<uint32_t>(folder.GetPlan().programs.size());
        NS_TEST_EXPECT_MSG_LT(folded, gpus, "Fewer ranks on " << name);
        if (!problem.fabric.allocators.empty())
        {
            const FabricLimits few =
                FabricDescription::Create(*MakeFabric(name))->GetLimits(folded);
            NS_TEST_EXPECT_MSG_EQ(
                GetError([&]() { FoldedCircuits::Check(plan, problem.fabric, folder, few); }),
                "",
                "Ranks are alike");
        }
        Compare(name, plan, *MakeFabric(name), folder, *MakeFabric(name));
    }

    /**
     * Plans whose GPUs have different circuits are refused in one sentence.
     *
     * @param name the name of the fabric
     * @param gpus the number of GPUs
     * @param settings the settings of the planner
     * @param part a part of the sentence
     */
    void TestRefusal(std::string name, uint32_t gpus, Settings settings, std::string part)
    {
        PlanningProblem problem = MakeProblem(name, gpus);
        const TrainingPlan plan = MakePlan(problem, settings);
        const PlanFolder folder(plan);
        const FabricLimits few =
            FabricDescription::Create(*MakeFabric(name))
                ->GetLimits(static_cast<uint32_t>(folder.GetPlan().programs.size()));
        EXPECT_PART(GetError([&]() { FoldedCircuits::Check(plan, problem.fabric, folder, few); }),
                    part);
    }

  private:
    /**
     * @param name the name of a fabric
     * @param gpus the number of GPUs
     * @return the problem of a small transformer
     */
    static PlanningProblem MakeProblem(const std::string& name, uint32_t gpus)
    {
        const std::string model =
            "transformer:layers=4,hidden=240,heads=12,feedForward=960,sequence=60,"
            "vocabulary=960,positions=60";
        PlanningProblem problem = MakeStageProblem(model, gpus, 2 * gpus);
        problem.fabric = FabricDescription::Create(*MakeFabric(name))->GetLimits(gpus);
        problem.placement = "linear";
        return problem;
    }

    /**
     * @param problem the problem
     * @param settings the settings of the planner
     * @return its plan
     */
    static TrainingPlan MakePlan(const PlanningProblem& problem, const Settings& settings)
    {
        const auto planner = CreateObject<FixedPlanner>();
        for (const auto& [attribute, value] : settings)
        {
            planner->SetAttribute(attribute, StringValue(value));
        }
        PlanningProblem linear = problem;
        linear.placement = "linear";
        return planner->TryPlan(linear);
    }

    /**
     * Compare simulations of two iterations.
     *
     * @param label what is simulated
     * @param plan the full plan
     * @param fabric the fabric of all GPUs
     * @param folder the folded plan
     * @param few the fabric of the folded ranks
     */
    void Compare(const std::string& label,
                 const TrainingPlan& plan,
                 const InterconnectHelper& fabric,
                 const PlanFolder& folder,
                 const InterconnectHelper& few)
    {
        const Time launch = NanoSeconds(2700);
        const Records full = CarryOut(plan, fabric, 2, launch);
        const Records folded = CarryOut(folder.GetPlan(), few, 2, launch);
        Time end;
        for (const auto& records : full)
        {
            end = std::max(end, records.at(1).end);
        }
        Time foldedEnd;
        for (uint32_t rank = 0; rank < folded.size(); ++rank)
        {
            foldedEnd = std::max(foldedEnd, folded[rank].at(1).end);
            for (uint32_t i = 0; i < 2; ++i)
            {
                const auto& one = folded[rank].at(i);
                const auto& other = full[folder.GetRanks()[rank]].at(i);
                NS_TEST_EXPECT_MSG_EQ(one.begin, other.begin, label << ", begin of " << rank);
                NS_TEST_EXPECT_MSG_EQ(one.end, other.end, label << ", end of " << rank);
            }
        }
        NS_TEST_EXPECT_MSG_EQ(foldedEnd, end, label << ", end");
        NS_TEST_EXPECT_MSG_GT(end, Time(0), "It takes time");
    }
};

/**
 * @ingroup lightpath-tests
 * @return the test cases; the caller owns them
 */
static std::vector<TestCase*>
MakeFoldedFabricTests()
{
    using T = FoldedFabricTests;
    std::vector<TestCase*> tests;
    const std::vector<std::tuple<std::string, Settings, bool>> jobs{
        {"experts of 8", {{"ExpertParallel", "8"}}, false},
        {"experts of 8, once", {{"ExpertParallel", "8"}, {"OncePerServer", "true"}}, false},
        {"experts of 4", {{"ExpertParallel", "4"}, {"Microbatch", "1"}}, false},
        {"experts of 2 in stages",
         {{"ExpertParallel", "2"}, {"PipelineParallel", "2"}, {"Microbatch", "1"}},
         false},
        {"experts of 8 from both ends",
         {{"ExpertParallel", "8"},
          {"PipelineParallel", "2"},
          {"Microbatch", "1"},
          {"Schedule", "Dualpipe"},
          {"OncePerServer", "true"},
          {"ZeroStage", "1"}},
         false},
        {"whole experts of 8",
         {{"ExpertParallel", "8"},
          {"TensorParallel", "4"},
          {"SequenceParallel", "true"},
          {"WholeExperts", "true"}},
         false},
        {"keys gathered by 8", {{"ContextParallel", "8"}, {"ContextGather", "true"}}, false},
        {"keys gathered by 2 of 2 parts",
         {{"ContextParallel", "2"}, {"ContextGather", "true"}, {"TensorParallel", "2"}},
         false},
        {"keys passed on by 4", {{"ContextParallel", "4"}}, false},
        {"switches that sum", {{"TensorParallel", "4"}}, true},
        {"switches that sum, replicas", {{"BucketBytes", "50000"}}, true},
    };
    for (const auto& [label, settings, reduces] : jobs)
    {
        tests.push_back(
            new MethodCase<T>("Folded on servers: " + label,
                              [label = label, settings = settings, reduces = reduces](T& test) {
                                  test.TestServers(label, settings, reduces);
                              }));
    }
    const std::vector<std::tuple<std::string, uint32_t, Settings>> alike{
        {"sip-ocs", 6, {}},
        {"sip-ocs", 8, {{"PipelineParallel", "2"}, {"Microbatch", "1"}}},
        {"sip-ocs", 12, {{"TensorParallel", "3"}, {"SequenceParallel", "true"}}},
        {"optinc", 6, {}},
    };
    for (const auto& [name, gpus, settings] : alike)
    {
        tests.push_back(new MethodCase<T>("Folded on " + name + " of " + std::to_string(gpus),
                                          [name = name, gpus = gpus, settings = settings](T& test) {
                                              test.TestCircuits(name, gpus, settings);
                                          }));
    }
    const std::vector<std::tuple<std::string, uint32_t, Settings, std::string>> unlike{
        // Two GPUs on a ring are neighbours in both directions
        {"sip-ring", 6, {{"DataAlgorithm", "Ring"}}, "has circuits with other rates or delays"},
        {"sip-ring", 8, {{"TensorParallel", "4"}}, "has circuits with other rates or delays"},
        {"sip-ocs", 8, {{"DataAlgorithm", "Direct"}}, "has circuits to 7 peers, which 1 GPUs"},
    };
    for (const auto& [name, gpus, settings, part] : unlike)
    {
        tests.push_back(
            new MethodCase<T>("Not folded on " + name,
                              [name = name, gpus = gpus, settings = settings, part = part](
                                  T& test) { test.TestRefusal(name, gpus, settings, part); }));
    }
    return tests;
}

/// Registers the test cases
static const SuiteCases g_foldedFabricCases("lightpath-fold", {MakeFoldedFabricTests()});
