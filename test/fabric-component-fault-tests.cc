/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "expect-error.h"
#include "fabric-fault-tests.h"
#include "fabric-fixture.h"
#include "fabric-parts.h"
#include "method-case.h"

#include "ns3/circuit-switch-channel.h"
#include "ns3/double.h"
#include "ns3/mrr-ring-channel.h"
#include "ns3/uinteger.h"

#include <functional>

using namespace ns3;
using namespace ns3::lightpath;

/**
 * @ingroup lightpath-tests
 * @brief Components fail in the middle of a frame.
 *
 * The frame of 20000 bytes is sent on two lanes of 1 byte/ns from 0 on; components fail at 4000 ns.
 * If no lane is left, another lightpath of one lane is configured at 10000 ns and has light at
 * 13000 ns.
 */
class ComponentFaultTestCase : public TestCase
{
  public:
    /// The fabric and its lanes.
    enum Kind
    {
        CLOCKWISE,        //!< A ring of 4 nodes, node 0 to 2, on fibres 0 and 1
        COUNTERCLOCKWISE, //!< The same on fibres 2 and 3
        SIMPLEX,          //!< Three switches, device 0 to 1 through switches 0 and 1
        DUPLEX,           //!< The same with circuits back
    };

    /**
     * @param kind the fabric and its lanes
     * @param components the components that fail
     * @param lost the number of the two lanes that they break
     * @param cut "Resume" or "Finish"
     */
    ComponentFaultTestCase(Kind kind,
                           const std::vector<std::string>& components,
                           uint32_t lost,
                           const std::string& cut)
        : TestCase(components.front() + " fails: " + cut + ", fabric " + std::to_string(kind)),
          m_kind(kind),
          m_components(components),
          m_lost(lost),
          m_cut(cut)
    {
    }

  private:
    void DoRun() override
    {
        const auto fabric = MakeFabric();
        SetTimes(fabric);
        fabric->SetAttribute("FrameCut", StringValue(m_cut));
        FabricFixture fixture(fabric, 4);
        const bool isRing = m_kind == CLOCKWISE || m_kind == COUNTERCLOCKWISE;
        const uint32_t to = isRing ? 2 : 1;
        const uint32_t fibre = m_kind == COUNTERCLOCKWISE ? 2 : 0;
        const Lane second{fibre + 1, isRing ? 1U : 0U};
        const bool duplex = m_kind == DUPLEX;
        const CircuitPlan before = MakePlan(0, to, {{fibre, 0}, second}, duplex);
        const CircuitPlan after = MakePlan(0, to, {{2 - fibre, 0}}, duplex);
        fabric->Configure(before);

        Trace(fabric, fixture);
        fixture.sources[0]->Send(to, 20000);
        Simulator::Schedule(NanoSeconds(4000), [&]() {
            for (const auto& component : m_components)
            {
                fabric->SetFailed(component, true);
            }
            const uint32_t ways = duplex ? 2 : 1;
            NS_TEST_EXPECT_MSG_EQ(fabric->GetPlan().GetNLanes(), ways * (2 - m_lost), "the plan");
            NS_TEST_EXPECT_MSG_EQ(fabric->GetLive().GetNLanes(), ways * (2 - m_lost), "at once");
            NS_TEST_EXPECT_MSG_EQ(fabric->Check(before).empty(),
                                  (m_lost == 0),
                                  "needs what failed");
            NS_TEST_EXPECT_MSG_EQ((m_lost < 2 || fabric->Check(after).empty()), true, "needs none");
            NS_TEST_EXPECT_MSG_EQ(fabric->HasPath(0, to), true, "a way is left");
        });
        if (m_lost == 2)
        {
            Simulator::Schedule(NanoSeconds(10000), &OpticalChannel::Configure, fabric, after);
        }
        Simulator::Run();
        const std::vector<int64_t> ends = {10000, 16000, 25000};
        NS_TEST_ASSERT_MSG_EQ(fixture.received[to].size(), 1, "the frame arrives once");
        NS_TEST_EXPECT_MSG_EQ(fixture.received[to][0], NanoSeconds(ends[m_lost]), "the end");
        const std::string changes = "0:" + std::to_string(to) + " down 4000, ";
        const std::string back = "0:" + std::to_string(to) + " up 13000, ";
        NS_TEST_EXPECT_MSG_EQ(m_changes, (m_lost == 2 ? changes + back : ""), "of the lightpath");
        std::string faults;
        for (const auto& component : m_components)
        {
            faults += component + " fails ";
        }
        NS_TEST_EXPECT_MSG_EQ(m_faults, faults, "faults that were told");
        NS_TEST_EXPECT_MSG_EQ(m_linkChanges, 0, "the device stays attached");
        NS_TEST_EXPECT_MSG_EQ(fixture.devices[0]->IsLinkUp(), true, "and up");
        if (m_lost > 0)
        {
            const std::string refusal = fabric->Check(before);
            EXPECT_ABORT(refusal, [&]() { fabric->Configure(before); });
        }
        for (const auto& component : m_components)
        {
            fabric->SetFailed(component, false);
        }
        NS_TEST_EXPECT_MSG_EQ(fabric->Check(before), "", "mended");
    }

    /**
     * @return the fabric, without devices
     */
    Ptr<OpticalChannel> MakeFabric() const
    {
        if (m_kind == CLOCKWISE || m_kind == COUNTERCLOCKWISE)
        {
            const auto ring = MakeChannel<MrrRingChannel>(
                {{"NFibres", "2"}, {"NWavelengths", "2"}, {"NodeDistance", "0"}});
            return ring;
        }
        const auto switches =
            MakeChannel<CircuitSwitchChannel>({{"NSwitches", "3"}, {"FibreLength", "0"}});
        switches->SetAttribute("Duplex", BooleanValue(m_kind == DUPLEX));
        return switches;
    }

