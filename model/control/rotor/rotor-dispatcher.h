/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ROTOR_DISPATCHER_H
#define ROTOR_DISPATCHER_H

#include "rotor-discipline.h"
#include "slice-routes.h"

#include "ns3/agenda.h"
#include "ns3/ptr.h"
#include "ns3/rotor-clock.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace lightpath
{

class RotorChannel;
class RotorPort;

/**
 * @ingroup lightpath
 * @brief The slots of a fabric with a periodic schedule, for ports that forward for each
 * other: asks the discipline what goes through other ports, and tells ports whom they meet.
 *
 * While bytes wait anywhere there is one event for each slot, or for each turn of an uplink if they
 * turn one after the other. In a simulation the object is aggregated to the channel; the price of a
 * plan sets it up on an agenda of its own.
 */
class RotorDispatcher : public Object
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    RotorDispatcher();
    ~RotorDispatcher() override;

    /**
     * @param channel a fabric with all its devices
     * @return its slots, made with a BalancedDiscipline if there are none yet
     */
    static Ptr<RotorDispatcher> Get(Ptr<RotorChannel> channel);

    /**
     * Begin without any bytes that wait.
     *
     * @param agenda the time, which must outlive this object
     * @param clock when there is light
     */
    void Begin(Agenda& agenda, const RotorClock& clock);

    /**
     * @param number the number of a port
     * @param port what sends there; null for nothing
     */
    void SetPort(uint32_t number, RotorPort* port);

    /**
     * @return when there is light
     */
    const RotorClock& GetClock() const
    {
        return m_clock;
    }

    /**
     * @return the present time, ticks
     */
    int64_t GetNow() const
    {
        return m_agenda->Now();
    }

    /**
     * Add to, or subtract from, the bytes that wait at a port.
     *
     * @param port the port
     * @param destination the port that they are for
     * @param isOwn whether they are its own, and not those of others
     * @param added bytes that wait
     * @param taken bytes that no longer do
     */
    void Note(uint32_t port, uint32_t destination, bool isOwn, uint64_t added, uint64_t taken);

    /**
     * Add to, or subtract from, the bytes of short messages that wait at any port.
     *
     * @param added bytes that wait
     * @param taken bytes that no longer do
     */
    void NoteShort(uint64_t added, uint64_t taken);

    /**
     * Fix the random numbers of the discipline.
     *
     * @param stream the number of the first stream
     * @return the number of streams that were assigned
     */
    int64_t AssignStreams(int64_t stream)
    {
        return m_discipline->AssignStreams(stream);
    }

    /**
     * @return the discipline
     */
    const RotorDiscipline& GetDiscipline() const
    {
        return *m_discipline;
    }

    /**
     * @param port a port
     * @param destination another port
     * @return the next port on the shortest way over the circuits that do not go dark at the next
     *         turn; SliceRoutes::NONE if there is none
     */
    uint32_t GetNext(uint32_t port, uint32_t destination);

    /**
     * @return the bytes that wait, with headers
     */
    const RotorQueues& GetQueues() const
    {
        return m_queues;
    }

    /**
     * @return the bytes that wait at all ports
     */
    uint64_t GetBytes() const
    {
        return m_bytes;
    }

  protected:
    void DoDispose() override;
    void NotifyNewAggregate() override;

  private:
    /**
     * Wait for the next light of an uplink.
     *
     * @param since the first tick at which it may come up
     */
    void Wait(int64_t since);

    /// Begin the slots of the uplinks whose light comes up now.
    void Turn();

    Ptr<RotorDiscipline> m_discipline;                //!< Decides what goes through other ports
    Agenda* m_agenda{nullptr};                        //!< The time
    RotorClock m_clock;                               //!< When there is light
    std::vector<RotorPort*> m_ports;                  //!< What sends, by port
    RotorQueues m_queues{0};                          //!< Bytes that wait
    uint64_t m_bytes{0};                              //!< Their sum
    bool m_isWaiting{false};                          //!< Whether there is a next slot
    SliceRoutes m_routes;                             //!< Routes between two turns
    int64_t m_routesEnd{-1};                          //!< The turn at which they end
    Ptr<EventImpl> m_turn;                            //!< The next slot, while bytes wait
    std::vector<RotorDiscipline::Contact> m_contacts; //!< Pairs that meet
    std::vector<RotorDiscipline::Grant> m_grants;     //!< What goes through other ports
};

} // namespace lightpath
} // namespace ns3

#endif /* ROTOR_DISPATCHER_H */
