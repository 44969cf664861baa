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

#include "ns3/double.h"
#include "ns3/fabric-description.h"
#include "ns3/fixed-planner.h"
#include "ns3/integer.h"
#include "ns3/planning-problem.h"
#include "ns3/random-variable-stream.h"
#include "ns3/string.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::lightpath;

/**
 * @ingroup lightpath-tests
 * @brief Tests of plans on fibre rings of which three positions of a group stand for all.
 *
 * A turn of the ring by the ports of a replica changes nothing. The ranks that are kept, on a
 * shorter ring, begin and end each iteration at the same tick as in the full plan.
 */
class FoldedRingTests : public FoldTestCase
{
  public:
    using FoldTestCase::FoldTestCase;

    /**
     * Folds drawn jobs.
     */
    void TestDrawn()
    {
        constexpr uint32_t nJobs = 50;
        uint32_t nFolded = 0;
        uint32_t nServers = 0;
        uint32_t nStages = 0;
        uint32_t nPlaced = 0;
        uint32_t nRefused = 0;
        for (uint32_t number = 0; number < nJobs; ++number)
        {
            const Job job = Draw();
            const auto whole = MakeRing(job.serverGpus);
            std::optional<TrainingPlan> plan;
            std::optional<PlanFolder> folder;
            const std::string refusal = GetError([&]() {
                plan = MakePlan(job, *whole);
                const PlanFolder three(*plan, job.serverGpus, 1, 3);
                const auto few = static_cast<uint32_t>(three.GetPlan().programs.size());
                FoldedCircuits::Check(
                    *plan,
                    FabricDescription::Create(*whole)->GetLimits(job.gpus),
                    three,
                    FabricDescription::Create(*MakeRing(three.GetServerGpus()))->GetLimits(few));
                folder = three;
            });
            if (!folder || folder->GetPlan().programs.size() == job.gpus)
            {
                nRefused += refusal.find("other rates or delays") != std::string::npos ? 1 : 0;
                continue;
            }
            std::string label = "job " + std::to_string(number) + " of " +
                                std::to_string(job.gpus) + " by " + std::to_string(job.serverGpus) +
                                " placed " + job.placement;
            for (const auto& [name, value] : job.settings)
            {
                label.append(" ").append(name).append("=").append(value);
            }
            Compare(label, *plan, *whole, *folder, *MakeRing(folder->GetServerGpus()));
            ++nFolded;
            nServers += job.serverGpus > 1 ? 1 : 0;
            nStages += plan->strategy.pipelineParallel > 1 ? 1 : 0;
            nPlaced += plan->placement.IsLinear() ? 0 : 1;
        }
        NS_TEST_EXPECT_MSG_GT(nFolded, nJobs / 8, "Many are folded");
        NS_TEST_EXPECT_MSG_GT(nServers, nJobs / 12, "Many of these have servers");
        NS_TEST_EXPECT_MSG_GT(nStages, nJobs / 12, "Many of these have stages");
        NS_TEST_EXPECT_MSG_GT(nPlaced, nJobs / 12, "Many of these are placed in another order");
        NS_TEST_EXPECT_MSG_GT(nRefused, 0, "Some have other circuits on a shorter ring");
    }

    /**
     * A placement that takes servers apart is refused, and another one is kept.
     */
    void TestPlacements()
    {
        Job job{16, 4, "tp,pp,dp", {{"TensorParallel", "4"}, {"PipelineParallel", "2"}}};
        TrainingPlan plan = MakePlan(job, *MakeRing(4));
        const PlanFolder folder(plan, 4);
        // Two of four parts, both replicas, both stages: the order of the servers stays
        const std::vector<uint32_t> ports{0, 1, 4, 5, 2, 3, 6, 7};
        NS_TEST_EXPECT_MSG_EQ((folder.GetPlan().placement.GetPorts() == ports), true, "Ports");
        // Around a ring each has the others as the next and the previous member
        job = {8, 1, "linear", {{"DataAlgorithm", "Ring"}}};
        const PlanFolder ring(MakePlan(job, *MakeRing(1)), 1, 1, 3);
        NS_TEST_EXPECT_MSG_EQ(ring.FindTwin(0, 7, DATA_GROUP), 2, "previous of the first");
        NS_TEST_EXPECT_MSG_EQ(ring.FindTwin(2, 3, DATA_GROUP), 0, "next of the last");
        NS_TEST_EXPECT_MSG_EQ(ring.FindTwin(2, 1, DATA_GROUP), 1, "previous of the last");
        std::vector<uint32_t> apart = plan.placement.GetPorts();
        std::swap(apart[1], apart[2]);
        plan.placement = Placement(apart);
        EXPECT_PART(GetError([&]() { PlanFolder(plan, 4); }), "takes the ranks of a server apart");
    }

