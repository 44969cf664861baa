/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "expect-error.h"
#include "method-case.h"
#include "timeline-content.h"
#include "training-fixture.h"

#include "ns3/accelerator.h"
#include "ns3/electrical-switch-helper.h"
#include "ns3/fabric-description.h"
#include "ns3/fixed-planner.h"
#include "ns3/model-zoo.h"
#include "ns3/rank-groups.h"
#include "ns3/timeline-helper.h"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/**
 * @ingroup lightpath-tests
 * @brief The test cases of timelines, each for one ending of the name of the file.
 */
class TimelineTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /**
     * The tracks of a job of two ranks have the times of closed forms.
     *
     * @param ending the ending of the name of the file
     */
    void TestTimes(const std::string& ending)
    {
        const TimelineContent content = Simulate(ending, [](TimelineHelper&) {});
        NS_TEST_EXPECT_MSG_EQ(content.isNested, true, "slices nest");
        // A message of 1000 bytes takes 1034 ns. The ring of two has two steps of 1000 bytes each.
        // Rank 0 launches it at 12000, rank 1 at 18034, when it sends two messages
        Expect(content, "rank 0", {{"compute", 0, 10000}}, "compute");
        Expect(content, "rank 1", {{"compute", 11034, 16034}}, "compute");
        Expect(content,
               "rank 0: communication",
               {{"message 7", 10000, 10000},
                {"operation", 12000, 20102},
                {"collective", 10000, 20102}});
        Expect(
            content,
            "rank 1: communication",
            {{"message 7", 0, 11034}, {"operation", 18034, 20102}, {"collective", 16034, 20102}});
        Expect(content,
               "0 to 1",
               {{"frame", 10000, 11034}, {"frame", 12000, 13034}, {"frame", 19068, 20102}});
        Expect(content, "1 to 0", {{"frame", 18034, 19068}, {"frame", 19068, 20102}});
        Expect(content, "iterations", {{"iteration 0", 0, 20102}});
        const std::string from = "rank 0: messages";
        const std::string to = "rank 1: messages";
        const std::multiset<TimelineArrow> arrows{{from, 10000, to, 11034},
                                                  {from, 12000, to, 13034},
                                                  {to, 18034, from, 19068},
                                                  {from, 19068, to, 20102},
                                                  {to, 18034, from, 20102}};
        NS_TEST_EXPECT_MSG_EQ((content.arrows == arrows), true, "arrows");
        const std::map<int64_t, int64_t> underway{{10000, 1000},
                                                  {11034, 0},
                                                  {12000, 1000},
                                                  {13034, 0},
                                                  {18034, 2000},
                                                  {20102, 0}};
        const auto& counters = content.counters;
        NS_TEST_EXPECT_MSG_EQ((counters.at("bytes under way") == underway), true, "bytes");
        const std::map<int64_t, int64_t> rate{{0, 8000000000}};
        NS_TEST_EXPECT_MSG_EQ((counters.at("rate of 0 to 1 (bit/s)") == rate), true, "rate");
        NS_TEST_EXPECT_MSG_EQ(counters.at("lanes in use").at(0), 2, "lanes");
        const std::set<std::string> processes{"job", "rank 0", "rank 1", "fabric 1: sip-ocs"};
        NS_TEST_EXPECT_MSG_EQ((content.processes == processes), true, "processes");
    }

    /**
     * A window cuts slices, and shows no arrow that began before it.
     *
     * @param ending the ending of the name of the file
     */
    void TestWindow(const std::string& ending)
    {
        const TimelineContent content = Simulate(ending, [](TimelineHelper& timeline) {
            timeline.SetWindow(NanoSeconds(10500), NanoSeconds(19000));
        });
        NS_TEST_EXPECT_MSG_EQ(content.isNested, true, "slices nest");
        Expect(content, "rank 1", {{"compute", 11034, 16034}}, "compute");
        Expect(content, "rank 0", {}, "compute");
        Expect(content,
               "rank 0: communication",
               {{"operation", 12000, 19000}, {"collective", 10500, 19000}});
        Expect(content,
               "rank 1: communication",
               {{"message 7", 10500, 11034},
                {"operation", 18034, 19000},
                {"collective", 16034, 19000}});
        Expect(content, "0 to 1", {{"frame", 10500, 11034}, {"frame", 12000, 13034}});
        const auto& underway = content.counters.at("bytes under way");
        NS_TEST_EXPECT_MSG_EQ(underway.at(10500), 1000, "the message of before the window");
        std::size_t whole = 0;
        for (const auto& arrow : content.arrows)
        {
            whole += std::get<2>(arrow).empty() ? 0 : 1;
            NS_TEST_EXPECT_MSG_EQ(std::get<0>(arrow).empty(), false, "an end without beginning");
        }
        NS_TEST_EXPECT_MSG_EQ(whole, 1, "one message begins and ends in the window");
    }

    /**
     * A timeline of one rank shows this rank, and no message, as the other end is not there.
     *
     * @param ending the ending of the name of the file
     */
    void TestRanks(const std::string& ending)
    {
        const TimelineContent content =
            Simulate(ending, [](TimelineHelper& timeline) { timeline.SetRanks({1}); });
        Expect(content, "rank 1", {{"compute", 11034, 16034}}, "compute");
        const std::set<std::string> processes{"job", "rank 1", "fabric 1: sip-ocs"};
        NS_TEST_EXPECT_MSG_EQ((content.processes == processes), true, "processes");
        NS_TEST_EXPECT_MSG_EQ(content.arrows.size(), 0, "arrows");
        NS_TEST_EXPECT_MSG_EQ(content.slices.count("0 to 1"), 0, "frames of the other rank");
        NS_TEST_EXPECT_MSG_EQ(content.slices.at("1 to 0").size(), 2, "frames of the rank");
    }

    /**
     * In a job with all kinds of parallelism, computation and waits add up as in the job's records.
     *
     * @param ending the ending of the name of the file
     */
    void TestSums(const std::string& ending)
    {
        constexpr int64_t iterations = 2;
        ElectricalSwitchHelper fabric;
        const NodeContainer nodes(8);
        const NetDeviceContainer devices = fabric.Install(nodes);
        const auto planner = CreateObject<FixedPlanner>();
        planner->SetAttribute("DataParallel", UintegerValue(2));
        planner->SetAttribute("TensorParallel", UintegerValue(2));
        planner->SetAttribute("PipelineParallel", UintegerValue(2));
        planner->SetAttribute("Microbatch", UintegerValue(4));
        TrainingHelper training;
        training.SetJobAttribute("Iterations", UintegerValue(iterations));
        const ApplicationContainer applications =
            training.Install(planner->Plan({ModelZoo::Create("bert-large"),
                                            Accelerator::Create("A100"),
                                            FabricDescription::Create(fabric)->GetLimits(8),
                                            8,
                                            32}),
                             devices,
                             nullptr);
        const std::string file = CreateTempDirFilename("sums" + ending);
        TimelineHelper timeline(file);
        timeline.SetDetails({"messages"});
        timeline.Install(applications);
        Simulator::Run();
        timeline.Close();
        TimelineContent content(file);
        NS_TEST_EXPECT_MSG_EQ(content.isNested, true, "slices nest");
        for (const auto& rank : TrainingHelper::GetJob(applications)->GetRanks())
        {
            const std::string track = "rank " + std::to_string(rank->GetRank());
            for (int64_t i = 0; i < iterations; ++i)
            {
                const auto& record = rank->GetRecords().at(i);
                int64_t compute = 0;
                for (const auto& [key, sum] : content.sums)
                {
                    const bool isOwn = std::get<0>(key) == track && std::get<1>(key) == i;
                    const bool isWait = std::get<2>(key).rfind("wait: ", 0) == 0;
                    compute += isOwn && !isWait ? sum : 0;
                }
                NS_TEST_EXPECT_MSG_EQ(compute, record.compute.GetNanoSeconds(), track);
                const auto sum = [&](const std::string& kind) {
                    return content.sums[{track, i, "wait: " + kind}];
                };
                NS_TEST_EXPECT_MSG_EQ(sum("bubble"),
                                      record.waits[BUBBLE_WAIT].GetNanoSeconds(),
                                      track);
                for (uint32_t group = 0; group < N_GROUP_KINDS; ++group)
                {
                    NS_TEST_EXPECT_MSG_EQ(sum("communication " + RankGroups::GetKindName(group)),
                                          record.waits[group].GetNanoSeconds(),
                                          track << " " << RankGroups::GetKindName(group));
                }
            }
        }
        for (const auto& arrow : content.arrows)
        {
            NS_TEST_EXPECT_MSG_EQ((std::get<1>(arrow) <= std::get<3>(arrow) &&
                                   !std::get<0>(arrow).empty() && !std::get<2>(arrow).empty()),
                                  true,
                                  "an arrow has both ends");
        }
        Simulator::Destroy();
    }

    /**
     * The file of a job that fails is complete, and says why.
     *
     * @param ending the ending of the name of the file
     */
    void TestFailure(const std::string& ending)
    {
        // No circuit leads to rank 1
        TrainingRun run(MakeTwoRanks(), 1);
        run.Install();
        const std::string file = CreateTempDirFilename("failure" + ending);
        TimelineHelper timeline(file);
        timeline.Install(run.applications);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(std::filesystem::exists(file), false, "the file is not complete");
        Simulator::Destroy();
        NS_TEST_EXPECT_MSG_EQ(std::filesystem::exists(file), true, "the file is complete");
        NS_TEST_EXPECT_MSG_EQ(std::filesystem::exists(file + ".part"), false, "no part is left");
        const TimelineContent content(file);
        NS_TEST_EXPECT_MSG_EQ(content.isNested, true, "slices nest");
        NS_TEST_EXPECT_MSG_EQ(content.instants.count(run.failure), 1, run.failure);
    }

    /// One sentence refuses a file that cannot be written.
    void TestRefusals()
    {
        TrainingRun run(MakeTwoRanks(), 1);
        run.Install();
        const auto refuse = [&](const std::function<void(TimelineHelper&)>& set,
                                const std::string& part) {
            TimelineHelper timeline(CreateTempDirFilename("refused.json"));
            set(timeline);
            EXPECT_PART(timeline.Check(run.job), part);
            EXPECT_ABORT(part, [&] { timeline.Install(run.job); });
        };
        refuse(
            [](auto& timeline) {
                timeline.SetRanks({0, 2});
            },
            "show rank 2, but the last of the job is rank 1");
        refuse([](auto& timeline) { timeline.SetWindow(Seconds(1), Seconds(1)); }, "is empty");
        refuse([](auto& timeline) { timeline.SetMaxBytes(1000); },
               "more than its largest size of 0.01 MB");
        EXPECT_ABORT("end it with .json, .pftrace or .perfetto-trace",
                     [] { TimelineHelper timeline("run.txt"); });
        EXPECT_ABORT("There is no detail 'packets'", [] {
            TimelineHelper timeline("run.json");
            timeline.SetDetails({"packets"});
        });
        EXPECT_ABORT("'/nonexistent/run.json' cannot be written", [&] {
            TimelineHelper timeline("/nonexistent/run.json");
            timeline.Install(run.job);
        });
        Simulator::Destroy();
    }

    /// A file that reaches its largest size ends there, with all slices ended.
    void TestCut()
    {
        TrainingRun run(MakeTwoRanks(), 1);
        run.circuits.AddLane(0, 1, {0, 0});
        run.circuits.AddLane(1, 0, {0, 0});
        run.helper.SetJobAttribute("CollectiveLatency", StringValue("2us"));
        run.Install(200, 400);
        const std::string file = CreateTempDirFilename("cut.json");
        TimelineHelper timeline(file);
        timeline.SetDetails({});
        timeline.SetMaxBytes(1800000);
        timeline.Install(run.applications);
        Simulator::Run();
        Simulator::Destroy();
        NS_TEST_EXPECT_MSG_EQ(timeline.IsCut(), false, "the estimate is not below the size");
        const TimelineContent content(file);
        NS_TEST_EXPECT_MSG_EQ(content.slices.at("iterations").size(), 400, "iterations");
    }

  private:
    /**
     * Simulate two ranks on a circuit in each direction.
     *
     * @param ending the ending of the name of the timeline
     * @param set makes settings
     * @return the timeline
     */
    TimelineContent Simulate(const std::string& ending,
                             const std::function<void(TimelineHelper&)>& set)
    {
        TrainingRun run(MakeTwoRanks(), 1);
        run.circuits.AddLane(0, 1, {0, 0});
        run.circuits.AddLane(1, 0, {0, 0});
        run.helper.SetJobAttribute("CollectiveLatency", StringValue("2us"));
        run.Install();
        const std::string file = CreateTempDirFilename("timeline" + ending);
        TimelineHelper timeline(file);
        set(timeline);
        timeline.Install(run.applications);
        Simulator::Run();
        Simulator::Destroy();
        return TimelineContent(file);
    }

    /**
     * @param content a timeline
     * @param track the name of a track
     * @param slices its slices, in the order in which they end
     * @param name the name of the slices that count; empty for all
     */
    void Expect(const TimelineContent& content,
                const std::string& track,
                const std::vector<TimelineSlice>& slices,
                const std::string& name = "")
    {
        std::ostringstream found;
        std::ostringstream wanted;
        const auto print = [](std::ostream& os, const TimelineSlice& slice) {
            os << std::get<0>(slice) << " " << std::get<1>(slice) << " " << std::get<2>(slice)
               << "; ";
        };
        const auto entry = content.slices.find(track);
        for (const auto& slice :
             entry == content.slices.end() ? std::vector<TimelineSlice>() : entry->second)
        {
            if (name.empty() || std::get<0>(slice) == name)
            {
                print(found, slice);
            }
        }
        for (const auto& slice : slices)
        {
            print(wanted, slice);
        }
        NS_TEST_EXPECT_MSG_EQ(found.str(), wanted.str(), track);
    }
};

/// The endings of the names of files.
const std::vector<std::tuple<std::string>> TIMELINE_ENDINGS{{".json"}, {".pftrace"}};

} // namespace

/// Registers the test cases
static const SuiteCases g_timelineCases(
    "lightpath-timeline",
    {MakeCases("A timeline has the times of closed forms",
               &TimelineTests::TestTimes,
               TIMELINE_ENDINGS),
     MakeCases("A window cuts slices and arrows", &TimelineTests::TestWindow, TIMELINE_ENDINGS),
     MakeCases("A timeline shows some ranks", &TimelineTests::TestRanks, TIMELINE_ENDINGS),
     MakeCases("Slices add up to the records of the ranks",
               &TimelineTests::TestSums,
               TIMELINE_ENDINGS),
     MakeCases("The timeline of a job that fails is complete",
               &TimelineTests::TestFailure,
               TIMELINE_ENDINGS),
     {MakeCase("Timelines that cannot be written are refused", &TimelineTests::TestRefusals),
      MakeCase("The estimate of a size leaves room", &TimelineTests::TestCut)}});
