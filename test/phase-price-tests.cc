/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "expect-error.h"
#include "method-case.h"
#include "model/planner/price/lightpath-queue.h"
#include "planner-tests.h"
#include "stage-tests.h"

#include "ns3/circuit-fabric-helper.h"
#include "ns3/data-rate.h"
#include "ns3/fabric-description.h"
#include "ns3/fabric-helper.h"
#include "ns3/fixed-planner.h"
#include "ns3/hybrid-helper.h"
#include "ns3/integer.h"
#include "ns3/node-container.h"
#include "ns3/oddl-helper.h"
#include "ns3/planning-problem.h"
#include "ns3/random-variable-stream.h"
#include "ns3/server-helper.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/training-helper.h"
#include "ns3/training-report.h"
#include "ns3/uinteger.h"

#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::lightpath;

/**
 * @ingroup lightpath-tests
 * @brief Prices of plans on grids, and with circuits that are decided on for each phase, against
 * simulations.
 */
class PhasePriceTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /// Draws jobs on rings, parallel switches and hybrids of these, with and without servers.
    void TestDrawn()
    {
        const uint32_t nJobs = 120;
        uint32_t nTried = 0;
        uint32_t nServers = 0;
        uint32_t nMoved = 0;
        uint32_t nDark = 0;
        for (uint32_t number = 0; number < nJobs; ++number)
        {
            const Job job = DrawJob();
            const auto fabric = MakeInterconnect(job);
            TrainingPlan plan;
            const std::string refusal = GetError([&]() { plan = MakePlan(job, *fabric); });
            if (!refusal.empty())
            {
                EXPECT_PART(refusal, "more pairs of GPUs than the fabric has lightpaths for");
                continue;
            }
            ++nTried;
            const std::string label = "job " + std::to_string(number) + " of " +
                                      std::to_string(job.gpus) + " by " +
                                      std::to_string(job.serverGpus) + " on " + job.fabric + ", " +
                                      plan.strategy.GetName();
            NS_TEST_ASSERT_MSG_EQ(plan.cost.refusal, "", label);
            NS_TEST_EXPECT_MSG_EQ(plan.cost.isExact, true, label << " is followed");
            const double predicted = plan.cost.seconds;
            nDark += plan.cost.switchingSeconds > 0 ? 1 : 0;
            const TrainingReport report = Simulate(std::move(plan), *fabric);
            NS_TEST_EXPECT_MSG_EQ_TOL(predicted,
                                      report.GetSteadySeconds(),
                                      1e-4 * report.GetSteadySeconds(),
                                      label);
            nServers += job.serverGpus > 1 ? 1 : 0;
            nMoved += report.transport.electricalMessages > 0 ? 1 : 0;
            Simulator::Destroy();
        }
        NS_TEST_EXPECT_MSG_GT(nTried, nJobs / 2, "Few have too many peers");
        NS_TEST_EXPECT_MSG_GT(nServers, nJobs / 4, "Many have servers");
        NS_TEST_EXPECT_MSG_GT(nMoved,
                              nJobs / 8,
                              "Many send messages over the network beside the circuits");
        NS_TEST_EXPECT_MSG_GT(nDark, nJobs / 4, "Many switch circuits in each iteration");
    }

    /// Draws jobs on grids.
    void TestGrids()
    {
        for (uint32_t number = 0; number < 40; ++number)
        {
            Job job = DrawJob();
            job.fabric = "oddl";
            job.placement = Draw<std::string>({"linear", "dp,ep,tp,pp"});
            job.settings.emplace_back("ZeroStage", Draw<std::string>({"0", "1"}));
            CheckGrid(job, "job " + std::to_string(number));
        }
    }

    /// Many messages wait for transceivers, and which one goes first decides on all that follow:
    /// no iteration takes as long as another one.
    void TestWaiting()
    {
        Job job;
        job.gpus = 16;
        job.fabric = "oddl";
        job.bandwidth = "1000Gbps";
        job.placement = "dp,ep";
        job.model = "mixtral-8x7b:layers=1,attention=fused";
        for (const std::string stage : {"0", "1"})
        {
            job.settings = {{"ExpertParallel", "2"}, {"ZeroStage", stage}};
            const std::vector<double> seconds = CheckGrid(job, "ZeRO-" + stage);
            NS_TEST_EXPECT_MSG_GT(std::abs(seconds[2] / seconds[1] - 1), 1e-3, "They differ");
        }
    }

    /// Cuts messages at 1 byte/s, whose headers are 34 bytes in front.
    void TestCut()
    {
        using Arrivals = std::vector<std::pair<uint64_t, int64_t>>;
        const int64_t second = Seconds(1).GetTimeStep();
        for (const uint32_t cut : {20, 50, 100})
        {
            for (const bool isWithdrawn : {false, true})
            {
                PrivateAgenda agenda;
                Arrivals arrivals;
                const MessageCarrier::Arrival arrival = [&](uint64_t tag) {
                    arrivals.emplace_back(tag, agenda.Now() / second);
                };
                LightpathQueue queue(agenda, arrival);
                queue.SetRate(8, 2 * second);
                queue.Send(66, 1);
                queue.Send(10, 2);
                std::vector<LightpathQueue::Piece> pieces;
                agenda.At(cut * second, [&]() {
                    queue.SetRate(0, 0);
                    pieces = isWithdrawn ? queue.Withdraw(0) : pieces;
                });
                agenda.At((cut + 30) * second, [&]() { queue.SetRate(8, 3 * second); });
                while (agenda.GetNext() < INT64_MAX)
                {
                    agenda.Happen();
                }
                const auto label = std::to_string(cut) + " s, " + std::to_string(isWithdrawn);
                if (!isWithdrawn)
                {
                    // A message that has ended when it becomes dark propagates as before
                    const Arrivals expected{{1, cut < 100 ? 133 : 102}, {2, 177}};
                    NS_TEST_EXPECT_MSG_EQ((arrivals == expected), true, label << " goes on");
                    continue;
                }
                // Nothing behind the headers has been sent after 20 s, 16 bytes after 50 s
                const Arrivals expected = cut == 20   ? Arrivals()
                                          : cut == 50 ? Arrivals{{1, 52}}
                                                      : Arrivals{{1, 102}};
                NS_TEST_EXPECT_MSG_EQ((arrivals == expected), true, label << " is withdrawn");
                NS_TEST_ASSERT_MSG_EQ(pieces.size(), (cut == 100 ? 1 : 2), label);
                NS_TEST_EXPECT_MSG_EQ(pieces.back().bytes, 10, label << " waits");
                const uint64_t left = cut == 20 ? 66 : cut == 50 ? 50 : 10;
                NS_TEST_EXPECT_MSG_EQ(pieces.front().bytes, left, label << " is left");
                NS_TEST_EXPECT_MSG_EQ(pieces.front().isRest, (cut == 50), label << " is a rest");
            }
        }
    }

  private:
    /// A job.
    struct Job
    {
        uint32_t gpus{0};                                          //!< GPUs
        uint32_t serverGpus{1};                                    //!< GPUs of a server
        std::string fabric;                                        //!< The fabric
        Attach attach{Attach::RAIL};                               //!< How servers are attached
        std::string bandwidth;                                     //!< Rate of a GPU
        std::string pause;                                         //!< Which circuits go dark
        std::string decision;                                      //!< Time of a decision
        std::string delay;                                         //!< Time to switch circuits
        std::string model;                                         //!< The model
        std::string placement{"automatic"};                        //!< Which ranks have which GPUs
        std::vector<std::pair<std::string, std::string>> settings; //!< Settings of the planner
    };

    /**
     * @tparam T the type of values
     * @param values values
     * @return one of them
     */
    template <typename T>
    T Draw(const std::vector<T>& values)
    {
        return values[m_random->GetInteger(0, values.size() - 1)];
    }

    /**
     * @return a job
     */
    Job DrawJob()
    {
        Job job;
        job.gpus = Draw<uint32_t>({4, 8, 8, 16});
        job.serverGpus = Draw<uint32_t>({1, 1, 2, 4});
        job.serverGpus = job.serverGpus == job.gpus ? 1 : job.serverGpus;
        job.fabric = Draw<std::string>({"sip-ocs", "sip-ring"}) +
                     Draw<std::string>({"", "+electrical", "+leaf-spine-flows"});
        job.attach = Draw<Attach>({Attach::RAIL, Attach::RAIL, Attach::GPU, Attach::SERVER});
        job.bandwidth = Draw<std::string>({"100Gbps", "100Gbps", "400Gbps"});
        job.pause = Draw<std::string>({"Global", "Partial", "Lane"});
        job.decision = Draw<std::string>({"0s", "40us", "1ms"});
        job.delay = Draw<std::string>({"25us", "300us", "10ms"});
        job.model = Draw<std::string>({"gpt2-xl:layers=4,hidden=256,heads=8,feedForward=1024,"
                                       "vocabulary=1024",
                                       "mixtral-8x7b:layers=4,hidden=256,heads=8,kvHeads=8,"
                                       "feedForward=512,sequence=256,vocabulary=1024"});
        const bool hasExperts = job.model.front() == 'm';
        const uint32_t tensor = Draw<uint32_t>({1, 1, 2});
        const uint32_t stages = Draw<uint32_t>({1, 2, 2});
        const uint32_t replicas = job.gpus / tensor / stages;
        job.settings = {
            {"TensorParallel", std::to_string(tensor)},
            {"PipelineParallel", std::to_string(stages)},
            {"Microbatch", "1"},
            {"ExpertParallel",
             std::to_string(hasExperts && replicas % 2 == 0 ? Draw<uint32_t>({1, 2}) : 1)}};
        return job;
    }

    /**
     * @param job a job
     * @return its interconnect
     */
    static std::unique_ptr<InterconnectHelper> MakeInterconnect(const Job& job)
    {
        auto fabric = InterconnectHelper::Create(job.fabric);
        fabric->SetBandwidth(DataRate(job.bandwidth));
        auto* const hybrid = dynamic_cast<HybridHelper*>(fabric.get());
        auto* const optical =
            hybrid ? &hybrid->GetOptical() : dynamic_cast<FabricHelper*>(fabric.get());
        if (auto* const circuits = dynamic_cast<CircuitFabricHelper*>(optical))
        {
            circuits->SetChannelAttribute("SwitchingDelay", StringValue(job.delay));
            circuits->SetChannelAttribute("PauseMode", StringValue(job.pause));
            circuits->SetControllerAttribute("DecisionTime", StringValue(job.decision));
        }
        if (auto* const grid = dynamic_cast<OddlHelper*>(optical))
        {
            // Messages that wait for the switches begin together
            grid->SetInitiallySet(false);
        }
        if (job.serverGpus == 1)
        {
            return fabric;
        }
        auto servers = std::make_unique<ServerHelper>(std::move(fabric));
        servers->SetServers(job.serverGpus, DataRate("2400Gbps"), NanoSeconds(700));
        servers->SetAttach(job.attach);
        servers->SetBandwidth(DataRate(job.bandwidth));
        return servers;
    }

    /**
     * @param job a job
     * @param fabric its interconnect
     * @return its plan, with circuits for each phase but on grids
     */
    static TrainingPlan MakePlan(const Job& job, const InterconnectHelper& fabric)
    {
        PlanningProblem problem = MakeStageProblem(job.model, job.gpus, 2 * job.gpus);
        problem.fabric = FabricDescription::Create(fabric)->GetLimits(job.gpus);
        problem.placement = job.placement;
        problem.fabric.phaseCircuits = problem.fabric.grid.rows == 0;
        const auto planner = CreateObject<FixedPlanner>();
        for (const auto& [attribute, value] : job.settings)
        {
            planner->SetAttribute(attribute, StringValue(value));
        }
        return planner->TryPlan(problem);
    }

    /**
     * @param plan a plan
     * @param fabric its interconnect
     * @return the report of its simulation
     */
    static TrainingReport Simulate(TrainingPlan plan, const InterconnectHelper& fabric)
    {
        NodeContainer nodes;
        nodes.Create(static_cast<uint32_t>(plan.programs.size()));
        const NetDeviceContainer devices = fabric.Install(nodes);
        TrainingHelper helper;
        helper.SetJobAttribute("Iterations", UintegerValue(3));
        const auto applications =
            FabricDescription::Create(fabric)->InstallJob(helper, std::move(plan), devices);
        Simulator::Run();
        return TrainingReport(TrainingHelper::GetJob(applications));
    }

    /**
     * Check that a grid takes as long as the price says: to the tick, without servers, whose times
     * are rounded otherwise.
     *
     * @param job a job
     * @param name its name
     * @return the times of its iterations, seconds
     */
    std::vector<double> CheckGrid(const Job& job, const std::string& name)
    {
        const auto fabric = MakeInterconnect(job);
        TrainingPlan plan = MakePlan(job, *fabric);
        const std::string label = name + " of " + std::to_string(job.gpus) + " by " +
                                  std::to_string(job.serverGpus) + ", " + plan.strategy.GetName();
        NS_TEST_EXPECT_MSG_EQ(plan.cost.isExact, true, label << " is followed");
        const double predicted = plan.cost.seconds;
        const TrainingReport report = Simulate(std::move(plan), *fabric);
        const double simulated = report.GetSteadySeconds();
        const double tolerance =
            job.serverGpus > 1 ? 1e-6 * simulated : TimeStep(1).GetSeconds() / 2;
        NS_TEST_EXPECT_MSG_EQ_TOL(predicted, simulated, tolerance, label);
        Simulator::Destroy();
        return report.iterationSeconds;
    }

    /// Draws jobs
    Ptr<UniformRandomVariable> m_random{
        CreateObjectWithAttributes<UniformRandomVariable>("Stream", IntegerValue(1))};
};

/// Registers the test cases
static const SuiteCases g_phasePriceCases(
    "lightpath-planner",
    {{MakeCase("Messages that the dark cuts go on, or are taken back", &PhasePriceTests::TestCut),
      MakeCase("Circuits for each phase take as long as the price says",
               &PhasePriceTests::TestDrawn),
      MakeCase("Grids take as long as the price says", &PhasePriceTests::TestGrids),
      MakeCase("Grids where messages wait take as long as the price says",
               &PhasePriceTests::TestWaiting)}});