  private:
    /// A job.
    struct Job
    {
        uint32_t gpus{0};                                          //!< GPUs
        uint32_t serverGpus{1};                                    //!< GPUs of a server
        std::string placement;                                     //!< Order of the axes
        std::vector<std::pair<std::string, std::string>> settings; //!< Settings of the planner
    };

    /**
     * @return a job
     */
    Job Draw()
    {
        const auto draw = [this](const std::vector<uint32_t>& values) {
            return values[m_random->GetInteger(0, values.size() - 1)];
        };
        const std::vector<std::string> orders{"linear", "tp,pp,dp", "tp,pp,dp", "pp,tp,dp"};
        Job job;
        job.serverGpus = draw({1, 4});
        job.gpus = draw({24, 32, 48});
        job.placement = orders[draw({0, 1, 2, 3})];
        job.settings = {
            {"Microbatch", "1"},
            {"TensorParallel", std::to_string(job.serverGpus > 1 ? 4 : draw({1, 1, 2}))},
            {"PipelineParallel", std::to_string(draw({1, 2, 4}))},
            {"VirtualStages", std::to_string(draw({1, 1, 1, 2}))},
            {"ZeroStage", std::to_string(draw({0, 1, 1}))},
            {"BucketBytes", std::to_string(draw({50000, 500000}))},
            {"DataAlgorithm", "Ring"}};
        return job;
    }

    /**
     * @param serverGpus the GPUs of a server, 1 for none
     * @return a ring, or one for each GPU of a server
     */
    static std::unique_ptr<InterconnectHelper> MakeRing(uint32_t serverGpus)
    {
        // Delays differ by the segments of a lightpath
        auto ring = MakeFabric("sip-ring");
        ring->SetChannelAttribute("NodeDistance", DoubleValue(20));
        if (serverGpus == 1)
        {
            return ring;
        }
        auto servers = std::make_unique<ServerHelper>(std::move(ring));
        servers->SetServers(serverGpus, DataRate("840Gbps"), NanoSeconds(INSIDE_DELAY));
        servers->SetBandwidth(DataRate("8Gbps"));
        servers->SetAttach(Attach::RAIL);
        return servers;
    }

    /**
     * @param job a job
     * @param fabric its fabric
     * @return its plan
     */
    static TrainingPlan MakePlan(const Job& job, const InterconnectHelper& fabric)
    {
        // Sizes that all groups divide
        PlanningProblem problem =
            MakeStageProblem("transformer:layers=8,hidden=96,heads=12,feedForward=384,sequence=48,"
                             "vocabulary=960,positions=48",
                             job.gpus,
                             2 * job.gpus);
        problem.fabric = FabricDescription::Create(fabric)->GetLimits(job.gpus);
        problem.placement = job.placement;
        const auto planner = CreateObject<FixedPlanner>();
        for (const auto& [attribute, value] : job.settings)
        {
            planner->SetAttribute(attribute, StringValue(value));
        }
        return planner->TryPlan(problem);
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
MakeFoldedRingTests()
{
    using T = FoldedRingTests;
    return {new MethodCase<T>("Folded around rings", &T::TestDrawn),
            new MethodCase<T>("Placements of folded plans", &T::TestPlacements)};
}

/// Registers the test cases
static const SuiteCases g_foldedRingCases("lightpath-fold", {MakeFoldedRingTests()});
