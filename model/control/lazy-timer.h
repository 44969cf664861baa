/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LAZY_TIMER_H
#define LAZY_TIMER_H

#include "ns3/event-id.h"
#include "ns3/nstime.h"
#include "ns3/simulator.h"

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief A timer that is set and stopped much more often than it expires: setting it to a later
 * time reuses the pending event.
 *
 * @tparam T the type of the owner
 */
template <typename T>
class LazyTimer
{
  public:
    /**
     * @param owner the owner of the timer
     * @param expire called when the timer expires
     */
    LazyTimer(T& owner, void (T::*expire)())
        : m_owner(owner),
          m_expire(expire)
    {
    }

    ~LazyTimer()
    {
        m_event.Cancel();
    }

    LazyTimer(const LazyTimer&) = delete;
    LazyTimer& operator=(const LazyTimer&) = delete;

    /**
     * Set the timer, which expires once.
     *
     * @param delay the time from now until it does
     */
    void Set(Time delay)
    {
        m_isSet = true;
        m_at = Simulator::Now() + delay;
        if (m_event.IsExpired() || m_at < m_next)
        {
            m_event.Cancel();
            Wait();
        }
    }

    /// Stop the timer.
    void Stop()
    {
        m_isSet = false;
    }

  private:
    /// Wait until the timer expires.
    void Wait()
    {
        m_next = m_at;
        m_event = Simulator::Schedule(m_at - Simulator::Now(), &LazyTimer::Look, this);
    }

    /// Check whether the timer expires now or later.
    void Look()
    {
        if (!m_isSet)
        {
            return;
        }
        if (m_at > Simulator::Now())
        {
            Wait();
            return;
        }
        m_isSet = false;
        (m_owner.*m_expire)();
    }

    T& m_owner;            //!< The owner of the timer
    void (T::*m_expire)(); //!< Called when the timer expires
    bool m_isSet{false};   //!< The timer is running
    Time m_at;             //!< When the timer expires
    Time m_next;           //!< The time of the pending event
    EventId m_event;       //!< The pending event
};

} // namespace lightpath
} // namespace ns3

#endif /* LAZY_TIMER_H */
