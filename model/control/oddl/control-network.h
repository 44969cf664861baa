/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CONTROL_NETWORK_H
#define CONTROL_NETWORK_H

#include "model/base/wire-format.h"
#include "oddl-header.h"

#include "ns3/callback.h"

#include <cstdint>
#include <string>

namespace ns3
{
namespace lightpath
{

/// Bytes of the headers of a control message on a link.
inline constexpr uint32_t CONTROL_HEADER_BYTES =
    UDP_HEADER_BYTES + IPV4_HEADER_BYTES + PPP_HEADER_BYTES;

/**
 * @ingroup lightpath
 * @brief Carries messages between the control units of ODDL and their arbiter.
 *
 * Each has a number: a control unit that of its port, the arbiter the number of ports.
 */
class ControlNetwork
{
  public:
    /// Takes a message.
    using Handler = Callback<void, const OddlHeader&>;

    virtual ~ControlNetwork() = default;

    /**
     * Begin to receive.
     *
     * @param host who receives
     * @param node the number of its node
     * @param owner its name, for error messages
     * @param processingTime the time from the arrival of a message to its handling, ticks
     * @param handler called for each message
     */
    virtual void Open(uint32_t host,
                      uint32_t node,
                      const std::string& owner,
                      int64_t processingTime,
                      Handler handler) = 0;

    /**
     * Stop sending and receiving.
     *
     * @param host who stops
     */
    virtual void Close(uint32_t host) = 0;

    /**
     * @param host a number
     * @return true if it sends and receives
     */
    virtual bool IsOpen(uint32_t host) const = 0;

    /**
     * Send a message.
     *
     * @param source who sends it; must be open
     * @param destination who it is for
     * @param message the message
     */
    virtual void Send(uint32_t source, uint32_t destination, const OddlHeader& message) = 0;
};

} // namespace lightpath
} // namespace ns3

#endif /* CONTROL_NETWORK_H */
