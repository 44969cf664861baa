/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "expect-error.h"
#include "fold-tests.h"
#include "helper/mltrain/folded-rails.h"
#include "method-case.h"
#include "model/plan/message-merger.h"
#include "model/plan/single-rail.h"
#include "server-fixture.h"
#include "stage-tests.h"

#include "ns3/fabric-description.h"
#include "ns3/fixed-planner.h"
#include "ns3/integer.h"
#include "ns3/planning-problem.h"
#include "ns3/random-variable-stream.h"
#include "ns3/rotor-helper.h"
#include "ns3/string.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::lightpath;

/**
 * @ingroup lightpath-tests
 * @brief Tests of plans of which a few rails stand for all, with all their ports.
 *
 * The ranks that are kept begin and end each iteration at the same tick as in the full plan, and so
 * do those that they stand for.
 */
class FoldedRailsTests : public FoldTestCase
{
  public:
    using FoldTestCase::FoldTestCase;

    /**
     * Folds drawn jobs on drawn fabrics, on which each port has a place of its own.
     */
    void TestDrawn()
    {
        constexpr uint32_t nJobs = 60;
        std::map<std::string, uint32_t> nFolded;
        uint32_t nAcross = 0;
        for (uint32_t number = 0; number < nJobs; ++number)
        {
            const Job job = Draw();
            const auto whole = MakeRails(job, job.serverGpus);
            if (!whole->Check(job.gpus).empty())
            {
                continue;
            }
            std::optional<TrainingPlan> plan;
            std::optional<PlanFolder> folder;
            GetError([&]() {
                plan = MakePlan(job, *whole);
                folder = FoldedRails::Fold(*plan, whole->GetLayout(job.gpus));
            });
            if (!folder)
            {
                continue;
            }
            std::string label = "job " + std::to_string(number) + " on " + job.kind + " of " +
                                std::to_string(job.gpus) + " by " + std::to_string(job.serverGpus);
            for (const auto& [name, value] : job.settings)
            {
                label.append(" ").append(name).append("=").append(value);
            }
            const auto few = MakeRails(job, folder->GetServerGpus());
            NS_TEST_EXPECT_MSG_EQ(folder->GetPlan().programs.size() * job.serverGpus,
                                  job.gpus * folder->GetServerGpus(),
                                  label << ": all servers are kept");
            Compare(label, *plan, *whole, *folder, *few);
            ++nFolded[job.kind];
            nAcross += plan->strategy.tensorParallel < job.serverGpus ? 1 : 0;
        }
        for (const auto& kind : GetKinds())
        {
            NS_TEST_EXPECT_MSG_GT(nFolded[kind], 1, "Some are folded on " << kind);
        }
        NS_TEST_EXPECT_MSG_GT(nAcross, nJobs / 20, "Of some, replicas share servers");
        NS_TEST_EXPECT_MSG_GT(m_nMerged, 0, "Of some, messages are merged");
    }

    /**
     * One of two rails that stand for all takes as long as both, also with merged messages and
     * where the switches of servers sum.
     */
    void TestSingle()
    {
        constexpr uint32_t nJobs = 40;
        uint32_t nSingle = 0;
        uint32_t nSummed = 0;
        for (uint32_t number = 0; number < nJobs; ++number)
        {
            Job job = Draw();
            job.reduces = number % 2 > 0;
            job.settings.emplace_back("SequenceParallel", number % 4 < 2 ? "true" : "false");
            const auto whole = MakeRails(job, job.serverGpus);
            std::optional<PlanFolder> folder;
            GetError([&]() {
                folder = FoldedRails::Fold(MakePlan(job, *whole), whole->GetLayout(job.gpus));
            });
            if (!folder)
            {
                continue;
            }
            TrainingPlan merged = folder->GetPlan();
            const bool isMerged = MessageMerger::Merge(merged);
            TrainingPlan single = merged;
            if (!SingleRail::Fold(single, folder->GetServerGpus(), job.gpus / job.serverGpus))
            {
                continue;
            }
            const std::string label = "job " + std::to_string(number) + " on " + job.kind;
            CompareSingle(label, job, folder->GetPlan(), single);
            CompareSingle(label + ", merged", job, merged, single);
            ++nSingle;
            nSummed += isMerged && job.reduces ? 1 : 0;
        }
        NS_TEST_EXPECT_MSG_GT(nSingle, nJobs / 5, "Of some, one rail stands for all");
        NS_TEST_EXPECT_MSG_GT(nSummed, 2, "Messages are merged where switches sum");
    }

    /**
     * Plans whose rails differ are refused in one sentence.
     */
    void TestRefusals()
    {
        Job job{"oddl", 16, 8, {{"TensorParallel", "4"}, {"PipelineParallel", "4"}}};
        const auto rails = MakeRails(job, 8);
        TrainingPlan plan = MakePlan(job, *rails);
        const auto fold = [&]() { FoldedRails::Fold(plan, rails->GetLayout(16)); };
        EXPECT_PART(GetError(fold), "reaches GPU 12 over the card of another GPU");
        job.serverGpus = 2;
        job.settings = {{"TensorParallel", "2"}};
        const auto pairs = MakeRails(job, 2);
        plan = MakePlan(job, *pairs);
        EXPECT_PART(GetError([&]() { FoldedRails::Fold(plan, pairs->GetLayout(16)); }),
                    "All 2 GPUs of a server are kept");
        // Four GPUs in four of eight servers are as many as two in all of them
        job = {"sip-ocs", 64, 8, {{"TensorParallel", "4"}, {"PipelineParallel", "2"}}};
        PlanFolder folder(MakePlan(job, *MakeRails(job, 8)), 8);
        NS_TEST_ASSERT_MSG_EQ(folder.GetServerGpus(), 4, "GPUs of a server");
        TrainingPlan folded = folder.GetPlan();
        NS_TEST_ASSERT_MSG_EQ(folded.programs.size(), 16, "GPUs");
        NS_TEST_EXPECT_MSG_EQ(SingleRail::Fold(folded, 4, 8), false, "More than two of a server");
    }

