/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-fixture.h"
#include "method-case.h"
#include "model/control/ring/ring-static-allocator.h"
#include "ring-fixture.h"

#include "ns3/circuit-switch-channel.h"
#include "ns3/config.h"
#include "ns3/fabric-description.h"
#include "ns3/light-verdict.h"
#include "ns3/mrr-ring-channel.h"
#include "ns3/oddl-helper.h"
#include "ns3/optical-link.h"
#include "ns3/optical-net-device.h"
#include "ns3/packet.h"
#include "ns3/photonic-channel.h"
#include "ns3/sip-ocs-helper.h"
#include "ns3/sip-ring-helper.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <cmath>
#include <iomanip>
#include <sstream>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/**
 * @ingroup lightpath-tests
 * @param layer the influence of the light
 * @param isAmplified whether nodes amplify it
 * @return a ring for 40 nodes
 */
SipRingHelper
MakeRing(const std::string& layer, bool isAmplified)
{
    SipRingHelper ring;
    ring.SetChannelAttribute("PhysicalLayer", StringValue(layer));
    ring.SetChannelAttribute("Amplifiers", BooleanValue(isAmplified));
    return ring;
}

/**
 * @ingroup lightpath-tests
 * @param helper installs a fabric
 * @param nodes the number of nodes
 * @return the channel
 */
Ptr<PhotonicChannel>
Install(const FabricHelper& helper, uint32_t nodes)
{
    NodeContainer all;
    all.Create(nodes);
    return DynamicCast<PhotonicChannel>(FabricHelper::GetChannel(helper.Install(all)));
}

} // namespace

/**
 * @ingroup lightpath-tests
 * @brief The test cases of the light of fabrics.
 */
class PhysicalLayerTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /// Checks that one fabric whose light does not arrive decides for all, whatever their margins.
    void TestVerdict()
    {
        LightVerdict broken;
        broken.light = LightReport();
        broken.light->margin = 9;
        broken.light->fault = LightFault{"receiver rate", "It is too high.", ""};
        broken.isFeasible = false;
        LightVerdict narrow;
        narrow.light = LightReport();
        narrow.light->margin = 1;
        LightVerdict unknown;
        unknown.isFeasible = std::nullopt;
        LightVerdict all;
        NS_TEST_EXPECT_MSG_EQ(all.GetFeasibility(), "yes", "Nothing needs light");
        all.Add(narrow);
        all.Add(LightVerdict());
        NS_TEST_EXPECT_MSG_EQ(all.light->margin, 1, "The least margin");
        all.Add(unknown);
        NS_TEST_EXPECT_MSG_EQ(all.GetFeasibility(), "-", "One is not known");
        for (const auto& next : {broken, narrow, unknown})
        {
            all.Add(next);
            NS_TEST_EXPECT_MSG_EQ(all.GetFeasibility(), "no: receiver rate", "One fails");
        }
    }

    /// Checks how many segments light covers, and which plans are refused.
    void TestRing()
    {
        const auto ring = DynamicCast<OpticalChannel>(Install(MakeRing("Budget", false), 40));
        const auto link = CreateObject<OpticalLink>();
        uint32_t reach = 0;
        double next = 0;
        do
        {
            const auto path = OpticalLink::MakeRingPath(reach + 1, 8, 2, false);
            next = link->GetMargin(link->GetBudget(path, 8).GetSignal());
            NS_TEST_EXPECT_MSG_EQ(ring->GetMargin(reach + 1, 40), next, reach + 1 << " segments");
            reach += next >= 0 ? 1 : 0;
        } while (next >= 0);
        NS_TEST_EXPECT_MSG_EQ(ring->GetReach(40), reach, "Reach without amplifiers");
        CircuitPlan plan;
        plan.AddLane(0, reach, {0, 0});
        NS_TEST_EXPECT_MSG_EQ(ring->Check(plan), "", "Light arrives");
        plan.AddLane(3, 4 + reach, {1, 0});
        std::ostringstream missing;
        missing << std::fixed << std::setprecision(2) << -next << " dB of light are missing";
        NS_TEST_EXPECT_MSG_EQ(ring->Check(plan),
                              "The lightpath from port 3 to port " + std::to_string(4 + reach) +
                                  " cannot exist: " + missing.str() + " over " +
                                  std::to_string(reach + 1) + " segments",
                              "Light does not arrive");
        Simulator::Destroy();
    }

    /// Checks that allocators keep to the reach of the light, and to MaxDistance.
    void TestAllocators()
    {
        TrafficMatrix demand(40);
        demand.Add(0, 6, 1);
        demand.Add(0, 7, 1);
        demand.Add(0, 16, 1);
        demand.Add(0, 17, 1);
        const auto count = [&](SipRingHelper& ring, const std::string& type) {
            // Lanes for all pairs within 16 segments
            ring.SetNFibres(25);
            ring.SetBandwidth(DataRate("10000Gbps"));
            ring.SetAllocator("ns3::lightpath::" + type);
            return ring.CreateAllocator(40)->Allocate(demand).unserved.size();
        };
        for (const std::string type : {"RingMaxMinAllocator", "RingStaticAllocator"})
        {
            auto budget = MakeRing("Budget", false);
            NS_TEST_EXPECT_MSG_EQ(count(budget, type), 3U, type << ": 6 segments");
            auto amplified = MakeRing("Budget", true);
            NS_TEST_EXPECT_MSG_EQ(count(amplified, type), 1U, type << ": 16 segments");
            auto report = MakeRing("Report", false);
            NS_TEST_EXPECT_MSG_EQ(count(report, type), 1U, type << ": as without light");
            report.SetAllocatorAttribute("MaxDistance", UintegerValue(0));
            const auto any = report.CreateAllocator(40)->Allocate(demand);
            NS_TEST_EXPECT_MSG_EQ(any.unserved.size(), 0U, type << ": any length");
        }
        const auto limits = FabricDescription::Create(MakeRing("Budget", false))->GetLimits(40);
        NS_TEST_EXPECT_MSG_EQ(limits.obstacle(0, 6), "", "Light arrives");
        NS_TEST_EXPECT_MSG_EQ((limits.obstacle(38, 7).find("over 9 segments") != std::string::npos),
                              true,
                              limits.obstacle(38, 7));
        NS_TEST_EXPECT_MSG_EQ(
            FabricDescription::Create(MakeRing("None", false))->GetLimits(40).obstacle(1, 18),
            "17 segments are more than the MaxDistance of 16",
            "Without light");
        Simulator::Destroy();
    }

    /// Checks the report of the longest lightpath.
    void TestReport()
    {
        const auto none = DynamicCast<OpticalChannel>(Install(MakeRing("None", true), 40));
        const auto ring = DynamicCast<OpticalChannel>(Install(MakeRing("Report", true), 40));
        CircuitPlan plan;
        plan.AddLane(5, 12, {0, 0});
        plan.AddLane(30, 12, {0, 1});
        plan.AddLane(30, 29, {5, 1});
        none->Configure(plan);
        NS_TEST_EXPECT_MSG_EQ(none->GetLightReport().has_value(), false, "No physical layer");
        NS_TEST_EXPECT_MSG_EQ(ring->GetLightReport().has_value(), false, "No lightpath");
        ring->Configure(plan);
        const auto report = ring->GetLightReport();
        NS_TEST_ASSERT_MSG_EQ(report.has_value(), true, "A lightpath");
        NS_TEST_EXPECT_MSG_EQ(report->hops, 22U, "Segments from 30 to 12");
        NS_TEST_EXPECT_MSG_EQ((*report->ports == PortPair(30, 12)), true, "Its ends");
        NS_TEST_EXPECT_MSG_EQ(report->amplifiers, 21U, "One at each node between");
        NS_TEST_EXPECT_MSG_EQ(report->margin, ring->GetMargin(22, 40), "Margin");
        NS_TEST_EXPECT_MSG_EQ(report->fault.has_value(), false, "Light arrives");
        NS_TEST_EXPECT_MSG_EQ(ring->IsFeasible().value_or(false), true, "It can be built");
        NS_TEST_EXPECT_MSG_EQ(none->IsFeasible().has_value(), false, "Nobody asked");
        Simulator::Destroy();
    }

    /// Checks that switches that are too large are made of stages.
    void TestSwitches()
    {
        SipOcsHelper helper;
        helper.SetNSwitches(2);
        const auto check = [&](const std::string& layer,
                               const std::string& kind,
                               uint32_t nodes,
                               uint64_t ports,
                               uint64_t fibres) {
            helper.SetChannelAttribute("PhysicalLayer", StringValue(layer));
            helper.SetChannelAttribute("SwitchKind", StringValue(kind));
            const auto channel = Install(helper, nodes);
            const FabricPlant plant = channel->GetPlant();
            NS_TEST_EXPECT_MSG_EQ(plant.nSwitchPorts, ports, layer << kind << ": ports");
            NS_TEST_EXPECT_MSG_EQ(plant.nFibres, fibres, layer << kind << ": fibres");
            return channel;
        };
        // A MEMS switch has 136 ports, a piezo switch 576
        check("Budget", "mems", 136, 272, 544);
        check("None", "mems", 137, 274, 548);
        const auto stages = check("Budget", "mems", 137, 2 * 137 * 3, 2 * 137 * 4);
        check("Budget", "piezo", 137, 274, 548);
        CircuitPlan plan;
        plan.AddLane(0, 1, {0, 0});
        const auto channel = DynamicCast<OpticalChannel>(stages);
        channel->Configure(plan);
        const auto report = channel->GetLightReport();
        NS_TEST_EXPECT_MSG_EQ(report->stages, 3U, "Stages that the light passes");
        NS_TEST_EXPECT_MSG_EQ(report->fault.has_value(), false, "It passes them");
        // Circuits that are set once may be set before, those that turn take 1.2 ms at least
        channel->SetAttribute("SwitchingDelay", StringValue("1199us"));
        NS_TEST_EXPECT_MSG_EQ(channel->GetLightReport()->turns, "", "Set once");
        CircuitPlan next;
        next.AddLane(1, 0, {0, 0});
        channel->Configure(next);
        NS_TEST_EXPECT_MSG_EQ(channel->GetLightReport()->turns,
                              "A MEMS switch turns in 1.2 ms at best, not in 1.199 ms",
                              "Too fast");
        channel->SetAttribute("SwitchingDelay", StringValue("1200us"));
        NS_TEST_EXPECT_MSG_EQ(channel->GetLightReport()->turns, "", "As fast as some");
        helper.SetChannelAttribute("SwitchKind", StringValue("wss"));
        NS_TEST_EXPECT_MSG_EQ(helper.Check(201).find("201 ports need more than three stages"),
                              0U,
                              helper.Check(201));
        helper.SetChannelAttribute("SwitchKind", StringValue("awgr"));
        NS_TEST_EXPECT_MSG_EQ(helper.Check(8).find("An arrayed waveguide grating has no circuits"),
                              0U,
                              helper.Check(8));
        Simulator::Destroy();
    }

    /// Checks the light of the grid of ODDL.
    void TestGrid()
    {
        OddlHelper helper;
        helper.SetChannelAttribute("PhysicalLayer", StringValue("Budget"));
        // 24 wavelengths of 25 Gb/s for each of 4 ports are 96, as many as a switch routes
        helper.SetBandwidth(DataRate("1200Gbps"));
        NS_TEST_EXPECT_MSG_EQ(helper.Check(16), "", "Transceivers of 600 Gb/s");
        helper.SetBandwidth(DataRate("1202Gbps"));
        NS_TEST_EXPECT_MSG_EQ(helper.Check(16),
                              "A transceiver of 601 Gb/s has 25 wavelengths, so that a switch of 4 "
                              "ports has 100, but routes 96",
                              "Transceivers are too fast");
        helper.SetBandwidth(DataRate("50Gbps"));
        NS_TEST_EXPECT_MSG_EQ(helper.Check(16), "", "Light of 10 dBm passes 6.5 dB of a switch");
        Config::SetDefault("ns3::lightpath::OpticalSource::Power", DoubleValue(-8));
        const std::string refusal = helper.Check(16);
        Config::SetDefault("ns3::lightpath::OpticalSource::Power", DoubleValue(10));
        NS_TEST_EXPECT_MSG_EQ((refusal.find(" dB of light are missing") != std::string::npos),
                              true,
                              refusal);
        Simulator::Destroy();
    }

    /// Checks the share of the frames that a weak lightpath loses, with lanes on both arcs.
    void TestErrors()
    {
        constexpr uint32_t frames = 20000;
        constexpr uint32_t bytes = 1500;
        const auto channel = DynamicCast<OpticalChannel>(Install(MakeRing("Errors", false), 11));
        // As much light as loses some frames over 5 and 6 segments
        double share = 0;
        for (double power = 10; share < 0.02; power -= 0.1)
        {
            Config::SetDefault("ns3::lightpath::OpticalSource::Power", DoubleValue(power));
            const auto link = CreateObject<OpticalLink>();
            double rate = 0;
            for (const uint32_t hops : {5, 6})
            {
                rate += link->GetBitErrorRate(channel->GetBudget(hops, 11).GetSignal()) / 2;
            }
            share = -std::expm1(8.0 * (bytes + 14) * std::log1p(-rate));
        }
        NS_TEST_ASSERT_MSG_LT(share, 0.9, "Too many losses to count");
        CircuitPlan plan;
        plan.AddLane(0, 5, {0, 0});
        plan.AddLane(0, 5, {5, 0});
        channel->SetAttribute("InitialSwitching", BooleanValue(false));
        channel->Configure(plan);
        uint32_t received = 0;
        const auto device = channel->GetPort(0);
        channel->GetPort(5)->SetReceiveCallback(
            Callback<bool, Ptr<NetDevice>, Ptr<const Packet>, uint16_t, const Address&>(
                [&received](Ptr<NetDevice>, Ptr<const Packet>, uint16_t, const Address&) {
                    ++received;
                    return true;
                }));
        for (uint32_t frame = 0; frame < frames; ++frame)
        {
            Simulator::Schedule(MicroSeconds(frame), [=] {
                device->Send(Create<Packet>(bytes), channel->GetPort(5)->GetAddress(), 0x800);
            });
        }
        Simulator::Run();
        Config::SetDefault("ns3::lightpath::OpticalSource::Power", DoubleValue(10));
        const double error = std::sqrt(share * (1 - share) / frames);
        NS_TEST_EXPECT_MSG_EQ_TOL(1 - received / static_cast<double>(frames),
                                  share,
                                  3 * error,
                                  "Share of lost frames");
        Simulator::Destroy();
    }
};

static const SuiteCases g_physicalLayerCases(
    "lightpath-optical-link",
    {{MakeCase("Light covers some segments of a ring", &PhysicalLayerTests::TestRing),
      MakeCase("Allocators keep to the reach", &PhysicalLayerTests::TestAllocators),
      MakeCase("Report of the longest lightpath", &PhysicalLayerTests::TestReport),
      MakeCase("Verdict on several fabrics", &PhysicalLayerTests::TestVerdict),
      MakeCase("Circuit switches in stages", &PhysicalLayerTests::TestSwitches),
      MakeCase("Light of the grid", &PhysicalLayerTests::TestGrid),
      MakeCase("Weak lightpaths lose frames", &PhysicalLayerTests::TestErrors)}});
