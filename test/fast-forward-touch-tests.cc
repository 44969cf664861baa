/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "expect-error.h"
#include "forward-records.h"
#include "method-case.h"
#include "training-fixture.h"

#include "ns3/error-model.h"
#include "ns3/interconnect-helper.h"
#include "ns3/job-recorder.h"
#include "ns3/pointer.h"
#include "ns3/training-report.h"

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
 * @brief The test cases of what happens to messages that are computed without an event for each.
 */
class FastForwardTouchTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /// A job may be kept when its devices are gone, as recorders do.
    void TestKept()
    {
        Ptr<TrainingJob> job;
        {
            TrainingRun run(MakeSum(4, 4), 2);
            for (uint32_t rank = 0; rank < 4; ++rank)
            {
                run.circuits.AddLane(rank, (rank + 1) % 4, {0, 0});
            }
            run.Install();
            Simulator::Run();
            job = run.job;
            Simulator::Destroy();
        }
        NS_TEST_EXPECT_MSG_EQ(job->GetReferenceCount(), 1, "Nobody else keeps it");
    }

    /**
     * A simulation after two others, of which the second was stopped in the middle and all of which
     * somebody keeps, is like the first. It has sinks that look at frames.
     *
     * @param name the name of the fabric
     */
    void TestSecond(const std::string& name)
    {
        std::vector<Ptr<Object>> kept;
        std::vector<std::unique_ptr<JobRecorder>> recorders;
        std::vector<std::string> outcomes;
        Time middle;
        for (const bool isStopped : {false, true, false})
        {
            const auto helper = InterconnectHelper::Create(name);
            helper->SetBandwidth(DataRate("200Gbps"));
            const auto devices = helper->Install(NodeContainer(4));
            const auto applications = TrainingHelper().Install(MakeSum(4, 4), *helper, devices);
            const auto job = TrainingHelper::GetJob(applications);
            kept.emplace_back(job);
            kept.emplace_back(devices.Get(0));
            kept.emplace_back(devices.Get(0)->GetChannel());
            if (outcomes.size() == 2)
            {
                devices.Get(0)->TraceConnectWithoutContext(
                    "PhyTxBegin",
                    Callback<void, Ptr<const Packet>>([](Ptr<const Packet>) {}));
            }
            recorders.push_back(std::make_unique<JobRecorder>(job));
            TrainingHelper::StopWhenFinished(applications);
            if (isStopped)
            {
                Simulator::Stop(middle);
            }
            Simulator::Run();
            NS_TEST_EXPECT_MSG_EQ(job->IsFinished(), !isStopped, "Ended");
            // The last step, of six, takes 400 ns or twice as long
            middle = Simulator::Now() - NanoSeconds(300);
            outcomes.push_back(GetRecords(*job));
            Simulator::Destroy();
        }
        NS_TEST_EXPECT_MSG_EQ(outcomes[2], outcomes[0], "The same job");
        EXPECT_ABORT("report on it before Simulator::Destroy()",
                     [&] { TrainingReport(DynamicCast<TrainingJob>(kept.front())); });
    }

    /**
     * In the middle of a sum of four ranks, something touches their messages: from then on they are
     * events, and the job takes the same time as if all had been.
     *
     * @param touch the number of what happens
     * @param isTouched whether it brings messages back
     */
    void TestTouched(uint32_t touch, bool isTouched)
    {
        const auto [forwarded, on] = RunTouched(touch, true);
        const auto [none, off] = RunTouched(touch, false);
        NS_TEST_EXPECT_MSG_EQ(on, off, "Outcome");
        NS_TEST_EXPECT_MSG_EQ(none, 0, "Off");
        // Two of six steps have ended by then; the last ones may be computed again
        NS_TEST_EXPECT_MSG_GT_OR_EQ(forwarded, 8, "Messages that are computed");
        NS_TEST_EXPECT_MSG_EQ((forwarded < 24), isTouched, "Messages that are events");
    }

    /**
     * A job stalls while messages of a ring of ranks 0, 1 and 2 are computed: rank 2 waits for a
     * message of rank 3, which has no lightpath. The sentence names all three ranks.
     */
    void TestStall()
    {
        for (const bool isForward : {true, false})
        {
            TrainingRun run(MakeStalled(), 1);
            for (uint32_t rank = 0; rank < 3; ++rank)
            {
                run.circuits.AddLane(rank, (rank + 1) % 3, {0, 0});
            }
            run.helper.SetJobAttribute("FastForward", BooleanValue(isForward));
            run.Run();
            const std::string expected =
                "3 of 4 ranks wait; rank 0 waits in step 1 of 4 of 'collective' for a message from "
                "rank 2, rank 1 waits in step 2 of 4 of 'collective' for a message from rank 0, "
                "rank 2 waits in 'message 7' for a message from rank 3; ";
            NS_TEST_EXPECT_MSG_NE(run.failure.find(expected), std::string::npos, run.failure);
            // Rank 1 has got the message of a step, and rank 2 those of two
            NS_TEST_EXPECT_MSG_EQ(GetForwarded(*run.job), (isForward ? 3 : 0), "Messages computed");
            for (uint32_t rank = 0; rank < 3; ++rank)
            {
                const auto device = DynamicCast<OpticalNetDevice>(run.devices.Get(rank));
                NS_TEST_EXPECT_MSG_EQ((device->GetBorrower((rank + 1) % 3) == nullptr),
                                      true,
                                      "The lightpath of rank " << rank << " is given back");
            }
            Simulator::Destroy();
        }
    }

    /**
     * Messages that share a port of the electrical switch with others are computed instant by
     * instant from then on, but for those under way.
     *
     * @param members the number of ranks that sum up 40000 bytes
     * @param least the least number of messages that are computed
     * @param most the most
     */
    void TestCompetition(uint32_t members, uint64_t least, uint64_t most)
    {
        for (const uint32_t source : {0, 2})
        {
            std::string outcomes[2];
            uint64_t forwarded = 0;
            for (const bool isForward : {true, false})
            {
                const auto helper = InterconnectHelper::Create("electrical");
                helper->SetBandwidth(DataRate("8Gbps"));
                NodeContainer nodes(members + 1);
                const auto devices = helper->Install(nodes);
                TrainingHelper training;
                training.SetJobAttribute("FastForward", BooleanValue(isForward));
                const auto applications =
                    training.Install(MakeSum(members + 1, members), *helper, devices);
                const auto job = TrainingHelper::GetJob(applications);
                // The last port takes no part in the sum. What it sends to port 0 competes with the
                // port before it, and what port 0 sends to it with the messages for port 1
                Simulator::Schedule(MicroSeconds(25), [&devices, members, source]() {
                    devices.Get(source == 0 ? 0 : members)
                        ->Send(Create<Packet>(1000),
                               devices.Get(source == 0 ? members : 0)->GetAddress(),
                               0x0800);
                });
                TrainingHelper::StopWhenFinished(applications);
                Simulator::Run();
                outcomes[isForward ? 0 : 1] = GetRecords(*job);
                forwarded += GetForwarded(*job);
                Simulator::Destroy();
            }
            NS_TEST_EXPECT_MSG_EQ(outcomes[0], outcomes[1], "Outcome");
            NS_TEST_EXPECT_MSG_GT_OR_EQ(forwarded, least, "Messages that are computed");
            NS_TEST_EXPECT_MSG_LT_OR_EQ(forwarded, most, "Messages that are computed");
        }
    }

  private:
    /**
     * @param ranks the number of ranks
     * @param members the ranks that sum up 40000 bytes, from 0
     * @return a plan with one operation
     */
    static TrainingPlan MakeSum(uint32_t ranks, uint32_t members)
    {
        Task sum = Collective(CollectiveKind::ALL_REDUCE, 40000);
        sum.options.algorithm = CollectiveAlgorithm::RING;
        TrainingPlan plan;
        plan.groups.resize(1);
        std::vector<uint32_t> group;
        for (uint32_t rank = 0; rank < ranks; ++rank)
        {
            RankProgram program;
            if (rank < members)
            {
                program.AddTask(sum);
                group.push_back(rank);
            }
            else
            {
                program.AddTask(Compute(1e-6));
            }
            plan.programs.push_back(std::make_shared<RankProgram>(program));
        }
        plan.groups[0].Add(group);
        return plan;
    }

    /**
     * @return a plan in which ranks 0, 1 and 2 sum up, and rank 3 has a message for rank 2 before
     */
    static TrainingPlan MakeStalled()
    {
        TrainingPlan plan = MakeSum(4, 3);
        plan.groups.emplace_back();
        plan.groups[1].Add({0, 1, 2, 3});
        Task receive = Message(TaskKind::RECEIVE, 3, 7, 1000);
        Task send = Message(TaskKind::SEND, 2, 7, 1000);
        receive.group = 1;
        send.group = 1;
        RankProgram last;
        last.AddTask(send);
        plan.programs[3] = std::make_shared<RankProgram>(last);
        RankProgram waiting;
        const uint32_t first = waiting.AddTask(receive);
        waiting.AddTask(plan.programs[0]->GetTasks()[0], {first});
        plan.programs[2] = std::make_shared<RankProgram>(waiting);
        return plan;
    }

    /**
     * @param job a job
     * @return the messages that were computed
     */
    static uint64_t GetForwarded(const TrainingJob& job)
    {
        uint64_t messages = 0;
        for (uint32_t rank = 0; rank < job.GetRanks().size(); ++rank)
        {
            messages += job.GetForwarded(rank);
        }
        return messages;
    }

    /**
     * @param touch the number of what happens
     * @param isForward whether FastForward is on
     * @return the messages that were computed, and the outcome
     */
    static std::pair<uint64_t, std::string> RunTouched(uint32_t touch, bool isForward)
    {
        TrainingRun run(MakeSum(4, 4), 2);
        for (uint32_t rank = 0; rank < 4; ++rank)
        {
            run.circuits.AddLane(rank, (rank + 1) % 4, {0, 0});
        }
        run.helper.SetJobAttribute("FastForward", BooleanValue(isForward));
        run.Install();
        Simulator::Schedule(MicroSeconds(25), [&run, touch]() { Touch(run, touch); });
        Simulator::Run();
        const auto outcome =
            std::make_pair(GetForwarded(*run.job), GetRecords(*run.job) + run.failure);
        Simulator::Destroy();
        return outcome;
    }

    /**
     * @param run a job
     * @param touch the number of what happens to it now
     */
    static void Touch(TrainingRun& run, uint32_t touch)
    {
        const auto device = DynamicCast<OpticalNetDevice>(run.devices.Get(0));
        const auto look = Callback<void, Ptr<const Packet>>([](Ptr<const Packet>) {});
        CircuitPlan more = run.circuits;
        more.AddLane(0, 1, {1, 0});
        switch (touch)
        {
        case 0: // nothing
            break;
        case 1: // circuits are switched, in the dark
            run.channel->SetAttribute("SwitchingDelay", StringValue("3us"));
            run.channel->Configure(more);
            break;
        case 2: // a lightpath becomes faster
            run.channel->SetAttribute("PauseMode", StringValue("Partial"));
            run.channel->SetAttribute("SwitchingDelay", StringValue("0s"));
            run.channel->Configure(more);
            break;
        case 3: // frames are to end before that
            run.channel->SetAttribute("SwitchingDelay", StringValue("3us"));
            run.channel->SetAttribute("FrameCut", StringValue("Finish"));
            run.channel->Configure(more);
            break;
        case 4: // a failure, after which the job stalls
            run.channel->SetFailed("port:0:1", true);
            break;
        case 5: // a packet for a member
            device->Send(Create<Packet>(1000), run.devices.Get(1)->GetAddress(), 0x0800);
            break;
        case 6: // a packet without light
            device->Send(Create<Packet>(1000), run.devices.Get(2)->GetAddress(), 0x0800);
            break;
        case 7: // sinks
            device->TraceConnectWithoutContext("PhyTxEnd", look);
            break;
        case 8:
            device->TraceConnectWithoutContext(
                "Backlog",
                Callback<void, double, double>([](double, double) {}));
            break;
        case 9:
            run.applications.Get(3)->TraceConnectWithoutContext(
                "MessageSent",
                Callback<void, uint32_t, uint32_t, uint64_t, uint64_t>(
                    [](uint32_t, uint32_t, uint64_t, uint64_t) {}));
            break;
        case 10: // errors
            run.devices.Get(1)->SetAttribute("ReceiveErrorModel",
                                             PointerValue(CreateObject<ReceiveListErrorModel>()));
            break;
        case 11: // frames are to be forwarded
            run.channel->SetNextHop(0, 1, 2);
            break;
        default: // somebody asks for the bytes that wait
            std::vector<std::pair<uint32_t, uint64_t>> backlog;
            device->GetBacklog(backlog);
            run.failure += std::to_string(backlog.at(0).second);
            break;
        }
    }
};

} // namespace

/// Registers the test cases
static const SuiteCases g_fastForwardTouchCases(
    "lightpath-fast-forward",
    {// Each rank has a frame under way as the packet comes, which becomes an event
     MakeCases("Messages that compete for a port of a switch are computed",
               &FastForwardTouchTests::TestCompetition,
               {{4, 12, 20}, {8, 88, 104}}),
     MakeCases("Simulations in one process that are kept",
               &FastForwardTouchTests::TestSecond,
               {{"sip-ring"}, {"sip-ocs"}, {"electrical"}}),
     {MakeCase("A job that is kept when its devices are gone", &FastForwardTouchTests::TestKept),
      MakeCase("The sentence of a job that stalls", &FastForwardTouchTests::TestStall)},
     MakeCases("What touches messages brings them back",
               &FastForwardTouchTests::TestTouched,
               {{0, false},
                {1, true},
                {2, true},
                {3, true},
                {4, true},
                {5, true},
                {6, true},
                {7, true},
                {8, true},
                {9, true},
                {10, true},
                {11, true},
                {12, false}})});
