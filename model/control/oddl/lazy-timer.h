/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LAZY_TIMER_H
#define LAZY_TIMER_H

#include "ns3/agenda.h"

#include <cstdint>

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
     * @param agenda when it expires; it must outlive this object
     * @param owner the owner of the timer
     * @param expire called when the timer expires
     */
    LazyTimer(Agenda& agenda, T& owner, void (T::*expire)())
        : m_agenda(agenda),
          m_owner(owner),
          m_expire(expire)
    {
    }

    ~LazyTimer()
    {
        Cancel();
    }

    LazyTimer(const LazyTimer&) = delete;
    LazyTimer& operator=(const LazyTimer&) = delete;

    /**
     * Set the timer, which expires once.
     *
     * @param delay the time from now until it does, ticks
     */
    void Set(int64_t delay)
    {
        m_isSet = true;
        m_at = m_agenda.Now() + delay;
        if (!m_event || m_at < m_next)
        {
            Cancel();
            Wait();
        }
    }

    /// Stop the timer.
    void Stop()
    {
        m_isSet = false;
    }

  private:
    /// Expect no event any more.
    void Cancel()
    {
        if (m_event)
        {
            m_event->Cancel();
        }
    }

    /// Wait until the timer expires.
    void Wait()
    {
        m_next = m_at;
        m_event = m_agenda.At(m_at, [this]() { Look(); });
    }

    /// Check whether the timer expires now or later.
    void Look()
    {
        m_event = nullptr;
        if (!m_isSet)
        {
            return;
        }
        if (m_at > m_agenda.Now())
        {
            Wait();
            return;
        }
        m_isSet = false;
        (m_owner.*m_expire)();
    }

    Agenda& m_agenda;       //!< When it expires
    T& m_owner;             //!< The owner of the timer
    void (T::*m_expire)();  //!< Called when the timer expires
    bool m_isSet{false};    //!< The timer is running
    int64_t m_at{0};        //!< When the timer expires, ticks
    int64_t m_next{0};      //!< The time of the pending event, ticks
    Ptr<EventImpl> m_event; //!< The pending event, or null
};

} // namespace lightpath
} // namespace ns3

#endif /* LAZY_TIMER_H */
