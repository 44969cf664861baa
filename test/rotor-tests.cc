/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "rotor-tests.h"

#include "expect-error.h"
#include "fabric-fixture.h"
#include "method-case.h"
#include "model/fabric/grating-schedule.h"
#include "model/fabric/swap-schedule.h"
#include "planner-tests.h"
#include "stage-tests.h"
#include "training-fixture.h"

#include "ns3/agenda.h"
#include "ns3/circuit-scheduler.h"
#include "ns3/fabric-description.h"
#include "ns3/planning-problem.h"
#include "ns3/random-variable-stream.h"
#include "ns3/sip-ocs-helper.h"
#include "ns3/string.h"
#include "ns3/training-report.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <set>
#include <string>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/**
 * @ingroup lightpath-tests
 * @brief The circuits of a periodic schedule, slot by slot, for a controller that sets each of them
 * up by an event.
 */
class SlotScheduler : public CircuitScheduler
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::lightpath::tests::SlotScheduler")
                                .SetParent<CircuitScheduler>()
                                .AddConstructor<SlotScheduler>()
                                .AddAttribute("Light",
                                              "The time with light of a slot.",
                                              TimeValue(MicroSeconds(90)),
                                              MakeTimeAccessor(&SlotScheduler::m_light),
                                              MakeTimeChecker());
        return tid;
    }

  private:
    CircuitSchedule DoSchedule(const TrafficMatrix& /* demand */) const override
    {
        const SwapSchedule rotors(GetPlanes().GetNPorts(), GetPlanes().GetNPlanes());
        CircuitSchedule schedule;
        schedule.cyclic = true;
        for (uint32_t slot = 0; slot < rotors.GetNSlots(); ++slot)
        {
            CircuitPlan plan;
            for (uint32_t plane = 0; plane < rotors.GetNUplinks(); ++plane)
            {
                for (uint32_t port = 0; port < rotors.GetNPorts(); ++port)
                {
                    const uint32_t peer = rotors.GetPeer(slot, port, plane);
                    if (const auto lane = GetPlanes().FindLane(port, peer, plane))
                    {
                        plan.AddLane(port, peer, *lane);
                    }
                }
            }
            schedule.slots.push_back({plan, m_light});
        }
        return schedule;
    }

    Time m_light; //!< Time with light of a slot
};

NS_OBJECT_ENSURE_REGISTERED(SlotScheduler);

/// A model with messages of several slots.
const char* const BRIEF_MODEL =
    "gpt2-xl:layers=4,hidden=512,heads=8,feedForward=2048,vocabulary=1024";

} // namespace

/**
 * @ingroup lightpath-tests
 * @brief Tests of fabrics with periodic schedules.
 */
class RotorTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /**
     * In a cycle each pair meets once, and each slot is a permutation.
     *
     * @param ports the number of ports
     * @param uplinks the number of uplinks
     */
    void TestUnion(uint32_t ports, uint32_t uplinks)
    {
        const SwapSchedule swaps(ports, uplinks);
        const GratingSchedule gratings(ports, uplinks);
        for (const PeriodicSchedule* schedule :
             std::initializer_list<const PeriodicSchedule*>{&swaps, &gratings})
        {
            NS_TEST_EXPECT_MSG_EQ(schedule->GetNSlots(), ports / uplinks, "slots of a cycle");
            std::set<PortPair> met;
            for (uint32_t slot = 0; slot < schedule->GetNSlots(); ++slot)
            {
                for (uint32_t uplink = 0; uplink < uplinks; ++uplink)
                {
                    std::set<uint32_t> peers;
                    for (uint32_t port = 0; port < ports; ++port)
                    {
                        const uint32_t peer = schedule->GetPeer(slot, port, uplink);
                        peers.insert(peer);
                        met.emplace(port, peer);
                        if (schedule == &swaps)
                        {
                            NS_TEST_ASSERT_MSG_EQ(swaps.GetPeer(slot, peer, uplink), port, "both");
                        }
                        const auto* const meeting = schedule->FindMeeting(port, peer);
                        NS_TEST_ASSERT_MSG_EQ((meeting == nullptr), (port == peer), "meets others");
                        NS_TEST_ASSERT_MSG_EQ(
                            (!meeting || (meeting->uplink == uplink && meeting->slot == slot)),
                            true,
                            "where they meet");
                    }
                    NS_TEST_ASSERT_MSG_EQ(peers.size(), ports, "a permutation");
                }
            }
            NS_TEST_EXPECT_MSG_EQ(met.size(), ports * ports, "all pairs, and a port with itself");
        }
    }

    /**
     * A frame takes the windows of its pair, whatever their number: compared with a walk through
     * all slots, tick by tick of their edges.
     *
     * @param isStaggered whether uplinks turn one after the other
     */
    void TestWindows(bool isStaggered)
    {
        constexpr uint32_t ports = 12;
        constexpr uint32_t uplinks = 3;
        constexpr int64_t slot = 1000;
        constexpr int64_t dark = 130;
        const auto schedule = std::make_shared<SwapSchedule>(ports, uplinks);
        const auto channel = CreateObject<RotorChannel>();
        channel->SetAttribute("UplinkRate", StringValue("8Gbps"));
        channel->SetAttribute("SlotTime", TimeValue(NanoSeconds(slot)));
        channel->SetAttribute("DarkTime", TimeValue(NanoSeconds(dark)));
        channel->SetAttribute("Stagger", BooleanValue(isStaggered));
        channel->SetAttribute("FibreLength", DoubleValue(0));
        FabricFixture fixture(channel, ports);
        channel->SetSchedule(schedule);
        // The first bit at the time 777, one frame for each destination
        std::map<int64_t, uint32_t> expected;
        uint32_t bytes = 64;
        for (uint32_t peer = 1; peer < ports; ++peer)
        {
            bytes = bytes * 7 % 9001 + 64;
            int64_t left = bytes;
            int64_t now = 777;
            for (; left > 0; ++now)
            {
                for (uint32_t uplink = 0; uplink < uplinks; ++uplink)
                {
                    const int64_t offset = isStaggered ? slot * uplink / uplinks : 0;
                    const int64_t since = now - offset + 4 * slot;
                    const auto which = static_cast<uint32_t>(since / slot % 4);
                    left -= since % slot >= dark && schedule->GetPeer(which, 0, uplink) == peer;
                }
            }
            ++expected[now];
            Simulator::Schedule(NanoSeconds(777),
                                [&fixture, peer, bytes] { fixture.sources[0]->Send(peer, bytes); });
        }
        Simulator::Run();
        std::map<int64_t, uint32_t> seen;
        for (const auto& times : fixture.received)
        {
            for (const Time& time : times)
            {
                ++seen[time.GetNanoSeconds()];
            }
        }
        NS_TEST_EXPECT_MSG_EQ((seen == expected), true, "when frames come in");
        NS_TEST_EXPECT_MSG_LT(Simulator::GetEventCount(), 5 * ports, "no event for a slot");
    }

    /**
     * A training job takes as long as on circuit switches that set up each slot by an event.
     *
     * @param gpus the number of GPUs
     * @param switches the number of rotors
     * @param algorithm the all-reduce
     * @param model the model
     */
    void TestEverySlot(uint32_t gpus,
                       uint32_t switches,
                       const std::string& algorithm,
                       const std::string& model)
    {
        PlanningProblem problem = MakeStageProblem(model, gpus, 2 * gpus);
        RotorHelper rotors;
        rotors.SetNUplinks(switches);
        rotors.SetBandwidth(DataRate("200Gbps"));
        problem.fabric = FabricDescription::Create(rotors)->GetLimits(gpus);
        const auto planner = CreateObject<FixedPlanner>();
        planner->SetAttribute("DataAlgorithm", StringValue(algorithm));
        const TrainingPlan plan = planner->Plan(problem);
        SipOcsHelper circuits;
        circuits.SetNSwitches(switches);
        circuits.SetBandwidth(rotors.GetBandwidth());
        circuits.SetScheduler("ns3::lightpath::tests::SlotScheduler");
        circuits.SetChannelAttribute("SwitchingDelay", TimeValue(MicroSeconds(10)));
        const auto fast = Simulate(rotors, plan);
        const auto slow = Simulate(circuits, plan);
        NS_TEST_EXPECT_MSG_EQ((fast.first == slow.first), true, "the same iterations");
        NS_TEST_EXPECT_MSG_EQ(fast.first.size(), 3, "iterations");
        NS_TEST_EXPECT_MSG_LT(fast.second, slow.second, "fewer events");
    }

    /**
     * The share of the bandwidth that RotorNet carries in the long run, in slots that include one
     * in which all ports are idle.
     *
     * @param ports the number of ports
     * @param uplinks the number of uplinks
     * @param pattern uniform, permutation or pair
     * @param discipline what goes through other ports
     * @param expected the share
     */
    void TestThroughput(uint32_t ports,
                        uint32_t uplinks,
                        const std::string& pattern,
                        const std::string& discipline,
                        double expected)
    {
        RotorHelper fabric;
        fabric.SetNUplinks(uplinks);
        fabric.SetDiscipline(discipline);
        RotorFixture fixture(fabric, ports);
        constexpr uint32_t warm = 6;
        constexpr uint32_t cycles = 20;
        const uint64_t capacity = ports * uint64_t{90000};
        for (uint32_t source = 0; source < ports; ++source)
        {
            for (uint32_t peer = 0; peer < ports; ++peer)
            {
                const bool sends = pattern == "uniform"       ? source != peer
                                   : pattern == "permutation" ? (source + 1) % ports == peer
                                                              : source == 0 && peer == ports - 1;
                if (sends)
                {
                    fixture.Send(Time(0), source, peer, capacity * (warm + cycles));
                }
            }
        }
        const uint64_t before = fixture.RunUntil(warm);
        const uint64_t bytes = fixture.RunUntil(warm + cycles) - before;
        const double senders = pattern == "pair" ? 1 : ports;
        const double share = bytes / (senders * cycles * capacity);
        // Each frame has headers of 38 bytes
        NS_TEST_EXPECT_MSG_EQ_TOL(share, expected, 0.002 * expected, "share of the bandwidth");
    }

    /**
     * Without other traffic a slot's worth of data arrives within a cycle and a slot.
     *
     * @param ports the number of ports
     * @param uplinks the number of uplinks
     */
    void TestDelivery(uint32_t ports, uint32_t uplinks)
    {
        RotorHelper fabric;
        fabric.SetNUplinks(uplinks);
        fabric.SetDiscipline("direct");
        RotorFixture fixture(fabric, ports);
        std::vector<Time> begins;
        for (uint32_t i = 0; i < 3 * ports; ++i)
        {
            begins.push_back(MicroSeconds(37 * i));
            fixture.Send(begins.back(), i % ports, (i + 1 + i / ports) % ports, 80000);
        }
        Simulator::Run();
        for (uint32_t i = 0; i < begins.size(); ++i)
        {
            NS_TEST_ASSERT_MSG_LT_OR_EQ(fixture.ends[i] - begins[i],
                                        MicroSeconds(100) * (ports / uplinks + 1),
                                        "message " << i);
        }
    }

    /// All bytes arrive, whatever is sent.
    void TestRandom()
    {
        for (uint32_t seed = 0; seed < 20; ++seed)
        {
            RotorHelper fabric;
            fabric.SetNUplinks(1 + seed % 3);
            RotorFixture fixture(fabric, 6);
            uint64_t sum = 0;
            uint64_t state = seed + 1;
            const auto draw = [&state](uint64_t most) {
                state = state * 6364136223846793005 + 1442695040888963407;
                return (state >> 33) % most;
            };
            for (uint32_t i = 0; i < 60; ++i)
            {
                const auto source = static_cast<uint32_t>(draw(6));
                const uint32_t peer = (source + 1 + static_cast<uint32_t>(draw(5))) % 6;
                const uint64_t bytes = 1 + draw(i % 3 == 0 ? 1000000 : 1000);
                fixture.Send(MicroSeconds(draw(3000)), source, peer, bytes);
                sum += bytes;
            }
            Simulator::Run();
            NS_TEST_EXPECT_MSG_EQ(fixture.received, sum, "bytes, with seed " << seed);
            NS_TEST_EXPECT_MSG_EQ(fixture.ends.size(), 60, "messages");
        }
    }

    /// The most uplinks for which there is a schedule.
    void TestUplinks()
    {
        const auto find = [this](RotorHelper::Kind kind, uint32_t nodes, double speedUp = 1) {
            RotorHelper fabric(kind);
            fabric.SetSpeedUp(speedUp);
            const uint32_t uplinks = fabric.FindNUplinks(nodes);
            fabric.SetNUplinks(uplinks);
            NS_TEST_EXPECT_MSG_EQ(fabric.Check(nodes), "", uplinks << " of " << nodes);
            return uplinks;
        };
        // Divisors by hand: at most 4 of RotorNet, and 8 of the others
        NS_TEST_EXPECT_MSG_EQ(find(RotorHelper::ROTORNET, 64), 4, "as it was");
        NS_TEST_EXPECT_MSG_EQ(find(RotorHelper::ROTORNET, 6), 3, "6 / 3");
        NS_TEST_EXPECT_MSG_EQ(find(RotorHelper::SIRIUS, 64), 8, "as it was");
        NS_TEST_EXPECT_MSG_EQ(find(RotorHelper::SIRIUS, 4), 4, "fewer nodes");
        NS_TEST_EXPECT_MSG_EQ(find(RotorHelper::SIRIUS, 20), 5, "20 / 5");
        NS_TEST_EXPECT_MSG_EQ(find(RotorHelper::SIRIUS, 11), 1, "a prime");
        NS_TEST_EXPECT_MSG_EQ(find(RotorHelper::SIRIUS, 9, 1.5), 6, "9 with the speed-up");
        NS_TEST_EXPECT_MSG_EQ(find(RotorHelper::OPERA, 4), 4, "three join all");
        NS_TEST_EXPECT_MSG_EQ(find(RotorHelper::OPERA, 12), 6, "12 / 6");
        // One uplink that turns would join none
        NS_TEST_EXPECT_MSG_EQ(find(RotorHelper::OPERA, 11), 11, "a prime");
    }

    /**
     * Messages come in at the same ticks with net devices and without.
     *
     * @param kind the fabric
     */
    void TestCarrier(RotorHelper::Kind kind)
    {
        constexpr uint32_t ports = 16;
        RotorHelper fabric(kind);
        fabric.SetNUplinks(4);
        fabric.SetShortMessage(100000);
        RotorFixture fixture(fabric, ports);
        InterconnectHelper::AssignStreams(fixture.devices, 0);
        fabric.SetBandwidth(DataRate(32000000000));
        fabric.SetChannelAttribute("FibreLength", DoubleValue(0));
        const FabricLimits limits = FabricDescription::Create(fabric)->GetLimits(ports);
        PrivateAgenda agenda;
        std::map<uint64_t, Time> ends;
        const auto carrier =
            limits.links.carry(agenda, [&](uint64_t tag) { ends[tag] = TimeStep(agenda.Now()); });
        const auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(1);
        for (uint32_t tag = 0; tag < 500; ++tag)
        {
            const uint32_t source = random->GetInteger(0, ports - 1);
            const uint32_t peer = (source + random->GetInteger(1, ports - 1)) % ports;
            const uint64_t bytes = random->GetInteger(1, tag % 3 == 0 ? 300000 : 3000);
            const Time at = NanoSeconds(random->GetInteger(0, 5000000));
            fixture.Send(at, source, peer, bytes);
            agenda.At(at.GetTimeStep(), [&carrier, source, peer, bytes, tag] {
                carrier->Send({source, peer, bytes}, tag);
            });
        }
        Simulator::Run();
        while (agenda.GetNext() != INT64_MAX)
        {
            agenda.Happen();
        }
        NS_TEST_EXPECT_MSG_EQ(ends.size(), 500, "messages");
        NS_TEST_EXPECT_MSG_EQ((ends == fixture.ends), true, "when they come in");
    }

    /// One sentence refuses each invalid setting.
    void TestRefusals()
    {
        RotorHelper fabric;
        NS_TEST_EXPECT_MSG_EQ(fabric.Check(64), "", "16 slots");
        EXPECT_PART(fabric.Check(6), "cannot be dealt out evenly to 4 uplinks");
        EXPECT_PART(fabric.Check(0), "needs 2 ports");
        fabric.SetDarkTime(MicroSeconds(100));
        EXPECT_PART(fabric.Check(64), "carries nothing: the darkness must be shorter");
        fabric.SetDarkTime(MicroSeconds(10));
        fabric.SetBandwidth(DataRate("3bps"));
        EXPECT_PART(fabric.Check(64), "carries 0 bytes in a slot");
        // 90 us of the slot are lit: 450 bits, or 304, which the headers alone need
        fabric.SetBandwidth(DataRate("20Mbps"));
        NS_TEST_EXPECT_MSG_EQ(fabric.Check(64), "", "56 bytes");
        fabric.SetBandwidth(DataRate("13510kbps"));
        EXPECT_PART(fabric.Check(64), "carries 37 bytes in a slot, but a frame has headers of 38");
        EXPECT_PART(RotorHelper::CheckDiscipline("none"),
                    "There is no discipline 'none': the known ones are balanced, direct, expander, "
                    "valiant");
        EXPECT_PART(RotorHelper(RotorHelper::CUSTOM).Check(4), "call SetSchedule()");
        fabric.SetBandwidth(DataRate("1Gbps"));
        fabric.SetSchedule([](uint32_t n) { return std::make_shared<Stuck>(n, false); });
        EXPECT_PART(fabric.Check(4), "meets port 1 in slot 1 of uplink 0 for the second time");
        fabric.SetSchedule([](uint32_t n) { return std::make_shared<Stuck>(n, true); });
        EXPECT_PART(fabric.Check(4), "but each slot is a permutation");
    }

  private:
    /// A schedule with the same pairs in two slots, or with the same receiver for all.
    class Stuck : public PeriodicSchedule
    {
      public:
        /**
         * @param nPorts the number of ports
         * @param sameForAll whether all send to port 0
         */
        Stuck(uint32_t nPorts, bool sameForAll)
            : PeriodicSchedule(nPorts, 1, 2),
              m_sameForAll(sameForAll)
        {
        }

        uint32_t GetPeer(uint32_t /* slot */, uint32_t port, uint32_t /* uplink */) const override
        {
            return m_sameForAll ? 0 : (port + 1) % GetNPorts();
        }

      private:
        bool m_sameForAll; //!< Whether all send to port 0
    };

    /**
     * @param fabric the fabric
     * @param plan the plan
     * @return the ticks of three iterations, and the number of events
     */
    static std::pair<std::vector<int64_t>, uint64_t> Simulate(const FabricHelper& fabric,
                                                              const TrainingPlan& plan)
    {
        NodeContainer nodes(static_cast<uint32_t>(plan.programs.size()));
        const NetDeviceContainer devices = fabric.Install(nodes);
        TrainingHelper helper;
        helper.SetJobAttribute("Iterations", UintegerValue(3));
        const auto applications = helper.Install(plan, fabric, devices);
        const uint64_t before = Simulator::GetEventCount();
        Simulator::Run();
        const TrainingReport report(TrainingHelper::GetJob(applications),
                                    FabricHelper::GetChannel(devices));
        std::vector<int64_t> ticks;
        for (const double seconds : report.iterationSeconds)
        {
            ticks.push_back(std::llround(seconds * 1e9));
        }
        const uint64_t events = Simulator::GetEventCount() - before;
        Simulator::Destroy();
        return {ticks, events};
    }
};

