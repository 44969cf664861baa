/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "method-case.h"
#include "training-fixture.h"

#include "ns3/error-model.h"
#include "ns3/interconnect-helper.h"
#include "ns3/pointer.h"

#include <sstream>
#include <string>
#include <utility>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/**
 * @ingroup lightpath-tests
 * @brief The test cases of messages on networks of shared links that are computed instant by
 * instant.
 */
class FrameStreamsTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /**
     * In the middle of an exchange between four ranks, something touches their messages. The job
     * takes the same time as if all messages were events.
     *
     * @param fabric the name of the fabric
     * @param touch the number of what happens
     * @param isTouched whether it brings messages back
     */
    void TestTouched(std::string fabric, uint32_t touch, bool isTouched)
    {
        const auto [computed, on] = RunTouched(fabric, touch, true);
        const auto [none, off] = RunTouched(fabric, touch, false);
        NS_TEST_EXPECT_MSG_EQ(on, off, "Outcome");
        NS_TEST_EXPECT_MSG_EQ(none, 0, "Off");
        // Two exchanges of 12 messages, of which the first has ended by then
        NS_TEST_EXPECT_MSG_GT_OR_EQ(computed, 12, "Messages that are computed");
        NS_TEST_EXPECT_MSG_EQ((computed < 24), isTouched, "Messages that are events");
    }

  private:
    /**
     * @param fabric the name of the fabric
     * @param touch the number of what happens
     * @param isForward whether FastForward is on
     * @return the messages that were computed, and the outcome
     */
    static std::pair<uint64_t, std::string> RunTouched(const std::string& fabric,
                                                       uint32_t touch,
                                                       bool isForward)
    {
        TrainingPlan plan;
        plan.groups.resize(1);
        plan.groups[0].Add({0, 1, 2, 3});
        for (uint32_t rank = 0; rank < 6; ++rank)
        {
            RankProgram program;
            Task exchange = Collective(CollectiveKind::ALL_TO_ALL, 40000);
            const uint32_t first = program.AddTask(rank < 4 ? exchange : Compute(1e-6));
            exchange.operation = 1;
            program.AddTask(rank < 4 ? exchange : Compute(1e-6), {first});
            plan.programs.push_back(std::make_shared<RankProgram>(program));
        }
        const auto helper = InterconnectHelper::Create(fabric);
        helper->SetBandwidth(DataRate("8Gbps"));
        NodeContainer nodes(plan.programs.size());
        const auto devices = helper->Install(nodes);
        TrainingHelper training;
        training.SetJobAttribute("FastForward", BooleanValue(isForward));
        const auto applications = training.Install(plan, *helper, devices);
        std::ostringstream outcome;
        // An exchange takes 30 us: each rank sends 30000 bytes at 1 ns a byte
        Simulator::Schedule(MicroSeconds(45),
                            [&]() { Touch(devices, applications, touch, outcome); });
        TrainingHelper::StopWhenFinished(applications);
        Simulator::Run();
        const auto job = TrainingHelper::GetJob(applications);
        uint64_t computed = 0;
        for (uint32_t rank = 0; rank < job->GetRanks().size(); ++rank)
        {
            computed += job->GetForwarded(rank);
            outcome << "\n" << job->GetRanks()[rank]->GetTransport()->GetSentBytes();
            for (const IterationRecord& record : job->GetRanks()[rank]->GetRecords())
            {
                outcome << " " << record.end;
            }
        }
        Simulator::Destroy();
        return {computed, outcome.str()};
    }

    /**
     * @param devices the devices
     * @param applications the ranks
     * @param touch the number of what happens to them now
     * @param [in,out] outcome receives what is seen
     */
    static void Touch(const NetDeviceContainer& devices,
                      const ApplicationContainer& applications,
                      uint32_t touch,
                      std::ostream& outcome)
    {
        const auto device = DynamicCast<OpticalNetDevice>(devices.Get(0));
        const auto channel = DynamicCast<FabricChannel>(device->GetChannel());
        const auto look = Callback<void, double, double>([](double, double) {});
        switch (touch)
        {
        case 0: // somebody asks for the bytes that wait
            outcome << device->GetBacklog(1);
            break;
        case 1: // a packet that only takes a share of the same link
            device->Send(Create<Packet>(1000), devices.Get(5)->GetAddress(), 0x0800);
            break;
        case 2: // a packet for a member
            device->Send(Create<Packet>(1000), devices.Get(1)->GetAddress(), 0x0800);
            break;
        case 3: // frames are to be forwarded
            channel->SetNextHop(0, 1, 4);
            break;
        case 4: // sinks
            device->TraceConnectWithoutContext(
                "PhyTxEnd",
                Callback<void, Ptr<const Packet>>([](Ptr<const Packet>) {}));
            break;
        case 5:
            device->TraceConnectWithoutContext("Backlog", look);
            break;
        case 6:
            applications.Get(3)->TraceConnectWithoutContext(
                "MessageSent",
                Callback<void, uint32_t, uint32_t, uint64_t, uint64_t>(
                    [](uint32_t, uint32_t, uint64_t, uint64_t) {}));
            break;
        case 7: // errors
            devices.Get(1)->SetAttribute("ReceiveErrorModel",
                                         PointerValue(CreateObject<ReceiveListErrorModel>()));
            break;
        default: // a link fails and is repaired
            channel->SetFailed("link:gpu-0:leaf-0", true);
            Simulator::Schedule(MicroSeconds(5),
                                [channel]() { channel->SetFailed("link:gpu-0:leaf-0", false); });
            break;
        }
    }
};

} // namespace

/// Registers the test cases
static const SuiteCases g_frameStreamsCases("lightpath-frame-streams",
                                            {MakeCases("What touches messages brings them back",
                                                       &FrameStreamsTests::TestTouched,
                                                       {{"electrical", 0, false},
                                                        {"electrical", 1, false},
                                                        {"electrical", 2, true},
                                                        {"electrical", 3, true},
                                                        {"electrical", 4, true},
                                                        {"electrical", 5, true},
                                                        {"electrical", 6, true},
                                                        {"electrical", 7, true},
                                                        {"leaf-spine-flows", 8, true}})});
