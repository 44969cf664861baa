/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "expect-error.h"
#include "method-case.h"
#include "model/training/transport/piece-header.h"
#include "model/training/transport/piece-reader.h"
#include "socket-fixture.h"

#include "ns3/packet.h"
#include "ns3/random-variable-stream.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <unistd.h>

using namespace ns3;
using namespace ns3::lightpath;

/**
 * @ingroup lightpath-tests
 * @brief Messages of any size arrive whole, once and in order for each tag, in both directions.
 */
class SocketMessagesTestCase : public TestCase
{
  public:
    /**
     * @param name the special feature of the sockets
     * @param attributes attributes of the transports, with values
     * @param loss the share of packets that are lost in each direction
     * @param most the size of the largest message
     */
    SocketMessagesTestCase(const std::string& name,
                           const std::vector<std::pair<std::string, std::string>>& attributes,
                           double loss,
                           uint64_t most)
        : TestCase("Random messages: " + name),
          m_attributes(attributes),
          m_loss(loss),
          m_most(most)
    {
    }

  private:
    void DoRun() override
    {
        SocketPair pair("400Gbps");
        for (const auto& attribute : m_attributes)
        {
            pair.factory.Set(attribute.first, StringValue(attribute.second));
        }
        if (m_loss > 0)
        {
            pair.Lose(0, m_loss);
            pair.Lose(1, m_loss);
        }
        pair.Install();
        const auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(2);
        std::vector<SocketPair::Message> sent[2];
        constexpr uint32_t messages = 60;
        constexpr uint32_t tags = 5;
        for (uint32_t i = 0; i < messages; ++i)
        {
            const uint32_t rank = i % 2;
            // Sizes are spread evenly over their orders of magnitude; one is the largest
            const auto bytes =
                i == 7
                    ? m_most
                    : static_cast<uint64_t>(std::exp(random->GetValue(0, std::log(m_most / 10.0))));
            const uint64_t tag = random->GetInteger(0, tags - 1);
            Simulator::Schedule(MicroSeconds(random->GetInteger(0, 100)) * (i / 2 + 1),
                                &Transport::Send,
                                pair.transports[rank],
                                1 - rank,
                                tag,
                                bytes);
        }
        for (uint32_t rank = 0; rank < 2; ++rank)
        {
            pair.transports[rank]->TraceConnectWithoutContext(
                "Send",
                Callback<void, uint32_t, uint64_t, uint64_t>(
                    [&sent, rank](uint32_t to, uint64_t tag, uint64_t bytes) {
                        sent[to].emplace_back(rank, tag, bytes);
                    }));
        }
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(pair.failures.size(), 0, "nothing fails");
        uint64_t sum = 0;
        for (uint32_t rank = 0; rank < 2; ++rank)
        {
            NS_TEST_EXPECT_MSG_EQ(pair.received[rank].size(), messages / 2, "each once");
            for (uint64_t tag = 0; tag < tags; ++tag)
            {
                NS_TEST_EXPECT_MSG_EQ((Select(pair.received[rank], tag) == Select(sent[rank], tag)),
                                      true,
                                      "those with tag " << tag << " to rank " << rank);
            }
            for (const auto& message : sent[rank])
            {
                sum += std::get<2>(message);
            }
            NS_TEST_EXPECT_MSG_EQ(pair.transports[rank]->IsMoving(), false, "all have arrived");
            NS_TEST_EXPECT_MSG_EQ(pair.transports[rank]->Describe(), "", "all have arrived");
        }
        TransportStatistics statistics;
        for (const auto& transport : pair.transports)
        {
            sum -= std::min(sum, transport->GetSentBytes());
            statistics.Add(transport->GetStatistics());
        }
        NS_TEST_EXPECT_MSG_EQ(sum, 0, "more bytes are sent than messages have");
        NS_TEST_EXPECT_MSG_EQ((statistics.retransmittedBytes > 0), (m_loss > 0), "sent again");
    }

