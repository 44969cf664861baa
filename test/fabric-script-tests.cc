/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-fault-tests.h"
#include "fabric-fixture.h"
#include "lane-occupancy.h"
#include "method-case.h"
#include "numbered-frames.h"

#include "ns3/boolean.h"
#include "ns3/circuit-switch-channel.h"
#include "ns3/mrr-ring-channel.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <string>

using namespace ns3;
using namespace ns3::lightpath;
using namespace scripts;

namespace
{

constexpr uint32_t SCRIPTS = 8;       //!< Scripts of one test case
constexpr uint32_t EVENTS = 60;       //!< Events of one script
constexpr int64_t LAST_EVENT = 60000; //!< Time of the last random event in ns

} // namespace

/**
 * @ingroup lightpath-tests
 * @brief Random sequences of plans, failures, repairs and frames, with repairs at the end.
 */
class FabricScriptTests : public TestCase
{
  public:
    using TestCase::TestCase;

    /**
     * @param kind the kind of fabric
     * @param pause its PauseMode
     * @param cut its FrameCut
     * @param delay its switching delay in ns
     */
    void TestScripts(Kind kind, const std::string& pause, const std::string& cut, int64_t delay)
    {
        m_kind = kind;
        m_pause = pause;
        m_cut = cut;
        m_delay = delay;
        for (uint32_t script = 0; script < SCRIPTS; ++script)
        {
            m_random.seed(script + 1);
            RunScript();
        }
        NS_TEST_EXPECT_MSG_GT(m_nBroken, 0, "failures broke lanes");
        NS_TEST_EXPECT_MSG_GT(m_nRefused, 0, "plans were refused");
        NS_TEST_EXPECT_MSG_GT(m_nCut, 0, "failures cut frames");
    }

  private:
    /// Run one script and check the frames that have arrived.
    void RunScript()
    {
        m_failed.clear();
        m_sent.clear();
        m_received.clear();
        m_nBegun = 0;
        m_nEnded = 0;
        m_sources = std::vector<NumberedFrames>(NODES);
        m_fabric = MakeFabric();
        FabricFixture fixture(m_fabric, NODES);
        for (uint32_t port = 0; port < NODES; ++port)
        {
            Connect(fixture.devices[port], port);
        }
        for (uint32_t event = 0; event < EVENTS; ++event)
        {
            // Some events coincide
            const int64_t time = Pick(LAST_EVENT / 500) * 500;
            Simulator::Schedule(NanoSeconds(time), [this, &fixture]() { RunEvent(fixture); });
        }
        Simulator::Schedule(NanoSeconds(LAST_EVENT), &FabricScriptTests::MendAll, this);
        Simulator::Run();
        uint64_t frames = 0;
        for (const auto& way : m_sent)
        {
            frames += way.second.size();
            NS_TEST_EXPECT_MSG_EQ((m_received[way.first] == way.second),
                                  true,
                                  "all frames from " << way.first.first.first << " to "
                                                     << way.first.first.second
                                                     << " arrive once, whole and in order");
        }
        NS_TEST_EXPECT_MSG_EQ(m_received.size(), m_sent.size(), "nothing else arrives");
        NS_TEST_EXPECT_MSG_EQ(m_nBegun, frames, "each frame begins once");
        NS_TEST_EXPECT_MSG_EQ(m_nEnded, frames, "each frame ends once");
        Simulator::Destroy();
        m_fabric = nullptr;
    }

