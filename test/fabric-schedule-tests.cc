/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "expect-error.h"
#include "method-case.h"
#include "model/control/schedule/birkhoff-scheduler.h"
#include "model/control/schedule/rotor-scheduler.h"
#include "schedule-tests.h"

#include "ns3/boolean.h"
#include "ns3/custom-fabric-helper.h"
#include "ns3/string.h"

#include <algorithm>
#include <map>
#include <memory>
#include <set>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/// Colours of the router, which are lanes of a laser.
constexpr uint32_t COLOURS = 5;

/**
 * @ingroup lightpath-tests
 * @param source a port
 * @param destination another port
 * @return the colour that the router leads from one to the other
 */
uint32_t
GetColour(uint32_t source, uint32_t destination)
{
    return (destination + COLOURS - source) % COLOURS;
}

/**
 * @ingroup lightpath-tests
 * @brief A passive router of colours with tunable lasers in front of it: laser l of port i reaches
 * port j in colour j - i of fibre l. Colours from the last on may be missing.
 */
class LaserChannel : public OpticalChannel
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::lightpath::tests::LaserChannel")
                                .SetParent<OpticalChannel>()
                                .HideFromDocumentation()
                                .AddConstructor<LaserChannel>();
        return tid;
    }

    Time GetPathDelay(uint32_t source, uint32_t destination, Lane lane) const override
    {
        return NanoSeconds(200);
    }

  private:
    std::string DoCheck(const CircuitPlan& plan) const override
    {
        std::set<PortPair> lasers;
        for (const auto& [pair, lanes] : plan.GetLightpaths())
        {
            for (const Lane& lane : lanes)
            {
                if (lane.wavelength != GetColour(pair.first, pair.second))
                {
                    return "The router leads this colour elsewhere";
                }
                if (!lasers.emplace(pair.first, lane.fibre).second)
                {
                    return "A laser has one colour at a time";
                }
            }
        }
        return "";
    }
};

NS_OBJECT_ENSURE_REGISTERED(LaserChannel);

/**
 * @ingroup lightpath-tests
 * @brief Tells schedulers of the lasers: each laser of all ports is a plane.
 */
class LaserPlanes : public CircuitPlanes
{
  public:
    /**
     * @param lasers the lasers of each port
     * @param lost a colour that the router does not lead anywhere; 0 for none
     */
    explicit LaserPlanes(uint32_t lasers, uint32_t lost = 0)
        : m_lasers(lasers),
          m_lost(lost)
    {
    }

    uint32_t GetNPorts() const override
    {
        return COLOURS;
    }

    uint32_t GetNPlanes() const override
    {
        return m_lasers;
    }

    std::optional<Lane> FindLane(uint32_t source,
                                 uint32_t destination,
                                 uint32_t plane) const override
    {
        if (source == destination)
        {
            return std::nullopt;
        }
        return Lane{plane, GetColour(source, destination)};
    }

    std::string FindConflict(const CircuitPlan& plan) const override
    {
        for (const auto& [pair, lanes] : plan.GetLightpaths())
        {
            if (lanes.front().wavelength == m_lost)
            {
                return "Colour " + std::to_string(m_lost) + " is lost";
            }
        }
        return "";
    }

  private:
    uint32_t m_lasers; //!< Lasers of each port
    uint32_t m_lost;   //!< A colour that the router does not lead anywhere
};

/**
 * @ingroup lightpath-tests
 * @brief Sends frames between all ports by schedulers that do not know the fabric.
 *
 * A circuit carries one byte in one nanosecond. Light goes on from one cycle of the rotor to the
 * next, and a frame that is cut is resumed.
 */
class LaserScheduleTestCase : public TestCase
{
  public:
    /**
     * @param lasers the lasers of each port
     * @param stagger whether they turn one after the other
     */
    LaserScheduleTestCase(uint32_t lasers, bool stagger)
        : TestCase("A rotor turns on " + std::to_string(lasers) + " lasers a port" +
                   (stagger ? ", one after the other" : "")),
          m_lasers(lasers),
          m_stagger(stagger)
    {
    }

  private:
    static constexpr int64_t SLOT = 1000; //!< Nanoseconds that a configuration carries light
    static constexpr int64_t DARK = 40;   //!< Nanoseconds of darkness before it
    static constexpr int64_t PATH = 200;  //!< Nanoseconds that light travels
    static constexpr uint32_t SHIFTS = COLOURS - 1; //!< Configurations of a laser in a cycle

    /**
     * Find when a pair has had light for some time, by stepping from turn to turn of each laser.
     *
     * @param shift the distance from the source to the destination
     * @param bytes the bytes of the frame
     * @return when its last bit is sent, in nanoseconds
     */
    int64_t GetEnd(uint32_t shift, int64_t bytes) const
    {
        // Each laser turns every SLOT + DARK. If they are staggered, laser l of L is (L - 1 - l) /
        // L of it behind the first that turns.
        std::vector<std::pair<int64_t, int64_t>> lit;
        constexpr int64_t period = SLOT + DARK;
        for (int64_t laser = 0; laser < m_lasers; ++laser)
        {
            const int64_t late = m_stagger ? (m_lasers - 1 - laser) * period / m_lasers : 0;
            const int64_t ahead = laser * SHIFTS / m_lasers;
            for (int64_t turn = -1; turn < 40; ++turn)
            {
                // Before its first turn a staggered laser has been where the last cycle left it
                const int64_t now = 1 + (turn + ahead + SHIFTS) % SHIFTS;
                const int64_t begin = std::max(turn * period + late + DARK, DARK);
                const int64_t end = (turn + 1) * period + late;
                if (now == shift && begin < end)
                {
                    lit.emplace_back(begin, end);
                }
            }
        }
        for (int64_t now = 0, sent = 0;; ++now)
        {
            sent += std::count_if(lit.begin(), lit.end(), [now](const auto& light) {
                return light.first <= now && now < light.second;
            });
            if (sent >= bytes)
            {
                return now + 1;
            }
        }
    }

