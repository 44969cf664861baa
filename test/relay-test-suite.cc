/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-parts.h"
#include "method-case.h"
#include "model/control/switches/circuit-switch-max-min-allocator.h"
#include "model/control/switches/connected-allocator.h"
#include "model/training/transport/relay-transport.h"
#include "training-fixture.h"

#include "ns3/circuit-switch-channel.h"
#include "ns3/error-model.h"
#include "ns3/lightpath-routes.h"
#include "ns3/node-container.h"
#include "ns3/optical-net-device.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/breadth_first_search.hpp>
#include <boost/graph/visitors.hpp>
#include <map>
#include <numeric>
#include <random>
#include <string>
#include <tuple>
#include <vector>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/// Bytes of the headers of a frame that may be forwarded.
constexpr uint32_t RELAY_HEADERS = 38;

/// Bytes of a frame after its Ethernet header.
constexpr uint32_t FRAME_SIZE = 1024;

/// Bytes of a message that a whole frame has.
constexpr uint32_t PAYLOAD = FRAME_SIZE - 24;

/// Bytes, and nanoseconds, of a whole frame.
constexpr uint32_t RELAYED_FRAME = PAYLOAD + RELAY_HEADERS;

/// No number of hops.
constexpr uint32_t FAR = 1000000;

/**
 * @ingroup lightpath-tests
 * @param pairs the ports of lightpaths
 * @param size the number of ports
 * @param source one of them
 * @return the least number of lightpaths to each port, or FAR, by the search of Boost
 */
std::vector<uint32_t>
CountHops(const std::vector<PortPair>& pairs, uint32_t size, uint32_t source)
{
    boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS> graph(size);
    for (const auto& [from, to] : pairs)
    {
        boost::add_edge(from, to, graph);
    }
    std::vector<uint32_t> hops(size, FAR);
    hops[source] = 0;
    boost::breadth_first_search(graph,
                                source,
                                boost::visitor(boost::make_bfs_visitor(
                                    boost::record_distances(hops.data(), boost::on_tree_edge{}))));
    return hops;
}

/**
 * @ingroup lightpath-tests
 * @brief Ranks that forward messages for each other over circuit switches, where a byte takes 1 ns.
 */
class RelayFixture
{
  public:
    /**
     * @param size the number of ranks
     * @param switches the number of switches
     * @param forwardingDelay the ForwardingDelay
     * @param delay the switching delay
     */
    explicit RelayFixture(uint32_t size,
                          uint32_t switches = 2,
                          Time forwardingDelay = Time(0),
                          Time delay = Time(0))
        : channel(MakeSwitches(switches))
    {
        channel->SetAttribute("SwitchingDelay", TimeValue(delay));
        NodeContainer nodes(size);
        for (uint32_t rank = 0; rank < size; ++rank)
        {
            const auto device = AddDevice(nodes.Get(rank), channel);
            devices.Add(device);
            const auto transport = CreateObject<RelayTransport>();
            transport->SetAttribute("FrameSize", UintegerValue(FRAME_SIZE));
            transport->SetAttribute("ForwardingDelay", TimeValue(forwardingDelay));
            transport->SetDevice(device);
            transport->SetReceiveCallback(Callback<void, uint32_t, uint64_t, uint64_t>(
                [this, rank](uint32_t source, uint64_t tag, uint64_t bytes) {
                    ends[tag] = Simulator::Now();
                    received[{source, rank, tag, bytes}] += 1;
                }));
            transports.push_back(transport);
        }
    }

    ~RelayFixture()
    {
        for (const auto& transport : transports)
        {
            transport->Dispose();
        }
        Simulator::Destroy();
    }

    RelayFixture(const RelayFixture&) = delete;
    RelayFixture& operator=(const RelayFixture&) = delete;

    /**
     * Send a message.
     *
     * @param at when
     * @param source the rank that sends it
     * @param rank the rank that it is for
     * @param tag its tag
     * @param bytes its size in bytes
     */
    void Send(Time at, uint32_t source, uint32_t rank, uint64_t tag, uint64_t bytes)
    {
        Simulator::Schedule(at, &Transport::Send, transports[source], rank, tag, bytes);
        sent[{source, rank, tag, bytes}] = 1;
    }

    /**
     * @param lanes the pairs that get a lightpath, by switch
     * @return the circuits
     */
    static CircuitPlan MakeCircuits(const std::vector<std::vector<PortPair>>& lanes)
    {
        CircuitPlan plan;
        for (uint32_t index = 0; index < lanes.size(); ++index)
        {
            for (const auto& [source, destination] : lanes[index])
            {
                plan.AddLane(source, destination, {index, 0});
            }
        }
        return plan;
    }

