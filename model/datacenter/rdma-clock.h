/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RDMA_CLOCK_H
#define RDMA_CLOCK_H

#include "ns3/event-id.h"
#include "ns3/nstime.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <queue>
#include <vector>

namespace ns3
{
namespace lightpath
{

class RdmaNetwork;

/**
 * @ingroup lightpath
 * @brief What happens in an RdmaNetwork, in order of time: a clock of its own, in ps.
 *
 * Nothing enters the network sooner than LookAhead after the event of ns-3 that causes it. So one
 * event of ns-3 can carry out all that happens in the network for as long, unless somebody looks at
 * it: then each has an event of its own.
 */
class RdmaClock
{
  public:
    /// The kinds of events.
    enum Kind : uint32_t
    {
        ARRIVE, //!< A frame has crossed a link
        WAKE,   //!< A link may have something to send
        ENTER,  //!< A message, or a packet of another protocol, enters
        EXPIRE, //!< The timer of a queue pair ends
        CHECK   //!< A link may have been paused for long
    };

    /**
     * @param network the network, which outlives the clock
     */
    explicit RdmaClock(RdmaNetwork& network);
    ~RdmaClock();

    /**
     * @param lookAhead the least time from an event of ns-3 until it has an effect in the network
     */
    void SetLookAhead(Time lookAhead);

    /**
     * @return the time of the network, ps
     */
    int64_t GetNow() const
    {
        return m_now;
    }

    /**
     * @return the time of ns-3, ps
     */
    static int64_t GetOutside();

    /**
     * @param time a time of the network, ps
     * @return the time from now, in ns-3, until then, rounded up
     */
    static Time GetDelay(int64_t time);

    /**
     * @param time when it happens, ps
     * @param kind what happens
     * @param index to which link or queue pair
     */
    void At(int64_t time, Kind kind, uint32_t index);

    /**
     * @return what has happened so far
     */
    uint64_t GetCount() const
    {
        return m_count;
    }

    /// Forget all that would happen.
    void Stop();

  private:
    /// Something that will happen.
    struct Entry
    {
        int64_t time;    //!< When, ps
        uint64_t number; //!< Place among those of the same time
        uint32_t kind;   //!< What
        uint32_t index;  //!< To which link or queue pair

        /**
         * @param other another entry
         * @return whether this one happens first
         */
        bool operator<(const Entry& other) const
        {
            return time != other.time ? time < other.time : number < other.number;
        }

        /**
         * @param other another entry
         * @return whether this one happens later
         */
        bool operator>(const Entry& other) const
        {
            return other < *this;
        }
    };

    /// The entries of a short span of time.
    struct Slot
    {
        std::vector<Entry> entries; //!< Entries, in order if the slot is the sorted one
        std::size_t next{0};        //!< The first that is left
    };

    /// Number of slots.
    static constexpr int64_t N_SLOTS = 1024;

    /// Logarithm of the span of a slot, ps: 8 ns.
    static constexpr int64_t SPAN = 13;

    /// Carry out what happens until the end of the look-ahead.
    void Run();

    /**
     * @return the first entry; null if there is none
     */
    const Entry* GetFirst();

    /// Remove the entry that GetFirst() has returned.
    void Pop();

    /**
     * @return the number of the first slot with entries, -1 for none
     */
    int64_t FindSlot() const;

    /**
     * Have ns-3 call Run().
     *
     * @param time when, ps
     */
    void Schedule(int64_t time);

    RdmaNetwork& m_network;  //!< The network
    int64_t m_lookAhead{0};  //!< Least time until an event has an effect, ps
    int64_t m_now{0};        //!< Time of the network, ps
    uint64_t m_nEntries{0};  //!< Entries made so far
    uint64_t m_count{0};     //!< Entries carried out
    bool m_isRunning{false}; //!< Within Run()
    int64_t m_wake{0};       //!< When ns-3 calls Run(), ps
    EventId m_event;         //!< That event

    std::array<Slot, N_SLOTS> m_slots;               //!< Entries of the near future
    std::array<uint64_t, N_SLOTS / 64> m_filled{{}}; //!< Slots with entries, a bit each
    int64_t m_sorted{-1};                            //!< The slot that is in order
    bool m_isLater{false};                           //!< GetFirst() has returned one of m_later
    /// Entries of the far future
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> m_later;
};

} // namespace lightpath
} // namespace ns3

#endif /* RDMA_CLOCK_H */
