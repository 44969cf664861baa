/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FORWARDING_TRANSPORT_H
#define FORWARDING_TRANSPORT_H

#include "circuit-transport.h"
#include "relay-piece.h"
#include "transport-statistics.h"

#include <cstdint>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Carries messages in frames that other ranks may forward (abstract).
 *
 * Each frame names the source and the destination of its message, which need not be the ends of the
 * lightpath that it takes. A rank delivers frames for itself and forwards all others. All ranks of
 * a job must have a transport of the same class. A subclass decides when and by which way each
 * piece of a message is sent.
 */
class ForwardingTransport : public CircuitTransport
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    ForwardingTransport();
    ~ForwardingTransport() override;

    void SetDevice(Ptr<OpticalNetDevice> device) override;

    void SendRest(uint32_t rank, const MessagePiece& rest) override;
    CircuitTransport* FindCircuit(uint32_t rank, uint64_t bytes) override;
    bool WaitsForCircuits() const override;
    TransportStatistics GetStatistics() const override;

    uint32_t GetHeaderSize() const override;
    bool ReceiveFrame(const Ptr<const Packet>& payload) override;
    bool ReceiveDescribed(const SourceFrame& frame) override;

  protected:
    /**
     * Subtract the unsent part of a message that is withdrawn from the bytes of messages.
     *
     * @param bytes its size in bytes
     */
    void CountWithdrawn(uint64_t bytes);

  private:
    /**
     * Queue a piece of a message of this rank, or of another, until it can be sent.
     *
     * @param destination the rank that it is for
     * @param piece the piece
     */
    virtual void Enqueue(uint32_t destination, const RelayPiece& piece) = 0;

    /**
     * @return the time of what has reached its rank until that has it; 0 by default
     */
    virtual Time GetMessageDelay() const;

    /**
     * Forward a piece of a message of another rank: by default, queue it at once.
     *
     * @param destination the rank that it is for
     * @param piece the piece
     */
    virtual void Forward(uint32_t destination, const RelayPiece& piece);

    /**
     * Deliver a received frame if it is for this rank, or else forward it.
     *
     * @param frame the frame
     */
    void Take(RelayFrame frame);

    TransportStatistics m_statistics; //!< Bytes of messages and forwarded bytes
};

} // namespace lightpath
} // namespace ns3

#endif /* FORWARDING_TRANSPORT_H */
