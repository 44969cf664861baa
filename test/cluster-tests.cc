/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "expect-error.h"
#include "helper/mltrain/shared-iterations.h"
#include "method-case.h"
#include "model/cluster/checkpoint-model.h"
#include "model/cluster/cluster-outlook.h"
#include "model/cluster/cluster-run.h"
#include "model/cluster/cluster-trace.h"
#include "training-fixture.h"

#include "ns3/circuit-fabric-helper.h"
#include "ns3/interconnect-helper.h"
#include "ns3/link-graph-helper.h"
#include "ns3/sip-ring-helper.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/**
 * @ingroup lightpath-tests
 * @brief The test cases of a cluster: its queue, its failures and the time of its jobs.
 */
class ClusterTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /**
     * The intervals of Young and Daly and their efficiencies, computed by an independent program.
     *
     * @param write the time to write a checkpoint, s
     * @param hours the mean time between failures, hours
     * @param restart the time to restart, s
     * @param young the interval of Young, s
     * @param daly the interval of Daly, s
     * @param efficiency the share of the time with the interval of Daly
     */
    void TestCheckpoints(double write,
                         double hours,
                         double restart,
                         double young,
                         double daly,
                         double efficiency)
    {
        const CheckpointModel model{write, restart, 3600 * hours};
        NS_TEST_EXPECT_MSG_EQ_TOL(model.GetYoungInterval(), young, 0.5, "Young");
        NS_TEST_EXPECT_MSG_EQ_TOL(model.GetDalyInterval(), daly, 0.5, "Daly");
        NS_TEST_EXPECT_MSG_EQ_TOL(model.GetEfficiency(daly), efficiency, 5e-5, "Efficiency");
    }

    /// A long job with a spare GPU reaches the efficiency of the closed form.
    void TestGoodput()
    {
        const CheckpointModel model{60, 300, 3.09 * 3600};
        std::vector<ClusterJob> jobs(1);
        jobs[0].iterations = 100000000;
        jobs[0].alone = 1e8;
        ClusterFailures failures;
        for (uint32_t port = 0; port < 4; ++port)
        {
            failures.components.push_back({"gpu", {port}, 1 / model.betweenFailures});
        }
        failures.repair = 1;
        failures.write = model.write;
        failures.restart = model.restart;
        ClusterRun run(jobs,
                       ClusterScheduler(4,
                                        4,
                                        ClusterScheduler::Order::FIRST_COME,
                                        ClusterScheduler::Placing::CONTIGUOUS),
                       MakeConstant(1),
                       failures);
        run.Run();
        const auto& outcome = run.GetOutcomes().front();
        NS_TEST_EXPECT_MSG_GT(outcome.nFailures, 8000, "Failures");
        // Of 10000 intervals between failures; the mean has a deviation of 0.2 %
        NS_TEST_EXPECT_MSG_EQ_TOL((outcome.useful / (outcome.end - outcome.start)),
                                  model.GetEfficiency(model.GetDalyInterval()),
                                  0.006,
                                  "Efficiency");
        NS_TEST_EXPECT_MSG_EQ_TOL(outcome.useful, 1e8, 1, "All iterations last");
    }

    /**
     * Four jobs on four GPUs: when each starts follows from the order of the queue.
     *
     * @param order the name of the order
     * @param second when the job of 4 GPUs and 10 s starts
     * @param third when the job of 1 GPU and 8 s starts
     * @param fourth when the job of 1 GPU and 30 s starts
     */
    void TestOrder(std::string order, double second, double third, double fourth)
    {
        // The first job takes two GPUs from 0 s to 20 s; the others are submitted at 1, 2 and 3 s
        const auto jobs = MakeJobs({{0, 2, 20}, {1, 4, 10}, {2, 1, 8}, {3, 1, 30}});
        ClusterRun run(jobs,
                       ClusterScheduler(4,
                                        4,
                                        ClusterScheduler::ParseOrder(order),
                                        ClusterScheduler::Placing::FABRIC),
                       MakeConstant(1));
        run.Run();
        NS_TEST_EXPECT_MSG_EQ_TOL(run.GetOutcomes()[1].start, second, 1e-9, "Second");
        NS_TEST_EXPECT_MSG_EQ_TOL(run.GetOutcomes()[2].start, third, 1e-9, "Third");
        NS_TEST_EXPECT_MSG_EQ_TOL(run.GetOutcomes()[3].start, fourth, 1e-9, "Fourth");
    }

    /**
     * A job of 6 of 10 GPUs ends at 100 s, and then one of 8 starts, which leaves 2 to spare. Jobs
     * behind it start if they end by then, or on GPUs to spare, each of which is given away once.
     */
    void TestBackfill()
    {
        const auto count = [](const std::vector<std::pair<uint32_t, double>>& jobs) {
            ClusterScheduler scheduler(10,
                                       10,
                                       ClusterScheduler::Order::BACKFILL,
                                       ClusterScheduler::Placing::FABRIC);
            scheduler.Submit(0, 6, 100);
            scheduler.StartJobs(0);
            scheduler.Submit(1, 8, 50);
            for (uint32_t i = 0; i < jobs.size(); ++i)
            {
                scheduler.Submit(2 + i, jobs[i].first, jobs[i].second);
            }
            return scheduler.StartJobs(0).size();
        };
        NS_TEST_EXPECT_MSG_EQ(count({{2, 1000}, {2, 1000}}), 1, "Two GPUs to spare, once");
        NS_TEST_EXPECT_MSG_EQ(count({{2, 1000}, {2, 100}}), 2, "One of them is short");
        NS_TEST_EXPECT_MSG_EQ(count({{4, 100}}), 1, "It ends just in time");
        NS_TEST_EXPECT_MSG_EQ(count({{4, 100.001}}), 0, "It ends too late");
    }

    /// Dates of a trace are those of the calendar, over years.
    void TestDates()
    {
        std::ostringstream text;
        ClusterTrace::Write({{"a", 59.0 * 86400 + 3723, 1, 5},
                             {"b", 366.0 * 86400 - 1, 1, 5},
                             {"c", 366.0 * 86400, 1, 5},
                             {"d", 1999.0 * 86400, 1, 5},
                             {"e", 29279.0 * 86400, 1, 5}},
                            text);
        NS_TEST_EXPECT_MSG_EQ(text.str(),
                              "job_id,gpu_num,submit_time,duration\n"
                              "a,1,2020-02-29 01:02:03,5\n"
                              "b,1,2020-12-31 23:59:59,5\n"
                              "c,1,2021-01-01 00:00:00,5\n"
                              "d,1,2025-06-22 00:00:00,5\n"
                              "e,1,2100-03-01 00:00:00,5\n",
                              "As date says: 2100 has no leap day");
    }

    /// Jobs that failures do not let end are refused; the numbers are closed forms.
    void TestOutlook()
    {
        ClusterFailures failures;
        for (uint32_t port = 0; port < 8; ++port)
        {
            failures.components.push_back({"gpu", {port}, 1 / 3600.0});
        }
        failures.repair = 360;
        const ClusterOutlook outlook(failures, 8);
        NS_TEST_EXPECT_MSG_EQ_TOL(outlook.GetChance(8), std::pow(1 / 1.1, 8), 1e-9, "All work");
        std::vector<ClusterJob> jobs(1);
        jobs[0].name = "a";
        jobs[0].gpus = 8;
        jobs[0].alone = 3600;
        NS_TEST_EXPECT_MSG_EQ_TOL(outlook.GetStops(jobs[0]), std::expm1(8), 1e-6, "e^(T / M) - 1");
        outlook.Check(jobs);
        jobs[0].alone = 36000;
        EXPECT_PART(GetError([&] { outlook.Check(jobs); }),
                    "failures stop its 8 GPUs 5.54e+34 times");
        failures.write = 10;
        ClusterOutlook(failures, 8).Check(jobs);
        failures.repair = 360000;
        EXPECT_PART(GetError([&] { ClusterOutlook(failures, 8).Check(jobs); }),
                    "it needs 8 GPUs that work");
    }

    /// Jobs get successive ports, or those of the fewest leaves; what is free may be in pieces.
    void TestPlacing()
    {
        for (const bool isContiguous : {true, false})
        {
            ClusterScheduler scheduler(12,
                                       4,
                                       ClusterScheduler::Order::FIRST_COME,
                                       isContiguous ? ClusterScheduler::Placing::CONTIGUOUS
                                                    : ClusterScheduler::Placing::FABRIC);
            uint32_t nSubmitted = 0;
            for (const uint32_t gpus : {3, 2, 3, 4})
            {
                scheduler.Submit(nSubmitted++, gpus, 1);
                if (gpus == 2)
                {
                    NS_TEST_EXPECT_MSG_EQ(scheduler.StartJobs(0).size(), 2, "Both start");
                    // The job of three has ports 0 to 2
                    scheduler.End(0);
                }
            }
            const auto starts = scheduler.StartJobs(0);
            NS_TEST_EXPECT_MSG_EQ(starts.size(), 2, "Two more");
            const std::vector<uint32_t> three{0, 1, 2};
            NS_TEST_EXPECT_MSG_EQ((starts[0].ports == three), true, "The least room");
            // Contiguous, the job of two has ports 3 and 4; else it has 4 and 5, of one leaf
            const std::vector<uint32_t> four = isContiguous ? std::vector<uint32_t>{5, 6, 7, 8}
                                                            : std::vector<uint32_t>{8, 9, 10, 11};
            NS_TEST_EXPECT_MSG_EQ((starts[1].ports == four), true, "Four ports");
            NS_TEST_EXPECT_MSG_EQ(scheduler.GetNFree(), 3, "Free");
            NS_TEST_EXPECT_MSG_EQ(scheduler.GetLargest(), 3, "Largest");
            scheduler.SetFailed(isContiguous ? 10 : 6, true);
            NS_TEST_EXPECT_MSG_EQ(scheduler.GetNFree(), 2, "Free and working");
            NS_TEST_EXPECT_MSG_EQ(scheduler.GetLargest(), (isContiguous ? 1 : 2), "In pieces");
        }
    }

    /// On a ring neighbours are close, also the last rank and the first; slices limit the jobs.
    void TestRing()
    {
        for (const auto placing :
             {ClusterScheduler::Placing::CONTIGUOUS, ClusterScheduler::Placing::FABRIC})
        {
            ClusterScheduler scheduler(12, 12, ClusterScheduler::Order::FIRST_COME, placing);
            scheduler.SetRing();
            scheduler.SetMostJobs(2);
            scheduler.Submit(0, 5, 1);
            scheduler.Submit(1, 4, 1);
            scheduler.Submit(2, 1, 1);
            const auto starts = scheduler.StartJobs(0);
            NS_TEST_ASSERT_MSG_EQ(starts.size(), 2, "Two jobs at most");
            const std::vector<uint32_t> five{0, 2, 4, 3, 1};
            const std::vector<uint32_t> four{5, 7, 8, 6};
            NS_TEST_EXPECT_MSG_EQ((starts[0].ports == five), true, "Odd number");
            NS_TEST_EXPECT_MSG_EQ((starts[1].ports == four), true, "Even number");
            scheduler.End(0);
            NS_TEST_EXPECT_MSG_EQ(scheduler.StartJobs(0).size(), 1, "One more");
        }
    }

    /// Sums of two jobs, computed by hand.
    void TestSummary()
    {
        const auto jobs = MakeJobs({{0, 2, 10}, {0, 4, 10}});
        ClusterRun run(jobs,
                       ClusterScheduler(4,
                                        4,
                                        ClusterScheduler::Order::FIRST_COME,
                                        ClusterScheduler::Placing::FABRIC),
                       MakeConstant(1));
        run.Run();
        const ClusterSummary summary(jobs, run.GetOutcomes(), 4);
        NS_TEST_EXPECT_MSG_EQ_TOL(summary.seconds, 20, 1e-9, "Time");
        NS_TEST_EXPECT_MSG_EQ_TOL(summary.utilisation, 60.0 / 80, 1e-9, "Utilisation");
        NS_TEST_EXPECT_MSG_EQ_TOL(summary.waiting, 5, 1e-9, "Waiting");
        NS_TEST_EXPECT_MSG_EQ_TOL(summary.slowDown, 1, 1e-9, "Slow-down");
        // Speeds of 1 and 1/2
        NS_TEST_EXPECT_MSG_EQ_TOL(summary.fairness, 2.25 / (2 * 1.25), 1e-9, "Jain's index");
    }

    /// A trace is read as it was written; other texts are refused.
    void TestTrace()
    {
        TraceStatistics statistics;
        statistics.seconds = 90 * 86400;
        const auto drawn = ClusterTrace::Draw(statistics);
        std::stringstream text;
        ClusterTrace::Write(drawn, text);
        const auto read = ClusterTrace::Read(text, "text");
        NS_TEST_ASSERT_MSG_EQ(read.size(), drawn.size(), "Jobs");
        for (std::size_t i = 0; i < read.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(read[i].name, drawn[i].name, "Name");
            NS_TEST_EXPECT_MSG_EQ(read[i].gpus, drawn[i].gpus, "GPUs");
            NS_TEST_EXPECT_MSG_EQ(read[i].duration, drawn[i].duration, "Duration");
            NS_TEST_EXPECT_MSG_EQ(read[i].submitted, std::floor(drawn[i].submitted), "Submission");
        }
        std::istringstream helios("job_id,user,gpu_num,state,submit_time,duration\n"
                                  "a,u1,8,COMPLETED,2020-02-29 23:59:59,100\n"
                                  "b,u1,0,COMPLETED,2020-03-01 00:00:00,100\n"
                                  "c,u2,1,FAILED,2020-03-01 00:00:01,7\n");
        const auto jobs = ClusterTrace::Read(helios, "helios");
        NS_TEST_ASSERT_MSG_EQ(jobs.size(), 2, "Jobs with GPUs");
        NS_TEST_EXPECT_MSG_EQ_TOL(jobs[1].submitted, 2, 1e-9, "Over a leap day");
        // Empty last values count, and quotes hold commas, quotes and ends of lines (RFC 4180)
        std::istringstream quoted("job_id,gpu_num,submit_time,duration,state,note\r\n"
                                  "1,8,2020-04-01 00:10:11,3600,,\r\n\n"
                                  "\"a,\"\"b\"\"\nc\",\"2\",2020-04-01 00:10:12,60,DONE,");
        const auto last = ClusterTrace::Read(quoted, "quoted");
        NS_TEST_ASSERT_MSG_EQ(last.size(), 2, "Jobs with empty last values");
        NS_TEST_EXPECT_MSG_EQ(last[0].duration, 3600, "Duration");
        NS_TEST_EXPECT_MSG_EQ(last[1].name, "a,\"b\"\nc", "Quoted name");
        NS_TEST_EXPECT_MSG_EQ(last[1].gpus, 2, "Quoted number");
        for (const auto& [wrong, part] : std::vector<std::pair<std::string, std::string>>{
                 {std::string(17'000'000, '\0'), "text, line 1, has more than 16777216 bytes"},
                 {"job_id,gpu_num,submit_time,duration\n1,8,2020-04-01 00:10:11,3600,\n",
                  "5 values for 4 columns"},
                 {"job_id,gpu_num\n1,2\n", "has no column submit_time"},
                 {"job_id,gpu_num,submit_time,duration\n1,2\n", "2 values for 4 columns"},
                 {"job_id,gpu_num,submit_time,duration\n1,x,2020-01-01 00:00:00,5\n",
                  "'x' in place of a number"},
                 {"job_id,gpu_num,submit_time,duration\n1,2,yesterday,5\n", "in place of a time"}})
        {
            std::istringstream is(wrong);
            EXPECT_PART(GetError([&] { ClusterTrace::Read(is, "text"); }), part);
        }
    }

    /**
     * One job of a cluster takes the time that it takes without a cluster.
     *
     * @param fabric the name of a fabric
     */
    void TestOneJob(std::string fabric)
    {
        const auto helper = InterconnectHelper::Create(fabric);
        helper->SetBandwidth(DataRate("400Gbps"));
        const auto plan = std::make_shared<TrainingPlan>(MakeSum(8, 1e-5, 100000));
        NodeContainer nodes(8);
        TrainingHelper training;
        training.SetJobAttribute("Iterations", UintegerValue(5));
        const auto ranks = training.Install(*plan, *helper, helper->Install(nodes));
        Time end;
        TrainingHelper::GetJob(ranks)->TraceConnectWithoutContext(
            "Finished",
            Callback<void>([&end] { end = Simulator::Now(); }));
        Simulator::Run();
        Simulator::Destroy();
        auto jobs = MakeJobs({{0, 8, 5}});
        SharedIterations iterations(*helper, 8, TrainingHelper(), {plan});
        const auto outcomes = iterations.SimulateAll(jobs, MakeScheduler(8));
        NS_TEST_EXPECT_MSG_EQ(outcomes[0].end, end.GetSeconds(), "End");
    }

    /**
     * Times of iterations, found once for each sharing, give the time of jobs as well as the
     * simulation of all iterations does.
     *
     * @param fabric the name of a fabric
     * @param ports the number of its ports
     */
    void TestFastWay(std::string fabric, uint32_t ports)
    {
        const auto helper = InterconnectHelper::Create(fabric);
        helper->SetBandwidth(DataRate("8Gbps"));
        auto* const leaves = dynamic_cast<LinkGraphHelper*>(helper.get());
        if (leaves)
        {
            leaves->SetNodesPerLeaf(4);
            leaves->SetOversubscription(4);
        }
        if (auto* const circuits = dynamic_cast<CircuitFabricHelper*>(helper.get()))
        {
            circuits->SetWavelengthRate(DataRate("100Mbps"));
            circuits->SetChannelAttribute("SwitchingDelay", StringValue("100us"));
        }
        if (auto* const ring = dynamic_cast<SipRingHelper*>(helper.get()))
        {
            ring->SetAllocatorAttribute("MaxDistance", UintegerValue(0));
        }
        std::vector<std::shared_ptr<const TrainingPlan>> plans;
        std::vector<ClusterJob> jobs;
        const std::vector<std::shared_ptr<const TrainingPlan>> kinds{
            std::make_shared<TrainingPlan>(MakeSum(3, 1e-4, 100000)),
            std::make_shared<TrainingPlan>(MakeSum(6, 2e-4, 200000)),
            std::make_shared<TrainingPlan>(MakeSum(5, 4e-4, 150000))};
        for (uint32_t i = 0; i < 18; ++i)
        {
            plans.push_back(kinds[i * 7 % 3]);
            ClusterJob job;
            job.submitted = 0.006 * i;
            job.gpus = plans.back()->programs.size();
            job.iterations = 60 + i * 29 % 50;
            jobs.push_back(job);
        }
        SharedIterations iterations(*helper, ports, TrainingHelper(), plans);
        for (uint32_t i = 0; i < jobs.size(); ++i)
        {
            std::vector<uint32_t> first;
            for (uint32_t port = 0; port < jobs[i].gpus; ++port)
            {
                first.push_back(port);
            }
            jobs[i].alone =
                static_cast<double>(jobs[i].iterations) * iterations.GetTimes({{i, first}}).front();
        }
        ClusterRun run(jobs, MakeScheduler(ports), [&](const auto& running) {
            return iterations.GetTimes(running);
        });
        run.Run();
        const ClusterSummary fast(jobs, run.GetOutcomes(), ports);
        const ClusterSummary full(jobs, iterations.SimulateAll(jobs, MakeScheduler(ports)), ports);
        NS_TEST_EXPECT_MSG_EQ_TOL(fast.jobTime, full.jobTime, 0.03 * full.jobTime, "Time of a job");
        if (leaves || fabric == "sip-ring")
        {
            NS_TEST_EXPECT_MSG_GT(full.slowDown, 1.05, "Jobs feel each other");
        }
    }

    /// Jobs on other ports that use links in the same way are simulated once; others are not.
    void TestShapes()
    {
        const auto helper = InterconnectHelper::Create("leaf-spine-flows");
        helper->SetBandwidth(DataRate("8Gbps"));
        auto& leaves = dynamic_cast<LinkGraphHelper&>(*helper);
        leaves.SetNodesPerLeaf(4);
        leaves.SetOversubscription(4);
        const auto plan = std::make_shared<TrainingPlan>(MakeSum(4, 1e-4, 100000));
        const std::vector<std::shared_ptr<const TrainingPlan>> plans{plan, plan};
        const auto make = [&] { return SharedIterations(*helper, 16, TrainingHelper(), plans); };
        using Running = SharedIterations::Running;
        // Inside a leaf; over two leaves, in turn or not; two jobs over the same two leaves
        const std::vector<std::pair<Running, Running>> alike{
            {{{0, {0, 1, 2, 3}}}, {{0, {8, 9, 10, 11}}}},
            {{{0, {0, 4, 1, 5}}}, {{0, {8, 13, 9, 12}}}},
            {{{0, {0, 1, 4, 5}}, {1, {2, 3, 6, 7}}}, {{0, {8, 9, 12, 13}}, {1, {10, 11, 14, 15}}}}};
        SharedIterations all = make();
        uint64_t nShapes = 0;
        for (const auto& [one, other] : alike)
        {
            const auto times = all.GetTimes(one);
            NS_TEST_EXPECT_MSG_EQ(all.GetNSimulations(), ++nShapes, "Another shape");
            NS_TEST_EXPECT_MSG_EQ((all.GetTimes(other) == times), true, "The same time");
            NS_TEST_EXPECT_MSG_EQ(all.GetNSimulations(), nShapes, "The same shape");
            // A simulation on the other ports agrees
            SharedIterations anew = make();
            const auto simulated = anew.GetTimes(other);
            for (std::size_t i = 0; i < times.size(); ++i)
            {
                NS_TEST_EXPECT_MSG_EQ_TOL(simulated[i], times[i], 1e-9 * times[i], "Simulated");
            }
        }
    }

    /// Jobs that do not fit are refused.
    void TestRefusals()
    {
        EXPECT_PART(GetError([&] { ClusterScheduler::ParseOrder("last"); }),
                    "no order of jobs 'last'");
        EXPECT_PART(GetError([&] { ClusterScheduler::ParsePlacing("nowhere"); }),
                    "no placing 'nowhere'");
        ClusterScheduler scheduler = MakeScheduler(4);
        EXPECT_PART(GetError([&] { scheduler.Submit(0, 5, 1); }), "needs 5 GPUs of a cluster of 4");
        EXPECT_PART(GetError([&] { scheduler.End(3); }), "does not run");
        for (const std::string fabric : {"oddl", "fat-tree"})
        {
            const auto helper = InterconnectHelper::Create(fabric);
            EXPECT_PART(GetError([&] { SharedIterations(*helper, 4, TrainingHelper(), {}); }),
                        "Jobs of a cluster share circuits");
        }
    }

  private:
    /// A job in short: when it is submitted (s), its GPUs and its time (s).
    struct Short
    {
        double submitted; //!< When it is submitted, s
        uint32_t gpus;    //!< Its GPUs
        uint64_t seconds; //!< Its time, s
    };

    /**
     * @param shorts jobs in short
     * @return the jobs, with an iteration for each second
     */
    static std::vector<ClusterJob> MakeJobs(const std::vector<Short>& shorts)
    {
        std::vector<ClusterJob> jobs;
        for (const Short& each : shorts)
        {
            ClusterJob job;
            job.submitted = each.submitted;
            job.gpus = each.gpus;
            job.iterations = each.seconds;
            job.alone = static_cast<double>(each.seconds);
            jobs.push_back(job);
        }
        return jobs;
    }

    /**
     * @param ports the number of ports
     * @return jobs in the order of their submission, with ports drawn at random
     */
    static ClusterScheduler MakeScheduler(uint32_t ports)
    {
        return {ports,
                4,
                ClusterScheduler::Order::FIRST_COME,
                ports > 8 ? ClusterScheduler::Placing::SCATTERED
                          : ClusterScheduler::Placing::CONTIGUOUS};
    }

    /**
     * @param seconds a time, s
     * @return gives this time to each iteration
     */
    static ClusterRun::IterationTimes MakeConstant(double seconds)
    {
        return
            [seconds](const auto& running) { return std::vector<double>(running.size(), seconds); };
    }

    /**
     * @param n the number of ranks
     * @param seconds the time that each computes, s
     * @param bytes the bytes that they sum up then
     * @return the plan
     */
    static TrainingPlan MakeSum(uint32_t n, double seconds, uint64_t bytes)
    {
        RankProgram program;
        Task sum = Collective(CollectiveKind::ALL_REDUCE, bytes);
        sum.options.algorithm = CollectiveAlgorithm::RING;
        program.AddTask(sum, {program.AddTask(Compute(seconds))});
        return MakePlan(std::vector<RankProgram>(n, program));
    }
};

} // namespace

