/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "control-test-cases.h"
#include "method-case.h"
#include "model/control/schedule/birkhoff-scheduler.h"
#include "model/control/schedule/solstice-scheduler.h"
#include "schedule-tests.h"

#include "ns3/boolean.h"
#include "ns3/data-rate.h"

#include <algorithm>
#include <map>
#include <numeric>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/**
 * @ingroup lightpath-tests
 * @param random the source of random numbers
 * @param size the number of ports
 * @return the destination of each port, none its own
 */
std::vector<uint32_t>
MakeDerangement(std::mt19937& random, uint32_t size)
{
    std::vector<uint32_t> peers(size);
    std::iota(peers.begin(), peers.end(), 0);
    bool isOwn = true;
    while (isOwn)
    {
        for (uint32_t i = size - 1; i > 0; --i)
        {
            std::swap(peers[i], peers[random() % (i + 1)]);
        }
        isOwn = false;
        for (uint32_t i = 0; i < size; ++i)
        {
            isOwn = isOwn || peers[i] == i;
        }
    }
    return peers;
}

/**
 * @ingroup lightpath-tests
 * @brief Checks the common properties of Birkhoff and Solstice: the sum of durations, which is the
 * largest line sum, and the largest number of slots.
 *
 * @tparam T the kind of scheduler
 */
template <typename T>
class SlicedTestCase : public TestCase
{
  public:
    SlicedTestCase()
        : TestCase(T::GetTypeId().GetName() + " carries light for the largest line sum")
    {
    }

  private:
    /// Decompose sums of permutations.
    void CheckPermutations()
    {
        std::mt19937 random(11);
        for (uint32_t instance = 0; instance < 60; ++instance)
        {
            const uint32_t size = 3 + random() % 7;
            const ScheduleReplay replay(size, 1);
            TrafficMatrix demand(size);
            int64_t total = 0;
            for (uint32_t left = 1 + random() % 12; left > 0; --left)
            {
                const int64_t weight = 1 + random() % 1000;
                const std::vector<uint32_t> peers = MakeDerangement(random, size);
                for (uint32_t source = 0; source < size; ++source)
                {
                    demand.Add(source, peers[source], weight);
                }
                total += weight;
            }
            const CircuitSchedule schedule = replay.Make<T>(0)->Schedule(demand);
            NS_TEST_EXPECT_MSG_EQ(replay.Replay(schedule, demand), "", "Instance " << instance);
            NS_TEST_EXPECT_MSG_EQ(schedule.unserved.GetTotal(), 0, "The residual");
            NS_TEST_EXPECT_MSG_EQ(GetLight(schedule), total, "The sum of the weights");
            NS_TEST_EXPECT_MSG_EQ(schedule.makespan, schedule.bound, "Switching takes no time");
            for (const ScheduleSlot& slot : schedule.slots)
            {
                NS_TEST_EXPECT_MSG_EQ(slot.plan.GetNLanes(), size, "Nothing is stuffed");
            }
        }
    }

    /// Decompose demands of 0 and 1, for which the degree is the number of slots.
    void CheckDegrees()
    {
        std::mt19937 random(12);
        for (uint32_t instance = 0; instance < 60; ++instance)
        {
            const uint32_t size = 3 + random() % 7;
            const ScheduleReplay replay(size, 2);
            TrafficMatrix demand(size);
            for (uint32_t left = 1 + random() % (size * size); left > 0; --left)
            {
                const uint32_t source = random() % size;
                const uint32_t destination = (source + 1 + random() % (size - 1)) % size;
                if (demand.Get(source, destination) == 0)
                {
                    demand.Add(source, destination, 14);
                }
            }
            const CircuitSchedule schedule = replay.Make<T>(1000000)->Schedule(demand);
            NS_TEST_EXPECT_MSG_EQ(replay.Replay(schedule, demand), "", "Instance " << instance);
            NS_TEST_EXPECT_MSG_EQ(schedule.slots.size(), demand.GetDegree(), "One slot by peer");
            NS_TEST_EXPECT_MSG_EQ(schedule.makespan, schedule.bound, "No schedule is faster");
            NS_TEST_EXPECT_MSG_EQ(schedule.makespan,
                                  NanoSeconds(demand.GetDegree() * (1000000 + 7)),
                                  "14 bytes take two switches 7 ns");
        }
    }