/// Registers the test cases
static const SuiteCases g_rotorTests(
    "lightpath-rotor",
    {MakeCases("union of slots",
               &RotorTests::TestUnion,
               {{2, 1}, {6, 2}, {8, 4}, {9, 3}, {64, 4}, {108, 6}, {256, 32}}),
     MakeCases("windows", &RotorTests::TestWindows, {{false}, {true}}),
     MakeCases("every slot an event",
               &RotorTests::TestEverySlot,
               {{8, 2, "Ring", BRIEF_MODEL},
                {8, 4, "Direct", BRIEF_MODEL},
                {12, 3, "Ring", BRIEF_MODEL},
                {64, 4, "Direct", BRIEF_MODEL},
                {64, 4, "Direct", "gpt2-355m"}}),
     MakeCases("throughput",
               &RotorTests::TestThroughput,
               {{16, 1, "uniform", "balanced", 15.0 / 16},
                {16, 4, "uniform", "balanced", 15.0 / 16},
                {16, 1, "uniform", "direct", 15.0 / 16},
                {16, 1, "permutation", "direct", 1.0 / 16},
                {16, 1, "permutation", "balanced", 0.5},
                {16, 4, "permutation", "balanced", 0.5},
                {16, 1, "pair", "balanced", 15.0 / 16},
                {16, 4, "pair", "balanced", 15.0 / 16},
                {16, 1, "pair", "direct", 1.0 / 16}}),
     MakeCases("delivery", &RotorTests::TestDelivery, {{8, 1}, {8, 4}, {72, 8}}),
     MakeCases("without net devices",
               &RotorTests::TestCarrier,
               {{RotorHelper::ROTORNET}, {RotorHelper::OPERA}, {RotorHelper::SIRIUS}}),
     {MakeCase("random messages", &RotorTests::TestRandom),
      MakeCase("uplinks", &RotorTests::TestUplinks),
      MakeCase("refusals", &RotorTests::TestRefusals)}});
