/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "expect-error.h"
#include "method-case.h"
#include "model/collective/algorithm-table.h"
#include "training-fixture.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/electrical-switch-helper.h"
#include "ns3/fabric-channel.h"
#include "ns3/fabric-description.h"
#include "ns3/mac48-address.h"
#include "ns3/oddl-helper.h"
#include "ns3/opt-inc-helper.h"
#include "ns3/pointer.h"
#include "ns3/random-variable-stream.h"
#include "ns3/ring-link-helper.h"
#include "ns3/simulator.h"
#include "ns3/sip-ocs-helper.h"
#include "ns3/sip-ring-helper.h"
#include "ns3/string.h"
#include "ns3/training-helper.h"
#include "ns3/training-report.h"
#include "ns3/uinteger.h"

#include <array>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{
namespace lightpath
{
namespace tests
{

/**
 * @ingroup lightpath-tests
 * @brief Tests of the attributes that pass through helpers.
 */
class HelperAttributesTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /// The installed channel has the attributes that the user sets.
    void TestInstalledAttributes()
    {
        Install("sip-ring",
                {{"NFibres", "4"},
                 {"LaneRate", "50000000000bps"},
                 {"WavelengthMode", "LoadOnly"},
                 {"NodeDistance", "3"}});
        Install("sip-ocs", {{"NSwitches", "10"}, {"Duplex", "false"}, {"PauseMode", "Partial"}});
        Install("oddl", {{"Rows", "1"}, {"Columns", "5"}, {"Transceivers", "2"}});
        Install("oddl", {{"Rows", "2"}, {"Columns", "3"}, {"RowShare", "0.75"}});
        Install("electrical", {{"Delay", "+3000ns"}, {"Reduces", "true"}});
        Install("optinc", {{"Transceivers", "4"}, {"FibreLength", "11"}});
    }

    /// Planners know the attributes of a channel.
    void TestLimitsOfAttributes()
    {
        SipRingHelper ring;
        NS_TEST_EXPECT_MSG_EQ(ring.GetBandwidth(), DataRate("2000Gbps"), "80 lanes of 25 Gb/s");
        ring.SetChannelAttribute("NFibres", UintegerValue(4));
        ring.SetChannelAttribute("LaneRate", DataRateValue(DataRate("50Gbps")));
        NS_TEST_EXPECT_MSG_EQ(FabricDescription::Create(ring)->GetLimits(4).circuits,
                              40,
                              "2 Tb/s over 50 Gb/s");
        NS_TEST_EXPECT_MSG_EQ_TOL(FabricDescription::Create(ring)->GetLimits(4).laneRate,
                                  50e9,
                                  1,
                                  "the lane");
        UintegerValue wavelengths;
        ring.GetChannelAttribute("NWavelengths", wavelengths);
        NS_TEST_EXPECT_MSG_EQ(wavelengths.Get(), 5, "40 lanes on 8 fibres");
        ring.SetNFibres(3);
        EXPECT_PART(ring.Check(4), "must be a multiple of 300 Gb/s");

        // Fibres follow the bandwidth: as many as share out its wavelengths evenly, 5 at most
        const std::vector<std::array<uint32_t, 3>> cases =
            {{50, 1, 1}, {100, 2, 1}, {250, 5, 1}, {350, 1, 7}, {400, 4, 2}, {500, 5, 2}};
        for (const auto& [gbps, fibres, each] : cases)
        {
            SipRingHelper other;
            other.SetBandwidth(DataRate(gbps * uint64_t{1000000000}));
            NS_TEST_EXPECT_MSG_EQ(other.Check(4), "", "wavelengths of 25 Gb/s");
            NS_TEST_EXPECT_MSG_EQ(FabricDescription::Create(other)->GetLimits(4).circuits,
                                  gbps / 25,
                                  "all wavelengths");
            const auto devices = other.Install(NodeContainer(4));
            UintegerValue value;
            FabricHelper::GetChannel(devices)->GetAttribute("NFibres", value);
            NS_TEST_EXPECT_MSG_EQ(value.Get(), fibres, "fibres of " << gbps << " Gb/s");
            FabricHelper::GetChannel(devices)->GetAttribute("NWavelengths", value);
            NS_TEST_EXPECT_MSG_EQ(value.Get(), each, "wavelengths of a fibre");
        }

        SipOcsHelper switches;
        switches.SetChannelAttribute("NSwitches", UintegerValue(10));
        NS_TEST_EXPECT_MSG_EQ(FabricDescription::Create(switches)->GetLimits(4).degree,
                              10,
                              "a circuit for each switch");
        NS_TEST_EXPECT_MSG_EQ_TOL(FabricDescription::Create(switches)->GetLimits(4).laneRate,
                                  200e9,
                                  1,
                                  "a tenth of 2 Tb/s");
        switches.SetConnected(true);
        switches.SetChannelAttribute("Duplex", BooleanValue(true));
        EXPECT_PART(switches.Check(4), "duplex");

        ElectricalSwitchHelper electrical;
        NS_TEST_EXPECT_MSG_EQ(electrical.GetBandwidth(), DataRate("2000Gbps"), "of the channel");
        electrical.SetChannelAttribute("Delay", TimeValue(MicroSeconds(3)));
        NS_TEST_EXPECT_MSG_EQ_TOL(FabricDescription::Create(electrical)->GetLimits(4).latency,
                                  3e-6,
                                  1e-15,
                                  "the delay");

        OddlHelper grid;
        NS_TEST_EXPECT_MSG_EQ(grid.GetBandwidth(), DataRate("200Gbps"), "both switches");
        grid.SetChannelAttribute("Rows", UintegerValue(3));
        NS_TEST_EXPECT_MSG_EQ(grid.GetGrid(8).second, 3, "columns for 8 nodes in 3 rows");
        grid.SetGrid(0, 4);
        NS_TEST_EXPECT_MSG_EQ(grid.GetGrid(8).first, 2, "rows for 8 nodes in 4 columns");
        grid.SetChannelAttribute("Transceivers", UintegerValue(3));
        EXPECT_PART(grid.Check(8), "is not 6 transceivers");

        OptIncHelper averaging;
        NS_TEST_EXPECT_MSG_EQ(averaging.GetBandwidth(), DataRate("800Gbps"), "of the channel");
        // Text of an attribute with the separators of attributes
        averaging.SetChannelAttribute("RangingError",
                                      StringValue("ns3::UniformRandomVariable[Min=-1.0|Max=2.0]"));
        PointerValue error;
        averaging.GetChannelAttribute("RangingError", error);
        const auto uniform = error.Get<UniformRandomVariable>();
        NS_TEST_ASSERT_MSG_EQ(bool(uniform), true, "a variable");
        NS_TEST_EXPECT_MSG_EQ_TOL(uniform->GetMax(), 2, 0, "its limit");
        Simulator::Destroy();
    }