    /// Decompose demands of all kinds, some on switches with failures.
    void CheckAny()
    {
        std::mt19937 random(13);
        for (uint32_t instance = 0; instance < 200; ++instance)
        {
            const uint32_t size = 2 + random() % 6;
            std::vector<std::string> failed;
            if (instance % 2 == 1)
            {
                failed.push_back("input:0:" + std::to_string(random() % size));
                failed.push_back("output:1:" + std::to_string(random() % size));
                failed.push_back("port:" + std::to_string(random() % 3) + ":0");
            }
            const ScheduleReplay replay(size, 3, failed);
            const TrafficMatrix demand = MakeRandom(random, size, random() % 30, 50);
            const int64_t delay = random() % 40;
            const CircuitSchedule schedule = replay.Make<T>(delay)->Schedule(demand);
            NS_TEST_EXPECT_MSG_EQ(replay.Replay(schedule, demand), "", "Instance " << instance);
            const int64_t line = replay.GetLongestLine(demand);
            NS_TEST_EXPECT_MSG_EQ(GetLight(schedule), line, "The device with most work");
            const int64_t degree = replay.GetJoined(demand).GetDegree();
            NS_TEST_EXPECT_MSG_EQ(schedule.bound.GetNanoSeconds(), line + degree * delay, "Bound");
            NS_TEST_EXPECT_MSG_EQ((schedule.makespan >= schedule.bound), true, "Bound");
            NS_TEST_EXPECT_MSG_EQ((schedule.slots.size() <= size * size - 2 * size + 2),
                                  true,
                                  "Birkhoff's number of permutations");
            NS_TEST_EXPECT_MSG_EQ(schedule.unserved.GetTotal(),
                                  demand.GetTotal() - replay.GetJoined(demand).GetTotal(),
                                  "All is served that a switch can carry");
            NS_TEST_EXPECT_MSG_EQ(schedule.cyclic, false, "The demand is served once");
        }
    }

    void DoRun() override
    {
        CheckPermutations();
        CheckDegrees();
        CheckAny();
        const ScheduleReplay replay(6, 1);
        const TrafficMatrix all = MakeAllToAll(6);
        CircuitSchedule schedule = replay.Make<T>(3)->Schedule(all);
        NS_TEST_EXPECT_MSG_EQ(replay.Replay(schedule, all), "", "All to all");
        NS_TEST_EXPECT_MSG_EQ(schedule.slots.size(), 5, "One slot for each shift");
        NS_TEST_EXPECT_MSG_EQ(GetLight(schedule), 5, "One byte each");
        for (const ScheduleSlot& slot : schedule.slots)
        {
            NS_TEST_EXPECT_MSG_EQ(slot.plan.GetNLanes(), 6, "All devices send");
        }
        TrafficMatrix few(6);
        few.Add(0, 4, 30);
        few.Add(4, 1, 7);
        few.Add(3, 2, 19);
        schedule = replay.Make<T>(1000000)->Schedule(few);
        NS_TEST_EXPECT_MSG_EQ(schedule.slots.size(), 1, "One matching is all there is");
        NS_TEST_EXPECT_MSG_EQ(GetLight(schedule), 30, "The pair with most");
        NS_TEST_EXPECT_MSG_EQ(schedule.slots[0].plan.GetNLanes(), 3, "Nothing is stuffed");
        schedule = replay.Make<T>(5)->Schedule(TrafficMatrix(6));
        NS_TEST_EXPECT_MSG_EQ(schedule.slots.size(), 0, "Nothing is demanded");
        NS_TEST_EXPECT_MSG_EQ(schedule.bound, Time(0), "Nothing is demanded");
    }
};

/**
 * @ingroup lightpath-tests
 * @brief Checks the order of Solstice's configurations, and the rest that it leaves.
 */
class SolsticeTestCase : public TestCase
{
  public:
    SolsticeTestCase()
        : TestCase("Solstice begins with the longest configurations and can leave a rest")
    {
    }

  private:
    /**
     * @param line the most bytes that a device sends or receives
     * @param rate the rate of the packet switch in Gb/s
     * @param schedule the configurations
     * @param count the number of them that are carried out
     * @return true if the packet switch carries these bytes meanwhile
     */
    static bool IsCarried(uint64_t line,
                          uint64_t rate,
                          const CircuitSchedule& schedule,
                          std::size_t count)
    {
        Time elapsed;
        for (std::size_t i = 0; i < count; ++i)
        {
            elapsed += schedule.slots[i].duration + NanoSeconds(20);
        }
        return line * 8 <= rate * elapsed.GetNanoSeconds();
    }

