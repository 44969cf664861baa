/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "method-case.h"
#include "planner-job.h"
#include "stage-tests.h"

#include "ns3/fabric-description.h"
#include "ns3/fixed-planner.h"
#include "ns3/photonic-rails-helper.h"
#include "ns3/planning-problem.h"
#include "ns3/search-planner.h"
#include "ns3/server-helper.h"
#include "ns3/string.h"
#include "ns3/training-application.h"
#include "ns3/uinteger.h"

#include <memory>
#include <string>
#include <tuple>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/// GPUs of the plans.
constexpr uint32_t TURN_GPUS = 8;

/// A model.
constexpr const char* TURN_MODEL = "gpt2-xl:gradients=half,layers=8,hidden=512,heads=8,feedForward="
                                   "2048,vocabulary=1024,sequence=256";

/// Most that a price whose messages are followed may be off, as a share.
constexpr double EXACT = 1e-4;

/// A model whose gradients take longer to sum than an iteration to compute.
constexpr const char* LARGE_TURN_MODEL = "gpt2-xl:gradients=half,layers=8,hidden=1024,heads=8,"
                                         "feedForward=4096,vocabulary=1024,sequence=256";

} // namespace

/**
 * @ingroup lightpath-tests
 * @brief The test cases of prices of plans whose circuits follow operations, and of the choice.
 */
class TurnPlannerTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /**
     * Checks prices of plans on one switch.
     *
     * @param tensor GPUs of tensor parallelism
     * @param stages stages of a pipeline
     * @param experts whether the model has experts, shared out over all replicas
     * @param delay the switching delay, us
     */
    void TestPrice(uint32_t tensor, uint32_t stages, bool experts, uint32_t delay)
    {
        PlanningProblem problem = MakeStageProblem(
            experts ? "mixtral-8x7b:layers=1,sequence=512,gradients=half" : TURN_MODEL,
            TURN_GPUS,
            4 * TURN_GPUS);
        const auto fabric = MakeSwitch(delay);
        fabric->SetControllerAttribute("Trigger", StringValue("Operation"));
        problem.fabric = FabricDescription::Create(*fabric)->GetLimits(TURN_GPUS);
        const auto planner = CreateObject<FixedPlanner>();
        planner->SetAttribute("TensorParallel", UintegerValue(tensor));
        planner->SetAttribute("PipelineParallel", UintegerValue(stages));
        planner->SetAttribute("Microbatch", UintegerValue(2));
        planner->SetAttribute("ExpertParallel", UintegerValue(experts ? TURN_GPUS : 1));
        const TrainingPlan plan = planner->Plan(problem);
        NS_TEST_EXPECT_MSG_EQ(plan.turnCircuits, true, "On such a fabric for any plan");
        const double simulated = RunPlan(*fabric, plan, 3, true).GetSteadySeconds();
        NS_TEST_EXPECT_MSG_EQ_TOL(plan.predictedSeconds, simulated, EXACT * simulated, "Price");
    }

    /**
     * Checks the price of a pipeline whose GPUs have several stages each. A GPU sends to both
     * neighbours in turn, so that a second message finds its circuit taken away by the one that
     * asked before it.
     *
     * @param replicas the replicas
     * @param microbatches the microbatches of each
     */
    void TestInterleaved(uint32_t replicas, uint32_t microbatches)
    {
        constexpr uint32_t stages = 4;
        PlanningProblem problem =
            MakeStageProblem(TURN_MODEL, stages * replicas, replicas * microbatches);
        const auto fabric = MakeSwitch(25000);
        fabric->SetControllerAttribute("Trigger", StringValue("Operation"));
        problem.fabric = FabricDescription::Create(*fabric)->GetLimits(stages * replicas);
        const auto planner = CreateObject<FixedPlanner>();
        planner->SetAttribute("PipelineParallel", UintegerValue(stages));
        planner->SetAttribute("VirtualStages", UintegerValue(2));
        planner->SetAttribute("Microbatch", UintegerValue(1));
        const TrainingPlan plan = planner->Plan(problem);
        const double simulated = RunPlan(*fabric, plan, 3, true).GetSteadySeconds();
        NS_TEST_EXPECT_MSG_EQ_TOL(plan.predictedSeconds, simulated, EXACT * simulated, "Price");
    }

    /// Checks prices of plans on rails of servers.
    void TestRails()
    {
        PlanningProblem problem = MakeStageProblem(TURN_MODEL, 2 * TURN_GPUS, 4 * TURN_GPUS);
        auto rail = std::make_unique<PhotonicRailsHelper>();
        rail->SetChannelAttribute("SwitchingDelay", TimeValue(MicroSeconds(300)));
        ServerHelper servers(std::move(rail));
        servers.SetServers(4, DataRate("3600Gbps"));
        servers.SetAttach(Attach::RAIL);
        servers.SetBandwidth(DataRate("400Gbps"));
        problem.fabric = FabricDescription::Create(servers)->GetLimits(2 * TURN_GPUS);
        for (const auto& [tensor, stages] : {std::pair(4, 2), std::pair(2, 2)})
        {
            const auto planner = CreateObject<FixedPlanner>();
            planner->SetAttribute("TensorParallel", UintegerValue(tensor));
            planner->SetAttribute("PipelineParallel", UintegerValue(stages));
            planner->SetAttribute("Microbatch", UintegerValue(2));
            const TrainingPlan plan = planner->Plan(problem);
            const double simulated = RunPlan(servers, plan, 3, true).GetSteadySeconds();
            NS_TEST_EXPECT_MSG_EQ_TOL(plan.predictedSeconds,
                                      simulated,
                                      EXACT * simulated,
                                      "Tensor " << tensor << ", stages " << stages);
        }
    }

    /// Checks the price of experts over four servers on rails: each rail turns for each distance.
    void TestRailExperts()
    {
        PlanningProblem problem =
            MakeStageProblem("mixtral-8x7b:layers=1,sequence=512,gradients=half",
                             TURN_GPUS,
                             4 * TURN_GPUS);
        auto rail = std::make_unique<PhotonicRailsHelper>();
        rail->SetChannelAttribute("SwitchingDelay", TimeValue(MilliSeconds(10)));
        ServerHelper servers(std::move(rail));
        servers.SetServers(2, DataRate("3600Gbps"));
        servers.SetAttach(Attach::RAIL);
        servers.SetBandwidth(DataRate("400Gbps"));
        problem.fabric = FabricDescription::Create(servers)->GetLimits(TURN_GPUS);
        const auto planner = CreateObject<FixedPlanner>();
        planner->SetAttribute("ExpertParallel", UintegerValue(TURN_GPUS));
        const TrainingPlan plan = planner->Plan(problem);
        const double simulated = RunPlan(servers, plan, 3, true).GetSteadySeconds();
        NS_TEST_EXPECT_MSG_EQ_TOL(plan.predictedSeconds, simulated, EXACT * simulated, "Price");
        NS_TEST_EXPECT_MSG_GT(simulated,
                              4 * 3 * 10e-3,
                              "Three distances in each of four exchanges");
    }

    /**
     * Checks the price of experts that few GPUs of a server hold, in two stages: their replicas,
     * and those of all other parameters, are rings that meet at different ports.
     *
     * @param planes the planes of a rail
     * @param shares whether the GPUs of a server share one port, or have a rail each
     */
    void TestStagesOfExperts(uint32_t planes, bool shares)
    {
        constexpr uint32_t stages = 2;
        PlanningProblem problem =
            MakeStageProblem("mixtral-8x7b:layers=2,sequence=512,gradients=half",
                             4 * TURN_GPUS,
                             8 * TURN_GPUS);
        auto rail = std::make_unique<PhotonicRailsHelper>();
        rail->SetNSwitches(planes);
        rail->SetChannelAttribute("SwitchingDelay", TimeValue(MilliSeconds(1)));
        ServerHelper servers(std::move(rail));
        servers.SetServers(TURN_GPUS, DataRate("3600Gbps"));
        servers.SetAttach(shares ? Attach::SERVER : Attach::RAIL);
        servers.SetBandwidth(DataRate("400Gbps"));
        problem.fabric = FabricDescription::Create(servers)->GetLimits(4 * TURN_GPUS);
        const auto planner = CreateObject<FixedPlanner>();
        planner->SetAttribute("PipelineParallel", UintegerValue(stages));
        planner->SetAttribute("ExpertParallel", UintegerValue(TURN_GPUS / 2));
        planner->SetAttribute("Microbatch", UintegerValue(2));
        const TrainingPlan plan = planner->Plan(problem);
        const double simulated = RunPlan(servers, plan, 3, true).GetSteadySeconds();
        NS_TEST_EXPECT_MSG_EQ_TOL(plan.predictedSeconds, simulated, EXACT * simulated, "Price");
    }

    /**
     * Checks that the planner lets circuits follow operations where this is faster, and nowhere
     * else: both plans are simulated.
     *
     * @param delay the switching delay, us
     * @param turns whether it should
     */
    void TestChoice(uint32_t delay, bool turns)
    {
        PlanningProblem problem = MakeStageProblem(LARGE_TURN_MODEL, TURN_GPUS, 4 * TURN_GPUS);
        const auto fabric = MakeSwitch(delay);
        fabric->SetBandwidth(DataRate("25Gbps"));
        const auto planner = CreateObject<SearchPlanner>();
        planner->SetAttribute("MaxEvaluations", UintegerValue(150));
        problem.fabric = FabricDescription::Create(*fabric)->GetLimits(TURN_GPUS);
        NS_TEST_EXPECT_MSG_EQ(problem.fabric.canTurn, true, "Switches can");
        const TrainingPlan chosen = planner->Plan(problem);
        NS_TEST_EXPECT_MSG_EQ(chosen.turnCircuits, turns, "Delay " << delay << " us");
        // The best plan of those without turns, or of those with turns that cost nothing
        PlanningProblem other = problem;
        other.fabric.canTurn = !turns;
        other.fabric.switchingSeconds = turns ? problem.fabric.switchingSeconds : 1e-6;
        const TrainingPlan declined = planner->Plan(other);
        NS_TEST_EXPECT_MSG_EQ(declined.turnCircuits, !turns, "The other kind");
        const double seconds = RunPlan(*fabric, chosen, 3, true).GetSteadySeconds();
        NS_TEST_EXPECT_MSG_EQ_TOL(chosen.predictedSeconds, seconds, EXACT * seconds, "Price");
        NS_TEST_EXPECT_MSG_LT(seconds,
                              RunPlan(*fabric, declined, 3, true).GetSteadySeconds(),
                              "The faster one");
        NS_TEST_EXPECT_MSG_LT_OR_EQ(chosen.lowerBoundSeconds, chosen.predictedSeconds, "Bound");
    }

  private:
    /**
     * @param delay the switching delay, us
     * @return one switch that serves one peer at a time
     */
    static std::unique_ptr<SipOcsHelper> MakeSwitch(uint32_t delay)
    {
        auto fabric = std::make_unique<SipOcsHelper>();
        fabric->SetNSwitches(1);
        fabric->SetBandwidth(DataRate("100Gbps"));
        fabric->DisableFlowControl();
        fabric->SetChannelAttribute("SwitchingDelay", TimeValue(MicroSeconds(delay)));
        return fabric;
    }
};

/// Registers the test cases
static const SuiteCases g_turnPlannerCases(
    "lightpath-turns",
    {MakeCases("Turns: price by tensor, stages, experts and delay (us)",
               &TurnPlannerTests::TestPrice,
               {{1, 1, false, 100},
                {2, 1, false, 10},
                {1, 4, false, 10},
                {1, 4, false, 1000},
                {2, 2, false, 100},
                {1, 1, true, 10},
                {1, 1, true, 1000}}),
     MakeCases("Turns: price of several stages a GPU by replicas and microbatches",
               &TurnPlannerTests::TestInterleaved,
               {{1, 8}, {2, 4}, {2, 8}}),
     {MakeCase("Turns: price on rails", &TurnPlannerTests::TestRails),
      MakeCase("Turns: price of experts on rails", &TurnPlannerTests::TestRailExperts)},
     MakeCases("Turns: price of experts in stages by planes, and whether servers have one port",
               &TurnPlannerTests::TestStagesOfExperts,
               {{1, false}, {2, false}, {2, true}}),
     MakeCases("Turns: choice by delay (us)",
               &TurnPlannerTests::TestChoice,
               {{1, true}, {20000, false}})});
