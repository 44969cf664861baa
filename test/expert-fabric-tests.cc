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

#include "ns3/collective-schedule.h"
#include "ns3/fabric-description.h"
#include "ns3/fabric-helper.h"
#include "ns3/node-container.h"
#include "ns3/plan-folder.h"
#include "ns3/planning-problem.h"
#include "ns3/simulator.h"
#include "ns3/training-helper.h"
#include "ns3/training-report.h"
#include "ns3/uinteger.h"

using namespace ns3;
using namespace ns3::lightpath;

/**
 * @ingroup lightpath-tests
 * @brief The test cases of experts on fabrics.
 */
class ExpertFabricTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /// Simulates a small mixture of experts and counts its traffic.
    void TestSimulation()
    {
        for (const std::string fabric : {"electrical", "sip-ocs"})
        {
            Try(fabric, MakeExpertStrategy(4, 2));
            Try(fabric, MakeExpertStrategy(4, 4));
            Try(fabric, MakeExpertStrategy(2, 2, 2));
            Try(fabric, MakeExpertStrategy(2, 2, 1, 2));
        }
    }

    /**
     * Tries strategies whose experts cannot be shared out, and uses of plans that shared-out
     * experts rule out.
     */
    void TestRefusal()
    {
        const PlanningProblem problem = MakeExpertProblem(12, 24);
        TryRefusal(problem, MakeExpertStrategy(12, 4), {});
        TryRefusal(problem, MakeExpertStrategy(12, 3), {"is 3", "12 replicas", "8 experts"});
        TryRefusal(problem, MakeExpertStrategy(12, 8), {"is 8", "8 experts of a layer"});
        TryRefusal(problem, MakeExpertStrategy(12, 12), {"is 12", "must divide"});
        TryRefusal(problem, MakeExpertStrategy(12, 0), {"is 0", "must divide"});
        TryRefusal(problem, MakeExpertStrategy(6, 4, 2), {"6 replicas", "8 experts"});
        PlanningProblem plain = MakeStageProblem("gpt2-xl:layers=2", 4, 4);
        TryRefusal(plain, MakeExpertStrategy(4, 1), {});
        TryRefusal(plain,
                   MakeExpertStrategy(4, 2),
                   {"ExpertParallel is 2", "no experts", "must be 1"});

        const TrainingPlan plan = PlanBuilder(problem).Build(MakeExpertStrategy(12, 4));
        // All four that share out experts, and two of three copies
        NS_TEST_EXPECT_MSG_EQ(PlanFolder(plan).GetPlan().programs.size(), 8, "Folded");

        // Half of the experts are enough to fit
        PlanningProblem full = MakeExpertProblem(4, 4);
        const PlanBuilder builder(full);
        full.accelerator.memoryBytes =
            builder.GetMemory(MakeExpertStrategy(4, 2)).front().GetTotal();
        TryRefusal(full, MakeExpertStrategy(4, 2), {});
        TryRefusal(full, MakeExpertStrategy(4, 1), {"too little", "use ZeroStage=1"});
    }

  private:
    /**
     * @param name the name of the fabric
     * @param strategy a strategy of 4 GPUs
     */
    void Try(const std::string& name, const Strategy& strategy)
    {
        const auto fabric = FabricHelper::Create(name);
        PlanningProblem problem = MakeExpertProblem(4, 8);
        problem.fabric = FabricDescription::Create(*fabric)->GetLimits(4);
        const auto planner = CreateObject<FixedPlanner>();
        planner->SetAttribute("TensorParallel", UintegerValue(strategy.tensorParallel));
        planner->SetAttribute("PipelineParallel", UintegerValue(strategy.pipelineParallel));
        planner->SetAttribute("ExpertParallel", UintegerValue(strategy.expertParallel));
        const TrainingPlan plan = planner->Plan(problem);
        NodeContainer nodes;
        nodes.Create(4);
        const NetDeviceContainer devices = fabric->Install(nodes);
        TrainingHelper helper;
        helper.SetJobAttribute("Iterations", UintegerValue(1));
        helper.SetTransportAttribute("FrameSize", UintegerValue(0));
        const auto applications = helper.Install(plan, devices, fabric->CreateController(devices));
        Simulator::Run();
        const TrainingReport report(TrainingHelper::GetJob(applications),
                                    FabricHelper::GetChannel(devices));
        NS_TEST_ASSERT_MSG_EQ(report.iterationSeconds.size(), 1, "It ends");
        NS_TEST_EXPECT_MSG_EQ(report.bytesSent,
                              plan.GetTraffic().GetTotal() + HEADERS * CountMessages(plan),
                              name << " e " << strategy.expertParallel);
        Simulator::Destroy();
    }

    /**
     * @param plan a plan
     * @return the number of messages of all ranks
     */
    static uint64_t CountMessages(const TrainingPlan& plan)
    {
        uint64_t count = 0;
        std::vector<Transfer> sends;
        for (uint32_t rank = 0; rank < plan.programs.size(); ++rank)
        {
            for (const auto& task : plan.programs[rank]->GetTasks())
            {
                count += task.kind == TaskKind::SEND ? 1 : 0;
                if (task.kind != TaskKind::COLLECTIVE)
                {
                    continue;
                }
                const auto& groups = plan.groups[task.group];
                const auto schedule = CollectiveSchedule::Create(task.collective,
                                                                 groups.GetMembers(rank).size(),
                                                                 task.bytes,
                                                                 task.options);
                for (uint32_t step = 0; step < schedule->GetNSteps(); ++step)
                {
                    schedule->GetSends(groups.GetPosition(rank), step, sends);
                    count += sends.size();
                }
            }
        }
        return count;
    }

    /// Bytes of Ethernet and message header of a frame.
    static constexpr uint64_t HEADERS = 34;

    /**
     * @param problem the problem
     * @param strategy the strategy
     * @param parts parts of the expected sentence; none if there is a plan
     */
    void TryRefusal(const PlanningProblem& problem,
                    const Strategy& strategy,
                    const std::vector<std::string>& parts)
    {
        const auto build = [&]() { PlanBuilder(problem).Build(strategy); };
        NS_TEST_EXPECT_MSG_EQ(FindWrongError(build, parts), "", strategy.GetName());
    }
};

/// Registers the test cases
static const SuiteCases g_expertFabricCases(
    "lightpath-planner-experts",
    {{MakeCase("Simulated experts send the bytes of the closed form",
               &ExpertFabricTests::TestSimulation),
      MakeCase("Experts that cannot be shared out are refused in one sentence",
               &ExpertFabricTests::TestRefusal)}});