    /// An attribute that a helper computes is refused.
    void TestDerivedAttributes()
    {
        const DataRateValue rate(DataRate("1Gbps"));
        const UintegerValue count(1);
        SipRingHelper ring;
        Try([&] { ring.SetChannelAttribute("NWavelengths", count); },
            "follows from the bandwidth of a node, NFibres and LaneRate");
        RingLinkHelper link;
        Try([&] { link.SetChannelAttribute("LaneRate", rate); }, "the number of nodes");
        Try([&] { SipOcsHelper().SetChannelAttribute("LaneRate", rate); }, "and NSwitches");
        Try([&] { OddlHelper().SetChannelAttribute("LaneRate", rate); }, "and Transceivers");
        Try([&] { ElectricalSwitchHelper().SetChannelAttribute("LinkRate", rate); }, "DataRate");
        Try([&] { OptIncHelper().SetChannelAttribute("LaneRate", rate); }, "and Transceivers");
        Try([&] { OptIncHelper().SetChannelAttribute("Averager", PointerValue()); },
            "SetAverager()");
        Try([&] { ring.SetChannelAttribute("Colour", count); }, "has no attribute Colour");
        Try([&] { ring.SetChannelAttribute("NFibres", UintegerValue(0)); },
            "cannot have this value");
        Try([&] { ring.SetDeviceAttribute("Address", Mac48AddressValue(Mac48Address())); },
            "on the devices that Install() returns");
        Try([&] { ring.SetDeviceAttribute("TxQueue", PointerValue()); }, "SetQueueAttribute()");
        ring.SetChannelAttribute("DataRate", DataRateValue(DataRate("1000Gbps")));
        NS_TEST_EXPECT_MSG_EQ(ring.GetBandwidth(), DataRate("1000Gbps"), "the bandwidth");
    }

