/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "method-case.h"
#include "training-fixture.h"

#include "ns3/collective-schedule.h"
#include "ns3/electrical-switch-helper.h"
#include "ns3/node-container.h"
#include "ns3/server-helper.h"
#include "ns3/simulator.h"
#include "ns3/training-application.h"
#include "ns3/training-helper.h"
#include "ns3/training-job.h"
#include "ns3/uinteger.h"

#include <memory>
#include <string>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/// Delay inside a server in ns.
constexpr int64_t SERVER_DELAY = 100;

/// Delay between servers in ns.
constexpr int64_t DELAY = 700;

/**
 * @ingroup lightpath-tests
 * @param kind the operation
 * @param bytes the size of the buffer
 * @param local the number of members in a row that share a server
 * @return a task of the group of all ranks
 */
Task
MakeCollective(CollectiveKind kind, uint64_t bytes, uint32_t local)
{
    Task task;
    task.kind = TaskKind::COLLECTIVE;
    task.name = "collective";
    task.collective = kind;
    task.bytes = bytes;
    task.options.local = local;
    return task;
}

/**
 * @ingroup lightpath-tests
 * @brief A job on servers: 1 byte in a nanosecond between them, 4 inside.
 */
class ServerRun
{
  public:
    /**
     * Carry out a job whose ranks form one group.
     *
     * @param programs the program of each rank
     * @param local the number of GPUs of a server
     * @param latency the time to launch a collective operation
     * @param stop when the ranks are stopped; 0 for never
     */
    ServerRun(const std::vector<RankProgram>& programs,
              uint32_t local,
              Time latency,
              Time stop = Time(0))
    {
        TrainingPlan plan;
        std::vector<uint32_t> members;
        for (const auto& program : programs)
        {
            members.push_back(plan.programs.size());
            plan.programs.push_back(std::make_shared<RankProgram>(program));
        }
        plan.groups.resize(1);
        plan.groups[0].Add(members);
        auto outside = std::make_unique<ElectricalSwitchHelper>();
        outside->SetDelay(NanoSeconds(DELAY));
        ServerHelper fabric(std::move(outside));
        fabric.SetServers(local, DataRate("32Gbps"), NanoSeconds(SERVER_DELAY));
        fabric.SetAttach(Attach::GPU);
        fabric.SetBandwidth(DataRate("8Gbps"));
        NodeContainer nodes;
        nodes.Create(programs.size());
        TrainingHelper helper;
        helper.SetJobAttribute("Iterations", UintegerValue(2));
        helper.SetJobAttribute("CollectiveLatency", TimeValue(latency));
        helper.SetJobAttribute("StallTimeout", TimeValue(MicroSeconds(20)));
        const auto applications = helper.Install(plan, fabric, fabric.Install(nodes));
        if (stop.IsStrictlyPositive())
        {
            ApplicationContainer(applications).Stop(stop);
        }
        Simulator::Run();
        isFinished = TrainingHelper::GetJob(applications)->IsFinished();
        for (uint32_t rank = 0; rank < applications.GetN(); ++rank)
        {
            records.push_back(
                DynamicCast<TrainingApplication>(applications.Get(rank))->GetRecords());
            sentBytes += DynamicCast<TrainingApplication>(applications.Get(rank))
                             ->GetTransport()
                             ->GetSentBytes();
        }
        Simulator::Destroy();
    }

    bool isFinished{false};                            //!< All iterations have ended
    uint64_t sentBytes{0};                             //!< Bytes that all ranks have sent
    std::vector<std::vector<IterationRecord>> records; //!< The iterations of each rank
};

} // namespace

/**
 * @ingroup lightpath-tests
 * @brief A collective operation on servers takes its launch and the time of its closed form.
 */
class ServerCollectiveTestCase : public TestCase
{
  public:
    /**
     * @param name the name of the operation
     * @param servers the number of servers
     * @param local the number of GPUs of a server
     * @param latency the time to launch it in ns
     * @param expected the time that it takes after that in ns
     */
    ServerCollectiveTestCase(const std::string& name,
                             uint32_t servers,
                             uint32_t local,
                             int64_t latency,
                             int64_t expected)
        : TestCase(name + " over " + std::to_string(servers) + " servers of " +
                   std::to_string(local) + ", launched in " + std::to_string(latency) + " ns"),
          m_kind(CollectiveSchedule::GetKind(name)),
          m_servers(servers),
          m_local(local),
          m_latency(latency),
          m_expected(expected)
    {
    }

    /// Bytes of a message between servers; inside, it is that times the number of servers.
    static constexpr uint64_t CHUNK = 10006;

  private:
    void DoRun() override
    {
        const uint32_t n = m_servers * m_local;
        RankProgram program;
        program.AddTask(MakeCollective(m_kind, CHUNK * n, m_local));
        const ServerRun run(std::vector<RankProgram>(n, program), m_local, NanoSeconds(m_latency));
        NS_TEST_ASSERT_MSG_EQ(run.isFinished, true, "the job ends");
        const LinkCost inside{1e-9 * SERVER_DELAY + HEADERS / 4e9, 4e9};
        const LinkCost outside{1e-9 * DELAY + HEADERS / 1e9, 1e9};
        const double seconds = CollectiveSchedule::Create(m_kind, n, CHUNK * n, m_local)
                                   ->GetServerSeconds(inside, outside);
        NS_TEST_EXPECT_MSG_EQ_TOL(seconds, 1e-9 * m_expected, 1e-15, "the closed form");
        for (uint32_t rank = 0; rank < n; ++rank)
        {
            for (const auto& record : run.records[rank])
            {
                NS_TEST_EXPECT_MSG_EQ(record.end - record.begin,
                                      NanoSeconds(m_latency + m_expected),
                                      "time of rank " << rank);
            }
        }
    }

