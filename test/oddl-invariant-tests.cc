/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "oddl-fixture.h"
#include "oddl-tests.h"

#include "ns3/double.h"
#include "ns3/error-model.h"
#include "ns3/random-variable-stream.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <set>

using namespace ns3;
using namespace ns3::lightpath;

/**
 * @ingroup lightpath-tests
 * @brief Random flows, while control messages are lost and components fail: no light meets other
 * light, each frame arrives once or is reported with the reason why it does not, and no
 * transmitters wait for each other.
 *
 * Every node sends frames of random sizes to random ports at random times until a given number of
 * flows has been sent; frames that wait then are sent too. The network loses messages of any kind.
 * A third of the way, lasers, receivers and the switch of a row fail, among them all lasers of port
 * 3; after two thirds all but those of port 3 work again.
 */
class OddlInvariantTestCase : public TestCase
{
  public:
    /**
     * @param flows the number of flows
     * @param loss the probability that a message is lost
     * @param transceivers the transceivers of a port at each of its switches
     * @param policy the policy of grants
     */
    OddlInvariantTestCase(uint32_t flows,
                          double loss,
                          uint32_t transceivers,
                          const std::string& policy)
        : TestCase(std::to_string(flows) + " random flows, loss of " + std::to_string(loss) + ", " +
                   std::to_string(transceivers) + " transceivers, " + policy),
          m_flows(flows),
          m_loss(loss),
          m_transceivers(transceivers),
          m_policy(policy)
    {
    }

  private:
    static constexpr uint32_t PORTS = 16;   //!< Nodes
    static constexpr uint32_t ISOLATED = 3; //!< The port without lasers
    static constexpr uint32_t HEADER = 14;  //!< Bytes of an Ethernet header

    void DoRun() override
    {
        const auto helper = MakeOddl(4, 4);
        helper->SetBandwidth(DataRate("192Gbps"));
        helper->SetTransceivers(m_transceivers);
        helper->SetUnitAttribute("GrantPolicy", StringValue(m_policy));
        helper->SetUnitAttribute("RelayPolicy", StringValue("LeastLoaded"));
        helper->SetUnitAttribute("LookAhead", StringValue(m_transceivers > 1 ? "1us" : "0s"));
        helper->SetUnitAttribute("MaxRequests", UintegerValue(m_transceivers));
        UsePackets(*helper);
        m_fixture = std::make_unique<OddlFixture>(*helper, PORTS);
        m_random = CreateObject<UniformRandomVariable>();
        m_random->SetStream(7);
        m_sizes.clear();
        m_nDone = m_nRefused = 0;
        LoseMessages();
        for (uint32_t port = 0; port < PORTS; ++port)
        {
            m_fixture->units[port]->TraceConnectWithoutContext(
                "FlowDone",
                Callback<void, const OddlFlow&>([this](const OddlFlow&) { NoteFlow(); }));
            m_fixture->units[port]->TraceConnectWithoutContext(
                "Refused",
                Callback<void, uint32_t, const std::string&>(
                    [this](uint32_t, const std::string&) { ++m_nRefused; }));
            Simulator::Schedule(MicroSeconds(1), &OddlInvariantTestCase::Send, this, port);
        }
        Simulator::Schedule(MicroSeconds(20), &OddlInvariantTestCase::CheckWaiting, this);
        Simulator::Run();
        CheckFrames();
        m_fixture.reset();
        m_random = nullptr;
        Simulator::Destroy();
    }

    /// Let the control network lose messages.
    void LoseMessages()
    {
        for (uint32_t port = 0; port < PORTS && m_loss > 0; ++port)
        {
            const auto losses = CreateObject<RateErrorModel>();
            losses->SetUnit(RateErrorModel::ERROR_UNIT_PACKET);
            losses->SetRate(m_loss);
            losses->AssignStreams(100 + port);
            m_fixture->GetControlDevice(port)->SetReceiveErrorModel(losses);
        }
    }

    /**
     * Send a frame, and another one later.
     *
     * @param port the port that sends
     */
    void Send(uint32_t port)
    {
        if (m_nDone >= m_flows)
        {
            return;
        }
        const uint32_t destination = (port + m_random->GetInteger(1, PORTS - 1)) % PORTS;
        const auto number = static_cast<uint32_t>(m_sizes.size());
        m_sizes.push_back(m_random->GetInteger(100, 40000));
        m_fixture->frames[port]->Send(destination, number, m_sizes.back());
        const Time pause = NanoSeconds(m_random->GetInteger(1, 12000));
        Simulator::Schedule(pause, &OddlInvariantTestCase::Send, this, port);
    }

