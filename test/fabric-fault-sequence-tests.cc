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
#include "ns3/uinteger.h"

#include <functional>

using namespace ns3;
using namespace ns3::lightpath;

/**
 * @ingroup lightpath-tests
 * @brief Failures and plans one after the other on three switches, and two frames from 0 to 1.
 *
 * The first frame begins at 0 on switches 0 and 1, at 2 bytes/ns; the second is handed over at
 * 1 ns. To switch takes 3000 ns.
 */
class FaultSequenceTestCase : public TestCase
{
  public:
    /// An event and its time.
    struct Event
    {
        int64_t time;                                  //!< When, in ns
        std::function<void(Ptr<OpticalChannel>)> what; //!< What
    };

    /**
     * @param name the name of the case
     * @param modes "Resume" or "Finish", with " Partial" behind if only changing lanes are dark
     * @param bytes the sizes of the two frames; none of 0
     * @param events the events
     * @param expected when the frames arrive, in ns
     * @param dark the total time of darkness, in ns
     */
    FaultSequenceTestCase(const std::string& name,
                          const std::string& modes,
                          std::pair<uint32_t, uint32_t> bytes,
                          const std::vector<Event>& events,
                          const std::vector<int64_t>& expected,
                          int64_t dark)
        : TestCase(name + ": " + modes),
          m_modes(modes),
          m_bytes(bytes),
          m_events(events),
          m_expected(expected),
          m_dark(dark)
    {
    }

    /**
     * @param switches the switches that join device 0 to device 1
     * @return a function that configures this plan
     */
    static std::function<void(Ptr<OpticalChannel>)> Join(const std::vector<uint32_t>& switches)
    {
        std::vector<Lane> lanes;
        for (const uint32_t index : switches)
        {
            lanes.push_back({index, 0});
        }
        const CircuitPlan plan = MakePlan(0, 1, lanes);
        return [plan](Ptr<OpticalChannel> fabric) { fabric->Configure(plan); };
    }

    /**
     * @param component a component
     * @return a function that lets it fail
     */
    static std::function<void(Ptr<OpticalChannel>)> Break(const std::string& component)
    {
        return [component](Ptr<OpticalChannel> fabric) { fabric->SetFailed(component, true); };
    }

    /**
     * @param component a component
     * @return a function that repairs it
     */
    static std::function<void(Ptr<OpticalChannel>)> Mend(const std::string& component)
    {
        return [component](Ptr<OpticalChannel> fabric) { fabric->SetFailed(component, false); };
    }

  private:
    void DoRun() override
    {
        const auto fabric =
            MakeChannel<CircuitSwitchChannel>({{"NSwitches", "3"}, {"FibreLength", "0"}});
        SetTimes(fabric);
        fabric->SetAttribute("FrameCut", StringValue(m_modes.substr(0, 6)));
        fabric->SetAttribute("PauseMode",
                             StringValue(Contains(m_modes, "Partial") ? "Partial" : "Global"));
        FabricFixture fixture(fabric, 2);
        Join({0, 1})(fabric);
        for (const auto& event : m_events)
        {
            Simulator::Schedule(NanoSeconds(event.time), [event, fabric]() { event.what(fabric); });
        }
        fixture.sources[0]->Send(1, m_bytes.first);
        if (m_bytes.second > 0)
        {
            Simulator::Schedule(NanoSeconds(1),
                                [&]() { fixture.sources[0]->Send(1, m_bytes.second); });
        }
        Simulator::Run();
        std::vector<int64_t> received;
        for (const Time& time : fixture.received[1])
        {
            received.push_back(time.GetNanoSeconds());
        }
        NS_TEST_EXPECT_MSG_EQ((received == m_expected), true, "arrival at " << Print(received));
        NS_TEST_EXPECT_MSG_EQ(fabric->GetDarkTime(), NanoSeconds(m_dark), "the darkness");
        NS_TEST_EXPECT_MSG_EQ((fabric->GetPlan() == fabric->GetLive()), true, "the plan has light");
    }

    /**
     * @param times some times
     * @return the times in one line
     */
    static std::string Print(const std::vector<int64_t>& times)
    {
        std::string line;
        for (const int64_t time : times)
        {
            line += std::to_string(time) + " ";
        }
        return line;
    }

    std::string m_modes;                   //!< Values of FrameCut and PauseMode
    std::pair<uint32_t, uint32_t> m_bytes; //!< Sizes of the frames
    std::vector<Event> m_events;           //!< What happens
    std::vector<int64_t> m_expected;       //!< When the frames arrive, in ns
    int64_t m_dark;                        //!< Darkness in all, in ns
};

/**
 * @ingroup lightpath-tests
 * @return the test cases of failures at all times of a reconfiguration; the caller owns them
 */
