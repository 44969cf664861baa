/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ROTOR_TIMER_H
#define ROTOR_TIMER_H

#include "rotor-discipline.h"
#include "rotor-timing.h"
#include "slice-timer.h"

#include <cstdint>
#include <deque>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief The time of messages on a fabric with a periodic schedule, slot by slot.
 *
 * The discipline decides at each turn, as in a simulation. What a port sends to another while they
 * meet goes in the order of RotorTransport. Bytes that arrive at a port which meets their
 * destination go on at once. The delay of fibres is left out, and so are the headers of short
 * messages.
 */
class RotorTimer
{
  public:
    /**
     * @param timing the rotors
     * @param discipline what decides, for this object alone
     */
    RotorTimer(const RotorTiming& timing, Ptr<RotorDiscipline> discipline);

    /**
     * @param messages messages that ports send at once, in the middle of a slot
     * @return the time until all have come in, and that for which the rate of all uplinks of the
     *         busiest port is taken, seconds
     */
    std::pair<double, double> GetTime(const std::vector<RotorTiming::Message>& messages);

  private:
    /// Messages and their time.
    struct Known
    {
        std::vector<RotorTiming::Message> messages; //!< The messages
        std::pair<double, double> time;             //!< What GetTime() says
    };

    /// While two ports meet.
    struct Window
    {
        double free{0}; //!< When the circuit is free, seconds
        double end{0};  //!< When it goes dark, seconds
    };

    /// Bytes that arrive at a port which is to forward them.
    struct Arrival
    {
        double seconds{0};       //!< When
        uint32_t port{0};        //!< The port
        uint32_t destination{0}; //!< The port that they are for
        uint64_t bytes{0};       //!< Their number
    };

    /**
     * Time messages that are not short. Those that take many cycles are cut: what is left of them
     * takes as long for each byte as what has been followed.
     *
     * @param messages the messages
     * @return what they take
     */
    RotorTiming::Result Follow(const std::vector<RotorTiming::Message>& messages);

    /**
     * @param messages messages that are not short
     * @return what they take
     */
    RotorTiming::Result Run(const std::vector<RotorTiming::Message>& messages);

    /**
     * Find the pairs that meet.
     *
     * @param turn the number of turns before
     * @param since the earliest time at which they send, seconds
     */
    void Meet(uint64_t turn, double since);

    /// Let the pairs that meet send what they have for each other and what has been granted.
    void Send();

    /**
     * Send bytes while two ports meet.
     *
     * @param contact the two ports
     * @param destination the port that the bytes are for
     * @param bytes those that wait, with headers
     * @param most the most of them to send
     * @return the bytes that are left, with headers
     */
    uint64_t Pass(const RotorDiscipline::Contact& contact,
                  uint32_t destination,
                  uint64_t bytes,
                  uint64_t most);

    /**
     * Send what is stored at a port for the one that it meets.
     *
     * @param contact the pair
     */
    void SendStored(const RotorDiscipline::Contact& contact);

    /**
     * Forward bytes at once if their port meets the destination; store them otherwise.
     *
     * @param arrival the bytes
     */
    void Store(const Arrival& arrival);

    /**
     * Store what has arrived.
     *
     * @param now the time in seconds
     * @param areMet whether to do so with all bytes for ports that are met
     */
    void Settle(double now, bool areMet);

    /**
     * @param port a port
     * @param peer another port
     * @return when they meet
     */
    Window& GetWindow(uint32_t port, uint32_t peer)
    {
        return m_windows[std::size_t{port} * m_n + peer];
    }

    RotorTiming m_timing;                                       //!< The rotors
    uint32_t m_n;                                               //!< Number of ports
    std::optional<SliceTimer> m_slices;                         //!< The times of short messages
    std::unordered_map<uint64_t, std::vector<Known>> m_known;   //!< Times by hash; looked up only
    std::size_t m_nKnown{0};                                    //!< The messages there
    Ptr<RotorDiscipline> m_discipline;                          //!< What decides
    RotorQueues m_queues{0};                                    //!< What waits
    std::vector<Window> m_windows;                              //!< By port and peer
    std::vector<RotorDiscipline::Contact> m_contacts;           //!< Pairs that meet from a turn on
    std::vector<RotorDiscipline::Grant> m_grants;               //!< What a decision grants
    std::vector<std::vector<RotorDiscipline::Grant>> m_granted; //!< By port and peer
    std::vector<std::deque<uint64_t>> m_pieces; //!< What is stored, by port and destination
    std::vector<Arrival> m_arrivals;            //!< What arrives at ports
    std::vector<Arrival> m_later;               //!< Of these, what waits
    uint64_t m_left{0};                         //!< Bytes that have not come in
    double m_sent{0};                           //!< Bytes that ports have sent
    double m_last{0};                           //!< When the last of the others have, seconds
};

} // namespace lightpath
} // namespace ns3

#endif /* ROTOR_TIMER_H */
