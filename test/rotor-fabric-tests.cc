/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "expect-error.h"
#include "method-case.h"
#include "model/control/rotor/rotor-dispatcher.h"
#include "model/fabric/expander-schedule.h"
#include "model/planner/price/cost-model.h"
#include "rotor-tests.h"
#include "stage-tests.h"

#include "ns3/agenda.h"
#include "ns3/circuit-transport.h"
#include "ns3/config.h"
#include "ns3/double.h"
#include "ns3/fabric-description.h"
#include "ns3/node-container.h"
#include "ns3/optical-net-device.h"
#include "ns3/planning-problem.h"
#include "ns3/simulator.h"
#include "ns3/training-helper.h"
#include "ns3/training-report.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <memory>
#include <set>
#include <vector>

using namespace ns3;
using namespace ns3::lightpath;

/**
 * @ingroup lightpath-tests
 * @brief Tests of Opera and Sirius.
 */
class RotorFabricTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /**
     * The matchings of Opera cover each pair and each port once, and the circuits of each slice
     * join all ports whichever rotor is dark.
     *
     * @param ports the number of ports
     * @param uplinks the number of uplinks
     * @param seed the seed
     */
    void TestExpander(uint32_t ports, uint32_t uplinks, uint32_t seed)
    {
        const ExpanderSchedule schedule(ports, uplinks, seed);
        std::set<std::pair<uint32_t, uint32_t>> met;
        for (uint32_t slot = 0; slot < schedule.GetNSlots(); ++slot)
        {
            for (uint32_t uplink = 0; uplink < uplinks; ++uplink)
            {
                for (uint32_t port = 0; port < ports; ++port)
                {
                    const uint32_t peer = schedule.GetPeer(slot, port, uplink);
                    met.emplace(port, peer);
                    NS_TEST_ASSERT_MSG_EQ(schedule.GetPeer(slot, peer, uplink), port, "symmetric");
                }
            }
        }
        NS_TEST_EXPECT_MSG_EQ(met.size(), ports * ports, "each pair and each port once");
        const auto channel = MakeChannel(ports, uplinks, seed);
        const Time slice = TimeStep(channel->GetClock().slot) / static_cast<int64_t>(uplinks);
        for (uint32_t number = 0; number < ports; ++number)
        {
            const Time now = slice * static_cast<int64_t>(number) + MicroSeconds(50);
            for (uint32_t dark = 0; dark < uplinks; ++dark)
            {
                // Merge the parts that circuits join
                std::vector<uint32_t> part(ports);
                for (uint32_t port = 0; port < ports; ++port)
                {
                    part[port] = port;
                }
                uint32_t parts = ports;
                for (uint32_t uplink = 0; uplink < uplinks; ++uplink)
                {
                    for (uint32_t port = 0; uplink != dark && port < ports; ++port)
                    {
                        const uint32_t slot =
                            channel->GetClock().GetSlot(uplink, now.GetTimeStep());
                        const uint32_t from = part[port];
                        const uint32_t to = part[schedule.GetPeer(slot, port, uplink)];
                        parts -= from != to;
                        std::replace(part.begin(), part.end(), from, to);
                    }
                }
                NS_TEST_ASSERT_MSG_EQ(parts, 1, "slice " << number << " without rotor " << dark);
            }
        }
        Simulator::Destroy();
    }

    /// Epoch of Sirius, and cycle and share of light of Opera, from the windows of a port.
    void TestDuty()
    {
        RotorHelper sirius(RotorHelper::SIRIUS);
        sirius.SetSlotTime(NanoSeconds(100));
        sirius.SetDarkTime(NanoSeconds(10));
        const auto gratings =
            DynamicCast<RotorChannel>(FabricHelper::GetChannel(sirius.Install(NodeContainer(128))));
        NS_TEST_EXPECT_MSG_EQ(TimeStep(gratings->GetClock().GetCycle()),
                              NanoSeconds(1600),
                              "128 / 8 slots");
        const auto channel = MakeChannel(108, 6, 1);
        NS_TEST_EXPECT_MSG_EQ(TimeStep(channel->GetClock().GetCycle()),
                              MicroSeconds(10800),
                              "108 slices");
        int64_t lit = 0;
        for (uint32_t peer = 1; peer < 108; ++peer)
        {
            lit += channel->GetClock().GetWindow(0, peer)->length;
        }
        // Of 108 matchings, one leaves port 0 idle
        const double share = lit / 107.0 * 108 / (6 * channel->GetClock().GetCycle());
        NS_TEST_EXPECT_MSG_EQ_TOL(share, 1 - 10.0 / (6 * 100), 1e-9, "98.33 %");
        Simulator::Destroy();
    }

    /**
     * The shuffle of Opera: 36 flows of 100 kB between any two of 108 racks, 70 packets of 1500
     * bytes each, when racks meet.
     *
     * @param slice the time between turns, ns
     * @param published when 99 % of the flows have been received, ms, by the result file of the
     * authors
     * @param plateau the throughput in relation to the rate of hosts, by the same file
     */
    void TestShuffle(int64_t slice, double published, double plateau)
    {
        constexpr uint32_t racks = 108;
        constexpr uint32_t bytes = 36 * 70 * 1500;
        RotorHelper fabric(RotorHelper::OPERA);
        fabric.SetNUplinks(6);
        fabric.SetBandwidth(DataRate("60Gbps"));
        fabric.SetSlotTime(NanoSeconds(slice));
        fabric.DisableFlowControl();
        const auto devices = fabric.Install(NodeContainer(racks));
        std::vector<Ptr<CircuitTransport>> transports;
        std::vector<double> ends;
        for (uint32_t rack = 0; rack < racks; ++rack)
        {
            transports.push_back(CreateObject<CircuitTransport>());
            transports[rack]->SetDevice(DynamicCast<OpticalNetDevice>(devices.Get(rack)));
            transports[rack]->SetReceiveCallback(
                Callback<void, uint32_t, uint64_t, uint64_t>([&](uint32_t, uint64_t, uint64_t) {
                    ends.push_back(Simulator::Now().GetSeconds() * 1e3);
                }));
        }
        for (uint32_t rack = 0; rack < racks; ++rack)
        {
            for (uint32_t peer = 0; peer < racks; ++peer)
            {
                if (rack != peer)
                {
                    transports[rack]->Send(peer, 0, bytes - 34);
                }
            }
        }
        uint64_t left = 0;
        double sent = 0;
        const auto note = [&] {
            uint64_t now = 0;
            for (uint32_t rack = 0; rack < racks; ++rack)
            {
                for (uint32_t peer = 0; peer < racks; ++peer)
                {
                    now += DynamicCast<OpticalNetDevice>(devices.Get(rack))->GetBacklog(peer);
                }
            }
            sent = static_cast<double>(left) - static_cast<double>(now);
            left = now;
        };
        // The plateau of the published curve lasts from 2 ms to 45 ms
        Simulator::Schedule(MilliSeconds(2), [&] { note(); });
        Simulator::Schedule(MilliSeconds(45), [&] { note(); });
        Simulator::Run();
        std::sort(ends.begin(), ends.end());
        NS_TEST_ASSERT_MSG_EQ(ends.size(), racks * (racks - 1), "all flows");
        NS_TEST_EXPECT_MSG_GT(ends.back(), 54.84, "what uplinks can send at best");
        NS_TEST_EXPECT_MSG_EQ_TOL(ends[ends.size() * 99 / 100], published, 0.03 * published, "p99");
        NS_TEST_EXPECT_MSG_EQ_TOL(sent / (racks * 60e9 / 8 * 0.043),
                                  plateau,
                                  0.03 * plateau,
                                  "rate");
        for (const auto& transport : transports)
        {
            transport->Dispose();
        }
        Simulator::Destroy();
    }

    /// Short messages of Opera never wait for a turn: each hop takes the time of a frame.
    void TestShort()
    {
        RotorHelper fabric(RotorHelper::OPERA);
        fabric.SetNUplinks(4);
        RotorFixture fixture(fabric, 32);
        std::vector<Time> begins;
        for (uint32_t i = 0; i < 400; ++i)
        {
            begins.push_back(NanoSeconds(10000 + 17317 * int64_t{i}));
            fixture.Send(begins.back(),
                         i * 7 % 32,
                         (i * 11 + 5 + (i * 7 % 32 == (i * 11 + 5) % 32)) % 32,
                         962);
        }
        Simulator::Run();
        uint32_t most = 0;
        for (uint32_t i = 0; i < begins.size(); ++i)
        {
            // A frame has 1000 bytes, of 1 ns each
            const int64_t time = (fixture.ends[i] - begins[i]).GetNanoSeconds();
            NS_TEST_ASSERT_MSG_EQ(time % 1000, 0, "whole hops of message " << i);
            most = std::max(most, static_cast<uint32_t>(time / 1000));
        }
        NS_TEST_EXPECT_MSG_LT_OR_EQ(most, 8, "hops");
        NS_TEST_EXPECT_MSG_GT_OR_EQ(most, 3, "hops");
    }

    /**
     * The throughput of Sirius, and the bound of its queues.
     *
     * @param uplinks the number of uplinks, without the speed-up
     * @param speedUp the speed-up
     * @param isUniform whether all send to all; otherwise each port sends to one
     * @param cells the most cells for one destination
     * @param tolerance how much less than the ideal throughput there may be
     */
    void TestValiant(uint32_t uplinks,
                     double speedUp,
                     bool isUniform,
                     uint32_t cells,
                     double tolerance)
    {
        Config::SetDefault("ns3::lightpath::ValiantDiscipline::QueueCells", UintegerValue(cells));
        constexpr uint32_t ports = 24;
        RotorHelper fabric(RotorHelper::SIRIUS);
        fabric.SetNUplinks(uplinks);
        fabric.SetSpeedUp(speedUp);
        RotorFixture fixture(fabric, ports, speedUp);
        NS_TEST_EXPECT_MSG_EQ(TimeStep(fixture.channel->GetClock().GetCycle()),
                              MicroSeconds(10) * std::lround(ports / uplinks / speedUp),
                              "an epoch of n / u slots");
        constexpr uint32_t cell = 9000;
        constexpr uint32_t warm = 20;
        constexpr uint32_t cycles = 200;
        for (uint32_t source = 0; source < ports; ++source)
        {
            for (uint32_t peer = 0; peer < ports; ++peer)
            {
                if (isUniform ? source != peer : (source + 1) % ports == peer)
                {
                    fixture.Send(Time(0), source, peer, uint64_t{cell} * ports * (warm + cycles));
                }
            }
        }
        const uint64_t before = fixture.RunUntil(warm);
        const uint64_t bytes = fixture.RunUntil(warm + cycles) - before;
        const auto& stored = RotorDispatcher::Get(fixture.channel)->GetQueues().stored;
        for (const auto& row : stored)
        {
            NS_TEST_EXPECT_MSG_LT_OR_EQ(*std::max_element(row.begin(), row.end()),
                                        cells * cell,
                                        "cells");
        }
        // A node sends a slot's worth of bytes over each uplink, without the speed-up
        const double full = double(ports) * uplinks * cycles * (ports / uplinks / speedUp) * 10000;
        // In one of n slots a port meets itself, and in another one the only port that it sends to.
        // A cell has headers of 38 bytes.
        const double slots = isUniform ? ports - 1 : ports - 2;
        const double ideal = 0.5 * 0.9 * speedUp * slots / ports * (cell - 38) / cell;
        NS_TEST_EXPECT_MSG_LT_OR_EQ(bytes / full, ideal * 1.001, "half of the slots");
        NS_TEST_EXPECT_MSG_GT_OR_EQ(bytes / full, ideal * (1 - tolerance), "half of the slots");
        Config::SetDefault("ns3::lightpath::ValiantDiscipline::QueueCells", UintegerValue(4));
    }

    /**
     * @param stream the first stream of a Sirius whose ports all send to all
     * @return when each message ends
     */
    std::map<uint64_t, Time> RunStream(int64_t stream)
    {
        constexpr uint32_t ports = 16;
        RotorFixture fixture(RotorHelper(RotorHelper::SIRIUS), ports);
        NS_TEST_EXPECT_MSG_EQ(InterconnectHelper::AssignStreams(fixture.devices, stream),
                              1,
                              "one for the ways");
        for (uint32_t source = 0; source < ports; ++source)
        {
            for (uint32_t peer = 0; peer < ports; ++peer)
            {
                if (source != peer)
                {
                    fixture.Send(Time(0), source, peer, 100000);
                }
            }
        }
        fixture.RunUntil(1000);
        return fixture.ends;
    }

    /// A fabric draws the same ways again in a process, unless it draws from another stream.
    void TestStreams()
    {
        const auto first = RunStream(7);
        NS_TEST_ASSERT_MSG_EQ(first.size(), 240, "all messages end");
        NS_TEST_EXPECT_MSG_EQ((first == RunStream(7)), true, "the same ways");
        NS_TEST_EXPECT_MSG_EQ((first == RunStream(8)), false, "other ways");
    }

    /**
     * Simulations take as long as the price says.
     *
     * @param kind the fabric
     * @param rate the rate of a node, Gb/s
     * @param tolerance the largest relative error: the order of frames at a tick may decide on the
     * ways of Opera, and those of Sirius are drawn anew
     */
    void TestPrices(RotorHelper::Kind kind, uint64_t rate, double tolerance)
    {
        constexpr uint32_t gpus = 16;
        RotorHelper fabric(kind);
        fabric.SetNUplinks(4);
        fabric.SetBandwidth(DataRate(rate * 1000000000));
        fabric.DisableFlowControl();
        // Frames of short messages and cells are many
        const bool isShort = kind != RotorHelper::ROTORNET;
        PlanningProblem problem =
            MakeStageProblem(isShort ? "gpt2-xl:layers=4,hidden=512,heads=8,feedForward=2048,"
                                       "vocabulary=1024,gradients=half"
                                     : "gpt2-xl:layers=8,hidden=1024,heads=8,feedForward=4096,"
                                       "vocabulary=8192,gradients=half",
                             gpus,
                             4 * gpus);
        problem.fabric = FabricDescription::Create(fabric)->GetLimits(gpus);
        const auto planner = CreateObject<FixedPlanner>();
        const TrainingPlan plan = planner->Plan(problem);
        const NetDeviceContainer devices = fabric.Install(NodeContainer(gpus));
        TrainingHelper helper;
        helper.SetTransport("rotor");
        helper.SetJobAttribute("Iterations", UintegerValue(3));
        const auto applications = helper.Install(plan, fabric, devices);
        Simulator::Run();
        const double simulated =
            TrainingReport(TrainingHelper::GetJob(applications), FabricHelper::GetChannel(devices))
                .GetSteadySeconds();
        Simulator::Destroy();
        NS_TEST_EXPECT_MSG_EQ_TOL(plan.predictedSeconds,
                                  simulated,
                                  tolerance * simulated,
                                  "seconds");
        NS_TEST_EXPECT_MSG_EQ(plan.cost.isExact, true, "all messages are followed");
        // The messages that come in first say how long all take. Four of their events count as one
        const PlanCost part = CostModel(problem.fabric, plan.cost.events * 8 / 5).Price(plan);
        NS_TEST_EXPECT_MSG_EQ(part.isExact, false, "some messages are followed");
        NS_TEST_EXPECT_MSG_EQ_TOL(part.seconds, simulated, 0.25 * simulated, "expected seconds");
    }

    /**
     * Messages of all ports to some others come in at the same tick without net devices.
     *
     * @param kind the fabric
     * @param peers the peers that a port sends to, which follow it
     * @param bytes the size of a message
     */
    void TestTimes(RotorHelper::Kind kind, uint32_t peers, uint64_t bytes)
    {
        constexpr uint32_t ports = 16;
        RotorHelper fabric(kind);
        fabric.SetNUplinks(4);
        RotorFixture fixture(fabric, ports);
        InterconnectHelper::AssignStreams(fixture.devices, 0);
        // A byte takes 1 ns on an uplink
        fabric.SetBandwidth(DataRate(32000000000));
        fabric.SetChannelAttribute("FibreLength", DoubleValue(0));
        const FabricLimits limits = FabricDescription::Create(fabric)->GetLimits(ports);
        const RotorClock& clock = fixture.channel->GetClock();
        // In the middle of the last slot of a cycle, or of the last slice
        const Time begin = TimeStep(clock.GetCycle() + clock.dark -
                                    clock.slot / (kind == RotorHelper::OPERA ? 8 : 2));
        PrivateAgenda agenda;
        std::size_t nLeft = std::size_t{ports} * peers;
        const auto carrier = limits.links.carry(agenda, [&nLeft](uint64_t) { --nLeft; });
        agenda.GoOn(begin.GetTimeStep());
        for (uint32_t source = 0; source < ports; ++source)
        {
            for (uint32_t i = 1; i <= peers; ++i)
            {
                carrier->Send({source, (source + i) % ports, bytes}, 0);
                fixture.Send(begin, source, (source + i) % ports, bytes);
            }
        }
        while (nLeft > 0)
        {
            agenda.Happen();
        }
        fixture.RunUntil(100);
        Time last;
        for (const auto& end : fixture.ends)
        {
            last = std::max(last, end.second);
        }
        NS_TEST_ASSERT_MSG_EQ(fixture.ends.size(), ports * peers, "all have come in");
        NS_TEST_EXPECT_MSG_EQ(agenda.Now(), last.GetTimeStep(), "the last tick");
    }

    /// A message that waits for its own slots takes the time of a closed form.
    void TestSlots()
    {
        constexpr uint32_t ports = 16;
        RotorHelper fabric;
        fabric.SetDiscipline("direct");
        fabric.SetBandwidth(DataRate(32000000000));
        fabric.SetChannelAttribute("FibreLength", DoubleValue(0));
        const FabricLimits limits = FabricDescription::Create(fabric)->GetLimits(ports);
        const auto schedule = fabric.GetSchedule(ports);
        const RotorClock clock = fabric.GetClock(ports);
        const int64_t begin = clock.GetCycle() + clock.dark - clock.slot / 2;
        for (uint32_t peer = 1; peer < ports; ++peer)
        {
            const uint32_t slot = schedule->FindMeeting(0, peer)->slot;
            // A slot takes 100 us, of which 90 have light for a byte in 1 ns. It is sent in the
            // middle of the light of the last of four slots
            const bool isMet = slot == 3;
            for (const uint32_t nSlots : {0, 2})
            {
                // Each frame has headers of 38 bytes
                const double rest = 10000;
                const uint64_t bytes = 10000 + nSlots * (90000 - 38) + (isMet ? 40000 - 38 : 0);
                const double expected =
                    50e-6 + 100e-6 * slot + 400e-6 * nSlots + 1e-9 * (rest + 38);
                PrivateAgenda agenda;
                int64_t end = 0;
                const auto carrier =
                    limits.links.carry(agenda, [&](uint64_t) { end = agenda.Now(); });
                agenda.GoOn(begin);
                carrier->Send({0, peer, bytes}, 0);
                while (end == 0)
                {
                    agenda.Happen();
                }
                NS_TEST_EXPECT_MSG_EQ_TOL(TimeStep(end - begin).GetSeconds(),
                                          expected,
                                          1e-9,
                                          "peer " << peer);
            }
        }
    }

    /// One sentence refuses each invalid Opera.
    void TestExpanderRefusals()
    {
        EXPECT_PART(GetError([] { ExpanderSchedule(16, 2, 1); }),
                    "No order of matchings was found");
        EXPECT_PART(GetError([] { ExpanderSchedule(9, 4, 1); }), "cannot be dealt out evenly");
        RotorHelper sirius(RotorHelper::SIRIUS);
        sirius.SetSpeedUp(1.3);
        EXPECT_PART(sirius.Check(64), "makes no whole number of uplinks");
        RotorHelper rotors;
        rotors.SetDiscipline("expander");
        EXPECT_PART(rotors.Check(64), "needs uplinks that turn one after the other");
    }

  private:
    /**
     * @param ports the number of ports
     * @param uplinks the number of uplinks
     * @param seed the seed
     * @return Opera with slices of 100 us
     */
    static Ptr<RotorChannel> MakeChannel(uint32_t ports, uint32_t uplinks, uint32_t seed)
    {
        RotorHelper fabric(RotorHelper::OPERA);
        fabric.SetNUplinks(uplinks);
        fabric.SetSeed(seed);
        return DynamicCast<RotorChannel>(
            FabricHelper::GetChannel(fabric.Install(NodeContainer(ports))));
    }
};

