/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SLICE_TIMER_H
#define SLICE_TIMER_H

#include "rotor-timing.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief The time of short messages that go over several hops of the circuits between two turns,
 * as RotorTransport sends them, slice by slice.
 *
 * At a port the messages for the same next port take turns, frame by frame, with the frames that
 * the port forwards. These have arrived by the next round, and find a new way after each turn of an
 * uplink. Within a round bytes are fluid: each message gets one frame, and all that is stored is
 * sent, in proportion if the round does not end in time.
 */
class SliceTimer
{
  public:
    /**
     * @param timing the rotors, whose uplinks turn one after the other
     */
    explicit SliceTimer(const RotorTiming& timing);

    /**
     * @param messages messages that ports send at once, in the middle of a slice
     * @return what they take
     */
    RotorTiming::Result GetTime(const std::vector<RotorTiming::Message>& messages);

  private:
    /// Next ports by source and destination.
    using Table = std::vector<uint32_t>;

    /// The bytes that wait at a port for a destination.
    struct Queue
    {
        double own{0};      //!< Bytes of its messages
        double messages{0}; //!< Their number
        double stored{0};   //!< Bytes that it forwards
    };

    /// The bytes that wait at a port for one of its circuits.
    struct Circuit
    {
        double own{0};    //!< Bytes of messages that wait
        double frames{0}; //!< Bytes of one frame of each message
        double stored{0}; //!< Bytes that are forwarded
    };

    /**
     * @param slice the number of turns before
     * @return the next ports on the shortest ways between this turn and the next one
     */
    const Table& GetTable(uint64_t slice);

    /**
     * @param table the next ports
     * @return the mean time of circuits in use for a frame of each message and all that is stored,
     *         seconds
     */
    double GetRound(const Table& table) const;

    /**
     * Let ports send.
     *
     * @param table the next ports
     * @param seconds for how long
     * @return the part of this time after which the last byte has left
     */
    double Send(const Table& table, double seconds);

    /**
     * Let a port send.
     *
     * @param port the port
     * @param next the next ports on its ways
     * @param room the bytes that a circuit carries
     * @return the largest part of its bytes that a circuit has carried
     */
    double SendFrom(uint32_t port, const uint32_t* next, double room);

    RotorTiming m_timing;            //!< The rotors
    double m_slice;                  //!< Time from one turn to the next, seconds
    uint32_t m_n;                    //!< Number of ports
    std::vector<Table> m_tables;     //!< Ways by slice of a cycle, once known
    std::vector<Queue> m_queues;     //!< What waits, by port and destination
    std::vector<double> m_arriving;  //!< Bytes that arrive in this round, likewise
    std::vector<Circuit> m_circuits; //!< The circuits of one port
    double m_left{0};                //!< Bytes that have not come in
    double m_sent{0};                //!< Bytes that ports have sent
};

} // namespace lightpath
} // namespace ns3

#endif /* SLICE_TIMER_H */