    /**
     * @param messages messages
     * @param tag a tag
     * @return the messages with the tag
     */
    static std::vector<SocketPair::Message> Select(const std::vector<SocketPair::Message>& messages,
                                                   uint64_t tag)
    {
        std::vector<SocketPair::Message> selected;
        std::copy_if(messages.begin(),
                     messages.end(),
                     std::back_inserter(selected),
                     [tag](const auto& message) { return std::get<1>(message) == tag; });
        return selected;
    }

    std::vector<std::pair<std::string, std::string>> m_attributes; //!< Attributes with values
    double m_loss;                                                 //!< Share of packets lost
    uint64_t m_most;                                               //!< Size of the largest message
};

/**
 * @ingroup lightpath-tests
 * @brief The suite of transports over sockets.
 */
class SocketTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /// Headers survive serialisation unchanged, with the documented sizes.
    void TestSocketHeader()
    {
        const auto packet = Create<Packet>(7);
        packet->AddHeader(PieceHeader(MessageHeader(3, 1ULL << 60, 5000000000), 4999999999));
        NS_TEST_EXPECT_MSG_EQ(packet->GetSize(), 7 + 28, "the size");
        PieceHeader piece;
        packet->RemoveHeader(piece);
        NS_TEST_EXPECT_MSG_EQ(piece.GetMessage().GetSource(), 3, "source");
        NS_TEST_EXPECT_MSG_EQ(piece.GetMessage().GetTag(), 1ULL << 60, "tag");
        NS_TEST_EXPECT_MSG_EQ(piece.GetMessage().GetMessageSize(), 5000000000, "size");
        NS_TEST_EXPECT_MSG_EQ(piece.GetBytes(), 4999999999, "bytes");
    }

    /// Pieces are found in a stream that is cut anywhere.
    void TestPieceReader()
    {
        const auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(1);
        const auto stream = Create<Packet>();
        std::vector<uint64_t> sent;
        for (uint64_t tag = 0; tag < 200; ++tag)
        {
            const auto bytes = random->GetInteger(1, 100);
            const auto piece = Create<Packet>(bytes);
            piece->AddHeader(PieceHeader(MessageHeader(0, tag, 1000), bytes));
            stream->AddAtEnd(piece);
            sent.push_back(tag * 1000 + bytes);
        }
        std::vector<uint64_t> found;
        PieceReader reader(PieceReader::PieceCallback([&found](const PieceHeader& header) {
            found.push_back(header.GetMessage().GetTag() * 1000 + header.GetBytes());
        }));
        for (uint32_t at = 0; at < stream->GetSize();)
        {
            const uint32_t bytes = std::min(random->GetInteger(1, 70), stream->GetSize() - at);
            reader.Read(stream->CreateFragment(at, bytes));
            at += bytes;
        }
        NS_TEST_EXPECT_MSG_EQ((found == sent), true, "all pieces, in order");
        NS_TEST_EXPECT_MSG_EQ(reader.IsWithinPiece(), false, "nothing is left");
    }

    /// A message of 100 GB takes no more memory than the buffers do.
    void TestBackpressure()
    {
        SocketPair pair;
        pair.Install();
        constexpr uint64_t bytes = 100000000000;
        pair.transports[0]->Send(1, 0, bytes);
        Simulator::Stop(MicroSeconds(200));
        Simulator::Run();
        const uint64_t before = GetResidentBytes();
        Simulator::Stop(MilliSeconds(5));
        Simulator::Run();
        // 5 ms at 100 Gb/s are 62.5 MB
        NS_TEST_EXPECT_MSG_GT(pair.transports[0]->GetSentBytes(), 60000000, "it goes on");
        NS_TEST_EXPECT_MSG_LT(GetResidentBytes(), before + (10 << 20), "the memory of the process");
        NS_TEST_EXPECT_MSG_EQ(pair.transports[0]->IsMoving(), true, "it is on its way");
        const std::string clause = pair.transports[0]->Describe();
        EXPECT_PART(clause, "bytes of rank 0 have not reached rank 1");
    }

    /**
     * A message takes the time of its bytes and headers on the link.
     *
     * @param delay the delay of the link in ns
     * @param window the bytes on their way at most
     */
    void TestGoodput(uint32_t delay, uint32_t window)
    {
        SocketPair pair("100Gbps", std::to_string(delay) + "ns");
        pair.factory.Set("Window", UintegerValue(window));
        pair.Install();
        constexpr double bytes = 100e6;
        pair.transports[0]->Send(1, 0, static_cast<uint64_t>(bytes));
        Simulator::Run();
        NS_TEST_ASSERT_MSG_EQ(pair.times.size(), 1, "it arrives");
        // 9000 bytes of IP and 2 of the frame carry what TCP (20) and IP (20) leave. A window that
        // is shorter than the round trip waits.
        const double payload = 9000 - (20 + 20);
        const double rate = 100e9 / 8 * payload / 9002;
        const double roundTrip = 2 * delay * 1e-9 + (9002 + 42) / (100e9 / 8);
        const double limit = window / roundTrip;
        const double seconds = bytes / std::min(rate, limit) + roundTrip;
        // A window has whole packets, and up to 16 more while the buffer is full; on a long link,
        // slow start takes a tenth of the time; a congestion
        // window of 10 packets at first leaves the link idle for some round trips, if these are
        // longer
        const double start = roundTrip * rate < 10 * payload ? 0.001 : 0.02;
        const double tolerance = limit < rate ? 32 * 9000.0 / window : start;
        NS_TEST_EXPECT_MSG_EQ_TOL(pair.times[0].GetSeconds() / seconds, 1, tolerance, "its time");
    }

  private:
    /**
     * @return the bytes of memory of this process
     */
    static uint64_t GetResidentBytes()
    {
        uint64_t pages = 0;
        uint64_t resident = 0;
        std::ifstream("/proc/self/statm") >> pages >> resident;
        return resident * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
    }
};