/// Registers the test cases
static const SuiteCases g_rotorFabricTests(
    "lightpath-rotor",
    {MakeCases("expander",
               &RotorFabricTests::TestExpander,
               {{108, 6, 1}, {108, 6, 2}, {64, 8, 1}, {24, 4, 1}}),
     MakeCases("shuffle",
               &RotorFabricTests::TestShuffle,
               {{138400, 60.40, 0.971}, {100000, 64.43, 0.962}}),
     MakeCases("Sirius",
               &RotorFabricTests::TestValiant,
               {{4, 1, true, 64, 0.005},
                {4, 1.5, true, 64, 0.005},
                {4, 2, true, 64, 0.005},
                {4, 1, false, 64, 0.005},
                {4, 1, true, 4, 0.03},
                {4, 1.5, false, 4, 0.03}}),
     MakeCases("prices",
               &RotorFabricTests::TestPrices,
               {{RotorHelper::ROTORNET, 2000, 1e-6},
                {RotorHelper::ROTORNET, 200, 1e-6},
                {RotorHelper::OPERA, 2000, 1e-6},
                {RotorHelper::OPERA, 200, 0.03},
                {RotorHelper::SIRIUS, 2000, 0.02},
                {RotorHelper::SIRIUS, 200, 0.02}}),
     MakeCases("times",
               &RotorFabricTests::TestTimes,
               {{RotorHelper::ROTORNET, 15, 20000},
                {RotorHelper::ROTORNET, 15, 200000},
                {RotorHelper::ROTORNET, 1, 500000},
                {RotorHelper::OPERA, 15, 200000},
                {RotorHelper::OPERA, 15, 2000000},
                {RotorHelper::OPERA, 1, 2000000},
                {RotorHelper::SIRIUS, 15, 12000},
                {RotorHelper::SIRIUS, 15, 200000}}),
     {MakeCase("slots", &RotorFabricTests::TestSlots),
      MakeCase("cycles", &RotorFabricTests::TestDuty),
      MakeCase("short messages", &RotorFabricTests::TestShort),
      MakeCase("streams", &RotorFabricTests::TestStreams),
      MakeCase("refusals of expanders", &RotorFabricTests::TestExpanderRefusals)}});