/// Registers the test cases
static const SuiteCases g_clusterCases(
    "lightpath-cluster",
    {{MakeCase("A job with failures reaches the closed form", &ClusterTests::TestGoodput),
      MakeCase("Jobs get ports", &ClusterTests::TestPlacing),
      MakeCase("Short jobs go first where they delay nobody", &ClusterTests::TestBackfill),
      MakeCase("Dates of a trace", &ClusterTests::TestDates),
      MakeCase("Jobs that failures do not let end", &ClusterTests::TestOutlook),
      MakeCase("Jobs get ports of a ring", &ClusterTests::TestRing),
      MakeCase("Sums of a cluster", &ClusterTests::TestSummary),
      MakeCase("A trace is read as it was written", &ClusterTests::TestTrace),
      MakeCase("Jobs that use links alike are simulated once", &ClusterTests::TestShapes),
      MakeCase("What does not fit is refused", &ClusterTests::TestRefusals)},
     MakeCases("Intervals between checkpoints",
               &ClusterTests::TestCheckpoints,
               {{60, 3.09, 300, 1155, 1116, .8758},
                {300, 3.09, 600, 2583, 2387, .7441},
                {60, 7.9, 300, 1847, 1808, .9266},
                {10, 1.8, 120, 360, 353, .9281}}),
     MakeCases("Jobs start in their order",
               &ClusterTests::TestOrder,
               {{"first-come", 20, 30, 30}, {"backfill", 20, 2, 30}, {"shortest", 20, 2, 30}}),
     MakeCases("One job of a cluster takes its time without",
               &ClusterTests::TestOneJob,
               {{"electrical"}, {"leaf-spine-flows"}, {"sip-ring"}, {"sip-ocs"}}),
     MakeCases("Times found once for each sharing give the time of jobs",
               &ClusterTests::TestFastWay,
               {{"electrical", 16}, {"leaf-spine-flows", 16}, {"sip-ocs", 16}, {"sip-ring", 16}})});
