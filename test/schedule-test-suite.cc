/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "expect-error.h"
#include "method-case.h"
#include "model/control/schedule/birkhoff-scheduler.h"
#include "model/control/schedule/eclipse-scheduler.h"
#include "model/control/schedule/rotor-scheduler.h"
#include "model/control/schedule/solstice-scheduler.h"
#include "schedule-tests.h"

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/**
 * @ingroup lightpath-tests
 * @brief A scheduler that returns the schedule that the test gives.
 */
class ScriptedScheduler : public CircuitScheduler
{
  public:
    using CircuitScheduler::GetServedBytes;
    using CircuitScheduler::GetServiceTime;

    CircuitSchedule answer; //!< The schedule

  private:
    CircuitSchedule DoSchedule(const TrafficMatrix& demand) const override
    {
        return answer;
    }
};

/**
 * @ingroup lightpath-tests
 * @brief The tests of circuit schedulers.
 */
class ScheduleTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /// Checks how bytes and times are rounded.
    void TestServiceTime()
    {
        ScriptedScheduler scheduler;
        scheduler.SetTiming(DataRate("100Gbps"), Time(0));
        NS_TEST_EXPECT_MSG_EQ(scheduler.GetServiceTime(0, 1), Time(0), "Nothing takes no time");
        NS_TEST_EXPECT_MSG_EQ(scheduler.GetServiceTime(1, 1), NanoSeconds(1), "0.08 ns");
        NS_TEST_EXPECT_MSG_EQ(scheduler.GetServiceTime(12, 1), NanoSeconds(1), "0.96 ns");
        NS_TEST_EXPECT_MSG_EQ(scheduler.GetServiceTime(13, 1), NanoSeconds(2), "1.04 ns");
        NS_TEST_EXPECT_MSG_EQ(scheduler.GetServiceTime(25, 1), NanoSeconds(2), "2 ns");
        NS_TEST_EXPECT_MSG_EQ(scheduler.GetServiceTime(25, 2), NanoSeconds(1), "1 ns");
        NS_TEST_EXPECT_MSG_EQ(scheduler.GetServiceTime(26, 2), NanoSeconds(2), "1.04 ns");
        NS_TEST_EXPECT_MSG_EQ(scheduler.GetServiceTime(uint64_t{1} << 63, 1),
                              NanoSeconds(737869762948382065),
                              "2^66 / 100 = 737869762948382064.64 ns");
        NS_TEST_EXPECT_MSG_EQ(scheduler.GetServedBytes(Time(0), 3), 0, "No time");
        NS_TEST_EXPECT_MSG_EQ(scheduler.GetServedBytes(NanoSeconds(1), 1), 12, "12.5 bytes");
        NS_TEST_EXPECT_MSG_EQ(scheduler.GetServedBytes(NanoSeconds(2), 1), 25, "25 bytes");
        NS_TEST_EXPECT_MSG_EQ(scheduler.GetServedBytes(NanoSeconds(1), 3), 37, "37.5 bytes");
        NS_TEST_EXPECT_MSG_EQ(scheduler.GetServedBytes(NanoSeconds(737869762948382065), 1),
                              9223372036854775812U,
                              "9223372036854775812.5 bytes");
        scheduler.SetTiming(DataRate("3Gbps"), NanoSeconds(7));
        NS_TEST_EXPECT_MSG_EQ(scheduler.GetServiceTime(3, 1), NanoSeconds(8), "8 ns");
        NS_TEST_EXPECT_MSG_EQ(scheduler.GetServiceTime(4, 1), NanoSeconds(11), "10.67 ns");
        NS_TEST_EXPECT_MSG_EQ(scheduler.GetServedBytes(NanoSeconds(7), 1), 2, "2.625 bytes");
        NS_TEST_EXPECT_MSG_EQ(scheduler.GetSwitchingDelay(), NanoSeconds(7), "Delay");
        NS_TEST_EXPECT_MSG_EQ(scheduler.GetLaneRate(), DataRate("3Gbps"), "Rate");
        std::string error = GetError([&scheduler] { scheduler.GetServiceTime(1, 0); });
        NS_TEST_EXPECT_MSG_EQ(Contains(error, "needs at least 1 lane"), true, error);
        scheduler.SetTiming(DataRate("1bps"), Time(0));
        NS_TEST_EXPECT_MSG_EQ(scheduler.GetServiceTime(1152921504, 1),
                              Seconds(9223372032LL),
                              "Just below 2^63 ns");
        error = GetError([&scheduler] { scheduler.GetServiceTime(1152921505, 1); });
        NS_TEST_EXPECT_MSG_EQ(Contains(error, "1152921505 bytes take 1 lanes longer than a Time"),
                              true,
                              error);
    }

    /// Checks makespan and unserved bytes of schedules.
    void TestSchedule()
    {
        ScriptedScheduler scheduler;
        scheduler.SetPlanes(std::make_shared<CircuitSwitchGeometry>(3, 2));
        scheduler.SetTiming(DataRate("100Gbps"), NanoSeconds(30));
        ScheduleSlot slot;
        slot.duration = NanoSeconds(1);
        slot.plan.AddLane(0, 1, {0, 0});
        slot.plan.AddLane(1, 2, {0, 0});
        slot.plan.AddLane(1, 2, {1, 0});
        scheduler.answer.slots = {slot, slot, slot};
        scheduler.answer.slots[2].duration = NanoSeconds(4);
        TrafficMatrix demand(3);
        demand.Add(0, 1, 75);
        demand.Add(1, 2, 151);
        demand.Add(2, 0, 9);
        CircuitSchedule schedule = scheduler.Schedule(demand);
        NS_TEST_EXPECT_MSG_EQ(schedule.makespan, NanoSeconds(96), "3 delays, 1 + 1 + 4 ns");
        TrafficMatrix unserved(3);
        unserved.Add(1, 2, 1);
        unserved.Add(2, 0, 9);
        NS_TEST_EXPECT_MSG_EQ((schedule.unserved == unserved),
                              true,
                              "6 ns carry 75 bytes on a lane, halves of bytes included");
        scheduler.answer.cyclic = true;
        schedule = scheduler.Schedule(demand);
        unserved = TrafficMatrix(3);
        unserved.Add(2, 0, 9);
        NS_TEST_EXPECT_MSG_EQ((schedule.unserved == unserved), true, "It has no slot");
        scheduler.answer.slots.clear();
        schedule = scheduler.Schedule(demand);
        NS_TEST_EXPECT_MSG_EQ((schedule.unserved == demand), true, "There are no slots");
        NS_TEST_EXPECT_MSG_EQ(schedule.makespan, Time(0), "There are no slots");
    }
};

