/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "expect-error.h"
#include "method-case.h"
#include "training-fixture.h"

#include "ns3/custom-fabric-helper.h"
#include "ns3/fabric-description.h"
#include "ns3/ring-link-helper.h"
#include "ns3/simulator.h"
#include "ns3/training-report.h"

using namespace ns3;
using namespace ns3::lightpath;

/**
 * @ingroup lightpath-tests
 * @brief A fabric with the required functions only: there is a fibre between any two ports.
 */
class MeshChannel : public OpticalChannel
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::lightpath::tests::MeshChannel")
                                .SetParent<OpticalChannel>()
                                .HideFromDocumentation()
                                .AddConstructor<MeshChannel>();
        return tid;
    }

    Time GetPathDelay(uint32_t source, uint32_t destination, Lane lane) const override
    {
        return MicroSeconds(1);
    }

  private:
    std::string DoCheck(const CircuitPlan& plan) const override
    {
        for (const auto& [pair, lanes] : plan.GetLightpaths())
        {
            if (lanes.front().fibre != pair.second)
            {
                return "There is no such fibre";
            }
        }
        return "";
    }
};

NS_OBJECT_ENSURE_REGISTERED(MeshChannel);

/**
 * @ingroup lightpath-tests
 * @brief A job runs over a user's own fabric.
 */
class CustomFabricTestCase : public TestCase
{
  public:
    CustomFabricTestCase()
        : TestCase("A fabric of one's own")
    {
    }

  private:
    void DoRun() override
    {
        CustomFabricHelper fabric(NAME, DataRate("100Gbps"), MakeDecision(0));
        fabric.SetChannelAttribute("Delay", TimeValue(MicroSeconds(2)));
        fabric.SetChannelAttribute("InitialSwitching", BooleanValue(false));
        NodeContainer nodes(4);
        const auto devices = fabric.Install(nodes);
        constexpr uint64_t bytes = 4000000;
        RankProgram program;
        program.AddTask(Collective(CollectiveKind::ALL_TO_ALL, bytes));
        const auto applications =
            TrainingHelper().Install(MakePlan({program, program, program, program}),
                                     devices,
                                     fabric.CreateController(devices));
        Simulator::Run();
        const auto channel = DynamicCast<OpticalChannel>(FabricHelper::GetChannel(devices));
        const TrainingReport report(TrainingHelper::GetJob(applications), channel);
        NS_TEST_ASSERT_MSG_EQ(report.iterationSeconds.size(), 1, "an iteration");
        // A quarter to each other one, all at once
        NS_TEST_EXPECT_MSG_EQ_TOL(report.iterationSeconds[0],
                                  (bytes / 4 + HEADERS) * 8 / 25e9 + 3e-6,
                                  1e-8,
                                  "its time");
        NS_TEST_EXPECT_MSG_EQ(channel->HasPath(0, 1), true, "nothing fails");
        EXPECT_ABORT("'fibre:1': no component of this fabric can fail",
                     [channel]() { channel->SetFailed("fibre:1", true); });
        const std::string component = fabric.CheckComponent("x", 4);
        EXPECT_PART(component, "no component 'x'");
        fabric.SetBandwidth(DataRate(30e9));
        const std::string rate = fabric.Check(4);
        EXPECT_PART(rate, "it must be a multiple of 25 Gb/s");
        Simulator::Destroy();
        CheckRefusals();
    }

    /// A plan that the channel refuses, limits, and an invalid rate.
    void CheckRefusals()
    {
        CustomFabricHelper wrong(NAME, DataRate("100Gbps"), MakeDecision(1));
        wrong.SetChannelAttribute("Delay", TimeValue(MicroSeconds(2)));
        NodeContainer nodes(2);
        const auto devices = wrong.Install(nodes);
        TrafficMatrix demand(2);
        demand.Add(0, 1, 1);
        const auto controller = wrong.CreateController(devices);
        EXPECT_ABORT("There is no such fibre", [&]() { controller->Start(demand); });
        NS_TEST_EXPECT_MSG_EQ_TOL(FabricDescription::Create(wrong)->GetLimits(2).latency,
                                  2e-6,
                                  1e-12,
                                  "planners know it");
        RingLinkHelper link;
        EXPECT_ABORT("must be a rate, like 100Gbps",
                     [&link]() { link.SetDeviceAttribute("DataRate", UintegerValue(1)); });
        Simulator::Destroy();
    }

    /**
     * @param shift added to the index of each fibre
     * @return a lightpath for each pair with traffic
     */
    static CustomFabricHelper::Decision MakeDecision(uint32_t shift)
    {
        return [shift](const TrafficMatrix& demand) {
            CircuitPlan plan;
            for (uint32_t source = 0; source < demand.GetSize(); ++source)
            {
                for (const auto& entry : demand.GetRow(source))
                {
                    plan.AddLane(source, entry.first, {entry.first + shift, 0});
                }
            }
            return plan;
        };
    }

    static constexpr auto NAME = "ns3::lightpath::tests::MeshChannel"; //!< Type of the channel
};

/// Registers the test cases
static const SuiteCases g_customFabricCases("lightpath-helper", {{new CustomFabricTestCase}});
