/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "expect-error.h"
#include "helper/mltrain/shared-iterations.h"
#include "method-case.h"
#include "sharing-fixture.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/**
 * @ingroup lightpath-tests
 * @brief The test cases of jobs that own circuits, or weigh for them.
 */
class WeightedSharingTests : public SharingFixture
{
  public:
    using SharingFixture::SharingFixture;

    /**
     * A job whose circuits are its own does not feel another one: circuits that lie beside each
     * other on the same fibres, or slices of the fabric.
     *
     * @param fabric the name of the fabric
     */
    void TestOwnCircuits(std::string fabric)
    {
        Seed(4);
        for (uint32_t pair = 0; pair < 200; ++pair)
        {
            const auto jobs = DrawPair(fabric);
            const auto both = Run(fabric, jobs, true);
            for (uint32_t i = 0; i < 2; ++i)
            {
                m_firstSlice = i;
                const auto alone = Run(fabric, {jobs[i]}, true);
                m_firstSlice = 0;
                NS_TEST_EXPECT_MSG_EQ(both[i].records, alone[0].records, "Records of " << pair);
                NS_TEST_EXPECT_MSG_EQ(both[i].end, alone[0].end, "End of " << pair);
                NS_TEST_EXPECT_MSG_GT(both[i].end, jobs[i].begin, "It has ended");
            }
        }
    }

    /**
     * Jobs that own rows or columns of ODDL take, to the tick, what each takes alone.
     */
    void TestGrid()
    {
        Seed(8);
        for (uint32_t pair = 0; pair < 40; ++pair)
        {
            // A grid of 4 x 4 ports: each job has some of the rows, or some of the columns
            const bool isRows = m_random->GetInteger(0, 1) == 0;
            std::vector<uint32_t> lines{0, 1, 2, 3};
            for (uint32_t i = 3; i > 0; --i)
            {
                std::swap(lines[i], lines[m_random->GetInteger(0, i)]);
            }
            std::vector<SharingJob> jobs;
            for (uint32_t i = 0; i < 2; ++i)
            {
                std::vector<uint32_t> ports;
                for (uint32_t k = 0; k < 8; ++k)
                {
                    const uint32_t line = lines[2 * i + k / 4];
                    ports.push_back(isRows ? 4 * line + k % 4 : 4 * (k % 4) + line);
                }
                jobs.push_back(DrawJob(ports, 8, NanoSeconds(m_random->GetInteger(0, 40000))));
            }
            const auto both = RunGrid(jobs);
            for (uint32_t i = 0; i < 2; ++i)
            {
                const auto alone = RunGrid({jobs[i]});
                NS_TEST_EXPECT_MSG_EQ(both[i].records, alone[0].records, "Records of " << pair);
                NS_TEST_EXPECT_MSG_EQ(both[i].end, alone[0].end, "End of " << pair);
                NS_TEST_EXPECT_MSG_GT(both[i].end, jobs[i].begin, "It has ended");
            }
        }
    }

    /**
     * Two messages of 1 MB cross the same segments of a ring with 8 wavelengths of 1 Gb/s.
     *
     * @param weight the weight of the first job; the second has 1
     * @param first the time of the first job, us
     * @param second the time of the second job, us
     */
    void TestWeights(double weight, double first, double second)
    {
        SipRingHelper ring;
        ring.SetNFibres(1);
        ring.SetWavelengthRate(DataRate("1Gbps"));
        ring.SetBandwidth(DataRate("16Gbps"));
        ring.SetChannelAttribute("SwitchingDelay", StringValue("0s"));
        ring.SetAllocatorAttribute("MaxDistance", UintegerValue(3));
        NodeContainer nodes(8);
        const auto devices = ring.Install(nodes);
        const auto controller = ring.CreateController(devices);
        constexpr uint64_t bytes = 1000000;
        RankProgram sender;
        sender.AddTask(Message(TaskKind::SEND, 1, 0, bytes));
        RankProgram receiver;
        receiver.AddTask(Message(TaskKind::RECEIVE, 0, 0, bytes));
        std::vector<SharingOutcome> outcomes(2);
        TrainingHelper training;
        for (uint32_t i = 0; i < 2; ++i)
        {
            training.SetJobAttribute("Weight", DoubleValue(i == 0 ? weight : 1));
            Watch(training.Install(MakePlan({sender, receiver}),
                                   {devices.Get(i), devices.Get(i + 3)},
                                   controller),
                  outcomes[i]);
        }
        Simulator::Run();
        Simulator::Destroy();
        NS_TEST_EXPECT_MSG_EQ_TOL(outcomes[0].end.GetSeconds() * 1e6, first, 3, "First job");
        NS_TEST_EXPECT_MSG_EQ_TOL(outcomes[1].end.GetSeconds() * 1e6, second, 3, "Second job");
    }