    /**
     * @return the statistics of all transports
     */
    TransportStatistics GetStatistics() const
    {
        TransportStatistics all;
        for (const auto& transport : transports)
        {
            all.Add(transport->GetStatistics());
        }
        return all;
    }

    /// Source, destination, tag and size of a message.
    using Message = std::tuple<uint32_t, uint32_t, uint64_t, uint64_t>;

    Ptr<CircuitSwitchChannel> channel;           //!< The fabric
    NetDeviceContainer devices;                  //!< The devices on it
    std::vector<Ptr<RelayTransport>> transports; //!< The transports by rank
    std::map<uint64_t, Time> ends;               //!< When messages were received, by tag
    std::map<Message, uint32_t> sent;            //!< Messages, each once
    std::map<Message, uint32_t> received;        //!< How often they came in
};

/**
 * @ingroup lightpath-tests
 * @brief Ranks that forward for each other.
 */
class RelayTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /// The time of forwarded messages.
    void TestRelayTime()
    {
        CheckChain();
        CheckTurns();
        CheckWaiting();
        CheckWithdrawal();
    }

    /// Ways, against the search of Boost.
    void TestRelayRoute()
    {
        std::mt19937 random(3);
        for (uint32_t round = 0; round < 40; ++round)
        {
            const uint32_t size = 3 + random() % 10;
            const uint32_t switches = 1 + random() % 3;
            std::vector<std::vector<PortPair>> lanes(switches);
            std::vector<PortPair> pairs;
            for (auto& ofSwitch : lanes)
            {
                std::vector<uint32_t> to(size);
                std::iota(to.begin(), to.end(), 0);
                std::shuffle(to.begin(), to.end(), random);
                for (uint32_t from = 0; from < size; ++from)
                {
                    if (to[from] != from && random() % 8 > 0)
                    {
                        ofSwitch.emplace_back(from, to[from]);
                        pairs.emplace_back(from, to[from]);
                    }
                }
            }
            Check(size, lanes, pairs);
        }
    }

    /// Messages while circuits change and fail, and frames are lost.
    void TestRelayChange()
    {
        constexpr uint32_t size = 7;
        constexpr uint32_t span = 3000000;
        std::mt19937 random(5);
        RelayFixture fixture(size, 2, NanoSeconds(50), NanoSeconds(900));
        for (uint32_t rank = 0; rank < size; ++rank)
        {
            const auto errors = CreateObject<RateErrorModel>();
            errors->SetUnit(RateErrorModel::ERROR_UNIT_PACKET);
            errors->SetRate(0.02);
            errors->AssignStreams(rank);
            fixture.devices.Get(rank)->SetAttribute("ReceiveErrorModel", PointerValue(errors));
        }
        for (uint32_t tag = 0; tag < 2000; ++tag)
        {
            const uint32_t source = random() % size;
            fixture.Send(NanoSeconds(random() % span),
                         source,
                         (source + 1 + random() % (size - 1)) % size,
                         tag,
                         1 + random() % 4000);
        }
        for (uint32_t at = 0; at < span; at += 3000 + random() % 9000)
        {
            Simulator::Schedule(NanoSeconds(at),
                                &RelayTests::Change,
                                fixture.channel,
                                1 + random() % (size - 1),
                                random() % 4);
        }
        // In the end rings in steps of one to all peers, so that frames that have begun end
        for (uint32_t shift = 1; shift < size; ++shift)
        {
            Simulator::Schedule(NanoSeconds(span) + MilliSeconds(shift),
                                &RelayTests::Change,
                                fixture.channel,
                                shift,
                                3);
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ((fixture.received == fixture.sent), true, "Each once");
        for (const auto& transport : fixture.transports)
        {
            NS_TEST_EXPECT_MSG_EQ(transport->Describe(), "", "Nothing waits");
            NS_TEST_EXPECT_MSG_EQ(transport->IsMoving(), false, "Nothing moves");
        }
        const auto statistics = fixture.GetStatistics();
        NS_TEST_EXPECT_MSG_GT(statistics.forwardedBytes,
                              statistics.messageBytes / 2,
                              "Ranks have forwarded");
    }

    /// Circuits that connect all ranks.
    void TestConnectedAllocator()
    {
        std::mt19937 random(7);
        uint32_t rings = 0;
        for (uint32_t round = 0; round < 300; ++round)
        {
            const uint32_t size = 2 + random() % 12;
            CircuitSwitchGeometry geometry(size, 1 + random() % 3);
            if (random() % 4 == 0)
            {
                geometry.SetFailed("switch:0", true);
            }
            TrafficMatrix demand(size);
            for (uint32_t i = 0; i < 4 * size; ++i)
            {
                const uint32_t source = random() % size;
                demand.Add(source, (source + 1 + random() % (size - 1)) % size, random() % 1000);
            }
            rings += CheckConnectedAllocator(geometry, demand);
        }
        NS_TEST_EXPECT_MSG_GT(rings, 50, "Rings are needed often");
        NS_TEST_EXPECT_MSG_LT(rings, 250, "And often not");
    }

  private:
    /// Each rank on the way adds a frame, and its own delay, to what the message takes.
    void CheckChain()
    {
        RelayFixture fixture(4, 2, NanoSeconds(700));
        fixture.channel->Configure(RelayFixture::MakeCircuits({{{0, 1}, {1, 2}, {2, 3}}}));
        constexpr uint32_t frames = 20;
        fixture.Send(Time(0), 0, 3, 1, frames * PAYLOAD);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(fixture.ends[1],
                              NanoSeconds((frames + 2) * RELAYED_FRAME + 2 * 700),
                              "Frames are forwarded one by one");
        NS_TEST_EXPECT_MSG_EQ(fixture.GetStatistics().forwardedBytes,
                              2 * frames * PAYLOAD,
                              "By two ranks");
        NS_TEST_EXPECT_MSG_EQ(fixture.transports[1]->GetSentBytes(),
                              frames * RELAYED_FRAME,
                              "What a rank on the way sends");
    }

    /// Destinations take turns, frame by frame; the first frame begins before the second comes.
    void CheckTurns()
    {
        RelayFixture fixture(3);
        fixture.channel->Configure(RelayFixture::MakeCircuits({{{0, 1}, {1, 2}}}));
        constexpr uint32_t frames = 10;
        fixture.Send(Time(0), 0, 1, 1, frames * PAYLOAD);
        fixture.Send(Time(0), 0, 2, 2, frames * PAYLOAD);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(fixture.ends[1],
                              NanoSeconds((2 * frames - 2) * RELAYED_FRAME),
                              "The first has every other frame from its second on");
        NS_TEST_EXPECT_MSG_EQ(fixture.ends[2],
                              NanoSeconds((2 * frames + 1) * RELAYED_FRAME),
                              "The last frame is sent twice");
    }

    /// Without any way a message waits, as demand for a lightpath of its own.
    void CheckWaiting()
    {
        RelayFixture fixture(3);
        fixture.channel->Configure(RelayFixture::MakeCircuits({{{0, 1}}}));
        fixture.Send(Time(0), 0, 2, 1, PAYLOAD);
        Simulator::Stop(MicroSeconds(5));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(fixture.transports[0]->Describe(),
                              std::to_string(RELAYED_FRAME) +
                                  " bytes wait at rank 0 for a lightpath to rank 2",
                              "What waits");
        NS_TEST_EXPECT_MSG_EQ(fixture.transports[0]->IsMoving(), false, "Nothing moves");
        fixture.channel->Configure(RelayFixture::MakeCircuits({{{0, 1}, {1, 2}}}));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(fixture.ends[1],
                              MicroSeconds(5) + NanoSeconds(2 * RELAYED_FRAME),
                              "As soon as there is a way");
        NS_TEST_EXPECT_MSG_EQ(fixture.transports[0]->Describe(), "", "Nothing waits");
    }

    /// Messages that have not begun can be withdrawn.
    void CheckWithdrawal()
    {
        RelayFixture fixture(3);
        fixture.channel->Configure(RelayFixture::MakeCircuits({{{0, 1}, {1, 2}}}));
        fixture.Send(Time(0), 0, 2, 1, 3 * PAYLOAD);
        fixture.Send(Time(0), 0, 2, 2, PAYLOAD);
        fixture.Send(Time(0), 0, 2, 3, 2 * PAYLOAD);
        std::vector<MessagePiece> withdrawn;
        Simulator::Schedule(NanoSeconds(1),
                            [&] { withdrawn = fixture.transports[0]->Withdraw(2, 2 * PAYLOAD); });
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(withdrawn.size(), 1, "The small one");
        NS_TEST_EXPECT_MSG_EQ(withdrawn[0].tag, 2, "The small one");
        NS_TEST_EXPECT_MSG_EQ(withdrawn[0].bytes, PAYLOAD, "The small one");
        NS_TEST_EXPECT_MSG_EQ(fixture.received.size(), 2, "The others arrive");
        NS_TEST_EXPECT_MSG_EQ(fixture.transports[0]->GetBacklog(2), 0, "Nothing is left");
    }

    /**
     * Send a message between all ranks.
     *
     * @param size the number of ranks
     * @param lanes the lightpaths by switch
     * @param pairs all of them
     */
    void Check(uint32_t size,
               const std::vector<std::vector<PortPair>>& lanes,
               const std::vector<PortPair>& pairs)
    {
        RelayFixture fixture(size, lanes.size());
        fixture.channel->Configure(RelayFixture::MakeCircuits(lanes));
        uint64_t forwarded = 0;
        for (uint32_t source = 0; source < size; ++source)
        {
            const auto hops = CountHops(pairs, size, source);
            for (uint32_t rank = 0; rank < size; ++rank)
            {
                if (hops[rank] > 0 && hops[rank] < FAR)
                {
                    const uint64_t bytes = 1 + 37 * source + 1700 * rank;
                    fixture.Send(Time(0), source, rank, source * size + rank, bytes);
                    forwarded += (hops[rank] - 1) * bytes;
                }
                else if (rank != source)
                {
                    NS_TEST_EXPECT_MSG_EQ(
                        LightpathRoutes::Get(fixture.channel)->GetNext(source, rank),
                        LightpathRoutes::NONE,
                        "There is no way");
                }
            }
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ((fixture.received == fixture.sent), true, "Each once");
        NS_TEST_EXPECT_MSG_EQ(fixture.GetStatistics().forwardedBytes,
                              forwarded,
                              "By no more ranks than needed");
    }

    /**
     * Configure ring circuits, and let a switch fail or work.
     *
     * @param channel the fabric
     * @param shift the step of the ring
     * @param fault 0 for the second switch to fail, 1 for it to work, others for neither
     */
    static void Change(Ptr<CircuitSwitchChannel> channel, uint32_t shift, uint32_t fault)
    {
        if (fault < 2)
        {
            channel->SetFailed("switch:1", fault == 0);
        }
        const uint32_t size = channel->GetNDevices();
        std::vector<std::vector<PortPair>> lanes(2);
        for (uint32_t source = 0; source < size; ++source)
        {
            lanes[0].emplace_back(source, (source + 1) % size);
            lanes[1].emplace_back(source, (source + shift) % size);
        }
        if (fault == 3)
        {
            lanes[0].swap(lanes[1]);
        }
        channel->Configure(channel->GetIntact(RelayFixture::MakeCircuits(lanes)));
    }

    /**
     * @param geometry the switches
     * @param demand a demand
     * @return 1 if the other allocator alone would leave a device without a way
     */
    uint32_t CheckConnectedAllocator(const CircuitSwitchGeometry& geometry,
                                     const TrafficMatrix& demand)
    {
        const auto alone = CreateObject<CircuitSwitchMaxMinAllocator>();
        alone->SetGeometry(geometry);
        const CircuitPlan without = alone->Allocate(demand).plan;
        const auto connected = CreateObject<ConnectedAllocator>();
        connected->SetAllocator(CreateObject<CircuitSwitchMaxMinAllocator>());
        connected->SetGeometry(geometry);
        const CircuitAllocation allocation = connected->Allocate(demand);
        const bool isPossible = geometry.GetNSwitches() > 1 || geometry.HasInput(0, 0);
        NS_TEST_EXPECT_MSG_EQ(Reaches(allocation.plan, demand.GetSize()),
                              isPossible,
                              "Each reaches all");
        if (Reaches(without, demand.GetSize()))
        {
            NS_TEST_EXPECT_MSG_EQ((allocation.plan == without), true, "No ring without need");
            return 0;
        }
        RelayFixture fixture(demand.GetSize(), geometry.GetNSwitches());
        NS_TEST_EXPECT_MSG_EQ(fixture.channel->Check(allocation.plan), "", "The fabric has them");
        return 1;
    }

    /**
     * @param plan circuits
     * @param size the number of devices
     * @return whether each device has a way to each other, by the search of Boost
     */
    static bool Reaches(const CircuitPlan& plan, uint32_t size)
    {
        std::vector<PortPair> pairs;
        for (const auto& lightpath : plan.GetLightpaths())
        {
            pairs.push_back(lightpath.first);
        }
        for (uint32_t source = 0; source < size; ++source)
        {
            const auto hops = CountHops(pairs, size, source);
            if (*std::max_element(hops.begin(), hops.end()) == FAR)
            {
                return false;
            }
        }
        return true;
    }
};

/// Registers the test cases
static const SuiteCases g_relayCases(
    "lightpath-relay",
    {{MakeCase("How long messages take by way of other ranks", &RelayTests::TestRelayTime),
      MakeCase("Shortest ways over random circuits", &RelayTests::TestRelayRoute),
      MakeCase("Relays while circuits change and fail", &RelayTests::TestRelayChange),
      MakeCase("Circuits over which all reach each other", &RelayTests::TestConnectedAllocator)}});

} // namespace
