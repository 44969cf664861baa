/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "method-case.h"
#include "model/base/byte-archive.h"
#include "model/parallel/ordered-arrival.h"
#include "model/parallel/ordered-link.h"
#include "model/parallel/ordered-scheduler.h"
#include "model/parallel/process-group.h"
#include "model/parallel/process-mail.h"
#include "model/training/run/rank-result.h"
#include "model/training/run/wait-log.h"

#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/drop-tail-queue.h"
#include "ns3/fabric-helper.h"
#include "ns3/fat-tree-helper.h"
#include "ns3/node-container.h"
#include "ns3/object-factory.h"
#include "ns3/random-variable-stream.h"
#include "ns3/server-helper.h"
#include "ns3/simulator.h"
#include "ns3/sip-ocs-helper.h"
#include "ns3/string.h"
#include "ns3/udp-header.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/**
 * @ingroup lightpath-tests
 * @brief An arrival that calls a function.
 */
class CallingArrival : public OrderedArrival
{
  public:
    /**
     * @param call the function
     */
    explicit CallingArrival(std::function<void()> call)
        : m_call(std::move(call))
    {
    }

  private:
    void Arrive() override
    {
        m_call();
    }

    std::function<void()> m_call; //!< The function
};

/**
 * @ingroup lightpath-tests
 * @brief Test of what lets several processes share a simulation.
 */
class ParallelTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /**
     * Events of one instant come in the order of their places, however they were scheduled: first
     * what nodes do themselves, then arrivals by node and port, each with what it causes.
     */
    void OrderEvents()
    {
        UseOrder();
        using Place = std::tuple<uint32_t, uint32_t, uint32_t>;
        const auto random = CreateObject<UniformRandomVariable>();
        constexpr uint32_t nodes = 5;
        constexpr uint32_t ports = 4;
        std::vector<Place> arrivals;
        for (uint32_t node = 0; node < nodes; ++node)
        {
            for (uint32_t port = 0; port < ports; ++port)
            {
                arrivals.emplace_back(1 + node, port, 0);
            }
        }
        for (std::size_t i = arrivals.size(); --i > 0;)
        {
            std::swap(arrivals[i], arrivals[random->GetInteger(0, i)]);
        }
        std::vector<Place> found;
        std::vector<Place> expected;
        for (uint32_t i = 0; i < arrivals.size(); ++i)
        {
            Simulator::Schedule(NanoSeconds(7), [&found, i] { found.emplace_back(0, i, 0); });
            expected.emplace_back(0, i, 0);
            const auto [node, port, none] = arrivals[i];
            const Place place(node, port, none);
            OrderedArrival::Schedule(
                node,
                port,
                NanoSeconds(7),
                new CallingArrival([&found, place] {
                    found.push_back(place);
                    Simulator::ScheduleNow([&found, place] {
                        found.emplace_back(std::get<0>(place), std::get<1>(place), 1);
                    });
                }));
            expected.push_back(place);
            expected.emplace_back(node, port, 1);
        }
        std::sort(expected.begin(), expected.end());
        Simulator::Run();
        Simulator::Destroy();
        NS_TEST_EXPECT_MSG_EQ((found == expected), true, "the order");
    }

    /**
     * What has happened at an instant is over for an arrival, and what will happen is not, although
     * the arrival was scheduled before.
     */
    void SeeWhatIsOver()
    {
        UseOrder();
        EventId before;
        EventId after;
        bool isOver = false;
        bool isPending = false;
        OrderedArrival::Schedule(3, 1, NanoSeconds(7), new CallingArrival([&] {
                                     isOver = before.IsExpired();
                                     isPending = !after.IsExpired();
                                 }));
        before = Simulator::Schedule(NanoSeconds(7), [] {});
        after = Simulator::Schedule(NanoSeconds(8), [] {});
        const EventId removed = Simulator::Schedule(NanoSeconds(7), [] {});
        Simulator::Remove(removed);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(isOver, true, "an event before the arrival");
        NS_TEST_EXPECT_MSG_EQ(isPending, true, "an event after the arrival");
        NS_TEST_EXPECT_MSG_EQ(Simulator::Now(), NanoSeconds(8), "the end");
        Simulator::Destroy();
    }

    /// Bytes come back from mail as they were; zeros take hardly any.
    void PackBytes()
    {
        const auto random = CreateObject<UniformRandomVariable>();
        for (uint32_t i = 0; i < 200; ++i)
        {
            std::string bytes;
            for (uint32_t run = random->GetInteger(0, 6); run > 0; --run)
            {
                bytes.append(random->GetInteger(0, 300), '\0');
                for (uint32_t own = random->GetInteger(0, 40); own > 0; --own)
                {
                    bytes.push_back(static_cast<char>(random->GetInteger(0, 3)));
                }
            }
            const std::string packed = ProcessMail::Pack(bytes);
            NS_TEST_EXPECT_MSG_EQ((ProcessMail::Unpack(packed) == bytes), true, "the bytes");
        }
        NS_TEST_EXPECT_MSG_LT(ProcessMail::Pack(std::string(9000, '\0')).size(), 5, "zeros");
    }

    /**
     * A packet whose payload has become real bytes, as TCP makes it from pieces of messages, fits
     * into what ns-3 sends between processes, and comes back with its headers.
     */
    void PackPackets()
    {
        const std::vector<uint8_t> zeros(4000);
        const auto packet = Create<Packet>(zeros.data(), zeros.size());
        UdpHeader inner;
        inner.SetSourcePort(7);
        packet->AddHeader(inner);
        const auto next = Create<Packet>(5000);
        next->AddHeader(inner);
        packet->AddAtEnd(next);
        UdpHeader outer;
        outer.SetDestinationPort(8);
        packet->AddHeader(outer);
        const std::string bytes = ProcessMail::Write(*packet);
        NS_TEST_EXPECT_MSG_GT(bytes.size(), 4000, "the payload has become real");
        const std::string packed = ProcessMail::Pack(bytes);
        NS_TEST_EXPECT_MSG_LT(packed.size(), 300, "bytes that are sent");
        const auto copy = ProcessMail::Read(ProcessMail::Unpack(packed));
        NS_TEST_EXPECT_MSG_EQ(copy->GetSize(), packet->GetSize(), "the size");
        copy->RemoveHeader(outer);
        NS_TEST_EXPECT_MSG_EQ(outer.GetDestinationPort(), 8, "the outer header");
        copy->RemoveHeader(inner);
        NS_TEST_EXPECT_MSG_EQ(inner.GetSourcePort(), 7, "the inner header");
    }

    /// A packet of 1500 bytes with 2 of PPP takes 1202 ns at 10 Gb/s rounded up, and 500 ns more.
    void CrossLink()
    {
        UseOrder();
        NodeContainer nodes(2);
        const auto link = CreateObject<OrderedLink>();
        link->SetAttribute("Delay", TimeValue(NanoSeconds(500)));
        std::vector<Ptr<PointToPointNetDevice>> devices;
        for (uint32_t i = 0; i < 2; ++i)
        {
            devices.push_back(CreateObject<PointToPointNetDevice>());
            devices.back()->SetAddress(Mac48Address::Allocate());
            devices.back()->SetDataRate(DataRate("10Gbps"));
            devices.back()->SetQueue(CreateObject<DropTailQueue<Packet>>());
            nodes.Get(i)->AddDevice(devices.back());
            devices.back()->Attach(link);
        }
        Time arrival;
        devices[1]->SetReceiveCallback(NetDevice::ReceiveCallback(
            [&arrival](Ptr<NetDevice>, Ptr<const Packet>, uint16_t, const Address&) {
                arrival = Simulator::Now();
                return true;
            }));
        constexpr uint16_t ipv4 = 0x0800;
        Simulator::ScheduleWithContext(nodes.Get(0)->GetId(), Time(0), [&devices] {
            devices[0]->Send(Create<Packet>(1500), devices[1]->GetAddress(), ipv4);
        });
        Simulator::Run();
        Simulator::Destroy();
        NS_TEST_EXPECT_MSG_EQ(arrival,
                              DataRate("10Gbps").CalculateBytesTxTime(1502) + NanoSeconds(500),
                              "the arrival");
    }

    /// A ledger that is given a log finds the waits that it finds when it is told at once.
    void SettleWaits()
    {
        constexpr uint32_t ranks = 4;
        const WaitLedger::WaitTrace none;
        WaitLedger ledger(ranks, none);
        WaitLedger told(ranks, none);
        told.Defer(std::make_unique<WaitLog>());
        std::vector<RankResult> results(ranks);
        std::vector<WaitTimes> expected;
        const auto random = CreateObject<UniformRandomVariable>();
        for (uint32_t rank = 0; rank < ranks; ++rank)
        {
            ledger.Begin(rank, Time(0));
            told.Begin(rank, Time(0));
        }
        // Each rank computes, and passes a message on to the next one, which waits for it
        Time now;
        for (uint32_t step = 0; step < 40; ++step)
        {
            const uint32_t rank = step % ranks;
            const uint32_t next = (step + 1) % ranks;
            const Time end = now + NanoSeconds(random->GetInteger(1, 100));
            ledger.Compute(rank, now, end);
            told.Compute(rank, now, end);
            ledger.HandOver(next, step, {rank, end, Time(0)});
            told.HandOver(next, step, {rank, end, Time(0)});
            now = end + NanoSeconds(random->GetInteger(1, 50));
            const auto wait = ledger.Take(rank, next, now, step);
            told.Take(rank, next, now, step);
            NS_TEST_EXPECT_MSG_EQ(ledger.IsWaiting(next, now),
                                  told.IsWaiting(next, now),
                                  "whether the rank waits");
            if (ledger.IsWaiting(next, now))
            {
                ledger.Explain(next, now, wait, Time(0), 2);
                told.ExplainLater(next, now, 2, false);
            }
        }
        for (uint32_t rank = 0; rank < ranks; ++rank)
        {
            expected.push_back(ledger.EndIteration(rank, now));
            told.EndIteration(rank, now);
            results[rank].records.emplace_back();
        }
        // As it comes from another process
        ByteArchive written;
        told.GetLog()->Pass(written);
        ByteArchive read(written.GetBytes());
        WaitLog log;
        log.Pass(read);
        WaitLedger settled(ranks, none);
        log.Settle(settled, results);
        for (uint32_t rank = 0; rank < ranks; ++rank)
        {
            NS_TEST_EXPECT_MSG_EQ((results[rank].records.front().waits == expected[rank]),
                                  true,
                                  "the waits of rank " << rank);
            NS_TEST_EXPECT_MSG_EQ(expected[rank][2].IsStrictlyPositive(), true, "there are some");
        }
    }

    /// The result of a rank survives the way to another process.
    void PassResults()
    {
        RankResult result;
        result.records.resize(2);
        result.records[1].end = NanoSeconds(123);
        result.records[1].noise = 0.9;
        result.sentBytes = 456;
        result.statistics.roundTripSeconds = 0.25;
        result.statistics.leastRoundTrip = MicroSeconds(7);
        result.darkChanges = {NanoSeconds(10), NanoSeconds(30), NanoSeconds(50)};
        ByteArchive written;
        result.Pass(written);
        ByteArchive read(written.GetBytes());
        RankResult copy;
        copy.Pass(read);
        NS_TEST_EXPECT_MSG_EQ(copy.records.size(), 2, "the iterations");
        NS_TEST_EXPECT_MSG_EQ(copy.records[1].end, NanoSeconds(123), "the end");
        NS_TEST_EXPECT_MSG_EQ(copy.records[1].noise, 0.9, "the noise");
        NS_TEST_EXPECT_MSG_EQ(copy.sentBytes, 456, "the bytes");
        NS_TEST_EXPECT_MSG_EQ(copy.statistics.roundTripSeconds, 0.25, "the round trips");
        NS_TEST_EXPECT_MSG_EQ(copy.statistics.leastRoundTrip, MicroSeconds(7), "the least one");
        // Dark from 10 to 30 ns, and again since 50 ns
        NS_TEST_EXPECT_MSG_EQ(copy.GetDarkTime(NanoSeconds(5)), Time(0), "before");
        NS_TEST_EXPECT_MSG_EQ(copy.GetDarkTime(NanoSeconds(20)), NanoSeconds(10), "within");
        NS_TEST_EXPECT_MSG_EQ(copy.GetDarkTime(NanoSeconds(40)), NanoSeconds(20), "between");
        NS_TEST_EXPECT_MSG_EQ(copy.GetDarkTime(NanoSeconds(60)), NanoSeconds(30), "later");
    }

    /// Fabrics whose parts have a delay between them can be divided, and others say why not.
    void CheckCuts()
    {
        FatTreeHelper tree;
        NS_TEST_EXPECT_MSG_EQ(tree.CheckCut(16), "", "a fat tree");
        tree.SetDelay(Time(0));
        Refuses(tree.CheckCut(16), "its links have none");
        SipOcsHelper circuits;
        NS_TEST_EXPECT_MSG_EQ(circuits.CheckCut(16), "", "circuits");
        circuits.SetChannelAttribute("FibreLength", DoubleValue(0));
        Refuses(circuits.CheckCut(16), "Circuits without a delay");
        circuits.SetChannelAttribute("FibreLength", DoubleValue(10));
        circuits.SetControllerAttribute("DecisionInterval", TimeValue(MicroSeconds(100)));
        circuits.SetControllerAttribute("Trigger", StringValue("Periodic"));
        Refuses(circuits.CheckCut(16), "follow what waits");
        Refuses(FabricHelper::Create("electrical")->CheckCut(16), "takes no time");
        Refuses(FabricHelper::Create("oddl")->CheckCut(16), "takes no time");
        ServerHelper servers(InterconnectHelper::Create("leaf-spine"));
        NS_TEST_EXPECT_MSG_EQ(servers.CheckCut(16), "", "servers");
        NS_TEST_EXPECT_MSG_EQ(servers.GetCutUnit(), 8, "a server stays in one process");
    }

  private:
    /// Have the simulator take arrivals in their order.
    static void UseOrder()
    {
        ObjectFactory factory;
        factory.SetTypeId(OrderedScheduler::GetTypeId());
        Simulator::SetScheduler(factory);
    }

    /**
     * @param refusal a sentence
     * @param part what it must contain
     */
    void Refuses(const std::string& refusal, const std::string& part)
    {
        NS_TEST_EXPECT_MSG_NE(refusal.find(part), std::string::npos, refusal);
    }
};

} // namespace

static const SuiteCases g_parallelCases("lightpath-parallel",
                                        {{MakeCase("order of events", &ParallelTests::OrderEvents),
                                          MakeCase("what is over", &ParallelTests::SeeWhatIsOver),
                                          MakeCase("bytes of mail", &ParallelTests::PackBytes),
                                          MakeCase("packets in mail", &ParallelTests::PackPackets),
                                          MakeCase("ordered link", &ParallelTests::CrossLink),
                                          MakeCase("waits from a log", &ParallelTests::SettleWaits),
                                          MakeCase("results of ranks", &ParallelTests::PassResults),
                                          MakeCase("what can be divided",
                                                   &ParallelTests::CheckCuts)}});
