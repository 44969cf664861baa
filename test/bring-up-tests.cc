/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "expect-error.h"
#include "fabric-fixture.h"
#include "method-case.h"

#include "ns3/bring-up.h"
#include "ns3/circuit-switch-channel.h"
#include "ns3/fabric-description.h"
#include "ns3/oddl-helper.h"
#include "ns3/sip-ocs-helper.h"
#include "ns3/wss-grid-channel.h"

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/**
 * @ingroup lightpath-tests
 * @brief Test cases on the steps that bring circuits up.
 */
class BringUpTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /// The steps have published times, and helpers pass them on.
    void TestPresets()
    {
        NS_TEST_EXPECT_MSG_EQ(BringUp::Create("published").GetTotal(), Time(0), "Included");
        // 3.84, 18.5, 5440 bits at 106.25 Gb/s and 37, and 8700 ns, in whole nanoseconds
        const BringUp research = BringUp::Create("research");
        NS_TEST_EXPECT_MSG_EQ_TOL(research.GetTotal().GetNanoSeconds(), 8810.5, 2.1, "Research");
        const BringUp product = BringUp::Create("product");
        NS_TEST_EXPECT_MSG_EQ(product.GetTotal(), MilliSeconds(5670), "Product");
        NS_TEST_EXPECT_MSG_EQ_TOL(product.codeAlignment.GetNanoSeconds(), 419430, 1, "Markers");
        EXPECT_PART(GetError([] { BringUp::Create("magic"); }), "There is no bring-up 'magic'");

        SipOcsHelper switches;
        switches.SetChannelAttribute("SwitchingDelay", TimeValue(MilliSeconds(1)));
        switches.SetBringUp(product);
        NS_TEST_EXPECT_MSG_EQ_TOL(
            FabricDescription::Create(switches)->GetLimits(4).switchingSeconds,
            5.671,
            1e-9,
            "Limits");
        OddlHelper grid;
        grid.SetBringUp(research);
        const auto channel = FabricHelper::GetChannel(grid.Install(NodeContainer(4)));
        NS_TEST_EXPECT_MSG_EQ(DynamicCast<WssGridChannel>(channel)->GetTuneAndLockTime(),
                              research.GetTotal(),
                              "Grid");
        Simulator::Destroy();
    }

    /**
     * Circuits are dark for the sum of all steps, and those that stay are lit.
     *
     * @param pause the PauseMode
     * @param lit the time in nanoseconds at which a circuit that stays carries its second frame
     */
    void TestDarkness(const std::string& pause, int64_t lit)
    {
        const auto fabric = MakeChannel<CircuitSwitchChannel>({{"NSwitches", "2"},
                                                               {"LaneRate", "8Gbps"},
                                                               {"InitialSwitching", "false"},
                                                               {"FibreLength", "0"},
                                                               {"PauseMode", pause},
                                                               {"SwitchingDelay", "1us"},
                                                               {"LaserTuningTime", "20us"},
                                                               {"ReceiverLockTime", "300us"},
                                                               {"CodeAlignmentTime", "4ms"},
                                                               {"LinkTrainingTime", "50ms"}});
        FabricFixture fixture(fabric, 3);
        fabric->Configure(MakeCircuits({{0, 1, {0, 0}}}));
        NS_TEST_EXPECT_MSG_EQ(fabric->GetSwitchingDelay(), NanoSeconds(54321000), "Sum");
        fixture.sources[0]->Send(1, 1000, 2);
        fixture.sources[1]->Send(2, 1000);
        Simulator::Schedule(NanoSeconds(1000),
                            &OpticalChannel::Configure,
                            fabric,
                            MakeCircuits({{0, 1, {0, 0}}, {1, 2, {1, 0}}}));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(fixture.received[1].at(1), NanoSeconds(lit), "Stays");
        NS_TEST_EXPECT_MSG_EQ(fixture.received[2].at(0), NanoSeconds(54323000), "Comes up");
        NS_TEST_EXPECT_MSG_EQ(fabric->GetDarkTime(), NanoSeconds(54321000), "Dark");
    }
};

/// Registers the test cases
const SuiteCases g_bringUpCases(
    "lightpath-bring-up",
    {MakeCases("Darkness", &BringUpTests::TestDarkness, {{"Global", 54323000}, {"Partial", 2000}}),
     {MakeCase("Presets", &BringUpTests::TestPresets)}});

} // namespace
