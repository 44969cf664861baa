/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CIRCUIT_CARRIER_H
#define CIRCUIT_CARRIER_H

#include "plan-circuits.h"

#include "ns3/agenda.h"
#include "ns3/message-carrier.h"
#include "ns3/transmission-clock.h"

#include <cstdint>
#include <unordered_map>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Carries messages over lightpaths that stay, without net devices: each lightpath sends its
 * messages one after the other, as an OpticalTransmitter does.
 */
class CircuitCarrier : public MessageCarrier
{
  public:
    /**
     * @param agenda the time
     * @param circuits the lightpaths; both must outlive this object
     * @param rail the fabric between servers; 0 without rails
     * @param arrival called for each message that has come in
     */
    CircuitCarrier(Agenda& agenda, const PlanCircuits& circuits, uint32_t rail, Arrival arrival);

    void Send(const Message& message, uint64_t tag) override;

  private:
    /// A lightpath.
    struct Lightpath
    {
        TransmissionClock clock; //!< When bits are sent
        int64_t delay{0};        //!< From its beginning to its end, ticks
        int64_t end{-1};         //!< End of the last message that it has been given, ticks
    };

    /**
     * @param source the port that sends
     * @param destination the port that receives
     * @return the lightpath between them
     */
    Lightpath& Get(uint32_t source, uint32_t destination);

    Agenda& m_agenda;               //!< The time
    const PlanCircuits& m_circuits; //!< The lightpaths
    const uint32_t m_rail;          //!< The fabric between servers
    const Arrival m_arrival;        //!< Called for each message that has come in
    /// Those in use by source and destination; looked up only
    std::unordered_map<uint64_t, Lightpath> m_lightpaths;
};

} // namespace lightpath
} // namespace ns3

#endif /* CIRCUIT_CARRIER_H */
