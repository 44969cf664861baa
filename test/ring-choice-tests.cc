/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "interconnect-job.h"
#include "method-case.h"
#include "planner-job.h"

#include "ns3/data-rate.h"
#include "ns3/fabric-description.h"
#include "ns3/fixed-planner.h"
#include "ns3/interconnect-helper.h"
#include "ns3/server-helper.h"
#include "ns3/server-layout.h"
#include "ns3/sip-ring-helper.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

using namespace ns3;
using namespace ns3::lightpath;

/**
 * @ingroup lightpath-tests
 * @brief The test cases of how planners use a ring: directions of sums, and shares of wavelengths.
 */
class RingChoiceTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /// Compares the planner's choice with all others, by price and simulation.
    void TestDirections()
    {
        SipRingHelper ring;
        ring.SetBandwidth(DataRate("250Gbps"));
        PlanningProblem problem = MakeProblem("bert-large:layers=4", "A100", 8, 64, ring);
        uint32_t nGains = 0;
        for (const auto& [tensor, stages] :
             {std::pair(2U, 1U), std::pair(1U, 2U), std::pair(4U, 1U), std::pair(8U, 1U)})
        {
            const auto planner = CreateObject<FixedPlanner>();
            planner->SetAttribute("TensorParallel", UintegerValue(tensor));
            planner->SetAttribute("PipelineParallel", UintegerValue(stages));
            const double chosen = planner->TryPlan(problem).predictedSeconds;
            const double simulated = GetSimulated(ring, planner->TryPlan(problem));
            NS_TEST_EXPECT_MSG_EQ_TOL(chosen, simulated, 0.02 * simulated, tensor << stages);
            const uint32_t replicas = problem.gpus / tensor / stages;
            double slowest = 0;
            for (uint32_t data = 1; data <= (replicas > 2 ? 2 : 1); ++data)
            {
                for (uint32_t within = 1; within <= (tensor > 2 ? 2 : 1); ++within)
                {
                    SetRings(planner, "Data", data);
                    SetRings(planner, "Tensor", within);
                    const TrainingPlan given = planner->TryPlan(problem);
                    const double seconds = GetSimulated(ring, given);
                    NS_TEST_EXPECT_MSG_LT_OR_EQ(chosen, given.predictedSeconds * 1.001, data);
                    NS_TEST_EXPECT_MSG_LT_OR_EQ(simulated, seconds * 1.001, data << within);
                    slowest = std::max(slowest, seconds);
                }
            }
            nGains += simulated < 0.95 * slowest ? 1 : 0;
        }
        NS_TEST_EXPECT_MSG_EQ(nGains, 2, "Stages, and tensor parallelism alone, need both ways");
    }

    /// Splits the rate of a GPU into more and more wavelengths, which can do what fewer did.
    void TestWavelengths()
    {
        PlanningProblem problem = MakeProblem("bert-large:layers=4", "A100", 16, 64);
        const auto planner = CreateObject<FixedPlanner>();
        planner->SetAttribute("TensorParallel", UintegerValue(2));
        planner->SetAttribute("PipelineParallel", UintegerValue(2));
        planner->SetAttribute("Microbatch", UintegerValue(2));
        double fewer = std::numeric_limits<double>::infinity();
        for (const std::string rate : {"50Gbps", "25Gbps", "12.5Gbps", "6.25Gbps", "3.125Gbps"})
        {
            SipRingHelper ring;
            ring.SetBandwidth(DataRate("500Gbps"));
            ring.SetWavelengthRate(DataRate(rate));
            problem.fabric = FabricDescription::Create(ring)->GetLimits(problem.gpus);
            const double seconds = GetSimulated(ring, planner->TryPlan(problem));
            NS_TEST_EXPECT_MSG_LT_OR_EQ(seconds, fewer * 1.001, rate);
            fewer = seconds;
        }
    }

    /// Where experts are exchanged, too, sums across servers go both ways round the rings of rails.
    void TestServers()
    {
        ServerHelper fabric(InterconnectHelper::Create("sip-ring"));
        fabric.SetServers(4, DataRate("2400Gbps"), Time(0));
        fabric.SetAttach(Attach::RAIL);
        fabric.SetBandwidth(DataRate("400Gbps"));
        PlanningProblem problem =
            MakeProblem("mixtral-8x7b:layers=1,attention=fused", "H100", 32, 32, fabric);
        const auto planner = CreateObject<FixedPlanner>();
        planner->SetAttribute("TensorParallel", UintegerValue(4));
        planner->SetAttribute("ExpertParallel", UintegerValue(8));
        const TrainingPlan chosen = planner->TryPlan(problem);
        Strategy given = chosen.strategy;
        NS_TEST_EXPECT_MSG_NE(given.Describe().find(", 2 rings across servers"),
                              std::string::npos,
                              given.Describe());
        given.acrossAlgorithm = CollectiveAlgorithm::RING;
        planner->SetStrategy(given);
        const TrainingPlan one = planner->TryPlan(problem);
        NS_TEST_EXPECT_MSG_LT(chosen.predictedSeconds, 0.7 * one.predictedSeconds, "both ways");
        for (const auto& plan : {chosen, one})
        {
            const double seconds = RunPlan(fabric, plan, 2).GetSteadySeconds();
            NS_TEST_EXPECT_MSG_EQ_TOL(plan.predictedSeconds, seconds, 0.02 * seconds, "simulated");
        }
    }

  private:
    /**
     * @param planner a planner
     * @param groups Data or Tensor
     * @param rings the rings along which these groups sum
     */
    static void SetRings(Ptr<FixedPlanner> planner, const std::string& groups, uint32_t rings)
    {
        planner->SetAttribute(groups + "Algorithm", StringValue(rings > 1 ? "MultiRing" : "Ring"));
        planner->SetAttribute(groups + "Rings", UintegerValue(rings));
    }

    /**
     * @param ring the fabric
     * @param plan a plan
     * @return the time of its last iteration, in seconds
     */
    static double GetSimulated(const SipRingHelper& ring, const TrainingPlan& plan)
    {
        return Simulate(ring, plan, 3).back().GetSeconds();
    }
};

/// Registers the test cases
static const SuiteCases g_ringChoiceCases(
    "lightpath-planner",
    {{MakeCase("Groups sum both ways round a ring where that is faster",
               &RingChoiceTests::TestDirections),
      MakeCase("More wavelengths of the same rate in all are not slower",
               &RingChoiceTests::TestWavelengths),
      MakeCase("Sums across servers go both ways round", &RingChoiceTests::TestServers)}});