  private:
    /// A job.
    struct Job
    {
        std::string kind;                                          //!< Name of the fabric
        uint32_t gpus{0};                                          //!< GPUs
        uint32_t serverGpus{1};                                    //!< GPUs of a server
        std::vector<std::pair<std::string, std::string>> settings; //!< Settings of the planner
        bool reduces{false}; //!< Whether the switches of servers sum
    };

    /**
     * Compare two rails that stand for all with one of them: GPUs do the same at the same times,
     * and wait for the same reasons.
     *
     * @param label what is simulated
     * @param job the job
     * @param both the plan of two rails
     * @param single the plan of one
     */
    void CompareSingle(const std::string& label,
                       const Job& job,
                       const TrainingPlan& both,
                       const TrainingPlan& single)
    {
        const Time launch = NanoSeconds(2700);
        const Records two = CarryOut(both, *MakeRails(job, 2), 2, launch);
        const Records one = CarryOut(single, *MakeRails(job, 1), 2, launch);
        NS_TEST_EXPECT_MSG_EQ(2 * one.size(), two.size(), label << ": one GPU of two");
        for (uint32_t rank = 0; rank < two.size(); ++rank)
        {
            for (uint32_t i = 0; i < 2; ++i)
            {
                const IterationRecord& record = one[rank / 2].at(i);
                const IterationRecord& other = two[rank].at(i);
                NS_TEST_EXPECT_MSG_EQ(record.begin, other.begin, label << ", begin of " << rank);
                NS_TEST_EXPECT_MSG_EQ(record.end, other.end, label << ", end of " << rank);
                NS_TEST_EXPECT_MSG_EQ(record.compute, other.compute, label << ", compute");
                NS_TEST_EXPECT_MSG_EQ((record.waits == other.waits), true, label << ", waits");
            }
        }
    }

    /**
     * @return the names of the fabrics, of two for a hybrid
     */
    static std::vector<std::string> GetKinds()
    {
        return {"oddl",
                "sip-ring",
                "sip-ocs",
                "torus",
                "rotornet",
                "sirius",
                "leaf-spine-flows",
                "sip-ring+electrical"};
    }

    /**
     * @return a job
     */
    Job Draw()
    {
        const auto draw = [this](const std::vector<uint32_t>& values) {
            return values[m_random->GetInteger(0, values.size() - 1)];
        };
        Job job;
        const auto kinds = GetKinds();
        job.kind = kinds[m_random->GetInteger(0, kinds.size() - 1)];
        job.serverGpus = draw({4, 4, 8});
        job.gpus = job.serverGpus * draw({4, 8, 16});
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
            {"TensorAlgorithm", draw({0, 1}) > 0 ? "Direct" : "Automatic"},
            {"VirtualStages", std::to_string(draw({1, 1, 2}))},
            {"ZeroStage", std::to_string(draw({0, 1, 1}))},
            {"BucketBytes", std::to_string(draw({50000, 500000}))},
            {"DataAlgorithm", algorithms[m_random->GetInteger(0, algorithms.size() - 1)]}};
        return job;
    }

    /**
     * @param job a job
     * @param serverGpus the GPUs of a server that are simulated
     * @return its servers and rails
     */
    static std::unique_ptr<ServerHelper> MakeRails(const Job& job, uint32_t serverGpus)
    {
        auto outside = MakeOutside(job.kind);
        if (auto* const rotors = dynamic_cast<RotorHelper*>(outside.get()))
        {
            // A discipline that draws ports draws other ones on each rail
            rotors->SetDiscipline("balanced");
            rotors->SetNUplinks(2);
        }
        auto servers = std::make_unique<ServerHelper>(std::move(outside));
        servers->SetServers(serverGpus, DataRate("840Gbps"), NanoSeconds(INSIDE_DELAY));
        servers->SetBandwidth(DataRate("8Gbps"));
        servers->SetAttach(Attach::RAIL);
        servers->SetReduces(job.reduces);
        return servers;
    }

    /**
     * @param job a job
     * @param fabric its fabric
     * @return its plan
     */
    static TrainingPlan MakePlan(const Job& job, const InterconnectHelper& fabric)
    {
        PlanningProblem problem =
            MakeStageProblem("transformer:layers=4,hidden=128,heads=8,feedForward=256,sequence=64,"
                             "vocabulary=256,positions=64",
                             job.gpus,
                             job.gpus);
        problem.fabric = FabricDescription::Create(fabric)->GetLimits(job.gpus);
        problem.placement = "linear";
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
MakeFoldedRailsTests()
{
    using T = FoldedRailsTests;
    return {new MethodCase<T>("Folded rails with all ports", &T::TestDrawn),
            new MethodCase<T>("One rail of two", &T::TestSingle),
            new MethodCase<T>("Rails that differ are not folded", &T::TestRefusals)};
}

/// Registers the test cases
static const SuiteCases g_foldedRailsCases("lightpath-fold", {MakeFoldedRailsTests()});
