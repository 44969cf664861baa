/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "control-test-cases.h"
#include "expect-error.h"
#include "method-case.h"
#include "model/control/schedule/rotor-scheduler.h"
#include "schedule-tests.h"

#include "ns3/boolean.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/// Source, destination and switch of a circuit.
using Circuit = std::tuple<uint32_t, uint32_t, uint32_t>;

/**
 * @ingroup lightpath-tests
 * @param plan a plan
 * @return its circuits
 */
std::set<Circuit>
GetCircuits(const CircuitPlan& plan)
{
    std::set<Circuit> circuits;
    for (const auto& [pair, lanes] : plan.GetLightpaths())
    {
        for (const Lane& lane : lanes)
        {
            circuits.emplace(pair.first, pair.second, lane.fibre);
        }
    }
    return circuits;
}

/**
 * @ingroup lightpath-tests
 * @param some circuits
 * @param others other circuits
 * @return the circuits of the first that are not among the others
 */
std::set<Circuit>
Subtract(const std::set<Circuit>& some, const std::set<Circuit>& others)
{
    std::set<Circuit> difference;
    std::set_difference(some.begin(),
                        some.end(),
                        others.begin(),
                        others.end(),
                        std::inserter(difference, difference.end()));
    return difference;
}

/**
 * @ingroup lightpath-tests
 * @brief The test cases of RotorScheduler.
 */
class RotorScheduleTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /// Checks one cycle of rotors of all sizes.
    void TestRotorCycle()
    {
        for (const uint32_t devices : {2, 3, 4, 5, 8, 9})
        {
            for (uint32_t switches = 1; switches <= 9; ++switches)
            {
                Check(devices, switches, true);
                Check(devices, switches, false);
            }
        }
    }

    /// Checks rotors with failures, their bound and what they refuse.
    void TestRotor()
    {
        const ScheduleReplay replay(5, 2, {"input:0:1", "input:1:1", "output:0:3"});
        const auto rotor = replay.Make<RotorScheduler>(100);
        rotor->SetAttribute("SlotTime", TimeValue(NanoSeconds(500)));
        TrafficMatrix demand(5);
        demand.Add(1, 2, 70);
        demand.Add(0, 3, 30);
        demand.Add(4, 3, 20);
        demand.Add(2, 0, 61);
        const CircuitSchedule schedule = rotor->Schedule(demand);
        for (const ScheduleSlot& slot : schedule.slots)
        {
            NS_TEST_EXPECT_MSG_EQ(replay.Check(slot.plan), "", "Plan");
        }
        TrafficMatrix unserved(5);
        unserved.Add(1, 2, 70);
        NS_TEST_EXPECT_MSG_EQ((schedule.unserved == unserved), true, "Device 1 cannot send");
        NS_TEST_EXPECT_MSG_EQ(schedule.bound,
                              NanoSeconds(50),
                              "Device 3 receives 30 and 20 bytes through one switch");
        demand.Add(2, 4, 40);
        NS_TEST_EXPECT_MSG_EQ(rotor->Schedule(demand).bound,
                              NanoSeconds(51),
                              "Device 2 sends 61 and 40 bytes through two switches");
        NS_TEST_EXPECT_MSG_EQ(rotor->Schedule(TrafficMatrix(5)).bound, Time(0), "No demand");
        rotor->SetAttribute("SlotTime", TimeValue(NanoSeconds(101)));
        std::string error = GetError([&] { rotor->Schedule(demand); });
        NS_TEST_EXPECT_MSG_EQ(Contains(error, "2 rotors cannot turn one after the other"),
                              true,
                              error);
        NS_TEST_EXPECT_MSG_EQ(rotor->CheckTiming(true),
                              error,
                              "The same before a schedule is made");
        EXPECT_PART(rotor->CheckTiming(false), "PauseMode Partial");
        rotor->SetAttribute("SlotTime", TimeValue(NanoSeconds(102)));
        NS_TEST_EXPECT_MSG_EQ(rotor->CheckTiming(true), "", "(102 + 100) / 2 is above 100");
        const std::vector<ScheduleSlot> slots = rotor->Schedule(demand).slots;
        NS_TEST_EXPECT_MSG_EQ(slots.size(), 8, "4 shifts, 2 switches");
        NS_TEST_EXPECT_MSG_EQ(slots[0].duration, NanoSeconds(1), "(102 + 100) / 2 - 100");
        rotor->SetAttribute("SlotTime", TimeValue(Time(0)));
        rotor->SetAttribute("Stagger", BooleanValue(false));
        error = GetError([&] { rotor->Schedule(demand); });
        NS_TEST_EXPECT_MSG_EQ(Contains(error, "SlotTime of a rotor schedule must be above 0"),
                              true,
                              error);
    }

  private:
    /// Time in nanoseconds that the switches are lit after each turn.
    static constexpr int64_t SLOT_TIME = 1009;

    /**
     * Check the shifts that the switches hold.
     *
     * @param circuits the circuits of a slot
     * @param devices the number of devices
     * @param switches the number of switches
     * @param differ whether no two switches may hold the same shift
     */
    void CheckShifts(const std::set<Circuit>& circuits,
                     uint32_t devices,
                     uint32_t switches,
                     bool differ)
    {
        NS_TEST_EXPECT_MSG_EQ(circuits.size(), devices * switches, "All ports are used");
        std::set<std::pair<uint32_t, uint32_t>> shifts;
        std::set<uint32_t> distinct;
        for (const auto& [source, destination, index] : circuits)
        {
            shifts.emplace(index, (destination + devices - source) % devices);
            distinct.insert((destination + devices - source) % devices);
        }
        NS_TEST_EXPECT_MSG_EQ(shifts.size(), switches, "Each switch holds one shift");
        NS_TEST_EXPECT_MSG_EQ((distinct.size() == switches || !differ), true, "Same shifts");
    }

    /**
     * Check one cycle.
     *
     * @param devices the number of devices
     * @param switches the number of switches
     * @param stagger whether the switches turn one after the other
     */
    void Check(uint32_t devices, uint32_t switches, bool stagger)
    {
        const int64_t delay = 100;
        const ScheduleReplay replay(devices, switches);
        const auto rotor = replay.Make<RotorScheduler>(delay);
        rotor->SetAttribute("SlotTime", TimeValue(NanoSeconds(SLOT_TIME)));
        rotor->SetAttribute("Stagger", BooleanValue(stagger));
        const TrafficMatrix demand = MakeAllToAll(devices);
        const CircuitSchedule schedule = rotor->Schedule(demand);
        const uint32_t shifts = devices - 1;
        NS_TEST_EXPECT_MSG_EQ(schedule.cyclic, true, "For ever");
        NS_TEST_EXPECT_MSG_EQ(schedule.unserved.GetTotal(), 0, "All pairs are joined");
        NS_TEST_EXPECT_MSG_EQ(schedule.slots.size(), shifts * (stagger ? switches : 1), "Slots");
        NS_TEST_EXPECT_MSG_EQ(schedule.makespan,
                              NanoSeconds(shifts * (SLOT_TIME + delay)),
                              "One cycle");
        std::map<Circuit, int64_t> light;
        std::set<Circuit> before = GetCircuits(schedule.slots.back().plan);
        for (const ScheduleSlot& slot : schedule.slots)
        {
            NS_TEST_EXPECT_MSG_EQ(replay.Check(slot.plan), "", "Plan");
            NS_TEST_EXPECT_MSG_EQ(slot.duration.IsStrictlyPositive(), true, "Duration");
            const std::set<Circuit> circuits = GetCircuits(slot.plan);
            CheckShifts(circuits,
                        devices,
                        switches,
                        switches < shifts || (switches == shifts && !stagger));
            std::set<uint32_t> turned;
            for (const Circuit& circuit : Subtract(circuits, before))
            {
                turned.insert(std::get<2>(circuit));
            }
            const uint32_t turns = devices == 2 ? 0 : (stagger ? 1 : switches);
            NS_TEST_EXPECT_MSG_EQ(turned.size(), turns, "Switches that turn at once");
            for (const Circuit& circuit : circuits)
            {
                const bool isDark = !stagger || turned.count(std::get<2>(circuit)) > 0;
                light[circuit] += slot.duration.GetNanoSeconds() + (isDark ? 0 : delay);
            }
            before = circuits;
        }
        NS_TEST_EXPECT_MSG_EQ(light.size(), devices * shifts * switches, "All circuits");
        for (const auto& entry : light)
        {
            const int64_t expected = SLOT_TIME + (stagger && devices == 2 ? delay : 0);
            NS_TEST_EXPECT_MSG_EQ(entry.second, expected, "Light of each circuit in a cycle");
        }
    }
};

} // namespace

/// Registers the test cases
static const SuiteCases g_rotorScheduleCases(
    "lightpath-control-schedules",
    {{MakeCase("Rotors join each pair for the same time through each switch",
               &RotorScheduleTests::TestRotorCycle),
      MakeCase("Rotors leave out what has failed, and refuse turns that are too long",
               &RotorScheduleTests::TestRotor)}});
