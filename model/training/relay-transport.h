/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RELAY_TRANSPORT_H
#define RELAY_TRANSPORT_H

#include "circuit-transport.h"

#include "ns3/event-id.h"

#include <cstdint>
#include <deque>
#include <vector>

namespace ns3
{
namespace lightpath
{

class LightpathRoutes;

/**
 * @ingroup lightpath
 * @brief Carries messages on an OpticalNetDevice, by way of other ranks where there is no
 * lightpath.
 *
 * Ranks without a lightpath to each other reach each other over several, as in TopoOpt (Wang et
 * al., NSDI 2023): each rank on the way forwards the frames that are for others, by the shortest
 * way (LightpathRoutes), once it has them whole and after the ForwardingDelay. All ranks of a job
 * have a transport of this class. What the ranks on the way spend is the rate of their lightpaths:
 * the destinations that a lightpath serves take turns, frame by frame. As circuits are switched,
 * what waits takes the new ways.
 *
 * Bursts could not be forwarded before they have come in whole, and would have others wait: without
 * a FrameSize, frames have the RelayFrameSize.
 *
 * Messages with the same tag keep their order only if they go the same way.
 */
class RelayTransport : public CircuitTransport
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    RelayTransport();
    ~RelayTransport() override;

    /**
     * Send and receive on a device, which is attached to a fabric of circuits (OpticalChannel) and
     * to no other transport.
     *
     * @param device the device
     */
    void SetDevice(Ptr<OpticalNetDevice> device) override;

    std::vector<MessagePiece> Withdraw(uint32_t rank, uint64_t bulk) override;
    void SendRest(uint32_t rank, const MessagePiece& rest) override;
    bool IsMoving() const override;
    bool WaitsForCircuits() const override;
    TransportStatistics GetStatistics() const override;

    Ptr<Packet> NextFrame(uint32_t next) override;
    bool DescribesFrames() const override;
    uint64_t GetBacklog(uint32_t destination) const override;
    bool ReceiveFrame(const Ptr<const Packet>& payload) override;
    void NotifyLost(uint32_t next, Ptr<const Packet> payload) override;

  protected:
    void DoDispose() override;

  private:
    /// A message of this rank, or a part of any message that is sent on or again.
    struct Piece
    {
        uint32_t source{0};   //!< Rank that sent the message
        MessagePiece message; //!< What has not been handed to the device
    };

    /// A frame, as its payload says.
    struct Frame
    {
        /**
         * @param payload the payload
         */
        explicit Frame(const Ptr<const Packet>& payload);

        uint32_t destination{0}; //!< Rank that it is for
        Piece piece;             //!< What it has of a message
    };

    /// What waits for one rank.
    struct Waiting
    {
        std::deque<Piece> pieces; //!< Pieces in the order in which they are sent
        uint64_t bytes{0};        //!< Bytes of their frames, with all headers
        bool hasTurn{false};      //!< It has a turn at a lightpath
    };

    /// The ranks whose frames take turns at one lightpath.
    using Turns = std::deque<uint32_t>;

    /**
     * @return the most bytes of a message in one frame
     */
    uint64_t GetMostPayload() const;

    /**
     * @param bytes the size of a message, or of a part of one, in bytes
     * @return the size of all its frames in bytes, with their headers
     */
    uint64_t GetBytesOfFrames(uint64_t bytes) const;

    /**
     * Have a piece wait for its turn.
     *
     * @param destination the rank that it is for
     * @param piece the piece
     */
    void Push(uint32_t destination, const Piece& piece);

    /**
     * Have a piece wait for its turn, ahead of all others for the rank.
     *
     * @param destination the rank that it is for
     * @param piece the piece
     */
    void PushFirst(uint32_t destination, const Piece& piece);

    /**
     * Have the frames for a rank take turns at the lightpath that is next on the way there, if
     * there is one.
     *
     * @param destination the rank
     * @param [in,out] waiting what waits for it
     */
    void TakeTurn(uint32_t destination, Waiting& waiting);

    /**
     * Make a frame of what waits first.
     *
     * @param destination the rank that it is for
     * @param [in,out] waiting what waits for it
     * @return its payload
     */
    Ptr<Packet> MakeFrame(uint32_t destination, Waiting& waiting);

    /**
     * Have a frame that is in the dark wait again if there is no lightpath any more.
     *
     * @param next the rank that it was being sent to
     */
    void TakeBack(uint32_t next);

    /// Have all that waits take the ways that there are now, also frames that are in the dark.
    void Reroute();

    Ptr<LightpathRoutes> m_routes; //!< The ways over lightpaths
    uint64_t m_relayFrameSize;     //!< Bytes of a frame where there is no FrameSize
    Time m_forwardingDelay;        //!< From the reception of a frame until it waits to be sent on
    PortTable<Waiting> m_waiting;  //!< What waits, by the rank that it is for
    PortTable<Turns> m_turns;      //!< Whose turn it is, by the rank that is next
    TransportStatistics m_statistics; //!< What was sent and forwarded
};

} // namespace lightpath
} // namespace ns3

#endif /* RELAY_TRANSPORT_H */
