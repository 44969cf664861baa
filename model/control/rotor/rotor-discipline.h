/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ROTOR_DISCIPLINE_H
#define ROTOR_DISCIPLINE_H

#include "ns3/object.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief The bytes that wait at the ports of a fabric with a periodic schedule, with all headers.
 */
struct RotorQueues
{
    /**
     * @param nPorts the number of ports
     */
    explicit RotorQueues(uint32_t nPorts)
        : own(nPorts, std::vector<uint64_t>(nPorts, 0)),
          stored(own)
    {
    }

    std::vector<std::vector<uint64_t>> own;    //!< Bytes of a port itself, by destination
    std::vector<std::vector<uint64_t>> stored; //!< Bytes of others that it forwards
};

/**
 * @ingroup lightpath
 * @brief Decides what the ports of a fabric with a periodic schedule send through others, slot by
 * slot. What they have for a port, of their own or stored for others, they send to it themselves
 * when they meet it.
 *
 * An abstract base class, of plain computation: the same calls always give the same grants.
 */
class RotorDiscipline : public Object
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /// A pair of ports that meets.
    struct Contact
    {
        uint32_t source{0}; //!< The port that sends
        uint32_t peer{0};   //!< The port that receives
    };

    /// Bytes that a port may send to another, which will forward them.
    struct Grant
    {
        uint32_t source{0};      //!< The port that sends
        uint32_t peer{0};        //!< The port that receives
        uint32_t destination{0}; //!< The port that they are for
        uint64_t bytes{0};       //!< Their number, with headers
    };

    /**
     * @return whether ports that meet send each other what they have for each other; always in the
     *         base class
     */
    virtual bool SendsDirect() const
    {
        return true;
    }

    /**
     * @return the bytes of the smallest message that is not short. Short ones go at once over the
     *         several hops of the present circuits; there are none in the base class.
     */
    virtual uint64_t GetShortMessage() const
    {
        return 0;
    }

    /**
     * Assign a fixed stream to the random variables of the discipline.
     *
     * @param stream the number of the first stream
     * @return the number of streams: none in the base class
     */
    virtual int64_t AssignStreams(int64_t stream)
    {
        return 0;
    }

    /**
     * @return a discipline for the same fabric that has decided nothing, and draws the same numbers
     *         again: this one in the base class, as decisions need no memory
     */
    virtual Ptr<RotorDiscipline> Begin()
    {
        return this;
    }

    /**
     * Decide at the beginning of the light of some uplinks.
     *
     * @param slot the slot of the first of them
     * @param contacts the pairs that meet from now on, in the order of uplinks and ports
     * @param capacity the bytes that each of them can send until they part
     * @param queues what waits
     * @param [out] grants what goes through other ports while they meet; overwritten
     */
    virtual void Decide(uint32_t slot,
                        const std::vector<Contact>& contacts,
                        uint64_t capacity,
                        const RotorQueues& queues,
                        std::vector<Grant>& grants) = 0;
};

} // namespace lightpath
} // namespace ns3

#endif /* ROTOR_DISCIPLINE_H */
