/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ROTOR_TRANSPORT_H
#define ROTOR_TRANSPORT_H

#include "forwarding-transport.h"
#include "model/control/rotor/rotor-dispatcher.h"

#include "ns3/rotor-channel.h"

#include <cstdint>
#include <deque>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Carries messages on a fabric with a periodic schedule (RotorChannel): to ranks when they
 * are met, or by way of others, as a RotorDiscipline decides.
 *
 * A rank keeps its own data, and what it stores for others, by destination. While it meets another
 * rank it sends first what is stored for that rank, then its own data for it, then what it has been
 * granted to send through it. Short messages, if the discipline has such, go before all of these,
 * by the shortest way over the present circuits. A frame is never longer than what is left of the
 * slot, so that none is cut by the dark. All ranks of a job must have a transport of this class.
 *
 * Messages with the same tag keep their order only if they take the same way.
 */
class RotorTransport : public ForwardingTransport, public RotorSender
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    RotorTransport();
    ~RotorTransport() override;

    void SetDevice(Ptr<OpticalNetDevice> device) override;

    // From RotorSender
    void Grant(const RotorDiscipline::Grant& grant) override;
    void Reroute() override;
    void Meet(uint32_t peer) override;

    bool IsMoving() const override;

    bool DescribeFrame(uint32_t peer, SourceFrame& frame) override;
    uint64_t GetBacklog(uint32_t destination) const override;
    void NotifyLost(uint32_t peer, Ptr<const Packet> payload) override;

  protected:
    void DoDispose() override;

  private:
    void Enqueue(uint32_t destination, const RelayPiece& piece) override;

    Time GetMessageDelay() const override
    {
        return m_messageDelay;
    }

    /// The pieces that wait, by destination.
    using Queues = PortTable<std::deque<RelayPiece>>;

    /// Bytes that a rank may forward in a slot.
    struct Granted
    {
        Time until;                                //!< End of the slot that it is for
        std::deque<RotorDiscipline::Grant> grants; //!< The bytes by destination
    };

    /// A piece of a short message.
    struct ShortPiece
    {
        uint32_t destination{0}; //!< Rank that it is for
        RelayPiece piece;        //!< The piece
    };

    /**
     * Send a short message, or a part of one, over the present circuits.
     *
     * @param destination the rank that it is for
     * @param piece the piece
     */
    void PushShort(uint32_t destination, const RelayPiece& piece);

    /**
     * Make a frame of a short message.
     *
     * @param peer the next rank on its way
     * @param room the most bytes of the frame
     * @param [out] frame the frame
     * @return false if none waits or there is no room
     */
    bool CutShort(uint32_t peer, uint64_t room, SourceFrame& frame);

    /**
     * Make a frame of what has been granted.
     *
     * @param peer the rank that it goes through
     * @param left the time left to meet it
     * @param room the most bytes of the frame
     * @param [out] frame the frame
     * @return false if nothing waits or there is no room
     */
    bool CutGranted(uint32_t peer, Time left, uint64_t room, SourceFrame& frame);

    /**
     * @param bytes the size of a message, or of a part of one, in bytes
     * @return the size of all its frames in bytes, with their headers; 0 without any
     */
    uint64_t GetBytesOfFrames(uint64_t bytes) const;

    /**
     * Let a piece wait.
     *
     * @param destination the rank that it is for
     * @param piece the piece
     * @param isFirst whether it goes ahead of all others
     */
    void Push(uint32_t destination, const RelayPiece& piece, bool isFirst);

    /**
     * @param peer a rank
     * @return the time left until the end of the slot in which it is met; 0 if it is not met now
     */
    Time GetLeft(uint32_t peer) const;

    /**
     * Make a frame of the first piece that waits for a rank.
     *
     * @param destination the rank
     * @param isOwn whether the piece is of this rank, and not stored for another
     * @param room the most bytes of the frame
     * @param [out] frame the frame
     * @return false if nothing waits or there is no room
     */
    bool CutFrame(uint32_t destination, bool isOwn, uint64_t room, SourceFrame& frame);

    RotorChannel* m_rotors{nullptr};           //!< The fabric
    Ptr<RotorDispatcher> m_dispatcher;         //!< Its slots
    Time m_messageDelay;                       //!< Time of what has come in until the rank has it
    uint64_t m_shortFrameSize;                 //!< Bytes of a frame of a short message
    PortTable<std::deque<ShortPiece>> m_short; //!< Short messages, by the next rank
    Queues m_own;                              //!< Pieces of this rank
    Queues m_stored;                           //!< Pieces stored for others
    PortTable<Granted> m_granted;              //!< What may go through a rank, by that rank
};

} // namespace lightpath
} // namespace ns3

#endif /* ROTOR_TRANSPORT_H */