    /**
     * @return the fabric, without devices
     */
    Ptr<OpticalChannel> MakeFabric() const
    {
        Ptr<OpticalChannel> fabric;
        if (m_kind == RING || m_kind == CONVERTER)
        {
            fabric = CreateObject<MrrRingChannel>();
            fabric->SetAttribute("NFibres", UintegerValue(FIBRES));
            fabric->SetAttribute("NWavelengths", UintegerValue(WAVELENGTHS));
            fabric->SetAttribute("WavelengthMode",
                                 StringValue(m_kind == RING ? "Continuity" : "LoadOnly"));
        }
        else
        {
            fabric = CreateObject<CircuitSwitchChannel>();
            fabric->SetAttribute("NSwitches", UintegerValue(SWITCHES));
            fabric->SetAttribute("Duplex", BooleanValue(m_kind == DUPLEX));
        }
        fabric->SetAttribute("LaneRate", StringValue("8Gbps"));
        fabric->SetAttribute("PauseMode", StringValue(m_pause));
        fabric->SetAttribute("FrameCut", StringValue(m_cut));
        fabric->SetAttribute("SwitchingDelay", TimeValue(NanoSeconds(m_delay)));
        return fabric;
    }

    /**
     * Give a device a source of frames, and record the frames that it sends and receives.
     *
     * @param device the device
     * @param port its port
     */
    void Connect(Ptr<OpticalNetDevice> device, uint32_t port)
    {
        device->SetFrameSource(nullptr);
        device->SetFrameSource(&m_sources[port]);
        device->SetReceiveCallback(NetDevice::ReceiveCallback([this, port](Ptr<NetDevice>,
                                                                           Ptr<const Packet> packet,
                                                                           uint16_t protocol,
                                                                           const Address& from) {
            const uint32_t source = m_fabric->FindPort(Mac48Address::ConvertFrom(from));
            m_received[{{source, port}, protocol}].push_back(ReadPacket(packet));
            return true;
        }));
        const auto count = [device](const std::string& trace, uint64_t& counter) {
            device->TraceConnectWithoutContext(
                trace,
                Callback<void, Ptr<const Packet>>([&counter](Ptr<const Packet>) { ++counter; }));
        };
        count("PhyTxBegin", m_nBegun);
        count("PhyTxEnd", m_nEnded);
    }

    /**
     * @param size a number
     * @return a number less than it
     */
    uint32_t Pick(uint32_t size)
    {
        return m_random() % size;
    }

    /**
     * @return two different ports
     */
    PortPair PickPair()
    {
        const uint32_t source = Pick(NODES);
        return {source, (source + 1 + Pick(NODES - 1)) % NODES};
    }

    /**
     * @return a lane
     */
    Lane PickLane()
    {
        const bool isRing = m_kind == RING || m_kind == CONVERTER;
        return isRing ? Lane{Pick(2 * FIBRES), Pick(WAVELENGTHS)} : Lane{Pick(SWITCHES), 0};
    }

    /**
     * Apply a random event, and check the lanes that the fabric carries.
     *
     * @param fixture the devices
     */
    void RunEvent(FabricFixture& fixture)
    {
        const uint32_t what = Pick(10);
        if (what < 6)
        {
            Send(fixture);
        }
        else if (what < 8)
        {
            ConfigureRandom();
        }
        else if (what == 8 || m_failed.empty())
        {
            Break();
        }
        else
        {
            const std::string component = *std::next(m_failed.begin(), Pick(m_failed.size()));
            m_fabric->SetFailed(component, false);
            m_failed.erase(component);
        }
        for (const auto* plan : {&m_fabric->GetPlan(), &m_fabric->GetLive()})
        {
            NS_TEST_EXPECT_MSG_EQ(Occupancy(m_kind, m_failed).AddAll(*plan),
                                  true,
                                  "no place has more than its lanes, and all components work");
        }
    }

    /**
     * Send some frames, through the queue or from the source.
     *
     * @param fixture the devices
     */
    void Send(FabricFixture& fixture)
    {
        const PortPair pair = PickPair();
        const auto& device = fixture.devices[pair.first];
        const uint16_t protocol = Pick(2) > 0 ? QUEUED : SOURCED;
        for (uint32_t left = 1 + Pick(3); left > 0; --left)
        {
            auto& sent = m_sent[{pair, protocol}];
            const Frame frame{sent.size(), 4 + Pick(3000)};
            sent.push_back(frame);
            if (protocol == QUEUED)
            {
                const bool accepted = device->Send(MakePacket(frame),
                                                   fixture.devices[pair.second]->GetAddress(),
                                                   QUEUED);
                NS_TEST_EXPECT_MSG_EQ(accepted, true, "the queue has room");
            }
            else
            {
                m_sources[pair.first].waiting[pair.second].push_back(frame);
                device->NotifyFrames(pair.second);
            }
        }
    }