    /// Note that a flow has been sent; some flows let components fail or work again.
    void NoteFlow()
    {
        ++m_nDone;
        const bool fails = m_nDone == m_flows / 3;
        if (!fails && m_nDone != m_flows * 2 / 3)
        {
            return;
        }
        for (const std::string name :
             {"row:1", "laser:9:column", "laser:14:row", "receiver:2:row", "receiver:12:column"})
        {
            Simulator::ScheduleNow(&WssGridChannel::SetFailed, m_fixture->grid, name, fails);
        }
        for (const std::string name : {"laser:3:row", "laser:3:column"})
        {
            Simulator::ScheduleNow(&WssGridChannel::SetFailed, m_fixture->grid, name, true);
        }
    }

    /// Check now and then that no transmitters wait for each other.
    void CheckWaiting()
    {
        // Each transmitter that waits, and the one that has what it waits for and waits as well
        std::map<uint32_t, uint32_t> waits;
        for (uint32_t port = 0; port < PORTS; ++port)
        {
            for (const auto direction : {WssGridChannel::ROW, WssGridChannel::COLUMN})
            {
                for (uint32_t index = 0; index < m_transceivers; ++index)
                {
                    const auto& receiver = m_fixture->units[port]->GetReceiver(direction, index);
                    if (receiver.GetState() == OddlReceiver::RESERVED)
                    {
                        AddWaiting(port, receiver, direction, index, waits);
                    }
                }
            }
        }
        for (const auto& [waiting, holder] : waits)
        {
            uint32_t last = holder;
            for (std::size_t steps = 0; steps < waits.size() && waits.count(last) > 0; ++steps)
            {
                last = waits[last];
            }
            NS_TEST_EXPECT_MSG_EQ(waits.count(last), 0, "transmitters wait for each other");
        }
        if (m_nDone < m_flows)
        {
            Simulator::Schedule(MicroSeconds(20), &OddlInvariantTestCase::CheckWaiting, this);
        }
    }

    /**
     * Note the transmitters that wait for a receiver that another transmitter has reserved.
     *
     * @param port the port of the receiver
     * @param receiver its state
     * @param direction the switch that it is at
     * @param index the index of the receiver there
     * @param [out] waits the transmitters that wait for others
     */
    void AddWaiting(uint32_t port,
                    const OddlReceiver& receiver,
                    WssGridChannel::Direction direction,
                    uint32_t index,
                    std::map<uint32_t, uint32_t>& waits)
    {
        const uint32_t holder = receiver.GetHolder();
        const auto& has = m_fixture->units[holder]->GetTransmitter(direction, index);
        // It keeps the receiver unused until it gets another one
        const bool waitsItself =
            has.GetState() == OddlTransmitter::REQUEST_SENT && has.HasGrant(receiver.GetFlow());
        for (uint32_t other = 0; other < PORTS && waitsItself; ++other)
        {
            const auto& transmitter = m_fixture->units[other]->GetTransmitter(direction, index);
            if (other != holder && transmitter.IsWaitingFor(port))
            {
                waits[GetKey(other, direction, index)] = GetKey(holder, direction, index);
            }
        }
    }

    /**
     * @param port a port
     * @param direction one of its switches
     * @param index one of its transmitters there
     * @return a number for the transmitter
     */
    uint32_t GetKey(uint32_t port, WssGridChannel::Direction direction, uint32_t index) const
    {
        return (port * 2 + direction) * m_transceivers + index;
    }

    /// Check the fate of all frames.
    void CheckFrames()
    {
        std::vector<uint32_t> times(m_sizes.size(), 0);
        for (const auto& frames : m_fixture->frames)
        {
            NS_TEST_EXPECT_MSG_EQ(frames->lost, 0, "frames that were lost");
            for (const auto& frame : frames->received)
            {
                ++times.at(frame.first);
            }
        }
        uint64_t missing = 0;
        for (uint32_t number = 0; number < m_sizes.size(); ++number)
        {
            NS_TEST_EXPECT_MSG_LT_OR_EQ(times[number], 1, "times that a frame has arrived");
            missing += times[number] == 0 ? m_sizes[number] + HEADER : 0;
        }
        uint64_t reported = 0;
        for (uint32_t port = 0; port < PORTS; ++port)
        {
            reported += CountReported(port);
        }
        NS_TEST_EXPECT_MSG_EQ(missing, reported, "bytes that have not arrived are reported");
        NS_TEST_EXPECT_MSG_GT(reported, 0, "port 3 cannot send");
        NS_TEST_EXPECT_MSG_GT(m_nRefused, 0, "as traced");
        NS_TEST_EXPECT_MSG_GT_OR_EQ(m_nDone, m_flows, "flows");
        NS_TEST_EXPECT_MSG_EQ(m_fixture->grid->GetNCollisions(), 0, "light that met other light");
        NS_TEST_EXPECT_MSG_EQ(m_fixture->grid->GetNLost(), 0, "light that led nowhere");
        NS_TEST_EXPECT_MSG_EQ(m_fixture->grid->IsChanging(), false, "nothing else waits");
    }

