/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "method-case.h"
#include "model/observation/time-bins.h"
#include "model/observation/utilisation-meter.h"
#include "training-fixture.h"

#include "ns3/link-graph-channel.h"
#include "ns3/node.h"
#include "ns3/training-job.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <numeric>
#include <random>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/**
 * @ingroup lightpath-tests
 * @brief Tests of the use of ports, lightpaths and links over time.
 */
class UtilisationMeterTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /// A byte a tick, in bins that have become wide enough for twice the time.
    void TestBurst()
    {
        TimeBins bins(8);
        const auto first = bins.AddRow();
        bins.Add(first, TimeStep(0), TimeStep(800), 800);
        NS_TEST_EXPECT_MSG_EQ(bins.GetWidth().GetTimeStep(), 128, "8 x 64 is too short for 800");
        NS_TEST_EXPECT_MSG_EQ(bins.GetNUsed(), 7, "Bins until 800");
        ExpectRow(bins, first, {128, 128, 128, 128, 128, 128, 32, 0});
        const auto second = bins.AddRow();
        bins.Add(second, TimeStep(800), TimeStep(1600), 800);
        NS_TEST_EXPECT_MSG_EQ(bins.GetWidth().GetTimeStep(), 256, "Twice as wide");
        ExpectRow(bins, first, {256, 256, 256, 32, 0, 0, 0, 0});
        ExpectRow(bins, second, {0, 0, 0, 224, 256, 256, 64, 0});
        // All of it at one instant
        bins.Add(second, TimeStep(1600), TimeStep(1600), 5);
        ExpectRow(bins, second, {0, 0, 0, 224, 256, 256, 69, 0});
        NS_TEST_EXPECT_MSG_EQ(bins.GetNUsed(), 7, "Bins until 1600");
    }

    /**
     * Random bursts: no byte is lost, and each bin has its share within a byte for each burst.
     *
     * @param seed seed of the random numbers
     */
    void TestSums(uint32_t seed)
    {
        std::mt19937 random(seed);
        TimeBins bins(16);
        const auto row = bins.AddRow();
        uint64_t sum = 0;
        std::vector<std::array<int64_t, 3>> bursts;
        for (int i = 0; i < 50; ++i)
        {
            const int64_t begin = random() % 5000 * (i + 1);
            const int64_t end = begin + 1 + random() % 3000 * (i + 1);
            const int64_t bytes = random() % 100000;
            bursts.push_back({begin, end, bytes});
            bins.Add(row, TimeStep(begin), TimeStep(end), bytes);
            sum += bytes;
        }
        const auto& found = bins.GetRow(row);
        NS_TEST_EXPECT_MSG_EQ(std::accumulate(found.begin(), found.end(), uint64_t{0}),
                              sum,
                              "All bytes");
        const auto width = bins.GetWidth().GetTimeStep();
        for (int64_t bin = 0; bin < 16; ++bin)
        {
            double expected = 0;
            for (const auto& [begin, end, bytes] : bursts)
            {
                const auto overlap =
                    std::min(end, (bin + 1) * width) - std::max(begin, bin * width);
                expected += static_cast<double>(std::max<int64_t>(overlap, 0)) *
                            static_cast<double>(bytes) / static_cast<double>(end - begin);
            }
            NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(found[bin]), expected, 50, "Bin " << bin);
        }
    }

    /**
     * A rank computes and then sends over a circuit on which a byte takes 1 ns.
     *
     * @param frameSize the size of a frame, or 0
     */
    void TestCircuit(uint32_t frameSize)
    {
        constexpr int64_t start = 10000;
        constexpr uint64_t size = 50000;
        std::vector<RankProgram> programs(2);
        programs[0].AddTask(Compute(start * 1e-9));
        programs[0].AddTask(Message(TaskKind::SEND, 1, 0, size));
        programs[0].AddDependency(0, 1);
        programs[1].AddTask(Message(TaskKind::RECEIVE, 0, 0, size));
        TrainingRun run(MakePlan(programs), 1);
        run.circuits.AddLane(0, 1, {0, 0});
        run.Install(frameSize);
        UtilisationMeter meter;
        meter.InstallAll();
        Simulator::Run();
        const uint64_t sent = run.job->GetRanks()[0]->GetTransport()->GetSentBytes();
        const auto width = meter.GetBins().GetWidth().GetNanoSeconds();
        uint32_t used = 0;
        for (const auto& track : meter.GetTracks())
        {
            if (track.bytes == 0)
            {
                continue;
            }
            ++used;
            NS_TEST_EXPECT_MSG_EQ(track.bytes, sent, "Bytes of " << track.name);
            NS_TEST_EXPECT_MSG_EQ(track.bitRate, 8e9, "Rate of " << track.name);
            const auto& bins = meter.GetBins().GetRow(track.row);
            for (uint32_t bin = 0; bin < bins.size(); ++bin)
            {
                const auto overlap = std::min<int64_t>(start + sent, (bin + 1) * width) -
                                     std::max<int64_t>(start, bin * width);
                NS_TEST_EXPECT_MSG_EQ(bins[bin],
                                      static_cast<uint64_t>(std::max<int64_t>(overlap, 0)),
                                      "A byte a nanosecond in bin " << bin);
            }
        }
        NS_TEST_EXPECT_MSG_EQ(used, 3, "A port that sends, one that receives, a lightpath");
        NS_TEST_EXPECT_MSG_EQ(meter.GetNetworks().front().bytes.at(UtilisationMeter::GetKey(0, 1)),
                              sent,
                              "Bytes of the pair");
        Simulator::Destroy();
    }

    /// Two leaves and two spines: a flow that is spread has half of its bytes on each spine.
    void TestSpray()
    {
        LinkGraph graph(2);
        const DataRate rate("8Gbps");
        for (const std::string name : {"leaf-0", "leaf-1", "spine-0", "spine-1"})
        {
            graph.AddSwitch(name);
        }
        graph.Connect(0, 2, rate, Time(0));
        graph.Connect(1, 3, rate, Time(0));
        for (const uint32_t spine : {4, 5})
        {
            graph.Connect(2, spine, rate, Time(0));
            graph.Connect(spine, 3, rate, Time(0));
        }
        const auto channel = MakeChannel<LinkGraphChannel>({{"Routing", "Spray"}});
        channel->SetGraph(graph);
        NodeContainer nodes(2);
        const auto sender = AddDevice(nodes.Get(0), channel);
        const auto receiver = AddDevice(nodes.Get(1), channel);
        UtilisationMeter meter;
        meter.InstallAll();
        sender->Send(Create<Packet>(986), receiver->GetAddress(), 0x88b5);
        Simulator::Run();
        std::map<std::string, uint64_t> bytes;
        for (const auto& track : meter.GetTracks())
        {
            if (track.kind == UtilisationMeter::LINK)
            {
                bytes[track.name] = track.bytes;
                NS_TEST_EXPECT_MSG_EQ(track.bitRate, 8e9, "Rate of " << track.name);
            }
        }
        NS_TEST_EXPECT_MSG_EQ(bytes.size(), 12, "Links in each direction");
        for (const auto& [name, count] : bytes)
        {
            const bool isWhole = name == "gpu-0 to leaf-0" || name == "leaf-1 to gpu-1";
            const bool isHalf = name.substr(0, 12) == "leaf-0 to sp" ||
                                (name[0] == 's' && name.substr(11) == "leaf-1");
            NS_TEST_EXPECT_MSG_EQ(count, (isWhole ? 1000U : isHalf ? 500U : 0U), name);
        }
        Simulator::Destroy();
    }

  private:
    /**
     * @param bins bins
     * @param row one of their rows
     * @param expected its bytes
     */
    void ExpectRow(const TimeBins& bins, std::size_t row, const std::vector<uint64_t>& expected)
    {
        for (std::size_t bin = 0; bin < expected.size(); ++bin)
        {
            NS_TEST_EXPECT_MSG_EQ(bins.GetRow(row)[bin], expected[bin], "Bin " << bin);
        }
    }
};

/// Registers the test cases
static const SuiteCases g_utilisationMeterCases(
    "lightpath-observation",
    {{MakeCase("Bytes over time in bins", &UtilisationMeterTests::TestBurst)},
     MakeCases("Sums of bins: seed", &UtilisationMeterTests::TestSums, {{1}, {2}, {3}}),
     MakeCases("Use of a circuit: size of frames",
               &UtilisationMeterTests::TestCircuit,
               {{0}, {1000}}),
     {MakeCase("Use of links by a flow that is spread", &UtilisationMeterTests::TestSpray)}});

} // namespace
