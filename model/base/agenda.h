/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AGENDA_H
#define AGENDA_H

#include "ns3/event-impl.h"
#include "ns3/ptr.h"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief What is to happen and when: the time of a protocol that is plain computation.
 *
 * A protocol that asks an agenda for the time runs both in a simulation, on the events of ns-3
 * (SimulatorAgenda), and without one, on a heap of its own (PrivateAgenda): the price of a plan is
 * computed by what the simulation of the plan does. Both let events of one tick happen in the order
 * in which they were added.
 *
 * Time is counted in ticks of ns-3's resolution, as a Time is slow before the simulation begins.
 */
class Agenda
{
  public:
    /// The node of an event that happens at the node that adds it.
    static constexpr uint32_t SAME_NODE = UINT32_MAX;

    virtual ~Agenda() = default;

    /**
     * @param seconds a time, in seconds
     * @return the nearest tick
     */
    static int64_t GetTicks(double seconds);

    /**
     * @return the present time, ticks
     */
    virtual int64_t Now() const = 0;

    /**
     * Add an event, which EventImpl::Cancel() takes out again.
     *
     * @param tick when it happens, not before now
     * @param event the event
     * @param node the node that it happens at, for the context of a simulation
     */
    virtual void Add(int64_t tick, const Ptr<EventImpl>& event, uint32_t node = SAME_NODE) = 0;

    /**
     * Add the call of a function.
     *
     * @tparam F the type of the function
     * @param tick when it is called, not before now
     * @param function the function
     * @param node the node that it happens at, for the context of a simulation
     * @return the event, which EventImpl::Cancel() takes out again
     */
    template <typename F>
    Ptr<EventImpl> At(int64_t tick, F function, uint32_t node = SAME_NODE)
    {
        const Ptr<EventImpl> event(new Call<F>(std::move(function)), false);
        Add(tick, event, node);
        return event;
    }

  private:
    /// The call of a function.
    template <typename F>
    class Call : public EventImpl
    {
      public:
        /**
         * @param function the function
         */
        explicit Call(F function)
            : m_function(std::move(function))
        {
        }

      private:
        void Notify() override
        {
            m_function();
        }

        F m_function; //!< The function
    };
};

/**
 * @ingroup lightpath
 * @brief An agenda of its own, without a simulation: a heap of events.
 */
class PrivateAgenda : public Agenda
{
  public:
    PrivateAgenda() = default;
    ~PrivateAgenda() override;
    PrivateAgenda(const PrivateAgenda&) = delete;
    PrivateAgenda& operator=(const PrivateAgenda&) = delete;

    int64_t Now() const override
    {
        return m_now;
    }

    void Add(int64_t tick, const Ptr<EventImpl>& event, uint32_t node = SAME_NODE) override;

    /**
     * @return when something happens next, ticks; INT64_MAX if nothing does
     */
    int64_t GetNext();

    /**
     * Let the next event happen, of those that are still to.
     */
    void Happen();

    /**
     * Go on to a time at which, and before which, nothing happens any more.
     *
     * @param tick the time, not before now
     */
    void GoOn(int64_t tick)
    {
        m_now = tick;
    }

    /**
     * @return the number of events that have been added
     */
    uint64_t GetNEvents() const
    {
        return m_nEvents;
    }

  private:
    /// An event.
    struct Entry
    {
        int64_t tick;     //!< When it happens
        uint64_t number;  //!< Events added before it
        EventImpl* event; //!< The event, of which this is a reference

        /**
         * @param other the entry compared with
         * @return true if this one happens later
         */
        bool operator>(const Entry& other) const
        {
            return tick != other.tick ? tick > other.tick : number > other.number;
        }
    };

    /// Take the first entry out of the heap. @return its event, as a reference
    EventImpl* Pop();

    int64_t m_now{0};            //!< The time, ticks
    uint64_t m_nEvents{0};       //!< Events that have been added
    std::vector<Entry> m_events; //!< A heap of what is to happen, the first on top
};

} // namespace lightpath
} // namespace ns3

#endif /* AGENDA_H */