static std::vector<TestCase*>
MakeFaultSequenceTests()
{
    std::vector<TestCase*> tests;
    using Case = FaultSequenceTestCase;
    const auto join = Case::Join;
    const auto breaks = Case::Break;
    const auto mend = Case::Mend;
    const std::pair<uint32_t, uint32_t> one = {20000, 0};
    const std::pair<uint32_t, uint32_t> two = {20000, 1000};
    const auto add = [&tests](auto... arguments) { tests.push_back(new Case(arguments...)); };
    using Events = std::vector<Case::Event>;
    using Times = std::vector<int64_t>;

    // 8000 bytes by 4000 ns, darkness until 7000 ns, 12000 bytes at 1 byte/ns
    add("In darkness, a lane of the next plan",
        "Resume",
        one,
        Events{{4000, join({1, 2})}, {5000, breaks("switch:2")}},
        Times{19000},
        3000);
    // No light at 7000 ns; a third plan from 13000 ns on
    add("In darkness, all of the next plan",
        "Resume",
        one,
        Events{{4000, join({1, 2})},
               {5000, breaks("switch:1")},
               {5000, breaks("switch:2")},
               {10000, join({0})}},
        Times{25000},
        6000);
    // Lane 1 goes on from 4000 ns to 5000 ns at 1 byte/ns; 11000 bytes at 1 byte/ns from 7000
    // ns
    add("In darkness, a lane that is kept",
        "Resume Partial",
        one,
        Events{{4000, join({1, 2})}, {5000, breaks("switch:1")}},
        Times{18000},
        3000);
    // The frame has 1 byte/ns from 6000 ns on; the darkness follows it
    add("As a frame is finished, one of its lanes",
        "Finish",
        two,
        Events{{4000, join({1, 2})}, {6000, breaks("switch:0")}},
        Times{14000, 17500},
        3000);
    // 12000 bytes by 6000 ns; darkness until 9000 ns, then one lane
    add("As a frame is finished, all of its lanes",
        "Finish",
        two,
        Events{{4000, join({1, 2})}, {6000, breaks("switch:0")}, {6000, breaks("switch:1")}},
        Times{17000, 18000},
        3000);
    add("As a frame is finished, a lane of the next plan",
        "Finish",
        two,
        Events{{4000, join({1, 2})}, {6000, breaks("switch:2")}},
        Times{10000, 14000},
        3000);
    // The second frame has 1 byte/ns from 10000 ns to 13000 ns, 2 bytes/ns afterwards
    add("As a frame is finished, nothing",
        "Finish Partial",
        std::make_pair(20000U, 20000U),
        Events{{4000, join({1, 2})}},
        Times{10000, 21500},
        3000);
    add("As a plan is configured, after it",
        "Resume",
        one,
        Events{{4000, join({1, 2})}, {4000, breaks("switch:1")}},
        Times{19000},
        3000);
    add("As a plan is configured, before it",
        "Resume",
        one,
        Events{{4000, breaks("switch:0")}, {4000, join({1, 2})}},
        Times{13000},
        3000);
    // With one lane until 4000 ns: 4000 bytes, then 16000 at 2 bytes/ns from 7000 ns on
    add("Before a frame",
        "Resume",
        one,
        Events{{0, breaks("switch:1")}, {4000, join({0, 2})}},
        Times{15000},
        3000);
    // 9000 bytes by 5000 ns; 11000 at 2 bytes/ns from 8000 ns on
    add("Mended and configured",
        "Resume",
        one,
        Events{{4000, breaks("switch:1")}, {5000, mend("switch:1")}, {5000, join({0, 1})}},
        Times{13500},
        3000);
    // 12000 bytes by 8000 ns, as lane 0 is not dark
    add("Mended and configured",
        "Resume Partial",
        one,
        Events{{4000, breaks("switch:1")}, {5000, mend("switch:1")}, {5000, join({0, 1})}},
        Times{12000},
        3000);
    add("Mended and not configured",
        "Resume",
        one,
        Events{{4000, breaks("switch:1")}, {5000, mend("switch:1")}, {6000, join({0})}},
        Times{16000},
        0);
    // 10000 bytes by 6000 ns; 10000 at 2 bytes/ns from 9000 ns on
    add("Twice, and mended once",
        "Resume",
        one,
        Events{{3000, mend("switch:2")},
               {4000, breaks("switch:1")},
               {5000, breaks("switch:1")},
               {6000, mend("switch:1")},
               {6000, join({0, 1})}},
        Times{14000},
        3000);
    for (const char* cut : {"Resume", "Finish"})
    {
        // The first frame has been sent by 10000 ns; the second has light from 15000 ns on
        add("As a frame ends",
            cut,
            two,
            Events{{10000, breaks("switch:0")}, {10000, breaks("switch:1")}, {12000, join({2})}},
            Times{10000, 16000},
            3000);
        add("As a frame ends, one lane",
            cut,
            two,
            Events{{10000, breaks("switch:0")}},
            Times{10000, 11000},
            0);
    }
    return tests;
}

/// Registers the test cases
static const SuiteCases g_fabricFaultSequenceCases("lightpath-fabric-faults",
                                                   {MakeFaultSequenceTests()});