    /**
     * @param port a port
     * @return the bytes of the frames that wait at it for a reported reason
     */
    uint64_t CountReported(uint32_t port)
    {
        uint64_t bytes = 0;
        const auto device = m_fixture->grid->GetPort(port);
        std::vector<std::pair<uint32_t, uint64_t>> backlog;
        device->GetBacklog(backlog);
        for (const auto& entry : backlog)
        {
            const std::string reason = m_fixture->units[port]->GetRefusal(entry.first);
            NS_TEST_EXPECT_MSG_EQ(reason.empty(), false, "a reason at port " << port);
            NS_TEST_EXPECT_MSG_EQ(port, ISOLATED, "the port without lasers");
            // With what was sent of a frame that failures have cut
            device->RestartFrame(entry.first);
            bytes += device->GetBacklog(entry.first) +
                     HEADER * m_fixture->frames[port]->waiting[entry.first].size();
        }
        return bytes;
    }

    uint32_t m_flows;                       //!< Flows to be sent
    double m_loss;                          //!< Probability that a message is lost
    uint32_t m_transceivers;                //!< Transceivers of a port at each switch
    std::string m_policy;                   //!< The policy of grants
    std::unique_ptr<OddlFixture> m_fixture; //!< The nodes
    Ptr<UniformRandomVariable> m_random;    //!< What is random
    std::vector<uint32_t> m_sizes;          //!< Sizes of the frames sent
    uint32_t m_nDone{0};                    //!< Flows sent
    uint32_t m_nRefused{0};                 //!< Reports of frames without a way
};

/**
 * @ingroup lightpath-tests
 * @brief A control unit that does not ask before it sends spoils the light of others, and frames
 * that are lost are sent again until all have arrived.
 */
class OddlHostileTestCase : public TestCase
{
  public:
    OddlHostileTestCase()
        : TestCase("A control unit that does not ask is seen by its collisions")
    {
    }

  private:
    /// Tunes as soon as there are frames.
    struct HostileUnit : public WssGridChannel::Controller
    {
        /// Frames wait for a destination.
        void NotifyActive(uint32_t destination) override
        {
            grid->Tune({1, WssGridChannel::ROW, 0},
                       grid->FindWavelength(1, destination, WssGridChannel::ROW),
                       destination);
        }

        /// No frames wait for a destination.
        void NotifyIdle(uint32_t destination) override
        {
            grid->Release({1, WssGridChannel::ROW, 0});
        }

        /// A frame to a destination has been sent.
        void NotifySent(uint32_t destination) override
        {
        }

        /// A laser of a row or column is dark.
        void NotifyDark(WssGridChannel::Direction direction,
                        uint32_t index,
                        uint32_t source) override
        {
        }

        /// The light has changed.
        void NotifyChange() override
        {
        }

        Ptr<WssGridChannel> grid; //!< The fabric
    };

    void DoRun() override
    {
        OddlFixture fixture(*MakeOddl(1, 4), 4);
        HostileUnit hostile;
        hostile.grid = fixture.grid;
        // It would spoil light for ever if it sent again at once
        fixture.frames[1]->repeatDelay = MilliSeconds(10);
        fixture.units[1]->SetStopTime(NanoSeconds(500));
        Simulator::Schedule(MicroSeconds(1), [&]() {
            fixture.grid->SetController(1, &hostile);
            for (uint32_t number = 0; number < 20; ++number)
            {
                fixture.frames[0]->Send(3, number, 5000);
                fixture.frames[2]->Send(3, 100 + number, 5000);
            }
        });
        Simulator::Schedule(MicroSeconds(20), [&]() { fixture.frames[1]->Send(3, 200, 5000); });
        Simulator::Run();
        std::set<uint32_t> numbers;
        for (const auto& frame : fixture.frames[3]->received)
        {
            numbers.insert(frame.first);
        }
        NS_TEST_EXPECT_MSG_GT(fixture.grid->GetNCollisions(), 0, "light that met other light");
        NS_TEST_EXPECT_MSG_GT(fixture.frames[0]->lost + fixture.frames[2]->lost, 0, "lost");
        NS_TEST_EXPECT_MSG_GT(fixture.frames[1]->lost, 0, "its own frame is lost, too");
        NS_TEST_EXPECT_MSG_EQ(numbers.size(), 41, "all have arrived");
        Simulator::Destroy();
    }
};

std::vector<TestCase*>
MakeOddlInvariantTests(uint32_t flows)
{
    std::vector<TestCase*> cases = {new OddlHostileTestCase};
    for (const double loss : {0.0, 0.01, 0.1})
    {
        cases.push_back(new OddlInvariantTestCase(flows, loss, 1, "Fcfs"));
    }
    cases.push_back(new OddlInvariantTestCase(flows, 0.1, 2, "OldestStepFirst"));
    return cases;
}
