/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RELAY_CARRIER_H
#define RELAY_CARRIER_H

#include "plan-circuits.h"

#include "ns3/agenda.h"
#include "ns3/message-carrier.h"
#include "ns3/planning-problem.h"
#include "ns3/transmission-clock.h"

#include <cstdint>
#include <deque>
#include <map>
#include <unordered_map>
#include <utility>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Carries messages over lightpaths that stay, on which ports forward what is for others, as
 * a RelayTransport does: in frames, of which those for each destination take turns on a lightpath.
 */
class RelayCarrier : public MessageCarrier
{
  public:
    /**
     * @param agenda the time
     * @param circuits the lightpaths
     * @param fabric the fabric; all must outlive this object
     * @param rail the fabric between servers; 0 without rails
     * @param arrival called for each message that has come in
     */
    RelayCarrier(Agenda& agenda,
                 const PlanCircuits& circuits,
                 const FabricLimits& fabric,
                 uint32_t rail,
                 Arrival arrival);

    void Send(const Message& message, uint64_t tag) override;

  private:
    /// Two ports.
    using Pair = std::pair<uint32_t, uint32_t>;

    /// A message, or a frame of it that is forwarded.
    struct Piece
    {
        uint64_t bytes{0};  //!< Bytes left to send
        uint64_t number{0}; //!< The number of the message
    };

    /// A frame.
    struct Frame
    {
        uint32_t destination{0}; //!< The port that it is for
        Piece piece;             //!< What is in it
    };

    /// A lightpath.
    struct Lightpath
    {
        TransmissionClock clock;    //!< When bits are sent
        int64_t delay{0};           //!< From its beginning to its end, ticks
        int64_t idleSince{-1};      //!< End of the last frame if none followed, ticks
        bool isSending{false};      //!< Whether it sends a frame
        Frame frame;                //!< The frame, or the frames of a train
        uint64_t nFrames{1};        //!< How many, all but the last of which are full
        Ptr<EventImpl> end;         //!< Their end
        std::deque<uint32_t> turns; //!< Destinations whose frames are to go over it, in turn
    };

    /// Frames of a port for a destination.
    struct Waiting
    {
        std::deque<Piece> pieces; //!< In their order
        bool hasTurn{false};      //!< Whether it is among the turns of a lightpath
        uint32_t next{0};         //!< The next port on the way
        bool isKnown{false};      //!< Whether that is known
    };

    /**
     * Put a piece behind all others of a port for a destination.
     *
     * @param port the port
     * @param destination the destination
     * @param piece the piece
     */
    void Enqueue(uint32_t port, uint32_t destination, const Piece& piece);

    /**
     * Send the next frame over a lightpath, if there is one.
     *
     * @param ends the ends of the lightpath
     * @param lightpath the lightpath, which sends none
     */
    void Begin(const Pair& ends, Lightpath& lightpath);

    /**
     * Part a train of frames for the end of a lightpath after the frame that is being sent, as
     * frames for others take turns with it.
     *
     * @param ends the ends of the lightpath
     * @param lightpath the lightpath
     */
    void Part(const Pair& ends, Lightpath& lightpath);

    /**
     * Note that a frame, or a train, has been sent.
     *
     * @param ends the ends of the lightpath
     */
    void End(const Pair& ends);

    /**
     * Take a frame at the end of a lightpath.
     *
     * @param port the port there
     * @param frame the frame
     */
    void Take(uint32_t port, const Frame& frame);

    Agenda& m_agenda;                       //!< The time
    const PlanCircuits& m_circuits;         //!< The lightpaths
    const uint32_t m_rail;                  //!< The fabric between servers
    const uint64_t m_most;                  //!< Most bytes of a message in a frame
    const Arrival m_arrival;                //!< Called for each message that has come in
    std::map<Pair, Lightpath> m_lightpaths; //!< Those in use, by their ends
    std::map<Pair, Waiting> m_waiting;      //!< By port and destination
    /// Messages on their way by number: bytes to come in, and tag; looked up only
    std::unordered_map<uint64_t, std::pair<uint64_t, uint64_t>> m_left;
    uint64_t m_nMessages{0}; //!< Messages so far
};

} // namespace lightpath
} // namespace ns3

#endif /* RELAY_CARRIER_H */
