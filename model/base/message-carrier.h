/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGE_CARRIER_H
#define MESSAGE_CARRIER_H

#include <cstdint>
#include <functional>
#include <memory>
#include <tuple>

namespace ns3
{
namespace lightpath
{

class Agenda;

/**
 * @ingroup lightpath
 * @brief A fabric that carries messages on an Agenda, as its net devices do in a simulation
 * (abstract).
 */
class MessageCarrier
{
  public:
    /// A message from one port to another.
    struct Message
    {
        uint32_t source{0};      //!< The port that sends it
        uint32_t destination{0}; //!< The port that it is for
        uint64_t bytes{0};       //!< Its size

        /**
         * @param other another message
         * @return true if this one comes before it in an order of messages
         */
        bool operator<(const Message& other) const
        {
            return std::tie(source, destination, bytes) <
                   std::tie(other.source, other.destination, other.bytes);
        }
    };

    /// Takes the tag of a message that has come in.
    using Arrival = std::function<void(uint64_t)>;

    /// Makes a carrier.
    using Maker = std::function<std::unique_ptr<MessageCarrier>(Agenda&, Arrival)>;

    virtual ~MessageCarrier() = default;

    /**
     * Send a message now.
     *
     * @param message the message, to another port
     * @param tag what the arrival is called with
     */
    virtual void Send(const Message& message, uint64_t tag) = 0;
};

} // namespace lightpath
} // namespace ns3

#endif /* MESSAGE_CARRIER_H */
