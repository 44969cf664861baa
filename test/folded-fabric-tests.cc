/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "expect-error.h"
#include "fold-tests.h"
#include "helper/mltrain/folded-links.h"
#include "method-case.h"
#include "model/planner/price/folded-circuits.h"
#include "server-fixture.h"
#include "stage-tests.h"

#include "ns3/circuit-controller.h"
#include "ns3/enum.h"
#include "ns3/fabric-description.h"
#include "ns3/fixed-planner.h"
#include "ns3/integer.h"
#include "ns3/link-graph-helper.h"
#include "ns3/opt-inc-helper.h"
#include "ns3/planning-problem.h"
#include "ns3/random-variable-stream.h"
#include "ns3/sip-ocs-helper.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
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
class FoldedFabricTests : public FoldTestCase
{
  public:
    using FoldTestCase::FoldTestCase;

    /**
     * Folds a mixture of experts on 32 GPUs in servers of 4.
     *
     * @param label the settings in words
     * @param settings the settings of the planner
     * @param reduces whether switches inside servers sum
     */
    void TestServers(std::string label, Settings settings, bool reduces)
    {
        // A rate that neither three peers share evenly, nor seven
        const auto make = [reduces](uint32_t serverGpus) {
            auto servers = std::make_unique<ServerHelper>(MakeFabric("electrical"));
            servers->SetServers(serverGpus, DataRate("100Gbps"), NanoSeconds(INSIDE_DELAY));
            servers->SetBandwidth(DataRate("100Gbps"));
            servers->SetAttach(Attach::GPU);
            servers->SetReduces(reduces);
            return servers;
        };
        const std::string model =
            "transformer:layers=4,hidden=256,heads=8,feedForward=512,sequence=32,vocabulary=256,"
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
     * Folds drawn jobs on drawn networks of links.
     */
    void TestLinks()
    {
        constexpr uint32_t nJobs = 100;
        uint32_t nFolded = 0;
        uint32_t nDirect = 0;
        uint32_t nLeaves = 0;
        uint32_t nWhole = 0;
        std::map<std::string, uint32_t> nRefused;
        for (uint32_t number = 0; number < nJobs; ++number)
        {
            const LinkJob job = Draw();
            PlanningProblem problem = MakeStageProblem(
                "transformer:layers=4,hidden=128,heads=8,feedForward=256,sequence=64,"
                "vocabulary=256,positions=64" +
                    std::string(job.experts ? ",experts=8,topK=2" : ""),
                job.gpus,
                uint64_t{job.gpus} * 2);
            const auto whole = MakeNetwork(job, job.serverGpus);
            if (!whole->Check(job.gpus).empty())
            {
                continue;
            }
            problem.fabric = FabricDescription::Create(*whole)->GetLimits(job.gpus);
            std::optional<TrainingPlan> plan;
            std::optional<PlanFolder> folder;
            const std::string refusal = GetError([&]() {
                plan = MakePlan(problem, job.settings);
                folder = FoldedLinks::Fold(*plan,
                                           problem.fabric.servers.layout,
                                           GetOutside<LinkGraphHelper>(*whole));
            });
            if (!folder)
            {
                for (const std::string reason : {"hold back", "another delay"})
                {
                    nRefused[reason] += plan && refusal.find(reason) != std::string::npos ? 1 : 0;
                }
                continue;
            }
            const auto few = MakeNetwork(job, folder->GetServerGpus());
            GetOutside<LinkGraphHelper>(*few).StandForAll(GetOutside<LinkGraphHelper>(*whole),
                                                          job.gpus,
                                                          folder->GetRanks());
            const auto folded = static_cast<uint32_t>(folder->GetPlan().programs.size());
            if (folded == job.gpus)
            {
                continue;
            }
            ++nFolded;
            const std::string ofFew = GetError([&]() {
                nLeaves += folded < PlanFolder(*plan, job.serverGpus).GetRanks().size() ? 0 : 1;
            });
            nWhole += ofFew.empty() ? 0 : 1;
            std::string label = "job " + std::to_string(number) + " on " + job.kind + " of " +
                                std::to_string(job.gpus) + " by " + std::to_string(job.serverGpus) +
                                ", leaves of " + std::to_string(job.leafGpus);
            for (const auto& [name, value] : job.settings)
            {
                label.append(" ").append(name).append("=").append(value);
            }
            Compare(label, *plan, *whole, *folder, *few);
            nDirect += SendsStraight(*plan) ? 1 : 0;
        }
        NS_TEST_EXPECT_MSG_GT(nFolded, nJobs / 6, "Many are folded");
        NS_TEST_EXPECT_MSG_GT(nDirect, 0, "Some send to all peers at once");
        NS_TEST_EXPECT_MSG_GT(nLeaves, 0, "Of some, the servers of a leaf are kept");
        NS_TEST_EXPECT_MSG_GT(nWhole, 0, "Of some, all GPUs of a server are kept");
        NS_TEST_EXPECT_MSG_GT(nRefused["another delay"], 0, "Some have ways of other lengths");
        NS_TEST_EXPECT_MSG_GT(nRefused["hold back"], 0, "On some, links may hold back GPUs");
    }

    /**
     * On a network of links no GPU stands for one at the other end of the pipeline to which it
     * sends.
     */
    void TestBothEnds()
    {
        LinkJob job;
        job.kind = "leaf-spine-flows";
        job.gpus = 16;
        job.leafGpus = 1;
        job.oversubscribed = 1;
        job.settings = {{"PipelineParallel", "2"},
                        {"Schedule", "Dualpipe"},
                        {"Microbatch", "1"},
                        {"DataAlgorithm", "Ring"}};
        const auto network = MakeNetwork(job, 1);
        PlanningProblem problem = MakeProblem("electrical", job.gpus);
        problem.fabric = FabricDescription::Create(*network)->GetLimits(job.gpus);
        const auto fold = [&]() {
            return FoldedLinks::Fold(MakePlan(problem, job.settings),
                                     problem.fabric.servers.layout,
                                     GetOutside<LinkGraphHelper>(*network));
        };
        NS_TEST_EXPECT_MSG_EQ(fold().GetPlan().programs.size(), 4, "Two replicas of both stages");
        job.settings.back().second = "Direct";
        EXPECT_PART(GetError(fold), "GPU 0 would stand for GPU 8, to which it sends");
    }

    /**
     * Folds drawn jobs on circuits that follow operations: photonic rails, and switches of which a
     * plan says so.
     */
    void TestTurns()
    {
        constexpr uint32_t nJobs = 80;
        uint32_t nFolded = 0;
        uint32_t nStages = 0;
        uint32_t nRefused = 0;
        for (uint32_t number = 0; number < nJobs; ++number)
        {
            const TurnJob job = DrawTurns();
            const TurnCase drawn = FoldTurns(job);
            if (!drawn.folder)
            {
                nRefused += drawn.refusal.find("several peers") != std::string::npos ? 1 : 0;
                continue;
            }
            if (drawn.folder->GetPlan().programs.size() == job.gpus)
            {
                continue;
            }
            std::string label = "job " + std::to_string(number) + " on " + job.kind + " of " +
                                std::to_string(job.gpus) + " by " + std::to_string(job.serverGpus) +
                                ", " + std::to_string(job.planes) + " planes, " +
                                std::to_string(job.switching.GetNanoSeconds()) + " ns";
            for (const auto& [name, value] : job.settings)
            {
                label.append(" ").append(name).append("=").append(value);
            }
            Compare(label, *drawn.plan, *drawn.whole, *drawn.folder, *drawn.few);
            ++nFolded;
            nStages += drawn.plan->strategy.pipelineParallel > 1 ? 1 : 0;
        }
        NS_TEST_EXPECT_MSG_GT(nFolded, nJobs / 4, "Many are folded");
        NS_TEST_EXPECT_MSG_GT(nStages, nJobs / 10, "Of many, stages wait for ports as well");
        NS_TEST_EXPECT_MSG_GT(nRefused, 0, "Some have several peers");
        TurnJob job;
        job.kind = "photonic-rails";
        job.gpus = 16;
        job.serverGpus = 8;
        job.settings = {{"TensorParallel", "4"}, {"PipelineParallel", "4"}, {"Microbatch", "1"}};
        EXPECT_PART(FoldTurns(job).refusal, "GPU 0 reaches GPU 12 over the card of another GPU");
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
    /// A job on a network of links.
    struct LinkJob
    {
        std::string kind;          //!< Name of the network
        uint32_t gpus{0};          //!< GPUs
        uint32_t serverGpus{1};    //!< GPUs of a server
        uint32_t leafGpus{0};      //!< GPUs of a leaf, or of a leaf of a rail
        uint32_t ports{0};         //!< Ports of a switch of a fat tree
        uint32_t oversubscribed{}; //!< Links to GPUs for each link up
        bool experts{false};       //!< Whether layers have experts
        Settings settings;         //!< Settings of the planner
    };

    /// A job on circuits that follow operations.
    struct TurnJob
    {
        std::string kind;       //!< Name of the fabric
        uint32_t gpus{0};       //!< GPUs
        uint32_t serverGpus{1}; //!< GPUs of a server
        uint32_t planes{1};     //!< Switches of a rail
        Time switching;         //!< Time to turn a circuit
        bool experts{false};    //!< Whether layers have experts
        Settings settings;      //!< Settings of the planner
    };

    /// A job on circuits that follow operations, in full and folded.
    struct TurnCase
    {
        std::unique_ptr<InterconnectHelper> whole; //!< The fabric of all GPUs
        std::unique_ptr<InterconnectHelper> few;   //!< The fabric of the folded ranks
        std::optional<TrainingPlan> plan;          //!< The full plan, if there is one
        std::optional<PlanFolder> folder;          //!< The folded plan, if there is one
        std::string refusal;                       //!< Why there is none
    };

    /**
     * @param job a job
     * @return its plan
     */
    static TurnCase FoldTurns(const TurnJob& job)
    {
        PlanningProblem problem =
            MakeStageProblem("transformer:layers=4,hidden=128,heads=8,feedForward=256,sequence=64,"
                             "vocabulary=256,positions=64" +
                                 std::string(job.experts ? ",experts=8,topK=2" : ""),
                             job.gpus,
                             job.gpus);
        TurnCase one;
        one.whole = MakeSwitches(job, job.serverGpus);
        problem.fabric = FabricDescription::Create(*one.whole)->GetLimits(job.gpus);
        problem.fabric.TurnCircuits();
        one.refusal = GetError([&]() {
            one.plan = MakePlan(problem, job.settings);
            one.plan->turnCircuits = true;
            const PlanFolder folder(*one.plan, job.serverGpus);
            one.few = MakeSwitches(job, folder.GetServerGpus());
            FabricLimits limits =
                FabricDescription::Create(*one.few)->GetLimits(folder.GetPlan().programs.size());
            limits.TurnCircuits();
            FoldedCircuits::Check(*one.plan, problem.fabric, folder, limits);
            one.folder = folder;
        });
        return one;
    }

    /**
     * @return a job
     */
    TurnJob DrawTurns()
    {
        const auto draw = [this](const std::vector<uint32_t>& values) {
            return values[m_random->GetInteger(0, values.size() - 1)];
        };
        TurnJob job;
        job.kind = draw({0, 1, 1, 1}) > 0 ? "photonic-rails" : "sip-ocs";
        job.serverGpus = draw({2, 4, 8});
        job.gpus = draw({16, 32, 32, 64});
        job.planes = draw({1, 2, 4});
        job.switching = NanoSeconds(draw({100, 10000, 300000}));
        job.experts = draw({0, 0, 1}) > 0;
        const std::vector<std::string> algorithms{"Automatic",
                                                  "Automatic",
                                                  "Ring",
                                                  "Direct",
                                                  "HalvingDoubling",
                                                  "TwoLevel"};
        job.settings = {
            {"Microbatch", "1"},
            {"TensorParallel", std::to_string(draw({job.serverGpus, job.serverGpus, 1, 2}))},
            {"PipelineParallel", std::to_string(draw({1, 2, 2, 4}))},
            {"ContextParallel", std::to_string(draw({1, 1, 2}))},
            {"VirtualStages", std::to_string(draw({1, 1, 2}))},
            {"ZeroStage", std::to_string(draw({0, 1, 1}))},
            {"BucketBytes", std::to_string(draw({50000, 500000}))},
            {"DataAlgorithm", algorithms[m_random->GetInteger(0, algorithms.size() - 1)]}};
        if (job.experts)
        {
            job.settings.emplace_back("ExpertParallel", std::to_string(draw({2, 4, 8})));
        }
        return job;
    }

    /**
     * @param job a job
     * @param serverGpus the GPUs of a server
     * @return its fabric
     */
    static std::unique_ptr<InterconnectHelper> MakeSwitches(const TurnJob& job, uint32_t serverGpus)
    {
        auto fabric = MakeFabric(job.kind);
        auto& switches = dynamic_cast<SipOcsHelper&>(*fabric);
        switches.SetNSwitches(job.planes);
        switches.SetChannelAttribute("SwitchingDelay", TimeValue(job.switching));
        switches.SetControllerAttribute("Trigger", EnumValue(CircuitController::OPERATION));
        switches.SetBandwidth(DataRate("100Gbps"));
        if (serverGpus == 1)
        {
            return fabric;
        }
        auto servers = std::make_unique<ServerHelper>(std::move(fabric));
        servers->SetServers(serverGpus, DataRate("840Gbps"), NanoSeconds(INSIDE_DELAY));
        servers->SetBandwidth(DataRate("100Gbps"));
        servers->SetAttach(job.kind == "sip-ocs" ? Attach::GPU : Attach::RAIL);
        return servers;
    }

    /**
     * @tparam T a kind of fabric
     * @param fabric an interconnect
     * @return its fabric between servers
     */
    template <typename T>
    static T& GetOutside(InterconnectHelper& fabric)
    {
        auto* const servers = dynamic_cast<ServerHelper*>(&fabric);
        return dynamic_cast<T&>(servers ? servers->GetOutside() : fabric);
    }

    /**
     * @return a job
     */
    LinkJob Draw()
    {
        const auto draw = [this](const std::vector<uint32_t>& values) {
            return values[m_random->GetInteger(0, values.size() - 1)];
        };
        const std::vector<std::string> kinds{"leaf-spine-flows",
                                             "fat-tree-flows",
                                             "rail-optimised",
                                             "rail-only"};
        LinkJob job;
        job.kind = kinds[m_random->GetInteger(0, kinds.size() - 1)];
        const bool hasRails = job.kind == "rail-optimised" || job.kind == "rail-only";
        job.serverGpus = hasRails ? draw({2, 4, 8}) : draw({1, 2, 4, 4, 8});
        job.gpus = draw({16, 32, 64, 128});
        job.leafGpus = hasRails ? draw({2, 4, 8}) : job.serverGpus * draw({1, 1, 2, 4});
        job.ports = draw({0, 8});
        job.oversubscribed = job.leafGpus > 1 ? draw({1, 1, 2}) : 1;
        job.experts = draw({0, 0, 1}) > 0;
        const std::vector<std::string> algorithms{"Automatic",
                                                  "Ring",
                                                  "Direct",
                                                  "HalvingDoubling",
                                                  "TwoLevel"};
        job.settings = {
            {"Microbatch", "1"},
            {"TensorParallel", std::to_string(std::min(draw({1, 2, 4, 8}), job.serverGpus))},
            {"PipelineParallel", std::to_string(draw({1, 2, 4}))},
            {"ContextParallel", std::to_string(draw({1, 1, 2}))},
            {"ZeroStage", std::to_string(draw({0, 1, 3}))},
            {"BucketBytes", std::to_string(draw({50000, 500000}))},
            {"DataAlgorithm", algorithms[m_random->GetInteger(0, algorithms.size() - 1)]}};
        if (job.experts)
        {
            job.settings.emplace_back("ExpertParallel", std::to_string(draw({2, 4, 8})));
        }
        return job;
    }

    /**
     * @param job a job
     * @param serverGpus the GPUs of a server
     * @return its network
     */
    static std::unique_ptr<InterconnectHelper> MakeNetwork(const LinkJob& job, uint32_t serverGpus)
    {
        auto network = MakeFabric(job.kind);
        auto& graph = dynamic_cast<LinkGraphHelper&>(*network);
        graph.SetNodesPerLeaf(job.leafGpus);
        graph.SetNPorts(job.ports);
        graph.SetOversubscription(job.oversubscribed);
        graph.SetDelay(NanoSeconds(OUTSIDE_DELAY));
        if (serverGpus == 1)
        {
            graph.SetBandwidth(DataRate("100Gbps"));
            return network;
        }
        auto servers = std::make_unique<ServerHelper>(std::move(network));
        servers->SetServers(serverGpus, DataRate("840Gbps"), NanoSeconds(INSIDE_DELAY));
        servers->SetBandwidth(DataRate("100Gbps"));
        servers->SetAttach(Attach::GPU);
        return servers;
    }

    /**
     * @param plan a plan
     * @return whether its ranks send messages straight to several peers at once
     */
    static bool SendsStraight(const TrainingPlan& plan)
    {
        const auto isStraight = [](const Task& task) {
            return task.kind == TaskKind::COLLECTIVE &&
                   (task.collective == CollectiveKind::ALL_TO_ALL ||
                    task.options.algorithm == CollectiveAlgorithm::DIRECT ||
                    task.options.inside == CollectiveAlgorithm::DIRECT ||
                    task.options.across == CollectiveAlgorithm::DIRECT);
        };
        return std::any_of(plan.programs.begin(), plan.programs.end(), [&](const auto& program) {
            const auto& tasks = program->GetTasks();
            return std::any_of(tasks.begin(), tasks.end(), isStraight);
        });
    }

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

    /// Draws jobs
    Ptr<UniformRandomVariable> m_random{
        CreateObjectWithAttributes<UniformRandomVariable>("Stream", IntegerValue(1))};
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
        {"experts of 4 from both ends",
         {{"ExpertParallel", "4"},
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
    tests.push_back(new MethodCase<T>("Folded on networks of links", &T::TestLinks));
    tests.push_back(new MethodCase<T>("Folded on networks of links: dualpipe", &T::TestBothEnds));
    tests.push_back(new MethodCase<T>("Folded on circuits that follow operations", &T::TestTurns));
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
