/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ROTOR_TRANSPORT_H
#define ROTOR_TRANSPORT_H

#include "forwarding-transport.h"
#include "model/control/rotor/rotor-dispatcher.h"
#include "model/control/rotor/rotor-port.h"

#include <cstdint>
#include <memory>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Carries messages on a fabric with a periodic schedule (RotorChannel): to ranks when they
 * are met, or by way of others, as a RotorDiscipline decides: a RotorPort says what is sent next.
 * All ranks of a job must have a transport of this class.
 *
 * Messages with the same tag keep their order only if they take the same way.
 */
class RotorTransport : public ForwardingTransport
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

    Ptr<RotorDispatcher> m_dispatcher; //!< The slots of the fabric
    std::unique_ptr<RotorPort> m_port; //!< What is sent, and in which order
    Time m_messageDelay;               //!< Time of what has come in until the rank has it
    uint64_t m_shortFrameSize;         //!< Bytes of a frame of a short message
};

} // namespace lightpath
} // namespace ns3

#endif /* ROTOR_TRANSPORT_H */
