/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "control-test-cases.h"
#include "method-case.h"
#include "model/control/schedule/eclipse-scheduler.h"
#include "schedule-tests.h"

#include "ns3/double.h"

#include <algorithm>
#include <numeric>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/**
 * @ingroup lightpath-tests
 * @param left the bytes that are left by pair
 * @param lanes the lanes by pair
 * @param size the number of devices
 * @param peers the destination by source; the source itself for no circuit
 * @param duration a duration in nanoseconds
 * @return the bytes served; a pair whose time is rounded up counts all bytes of that time
 */
int64_t
CountServed(const std::vector<int64_t>& left,
            const std::vector<int64_t>& lanes,
            uint32_t size,
            const std::vector<uint32_t>& peers,
            int64_t duration)
{
    int64_t served = 0;
    for (uint32_t source = 0; source < size; ++source)
    {
        const uint32_t at = source * size + peers[source];
        served += lanes[at] * std::min(left[at], duration);
    }
    return served;
}

/**
 * @ingroup lightpath-tests
 * @brief The test cases of EclipseScheduler.
 */
class EclipseScheduleTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /// Checks each step of Eclipse against all matchings and durations.
    void TestEclipseStep()
    {
        std::mt19937 random(21);
        for (uint32_t instance = 0; instance < 220; ++instance)
        {
            const uint32_t size = 2 + random() % 4;
            std::vector<std::string> failed;
            if (instance % 3 == 1)
            {
                failed.push_back("port:0:" + std::to_string(random() % size));
                failed.push_back("input:1:" + std::to_string(random() % size));
            }
            const ScheduleReplay replay(size, 2, failed);
            const TrafficMatrix demand = MakeRandom(random, size, random() % 12, 14);
            Check(replay, demand, random() % 12, instance % 2 == 0 ? 0 : 5);
        }
    }

    /// Checks Eclipse where the best is known, and what a horizon leaves.
    void TestEclipse()
    {
        CheckPrices();
        CheckHorizon();
        const ScheduleReplay replay(6, 1);
        const TrafficMatrix all = MakeAllToAll(6);
        CircuitSchedule schedule = replay.Make<EclipseScheduler>(3)->Schedule(all);
        NS_TEST_EXPECT_MSG_EQ(replay.Replay(schedule, all), "", "All to all");
        NS_TEST_EXPECT_MSG_EQ(schedule.slots.size(), 5, "One slot for each shift");
        NS_TEST_EXPECT_MSG_EQ(GetLight(schedule), 5, "One byte each");
        TrafficMatrix few(6);
        few.Add(0, 4, 30);
        few.Add(4, 1, 7);
        few.Add(3, 2, 19);
        schedule = replay.Make<EclipseScheduler>(1000000)->Schedule(few);
        NS_TEST_EXPECT_MSG_EQ(schedule.slots.size(), 1, "One matching is all there is");
        NS_TEST_EXPECT_MSG_EQ(GetLight(schedule), 30, "The pair with most");
        schedule = replay.Make<EclipseScheduler>(5)->Schedule(TrafficMatrix(6));
        NS_TEST_EXPECT_MSG_EQ(schedule.slots.size(), 0, "Nothing is demanded");
    }

  private:
    /**
     * Check the steps of one demand.
     *
     * @param replay the switches
     * @param demand the demand
     * @param delay the switching delay in nanoseconds
     * @param tolerance the tolerance in percent
     */
    void Check(const ScheduleReplay& replay,
               const TrafficMatrix& demand,
               int64_t delay,
               int64_t tolerance)
    {
        const uint32_t size = demand.GetSize();
        const auto eclipse = replay.Make<EclipseScheduler>(delay);
        eclipse->SetAttribute("Tolerance", DoubleValue(tolerance / 100.));
        const CircuitSchedule schedule = eclipse->Schedule(demand);
        NS_TEST_EXPECT_MSG_EQ(replay.Replay(schedule, demand), "", "Replay");
        std::vector<int64_t> left(size * size, 0);
        std::vector<int64_t> lanes(size * size, 0);
        int64_t most = 0;
        for (uint32_t source = 0; source < size; ++source)
        {
            for (const auto& [destination, bytes] : demand.GetRow(source))
            {
                const uint32_t at = source * size + destination;
                for (uint32_t index = 0; index < 2; ++index)
                {
                    lanes[at] += replay.GetGeometry().CanJoin(source, destination, index) ? 1 : 0;
                }
                left[at] = lanes[at] == 0 ? 0 : (bytes + lanes[at] - 1) / lanes[at];
                most = std::max(most, left[at]);
            }
        }
        for (const ScheduleSlot& slot : schedule.slots)
        {
            std::vector<uint32_t> own(size);
            std::iota(own.begin(), own.end(), 0);
            std::vector<uint32_t> peers = own;
            for (const auto& lightpath : slot.plan.GetLightpaths())
            {
                own[lightpath.first.first] = lightpath.first.second;
            }
            const int64_t duration = slot.duration.GetNanoSeconds();
            const int64_t served = CountServed(left, lanes, size, own, duration);
            bool isBest = true;
            do
            {
                for (int64_t other = 1; other <= most; ++other)
                {
                    const int64_t more = CountServed(left, lanes, size, peers, other);
                    isBest = isBest && more * (duration + delay) * 100 <=
                                           served * (other + delay) * (100 + tolerance);
                }
            } while (std::next_permutation(peers.begin(), peers.end()));
            NS_TEST_EXPECT_MSG_EQ(isBest, true, "Another matching serves more by time");
            for (uint32_t source = 0; source < size; ++source)
            {
                int64_t& time = left[source * size + own[source]];
                time -= std::min(time, duration);
            }
        }
        NS_TEST_EXPECT_MSG_EQ(*std::max_element(left.begin(), left.end()), 0, "All is served");
        const int64_t line = replay.GetLongestLine(demand);
        const int64_t degree = replay.GetJoined(demand).GetDegree();
        NS_TEST_EXPECT_MSG_EQ(schedule.bound.GetNanoSeconds(), line + degree * delay, "Bound");
        NS_TEST_EXPECT_MSG_EQ((schedule.makespan >= schedule.bound), true, "Bound");
    }

    /// Many devices, whose best matching is known by the prices of linear programming duality.
    void CheckPrices()
    {
        std::mt19937 random(22);
        const uint32_t size = 40;
        const ScheduleReplay replay(size, 1);
        for (uint32_t instance = 0; instance < 3; ++instance)
        {
            std::vector<uint64_t> prices(2 * size);
            std::generate(prices.begin(), prices.end(), [&random] { return 1 + random() % 500; });
            TrafficMatrix demand(size);
            uint64_t best = 0;
            for (uint32_t source = 0; source < size; ++source)
            {
                for (uint32_t destination = 0; destination < size; ++destination)
                {
                    // No pair is worth more than its two prices; those of one shift are worth them
                    const uint64_t price = prices[source] + prices[size + destination];
                    if (destination == (source + 7) % size)
                    {
                        demand.Add(source, destination, price);
                        best += price;
                    }
                    else if (destination != source)
                    {
                        demand.Add(source, destination, price - random() % 40 % (price + 1));
                    }
                }
            }
            const auto eclipse = replay.Make<EclipseScheduler>(1000000000);
            eclipse->SetAttribute("Tolerance", DoubleValue(0));
            // Time for one configuration that serves the longest pair
            eclipse->SetAttribute("Horizon", TimeValue(NanoSeconds(1000000000 + 1000)));
            const CircuitSchedule schedule = eclipse->Schedule(demand);
            NS_TEST_EXPECT_MSG_EQ(schedule.slots.size(), 1, "One configuration");
            uint64_t served = 0;
            for (const auto& lightpath : schedule.slots[0].plan.GetLightpaths())
            {
                const PortPair pair = lightpath.first;
                served += std::min<uint64_t>(demand.Get(pair.first, pair.second),
                                             schedule.slots[0].duration.GetNanoSeconds());
            }
            NS_TEST_EXPECT_MSG_EQ(served, best, "A delay so long needs the matching worth most");
        }
    }

    /// The makespan keeps to a horizon, and its time is used.
    void CheckHorizon()
    {
        std::mt19937 random(23);
        for (uint32_t instance = 0; instance < 60; ++instance)
        {
            const ScheduleReplay replay(5, 1);
            const TrafficMatrix demand = MakeRandom(random, 5, 20, 50);
            const auto eclipse = replay.Make<EclipseScheduler>(10);
            const CircuitSchedule whole = eclipse->Schedule(demand);
            const int64_t horizon = 1 + random() % (whole.makespan.GetNanoSeconds() + 20);
            eclipse->SetAttribute("Horizon", TimeValue(NanoSeconds(horizon)));
            const CircuitSchedule part = eclipse->Schedule(demand);
            NS_TEST_EXPECT_MSG_EQ(replay.Replay(part, demand), "", "Instance " << instance);
            const int64_t left = horizon - part.makespan.GetNanoSeconds();
            NS_TEST_EXPECT_MSG_EQ((left >= 0), true, "Horizon");
            NS_TEST_EXPECT_MSG_EQ((part.slots.empty() == (horizon <= 10)), true, "First slot");
            bool isIdle = left > 10 && part.unserved.GetTotal() > 0;
            for (std::size_t i = part.slots.size(); i > 0 && i == part.slots.size() && left > 0;
                 --i)
            {
                for (const auto& lightpath : part.slots[i - 1].plan.GetLightpaths())
                {
                    const PortPair pair = lightpath.first;
                    isIdle = isIdle || part.unserved.Get(pair.first, pair.second) > 0;
                }
            }
            NS_TEST_EXPECT_MSG_EQ(isIdle, false, "Time is left that would serve bytes");
        }
    }
};

} // namespace

/// Registers the test cases
static const SuiteCases g_eclipseScheduleCases(
    "lightpath-control-schedules",
    {{MakeCase("Eclipse takes the matching and duration that serve most by time",
               &EclipseScheduleTests::TestEclipseStep),
      MakeCase("Eclipse finds known schedules and keeps to a horizon",
               &EclipseScheduleTests::TestEclipse)}});