    /// No permutation of what is left lasts twice as long as the one that is taken.
    void CheckLengths()
    {
        std::mt19937 random(15);
        const uint32_t size = 5;
        const ScheduleReplay replay(size, 1);
        for (uint32_t instance = 0; instance < 40; ++instance)
        {
            // Equal line sums, so that nothing is stuffed
            TrafficMatrix demand(size);
            for (uint32_t count = 0; count < 8; ++count)
            {
                const std::vector<uint32_t> peers = MakeDerangement(random, size);
                const uint32_t weight = 1 + random() % (count % 2 == 0 ? 10 : 300);
                for (uint32_t source = 0; source < size; ++source)
                {
                    demand.Add(source, peers[source], weight);
                }
            }
            std::map<PortPair, int64_t> served;
            for (const ScheduleSlot& slot :
                 replay.Make<SolsticeScheduler>(20)->Schedule(demand).slots)
            {
                std::vector<uint32_t> peers{0, 1, 2, 3, 4};
                int64_t longest = 0;
                do
                {
                    int64_t shortest = demand.GetMax();
                    for (uint32_t source = 0; source < size; ++source)
                    {
                        const uint32_t destination = peers[source];
                        const auto bytes = static_cast<int64_t>(demand.Get(source, destination));
                        shortest = std::min(shortest, bytes - served[{source, destination}]);
                    }
                    longest = std::max(longest, shortest);
                } while (std::next_permutation(peers.begin(), peers.end()));
                const int64_t duration = slot.duration.GetNanoSeconds();
                NS_TEST_EXPECT_MSG_GT(2 * duration, longest, "Instance " << instance);
                for (const auto& lightpath : slot.plan.GetLightpaths())
                {
                    served[lightpath.first] += duration;
                }
            }
        }
    }

    void DoRun() override
    {
        CheckLengths();
        std::mt19937 random(14);
        uint32_t rests = 0;
        for (uint32_t instance = 0; instance < 60; ++instance)
        {
            const ScheduleReplay replay(6, 2);
            const TrafficMatrix demand = MakeRandom(random, 6, 30, 1 + random() % 1000);
            const auto solstice = replay.Make<SolsticeScheduler>(20);
            const CircuitSchedule whole = solstice->Schedule(demand);
            const auto isLonger = [](const ScheduleSlot& a, const ScheduleSlot& b) {
                return a.duration > b.duration;
            };
            NS_TEST_EXPECT_MSG_EQ(std::is_sorted(whole.slots.begin(), whole.slots.end(), isLonger),
                                  true,
                                  "Longest first");
            solstice->SetAttribute("ServeRest", BooleanValue(false));
            solstice->SetAttribute("PacketRate", DataRateValue(DataRate("2Gbps")));
            const CircuitSchedule part = solstice->Schedule(demand);
            NS_TEST_EXPECT_MSG_EQ(replay.Replay(part, demand), "", "Instance " << instance);
            const ScheduleReplay one(6, 1);
            const auto isEnough = [&](const TrafficMatrix& rest, std::size_t count) {
                return IsCarried(one.GetLongestLine(rest), 2, part, count);
            };
            NS_TEST_EXPECT_MSG_EQ(isEnough(part.unserved, part.slots.size()), true, "Rest");
            NS_TEST_EXPECT_MSG_EQ((part.slots.size() <= whole.slots.size()), true, "Fewer slots");
            rests += part.unserved.GetTotal() > 0 ? 1 : 0;
            solstice->SetAttribute("PacketRate", DataRateValue(DataRate("0Gbps")));
            const CircuitSchedule none = solstice->Schedule(demand);
            NS_TEST_EXPECT_MSG_EQ(none.unserved.GetTotal(), 0, "No packet switch");
            NS_TEST_EXPECT_MSG_EQ(none.slots.size(), whole.slots.size(), "No packet switch");
        }
        NS_TEST_EXPECT_MSG_GT(rests, 30, "Most demands leave a rest");
        // 100 and 1: the threshold 64 takes the long pairs first, whose time is 100
        const ScheduleReplay replay(3, 1);
        const TrafficMatrix demand = MakeShifts(3, {{1, 1}, {2, 100}});
        const auto solstice = replay.Make<SolsticeScheduler>(20);
        solstice->SetAttribute("ServeRest", BooleanValue(false));
        // 1 byte takes packets no longer than 100 ns + 20 ns at 0.08 / 1.2 Gb/s
        for (const auto& [rate, slots] : {std::make_pair(66666666, 2U), {66666667, 1U}})
        {
            solstice->SetAttribute("PacketRate", DataRateValue(DataRate(rate)));
            const CircuitSchedule schedule = solstice->Schedule(demand);
            NS_TEST_EXPECT_MSG_EQ(schedule.slots.size(), slots, "Packets of " << rate << " b/s");
            NS_TEST_EXPECT_MSG_EQ(schedule.slots[0].duration, NanoSeconds(100), "Longest first");
            NS_TEST_EXPECT_MSG_EQ(schedule.unserved.GetTotal(), (slots == 1 ? 3 : 0), "Rest");
        }
    }
};

} // namespace

/// Registers the test cases
static const SuiteCases g_slicedScheduleCases("lightpath-control-schedules",
                                              {{new SlicedTestCase<BirkhoffScheduler>,
                                                new SlicedTestCase<SolsticeScheduler>,
                                                new SolsticeTestCase}});
