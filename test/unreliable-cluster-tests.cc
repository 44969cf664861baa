/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "expect-error.h"
#include "helper/mltrain/cluster-components.h"
#include "method-case.h"
#include "model/cluster/checkpoint-model.h"
#include "model/cluster/cluster-run.h"

#include "ns3/circuit-fabric-helper.h"
#include "ns3/link-graph-helper.h"

#include <cmath>
#include <map>
#include <memory>
#include <numeric>
#include <set>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/**
 * @ingroup lightpath-tests
 * @brief The test cases of a cluster whose components fail.
 */
class UnreliableClusterTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /**
     * A job without a spare GPU waits for each repair, in which nothing fails. Its efficiency is
     * tau / ((M + D) e^(R / M) (e^((tau + C) / M) - 1)), with the mean time D of a repair and the
     * time R of detection and restart.
     *
     * @param median the median of the repair, s; 0 if it is exponential
     */
    void TestRepair(double median)
    {
        const CheckpointModel model{60, 300, 3.09 * 3600};
        constexpr double repair = 5400;
        ClusterFailures failures;
        failures.components = {{"gpu:0", {0}, 1 / model.betweenFailures}};
        failures.repair = repair;
        failures.repairMedian = median;
        failures.write = model.write;
        failures.detection = 100;
        failures.restart = 200;
        const auto outcome = RunOne(failures, 1, [](const auto&) { return 1.0; });
        const double tau = model.GetDalyInterval();
        const double mean = model.betweenFailures;
        const double expected = tau / ((mean + repair) * std::exp(model.restart / mean) *
                                       (std::exp((tau + model.write) / mean) - 1));
        NS_TEST_EXPECT_MSG_GT(outcome.nFailures, 8000, "Failures");
        NS_TEST_EXPECT_MSG_EQ_TOL(outcome.useful / (outcome.end - outcome.start),
                                  expected,
                                  0.02 * expected,
                                  "Efficiency");
        NS_TEST_EXPECT_MSG_EQ_TOL(outcome.useful, LENGTH, 1, "All iterations last");
    }

    /**
     * A job on circuits goes on at half of its pace while a link has failed. Without checkpoints
     * it loses nothing.
     */
    void TestBypass()
    {
        constexpr double between = 50000;
        constexpr double repair = 10000;
        ClusterFailures failures;
        failures.components = {{"port:0:1", {1}, 1 / between, true}};
        failures.repair = repair;
        failures.detection = 30;
        failures.switching = 20;
        bool hasFailed = false;
        uint64_t nFaults = 0;
        const auto outcome = RunOne(
            failures,
            2,
            [&hasFailed](const auto&) { return hasFailed ? 2.0 : 1.0; },
            [&](const std::string& component, bool failed) {
                NS_TEST_EXPECT_MSG_EQ(component, "port:0:1", "Component");
                hasFailed = failed;
                nFaults += failed ? 1 : 0;
            });
        NS_TEST_EXPECT_MSG_EQ(outcome.nFailures, 0, "It is never stopped");
        NS_TEST_EXPECT_MSG_GT(nFaults, 1000, "Failures");
        // In each cycle it stands still for 50 s of the slow pace, and 20 s of the fast one
        const double expected = (between - 20 + (repair - 50) / 2) / (between + repair);
        NS_TEST_EXPECT_MSG_EQ_TOL(LENGTH / (outcome.end - outcome.start),
                                  expected,
                                  0.01 * expected,
                                  "Pace");
    }

    /// A job that no circuits are left for waits, and goes on after the repair.
    void TestNoCircuits()
    {
        ClusterFailures failures;
        failures.components = {{"switch:0", {0, 1}, 1.0 / 50000, true}};
        failures.repair = 10000;
        bool hasFailed = false;
        const auto outcome = RunOne(
            failures,
            2,
            [&hasFailed](const auto&) {
                return hasFailed ? std::numeric_limits<double>::infinity() : 1.0;
            },
            [&](const std::string&, bool failed) { hasFailed = failed; });
        NS_TEST_EXPECT_MSG_EQ_TOL(outcome.useful, LENGTH, 1, "It computes as long");
        NS_TEST_EXPECT_MSG_EQ_TOL(outcome.useful / (outcome.end - outcome.start),
                                  5.0 / 6,
                                  0.01,
                                  "It waits for the repairs");
    }

    /**
     * A job goes on while all links work. Each works half of the time, so that all do for a share
     * of 2^-n of it: the job is that much longer, or refused where failures would be too many.
     *
     * @param links the number n of links
     * @param part a part of the refusal; empty if the job ends
     */
    void TestManyLinks(uint32_t links, std::string part)
    {
        ClusterFailures failures;
        for (uint32_t link = 0; link < links; ++link)
        {
            failures.components.push_back({"link", {0, 1}, 1e-5, true});
        }
        failures.repair = 1e5;
        uint32_t nFailed = 0;
        ClusterRun::Outcome outcome;
        const std::string error = GetError([&] {
            outcome = RunOne(
                failures,
                2,
                [&nFailed](const auto&) {
                    return nFailed > 0 ? std::numeric_limits<double>::infinity() : 1.0;
                },
                [&](const std::string&, bool failed) { failed ? ++nFailed : --nFailed; });
        });
        EXPECT_PART(error, part);
        NS_TEST_EXPECT_MSG_EQ(error.empty(), part.empty(), "Refused: " << error);
        if (part.empty())
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(std::pow(2, links) * LENGTH / (outcome.end - outcome.start),
                                      1,
                                      0.05,
                                      "It waits for all repairs");
        }
    }

    /**
     * While GPUs, servers, links and leaves fail, no port has two jobs or one while it is out of
     * use, and each job whose port fails stops at once.
     */
    void TestPorts()
    {
        constexpr uint32_t ports = 32;
        std::vector<ClusterJob> jobs(60);
        for (uint32_t i = 0; i < jobs.size(); ++i)
        {
            jobs[i].submitted = 700.0 * i;
            jobs[i].gpus = 1 + i * 5 % 12;
            jobs[i].iterations = 3000 + i * 731 % 6000;
            jobs[i].alone = static_cast<double>(jobs[i].iterations);
        }
        ClusterFailures failures;
        const auto add = [&failures](const std::string& kind, uint32_t count, double mean) {
            for (uint32_t first = 0; first < ports; first += count)
            {
                std::vector<uint32_t> row(count);
                std::iota(row.begin(), row.end(), first);
                failures.components.push_back({kind, row, 1 / mean});
            }
        };
        add("gpu", 1, 200000);
        add("server", 4, 100000);
        add("leaf", 8, 100000);
        failures.repair = 3000;
        failures.write = 20;
        failures.restart = 60;
        ClusterScheduler scheduler(ports,
                                   8,
                                   ClusterScheduler::Order::BACKFILL,
                                   ClusterScheduler::Placing::FABRIC);
        scheduler.SetSpare(4);
        ClusterRun run(
            jobs,
            scheduler,
            [](const auto& running) { return std::vector<double>(running.size(), 1); },
            failures);
        std::map<uint32_t, uint32_t> jobOf;
        std::vector<uint32_t> nFailed(ports);
        std::map<uint32_t, uint32_t> nStopped;
        run.SetObserver([&](const ClusterRun::Event& event) {
            using Event = ClusterRun::Event;
            for (std::size_t i = 0; event.ports && i < event.ports->size(); ++i)
            {
                const uint32_t port = (*event.ports)[i];
                nFailed[port] += event.kind == Event::FAILED ? 1 : 0;
                nFailed[port] -= event.kind == Event::REPAIRED ? 1 : 0;
                if (event.kind == Event::STARTED)
                {
                    NS_TEST_EXPECT_MSG_EQ(jobOf.count(port), 0, "Port " << port << " is taken");
                    jobOf[port] = event.number;
                }
                else if (event.kind == Event::ENDED || event.kind == Event::STOPPED)
                {
                    jobOf.erase(port);
                }
                NS_TEST_EXPECT_MSG_EQ((jobOf.count(port) > 0 && nFailed[port] > 0),
                                      false,
                                      "A job on port " << port << ", which is out of use");
            }
            nStopped[event.number] += event.kind == Event::STOPPED ? 1 : 0;
            if (event.kind == Event::STARTED && nStopped[event.number] == 0)
            {
                NS_TEST_EXPECT_MSG_EQ((jobOf.size() <= ports - 4), true, "Spare ports are left");
            }
        });
        run.Run();
        uint32_t sum = 0;
        for (uint32_t i = 0; i < jobs.size(); ++i)
        {
            const auto& outcome = run.GetOutcomes()[i];
            NS_TEST_EXPECT_MSG_EQ_TOL(outcome.useful, jobs[i].alone, 1e-3, "Job " << i);
            NS_TEST_EXPECT_MSG_EQ(outcome.nFailures, nStopped[i], "Stops of job " << i);
            sum += outcome.nFailures;
        }
        NS_TEST_EXPECT_MSG_GT(sum, 20, "Failures");
    }

    /**
     * Published failures give published times between failures of many GPUs.
     *
     * @param name the name of the failures
     * @param hours the mean time between failures of 16384 GPUs, hours
     */
    void TestPublished(std::string name, double hours)
    {
        const auto fabric = InterconnectHelper::Create("electrical");
        const auto components =
            ListClusterComponents(*fabric, 16384, false, ClusterReliability::Create(name));
        double rate = 0;
        for (const auto& component : components)
        {
            rate += component.rate;
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(1 / (3600 * rate), hours, 0.005 * hours, "Time");
    }

    /// The components of fabrics, with names that the fabrics know.
    void TestComponents()
    {
        ClusterReliability reliability{10, 5, 50, 20, 4};
        const auto switches = InterconnectHelper::Create("sip-ocs");
        const auto ofSwitches = ListClusterComponents(*switches, 16, true, reliability);
        // GPUs, servers, 20 switches and their fibres to each GPU
        NS_TEST_EXPECT_MSG_EQ(ofSwitches.size(), 16 + 4 + 20 + 20 * 16, "SiP-OCS");
        const auto ring = InterconnectHelper::Create("sip-ring");
        const auto ofRing = ListClusterComponents(*ring, 16, true, reliability);
        NS_TEST_EXPECT_MSG_EQ(ofRing.size(), 16 + 4 + 2 * 16, "SiP-Ring");
        for (const auto& [helper, components] :
             {std::make_pair(switches.get(), ofSwitches), std::make_pair(ring.get(), ofRing)})
        {
            const auto& fabric = dynamic_cast<const CircuitFabricHelper&>(*helper);
            for (const auto& component : components)
            {
                if (component.isBypassed)
                {
                    NS_TEST_EXPECT_MSG_EQ(fabric.CheckComponent(component.name, 16), "", "Name");
                }
            }
        }
        const auto leaves = InterconnectHelper::Create("leaf-spine-flows");
        dynamic_cast<LinkGraphHelper&>(*leaves).SetNodesPerLeaf(4);
        dynamic_cast<LinkGraphHelper&>(*leaves).SetOversubscription(4);
        NS_TEST_EXPECT_MSG_EQ(ListClusterComponents(*leaves, 16, false, reliability).size(),
                              16 + 4 + 16 + 4,
                              "Leaves");
        EXPECT_PART(GetError([&] { ListClusterComponents(*ring, 16, false, reliability); }),
                    "Links and switches of circuits fail where circuits are decided on once");
        EXPECT_PART(GetError([&] { ClusterReliability::Create("often"); }),
                    "There are no failures 'often'");
        ClusterFailures wrong;
        wrong.components = {{"gpu:9", {9}, 1}};
        EXPECT_PART(GetError([&] { RunOne(wrong, 2, [](const auto&) { return 1.0; }); }),
                    "serves port 9 of a cluster of 2");
    }

  private:
    /// Seconds that a job computes.
    static constexpr double LENGTH = 1e8;

    /**
     * Run one job on all GPUs of a cluster.
     *
     * @tparam Function the type of the function
     * @param failures how components fail
     * @param gpus the number of GPUs
     * @param seconds tells the time of an iteration, s
     * @param callback hears of failures that the fabric bypasses
     * @return what has become of the job
     */
    template <typename Function>
    static ClusterRun::Outcome RunOne(const ClusterFailures& failures,
                                      uint32_t gpus,
                                      Function seconds,
                                      ClusterRun::FaultCallback callback = nullptr)
    {
        std::vector<ClusterJob> jobs(1);
        jobs[0].gpus = gpus;
        jobs[0].iterations = static_cast<uint64_t>(LENGTH);
        jobs[0].alone = LENGTH;
        ClusterRun run(
            jobs,
            ClusterScheduler(gpus,
                             gpus,
                             ClusterScheduler::Order::FIRST_COME,
                             ClusterScheduler::Placing::CONTIGUOUS),
            [seconds](const auto& running) {
                return std::vector<double>(running.size(), seconds(running));
            },
            failures);
        run.SetFaultCallback(callback);
        run.Run();
        return run.GetOutcomes().front();
    }
};

} // namespace

/// Registers the test cases
static const SuiteCases g_unreliableClusterCases(
    "lightpath-cluster",
    {{MakeCase("Jobs go on without links", &UnreliableClusterTests::TestBypass),
      MakeCase("A job without circuits waits", &UnreliableClusterTests::TestNoCircuits),
      MakeCase("Ports out of use have no jobs", &UnreliableClusterTests::TestPorts),
      MakeCase("Components of fabrics", &UnreliableClusterTests::TestComponents)},
     MakeCases("A job waits for all of its links",
               &UnreliableClusterTests::TestManyLinks,
               {{1, ""},
                {3, ""},
                {12, "Jobs are not expected to end: during 1000 failures and repairs of 12 comp"},
                {400, "during 1600 failures and repairs of 400 components they did"}}),
     MakeCases("A job waits for repairs", &UnreliableClusterTests::TestRepair, {{0}, {2000}}),
     MakeCases("Published failures",
               &UnreliableClusterTests::TestPublished,
               {{"llama-3", 54 * 24 / 419.0}, {"rsc-1", 1.803}})});
