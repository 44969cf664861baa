/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "method-case.h"
#include "model/planner/price/cost-model.h"
#include "planner-tests.h"
#include "stage-tests.h"

#include "ns3/bring-up.h"
#include "ns3/enum.h"
#include "ns3/fabric-description.h"
#include "ns3/fabric-helper.h"
#include "ns3/fixed-planner.h"
#include "ns3/node-container.h"
#include "ns3/oddl-helper.h"
#include "ns3/planning-problem.h"
#include "ns3/simulator.h"
#include "ns3/sip-ml-planner.h"
#include "ns3/sip-ocs-helper.h"
#include "ns3/string.h"
#include "ns3/training-helper.h"
#include "ns3/training-report.h"
#include "ns3/uinteger.h"

#include <cmath>
#include <limits>

using namespace ns3;
using namespace ns3::lightpath;

/**
 * @ingroup lightpath-tests
 * @brief The test cases that compare prices with simulations.
 */
class CostSimulationTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /// Compares the prices of plans with simulations on all fabrics.
    void TestCostSimulation()
    {
        StageSettings data;
        StageSettings tensor;
        tensor.tensor = 2;
        tensor.zero = 1;
        StageSettings stages = tensor;
        stages.pipeline = 2;
        stages.microbatch = 1;
        StageSettings parts = stages;
        parts.tensor = 1;
        parts.chunks = 2;
        for (const char* name : {"electrical", "sip-ocs", "sip-ring"})
        {
            for (const char* rate : {"250Gbps", "2000Gbps"})
            {
                const auto fabric = FabricHelper::Create(name);
                fabric->SetBandwidth(DataRate(rate));
                fabric->DisableFlowControl();
                PlanningProblem problem =
                    MakeStageProblem("gpt2-xl:layers=4,hidden=256,heads=8,feedForward=1024,"
                                     "vocabulary=1024",
                                     GPUS,
                                     2 * GPUS);
                problem.fabric = FabricDescription::Create(*fabric)->GetLimits(GPUS);
                for (const auto& settings : {data, tensor, stages, parts})
                {
                    const TrainingPlan plan = MakeStagePlan(problem, settings);
                    Try(*fabric, problem, plan);
                    TryPhases(*fabric, problem, plan);
                }
                Try(*fabric, problem, CreateObject<SipMlPlanner>()->Plan(problem));
            }
        }
        TryEmbeddings();
        TryTrees();
        TryExperts();
        const double share = static_cast<double>(m_nClose) / m_nTried;
        NS_TEST_EXPECT_MSG_GT(share, 0.9, "Most prices are within 1 %");
    }

    /**
     * Prices plans on grids of ODDL, also plans whose messages pass corners, and compares the
     * choice of AUTOMATIC with all algorithms.
     *
     * @param gpus the number of GPUs
     * @param rate the rate of a GPU
     */
    void TestGridSimulation(uint32_t gpus, const std::string& rate)
    {
        const auto fabric = FabricHelper::Create("oddl");
        fabric->SetBandwidth(DataRate(rate));
        fabric->DisableFlowControl();
        PlanningProblem problem =
            MakeStageProblem("gpt2-xl:layers=4,hidden=512,heads=8,feedForward=1024,vocabulary=4096",
                             gpus,
                             2 * gpus);
        problem.fabric = FabricDescription::Create(*fabric)->GetLimits(gpus);
        const std::vector<std::pair<uint32_t, uint32_t>> shapes{{1, 1}, {2, 1}, {2, 2}};
        for (const auto& [tensor, stages] : shapes)
        {
            const auto planner = CreateObject<FixedPlanner>();
            planner->SetAttribute("TensorParallel", UintegerValue(tensor));
            planner->SetAttribute("PipelineParallel", UintegerValue(stages));
            planner->SetAttribute("Microbatch", UintegerValue(1));
            double automatic = 0;
            double least = std::numeric_limits<double>::infinity();
            for (const char* algorithm : {"Automatic", "Ring", "HalvingDoubling", "Direct", "Grid"})
            {
                planner->SetAttribute("DataAlgorithm", StringValue(algorithm));
                const double seconds = Try(*fabric, problem, planner->Plan(problem), 1e-4);
                automatic = automatic > 0 ? automatic : seconds;
                least = std::min(least, seconds);
            }
            NS_TEST_EXPECT_MSG_LT(automatic,
                                  1.01 * least,
                                  gpus << " GPUs, tensor " << tensor << ", stages " << stages);
        }
    }

    /// Prices direct messages on a grid of ODDL whose idle transmitters take flows, which wait for
    /// the switches at first.
    void TestDivertedFlows()
    {
        constexpr uint32_t gpus = 12;
        OddlHelper fabric;
        fabric.SetBandwidth(DataRate("200Gbps"));
        fabric.DisableFlowControl();
        fabric.SetInitiallySet(false);
        fabric.SetUnitAttribute("RelayPolicy", StringValue("LeastLoaded"));
        PlanningProblem problem = MakeStageProblem("resnet50", gpus, 16 * gpus);
        problem.fabric = FabricDescription::Create(fabric)->GetLimits(gpus);
        const auto planner = CreateObject<FixedPlanner>();
        planner->SetAttribute("DataAlgorithm", StringValue("Direct"));
        const TrainingPlan plan = planner->Plan(problem);
        const double seconds = Try(fabric, problem, plan, 1e-4);
        // By corners in the rows alone they take another time
        problem.fabric.grid.unit.relayPolicy = OddlSettings::X_FIRST;
        problem.fabric.grids.clear();
        const double rows = CostModel(problem.fabric).Price(plan).seconds;
        NS_TEST_EXPECT_MSG_GT(std::abs(rows - seconds), 0.005 * seconds, "corners in the rows");
    }

    /// Prices messages on a grid of ODDL that cards delay once, at their destination.
    void TestDelayOfCards()
    {
        constexpr uint32_t gpus = 16;
        OddlHelper fabric;
        fabric.SetBandwidth(DataRate("400Gbps"));
        fabric.DisableFlowControl();
        fabric.SetMessageDelay(MicroSeconds(200));
        PlanningProblem problem =
            MakeStageProblem("gpt2-xl:layers=4,hidden=512,heads=8,feedForward=1024,vocabulary=4096",
                             gpus,
                             2 * gpus);
        problem.fabric = FabricDescription::Create(fabric)->GetLimits(gpus);
        const auto planner = CreateObject<FixedPlanner>();
        planner->SetAttribute("PipelineParallel", UintegerValue(4));
        planner->SetAttribute("Microbatch", UintegerValue(1));
        Try(fabric, problem, planner->Plan(problem), 1e-4);
    }

    /**
     * Prices plans with circuits that take time to come up, also for each phase.
     *
     * @param name the name of the steps
     */
    void TestBringUp(const std::string& name)
    {
        SipOcsHelper fabric;
        fabric.SetBandwidth(DataRate("500Gbps"));
        fabric.DisableFlowControl();
        fabric.SetChannelAttribute("SwitchingDelay", StringValue("2.8us"));
        fabric.SetBringUp(BringUp::Create(name));
        PlanningProblem problem =
            MakeStageProblem("gpt2-xl:layers=4,hidden=256,heads=8,feedForward=1024,vocabulary=1024,"
                             "gradients=half",
                             GPUS,
                             2 * GPUS);
        problem.fabric = FabricDescription::Create(fabric)->GetLimits(GPUS);
        const auto planner = CreateObject<FixedPlanner>();
        planner->SetAttribute("TensorParallel", UintegerValue(2));
        TrainingPlan plan = planner->Plan(problem);
        Try(fabric, problem, plan, 0.01);
        plan.phaseCircuits = true;
        NS_TEST_EXPECT_MSG_GT(Try(fabric, problem, plan, 0.01),
                              problem.fabric.switchingSeconds,
                              "Circuits come up in each iteration");
    }

    /// Prices plans at higher and higher rates.
    void TestRateOrder()
    {
        PlanningProblem problem =
            MakeStageProblem("gpt2-xl:layers=4,hidden=256,heads=8,feedForward=1024,vocabulary=1024",
                             4,
                             8);
        for (const bool isShared : {false, true})
        {
            problem.fabric.isShared = isShared;
            for (const uint32_t tensor : {1, 4})
            {
                for (const char* algorithm : {"Ring", "HalvingDoubling", "Direct"})
                {
                    TryRateOrder(problem, tensor, algorithm);
                }
            }
        }
    }

  private:
    /// The number of GPUs.
    static constexpr uint32_t GPUS = 8;

    /**
     * Try plans whose time depends on the details of collectives: the last stage sends its first
     * step of the sum of the embeddings in front of gradients, and many small sums wait for the
     * light.
     */
    void TryEmbeddings()
    {
        const auto fabric = FabricHelper::Create("sip-ocs");
        fabric->SetBandwidth(DataRate("100Gbps"));
        fabric->DisableFlowControl();
        PlanningProblem problem =
            MakeStageProblem("gpt2-xl:layers=2,hidden=256,heads=8,feedForward=1024,"
                             "vocabulary=16384",
                             GPUS,
                             2 * GPUS);
        problem.fabric = FabricDescription::Create(*fabric)->GetLimits(GPUS);
        const auto planner = CreateObject<FixedPlanner>();
        planner->SetAttribute("BucketBytes", UintegerValue(0));
        Try(*fabric, problem, planner->Plan(problem), 0.01);
        planner->SetAttribute("PipelineParallel", UintegerValue(2));
        planner->SetAttribute("Microbatch", UintegerValue(1));
        Try(*fabric, problem, planner->Plan(problem), 0.01);
    }

    /**
     * Try sums in double trees, in which members do not do the same.
     */
    void TryTrees()
    {
        const auto planner = CreateObject<FixedPlanner>();
        planner->SetAttribute("DataAlgorithm", StringValue("DoubleTree"));
        const auto fabric = FabricHelper::Create("sip-ocs");
        fabric->SetBandwidth(DataRate("250Gbps"));
        fabric->DisableFlowControl();
        for (const uint32_t tensor : {1, 2})
        {
            PlanningProblem problem =
                MakeStageProblem("gpt2-xl:layers=4,hidden=256,heads=8,feedForward=1024,"
                                 "vocabulary=1024,gradients=half",
                                 GPUS,
                                 2 * GPUS);
            problem.fabric = FabricDescription::Create(*fabric)->GetLimits(GPUS);
            planner->SetAttribute("TensorParallel", UintegerValue(tensor));
            Try(*fabric, problem, planner->Plan(problem), 0.01);
        }
    }

    /**
     * Try experts that replicas share out. The next replica, to which the sums of gradients go, is
     * one of those that share out experts with some ranks and not with others.
     */
    void TryExperts()
    {
        for (const char* name : {"sip-ocs", "sip-ring"})
        {
            const auto fabric = FabricHelper::Create(name);
            fabric->SetBandwidth(DataRate("500Gbps"));
            fabric->DisableFlowControl();
            PlanningProblem problem =
                MakeStageProblem("mixtral-8x7b:layers=1,sequence=512", GPUS, 2 * GPUS);
            problem.fabric = FabricDescription::Create(*fabric)->GetLimits(GPUS);
            const auto planner = CreateObject<FixedPlanner>();
            planner->SetAttribute("ExpertParallel", UintegerValue(GPUS / 2));
            Try(*fabric, problem, planner->Plan(problem), 0.02);
        }
    }

    /**
     * Try a plan with circuits that are decided on for each phase, where the fabric can.
     *
     * @param fabric the fabric
     * @param problem the problem
     * @param plan the plan
     */
    void TryPhases(const FabricHelper& fabric, const PlanningProblem& problem, TrainingPlan plan)
    {
        if (problem.fabric.canSwitch)
        {
            plan.phaseCircuits = true;
            Try(fabric, problem, std::move(plan));
        }
    }

    /**
     * @param fabric the fabric
     * @param problem the problem
     * @param plan the plan
     * @param error the largest relative error of the price
     * @return the time of an iteration in the simulation, in seconds
     */
    double Try(const FabricHelper& fabric,
               const PlanningProblem& problem,
               TrainingPlan plan,
               double error = 0.1)
    {
        const double seconds = CostModel(problem.fabric).Price(plan).seconds;
        NodeContainer nodes;
        nodes.Create(static_cast<uint32_t>(plan.programs.size()));
        const NetDeviceContainer devices = fabric.Install(nodes);
        TrainingHelper helper;
        helper.SetJobAttribute("Iterations", UintegerValue(3));
        helper.SetTransportAttribute("FrameSize", UintegerValue(0));
        const bool hasCircuits = !problem.fabric.allocators.empty();
        const auto applications =
            helper.Install(plan, devices, hasCircuits ? fabric.CreateController(devices) : nullptr);
        Simulator::Run();
        const TrainingReport report(TrainingHelper::GetJob(applications),
                                    FabricHelper::GetChannel(devices));
        const double simulated = report.GetSteadySeconds();
        NS_TEST_EXPECT_MSG_EQ_TOL(
            seconds,
            simulated,
            error * simulated,
            "Tensor " << plan.strategy.tensorParallel << ", data " << plan.strategy.dataParallel
                      << ", stages " << plan.strategy.pipelineParallel << ", phases "
                      << plan.phaseCircuits << ", rate " << problem.fabric.bitRate);
        ++m_nTried;
        m_nClose += std::abs(seconds - simulated) <= 0.01 * simulated ? 1 : 0;
        Simulator::Destroy();
        return simulated;
    }

    /**
     * @param problem the problem
     * @param tensor the GPUs of a replica: one, or all
     * @param algorithm the algorithm of the collectives
     */
    void TryRateOrder(PlanningProblem problem, uint32_t tensor, const std::string& algorithm)
    {
        const auto planner = CreateObject<FixedPlanner>();
        planner->SetAttribute("TensorParallel", UintegerValue(tensor));
        planner->SetAttribute("TensorAlgorithm", StringValue(algorithm));
        planner->SetAttribute("DataAlgorithm", StringValue(algorithm));
        double before = std::numeric_limits<double>::infinity();
        double exposed = 0;
        for (double rate = 1e9; rate < 1e14; rate *= 1.7)
        {
            problem.fabric.bitRate = rate;
            const PlanCost cost = planner->Plan(problem).cost;
            NS_TEST_EXPECT_MSG_LT(cost.seconds,
                                  before,
                                  algorithm << " of " << tensor << " parts at " << rate);
            before = cost.seconds;
            exposed = cost.waitingSeconds;
        }
        // In the end only latencies are left
        NS_TEST_EXPECT_MSG_LT(exposed, 5e-4, algorithm << " of " << tensor << " parts");
    }

    uint32_t m_nTried{0}; //!< Simulations
    uint32_t m_nClose{0}; //!< Those with a price within 1 %
};

/// Registers the test cases
static const SuiteCases g_costSimulationCases(
    "lightpath-planner",
    {MakeCases("Simulations on grids take as long as the price says",
               &CostSimulationTests::TestGridSimulation,
               {{8, "200Gbps"}, {12, "400Gbps"}, {16, "200Gbps"}, {16, "1000Gbps"}}),
     MakeCases("Simulations with circuits that come up take as long as the price says",
               &CostSimulationTests::TestBringUp,
               {{"published"}, {"research"}, {"product"}}),
     {MakeCase("Simulations take as long as the price says",
               &CostSimulationTests::TestCostSimulation),
      MakeCase("Cards delay messages on a grid once", &CostSimulationTests::TestDelayOfCards),
      MakeCase("Idle transmitters take flows, and the price says so",
               &CostSimulationTests::TestDivertedFlows),
      MakeCase("Where one link counts, a higher rate costs less",
               &CostSimulationTests::TestRateOrder)}});