    /// Configure a random plan that the fabric can carry.
    void ConfigureRandom()
    {
        Occupancy occupancy(m_kind, m_failed);
        CircuitPlan plan;
        CircuitPlan refused;
        const auto add = [this](CircuitPlan& to, PortPair pair, Lane lane) {
            to.AddLane(pair.first, pair.second, lane);
            if (m_kind == DUPLEX)
            {
                to.AddLane(pair.second, pair.first, lane);
            }
        };
        for (uint32_t left = Pick(20); left > 0; --left)
        {
            const PortPair pair = PickPair();
            const Lane lane = PickLane();
            const Occupancy before = occupancy;
            const bool fits = occupancy.Add(pair, lane) &&
                              (m_kind != DUPLEX || occupancy.Add({pair.second, pair.first}, lane));
            if (fits)
            {
                add(plan, pair, lane);
                refused = plan;
                continue;
            }
            occupancy = before;
            refused = plan;
            add(refused, pair, lane);
        }
        NS_TEST_EXPECT_MSG_EQ(m_fabric->Check(plan), "", "a plan of lanes that fit");
        if (!(refused == plan) && !(refused == CircuitPlan()))
        {
            NS_TEST_EXPECT_MSG_NE(m_fabric->Check(refused), "", "a lane that does not fit");
            ++m_nRefused;
        }
        m_fabric->Configure(plan);
    }

    /**
     * @return the name of a component, with both parts of its name if it has two
     */
    std::vector<std::string> PickComponent()
    {
        const Lane lane = PickLane();
        const uint32_t node = Pick(NODES);
        const uint32_t kind = Pick(4);
        if (m_kind == SIMPLEX || m_kind == DUPLEX)
        {
            const auto both = std::vector<std::string>{Name("input", lane.fibre, node),
                                                       Name("output", lane.fibre, node)};
            const std::vector<std::vector<std::string>> all = {
                {"switch:" + std::to_string(lane.fibre)},
                {both[0]},
                {both[1]},
                {Name("port", lane.fibre, node), both[0], both[1]}};
            return all[kind];
        }
        const std::string segment = "segment:" + std::to_string(node);
        const std::string wavelength = std::to_string(lane.wavelength);
        const std::vector<std::vector<std::string>> all = {
            {"fibre:" + std::to_string(lane.fibre)},
            {"laser:" + std::to_string(node) + ":" + wavelength},
            {Name("micro-ring", node, lane.fibre) + ":" + wavelength},
            Pick(2) > 0 ? std::vector<std::string>{segment + (Pick(2) > 0 ? ":cw" : ":ccw")}
                        : std::vector<std::string>{segment, segment + ":cw", segment + ":ccw"}};
        return all[kind];
    }