/**
 * @ingroup lightpath-tests
 * @brief Checks the sentences with which schedulers refuse their input.
 *
 * @tparam T the kind of scheduler
 */
template <typename T>
class ScheduleErrorTestCase : public TestCase
{
  public:
    ScheduleErrorTestCase()
        : TestCase(T::GetTypeId().GetName() + " refuses planes, times and demands")
    {
    }

  private:
    void DoRun() override
    {
        const auto scheduler = CreateObject<T>();
        const auto duplex = std::make_shared<CircuitSwitchGeometry>(4, 2);
        duplex->SetDuplex(true);
        scheduler->SetPlanes(duplex);
        TrafficMatrix oneWay(4);
        oneWay.Add(0, 1, 8);
        std::string error = GetError([&] { scheduler->Schedule(oneWay); });
        NS_TEST_EXPECT_MSG_EQ(Contains(error, "lacks the one back"), true, error);
        scheduler->SetPlanes(std::make_shared<CircuitSwitchGeometry>(4, 2));
        NS_TEST_EXPECT_MSG_EQ(scheduler->GetPlanes().GetNPorts(), 4, "Ports");
        error = GetError([&] { scheduler->SetTiming(DataRate("0bps"), Time(0)); });
        NS_TEST_EXPECT_MSG_EQ(Contains(error, "a lane rate above 0"), true, error);
        error = GetError([&] { scheduler->SetTiming(DataRate("1bps"), NanoSeconds(-1)); });
        NS_TEST_EXPECT_MSG_EQ(Contains(error, "delay that is not negative"), true, error);
        error = GetError([&] { scheduler->Schedule(TrafficMatrix(5)); });
        NS_TEST_EXPECT_MSG_EQ(
            Contains(error, "A demand of 5 ports cannot be scheduled on a fabric of 4 ports"),
            true,
            error);
        TrafficMatrix demand(4);
        demand.Add(0, 1, uint64_t{1} << 62);
        demand.Add(2, 3, 1);
        scheduler->SetTiming(DataRate("1Gbps"), Time(0));
        error = GetError([&] { scheduler->Schedule(demand); });
        NS_TEST_EXPECT_MSG_EQ(Contains(error, "longer than a Time can hold"), true, error);
        if (!CreateObject<T>()->template GetObject<RotorScheduler>())
        {
            scheduler->SetTiming(DataRate("8Gbps"), Time(0));
            error = GetError([&] { scheduler->Schedule(demand); });
            NS_TEST_EXPECT_MSG_EQ(Contains(error, "add up to more than 2305843009213693952"),
                                  true,
                                  error);
        }
    }
};

/// Registers the test cases
static const SuiteCases g_scheduleCases(
    "lightpath-control-schedules",
    {{MakeCase("Service times are rounded up and bytes are rounded down",
               &ScheduleTests::TestServiceTime),
      MakeCase("A schedule is judged by what its slots carry together",
               &ScheduleTests::TestSchedule),
      new ScheduleErrorTestCase<BirkhoffScheduler>,
      new ScheduleErrorTestCase<SolsticeScheduler>,
      new ScheduleErrorTestCase<EclipseScheduler>,
      new ScheduleErrorTestCase<RotorScheduler>}});

} // namespace