    /**
     * The time of an iteration on the circuits that a job is granted, simulated alone, is that
     * beside the other jobs, with the controller.
     *
     * @param fabric the name of the fabric
     * @param component a component that has failed; empty for none
     */
    void TestGrants(std::string fabric, std::string component)
    {
        const auto helper = MakeFabric(fabric);
        auto& circuits = dynamic_cast<CircuitFabricHelper&>(*helper);
        circuits.SetControllerAttribute("Trigger", StringValue("Once"));
        // Each third port, so that the arcs of all jobs overlap
        std::vector<std::shared_ptr<const TrainingPlan>> plans;
        SharedIterations::Running running;
        for (uint32_t job = 0; job < 3; ++job)
        {
            RankProgram program;
            Task sum = Collective(CollectiveKind::ALL_REDUCE, 200000 + 150000 * job);
            sum.options.algorithm = CollectiveAlgorithm::RING;
            program.AddTask(sum, {program.AddTask(Compute(1e-5))});
            plans.push_back(
                std::make_shared<TrainingPlan>(MakePlan(std::vector<RankProgram>(4, program))));
            running.push_back({job, {job, job + 3, job + 6, job + 9}});
        }
        SharedIterations iterations(*helper, 12, TrainingHelper(), plans);
        NS_TEST_ASSERT_MSG_EQ(iterations.IsBypassing(), true, "Circuits are decided on once");
        if (!component.empty())
        {
            iterations.SetFailed(component, true);
        }
        const auto times = iterations.GetTimes(running);
        NS_TEST_EXPECT_MSG_EQ(iterations.GetNSimulations(), 3, "Each by itself");
        const auto together = Simulate(*helper, plans, running, component);
        for (uint32_t job = 0; job < 3; ++job)
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(times[job], together[job], 1e-12, "Job " << job);
        }
        const double alone = iterations.GetTimes({running[0]}).front();
        NS_TEST_EXPECT_MSG_EQ((alone < times[0]), (fabric == "sip-ring"), "Others take lanes");
    }

    /// Ports that a job cannot own are refused.
    void TestRefusals()
    {
        SipOcsHelper switches;
        switches.SetNSwitches(20);
        EXPECT_PART(switches.CheckSlices(3), "20 switches cannot be cut into 3 equal slices");
        EXPECT_PART(switches.CheckSlices(0), "cannot be cut into 0");
        EXPECT_PART(GetAbort([&] { switches.SetSlices(7); }), "their number must divide it");
        NS_TEST_EXPECT_MSG_EQ(switches.CheckSlices(4), "", "Five switches each");
        SipRingHelper ring;
        EXPECT_PART(ring.CheckSlices(1000), "wavelengths of a fibre cannot be cut into 1000");
        const auto whole = ring.GetBandwidth().GetBitRate();
        ring.SetSlices(2);
        NS_TEST_EXPECT_MSG_EQ(ring.GetBandwidth().GetBitRate(), whole / 2, "Half of it");
        NS_TEST_EXPECT_MSG_EQ(ring.Check(8), "", "It can be installed");
    }

  private:
    /**
     * @param jobs jobs on a grid of 4 x 4 ports
     * @return the outcome of each
     */
    std::vector<SharingOutcome> RunGrid(const std::vector<SharingJob>& jobs)
    {
        const auto helper = InterconnectHelper::Create("oddl");
        helper->SetBandwidth(DataRate("16Gbps"));
        NodeContainer nodes(16);
        const auto devices = helper->Install(nodes);
        std::vector<SharingOutcome> outcomes(jobs.size());
        std::vector<Ptr<TrainingJob>> running(jobs.size());
        TrainingHelper training;
        for (uint32_t i = 0; i < jobs.size(); ++i)
        {
            Simulator::Schedule(jobs[i].begin, [&, i] {
                NetDeviceContainer own;
                for (const uint32_t port : jobs[i].ports)
                {
                    own.Add(devices.Get(port));
                }
                training.SetJobAttribute("Iterations", UintegerValue(jobs[i].nIterations));
                const auto ranks = training.Install(jobs[i].plan, own, nullptr);
                running[i] = TrainingHelper::GetJob(ranks);
                Watch(ranks, outcomes[i]);
            });
        }
        Simulator::Stop(Seconds(2));
        Simulator::Run();
        for (uint32_t i = 0; i < jobs.size(); ++i)
        {
            Record(*running[i], jobs[i].begin, outcomes[i]);
        }
        Simulator::Destroy();
        return outcomes;
    }

    /**
     * Simulate jobs together, with the controller of their circuits.
     *
     * @param helper installs the fabric
     * @param plans the plan of each job
     * @param running the jobs and their ports
     * @param component a component that has failed; empty for none
     * @return the time of the second iteration of each, s
     */
    static std::vector<double> Simulate(
        const InterconnectHelper& helper,
        const std::vector<std::shared_ptr<const TrainingPlan>>& plans,
        const SharedIterations::Running& running,
        const std::string& component)
    {
        NodeContainer nodes(12);
        const auto devices = helper.Install(nodes);
        const auto controller = helper.CreateController(devices);
        if (!component.empty())
        {
            DynamicCast<FabricChannel>(devices.Get(0)->GetChannel())->SetFailed(component, true);
        }
        std::vector<std::vector<Time>> ends(running.size());
        TrainingHelper training;
        training.SetJobAttribute("Iterations", UintegerValue(1000));
        for (uint32_t i = 0; i < running.size(); ++i)
        {
            NetDeviceContainer own;
            for (const uint32_t port : running[i].ports)
            {
                own.Add(devices.Get(port));
            }
            TrainingHelper::GetJob(training.Install(*plans[i], own, controller))
                ->TraceConnectWithoutContext(
                    "IterationEnd",
                    Callback<void, uint32_t>([&ofJob = ends[i], &ends](uint32_t) {
                        ofJob.push_back(Simulator::Now());
                        if (std::all_of(ends.begin(), ends.end(), [](const auto& each) {
                                return each.size() > 1;
                            }))
                        {
                            Simulator::Stop();
                        }
                    }));
        }
        Simulator::Run();
        Simulator::Destroy();
        std::vector<double> times;
        for (const auto& each : ends)
        {
            times.push_back((each.at(1) - each.at(0)).GetSeconds());
        }
        return times;
    }
};

} // namespace

/// Registers the test cases
static const SuiteCases g_weightedSharingCases(
    "lightpath-shared-fabric",
    {{MakeCase("Jobs on rows and columns of their own do not feel each other",
               &WeightedSharingTests::TestGrid),
      MakeCase("What cannot be owned is refused", &WeightedSharingTests::TestRefusals)},
     MakeCases("A job does not feel others beside its own circuits",
               &WeightedSharingTests::TestOwnCircuits,
               {{"sip-ring-own"}, {"sip-ring-sliced"}, {"sip-ocs-sliced"}}),
     // 6 lanes and 2, and then all 8 for the rest; or 4 lanes each
     MakeCases("Circuits follow the weights of jobs",
               &WeightedSharingTests::TestWeights,
               {{3, 4000.0 / 3, 2000}, {1, 2000, 2000}}),
     MakeCases("A job takes on its circuits what it takes beside others",
               &WeightedSharingTests::TestGrants,
               {{"sip-ring", ""},
                {"sip-ocs", ""},
                {"sip-ring", "segment:4:cw"},
                {"sip-ocs", "port:3:4"}})});
