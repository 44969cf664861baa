/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ROTOR_CARRIER_H
#define ROTOR_CARRIER_H

#include "rotor-dispatcher.h"
#include "rotor-port.h"

#include "ns3/message-carrier.h"
#include "ns3/port-table.h"
#include "ns3/transmission-clock.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Carries messages on a fabric with a periodic schedule without net devices: ports cut
 * frames as in a simulation, and each frame takes the light of its pair.
 */
class RotorCarrier : public MessageCarrier
{
  public:
    /// A fabric.
    struct Fabric
    {
        RotorClock clock;                //!< When there is light
        Ptr<RotorDiscipline> discipline; //!< What decides
        int64_t delay{0};                //!< Propagation delay, ticks
        int64_t messageDelay{0};         //!< Ticks at the destination until the rank has a message
        uint64_t shortFrameSize{65536};  //!< Bytes of a frame of a short message
    };

    /**
     * @param agenda the time, which must outlive this object
     * @param fabric the fabric
     * @param arrival called for each message that has come in
     */
    RotorCarrier(Agenda& agenda, const Fabric& fabric, Arrival arrival);

    ~RotorCarrier() override;

    void Send(const Message& message, uint64_t tag) override;

  private:
    /// The frames from one port to another.
    struct Circuit
    {
        TransmissionClock clock; //!< When bytes leave the port
        int64_t idleSince{-1};   //!< When the last frame ended, ticks
        bool isBusy{false};      //!< Whether a frame is under way
    };

    /// A message that has not come in.
    struct Underway
    {
        uint64_t tag{0};  //!< What the arrival is called with
        uint64_t left{0}; //!< Bytes that have not come in
    };

    /// Begin to send from a port to another one, unless a frame is under way.
    void Resume(uint32_t port, uint32_t peer);

    /// Send the next frame from a port to another one, if there is one, on their circuit.
    void BeginFrame(uint32_t port, uint32_t peer, Circuit& circuit);

    /// Let a part of a message, which has been sent to a port, go there.
    void Deliver(uint32_t peer, const RotorPort::Piece& part);

    /// Let the rank have a part of a message.
    void Take(const RotorPort::Piece& part);

    Agenda& m_agenda;                                //!< The time
    Fabric m_fabric;                                 //!< The fabric
    Arrival m_arrival;                               //!< Called for each message that has come in
    Ptr<RotorDispatcher> m_dispatcher;               //!< The slots
    std::vector<std::unique_ptr<RotorPort>> m_ports; //!< The ports
    std::vector<PortTable<Circuit>> m_circuits;      //!< What they send, by port and peer
    std::vector<Underway> m_messages;                //!< All messages
};

} // namespace lightpath
} // namespace ns3

#endif /* ROTOR_CARRIER_H */
