/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "controlled-job.h"
#include "expect-error.h"
#include "method-case.h"
#include "model/control/traffic-ledger.h"

#include "ns3/crossbar-channel.h"
#include "ns3/mrr-ring-channel.h"
#include "ns3/training-plan.h"

#include <algorithm>
#include <memory>
#include <random>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/**
 * @ingroup lightpath-tests
 * @param ledger a ledger
 * @param ports the number of its ports
 * @return the bytes that are left in it
 */
TrafficMatrix
ReadLedger(const TrafficLedger& ledger, uint32_t ports)
{
    TrafficMatrix left(ports);
    ledger.AddTo(left);
    return left;
}

/**
 * @ingroup lightpath-tests
 * @brief Let a job decide every 10 us for the bytes under way, after 3 us of darkness.
 *
 * @param job the job
 * @param source the demand source
 */
void
DecideOften(ControlledJob& job, const std::string& source = "Underway")
{
    job.run.controller->SetAttribute("Trigger", StringValue("Periodic"));
    job.run.controller->SetAttribute("DemandSource", StringValue(source));
    job.run.controller->SetAttribute("DecisionInterval", StringValue("10us"));
}

/**
 * @ingroup lightpath-tests
 * @param large the bytes that rank 0 sends to rank 1
 * @param small the bytes that it sends to rank 2 at the same time
 * @return the plan, in which a message is a burst of as many bytes
 */
TrainingPlan
MakeTwoMessages(uint64_t large, uint64_t small)
{
    std::vector<RankProgram> programs(3);
    programs[0].AddTask(Message(TaskKind::SEND, 1, 0, large - HEADERS));
    programs[0].AddTask(Message(TaskKind::SEND, 2, 1, small - HEADERS));
    programs[1].AddTask(Message(TaskKind::RECEIVE, 0, 0, large - HEADERS));
    programs[2].AddTask(Message(TaskKind::RECEIVE, 0, 1, small - HEADERS));
    return MakePlan(programs);
}

} // namespace

/**
 * @ingroup lightpath-tests
 * @brief The test cases of decisions for bytes that operations under way still have to send.
 */
class UnderwayTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /// The demand of each decision in a ring all-reduce, and its time: circuits stay.
    void TestUnderwayRing()
    {
        constexpr uint32_t ranks = 4;
        std::vector<RankProgram> programs(ranks);
        for (auto& program : programs)
        {
            program.AddTask(AllReduce(0, 40000));
        }
        ControlledJob job(MakePlan(programs), 1, NanoSeconds(3000));
        DecideOften(job);
        job.Run();
        // Six steps of 10000 bytes
        NS_TEST_EXPECT_MSG_EQ(job.end, NanoSeconds(3000 + 6 * (10000 + HEADERS)), "one darkness");
        NS_TEST_EXPECT_MSG_EQ(job.run.channel->GetNReconfigurations(), 1, "circuits stay");
        NS_TEST_ASSERT_MSG_EQ(job.run.demands.size(), 1 + 6, "decisions");
        for (uint32_t decision = 0; decision <= 6; ++decision)
        {
            // Each 10000 ns end as many bytes, and the headers delay the steps
            const uint64_t left = (6 - decision) * 10000 + decision * HEADERS;
            const TrafficMatrix expected = ControllerFixture::GetDemand(ranks, {1}, left);
            NS_TEST_EXPECT_MSG_EQ((job.run.demands[decision] == expected), true, left);
            NS_TEST_EXPECT_MSG_EQ(job.run.decided[decision],
                                  NanoSeconds(decision == 0 ? 0 : 3000 + decision * 10000),
                                  "its time");
        }
        Simulator::Destroy();
    }

    /// Pairs that have no circuit get one, and others keep theirs while they have nothing to send.
    void TestUnderwayTurns()
    {
        // The first circuits are for the larger operation. Decisions at 13, 26, 36 and 46 us switch
        // at 13 us to the operation that begins first, and at 46 us to the one after it
        ControlledJob turns(MakeTwoPhases(0, 20000, 50000), 1, NanoSeconds(3000));
        DecideOften(turns);
        turns.Run();
        NS_TEST_EXPECT_MSG_EQ(turns.end,
                              NanoSeconds(46000 + 3000 + 2 * (25000 + HEADERS)),
                              turns.failure);
        NS_TEST_EXPECT_MSG_EQ(turns.run.channel->GetNReconfigurations(), 3, "switched");
        Simulator::Destroy();

        // Ranks 2 and 3 begin between two decisions, the first of which sees nothing of them
        for (const std::string source : {"Underway", "Backlog"})
        {
            std::vector<RankProgram> programs(4);
            for (uint32_t rank = 0; rank < 4; ++rank)
            {
                programs[rank].AddTask(Compute(rank < 2 ? 0 : 25e-6));
                programs[rank].AddTask(AllReduce(0, rank < 2 ? 200000 : 20000));
                programs[rank].AddDependency(0, 1);
            }
            TrainingPlan plan = MakePlan(programs);
            plan.groups.assign(1, RankGroups());
            plan.groups[0].Add({0, 1});
            plan.groups[0].Add({2, 3});
            ControlledJob idle(plan, 1, NanoSeconds(3000));
            DecideOften(idle, source);
            idle.Run();
            const bool stays = source == "Underway";
            NS_TEST_EXPECT_MSG_EQ((idle.run.channel->GetNReconfigurations() == 1), stays, source);
            NS_TEST_EXPECT_MSG_EQ((idle.end == NanoSeconds(3000 + 2 * (100000 + HEADERS))),
                                  stays,
                                  source);
            const auto rank = DynamicCast<TrainingApplication>(idle.applications.Get(2));
            NS_TEST_EXPECT_MSG_EQ(
                (rank->GetRecords().at(0).end == NanoSeconds(25000 + 2 * (10000 + HEADERS))),
                stays,
                source);
            Simulator::Destroy();
        }
    }

    /**
     * Circuits are switched only if the bytes are through earlier, darkness included.
     *
     * @param large the bytes of the message that gets a second circuit after the other message
     * @param end when it is through, in ns
     */
    void TestUnderwayGain(uint64_t large, int64_t end)
    {
        ControlledJob job(MakeTwoMessages(large, 10000 + HEADERS), 2, NanoSeconds(3000));
        DecideOften(job);
        job.Run();
        NS_TEST_EXPECT_MSG_EQ(job.end, NanoSeconds(end), job.failure);
        Simulator::Destroy();
        // Decisions see the bytes that wait
        ControlledJob backlog(MakeTwoMessages(large, 10000 + HEADERS), 2, NanoSeconds(3000));
        DecideOften(backlog, "Backlog");
        backlog.Run();
        for (const std::size_t decision : {1, 2})
        {
            NS_TEST_ASSERT_MSG_GT(backlog.run.demands.size(), decision, "decisions");
            NS_TEST_ASSERT_MSG_GT(job.run.demands.size(), decision, "decisions");
            const TrafficMatrix& demand = job.run.demands[decision];
            NS_TEST_EXPECT_MSG_EQ((demand == backlog.run.demands[decision]), true, "the same");
            NS_TEST_EXPECT_MSG_EQ(demand.Get(0, 1), large - decision * 10000, "bytes left");
            NS_TEST_EXPECT_MSG_EQ(demand.Get(0, 2), (decision == 1 ? HEADERS : 0), "bytes left");
        }
        Simulator::Destroy();
    }

    /// Pairs that wait come first where not all can have circuits: no operation is held up for
    /// ever.
    void TestUnderwayScarce()
    {
        for (const CollectiveAlgorithm algorithm :
             {CollectiveAlgorithm::DOUBLE_TREE, CollectiveAlgorithm::HALVING_DOUBLING})
        {
            std::vector<RankProgram> programs(8);
            Task task = AllReduce(0, 80000);
            task.options.algorithm = algorithm;
            for (auto& program : programs)
            {
                program.AddTask(task);
            }
            ControlledJob job(MakePlan(programs), 1, NanoSeconds(3000));
            DecideOften(job);
            job.Run();
            NS_TEST_EXPECT_MSG_EQ(job.job->IsFinished(), true, job.failure);
            Simulator::Destroy();
        }
    }

    /// A rank whose ports fail in the middle of an operation ends the job and its decisions.
    void TestUnderwayFailure()
    {
        std::vector<RankProgram> programs(3);
        for (auto& program : programs)
        {
            program.AddTask(AllReduce(0, 300000));
        }
        ControlledJob job(MakePlan(programs), 2, NanoSeconds(3000));
        DecideOften(job);
        Simulator::Schedule(NanoSeconds(20000),
                            [&job]() { job.run.channel->SetFailed("switch:0", true); });
        Simulator::Schedule(NanoSeconds(40000),
                            [&job]() { job.run.channel->SetFailed("port:1:2", true); });
        job.Run();
        NS_TEST_EXPECT_MSG_EQ(Contains(job.failure, "the fabric has no path between the two"),
                              true,
                              job.failure);
        NS_TEST_EXPECT_MSG_EQ(job.end, NanoSeconds(40000), "at once");
        Simulator::Destroy();
    }

    /// An operation announces the bytes of all its pairs, which its messages use up.
    void TestUnderwaySums()
    {
        using Kind = CollectiveKind;
        using Algorithm = CollectiveAlgorithm;
        const std::vector<std::pair<Kind, Algorithm>> cases = {
            {Kind::ALL_REDUCE, Algorithm::RING},
            {Kind::ALL_REDUCE, Algorithm::MULTI_RING},
            {Kind::ALL_REDUCE, Algorithm::HALVING_DOUBLING},
            {Kind::ALL_REDUCE, Algorithm::DOUBLE_TREE},
            {Kind::ALL_REDUCE, Algorithm::DIRECT},
            {Kind::REDUCE_SCATTER, Algorithm::RING},
            {Kind::ALL_GATHER, Algorithm::HALVING_DOUBLING},
            {Kind::ALL_TO_ALL, Algorithm::DIRECT},
            {Kind::ALL_TO_ALL, Algorithm::PAIRWISE},
            {Kind::ALL_TO_ALL, Algorithm::BRUCK},
            {Kind::SEND_RECV, Algorithm::DIRECT}};
        for (const auto& [kind, algorithm] : cases)
        {
            for (const uint32_t ranks : {2U, 5U, 8U})
            {
                Task task = Collective(kind, 1001);
                task.options.algorithm = algorithm;
                CheckSums(task, ranks, false);
                CheckSums(task, ranks, true);
            }
        }
    }

    /// A plan is extended by all lanes that fit beside it, and by no others.
    void TestUnderwayExtension()
    {
        for (const std::string mode : {"Continuity", "LoadOnly"})
        {
            const auto ring = MakeChannel<MrrRingChannel>(
                {{"NFibres", "2"}, {"NWavelengths", "2"}, {"WavelengthMode", mode}});
            CheckExtension(ring, 4, 2, false);
        }
        for (const bool duplex : {false, true})
        {
            const auto switches = MakeSwitches(4);
            switches->SetAttribute("Duplex", BooleanValue(duplex));
            CheckExtension(switches, 4, 1, duplex);
        }
    }

  private:
    /**
     * @param task a collective operation
     * @param ranks the number of ranks that take part; the first one is late
     * @param hybrid whether messages of up to 300 bytes take no circuits
     */
    void CheckSums(const Task& task, uint32_t ranks, bool hybrid)
    {
        std::vector<RankProgram> programs(ranks);
        for (uint32_t rank = 0; rank < ranks; ++rank)
        {
            programs[rank].AddTask(Compute(rank == 0 ? 10e-6 : 0));
            programs[rank].AddTask(task);
            programs[rank].AddDependency(0, 1);
        }
        const TrainingPlan plan = MakePlan(programs);
        TrainingRun run(plan, ranks - 1);
        for (uint32_t shift = 1; shift < ranks; ++shift)
        {
            for (uint32_t rank = 0; rank < ranks; ++rank)
            {
                run.circuits.AddLane(rank, (rank + shift) % ranks, {shift - 1, 0});
            }
        }
        run.helper.SetJobAttribute("CollectiveLatency", StringValue("1us"));
        if (hybrid)
        {
            const auto crossbar =
                MakeChannel<CrossbarChannel>({{"LinkRate", "1Gbps"}, {"Delay", "0s"}});
            NetDeviceContainer electrical;
            for (uint32_t rank = 0; rank < ranks; ++rank)
            {
                electrical.Add(AddDevice(run.devices.Get(rank)->GetNode(), crossbar));
            }
            run.helper.SetHybridAttribute("SmallMessage", UintegerValue(300));
            run.applications = run.helper.InstallHybrid(plan, run.devices, electrical, nullptr);
            run.channel->Configure(run.circuits);
            run.job = TrainingHelper::GetJob(run.applications);
        }
        else
        {
            run.Install();
        }
        const auto ledger = std::make_shared<TrafficLedger>(ranks);
        run.job->SetLedger(ledger);
        TrafficMatrix sent(ranks);
        TrafficMatrix announced;
        Simulator::Schedule(NanoSeconds(500), [&]() { announced = ReadLedger(*ledger, ranks); });
        for (const auto& rank : run.job->GetRanks())
        {
            rank->TraceConnectWithoutContext(
                "MessageSent",
                Callback<void, uint32_t, uint32_t, uint64_t, uint64_t>(
                    [&](uint32_t source, uint32_t peer, uint64_t, uint64_t bytes) {
                        if (!hybrid || bytes > 300)
                        {
                            sent.Add(source, peer, bytes);
                        }
                    }));
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(run.job->IsFinished(), true, run.failure);
        NS_TEST_EXPECT_MSG_EQ((announced == sent), true, "all that is sent is announced");
        NS_TEST_EXPECT_MSG_EQ((hybrid || sent == plan.GetTraffic()), true, "the plan's bytes");
        NS_TEST_EXPECT_MSG_EQ(ReadLedger(*ledger, ranks).GetTotal(), 0, "none are left");
        Simulator::Destroy();
    }

    /**
     * @param channel a fabric without devices
     * @param fibres the number of its fibres
     * @param wavelengths the number of wavelengths of each
     * @param duplex whether a circuit comes with the one back
     */
    void CheckExtension(Ptr<OpticalChannel> channel,
                        uint32_t fibres,
                        uint32_t wavelengths,
                        bool duplex)
    {
        constexpr uint32_t ports = 6;
        for (uint32_t port = 0; port < ports; ++port)
        {
            AddDevice(CreateObject<Node>(), channel);
        }
        const auto with = [duplex](CircuitPlan plan, PortPair pair, Lane lane) {
            plan.AddLane(pair.first, pair.second, lane);
            if (duplex)
            {
                plan.AddLane(pair.second, pair.first, lane);
            }
            return plan;
        };
        const auto has = [](const CircuitPlan& plan, PortPair pair, Lane lane) {
            const auto& lanes = plan.GetLanes(pair.first, pair.second);
            return std::binary_search(lanes.begin(), lanes.end(), lane);
        };
        std::mt19937 random(1);
        const auto draw = [&](uint32_t attempts) {
            CircuitPlan plan;
            for (uint32_t attempt = 0; attempt < attempts; ++attempt)
            {
                const uint32_t source = random() % ports;
                const PortPair pair{source, (source + 1 + random() % (ports - 1)) % ports};
                const CircuitPlan more = with(plan,
                                              pair,
                                              {static_cast<uint32_t>(random() % fibres),
                                               static_cast<uint32_t>(random() % wavelengths)});
                plan = channel->Check(more).empty() ? more : plan;
            }
            return plan;
        };
        uint32_t nRefused = 0;
        for (uint32_t trial = 0; trial < 100; ++trial)
        {
            const CircuitPlan plan = draw(10);
            const CircuitPlan more = draw(30);
            const CircuitPlan whole = channel->Extend(plan, more);
            NS_TEST_ASSERT_MSG_EQ(channel->Check(whole), "", "no conflict");
            for (const auto& [pair, lanes] : plan.GetLightpaths())
            {
                for (const Lane& lane : lanes)
                {
                    NS_TEST_ASSERT_MSG_EQ(has(whole, pair, lane), true, "lane of the plan");
                }
            }
            for (const auto& [pair, lanes] : whole.GetLightpaths())
            {
                for (const Lane& lane : lanes)
                {
                    NS_TEST_ASSERT_MSG_EQ((has(plan, pair, lane) || has(more, pair, lane)),
                                          true,
                                          "lane of either");
                }
            }
            for (const auto& [pair, lanes] : more.GetLightpaths())
            {
                for (const Lane& lane : lanes)
                {
                    const bool isRefused = !has(whole, pair, lane);
                    nRefused += isRefused;
                    NS_TEST_ASSERT_MSG_EQ(
                        (isRefused && channel->Check(with(whole, pair, lane)).empty()),
                        false,
                        "a lane that fits");
                }
            }
        }
        NS_TEST_EXPECT_MSG_GT(nRefused, 100, "lanes that do not fit");
        Simulator::Destroy();
    }
};

/// Registers the test cases
static const SuiteCases g_underwayCases(
    "lightpath-controller",
    {{MakeCase("Bytes under way of a ring", &UnderwayTests::TestUnderwayRing),
      MakeCase("Operations in turn", &UnderwayTests::TestUnderwayTurns),
      MakeCase("Operations with too few circuits", &UnderwayTests::TestUnderwayScarce),
      MakeCase("An operation that fails", &UnderwayTests::TestUnderwayFailure),
      MakeCase("Sums of operations", &UnderwayTests::TestUnderwaySums),
      MakeCase("Plans are extended", &UnderwayTests::TestUnderwayExtension)},
     MakeCases("Switching that pays",
               &UnderwayTests::TestUnderwayGain,
               {{25900, 28900}, {26000, 29000}, {26100, 29050}, {100000, 66000}})});
