/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "expect-error.h"
#include "method-case.h"
#include "server-fixture.h"

#include <string>
#include <tuple>
#include <vector>

using namespace ns3;
using namespace ns3::lightpath;

/**
 * @ingroup lightpath-tests
 * @brief The test cases of jobs on servers of which a part fails.
 */
class ServerFailureTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /// A message goes round a rail or a card that has failed, through the GPUs next to it.
    void TestDetour()
    {
        constexpr uint64_t K = 20000;
        const uint64_t bytes = 64 * K + 63;
        for (const std::string component : {"rail:0", "card:1:0", "card:0:0"})
        {
            const auto servers = MakeServers("electrical", "rail", 0);
            ServerJob run(*servers, MakeMessagePlan(16, {{0, 8, bytes}}));
            run.FailAt(Time(0), component);
            run.Run();
            NS_TEST_EXPECT_MSG_EQ(run.failure, "", component);
            // First part inside, all parts on another rail, last part inside
            NS_TEST_EXPECT_MSG_EQ_TOL(run.end.GetNanoSeconds(),
                                      static_cast<int64_t>((K + 1 + HEADERS + K + HEADERS) / 2 +
                                                           2 * INSIDE_DELAY + bytes + 64 * HEADERS +
                                                           OUTSIDE_DELAY),
                                      2,
                                      component);
        }
        // With cards on one fabric, only the end that has failed is gone round
        const auto servers = MakeServers("electrical", "cards", 2);
        ServerJob run(*servers, MakeMessagePlan(16, {{0, 8, bytes}}));
        run.FailAt(Time(0), "card:0:0");
        run.Run();
        // A card has the rate of four GPUs, so that it waits for the scale-up network
        NS_TEST_EXPECT_MSG_EQ_TOL(run.end.GetNanoSeconds(),
                                  static_cast<int64_t>((bytes + 64 * HEADERS) / 2 + INSIDE_DELAY +
                                                       (K + HEADERS) / 4 + OUTSIDE_DELAY),
                                  2,
                                  "one more network");
    }

    /// Messages that wait when a rail fails take another; the frame under way still arrives.
    void TestLateDetour()
    {
        constexpr uint64_t K = 20000;
        const uint64_t bytes = 64 * K + 63;
        const auto servers = MakeServers("electrical", "rail", 0);
        ServerJob run(*servers, MakeMessagePlan(16, {{0, 8, bytes}, {0, 8, bytes}}));
        run.FailAt(NanoSeconds(1000), "rail:0");
        run.Run();
        NS_TEST_EXPECT_MSG_EQ(run.failure, "", "no failure");
        NS_TEST_EXPECT_MSG_EQ_TOL(run.end.GetNanoSeconds(),
                                  static_cast<int64_t>(1000 + (K + 1 + HEADERS + K + HEADERS) / 2 +
                                                       2 * INSIDE_DELAY + bytes + 64 * HEADERS +
                                                       OUTSIDE_DELAY),
                                  2,
                                  "the second goes another way, from the failure on");
    }

    /**
     * A circuit that breaks in the middle of a message: the rest goes over another rail.
     */
    void TestBrokenCircuit()
    {
        // All rails have circuits from the first server to the second
        constexpr uint64_t BYTES = 6400000;
        const auto servers = MakeServers("sip-ocs", "rail", 0);
        std::vector<std::tuple<uint32_t, uint32_t, uint64_t>> messages;
        for (uint32_t index = 0; index < N_SERVERS; ++index)
        {
            messages.emplace_back(index, N_SERVERS + index, index == 0 ? BYTES : 1000);
        }
        ServerJob run(*servers, MakeMessagePlan(16, messages));
        constexpr int64_t FAULT = 1000000;
        for (uint32_t port = 0; port < 8; ++port)
        {
            run.FailAt(NanoSeconds(FAULT), "rail:0:output:" + std::to_string(port) + ":1");
        }
        run.Run();
        NS_TEST_EXPECT_MSG_EQ(run.failure, "", "no failure");
        // Bytes sent until then have arrived; the rest takes as long as before, and two hops
        const double rest = BYTES + HEADERS - FAULT;
        NS_TEST_EXPECT_MSG_GT_OR_EQ(run.end.GetNanoSeconds(), FAULT + rest, "no byte is lost");
        NS_TEST_EXPECT_MSG_LT(run.end.GetNanoSeconds(), FAULT + 1.03 * rest, "none is sent twice");
    }

    /**
     * A job goes on when a rail fails for good, and takes longer.
     *
     * @param fabric the fabric
     * @param attach how GPUs are attached
     * @param component what fails
     */
    void TestFailure(std::string fabric, std::string attach, std::string component)
    {
        const TrainingPlan plan = MakeTwoLevels(CollectiveAlgorithm::RING);
        ServerJob whole(*MakeServers(fabric, attach, 0), plan);
        whole.Run();
        const Time well = whole.end;
        ServerJob run(*MakeServers(fabric, attach, 0), plan);
        run.FailAt(well / 2, component);
        run.Run();
        NS_TEST_EXPECT_MSG_EQ(run.failure, "", "the job goes on");
        NS_TEST_EXPECT_MSG_GT(run.end, well, "it takes longer");
        NS_TEST_EXPECT_MSG_LT(run.end, 2 * well, "but not for ever");
    }

    /// Where no way is left, the job fails with one sentence.
    void TestNoWay()
    {
        const TrainingPlan plan = MakeTwoLevels(CollectiveAlgorithm::RING);
        const auto fail = [&](const std::string& attach, const std::vector<std::string>& names) {
            ServerJob run(*MakeServers("electrical", attach, 0), plan);
            for (const auto& name : names)
            {
                run.FailAt(MicroSeconds(50), name);
            }
            run.Run();
            return run.failure;
        };
        EXPECT_PART(fail("rail", {"scale-up:1"}), "the scale-up network of server 1 has failed");
        EXPECT_PART(fail("server", {"card:2:0"}), "have left no way between their servers");
        std::vector<std::string> rails;
        for (uint32_t rail = 0; rail < N_SERVERS; ++rail)
        {
            rails.push_back("rail:" + std::to_string(rail));
        }
        EXPECT_PART(fail("rail", rails), "have left no way between their servers");
        EXPECT_PART(GetAbort([&]() { fail("rail", {"rail:8"}); }), "8 must be less than 8");
        EXPECT_PART(GetAbort([&]() { fail("rail", {"plug:8"}); }),
                    "card:S:C for card C of server S");
        // Messages that do not need the failed network go on
        ServerJob run(*MakeServers("electrical", "rail", 0), MakeMessagePlan(16, {{0, 8, 1000}}));
        run.FailAt(Time(0), "scale-up:0");
        run.Run();
        NS_TEST_EXPECT_MSG_EQ(run.failure, "", "straight over the rail");
        // An average needs all servers
        ServerJob average(*MakeServers("optinc", "rail", 0),
                          MakeTwoLevels(CollectiveAlgorithm::IN_NETWORK));
        average.FailAt(MicroSeconds(50), "rail:3");
        average.Run();
        EXPECT_PART(average.failure, "its card or the fabric that it is on has failed");
    }

    /// Messages take their own way again after a repair.
    void TestRepair()
    {
        std::vector<RankProgram> programs(16);
        programs[0].AddTask(Compute(1e-3));
        programs[0].AddTask(Message(TaskKind::SEND, 8, 0, 1000));
        programs[0].AddDependency(0, 1);
        programs[8].AddTask(Message(TaskKind::RECEIVE, 0, 0, 1000));
        ServerJob run(*MakeServers("electrical", "rail", 0), MakePlan(programs));
        run.FailAt(Time(0), "rail:0");
        run.FailAt(Time(0), "scale-up:0");
        run.FailAt(MicroSeconds(500), "rail:0", false);
        run.Run();
        NS_TEST_EXPECT_MSG_EQ(run.failure, "", "no failure");
        NS_TEST_EXPECT_MSG_EQ(run.end.GetNanoSeconds(),
                              static_cast<int64_t>(1000000 + 1000 + HEADERS + OUTSIDE_DELAY),
                              "straight over the rail");
    }

  private:
    void DoTeardown() override
    {
        Simulator::Destroy();
    }
};

/// Registers the test cases
static const SuiteCases g_serverFailureCases(
    "lightpath-servers",
    {{MakeCase("Ways round failed rails and cards", &ServerFailureTests::TestDetour),
      MakeCase("A rail that fails while messages wait", &ServerFailureTests::TestLateDetour),
      MakeCase("A circuit that breaks", &ServerFailureTests::TestBrokenCircuit),
      MakeCase("No way is left", &ServerFailureTests::TestNoWay),
      MakeCase("A rail that works again", &ServerFailureTests::TestRepair)},
     MakeCases("A job goes on",
               &ServerFailureTests::TestFailure,
               {{"electrical", "rail", "rail:3"},
                {"electrical", "cards", "card:2:5"},
                {"sip-ocs", "rail", "rail:3"},
                {"sip-ocs", "gpu", "card:2:5"},
                {"sip-ring", "rail", "card:2:5"},
                {"oddl", "rail", "rail:3"}})});
