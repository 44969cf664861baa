/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRID_CARRIER_H
#define GRID_CARRIER_H

#include "model/control/oddl/star-control-network.h"

#include "ns3/message-carrier.h"
#include "ns3/planning-problem.h"
#include "ns3/wss-grid.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Carries messages on a grid (ODDL) without net devices.
 *
 * Each port runs the protocol that its control unit runs in a simulation (OddlUnit), over the same
 * light (WssGrid) and the same control network. This class adds what else a simulation has: devices
 * that cut messages into frames and send them on light (OpticalTransmitter, CircuitTransport).
 */
class GridCarrier : public MessageCarrier, public WssGrid
{
  public:
    /**
     * @param agenda the time
     * @param grid the grid; both must outlive this object
     * @param arrival called for each message that has come in
     */
    GridCarrier(Agenda& agenda, const GridLimits& grid, Arrival arrival);

    ~GridCarrier() override;

    void Send(const Message& message, uint64_t tag) override;
    Times GetTimes() const override;
    uint64_t GetLaneBitRate(Direction direction) const override;

  private:
    class Port;

    /// A part of a message in a frame.
    struct Frame
    {
        uint32_t message{0}; //!< The message
        uint64_t bytes{0};   //!< Its bytes there
    };

    /// A message that has not come in.
    struct Underway
    {
        uint64_t tag{0};  //!< What the arrival is called with
        uint64_t left{0}; //!< Bytes that have not come in
    };

    // WssGrid
    void NotifyOpen(uint32_t port,
                    uint32_t destination,
                    uint32_t hop,
                    Direction direction) override;
    void NotifyClosed(uint32_t port, uint32_t destination) override;

    /// The switches of the grid.
    enum class SwitchState : uint8_t
    {
        DARK,
        BEING_SET,
        SET,
    };

    /**
     * Answer a port as the arbiter (OddlArbiter): set the switches for the first port that asks,
     * and tell all ports once that is done.
     *
     * @param request the request of a port for the job
     */
    void Answer(const OddlHeader& request);

    /// Let a frame for a port go to the end of the light that it was sent on.
    void Deliver(uint32_t hop, uint32_t destination, const Frame& frame);

    /// Let a frame come in at its destination.
    void Take(const Frame& frame);

    Agenda& m_agenda;                           //!< The time
    const GridLimits& m_limits;                 //!< The grid
    Arrival m_arrival;                          //!< Called for each message that has come in
    StarControlNetwork m_control;               //!< Carries control messages
    SwitchState m_state{SwitchState::DARK};     //!< Whether the switches are set
    std::vector<std::unique_ptr<Port>> m_ports; //!< The ports, once there is a message
    std::vector<Underway> m_messages;           //!< All messages
};

} // namespace lightpath
} // namespace ns3

#endif /* GRID_CARRIER_H */