/**
 * @ingroup lightpath-tests
 * @brief The window for the full rate is four one-way trips, within its limits.
 */
class FullRateWindowTestCase : public TestCase
{
  public:
    FullRateWindowTestCase()
        : TestCase("The window that a connection needs for the full rate")
    {
    }

  private:
    void DoRun() override
    {
        NS_TEST_EXPECT_MSG_EQ(SocketTransport::GetFullRateWindow(400e9, 50e-6),
                              10000000,
                              "4 x 50 GB/s x 50 us");
        NS_TEST_EXPECT_MSG_EQ(SocketTransport::GetFullRateWindow(400e9, 10e-6),
                              2 << 20,
                              "2 MB are less than 2 MiB");
        NS_TEST_EXPECT_MSG_EQ(SocketTransport::GetFullRateWindow(1e12, 0.1),
                              1000000000,
                              "50 GB are more than 1 GB");
    }
};

/**
 * @ingroup lightpath-tests
 * @return the test cases of this file
 */
static std::vector<TestCase*>
ListCases()
{
    std::vector<TestCase*> cases;
    constexpr uint64_t largest = 100000000;
    cases.push_back(MakeCase("Headers of pieces", &SocketTests::TestSocketHeader));
    cases.push_back(
        MakeCase("Pieces of messages in a stream cut at random", &SocketTests::TestPieceReader));
    cases.push_back(new FullRateWindowTestCase);
    cases.push_back(new SocketMessagesTestCase("TCP", {}, 0, largest));
    cases.push_back(
        new SocketMessagesTestCase("TCP over 3 connections", {{"Connections", "3"}}, 0, largest));
    cases.push_back(new SocketMessagesTestCase("lossy TCP", {}, 0.001, largest / 10));
    cases.push_back(MakeCase("Memory of a very long message", &SocketTests::TestBackpressure));
    cases.push_back(MakeCase("Goodput", &SocketTests::TestGoodput, 500, 1 << 20));
    cases.push_back(MakeCase("Goodput", &SocketTests::TestGoodput, 10000, 1 << 20));
    cases.push_back(MakeCase("Goodput", &SocketTests::TestGoodput, 100000, 1 << 20));
    return cases;
}

/// Registers the test cases
static const SuiteCases g_socketCases("lightpath-socket", {ListCases()});
