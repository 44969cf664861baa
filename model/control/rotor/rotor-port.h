/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ROTOR_PORT_H
#define ROTOR_PORT_H

#include "rotor-discipline.h"

#include "ns3/port-table.h"

#include <cstdint>
#include <deque>
#include <functional>

namespace ns3
{
namespace lightpath
{

class RotorDispatcher;

/**
 * @ingroup lightpath
 * @brief What a port of a fabric with a periodic schedule sends, and in which order: plain
 * computation on the agenda of its dispatcher.
 *
 * A port keeps its own data, and what it stores for others, by destination. While it meets another
 * port it sends first what is stored for that port, then its own data for it, then what it has been
 * granted to send through it. Short messages, if the discipline has such, go before all of these,
 * by the shortest way over the present circuits. A frame is never longer than what is left of the
 * slot, so that none is cut by the dark.
 */
class RotorPort
{
  public:
    /// A message, or a part of one.
    struct Piece
    {
        uint32_t source{0};      //!< The port that has sent the message
        uint32_t destination{0}; //!< The port that it is for
        uint64_t tag{0};         //!< Tag of the message
        uint64_t size{0};        //!< Size of the whole message, bytes
        uint64_t bytes{0};       //!< Size of the part, bytes
        uint8_t repeats{0};      //!< Times that the part has been lost
    };

    /// The sizes of frames.
    struct FrameSizes
    {
        uint64_t most{0};        //!< Most bytes after the Ethernet header; 0 for those of a slot
        uint64_t ofShort{65536}; //!< The same of short messages, where the first is 0
    };

    /**
     * @param dispatcher the slots of the fabric, which must outlive this object
     * @param port the number of the port
     * @param sizes the sizes of frames
     * @param notify called with a port once there is something to send to it, so that Cut() is
     */
    RotorPort(RotorDispatcher& dispatcher,
              uint32_t port,
              const FrameSizes& sizes,
              std::function<void(uint32_t)> notify);

    ~RotorPort();
    RotorPort(const RotorPort&) = delete;
    RotorPort& operator=(const RotorPort&) = delete;

    /**
     * Let a piece of a message wait, of this port or of another one for which it is forwarded.
     *
     * @param piece the piece
     */
    void Enqueue(const Piece& piece);

    /**
     * Let a piece wait until its destination is met.
     *
     * @param piece the piece
     * @param isFirst whether it goes ahead of all others
     */
    void Push(const Piece& piece, bool isFirst);

    /**
     * Cut the next frame for a port off a piece.
     *
     * @param peer the port
     * @param [out] frame the part of the message in the frame
     * @return false if nothing waits or there is no room in the slot
     */
    bool Cut(uint32_t peer, Piece& frame);

    /**
     * Send bytes through another port.
     *
     * @param grant the way and the number of bytes
     */
    void Grant(const RotorDiscipline::Grant& grant);

    /// Find new ways for short messages, as circuits have changed.
    void Reroute();

    /**
     * Begin to send to a port that the light leads to now.
     *
     * @param peer the port
     */
    void Meet(uint32_t peer);

  private:
    /// The pieces that wait, by destination or by the next port.
    using Queues = PortTable<std::deque<Piece>>;

    /// Bytes that a port may forward in a slot.
    struct Granted
    {
        int64_t until{-1};                         //!< End of the slot that it is for
        std::deque<RotorDiscipline::Grant> grants; //!< The bytes by destination
    };

    /// Send a short message, or a part of one, over the present circuits.
    void PushShort(const Piece& piece);

    /// Make a frame of a short message, of this many bytes at most; false if none waits
    bool CutShort(uint32_t peer, uint64_t room, Piece& frame);

    /// Make a frame of what may go through a port that is met for some ticks; false if
    /// nothing waits or there is no room
    bool CutGranted(uint32_t peer, int64_t left, uint64_t room, Piece& frame);

    /// Make a frame of the first piece for a port, of this port or of others; false if
    /// nothing waits or there is no room
    bool CutFirst(uint32_t destination, bool isOwn, uint64_t room, Piece& frame);

    /// Count the bytes of all frames of some bytes, with their headers; 0 without any
    uint64_t GetBytesOfFrames(uint64_t bytes) const;

    /// Get the ticks left of the slot in which a port is met; 0 if it is not met now
    int64_t GetLeft(uint32_t peer) const;

    RotorDispatcher& m_dispatcher;          //!< The slots
    uint32_t m_port;                        //!< The number of the port
    uint64_t m_most;                        //!< Most bytes of a message in a frame
    uint64_t m_mostOfShort;                 //!< Most bytes of a short message in a frame
    std::function<void(uint32_t)> m_notify; //!< Called once there is something to send
    Queues m_short;                         //!< Short messages, by the next port
    Queues m_own;                           //!< Pieces of this port
    Queues m_stored;                        //!< Pieces stored for others
    PortTable<Granted> m_granted;           //!< What may go through a port, by that port
};

} // namespace lightpath
} // namespace ns3

#endif /* ROTOR_PORT_H */
