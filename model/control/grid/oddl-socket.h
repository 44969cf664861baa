/*
 * Copyright (c) 2026 The lightpath authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ODDL_SOCKET_H
#define ODDL_SOCKET_H

#include "oddl-header.h"

#include "ns3/address.h"
#include "ns3/callback.h"
#include "ns3/nstime.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <string>

namespace ns3
{

class Node;
class Socket;

namespace lightpath
{

/**
 * @ingroup lightpath
 * @brief Sends and receives the control messages of ODDL, each in a UDP datagram.
 */
class OddlSocket
{
  public:
    /// Receives a message.
    using Handler = Callback<void, const OddlHeader&>;

    OddlSocket();
    ~OddlSocket();

    // Events refer to the socket
    OddlSocket(const OddlSocket&) = delete;
    OddlSocket& operator=(const OddlSocket&) = delete;

    /**
     * Begin to receive. A UDP port in use ends the program.
     *
     * @param node the node
     * @param udpPort the UDP port
     * @param owner the owner of the socket, for error messages
     * @param processingTime the time from the arrival of a message to its handling
     * @param handler called for each message
     */
    void Open(Ptr<Node> node,
              uint16_t udpPort,
              const std::string& owner,
              Time processingTime,
              Handler handler);

    /// Stop sending and receiving; messages that have arrived are handled.
    void Close();

    /**
     * @return true if it sends and receives
     */
    bool IsOpen() const;

    /**
     * Send a message; the socket must be open.
     *
     * @param address the address that it is for
     * @param message the message
     */
    void Send(const Address& address, const OddlHeader& message);

    /**
     * @return the number of messages sent
     */
    uint64_t GetNMessages() const;

  private:
    /**
     * Receive datagrams.
     *
     * @param socket the socket that received them
     */
    void Receive(Ptr<Socket> socket);

    /**
     * Pass a message to the handler.
     *
     * @param message the message
     */
    void Handle(OddlHeader message);

    Ptr<Socket> m_socket;    //!< The socket; null if closed
    Time m_processingTime;   //!< From arrival to handling
    Handler m_handler;       //!< Called for each message
    uint64_t m_nMessages{0}; //!< Messages sent
};

} // namespace lightpath
} // namespace ns3

#endif /* ODDL_SOCKET_H */