    CollectiveKind m_kind; //!< The operation
    uint32_t m_servers;    //!< Number of servers
    uint32_t m_local;      //!< GPUs of a server
    int64_t m_latency;     //!< Time to launch it in ns
    int64_t m_expected;    //!< The closed form in ns
};

/**
 * @ingroup lightpath-tests
 * @brief A rank is launched late, its peer's message is there already, and it computes meanwhile.
 *
 * Both ranks are on one server of 2, so that a message of 3966 bytes, with its headers, takes
 * c = 1000 ns and d = 100 ns. Rank 1 is ready at once and rank 0 after 30 us. It is launched 10 us
 * later and sends for the first time; the message for that step is there, so that it sends for the
 * second time right behind. Its other computation goes on for 50 us.
 */
class EarlyMessageTestCase : public TestCase
{
  public:
    EarlyMessageTestCase()
        : TestCase("Messages that come in before a collective operation is launched")
    {
    }

  private:
    void DoRun() override
    {
        const Task collective = MakeCollective(CollectiveKind::ALL_REDUCE, 2 * 3966, 1);
        RankProgram late;
        late.AddTask(Compute(30e-6));
        late.AddTask(collective);
        late.AddDependency(0, 1);
        RankProgram busy = late;
        busy.AddTask(Compute(50e-6));
        RankProgram early;
        early.AddTask(collective);
        const ServerRun idle({late, early}, 2, MicroSeconds(10));
        NS_TEST_ASSERT_MSG_EQ(idle.isFinished, true, "the job ends");
        const auto get = [](const ServerRun& run, uint32_t rank) {
            return run.records[rank][0].end.GetNanoSeconds();
        };
        NS_TEST_EXPECT_MSG_EQ(get(idle, 1), 40000 + 2000 + 100, "its second message: 2c + d");
        NS_TEST_EXPECT_MSG_EQ(get(idle, 0), 40000 + 2000 + 200, "the answer to its first: 2c + 2d");
        const ServerRun run({busy, early}, 2, MicroSeconds(10));
        NS_TEST_ASSERT_MSG_EQ(run.isFinished, true, "the job ends");
        NS_TEST_EXPECT_MSG_EQ(get(run, 1), 40000 + 2000 + 100, "computation does not delay it");
        NS_TEST_EXPECT_MSG_EQ(get(run, 0), 80000, "launching does not delay computation");
        NS_TEST_EXPECT_MSG_EQ(run.records[0][0].compute, MicroSeconds(80), "launching is none");
        // Not a stall, though it takes longer than the StallTimeout of 20 us
        const ServerRun slow({late, early}, 2, MicroSeconds(100));
        NS_TEST_EXPECT_MSG_EQ(get(slow, 0), 130000 + 2000 + 200, "a long launch");
        // A collective without messages is not launched
        RankProgram empty;
        empty.AddTask(MakeCollective(CollectiveKind::ALL_REDUCE, 0, 1));
        const ServerRun nothing({empty, empty}, 2, MicroSeconds(10));
        NS_TEST_EXPECT_MSG_EQ(nothing.isFinished, true, "the job ends");
        NS_TEST_EXPECT_MSG_EQ(get(nothing, 0), 0, "at once");
        // A rank that is stopped launches nothing more
        const ServerRun stopped({early, early}, 2, MicroSeconds(10), MicroSeconds(9));
        NS_TEST_EXPECT_MSG_EQ(stopped.sentBytes, 0, "stopped before the launch");
        const ServerRun later({early, early}, 2, MicroSeconds(10), MicroSeconds(11));
        NS_TEST_EXPECT_MSG_GT(later.sentBytes, 0, "stopped after the launch");
    }
};

/**
 * @ingroup lightpath-tests
 * @return the test cases of collective operations on servers and of their launch; the caller owns
 *         them
 */
static std::vector<TestCase*>
MakeServerTrainingTests()
{
    // Inside: (p * 10006 + 34) / 4 + 100 ns a step; between servers: 10040 + 700 ns
    const auto inside = [](uint32_t servers) {
        return static_cast<int64_t>((servers * ServerCollectiveTestCase::CHUNK + HEADERS) / 4 +
                                    SERVER_DELAY);
    };
    constexpr int64_t outside = ServerCollectiveTestCase::CHUNK + HEADERS + DELAY;
    // The numbers of servers are odd, so that p * 10006 + 34 is a multiple of 4
    return {new ServerCollectiveTestCase("all-reduce", 3, 4, 0, 6 * inside(3) + 4 * outside),
            new ServerCollectiveTestCase("all-reduce", 3, 4, 8400, 6 * inside(3) + 4 * outside),
            new ServerCollectiveTestCase("all-reduce", 5, 2, 0, 2 * inside(5) + 8 * outside),
            new ServerCollectiveTestCase("reduce-scatter", 3, 4, 10, 3 * inside(3) + 2 * outside),
            new ServerCollectiveTestCase("all-gather", 3, 4, 0, 3 * inside(3) + 2 * outside),
            // One server, and servers of one GPU
            new ServerCollectiveTestCase("all-reduce", 1, 8, 0, 14 * inside(1)),
            new ServerCollectiveTestCase("all-reduce", 6, 1, 0, 10 * outside),
            new EarlyMessageTestCase};
}

/// Registers the test cases
static const SuiteCases g_serverTrainingCases("lightpath-training", {MakeServerTrainingTests()});