    void DoRun() override
    {
        CustomFabricHelper fabric("ns3::lightpath::tests::LaserChannel",
                                  DataRate(8e9 * m_lasers),
                                  [](const TrafficMatrix&) { return CircuitPlan(); });
        fabric.SetWavelengthRate(DataRate("8Gbps"));
        fabric.SetChannelAttribute("SwitchingDelay", TimeValue(NanoSeconds(DARK)));
        fabric.SetChannelAttribute("PauseMode", StringValue(m_stagger ? "Partial" : "Global"));
        fabric.SetScheduler("ns3::lightpath::RotorScheduler");
        fabric.SetSchedulerAttribute("SlotTime", TimeValue(NanoSeconds(SLOT)));
        fabric.SetSchedulerAttribute("Stagger", BooleanValue(m_stagger));
        const auto devices = fabric.Install(NodeContainer(COLOURS));
        const std::string unknown = fabric.CheckController(COLOURS);
        NS_TEST_EXPECT_MSG_EQ(Contains(unknown, "call CustomFabricHelper::SetPlanes()"),
                              true,
                              unknown);
        fabric.SetPlanes(std::make_shared<LaserPlanes>(m_lasers));
        TrafficMatrix demand(COLOURS);
        std::map<PortPair, int64_t> expected;
        std::map<PortPair, int64_t> received;
        for (uint32_t source = 0; source < COLOURS; ++source)
        {
            for (uint32_t shift = 1; shift < COLOURS; ++shift)
            {
                // From a part of a configuration to two and a half of them
                const uint32_t bytes = 300 + 550 * (source + shift) % 2200;
                const uint32_t destination = (source + shift) % COLOURS;
                demand.Add(source, destination, bytes);
                expected[{source, destination}] = GetEnd(shift, bytes) + PATH;
                const auto packet = Create<Packet>(bytes - 14);
                devices.Get(source)->Send(packet, devices.Get(destination)->GetAddress(), 0x88b5);
            }
            devices.Get(source)->SetReceiveCallback(NetDevice::ReceiveCallback(
                [&received,
                 &devices,
                 source](Ptr<NetDevice>, Ptr<const Packet>, uint16_t, const Address& from) {
                    uint32_t sender = 0;
                    while (devices.Get(sender)->GetAddress() != from)
                    {
                        ++sender;
                    }
                    received[{sender, source}] = Simulator::Now().GetNanoSeconds();
                    return true;
                }));
        }
        fabric.CreateController(devices)->Start(demand);
        Simulator::Stop(MicroSeconds(100));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(received.size(), expected.size(), "All frames arrive");
        for (const auto& [pair, end] : expected)
        {
            NS_TEST_EXPECT_MSG_EQ(received[pair],
                                  end,
                                  "Frame from port " << pair.first << " to port " << pair.second);
        }
        Simulator::Destroy();
    }

    uint32_t m_lasers; //!< Lasers of each port
    bool m_stagger;    //!< Whether they turn one after the other
};

/**
 * @ingroup lightpath-tests
 * @brief Schedules by demand on lasers, and a fabric that cannot carry a configuration.
 */
class LaserPlanTestCase : public TestCase
{
  public:
    LaserPlanTestCase()
        : TestCase("Schedulers use the lanes that a fabric names, and ask whether they fit")
    {
    }

  private:
    void DoRun() override
    {
        const auto birkhoff = CreateObject<BirkhoffScheduler>();
        birkhoff->SetTiming(DataRate("8Gbps"), NanoSeconds(10));
        birkhoff->SetPlanes(std::make_shared<LaserPlanes>(2));
        TrafficMatrix demand(COLOURS);
        demand.Add(0, 1, 100);
        demand.Add(3, 1, 60);
        const CircuitSchedule schedule = birkhoff->Schedule(demand);
        NS_TEST_EXPECT_MSG_EQ(GetLight(schedule),
                              80,
                              "Port 1 receives 160 bytes by two lasers, one sender at a time");
        NS_TEST_EXPECT_MSG_EQ(schedule.unserved.GetTotal(), 0, "All bytes");
        for (const ScheduleSlot& slot : schedule.slots)
        {
            for (const auto& [pair, lanes] : slot.plan.GetLightpaths())
            {
                const uint32_t colour = GetColour(pair.first, pair.second);
                const std::vector<Lane> both{{0, colour}, {1, colour}};
                NS_TEST_EXPECT_MSG_EQ((lanes == both), true, "Both lasers, in the colour of 1");
            }
        }
        const auto rotor = CreateObject<RotorScheduler>();
        rotor->SetPlanes(std::make_shared<LaserPlanes>(1, 3));
        const std::string conflict = GetError([&]() { rotor->Schedule(demand); });
        NS_TEST_EXPECT_MSG_EQ(Contains(conflict, "RotorScheduler: Colour 3 is lost"),
                              true,
                              conflict);
    }
};

} // namespace

/// Registers the test cases
static const SuiteCases g_fabricScheduleCases("lightpath-control-schedules",
                                              {{new LaserScheduleTestCase(1, false),
                                                new LaserScheduleTestCase(2, false),
                                                new LaserScheduleTestCase(2, true),
                                                new LaserScheduleTestCase(3, true),
                                                new LaserPlanTestCase}});