    /**
     * No collective operation by any algorithm is faster than its bytes at the bandwidth of a node.
     *
     * @param fabric the fabric
     * @param n the number of nodes
     */
    void TestBandwidth(const std::string& fabric, uint32_t n)
    {
        using Needs = AlgorithmTable::Needs;
        for (const auto& row : AlgorithmTable::GetRows())
        {
            if (row.needs == Needs::AVERAGING ||
                (row.needs == Needs::SERVERS && (n % 2 > 0 || n == 2)))
            {
                continue;
            }
            for (const auto kind : row.kinds)
            {
                Task task = Collective(kind, 10000000);
                task.options.algorithm = row.value;
                task.options.local = row.needs == Needs::SERVERS ? 2 : 1;
                const double share = kind == CollectiveKind::SEND_RECV ? 1 : (n - 1.0) / n;
                const uint32_t times = kind == CollectiveKind::ALL_REDUCE ? 2 : 1;
                NS_TEST_EXPECT_MSG_GT(Carry(fabric, n, task),
                                      times * share * task.bytes * 8 / 1e12,
                                      static_cast<int>(kind) << " by " << row.name);
            }
        }
    }

    /**
     * A collective operation takes the same time in bursts and in frames.
     *
     * @param fabric the fabric
     */
    void TestFrames(const std::string& fabric)
    {
        for (const auto kind : {CollectiveKind::ALL_REDUCE, CollectiveKind::ALL_TO_ALL})
        {
            const Task task = Collective(kind, 40000000);
            const double bursts = Carry(fabric, 8, task);
            const double frames = Carry(fabric, 8, task, 9000);
            NS_TEST_EXPECT_MSG_EQ_TOL(bursts, frames, 5e-3 * frames, static_cast<int>(kind));
        }
    }

  private:
    /**
     * @param fabric the name of a fabric of 1 Tb/s
     * @param n the number of nodes
     * @param task a task of all of them
     * @param frameSize bytes of a frame; 0 for bursts
     * @return its time in seconds
     */
    static double Carry(const std::string& fabric,
                        uint32_t n,
                        const Task& task,
                        uint32_t frameSize = 0)
    {
        const auto helper = FabricHelper::Create(fabric);
        helper->SetBandwidth(DataRate("1000Gbps"));
        helper->DisableFlowControl();
        NodeContainer nodes(n);
        const auto devices = helper->Install(nodes);
        RankProgram program;
        program.AddTask(task);
        const auto plan = MakePlan(std::vector<RankProgram>(n, program));
        TrainingHelper training;
        training.SetTransportAttribute("FrameSize", UintegerValue(frameSize));
        const auto job = TrainingHelper::GetJob(
            training.Install(plan, devices, helper->CreateController(devices)));
        Simulator::Run();
        const double seconds =
            TrainingReport(job, FabricHelper::GetChannel(devices)).iterationSeconds.front();
        Simulator::Destroy();
        return seconds;
    }

    /**
     * @param fabric the name of a fabric
     * @param values attributes of its channel, with their values as text
     */
    void Install(const std::string& fabric,
                 const std::vector<std::pair<std::string, std::string>>& values)
    {
        const auto helper = FabricHelper::Create(fabric);
        for (const auto& [name, value] : values)
        {
            helper->SetChannelAttribute(name, StringValue(value));
        }
        NS_TEST_EXPECT_MSG_EQ(helper->Check(4), "", fabric);
        NodeContainer nodes(4);
        const auto channel = FabricHelper::GetChannel(helper->Install(nodes));
        NS_TEST_EXPECT_MSG_EQ(channel->GetFabricName(), fabric, "the name in reports");
        for (const auto& [name, value] : values)
        {
            StringValue installed;
            channel->GetAttribute(name, installed);
            NS_TEST_EXPECT_MSG_EQ(installed.Get(), value, fabric << ": " << name);
        }
        Simulator::Destroy();
    }

    /**
     * @param call a call that ends the program
     * @param part a part of its sentence
     */
    void Try(const std::function<void()>& call, const std::string& part)
    {
        EXPECT_ABORT(part, call);
    }
};

/// Registers the test cases
static const SuiteCases g_helperAttributesCases(
    "lightpath-helper-attributes",
    {MakeCases("The bandwidth bounds what a node sends",
               &HelperAttributesTests::TestBandwidth,
               {{"sip-ring", 6},
                {"sip-ocs", 6},
                {"electrical", 8},
                {"oddl", 2},
                {"oddl", 6},
                {"oddl", 7},
                {"oddl", 16}}),
     MakeCases("Bursts and frames take the same time",
               &HelperAttributesTests::TestFrames,
               {{"sip-ring"}, {"sip-ocs"}, {"electrical"}}),
     {MakeCase("Attributes of a channel are installed as they were set",
               &HelperAttributesTests::TestInstalledAttributes),
      MakeCase("Limits follow the attributes of a channel",
               &HelperAttributesTests::TestLimitsOfAttributes),
      MakeCase("Attributes that a helper computes cannot be set",
               &HelperAttributesTests::TestDerivedAttributes)}});

} // namespace tests
} // namespace lightpath
} // namespace ns3
