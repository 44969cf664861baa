/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RELAY_TRANSPORT_H
#define RELAY_TRANSPORT_H

#include "forwarding-transport.h"

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
 * @brief Carries messages on an OpticalNetDevice, through other ranks where there is no lightpath.
 *
 * Ranks without a lightpath to each other reach each other over several lightpaths, as in TopoOpt
 * (Wang et al., NSDI 2023). Each rank on the way forwards frames for other ranks by the shortest
 * way (LightpathRoutes), once they have arrived whole and after the ForwardingDelay. All ranks of a
 * job must have a transport of this class. Forwarded frames share the rate of a lightpath with
 * those of the rank itself: the destinations that a lightpath serves take turns, frame by frame.
 * When circuits are switched, waiting frames take the new ways.
 *
 * A burst would have to arrive whole before it is forwarded, and would block other traffic. So
 * without a FrameSize, frames have the RelayFrameSize.
 *
 * Messages with the same tag keep their order only if they take the same way.
 */
class RelayTransport : public ForwardingTransport
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    RelayTransport();
    ~RelayTransport() override;

    void SetDevice(Ptr<OpticalNetDevice> device) override;

    std::vector<MessagePiece> Withdraw(uint32_t rank, uint64_t bulk) override;
    bool IsMoving() const override;

    bool DescribeFrame(uint32_t next, SourceFrame& frame) override;
    uint64_t GetBacklog(uint32_t destination) const override;
    void NotifyLost(uint32_t next, Ptr<const Packet> payload) override;

  protected:
    void DoDispose() override;

  private:
    void Enqueue(uint32_t destination, const RelayPiece& piece) override;
    void Forward(uint32_t destination, const RelayPiece& piece) override;

    /// The pieces that wait for one rank.
    struct Waiting
    {
        std::deque<RelayPiece> pieces; //!< Pieces in the order in which they are sent
        uint64_t bytes{0};             //!< Bytes of their frames, with all headers
        bool hasTurn{false};           //!< It has a turn at a lightpath
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
     * Let a piece wait for its turn, ahead of all others for the rank.
     *
     * @param destination the rank that it is for
     * @param piece the piece
     */
    void PushFirst(uint32_t destination, const RelayPiece& piece);

    /**
     * Let the frames for a rank take turns at the next lightpath on the way there, if there is one.
     *
     * @param destination the rank
     * @param [in,out] waiting the pieces that wait for it
     */
    void TakeTurn(uint32_t destination, Waiting& waiting);

    /**
     * Make a frame of the first piece that waits.
     *
     * @param destination the rank that it is for
     * @param [in,out] waiting the pieces that wait for it
     * @return the frame
     */
    SourceFrame MakeFrame(uint32_t destination, Waiting& waiting);

    /**
     * Take back a frame that the dark has cut, if its lightpath no longer exists.
     *
     * @param next the rank that it was being sent to
     */
    void TakeBack(uint32_t next);

    /// Give all waiting pieces, and frames that the dark has cut, the present ways.
    void Reroute();

    Ptr<LightpathRoutes> m_routes; //!< The shortest ways over lightpaths
    uint64_t m_relayFrameSize;     //!< Bytes of a frame without a FrameSize
    Time m_forwardingDelay;        //!< From receiving a frame to forwarding it
    PortTable<Waiting> m_waiting;  //!< Pieces that wait, by destination
    PortTable<Turns> m_turns;      //!< Destinations in turn, by the next rank
};

} // namespace lightpath
} // namespace ns3

#endif /* RELAY_TRANSPORT_H */
