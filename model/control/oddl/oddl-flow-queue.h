/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ODDL_FLOW_QUEUE_H
#define ODDL_FLOW_QUEUE_H

#include "oddl-router.h"
#include "oddl-transmitter.h"

#include "ns3/port-table.h"
#include "ns3/wss-grid.h"

#include <cstdint>
#include <deque>
#include <string>

namespace ns3
{
namespace lightpath
{

class OddlUnit;

/**
 * @ingroup lightpath
 * @brief The destinations that frames of one port wait for: finds the way to each, and lets the
 * transmitters of its row or column take them in turn.
 */
class OddlFlowQueue
{
  public:
    /**
     * @param unit the unit of the port, which has begun and outlives the queue
     */
    explicit OddlFlowQueue(OddlUnit& unit);

    /**
     * Note that the device has frames for a destination from now on.
     *
     * @param destination a port
     */
    void SetReady(uint32_t destination);

    /**
     * Note that the device has no more frames for a destination.
     *
     * @param destination a port
     */
    void SetIdle(uint32_t destination);

    /**
     * Let a destination wait for its turn, behind those that wait already. Where no way leads there
     * because forwarding is forbidden, the program ends.
     *
     * @param destination a port
     * @return false if no way leads there
     */
    bool Enqueue(uint32_t destination);

    /**
     * Take the flow of the first destination that a transmitter can reach.
     *
     * @param transmitter the transmitter
     * @param sender its state machine
     * @param [out] flow the flow
     * @return false if there is none
     */
    bool Take(const WssGrid::Transceiver& transmitter, OddlTransmitter* sender, OddlFlow& flow);

    /**
     * Let the last destination that waits for a corner in the row of the port go by the one in its
     * column.
     *
     * @return false if there is none
     */
    bool Divert();

    /**
     * Note that no transmitter has the flow of a destination any more.
     *
     * @param destination a port
     * @return true if the device has frames for it
     */
    bool Release(uint32_t destination);

    /**
     * Let no destination wait.
     *
     * @return the destinations that have waited, those that no way led to first
     */
    std::deque<uint32_t> Clear();

    /**
     * @param destination a port
     * @return the transmitter that has its flow, or null
     */
    OddlTransmitter* GetSender(uint32_t destination) const;

    /**
     * @param destination a port
     * @return the sentence that says why nothing can be sent to it; empty if nothing waits that
     *         cannot
     */
    std::string GetRefusal(uint32_t destination) const;

  private:
    /// The frames that wait for a destination.
    struct Outgoing
    {
        bool isActive{false};             //!< The device has frames for it
        bool isStuck{false};              //!< No way leads there
        int64_t ready{0};                 //!< Since when it has, ticks
        uint64_t place{0};                //!< Its turn
        OddlTransmitter* sender{nullptr}; //!< The transmitter that has the flow
        OddlRouter::Hop hop;              //!< The way
    };

    /**
     * Report that no way leads to a destination.
     *
     * @param destination a port
     * @param outgoing the frames that wait for it
     */
    void Refuse(uint32_t destination, Outgoing& outgoing);

    OddlUnit& m_unit;                  //!< The unit of the port
    const WssGrid& m_grid;             //!< The light
    OddlRouter m_router;               //!< Finds ways
    PortTable<Outgoing> m_outgoing;    //!< Frames that wait, by destination
    std::deque<uint32_t> m_pending[2]; //!< Destinations in turn, by direction
    std::deque<uint32_t> m_stuck;      //!< Destinations that no way leads to
    uint32_t m_lastFlow{0};            //!< The number of the last flow
    uint64_t m_lastPlace{0};           //!< The last turn
};

} // namespace lightpath
} // namespace ns3

#endif /* ODDL_FLOW_QUEUE_H */
