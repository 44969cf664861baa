/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "method-case.h"
#include "model/base/simulator-agenda.h"

#include "ns3/agenda.h"
#include "ns3/random-variable-stream.h"

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

using namespace ns3;
using namespace ns3::lightpath;

namespace
{

/// Events that add and cancel others at random, and what has happened.
class DrawnEvents
{
  public:
    /**
     * @param agenda when they happen
     */
    explicit DrawnEvents(Agenda& agenda)
        : m_agenda(agenda),
          m_random(CreateObject<UniformRandomVariable>())
    {
        m_random->SetStream(7);
        for (uint32_t i = 0; i < 20; ++i)
        {
            Draw();
        }
    }

    /**
     * @return the number of each event that has happened, and when
     */
    const std::vector<std::pair<uint32_t, int64_t>>& GetHappened() const
    {
        return m_happened;
    }

  private:
    /// Add an event.
    void Draw()
    {
        const auto number = static_cast<uint32_t>(m_events.size());
        // Many events share a tick
        const int64_t tick = m_agenda.Now() + m_random->GetInteger(0, 4);
        m_events.push_back(m_agenda.At(tick, [this, number]() { Happen(number); }));
    }

    /**
     * @param number the event that happens
     */
    void Happen(uint32_t number)
    {
        m_happened.emplace_back(number, m_agenda.Now());
        for (uint32_t i = m_random->GetInteger(0, 3); i > 0 && m_events.size() < 2000; --i)
        {
            Draw();
        }
        // Some of these have happened already
        m_events[m_random->GetInteger(0, m_events.size() - 1)]->Cancel();
    }

    Agenda& m_agenda;                                     //!< When they happen
    Ptr<UniformRandomVariable> m_random;                  //!< What is drawn
    std::vector<Ptr<EventImpl>> m_events;                 //!< All events
    std::vector<std::pair<uint32_t, int64_t>> m_happened; //!< Those that have happened
};

/**
 * @ingroup lightpath-tests
 * @brief A private agenda lets happen what the simulator does, in the same order.
 */
class AgendaTest : public TestCase
{
  public:
    using TestCase::TestCase;

    /// Draw the same events on both.
    void TestOrder()
    {
        SimulatorAgenda simulator;
        DrawnEvents expected(simulator);
        Simulator::Run();
        Simulator::Destroy();

        PrivateAgenda agenda;
        DrawnEvents drawn(agenda);
        while (agenda.GetNext() < INT64_MAX)
        {
            agenda.Happen();
        }
        NS_TEST_ASSERT_MSG_GT(expected.GetHappened().size(), 200, "events that have happened");
        NS_TEST_ASSERT_MSG_EQ((drawn.GetHappened() == expected.GetHappened()),
                              true,
                              "events in another order");
        NS_TEST_ASSERT_MSG_EQ(agenda.Now(), expected.GetHappened().back().second, "the end");
    }

    /// Events that do not happen are released.
    void TestRelease()
    {
        const auto held = std::make_shared<int>(0);
        {
            PrivateAgenda agenda;
            agenda.At(1, [held]() { ++*held; });
            agenda.At(2, [held]() { ++*held; })->Cancel();
            agenda.At(3, [held]() { ++*held; });
            agenda.Happen();
            NS_TEST_ASSERT_MSG_EQ(agenda.GetNext(), 3, "the next one, without the cancelled one");
            NS_TEST_ASSERT_MSG_EQ(held.use_count(), 2, "what happened or cannot, is released");
            agenda.GoOn(2);
            NS_TEST_ASSERT_MSG_EQ(agenda.Now(), 2, "the time");
        }
        NS_TEST_ASSERT_MSG_EQ(*held, 1, "events that have happened");
        NS_TEST_ASSERT_MSG_EQ(held.use_count(), 1, "all are released");
    }
};

/// The cases of the suite.
const SuiteCases g_agendaCases("lightpath-agenda",
                               {{MakeCase("the order of events", &AgendaTest::TestOrder),
                                 MakeCase("the release of events", &AgendaTest::TestRelease)}});

} // namespace