    /**
     * Record the reports of the traces.
     *
     * @param fabric the fabric
     * @param fixture its devices, of which only port 0 is traced
     */
    void Trace(Ptr<OpticalChannel> fabric, FabricFixture& fixture)
    {
        const auto note = [this](const std::string& what, uint32_t destination) {
            m_changes += "0:" + std::to_string(destination) + what +
                         std::to_string(Simulator::Now().GetNanoSeconds()) + ", ";
        };
        const auto& device = fixture.devices[0];
        device->TraceConnectWithoutContext(
            "LightpathUp",
            Callback<void, uint32_t>([note](uint32_t destination) { note(" up ", destination); }));
        device->TraceConnectWithoutContext("LightpathDown",
                                           Callback<void, uint32_t>([note](uint32_t destination) {
                                               note(" down ", destination);
                                           }));
        device->AddLinkChangeCallback(Callback<void>([this]() { ++m_linkChanges; }));
        fabric->TraceConnectWithoutContext("Fault",
                                           Callback<void, const std::string&, bool>(
                                               [this](const std::string& component, bool failed) {
                                                   m_faults += component;
                                                   m_faults += failed ? " fails " : " works ";
                                               }));
    }

    Kind m_kind;                           //!< Which fabric, and which lanes
    std::vector<std::string> m_components; //!< What fails
    uint32_t m_lost;                       //!< Lanes that this breaks
    std::string m_cut;                     //!< Value of FrameCut
    std::string m_changes;                 //!< Changes of the lightpath that were told
    std::string m_faults;                  //!< Faults that were told
    uint32_t m_linkChanges{0};             //!< Changes of the link that were told
};

/**
 * @ingroup lightpath-tests
 * @return the test cases of each kind of component that fails; the caller owns them
 */
static std::vector<TestCase*>
MakeComponentFaultTests()
{
    std::vector<TestCase*> tests;
    using Case = ComponentFaultTestCase;

    /// A component, and its effect.
    struct Fault
    {
        Case::Kind kind;                     //!< The fabric
        std::vector<std::string> components; //!< What fails
        uint32_t lost;                       //!< Lanes that break
    };

    const std::vector<Fault> faults = {
        {Case::CLOCKWISE, {"segment:1:cw"}, 2},
        {Case::CLOCKWISE, {"segment:0"}, 2},
        {Case::CLOCKWISE, {"segment:1:ccw"}, 0},
        {Case::CLOCKWISE, {"segment:2:cw"}, 0},
        {Case::CLOCKWISE, {"fibre:0"}, 1},
        {Case::CLOCKWISE, {"fibre:1"}, 1},
        {Case::CLOCKWISE, {"fibre:0", "fibre:1"}, 2},
        {Case::CLOCKWISE, {"fibre:3"}, 0},
        {Case::CLOCKWISE, {"micro-ring:0:0:0"}, 1},
        {Case::CLOCKWISE, {"micro-ring:2:1:1"}, 1},
        {Case::CLOCKWISE, {"micro-ring:0:0:0", "micro-ring:2:1:1"}, 2},
        {Case::CLOCKWISE, {"micro-ring:1:0:0"}, 0},
        {Case::CLOCKWISE, {"micro-ring:0:0:1"}, 0},
        {Case::CLOCKWISE, {"laser:0:0"}, 1},
        {Case::CLOCKWISE, {"laser:2:0"}, 0},
        {Case::COUNTERCLOCKWISE, {"segment:3:ccw"}, 2},
        {Case::COUNTERCLOCKWISE, {"segment:2"}, 2},
        {Case::COUNTERCLOCKWISE, {"segment:2:cw"}, 0},
        {Case::COUNTERCLOCKWISE, {"segment:1"}, 0},
        {Case::COUNTERCLOCKWISE, {"fibre:2"}, 1},
        {Case::COUNTERCLOCKWISE, {"micro-ring:2:3:1"}, 1},
        {Case::COUNTERCLOCKWISE, {"laser:0:1"}, 1},
        {Case::SIMPLEX, {"switch:0"}, 1},
        {Case::SIMPLEX, {"switch:0", "switch:1"}, 2},
        {Case::SIMPLEX, {"switch:2"}, 0},
        {Case::SIMPLEX, {"input:0:0"}, 1},
        {Case::SIMPLEX, {"output:1:1"}, 1},
        {Case::SIMPLEX, {"input:0:0", "port:1:1"}, 2},
        {Case::SIMPLEX, {"input:0:1"}, 0},
        {Case::SIMPLEX, {"output:0:0"}, 0},
        {Case::SIMPLEX, {"port:1:0"}, 1},
        {Case::DUPLEX, {"input:0:1"}, 1},
        {Case::DUPLEX, {"output:0:0", "input:1:0"}, 2},
        {Case::DUPLEX, {"port:0:2"}, 0},
    };
    for (const auto& fault : faults)
    {
        for (const char* cut : {"Resume", "Finish"})
        {
            tests.push_back(new Case(fault.kind, fault.components, fault.lost, cut));
        }
    }
    return tests;
}

/// Registers the test cases
static const SuiteCases g_fabricComponentFaultCases("lightpath-fabric-faults",
                                                    {MakeComponentFaultTests()});
