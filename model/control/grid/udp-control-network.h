/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef UDP_CONTROL_NETWORK_H
#define UDP_CONTROL_NETWORK_H

#include "model/control/oddl/control-network.h"

#include "ns3/address.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

class Socket;

namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief A control network of any nodes that reach each other by IPv4: a message is a UDP datagram.
 */
class UdpControlNetwork : public ControlNetwork
{
  public:
    /**
     * @param addresses the address and port of each host
     */
    explicit UdpControlNetwork(std::vector<Address> addresses);

    ~UdpControlNetwork() override;

    // Sockets refer to the network
    UdpControlNetwork(const UdpControlNetwork&) = delete;
    UdpControlNetwork& operator=(const UdpControlNetwork&) = delete;

    /**
     * Begin to receive. A UDP port in use ends the program.
     *
     * @param host who receives
     * @param node the number of its node
     * @param owner its name, for error messages
     * @param processingTime the time from the arrival of a message to its handling, ticks
     * @param handler called for each message
     */
    void Open(uint32_t host,
              uint32_t node,
              const std::string& owner,
              int64_t processingTime,
              Handler handler) override;
    void Close(uint32_t host) override;
    bool IsOpen(uint32_t host) const override;
    void Send(uint32_t source, uint32_t destination, const OddlHeader& message) override;

  private:
    /// A control unit or the arbiter.
    struct Host
    {
        Address address;           //!< Its address and port
        Ptr<Socket> socket;        //!< Its socket; null if closed
        int64_t processingTime{0}; //!< From the arrival of a message to its handling, ticks
        Handler handler;           //!< Called for each message
    };

    /**
     * Receive datagrams.
     *
     * @param host who receives
     * @param socket its socket
     */
    void Receive(uint32_t host, Ptr<Socket> socket);

    std::vector<Host> m_hosts; //!< The hosts
};

} // namespace lightpath
} // namespace ns3

#endif /* UDP_CONTROL_NETWORK_H */