    /// Let a component fail, and check that exactly the lanes that need it are gone.
    void Break()
    {
        const std::vector<std::string> names = PickComponent();
        const CircuitPlan before = m_fabric->GetPlan();
        const auto dark = [this](uint32_t source, uint32_t destination) {
            return m_fabric->GetLive().GetLanes(source, destination).empty();
        };
        std::set<PortPair> sending;
        for (const auto& lightpath : m_fabric->GetLive().GetLightpaths())
        {
            if (m_fabric->GetPort(lightpath.first.first)->IsSending(lightpath.first.second))
            {
                sending.insert(lightpath.first);
            }
        }
        m_fabric->SetFailed(names.front(), true);
        m_failed.insert(names.size() > 1 ? names.begin() + 1 : names.begin(), names.end());
        m_nCut += std::count_if(sending.begin(), sending.end(), [&dark](const PortPair& pair) {
            return dark(pair.first, pair.second);
        });
        const Occupancy occupancy(m_kind, m_failed);
        CircuitPlan left;
        for (const auto& lightpath : before.GetLightpaths())
        {
            for (const auto& lane : lightpath.second)
            {
                if (occupancy.Works(lightpath.first, lane))
                {
                    left.AddLane(lightpath.first.first, lightpath.first.second, lane);
                }
            }
        }
        m_nBroken += before.GetNLanes() - left.GetNLanes();
        const bool isFibre = m_kind == CONVERTER && names.front().find("fibre") == 0;
        NS_TEST_EXPECT_MSG_EQ((isFibre || m_fabric->GetPlan() == left), true, names.front());
        NS_TEST_EXPECT_MSG_EQ((m_fabric->GetPlan().GetNLanes() <= left.GetNLanes()), true, "left");
    }

    /// Repair all components and configure a plan that joins all ports.
    void MendAll()
    {
        for (const auto& component : m_failed)
        {
            m_fabric->SetFailed(component, false);
        }
        CircuitPlan plan;
        uint32_t lanes = 0;
        for (uint32_t source = 0; source < NODES; ++source)
        {
            for (uint32_t destination = 0; destination < NODES; ++destination)
            {
                if (source == destination)
                {
                    continue;
                }
                const bool isRing = m_kind == RING || m_kind == CONVERTER;
                // Each pair has a lane of the ring to itself; the switches have perfect matchings
                const Lane lane = isRing ? Lane{lanes % (2 * FIBRES), lanes / (2 * FIBRES)}
                                         : Lane{(source ^ destination) - 1, 0};
                plan.AddLane(source, destination, lane);
                ++lanes;
            }
        }
        m_fabric->Configure(plan);
    }

    Kind m_kind{RING};                            //!< The fabric
    std::string m_pause;                          //!< Value of PauseMode
    std::string m_cut;                            //!< Value of FrameCut
    int64_t m_delay{0};                           //!< The switching delay in ns
    std::mt19937 m_random;                        //!< What is done
    Ptr<OpticalChannel> m_fabric;                 //!< The fabric
    std::vector<NumberedFrames> m_sources;        //!< Sources of frames by port
    std::set<std::string> m_failed;               //!< Components that have failed
    std::map<Way, std::vector<Frame>> m_sent;     //!< Frames as they were handed over
    std::map<Way, std::vector<Frame>> m_received; //!< Frames as they arrived
    uint64_t m_nBegun{0};                         //!< Frames that began
    uint64_t m_nEnded{0};                         //!< Frames that ended
    uint64_t m_nBroken{0};                        //!< Lanes that failures broke
    uint64_t m_nCut{0};                           //!< Lightpaths in use that failures broke
    uint64_t m_nRefused{0};                       //!< Plans that were refused
};

/**
 * @ingroup lightpath-tests
 * @return the test cases of random sequences of plans, failures and frames; the caller owns them
 */
static std::vector<TestCase*>
MakeFabricScriptTests()
{
    std::vector<TestCase*> tests;
    for (const auto kind : {RING, CONVERTER, SIMPLEX, DUPLEX})
    {
        for (const char* pause : {"Global", "Partial"})
        {
            for (const char* cut : {"Resume", "Finish"})
            {
                for (const int64_t delay : {0, 3000})
                {
                    tests.push_back(MakeCase("Random plans, failures and frames",
                                             &FabricScriptTests::TestScripts,
                                             kind,
                                             std::string(pause),
                                             std::string(cut),
                                             delay));
                }
            }
        }
    }
    return tests;
}

/// Registers the test cases
static const SuiteCases g_fabricScriptCases("lightpath-fabric-faults", {MakeFabricScriptTests()});
